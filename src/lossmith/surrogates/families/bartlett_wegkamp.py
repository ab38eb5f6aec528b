"""The bent hinge of two labels, for abstaining."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_rejecting
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="P. L. Bartlett, M. H. Wegkamp, Classification with a reject option using a hinge loss, JMLR 2008",
    latex=r"\psi_y(u) = \max\{0,\, 1 - s_y u,\, 1 - \tfrac{1-c}{c} s_y u\}",
    preds=("sign-code:tau=1/2",),
    kind="abstaining",
    small=({"cost": "1/2"}, {"cost": "1/4"}),
    size=lambda cost: (2, 1),
    fits=by_rejecting,
    verdicts=(
        Published(abstain, "C––", "Bartlett, Wegkamp, JMLR 2008"),
        Published(abstain_at("1/4"), "C––", "Bartlett, Wegkamp, JMLR 2008", pred="sign-code:tau=1/2"),
    ),
    aliases=("double_hinge",),
)
def bartlett_wegkamp(cost: RationalLike) -> PolyhedralSurrogate:
    """max{0, 1 − s_y u, 1 − ((1−c)/c) s_y u} for u ∈ R, with s = 1 for label 0 and −1 for label 1; 0 < c ≤ 1/2.

    It is `binary_encoded` of two labels, divided by 2c. The double hinge of Grandvalet, Rakotomamonjy, Keshet &
    Canu (NIPS 2008) with thresholds c and 1 − c is H(c) times this at uc/H(c), H the entropy.

    >>> [str(x) for x in bartlett_wegkamp("1/4")(["1/2"])]
    ['1/2', '5/2']
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    a = (1 - c) / c
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, *(1 + slope * (u[0] if y else -u[0]) for slope in (1, a))),
        n=2,
        dim=1,
        name=f"bartlett_wegkamp(cost={c})",
    )
