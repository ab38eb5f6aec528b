"""The top-k hinge, which takes the mean of the k largest violations after it cuts them at 0."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.sets_of_labels import labels_and_scores
from lossmith.surrogates.tracing import maximum, sum_largest


@family(
    cite="M. Lapin, M. Hein, B. Schiele, Top-k multiclass SVM, NIPS 2015",
    latex=r"\psi_y(u) = \tfrac1k \textstyle\sum_{i=1}^k \bigl((u + 1 - e_y)_{(i)} - u_y\bigr)_+",
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
def top_k_hinge_beta(n: int, k: int) -> PolyhedralSurrogate:
    """Mean of the k largest among (1 + u_j − u_y)₊, j ≠ y, and 0, on R^n, for sets of k of n labels.

    >>> [str(x) for x in top_k_hinge_beta(3, 2)([1, 0, 0])]
    ['0', '3/2', '3/2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: maximum(
            *(sum_largest([x + (j != y) - u[y] for j, x in enumerate(u)], m) / k for m in range(1, k + 1)), 0
        ),
        n=n,
        dim=n,
        name=f"top_k_hinge_beta(n={n}, k={k})",
    )
