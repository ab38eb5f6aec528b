"""The least risk min_u p·ψ(u) of a polyhedral surrogate, with the weights that prove it (`weights`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import sin
from operator import mul
from typing import TYPE_CHECKING, TypeVar

from lossmith.analysis.separable import score_by_score, score_of_each
from lossmith.analysis.weights import LinearProof, Point, Weights
from lossmith.exact.matrix import IntegerMatrix, integer_matrix, integer_rows
from lossmith.exact.solve import echelon
from lossmith.exact.vectors import (
    Row,
    common_denominator,
    homogeneous,
    minus,
    over_common_denominator,
    rational_dot,
    scaled,
    unit_rows,
)
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

if TYPE_CHECKING:
    from lossmith.geometry.float_lp import LowestRows, WarmProgram
    from lossmith.geometry.float_weights import WeightProgram


T = TypeVar("T", int, float, Fraction)

MANY_ROWS = 4000  # of the program: from here on the weights are looked for instead


@dataclass(frozen=True)
class Minimum:
    """min_u p·ψ(u), proved: a u that attains it, z = ψ(u), and the weights."""

    u: Point
    z: Point
    weights: Weights


@dataclass(frozen=True, eq=False)
class RiskMinimizer:
    """Minimises p·ψ for one p after another: floating point guesses u and the weights, integers prove them.

    With `blocks` of labels, u is also best for some p′ near p that falls within each block, if p falls weakly.
    """

    surrogate: PolyhedralSurrogate
    blocks: tuple[tuple[int, ...], ...] = ()
    _known: list[tuple[Point, Point, LinearProof]] = field(default_factory=list, init=False, repr=False)

    def at(self, p: Row) -> Minimum:
        """The minimum at integer weights p ≥ 0, at a u that is also best for some p′ near p inside the simplex."""
        total = sum(p)
        exact = [x / total for x in p]
        known = self._known_at(p, exact)
        if known is not None:
            return known
        guess = self.guess(exact)
        if guess is not None:
            point, support = guess
            proof = self.proof_on(support)
            weights = None if proof is None else proof.at(p)
            if proof is not None and weights is not None:
                z, rounded = proof.value, tuple(map(_small, point[: self.surrogate.dim]))
                u = rounded if self._attains(rounded, z) else self._tie(support)
                if u is not None and (u is rounded or self._attains(u, z)):
                    self._remember(u, z, proof)
                    return Minimum(u, z, weights)
        return self.exactly_at(p)

    def guess(self, p: Sequence[float]) -> tuple[list[float], list[int]] | None:
        """Likely a minimum near a distribution p, inside the simplex: u with bounds, and rows of the program there."""
        if self.program is None:
            return None
        costs = self._shared([x + 1e-6 * tilt for x, tilt in zip(p, self.tilt, strict=True)])
        return self.program.minimize([0.0] * self.surrogate.dim + costs)

    def _attains(self, u: Point, z: Point) -> bool:
        """Whether u ∈ C and ψ(u) = z."""
        return self.surrogate.contains(u) and self.values(u) == z

    def _known_at(self, p: Row, normalised: Sequence[float]) -> Minimum | None:
        """The minimum at p if the proof for another p serves here as well: mostly so where the cells are known."""
        for i in self._lowest.at(normalised) if self._known else ():
            u, z, proof = self._known[i]
            weights = proof.at(p)
            if weights is not None:
                return Minimum(u, z, weights)
        return None

    def _remember(self, u: Point, z: Point, proof: LinearProof) -> None:
        with suppress(OverflowError):  # beyond the range of floats it would not be found again
            self._lowest.add(z)
            self._known.append((u, z, proof))

    def proofs_of(self, z: Point) -> list[LinearProof]:
        """What is known already to prove that p·z is the least risk, at some p."""
        return [proof for _, value, proof in self._known if value == z]

    def values(self, u: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """ψ(u) for u ∈ C."""
        ray = homogeneous(u)
        largest = [max([sum(map(mul, piece, ray)) for piece in pieces]) for pieces in self.pieces]
        below = ray[0] * self.scale
        return tuple([Fraction(sum([largest[g] for g in groups]), below) for groups in self.surrogate.groups])

    def proof_on(self, support: Sequence[int]) -> LinearProof | None:
        """Weights, as functions of p, that are zero outside the given rows of the program; None if there are none."""
        chosen, bounds = self._chosen(support)
        # Within a maximum the first piece takes what the others leave; their differences are the unknowns.
        nothing = (0,) * (self.surrogate.dim + 1)
        first = [self.pieces[g][js[0]] if js else nothing for g, js in enumerate(chosen)]
        unknowns = [(g, j) for g, js in enumerate(chosen) for j in js[1:]]
        columns = [minus(self.pieces[g][j], first[g]) for g, j in unknowns]
        columns += [tuple([-x for x in self.domain[i]]) for i in bounds]  # Σ weight · gradient = Σ multiplier · normal
        value, *gradients = integer_rows(integer_matrix(first).transpose() * self._cost_matrix)
        solved = _solve(columns, gradients)
        if solved is None:
            return None
        solution, denominator = solved
        value = [denominator * x for x in value]
        for (constant, *_), weight in zip(columns, solution, strict=True):
            if constant:
                value = [x + constant * y for x, y in zip(value, weight)]
        weights: dict[tuple[int, int], Sequence[int]] = {}
        for g, js in enumerate(chosen):
            if js:
                weights[g, js[0]] = [denominator * x for x in self._costs[g]]
            else:  # negative, so that nothing is proved, unless no label with weight uses this maximum
                weights[g, -1] = [-x for x in self._costs[g]]
        for (g, j), weight in zip(unknowns, solution):
            weights[g, j] = weight
            weights[g, chosen[g][0]] = minus(weights[g, chosen[g][0]], weight)
        # A piece that is alone takes all and is never negative: it comes last, so that `at` fails early.
        pieces = sorted(weights.items(), key=lambda item: len(chosen[item[0][0]]) == 1)
        signs = [i < len(self.surrogate.inequalities) for i in bounds]
        return LinearProof(
            tuple(value),
            denominator,
            self.scale,
            tuple((g, j, row) for (g, j), row in pieces),
            tuple(zip(bounds, signs, solution[len(unknowns) :], strict=True)),
        )

    def _chosen(self, support: Sequence[int]) -> tuple[list[list[int]], list[int]]:
        """The pieces of each maximum, and the rows of the domain, among rows of the program."""
        chosen: list[list[int]] = [[] for _ in self._users]
        bounds: list[int] = []
        for row in support:
            if row < len(self._rows):
                g, j = self._rows[row]
                chosen[g].append(j)
            else:
                bounds.append(row - len(self._rows))
        return chosen, bounds

    def _tie(self, support: Sequence[int]) -> Point | None:
        """The only u at which the given pieces of each maximum are equal and the given rows are 0, or None."""
        chosen, bounds = self._chosen(support)
        ties = [minus(self.pieces[g][j], self.pieces[g][js[0]]) for g, js in enumerate(chosen) for j in js[1:]]
        ties += [self.domain[i] for i in bounds]
        dim = self.surrogate.dim
        if len(ties) < dim:
            return None
        reduced, denominator = echelon([[*row[1:], -row[0]] for row in ties])
        if len(reduced) != dim or not all(row[i] for i, row in enumerate(reduced)):
            return None
        return tuple(Fraction(row[dim], denominator) for row in reduced)

    def _shared(self, p: Sequence[T]) -> list[T]:
        """For each maximum, the total of p over the labels that use it."""
        if self._only_users is not None:
            return [p[y] for y in self._only_users]
        return [sum([p[y] for y in users[1:]], p[users[0]]) for users in self._users]

    def exactly_at(self, p: Row) -> Minimum:
        """Without floats: the primal at a slightly tilted p, the dual by an exact program; or score by score."""
        tilts = [Fraction(x).limit_denominator(10**6) for x in self.tilt]
        if self.scores is not None:
            return self._score_by_score(p, tilts, self.scores)
        size = 10**9
        while True:
            u = self.surrogate.minimum([size * x + tilt for x, tilt in zip(p, tilts, strict=True)]).point
            z = self.values(u)
            weights = self.weights_by_program(p)
            if rational_dot(p, z) == weights.bound:
                return Minimum(u, z, weights)
            size *= 10**6  # the tilt was too large to stay within the cells around p

    def _score_by_score(self, p: Row, tilts: Sequence[Fraction], scores: Sequence[int | None]) -> Minimum:
        costs = list(zip(map(Fraction, self._shared(p)), self._shared(tilts), strict=True))
        u, weights = score_by_score(self.pieces, scores, costs, self.surrogate.dim)
        values, below = over_common_denominator([w for _, _, w in weights])
        pieces = tuple((g, j, w) for (g, j, _), w in zip(weights, values, strict=True))
        bound = Fraction(sum(self.pieces[g][j][0] * w for g, j, w in pieces), below * self.scale)
        return Minimum(u, self.values(u), Weights(bound, below, pieces, ()))

    def weights_by_program(self, p: Row) -> Weights:
        """Weights that prove the least risk at p, by an exact linear program of their own."""
        rows = [(g, j, self.pieces[g][j]) for g, j in self._rows]
        inequalities, total = len(self.surrogate.inequalities), len(self.domain)
        signs = len(rows) + inequalities
        width = len(rows) + total
        objective = [piece[0] for _, _, piece in rows] + [-row[0] for row in self.domain]
        positive = [(0, *row) for row in unit_rows(width)[:signs]]
        sums = [
            (-sum(p[y] for y in users), *(int(g == h) for h, _, _ in rows), *[0] * total)
            for g, users in enumerate(self._users)
        ]
        gradients = [
            (0, *(piece[i + 1] for _, _, piece in rows), *(-row[i + 1] for row in self.domain))
            for i in range(self.surrogate.dim)
        ]
        best = maximize(objective, positive, [*sums, *gradients])
        if best is None:
            raise AssertionError("a risk that is bounded below has weights that prove it")
        values, denominator = over_common_denominator(best.point)
        pieces = tuple((g, j, w) for (g, j, _), w in zip(rows, values) if w)
        domain = tuple((i, w) for i, w in enumerate(values[len(rows) :]) if w)
        return Weights(best.value / self.scale, denominator, pieces, domain)

    @cached_property
    def scale(self) -> int:
        """What makes integers of all coefficients."""
        surrogate = self.surrogate
        rows = chain(chain.from_iterable(surrogate.maxima), surrogate.domain.rows)
        return common_denominator(chain.from_iterable(rows))

    @cached_property
    def pieces(self) -> list[list[Row]]:
        """The pieces of each maximum, times the scale."""
        return [[scaled(piece, self.scale) for piece in maximum] for maximum in self.surrogate.maxima]

    @cached_property
    def scores(self) -> list[int | None] | None:
        """The score that each maximum depends on, if it is one, and all scores are free."""
        return None if self.domain else score_of_each(self.pieces)

    @cached_property
    def domain(self) -> list[Row]:
        """The rows of the domain, times the scale."""
        return [scaled(row, self.scale) for row in self.surrogate.domain.rows]

    @cached_property
    def _rows(self) -> list[tuple[int, int]]:
        return [(g, j) for g, maximum in enumerate(self.surrogate.maxima) for j in range(len(maximum))]

    @cached_property
    def _users(self) -> list[list[int]]:
        users: list[list[int]] = [[] for _ in self.surrogate.maxima]
        for y, groups in enumerate(self.surrogate.groups):
            for g in groups:
                users[g].append(y)
        return users

    @cached_property
    def _only_users(self) -> list[int] | None:
        """The one label that uses each maximum, if no maximum is shared."""
        return [users[0] for users in self._users] if all(len(users) == 1 for users in self._users) else None

    @cached_property
    def _costs(self) -> list[Row]:
        """For each maximum, how often each label uses it."""
        return [tuple(map(users.count, range(self.surrogate.n))) for users in self._users]

    @cached_property
    def _cost_matrix(self) -> IntegerMatrix:
        return integer_matrix(self._costs)

    @cached_property
    def tilt(self) -> list[float]:
        """A fixed direction into the simplex in no rational hyperplane: 1, sin 1, sin 2, … are independent over Q."""
        heights = [1 + sin(y + 1) / 2 for y in range(self.surrogate.n)]
        for block in self.blocks:
            for y, height in zip(block, sorted((heights[y] for y in block), reverse=True), strict=True):
                heights[y] = height
        return [height / sum(heights) for height in heights]

    @cached_property
    def _lowest(self) -> LowestRows:
        from lossmith.geometry.float_lp import LowestRows

        return LowestRows(self.surrogate.n)

    @cached_property
    def program(self) -> WarmProgram | WeightProgram | None:
        """Where guesses come from, if anywhere."""
        from lossmith.geometry.float_lp import WarmProgram  # loads numpy and HiGHS
        from lossmith.geometry.float_weights import WeightProgram

        dim, rows = self.surrogate.dim, self.surrogate.program
        width = dim + len(self.surrogate.maxima)
        try:
            return WeightProgram(dim, width, *rows) if len(rows[0]) > MANY_ROWS else WarmProgram(width, *rows)
        except OverflowError:  # beyond the range of floats: everything is done exactly
            return None


def _small(x: float) -> Fraction:
    """The fraction with a small denominator nearest to a floating-point number."""
    nearest = round(x)
    return Fraction(nearest) if abs(x - nearest) < 1e-9 else Fraction(x).limit_denominator(10_000)


def _solve(columns: Sequence[Sequence[int]], total: Sequence[Sequence[int]]) -> tuple[list[list[int]], int] | None:
    """Some x(p), linear in p, with Σ x_i(p) columns_i[1:] + total·p = 0: integer rows over one positive denominator.

    Unknowns beyond the rank are zero. None if for some p there is no solution.
    """
    size = len(columns)
    table = [[*[column[i] for column in columns], *[-x for x in row]] for i, row in enumerate(total, start=1)]
    reduced, denominator = echelon(table)
    solution = [[0] * len(total[0]) for _ in columns]
    column = 0
    for row in reduced:
        while not row[column]:
            column += 1
        if column >= size:
            return None
        solution[column] = row[size:]
    return solution, denominator
