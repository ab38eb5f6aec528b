"""The Weston–Watkins hinge: the sum of all violations of the margin."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordered_partitions, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="J. Weston, C. Watkins, Support vector machines for multi-class pattern recognition, ESANN 1999",
    latex=r"\psi_y(u) = \sum_{j \neq y} (1 + u_j - u_y)_+",
    preds=("argmax",),
    small=({"n": 2}, {"n": 3}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "Tewari, Bartlett, JMLR 2007"),
        Published(ordered_partitions, "CCC", "Wang, Scott, NeurIPS 2020"),
    ),
)
def weston_watkins(n: int) -> PolyhedralSurrogate:
    """Σ_{j≠y} (1 + u_j − u_y)₊ on R^n.

    >>> [str(x) for x in weston_watkins(3)([1, 0, 0])]
    ['0', '3', '3']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[j] - u[y]) for j in range(n) if j != y), n=n, dim=n, name=f"weston_watkins(n={n})"
    )
