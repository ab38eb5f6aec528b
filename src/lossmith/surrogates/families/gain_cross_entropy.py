"""Softmax with the gains of the documents as targets."""

from __future__ import annotations

from fractions import Fraction

from lossmith.errors import BadInput
from lossmith.families import Published, family
from lossmith.losses import ndcg
from lossmith.losses.ranking.gains import DiscountedGain
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.documents import documents_of, labels_and_documents
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.smooth import SmoothSurrogate


@family(
    cite="P. Ravikumar, A. Tewari, E. Yang, On NDCG consistency of listwise ranking methods, AISTATS 2011",
    latex=r"\psi_y(u) = \sum_i \frac{g_i(y)}{z(y)} \Bigl(\log \sum_j e^{u_j} - u_i\Bigr)",
    preds=("sort",),
    small=({"ranking": "ndcg:r=2"}, {"ranking": "dcg:r=2"}),
    size=labels_and_documents,
    fits=of_documents,
    verdicts=(
        Published(of_two_tags(lambda: ndcg(2).matrix()), "··C", "Ravikumar, Tewari, Yang, AISTATS 2011", pred="sort"),
    ),
)
def gain_cross_entropy(ranking: RankingLoss | str) -> SmoothSurrogate:
    """Σ_i (g_i(y)/z(y)) (log Σ_j e^{u_j} − u_i) on R^r for the gains g_i of a DCG or an NDCG, with the ideal DCG as z.

    softmax(u) tells E[g_i(y)/z(y)], normalised, by which documents are to be sorted. For DCG z = 1.

    >>> from lossmith.losses import dcg
    >>> [round(x, 4) for x in gain_cross_entropy(dcg(2))([0, 0])]  # 0, log 2, log 2, 2 log 2
    [0.0, 0.6931, 0.6931, 1.3863]
    """
    loss, _ = documents_of(ranking)
    if not isinstance(loss, DiscountedGain):
        raise BadInput(f"{loss.name} has no gains that are discounted; give a dcg or an ndcg")
    found = (loss.row(y) for y in loss.each_label())
    rows = tuple(tuple(Fraction(scale * gain) for gain in gains) for _, scale, gains in found)
    return cross_entropy(f"gain_cross_entropy({loss.name})", rows)
