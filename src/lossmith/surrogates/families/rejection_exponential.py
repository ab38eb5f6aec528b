"""Two functions, one that decides and one that rejects, boosted: exponentials of what either does wrong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_rejecting
from lossmith.surrogates.margins import exponential
from lossmith.surrogates.sigmoids import logit, sigmoid
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, ProperComposite, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


@family(
    cite="C. Cortes, G. DeSalvo, M. Mohri, Boosting with abstention, NIPS 2016",
    latex=r"\psi_y(h, r) = e^{\frac{\alpha}{2} (r - s_y h)} + c \, e^{-\beta r}",
    preds=("decide", "reject"),
    kind="abstaining",
    small=({"cost": "1/5"}, {"cost": "1/5", "beta": "2"}),
    size=lambda cost, alpha="1", beta="1": (2, 2),
    fits=by_rejecting,
    verdicts=(
        Published(abstain_at("1/5"), "C––", "Cortes, DeSalvo, Mohri, NIPS 2016"),
        Published(abstain_at("1/5"), "N––", "docs/findings.md, 2026", pred="reject"),
    ),
    formless="its curvature is a full matrix",
)
def rejection_exponential(cost: RationalLike, alpha: RationalLike = "1", beta: RationalLike = "1") -> SmoothSurrogate:
    """e^{(α/2)(r − s_y h)} + c e^{−βr} for (h, r) ∈ R², s = 1 for label 0, −1 for label 1; α, β > 0, 0 < c ≤ 1/2.

    Where the risk is nearly least σ(αh) tells the probability of label 0, so that it is right with "decide". Then r > 0
    where √(p_0 p_1) < cβ/α: "reject" is right if and only if cβ² = (1 − c)α², as with β = 2α at c = 1/5.

    >>> rejection_exponential("1/5", beta=2)([0, 0])
    (1.2, 1.2)
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    a = rational_where("alpha", alpha, lambda x: x > 0, "positive")
    b = rational_where("beta", beta, lambda x: x > 0, "positive")
    given = (c, a, b)
    proper = ProperComposite(_Probabilities(*given), _Link(*given), converse=False)  # r tells nothing
    traits = Traits(proper=proper, curved=_curved(*given))
    name = f"rejection_exponential(cost={c}, alpha={a}, beta={b})"
    return SmoothSurrogate(name, 2, 2, _Value(*given), _Slope(*given), traits)


def _curved(c: Fraction, a: Fraction, b: Fraction) -> Curved:
    """c² = 50/(69 θ m) times the span of d, θ = β/(α + 2β), m a fraction below the least risk at 1/2, for "decide".

    At the best r the risk at h is m G^{2θ}, where G, p_0 e^{−αh/2} + p_1 e^{αh/2}, is that of exponentials: at least
    2 (p_0 − q_0)² above g = 2√(p_0 p_1) ≤ 1, for the q that h tells. If G ≤ 2, G^{2θ} − g^{2θ} ≥ 2θ 2^{2θ−1} (G − g) ≥
    2θ (p_0 − q_0)²; else it is at least 2^{2θ} − 1 ≥ 2θ log 2, and log 2 > 69/100.
    m is (2cβ/α)^{α/(α+2β)} (1 + α/2β), and a power below 1 is at least min(1, 2cβ/α).
    """
    theta, least = b / (a + 2 * b), min(Fraction(1), 2 * c * b / a) * (1 + a / (2 * b))
    return Curved("span", Fraction(50, 69) / (theta * least))


def least_product(surrogate: SmoothSurrogate) -> Fraction | None:
    """(cβ/α)²: at the least risk r ≤ 0 exactly where p_0 p_1 is at least this. None for other surrogates.

    >>> least_product(rejection_exponential("1/5", beta=2))
    Fraction(4, 25)
    """
    given = surrogate.value
    return (given.cost * given.beta / given.alpha) ** 2 if isinstance(given, _Value) else None


@dataclass(frozen=True)
class _Given:
    cost: Fraction
    alpha: Fraction
    beta: Fraction

    def terms(self, U: Array) -> tuple[Array, Array]:
        """The exponentials of the margins of both labels, and that of rejecting."""
        import numpy as np

        margins = np.stack([U[:, 0] - U[:, 1], -U[:, 0] - U[:, 1]], axis=1)
        return exponential(float(self.alpha) / 2 * margins), exponential(float(self.beta) * U[:, 1:])


class _Value(_Given):
    def __call__(self, U: Array) -> Array:
        wrong, rejected = self.terms(U)
        result: Array = wrong + float(self.cost) * rejected
        return result


class _Slope(_Given):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        wrong, rejected = self.terms(U)
        half = float(self.alpha) / 2 * wrong
        result: Array = np.stack([half * [-1, 1], half - float(self.cost * self.beta) * rejected], axis=2)
        return result


class _Probabilities(_Given):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        first = sigmoid(float(self.alpha) * U[:, 0])
        return np.stack([first, 1 - first], axis=1)


class _Link(_Given):
    def __call__(self, p: Array) -> Array:
        import numpy as np

        a, b, c = float(self.alpha), float(self.beta), float(self.cost)
        h = logit(p[0]) / a
        root = np.sqrt(max(float(p[0] * p[1]), np.finfo(float).tiny))
        return np.array([h, np.log(c * b / (a * root)) / (a / 2 + b)])
