"""One-error: whether the first tag is wrong."""

from __future__ import annotations

from itertools import product

from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.tags import number_of_tags, tags_name, written_tags


def _size(r: int) -> tuple[int, int]:
    return 1 << written_tags(number_of_tags(r, 2), "one_error", "precision_at with q = 1 takes more"), r


@family(
    cite="R. E. Schapire, Y. Singer, BoosTexter: a boosting-based system for text categorization, 2000",
    small=({"r": 2}, {"r": 3}),
    size=_size,
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n > 2 else [],
)
def one_error(r: int) -> LossMatrix:
    """1 if the predicted tag is not among those of the example: of an order of r tags only the first counts.

    >>> print(one_error(2))
    truth ↓ decision →  0  1
    00                  1  1
    01                  1  0
    10                  0  1
    11                  0  0
    """
    sets = list(product((0, 1), repeat=r))
    return LossMatrix([[1 - each for each in y] for y in sets], map(tags_name, sets), range(r), f"one_error(r={r})")
