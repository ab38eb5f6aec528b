"""Double description of rational cones by the Parma Polyhedra Library.

A polytope is handled as the cone over it, so that vertices and inequalities alike are primitive integer rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import eq
from typing import TypeAlias

from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.geometry.parma import C_Polyhedron, Constraint_System, Generator_System, Linear_Expression, point, ray

Row: TypeAlias = tuple[int, ...]
Progress: TypeAlias = Callable[[int, int], None]


def extreme_rays(inequalities: Sequence[Sequence[int]]) -> list[Row]:
    """The extreme rays of the pointed cone {x : a·x ≥ 0 for all rows a}, as primitive integer rows.

    >>> sorted(extreme_rays([(1, 0), (-1, 2)]))
    [(0, 1), (2, 1)]
    """
    return _rays(C_Polyhedron(_system(inequalities)).minimized_generators())


def facets(rays: Sequence[Sequence[int]]) -> list[Row]:
    """The irredundant inequalities a·x ≥ 0 of the full-dimensional cone spanned by these rays.

    >>> sorted(facets([(0, 1), (1, 1), (2, 1)]))
    [(-1, 2), (1, 0)]
    """
    generators = Generator_System(point())
    for each in rays:
        generators.insert(ray(Linear_Expression(list(each), 0)))
    constraints = C_Polyhedron(generators).minimized_constraints()
    return [tuple(int(entry) for entry in each.coefficients()) for each in constraints]


class GrowingCone:
    """A pointed cone {x : a·x ≥ 0 for all rows a} to which rows are added; PPL keeps both descriptions."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self._polyhedron = C_Polyhedron(_system(rows))

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        """Cut the cone by further rows."""
        for row in rows:
            self._polyhedron.add_constraint(Linear_Expression(list(row), 0) >= 0)

    def rays(self) -> list[Row]:
        """The extreme rays."""
        return _rays(self._polyhedron.minimized_generators())


def lower_envelope(
    domain: Sequence[Sequence[int]],
    functionals: Sequence[Sequence[int]],
    *,
    corners: Sequence[Row],
    max_vertices: int,
    progress: Progress | None = None,
) -> list[Row]:
    """The vertices of the graph of x ↦ min_t f_t·x over the pointed cone {x : a·x ≥ 0 for all rows a of `domain`}.

    They are the extreme rays of {(x, v) : x in the cone, v ≤ f_t·x for all t}, without (0, −1). `corners` are
    the extreme rays of the cone alone.

    A computation inside PPL cannot be watched, and one more functional can at worst square the number of vertices.
    So the functionals join in batches that are expected to stay within `max_vertices`, judged by what the last one
    added; once all the rest is expected to fit, PPL gets them all at once and in its own order, which is fastest.

    >>> sorted(lower_envelope([(1, 0), (0, 1)], [(0, 1), (1, 0)], corners=[(1, 0), (0, 1)], max_vertices=100))
    [(0, 1, 0), (1, 0, 0), (1, 1, 1)]
    """
    order = _promising_first(functionals, corners)
    rows = [(*row, 0) for row in domain] + [(*functionals[t], -1) for t in order]
    first, total = len(domain), len(order)
    polyhedron = C_Polyhedron(_system(rows[: first + 1]))
    ceiling = max(max_vertices, min(4 * max_vertices, 50_000))  # a guess must not refuse what would fit
    done, fitting, vertices, size = 1, 0, len(corners), len(corners)
    while done + fitting < total:
        half = rows[first + done : first + done + fitting // 2]
        before = _grow(polyhedron, half) if half else vertices
        vertices = _grow(polyhedron, [rows[first + done + len(half)]])  # one alone, to see what the next ones will add
        done += len(half) + 1
        if before > size:
            growth = max(1.15, (vertices - size) / (before - size))
        else:  # the first one that cuts says little
            growth = max(2.0, vertices / size / 2)
        if done < total and vertices * growth > ceiling:
            raise _too_many(vertices, total - done, growth, size, total, max_vertices)
        fitting = int(math.log(max(1.0, ceiling / vertices)) / math.log(growth))
        if progress is not None:
            progress(done, total)
    if 2 * done < total:
        polyhedron = C_Polyhedron(_system(rows))
    else:
        _grow(polyhedron, rows[first + done :])
    found = [each for each in _rays(polyhedron.minimized_generators()) if any(each[:-1])]
    if len(found) > max_vertices:
        raise _too_many(len(found), 0, 1.0, size, total, max_vertices)
    return found


def _promising_first(functionals: Sequence[Sequence[int]], corners: Sequence[Row]) -> list[int]:
    """Put last what is least at no corner, and what exceeds the flattest low functional everywhere on average.

    A flat functional cuts deepest: with it first, abstain(16) has 136 vertices on the way, not 65 535. And those that
    are never least must not hide, at the start, how much the others will add.
    """
    products = integer_rows(integer_matrix(functionals) * integer_matrix(corners).transpose())
    lowest = [min(column) for column in zip(*products, strict=True)]
    totals = [sum(values) for values in products]
    flattest = products[totals.index(min(totals))]
    slack = len(corners) * (max(flattest) - min(flattest))

    def late(t: int) -> tuple[bool, bool]:
        never_least = totals[t] > min(totals) and not any(map(eq, products[t], lowest))
        return never_least, totals[t] - min(totals) > slack

    return sorted(range(len(functionals)), key=late)


def _grow(polyhedron: C_Polyhedron, rows: Sequence[Sequence[int]]) -> int:
    """Cut the polyhedron by these rows and count its vertices."""
    for row in rows:
        polyhedron.add_constraint(Linear_Expression(list(row), 0) >= 0)
    return len(polyhedron.minimized_generators()) - 2  # the apex and the ray (0, −1) are generators too


def _system(rows: Sequence[Sequence[int]]) -> Constraint_System:
    system = Constraint_System()
    for row in rows:
        system.insert(Linear_Expression(list(row), 0) >= 0)
    return system


def _rays(generators: Generator_System) -> list[Row]:
    return [tuple(map(int, each.coefficients())) for each in generators if each.is_ray()]


def _too_many(vertices: int, left: int, growth: float, corners: int, total: int, budget: int) -> TooLarge:
    ceiling = math.log10(math.comb(corners + total, total))  # one vertex per choice of as many corners as functionals
    exponent = min(math.log10(vertices) + left * math.log10(growth), ceiling)
    expected = f"about 10^{exponent:.0f}" if exponent > 6 else f"about {10**exponent:,.0f}"
    return TooLarge(
        f"the cells have {vertices:,} vertices after {total - left} of {total} predictions and {expected} are expected "
        f"in all, over the budget of {budget:,}; raise it with max_vertices=… (--max-vertices)"
    )
