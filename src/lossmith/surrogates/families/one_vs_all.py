"""One function of the margin for each label, each against all others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.surrogates.against_all import one_vs_all_slopes, one_vs_all_values, own_label, own_sign
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.forms import FORM_OF_MARGIN, Form
from lossmith.surrogates.margins import Margin
from lossmith.surrogates.signed_margins import SignedAtLogs
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares_per_bit import margin_or_square, squares_per_bit
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(n: int, phi: str = "exponential") -> tuple[int, int]:
    margin_or_square(phi)
    return at_least("n", n, 2), n


@family(
    cite="T. Zhang, Statistical analysis of some multi-category large margin classification methods, JMLR 2004; "
    "J. D. M. Rennie, N. Srebro, Loss functions for preference levels, 2005 (smooth hinge)",
    latex=r"\psi_y(u) = \varphi(u_y) + \sum_{j \neq y} \varphi(-u_j)",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3, "phi": "modified-huber"}, {"n": 3, "phi": "smooth-hinge"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Zhang, JMLR 2004"),),
)
def one_vs_all(n: int, phi: str = "exponential") -> SmoothSurrogate:
    """φ(u_y) + Σ_{j≠y} φ(−u_j) on R^n, φ exponential, modified Huber, smooth hinge, logistic or squared hinge.

    Or φ is "square", (1 − z)²: then it is the squared distance to 1 for the label and −1 for the others, nearly least
    only near u = 2p − 1.

    The others are strictly proper, with the probabilities 1/(1 + e^{−2u}) for the exponential, (1 + u)/2 cut to [0, 1]
    for modified Huber, 1/(2 − u) where 0 ≤ u ≤ 1 for the smooth hinge. Away from the optimum they need not sum to 1.

    >>> one_vs_all(3, "modified-huber")([1, 0, -2])
    (1.0, 5.0, 13.0)
    >>> one_vs_all(3, "square").minimizer(["1/2", "1/4", "1/4"])
    (0.0, -0.5, -0.5)
    """
    chosen = margin_or_square(phi)
    if chosen is None:
        return squares_per_bit(f"one_vs_all(n={n}, phi=square)", own_label(n))
    proper = ProperComposite(chosen.share, chosen.link, monotone=True, threshold=chosen.exact_share, separate=True)
    form = Form.of(FORM_OF_MARGIN[chosen.name], own_label(n))
    exact = None if chosen.exact_slope is None else _ExactSlope(chosen)
    name = f"one_vs_all(n={n}, phi={chosen.name})"
    traits = Traits(proper=proper, separate=True)
    at_logs = None if chosen.slope_at_log is None else SignedAtLogs(own_sign(n), chosen)
    return SmoothSurrogate(name, n, n, _Value(chosen), _Slope(chosen), traits, exact, form, at_logs=at_logs)


@dataclass(frozen=True)
class _Function:
    phi: Margin


class _Value(_Function):
    def __call__(self, U: Array) -> Array:
        return one_vs_all_values(self.phi.value(U), self.phi.value(-U))


class _Slope(_Function):
    def __call__(self, U: Array) -> Array:
        return one_vs_all_slopes(self.phi.slope(U), -self.phi.slope(-U))


class _ExactSlope(_Function):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        assert self.phi.exact_slope is not None
        own, other = [self.phi.exact_slope(x) for x in u], [-self.phi.exact_slope(-x) for x in u]
        return [[own[j] if j == y else other[j] for j in range(len(u))] for y in range(len(u))]
