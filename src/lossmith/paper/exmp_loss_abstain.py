"""exmp:loss-abstain: 0-1 loss, and 1/2 for abstaining."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, outcome

STATEMENT = "ℓ(y, t) = 1(t ∈ [n]) · 1(t ≠ y) + ½ · 1(t = n + 1) for y ∈ [n], t ∈ [n + 1]."


def _compute() -> Outcome:
    claims = []
    for n in (2, 3, 5):
        paper = tuple(
            tuple((t <= n) * (t != y) + Fraction(1, 2) * (t == n + 1) for t in range(1, n + 2)) for y in range(1, n + 1)
        )
        claims.append(equal(f"the matrix, n = {n}", paper, lm.losses.abstain(n).entries))
    return outcome("entry by entry for n = 2, 3, 5", *claims)


ITEM = Item("exmp:loss-abstain", "‘Abstain’ loss", STATEMENT, _compute)
