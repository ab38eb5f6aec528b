"""The newsvendor: too few of what is asked for costs more, or less, than too many."""

from __future__ import annotations

from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import at_least, family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, tau: RationalLike = "3/4", labels: Labels = None) -> tuple[int, int]:
    rational_where("tau", tau, lambda x: 0 < x < 1, "between 0 and 1")
    return at_least("n", n, 2), n


@family(
    cite="K. Arrow, T. Harris, J. Marschak, Optimal inventory policy, Econometrica 1951",
    small=({"n": 2}, {"n": 3}, {"n": 4, "tau": "1/3"}),
    size=_size,
    of_size=lambda n: [{"n": n}],
)
def newsvendor(n: int, tau: RationalLike = "3/4", labels: Labels = None) -> LossMatrix:
    """tau times what is lacking, y − t, or 1 − tau times what is left over, t − y, for amounts 0 … n − 1.

    The best decision is the quantile tau of the amounts.

    >>> print(newsvendor(3))
    truth ↓ decision →     0     1    2
    0                      0  0.25  0.5
    1                   0.75     0  0.25
    2                    1.5  0.75    0
    """
    share = as_rational(tau)
    rows = [[max(share * (y - t), (1 - share) * (t - y)) for t in range(n)] for y in range(n)]
    names = label_names(labels, n)
    return LossMatrix(rows, names, names, f"newsvendor(n={n}, tau={share})")
