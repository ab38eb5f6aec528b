"""Hamming loss where a tag may be left open."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from lossmith.errors import TooLarge
from lossmith.exact.rational import RationalLike, as_rational
from lossmith.families import family, rational_where
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.tags import number_of_tags, tags_name

_MOST = 7  # tags: 128 × 2,187 entries


def _size(r: int, cost: RationalLike = "1/3") -> tuple[int, int]:
    rational_where("cost", cost, lambda c: c >= 0, "at least 0")
    if number_of_tags(r) > _MOST:
        raise TooLarge(
            f"r is {r}; hamming_abstain is written down, for at most {_MOST} tags: each tag is abstain(2) alone"
        )
    return 1 << r, 3**r


@family(
    cite="I. Pillai, G. Fumera, F. Roli, Multi-label classification with a reject option, Pattern Recognition 2013",
    small=({"r": 1}, {"r": 2}, {"r": 2, "cost": "1/5"}),
    size=_size,
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n > 1 else [],
)
def hamming_abstain(r: int, cost: RationalLike = "1/3") -> LossMatrix:
    """1 for each wrong tag, and `cost` for each tag that is left open, "?"; what is true are all sets of r tags.

    >>> print(hamming_abstain(1))
    truth ↓ decision →  0  1    ?
    0                   0  1  1/3
    1                   1  0  1/3
    """
    price = as_rational(cost)
    sets, answers = list(product((0, 1), repeat=r)), list(product("01?", repeat=r))
    rows = [[sum((_tag(i, j, price) for i, j in zip(y, t, strict=True)), Fraction(0)) for t in answers] for y in sets]
    return LossMatrix(rows, map(tags_name, sets), map("".join, answers), f"hamming_abstain(r={r}, cost={price})")


def _tag(true: int, told: str, cost: Fraction) -> Fraction:
    return cost if told == "?" else Fraction(int(told) != true)
