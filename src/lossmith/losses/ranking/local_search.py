"""Local search for rankings of small Σ_k w_k (own_j + Σ pair_ij over documents i before j), j being at position k.

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

STARTS = 8  # rankings of a query that are searched from together
_FIRST, _LATER = 0.3, 4.0  # how far documents are shaken: first this part of all positions, then so many positions
BLOCK = 1 << 18  # numbers in a table of moves: 2 MiB, and there are three


@dataclass(frozen=True, eq=False)
class Costs:
    """Of queries: `own` has a row and `pair` a matrix each, pair_ji paid by j if i comes before it.

    `pair` is symmetric; where all weights are equal, antisymmetric. `less` tells by how much the weight of a document
    decreases as it passes the one at a position (first axis), coming from another (last axis), and `before` the same
    if that lies behind the former, otherwise 0.
    """

    own: Array
    pair: Array
    weights: Array
    less: Array
    before: Array
    equal: bool


def costs_of(own: Array, pair: Array, weights: Array) -> Costs:
    """With pair_ij paid by j if i comes before it: symmetric in i and j, or with equal weights."""
    import numpy as np

    to, start = np.ogrid[: len(weights), : len(weights)]
    step = np.append(weights[:-1] - weights[1:], 0.0)
    before = np.where(to < start, step[to], 0.0)
    less = np.where(to > start, step[to - 1], before)
    paid = pair.transpose(0, 2, 1)  # paid[j, i]: by j, for i before it
    equal = not step[:-1].any()
    if equal:  # Σ pair_ij over i before j is (Σ (pair_ij − pair_ji) + Σ over all pairs) / 2
        own, paid = np.zeros_like(own), (paid - pair) / 2
    return Costs(own, np.ascontiguousarray(paid), weights, less[:, None], before[:, None], equal)


def local_search(own: Array, pair: Array, weights: Array) -> Array:
    """For each query an order of documents that no move of a single one improves; `costs_of` tells which costs.

    >>> import numpy as np
    >>> pair = np.array([[0.0, 3.0, 1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]])  # 0 before 1 costs 3, 1 before 2 brings 1
    >>> local_search(np.zeros((1, 3)), pair[None], np.ones(3)).tolist()
    [[1, 2, 0]]
    """
    import numpy as np

    costs = costs_of(own, pair, weights)
    (queries, r), each = own.shape, np.arange(len(own))
    rounds = 2 + r // 100
    shakes = _LATER * np.random.default_rng(0).normal(size=(rounds, STARTS, r))
    shakes[0] *= _FIRST * r / _LATER
    shakes[0, 0] = 0  # the sorted ranking itself
    best, least = start_of(costs), np.full(queries, np.inf)
    for shaken in (np.arange(r) + shakes).argsort(axis=2, kind="stable"):
        orders, values = descend(best[:, shaken].reshape(-1, r), each.repeat(STARTS), costs)
        orders, values = orders.reshape(queries, STARTS, r), values.reshape(queries, STARTS)
        first = values.argmin(axis=1)
        better = values[each, first] < least
        best = np.where(better[:, None], orders[each, first], best)
        least = np.where(better, values[each, first], least)
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
    size = max(1, min(len(orders), BLOCK // (r * r)))
    tables = np.empty(size * r * r, dtype=np.intp), np.empty(size * r * r), np.empty(size * r * r)
    reached, values = orders.copy(), np.full(len(orders), np.inf)
    at, orders = np.arange(len(orders)), orders.copy()
    while len(at):
        going = np.zeros(len(at), dtype=bool)
        for begin in range(0, len(at), size):
            block = slice(begin, begin + size)
            rows, here = at[block], orders[block]
            now, to, gains = best_moves(here, queries[rows], costs, tables)
            better = now < values[rows]  # as computed: rounding cannot make it go on for ever
            reached[rows[better]], values[rows[better]] = here[better], now[better]
            gains[~better] = 0
            going[block] = (gains < 0).any(axis=1)
            orders[block] = here[np.arange(len(here))[:, None], after_moves(to, gains)]
        at, orders = at[going], orders[going]
    return reached, values


def after_moves(to: Array, gains: Array) -> Array:
    """The order of positions after the moves that help, the best first, each unless it overlaps one made before."""
    import numpy as np

    n, r = to.shape
    rows, starts = (gains < 0).nonzero()
    best_first = gains[rows, starts].argsort(kind="stable")
    rows, starts = rows[best_first], starts[best_first]
    taken, moved, keys = [0] * n, list[int](), list[float]()  # positions taken, as bits
    for row, a, b in zip(rows.tolist(), starts.tolist(), to[rows, starts].tolist(), strict=True):
        stretch = (2 << b) - (1 << a) if a < b else (2 << a) - (1 << b)
        if not taken[row] & stretch:
            taken[row] |= stretch
            moved.append(row * r + a)
            keys.append(b + 0.5 if a < b else b - 0.5)
    positions = np.empty((n, r))
    positions[:] = np.arange(r)
    positions.reshape(-1)[moved] = keys
    return positions.argsort(axis=1, kind="stable")


def best_moves(orders: Array, queries: Array, costs: Costs, tables: tuple[Array, ...]) -> tuple[Array, Array, Array]:
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
    """What the document at each position pays, by position and order, and what it costs to move another behind it.

    The latter by position, order, and where the other stands, counted from the front. If it stands at k and passes its
    neighbour, c paid by it and C by the neighbour, neither for the other, that costs (w_k − w_{k+1}) (C − c) where
    pairs are symmetric; where they are antisymmetric and weights equal, twice w times what it pays for the neighbour.
    """
    import numpy as np

    n, r = orders.shape
    index, pair, paid = (table[: r * n * r].reshape(r, n, r) for table in tables)
    np.add(orders.T[:, :, None], (orders + queries[:, None] * r) * r, out=index)
    costs.pair.reshape(-1).take(index, out=pair, mode="clip")  # the default mode would make a copy
    np.add(pair[0], costs.own[queries[:, None], orders], out=paid[0])
    _cumulate(pair, paid)
    standing = paid[np.arange(r), :, np.arange(r)]
    if costs.equal:
        paid *= 2 * costs.weights[0]
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

    for so_far, term, total in zip(sums, terms[1:], sums[1:], strict=False):
        np.add(so_far, term, total)
