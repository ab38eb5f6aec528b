"""Double description of rational cones by the Parma Polyhedra Library.

A polytope is handled as the cone over it, so that vertices and inequalities alike are primitive integer rows.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import eq
from typing import TypeAlias

from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.geometry.parma import C_Polyhedron, Constraint_System, Generator_System, Linear_Expression

Row: TypeAlias = tuple[int, ...]
Progress: TypeAlias = Callable[[int, int], None]

MOST_RAYS = 100_000


def extreme_rays(inequalities: Sequence[Sequence[int]], *, most: int = MOST_RAYS) -> list[Row]:
    """The extreme rays of the pointed cone {x : a·x ≥ 0 for all rows a}, as primitive integer rows.

    >>> sorted(extreme_rays([(1, 0), (-1, 2)]))
    [(0, 1), (2, 1)]
    """
    cone = GrowingCone(inequalities[:1], most)
    cone.add(inequalities[1:])
    return cone.rays()


def facets(rays: Sequence[Sequence[int]], *, most: int = MOST_RAYS) -> list[Row]:
    """The irredundant inequalities a·x ≥ 0 of the full-dimensional cone spanned by these rays.

    They are the extreme rays of the cone of all a with a·x ≥ 0 for every ray x.

    >>> sorted(facets([(0, 1), (1, 1), (2, 1)]))
    [(-1, 2), (1, 0)]
    """
    return extreme_rays(rays, most=most)


class GrowingCone:
    """A pointed cone {x : a·x ≥ 0 for all rows a} to which rows are added; PPL keeps both descriptions.

    A computation inside PPL can be neither watched nor ended. So rows join in batches so small that the number of rays
    stays near `most`, by theorem or by what the batches before have added; what would lead beyond it is refused.
    """

    def __init__(self, rows: Sequence[Sequence[int]], most: int) -> None:
        self._rows = list(rows)
        self._polyhedron = C_Polyhedron(_system(rows))
        self._rays: list[Row] | None = None
        self._dim = len(rows[0])
        self._most, self._ceiling = most, max(most, min(4 * most, 50_000))  # fewer in the end may be more on the way
        self._bearable = max(self._ceiling, min(4 * self._ceiling, 2_500_000 // self._dim))  # half a GiB in PPL
        self._facets, self._most_facets = len(rows), _facets_within(self._bearable, self._dim - 1)
        self.count, self.growth = len(rows), self._dim / 4  # rays, at a guess, and how many times as many a row makes
        self.done = 0

    def add(self, rows: Sequence[Sequence[int]], progress: Progress | None = None) -> None:
        """Cut the cone by further rows; raise `TooLarge` if that leads to more rays than allowed."""
        self.done = 0
        while self.done < len(rows):
            left = len(rows) - self.done
            many = self._safe(left)
            if 4 * self.done > len(rows) and self._expected(2 * left) <= self._ceiling:
                many = left  # even if the rest does twice as much as the first quarter
            before = self.count
            self._cut(rows[self.done : self.done + many], last=many >= left)
            self.done += min(many, left)
            self.growth = max(1.0, (self.count / before) ** (1 / min(many, left)))
            if self._expected(self.done < len(rows)) > self._ceiling:
                raise TooLarge(
                    f"{self.count:,} vertices after {self.done:,} of {len(rows):,} cuts are over the budget of "
                    f"{self._most:,}, or the next ones will be; raise it with max_vertices=… (--max-vertices)"
                )
            if progress is not None:
                progress(self.done, len(rows))

    def rays(self) -> list[Row]:
        """The extreme rays."""
        if self._rays is None:
            self._rays = _rays(self._polyhedron.minimized_generators())
        return self._rays

    def _expected(self, rows: int) -> float:
        """How many rays there will be after so many rows, if each does what the last ones did."""
        return self.count * min(self.growth**rows, 1e9)

    def _safe(self, left: int) -> int:
        """How many rows may join at once: if they cannot lead far beyond the ceiling, or would if each did its worst.

        A row makes one new ray of each edge that it cuts, and in the simple case there are dim / 2 edges to a ray.
        """
        worst = max(2.0, min(self._dim / 2, 2 * self.growth))
        within = int(math.log(max(1.0, self._bearable / self.count)) / math.log(worst))
        return max(1, within, min(left, self._most_facets - self._facets))

    def _cut(self, rows: Sequence[Sequence[int]], *, last: bool) -> None:
        afresh = 2 * len(rows) > len(self._rows) and len(self._rows) + len(rows) <= self._most_facets
        self._rows += rows
        if afresh:  # any order will do, and PPL's own is fastest
            self._polyhedron = C_Polyhedron(_system(self._rows))
        else:
            for row in rows:
                self._polyhedron.add_constraint(Linear_Expression(list(row), 0) >= 0)
        self._facets += len(rows)
        if self._facets > self._most_facets:
            self._facets = len(self._polyhedron.minimized_constraints())
        self._rays = None
        self.count = max(1, len(self.rays()) if last else len(self._polyhedron.minimized_generators()) - 1)  # the apex


@lru_cache(maxsize=256)
def _facets_within(vertices: int, dim: int) -> int:
    """With how many facets every polytope of this dimension has at most so many vertices (McMullen 1970).

    >>> _facets_within(12, 3)                         # at most 2 (facets − 2) vertices
    8
    """
    half, rest = dim // 2, (dim + 1) // 2
    if dim == 0:
        return vertices

    def at_most(facets: int) -> int:
        return math.comb(facets - rest, half) + math.comb(facets - half - 1, rest - 1)

    return dim + max(1, bisect_right(range(dim + 1, vertices + 1), vertices, key=at_most))


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

    >>> sorted(lower_envelope([(1, 0), (0, 1)], [(0, 1), (1, 0)], corners=[(1, 0), (0, 1)], max_vertices=100))
    [(0, 1, 0), (1, 0, 0), (1, 1, 1)]
    """
    cone = GrowingCone([(*row, 0) for row in domain], max_vertices)
    done, total = 0, len(functionals)
    for batch in _promising_first(functionals, corners):
        rows = [(*functionals[t], -1) for t in batch]
        told = None if progress is None else lambda count, _, before=done: progress(before + count, total)
        try:
            cone.add(rows, told)
        except TooLarge:
            left = total - done - cone.done
            raise _too_many(cone.count - 1, left, cone.growth, len(corners), total, max_vertices) from None
        done += len(rows)
    found = [each for each in cone.rays() if any(each[:-1])]
    if len(found) > max_vertices:
        raise _too_many(len(found), 0, 1.0, len(corners), total, max_vertices)
    return found


def _promising_first(functionals: Sequence[Sequence[int]], corners: Sequence[Row]) -> list[list[int]]:
    """In batches, last what is least at no corner, and what exceeds the flattest low one on average.

    A flat functional cuts deepest: with it first, abstain(16) has 136 vertices on the way, not 65 535. And those that
    are never least must not hide, at the start, how much the others will add.
    """
    products = integer_rows(integer_matrix(functionals) * integer_matrix(corners).transpose())
    lowest = [min(column) for column in zip(*products, strict=True)]
    totals = [sum(values) for values in products]
    flattest = products[totals.index(min(totals))]
    slack = len(corners) * (max(flattest) - min(flattest))
    batches: dict[tuple[bool, bool], list[int]] = {}
    for t in range(len(functionals)):
        never_least = totals[t] > min(totals) and not any(map(eq, products[t], lowest))
        batches.setdefault((never_least, totals[t] - min(totals) > slack), []).append(t)
    return [batches[late] for late in sorted(batches)]


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
