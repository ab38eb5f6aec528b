"""Two hinges of uneven margins, for two labels with costs."""

from __future__ import annotations

from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.losses import cost_sensitive_binary, zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import zero_diagonal
from lossmith.surrogates.tracing import pos


def _fits(loss: LossMatrix) -> dict[str, Any] | None:
    """The share of the cost under label 1."""
    if loss.n != 2 or not zero_diagonal(loss) or not (loss.entries[0][1] and loss.entries[1][0]):
        return None
    return {"alpha": loss.entries[1][0] / (loss.entries[0][1] + loss.entries[1][0])}


@family(
    cite="C. Scott, Calibrated asymmetric surrogate losses, EJS 2012",
    latex=r"\psi_y(u) = (1-\alpha)(1 - u)_+ \text{ for } 0, \tfrac{\alpha}{\gamma}(1 + \gamma u)_+ \text{ for } 1",
    preds=("sign",),
    small=({"alpha": "1/2"}, {"alpha": "1/3", "gamma": "2"}),
    size=lambda alpha, gamma="2": (2, 1),
    fits=_fits,
    verdicts=(
        Published(zero_one, "C––", "Scott, EJS 2012"),
        Published(cost_sensitive_binary, "C––", "Scott, EJS 2012"),
        Published(cost_sensitive_binary, "C––", "Scott, EJS 2012", pred="sign"),
    ),
)
def uneven_margin_hinge(alpha: RationalLike, gamma: RationalLike = "2") -> PolyhedralSurrogate:
    """(1−α)(1 − u)₊ for label 0 and (α/γ)(1 + γu)₊ for label 1; mistakes cost 1−α and α, 0 < α < 1, and γ > 0.

    The factor 1/γ is needed: without it the slopes at 0 are not those of the costs.

    >>> [str(x) for x in uneven_margin_hinge("1/3")([0])]
    ['2/3', '1/6']
    """
    a = rational_where("alpha", alpha, lambda x: 0 < x < 1, "between 0 and 1")
    g = rational_where("gamma", gamma, lambda x: x > 0, "positive")
    return PolyhedralSurrogate.from_function(
        lambda y, u: a / g * pos(1 + g * u[0]) if y else (1 - a) * pos(1 - u[0]),
        n=2,
        dim=1,
        name=f"uneven_margin_hinge(alpha={a}, gamma={g})",
    )
