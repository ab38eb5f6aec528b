"""New names for old ones, and what is said of a loss that is a part of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.losses.ordering import index
from lossmith.losses.reading import Name

Labels: TypeAlias = Iterable[Name] | str | None  # names of all labels, in order; text has commas between them


def renamed(names: Sequence[Name], given: Any, what: str) -> list[Name]:
    """The names, or the new ones: a list as long, or a mapping from some of the old ones.

    >>> renamed(("a", "b"), {"b": "c"}, "label")
    ['a', 'c']
    """
    if given is None:
        return list(names)
    if isinstance(given, Mapping):
        new = list(names)
        for old, name in given.items():
            new[index(names, old, what)] = name
        return new
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"the {what}s are {quoted(given)}; give a list of names, or a mapping from old ones to new")
    new = list(given)
    if len(new) != len(names):
        raise BadInput(f"{len(new)} {what}s were given for {len(names)}; give one name for each, in order")
    return new


def label_names(given: Labels, n: int) -> list[Name]:
    """The names of n labels that a family is given, also as text with commas; 0 … n−1 without.

    >>> label_names(None, 2), label_names("ham, spam", 2)
    ([0, 1], ['ham', 'spam'])
    """
    if isinstance(given, str):
        given = [part.strip() for part in given.split(",")]
    return renamed(range(n), given, "label")


def part_of(word: str, kept: Sequence[int], size: int, what: str) -> str:
    """What restricting to some of several rows or columns adds to a name; nothing where all stay.

    >>> part_of("on", [0, 2], 3, "labels"), part_of("on", [2, 1, 0], 3, "labels")
    (' on 2 of 3 labels', '')
    """
    return "" if sorted(kept) == list(range(size)) else f" {word} {len(kept)} of {size} {what}"
