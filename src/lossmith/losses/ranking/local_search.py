"""Rankings of small Σ_k w_k (own_j + Σ pair_ij over documents i before j), j the document at position k, by local search.

A document moves past its neighbours one by one, so what each move costs is a cumulative sum, and all of them are had at
once, for all starts and queries together. Moves over disjoint stretches of a ranking do not change what the others
cost: of all that help, the best are made together (R. K. Congram, C. N. Potts, S. L. van de Velde, An iterated
dynasearch algorithm, INFORMS Journal on Computing 2002, choose them by dynamic programming). Where no move helps, the
best ranking of each query is shaken, and the search goes on from there (H. R. Lourenço, O. C. Martin, T. Stützle,
Iterated local search, 2003). The shakes are always the same ones, and a query is ranked the same way alone and among
others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

STARTS = 8
# How far documents are shaken, in positions. First, around the sorted ranking: this part of all.
_FIRST, _AGAIN = 0.1, (4.0, 4.0)
ROUNDS = 1 + len(_AGAIN)
_BLOCK = 1 << 18  # numbers in a table of moves: 2 MiB, and there are three


@dataclass(frozen=True, eq=False)
class Costs:
    """Of queries: `own` has a row, and `pair` a matrix, either symmetric, or antisymmetric if all weights are equal.

    In `less` stands, for each position passed and each one from where, how the weight of who passes decreases.
    """

    own: Array
    pair: Array
    weights: Array
    less: Array
    before: Array

    @property
    def equal(self) -> bool:
        """Whether all positions weigh the same; then only differences of pairs matter."""
        return not self.less.any()


def costs_of(own: Array, pair: Array, weights: Array) -> Costs:
    """With pair_ij paid by j if i comes before it: symmetric in i and j, or with equal weights."""
    import numpy as np

    to, start = np.ogrid[: len(weights), : len(weights)]
    step = np.append(weights[:-1] - weights[1:], 0.0)
    before = np.where(to < start, step[to], 0.0)
    less = np.where(to > start, step[to - 1], before)
    paid = pair.transpose(0, 2, 1)  # paid[j, i]: by j, for i before it
    if not less.any():  # Σ pair_ij over i before j is (Σ (pair_ij − pair_ji) + Σ over all pairs) / 2
        paid = (paid - pair) / 2
    return Costs(own, np.ascontiguousarray(paid), weights, less[:, None], before[:, None])


def local_search(own: Array, pair: Array, weights: Array) -> Array:
    """For each query an order of documents that no move of a single one improves; `costs_of` tells which costs.

    >>> import numpy as np
    >>> pair = np.array([[0.0, 3.0, 1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]])  # 0 before 1 costs 3, 1 before 2 brings 1
    >>> local_search(np.zeros((1, 3)), pair[None], np.ones(3)).tolist()
    [[1, 2, 0]]
    """
    import numpy as np

    costs = costs_of(own, pair, weights)
    queries, r = own.shape
    random = np.random.default_rng(0)
    best = start_of(costs)
    values = np.full(queries, np.inf)
    for far in (_FIRST * r, *_AGAIN):
        keys = np.arange(r) + far * random.normal(size=(STARTS, r))
        if not np.isfinite(values).all():
            keys[0] = np.arange(r)  # the sorted ranking itself is among the first ones
        orders = best[:, keys.argsort(axis=1, kind="stable")].reshape(-1, r)
        orders, found = descend(orders, np.repeat(np.arange(queries), STARTS), costs)
        found = found.reshape(queries, STARTS)
        first = found.argmin(axis=1)
        better = found[np.arange(queries), first] < values
        best = np.where(better[:, None], orders.reshape(queries, STARTS, r)[np.arange(queries), first], best)
        values = np.minimum(values, found.min(axis=1))
    return best


def start_of(costs: Costs) -> Array:
    """Each document as if half of the others stood before it: the cheapest first, or, at equal weights, last."""
    import numpy as np

    behind = costs.own + costs.pair.sum(axis=2) / 2
    return np.argsort(-behind if costs.equal else behind, axis=1, kind="stable")


def descend(orders: Array, queries: Array, costs: Costs) -> tuple[Array, Array]:
    """Moves while they help; the orders reached and their values, at equal weights up to a constant."""
    import numpy as np

    r = orders.shape[1]
    size = max(1, _BLOCK // (r * r))
    tables = np.empty(size * r * r, dtype=np.intp), np.empty(size * r * r), np.empty(size * r * r)
    reached, values = orders.copy(), np.full(len(orders), np.inf)
    at, orders = np.arange(len(orders)), orders.copy()
    while len(at):
        going = np.zeros(len(at), dtype=bool)
        for begin in range(0, len(at), size):
            block = slice(begin, begin + size)
            rows, here = at[block], orders[block]
            now, to, gains = _best_moves(here, queries[rows], costs, tables)
            better = now < values[rows]  # as computed: rounding cannot make it go on for ever
            reached[rows[better]], values[rows[better]] = here[better], now[better]
            gains[~better] = 0
            going[block] = (gains < 0).any(axis=1)
            orders[block] = np.take_along_axis(here, _moved(to, gains), axis=1)
        at, orders = at[going], orders[going]
    return reached, values


def _moved(to: Array, gains: Array) -> Array:
    """The order of positions after the moves that help, the best first, each unless it overlaps one made before."""
    import numpy as np

    rows, starts = np.nonzero(gains < 0)
    best_first = gains[rows, starts].argsort(kind="stable")
    rows, starts = rows[best_first], starts[best_first]
    ends = to[rows, starts]
    made, taken = [], [0] * len(to)  # positions as bits
    for move, (row, a, b) in enumerate(zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)):
        stretch = (2 << b) - (1 << a) if a < b else (2 << a) - (1 << b)
        if not taken[row] & stretch:
            taken[row] |= stretch
            made.append(move)
    keys = np.tile(np.arange(0.0, to.shape[1]), (len(to), 1))
    rows, starts, ends = rows[made], starts[made], ends[made]
    keys[rows, starts] = ends + np.where(ends > starts, 0.5, -0.5)
    return keys.argsort(axis=1, kind="stable")


def _best_moves(orders: Array, queries: Array, costs: Costs, tables: tuple[Array, ...]) -> tuple[Array, Array, Array]:
    """What each order costs, where to move the document at each position, and what that costs."""
    import numpy as np

    standing, passing = passing_costs(orders, queries, costs, tables)
    values = (np.ascontiguousarray(standing.T) * costs.weights).sum(axis=1)
    positions = np.arange(orders.shape[1])
    behind, least = passing.argmin(axis=0), passing.min(axis=0)
    first = least > 0
    behind[first], least[first] = -1, 0
    return values, behind + (behind < positions), least - passing[positions, :, positions].T


def passing_costs(orders: Array, queries: Array, costs: Costs, tables: tuple[Array, ...]) -> tuple[Array, Array]:
    """What the document at each position pays, by position and order, and what it costs to move others behind it.

    The latter by position, order and where the other stands, less the cost of moving it to the front. If it stands at
    k and passes who stands next, with c paid by the one and C by the other, neither for the other, that costs
    (w_k − w_{k+1}) (C − c) for symmetric pairs, and twice what it pays for the other, antisymmetric ones of weight 1.
    """
    import numpy as np

    n, r = orders.shape
    index, pair, paid = (table[: r * n * r].reshape(r, n, r) for table in tables)
    np.add(orders.T[:, :, None], (orders + queries[:, None] * r) * r, out=index)
    costs.pair.reshape(-1).take(index, out=pair, mode="clip")  # the default mode would make a copy
    own = costs.own[queries[:, None], orders]
    np.add(pair[0], own, out=paid[0])
    _cumulate(pair, paid)
    standing = paid[np.arange(r), :, np.arange(r)]
    if costs.equal:
        paid -= own
        return standing, paid
    np.subtract(standing[:, :, None], paid, out=paid)  # of those passed on the way to the front: less the pair
    paid *= costs.less
    pair *= costs.before
    paid += pair
    np.copyto(pair[0], paid[0])
    _cumulate(paid, pair)
    return standing, pair


def _cumulate(terms: Array, sums: Array) -> None:
    """Cumulative sums along the first axis, from sums[0]; np.cumsum does not use vector instructions."""
    import numpy as np

    for k in range(1, len(terms)):
        np.add(sums[k - 1], terms[k], out=sums[k])
