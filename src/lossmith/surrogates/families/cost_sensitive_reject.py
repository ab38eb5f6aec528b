"""One function of the margin for each label, with the cost of abstaining in its weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import abstain
from lossmith.surrogates.against_all import one_vs_all_slopes, one_vs_all_values, own_label
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, ProperComposite, Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _cost(cost: RationalLike) -> Fraction:
    return rational_where("cost", cost, lambda x: 0 < x < 1, "between 0 and 1")


def _square(z: Array) -> Array:
    result: Array = (1 - z) ** 2
    return result


def _square_slope(z: Array) -> Array:
    result: Array = 2 * (z - 1)
    return result


def _square_share(u: Array) -> Array:
    result: Array = (1 + u) / 2  # not cut to [0, 1]: farther out the risk is not least
    return result


def _square_exact(z: Fraction) -> Fraction:
    return 2 * (z - 1)


def _phi(phi: str) -> Margin:
    name = str(phi).strip()
    if name == "hinge":
        raise BadInput("phi is 'hinge'; with the hinge twice this is abstain-one-vs-all")
    if name != "square":
        return margin_named(phi)
    hinge = margin_named("squared-hinge")  # of the same slopes where |u| ≤ 1
    return replace(hinge, name=name, value=_square, slope=_square_slope, share=_square_share, exact_slope=_square_exact)


def _size(n: int, cost: RationalLike = "1/2", phi: str = "logistic") -> tuple[int, int]:
    _cost(cost)
    _phi(phi)
    return at_least("n", n, 2), n


@family(
    cite="N. Charoenphakdee, Z. Cui, Y. Zhang, M. Sugiyama, Classification with rejection based on cost-sensitive "
    "classification, ICML 2021",
    latex=r"\psi_y(u) = c \, \varphi(u_y) + (1 - c) \sum_{j \neq y} \varphi(-u_j)",
    preds=("argmax-threshold:tau=0", "argmax", "decide"),
    small=({"n": 2}, {"n": 3, "cost": "1/4"}, {"n": 3, "cost": "2/5"}),
    size=_size,
    fits=by_abstaining,
    verdicts=(
        Published(abstain, "CCC", "Charoenphakdee et al., ICML 2021"),
        Published(abstain, "CCC", "Charoenphakdee et al., ICML 2021", pred="argmax-threshold:tau=0"),
    ),
    formless="the weights differ between the own label and the others",
)
def cost_sensitive_reject(n: int, cost: RationalLike = "1/2", phi: str = "logistic") -> SmoothSurrogate:
    """c φ(u_y) + (1 − c) Σ_{j≠y} φ(−u_j) on R^n for the cost 0 < c < 1 of abstaining; φ by name as in one_vs_all.

    Or φ is "square", (1 − z)². u_y > 0 says that p_y > 1 − c. With s what u_y tells by φ alone, 1/(1 + e^{−u_y}) by the
    logistic loss or (1 + u_y)/2 cut to [0, 1] by the squared hinge, p_y = s(1 − c) / (s(1 − c) + (1 − s)c).

    >>> cost_sensitive_reject(2, "1/4").probabilities([[0, 0]]).tolist()
    [[0.75, 0.75]]
    >>> cost_sensitive_reject(2, "1/4", "squared-hinge").probabilities([[1, -0.5]]).tolist()
    [[1.0, 0.5]]
    """
    c, chosen = _cost(cost), _phi(phi)
    given = (c, chosen.name)
    read, link, threshold = _Probabilities(*given), _Link(*given), _Threshold(*given)
    if chosen.name == "square":
        reading = Reading(read, link, Polyhedron(n), threshold, ordered=True)
        traits = Traits(mean=own_label(n), reading=reading)
    else:
        proper = ProperComposite(read, link, monotone=True, threshold=threshold, separate=True)
        traits = Traits(proper=proper, curved=_curved(c, chosen.name), separate=True)
    exact = None if chosen.exact_slope is None else _ExactSlope(*given)
    shown = "" if chosen.name == "logistic" else f", phi={chosen.name}"
    name = f"cost_sensitive_reject(n={n}, cost={c}{shown})"
    return SmoothSurrogate(name, n, n, _Value(*given), _Slope(*given), traits, exact)


def _curved(c: Fraction, phi: str) -> Curved:
    """By the least second derivative of −H of one score, H(p) = inf c p φ(u) + (1 − c)(1 − p) φ(−u), which is 2/c².

    With W = c p + (1 − c)(1 − p) it is c(1 − c)/(W p(1 − p)) for the logistic loss, 8 (c(1 − c))²/W³ for the squared
    hinge, (1 − c)²/(c p³) and c²/((1 − c)(1 − p)³) on both sides of u = 0 for the smooth hinge, and for exponentials
    √(c(1 − c)) (p(1 − p))^{−3/2}/2 ≥ 4 √(c(1 − c)) ≥ 8 c(1 − c).
    """
    low, high = min(c, 1 - c), max(c, 1 - c)
    least = {
        "logistic": 4 * low,
        "exponential": 8 * c * (1 - c),
        "squared-hinge": 8 * low**2 / high,
        "modified-huber": 8 * low**2 / high,
        "smooth-hinge": low**2 / high,
    }
    return Curved("distance", 2 / least[phi])


@dataclass(frozen=True)
class _Given:
    cost: Fraction
    name: str

    @property
    def phi(self) -> Margin:
        return _phi(self.name)

    @property
    def pair(self) -> tuple[float, float]:
        return float(self.cost), float(1 - self.cost)


class _Value(_Given):
    def __call__(self, U: Array) -> Array:
        own, other = self.pair
        return one_vs_all_values(own * self.phi.value(U), other * self.phi.value(-U))


class _Slope(_Given):
    def __call__(self, U: Array) -> Array:
        own, other = self.pair
        return one_vs_all_slopes(own * self.phi.slope(U), -other * self.phi.slope(-U))


class _ExactSlope(_Given):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        slope, c = self.phi.exact_slope, self.cost
        assert slope is not None
        own, other = [c * slope(x) for x in u], [(c - 1) * slope(-x) for x in u]
        return [[own[j] if j == y else other[j] for j in range(len(u))] for y in range(len(u))]


class _Probabilities(_Given):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        (own, other), told = self.pair, self.phi.share(U)
        share, rest = np.clip(told, 0, 1), np.clip(self.phi.share(-U), 0, 1)  # what −u tells is the rest
        up, down = other * share, own * rest
        result: Array = up / (up + down) + (told - share)  # beyond [0, 1] the square goes on
        return result


class _Link(_Given):
    def __call__(self, p: Array) -> Array:
        own, other = self.pair
        result: Array = self.phi.link(p * own / (p * own + (1 - p) * other))
        return result


class _Threshold(_Given):
    def __call__(self, tau: Fraction) -> Fraction | None:
        s, c = self.phi.exact_share(tau), self.cost  # for the logistic loss rational at 0 alone
        return None if s is None else s * (1 - c) / (s * (1 - c) + (1 - s) * c)
