"""Intervals of costs: for which values of one entry something stays as it is, and whether the ends belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Interval:
    """All costs x ≥ 0 from `low` to `high`, None for no upper end; the ends belong to it where it says so.

    >>> Fraction(3) in Interval(Fraction(1), Fraction(3)), Fraction(3) in Interval(Fraction(1), Fraction(3), True, True)
    (False, True)
    """

    low: Fraction = Fraction(0)
    high: Fraction | None = None
    low_included: bool = True
    high_included: bool = False

    def __contains__(self, x: Fraction | int) -> bool:
        if x < self.low or (x == self.low and not self.low_included):
            return False
        return self.high is None or x < self.high or (x == self.high and self.high_included)

    @property
    def everything(self) -> bool:
        """Whether no cost lies outside."""
        return self.low == 0 and self.low_included and self.high is None

    def above(self, low: Fraction | None, included: bool) -> Interval:
        """Those of them that are above `low`, or equal to it if that is included; None takes nothing away."""
        if low is None or low < self.low or (low == self.low and (included or not self.low_included)):
            return self
        return Interval(low, self.high, included, self.high_included)

    def below(self, high: Fraction | None, included: bool) -> Interval:
        """Those of them that are below `high`, or equal to it if that is included; None takes nothing away."""
        if high is None:
            return self
        if self.high is not None and (high > self.high or (high == self.high and (included or not self.high_included))):
            return self
        return Interval(self.low, high, self.low_included, included)

    def meet(self, other: Interval) -> Interval:
        """The costs in both.

        >>> Interval(Fraction(1), Fraction(5)).meet(Interval(Fraction(2), None, False)).low_included
        False
        """
        return self.above(other.low, other.low_included).below(other.high, other.high_included)
