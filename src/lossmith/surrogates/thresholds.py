"""Thresholds between grades: scores that need not, or must, be in order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import one_of
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss


def domain_of(thresholds: str) -> Callable[[list[Any]], list[Any]] | None:
    """The domain u_0 ≤ u_1 ≤ … of thresholds that are "ordered"; none if they are "free"."""
    if one_of("thresholds", thresholds, ("ordered", "free")) == "free":
        return None
    return lambda u: [before <= after for before, after in pairwise(u)]


def v_shaped(loss: LossMatrix) -> bool:
    """Whether decisions are the grades, and costs do not fall away from the right one.

    >>> from lossmith.losses import abstain, ordinal
    >>> v_shaped(ordinal(4)), v_shaped(abstain(3))
    (True, False)
    """
    if loss.n != loss.k:
        return False
    return all(
        a >= b if t < y else a <= b for y, row in enumerate(loss.entries) for t, (a, b) in enumerate(pairwise(row))
    )


def of_grades(loss: LossLike, who: str, instead: str) -> LossMatrix:
    """The loss, if its rows are V-shaped; else an error that names what takes any loss."""
    read = as_loss(loss).matrix()
    if not v_shaped(read):
        raise BadInput(
            f"{who} needs grades in order, whose costs do not fall away from the right one; "
            f"{read.name} is not like that: try {instead}, which takes any loss"
        )
    return read
