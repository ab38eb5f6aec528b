"""Polyhedra given by rational rows: regions of a surrogate's domain, sets of distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.exact.solve import combination, null_space
from lossmith.exact.vectors import Row, cleared, dot, over_common_denominator, unit_rows
from lossmith.geometry.linear_program import maximize


@dataclass(frozen=True)
class Polyhedron:
    """{x ∈ R^d : b + a·x ≥ 0 for the rows (b, a) of `inequalities`, b + a·x = 0 for those of `equations`}.

    >>> interval = Polyhedron(1, ((Fraction(0), Fraction(1)), (Fraction(2), Fraction(-1))))
    >>> interval.contains([Fraction(2)]), interval.inner_point, interval.size
    (True, (Fraction(1, 1),), 1)
    """

    dim: int
    inequalities: tuple[tuple[Fraction, ...], ...] = ()
    equations: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def rows(self) -> tuple[tuple[Fraction, ...], ...]:
        """Those of the inequalities, then those of the equations."""
        return self.inequalities + self.equations

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether the point satisfies all rows."""
        values = (sum([a * point[i] for i, a in entries], b) for b, entries in self._entries)
        return all(x >= 0 if i < len(self.inequalities) else not x for i, x in enumerate(values))

    @cached_property
    def _entries(self) -> list[tuple[Fraction, list[tuple[int, Fraction]]]]:
        """For each row b and the entries of a that are not 0, which are often few."""
        return [(row[0], [(i, a) for i, a in enumerate(row[1:]) if a]) for row in self.rows]

    def meet(self, other: Polyhedron) -> Polyhedron:
        """The intersection; the rows of this one come first."""
        return Polyhedron(self.dim, self.inequalities + other.inequalities, self.equations + other.equations)

    def cut(self, row: tuple[Fraction, ...]) -> Polyhedron:
        """The part with b + a·x ≥ 0 for one more row (b, a), which comes last."""
        return Polyhedron(self.dim, (*self.inequalities, row), self.equations)

    @property
    def empty(self) -> bool:
        """Whether no point satisfies all rows."""
        return self.inner_point is None

    @cached_property
    def inner_point(self) -> tuple[Fraction, ...] | None:
        """A point at which no row vanishes but those that vanish everywhere: in the relative interior. None if empty.

        Mostly no inequality vanishes everywhere, and a guess is one at which none does. Else it is found among the
        multiples (λ, λx) with λ ≥ 1: all rows that can be positive can be 1 at once.
        """
        rows, equations = map(_integers, (self.inequalities, self.equations))
        guess = _guessed_inside(self.dim, rows, equations)
        if guess is not None:
            return guess
        size = len(rows)
        unit = unit_rows(size)
        pad = (0,) * size
        above = [(0, *row, *(-x for x in unit[i])) for i, row in enumerate(rows)]
        limits = [(1, *[0] * (self.dim + 1), *(-x for x in each)) for each in unit]
        positive = [(0, *[0] * (self.dim + 1), *each) for each in unit]
        scale = (-1, 1, *[0] * self.dim, *pad)
        best = maximize(
            [0] * (self.dim + 1) + [1] * size,
            [*above, *limits, *positive, scale],
            [(0, *row, *pad) for row in equations],
        )
        if best is None:
            return None
        factor, *x = best.point[: self.dim + 1]
        return tuple(each / factor for each in x)

    @cached_property
    def size(self) -> int:
        """The dimension of the polyhedron itself; −1 if it is empty."""
        if self.inner_point is None:
            return -1
        return self.dim - (rank(integer_matrix([row[1:] for row in _integers(self.flat)])) if self.flat else 0)

    @cached_property
    def flat(self) -> tuple[tuple[Fraction, ...], ...]:
        """The rows that vanish on all of it, equations first, if it is not empty."""
        inner = self.inner_point
        assert inner is not None
        return (*self.equations, *(row for row in self.inequalities if value(row, inner) == 0))


def value(row: Sequence[Fraction], point: Iterable[Fraction]) -> Fraction:
    """b + a·x for the row (b, a), which often has few entries that are not 0."""
    return sum((a * x for a, x in zip(row[1:], point, strict=True) if a), row[0])


def _guessed_inside(dim: int, rows: Sequence[Row], equations: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """A point at which all inequalities are positive, guessed in floating point and tested exactly; None if unseen.

    The equations are solved first, so that rounding stays within them.
    """
    from lossmith.geometry.float_lp import guess_maximum

    fixed = _solution(dim, equations)
    if fixed is None:
        return None
    numbers, unit = over_common_denominator(fixed)
    directions = null_space([row[1:] for row in equations], dim)
    # The inequalities as functions of how far one goes in each direction.
    free = (
        rows
        if not equations
        else [
            (unit * row[0] + dot(row[1:], numbers), *(unit * dot(row[1:], each) for each in directions)) for row in rows
        ]
    )
    margins = [(*row, -(max(map(abs, row[1:]), default=0) or 1)) for row in free]
    guess = guess_maximum([0] * len(directions) + [1], [*margins, (1, *[0] * len(directions), -1)], [])
    if guess is None or guess.point[-1] < 1e-9:
        return None
    for digits in (1, 100, 10**6):
        steps = [round(x * digits) for x in guess.point[:-1]]
        if all(digits * row[0] + dot(row[1:], steps) > 0 for row in free):
            moves = [dot(steps, column) for column in zip(*directions, strict=True)] or [0] * dim
            return tuple(x + Fraction(move, digits) for x, move in zip(fixed, moves, strict=True))
    return None


def _solution(dim: int, equations: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """A solution of the equations; None if there is none."""
    columns = [[Fraction(row[i]) for row in equations] for i in range(1, dim + 1)]
    return combination(columns, [Fraction(-row[0]) for row in equations]) if equations else (Fraction(0),) * dim


def _integers(rows: Iterable[Sequence[Fraction]]) -> list[Row]:
    return [cleared(row) for row in rows]
