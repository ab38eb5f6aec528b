"""Probing: where a polyhedral surrogate goes wrong, it does so on walls between cells of the loss.

*If a polyhedral ψ is not L-calibrated, two neighbouring cells Q_s, Q_t share a facet on which a set of positive measure
lies inside N(z) for one z = ψ(u).* Proof. Some N(z) of full dimension lies in no Q_t. Its interior is covered by the
Q_t; if it met the interior of one of them only, what is left of it, open and not empty, would be covered by finitely
many closed sets without interior. So it meets the interiors of two, and a generic segment between them passes from cell
to cell through facets. ∎

So take a p₀ at which s and t are both optimal, z = ψ(u) with u optimal at p₀, and d = ℓ_s − ℓ_t on the support of p₀,
less its mean there. If z is still optimal at p₀ ± εd, ψ is not calibrated: a prediction that is optimal at both would
be optimal at p₀ and have the least and the largest slope along d. With a given pred: what it says where ψ is optimal
at p₀ ± εd shall be optimal there. Such p₀ come almost free: along the segment between two distributions the k risks
are k lines, and they are the breaks of the least of them.

A fixed number of segments, from a fixed seed: what this finds is proved, what it does not find may still be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from lossmith.analysis.positive_normals import Point, positive_normal_set
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.analysis.winning import breaks
from lossmith.calibration.by_positive_normals import counterexample
from lossmith.calibration.counterexamples import (
    FEW_LABELS,
    interior,
    normalised,
    optimal,
    optimal_at,
    round_in_cell,
)
from lossmith.calibration.proofs import Counterexample
from lossmith.calibration.question import Declined, Question
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.calibration.within import lies_in
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row, cleared, dot, primitive, unit_rows
from lossmith.geometry.simplex import simplest_near
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred

SEGMENTS = 24
_MOST_BREAKS = 3  # of each segment
_SHARES = (2, 16, 256)  # of the way from p₀ to where a probability vanishes
_FEW_CORNERS = 200  # of the cell of the surrogate, among which the dearest are chosen
_QUICK = 5  # labels: up to here the enumeration itself is as quick


def by_probes(question: Question) -> NotCalibrated | Declined:
    """A counterexample if one of the probes finds one."""
    if not isinstance(question.surrogate, PolyhedralSurrogate) or question.surrogate.n <= _QUICK:
        return Declined()
    return probed(question, question.surrogate) or Declined(f"{SEGMENTS} probes showed no counterexample")


def probed(question: Question, surrogate: PolyhedralSurrogate) -> NotCalibrated | None:
    """The first counterexample that a probe finds.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> psi = crammer_singer(3)
    >>> [probed(Question(psi, Facts(loss)), psi) is None for loss in (zero_one(3), abstain(3))]
    [False, True]
    """
    probe = _Probe(question, surrogate, RiskMinimizer(surrogate))
    for p, q in segments(question):
        for at, s, t, _ in breaks(probe.columns, p, q)[:_MOST_BREAKS]:
            found = probe.at(at, s, t)
            if found is not None:
                return found
    return None


def segments(question: Question) -> Iterator[tuple[Row, Row]]:
    """Pairs of distributions as integer rows, on all labels or on two to four of them; inside the part in question.

    Where there are many labels, few come first: a counterexample on them is easier to read.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> pairs = list(segments(Question(crammer_singer(6), Facts(zero_one(6)))))
    >>> len(pairs), [sum(map(bool, p)) for p, _ in pairs[:6]]
    (24, [6, 2, 3, 4, 6, 2])
    """
    random, n = Random(0), question.loss.n
    units = unit_rows(n)
    parts = [[cleared(p) for p in part.polytope.vertices] for part in question.within or ()]
    sizes = (n, *(min(size, n) for size in (2, 3, 4)))
    if n > FEW_LABELS:
        sizes = (*sizes[1:], n)
    for number in range(SEGMENTS):
        if parts:
            corners = parts[number % len(parts)]
            chosen = random.sample(corners, min(4, len(corners)))
        else:
            labels = random.sample(range(n), sizes[number % len(sizes)])
            chosen = [units[y] for y in labels]
        powers = 0 if number < len(sizes) else random.choice((0, 2, 5))
        yield _mixed(chosen, powers, random), _mixed(chosen, powers, random)


def _mixed(corners: Sequence[Row], powers: int, random: Random) -> Row:
    """A mixture of the corners, the more powers of 2 the more lopsided."""
    whole = lcm(*map(sum, corners))
    weights = [(random.randint(1, 9) << random.randint(0, powers)) * (whole // sum(corner)) for corner in corners]
    return primitive([dot(weights, column) for column in zip(*corners, strict=True)])


def probes(question: Question) -> Iterator[Row]:
    """Distributions on both sides of walls between cells of the loss, then those halfway to each label."""
    columns = question.facts.columns
    for p, q in segments(question):
        for at, s, t, _ in breaks(columns, p, q)[:_MOST_BREAKS]:
            way = _across(columns[s], columns[t], at)
            if way is not None:
                yield from (_moved(at, way, Fraction(sign, share)) for share in _SHARES[:2] for sign in (1, -1))
    n = question.loss.n
    yield from (tuple(n * x + 1 for x in unit) for unit in unit_rows(n))


@dataclass(frozen=True, eq=False)
class _Probe:
    """What one question asks at each p₀."""

    question: Question
    surrogate: PolyhedralSurrogate
    minimizer: RiskMinimizer

    @property
    def columns(self) -> tuple[Row, ...]:
        return self.question.facts.columns

    @property
    def pred(self) -> Pred | None:
        """What the pred says, as closed polyhedra after ties are broken; None if none was asked about."""
        return self.question.closures

    def at(self, p: Row, s: int, t: int) -> NotCalibrated | None:
        """A counterexample near p, where s and t are both optimal."""
        way = _across(self.columns[s], self.columns[t], p)
        if way is None:
            return None
        return self._both_sides(p, way) if self.pred is None else self._by_pred(p, way)

    def _both_sides(self, p: Row, way: Point) -> NotCalibrated | None:
        """Whether one z is optimal on both sides of the wall."""
        middle = self.minimizer.at(p)
        for share in _SHARES:
            pair = [_moved(p, way, Fraction(sign, share)) for sign in (1, -1)]
            if all(self._inside(each) and optimal_at(self.minimizer, middle.z, each) for each in pair):
                return self._shown(middle, pair)
        return None

    def _shown(self, middle: Minimum, pair: Sequence[Row]) -> NotCalibrated:
        """The two sides, made round; where there are few labels, the dearest corners of the cell, moved inside it."""
        if self.question.within is None and self.surrogate.n <= FEW_LABELS:
            with suppress(TooLarge):
                found = positive_normal_set(
                    self.surrogate, middle.u, max_vertices=_FEW_CORNERS, minimizer=self.minimizer
                )
                cell = found.polytope
                inside = interior(self.minimizer, middle.z, cell.rays, tries=4)
                if inside is not None:
                    groups = [(cell.rays, inside)]
                    return counterexample(self.minimizer, self.question.loss, middle.u, None, groups)
        loss, columns = self.question.loss, self.columns
        chosen = [round_in_cell(self.minimizer, columns, middle.z, p, self.question.within) for p in pair]
        proofs = tuple((p, self.minimizer.at(p).weights) for p in chosen)
        distributions = tuple(map(normalised, chosen))
        return NotCalibrated(
            self.surrogate, loss, middle.u, distributions, Counterexample(proofs), within=self.question.within
        )

    def _by_pred(self, p: Row, way: Point) -> NotCalibrated | None:
        """Whether the pred says something that is not optimal where ψ is, on either side of the wall."""
        assert self.pred is not None
        for share in _SHARES[:2]:
            for sign in (1, -1):
                q = _moved(p, way, Fraction(sign, share))
                minimum = self.minimizer.at(q)
                best = optimal(self.columns, q)
                for t, region in enumerate(self.pred.regions):
                    if best >> t & 1 or not self._inside(q):
                        continue
                    for i, piece in enumerate(region):
                        if piece.contains(minimum.u):
                            return self._refuted(q, minimum, (t, i))
        return None

    def _refuted(self, p: Row, minimum: Minimum, place: tuple[int, int]) -> NotCalibrated:
        loss, t = self.question.loss, place[0]
        cost = loss.risk(normalised(p))[t] - loss.bayes_risk(normalised(p))

        def fits(q: Row) -> bool:
            risks = loss.risk(normalised(q))
            return 2 * (risks[t] - min(risks)) >= cost and self._inside(q) and optimal_at(self.minimizer, minimum.z, q)

        shown = simplest_near(p, fits)
        proof = Counterexample(((shown, self.minimizer.at(shown).weights),), place)
        return NotCalibrated(
            self.surrogate, loss, minimum.u, (normalised(shown),), proof, self.pred, self.question.within, t
        )

    def _inside(self, p: Row) -> bool:
        return lies_in(self.question.within, p)


def _across(first: Row, second: Row, p: Row) -> Point | None:
    """d = ℓ_s − ℓ_t less its mean, on the support of p, as long as p allows: p ± d ≥ 0 with p normalised."""
    support = [y for y, x in enumerate(p) if x]
    rises = {y: first[y] - second[y] for y in support}
    mean = Fraction(sum(rises.values()), len(support))
    way = {y: rise - mean for y, rise in rises.items()}
    if not any(way.values()):
        return None
    total = sum(p)
    longest = min(Fraction(p[y], total) / abs(step) for y, step in way.items() if step)
    return tuple(longest * way.get(y, Fraction(0)) for y in range(len(p)))


def _moved(p: Row, way: Point, share: Fraction) -> Row:
    total = sum(p)
    return primitive(cleared([Fraction(x, total) + share * d for x, d in zip(p, way, strict=True)]))
