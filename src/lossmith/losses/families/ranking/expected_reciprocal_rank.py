"""Expected reciprocal rank: a reader goes down the ranking and stops at a document that satisfies."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import factorial

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.rankings import (
    Ranking,
    Relevance,
    order_of_documents,
    ranking_name,
    relevance_levels,
    relevance_name,
    relevance_vectors,
    with_labels,
    written_documents,
)


def _size(r: int, levels: int = 2) -> tuple[int, int]:
    instead = "ndcg and mean_average_precision, by factors, take more"
    return relevance_levels(levels) ** written_documents(r, "expected_reciprocal_rank", instead), factorial(r)


@family(
    cite="O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009",
    small=({"r": 2}, {"r": 3}, {"r": 2, "levels": 3}),
    size=_size,
    of_size=with_labels(lambda r: 2**r),
)
def expected_reciprocal_rank(r: int, levels: int = 2) -> LossMatrix:
    """1 − E[1/position at which the reader stops]; at a document of level y with probability (2^y − 1)/2^(levels − 1).

    >>> loss = expected_reciprocal_rank(2)
    >>> loss.predictions
    ('0>1', '1>0')
    >>> [str(x) for x in loss.entries[loss.labels.index("11")]]       # 1/2 + 1/2 · 1/2 · 1/2 = 5/8
    ['3/8', '3/8']
    """
    labels, rankings = list(relevance_vectors(r, levels)), list(permutations(range(r)))
    rows = [[1 - _reciprocal_rank(y, t, levels) for t in rankings] for y in labels]
    name = f"expected_reciprocal_rank(r={r}, levels={levels})"
    return LossMatrix(rows, map(relevance_name, labels), map(ranking_name, rankings), name)


def _reciprocal_rank(y: Relevance, sigma: Ranking, levels: int) -> Fraction:
    reading, total = Fraction(1), Fraction(0)
    for position, document in enumerate(order_of_documents(sigma), 1):
        stops = Fraction(2 ** y[document] - 1, 2 ** (levels - 1))
        total += reading * stops / position
        reading *= 1 - stops
    return total
