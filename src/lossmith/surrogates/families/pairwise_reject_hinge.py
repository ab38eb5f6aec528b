"""Hinges of pairs of labels, each with the score of not rejecting as its margin."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import abstain
from lossmith.surrogates.cases import abstain_at
from lossmith.surrogates.fitting import by_abstaining
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="C. Ni, N. Charoenphakdee, J. Honda, M. Sugiyama, Calibration of classification with rejection, NeurIPS 2019",
    latex=r"\psi_y(u, r) = \sum_{j \neq y} (1 - u_y + u_j + r)_+ + c (1 - \beta r)_+",
    preds=("reject",),
    kind="abstaining",
    small=({"n": 2, "cost": "1/2"}, {"n": 3, "cost": "1/4"}),
    size=lambda n, cost, beta="1": (at_least("n", n, 2), n + 1),
    fits=by_abstaining,
    verdicts=(
        Published(abstain, "·N·", "docs/findings.md, 2026"),
        Published(abstain_at("1/4"), "·N·", "docs/findings.md, 2026"),
    ),
    aliases=("pairwise_reject", "apc_hinge", "apc"),
)
def pairwise_reject_hinge(n: int, cost: RationalLike, beta: RationalLike = "1") -> PolyhedralSurrogate:
    """Σ_{j≠y} (1 − u_y + u_j + r)₊ + c(1 − βr)₊ for (u, r) ∈ R^{n+1}; abstain where r < 0; β > 0, 0 < c ≤ 1/2.

    It is the additive loss of its authors with the hinge; they show that no differentiable one is calibrated for n > 2.

    >>> [str(x) for x in pairwise_reject_hinge(3, "1/4")([1, 0, 0, 0])]
    ['1/4', '13/4', '13/4']
    """
    c = rational_where("cost", cost, lambda x: 0 < 2 * x <= 1, "greater than 0 and at most 1/2")
    b = rational_where("beta", beta, lambda x: x > 0, "positive")
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - u[y] + u[j] + u[n]) for j in range(n) if j != y) + c * pos(1 - b * u[n]),
        n=n,
        dim=n + 1,
        name=f"pairwise_reject_hinge(n={n}, cost={c}, beta={b})",
    )
