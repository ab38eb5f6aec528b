"""Distributions that show what is wrong, made simple: moved inside a cell, and rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, count
from operator import itemgetter, mul

from lossmith.analysis.positive_normals import Point
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.within import Distributions, lies_in
from lossmith.exact.vectors import Row, cleared, combined, dot, primitive, rational_dot, unit_rows
from lossmith.geometry.simplex import simplest_near

FEW_LABELS = 8  # up to here all labels are possible under the distributions that are shown


def optimal(columns: Sequence[Row], p: Row) -> int:
    """The optimal predictions at p, as a bit mask.

    >>> optimal([(0, 1, 1), (1, 0, 1), (1, 1, 0)], (2, 2, 1))
    3
    """
    support = [y for y, x in enumerate(p) if x]  # of vertices it is often small
    weights: Sequence[int] = [p[y] for y in support]
    shown = map(itemgetter(*support), columns) if len(support) > 1 else ((column[support[0]],) for column in columns)
    risks = [sum(map(mul, weights, column)) for column in shown]
    least = min(risks)
    return sum(1 << t for t, risk in enumerate(risks) if risk == least)


def excess(columns: Sequence[Row], p: Row) -> Fraction:
    """What the predictions cost more than the optimal one at p, in all."""
    risks = [dot(p, column) for column in columns]
    return Fraction(sum(risks) - len(risks) * min(risks), sum(p))


def mean(points: Sequence[Row]) -> Row:
    """The mean of the points, each normalised."""
    return primitive(cleared(combined([Fraction(1, sum(p)) for p in points], points)))


def towards(p: Row, target: Row, share: int) -> Row:
    """The point one `share`-th of the way from p to the target, both normalised."""
    a, b = sum(p), sum(target)
    return primitive([(share - 1) * x * b + y * a for x, y in zip(p, target, strict=True)])


def normalised(p: Row) -> Point:
    """The distribution that is a multiple of p."""
    return tuple(Fraction(x, sum(p)) for x in p)


def optimal_at(minimizer: RiskMinimizer, z: Point, p: Row) -> bool:
    """Whether z = ψ(u) attains the least risk at p."""
    return rational_dot(p, z) == minimizer.at(p).weights.bound


def settled(minimizer: RiskMinimizer, z: Point, p: Row) -> bool:
    """Whether p lies inside the part of N(z) that has the same possible labels as p: there ψ has no other optimum."""
    corners = [towards(p, unit, 4096) for unit, x in zip(unit_rows(len(p)), p, strict=True) if x]
    return all(optimal_at(minimizer, z, corner) for corner in corners)


def interior(minimizer: RiskMinimizer, z: Point, points: Sequence[Row], tries: int | None) -> Row | None:
    """A point p > 0 for which z is the only optimal value: a small simplex around p lies in N(z)."""
    n = minimizer.surrogate.n
    centre = mean(points)
    tilt = tuple(int(x * 10**6) for x in minimizer.tilt)
    for step in chain((4, 16), (64**i for i in (count(1) if tries is None else range(1, tries + 1)))):
        for near in (centre, towards(centre, tilt, step)):
            corners = [towards(near, unit, step * 1024) for unit in unit_rows(n)]
            if all(near) and all(optimal_at(minimizer, z, corner) for corner in corners):
                return near
    return None


def round_in_cell(
    minimizer: RiskMinimizer, columns: Sequence[Row], z: Point, p: Row, within: tuple[Distributions, ...] | None = None
) -> Row:
    """A simple distribution near p in N(z) that rules out what p does and costs at least half as much.

    Without limits on the distributions it lies inside N(z).
    """
    best, cost = optimal(columns, p), excess(columns, p)

    def fits(q: Row) -> bool:
        as_good = not optimal(columns, q) & ~best and 2 * excess(columns, q) >= cost
        return as_good and (
            settled(minimizer, z, q) if within is None else lies_in(within, q) and optimal_at(minimizer, z, q)
        )

    return simplest_near(p, fits)
