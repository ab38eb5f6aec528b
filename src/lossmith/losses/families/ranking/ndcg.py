"""Normalised discounted cumulative gain (`subsec:NDCG`)."""

from __future__ import annotations

from math import factorial

from lossmith.families import family
from lossmith.losses.ranking.gains import Discount, DiscountedGain, Gain, discounted_gain
from lossmith.losses.ranking.rankings import documents, relevance_levels, with_labels


def _size(r: int, levels: int = 2, discount: Discount = "log2", gain: Gain = "exp2") -> tuple[int, int]:
    return relevance_levels(levels) ** documents(r), factorial(r)


@family(
    cite="subsec:NDCG",
    small=({"r": 2}, {"r": 3}, {"r": 2, "levels": 3}),
    size=_size,
    factored=True,
    of_size=with_labels(lambda r: 2**r),
)
def ndcg(r: int, levels: int = 2, discount: Discount = "log2", gain: Gain = "exp2") -> DiscountedGain:
    """1 − DCG/ideal DCG of a ranking of r documents; labels are relevance vectors in {0, …, levels − 1}^r.

    DCG is Σ_i gain(y_i) · discount(position of i). Discounts and gains are rationals, one per position or level, or
    functions of position (from 1) and level; "log2" means the doubles nearest to 1/log2(j + 1), as they are, and "exp2"
    means 2^y − 1. Where nothing is relevant every ranking costs 1.

    >>> loss = ndcg(3, discount=[1, "1/2", "1/4"])
    >>> loss
    ndcg(r=3, levels=2, discount=1 1/2 1/4): 8 labels × 6 predictions, 3 factors
    >>> loss.loss((1, 0, 1), (0, 1, 2))              # documents 0 and 2 are relevant, at positions 0 and 2
    Fraction(1, 6)
    """
    _size(r, levels)
    return discounted_gain("ndcg", r, levels, discount, gain)
