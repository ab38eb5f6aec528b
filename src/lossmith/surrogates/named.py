"""The surrogate or pred that a word on the command line stands for: known by name, or a name in a Python file."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lossmith.errors import BadInput, LossmithError, UnknownName, nearest
from lossmith.families import member
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.surrogate import Surrogate


def surrogate_named(text: str, n: int | None = None) -> Surrogate:
    """Make the member of a family, such as "crammer-singer:n=3", or take `name` from "file.py:name".

    The file is executed. The name is a surrogate, or a function of n that returns one; n is that of the loss.

    >>> surrogate_named("absolute:n=4").dim
    1
    """
    path, _, name = text.rpartition(":")
    if text.endswith(".py"):
        raise BadInput(f"{text!r} names a file only; write {text}:name, with the name of a surrogate in it")
    if not path.endswith(".py"):
        surrogate: Surrogate = member(text, CATALOGUE)
        return surrogate
    found = _from_file(path, name)
    if callable(found) and not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
        with _blaming(text):
            found = found(n)
    if not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
        raise BadInput(
            f"{text} is {found!r}; it must be a PolyhedralSurrogate, a SmoothSurrogate, or a function of n that "
            f"returns one"
        )
    return found


def pred_named(text: str) -> object:
    """The pred as `check` takes it: its name, or what "file.py:name" holds; the file is executed."""
    path, _, name = text.rpartition(":")
    return _from_file(path, name) if path.endswith(".py") else text


def _from_file(path: str, name: str) -> Any:
    if not os.path.isfile(path):
        raise BadInput(f"cannot read {path!r}: there is no such file")
    with _blaming(f"{path}:{name}"):
        names = runpy.run_path(path)
    if name not in names:
        raise UnknownName(f"{path} defines no {name!r}; {nearest(name, [x for x in names if not x.startswith('_')])}")
    return names[name]


@contextmanager
def _blaming(where: str) -> Iterator[None]:
    """Report what goes wrong in a user's file as bad input."""
    try:
        yield
    except (LossmithError, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # or the exit code of the file would pass for a verdict
        raise BadInput(f"{where} failed with {type(error).__name__}: {error}") from None
