"""Softmax on every relevant label of a set."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, family
from lossmith.losses import precision_at
from lossmith.losses.protocol import Loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.documents import relevance_of, sets_and_tags
from lossmith.surrogates.fitting import of_sets
from lossmith.surrogates.smooth import SmoothSurrogate


@family(
    cite="A. K. Menon, A. S. Rawat, S. Reddi, S. Kumar, Multilabel reductions: what is my loss optimising?, "
    "NeurIPS 2019",
    latex=r"\psi_y(u) = \sum_{i \in y} \Bigl(\log \sum_j e^{u_j} - u_i\Bigr)",
    preds=("decide", "sort"),
    small=({"loss": "precision-at:q=1,r=3"}, {"loss": "precision-at:q=1,r=2"}),
    size=sets_and_tags,
    fits=of_sets,
    verdicts=(
        Published(of_two_tags(lambda: precision_at(1, 2).matrix()), "··C", "Menon et al., NeurIPS 2019", pred="sort"),
    ),
    aliases=("pal",),
)
def pick_all_labels(loss: Loss | str) -> SmoothSurrogate:
    """Σ_{i∈y} (log Σ_j e^{u_j} − u_i) on R^r for binary relevance: softmax(u) tells E[y_i], normalised.

    So the q largest scores are right for precision at q; for recall at q see pick_all_labels_normalised.

    >>> from lossmith.losses import precision_at
    >>> [round(x, 4) for x in pick_all_labels(precision_at(1, r=2))([0, 0])]  # 0, log 2, log 2, 2 log 2
    [0.0, 0.6931, 0.6931, 1.3863]
    """
    given, labels = relevance_of(loss)
    rows = tuple(tuple(map(Fraction, y)) for y in labels)
    return cross_entropy(f"pick_all_labels({given.name})", rows)
