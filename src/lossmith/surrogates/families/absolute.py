"""Absolute deviation from the grade (`exmp:pos-normals-abs-surrogate`)."""

from __future__ import annotations

from lossmith.families import Published, at_least, family
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates.fitting import by_labels
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


@family(
    cite="exmp:pos-normals-abs-surrogate",
    latex=r"\psi_y(u) = |u - y|",
    preds=("nearest",),
    kind="ordinal",
    small=({"n": 2}, {"n": 3}, {"n": 4}),
    size=lambda n: (at_least("n", n, 2), 1),
    fits=by_labels,
    verdicts=(
        Published(ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),
        Published(zero_one, "·NN", "exmp:ccdim-0-1"),
    ),
)
def absolute(n: int) -> PolyhedralSurrogate:
    """The distance of u ∈ R to y, with centres y = 1 … n as in the paper, though labels count from 0.

    >>> [str(x) for x in absolute(3)([1])]
    ['0', '1', '2']
    """
    return PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - (y + 1)), n=n, dim=1, name=f"absolute(n={n})")
