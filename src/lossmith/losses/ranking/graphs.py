"""Preferences among r documents as sets of edges: (i, j) says that i is preferred to j."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations, product
from math import comb, factorial
from numbers import Integral

from lossmith.errors import BadInput

Edge = tuple[int, int]
Graph = tuple[Edge, ...]


class Graphs(StrEnum):
    """The kinds of graphs on r documents that labels can be."""

    ALL_DAGS = "all DAGs"
    SINGLE_EDGES = "single edges"
    TOURNAMENTS = "tournaments"
    TOTAL_ORDERS = "total orders"


GRAPHS = tuple(Graphs)


def as_graph(edges: object, r: int, acyclic: bool = True) -> Graph:
    """Read a graph on r documents, or name the edge that is wrong.

    >>> as_graph([(2, 1), (0, 1)], 3)
    ((0, 1), (2, 1))
    """
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise BadInput(f"{edges!r} is no graph; give its edges, such as [(0, 1), (2, 1)]: 0 and 2 preferred to 1")
    read: set[Edge] = set()
    for edge in edges:
        ordered = isinstance(edge, Iterable) and not isinstance(edge, (str, Set, Mapping))
        ends = tuple(edge) if ordered else ()
        if len(ends) != 2 or not all(_is_document(i, r) for i in ends):
            raise BadInput(f"the edge {edge!r} does not join two of the documents 0 … {r - 1}")
        i, j = map(int, ends)
        if i == j:
            raise BadInput(f"the edge ({i}, {j}) prefers document {i} to itself; leave it out")
        if (j, i) in read:
            raise BadInput(f"the edge ({i}, {j}) contradicts ({j}, {i}); leave one of them out")
        read.add((i, j))
    graph = tuple(sorted(read))
    if acyclic and (left := _cyclic_part(graph)):
        raise BadInput(
            f"the edge {_on_a_cycle(left)} lies on a cycle of {_shown(graph)}; leave out an edge, or give several "
            f"graphs"
        )
    return graph


@cache
def count_graphs(kind: Graphs, r: int) -> int:
    """How many graphs of a kind there are on r documents.

    >>> [count_graphs(Graphs.ALL_DAGS, r) for r in range(2, 6)]
    [3, 25, 543, 29281]
    """
    if kind is Graphs.SINGLE_EDGES:
        return r * (r - 1)
    if kind is Graphs.TOURNAMENTS:
        return int(2 ** comb(r, 2))
    if kind is Graphs.TOTAL_ORDERS:
        return factorial(r)
    counts = [1]  # by the number of documents that nothing is preferred to (Robinson 1973)
    for size in range(1, r + 1):
        terms = ((-1) ** (s + 1) * comb(size, s) * 2 ** (s * (size - s)) * counts[size - s] for s in range(1, size + 1))
        counts.append(sum(terms))
    return counts[r]


def graphs_of(kind: Graphs, r: int) -> Iterator[Graph]:
    """All graphs of a kind on r documents. Tournaments may have cycles: every pair was compared, and anyone may win."""
    pairs = list(combinations(range(r), 2))
    if kind is Graphs.SINGLE_EDGES:
        yield from (((i, j),) for i, j in permutations(range(r), 2))
    elif kind is Graphs.TOURNAMENTS:
        for signs in product((False, True), repeat=len(pairs)):
            yield tuple(sorted((j, i) if turned else (i, j) for (i, j), turned in zip(pairs, signs, strict=True)))
    elif kind is Graphs.TOTAL_ORDERS:
        yield from (order_graph(order) for order in permutations(range(r)))
    else:
        for choice in product((0, 1, 2), repeat=len(pairs)):
            chosen = zip(pairs, choice, strict=True)
            graph = tuple(sorted((i, j) if each == 1 else (j, i) for (i, j), each in chosen if each))
            if not _cyclic_part(graph):
                yield graph


def order_graph(order: Iterable[int]) -> Graph:
    """All preferences of an order, first to last."""
    return tuple(sorted(combinations(order, 2)))


def graph_name(graph: Graph) -> str:
    """The edges in print."""
    return " ".join(f"{i}>{j}" for i, j in graph) or "no edges"


def _cyclic_part(graph: Graph) -> Graph:
    """What is left after removing documents without an edge in or without an edge out, again and again."""
    while True:
        starts, ends = {i for i, _ in graph}, {j for _, j in graph}
        left = tuple((i, j) for i, j in graph if i in ends and j in starts)
        if left == graph:
            return left
        graph = left


def _on_a_cycle(left: Graph) -> Edge:
    """Go on along what is left, where every document has an edge out, until a document comes again."""
    onward, seen, i = dict(left), set[int](), left[0][0]
    while i not in seen:
        seen.add(i)
        i = onward[i]
    return i, onward[i]


def _is_document(i: object, r: int) -> bool:
    return isinstance(i, Integral) and not isinstance(i, bool) and 0 <= int(i) < r


def _shown(graph: Graph) -> str:
    return f"[{', '.join(map(str, graph[:12]))}{', …' if len(graph) > 12 else ''}]"
