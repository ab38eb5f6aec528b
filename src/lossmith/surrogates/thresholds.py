"""Thresholds between grades: scores that need not, or must, be in order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lossmith.families import one_of


def domain_of(thresholds: str) -> Callable[[list[Any]], list[Any]] | None:
    """The domain u_0 ≤ u_1 ≤ … of thresholds that are "ordered"; none if they are "free"."""
    if one_of("thresholds", thresholds, ("ordered", "free")) == "free":
        return None
    return lambda u: [before <= after for before, after in pairwise(u)]
