"""δ(ε), the least regret of the surrogate at which that of the loss can be ε or more, exactly; and its convex hull.

δ is the least of finitely many convex, piecewise linear functions, each of which ends somewhere: so it is piecewise
linear, does not fall, is continuous from the left, may jump upwards where one of them ends, and is ∞ beyond the last.
Each of them is had from points of the plane: F(ε) = min{w : (x, w) ∈ conv(points), x ≥ ε}.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, rational_called
from lossmith.losses.matrix import LossMatrix

Point: TypeAlias = tuple[Fraction, ...]
_ZERO = Fraction(0)


@dataclass(frozen=True)
class Attained:
    """A distribution p and a u at which, or as near as one likes, `prediction` is made; and the two regrets."""

    p: Point
    u: Point
    prediction: int
    loss_regret: Fraction
    surrogate_regret: Fraction


@dataclass(frozen=True)
class Corner:
    """A point (x, w) of the plane, and the distribution that it belongs to."""

    x: Fraction
    w: Fraction
    p: Point


@dataclass(frozen=True)
class Segment:
    """What δ is on (start, end]: linear between two corners, or constant if they are the same; attained at u."""

    start: Fraction
    end: Fraction
    first: Corner
    last: Corner
    u: Point
    prediction: int

    def at(self, epsilon: Fraction) -> Fraction:
        """Its value, at the end of the interval, too."""
        return self.first.w + self._share(epsilon) * (self.last.w - self.first.w)

    def attained(self, epsilon: Fraction, loss: LossMatrix) -> Attained:
        """Return the distribution and the u at which the value is attained, with the regret of the loss there.

        The segment compares the prediction with one other, and a third one may be better at p.
        """
        share = self._share(epsilon)
        p = tuple(a + share * (b - a) for a, b in zip(self.first.p, self.last.p, strict=True))
        risks = loss.risk(p)
        return Attained(p, self.u, self.prediction, risks[self.prediction] - min(risks), self.at(epsilon))

    def _share(self, epsilon: Fraction) -> Fraction:
        width = self.last.x - self.first.x
        return (epsilon - self.first.x) / width if width else _ZERO


@dataclass(frozen=True)
class CalibrationFunction:
    """δ as segments from 0 to the largest regret of the loss; called with ε it is exact, ∞ beyond."""

    segments: tuple[Segment, ...]
    loss: LossMatrix = field(repr=False)

    def __call__(self, epsilon: RationalLike) -> Fraction | float:
        """δ(ε); 0 for ε ≤ 0, `math.inf` beyond the largest regret."""
        exact = rational_called("ε", epsilon)
        if exact <= 0:
            return _ZERO
        return inf if exact > self.largest else self._on(exact).at(exact)

    def attained(self, epsilon: RationalLike) -> Attained:
        """A distribution, a u and a prediction with a regret of the loss of ε or more, and δ(ε) of the surrogate."""
        exact = rational_called("ε", epsilon)
        if not 0 < exact <= self.largest:
            raise BadInput(f"ε = {epsilon} is not attained; regrets are positive up to {self.largest}")
        return self._on(exact).attained(exact, self.loss)

    @property
    def largest(self) -> Fraction:
        """The largest regret of the loss that any decision of the pred can have."""
        return self.segments[-1].end if self.segments else _ZERO

    @cached_property
    def breakpoints(self) -> tuple[tuple[Fraction, Fraction, Fraction | float], ...]:
        """(ε, δ(ε), δ from above), where δ bends or jumps, from 0 to the largest regret."""
        if not self.segments:
            return ((_ZERO, _ZERO, inf),)
        found = [(_ZERO, _ZERO, self.segments[0].at(_ZERO))]
        for before, after in pairwise(self.segments):
            left, right = before.at(before.end), after.at(before.end)
            if left != right or _slope(before) != _slope(after):
                found.append((before.end, left, right))
        return (*found, (self.largest, self.segments[-1].at(self.largest), inf))

    @property
    def convex(self) -> bool:
        """Whether δ is convex: it has no jump below the largest regret, and its slopes rise."""
        inner = self.breakpoints[:-1]
        slopes = [_slope(each) for each in self.segments]
        return all(left == right for _, left, right in inner) and all(a <= b for a, b in pairwise(slopes))

    def _on(self, epsilon: Fraction) -> Segment:
        return self.segments[bisect_left(self._ends, epsilon)]

    @cached_property
    def _ends(self) -> list[Fraction]:
        return [each.end for each in self.segments]


@dataclass(frozen=True)
class Hull:
    """δ**, the largest convex function that δ is nowhere below: linear from (0, 0) through what is attained.

    E regret_ψ ≥ δ**(E regret_L) for every distribution of instances and every model,
    and no larger convex function that is 0 at 0 will do.
    """

    corners: tuple[Attained, ...]

    @cached_property
    def points(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(ε, δ**(ε)) where it bends, from (0, 0)."""
        return ((_ZERO, _ZERO), *((each.loss_regret, each.surrogate_regret) for each in self.corners))

    def __call__(self, epsilon: RationalLike) -> Fraction | float:
        """δ**(ε); 0 for ε ≤ 0, `math.inf` beyond the largest regret."""
        exact = rational_called("ε", epsilon)
        if exact <= 0:
            return _ZERO
        for (a, b), (c, d) in pairwise(self.points):
            if exact <= c:
                return b + (exact - a) * (d - b) / (c - a)
        return inf

    def at_most(self, surrogate_regret: RationalLike) -> Fraction:
        """The largest regret of the loss, on average, that a regret of the surrogate, on average, leaves possible."""
        exact = rational_called("the regret of the surrogate", surrogate_regret)
        if exact < 0:
            raise BadInput(f"the regret of the surrogate is {surrogate_regret}; a regret is 0 or more")
        for (a, b), (c, d) in pairwise(self.points):
            if exact < d:
                return a + (exact - b) * (c - a) / (d - b)
        return self.points[-1][0]

    @property
    def constant(self) -> Fraction | float:
        """The least c with regret_L ≤ c · regret_ψ: what the first slope says, as later ones are no less."""
        if len(self.points) == 1:
            return _ZERO
        x, w = self.points[1]
        return x / w if w else inf


