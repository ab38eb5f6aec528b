"""subsec:MAP: bounds on the CC dimension of the MAP loss, which is r(r + 1)/2 − 2."""

from __future__ import annotations

from itertools import permutations, product

import lossmith as lm
from lossmith.paper.eqn_map_low_rank import forms
from lossmith.paper.item import Item, Outcome, at_most, bounded, equal, outcome

STATEMENT = (
    "For relevance vectors y ∈ {0, 1}^r except 0: affdim ≤ r(r + 1)/2, and r(r − 1)/2 − 4 ≤ CCdim ≤ r(r + 1)/2. The "
    "columns are permutations of one another."
)
NOTE = (
    "CCdim = affdim = r(r + 1)/2 − 2: Σ_i 1/σ(i) and Σ_{i≤j} 1/max(σ(i), σ(j)) are the same for all σ, nothing else "
    "is, and the uniform distribution equalises all risks."
)


def _compute() -> Outcome:
    claims = []
    for r in (2, 3, 4):
        labels = [y for y in product((0, 1), repeat=r) if any(y)]
        columns = {tuple(sorted(forms(y, sigma)[3] for y in labels)) for sigma in permutations(range(1, r + 1))}
        claims.append(equal(f"different columns, once sorted, r = {r}", 1, len(columns)))
    for r in (2, 3, 4, 5, 8):
        loss = lm.losses.mean_average_precision(r)
        low, high = r * (r - 1) // 2 - 4, r * (r + 1) // 2
        claims.append(at_most(f"affdim, r = {r}", high, lm.affdim(loss)))
        claims.append(bounded(f"CCdim, r = {r}", low, high, lm.ccdim(loss)))
    return outcome("affdim = CCdim = r(r + 1)/2 − 2 for r = 2, 3, 4, 5, 8", *claims)


ITEM = Item("subsec:MAP", "Mean Average Precision (MAP)", STATEMENT, _compute, NOTE)
