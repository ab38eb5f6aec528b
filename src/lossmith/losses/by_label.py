"""A number for each label: a list, text with commas or blanks, or a mapping or series that names the labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_list, as_rationals, quoted

ByLabel: TypeAlias = Mapping[Any, RationalLike] | Sequence[RationalLike] | str


def by_label(given: ByLabel, what: str, lead: str) -> dict[Any, Fraction]:
    """The numbers by name, 0 … n−1 where there are no names; `lead` says what to give.

    >>> by_label("1 1/2", "costs", "a cost for each label"), list(by_label({"a": 1, "b": 2}, "costs", "a cost"))
    ({0: Fraction(1, 1), 1: Fraction(1, 2)}, ['a', 'b'])
    """
    if isinstance(given, Set):
        raise BadInput(f"{what} is {quoted(given)}, a set, which has no order; give a list, or a mapping from labels")
    if hasattr(given, "to_dict"):  # a series brings the names of the labels
        series: Any = given
        names, given = list(series.keys()), dict(series.to_dict())
        if len(given) < len(names):
            raise BadInput(f"{what} names a label twice: {quoted(names)}; give each label once")
    values: Any = list(given.values()) if isinstance(given, Mapping) else given
    read = as_rationals(as_list(values), what)
    if len(read) < 2:
        raise BadInput(f"{what} is {quoted(given)}; give {lead}, of two labels or more")
    return dict(zip(given if isinstance(given, Mapping) else range(len(read)), read, strict=True))
