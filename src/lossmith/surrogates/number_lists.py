"""Parameters of surrogates that are several numbers, such as one margin for each label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_list, as_rationals

Numbers: TypeAlias = Sequence[RationalLike] | str


def numbers(
    name: str, given: Numbers, least: int, allowed: Callable[[Fraction], bool], words: str
) -> tuple[Fraction, ...]:
    """Several rational numbers, in a list or as text with commas or blanks between them; or say what they must be.

    >>> numbers("margins", "1 1/2", 2, lambda x: x > 0, "positive")
    (Fraction(1, 1), Fraction(1, 2))
    """
    read = as_rationals(as_list(given), name)
    if len(read) < least:
        raise BadInput(f"{name} are {len(read)} numbers; give at least {least}, such as {' '.join(['1'] * least)!r}")
    for each in read:
        if not allowed(each):
            raise BadInput(f"{each} is among the {name}; they must be {words}")
    return read


def rising(name: str, given: Numbers) -> tuple[Fraction, ...]:
    """Numbers each larger than the one before, such as thresholds; or say which is not.

    >>> rising("thresholds", "0 1 3")
    (Fraction(0, 1), Fraction(1, 1), Fraction(3, 1))
    """
    read = numbers(name, given, 1, lambda _: True, "numbers")
    for before, after in pairwise(read):
        if before >= after:
            raise BadInput(f"the {name} are {spelled(read)}, and {after} follows {before}; each must be larger")
    return read


def spelled(read: Sequence[Fraction]) -> str:
    """The numbers with blanks between them."""
    return " ".join(map(str, read))
