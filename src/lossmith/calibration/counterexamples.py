"""Distributions that show what is wrong, made simple: moved inside a cell, and rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain, count
from operator import mul

from lossmith.analysis.positive_normals import Point
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.within import Distributions, lies_in
from lossmith.exact.rational import over_common_denominator, primitive
from lossmith.geometry.double_description import Row

_DENOMINATORS = (*range(2, 13), 15, 16, 20, 24, 25, 30, 40, 50, 60, 80, 100, 200, 500, 1000, 10_000)
FEW_LABELS = 8  # up to here all labels are possible under the distributions that are shown


def optimal(columns: Sequence[Row], p: Row) -> int:
    """The optimal predictions at p, as a bit mask.

    >>> optimal([(0, 1, 1), (1, 0, 1), (1, 1, 0)], (2, 2, 1))
    3
    """
    support = [y for y, x in enumerate(p) if x]  # of vertices it is often small
    weights = [p[y] for y in support]
    risks = [sum(map(mul, weights, [column[y] for y in support])) for column in columns]
    least = min(risks)
    return sum(1 << t for t, risk in enumerate(risks) if risk == least)


def excess(columns: Sequence[Row], p: Row) -> Fraction:
    """What the predictions cost more than the optimal one at p, in all."""
    risks = [sum(map(mul, p, column)) for column in columns]
    return Fraction(sum(risks) - len(risks) * min(risks), sum(p))


def mean(points: Sequence[Row]) -> Row:
    """The mean of the points, each normalised."""
    scaled = [Fraction(1, sum(p)) for p in points]
    total = [
        sum((p[y] * factor for p, factor in zip(points, scaled, strict=True)), Fraction(0))
        for y in range(len(points[0]))
    ]
    return primitive(over_common_denominator(total)[0])


def towards(p: Row, target: Row, share: int) -> Row:
    """The point one `share`-th of the way from p to the target, both normalised."""
    a, b = sum(p), sum(target)
    return primitive([(share - 1) * x * b + y * a for x, y in zip(p, target, strict=True)])


def normalised(p: Row) -> Point:
    """The distribution that is a multiple of p."""
    return tuple(Fraction(x, sum(p)) for x in p)


def optimal_at(minimizer: RiskMinimizer, z: Point, p: Row) -> bool:
    """Whether z = ψ(u) attains the least risk at p."""
    return sum(map(mul, p, z), Fraction(0)) == minimizer.at(p).weights.bound


def settled(minimizer: RiskMinimizer, z: Point, p: Row) -> bool:
    """Whether p lies inside the part of N(z) that has the same possible labels as p: there ψ has no other optimum."""
    n = len(p)
    corners = [towards(p, tuple(int(y == x) for x in range(n)), 4096) for y in range(n) if p[y]]
    return all(optimal_at(minimizer, z, corner) for corner in corners)


def interior(minimizer: RiskMinimizer, z: Point, points: Sequence[Row], tries: int | None) -> Row | None:
    """A point p > 0 for which z is the only optimal value: a small simplex around p lies in N(z)."""
    n = minimizer.surrogate.n
    centre = mean(points)
    tilt = tuple(int(x * 10**6) for x in minimizer.tilt)
    for step in chain((4, 16), (64**i for i in (count(1) if tries is None else range(1, tries + 1)))):
        for near in (centre, towards(centre, tilt, step)):
            corners = [towards(near, tuple(int(y == x) for x in range(n)), step * 1024) for y in range(n)]
            if all(near) and all(optimal_at(minimizer, z, corner) for corner in corners):
                return near
    return None


def lifted(minimizer: RiskMinimizer, columns: Sequence[Row], z: Point, points: Sequence[Row]) -> list[Row]:
    """The points, where labels are few moved inside N(z), so far that the optimal predictions stay optimal alone."""
    middle = interior(minimizer, z, points, tries=4) if minimizer.surrogate.n <= FEW_LABELS else None
    if middle is None:
        return list(points)
    moved = []
    for p in points:
        share, best = 4, optimal(columns, p)
        while optimal(columns, near := towards(p, middle, share)) & ~best:
            share *= 4
        moved.append(near)
    return moved


def simplest(p: Row, fits: Callable[[Row], bool]) -> Row:
    """The distribution with the smallest denominator near p that fits, with the same possible labels; else p itself.

    >>> simplest((1003, 999, 498), lambda q: 2 * q[2] <= q[1])
    (2, 2, 1)
    """
    total, support = sum(p), sum(map(bool, p))
    for denominator in _DENOMINATORS:
        if support <= denominator < total:
            near = _rounded(p, total, denominator)
            if near is not None and fits(near):
                return primitive(near)
    return p


def _rounded(p: Row, total: int, denominator: int) -> Row | None:
    """p in multiples of 1 / denominator, the largest remainders rounded up; None if a possible label gets nothing."""
    shares = [divmod(x * denominator, total) for x in p]
    left = denominator - sum(whole for whole, _ in shares)
    up = sorted(range(len(p)), key=lambda y: (-shares[y][1], y))[:left]
    near = tuple(whole + (y in up) for y, (whole, _) in enumerate(shares))
    return near if all(bool(x) == bool(q) for x, q in zip(p, near, strict=True)) else None


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

    return simplest(p, fits)
