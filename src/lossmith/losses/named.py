"""What stands for a loss: the loss, its rows, a data frame, a file, or a member of a family by name."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import Family, member, usage
from lossmith.losses import CATALOGUE, RANKING
from lossmith.losses.factored import FactoredLoss
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
    loss: Loss = member(text, (*CATALOGUE, *RANKING))
    if gains:
        raise BadInput(f"{text!r} is a family of losses, not of gains; leave out --gains")
    return loss
