"""Discounted cumulative gain, not normalised."""

from __future__ import annotations

from math import factorial

from lossmith.families import family
from lossmith.losses.ranking.gains import Discount, DiscountedGain, Gain, discounted_gain
from lossmith.losses.ranking.rankings import documents, relevance_levels, with_labels


def _size(r: int, levels: int = 2, discount: Discount = "log2", gain: Gain = "exp2") -> tuple[int, int]:
    return relevance_levels(levels) ** documents(r), factorial(r)


@family(
    cite="D. Cossock, T. Zhang, Statistical analysis of Bayes optimal subset ranking, 2008",
    small=({"r": 2}, {"r": 3}, {"r": 2, "levels": 3}),
    size=_size,
    factored=True,
    of_size=with_labels(lambda r: 2**r),
)
def dcg(r: int, levels: int = 2, discount: Discount = "log2", gain: Gain = "exp2") -> DiscountedGain:
    """Ideal DCG − DCG of a ranking of r documents: as `ndcg`, but queries with more relevant documents weigh more.

    >>> dcg(3, discount=[1, "1/2", "1/4"]).loss((1, 0, 1), (0, 1, 2))
    Fraction(1, 4)
    """
    _size(r, levels)
    return discounted_gain("dcg", r, levels, discount, gain)
