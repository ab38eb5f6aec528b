"""From factors to sets of tags: argmin_t x·b(t), exactly up to rounding, for one x or many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lossmith.losses.ranking.decoding import SORTING, Decoded, Decoding, decoded, rows_of

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

SIGNS = Decoding("signs", exact=True)
BY_SIZE = Decoding("sorting for each size", exact=True)
TOGETHER = 1 << 20  # numbers in the scores of the examples that are decoded together: 8 MiB


def by_signs(x: object, r: int) -> Decoded:
    """The least Σ_i x_i t_i: the tags with x_i < 0.

    >>> by_signs([3.0, -1.0, 0.0], 3).predictions.tolist()
    [0, 1, 0]
    """
    import numpy as np

    rows, single = rows_of(x, r)
    values = np.minimum(rows, 0).sum(axis=1)
    return decoded((rows < 0).astype(int), values, values, SIGNS, single)


def by_most(x: object, r: int, q: int) -> Decoded:
    """The least −Σ_i x_i t_i over sets of q tags: the q largest x_i.

    >>> by_most([3.0, -1.0, 2.0], 3, 2).predictions.tolist()
    [1, 0, 1]
    """
    rows, single = rows_of(x, r)
    chosen = _largest(rows, q)
    values = -(rows * chosen).sum(axis=1)
    return decoded(chosen, values, values, SORTING, single)


def by_sizes(x: object, r: int, square: Fraction) -> Decoded:
    """The least x·b(t) for F_β, β² = `square`: of each size the largest Σ_m x_im/(β² m + |t|), and the empty set.

    >>> by_sizes([3.0, 1.0, 0.0, 0.5], 2, Fraction(1)).predictions.tolist()     # x_01, x_11, |y| = 2, y = ∅
    [1, 0]
    """
    import numpy as np

    rows, single = rows_of(x, r * (r - 1) + 2)
    size = max(1, TOGETHER // (r * r))
    parts = [_by_sizes(rows[at : at + size], r, float(square)) for at in range(0, max(1, len(rows)), size)]
    chosen, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    return decoded(chosen, values, values, BY_SIZE, single)


def by_costs(x: object, costs: Sequence[Fraction], penalties: Sequence[Fraction], first: int) -> Decoded:
    """The least Σ_y x_y (c_y [y ∉ S] + λ_|S|), |S| = `first`, …: of each size the largest c_y x_y.

    >>> by_costs([0.5, 0.3, 0.2], [Fraction(1)] * 3, [Fraction(0), Fraction(1, 4)], 1).predictions.tolist()
    [1, 1, 0]
    """
    import numpy as np

    rows, single = rows_of(x, len(costs))
    priced = rows * np.array(costs, dtype=float)
    gained = np.cumsum(-np.sort(-priced, axis=1), axis=1)[:, first - 1 : first - 1 + len(penalties)]
    values = priced.sum(axis=1, keepdims=True) - gained
    values = values + rows.sum(axis=1, keepdims=True) * np.array(penalties, dtype=float)
    size = values.argmin(axis=1)
    least = values[np.arange(len(rows)), size]
    return decoded(_largest(priced, size[:, None] + first), least, least, BY_SIZE, single)


def _by_sizes(rows: Array, r: int, square: float) -> tuple[Array, Array]:
    import numpy as np

    sizes, labels = np.arange(1.0, r + 1), np.arange(1.0, r)
    means = rows[:, : r * (r - 1)].reshape(-1, r - 1, r)  # by size of the label and tag
    scores = np.matmul(1 / (square * labels + sizes[:, None]), means)  # by size of the prediction and tag
    best = np.sort(scores, axis=2)[:, :, ::-1]
    gained = (best * np.tri(r)).sum(axis=2) + rows[:, -2:-1] * sizes / (square * r + sizes)
    values = -np.concatenate([rows[:, -1:], (1 + square) * gained], axis=1)  # the empty set first
    size, each = values.argmin(axis=1), np.arange(len(rows))
    chosen = _largest(scores[each, size - 1], size[:, None])
    return chosen, values[each, size]


def _largest(scores: Array, count: Any) -> Array:
    """1 for so many tags of each row, those with the largest scores, of equal ones the first."""
    import numpy as np

    order = np.argsort(-scores, axis=1, kind="stable")
    chosen = np.zeros(scores.shape, dtype=int)
    np.put_along_axis(chosen, order, (np.arange(scores.shape[1]) < count).astype(int), axis=1)
    return chosen
