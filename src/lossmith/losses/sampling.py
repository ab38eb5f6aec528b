"""Labelled data drawn from given distributions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import array_of

if TYPE_CHECKING:
    import numpy as np


SAMPLES = 20_000
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
