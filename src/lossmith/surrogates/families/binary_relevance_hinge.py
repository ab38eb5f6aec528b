"""One hinge per tag: the labels are sets of tags, as bit strings."""

from __future__ import annotations

from lossmith.families import Published, Theorem, at_least, family
from lossmith.losses import hamming
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos


@family(
    cite="W. Gao, Z.-H. Zhou, On the consistency of multi-label learning, Artificial Intelligence 2013",
    latex=r"\psi_y(u) = \sum_{i=1}^r (1 - s_{yi} u_i)_+",
    preds=("sign",),
    kind="sets",
    small=({"r": 1}, {"r": 2}),
    size=lambda r: (2 ** at_least("r", r, 1), r),
    fits=by_bits,
    verdicts=(Published(hamming, "C–C", "Gao, Zhou, Artificial Intelligence 2013"),),
    settles=Theorem("binary relevance hinge", hamming, "sign", "Gao, Zhou, Artificial Intelligence 2013"),
)
def binary_relevance_hinge(r: int) -> PolyhedralSurrogate:
    """Σ_i (1 − s_yi u_i)₊ on R^r; labels are the r-bit strings in binary order, s_yi is +1 for a one, −1 for a zero.

    >>> [str(x) for x in binary_relevance_hinge(2)([1, -1])]
    ['2', '4', '0', '2']
    """
    signs = [[1 if bit == "1" else -1 for bit in format(y, f"0{r}b")] for y in range(2**r)]
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 - sign * x) for sign, x in zip(signs[y], u, strict=True)),
        n=2**r,
        dim=r,
        name=f"binary_relevance_hinge(r={r})",
    )
