"""The naive hinge: the score of the label is pushed above 1, and scores sum to zero."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.cases import all_but_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="Y. Liu, Fisher consistency of multicategory support vector machines, AISTATS 2007; Y. Mroueh, T. Poggio, L. "
    "Rosasco, J.-J. Slotine, Multiclass learning with simplex coding, NIPS 2012 (SH-SVM)",
    latex=r"\psi_y(u) = (1 - u_y)_+, \quad \textstyle\sum_j u_j = 0",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "Liu, AISTATS 2007"),
        Published(ordinal, "·NN", "docs/findings.md, 2026"),
        Published(all_but_one, "·CC", "docs/findings.md, 2026"),
    ),
    aliases=("maximum_margin_regression", "mmr", "sh_svm"),
)
def naive_hinge(n: int) -> PolyhedralSurrogate:
    """(1 − u_y)₊ on {u ∈ R^n : Σ u_j = 0}. It tells the label to exclude, not the one to choose.

    >>> [str(x) for x in naive_hinge(3)([2, -1, -1])]
    ['0', '2', '2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 - u[y]), n=n, dim=n, domain=lambda u: [sum(u) == 0], name=f"naive_hinge(n={n})"
    )
