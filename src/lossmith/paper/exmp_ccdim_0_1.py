"""exmp:ccdim-0-1: the CC dimension of 0-1 loss is n − 1."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, equal, outcome

STATEMENT = "At p = (1/n, …, 1/n) the feasible subspace dimension of Q_1 is 0 and ‖p‖₀ = n; so CCdim(L⁰⁻¹) = n − 1."


def _compute() -> Outcome:
    claims = []
    for n in (2, 3, 4, 5, 6):
        loss = lm.losses.zero_one(n)
        first = lm.trigger_sets(loss, reduced=False)[0].polytope
        claims.append(
            equal(f"μ at the centre, n = {n}", 0, lm.feasible_subspace_dimension(first, [Fraction(1, n)] * n))
        )
        claims.append(bounded(f"CCdim, n = {n}", n - 1, n - 1, lm.ccdim(loss)))
    return outcome("μ = 0 and CCdim = n − 1 for n = 2 … 6", *claims)


ITEM = Item("exmp:ccdim-0-1", "CC dimension of 0-1 loss", STATEMENT, _compute)
