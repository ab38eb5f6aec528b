"""subsec:PD: the CC dimension of pairwise disagreement is r(r − 1)/2, or at most two less; in fact it is r(r − 1)/2."""

from __future__ import annotations

from itertools import permutations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, equal, holds, outcome
from lossmith.paper.prop_pd_rank import graphs, reduced_loss

STATEMENT = (
    "ℓ(G, σ) = Σ over (i, j) ∈ G of 1(σ(i) > σ(j)), for directed acyclic graphs G on r documents. "
    "r(r − 1)/2 − 2 ≤ CCdim ≤ r(r − 1)/2."
)
NOTE = (
    "The columns of L are permutations of one another, as cor:col-perm needs; those of L̃, of which the paper says "
    "so, are not: one of them is 0. The bound stands, for L and L̃ differ by a constant per row. Moreover affdim(L̃) "
    "= rank(L̃), as a column is 0, and CCdim = affdim by the sharper form of cor:col-perm."
)


def _compute() -> Outcome:
    claims = []
    for r in (2, 3):
        loss, rankings = lm.losses.pairwise_disagreement(r), list(permutations(range(r)))
        paper = [[sum(s[i] > s[j] for i, j in graph) for s in rankings] for graph in graphs(r)]
        found = [[loss.loss(graph, s) for s in rankings] for graph in graphs(r)]
        claims.append(holds(f"the formula, r = {r}", paper == found, f"{len(paper)} graphs × {len(rankings)} rankings"))
        columns = {tuple(sorted(column)) for column in zip(*paper, strict=True)}
        claims.append(equal(f"different columns of L, once sorted, r = {r}", 1, len(columns)))
        reduced = [[reduced_loss(graph, s) for s in rankings] for graph in graphs(r)]
        claims.append(
            holds(f"a column of L̃ is 0, r = {r}", any(not any(column) for column in zip(*reduced, strict=True)))
        )
        totals = {sum(column) for column in zip(*reduced, strict=True)}
        claims.append(holds(f"under the uniform p all risks of L̃ are equal, r = {r}", len(totals) == 1))
    for r in (2, 3, 4, 5, 8):
        high = r * (r - 1) // 2
        claims.append(bounded(f"CCdim, r = {r}", high - 2, high, lm.ccdim(lm.losses.pairwise_disagreement(r))))
    return outcome("CCdim = r(r − 1)/2 exactly for r = 2, 3, 4, 5, 8", *claims)


ITEM = Item("subsec:PD", "Pairwise Disagreement (PD)", STATEMENT, _compute, NOTE)
