"""The small members of the catalogue of surrogates, each built once: one of each family for the fast tests.

The second small instance is the one of a family, as it mostly has three labels; the others repeat what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from lossmith import PolyhedralSurrogate, SmoothSurrogate
from lossmith.surrogates import CATALOGUE

ONE_OF_EACH, OTHERS = "one of each family", "the others"
each_part = pytest.mark.parametrize("part", [ONE_OF_EACH, pytest.param(OTHERS, marks=pytest.mark.exhaustive)])


@cache
def smooth(part: str) -> tuple[SmoothSurrogate, ...]:
    return tuple(each for each in _members(part) if isinstance(each, SmoothSurrogate))


@cache
def polyhedral(part: str) -> tuple[PolyhedralSurrogate, ...]:
    return tuple(each for each in _members(part) if isinstance(each, PolyhedralSurrogate))


@cache
def _members(part: str) -> tuple[PolyhedralSurrogate | SmoothSurrogate, ...]:
    chosen = [
        (family, given)
        for family in CATALOGUE
        for i, given in enumerate(family.small)
        if (i == 1) == (part == ONE_OF_EACH)
    ]
    return tuple(family(**given) for family, given in chosen)


@contextmanager
def case(name: object) -> Iterator[None]:
    """Name the case of a loop in which an assertion fails."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"the case is {name}")
        raise
