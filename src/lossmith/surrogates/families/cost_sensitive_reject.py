"""One logistic loss for each label, with the cost of abstaining in its weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.against_all import one_vs_all_slopes, one_vs_all_values
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.sigmoids import logit, sigmoid
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _cost(cost: RationalLike) -> Fraction:
    return rational_where("cost", cost, lambda x: 0 < x < 1, "between 0 and 1")


def _size(n: int, cost: RationalLike = "1/2") -> tuple[int, int]:
    _cost(cost)
    return at_least("n", n, 2), n


@family(
    cite="N. Charoenphakdee, Z. Cui, Y. Zhang, M. Sugiyama, Classification with rejection based on cost-sensitive "
    "classification, ICML 2021",
    latex=r"\psi_y(u) = c \log(1 + e^{-u_y}) + (1 - c) \sum_{j \neq y} \log(1 + e^{u_j})",
    preds=("argmax-threshold:tau=0", "argmax", "decide"),
    small=({"n": 2}, {"n": 3, "cost": "1/4"}, {"n": 3, "cost": "2/5"}),
    size=_size,
    fits=by_abstaining,
    verdicts=(Published(abstain, "CCC", "Charoenphakdee et al., ICML 2021"),),
    formless="the weights differ between the own label and the others",
)
def cost_sensitive_reject(n: int, cost: RationalLike = "1/2") -> SmoothSurrogate:
    """c log(1 + e^{−u_y}) + (1 − c) Σ_{j≠y} log(1 + e^{u_j}) on R^n for the cost 0 < c < 1 of abstaining.

    u_y > 0 says that p_y > 1 − c. Strictly proper, with p_y = s(1 − c) / (s(1 − c) + (1 − s)c), s = 1/(1 + e^{−u_y}).

    >>> cost_sensitive_reject(2, "1/4").probabilities([[0, 0]]).tolist()
    [[0.75, 0.75]]
    """
    c = _cost(cost)
    proper = ProperComposite(_Probabilities(c), _Link(c), monotone=True, threshold=_Threshold(c), separate=True)
    name = f"cost_sensitive_reject(n={n}, cost={c})"
    return SmoothSurrogate(name, n, n, _Value(c), _Slope(c), Traits(proper=proper))


@dataclass(frozen=True)
class _Cost:
    cost: Fraction

    @property
    def pair(self) -> tuple[float, float]:
        return float(self.cost), float(1 - self.cost)


class _Value(_Cost):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        own, other = self.pair
        return one_vs_all_values(own * np.logaddexp(0, -U), other * np.logaddexp(0, U))


class _Slope(_Cost):
    def __call__(self, U: Array) -> Array:
        own, other = self.pair
        return one_vs_all_slopes(-own * sigmoid(-U), other * sigmoid(U))


class _Probabilities(_Cost):
    def __call__(self, U: Array) -> Array:
        own, other = self.pair
        up, down = other * sigmoid(U), own * sigmoid(-U)
        result: Array = up / (up + down)
        return result


class _Link(_Cost):
    def __call__(self, p: Array) -> Array:
        own, other = self.pair
        result: Array = logit(p * own / (p * own + (1 - p) * other))
        return result


class _Threshold(_Cost):
    def __call__(self, tau: Fraction) -> Fraction | None:
        return 1 - self.cost if tau == 0 else None  # for others it is irrational
