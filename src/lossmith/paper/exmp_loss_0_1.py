"""exmp:loss-0-1: ℓ(y, t) = 1(t ≠ y)."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, outcome


def _compute() -> Outcome:
    claims = []
    for n in (2, 3, 5):
        paper = tuple(tuple(0 if t == y else 1 for t in range(n)) for y in range(n))
        claims.append(equal(f"the matrix, n = {n}", paper, lm.losses.zero_one(n).entries))
    return outcome("entry by entry for n = 2, 3, 5", *claims)


ITEM = Item("exmp:loss-0-1", "0-1 loss", "ℓ(y, t) = 1(t ≠ y) for y, t ∈ [n].", _compute)
