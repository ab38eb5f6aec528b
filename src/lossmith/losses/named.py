"""What stands for a loss: the loss, its rows, a data frame, a file, or a member of a family by name."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any, TypeAlias

from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.exact.rational import RationalLike
from lossmith.families import Family, member, parts, usage
from lossmith.losses import FAMILIES, RANKING, SETS
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.files import STANDARD_INPUT, similar
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss
from lossmith.losses.sources import is_file

LossLike: TypeAlias = Loss | Sequence[Sequence[RationalLike]] | str | PathLike[str] | Any  # Any: arrays, data frames


def as_loss(given: LossLike) -> Loss:
    """The loss that is given: itself, or read from rows, an array, a data frame, a path, or the name of a member.

    >>> as_loss([[0, 1], [5, 0]]), as_loss("abstain:n=3")
    (LossMatrix('loss': 2 labels × 2 predictions), LossMatrix('abstain(n=3, cost=1/2)': 3 labels × 4 predictions))
    """
    if isinstance(given, (LossMatrix, FactoredLoss)):
        return given
    if isinstance(given, str):
        return loss_named(given)
    if isinstance(given, PathLike):
        return LossMatrix.from_file(fspath(given))
    if isinstance(given, ExampleCosts):
        raise BadInput(f"{given.name} differ from example to example; for one matrix, take costs.mean(frame)")
    if isinstance(given, Family):
        raise BadInput(f"{given.name} is a family; choose a member, such as {usage(given)!r}")
    return LossMatrix(given)


def loss_named(text: str, gains: bool = False) -> Loss:
    """Read a loss from a file, or from the standard input ("-"), or make the member of a family, such as "abstain:n=4".

    With `gains`, the file says what is gained.

    >>> loss_named("ordinal:n=3").name
    'ordinal(n=3)'
    """
    if is_file(text):
        return LossMatrix.from_gains(text) if gains else LossMatrix.from_file(text)
    name = text.partition(":")[0]
    known = [each.name.replace("_", "-") for each in FAMILIES]
    unknown = name.strip().replace("_", "-") not in known
    if unknown and os.path.isfile(name):
        raise BadInput(f"{text!r} names a sheet of {name!r}, which is no workbook; write {name}")
    if unknown and (files := similar(text)):
        raise UnknownName(f"no file and no family is called {name!r}; {nearest(name, [*files, *known])}")
    loss: Loss = member(text, FAMILIES)
    if gains:
        raise BadInput(f"{text!r} is a family of losses, not of gains; leave out --gains")
    return loss


def written_in_python(text: str, gains: bool = False) -> str:
    """The line of Python that makes what `loss_named` makes of a text; nothing for the standard input.

    >>> print(written_in_python("abstain:n=4,cost=1/3"))
    loss = lm.losses.abstain(n=4, cost="1/3")
    >>> print(written_in_python("costs.csv"))
    loss = lm.LossMatrix.from_file("costs.csv")
    """
    if text == STANDARD_INPUT:
        return ""
    if is_file(text):
        return f"loss = lm.LossMatrix.from_{'gains' if gains else 'file'}({json.dumps(text, ensure_ascii=False)})"
    name, _, rest = text.partition(":")
    family = name.strip().replace("-", "_")
    given = (part.partition("=")[::2] for part in parts(rest))
    values = (f"{key}={value if value.isdecimal() else json.dumps(value.strip('()'))}" for key, value in given)
    matrix = ".matrix()" if family in {each.name for each in (*RANKING, *SETS)} else ""
    return f"loss = lm.losses.{family}({', '.join(values)}){matrix}"
