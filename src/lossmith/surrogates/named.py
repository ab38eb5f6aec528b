"""The surrogate that a word on the command line stands for: a member of a family, or a name in a Python file."""

from __future__ import annotations

import runpy
from pathlib import Path

from lossmith.errors import BadInput, LossmithError, UnknownName, nearest
from lossmith.families import member
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate


def surrogate_named(text: str, n: int | None = None) -> PolyhedralSurrogate | SmoothSurrogate:
    """Make the member of a family, such as "crammer-singer:n=3", or take `name` from "file.py:name".

    The file is executed. The name is a surrogate, or a function of n that returns one; n is that of the loss.

    >>> surrogate_named("absolute:n=4").dim
    1
    """
    path, _, name = text.rpartition(":")
    if path.endswith(".py"):
        return _from_file(path, name, n)
    if text.endswith(".py"):
        raise BadInput(f"{text!r} names a file only; write {text}:name, with the name of a surrogate in it")
    surrogate: PolyhedralSurrogate | SmoothSurrogate = member(text, CATALOGUE)
    return surrogate


def _from_file(path: str, name: str, n: int | None) -> PolyhedralSurrogate | SmoothSurrogate:
    if not Path(path).is_file():
        raise BadInput(f"cannot read {path!r}: there is no such file")
    try:
        names = runpy.run_path(path)
        found = names.get(name)
        if callable(found) and not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
            found = found(n)
    except LossmithError:
        raise
    except Exception as error:
        raise BadInput(f"{path}:{name} failed with {type(error).__name__}: {error}") from None
    if name not in names:
        raise UnknownName(f"{path} defines no {name!r}; {nearest(name, [x for x in names if not x.startswith('_')])}")
    if not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
        raise BadInput(
            f"{path}:{name} is {found!r}; it must be a PolyhedralSurrogate, a SmoothSurrogate, or a function of n that "
            f"returns one"
        )
    return found
