"""Grades where no mistake costs more than a cap."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, cap: RationalLike = "2", labels: Labels = None) -> tuple[int, int]:
    rational_where("cap", cap, lambda c: c > 0, "positive")
    return at_least("n", n, 2), n


@family(
    cite="Y. Boykov, O. Veksler, R. Zabih, Fast approximate energy minimization via graph cuts, IEEE TPAMI 2001",
    small=({"n": 3}, {"n": 4}, {"n": 4, "cap": "3/2"}),
    size=_size,
    of_size=lambda n: [{"n": n}],
)
def capped(n: int, cap: RationalLike = "2", labels: Labels = None) -> LossMatrix:
    """min(|y − t|, cap) on n grades: 0-1 loss for the cap 1, the distance for n − 1.

    >>> print(capped(4))
    truth ↓ decision →  0  1  2  3
    0                   0  1  2  2
    1                   1  0  1  2
    2                   2  1  0  1
    3                   2  2  1  0
    """
    most = as_rational(cap)
    rows = [[min(abs(y - t), most) for t in range(n)] for y in range(n)]
    names = label_names(labels, n)
    return LossMatrix(rows, names, names, f"capped(n={n}, cap={most})")
