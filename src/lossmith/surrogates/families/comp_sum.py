"""Comp-sum losses: powers of the sum of exponentials, between the sum of exponentials and the logarithm of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import zero_one
from lossmith.surrogates.cross_entropies import link_of_shares, shares_of
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 700.0  # e^709 is the largest power that floats hold


def _size(n: int, tau: RationalLike = 0) -> tuple[int, int]:
    rational_where("tau", tau, lambda x: 0 <= x <= 1, "between 0 and 1, as ψ is not convex beyond")
    return at_least("n", n, 2), n


@family(
    cite="A. Mao, M. Mohri, Y. Zhong, Cross-entropy loss functions: theoretical analysis and applications, ICML 2023; "
    "J. Weston, C. Watkins, Support vector machines for multi-class pattern recognition, 1999 (sum of exponentials)",
    latex=r"\psi_y(u) = \frac{1}{1 - \tau} \left(\left(\sum_j e^{u_j - u_y}\right)^{1 - \tau} - 1\right)",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3, "tau": "1/2"}, {"n": 4, "tau": 1}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(zero_one, "CCC", "Mao, Mohri, Zhong, ICML 2023"),),
    formless="its curvature is a full matrix: boosting takes its diagonal for an upper bound only for softmax",
    aliases=("sum_exponential",),
)
def comp_sum(n: int, tau: RationalLike = 0) -> SmoothSurrogate:
    """((Σ_j e^{u_j−u_y})^{1−τ} − 1) / (1 − τ) on R^n for 0 ≤ τ ≤ 1: for τ = 0 Σ_{j≠y} e^{u_j−u_y}, for τ = 1 softmax.

    Strictly proper composite with the probabilities softmax((2 − τ) u). For τ > 1 (generalised cross entropy, and mean
    absolute error at τ = 2) it is not convex.

    >>> [round(x, 9) for x in comp_sum(3)([0, 0, 0])], comp_sum(2, "1/2").probabilities([[0, 0]]).tolist()
    ([2.0, 2.0, 2.0], [[0.5, 0.5]])
    """
    t = rational_where("tau", tau, lambda x: 0 <= x <= 1, "between 0 and 1")
    traits = Traits(proper=ProperComposite(_Probabilities(t), _Link(t), monotone=True))
    return SmoothSurrogate(f"comp_sum(n={n}, tau={t})", n, n, _Value(t), _Slope(t), traits)


def tau_of(surrogate: SmoothSurrogate) -> Fraction | None:
    """The τ of a `comp_sum`, as it is without class weights; None for other surrogates.

    >>> tau_of(comp_sum(3, "1/2")), tau_of(comp_sum(2).weighted([1, 2]))
    (Fraction(1, 2), None)
    """
    value = surrogate.value
    if isinstance(value, _Value) and surrogate == comp_sum(surrogate.n, value.tau):
        return value.tau
    return None


@dataclass(frozen=True)
class _Power:
    tau: Fraction

    def beyond(self, U: Array) -> Array:
        """(1 − τ) log Σ_j e^{u_j − u_y}, as far as floats have its exponential."""
        import numpy as np

        below = U - U.max(axis=1, keepdims=True)
        result: Array = np.log(np.exp(below).sum(axis=1, keepdims=True)) - below
        return np.minimum(float(1 - self.tau) * result, _MOST) if self.tau < 1 else result


class _Value(_Power):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        result: Array = self.beyond(U)
        return np.expm1(result) / float(1 - self.tau) if self.tau < 1 else result


class _Slope(_Power):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        factor = np.exp(self.beyond(U)) if self.tau < 1 else np.ones_like(U)
        result: Array = factor[:, :, None] * (shares_of(U)[:, None, :] - np.eye(U.shape[1]))
        return result


class _Probabilities(_Power):
    def __call__(self, U: Array) -> Array:
        return shares_of(float(2 - self.tau) * U)


class _Link(_Power):
    def __call__(self, p: Array) -> Array:
        return link_of_shares(p) / float(2 - self.tau)
