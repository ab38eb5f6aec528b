"""Absolute margins, all of them added: the hinge of one against all, with scores that sum to zero."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import abstain, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="Ü. Doğan, T. Glasmachers, C. Igel, A unified view on multi-class support vector classification, JMLR 2016",
    latex=r"\psi_y(u) = (1 - u_y)_+ + \sum_{j \neq y} (1 + u_j)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CCN", "docs/findings.md, 2026"),
        Published(zero_one, "CCN", "docs/findings.md, 2026", pred="argmax"),
        Published(abstain, "·NN", "docs/findings.md, 2026"),
    ),
    aliases=("ats",),
)
def total_sum_hinge(n: int) -> PolyhedralSurrogate:
    """(1 − u_y)₊ + Σ_{j≠y} (1 + u_j)₊ on {u ∈ R^n : Σ u_j = 0}; on all of R^n it is `one_vs_all_hinge`.

    In the names of its authors: ATS, absolute margins and the sum over all labels. Often it is called ATM.

    >>> [str(x) for x in total_sum_hinge(3)([2, -1, -1])]
    ['0', '5', '5']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - u[j] if j == y else 1 + u[j]) for j in range(n)),
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == 0],
        name=f"total_sum_hinge(n={n})",
    )
