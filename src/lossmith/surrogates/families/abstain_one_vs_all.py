"""The one-vs-all hinge for abstaining at any cost up to 1/2."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="H. G. Ramaswamy, A. Tewari, S. Agarwal, Multiclass classification with an abstain option, EJS 2018",
    latex=r"\psi_y(u) = 2\bigl[c(1 - u_y)_+ + (1-c)\textstyle\sum_{j \neq y} (1 + u_j)_+\bigr]",
    preds=("argmax-threshold:tau=0",),
    kind="abstaining",
    small=({"n": 2, "cost": "1/2"}, {"n": 3, "cost": "1/3"}),
    size=lambda n, cost: (at_least("n", n, 2), n),
    fits=by_abstaining,
    verdicts=(Published(abstain, "CCC", "Ramaswamy, Tewari, Agarwal, EJS 2018"),),
)
def abstain_one_vs_all(n: int, cost: RationalLike) -> PolyhedralSurrogate:
    """2[c(1 − u_y)₊ + (1−c) Σ_{j≠y} (1 + u_j)₊] on R^n, for abstaining at cost 0 < c ≤ 1/2.

    Half of it is the cost-sensitive loss of Charoenphakdee, Cui, Zhang & Sugiyama (ICML 2021), with hinges.

    >>> from lossmith.surrogates import one_vs_all_hinge
    >>> abstain_one_vs_all(3, "1/2") == one_vs_all_hinge(3)
    True
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(2 * c * pos(1 - u[j]) if j == y else 2 * (1 - c) * pos(1 + u[j]) for j in range(n)),
        n=n,
        dim=n,
        name=f"abstain_one_vs_all(n={n}, cost={c})",
    )
