"""sec:concl: the surrogate of Lee, Lin and Wahba for 0-1 loss is essentially not improvable."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, equal, outcome

STATEMENT = (
    "For 0-1 loss at least n − 1 functions must be learned; so the calibrated surrogate of Lee et al., which learns "
    "n, is essentially not improvable."
)
NOTE = "Its scores sum to 0, so that n − 1 of them are enough: in this sense it is not improvable at all."


def _compute() -> Outcome:
    claims = []
    for n in (3, 4):
        loss, psi = lm.losses.zero_one(n), lm.surrogates.lee_lin_wahba(n)
        claims.append(equal(f"Lee–Lin–Wahba, n = {n}", "calibrated", lm.check(psi, loss).status))
        claims.append(equal(f"functions it learns, n = {n}", n, psi.dim))
        claims.append(equal(f"of which are free, n = {n}", n - 1, psi.dim - len(psi.equations)))
        claims.append(bounded(f"functions that must be learned, n = {n}", n - 1, n - 1, lm.ccdim(loss)))
    return outcome("it learns n scores with sum 0, and n − 1 functions are necessary", *claims)


ITEM = Item("sec:concl", "Conclusion", STATEMENT, _compute, NOTE)
