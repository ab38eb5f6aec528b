"""Regrets of a polyhedral surrogate with a given pred, exactly: the constant, the calibration function, its hull.

Let V be the vertices of the subdivision of ψ, cl R_t the union of the polyhedra P (`surrogates/closures.py`), and
Z_P the vertices of {z : z ≥ ψ(u), u ∈ P}. regret_L(p, t) = max_s p·(ℓ_t − ℓ_s), regret_ψ(p, u) = p·ψ(u) − H_ψ(p).

**Calibration function.** δ(ε), the least regret_ψ(p, u) with u ∈ cl R_t and regret_L(p, t) ≥ ε > 0, is the least of
F(ε) = min{w : (x, w) ∈ conv{(v·(ℓ_t − ℓ_s), v·z − H_ψ(v)) : v ∈ V}, x ≥ ε} over t, s ≠ t, P and z ∈ Z_P. *Proof.*
regret_L(p, t) ≥ ε if and only if p·(ℓ_t − ℓ_s) ≥ ε for some s, and p·ψ is least on P at some z ∈ Z_P. For fixed z,
p ↦ p·z − H_ψ(p) is convex, and linear on the cells of ψ: what lies above its graph is the hull of the points over V,
and what lies above them. Project it along p·(ℓ_t − ℓ_s). ∎

**Hull.** With G_t(v) = min_{u ∈ cl R_t} v·ψ(u) − H_ψ(v), the largest convex function below δ is the lower hull of
(0, 0) and the points (regret_L(v, t), G_t(v)). *Proof.* The hull of all points above the F, and to the left of them,
is that of the points (v·(ℓ_t − ℓ_s), v·z − H_ψ(v)), and no such point is to the right of or below
(regret_L(v, t), G_t(v)), which is one of them. ∎ So it takes one minimum for every v and P, and the least c with
regret_L ≤ c · regret_ψ is the inverse of its first slope.

Where labels are interchangeable for ψ, L and pred, the vertices over the chamber K are enough, with all t, s and P:
regrets at p are those of images at an image in K, and over K what lies above p·z − H_ψ(p) is the hull of its points.
So is one P of each kind, with all p: where exchanges of labels leave P where it is, those p that fall within blocks of
such labels, a larger chamber. Of the two ways to δ the one with fewer vertices is taken, for each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from lossmith.analysis.chamber import ChamberCells, cells_in_chamber
from lossmith.analysis.exchanged_regions import ExchangedRegions, Orbits, Place
from lossmith.analysis.positive_normals import Subdivision, positive_normal_sets
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.analysis.symmetry import Block, Symmetry
from lossmith.calibration.by_symmetric_regions import symmetry_with_pred
from lossmith.calibration.by_symmetry import FEWEST_LABELS, SMALLEST_BLOCK
from lossmith.calibration.calibration_function import (
    Attained,
    CalibrationFunction,
    Hull,
    Segment,
    hull_of,
    least_of,
    segments_of,
)
from lossmith.calibration.counterexamples import normalised
from lossmith.calibration.points_of_the_plane import Plane
from lossmith.calibration.proof_of_function import function_certificate
from lossmith.calibration.proofs import Apart, ChambersApart, Cover, regret_certificate
from lossmith.calibration.question import Question
from lossmith.calibration.regret_budgets import (
    Budget,
    affordable_programs,
    enough_vertices,
    pieces_of,
    size_of_program,
    within_budget,
)
from lossmith.certificates.certificate import Certificate
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row, dot
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred

MOST_PROVED = 5_000_000  # cells by vertices, times labels and predictions: some 30 steps of the checker each


@dataclass(frozen=True, eq=False)
class RegionRegrets:
    """What is known of the regrets of a question with a pred by regions: each part is computed when it is asked for."""

    question: Question
    found: Subdivision | ChamberCells
    symmetry: Symmetry | None = None

    @property
    def pred(self) -> Pred:
        """The pred, by closures of where it makes each prediction."""
        pred = self.question.closures
        assert pred is not None
        return pred

    @cached_property
    def excesses(self) -> dict[Row, list[int]]:
        """p·ℓ_t − H_L(p) for every t, at every vertex p in integers, neither normalised nor divided."""
        columns = self.question.loss.rational.integer_columns()
        found = {}
        for p in sorted(self.found.proofs):
            risks = [dot(p, column) for column in columns]
            found[p] = [risk - min(risks) for risk in risks]
        return found

    @cached_property
    def minima(self) -> dict[tuple[Row, Place], Minimum]:
        """min_{u ∈ P} p·ψ(u) at every vertex p, for one P of each kind whose prediction is not optimal there."""
        asked = {p: self._looked_at(p, excess) for p, excess in self.excesses.items()}
        self._affordable(sum(map(len, asked.values())))
        parts: dict[Place, RiskMinimizer] = {}
        found = {}
        for done, (p, places) in enumerate(asked.items()):
            for place in places:
                if place not in parts:
                    parts[place] = RiskMinimizer(self._on(place))
                found[p, place] = parts[place].at(p)
            self._tell(done, len(asked))
        return found

    def _looked_at(self, p: Row, excess: list[int]) -> list[Place]:
        places = self._places if self._orbits is None else sorted(self._orbits.representatives(p))
        return [place for place in places if excess[place[0]]]

    def _affordable(self, programs: int) -> None:
        """Refuse what takes too long."""
        size, question = size_of_program(self.question), self.question
        if programs > affordable_programs(question):
            raise TooLarge(
                f"the regrets of {question.surrogate.name} with {self.pred.name} take {programs:,} programs of "
                f"{size:,} coefficients, over the budget; {enough_vertices(programs * size)}"
            )

    @cached_property
    def hull(self) -> Hull:
        """The convex hull of the calibration function."""
        return hull_of([self._attained(p, t, minimum) for (p, (t, _)), minimum in self.minima.items()])

    @cached_property
    def calibration_function(self) -> CalibrationFunction:
        """δ, exactly."""
        functions: dict[tuple[tuple[Fraction, Fraction], ...], tuple[Segment, ...]] = {}
        everywhere, budget = Plane(self.question.loss, self.found), Budget(self.question)
        for done, kind in enumerate(self.kinds):
            plane = self.over_more(kind, budget) or everywhere
            for place in kind if plane is everywhere else kind[:1]:
                rows = plane.differences(place[0])
                budget.spend_on_points(len(rows) * len(plane.vertices))  # of one cell, or more
                cells = budget.cells(plane, self._on(place)) if rows else ()
                budget.spend_on_points((len(cells) - 1) * len(rows) * len(plane.vertices))
                for corners, cell in plane.hulls(cells, rows) if rows else ():
                    functions.setdefault(
                        tuple((each.x, each.w) for each in corners), segments_of(corners, cell.u, place[0])
                    )
            self._tell(done, len(self.kinds))
        return least_of([each for each in functions.values() if each], self.question.loss)

    def over_more(self, kind: Sequence[Place], budget: Budget) -> Plane | None:
        """The points over the chamber of the labels that one polyhedron does not tell apart, if that is less work."""
        if self.symmetry is None or self._orbits is None or len(kind) == 1:
            return None
        blocks = not_told_apart(self._orbits, kind[0], self.symmetry.blocks)
        try:
            found = budget.chamber(self.found.surrogate, blocks, len(kind) * len(self.excesses))
        except TooLarge:
            return None
        return Plane(self.question.loss, found)

    @cached_property
    def _orbits(self) -> Orbits | None:
        if self.symmetry is None:
            return None
        return ExchangedRegions(self.question.facts.columns, self.pred).orbits(self.symmetry)

    @cached_property
    def kinds(self) -> list[list[Place]]:
        """The polyhedra, together those that exchanges of labels take to each other."""
        kinds: dict[Place, list[Place]] = {place: [place] for place in self._places}
        for _, _, by in () if self._orbits is None else self._orbits.exchanges:
            for one, other in by.items():
                if kinds[one] is not kinds[other]:
                    kinds[one] += kinds[other]
                    kinds |= dict.fromkeys(kinds[other], kinds[one])
        return [kind for place, kind in kinds.items() if kind[0] == place]

    @cached_property
    def certificate(self) -> Certificate:
        """The claim "regret": the hull, what proves that nothing lies below it, and where its corners are attained."""
        apart = tuple(Apart(t, i, p, minimum.weights) for (p, (t, i)), minimum in self.minima.items())
        places = {(normalised(p), t, minimum.u): (p, i) for (p, (t, i)), minimum in self.minima.items()}
        attained = [(each, *places[each.p, each.prediction, each.u]) for each in self.hull.corners]
        if isinstance(self.found, ChamberCells):
            assert self.symmetry is not None
            evidence = ChambersApart(self.found, self.symmetry, apart).evidence(self.pred, self.found.cells)
        else:
            evidence = Cover(self.found, apart).evidence(self.pred, self.found.cells)
        found = self.found
        return regret_certificate(
            self.question.loss, found.surrogate, self.pred, self.hull, attained, found.proofs, evidence
        )

    @cached_property
    def delta_certificate(self) -> Certificate:
        """The claim "calibration function": δ, all cells of ψ and of its parts, and where its segments are attained."""
        delta, (cells, vertices) = self.calibration_function, self._counts
        self._provable(max(cells, len(self._places)), vertices)  # every cell of ψ is one of a part, or more
        found, limit = self.found, self.question.max_vertices
        if isinstance(found, ChamberCells):  # the checker takes hulls over all vertices
            found = positive_normal_sets(found.surrogate, max_vertices=limit, progress=self.question.progress)
        parts, cells = {}, 0
        for done, place in enumerate(self._places):
            parts[place] = positive_normal_sets(self._on(place), max_vertices=limit)
            cells += len(parts[place].cells)
            self._provable(cells, len(found.proofs))
            self._tell(done, len(self._places))
        return function_certificate(self.question.loss, self.pred, delta, found, parts)

    @property
    def _counts(self) -> tuple[int, int]:
        """How many cells and vertices ψ has, of which those of a chamber have images."""
        found = self.found
        if not isinstance(found, ChamberCells):
            return len(found.cells), len(found.proofs)
        alike = found.chamber.alike
        return sum(alike(cell.z) for cell in found.cells), sum(map(alike, found.proofs))

    def _provable(self, cells: int, vertices: int) -> None:
        """Refuse what the checker would."""
        loss = self.question.loss
        if cells * vertices * (loss.n + loss.k) > MOST_PROVED:
            raise TooLarge(
                f"the calibration function of {self.found.surrogate.name} with {self.pred.name} has no certificate "
                f"that can be checked, with {vertices:,} vertices and {cells:,} cells or more; its convex hull has one"
            )

    @property
    def _places(self) -> list[Place]:
        return [(t, i) for t, region in enumerate(self.pred.regions) for i in range(len(region))]

    def _on(self, place: Place) -> PolyhedralSurrogate:
        t, i = place
        surrogate = self.found.surrogate
        return surrogate.on(self.pred.regions[t][i], f"{surrogate.name} on region {t}")

    def _attained(self, p: Row, t: int, minimum: Minimum) -> Attained:
        lost = Fraction(self.excesses[p][t], sum(p) * self.question.loss.rational.denominator)
        paid = (minimum.weights.bound - self.found.proofs[p].bound) / sum(p)
        return Attained(normalised(p), minimum.u, t, lost, paid)

    def _tell(self, done: int, total: int) -> None:
        if self.question.progress is not None:
            self.question.progress(done, total)


def not_told_apart(orbits: Orbits, place: Place, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks, divided into labels whose exchange leaves the polyhedron where it is.

    To exchange x and z is to exchange x and y, then y and z, then x and y.
    """
    by = {(x, y): moved for x, y, moved in orbits.exchanges}
    found: list[list[int]] = []
    for block in blocks:
        neighbours, parts = [*pairwise(block)], list[list[int]]()
        for j, y in enumerate(block):
            for part in parts:
                i = block.index(part[-1])
                moved = place
                for pair in (*neighbours[i:j], *reversed(neighbours[i : j - 1])):
                    moved = by[pair][moved]
                if moved == place:
                    part.append(y)
                    break
            else:
                parts.append([y])
        found += parts
    return tuple(map(tuple, found))


