"""The hinge of Lee, Lin and Wahba, bent at 0, for abstaining and for leaving labels open."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import cost_of_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _by_slope(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The one that abstains at this cost where the other labels are equally probable: a = 1/c − 1/(n−1)."""
    cost = cost_of_abstaining(loss)
    return None if cost is None or loss.n < 2 else {"n": loss.n, "slope": 1 / cost - Fraction(1, loss.n - 1)}


@family(
    cite="C. Zhang, W. Wang, X. Qiao, On reject and refine options in multicategory classification, JASA 2018",
    latex=r"\psi_y(u) = \sum_{j \neq y} \max\{0,\, 1 + u_j,\, 1 + a u_j\}, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax-threshold:tau=1/2",),
    kind="abstaining",
    small=({"n": 2, "slope": "3"}, {"n": 3, "slope": "5/2"}),
    size=lambda n, slope: (at_least("n", n, 2), n),
    fits=_by_slope,
    verdicts=(
        Published(abstain, "C··", "Bartlett, Wegkamp, JMLR 2008"),
        Published(abstain_at("1/4"), "C··", "Bartlett, Wegkamp, JMLR 2008", pred="argmax-threshold:tau=1/2"),
        Published(abstain, "·NN", "docs/findings.md, 2026"),
        Published(abstain_at("1/4"), "·NN", "docs/findings.md, 2026"),
    ),
)
def bent_simplex_hinge(n: int, slope: RationalLike) -> PolyhedralSurrogate:
    """Σ_{j≠y} max{0, 1 + u_j, 1 + a u_j} on {u ∈ R^n : Σ u_j = 0}; slope a ≥ 1.

    In print u_j is ⟨c_j, v⟩ for the corners c_j of a simplex; abstain where all of them are near 0, and leave a label
    open where its own is. Of two labels it is `bartlett_wegkamp` with a = (1−c)/c; unbent, a = 1, `lee_lin_wahba`.

    >>> from lossmith.surrogates import bartlett_wegkamp, lee_lin_wahba
    >>> bent_simplex_hinge(2, 3)([2, -2]) == bartlett_wegkamp("1/4")([2]), bent_simplex_hinge(3, 1) == lee_lin_wahba(3)
    (True, True)
    """
    a = rational_where("slope", slope, lambda x: x >= 1, "at least 1")
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(maximum(0, 1 + x, 1 + a * x) for j, x in enumerate(u) if j != y),
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == 0],
        name=f"bent_simplex_hinge(n={n}, slope={a})",
    )
