"""A linear surrogate of top-k loss, on the hull of the indicators of k labels."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.sets_of_labels import labels_and_scores


@family(
    cite="thm:ccdim-upper-bound",
    latex=r"\psi_y(u) = 1 - u_y, \quad 0 \leq u \leq 1, \; \textstyle\sum_j u_j = k",
    preds=("top-k",),
    kind="top-k",
    small=({"n": 3, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=labels_and_scores,
    fits=by_sets_of_labels,
    verdicts=(
        Published(zero_one, "CCC", "docs/findings.md, 2026"),
        Published(top_two, "··C", "docs/findings.md, 2026", pred="top-k"),
        Published(all_but_one, "·CC", "docs/findings.md, 2026", pred="top-k"),
    ),
)
def top_k_hypersimplex(n: int, k: int) -> PolyhedralSurrogate:
    """1 − u_y on {u ∈ [0, 1]^n : Σ u_j = k}, for sets of k of n labels.

    >>> [str(x) for x in top_k_hypersimplex(3, 2)([1, 1, 0])]
    ['0', '0', '1']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: 1 - u[y],
        n=n,
        dim=n,
        domain=lambda u: [sum(u) == k, *(x >= 0 for x in u), *(x <= 1 for x in u)],
        name=f"top_k_hypersimplex(n={n}, k={k})",
    )
