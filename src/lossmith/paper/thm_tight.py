"""thm:tight: with a p > 0 that makes all risks equal, CCdim ≥ affdim − 1; in fact it is affdim."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, bounded, outcome
from lossmith.paper.lem_tight import CASES

STATEMENT = "If some p > 0 has p·ℓ_t = c for all t, then CCdim(L) ≥ affdim(L) − 1."


def _compute() -> Outcome:
    claims = [
        bounded(f"CCdim, {loss.name}", lm.affdim(loss) - 1, lm.affdim(loss), lm.ccdim(loss, designs=False))
        for loss, _ in CASES
    ]
    return outcome("CCdim = affdim exactly, for four losses", *claims)


ITEM = Item(
    "thm:tight", "CCdim(L) ≥ affdim(L) − 1", STATEMENT, _compute, "By lem:tight, sharpened, CCdim(L) = affdim(L)."
)
