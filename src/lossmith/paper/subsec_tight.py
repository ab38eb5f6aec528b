"""subsec:tight: where the bounds are not tight: ordinal and abstain loss."""

from __future__ import annotations

from math import ceil, log2

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace
from lossmith.paper.item import Item, Outcome, bounded, equal, outcome

STATEMENT = (
    "The bounds are not tight in general. Ordinal loss: affdim gives n − 1, but CCdim = 1. Abstain loss: "
    "thm:ccdim-upper-bound gives n, thm:ccdim-lower-bound only 1, and CCdim = O(ln n)."
)
NOTE = (
    "affdim of abstain loss is n for n ≥ 3; for n = 2 abstaining is redundant. CCdim ≥ 2 for n ≥ 3, because the "
    "decisions cannot be ordered on a line."
)


def _compute() -> Outcome:
    claims = []
    for n in (3, 4, 5):
        loss = lm.losses.ordinal(n)
        claims.append(equal(f"affdim of ordinal loss, n = {n}", n - 1, lm.affdim(loss)))
        claims.append(bounded(f"CCdim of ordinal loss, n = {n}", 1, 1, lm.ccdim(loss)))
    for n in (3, 4, 5, 6):
        loss = lm.losses.abstain(n)
        claims.append(equal(f"affdim of abstain loss, n = {n}", n, lm.affdim(loss)))
        best = ge_feasible_subspace(Facts(loss), lm.trigger_sets(loss), n).value
        claims.append(equal(f"the best of thm:ccdim-lower-bound, abstain, n = {n}", 1, best))
        # O(ln n): the binary-encoded surrogate has ⌈log₂ n⌉ dimensions, and the library certifies it.
        encoded = lm.surrogates.binary_encoded(n)
        claims.append(equal(f"⌈log₂ n⌉-dimensional surrogate, n = {n}", "calibrated", lm.check(encoded, loss).status))
        claims.append(equal(f"its dimension, n = {n}", ceil(log2(n)), encoded.dim))
    claims += [bounded(f"CCdim of abstain loss, n = {n}", 1, n, lm.ccdim(lm.losses.abstain(n))) for n in (3, 4)]
    return outcome("ordinal: n − 1 against 1; abstain: 1 and n; CCdim of abstain = 2 for n = 3, 4", *claims)


ITEM = Item("subsec:tight", "Tightness of Bounds", STATEMENT, _compute, NOTE)
