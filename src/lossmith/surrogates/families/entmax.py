"""The loss of entmax: between softmax and sparsemax."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_STEPS = 200


def _alpha(alpha: RationalLike) -> Fraction:
    return rational_where("alpha", alpha, lambda x: 1 < x <= 2, "above 1 (softmax) and at most 2 (sparsemax)")


def _size(n: int, alpha: RationalLike = "3/2") -> tuple[int, int]:
    _alpha(alpha)
    return at_least("n", n, 2), n


@family(
    cite="B. Peters, V. Niculae, A. F. T. Martins, Sparse sequence-to-sequence models, ACL 2019; M. Blondel, "
    "A. Martins, V. Niculae, Learning with Fenchel-Young losses, JMLR 2020",
    latex=r"\psi_y(u) = \max_{q \in \Delta} \left(u \cdot q + \frac{1 - \sum_j q_j^\alpha}{\alpha(\alpha - 1)}\right) "
    r"- u_y",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3}, {"n": 4, "alpha": "5/4"}),
    size=_size,
    fits=by_labels,
    verdicts=(Published(None, "CCC", "Blondel, Martins, Niculae, JMLR 2020"),),
    formless="its curvature is no sum over scores",
)
def entmax(n: int, alpha: RationalLike = "3/2") -> SmoothSurrogate:
    """The Fenchel–Young loss of Tsallis' entropy on R^n for 1 < α ≤ 2; strictly proper composite with its argmax q.

    q_j = ((α − 1) u_j − τ)₊^{1/(α−1)}, with the τ for which they sum to 1.

    >>> entmax(2)([0, 0]), entmax(3, 2).probabilities([[1, 0.5, -3]]).round(9).tolist()
    ((0.39052..., 0.39052...), [[0.75, 0.25, 0.0]])
    """
    a = _alpha(alpha)
    proper = ProperComposite(_Probabilities(a), _Link(a), monotone=True)
    traits = Traits(proper=proper, divergence="half square" if a == 2 else None)
    return SmoothSurrogate(f"entmax(n={n}, alpha={a})", n, n, _Value(a), _Slope(a), traits)


def alpha_of(surrogate: SmoothSurrogate) -> Fraction | None:
    """The α of an `entmax`, as it is without class weights; None for other surrogates.

    >>> alpha_of(entmax(3)), alpha_of(entmax(2).weighted([1, 2]))
    (Fraction(3, 2), None)
    """
    value = surrogate.value
    if isinstance(value, _Value) and surrogate == entmax(surrogate.n, value.alpha):
        return value.alpha
    return None


@dataclass(frozen=True)
class _Entropy:
    alpha: Fraction

    def argmax(self, U: Array) -> Array:
        """q by Newton's method for τ, from where the largest q_j is 1: Σ_j q_j is convex in τ, so τ only rises."""
        import numpy as np

        less = float(self.alpha - 1)
        scaled = less * (U - U.max(axis=1, keepdims=True))
        tau = np.full((len(U), 1), -1.0)
        for _ in range(_STEPS):
            above = np.maximum(scaled - tau, 0)
            steeper = above ** (1 / less - 1) / less
            step = ((less * steeper * above).sum(axis=1, keepdims=True) - 1) / steeper.sum(axis=1, keepdims=True)
            tau += np.maximum(step, 0)
            if step.max() < 1e-15:
                break
        q = np.maximum(scaled - tau, 0) ** (1 / less)
        result: Array = q / q.sum(axis=1, keepdims=True)
        return result


class _Value(_Entropy):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        q, a = self.argmax(U), float(self.alpha)
        below = U - U.max(axis=1, keepdims=True)
        best = (below * q).sum(axis=1, keepdims=True) + (1 - (q**a).sum(axis=1, keepdims=True)) / (a * (a - 1))
        result: Array = np.maximum(best - below, 0)
        return result


class _Slope(_Entropy):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        result: Array = self.argmax(U)[:, None, :] - np.eye(U.shape[1])
        return result


class _Probabilities(_Entropy):
    def __call__(self, U: Array) -> Array:
        return self.argmax(U)


class _Link(_Entropy):
    def __call__(self, p: Array) -> Array:
        less = float(self.alpha - 1)
        result: Array = p**less / less
        return result
