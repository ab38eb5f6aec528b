"""Partial labels: of an example only a set is known that has its label."""

from __future__ import annotations

from itertools import combinations

from lossmith.errors import TooLarge
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix

_MOST = 12  # labels


def _size(n: int) -> tuple[int, int]:
    if at_least("n", n, 2) > _MOST:
        raise TooLarge(f"n is {n}; superset is written down, for at most {_MOST} labels")
    return (1 << n) - 1, n


@family(
    cite="T. Cour, B. Sapp, B. Taskar, Learning from partial labels, JMLR 2011",
    small=({"n": 2}, {"n": 3}),
    size=_size,
    of_size=lambda n: [{"n": (n + 1).bit_length() - 1}] if (n + 1).bit_count() == 1 and n > 2 else [],
)
def superset(n: int) -> LossMatrix:
    """1 if the predicted label is not in the set of candidates that is known; what is "true" are the sets.

    >>> print(superset(2))
    truth ↓ decision →  0  1
    {0}                 0  1
    {1}                 1  0
    {0,1}               0  0
    """
    sets = [chosen for s in range(1, n + 1) for chosen in combinations(range(n), s)]
    rows = [[int(t not in known) for t in range(n)] for known in sets]
    return LossMatrix(rows, ["{" + ",".join(map(str, known)) + "}" for known in sets], range(n), f"superset(n={n})")
