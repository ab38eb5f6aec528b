"""The Crammer–Singer hinge for abstaining at any cost up to 1/2."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="H. G. Ramaswamy, A. Tewari, S. Agarwal, Multiclass classification with an abstain option, EJS 2018",
    latex=r"\psi_y(u) = \max_{j \neq y} \max\{0,\, 2c(u_j - u_y + 1),\, 2(1-c)(u_j - u_y) + 2c\}",
    preds=("argmax-gap:tau=1/2",),
    kind="abstaining",
    small=({"n": 2, "cost": "1/2"}, {"n": 3, "cost": "1/3"}),
    size=lambda n, cost: (at_least("n", n, 2), n),
    fits=by_abstaining,
    verdicts=(Published(abstain, "CCC", "Ramaswamy, Tewari, Agarwal, EJS 2018"),),
)
def abstain_crammer_singer(n: int, cost: RationalLike) -> PolyhedralSurrogate:
    """max{0, 2c(u_j − u_y + 1), 2(1−c)(u_j − u_y) + 2c : j ≠ y} on R^n, for abstaining at cost 0 < c ≤ 1/2.

    >>> from lossmith.surrogates import crammer_singer
    >>> abstain_crammer_singer(3, "1/2") == crammer_singer(3)
    True
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")

    def psi(y: int, u: list[object]) -> object:
        gaps = [u[j] - u[y] for j in range(n) if j != y]  # type: ignore[operator]
        return maximum(0, *(2 * c * (gap + 1) for gap in gaps), *(2 * (1 - c) * gap + 2 * c for gap in gaps))

    return PolyhedralSurrogate.from_function(psi, n=n, dim=n, name=f"abstain_crammer_singer(n={n}, cost={c})")
