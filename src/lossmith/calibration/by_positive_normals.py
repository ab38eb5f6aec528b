"""The rule for polyhedral surrogates: calibrated exactly if every positive normal set lies in a trigger set.

Necessary by `thm:condition-necessary`, sufficient by `thm:condition-sufficient`: the finitely many positive normal sets
of full dimension cover the simplex. So a polyhedral surrogate is never undecided. For a set P of distributions the same
holds of the parts of the positive normal sets in P, those that only touch P included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from lossmith.analysis.positive_normals import (
    Enumeration,
    Point,
    Subdivision,
    enumerated,
    finished,
    pivoted,
    vertices_within,
)
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.calibration.counterexamples import excess, interior, mean, normalised, optimal, round_in_cell, towards
from lossmith.calibration.proofs import Counterexample, Cover
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Cell, NotCalibrated, Verdict
from lossmith.calibration.within import Distributions
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row, over_common_denominator
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_MOST_WATCHED = 64
_PATIENCE = 128  # points


def by_positive_normals(question: Question) -> Verdict | Declined:
    """Decide whether some pred makes a polyhedral surrogate calibrated, on all distributions or within some."""
    if not isinstance(question.surrogate, PolyhedralSurrogate) or question.pred is not None:
        return Declined()
    return _decided(question, question.surrogate)


def _decided(question: Question, surrogate: PolyhedralSurrogate) -> Verdict:
    loss, within = question.loss, question.within
    watch, minimizer = _Watch(loss), RiskMinimizer(surrogate)
    enumeration = enumerated(minimizer, max_vertices=question.max_vertices, progress=question.progress)
    found = _found(watch, enumeration, question, minimizer) if within is None else finished(enumeration)
    if isinstance(found, _BadCell):
        middle = interior(minimizer, found.z, found.points, tries=4)
        if middle is not None:
            return counterexample(minimizer, loss, found.u, None, [(found.points, middle)])
        found = finished(enumeration)
    if within is None:
        parts = [[cell.polytope.rays for cell in found.cells]]
    else:
        parts = [vertices_within(found, part.rows) for part in within]
    cells = []
    for cell, *polytopes in zip(found.cells, *parts, strict=True):
        shown = [rays for rays in polytopes if rays]
        optimal = watch.common(p for rays in shown for p in rays)
        if not optimal:
            if within is None:
                middles = [interior(minimizer, cell.z, cell.polytope.rays, tries=None)]
            else:
                middles = [mean(rays) for rays in shown]
            groups = [(rays, middle) for rays, middle in zip(shown, middles, strict=True) if middle is not None]
            return counterexample(minimizer, loss, cell.u, within, groups)
        cells.append(Cell(cell.u, cell.z, cell.polytope, (optimal & -optimal).bit_length() - 1, bool(shown)))
    return Calibrated(surrogate, loss, tuple(cells), Cover(found), within=within)


def _found(
    watch: _Watch, enumeration: Enumeration, question: Question, minimizer: RiskMinimizer
) -> _BadCell | Subdivision:
    """A cell that lies in no trigger set, or all cells.

    Most that lie in none are met soon. Where none is, all cells are found faster by pivots, if these suffice.
    """
    found = watch.first_bad(enumeration, _PATIENCE)
    if found is not None:
        return found
    with suppress(TooLarge):  # what comes next in the enumeration may still be bad
        cells = pivoted(minimizer, max_vertices=question.max_vertices, progress=question.progress)
        if cells is not None and all(watch.common(cell.polytope.rays) for cell in cells.cells):
            return cells
    found = watch.first_bad(enumeration)
    assert found is not None
    return found


def of_cells(loss: LossMatrix, found: Subdivision) -> Calibrated:
    """The verdict for a surrogate of which the cells are known to be those of the loss."""
    watch = _Watch(loss)
    served = [watch.common(cell.polytope.rays) for cell in found.cells]
    cells = tuple(
        Cell(cell.u, cell.z, cell.polytope, (optimal & -optimal).bit_length() - 1)
        for cell, optimal in zip(found.cells, served, strict=True)
    )
    return Calibrated(found.surrogate, loss, cells, Cover(found))


@dataclass(frozen=True)
class _BadCell:
    """A cell that lies in no trigger set, and the points of it that show this, maybe not all of its vertices."""

    u: Point
    z: Point
    points: tuple[Row, ...]


@dataclass
class _SeenCell:
    """Where ψ(u) was seen to be optimal, ψ(u) in integers over a denominator, and the predictions that serve there."""

    u: Point
    numerators: list[int]
    denominator: int
    points: list[Row]
    served: int


@dataclass
class _Watch:
    """Follows the enumeration: which predictions are optimal at all points seen of each cell."""

    loss: LossMatrix
    masks: dict[Row, int] = field(default_factory=dict)
    cells: dict[Point, _SeenCell] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = self.loss.rational.integer_columns()

    def optimal(self, p: Row) -> int:
        """The optimal predictions at p, as a bit mask."""
        if p not in self.masks:
            self.masks[p] = optimal(self.columns, p)
        return self.masks[p]

    def common(self, points: Iterable[Row]) -> int:
        """The predictions that are optimal at all of the points; all of them if there is no point."""
        mask = (1 << self.loss.k) - 1
        for p in points:
            mask &= self.optimal(p)
        return mask

    def first_bad(self, enumeration: Enumeration, most: int | None = None) -> _BadCell | Subdivision | None:
        """Follow the enumeration to the first cell that shows points which no prediction serves, or to its end.

        None if neither is reached within so many points.
        """
        seen = 0
        while most is None or seen < most:
            try:
                bad = self._look(*next(enumeration))
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if bad is not None:
                return bad
            seen += 1
        return None

    def _look(self, p: Row, minimum: Minimum) -> _BadCell | None:
        """Take note of H_ψ(p); a cell that has shown points which no prediction serves."""
        if minimum.z not in self.cells:
            if len(self.cells) >= _MOST_WATCHED:
                return None
            self.cells[minimum.z] = _SeenCell(minimum.u, *over_common_denominator(minimum.z), [], -1)
        bound = minimum.weights.bound
        support = [(y, x) for y, x in enumerate(p) if x]  # of vertices it is often small
        served = 0  # the predictions that are optimal at p, once they are asked for
        for z, cell in self.cells.items():
            risk = sum([x * cell.numerators[y] for y, x in support])
            if risk * bound.denominator == bound.numerator * cell.denominator:
                cell.points.append(p)
                served = served or self.optimal(p)
                cell.served &= served
                if not cell.served:
                    return _BadCell(cell.u, z, tuple(cell.points))
        return None


def counterexample(
    minimizer: RiskMinimizer,
    loss: LossMatrix,
    u: Point,
    within: tuple[Distributions, ...] | None,
    groups: Sequence[tuple[tuple[Row, ...], Row]],
) -> NotCalibrated:
    """Choose few distributions in N(ψ(u)) that rule out every prediction between them.

    Each group holds points of one polytope in it, and a point inside that polytope, towards which they are moved.
    """
    watch = _Watch(loss)
    share = 4
    while True:
        moved = [towards(p, middle, share) for points, middle in groups for p in points]
        if not watch.common(moved):
            break
        share *= 4  # N(z) meets the complement of every trigger set, which is open: near enough it is left
    z = minimizer.values(u)
    chosen = [round_in_cell(minimizer, watch.columns, z, p, within) for p in _cover(watch, moved)]
    proofs = tuple((p, minimizer.at(p).weights) for p in chosen)
    distributions = tuple(map(normalised, chosen))
    return NotCalibrated(minimizer.surrogate, loss, u, distributions, Counterexample(proofs), within=within)


def _cover(watch: _Watch, points: list[Row]) -> list[Row]:
    """Choose points, each the one that rules out most and costs most, until no prediction is optimal at all of them."""
    left, chosen = (1 << watch.loss.k) - 1, list[Row]()
    while left:
        best = max(points, key=lambda p: (-(left & watch.optimal(p)).bit_count(), excess(watch.columns, p)))
        chosen.append(best)
        left &= watch.optimal(best)
    return chosen
