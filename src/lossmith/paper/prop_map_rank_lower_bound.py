"""prop:MAP-rank-lower-bound: the rank of the MAP loss, exactly."""

from __future__ import annotations

from itertools import permutations, product

import lossmith as lm
from lossmith.analysis.affine_dimension import rank
from lossmith.paper.eqn_map_low_rank import forms
from lossmith.paper.item import Item, Outcome, at_least, outcome

STATEMENT = "rank(L^{MAP}) ≥ r(r − 1)/2 − 2."


def _compute() -> Outcome:
    claims = []
    for r in (3, 4, 5):
        labels = [y for y in product((0, 1), repeat=r) if any(y)]
        table = [[forms(y, sigma)[3] for sigma in permutations(range(1, r + 1))] for y in labels]
        claims.append(at_least(f"rank, r = {r}", r * (r - 1) // 2 - 2, rank(lm.LossMatrix(table))))
    return outcome("rank = r(r + 1)/2 − 1 for r = 3, 4, 5", *claims)


ITEM = Item("prop:MAP-rank-lower-bound", "A lower bound on the rank of the MAP loss", STATEMENT, _compute)
