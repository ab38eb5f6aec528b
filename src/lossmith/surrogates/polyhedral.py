"""Polyhedral surrogates: ψ_y(u) = Σ_g max_j (a_ygj·u + b_ygj) on a polyhedron C ⊆ R^d."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, BadSurrogate
from lossmith.exact.rational import RationalLike, as_rationals
from lossmith.exact.vectors import cleared, common_denominator, unit_row
from lossmith.families import Member, at_least
from lossmith.geometry.linear_program import Optimum, Sparse, Unbounded, maximize
from lossmith.geometry.polyhedron import Polyhedron, value
from lossmith.geometry.simplex import as_distribution
from lossmith.surrogates.tracing import Affine, Maximum, coordinates, linear_constraints, sparse, sum_of_maxima
from lossmith.text.names import one_line

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, init=False)
class PolyhedralSurrogate(Member):
    """A surrogate ψ : C → R₊ⁿ whose components are sums of maxima of affine functions.

    `terms[y]` are the maxima whose sum is ψ_y, each a tuple of rows (b, a) for b + a·u. C is given by rows with
    b + a·u ≥ 0 (`inequalities`) and b + a·u = 0 (`equations`); none means all of R^d. Sums of maxima are never
    expanded into one maximum. ψ ≥ 0 is checked.

    >>> from lossmith.surrogates.tracing import pos
    >>> hinge = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    >>> hinge([Fraction(1, 2)])
    (Fraction(1, 2), Fraction(3, 2))
    """

    terms: tuple[tuple[Maximum, ...], ...]
    domain: Polyhedron
    name: str = field(compare=False)

    def __init__(
        self,
        terms: tuple[tuple[Maximum, ...], ...],
        dim: int,
        inequalities: tuple[Affine, ...] = (),
        equations: tuple[Affine, ...] = (),
        name: str = "surrogate",
    ) -> None:
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "domain", Polyhedron(dim, inequalities, equations))
        object.__setattr__(self, "name", one_line(name))
        if len(self.terms) < 2:
            raise BadSurrogate(f"{self.name} has {len(self.terms)} label; with one label there is nothing to learn")
        self._check_domain()
        self._check_sign()

    @classmethod
    def from_function(
        cls,
        psi: Callable[[int, list[Any]], object],
        n: int,
        dim: int,
        domain: Callable[[list[Any]], object] | None = None,
        name: str | None = None,
    ) -> PolyhedralSurrogate:
        """Trace an ordinary function of (y, u), y = 0 … n−1, into the exact sum of maxima.

        It may use +, −, multiplication by numbers, `abs`, `lm.maximum`, `lm.pos`, `lm.sum_largest` and sums.
        `domain(u)` returns linear comparisons, such as [sum(u) == 0, u[0] <= u[1]].

        >>> absolute = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1)
        >>> absolute([0])
        (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
        """
        n, dim = at_least("n", n, 2), at_least("dim", dim, 1)
        u = coordinates(dim)
        name = name or getattr(psi, "__name__", "surrogate").replace("<lambda>", "surrogate")
        terms = tuple(sum_of_maxima(psi(y, list(u)), dim, f"{name} at y = {y}") for y in range(n))
        rows = ((), ()) if domain is None else linear_constraints(domain(list(u)), f"the domain of {name}")
        return cls(terms, dim, *rows, name=name)

    @property
    def n(self) -> int:
        """The number of labels."""
        return len(self.terms)

    @property
    def dim(self) -> int:
        """The number of scores: d, for C ⊆ R^d."""
        return self.domain.dim

    @property
    def inequalities(self) -> tuple[Affine, ...]:
        """The rows (b, a) with b + a·u ≥ 0 on C."""
        return self.domain.inequalities

    @property
    def equations(self) -> tuple[Affine, ...]:
        """The rows (b, a) with b + a·u = 0 on C."""
        return self.domain.equations

    def on(self, part: Polyhedron, name: str) -> PolyhedralSurrogate:
        """The same on the part of C that lies in a polyhedron, which must not be empty."""
        domain = self.domain.meet(part)
        return PolyhedralSurrogate(self.terms, self.dim, domain.inequalities, domain.equations, name)

    def __call__(self, u: Sequence[RationalLike]) -> tuple[Fraction, ...]:
        """ψ(u), exactly; u must lie in C."""
        point = self.point(u)
        values = [max(value(piece, point) for piece in maximum) for maximum in self.maxima]
        return tuple(sum((values[g] for g in groups), Fraction(0)) for groups in self.groups)

    def evaluate(self, U: object) -> np.ndarray[Any, Any]:
        """ψ at every row of U, in floating point: an array of shape (rows, n). The domain is not checked."""
        import numpy as np

        points = np.asarray(U, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dim:
            raise BadInput(f"U has shape {points.shape}; it needs one column for each of the {self.dim} dimensions")
        rows, starts, membership = self._float_form
        values = np.maximum.reduceat(points @ rows[:, 1:].T + rows[:, 0], starts, axis=1)
        result: np.ndarray[Any, Any] = values @ membership.T
        return result

    def bayes_risk(self, p: Sequence[RationalLike]) -> Fraction:
        """H_ψ(p) = min_u p·ψ(u), exactly."""
        return self.minimum(as_distribution(p, self.n)).value

    def minimum(self, weights: Sequence[Fraction | int]) -> Optimum:
        """The least value of Σ_y weights_y ψ_y(u) for u ∈ C, and a u that attains it; the weights are not negative."""
        scale = common_denominator(weights)
        costs = [0] * len(self.maxima)
        for weight, groups in zip(weights, self.groups, strict=True):
            for g in groups:
                costs[g] += int(weight * scale)
        try:
            best = maximize([0] * self.dim + [-cost for cost in costs], *self.program)
        except Unbounded:
            raise BadSurrogate(
                f"the risk of {self.name} is unbounded below at p ∝ {tuple(map(str, weights))}"
            ) from None
        if best is None:
            raise BadSurrogate(f"the domain of {self.name} is empty; no u satisfies its constraints")
        return Optimum(-best.value / scale, best.point[: self.dim])

    def point(self, u: Sequence[RationalLike]) -> tuple[Fraction, ...]:
        """Read a point of C exactly."""
        point = as_rationals(u, "u")
        shown = ", ".join(map(str, point))
        if len(point) != self.dim:
            raise BadInput(f"u = ({shown}) has {len(point)} coordinates; {self.name} has dimension {self.dim}")
        if not self.contains(point):
            raise BadInput(f"u = ({shown}) is not in the domain of {self.name}")
        return point

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether u ∈ C."""
        return self.domain.contains(point)

    @cached_property
    def maxima(self) -> tuple[Maximum, ...]:
        """The maxima that occur, each once: one-vs-all losses share most of theirs between labels."""
        return tuple(self._numbered[0])

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """For each label, which of `maxima` add up to ψ_y; one that occurs twice is listed twice."""
        return self._numbered[1]

    @cached_property
    def program(self) -> tuple[tuple[Sparse, ...], tuple[Sparse, ...]]:
        """The inequalities and equations of min p·ψ, in integers, for variables (u, one bound per maximum)."""
        above = []
        for g, maximum in enumerate(self.maxima):
            for piece in maximum:
                *row, scale = cleared((*piece, Fraction(1)))
                above.append(_sparse([-x for x in row], (self.dim + g, scale)))
        domain = [_sparse(cleared(row)) for row in self.inequalities]
        return (*above, *domain), tuple(_sparse(cleared(row)) for row in self.equations)

    def __repr__(self) -> str:
        where = "R" if self.dim == 1 else f"R^{self.dim}"
        domain = f"a polyhedron in {where}" if self.domain.rows else where
        return f"PolyhedralSurrogate({self.name!r}: {self.n} labels on {domain})"

    @cached_property
    def _numbered(self) -> tuple[list[Maximum], tuple[tuple[int, ...], ...]]:
        maxima: list[Maximum] = []
        numbers: dict[object, int] = {}
        groups = []
        for terms in self.terms:
            group = []
            for maximum in terms:
                number = numbers.setdefault(tuple(map(sparse, maximum)), len(maxima))
                if number == len(maxima):
                    maxima.append(maximum)
                group.append(number)
            groups.append(tuple(group))
        return maxima, tuple(groups)

    @cached_property
    def _float_form(self) -> tuple[Any, Any, Any]:
        import numpy as np

        try:
            rows = np.array([[float(x) for x in piece] for maximum in self.maxima for piece in maximum])
        except OverflowError:
            raise BadInput(f"{self.name} has coefficients beyond the range of floats; evaluate it exactly") from None
        starts = np.cumsum([0, *(len(maximum) for maximum in self.maxima[:-1])])
        membership = np.array([[float(groups.count(g)) for g in range(len(self.maxima))] for groups in self.groups])
        return rows, starts, membership

    def _check_domain(self) -> None:
        rows = ([*map(cleared, self.inequalities)], [*map(cleared, self.equations)])
        if any(rows) and maximize([0] * self.dim, *rows) is None:
            raise BadSurrogate(f"the domain of {self.name} is empty; no u satisfies its constraints")

    def _check_sign(self) -> None:
        for y, terms in enumerate(self.terms):
            if all(map(_never_negative, terms)):
                continue
            try:
                least = self.minimum(unit_row(y, self.n))
            except BadSurrogate:
                raise BadSurrogate(
                    f"{self.name} is unbounded below at y = {y}; a surrogate must be at least 0"
                ) from None
            if least.value < 0:
                where = ", ".join(map(str, least.point))
                raise BadSurrogate(
                    f"{self.name} is {least.value} at y = {y}, u = ({where}); a surrogate must be at least 0: "
                    f"add {-least.value} to ψ_{y}"
                )


def _never_negative(maximum: Maximum) -> bool:
    """Whether that can be seen: there is a constant piece that is not negative, or a piece and its negative."""
    if any(piece[0] >= 0 and not sparse(piece[1:]) for piece in maximum):
        return True
    pieces = set(maximum)
    return any(tuple(-x for x in piece) in pieces for piece in maximum)


def _sparse(row: Sequence[int], *more: tuple[int, int]) -> Sparse:
    return Sparse(row[0], (*((j, a) for j, a in enumerate(row[1:]) if a), *more))
