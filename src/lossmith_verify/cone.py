"""The double description method: the vertices over a polytope of distributions.

The rays of a cone are found by adding its inequalities one at a time. A new inequality keeps the
rays that satisfy it, and cuts each edge between one that does, strictly, and one that does not.
Two rays span an edge if and only if no third one has all the zeros that they share: the zeros
are the inequalities that hold with equality. On an edge of a cone in R^size there are at least
size − 2 of them.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from operator import mul
from typing import NamedTuple

from lossmith_verify.arithmetic import (
    LEDGER,
    combined,
    dot,
    hold,
    integral,
    longest,
    price,
    room,
    short,
    spend,
)
from lossmith_verify.reading import Rows, Vector, require


class Ray(NamedTuple):
    """Coordinates of a ray, the mask of its zeros (coordinates first), and its longest entry."""

    x: tuple[int, ...]
    zeros: int
    bits: int


class Vertex(NamedTuple):
    """A vertex (p, v), and the numbers of the values z with v = p·z."""

    p: Vector
    v: Fraction
    tight: list[int]


def halfspaces(given: Rows) -> list[Vector]:
    """Return the rows of all inequalities, two for each equation: first all with sign +."""
    spend(10 * sum(map(len, given.equations)))
    negated = [Vector(-x for x in row) for row in given.equations]
    return [*given.inequalities, *given.equations, *negated]


def vertices(values: Sequence[Vector], given: Sequence[Vector], limit: int) -> Iterator[Vertex]:
    """Enumerate the vertices of {(p, v) : p ∈ Δ, a·p ≥ 0 for given rows a, v ≤ p·z for values z}.

    The coordinates of the cone are p and p·z_0 − v ≥ 0.
    """
    n, first, before = len(values[0]), values[0], LEDGER.held
    spend(500)
    differences = (combined([(1, z), (-1, first)], n) for z in values[1:])
    cuts = [integral_row(z, Fraction(1)) for z in differences]
    cuts += [integral_row(row, Fraction(0)) for row in given]
    for ray in extreme_rays(cuts, n + 1, limit):
        if scale := sum(ray.x[:n]):  # all rays but (0, …, 0, 1)
            spend(len(values) + n * (20 + 4 * price(2 * ray.bits)))
            hold(3 * n + len(values) // 50, ray.bits)
            p = Vector(Fraction(x, scale) for x in ray.x[:n])
            marks = f"{ray.zeros >> n:b}"[::-1][: len(values)]
            tight = [j for j, mark in enumerate(marks) if mark == "1"]
            hold(len(tight))
            yield Vertex(p, dot(p, first) - Fraction(ray.x[n], scale), tight)
    LEDGER.held = before


def integral_row(row: Vector, last: Fraction) -> tuple[int, ...]:
    """Return an inequality of the cone, times a common denominator."""
    found = integral([*row, last])
    hold(len(found), longest(found))
    return found


def extreme_rays(cuts: Sequence[Sequence[int]], size: int, limit: int) -> list[Ray]:
    """Enumerate the extreme rays of {x ≥ 0 : c·x ≥ 0 for all cuts c}."""
    spend(size * size)
    hold(size * size)
    everything = (1 << size) - 1
    rays = []
    for i in range(size):
        unit = tuple(int(i == k) for k in range(size))
        rays.append(Ray(unit, everything ^ 1 << i, 1))
    for j, row in enumerate(cuts):
        rays = cut(rays, row, size + j, limit)
    return rays


def cut(rays: list[Ray], row: Sequence[int], place: int, limit: int) -> list[Ray]:
    """Return the rays of the cone cut by one more inequality, whose zeros have their place."""
    length = longest(row)
    spend(sum(len(row) * price(length + ray.bits) + place // 64 for ray in rays))
    room(3 * len(rays), place)
    slack = [sum(map(mul, row, ray.x)) for ray in rays]
    fresh: list[Ray] = []
    for i, s in enumerate(slack):
        if s < 0:
            fresh += crossings(rays, slack, i, place)
            reason = f"more than {limit} vertices come up, too many"
            require(len(rays) + len(fresh) <= limit, "evidence", reason)
    kept = [(ray, (s == 0) << place) for ray, s in zip(rays, slack) if s >= 0]
    return [ray._replace(zeros=ray.zeros | zero) for ray, zero in kept] + fresh


def crossings(rays: list[Ray], slack: list[int], i: int, place: int) -> Iterator[Ray]:
    """Enumerate where the edges from ray i, which is cut off, cross the new inequality."""
    x, zeros, _ = rays[i]
    shared = [(k, zeros & ray.zeros) for k, ray in enumerate(rays) if k != i]
    near = [(k, common) for k, common in shared if common.bit_count() >= len(x) - 2]
    ahead = [(k, common) for k, common in near if slack[k] > 0]
    spend((3 * len(rays) + len(ahead) * len(near)) * (1 + place // 64))
    for k, common in ahead:
        if any(common & other == common for m, other in near if m != k):
            continue
        length = slack[i].bit_length() + slack[k].bit_length() + rays[i].bits + rays[k].bits
        spend(len(x) * (10 + 4 * price(length)))
        crossing = [slack[k] * a - slack[i] * b for a, b in zip(x, rays[k].x)]
        divisor = gcd(*crossing)
        point = tuple(a // divisor for a in crossing)
        short(max(point))
        hold(len(x), longest(point))
        hold(1, place)
        yield Ray(point, common | 1 << place, longest(point))
