"""Weights that prove a Bayes risk: p·ψ(u) ≥ v for all u (`lem:normal-computation`, read as a linear programming dual).

For each maximum g of ψ let its pieces carry weights that sum to the total p_y of the labels that use it, and let
active rows of the domain carry multipliers, so that all gradients together vanish. Then p·ψ(u) ≥ Σ weight · b,
minus the constants of the domain rows, whatever u ∈ C. Where the bound is attained, p lies in N(ψ(u)) and the weights
sit on gradients that are active at u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import mul
from typing import TYPE_CHECKING, TypeVar

from flint import fmpz_mat

from lossmith.exact.rational import over_common_denominator, scaled
from lossmith.geometry.double_description import Row
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

if TYPE_CHECKING:
    from lossmith.geometry.float_lp import WarmProgram


T = TypeVar("T", int, float)


@dataclass(frozen=True)
class Weights:
    """A proof that p·ψ(u) ≥ `bound` for all u ∈ C, for the integer weights p on labels that it was made for.

    The weights are integers over `denominator`; fractions are made when they are asked for.
    """

    bound: Fraction
    denominator: int
    integer_pieces: tuple[tuple[int, int, int], ...]
    integer_domain: tuple[tuple[int, int], ...]

    @property
    def pieces(self) -> tuple[tuple[int, int, Fraction], ...]:
        """(g, j, weight): the weight of piece j of maximum g."""
        return tuple((g, j, Fraction(w, self.denominator)) for g, j, w in self.integer_pieces)

    @property
    def domain(self) -> tuple[tuple[int, Fraction], ...]:
        """(i, multiplier) of row i of the domain: inequalities first, then equations; these may have any sign."""
        return tuple((i, Fraction(w, self.denominator)) for i, w in self.integer_domain)


@dataclass(frozen=True)
class Minimum:
    """min_u p·ψ(u), proved: a u that attains it, z = ψ(u), and the weights."""

    u: tuple[Fraction, ...]
    z: tuple[Fraction, ...]
    weights: Weights


@dataclass(frozen=True, eq=False)
class RiskMinimizer:
    """Minimises p·ψ for one p after another: floating point guesses u and the weights, integers prove them."""

    surrogate: PolyhedralSurrogate

    def at(self, p: Row) -> Minimum:
        """The minimum at integer weights p ≥ 0, at a u that is also best for some p′ near p inside the simplex."""
        total = sum(p)
        tilted = [x / total + 1e-6 * tilt for x, tilt in zip(p, self.tilt, strict=True)]
        costs = self._shared(tilted)
        guess = None if self._program is None else self._program.minimize([0.0] * self.surrogate.dim + costs)
        if guess is not None:
            point, support = guess
            weights = self.weights_on(p, support)
            u = tuple(map(_small, point[: self.surrogate.dim]))
            if weights is not None and self.surrogate.contains(u):
                values, below = self._integer_values(u)
                if sum(map(mul, p, values)) * weights.bound.denominator == weights.bound.numerator * below:
                    return Minimum(u, tuple([Fraction(value, below) for value in values]), weights)
        return self._exactly_at(p)

    def values(self, u: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """ψ(u) for u ∈ C."""
        values, below = self._integer_values(u)
        return tuple(Fraction(value, below) for value in values)

    def _integer_values(self, u: Sequence[Fraction]) -> tuple[list[int], int]:
        """ψ(u) as integers over one denominator."""
        numerators, denominator = over_common_denominator(u)
        homogeneous = (denominator, *numerators)
        largest = [max([sum(map(mul, piece, homogeneous)) for piece in pieces]) for pieces in self._pieces]
        return [sum([largest[g] for g in groups]) for groups in self.surrogate.groups], denominator * self._scale

    def weights_on(self, p: Row, support: Sequence[int]) -> Weights | None:
        """Weights for p that are zero outside the given rows of the program, or None."""
        surrogate = self.surrogate
        costs = self._shared(p)
        chosen: dict[int, list[int]] = {}
        bounds: list[int] = []
        for row in support:
            if row < len(self._rows):
                g, j = self._rows[row]
                chosen.setdefault(g, []).append(j)
            else:
                bounds.append(row - len(self._rows))
        # Within a maximum the first piece takes what the others leave; their differences are the unknowns.
        unknowns: list[tuple[int, int]] = []
        columns: list[Sequence[int]] = []
        total = [0] * (surrogate.dim + 1)
        for g, cost in enumerate(costs):
            if not cost:
                continue
            if g not in chosen:
                return None
            first, *others = chosen[g]
            base = self._pieces[g][first]
            if any(base):
                total = [x + cost * y for x, y in zip(total, base)]
            for j in others:
                unknowns.append((g, j))
                columns.append([x - y for x, y in zip(self._pieces[g][j], base)])
        for i in bounds:  # Σ weight · gradient = Σ multiplier · normal
            unknowns.append((-1, i))
            columns.append([-x for x in self._domain[i]])
        solved = _solve(columns, [-x for x in total[1:]])
        if solved is None:
            return None
        solution, denominator = solved
        bound = total[0] * denominator
        weights = {(g, chosen[g][0]): cost * denominator for g, cost in enumerate(costs) if cost}
        domain = []
        for (g, j), column, x in zip(unknowns, columns, solution, strict=True):
            if not x:
                continue
            bound += x * column[0]
            if g >= 0:
                weights[g, j] = x
                weights[g, chosen[g][0]] -= x
            else:
                domain.append((j, x))
        if min(weights.values(), default=0) < 0 or any(x < 0 for i, x in domain if i < len(surrogate.inequalities)):
            return None
        pieces = tuple([(g, j, w) for (g, j), w in weights.items() if w])
        return Weights(Fraction(bound, denominator * self._scale), denominator, pieces, tuple(domain))

    def _shared(self, p: Sequence[T]) -> list[T]:
        """For each maximum, the total of p over the labels that use it."""
        if self._only_users is not None:
            return [p[y] for y in self._only_users]
        return [sum([p[y] for y in users[1:]], p[users[0]]) for users in self._users]

    def _exactly_at(self, p: Row) -> Minimum:
        """Without floats: the primal at a slightly tilted p, the dual by an exact program."""
        tilts = [Fraction(x).limit_denominator(10**6) for x in self.tilt]
        size = 10**9
        while True:
            u = self.surrogate.minimum([size * x + tilt for x, tilt in zip(p, tilts, strict=True)]).point
            z = self.values(u)
            weights = self._weights_by_program(p)
            if sum(map(mul, p, z), Fraction(0)) == weights.bound:
                return Minimum(u, z, weights)
            size *= 10**6  # the tilt was too large to stay within the cells around p

    def _weights_by_program(self, p: Row) -> Weights:
        rows = [(g, j, self._pieces[g][j]) for g, j in self._rows]
        inequalities, total = len(self.surrogate.inequalities), len(self._domain)
        signs = len(rows) + inequalities
        width = len(rows) + total
        objective = [piece[0] for _, _, piece in rows] + [-row[0] for row in self._domain]
        positive = [(0, *(int(i == j) for j in range(width))) for i in range(signs)]
        sums = [
            (-sum(p[y] for y in users), *(int(g == h) for h, _, _ in rows), *[0] * total)
            for g, users in enumerate(self._users)
        ]
        gradients = [
            (0, *(piece[i + 1] for _, _, piece in rows), *(-row[i + 1] for row in self._domain))
            for i in range(self.surrogate.dim)
        ]
        best = maximize(objective, positive, [*sums, *gradients])
        if best is None:
            raise AssertionError("a risk that is bounded below has weights that prove it")
        values, denominator = over_common_denominator(best.point)
        pieces = tuple((g, j, w) for (g, j, _), w in zip(rows, values) if w)
        domain = tuple((i, w) for i, w in enumerate(values[len(rows) :]) if w)
        return Weights(best.value / self._scale, denominator, pieces, domain)

    @cached_property
    def _scale(self) -> int:
        surrogate = self.surrogate
        rows = [
            *(piece for maximum in surrogate.maxima for piece in maximum),
            *surrogate.inequalities,
            *surrogate.equations,
        ]
        return lcm(*(entry.denominator for row in rows for entry in row))

    @cached_property
    def _pieces(self) -> list[list[Row]]:
        return [[scaled(piece, self._scale) for piece in maximum] for maximum in self.surrogate.maxima]

    @cached_property
    def _domain(self) -> list[Row]:
        rows = (*self.surrogate.inequalities, *self.surrogate.equations)
        return [scaled(row, self._scale) for row in rows]

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
    def tilt(self) -> list[float]:
        """A fixed direction into the simplex that no hyperplane of a surrogate is expected to contain."""
        roots = [(0.5 + 0.6180339887498949 * (y + 1)) % 1 + 0.5 for y in range(self.surrogate.n)]
        return [root / sum(roots) for root in roots]

    @cached_property
    def _program(self) -> WarmProgram | None:
        from lossmith.geometry.float_lp import WarmProgram  # loads numpy and HiGHS

        try:
            return WarmProgram(*self.surrogate.program)
        except OverflowError:  # beyond the range of floats: everything is done exactly
            return None


def _small(x: float) -> Fraction:
    """The fraction with a small denominator nearest to a floating-point number."""
    nearest = round(x)
    return Fraction(nearest) if abs(x - nearest) < 1e-9 else Fraction(x).limit_denominator(10_000)


def _solve(columns: Sequence[Sequence[int]], target: Sequence[int]) -> tuple[list[int], int] | None:
    """Some x with Σ x_i columns_i[1:] = target, as integers over one positive denominator; None if there is none.

    Unknowns beyond the rank are zero.
    """
    size = len(columns)
    if not size:
        return None if any(target) else ([], 1)
    table = [[column[i] for column in columns] for i in range(1, len(target) + 1)]
    reduced, denominator, rank = fmpz_mat([[*row, right] for row, right in zip(table, target, strict=True)]).rref()
    divisor = int(denominator)
    sign = 1 if divisor > 0 else -1
    solution = [0] * size
    column = 0
    for row in range(rank):
        while not reduced[row, column]:
            column += 1
        if column == size:
            return None
        solution[column] = sign * int(reduced[row, size])
        column += 1
    return solution, sign * divisor
