"""Absolute deviation from the grade, beyond a tolerance (`exmp:pos-normals-eps-surrogate`)."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike
from lossmith.families import Published, at_least, family, rational_where
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="exmp:pos-normals-eps-surrogate",
    latex=r"\psi_y(u) = (|u - y| - \epsilon)_+",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4, "eps": "0"}),
    size=lambda n, eps="1/4": (at_least("n", n, 2), 1),
    fits=by_labels,
    verdicts=(
        Published(ordinal, "·C·", "exmp:pos-normals-eps-surrogate"),
        Published(zero_one, "·NN", "exmp:ccdim-0-1"),
    ),
)
def epsilon_insensitive(n: int, eps: RationalLike = "1/4") -> PolyhedralSurrogate:
    """(distance of u ∈ R to y, less ε)₊, with centres y = 1 … n as in the paper, though labels count from 0; ε ≥ 0.

    >>> [str(x) for x in epsilon_insensitive(3)([1])]
    ['0', '3/4', '7/4']
    """
    tolerance = rational_where("eps", eps, lambda x: x >= 0, "at least 0")
    return PolyhedralSurrogate.from_function(
        lambda y, u: pos(abs(u[0] - (y + 1)) - tolerance),
        n=n,
        dim=1,
        name=f"epsilon_insensitive(n={n}, eps={tolerance})",
    )
