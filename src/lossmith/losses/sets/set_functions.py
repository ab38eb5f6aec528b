"""Functions of sets of r tags, by their 2^r values in binary order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import RationalLike, as_list, as_rationals

_MOST = 7  # tags


def read_values(values: Sequence[RationalLike] | str) -> tuple[Fraction, ...]:
    """The values, of which the first, that of the empty set, is 0, and none negative.

    >>> len(read_values("0 1 1 3/2"))
    4
    """
    read = as_rationals(as_list(values), "values")
    if len(read) < 2 or len(read).bit_count() != 1:
        raise BadInput(f"{len(read)} values were given; give one for each set of tags: 2, 4, 8, … in binary order")
    if len(read) > 1 << _MOST:
        raise TooLarge(f"{len(read):,} values were given; losses of set functions are written down, for {_MOST} tags")
    if read[0] != 0:
        raise BadInput(f"the first value is {read[0]}; it is that of no tag, and must be 0")
    for place, x in enumerate(read):
        if x < 0:
            raise BadInput(f"value {place} is {x}; it must be at least 0")
    return read


def value_of(values: Sequence[Fraction], chosen: Sequence[bool]) -> Fraction:
    """The value of a set.

    >>> value_of([Fraction(x) for x in (0, 1, 2, 3)], [True, False])
    Fraction(2, 1)
    """
    return values[int("".join(str(int(each)) for each in chosen), 2)]
