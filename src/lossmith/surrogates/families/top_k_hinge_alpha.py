"""The top-k hinge, which takes the mean of the k largest violations before it cuts at 0."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.sets_of_labels import labels_and_scores
from lossmith.surrogates.tracing import pos, sum_largest


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Top-k multiclass SVM, NIPS 2015",
    latex=r"\psi_y(u) = \bigl(\tfrac1k \textstyle\sum_{i=1}^k (u + 1 - e_y)_{(i)} - u_y\bigr)_+",
    preds=("top-k",),
    kind="top-k",
    small=({"n": 3, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=labels_and_scores,
    fits=by_sets_of_labels,
    verdicts=(
        Published(zero_one, "CNN", "Yang, Koyejo, ICML 2020"),
        Published(top_two, "··N", "Yang, Koyejo, ICML 2020"),
        Published(all_but_one, "·NN", "Yang, Koyejo, ICML 2020"),
    ),
)
def top_k_hinge_alpha(n: int, k: int) -> PolyhedralSurrogate:
    """(mean of the k largest among u_j + 1, j ≠ y, and u_y, less u_y)₊ on R^n, for sets of k of n labels.

    >>> [str(x) for x in top_k_hinge_alpha(3, 2)([1, 0, 0])]
    ['0', '3/2', '3/2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(sum_largest([x + (j != y) for j, x in enumerate(u)], k) / k - u[y]),
        n=n,
        dim=n,
        name=f"top_k_hinge_alpha(n={n}, k={k})",
    )
