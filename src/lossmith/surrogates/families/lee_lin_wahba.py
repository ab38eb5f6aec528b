"""The hinge of Lee, Lin and Wahba: every wrong score is pushed below −1, and scores sum to zero."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="Y. Lee, Y. Lin, G. Wahba, Multicategory support vector machines, JASA 2004",
    latex=r"\psi_y(u) = \sum_{j \neq y} (1 + u_j)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    aliases=("simplex_coded_hinge", "sc_svm"),
    verdicts=(Published(zero_one, "CCC", "Tewari, Bartlett, JMLR 2007"),),
)
def lee_lin_wahba(n: int) -> PolyhedralSurrogate:
    """Σ_{j≠y} (1 + u_j)₊ on {u ∈ R^n : Σ u_j = 0}. On all of R^n it would not be calibrated for anything.

    With u_j = (n − 1)⟨c_j, v⟩, for the corners c_j of a simplex, it is n − 1 times the simplex-coded hinge of Mroueh,
    Poggio, Rosasco & Slotine (NIPS 2012).

    >>> [str(x) for x in lee_lin_wahba(3)([2, -1, -1])]
    ['0', '3', '3']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[j]) for j in range(n) if j != y),
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == 0],
        name=f"lee_lin_wahba(n={n})",
    )
