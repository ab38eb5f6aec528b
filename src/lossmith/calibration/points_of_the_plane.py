"""The points of the plane of which δ is the least of hulls: what each z costs at the vertices of ψ, and what t loses.

Over all distributions, or over a chamber K of labels that ψ does not tell apart: H_ψ is linear on the cells there, so
for every z = ψ(u) and all pairs of predictions t and s what lies above (p·(ℓ_t − ℓ_s), p·z − H_ψ(p)), p ∈ K, is what
lies above the points at its vertices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from lossmith.analysis.chamber import ChamberCells, cells_in_chamber
from lossmith.analysis.positive_normals import PositiveNormalSet, Subdivision, positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.calibration.calibration_function import Corner, corners_of, lowest
from lossmith.calibration.counterexamples import normalised
from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.vectors import Row, minus, rows_over_common_denominator
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


@dataclass(frozen=True, eq=False)
class Plane:
    """The points over the vertices of these cells of ψ."""

    loss: LossMatrix
    found: Subdivision | ChamberCells

    @cached_property
    def vertices(self) -> list[Row]:
        """The vertices, in integers, neither normalised nor divided."""
        return sorted(self.found.proofs)

    def cells(self, part: PolyhedralSurrogate, max_vertices: int) -> tuple[PositiveNormalSet, ...]:
        """The z that are least for some p of ψ on a piece of a region, of all or in the chamber, each with a u."""
        if isinstance(self.found, ChamberCells):
            minimizer = RiskMinimizer(part, self.found.chamber.blocks)
            return cells_in_chamber(minimizer, max_vertices=max_vertices).cells
        return positive_normal_sets(part, max_vertices=max_vertices).cells

    def differences(self, t: int) -> list[list[int]]:
        """v·(ℓ_t − ℓ_s) at all vertices, on the scale of `_scaled`, for every other column ℓ_s that is ever better."""
        columns = self.loss.rational.integer_columns()
        rows = dict.fromkeys(minus(columns[t], column) for column in columns if column != columns[t])
        if not rows:
            return []
        table = integer_rows(integer_matrix(list(rows)) * integer_matrix(self._scaled[0]).transpose())
        return [lost for lost in table if max(lost) > 0]

    def hulls(
        self, cells: Sequence[PositiveNormalSet], differences: Sequence[Sequence[int]]
    ) -> Iterator[tuple[list[Corner], PositiveNormalSet]]:
        """The corners of F for each z and s, but for those F that are nowhere below another."""
        (vertices, total), unit = self._scaled, self.loss.rational.denominator
        least = [self.found.proofs[p].bound * total / sum(p) for p in self.vertices]
        (*values, bounds), scale = rows_over_common_denominator([*(cell.z for cell in cells), least])
        table = integer_rows(integer_matrix(values) * integer_matrix(vertices).transpose())
        found: dict[tuple[tuple[int, int], ...], tuple[list[int], PositiveNormalSet]] = {}
        for cell, risks in zip(cells, table, strict=True):
            paid = [risk - bound for risk, bound in zip(risks, bounds, strict=True)]
            for lost in differences:
                corners = corners_of(points := list(zip(lost, paid, strict=True)))
                found.setdefault(tuple([points[i] for i in corners]), (corners, cell))
        for function in lowest(found):
            corners, cell = found[tuple(function)]
            yield (
                [
                    Corner(Fraction(x, total * unit), Fraction(w, total * scale), self._names[i])
                    for i, (x, w) in zip(corners, function, strict=True)
                ],
                cell,
            )

    @cached_property
    def _scaled(self) -> tuple[list[Row], int]:
        """The vertices with one and the same sum, and that sum."""
        total = lcm(*map(sum, self.vertices))
        return [tuple(x * (total // sum(p)) for x in p) for p in self.vertices], total

    @cached_property
    def _names(self) -> list[tuple[Fraction, ...]]:
        return [normalised(p) for p in self.vertices]
