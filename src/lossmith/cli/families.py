"""lossmith families: the losses and surrogates that can be named, and what one of them is."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from lossmith.cli.printing import say
from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.families import Family, by_name, usage
from lossmith.losses import FAMILIES
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates.in_print import told_of

_WIDE, _WIDTH = 38, 110  # of the spellings, of which longer ones have a line of their own; and of all


@click.command("families", short_help="List the families of losses and surrogates.")
@click.argument("name", required=False)
def families_command(name: str | None) -> None:
    """List the families of losses and surrogates, as they are written, or tell what NAME is.

    A list of numbers is written with commas: reject-costs:costs=1/2,1/3,1/4.

    \b
    lossmith families
    lossmith families abstain
    """
    if name is None:
        kinds = dict.fromkeys(each.kind for each in SURROGATES)
        surrogates = (_listed(f"Surrogates, {kind}", [f for f in SURROGATES if f.kind == kind]) for kind in kinds)
        say("\n\n".join([_listed("Losses", FAMILIES), *surrogates]))
        return
    known = by_name((*FAMILIES, *SURROGATES))
    chosen = known.get(name.partition(":")[0].strip().replace("_", "-"))
    if chosen is None:
        if told := told_of(name.partition(":")[0]):
            raise BadInput(told)
        raise UnknownName(f"no family is called {name!r}; {nearest(name, known)}")
    names = [f"Also called: {', '.join(alias.replace('_', '-') for alias in chosen.aliases)}"] if chosen.aliases else []
    say("\n\n".join([usage(chosen), _told(chosen), *names, f"Source: {chosen.cite}"]))


def _listed(title: str, families: Iterable[Family[..., Any]]) -> str:
    return "\n".join([f"{title}:", *(line for each in families for line in _lines(each))])


def _lines(family: Family[..., Any]) -> list[str]:
    """How it is written, and beside it, or below, the first sentence about it."""
    how, indent = f"  {usage(family)}", " " * _WIDE
    what = fill(_told(family).split("\n")[0], _width(), initial_indent=indent, subsequent_indent=indent)
    return [how, what] if len(how) > _WIDE - 2 else [how.ljust(_WIDE) + what[_WIDE:]]


def _width() -> int:
    """As wide as a terminal is, if that is less."""
    return min(_WIDTH, max(60, get_terminal_size().columns - 1)) if sys.stdout.isatty() else _WIDTH


def _told(family: Family[..., Any]) -> str:
    """The docstring up to its examples."""
    return inspect.cleandoc(family.__doc__ or "").partition("\n>>>")[0].strip()
