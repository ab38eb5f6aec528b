"""sec:ccdim: the convex calibration dimension, and that of ordinal regression."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, equal, outcome

STATEMENT = (
    "CCdim(L) is the least d such that some convex ψ on a convex C ⊆ R^d is L-calibrated. For ordinal regression it "
    "is 1 for all n: surrogates like the two above, on R, serve any n."
)
NOTE = "The section begins with “Examples 6 and 7”; those on the absolute and the ε-insensitive surrogate are 8 and 9."


def _compute() -> Outcome:
    claims = []
    for n in range(2, 8):
        loss = lm.losses.ordinal(n)
        claims.append(bounded(f"CCdim(Lᵒʳᵈ), n = {n}", 1, 1, lm.ccdim(loss)))
        claims.append(equal(f"|u − y|, n = {n}", "calibrated", lm.check(lm.surrogates.absolute(n), loss).status))
    return outcome("CCdim = 1 for n = 2 … 7, and |u − y| is calibrated", *claims)


ITEM = Item("sec:ccdim", "Convex Calibration Dimension", STATEMENT, _compute, NOTE)
