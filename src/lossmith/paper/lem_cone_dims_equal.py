"""lem:cone-dims-equal: all trigger sets that hold a p > 0 have the same feasible subspace dimension there."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import lossmith as lm
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = (
    "Let p > 0. For all t₁, t₂ that are optimal at p the feasible subspace dimensions of Q_t₁ and Q_t₂ at p are equal."
)


def _compute() -> Outcome:
    chance = Random(8)
    claims = []
    for loss in (lm.losses.zero_one(4), lm.losses.ordinal(4), lm.losses.abstain(4), lm.losses.hamming(2)):
        cells = lm.trigger_sets(loss, reduced=False)
        corners = sorted({p for cell in cells for p in cell.polytope.vertices})
        equal, ties = True, 0
        while ties < 25:
            chosen = chance.sample(corners, chance.randint(1, 3))
            p = tuple(sum(column, Fraction(0)) / len(chosen) for column in zip(*chosen, strict=True))
            holding = [cell.polytope for cell in cells if cell.polytope.contains(p)]
            if min(p) > 0 and len(holding) > 1:
                ties += 1
                equal = equal and len({lm.feasible_subspace_dimension(each, p) for each in holding}) == 1
        claims.append(holds(f"equal, {loss.name}", equal, f"at {ties} p > 0 drawn at random, with ties"))
    return outcome("equal at 100 distributions p > 0 with ties, drawn at random", *claims)


ITEM = Item("lem:cone-dims-equal", "Equal feasible subspace dimensions", STATEMENT, _compute)
