"""subsec:NDCG: the CC dimension of the NDCG loss is at most r; in fact it is r − 1."""

from __future__ import annotations

from itertools import permutations, product
from math import log2

import lossmith as lm
from lossmith.paper.item import Item, Outcome, at_most, bounded, equal, holds, outcome

STATEMENT = (
    "ℓ(y, σ) = 1 − (1/z(y)) Σ_i (2^{y_i} − 1)/log₂(σ(i) + 1) for y ∈ {0, …, s−1}^r and permutations σ. Clearly "
    "affdim ≤ r, so CCdim ≤ r."
)
NOTE = (
    "The discounts of all documents have the same sum in every ranking, so that affdim = r − 1; the uniform "
    "distribution equalises all risks, so that CCdim = r − 1. The library takes the discounts as the rationals that "
    "the doubles are."
)


def _compute() -> Outcome:
    claims = []
    for r, levels in ((2, 2), (3, 2), (2, 3)):
        loss = lm.losses.ndcg(r, levels=levels)
        labels = [y for y in product(range(levels), repeat=r) if any(y)]
        gaps = [
            abs(float(loss.loss(y, tuple(i - 1 for i in sigma))) - _loss(y, sigma))
            for y in labels
            for sigma in permutations(range(1, r + 1))
        ]
        claims.append(holds(f"the formula, r = {r}, s = {levels}", max(gaps) < 1e-12, "up to rounding, where y ≠ 0"))
    for r in range(2, 7):
        loss = lm.losses.ndcg(r)
        claims.append(at_most(f"affdim, r = {r}", r, lm.affdim(loss)))
        claims.append(bounded(f"CCdim, r = {r}", 0, r, lm.ccdim(loss)))
        claims.append(equal(f"CCdim exactly, r = {r}", r - 1, lm.ccdim(loss).exact))
    return outcome("affdim = CCdim = r − 1 for r = 2 … 6", *claims)


def _loss(y: tuple[int, ...], sigma: tuple[int, ...]) -> float:
    """The formula of the paper, positions from 1, with z(y) such that the least loss is 0."""

    def gain(positions: tuple[int, ...]) -> float:
        return sum(float(2**relevance - 1) / log2(place + 1) for relevance, place in zip(y, positions, strict=True))

    return 1.0 - gain(sigma) / max(gain(each) for each in permutations(sigma))


ITEM = Item("subsec:NDCG", "Normalized Discounted Cumulative Gain (NDCG)", STATEMENT, _compute, NOTE)
