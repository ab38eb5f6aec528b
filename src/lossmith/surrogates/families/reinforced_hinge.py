"""The reinforced hinge: a mixture of the naive one and that of Lee, Lin and Wahba."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="Y. Liu, M. Yuan, Reinforced multicategory support vector machines, JCGS 2011",
    latex=r"\psi_y(u) = \gamma (n-1-u_y)_+ + (1-\gamma) \sum_{j \neq y} (1 + u_j)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 3, "gamma": "3/5"}),
    size=lambda n, gamma="1/2": (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CCC", "Liu, Yuan, JCGS 2011"),
        Published(zero_one, "CCC", "Liu, Yuan, JCGS 2011", pred="argmax"),
    ),
    aliases=("ramsvm",),
)
def reinforced_hinge(n: int, gamma: RationalLike = "1/2") -> PolyhedralSurrogate:
    """γ(n − 1 − u_y)₊ + (1−γ) Σ_{j≠y} (1 + u_j)₊ on {u ∈ R^n : Σ u_j = 0}; 0 ≤ γ ≤ 1.

    γ = 0 is `lee_lin_wahba`, γ = 1 a multiple of `naive_hinge` at u/(n − 1). For 0-1 loss and n ≥ 3 it is calibrated up
    to γ = 1/2 and no further. With angles between f and the corners of a simplex in place of u_j it is RAMSVM.

    >>> from lossmith.surrogates import lee_lin_wahba
    >>> reinforced_hinge(3, 0) == lee_lin_wahba(3), [str(x) for x in reinforced_hinge(3)([2, -1, -1])]
    (True, ['0', '3', '3'])
    """
    g = rational_where("gamma", gamma, lambda x: 0 <= x <= 1, "between 0 and 1")
    return PolyhedralSurrogate.from_function(
        lambda y, u: g * pos(n - 1 - u[y]) + (1 - g) * sum(pos(1 + u[j]) for j in range(n) if j != y),
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == 0],
        name=f"reinforced_hinge(n={n}, gamma={g})",
    )
