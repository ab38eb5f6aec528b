"""The rule for a polyhedral surrogate with a given pred.

Let cl R_t, the closure of R_t = {u ∈ C : pred(u) = t}, be the union of closed polyhedra P (`surrogates/closures.py`;
R_t is taken after ties are broken). **(ψ, pred) is L-calibrated if and only if at every vertex p of the subdivision of
ψ, and for every P with min_{u ∈ P} p·ψ(u) = H_ψ(p), t is optimal.**

Proof. If t is not optimal at p but P attains H_ψ(p) at u, points of R_t that tend to u have ψ-risks that tend to the
least one: not calibrated. Conversely, if (ψ, pred) is not calibrated then at some p and some t that is not optimal
there, points of R_t have risks that tend to H_ψ(p); as there are finitely many polyhedra, one P attains it at some
u ∈ P. With z = ψ(u), v ≤ p·z holds on D = {(p, v) : p ∈ Δ, v ≤ H_ψ(p)}, so {p : p·z = H_ψ(p)} is a face of it: the hull
of vertices of the subdivision. Q_t is convex and does not contain this face, so it misses one of these vertices. ∎

Within a polytope of distributions the same holds with the vertices of D over that polytope.

Another pred with the same regions, which breaks ties otherwise, may get another verdict. All of them are calibrated if
even the closed regions, cut with C, pass the test; none is if what each region has for itself fails it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from lossmith.analysis.chamber import ChamberCells
from lossmith.analysis.positive_normals import Subdivision, positive_normal_sets, vertices_within
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.analysis.weights import Weights
from lossmith.calibration.counterexamples import mean, normalised, optimal_at, towards
from lossmith.calibration.proofs import Apart, Counterexample, Cover
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import Calibrated, Cell, NotCalibrated, Verdict
from lossmith.calibration.within import Distributions, lies_in
from lossmith.exact.vectors import Row, dot, rational_dot
from lossmith.geometry.covering import Gap, covering
from lossmith.geometry.double_description import Progress
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.geometry.simplex import simplest_near
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.closures import forced
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred


def by_regions(question: Question) -> Verdict | Declined:
    """Decide whether a polyhedral surrogate with this pred is calibrated for the loss."""
    if not isinstance(question.surrogate, PolyhedralSurrogate) or question.pred is None:
        return Declined()
    return _decided(question, question.surrogate)


def _decided(question: Question, surrogate: PolyhedralSurrogate) -> Verdict:
    loss, within = question.loss, question.within
    pred, said, domain = question.regions, question.closures, surrogate.domain
    assert pred is not None
    assert said is not None
    minimizer = RiskMinimizer(surrogate)
    subdivision = positive_normal_sets(
        surrogate, max_vertices=question.max_vertices, progress=question.progress, minimizer=minimizer
    )
    test = RegionsTest(loss, subdivision, _polytopes(subdivision, within), question.progress)
    apart: dict[tuple[Row, int, int], Apart] = {}
    wrong = test.first_wrong(said, apart)
    if wrong is not None:
        ties = rests_on_ties(pred, said, domain, test)
        return refuted(minimizer, loss, said, within, wrong, ties)
    reached = [True] * len(subdivision.cells)
    if within is not None:
        parts = zip(*(vertices_within(subdivision, region.rows) for region in within), strict=True)
        reached = [any(each) for each in parts]
    cells = tuple(
        Cell(cell.u, cell.z, cell.polytope, pred(cell.u), met)
        for cell, met in zip(subdivision.cells, reached, strict=True)
    )
    ties = spoiled_by_ties(pred, said, domain, test)
    return Calibrated(surrogate, loss, cells, Cover(subdivision, tuple(apart.values())), said, within, ties=ties)


@dataclass(frozen=True, eq=False)
class RegionsTest:
    """At every vertex of the subdivision: no piece of a prediction that is not optimal there attains the least risk."""

    loss: LossMatrix
    found: Subdivision | ChamberCells
    polytopes: Sequence[tuple[Row, ...]]
    progress: Progress | None

    def first_wrong(
        self,
        pred: Pred,
        apart: dict[tuple[Row, int, int], Apart],
        looked_at: Callable[[Row], Collection[tuple[int, int]]] | None = None,
    ) -> Wrong | None:
        """The first piece that does; `apart` gets the proofs of those that do not.

        At p only the predictions and pieces of `looked_at` are, where that is given.
        """
        surrogate, columns = self.found.surrogate, self.loss.rational.integer_columns()
        pieces = {(t, i): each for t, region in enumerate(pred.regions) for i, each in enumerate(region)}
        parts = {place: _Part(surrogate, *place, piece) for place, piece in pieces.items()}
        for points in self.polytopes if parts else ():
            for done, p in enumerate(points):
                risks = [dot(p, column) for column in columns]
                least, proofs = min(risks), list[_Bound]()
                for t, i in parts if looked_at is None else sorted(looked_at(p)):
                    if risks[t] == least or (p, t, i) in apart:
                        continue
                    part = parts[t, i]
                    weights = next(filter(None, (proof.on(part) for proof in proofs)), None)
                    if weights is None:
                        minimum = part.minimizer.at(p)
                        if minimum.weights.bound == self.bayes_risk(p):
                            return Wrong(part, minimum, self, points)
                        weights = minimum.weights
                        proofs.append(_Bound(part, weights))
                    apart[p, t, i] = Apart(t, i, p, weights)
                if self.progress is not None:
                    self.progress(done, len(points))
        return None

    def bayes_risk(self, p: Row) -> Fraction:
        """H_ψ at a vertex p in integers, times their sum."""
        known = self.found.proofs.get(p)
        if known is not None:
            return known.bound
        return min(rational_dot(p, cell.z) for cell in self.found.cells)


@dataclass(frozen=True)
class Wrong:
    """A piece that attains the least risk at one of the points, where its prediction is not optimal."""

    part: _Part
    minimum: Minimum
    test: RegionsTest
    points: tuple[Row, ...]


def spoiled_by_ties(pred: Pred, said: Pred, domain: Polyhedron, test: RegionsTest) -> str:
    """What to say of a calibrated pair if it would not be with ties broken otherwise."""
    if pred.regions == said.regions:
        return ""
    changed = tuple(
        tuple(piece for piece in region if piece not in kept and not domain.meet(piece).empty)
        for region, kept in zip(pred.regions, said.regions, strict=True)
    )
    wrong = test.first_wrong(Pred(pred.name, pred.dim, changed), {})
    if wrong is None:
        return ""
    names, u = test.loss.predictions, wrong.minimum.u
    return (
        f"This rests on how ties are broken: {names[wrong.part.prediction]} instead of {names[pred(u)]} at "
        f"u = ({', '.join(map(str, u))}) would not be optimal."
    )


def rests_on_ties(pred: Pred, said: Pred, domain: Polyhedron, test: RegionsTest) -> str:
    """What to say of a pair that is not calibrated if it would be with ties broken otherwise."""
    own = forced(pred, domain)
    if own.regions == said.regions or test.first_wrong(own, {}) is not None:
        return ""
    if isinstance(covering(domain, [piece for region in own.regions for piece in region]), Gap):
        return "This rests on the order of the regions, which overlap; with another it may be calibrated."
    return "This rests on how ties are broken: where several regions contain u, other choices would be calibrated."


@dataclass(frozen=True, eq=False)
class _Part:
    """ψ restricted to piece number i of the region of a prediction."""

    surrogate: PolyhedralSurrogate
    prediction: int
    number: int
    piece: Polyhedron

    @cached_property
    def places(self) -> dict[tuple[Fraction, ...], int]:
        """The numbers of the rows of the piece among the inequalities, after those of the domain."""
        base = len(self.surrogate.inequalities)
        return {row: base + i for i, row in enumerate(self.piece.inequalities)}

    @cached_property
    def minimizer(self) -> RiskMinimizer:
        return RiskMinimizer(self.surrogate.on(self.piece, f"{self.surrogate.name} on region {self.prediction}"))


@dataclass(frozen=True)
class _Bound:
    """Weights that hold on a part: they hold on every part that has the rows on which they rest."""

    part: _Part
    weights: Weights

    def on(self, other: _Part) -> Weights | None:
        """The weights, with the numbers that their rows have in the other part; None if it lacks one."""
        own, base = self.part.piece, len(self.part.surrogate.inequalities)
        places, total = other.places, base + len(own.inequalities)
        moved = []
        for i, w in self.weights.integer_domain:
            if i < base:
                moved.append((i, w))
            elif i < total:
                place = places.get(own.inequalities[i - base])
                if place is None:
                    return None
                moved.append((place, w))
            elif i < total + len(self.part.surrogate.equations):
                moved.append((i - len(own.inequalities) + len(other.piece.inequalities), w))
            else:  # an equation of the piece: not worth following
                return None
        return replace(self.weights, integer_domain=tuple(moved))


def _polytopes(subdivision: Subdivision, within: tuple[Distributions, ...] | None) -> list[tuple[Row, ...]]:
    """The vertices of D over each polytope of distributions: those of the parts of the cells in it."""
    if within is None:
        return [subdivision.vertices]
    found = [vertices_within(subdivision, region.rows) for region in within]
    return [tuple(sorted({p for points in parts for p in points})) for parts in found]


def refuted(
    minimizer: RiskMinimizer,
    loss: LossMatrix,
    pred: Pred,
    within: tuple[Distributions, ...] | None,
    wrong: Wrong,
    ties: str,
) -> NotCalibrated:
    """The worst p at which ψ leads to this u, moved a little into the set of all such p."""
    z, t = wrong.minimum.z, wrong.part.prediction
    face = [p for p in wrong.points if rational_dot(p, z) == wrong.test.bayes_risk(p)]
    middle = mean(face)

    def excess(p: Row) -> Fraction:
        risks: tuple[Fraction, ...] = loss.risk(normalised(p))
        return risks[t] - min(risks)

    worst, share = max(face, key=excess), 4
    while excess(moved := towards(worst, middle, share)) == 0:
        share *= 4  # outside Q_t, which is closed: near enough it stays outside
    cost = excess(moved)

    def fits(p: Row) -> bool:
        return 2 * excess(p) >= cost and lies_in(within, p) and optimal_at(minimizer, z, p)

    shown = simplest_near(moved, fits)
    proof = Counterexample(((shown, minimizer.at(shown).weights),), (t, wrong.part.number))
    return NotCalibrated(minimizer.surrogate, loss, wrong.minimum.u, (normalised(shown),), proof, pred, within, t, ties)
