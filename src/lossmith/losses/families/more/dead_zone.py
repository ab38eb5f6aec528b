"""Grades where a small mistake costs nothing."""

from __future__ import annotations

from lossmith.errors import TooLarge
from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, width: RationalLike = "1", power: int = 1, labels: Labels = None) -> tuple[int, int]:
    at_least("n", n, 2)
    rational_where("width", width, lambda x: 0 <= x < n - 1, f"from 0 to less than {n - 1}, or nothing costs anything")
    if at_least("power", power, 1) > 1000:
        raise TooLarge(f"power is {power}; choose at most 1,000")
    return n, n


@family(
    cite="V. Vapnik, The Nature of Statistical Learning Theory, 1995",
    small=({"n": 3}, {"n": 4, "width": "1/2"}, {"n": 4, "width": "1", "power": 2}),
    size=_size,
    of_size=lambda n: [{"n": n}] if n > 2 else [],
)
def dead_zone(n: int, width: RationalLike = "1", power: int = 1, labels: Labels = None) -> LossMatrix:
    """(|y − t| − width)^power on n grades, 0 where they differ by no more than the width.

    >>> print(dead_zone(4))
    truth ↓ decision →  0  1  2  3
    0                   0  0  1  2
    1                   0  0  0  1
    2                   1  0  0  0
    3                   2  1  0  0
    """
    free = as_rational(width)
    rows = [[max(abs(y - t) - free, free * 0) ** power for t in range(n)] for y in range(n)]
    names = label_names(labels, n)
    return LossMatrix(rows, names, names, f"dead_zone(n={n}, width={free}, power={power})")
