"""One binary hinge per label: this one against all others."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import abstain, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="R. Rifkin, A. Klautau, In defense of one-vs-all classification, JMLR 2004",
    latex=r"\psi_y(u) = (1 - u_y)_+ + \sum_{j \neq y} (1 + u_j)_+",
    preds=("argmax", "argmax-threshold:tau=0"),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "Zhang, JMLR 2004"),
        Published(abstain, "CCC", "Ramaswamy, Tewari, Agarwal, EJS 2018"),
    ),
)
def one_vs_all_hinge(n: int) -> PolyhedralSurrogate:
    """(1 − u_y)₊ + Σ_{j≠y} (1 + u_j)₊ on R^n.

    >>> [str(x) for x in one_vs_all_hinge(3)([1, -1, -1])]
    ['0', '4', '4']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - u[j] if j == y else 1 + u[j]) for j in range(n)),
        n=n,
        dim=n,
        name=f"one_vs_all_hinge(n={n})",
    )
