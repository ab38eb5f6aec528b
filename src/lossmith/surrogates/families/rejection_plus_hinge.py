"""Two functions, one that decides and one that rejects: the sum of what either does wrong."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_rejecting
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="C. Cortes, G. DeSalvo, M. Mohri, Learning with rejection, ALT 2016",
    latex=r"\psi_y(h, r) = (1 + \tfrac{\alpha}{2} (r - s_y h))_+ + c(1 - \beta r)_+",
    preds=("reject",),
    kind="abstaining",
    small=({"cost": "1/4"}, {"cost": "1/3", "alpha": "2", "beta": "2"}),
    size=lambda cost, alpha="1", beta="1": (2, 2),
    fits=by_rejecting,
    verdicts=(
        Published(abstain_at("1/4"), "C––", "docs/findings.md, 2026"),
        Published(abstain_at("1/4"), "C––", "docs/findings.md, 2026", pred="reject"),
    ),
)
def rejection_plus_hinge(
    cost: RationalLike, alpha: RationalLike = "1", beta: RationalLike = "1"
) -> PolyhedralSurrogate:
    """(1 + (α/2)(r − s_y h))₊ + c(1 − βr)₊ for (h, r) ∈ R², s = 1 for label 0, −1 for label 1.

    α, β > 0 and 0 < c ≤ 1/2. The least over h is 2 min p (1 + αr/2) for r ≥ −2/α, so that it is calibrated if and only
    if α = β; not with the β of `rejection_max_hinge`. h decides where r ≥ 0.

    >>> [str(x) for x in rejection_plus_hinge("1/4")([2, 0])]
    ['1/4', '9/4']
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    a = rational_where("alpha", alpha, lambda x: x > 0, "positive")
    b = rational_where("beta", beta, lambda x: x > 0, "positive")
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 + a / 2 * (u[1] - (-u[0] if y else u[0]))) + c * pos(1 - b * u[1]),
        n=2,
        dim=2,
        name=f"rejection_plus_hinge(cost={c}, alpha={a}, beta={b})",
    )
