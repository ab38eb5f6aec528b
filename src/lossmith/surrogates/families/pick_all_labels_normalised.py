"""Softmax on the relevant labels of a set, on average."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, family
from lossmith.losses import recall_at
from lossmith.losses.protocol import Loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.documents import relevance_of, sets_and_tags
from lossmith.surrogates.fitting import of_sets
from lossmith.surrogates.smooth import SmoothSurrogate


@family(
    cite="A. K. Menon, A. S. Rawat, S. Reddi, S. Kumar, Multilabel reductions: what is my loss optimising?, "
    "NeurIPS 2019",
    latex=r"\psi_y(u) = \frac{1}{|y|} \sum_{i \in y} \Bigl(\log \sum_j e^{u_j} - u_i\Bigr)",
    preds=("decide", "sort"),
    small=({"loss": "recall-at:r=3,q=1"}, {"loss": "precision-at:q=1,r=2"}),
    size=sets_and_tags,
    fits=of_sets,
    verdicts=(
        Published(of_two_tags(lambda: recall_at(2, 1).matrix()), "··C", "Menon et al., NeurIPS 2019", pred="argmax"),
    ),
    aliases=("pal_n",),
)
def pick_all_labels_normalised(loss: Loss | str) -> SmoothSurrogate:
    """The mean of log Σ_j e^{u_j} − u_i over i ∈ y on R^r: softmax(u) tells E[y_i/|y|], normalised.

    So the q largest scores are right for recall at q, and not for precision at q.

    >>> from lossmith.losses import precision_at
    >>> [round(x, 4) for x in pick_all_labels_normalised(precision_at(1, r=2))([0, 0])]  # log 2, but for the empty set
    [0.0, 0.6931, 0.6931, 0.6931]
    """
    given, labels = relevance_of(loss)
    rows = tuple(tuple(Fraction(x, max(sum(y), 1)) for x in y) for y in labels)
    return cross_entropy(f"pick_all_labels_normalised({given.name})", rows)
