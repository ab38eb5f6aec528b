"""The top-k hinge, smoothed."""

from __future__ import annotations

from collections.abc import Iterator
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
from lossmith.surrogates.families.smooth_crammer_singer import smooth_crammer_singer
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
        same = smooth_crammer_singer(n, g).traits
        traits = Traits(proper=proper, order=same.order, curved=same.curved, two_scores=same.two_scores)
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
        for full in range(self.k + 1):
            for t, level, value in self.divided(a, full):
                best = value.argmax(axis=1)[:, None]
                most, cap, low = (np.take_along_axis(each, best, axis=1) for each in (value, t, level))
                x = np.zeros_like(a)
                x[:, :full] = cap
                if full < self.k:
                    taken = np.arange(a.shape[1] - full) <= best
                    x[:, full:] = np.where(taken, np.maximum(a[:, full:] - low, 0), 0)
                better = most[:, 0] > height
                found[better], height[better] = x[better], most[better, 0]
        return found

    def divided(self, a: Array, full: int) -> Iterator[tuple[Array, Array, Array]]:
        """With so many at the cap and 1, 2, … in the middle: t, λ and the value, −∞ where they do not keep to limits.

        Sums over the middle are those of differences from its first, so that nothing is lost where margins are large.
        """
        import numpy as np

        rest, top = self.k - full, a[:, :full].sum(axis=1, keepdims=True)
        first = a[:, full : full + 1] if rest else np.zeros_like(top)
        below = a[:, full:] - first if rest else np.zeros_like(top)
        count = np.arange(1, below.shape[1] + 1)
        sums, squares = np.cumsum(below, axis=1), np.cumsum(below * below, axis=1)
        free = (rest * (count * first + sums) + count * top) / (rest * rest + count * full)
        for t in (free, np.full_like(free, self.gamma / self.k)):
            depth = (sums - rest * t) / count  # of λ below the first
            square = squares - 2 * depth * sums + count * depth * depth
            value = t * top - full * t * t / 2 + (first + depth) * rest * t + square / 2
            slack = 1e-12 * (1 + abs(t))
            fits = (t >= -slack) & (self.k * t <= self.gamma * (1 + 1e-12))
            if rest:
                fits &= (-depth <= t + slack) & (below - depth >= -slack)
            yield t, first + depth, np.where(fits, value, -np.inf)


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
