"""The hinge of the label against the mean of the k largest other scores."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.sets_of_labels import labels_and_scores
from lossmith.surrogates.tracing import pos, sum_largest


@family(
    cite="F. Yang, S. Koyejo, On the consistency of top-k surrogate losses, ICML 2020",
    latex=r"\psi_y(u) = \bigl(1 + \tfrac1k \textstyle\sum_{i=1}^k (u_{\setminus y})_{(i)} - u_y\bigr)_+",
    preds=("top-k",),
    kind="top-k",
    small=({"n": 3, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=labels_and_scores,
    fits=by_sets_of_labels,
    verdicts=(
        Published(zero_one, "CNN", "Yang, Koyejo, ICML 2020"),
        Published(top_two, "··N", "Yang, Koyejo, ICML 2020"),
        Published(all_but_one, "·CC", "Yang, Koyejo, ICML 2020", printed="·NN"),
        Published(all_but_one, "·CC", "Yang, Koyejo, ICML 2020", pred="top-k", printed="·NN"),
    ),
    aliases=("top_k_psi4",),
)
def top_k_hinge_averaged(n: int, k: int) -> PolyhedralSurrogate:
    """(1 + mean of the k largest u_j, j ≠ y, − u_y)₊ on R^n, for sets of k of n labels.

    With k = n − 1 it is `naive_hinge` of scores less their mean, times n/(n − 1), and calibrated.

    >>> [str(x) for x in top_k_hinge_averaged(3, 2)([1, 0, 0])]
    ['0', '3/2', '3/2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 + sum_largest([x for j, x in enumerate(u) if j != y], k) / k - u[y]),
        n=n,
        dim=n,
        name=f"top_k_hinge_averaged(n={n}, k={k})",
    )
