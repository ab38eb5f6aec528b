"""A function of the margin of two labels; small margins abstain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossmith.families import Published, family
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_rejecting
from lossmith.surrogates.margins_per_bit import margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares_per_bit import margin_or_square, squares_per_bit

_YUAN = "Yuan, Wegkamp, JMLR 2010"


def _size(phi: str = "squared-hinge") -> tuple[int, int]:
    margin_or_square(phi)
    return 2, 1


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one of two labels, where a decision is to abstain, whatever that costs."""
    return None if by_rejecting(loss) is None else {}


@family(
    cite="M. Yuan, M. Wegkamp, Classification methods with reject option based on convex risk minimization, JMLR 2010",
    latex=r"\psi_y(u) = \varphi(s_y u)",
    preds=("decide", "sign-code:tau=1/2"),
    kind="abstaining",
    small=({}, {"phi": "smooth-hinge"}, {"phi": "logistic"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(abstain_at("1/4"), "C––", _YUAN),
        Published(abstain_at("1/4"), "C––", _YUAN, pred="sign-code:tau=1/2"),
        Published(abstain_at("1/3"), "N––", _YUAN, pred="sign-code:tau=1/2"),
    ),
)
def reject_margin(phi: str = "squared-hinge") -> SmoothSurrogate:
    """φ(s_y u) for u ∈ R, with s = 1 for label 0 and −1 for label 1; φ by name as in one_vs_all, also "square".

    Abstaining where |u| ≤ δ is right for the cost c if and only if c = φ′(δ)/(φ′(δ) + φ′(−δ)): δ = 1 − 2c for the
    square, squared hinge and modified Huber, (1 − 2c)/(1 − c) for the smooth hinge, log((1−c)/c) for the logistic loss
    and half of that for the exponential; "decide" does so for every φ and c.

    >>> reject_margin()([0.5]), reject_margin().estimates([[0.5]]).tolist()
    ((0.25, 2.25), [[0.75]])
    """
    chosen, bits = margin_or_square(phi), ((1,), (0,))
    if chosen is None:
        return squares_per_bit("reject_margin(phi=square)", bits)
    return margin_per_bit(f"reject_margin(phi={chosen.name})", bits, chosen)
