"""One logistic regression per tag, on its share of the tags of the label."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, family
from lossmith.losses import recall_at
from lossmith.losses.protocol import Loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.documents import relevance_of, sets_and_tags
from lossmith.surrogates.fitting import of_sets
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_PHI = margin_named("logistic")


@family(
    cite="A. K. Menon, A. S. Rawat, S. Reddi, S. Kumar, Multilabel reductions: what is my loss optimising?, "
    "NeurIPS 2019",
    latex=r"\psi_y(u) = \sum_i \log(1 + e^{u_i}) - \frac{1}{|y|} \sum_{i \in y} u_i",
    preds=("decide", "sort"),
    small=({"loss": "recall-at:r=3,q=1"}, {"loss": "precision-at:q=1,r=2"}),
    size=sets_and_tags,
    fits=of_sets,
    verdicts=(
        Published(of_two_tags(lambda: recall_at(2, 1).matrix()), "··C", "Menon et al., NeurIPS 2019", pred="argmax"),
    ),
    formless="its targets are shares of a label, and those of forms are bits",
    aliases=("ova_n",),
)
def binary_relevance_normalised(loss: Loss | str) -> SmoothSurrogate:
    """Σ_i log(1 + e^{u_i}) − (1/|y|) Σ_{i∈y} u_i on R^r: 1/(1 + e^{−u_i}) tells E[y_i/|y|].

    So the q largest scores are right for recall at q, and not for precision at q.

    >>> from lossmith.losses import recall_at
    >>> [round(x, 4) for x in binary_relevance_normalised(recall_at(2, 1))([1, 0])]
    [2.0064, 2.0064, 1.0064, 1.5064]
    """
    given, labels = relevance_of(loss)
    rows = tuple(tuple(Fraction(x, max(sum(y), 1)) for x in y) for y in labels)
    reading = Reading(_PHI.share, _PHI.link, threshold=_PHI.exact_share, ordered=True)
    name = f"binary_relevance_normalised({given.name})"
    traits = Traits(mean=rows, reading=reading, curved=Curved("distance", 1 / BENDS["logistic"].kappa))
    return SmoothSurrogate(name, len(rows), len(rows[0]), _Value(rows), _Slope(rows), traits)


@dataclass(frozen=True)
class _Shares:
    rows: tuple[tuple[Fraction, ...], ...]

    def floats(self) -> Array:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.rows])


class _Value(_Shares):
    def __call__(self, U: Array) -> Array:
        shares = self.floats()
        result: Array = _PHI.value(U) @ shares.T + _PHI.value(-U) @ (1 - shares).T
        return result


class _Slope(_Shares):
    def __call__(self, U: Array) -> Array:
        shares = self.floats()
        result: Array = shares * _PHI.slope(U)[:, None, :] - (1 - shares) * _PHI.slope(-U)[:, None, :]
        return result
