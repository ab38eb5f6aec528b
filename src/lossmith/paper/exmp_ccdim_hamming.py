"""exmp:ccdim-hamming: the CC dimension of Hamming loss is at most r; in fact it is r."""

from __future__ import annotations

from fractions import Fraction

import lossmith as lm
from lossmith.exact.vectors import dot
from lossmith.paper.item import Item, Outcome, bounded, equal, holds, outcome

STATEMENT = (
    "ℓ_yt = r/2 − ½ Σ_i σ_yi σ_ti with σ_yi = 2(y−1)_i − 1. Thus affdim ≤ r, and CCdim ≤ r, much less than 2^r − 1."
)


def _compute() -> Outcome:
    claims = []
    for r in (1, 2, 3, 4):
        loss = lm.losses.hamming(r)
        signs = [[2 * (y // 2**i % 2) - 1 for i in range(r)] for y in range(2**r)]
        formula = all(
            loss.entries[y][t] == Fraction(r, 2) - Fraction(dot(signs[y], signs[t]), 2)
            for y in range(2**r)
            for t in range(2**r)
        )
        claims.append(holds(f"the formula, r = {r}", formula, f"all {4**r} entries"))
        claims.append(equal(f"affdim, r = {r}", r, lm.affdim(loss)))
        claims.append(bounded(f"CCdim, r = {r}", 0, r, lm.ccdim(loss, designs=False)))
    return outcome("affdim = r and CCdim = r exactly, r = 1 … 4: the uniform distribution equalises all risks", *claims)


ITEM = Item("exmp:ccdim-hamming", "CC dimension of Hamming loss", STATEMENT, _compute)