def regrets_of_regions(question: Question) -> RegionRegrets:
    """The regrets of a polyhedral surrogate with a pred by regions, of all distributions.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import absolute
    >>> from lossmith.surrogates.preds import as_named
    >>> found = regrets_of_regions(Question(absolute(3), Facts(ordinal(3)), as_named("nearest")))
    >>> str(found.hull.constant), str(found.calibration_function("1/3"))
    ('2', '1/6')
    """
    surrogate = question.surrogate
    assert isinstance(surrogate, PolyhedralSurrogate)
    if question.loss.n >= FEWEST_LABELS and max(map(len, question.facts.blocks)) >= SMALLEST_BLOCK:
        symmetry = symmetry_with_pred(question)
        if max(map(len, symmetry.blocks)) >= SMALLEST_BLOCK:
            return regrets_in_chamber(question, symmetry)
    limit = within_budget(question).max_vertices
    try:
        return RegionRegrets(question, positive_normal_sets(surrogate, max_vertices=limit, progress=question.progress))
    except TooLarge:
        if limit == question.max_vertices:
            raise
    programs, size = pieces_of(question), size_of_program(question)
    raise TooLarge(
        f"the cells of {surrogate.name} have more than {limit:,} vertices, with up to {programs:,} programs of "
        f"{size:,} coefficients at each of them; raise the budget with max_vertices=… (--max-vertices)"
    )


def regrets_in_chamber(question: Question, symmetry: Symmetry) -> RegionRegrets:
    """The same for a surrogate, a loss and a pred with this symmetry, however small."""
    assert isinstance(question.surrogate, PolyhedralSurrogate)
    minimizer = RiskMinimizer(question.surrogate, symmetry.blocks)
    limit = within_budget(question).max_vertices
    found = cells_in_chamber(minimizer, max_vertices=limit, progress=question.progress)
    return RegionRegrets(question, found, symmetry)
