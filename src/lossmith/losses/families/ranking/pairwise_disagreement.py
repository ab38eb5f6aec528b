"""Pairwise disagreement (`subsec:PD`).

With pairs j < i of documents, ℓ(G, σ) is Σ 1((j, i) ∈ G) + Σ (1((i, j) ∈ G) − 1((j, i) ∈ G)) · 1(σ(i) > σ(j)).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from math import factorial
from typing import Any

from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.exact.rank import independent_minor, rank
from lossmith.exact.rational import quoted
from lossmith.exact.vectors import unit_rows
from lossmith.families import family
from lossmith.geometry.linear_program import maximize
from lossmith.losses.factored import Vector, integral
from lossmith.losses.ranking import decoding
from lossmith.losses.ranking.graphs import (
    GRAPHS,
    Graph,
    Graphs,
    as_graph,
    count_graphs,
    graph_name,
    graphs_of,
    order_graph,
)
from lossmith.losses.ranking.ranking_loss import RankingLoss, Span
from lossmith.losses.ranking.rankings import (
    Ranking,
    as_ranking,
    documents_in_pairs,
    order_of_documents,
    ranking_name,
    with_labels,
)


@dataclass(frozen=True, repr=False)
class PairwiseDisagreement(RankingLoss):
    """How many preferences of a graph a ranking contradicts. `graphs` are all of a kind, or those of a list."""

    r: int
    graphs: Graphs | tuple[Graph, ...]
    family = "pairwise_disagreement"
    learned = "for each pair i < j of documents 1 where j is preferred, −1 where i is"
    decided = "take the ranking with the least Σ u_ij over the pairs whose j stands behind i"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called."""
        if isinstance(self.graphs, Graphs):
            kind = "" if self.graphs is Graphs.ALL_DAGS else f", graphs={self.graphs}"
        else:
            kind = f", graphs={len(self.graphs)} given graphs"
        return f"pairwise_disagreement(r={self.r}{kind})"

    @property
    def listed(self) -> tuple[Graph, ...]:
        """The graphs of a list; none if they are all of a kind."""
        return () if isinstance(self.graphs, Graphs) else self.graphs

    @property
    def n(self) -> int:  # type: ignore[override]
        """All graphs."""
        return count_graphs(self.graphs, self.r) if isinstance(self.graphs, Graphs) else len(self.graphs)

    @property
    def k(self) -> int:  # type: ignore[override]
        """All rankings."""
        return factorial(self.r)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per pair."""
        return self.r * (self.r - 1) // 2

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs j < i of documents, in the order of the factors."""
        return tuple(combinations(range(self.r), 2))

    @property
    def parameters(self) -> dict[str, Any]:
        """The size, and the kind of graphs or their list."""
        edges = [[list(edge) for edge in graph] for graph in self.listed]
        return {"r": self.r, "graphs": str(self.graphs) if isinstance(self.graphs, Graphs) else edges}

    def label(self, y: object) -> Graph:
        """A graph of the kind."""
        graph = as_graph(y, self.r, acyclic=self.graphs is not Graphs.TOURNAMENTS)
        complete = len(graph) == self.r * (self.r - 1) // 2
        if isinstance(self.graphs, Graphs):
            fits = {Graphs.SINGLE_EDGES: len(graph) == 1, Graphs.ALL_DAGS: True}.get(self.graphs, complete)
        else:
            fits = graph in self.graphs
        if not fits:
            raise BadInput(f"the graph {graph_name(graph)} is not among the labels of {self.name}")
        return graph

    def prediction(self, t: object) -> Ranking:
        """A ranking."""
        return as_ranking(t, self.r)

    def each_label(self) -> Iterator[Graph]:
        """All graphs."""
        return graphs_of(self.graphs, self.r) if isinstance(self.graphs, Graphs) else iter(self.graphs)

    def each_prediction(self) -> Iterator[Ranking]:
        """All rankings."""
        return permutations(range(self.r))

    def row(self, y: Graph) -> tuple[Fraction, Fraction, Vector]:
        """The edges from smaller to larger numbers, 1, and which way each pair is preferred."""
        edges = set(y)
        ahead = tuple(int((i, j) in edges) - int((j, i) in edges) for j, i in self.pairs)
        return Fraction(sum(i < j for i, j in y)), Fraction(1), ahead

    def factors(self, t: Ranking) -> Vector:
        """Whether the larger number stands behind."""
        return tuple(int(t[i] > t[j]) for j, i in self.pairs)

    def plain_label(self, y: Graph) -> list[int]:
        """Its number in the list, the two ends of its edge, or the documents of its order."""
        if self.listed:
            return [self.listed.index(y)]
        return list(y[0]) if len(y) == 1 else _order(y, self.r)

    def label_name(self, y: Graph) -> str:
        """The edges; an order as an order."""
        if self.graphs is Graphs.TOTAL_ORDERS:
            return ">".join(map(str, _order(y, self.r)))
        return graph_name(y)

    def prediction_name(self, t: Ranking) -> str:
        """First to last."""
        return ranking_name(t)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """None: neighbours in a ranking can be exchanged, which changes one factor (`prop:PD-rank`)."""
        return ()

    @cached_property
    def equalizer(self) -> dict[Graph, Fraction]:
        """Single edges in both directions; for orders and tournaments some orders and their reverses.

        For a list, of the distributions under which every pair is balanced one with the largest support, by an LP.
        """
        if self.listed:
            return self._balanced()
        if self.graphs in (Graphs.ALL_DAGS, Graphs.SINGLE_EDGES):
            found: list[Graph] = [((i, j),) for i, j in permutations(range(self.r), 2)]
        else:
            moved = [order_of_documents(each) for each in (tuple(range(self.r)), *self._shifted)]
            orders = {tuple(order[::step]) for order in moved for step in (1, -1)}
            found = [order_graph(order) for order in sorted(orders)]
        return dict.fromkeys(found, Fraction(1, len(found)))

    @cached_property
    def span(self) -> Span:
        """Document i moved ahead of j, …, i − 1: with each step down from j = i − 1 one factor more changes."""
        base = tuple(range(self.r))
        if self.listed:
            return self._listed_span(base)
        rows: list[tuple[tuple[Graph, int], ...]] = []
        for j, i in self._steps:
            if self.graphs in (Graphs.ALL_DAGS, Graphs.SINGLE_EDGES):
                rows.append(((((i, j),), 1),))
            else:  # two orders that differ in one preference
                more, less = (order_graph(order_of_documents(self._ahead(i, to))) for to in (j, j + 1))
                rows.append(((more, 1), (less, -1)))
        return Span(base, self._shifted, tuple(rows))

    @property
    def affdim(self) -> int:
        """All pairs; of a list of graphs the rank of its preferences."""
        return rank(integral(list(self._rows.values()))) if self.listed else self.m

    @property
    def spread(self) -> Fraction:
        """‖b(s) − b(t)‖² is the number of pairs that s and t order differently."""
        return Fraction(self.m)

    def decode(self, x: object) -> decoding.Decoded:
        """By dynamic programming over sets of documents up to 16 of them, by local search above."""
        import numpy as np

        rows, single = decoding.rows_of(x, self.m)
        return decoding.by_prefixes(rows, self.pair_costs, np.ones(self.r), single)

    def pair_costs(self, rows: Any) -> tuple[Any, Any]:
        """x_ji where j < i stands before i."""
        import numpy as np

        pair = np.zeros((len(rows), self.r, self.r))
        first, second = np.triu_indices(self.r, 1)
        pair[:, first, second] = rows
        return np.zeros((len(rows), self.r)), pair

    @cached_property
    def _steps(self) -> list[tuple[int, int]]:
        return [(j, i) for i in range(1, self.r) for j in range(i - 1, -1, -1)]

    @cached_property
    def _shifted(self) -> tuple[Ranking, ...]:
        return tuple(self._ahead(i, j) for j, i in self._steps)

    def _ahead(self, i: int, j: int) -> Ranking:
        """The ranking 0, 1, …, with document i moved ahead to position j ≤ i."""
        return tuple(j if d == i else d + (j <= d < i) for d in range(self.r))

    @cached_property
    def _rows(self) -> dict[Graph, Vector]:
        return {graph: self.row(graph)[2] for graph in self.listed}

    def _balanced(self) -> dict[Graph, Fraction]:
        n, rows = len(self.listed), list(self._rows.values())
        unit = unit_rows(2 * n)  # p = q + s, q ≤ 1: the largest support
        inequalities = [(0, *row) for row in unit] + [(1, *(-e for e in row)) for row in unit[:n]]
        equations = [(0, *map(int, column), *map(int, column)) for column in zip(*rows, strict=True)]
        best = maximize([1] * n + [0] * n, inequalities, equations)
        weights = [a + b for a, b in zip(best.point[:n], best.point[n:], strict=True)] if best else []
        total = sum(weights, Fraction(0))
        return {graph: w / total for graph, w in zip(self.listed, weights, strict=False) if w} if total else {}

    def _listed_span(self, base: Ranking) -> Span:
        """Independent graphs of the equaliser, and rankings that tell them apart."""
        graphs = list(self.equalizer)
        if not graphs:
            return Span(base, (), ())
        start = self.factors(base)
        moved = [[b - a for a, b in zip(start, self.factors(each), strict=True)] for each in self._shifted]
        table = integral([self._rows[graph] for graph in graphs]) * integral([tuple(row) for row in moved]).transpose()
        rows, columns, _ = independent_minor(table)
        return Span(base, tuple(self._shifted[j] for j in columns), tuple(((graphs[y], 1),) for y in rows))


