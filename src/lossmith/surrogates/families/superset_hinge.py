"""Labels that are sets of candidates: every class that is none of them is pushed down."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.surrogates.cases import by_sets, sets_of
from lossmith.surrogates.fitting import by_candidates
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="B. Á. Pires, C. Szepesvári, M. Ghavamzadeh, Cost-sensitive multiclass classification risk bounds, ICML 2013",
    latex=r"\psi_y(u) = \sum_{j \notin y} (1 + u_j)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"classes": 2}, {"classes": 3}),
    size=lambda classes: (2 ** at_least("classes", classes, 2) - 1, classes),
    fits=by_candidates,
    verdicts=(
        Published(by_sets, "·C·", "Pires, Szepesvári, Ghavamzadeh, ICML 2013"),
        Published(by_sets, "·C·", "Pires, Szepesvári, Ghavamzadeh, ICML 2013", pred="argmax"),
    ),
)
def superset_hinge(classes: int) -> PolyhedralSurrogate:
    """Σ_{j∉y} (1 + u_j)₊ on {u ∈ R^m : Σ u_j = 0}; labels y are the non-empty sets of m classes, small first.

    It is `cost_weighted_hinge` of the loss that is 1 if a class is not in the set, and so calibrated for it.

    >>> [str(x) for x in superset_hinge(2)([1, -1])]    # {0}, {1}, {0, 1}
    ['0', '2', '0']
    """
    sets = sets_of(classes)
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum((pos(1 + u[j]) for j in range(classes) if j not in sets[y]), 0),
        n=len(sets),
        dim=classes,
        domain=lambda u: [sum(u) == 0],
        name=f"superset_hinge(classes={classes})",
    )
