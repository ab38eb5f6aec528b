"""One hinge for each of the two thresholds next to the grade."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.thresholds import domain_of
from lossmith.surrogates.tracing import pos


@family(
    cite="W. Chu, S. S. Keerthi, New approaches to support vector ordinal regression, ICML 2005",
    latex=r"\psi_y(u) = (1 + u_{y-1})_+ + (1 - u_y)_+, \quad u_0 \leq u_1 \leq \dots",
    preds=("sign",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 3, "thresholds": "free"}),
    size=lambda n, thresholds="ordered": (at_least("n", n, 2), n - 1),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CCC", "docs/findings.md, 2026"),
        Published(zero_one, "CNN", "docs/findings.md, 2026", pred="sign"),
        Published(ordinal, "CNN", "docs/findings.md, 2026"),
    ),
    aliases=("svor_exc",),
)
def immediate_threshold_hinge(n: int, thresholds: str = "ordered") -> PolyhedralSurrogate:
    """(1 + u_{y−1})₊ + (1 − u_y)₊, where these thresholds exist, on {u ∈ R^{n−1} : u_0 ≤ u_1 ≤ …}, or on all of it.

    Threshold i lies between the grades i and i + 1. With thresholds="free" they need not be in order.

    >>> [str(x) for x in immediate_threshold_hinge(3)([-1, 1])]
    ['2', '0', '2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[i] if i < y else 1 - u[i]) for i in (y - 1, y) if 0 <= i < n - 1),
        n=n,
        dim=n - 1,
        domain=domain_of(thresholds),
        name=f"immediate_threshold_hinge(n={n}{', thresholds=free' * (thresholds == 'free')})",
    )
