"""Sets of r tags, 0 … r − 1, as tuples of zeros and ones: reading them, one by one or many as an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from numbers import Integral
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import quoted
from lossmith.families import at_least

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Tags = tuple[int, ...]  # 1 for the tags of the set
_SHORT = 16  # tags, up to which a set is printed as a string of bits
_WRITTEN = 10  # tags, up to which a loss that has no factors is written down


def number_of_tags(r: int, least: int = 1) -> int:
    """The number of tags, or what is wrong with it.

    >>> number_of_tags(3)
    3
    """
    if not isinstance(r, bool) and isinstance(r, Integral) and r < least:
        raise BadInput(f"r is {r}; give the number of tags, {least} or more")
    return at_least("r", r, least)


def written_tags(r: int, name: str, why: str) -> int:
    """The number of tags of a loss that is written down: few."""
    if number_of_tags(r) > _WRITTEN:
        raise TooLarge(f"r is {r:,}; {name} is written down, for at most {_WRITTEN} tags: {why}")
    return int(r)


def as_tags(given: object, r: int, what: str = "label") -> Tags:
    """Read a set of tags: a string of bits, r zeros and ones in order, or the numbers of the tags.

    A list of r zeros and ones is read as one entry per tag; only with r ≤ 2 could it be anything else.

    >>> as_tags("011", 3), as_tags([0, 1, 1], 3), as_tags({1, 2}, 3), as_tags([2, 1], 3)
    ((0, 1, 1), (0, 1, 1), (0, 1, 1), (0, 1, 1))
    """
    if isinstance(given, str):
        if len(given) != r or not {*given} <= {"0", "1"}:
            raise BadInput(f"the {what} {quoted(given)} is no string of {r} zeros and ones; give one for each tag")
        return tuple(map(int, given))
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise BadInput(f"the {what} {quoted(given)} is no set of tags; give tag numbers, or {r} zeros and ones")
    entries = list(given)
    if not isinstance(given, Set) and len(entries) == r and all(_is_bit(each) for each in entries):
        return tuple(map(int, entries))
    for each in entries:
        if isinstance(each, bool) or not isinstance(each, Integral) or not 0 <= int(each) < r:
            raise BadInput(
                f"the {what} {quoted(given)} has {quoted(each)}, which is none of the tags 0 … {r - 1}; give numbers "
                f"of tags, or {r} zeros and ones"
            )
    chosen = {int(each) for each in entries}
    if len(chosen) < len(entries):
        raise BadInput(f"the {what} {quoted(given)} names a tag twice; give each tag once, or {r} zeros and ones")
    return tuple(int(i in chosen) for i in range(r))


def indicators(given: object, r: int, what: str = "Y") -> Array:
    """Read many sets of tags as rows of zeros and ones, in floating point.

    >>> indicators([[0, 1, 1], [0, 0, 0]], 3).tolist()
    [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    import numpy as np

    dense = given.toarray() if hasattr(given, "toarray") else given  # of scipy
    try:
        rows = np.asarray(dense, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(f"{what} is {quoted(given)}; give an array of zeros and ones, a row per example") from None
    if rows.ndim != 2 or rows.shape[1] != r:
        raise BadInput(f"{what} has shape {rows.shape}; give a row per example, with {r} zeros and ones")
    wrong = (rows != 0) & (rows != 1)
    if wrong.any():
        row, tag = np.argwhere(wrong)[0].tolist()
        raise BadInput(
            f"{what} has {rows[row, tag]:g} in row {row} for tag {tag}; give 1 if the row has the tag, else 0"
        )
    return rows


def tags_name(y: Tags) -> str:
    """In print: a string of bits, and the numbers of the tags where there are many.

    >>> tags_name((0, 1, 1)), tags_name((1, 0) * 10)
    ('011', '{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}')
    """
    if len(y) <= _SHORT:
        return "".join(map(str, y))
    return "{" + ", ".join(str(i) for i, each in enumerate(y) if each) + "}"


def with_tags(r: int, chosen: Iterable[int]) -> Tags:
    """The set of these tags.

    >>> with_tags(4, [0, 2])
    (1, 0, 1, 0)
    """
    found = {*chosen}
    return tuple(int(i in found) for i in range(r))


def _is_bit(entry: Any) -> bool:
    try:
        return bool(entry in (0, 1))
    except (TypeError, ValueError):
        return False
