"""The weights of Cohen's weighted kappa: distances of grades on a scale from 0 to 1."""

from __future__ import annotations

from fractions import Fraction

from lossmith.errors import TooLarge
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names


def _size(n: int, power: int = 1, labels: Labels = None) -> tuple[int, int]:
    if at_least("power", power, 1) > 1000:
        raise TooLarge(f"power is {power}; choose at most 1,000")
    return at_least("n", n, 2), n


@family(
    cite="J. Cohen, Weighted kappa, Psychological Bulletin 1968",
    small=({"n": 2}, {"n": 3, "power": 2}, {"n": 4}),
    size=_size,
    of_size=lambda n: [{"n": n, "power": 2}],
)
def kappa_cost(n: int, power: int = 1, labels: Labels = None) -> LossMatrix:
    """(|y − t|/(n − 1))^power on n grades: linear weights, or quadratic ones with power 2.

    Kappa itself is no mean of losses, but 1 less the ratio of this mean to that of independent grades.

    >>> print(kappa_cost(3, power=2))
    truth ↓ decision →     0     1     2
    0                      0  0.25     1
    1                   0.25     0  0.25
    2                      1  0.25     0
    """
    rows = [[Fraction(abs(y - t), n - 1) ** power for t in range(n)] for y in range(n)]
    names = label_names(labels, n)
    return LossMatrix(rows, names, names, f"kappa_cost(n={n}, power={power})")
