"""Whether it is right to act on the likeliest label, and how far one entry can move until that changes, exactly.

A model tells probabilities; each label y has its decision d(y); one takes that of the likeliest label. This is
calibrated (the rule for proper composite surrogates) exactly if d(y) is optimal wherever y is likeliest, so at the
corners of {p : p_y ≥ p_z for all z}, which are the uniform distributions on sets S that contain y. The worst S against
s has the labels z under which d(y) costs more than s. So it is right exactly if, for all y and s,

    L_ys − L_yd(y) ≥ Σ_{z ≠ y} max(0, L_zd(y) − L_zs).

In one entry each of these is an upper bound, a lower bound, or never satisfied: it is right on a closed interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lossmith.analysis.cost_interval import Interval
from lossmith.exact.vectors import Row
from lossmith.losses.matrix import LossMatrix


def decisions_of_labels(loss: LossMatrix) -> tuple[int, ...]:
    """The decision for each label: that of its name, if all labels are decisions, else the cheapest one, the first.

    >>> decisions_of_labels(LossMatrix([[0, 1, 5], [9, 2, 0]], predictions=["wait", "treat", "operate"]))
    (0, 2)
    """
    if set(loss.labels) <= set(loss.predictions):
        return tuple(map(loss.predictions.index, loss.labels))
    return tuple(row.index(min(row)) for row in loss.entries)


@dataclass(frozen=True, eq=False)
class LikeliestWhile:
    """Acting on the likeliest label, with the decision of each label, for a loss by its integer columns.

    >>> LikeliestWhile([(0, 1), (1, 0)], (0, 1)).interval(0, 1)
    Interval(low=Fraction(1, 1), high=Fraction(1, 1), low_included=True, high_included=True)
    """

    columns: Sequence[Row]
    decisions: Sequence[int]

    @property
    def right(self) -> bool:
        """Whether it is right now."""
        return not self._wrong

    def interval(self, y: int, t: int) -> Interval:
        """The values x of entry (y, t) for which the verdict is that of now."""
        now = self.columns[t][y]
        if any(t not in (self.decisions[z], s) for z, s in self._wrong):
            return Interval()  # wrong whatever x is
        low, high = Fraction(0), None
        for z, s in self._pairs(t):
            room = self._rooms[z][s]
            if self.decisions[z] == t:  # an upper bound
                if z == y:
                    bound = Fraction(now + room)
                else:
                    room += max(0, now - self.columns[s][y])
                    if room < 0:
                        return Interval()
                    bound = Fraction(self.columns[s][y] + room)
                high = bound if high is None else min(high, bound)
            elif z == y:
                low = max(low, Fraction(now - room))
            else:
                own = self.columns[self.decisions[z]][y]
                room += max(0, own - now)
                if room < 0:
                    return Interval()
                low = max(low, Fraction(own - room))
        return self._around(now, low, high)

    def _around(self, now: int, low: Fraction, high: Fraction | None) -> Interval:
        """From low to high it is right: that, or the part outside in which x is now."""
        if high is not None and high < low:
            return Interval()
        if now < low:
            return Interval(Fraction(0), low)
        if high is not None and now > high:
            return Interval(high, None, False)
        return Interval(low, high, True, high is not None)

    def _pairs(self, t: int) -> Iterator[tuple[int, int]]:
        """The labels and rivals whose inequality entry (y, t) is in."""
        for z, own in enumerate(self.decisions):
            if own != t:
                yield z, t
            else:
                yield from ((z, s) for s in range(len(self.columns)) if s != t)

    @cached_property
    def _rooms(self) -> list[list[int]]:
        """For each label z and rival s, by how much the inequality holds."""
        rooms = []
        for z, own in enumerate(self.decisions):
            mine = self.columns[own]
            spent = [sum([a - b for a, b in zip(mine, other, strict=True) if a > b]) for other in self.columns]
            rooms.append(
                [
                    other[z] - mine[z] - cost + max(0, mine[z] - other[z])
                    for other, cost in zip(self.columns, spent, strict=True)
                ]
            )
        return rooms

    @cached_property
    def _wrong(self) -> tuple[tuple[int, int], ...]:
        return tuple((z, s) for z, row in enumerate(self._rooms) for s, room in enumerate(row) if room < 0)
