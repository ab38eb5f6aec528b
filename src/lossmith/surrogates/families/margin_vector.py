"""A function of the own score where the scores sum to 0: margin vectors, angle-based methods, SAMME."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, at_least, family
from lossmith.losses import top_k, zero_one
from lossmith.surrogates.against_all import own_label
from lossmith.surrogates.centred import centred
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.margins import Margin, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Order, ProperComposite, Together, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(n: int, phi: str = "exponential") -> tuple[int, int]:
    margin_named(phi)
    return at_least("n", n, 2), n


@family(
    cite="H. Zou, J. Zhu, T. Hastie, New multicategory boosting algorithms based on multicategory Fisher-consistent "
    "losses, AOAS 2008; J. Zhu, H. Zou, S. Rosset, T. Hastie, Multi-class AdaBoost, 2009; C. Zhang, Y. Liu, "
    "Multicategory angle-based large-margin classification, Biometrika 2014",
    latex=r"\psi_y(u) = \varphi(u_y - \bar u)",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4, "phi": "squared-hinge"}, {"n": 3, "phi": "logistic"}),
    size=_size,
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "Zou, Zhu, Hastie, AOAS 2008", printed="CCC"),
        Published(top_k, "CCN", "docs/findings.md, 2026"),
    ),
    formless="each score meets the mean of all, so that the curvature is a full matrix",
    aliases=("samme", "angle_based"),
)
def margin_vector(n: int, phi: str = "exponential") -> SmoothSurrogate:
    """φ(u_y − ū) on R^n, where ū is the mean of the scores.

    In print it is Fisher consistent for 0-1, which is meant for p > 0. If a label is impossible, its score may fall
    without cost and lift all others: for n ≥ 3 they are then served together, and argmax may be wrong. The smallest
    score still belongs to the least likely label.

    >>> margin_vector(3, "squared-hinge")([1, 0, -1])
    (0.0, 1.0, 4.0)
    """
    chosen = margin_named(phi)
    units, zeros = own_label(n), ((Fraction(0),) * n,) * n
    if n == 2:
        proper = ProperComposite(_OfTwo(chosen), _LinkOfTwo(chosen), monotone=True)
        traits = Traits(proper=proper, curved=BENDS[chosen.name].of_two_labels())
    else:
        directions = [tuple(Fraction(1 if y != z else 1 - n) for y in range(n)) for z in range(n)]
        without = [tuple(y for y in range(n) if y != z) for z in range(n)]
        together = tuple(Together(labels, way) for labels, way in zip(without, directions, strict=True))
        traits = Traits(order=Order("smallest", units), together=together)
    return centred(f"margin_vector(n={n}, phi={chosen.name})", units, zeros, chosen, traits)


@dataclass(frozen=True)
class _OfTwo:
    phi: Margin

    def __call__(self, U: Array) -> Array:
        import numpy as np

        first = self.phi.share((U[:, 0] - U[:, 1]) / 2)
        return np.stack([first, 1 - first], axis=1)


@dataclass(frozen=True)
class _LinkOfTwo:
    phi: Margin

    def __call__(self, p: Array) -> Array:
        import numpy as np

        result: Array = self.phi.link(p[0]) * np.array([1.0, -1.0])
        return result
