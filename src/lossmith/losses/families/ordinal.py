"""Ordinal regression loss: a mistake costs its distance (`exmp:loss-ord`)."""

from __future__ import annotations

from lossmith.errors import TooLarge
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, power: int = 1, labels: Labels = None) -> tuple[int, int]:
    if at_least("power", power, 1) > 1000:
        raise TooLarge(f"power is {power}; choose at most 1,000")
    return at_least("n", n, 2), n


@family(
    cite="exmp:loss-ord", small=({"n": 2}, {"n": 3}, {"n": 4, "power": 2}), size=_size, of_size=lambda n: [{"n": n}]
)
def ordinal(n: int, power: int = 1, labels: Labels = None) -> LossMatrix:
    """The distance of y and t to the given power, on n ordered grades; power 2 is the quadratic loss.

    The labels are 0 … n−1 unless they are named, in the order of the grades.

    >>> print(ordinal(3))
    truth ↓ decision →  0  1  2
    0                   0  1  2
    1                   1  0  1
    2                   2  1  0
    """
    name = f"ordinal(n={n})" if power == 1 else f"ordinal(n={n}, power={power})"
    rows = [[abs(y - t) ** power for t in range(n)] for y in range(n)]
    names = label_names(labels, n)
    return LossMatrix(rows, names, names, name)
