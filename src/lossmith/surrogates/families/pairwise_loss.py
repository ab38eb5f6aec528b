"""A function of the margin for each pair of documents that the label puts in order: RankNet, RankBoost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, family
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import preferences_in_a_circle
from lossmith.surrogates.documents import documents_of, labels_and_documents, preferences
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_AT_ZERO = {"logistic": Fraction(-1, 2), "exponential": Fraction(-1)}  # slopes that are rational there


def _size(ranking: RankingLoss | str, phi: str = "logistic") -> tuple[int, int]:
    margin_named(phi)
    return labels_and_documents(ranking)


@family(
    cite="C. Burges et al., Learning to rank using gradient descent, ICML 2005; Y. Freund, R. Iyer, R. Schapire, "
    "Y. Singer, An efficient boosting algorithm for combining preferences, JMLR 2003 (exponential)",
    latex=r"\psi_y(u) = \sum_{i \succ_y j} \varphi(u_i - u_j)",
    preds=("sort",),
    small=({"ranking": "pairwise-disagreement:r=2"}, {"ranking": "precision-at:q=1,r=3", "phi": "smooth-hinge"}),
    size=_size,
    fits=of_documents,
    verdicts=(Published(preferences_in_a_circle, "··N", "Duchi, Mackey, Jordan, ICML 2010", pred="sort"),),
    formless="each score meets others, so that the curvature is a full matrix",
)
def pairwise_loss(ranking: RankingLoss | str, phi: str = "logistic") -> SmoothSurrogate:
    """Σ φ(u_i − u_j) over the pairs that y puts in order, on R^r; φ logistic (RankNet) or by another name.

    No convex surrogate of this form is consistent for pairwise disagreement (Duchi, Mackey, Jordan, ICML 2010), unless
    there are two documents: then to sort them is right.

    >>> [round(x, 4) for x in pairwise_loss("precision-at:q=1,r=2")([0, 0])]  # two labels prefer none
    [0.0, 0.6931, 0.6931, 0.0]
    """
    (loss, r), chosen = documents_of(ranking), margin_named(phi)
    pairs = tuple(tuple(preferences(loss, y)) for y in loss.each_label())
    name = f"pairwise_loss({loss.name}, phi={chosen.name})"
    value, slope, below = _Value(pairs, r, chosen), _Slope(pairs, r, chosen), _Subgradients(pairs, r, chosen)
    traits = Traits(order=Order("order", _preferred(pairs))) if r == 2 else Traits()
    return SmoothSurrogate(name, loss.n, r, value, slope, traits, subgradients=below)


def _preferred(pairs: tuple[tuple[tuple[int, int], ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Of two documents, which one each label prefers: φ(±d) with φ′(0) < 0 tells by the sign of d which is likelier."""
    return tuple(tuple(Fraction(sum(i == each for i, _ in chosen)) for each in range(2)) for chosen in pairs)


@dataclass(frozen=True)
class _Pairs:
    pairs: tuple[tuple[tuple[int, int], ...], ...]
    r: int
    phi: Margin


class _Value(_Pairs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        found = np.zeros((len(U), len(self.pairs)))
        for y, pairs in enumerate(self.pairs):
            for i, j in pairs:
                found[:, y] += self.phi.value(U[:, i] - U[:, j])
        return found


class _Slope(_Pairs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        found = np.zeros((len(U), len(self.pairs), self.r))
        for y, pairs in enumerate(self.pairs):
            for i, j in pairs:
                slope = self.phi.slope(U[:, i] - U[:, j])
                found[:, y, i] += slope
                found[:, y, j] -= slope
        return found


class _Subgradients(_Pairs):
    """The gradients, where they are rational: everywhere, or at u = 0."""

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[list[Fraction]]] | None:
        if self.phi.exact_slope is None and any(u):
            return None
        found = []
        for pairs in self.pairs:
            row = [Fraction(0)] * self.r
            for i, j in pairs:
                exact = self.phi.exact_slope
                slope = _AT_ZERO[self.phi.name] if exact is None else exact(u[i] - u[j])
                row[i] += slope
                row[j] -= slope
            found.append([row])
        return found
