"""A hinge for every preference among documents: ranking support vector machines, one score per document."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import preferences_in_a_circle
from lossmith.surrogates.documents import documents_of, labels_and_documents, preferences
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="T. Joachims, Optimizing search engines using clickthrough data, KDD 2002",
    latex=r"\psi_y(u) = \sum_{i \succ_y j} (1 - u_i + u_j)_+",
    preds=("sort",),
    kind="ranking",
    small=({"ranking": "mean-average-precision:r=2"}, {"ranking": "pairwise-disagreement:r=2"}),
    size=labels_and_documents,
    fits=of_documents,
    verdicts=(Published(preferences_in_a_circle, "··N", "Duchi, Mackey, Jordan, ICML 2010", pred="sort"),),
)
def pairwise_hinge(ranking: RankingLoss | str) -> PolyhedralSurrogate:
    """Σ (1 − u_i + u_j)₊ over the preferences i ≻ j of a label of a ranking loss; u has one score per document.

    >>> from lossmith.losses import pairwise_disagreement
    >>> psi = pairwise_hinge(pairwise_disagreement(3, "single edges"))
    >>> [str(x) for x in psi([2, 0, 0])]             # 0>1, 0>2, 1>0, 1>2, 2>0, 2>1
    ['0', '0', '3', '1', '3', '1']
    """
    loss, r = documents_of(ranking)
    labels = list(loss.each_label())
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - u[i] + u[j]) for i, j in preferences(loss, labels[y])),
        n=loss.n,
        dim=r,
        name=f"pairwise_hinge({loss.name})",
    )
