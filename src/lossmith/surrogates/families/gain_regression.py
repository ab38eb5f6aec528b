"""Least squares regression on what each document is worth: pointwise ranking."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.families import Published, family
from lossmith.losses import dcg
from lossmith.losses.families.ranking.pairwise_disagreement import PairwiseDisagreement
from lossmith.losses.ranking.gains import DiscountedGain
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.documents import documents_of, labels_and_documents
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares import squared_distance


@family(
    cite="D. Cossock, T. Zhang, Statistical analysis of Bayes optimal subset ranking, 2008",
    latex=r"\psi_y(u) = \sum_i (u_i - g_i(y))^2",
    preds=("sort",),
    small=({"ranking": "mean-average-precision:r=2"}, {"ranking": "pairwise-disagreement:r=2"}),
    size=labels_and_documents,
    fits=of_documents,
    verdicts=(Published(of_two_tags(lambda: dcg(2).matrix()), "··C", "Cossock, Zhang, IEEE TIT 2008", pred="sort"),),
)
def gain_regression(ranking: RankingLoss | str) -> SmoothSurrogate:
    """Σ_i (u_i − g_i(y))² where g_i(y) is the gain of document i, its relevance, or its wins minus its losses.

    Nothing is normalised: for NDCG this is regression on raw gains.

    >>> from lossmith.losses import ndcg
    >>> gain_regression(ndcg(2, levels=3))([3, 0])[-3:]
    (0.0, 1.0, 9.0)
    """
    loss, r = documents_of(ranking)
    rows = tuple(tuple(_gain(loss, y, i) for i in range(r)) for y in loss.each_label())
    return squared_distance(f"gain_regression({loss.name})", rows)


def _gain(loss: RankingLoss, y: Any, i: int) -> Fraction:
    if isinstance(loss, PairwiseDisagreement):
        return Fraction(sum((a == i) - (b == i) for a, b in y))
    return loss.gain[y[i]] if isinstance(loss, DiscountedGain) else Fraction(y[i])
