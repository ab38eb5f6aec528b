"""Intervals of grades: their width, and how far the truth is outside."""

from __future__ import annotations

from itertools import combinations_with_replacement

from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, alpha: RationalLike = "1/2", labels: Labels = None) -> tuple[int, int]:
    rational_where("alpha", alpha, lambda x: 0 < x < 1, "between 0 and 1")
    return at_least("n", n, 2), n * (n + 1) // 2


@family(
    cite="R. Winkler, A decision-theoretic approach to interval estimation, JASA 1972",
    small=({"n": 2}, {"n": 3}, {"n": 4, "alpha": "1/5"}),
    size=_size,
    of_size=lambda n: [{"n": n}],
)
def winkler(n: int, alpha: RationalLike = "1/2", labels: Labels = None) -> LossMatrix:
    """b − a, and 2/alpha times the distance of y from the interval from a to b, for all intervals of n grades.

    The best interval goes from the quantile alpha/2 to the quantile 1 − alpha/2.

    >>> print(winkler(3))
    truth ↓ decision →  [0,0]  [0,1]  [0,2]  [1,1]  [1,2]  [2,2]
    0                       0      1      2      4      5      8
    1                       4      1      2      0      1      4
    2                       8      5      2      4      1      0
    """
    rate = 2 / as_rational(alpha)
    names = label_names(labels, n)
    intervals = list(combinations_with_replacement(range(n), 2))
    rows = [[b - a + rate * max(a - y, 0, y - b) for a, b in intervals] for y in range(n)]
    shown = [f"[{names[a]},{names[b]}]" for a, b in intervals]
    return LossMatrix(rows, names, shown, f"winkler(n={n}, alpha={as_rational(alpha)})")
