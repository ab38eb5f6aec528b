"""exmp:loss-hamming: the number of bits in which t − 1 and y − 1 differ."""

from __future__ import annotations

import lossmith as lm
from lossmith.paper.item import Item, Outcome, equal, outcome

STATEMENT = "ℓ(y, t) = Σ_i 1((t−1)_i ≠ (y−1)_i) for y, t ∈ [2^r], where z_i is the i-th of the r bits of z."


def _compute() -> Outcome:
    claims = []
    for r in (1, 2, 3):
        paper = tuple(
            tuple(sum((t - 1) // 2**i % 2 != (y - 1) // 2**i % 2 for i in range(r)) for t in range(1, 2**r + 1))
            for y in range(1, 2**r + 1)
        )
        claims.append(equal(f"the matrix, r = {r}", paper, lm.losses.hamming(r).entries))
    return outcome("entry by entry for r = 1, 2, 3", *claims)


ITEM = Item("exmp:loss-hamming", "Hamming loss", STATEMENT, _compute)
