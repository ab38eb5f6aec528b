"""exmp:loss-ord: ℓ(y, t) = |t − y|."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, outcome


def _compute() -> Outcome:
    claims = []
    for n in (2, 3, 5):
        paper = tuple(tuple(abs(t - y) for t in range(1, n + 1)) for y in range(1, n + 1))
        claims.append(equal(f"the matrix, n = {n}", paper, lm.losses.ordinal(n).entries))
    return outcome("entry by entry for n = 2, 3, 5", *claims)


ITEM = Item("exmp:loss-ord", "Ordinal regression loss", "ℓ(y, t) = |t − y| for y, t ∈ [n].", _compute)
