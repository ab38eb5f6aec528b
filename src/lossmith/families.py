"""Families: functions that make members of the catalogue, with their citation, their size and small instances."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

from lossmith.errors import BadInput, TooLarge, UnknownName, nearest

P = ParamSpec("P")
T = TypeVar("T")

_MOST_ENTRIES = 30_000_000


class Family(Generic[P, T]):
    """A function that makes members of a family, and what the catalogue tells of it.

    `cite` is a LaTeX label of the paper or a reference; `small` are parameters of small instances for the common
    checks; `size(…)` checks the parameters and gives rows × columns before anything is built.
    """

    def __init__(
        self, build: Callable[P, T], cite: str, small: tuple[Mapping[str, Any], ...], size: Callable[P, tuple[int, int]]
    ) -> None:
        functools.update_wrapper(self, build)
        self.build, self.cite, self.small, self.size = build, cite, small, size
        self.name = build.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Make the member with these parameters."""
        rows, columns = self.size(*args, **kwargs)
        if rows * columns > _MOST_ENTRIES:
            raise TooLarge(
                f"{self.name} would have {rows:,} × {columns:,} entries, more than {_MOST_ENTRIES:,}; choose smaller parameters"
            )
        return self.build(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<family {self.name}{inspect.signature(self.build)}>"


def family(
    *, cite: str, small: tuple[Mapping[str, Any], ...], size: Callable[P, tuple[int, int]]
) -> Callable[[Callable[P, T]], Family[P, T]]:
    """Describe a function as a family. Describing registers nothing: the catalogue is a tuple one can read."""
    return lambda build: Family(build, cite, small, size)


def member(text: str, catalogue: Sequence[Family[..., T]]) -> T:
    """Make the member that text such as "abstain:n=4,cost=1/3" names; dashes stand for underscores.

    >>> from lossmith.losses import CATALOGUE
    >>> member("zero-one:n=3", CATALOGUE).n
    3
    """
    name, _, rest = text.partition(":")
    known = {each.name.replace("_", "-"): each for each in catalogue}
    chosen = known.get(name.strip().replace("_", "-"))
    if chosen is None:
        raise UnknownName(f"no family is called {name!r}; {nearest(name, known)}")
    parameters = inspect.signature(chosen.build).parameters
    given: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise BadInput(f"{text!r}: {part!r} is not of the form parameter=value; write {usage(chosen)}")
        if key not in parameters:
            raise UnknownName(f"{name!r} has no parameter {key!r}; {nearest(key, parameters)}; write {usage(chosen)}")
        given[key] = _whole(key, value, text) if parameters[key].annotation == "int" else value
    missing = [key for key, p in parameters.items() if p.default is p.empty and key not in given]
    if missing:
        raise BadInput(f"{text!r} lacks {' and '.join(missing)}; write {usage(chosen)}")
    return chosen(**given)


def usage(chosen: Family[..., Any]) -> str:
    """How to write a member of the family on the command line.

    >>> from lossmith.losses import abstain
    >>> usage(abstain)
    'abstain:n=…,cost=1/2'
    """
    parameters = inspect.signature(chosen.build).parameters
    values = (f"{key}={'…' if p.default is p.empty else p.default}" for key, p in parameters.items())
    return chosen.name.replace("_", "-") + ":" + ",".join(values)


def at_least(name: str, value: int, least: int) -> int:
    """Return a size parameter, or say what it must be.

    >>> at_least("n", 3, 2)
    3
    """
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise BadInput(f"{name} is {value!r}; it must be a whole number, at least {least}")
    if value < least:
        raise BadInput(f"{name} is {value}; it must be at least {least}")
    return int(value)


def _whole(key: str, value: str, text: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise BadInput(f"{text!r}: {key} is {value!r}; it must be a whole number") from None
