"""A hinge for every pair of a relevant and an irrelevant document, in the mean: Rank-SVM."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.families import Published, family
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import preferences_in_a_circle
from lossmith.surrogates.documents import documents_of, labels_and_documents, preferences
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="A. Elisseeff, J. Weston, A kernel method for multi-labelled classification, NIPS 2001",
    latex=r"\psi_y(u) = \tfrac{1}{|y|\,|\bar y|} \sum_{i \in y, j \notin y} (1 - u_i + u_j)_+",
    preds=("sort",),
    kind="ranking",
    small=({"ranking": "mean-average-precision:r=2"}, {"ranking": "mean-average-precision:r=3"}),
    size=labels_and_documents,
    fits=of_documents,
    verdicts=(Published(preferences_in_a_circle, "··N", "Duchi, Mackey, Jordan, ICML 2010", pred="sort"),),
    aliases=("rank_svm",),
)
def label_ranking_hinge(ranking: RankingLoss | str) -> PolyhedralSurrogate:
    """The mean of (1 − u_i + u_j)₊ over the preferences i ≻ j of a label of a ranking loss; 0 where it has none.

    It is `pairwise_hinge`, divided by the number of preferences: with sets of tags as labels, |y| times |ȳ|.

    >>> [str(x) for x in label_ranking_hinge("mean-average-precision:r=3")([2, 0, 0])][:3]    # 001, 010, 011
    ['2', '2', '3']
    """
    loss, r = documents_of(ranking)
    pairs = [list(preferences(loss, y)) for y in loss.each_label()]

    def psi(y: int, u: list[Any]) -> Any:
        return sum((Fraction(1, len(pairs[y])) * pos(1 - u[i] + u[j]) for i, j in pairs[y]), 0)

    return PolyhedralSurrogate.from_function(psi, n=loss.n, dim=r, name=f"label_ranking_hinge({loss.name})")
