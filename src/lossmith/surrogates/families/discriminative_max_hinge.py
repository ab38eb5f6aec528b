"""Absolute margins, the largest violation among the other labels, and scores that sum to zero."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


@family(
    cite="Ü. Doğan, T. Glasmachers, C. Igel, A unified view on multi-class support vector classification, JMLR 2016",
    latex=r"\psi_y(u) = \max_{j \neq y} (1 + u_j)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(Published(zero_one, "CNN", "docs/findings.md, 2026"),),
    aliases=("adm", "amo"),
)
def discriminative_max_hinge(n: int) -> PolyhedralSurrogate:
    """max_{j≠y} (1 + u_j)₊ on {u ∈ R^n : Σ u_j = 0}; in the names of its authors ADM.

    >>> [str(x) for x in discriminative_max_hinge(3)([2, -1, -1])]
    ['0', '3', '3']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, *(1 + u[j] for j in range(n) if j != y)),
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == 0],
        name=f"discriminative_max_hinge(n={n})",
    )
