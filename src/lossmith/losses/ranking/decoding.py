"""From factors to predictions: argmin_t x·b(t), in floating point, for one x or for a row of them per query.

Sorting is exact for discounted gains. Where each document, once placed, pays for those before it, dynamic programming
over sets of documents is exact, with 2^r·r steps; above 16 documents a local search moves single documents until no
move helps, from several starts, and a lower bound tells how far from the optimum it can be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.losses.ranking.local_search import STARTS, local_search

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MOST_DOCUMENTS = 16  # for dynamic programming: 2^16·16 steps, some 50 ms
TOGETHER = 1 << 21  # numbers in the matrices of the queries that are decoded together: 16 MiB


@dataclass(frozen=True)
class Decoding:
    """A way to predictions, in words, and whether they are the best ones, up to rounding."""

    words: str
    exact: bool


SORTING = Decoding("sorting", exact=True)
OVER_SETS = Decoding("dynamic programming", exact=True)
LOCAL_SEARCH = Decoding(f"local search from {STARTS} starts, heuristic", exact=False)


@dataclass(frozen=True, eq=False)
class Decoded:
    """Predictions of small x·b, their values, lower bounds on the least values, and how they were found.

    `predictions` are positions of documents, sets of documents, or zeros and ones for tags, one row per query (one row
    for a single x).
    """

    predictions: Array
    values: Array
    bounds: Array
    decoding: Decoding

    @property
    def exact(self) -> bool:
        """Whether the values are the least ones, up to rounding."""
        return self.decoding.exact

    @property
    def method(self) -> str:
        """How they were found, in words."""
        return self.decoding.words

    def __repr__(self) -> str:
        queries = "one query" if self.predictions.ndim == 1 else f"{len(self.predictions)} queries"
        return f"Decoded({queries}, by {self.method})"


def by_sorting(x: object, discount: tuple[Any, ...]) -> Decoded:
    """The least −Σ_i x_i discount(σ(i)): the largest x meets the largest discount.

    >>> by_sorting([3.0, -1.0, 2.0], (1, 0.5, 0.25)).predictions.tolist()
    [0, 2, 1]
    """
    import numpy as np

    rows, single = rows_of(x, len(discount))
    weights = np.array(discount, dtype=float)
    best_first = np.argsort(-weights, kind="stable")
    documents = np.argsort(-rows, axis=1, kind="stable")
    positions = np.empty_like(documents)
    np.put_along_axis(positions, documents, np.broadcast_to(best_first, documents.shape), axis=1)
    values = -(rows * weights[positions]).sum(axis=1)
    return decoded(positions, values, values, SORTING, single)


def by_largest(x: object, r: int, q: int) -> Decoded:
    """The q largest of r, in increasing order of documents.

    >>> by_largest([3.0, -1.0, 2.0], 3, 2).predictions.tolist()
    [0, 2]
    """
    import numpy as np

    rows, single = rows_of(x, r)
    chosen = np.sort(np.argsort(-rows, axis=1, kind="stable")[:, :q], axis=1)
    values = -np.take_along_axis(rows, chosen, axis=1).sum(axis=1)
    return decoded(chosen, values, values, SORTING, single)


def by_prefixes(x: Array, costs: Callable[[Array], tuple[Array, Array]], weights: Array, single: bool) -> Decoded:
    """The least Σ_k w_k (own_j + Σ pair_ij over documents i before j), j the document at position k.

    `costs` makes of rows of x a row `own` and a matrix `pair` per query. These are symmetric, or the weights are equal.
    """
    import numpy as np

    r = len(weights)
    exact = r <= MOST_DOCUMENTS
    size = max(1, TOGETHER // (r * r))
    parts = []
    for begin in range(0, max(1, len(x)), size):
        own, pair = costs(x[begin : begin + size])
        parts.append((_exactly if exact else _heuristically)(own, pair, weights))
    orders, values, bounds = (np.concatenate(each) for each in zip(*parts, strict=True))
    return decoded(orders.argsort(axis=1), values, bounds, OVER_SETS if exact else LOCAL_SEARCH, single)


def _exactly(own: Array, pair: Array, weights: Array) -> tuple[Array, Array, Array]:
    import numpy as np

    found = [over_sets(*each, weights) for each in zip(own, pair, strict=True)]
    values = np.array([value for _, value in found])
    return np.array([order for order, _ in found], dtype=np.intp).reshape(own.shape), values, values


def _heuristically(own: Array, pair: Array, weights: Array) -> tuple[Array, Array, Array]:
    import numpy as np

    orders = local_search(own, pair, weights)
    queries = list(zip(own, pair, strict=True))
    values = [_value(order, *each, weights) for order, each in zip(orders, queries, strict=True)]
    return orders, np.array(values), np.array([lower_bound(*each, weights) for each in queries])


def over_sets(own: Array, pair: Array, weights: Array) -> tuple[Array, float]:
    """Dynamic programming: the least cost of having placed a set of documents first."""
    import numpy as np

    r = len(own)
    sums = np.zeros((1, r))
    sizes = np.zeros(1, dtype=np.intp)
    for i in range(r):  # sums[S, j] = Σ_{i ∈ S} pair_ij, with S as a bit mask
        sums, sizes = np.concatenate([sums, sums + pair[i]]), np.concatenate([sizes, sizes + 1])
    step = np.append(weights, 0.0)[sizes][:, None] * (sums + own)  # placing j after S
    bits = 1 << np.arange(r)
    best = np.zeros(1 << r)
    last = np.zeros(1 << r, dtype=np.intp)
    for size in range(1, r + 1):
        sets = np.flatnonzero(sizes == size)
        before = sets[:, None] & ~bits
        costs = np.where(sets[:, None] & bits, best[before] + step[before, np.arange(r)], np.inf)
        last[sets] = costs.argmin(axis=1)
        best[sets] = costs.min(axis=1)
    order, placed = np.empty(r, dtype=np.intp), (1 << r) - 1
    for position in range(r - 1, -1, -1):
        order[position] = last[placed]
        placed &= ~(1 << int(last[placed]))
    return order, float(best[-1])


def _value(order: Array, own: Array, pair: Array, weights: Array) -> float:
    import numpy as np

    placed = pair[np.ix_(order, order)]
    return float(weights @ (own[order] + np.triu(placed, 1).sum(axis=0)))


def lower_bound(own: Array, pair: Array, weights: Array) -> float:
    """The better of two bounds: each document alone (an assignment), and, for equal weights, each pair alone.

    A document at position k pays at least for the k cheapest documents before it (Gilmore 1962, Lawler 1963).
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    r = len(own)
    others = pair.T[~np.eye(r, dtype=bool)].reshape(r, r - 1)  # others[j]: pair_ij for i ≠ j
    cheapest = np.concatenate([np.zeros((r, 1)), np.sort(others, axis=1).cumsum(axis=1)], axis=1)
    costs = weights * (own[:, None] + cheapest)
    bound = costs[linear_sum_assignment(costs)].sum()
    if np.ptp(weights) == 0:
        pairs = np.triu(np.minimum(pair, pair.T), 1).sum()
        bound = max(bound, weights[0] * (own.sum() + pairs))
    return float(bound)


def rows_of(x: object, m: int) -> tuple[Array, bool]:
    """Scores as rows, and whether a single one was given."""
    import numpy as np

    try:
        scores = np.asarray(x, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("the scores are not numbers; give one row per query") from None
    if scores.ndim not in (1, 2) or scores.shape[-1] != m:
        raise BadInput(f"the scores have shape {scores.shape}; give {m} numbers per query")
    if not np.isfinite(scores).all():
        raise BadInput("a score is not finite; check what the model returned")
    return np.atleast_2d(scores), scores.ndim == 1


def decoded(predictions: Array, values: Array, bounds: Array, decoding: Decoding, single: bool) -> Decoded:
    """All rows, or the only one where a single x was given."""
    if single:
        return Decoded(predictions[0], values[0], bounds[0], decoding)
    return Decoded(predictions, values, bounds, decoding)
