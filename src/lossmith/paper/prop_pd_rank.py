"""prop:PD-rank: the rank of the pairwise disagreement matrix, without the part that depends on the graph only."""

from __future__ import annotations

from itertools import combinations, permutations, product

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.paper.item import Item, Outcome, equal, holds, outcome

Graph = tuple[tuple[int, int], ...]
Ranking = tuple[int, ...]
STATEMENT = "rank(L̃) = r(r − 1)/2 for the pairwise disagreement loss."
NOTE = (
    "The proof exchanges a and b in σ and says that only the row of the edge (a, b) changes. This needs a and b to "
    "be adjacent in σ: otherwise the rows of the edges between them and the documents in between change too. Such σ "
    "exist for every a and b, so that the claim stands."
)


def graphs(r: int) -> list[Graph]:
    """All directed acyclic graphs on the documents 0, …, r − 1: those whose edges all go forward in some order.

    >>> [len(graphs(r)) for r in (2, 3)]
    [3, 25]
    """
    found = set()
    for order in permutations(range(r)):
        pairs = list(combinations(order, 2))
        for chosen in product((False, True), repeat=len(pairs)):
            found.add(tuple(sorted(pair for pair, there in zip(pairs, chosen, strict=True) if there)))
    return sorted(found)


def reduced_loss(graph: Graph, sigma: Ranking) -> int:
    """ℓ̃(G, σ) = Σ_{j<i} (1((i, j) ∈ G) − 1((j, i) ∈ G)) · 1(σ(i) > σ(j)), as the paper has it.

    >>> reduced_loss(((1, 0),), (0, 1)), reduced_loss(((0, 1),), (0, 1))
    (1, -1)
    """
    r = len(sigma)
    return sum((((i, j) in graph) - ((j, i) in graph)) * (sigma[i] > sigma[j]) for i in range(r) for j in range(i))


def _compute() -> Outcome:
    claims = []
    for r in (2, 3, 4):
        table = [[reduced_loss(graph, sigma) for sigma in permutations(range(r))] for graph in graphs(r)]
        claims.append(equal(f"rank(L̃), r = {r}", r * (r - 1) // 2, rank(integer_matrix(table))))
        adjacent, apart = _changed_rows(r)
        claims.append(holds(f"exchanging neighbours in σ changes one row, r = {r}", adjacent == {1}))
        if r > 2:
            claims.append(holds(f"exchanging others changes more, r = {r}", min(apart) > 1, f"{sorted(apart)} rows"))
    return outcome("r(r − 1)/2 for r = 2, 3, 4, from all graphs; the exchange of the proof needs neighbours", *claims)


def _changed_rows(r: int) -> tuple[set[int], set[int]]:
    """How many rows of single edges i < j differ after an exchange of two documents, neighbours in σ or not."""
    edges: list[Graph] = [(pair,) for pair in combinations(range(r), 2)]
    found: tuple[set[int], set[int]] = (set(), set())
    for sigma in permutations(range(r)):
        for a, b in combinations(range(r), 2):
            other = list(sigma)
            other[a], other[b] = sigma[b], sigma[a]
            changed = sum(reduced_loss(edge, sigma) != reduced_loss(edge, tuple(other)) for edge in edges)
            found[abs(sigma[a] - sigma[b]) > 1].add(changed)
    return found


ITEM = Item("prop:PD-rank", "The rank of the PD loss", STATEMENT, _compute, NOTE)
