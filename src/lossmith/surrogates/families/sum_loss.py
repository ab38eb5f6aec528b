"""Pairwise comparison: a function of the margin over each other label, summed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.chains import LawOfSlopes
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, ProperComposite, Traits, TwoScores

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_KNOWN = tuple(name for name, bend in BENDS.items() if bend.most)  # their slopes are Lipschitz continuous


def _phi(phi: str) -> Margin:
    found = margin_named(phi)
    if found.name not in _KNOWN:
        raise BadInput(f"phi is {phi!r}; choose {', '.join(_KNOWN)}, or comp-sum with tau=0 for the exponential")
    return found


def _size(n: int, phi: str = "logistic") -> tuple[int, int]:
    _phi(phi)
    return at_least("n", n, 2), n


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004",
    latex=r"\psi_y(u) = \sum_{j \neq y} \varphi(u_y - u_j)",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3, "phi": "squared-hinge"}, {"n": 3, "phi": "smooth-hinge"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(zero_one, "CCC", "Zhang, JMLR 2004"),),
    formless="each score meets each other one, so that the curvature is a full matrix",
)
def sum_loss(n: int, phi: str = "logistic") -> SmoothSurrogate:
    """Σ_{j≠y} φ(u_y − u_j) on R^n, φ logistic, squared hinge, modified Huber or smooth hinge.

    Strictly proper composite: where the risk is least, p is the stationary law of the chain that goes from a to i at
    the rate −φ′(u_a − u_i) (docs/beyond-the-paper.md). With the hinge itself it is Weston & Watkins', which is not.

    >>> sum_loss(3, "squared-hinge")([1, 0, 0])
    (0.0, 5.0, 5.0)
    >>> sum_loss(3).probabilities([[0, 0, 0]]).round(4).tolist()
    [[0.3333, 0.3333, 0.3333]]
    """
    chosen = _phi(phi)
    traits = Traits(
        proper=ProperComposite(LawOfSlopes(_Slope(chosen)), monotone=True),
        curved=_curved(n, chosen.name),
        two_scores=_two_scores(n, chosen.name),
    )
    exact = None if chosen.exact_slope is None else _ExactSlope(chosen)
    return SmoothSurrogate(f"sum_loss(n={n}, phi={chosen.name})", n, n, _Value(chosen), _Slope(chosen), traits, exact)


def _curved(n: int, phi: str) -> Curved:
    """c² = 2 M (n − 1)/m² times the span of d: φ″ ≤ M, −φ′(z) − φ′(−z) ≥ m (docs/beyond-the-paper.md)."""
    bend = BENDS[phi]
    above = 2 * (bend.most or 0) * (n - 1) / bend.meeting**2
    return Curved("span", min(above, Fraction(1)) if phi == "logistic" else above, bend.halves)


def _two_scores(n: int, phi: str) -> TwoScores:
    """c² = M (n + 2)/(2 φ′(0)²), and for the logistic loss 2, whatever n: the same for two labels."""
    bend = BENDS[phi]
    above = Fraction(2) if phi == "logistic" else (bend.most or 0) * (n + 2) / (2 * bend.slope**2)
    return TwoScores(Fraction(2), above, "sure") if phi == "smooth-hinge" else TwoScores(bend.halves, above, "halves")


@dataclass(frozen=True)
class _Pairs:
    phi: Margin


class _Value(_Pairs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        terms = self.phi.value(U[:, :, None] - U[:, None, :])
        result: Array = (terms * (1 - np.eye(U.shape[1]))).sum(axis=2)
        return result


class _Slope(_Pairs):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        n = U.shape[1]
        slopes = self.phi.slope(U[:, :, None] - U[:, None, :]) * (1 - np.eye(n))
        result: Array = slopes.sum(axis=2)[:, :, None] * np.eye(n) - slopes
        return result


class _ExactSlope(_Pairs):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        assert self.phi.exact_slope is not None
        found = []
        for y, own in enumerate(u):
            row = [Fraction(0) if j == y else -self.phi.exact_slope(own - x) for j, x in enumerate(u)]
            row[y] = -sum(row, Fraction(0))
            found.append(row)
        return found
