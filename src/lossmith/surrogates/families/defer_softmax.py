"""Softmax with a score of its own for deferring to an expert."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import by_experts
from lossmith.surrogates.cross_entropies import cross_entropy
from lossmith.surrogates.smooth import SmoothSurrogate


def _alpha(alpha: RationalLike) -> Fraction:
    return rational_where("alpha", alpha, lambda x: x >= 0, "at least 0")


def _size(n: int, alpha: RationalLike = 1) -> tuple[int, int]:
    _alpha(alpha)
    return 2 * at_least("n", n, 2), n + 1


def _fits(loss: LossMatrix) -> dict[str, Any] | None:
    return {"n": loss.n // 2} if loss.n % 2 == 0 and loss.n >= 4 else None


@family(
    cite="H. Mozannar, D. Sontag, Consistent estimators for learning to defer to an expert, ICML 2020",
    latex=r"\psi_{y,b}(u) = (1 - b + \alpha b) \, \ell_y(u) + b \, \ell_{n+1}(u), \quad "
    r"\psi_y(u) = \psi_{y,b}(u), \; \ell_j(u) = \log \sum_i e^{u_i} - u_j",
    preds=("decide",),
    small=({"n": 2}, {"n": 3}, {"n": 2, "alpha": "1/2"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020"),
        Published(by_experts, "··C", "Mozannar, Sontag, ICML 2020", pred="argmax"),
    ),
)
def defer_softmax(n: int, alpha: RationalLike = 1) -> SmoothSurrogate:
    """Softmax on n + 1 scores for the labels of the loss `defer`: y is true, and the expert right (b = 1), or wrong.

    The true label has the weight 1, or α if the expert is right, and then deferring has the weight 1. With α = 1
    softmax(u) tells (p, P(b = 1)), normalised, so that the largest score is right for 0-1 loss with deferral.

    >>> [round(x, 4) for x in defer_softmax(2)([0, 0, 0])]  # 2 log 3, log 3, 2 log 3, log 3
    [2.1972, 1.0986, 2.1972, 1.0986]
    """
    a = _alpha(alpha)
    rows = tuple(
        (*((1 - b + a * b) * Fraction(j == y) for j in range(n)), Fraction(b)) for y in range(n) for b in (1, 0)
    )
    return cross_entropy(f"defer_softmax(n={n}, alpha={a})", rows)
