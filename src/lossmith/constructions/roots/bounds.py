"""What is known of c in regret_L ≤ c √regret_ψ: c² from above and from below, and where it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Touching:
    """Where the lower bound is attained: `prediction` is decided at q, or as near as one likes, and s is better at p.

    With `limit`, it is approached as p tends to q.
    """

    p: tuple[Fraction, ...]
    q: tuple[Fraction, ...]
    prediction: int
    better: int
    limit: bool


@dataclass(frozen=True)
class RootRegrets:
    """c² from below, where a pair of predictions is known that needs so much, and from above, both · 2^`doublings`."""

    lower: Fraction | None
    upper: Fraction
    touching: Touching | None
    theorem: str
    doublings: Fraction = Fraction(0)


NOTHING_LOST = RootRegrets(Fraction(0), Fraction(0), None, "one decision is always optimal")
