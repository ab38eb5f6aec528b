"""Ranking losses, which are not written down, and their factors.

The loss is L[y, t] = offset(y) + scale(y)·a(y)·b(t) with scale > 0, and b(t) up to its sign. CCdim
depends neither on offsets nor on positive scales of rows: a surrogate is scaled likewise, and
distributions p_y become p_y scale(y), up to a factor. A prediction t is a list of r different
positions, t[i] that of document i (where there is a q: of the q documents shown). A label is a
list of integers.

| family | factors | a(y) | b(t) |
| --- | --- | --- | --- |
| `ndcg`, `dcg` | i | gain[y_i] | discount[t_i] |
| `precision_at`, `recall_at` | i | y_i ∈ {0, 1} | 1 if i is shown |
| `mean_average_precision` | i ≤ j | y_i y_j | 1/(1 + max(t_i, t_j)) |
| `pairwise_disagreement` | i < j | ±1 for a preference, or 0 | 1 if t_i > t_j |
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import integral, longest, price, room, spend
from lossmith_verify.reading import index, listed, places, record, require, title, vector

MAX_DOCUMENTS = 2000
PARAMETERS = {
    "ndcg": "discount gain",
    "dcg": "discount gain",
    "precision_at": "q",
    "recall_at": "q",
    "mean_average_precision": "",
    "pairwise_disagreement": "graphs",
}
SIZES = {"all DAGs": 2, "single edges": 2, "tournaments": None, "total orders": None}  # of a label
Factors = dict[int, int]  # by i·r + j; no 0 among them


class Ranking(NamedTuple):
    """A ranking loss; gains and shares, of discounts or of 1/(1 + position), are integers."""

    family: str
    r: int
    q: int
    gain: tuple[int, ...]
    share: tuple[int, ...]
    graphs: Any
    name: str


def read(value: Any) -> Ranking:
    """Read the family and its parameters."""
    family, graphs = value["family"], None
    require(family in [*PARAMETERS], "loss.family", "{} is not known", family)
    table = record(value, "loss", f"family r {PARAMETERS[family]}", "name")
    r = index(table["r"], "loss.r", MAX_DOCUMENTS + 1)
    q = index(table.get("q", 1), "loss.q", r)
    require(q > 0, "loss.q", "nothing is shown")
    gain = vector(table.get("gain", ["0", "1"]), "loss.gain")
    share = tuple(Fraction(1, 1 + position) for position in range(r))  # all the same if r < 2
    if "discount" in table:
        share = vector(table["discount"], "loss.discount", r)
    for given in (gain, share):
        require(min(given, default=0) >= 0, "loss", "a gain or a discount is negative")
        require(given[1:] != given[:-1], "loss", "all gains are the same, or all discounts")
    if "graphs" in table:
        graphs = read_graphs(table["graphs"], r)
    numbers = integral(gain), integral(share)
    return Ranking(family, r, q, *numbers, graphs, title(table, "loss"))


def read_graphs(value: Any, r: int) -> Any:
    """Read the name of a set of graphs, or a list of graphs with their edges."""
    if not isinstance(value, list):
        require(value in [*SIZES], "loss.graphs", "{} is not known", value)
        return value
    graphs = []
    for at, graph in places(value, "loss.graphs", None, 2):
        edges = (listed(edge, path, 2) for path, edge in places(graph, at))
        graphs.append({(index(i, at, r), index(j, at, r)) for i, j in edges})
    return graphs


def read_label(ranking: Ranking, value: Any, path: str) -> Any:
    """Return the gains of the relevant documents, or the edges of a graph, or an order."""
    graphs, r = ranking.graphs, ranking.r
    if isinstance(graphs, list):
        return graphs[index(listed(value, path, 1)[0], path, len(graphs))]
    size = (SIZES[graphs] or r) if graphs else r
    below = r if graphs else len(ranking.gain)
    y = [index(x, path, below) for x in listed(value, path, size)]
    if graphs:
        require(len({*y}) == size, path, "a document comes twice")
        return y
    require(any(y), path, "no document is relevant")
    return {i: ranking.gain[level] for i, level in enumerate(y) if ranking.gain[level]}


def combined(ranking: Ranking, labels: Sequence[Any], weights: Sequence[Fraction]) -> Factors:
    """Return Σ w a(y), up to a positive factor."""
    total: Factors = {}
    for y, w in zip(labels, integral(weights)):
        pairs: Iterable[tuple[int, int]] = y if isinstance(y, set) else zip(y, y)
        count = len(y)
        if isinstance(y, list) or ranking.family == "mean_average_precision":
            pairs = combinations_with_replacement(y, 2)  # of graphs i = j counts 0
            count = len(y) * (len(y) + 1) // 2
        length = w.bit_length() + longest(ranking.gain)
        spend(5 + count * (5 + price(length)))
        room(3 * (len(total) + count), length)
        for i, j in pairs:
            key = min(i, j) * ranking.r + max(i, j)
            x = (i < j) - (i > j) if ranking.graphs else y[i]
            total[key] = total.get(key, 0) + w * x
    return {key: x for key, x in total.items() if x}


def risks(ranking: Ranking, rows: list[Factors], value: Any, path: str) -> list[int]:
    """Return the products of all rows with b(t), for a prediction t."""
    r, share, shown = ranking.r, ranking.share, ranking.family in ("precision_at", "recall_at")
    t = [index(x, path, r) for x in listed(value, path, ranking.q if shown else r)]
    require(len({*t}) == len(t), path, "an entry comes twice")
    if shown:
        marked = {*t}
        t = [int(i in marked) for i in range(r)]
    found, length = [], longest(share)
    for row in rows:
        total = 0
        spend(5 + len(row) * (5 + price(length + longest(row.values()))))
        for key, x in row.items():
            i, j = divmod(key, r)
            b = t[i] > t[j] if ranking.graphs else t[i] if shown else share[max(t[i], t[j])]
            total += x * b
        found.append(total)
    return found
