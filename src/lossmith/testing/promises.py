"""What families of losses and of surrogates promise alike, and how a broken promise is reported."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from lossmith.errors import BadFamily
from lossmith.exact.rational import quoted
from lossmith.families import Family, member

Check: TypeAlias = Callable[[Family[..., Any]], None]
_LABEL = re.compile(r"(thm|lem|exmp|fig|def|cor|prop|eqn|sec|subsec|app):\S+")
_YEAR = re.compile(r"\b(1[89]|20)\d\d\b")


class Broken(Exception):
    """A promise that is not kept: what was found, and what to do."""


def run(family: Family[..., Any], kind: str, checks: Iterable[Check]) -> None:
    """Run the checks one after the other; the first that fails is told by name, in one line."""
    if not isinstance(family, Family):
        raise BadFamily(f"{quoted(family)} is no family; write @family(cite=…, small=…, size=…) above the function")
    for check in checks:
        try:
            check(family)
        except Exception as error:  # whatever a family does wrong is told under the name of the check
            what = "" if isinstance(error, (Broken, BadFamily)) else f"{type(error).__name__}: "
            raise BadFamily(f"{family.name} fails the check {check.__name__!r} of {kind}: {what}{error}") from error


def require(kept: bool, words: str) -> None:
    """Go on if the promise is kept."""
    if not kept:
        raise Broken(words)


def is_cited(source: str) -> bool:
    """Whether it is a label of the paper, or a reference with its year.

    >>> is_cited("exmp:loss-0-1"), is_cited("Y. Lee, Y. Lin, G. Wahba, JASA 2004"), is_cited("folklore")
    (True, True, False)
    """
    return bool(_LABEL.fullmatch(source) or _YEAR.search(source))


def members(family: Family[..., Any]) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """The small instances, with their parameters."""
    for small in family.small:
        yield small, family(**small)


def documented(family: Family[..., Any]) -> None:
    """A sentence, an example, a citation, and small instances."""
    require(">>>" in (family.__doc__ or ""), 'its docstring has no example; show one after ">>>"')
    require(is_cited(family.cite), f"cite is {family.cite!r}; give a label of the paper, or a reference with its year")
    require(len(family.small) >= 2, f"small has {len(family.small)} instances; give the parameters of two or more")


def sized(family: Family[..., Any]) -> None:
    """The size is known before anything is built, and is that of the member."""
    for small, made in members(family):
        told, found = family.size(**small), (made.n, getattr(made, "k", None) or made.dim)
        require(told == found, f"size says {told} for {quoted(dict(small))}, but the member has {found}")


def named(family: Family[..., Any]) -> None:
    """The name of a member begins with that of its family, and words on the command line make the same member."""
    for small, made in members(family):
        require(
            made.name.startswith(f"{family.name}("),
            f"the member for {quoted(dict(small))} is called {made.name!r}; begin its name with '{family.name}('",
        )
        require(made == family(**small), f"{made.name}, made twice, is not equal; make it of functions of a module")
        if all(isinstance(value, (int, str, Fraction)) for value in small.values()):  # a tree is given as a file
            words = family.words(**small)
            require(member(words, [family]) == made, f"{words!r} makes another member; annotate whole numbers as int")


def pickled(family: Family[..., Any]) -> None:
    """The family is found again in its module, and members come back equal and know their family."""
    require(pickle.loads(pickle.dumps(family)) is family, "a pickle brings back another family; define it in a module")
    for _, made in members(family):
        copy = pickle.loads(pickle.dumps(made))
        require(
            copy == made, f"{made.name} comes back changed from a pickle; make it of functions that a module defines"
        )
        require(copy.made_by is family, f"{made.name} comes back from a pickle without its family")


COMMON: tuple[Check, ...] = (documented, sized, named, pickled)
