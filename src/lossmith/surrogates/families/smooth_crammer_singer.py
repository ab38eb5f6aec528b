"""The maximum of margins, smoothed: a Crammer–Singer surrogate that tells all probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import top_k
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.chains import LawOfSlopes
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.projections import below_simplex, exactly_below_simplex
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, Order, ProperComposite, Traits, TwoScores

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(n: int, gamma: RationalLike = 1) -> tuple[int, int]:
    rational_where("gamma", gamma, lambda x: x > 0, "positive")
    return at_least("n", n, 2), n


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Analysis and optimization of loss functions for multiclass, top-k, and "
    "multilabel classification, PAMI 2018",
    latex=r"\psi_y(u) = \max_{x \geq 0,\, \sum x \leq 1} \sum_{j \neq y} x_j (1 + u_j - u_y) - "
    r"\tfrac{\gamma}{2} \lVert x \rVert^2",
    preds=("decide", "argmax"),
    small=({"n": 2}, {"n": 3, "gamma": "1/2"}, {"n": 4}),
    size=_size,
    fits=by_labels,
    verdicts=(
        Published(None, "CCC", "docs/beyond-the-paper.md, 2026"),
        Published(top_k, "CCC", "Lapin, Hein, Schiele, PAMI 2018"),
    ),
    formless="its curvature is that of a projection, which is no sum over scores",
)
def smooth_crammer_singer(n: int, gamma: RationalLike = 1) -> SmoothSurrogate:
    """max_x Σ_{j≠y} x_j (1 + u_j − u_y) − γ‖x‖²/2 over x ≥ 0 with Σ x ≤ 1, on R^n, for γ > 0.

    Strictly proper composite, so right for every loss, which the Crammer–Singer surrogate itself (γ = 0) is not: where
    the risk is least, p is the stationary law of the chain whose rates are the best x (docs/beyond-the-paper.md).

    >>> smooth_crammer_singer(2)([0, 0]), smooth_crammer_singer(2)([1, 0])
    ((0.5, 0.5), (0.0, 1.5))
    >>> smooth_crammer_singer(3).probabilities([[1, 0.5, 0]]).round(4).tolist()
    [[0.6667, 0.3333, 0.0]]
    """
    g = rational_where("gamma", gamma, lambda x: x > 0, "positive")
    proper = ProperComposite(LawOfSlopes(_Slope(g)), monotone=True)
    order = Order("order", own_label(n))
    traits = Traits(proper=proper, order=order, curved=_curved(n, g), two_scores=_two_scores(n, g))
    return SmoothSurrogate(
        f"smooth_crammer_singer(n={n}, gamma={g})", n, n, _Value(g), _Slope(g), traits, _ExactSlope(g)
    )


def _curved(n: int, gamma: Fraction) -> Curved:
    """c² = 2 (n − 1)/(γ m²) times the span of d, with m the least rate at which two of its chains meet."""
    meeting = min(Fraction(1), 2 / gamma) if n == 2 else min(Fraction(1), 1 / gamma) / (n - 1)
    halves = None if gamma < 1 else Fraction(1) if gamma == 1 else 2 * gamma
    return Curved("span", 2 * (n - 1) / (gamma * meeting**2), halves)


def _two_scores(n: int, gamma: Fraction) -> TwoScores:
    """c² = 2 (n + 2)/(γ m²) with m = min(1, 1/γ), and a quarter of that for two labels, where γ ≥ 1 needs it."""
    above = (2 if n == 2 else 2 * (n + 2)) / (gamma * min(Fraction(1), 1 / gamma) ** 2)
    if gamma > 1:
        return TwoScores(2 * gamma, above, "halves", strict=False)
    return TwoScores(2 / (2 - gamma), above, "sure", strict=False)


@dataclass(frozen=True)
class _Smoothed:
    gamma: Fraction

    def weights(self, U: Array) -> tuple[Array, Array]:
        """For each row and label the margins 1 + u_j − u_y and the best x; x_y = 0."""
        import numpy as np

        n = U.shape[1]
        margins = 1 + U[:, None, :] - U[:, :, None]
        others = np.where(np.eye(n, dtype=bool), -1.0, margins / float(self.gamma))  # −1 is projected on 0
        return margins, below_simplex(others.reshape(-1, n)).reshape(-1, n, n)


class _Value(_Smoothed):
    def __call__(self, U: Array) -> Array:
        margins, x = self.weights(U)
        result: Array = (x * margins - float(self.gamma) / 2 * x * x).sum(axis=2)
        return result


class _Slope(_Smoothed):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        x = self.weights(U)[1]
        result: Array = x - x.sum(axis=2)[:, :, None] * np.eye(U.shape[1])
        return result


class _ExactSlope(_Smoothed):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        found = []
        for y, own in enumerate(u):
            others = tuple((1 + x - own) / self.gamma for j, x in enumerate(u) if j != y)
            row = exactly_below_simplex(others)
            row.insert(y, -sum(row, Fraction(0)))
            found.append(row)
        return found
