"""What a search needs to know of the cells of a loss, and the matrices z that have the same cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, TypeAlias

from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.exact.solve import echelon
from lossmith.exact.vectors import Row, cleared, minus, primitive
from lossmith.losses.matrix import LossMatrix

Points: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class CellTask:
    """What the programs need of the cells of a loss, exactly; cells are numbered by their place in `kept`.

    `vertices` are the p with more than one label, as integer multiples, each with the cells that hold it. The
    independent λ's are μ: `ratios` has a row r with λ = r·μ for each pair of cells that share a facet, and `heights`
    a matrix Z_i for each μ_i with z = Σ_i μ_i Z_i + constants.
    """

    loss: LossMatrix
    kept: tuple[int, ...]
    vertices: tuple[tuple[Row, tuple[int, ...]], ...]
    facets: tuple[tuple[int, int], ...]
    ratios: tuple[tuple[Fraction, ...], ...]
    heights: tuple[tuple[tuple[Fraction, ...], ...], ...]

    @property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, those that share a facet with it."""
        pairs = {*self.facets, *((t, s) for s, t in self.facets)}
        return tuple(tuple(t for t in range(len(self.kept)) if (s, t) in pairs) for s in range(len(self.kept)))

    @property
    def path(self) -> tuple[int, ...] | None:
        """The cells in a row, each sharing a facet with the next; None if they do not lie like this."""
        near = self.neighbours
        ends = [t for t, others in enumerate(near) if len(others) == 1]
        if len(ends) != 2 or len(self.facets) != len(near) - 1:
            return None
        order = [ends[0]]
        while len(order) < len(near):
            order.append(next(t for t in near[order[-1]] if t not in order))
        return tuple(order)

    @cached_property
    def meetings(self) -> frozenset[tuple[int, int, int]]:
        """The s, t and r such that some vertex lies in Q_s and Q_t but not in Q_r."""
        cells = set(range(len(self.kept)))
        return frozenset(
            (s, t, r) for _, held in self.vertices for s, t in permutations(held, 2) for r in cells.difference(held)
        )

    def refutes(self, points: Points) -> bool:
        """Whether some u_r lies between u_s and u_t though a vertex of Q_s ∩ Q_t is not in Q_r; points are different.

        The risk at that vertex would be least at u_s and u_t, hence between them, but not at u_r.
        """
        for r, origin in enumerate(points):
            sides: dict[Row, list[int]] = {}
            for t, point in enumerate(points):
                if t != r:
                    sides.setdefault(primitive(minus(point, origin)), []).append(t)
            for way, ahead in sides.items():
                behind = sides.get(tuple(-x for x in way), [])
                if any((s, t, r) in self.meetings for s in ahead for t in behind):
                    return True
        return False

    def values(self, mu: Sequence[Fraction]) -> list[list[Fraction]]:
        """The matrix z for these μ, each row shifted to have the same least entry as in the loss."""
        rows = []
        for y, losses in enumerate(self.loss.entries):
            row = [
                sum((m * height[y][t] for m, height in zip(mu, self.heights, strict=True)), Fraction(0))
                for t in range(len(self.kept))
            ]
            rows.append([value - min(row) + min(losses) for value in row])
        return rows


def cell_task(facts: Facts, max_vertices: int = MAX_VERTICES) -> CellTask:
    """Enumerate the cells of the loss and solve for the z that have these cells.

    >>> from lossmith.losses import abstain, zero_one
    >>> [len(cell_task(Facts(each)).heights) for each in (abstain(4), zero_one(4))]       # the independent λ's
    [4, 1]
    """
    loss, cells = facts.loss, facts.cells(max_vertices, reduced=False)
    owners: dict[Row, list[int]] = {}
    for place, cell in enumerate(cells):
        for ray in cell.polytope.rays:
            owners.setdefault(ray, []).append(place)
    pairs = combinations(range(len(cells)), 2)
    facets = [(s, t) for s, t in pairs if cells[t].prediction in cells[s].neighbours]
    kept = tuple(cell.prediction for cell in cells)
    columns = [loss.column(t) for t in kept]
    several = tuple((p, tuple(held)) for p, held in sorted(owners.items()) if sum(map(bool, p)) > 1)
    return CellTask(loss, kept, several, tuple(facets), *_ratios_and_heights(columns, facets))


def _ratios_and_heights(columns: Sequence[Sequence[Fraction]], facets: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
    """Solve the cycle conditions: around each cycle of cells that share facets, the λ_e (ℓ_t − ℓ_s) add up to 0."""
    labels, size = range(len(columns[0])), len(facets)
    if not facets:
        return (), ()
    steps = [minus(columns[t], columns[s]) for s, t in facets]
    paths: dict[int, dict[int, int]] = {0: {}}  # from cell 0 to each other one: facets and directions
    while len(paths) < len(columns):
        for e, (s, t) in enumerate(facets):
            if (s in paths) != (t in paths):
                known, new, sign = (s, t, 1) if s in paths else (t, s, -1)
                paths[new] = {**paths[known], e: sign}
    equations: list[Row] = []
    for e, (s, t) in enumerate(facets):
        around = [paths[s].get(f, 0) - paths[t].get(f, 0) + (f == e) for f in range(size)]
        rows = ([sign * step[y] for sign, step in zip(around, steps, strict=True)] for y in labels)
        equations += map(cleared, rows)
    form, denominator = echelon(equations)
    solved = [[Fraction(x, denominator) for x in row] for row in form]
    pivots = [next(f for f, x in enumerate(row) if x) for row in solved]
    free = [f for f in range(size) if f not in pivots]
    ratios = [tuple(Fraction(e == f) for f in free) for e in range(size)]
    for pivot, row in zip(pivots, solved, strict=True):
        ratios[pivot] = tuple(-row[f] for f in free)

    def height_of(i: int, y: int, t: int) -> Fraction:
        return sum((sign * ratios[e][i] * steps[e][y] for e, sign in paths[t].items()), Fraction(0))

    cells = range(len(columns))
    heights = tuple(tuple(tuple(height_of(i, y, t) for t in cells) for y in labels) for i in range(len(free)))
    return tuple(ratios), heights
