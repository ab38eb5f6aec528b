"""Hamming loss between bit strings, or sets of tags (`exmp:loss-hamming`)."""

from __future__ import annotations

from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix


@family(
    cite="exmp:loss-hamming",
    small=({"r": 1}, {"r": 2}, {"r": 3}),
    size=lambda r: (2 ** at_least("r", r, 1), 2**r),
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 else [],
)
def hamming(r: int) -> LossMatrix:
    """Count the positions in which two r-bit strings differ; both sides are the 2^r strings in binary order.

    >>> print(hamming(2))
    truth ↓ decision →  00  01  10  11
    00                   0   1   1   2
    01                   1   0   2   1
    10                   1   2   0   1
    11                   2   1   1   0
    """
    strings = [format(number, f"0{r}b") for number in range(2**r)]
    rows = [[(y ^ t).bit_count() for t in range(2**r)] for y in range(2**r)]
    return LossMatrix(rows, strings, strings, name=f"hamming(r={r})")
