"""Labels that are sets of candidates: a hinge of their mean score, and one for every other class."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lossmith.families import Published, at_least, family
from lossmith.surrogates.cases import by_sets, sets_of
from lossmith.surrogates.fitting import by_candidates
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="T. Cour, B. Sapp, B. Taskar, Learning from partial labels, JMLR 2011",
    latex=r"\psi_y(u) = \bigl(1 - \tfrac{1}{|y|} \textstyle\sum_{j \in y} u_j\bigr)_+ + \sum_{j \notin y} (1 + u_j)_+",
    preds=("argmax",),
    small=({"classes": 2}, {"classes": 3}),
    size=lambda classes: (2 ** at_least("classes", classes, 2) - 1, classes),
    fits=by_candidates,
    verdicts=(Published(by_sets, "·N·", "docs/findings.md, 2026"),),
    aliases=("clpl",),
)
def partial_label_hinge(classes: int) -> PolyhedralSurrogate:
    """(1 − mean of u_j, j ∈ y)₊ + Σ_{j∉y} (1 + u_j)₊ on R^m; labels y are the non-empty sets of m classes.

    Small sets come first.

    >>> [str(x) for x in partial_label_hinge(2)([1, -1])]    # {0}, {1}, {0, 1}
    ['0', '4', '1']
    """
    sets = sets_of(classes)

    def psi(y: int, u: list[Any]) -> Any:
        mean = sum(Fraction(1, len(sets[y])) * u[j] for j in sets[y])
        return pos(1 - mean) + sum(pos(1 + u[j]) for j in range(classes) if j not in sets[y])

    return PolyhedralSurrogate.from_function(
        psi, n=len(sets), dim=classes, name=f"partial_label_hinge(classes={classes})"
    )
