"""A hinge for every preference among documents: ranking support vector machines, one score per document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lossmith.errors import BadInput, TooLarge
from lossmith.families import count, family
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.named import loss_named
from lossmith.losses.ranking.pairwise_disagreement import PairwiseDisagreement
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos

MOST_LABELS = 2_000


def documents_of(ranking: FactoredLoss | str) -> tuple[FactoredLoss, int]:
    """A loss on documents, and how many there are."""
    loss = loss_named(ranking) if isinstance(ranking, str) else ranking
    if not isinstance(loss, FactoredLoss):
        raise BadInput(f"{loss.name} is no ranking loss; give one such as mean_average_precision(3)")
    if loss.n > MOST_LABELS:
        raise TooLarge(f"{loss.name} has {count(loss.n)} labels, more than {MOST_LABELS:,}; rank fewer documents")
    return loss, loss.parameters["r"]


def preferences(loss: FactoredLoss, y: Any) -> Iterator[tuple[int, int]]:
    """The pairs (i, j) of documents such that the label prefers i to j."""
    if isinstance(loss, PairwiseDisagreement):
        return iter(y)
    return ((i, j) for i, more in enumerate(y) for j, less in enumerate(y) if more > less)


def _size(ranking: FactoredLoss | str) -> tuple[int, int]:
    loss, r = documents_of(ranking)
    return loss.n, r


@family(
    cite="T. Joachims, Optimizing search engines using clickthrough data, KDD 2002",
    latex=r"\psi_y(u) = \sum_{i \succ_y j} (1 - u_i + u_j)_+",
    preds=("sort",),
    small=({"ranking": "mean-average-precision:r=2"}, {"ranking": "pairwise-disagreement:r=2"}),
    size=_size,
)
def pairwise_hinge(ranking: FactoredLoss | str) -> PolyhedralSurrogate:
    """Σ (1 − u_i + u_j)₊ over the preferences i ≻ j of a label of a ranking loss; u has one score per document.

    >>> from lossmith.losses import pairwise_disagreement
    >>> psi = pairwise_hinge(pairwise_disagreement(3, "single edges"))
    >>> [str(x) for x in psi([2, 0, 0])]             # 0>1, 0>2, 1>0, 1>2, 2>0, 2>1
    ['0', '0', '3', '1', '3', '1']
    """
    loss, r = documents_of(ranking)
    labels = list(loss.labels())
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - u[i] + u[j]) for i, j in preferences(loss, labels[y])),
        n=loss.n,
        dim=r,
        name=f"pairwise_hinge({loss.name})",
    )