def _order(graph: Graph, r: int) -> list[int]:
    """The documents of a total order, first to last: the first is preferred to all others."""
    wins = [sum(i == document for i, _ in graph) for document in range(r)]
    return sorted(range(r), key=lambda document: -wins[document])


def _size(r: int, graphs: str | Iterable[object] = "all DAGs") -> tuple[int, int]:
    size = documents_in_pairs(r, "pairwise_disagreement")
    if isinstance(graphs, str):
        return count_graphs(_kind(graphs), size), factorial(size)
    return len(_listed(graphs, size)), factorial(size)


def _kind(graphs: str) -> Graphs:
    if graphs not in GRAPHS:
        raise UnknownName(f"no kind of graphs is called {graphs!r}; {nearest(graphs, GRAPHS)}")
    return Graphs(graphs)


def _listed(graphs: Iterable[object], r: int) -> tuple[Graph, ...]:
    if not isinstance(graphs, Iterable) or isinstance(graphs, Mapping):
        raise BadInput(
            f"{quoted(graphs)} is no list of graphs; give one, or {', '.join(repr(str(each)) for each in GRAPHS)}"
        )
    graphs = list(graphs)
    if graphs and isinstance(graphs[0], tuple) and graphs[0] and isinstance(graphs[0][0], int):
        raise BadInput(f"{quoted(graphs[0])} is an edge, not a graph; give a list of graphs, each a list of edges")
    read = [as_graph(each, r) for each in graphs]
    first: dict[Graph, int] = {}
    for y, graph in enumerate(read):
        if first.setdefault(graph, y) != y:
            raise BadInput(f"the graph {graph_name(graph)} is listed twice, as {first[graph]} and as {y}")
    if len(read) < 2:
        raise BadInput(f"{len(read)} graphs were given; give at least two")
    return tuple(read)


@family(
    cite="subsec:PD",
    small=({"r": 2}, {"r": 3}, {"r": 3, "graphs": "single edges"}, {"r": 3, "graphs": "total orders"}),
    size=_size,
    factored=True,
    of_size=with_labels(lambda r: count_graphs(Graphs.ALL_DAGS, r)),
)
def pairwise_disagreement(r: int, graphs: str | Iterable[object] = "all DAGs") -> PairwiseDisagreement:
    """How many preferences a ranking of r documents contradicts; labels are directed acyclic graphs.

    `graphs` are "all DAGs", "single edges", "tournaments" (every pair compared, cycles allowed), "total orders", or a
    list of graphs, each a list of edges (i, j): i is preferred to j.

    >>> loss = pairwise_disagreement(3)
    >>> loss
    pairwise_disagreement(r=3): 25 labels × 6 predictions, 3 factors
    >>> loss.loss([(0, 1), (2, 1)], (0, 1, 2))       # 2 should stand before 1
    Fraction(1, 1)
    """
    if isinstance(graphs, str):
        _size(r, graphs)
        return PairwiseDisagreement(r, _kind(graphs))
    read = _listed(graphs, documents_in_pairs(r, "pairwise_disagreement"))
    return PairwiseDisagreement(r, read)
