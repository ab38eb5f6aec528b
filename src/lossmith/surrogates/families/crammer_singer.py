"""The Crammer–Singer hinge: the largest violation of the margin (`exmp:surrogate-CS`)."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import abstain, cost_sensitive_binary, ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, pos


@family(
    cite="exmp:surrogate-CS",
    latex=r"\psi_y(u) = \bigl(1 + \max_{j \neq y} u_j - u_y\bigr)_+",
    preds=("argmax", "argmax-gap:tau=1/2"),
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), n),
    fits=by_labels,
    verdicts=(
        Published(zero_one, "CNN", "exmp:calibration-CS-0-1"),
        Published(ordinal, "·C·", "exmp:calibration-CS-abstain-ord"),
        Published(abstain, "CCC", "Ramaswamy, Tewari, Agarwal, EJS 2018"),
        Published(cost_sensitive_binary, "N––", "Scott, EJS 2012"),
    ),
)
def crammer_singer(n: int) -> PolyhedralSurrogate:
    """(1 + max_{j≠y} u_j − u_y)₊ on R^n.

    >>> [str(x) for x in crammer_singer(3)([1, 0, 0])]
    ['0', '2', '2']
    """
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 + maximum(*(u[j] - u[y] for j in range(n) if j != y))),
        n=n,
        dim=n,
        name=f"crammer_singer(n={n})",
    )
