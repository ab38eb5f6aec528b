"""What stands for a surrogate or a pred: itself, a name that is known, or a name in a Python file."""

from __future__ import annotations

import os
import re
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lossmith.errors import BadInput, LossmithError, UnknownName, nearest
from lossmith.exact.rational import quoted
from lossmith.families import Family, member, usage
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.in_print import told_of
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.surrogate import Surrogate

_WHICH = "ask lm.which(loss, {name!r}), or lossmith which LOSS --estimator {name}, what it trains"


def as_surrogate(given: object, loss: LossMatrix | None = None) -> Surrogate:
    """The surrogate that is given: itself, by name, or the member of a family that fits the loss.

    >>> from lossmith.losses import zero_one
    >>> as_surrogate("softmax", zero_one(3)).name, as_surrogate("absolute:n=4").name
    ('softmax(n=3)', 'absolute(n=4)')
    """
    if isinstance(given, PolyhedralSurrogate | SmoothSurrogate):
        return given
    if isinstance(given, str):
        return surrogate_named(given, loss)
    if isinstance(given, Family):
        return surrogate_named(given.name, loss) if given in CATALOGUE else _of_ones_own(given, loss)
    if hasattr(given, "fit") or hasattr(given, "predict"):
        name = getattr(given, "__name__", type(given).__name__)
        raise BadInput(f"{name} is an estimator, not a surrogate; {_WHICH.format(name=name)}")
    raise BadInput(f"{quoted(given)} is no surrogate; give one of lm.surrogates, or a name such as 'softmax'")


def surrogate_named(text: str, loss: LossMatrix | None = None) -> Surrogate:
    """Make the member of a family, such as "crammer-singer:n=3", or take `name` from "file.py:name".

    What the member lacks is taken from the loss: "softmax" alone has as many labels. The file is executed; the name is
    a surrogate, or a function of n that returns one, and n is that of the loss.

    >>> surrogate_named("absolute:n=4").dim
    1
    """
    path, _, name = text.rpartition(":")
    if text.endswith(".py"):
        raise BadInput(f"{text!r} names a file only; write {text}:name, with the name of a surrogate in it")
    if not path.endswith(".py"):
        return _member(text, loss)
    found = _from_file(path, name)
    if callable(found) and not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
        with _blaming(text):
            found = found(None if loss is None else loss.n)
    if not isinstance(found, PolyhedralSurrogate | SmoothSurrogate):
        raise BadInput(
            f"{text} is {found!r}; it must be a PolyhedralSurrogate, a SmoothSurrogate, or a function of n that "
            f"returns one"
        )
    return found


def _member(text: str, loss: LossMatrix | None) -> Surrogate:
    if re.fullmatch(r"(?=.*[a-z])[A-Z]\w+(\(.*\))?", text.strip()):  # families are written in small letters
        name = text.strip().partition("(")[0]
        raise UnknownName(f"no surrogate is called {text!r}; if it is an estimator, {_WHICH.format(name=name)}")
    told = told_of(text.partition(":")[0])
    if told is not None:
        raise BadInput(told)
    surrogate: Surrogate = member(text, CATALOGUE, loss)
    return surrogate


def _of_ones_own(family: Family[..., Any], loss: LossMatrix | None) -> Surrogate:
    fitting = None if loss is None else family.fits(loss)
    if fitting is None:
        raise BadInput(f"{family.name} is a family; choose a member, such as {usage(family)}")
    made: Surrogate = family(**fitting)
    return made


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