def hull_of(points: Sequence[Attained]) -> Hull:
    """The lower hull of (0, 0) and the points, up to the largest regret of the loss."""
    best: dict[Fraction, Attained] = {}
    for each in points:
        known = best.get(each.loss_regret)
        if each.loss_regret > 0 and (known is None or each.surrogate_regret < known.surrogate_regret):
            best[each.loss_regret] = each
    kept: list[Attained] = []
    for _, each in sorted(best.items()):
        while kept and _above(kept[-2:], each):
            kept.pop()
        kept.append(each)
    return Hull(tuple(kept))


def _above(last: Sequence[Attained], new: Attained) -> bool:
    """Whether the last corner lies on or above the line from the one before it, (0, 0) if there is none, to the new."""
    a, b = (last[0].loss_regret, last[0].surrogate_regret) if len(last) > 1 else (_ZERO, _ZERO)
    c, d = last[-1].loss_regret, last[-1].surrogate_regret
    return (d - b) * (new.loss_regret - a) >= (new.surrogate_regret - b) * (c - a)


def corners_of(points: Sequence[tuple[int, int]]) -> list[int]:
    """Which of the points are the corners of min{w : (x, w) ∈ conv(points), x ≥ ε}, from left to right.

    >>> corners_of([(0, 0), (2, 1), (1, 1), (3, 4), (-1, 2)])
    [0, 1, 3]
    """
    kept: list[int] = []
    for i in sorted(range(len(points)), key=lambda i: (-points[i][0], points[i][1])):
        x, w = points[i]
        if kept and w >= points[kept[-1]][1]:
            continue
        while len(kept) > 1:
            (a, b), (c, d) = points[kept[-2]], points[kept[-1]]
            if (d - b) * (x - a) > (w - b) * (c - a):  # the last corner lies below the line
                break
            kept.pop()
        kept.append(i)
    return kept[::-1]


