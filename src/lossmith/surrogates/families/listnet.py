"""Softmax with shares of the documents that grow with their grades: the top-one probabilities of ListNet."""

from __future__ import annotations

from fractions import Fraction

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import family, rational_where
from lossmith.losses.families.ranking.pairwise_disagreement import PairwiseDisagreement
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.documents import documents_of, labels_and_documents
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.smooth import SmoothSurrogate


def _base(base: RationalLike) -> Fraction:
    return rational_where("base", base, lambda x: x > 1, "above 1")


def _size(ranking: RankingLoss | str, base: RationalLike = 2) -> tuple[int, int]:
    _base(base)
    return labels_and_documents(ranking)


@family(
    cite="Z. Cao, T. Qin, T.-Y. Liu, M.-F. Tsai, H. Li, Learning to rank: from pairwise approach to listwise approach, "
    "ICML 2007",
    latex=r"\psi_y(u) = \log \sum_j e^{u_j} - \sum_i \frac{\beta^{y_i}}{\sum_j \beta^{y_j}} u_i",
    preds=("sort",),
    small=({"ranking": "ndcg:r=2"}, {"ranking": "precision-at:q=1,r=3"}),
    size=_size,
    fits=of_documents,
)
def listnet(ranking: RankingLoss | str, base: RationalLike = 2) -> SmoothSurrogate:
    """Cross-entropy between β^{y_i}/Σ_j β^{y_j} and softmax(u) on R^r, for grades y and a rational β > 1.

    The paper has β = e; powers of 2 are what DCG uses, and are exact. softmax(u) tells the mean of these shares, which
    sorts the documents, but not as NDCG wants it.

    >>> listnet("precision-at:q=1,r=2").traits.mean[1]
    (Fraction(1, 3), Fraction(2, 3))
    """
    (loss, _), b = documents_of(ranking), _base(base)
    if isinstance(loss, PairwiseDisagreement):
        raise BadInput(f"{loss.name} has no grades of documents; give a loss such as ndcg(3)")
    powers = (tuple(b ** int(level) for level in y) for y in loss.each_label())
    rows = tuple(tuple(x / sum(row) for x in row) for row in powers)
    return cross_entropy(f"listnet({loss.name}, base={b})", rows)
