"""Polyhedra given by rational rows: regions of a surrogate's domain, sets of distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul

from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import rank
from lossmith.exact.rational import over_common_denominator
from lossmith.geometry.double_description import Row
from lossmith.geometry.linear_program import maximize

_MOST_PARTS = 20_000


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

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether the point satisfies all rows."""
        return all(value(row, point) >= 0 for row in self.inequalities) and not any(
            value(row, point) for row in self.equations
        )

    def meet(self, other: Polyhedron) -> Polyhedron:
        """The intersection; the rows of this one come first."""
        return Polyhedron(self.dim, self.inequalities + other.inequalities, self.equations + other.equations)

    @property
    def empty(self) -> bool:
        """Whether no point satisfies all rows."""
        return self.inner_point is None

    @cached_property
    def inner_point(self) -> tuple[Fraction, ...] | None:
        """A point at which no row vanishes but those that vanish everywhere: in the relative interior. None if empty.

        Found among the multiples (λ, λx) with λ ≥ 1: all rows that can be positive can be 1 at once.
        """
        rows, equations = map(_integers, (self.inequalities, self.equations))
        size = len(rows)
        unit = [tuple(int(i == j) for j in range(size)) for i in range(size)]
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
        inner = self.inner_point
        if inner is None:
            return -1
        flat = [*self.equations, *(row for row in self.inequalities if value(row, inner) == 0)]
        return self.dim - (rank(integer_matrix([row[1:] for row in _integers(flat)])) if flat else 0)


def value(row: Sequence[Fraction], point: Iterable[Fraction]) -> Fraction:
    """b + a·x for the row (b, a)."""
    return row[0] + sum(map(mul, row[1:], point), Fraction(0))


def uncovered(whole: Polyhedron, parts: Sequence[Polyhedron]) -> tuple[Fraction, ...] | None:
    """A point of `whole` that lies in none of the parts; None if they cover it.

    What a part leaves is divided by its rows: beyond the first, within the first and beyond the second, and so on.

    >>> line, left = Polyhedron(1), Polyhedron(1, ((Fraction(0), Fraction(-1)),))
    >>> uncovered(line, [left, Polyhedron(1, ((Fraction(-1), Fraction(1)),))]) is None
    False
    >>> uncovered(line, [left, Polyhedron(1, ((Fraction(0), Fraction(1)),))]) is None
    True
    """
    pending, seen = [(whole, 0)], 0
    while pending:
        rest, first = pending.pop()
        seen += 1
        if seen > _MOST_PARTS:
            raise TooLarge(f"the regions divide the domain into more than {_MOST_PARTS:,} parts; use fewer pieces")
        for i in range(first, len(parts)):
            if parts[i].meet(rest).size == whole.size:
                break
        else:
            return _outside(rest, parts)
        within = rest
        for row in parts[i].inequalities:
            beyond = Polyhedron(within.dim, (*within.inequalities, tuple(-x for x in row)), within.equations)
            inner = beyond.inner_point
            if inner is not None and value(row, inner) < 0 and beyond.size == whole.size:
                pending.append((beyond, i + 1))
            within = Polyhedron(within.dim, (*within.inequalities, row), within.equations)
    return None


def _outside(whole: Polyhedron, parts: Sequence[Polyhedron]) -> tuple[Fraction, ...] | None:
    """A point of `whole` outside all parts, none of which meets it in full dimension."""
    for part in parts:
        both = [signed for row in part.equations for signed in (row, tuple(-x for x in row))]
        for row in (*part.inequalities, *both):
            beyond = Polyhedron(whole.dim, (*whole.inequalities, tuple(-x for x in row)), whole.equations)
            inner = beyond.inner_point
            if inner is not None and value(row, inner) < 0 and beyond.size == whole.size:
                whole = beyond
                break
    return whole.inner_point


def _integers(rows: Iterable[Sequence[Fraction]]) -> list[Row]:
    return [tuple(over_common_denominator(row)[0]) for row in rows]