def lowest(functions: Iterable[Sequence[tuple[int, int]]]) -> list[Sequence[tuple[int, int]]]:
    """Of functions min{w : (x, w) ∈ conv(points), x ≥ ε} of ε > 0, given by their corners, those not above another.

    >>> lowest([[(0, 1), (2, 3)], [(1, 0), (2, 2), (3, 9)], [(0, 0), (1, 5)], [(0, 1), (2, 3)]])
    [[(1, 0), (2, 2), (3, 9)]]
    """
    kept: list[Sequence[tuple[int, int]]] = []
    for new in sorted(functions, key=lambda corners: (-corners[-1][0], corners[-1][1], corners)):
        if not any(_nowhere_below(new, each) for each in kept):
            kept.append(new)
    return kept


def _nowhere_below(high: Sequence[tuple[int, int]], low: Sequence[tuple[int, int]]) -> bool:
    """Whether a function is at least another wherever it is finite: where one of the two bends, and at 0."""
    end = high[-1][0]
    if low[-1][0] < end:
        return False
    for x in {0, *(x for x, _ in high if x > 0), *(x for x, _ in low if 0 < x < end)}:
        (a, b), (c, d) = _around(high, x), _around(low, x)
        if b * c < d * a:  # b / a < d / c
            return False
    return True


def _around(corners: Sequence[tuple[int, int]], x: int) -> tuple[int, int]:
    """The value at x as a denominator and a numerator."""
    i = bisect_left(corners, (x,))
    if i == 0:
        return 1, corners[0][1]
    (a, b), (c, d) = corners[i - 1], corners[i]
    return c - a, b * (c - x) + d * (x - a)


def segments_of(corners: Sequence[Corner], u: Point, prediction: int) -> tuple[Segment, ...]:
    """The convex function with these corners, on the positive numbers."""
    first = corners[0]
    found = [Segment(_ZERO, first.x, first, first, u, prediction)]
    found += [Segment(max(_ZERO, a.x), b.x, a, b, u, prediction) for a, b in pairwise(corners)]
    return tuple(each for each in found if each.end > each.start)


def least_of(functions: Sequence[tuple[Segment, ...]], loss: LossMatrix) -> CalibrationFunction:
    """Return the least of several functions, each given by its segments from 0 to where it ends."""
    level = list(functions)
    while len(level) > 1:
        rest = level[len(level) & ~1 :]
        level = [_least(a, b) for a, b in zip(level[::2], level[1::2], strict=False)] + rest
    return CalibrationFunction(level[0] if level else (), loss)


def _least(first: Sequence[Segment], second: Sequence[Segment]) -> tuple[Segment, ...]:
    """The lesser of two, with a new segment wherever they cross."""
    found: list[Segment] = []
    i = j = 0
    start = _ZERO
    while i < len(first) and j < len(second):
        a, b = first[i], second[j]
        end = min(a.end, b.end)
        for part in _lesser(a, b, start, end):
            _append(found, part)
        start = end
        i, j = i + (a.end == end), j + (b.end == end)
    for rest in (*first[i:], *second[j:]):
        _append(found, replace(rest, start=max(start, rest.start)))
    return tuple(found)


def _lesser(a: Segment, b: Segment, start: Fraction, end: Fraction) -> list[Segment]:
    at_start, at_end = a.at(start) - b.at(start), a.at(end) - b.at(end)
    if at_start <= 0 and at_end <= 0:
        return [replace(a, start=start, end=end)]
    if at_start >= 0 and at_end >= 0:
        return [replace(b, start=start, end=end)]
    middle = start + (end - start) * at_start / (at_start - at_end)
    left, right = (a, b) if at_start < 0 else (b, a)
    return [replace(left, start=start, end=middle), replace(right, start=middle, end=end)]


def _append(found: list[Segment], new: Segment) -> None:
    """Add a segment; one that goes on with the same line lengthens the last."""
    if found and found[-1].end == new.start and replace(found[-1], start=new.start, end=new.end) == new:
        new = replace(new, start=found.pop().start)
    found.append(new)


def _slope(each: Segment) -> Fraction:
    width = each.last.x - each.first.x
    return (each.last.w - each.first.w) / width if width else _ZERO
