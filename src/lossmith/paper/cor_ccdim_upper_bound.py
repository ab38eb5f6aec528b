"""cor:ccdim-upper-bound: CCdim(L) ≤ rank(L), as affdim(L) is rank(L) or one less."""

from __future__ import annotations

import lossmith as lm
from lossmith.analysis.affine_dimension import rank
from lossmith.paper.item import Item, Outcome, holds, outcome

STATEMENT = "affdim(L) is rank(L) or rank(L) − 1; therefore CCdim(L) ≤ rank(L)."


def _compute() -> Outcome:
    losses = [family(**parameters) for family in lm.losses.CATALOGUE for parameters in family.small]
    matrices = [loss for loss in losses if loss.factored is None and loss.n <= 8]
    between = all(lm.affdim(loss) in (rank(loss), rank(loss) - 1) for loss in matrices)
    claims = [holds("affdim is rank or rank − 1", between, f"for {len(matrices)} losses of the catalogue")]
    for loss in (lm.losses.zero_one(4), lm.losses.ordinal(4), lm.losses.hamming(3), lm.losses.abstain(4)):
        upper, size = lm.ccdim(loss).upper.value, rank(loss)
        claims.append(holds(f"CCdim ≤ rank = {size}, {loss.name}", upper <= size, f"≤ {upper}"))
    return outcome(f"for {len(matrices)} losses of the catalogue, and for CCdim of four", *claims)


ITEM = Item("cor:ccdim-upper-bound", "CCdim(L) ≤ rank(L)", STATEMENT, _compute)
