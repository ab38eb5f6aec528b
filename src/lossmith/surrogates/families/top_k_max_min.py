"""The surrogate of top-k loss that is made from its least risk."""

from __future__ import annotations

from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.cases import all_but_one, top_two
from lossmith.surrogates.fitting import by_sets_of_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.sets_of_labels import labels_and_scores
from lossmith.surrogates.tracing import maximum, sum_largest


@family(
    cite="J. Finocchiaro, R. Frongillo, E. Goodwill, A. Thilagar, Polyhedral surrogates for top-k, 2022",
    latex=r"\psi_y(u) = 1 - u_y + \max\bigl\{u_{(1)} - 1,\, \max_{m > k} (u_{(1)} + \dots + u_{(m)} - k) / m\bigr\}",
    preds=("top-k",),
    kind="top-k",
    small=({"n": 3, "k": 1}, {"n": 3, "k": 2}, {"n": 4, "k": 2}),
    size=labels_and_scores,
    fits=by_sets_of_labels,
    verdicts=(
        Published(zero_one, "CCC", "Finocchiaro et al., 2022"),
        Published(top_two, "··C", "Finocchiaro et al., 2022", pred="top-k"),
        Published(all_but_one, "·CC", "Finocchiaro et al., 2022"),
        Published(all_but_one, "·CC", "Finocchiaro et al., 2022", pred="top-k"),
    ),
)
def top_k_max_min(n: int, k: int) -> PolyhedralSurrogate:
    """1 − u_y + max{u_(1) − 1, (sum of the m largest u_j − k)/m for m > k} on R^n, for sets of k of n labels.

    It is `max_min_margin` of top-k loss; with k = 1 it is `adversarial_zero_one`.

    >>> [str(x) for x in top_k_max_min(3, 2)([1, 1, 0])]
    ['0', '0', '1']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: (
            1 - u[y] + maximum(*(x - 1 for x in u), *((sum_largest(u, m) - k) / m for m in range(k + 1, n + 1)))
        ),
        n=n,
        dim=n,
        name=f"top_k_max_min(n={n}, k={k})",
    )
