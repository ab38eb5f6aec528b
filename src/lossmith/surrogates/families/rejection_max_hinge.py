"""Two functions, one that decides and one that rejects: the largest of what either does wrong."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_rejecting
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _below_half(found: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return found if found is not None and found["cost"] < Fraction(1, 2) else None


@family(
    cite="C. Cortes, G. DeSalvo, M. Mohri, Learning with rejection, ALT 2016",
    latex=r"\psi_y(h, r) = \max\{0,\, 1 + \tfrac{\alpha}{2} (r - s_y h),\, c(1 - \beta r)\}",
    preds=("reject",),
    kind="abstaining",
    small=({"cost": "1/4"}, {"cost": "1/3", "alpha": "3", "beta": "9"}),
    size=lambda cost, alpha="1", beta=None: (2, 2),
    fits=lambda loss: _below_half(by_rejecting(loss)),
    verdicts=(
        Published(abstain_at("1/4"), "C––", "Cortes, DeSalvo, Mohri, ALT 2016"),
        Published(abstain_at("1/4"), "C––", "Cortes, DeSalvo, Mohri, ALT 2016", pred="reject"),
        Published(abstain_at("1/3"), "C––", "Cortes, DeSalvo, Mohri, ALT 2016", pred="reject"),
    ),
)
def rejection_max_hinge(
    cost: RationalLike, alpha: RationalLike = "1", beta: RationalLike | None = None
) -> PolyhedralSurrogate:
    """max{0, 1 + (α/2)(r − s_y h), c(1 − βr)} for (h, r) ∈ R², s = 1 for label 0, −1 for label 1.

    α, β > 0 and 0 < c < 1/2; β is α/(1 − 2c) unless it is given, and with no other it is calibrated. h decides where
    r ≥ 0.

    >>> [str(x) for x in rejection_max_hinge("1/4")([0, 0])], [str(x) for x in rejection_max_hinge("1/4")([2, 0])]
    (['1', '1'], ['1/4', '2'])
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x < 1, "greater than 0 and less than 1/2")
    a = rational_where("alpha", alpha, lambda x: x > 0, "positive")
    b = a / (1 - 2 * c) if beta is None else rational_where("beta", beta, lambda x: x > 0, "positive")
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, 1 + a / 2 * (u[1] - (-u[0] if y else u[0])), c * (1 - b * u[1])),
        n=2,
        dim=2,
        name=f"rejection_max_hinge(cost={c}, alpha={a}, beta={b})",
    )
