"""Double description of rational cones by the Parma Polyhedra Library.

A polytope is handled as the cone over it, so that vertices and inequalities alike are primitive integer rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ppl import C_Polyhedron, Constraint_System, Generator_System, Linear_Expression, point
from ppl import ray as ppl_ray

from lossmith.errors import TooLarge

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
        generators.insert(ppl_ray(Linear_Expression(list(each), 0)))
    constraints = C_Polyhedron(generators).minimized_constraints()
    return [tuple(int(entry) for entry in each.coefficients()) for each in constraints]


def lower_envelope(
    domain: Sequence[Sequence[int]],
    functionals: Sequence[Sequence[int]],
    *,
    corners: int,
    max_vertices: int,
    progress: Progress | None = None,
) -> list[Row]:
    """The vertices of the graph of x ↦ min_t f_t·x over the pointed cone {x : a·x ≥ 0 for all rows a of `domain`}.

    They are the extreme rays of {(x, v) : x in the cone, v ≤ f_t·x for all t}, without (0, −1). `corners` is the
    number of extreme rays of the cone alone.

    The functionals join in batches, small enough that the vertices are expected to stay within `max_vertices`:
    one functional can at worst square their number, and a computation inside PPL cannot be watched.

    >>> sorted(lower_envelope([(1, 0), (0, 1)], [(0, 1), (1, 0)], corners=2, max_vertices=100))
    [(0, 1, 0), (1, 0, 0), (1, 1, 1)]
    """
    # A constant functional cuts deepest: with it first, abstain(16) needs 136 vertices on the way, not 65 535.
    order = sorted(range(len(functionals)), key=lambda t: len(set(functionals[t])) > 1)
    rows = [(*functionals[t], -1) for t in order]
    polyhedron = C_Polyhedron(_system([*((*row, 0) for row in domain), rows[0]]))
    done, batch, added = 1, 1, 0
    while done < len(rows):
        step = rows[done : done + batch]
        for row in step:
            polyhedron.add_constraint(Linear_Expression(list(row), 0) >= 0)
        done += len(step)
        if progress is not None:
            progress(done, len(rows))
        if done == len(rows):
            break
        vertices = len(polyhedron.minimized_generators()) - 2  # the apex and the ray (0, −1) are generators too
        before, added = added, max(1, vertices - corners)
        # Expected factor per further functional; the second one alone says little, and the third adds about half as much.
        growth = max(1.15, (added / before) ** (1 / len(step))) if before else max(2.0, vertices / corners / 2)
        if vertices * growth > max_vertices:
            raise _too_many(vertices, len(rows) - done, growth, corners, len(rows), max_vertices)
        batch = max(1, int(math.log(max_vertices / vertices) / math.log(growth)))
    generators = polyhedron.minimized_generators()
    found = [each for each in _rays(generators) if any(each[:-1])]
    if len(found) > max_vertices:
        raise _too_many(len(found), 0, 1.0, corners, len(rows), max_vertices)
    return found


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
