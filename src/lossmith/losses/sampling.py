"""What many distributions show: shares, pairs of decisions, telling labels; and data drawn from given ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import array_of

if TYPE_CHECKING:
    import numpy as np


SAMPLES = 20_000
_MOST_TRIPLES = 2_000
_AT_ONCE = 4_000_000  # risks that are held at a time


def shares(loss: LossMatrix, m: int = SAMPLES, seed: int = 0) -> tuple[float, ...]:
    """Of how many among m random distributions, each as likely as any other, each prediction is the best one.

    >>> from lossmith.losses.matrix import LossMatrix
    >>> [round(share, 1) for share in shares(LossMatrix([[0, 1], [4, 0]]))]
    [0.2, 0.8]
    """
    import numpy as np

    P = np.random.default_rng(seed).dirichlet(np.ones(loss.n), m)
    parts = np.array_split(P, 1 + m * loss.k // _AT_ONCE)
    chosen = np.concatenate([loss.best(part) for part in parts])
    return tuple((np.bincount(chosen, minlength=loss.k) / m).tolist())


def leading_pairs(
    loss: LossMatrix, kept: Sequence[int], m: int = SAMPLES, seed: int = 0
) -> list[tuple[tuple[int, int], float]]:
    """Which two of the kept predictions cost least, of how many among m random distributions; the most frequent first.

    >>> from lossmith.losses.matrix import LossMatrix
    >>> [(pair, round(share, 1)) for pair, share in leading_pairs(LossMatrix([[0, 1, 5], [8, 2, 0]]), range(3))]
    [((1, 2), 0.6), ((0, 1), 0.4)]
    """
    import numpy as np

    columns = [loss.rational.integer_columns()[t] for t in kept]
    unit = 2 ** max(0, max(map(max, columns)).bit_length() - 900)
    costs = np.array([[x / unit for x in column] for column in columns]).T
    P = np.random.default_rng(seed).dirichlet(np.ones(loss.n), m)
    parts = np.array_split(P, 1 + m * loss.k // _AT_ONCE)
    two = np.sort(np.concatenate([np.argpartition(part @ costs, 1, axis=1)[:, :2] for part in parts]), axis=1)
    pairs, counts = np.unique(two, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [((kept[int(s)], kept[int(t)]), float(count) / m) for (s, t), count in zip(pairs[order], counts[order])]


def telling_labels(loss: LossMatrix) -> tuple[Any, ...]:
    """Three labels such that, where only they are possible, as many different decisions are best as can be.

    >>> from lossmith.losses import ordinal
    >>> telling_labels(ordinal(6))
    (0, 1, 2)
    """
    import numpy as np

    grid = np.array([(i, j, 8 - i - j) for i in range(9) for j in range(9 - i)]) / 8
    most, found = 0, (0, 1, 2)
    for triple in islice(combinations(range(loss.n), 3), _MOST_TRIPLES):
        P = np.zeros((len(grid), loss.n))
        P[:, triple] = grid
        size = len(set(loss.best(P).tolist()))
        if size > most:
            most, found = size, triple
    return tuple(loss.labels[y] for y in found)


def draw(
    loss: LossMatrix, distributions: Sequence[Sequence[Fraction]], m: int, seed: int | None
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Draw m examples, each from any of the distributions: X says which one (a column each), y the label."""
    import numpy as np

    generator = np.random.default_rng(seed)
    which = generator.integers(len(distributions), size=m)
    chances = np.array([[float(x) for x in p] for p in distributions])
    drawn = (generator.random((m, 1)) > chances[which].cumsum(axis=1)).sum(axis=1).clip(max=loss.n - 1)
    return np.eye(len(distributions))[which], array_of(loss.labels)[drawn]
