"""The top-k hinge, smoothed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import zero_one
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.cases import top_two
from lossmith.surrogates.chains import LawOfSlopes
from lossmith.surrogates.families.top_k_entropy import top_k_entropy
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, ProperComposite, Together, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

_MOST_SETS = 200


def _gamma(gamma: RationalLike) -> Fraction:
    return rational_where("gamma", gamma, lambda x: x > 0, "positive")


def _size(n: int, k: int, gamma: RationalLike = 1) -> tuple[int, int]:
    _gamma(gamma)
    if at_least("k", k, 1) >= at_least("n", n, 2):
        raise BadInput(f"k is {k}; it must be less than n = {n}")
    return n, n


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Loss functions for top-k error: analysis and insights, CVPR 2016",
    latex=r"\psi_y(u) = \max_{0 \leq x_j \leq s/k,\; s = \sum x \leq \gamma} \tfrac1\gamma \left(\sum_{j \neq y} x_j "
    r"(1 + u_j - u_y) - \tfrac12 \lVert x \rVert^2\right)",
    preds=("argmax", "top-k"),
    small=({"n": 2, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2, "gamma": 2}),
    size=_size,
    fits=top_k_entropy.fits,
    verdicts=(
        Published(zero_one, "CNN", "docs/findings.md, 2026"),
        Published(top_two, "··C", "docs/beyond-the-paper.md, 2026"),
        Published(top_two, "··C", "docs/beyond-the-paper.md, 2026", pred="top-k"),
    ),
    formless="its curvature is that of a projection, which is no sum over scores",
)
def top_k_hinge_smooth(n: int, k: int, gamma: RationalLike = 1) -> SmoothSurrogate:
    """max_x (Σ_{j≠y} x_j (1 + u_j − u_y) − ‖x‖²/2)/γ over 0 ≤ x_j ≤ s/k, s = Σ x ≤ γ, on R^n, for γ > 0.

    As γ → 0 it tends to `top_k_hinge_alpha`; k = 1 is `smooth_crammer_singer`. For k ≥ 2 any k labels are served
    together where their scores run off, so that it is not calibrated for 0-1. Its k largest scores belong to the k
    likeliest labels: it is right for top-k.

    >>> [round(x, 4) for x in top_k_hinge_smooth(3, 2)([0, 0, 0])]  # x = (1/2, 1/2)
    [0.75, 0.75, 0.75]
    """
    g = _gamma(gamma)
    if k == 1:
        proper = ProperComposite(LawOfSlopes(_Slope(k, float(g))), monotone=True)
        traits = Traits(proper=proper, order=Order("order", own_label(n)))
    else:
        sets = islice(combinations(range(n), k), _MOST_SETS)
        together = tuple(Together(labels, tuple(Fraction(y in labels) for y in range(n))) for labels in sets)
        order = Order("smallest", own_label(n)) if k == n - 1 else Order("first", own_label(n), k)
        traits = Traits(order=order, together=together)
    name = f"top_k_hinge_smooth(n={n}, k={k}, gamma={g})"
    exact = _ExactSlope(k, g) if k == n - 1 else None
    return SmoothSurrogate(name, n, n, _Value(k, float(g)), _Slope(k, float(g)), traits, exact)


@dataclass(frozen=True)
class _Capped:
    k: int
    gamma: float

    def weights(self, U: Array) -> tuple[Array, Array]:
        """For each row and label the margins 1 + u_j − u_y and the best x; x_y = 0."""
        import numpy as np

        n = U.shape[1]
        margins = 1 + U[:, None, :] - U[:, :, None]
        others = np.where(np.eye(n, dtype=bool), -np.inf, margins).reshape(-1, n)
        order = np.argsort(-others, axis=1, kind="stable")
        falling = np.take_along_axis(others, order, axis=1)[:, :-1]  # without the label itself
        x = np.zeros_like(others)
        np.put_along_axis(x, order[:, :-1], self.best(falling), axis=1)
        return margins, x.reshape(-1, n, n)

    def best(self, a: Array) -> Array:
        """The best x for each row of falling margins: some at the cap t = s/k, some at a_j − λ, the others 0.

        Of all such divisions the one that keeps the constraints and has the greatest value is optimal.
        """
        import numpy as np

        found, height = np.zeros_like(a), np.zeros(len(a))
        sums = np.concatenate([np.zeros((len(a), 1)), np.cumsum(a, axis=1)], axis=1)
        for full in range(self.k + 1):
            for middle in range(0 if full == self.k else 1, 1 if full == self.k else a.shape[1] - full + 1):
                top, inner = sums[:, full], sums[:, full + middle] - sums[:, full]
                for t in (self.free(top, inner, full, middle), np.full(len(a), self.gamma / self.k)):
                    level = (inner - (self.k - full) * t) / max(middle, 1)
                    x = np.zeros_like(a)
                    x[:, :full] = t[:, None]
                    x[:, full : full + middle] = a[:, full : full + middle] - level[:, None]
                    slack = 1e-12 * (1 + abs(t))[:, None]
                    fits = ((x >= -slack) & (x <= t[:, None] + slack)).all(axis=1) & (
                        self.k * t <= self.gamma * (1 + 1e-12)
                    )
                    value = (x * a - x * x / 2).sum(axis=1)
                    better = fits & (value > height)
                    found[better], height[better] = np.maximum(x[better], 0), value[better]
        return found

    def free(self, top: Array, inner: Array, full: int, middle: int) -> Array:
        """The cap where Σ x ≤ γ does not bind."""
        if full == self.k:
            return top / self.k
        rest = self.k - full
        result: Array = (rest * inner + middle * top) / (rest * rest + middle * full)
        return result


class _Value(_Capped):
    def __call__(self, U: Array) -> Array:
        margins, x = self.weights(U)
        result: Array = (x * margins - x * x / 2).sum(axis=2) / self.gamma
        return result


class _Slope(_Capped):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        x = self.weights(U)[1] / self.gamma
        result: Array = x - x.sum(axis=2)[:, :, None] * np.eye(U.shape[1])
        return result


@dataclass(frozen=True)
class _ExactSlope:
    """For k = n − 1, where all others have the same x = s/k: s is k times their mean margin, between 0 and γ."""

    k: int
    gamma: Fraction

    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        found = []
        for y, own in enumerate(u):
            total = sum((1 + x - own for j, x in enumerate(u) if j != y), Fraction(0))
            rate = min(max(total, Fraction(0)), self.gamma) / self.gamma
            found.append([-rate if j == y else rate / self.k for j in range(len(u))])
        return found
