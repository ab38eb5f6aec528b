"""The structured support vector machine of rankings, made for mean average precision."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import family
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.documents import documents_of, labels_and_documents, preferences
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="Y. Yue, T. Finley, F. Radlinski, T. Joachims, Optimizing average precision, SIGIR 2007",
    latex=r"\psi_y(u) = \max_\sigma L(y, \sigma) - \tfrac{2}{m} \sum_{i \succ_y j, \sigma_j < \sigma_i} (u_i - u_j)",
    preds=("sort",),
    kind="ranking",
    small=({"ranking": "mean-average-precision:r=2"}, {"ranking": "mean-average-precision:r=3"}),
    size=labels_and_documents,
    fits=of_documents,
    aliases=("svm_auc",),
)
def svm_map(ranking: RankingLoss | str) -> PolyhedralSurrogate:
    """max over rankings σ of L(y, σ) − 2/m Σ (u_i − u_j) over those of the m preferences i ≻ j of y that σ breaks.

    L is any ranking loss whose predictions are rankings: with mean average precision it is SVM-map, with the share of
    violated preferences SVM-AUC. Where y has no preference, it is the largest L(y, σ).

    >>> [str(x) for x in svm_map("mean-average-precision:r=2")([1, 0])]    # 01, 10, 11
    ['5/2', '0', '0']
    """
    loss, r = documents_of(ranking)
    rankings = list(loss.each_prediction())
    if any(sorted(sigma) != list(range(r)) for sigma in rankings):
        raise BadInput(f"svm_map needs rankings of all documents as predictions; {loss.name} has others")
    labels = list(loss.each_label())

    def psi(y: int, u: list[Any]) -> Any:
        pairs = list(preferences(loss, labels[y]))
        pieces = []
        for sigma in rankings:
            violated = (u[i] - u[j] for i, j in pairs if sigma[j] < sigma[i])
            pieces.append(loss.loss(labels[y], sigma) - Fraction(2, max(len(pairs), 1)) * sum(violated))
        return maximum(*pieces)

    return PolyhedralSurrogate.from_function(psi, n=loss.n, dim=r, name=f"svm_map({loss.name})")
