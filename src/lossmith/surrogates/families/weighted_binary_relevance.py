"""One function of the margin per tag, weighted by how many pairs of tags the label compares."""

from __future__ import annotations

from fractions import Fraction

from lossmith.families import Published, family
from lossmith.losses import tag_ranking
from lossmith.losses.protocol import Loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.documents import relevance_of, sets_and_tags
from lossmith.surrogates.fitting import of_sets
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


def _size(loss: Loss | str, phi: str = "logistic") -> tuple[int, int]:
    margin_named(phi)
    return sets_and_tags(loss)


@family(
    cite="K. Dembczyński, W. Kotłowski, E. Hüllermeier, Consistent multilabel ranking through univariate "
    "losses, ICML 2012",
    latex=r"\psi_y(u) = w_y \sum_i \varphi(s_{yi} u_i), \quad w_y = \frac{1}{|y| (r - |y|)}",
    preds=("decide", "sort"),
    small=({"loss": "precision-at:q=1,r=2"}, {"loss": "precision-at:q=1,r=3", "phi": "exponential"}),
    size=_size,
    fits=of_sets,
    verdicts=(Published(of_two_tags(lambda: tag_ranking(2)), "··C", "Dembczyński, Kotłowski, Hüllermeier, ICML 2012"),),
)
def weighted_binary_relevance(loss: Loss | str, phi: str = "logistic") -> SmoothSurrogate:
    """w_y Σ_i φ(s_yi u_i) on R^r, where w_y is 1 over the number of pairs of a tag in y and one that is not.

    If there are none, y says nothing of the order, and costs nothing. u_i tells E[w_y y_i]/E[w_y]: sorted by it, the
    tags have the least expected share of pairs in the wrong order.

    >>> [round(x, 4) for x in weighted_binary_relevance("precision-at:q=1,r=2")([0, 0])]  # 2 log 2
    [0.0, 1.3863, 1.3863, 0.0]
    """
    given, labels = relevance_of(loss)
    chosen, r = margin_named(phi), len(labels[0])
    pairs = [sum(y) * (r - sum(y)) for y in labels]
    scales = tuple(Fraction(1, count) if count else Fraction(0) for count in pairs)
    return margin_per_bit(f"weighted_binary_relevance({given.name}, phi={chosen.name})", labels, chosen, scales)
