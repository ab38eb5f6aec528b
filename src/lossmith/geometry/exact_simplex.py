"""The dual simplex method over the integers: decides every linear program, however degenerate, without floats.

A basis is a set of as many independent rows as there are variables; its vertex is where they vanish. With the inverse
of the basis as integers over their common determinant, a step is one exact division (Edmonds, 1967; Bareiss, 1968).
There are usually many more rows than variables, so only the inverse is kept: rows are applied to it when needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lossmith.exact.matrix import Integer, IntegerMatrix, entries


@dataclass(frozen=True)
class Optimum:
    """The largest value, and a point that attains it."""

    value: Fraction
    point: tuple[Fraction, ...]


class Unbounded(Exception):
    """The objective grows without bound on the feasible set."""


def maximize(
    objective: Sequence[int], inequalities: Sequence[Sequence[int]], equations: Sequence[Sequence[int]] = ()
) -> Optimum | None:
    """Maximise c·x subject to b + a·x ≥ 0 for rows (b, a), b + a·x = 0 for equations; None if nothing satisfies them.

    Raises `Unbounded` if there is no largest value.

    The method starts at the best corner of a box: x_j is bounded by a row that bounds it alone, or by M, which stands
    for a number above all others, so that values are pairs u + M v. Each step moves to the vertex of a row that is
    violated, and the objective never grows. Where it does not fall, the first such row is taken, and among the rows
    that may leave the first (Bland, 1977), until it falls.

    >>> maximize([1, 1], [(4, -2, -1), (4, -1, -2), (0, 1, 0), (0, 0, 1)])
    Optimum(value=Fraction(8, 3), point=(Fraction(4, 3), Fraction(4, 3)))
    """
    rows = [*equations, *inequalities]
    vertex = _Vertex(objective, rows, len(equations))
    table = IntegerMatrix(len(rows), len(objective) + 2, [x for row in rows for x in (*row, 0)])
    careful = False
    while True:
        slacks = vertex.slacks(table)
        entering = _violated(slacks, len(equations), careful)
        if entering is None:
            return vertex.optimum(slacks)
        direction = 1 if slacks[entering] < (0, 0) else -1
        row = IntegerMatrix(1, len(objective) + 2, [direction * x for x in (*rows[entering], 0)])
        fallen = vertex.move(row, entering)
        if fallen is None:
            return None
        careful = not fallen


def _violated(slacks: list[tuple[Integer, Integer]], equations: int, careful: bool) -> int | None:
    """A row that does not hold: the first; if not careful, the first equation or else the worst inequality."""
    for i in range(equations):
        if slacks[i] != (0, 0):
            return i
    wrong = [i for i in range(equations, len(slacks)) if slacks[i] < (0, 0)]
    if not wrong:
        return None
    return wrong[0] if careful else min(wrong, key=slacks.__getitem__)


class _Vertex:
    """Where the rows of a basis vanish.

    The columns of `table` are those of the inverse of the basis, then the two of the point u + M v; its rows are the
    constant, which is the determinant, the coordinates, and the objective. So a row (b, a) times the table says how
    it depends on the rows of the basis, and what its value is at the point.
    """

    def __init__(self, objective: Sequence[int], rows: Sequence[Sequence[int]], equations: int) -> None:
        size = len(objective)
        bounds = _bounds(rows, range(equations, len(rows)))
        self._basis = list(range(-size, 0))
        table = IntegerMatrix(size + 2, size + 2)
        table[0, size] = 1
        for j, c in enumerate(objective):
            sign = -1 if c > 0 or (c == 0 and (j, 1) not in bounds) else 1
            table[j + 1, j] = sign
            if (j, sign) in bounds:  # b ± x_j ≥ 0
                self._basis[j] = bounds[j, sign]
                table[j + 1, size] = -sign * rows[self._basis[j]][0]
            else:  # M ± x_j ≥ 0
                table[j + 1, size + 1] = -sign
        costs = IntegerMatrix(1, size + 2, [0, *objective, 0]) * table
        for j in range(size + 2):
            table[size + 1, j] = costs[0, j]
        self._table, self._size, self._equations = table, size, equations

    def slacks(self, rows: IntegerMatrix) -> list[tuple[Integer, Integer]]:
        """The value of each row at the point, times the determinant: (v, u)."""
        table, size = self._table, self._size
        point = IntegerMatrix(size + 2, 2, [table[i, size + 1 - j] for i in range(size + 2) for j in (0, 1)])
        values = entries(rows * point)
        return list(zip(values[::2], values[1::2], strict=True))

    def move(self, row: IntegerMatrix, number: int) -> bool | None:
        """Take this row, which is negative, into the basis: whether the objective falls; None if nothing satisfies it.

        Multiples of the rows of the basis, none of them negative, bound the objective; the row that leaves is one
        whose multiple vanishes first.
        """
        table, size = self._table, self._size
        shares = entries(row * table)
        leaving, least, share = None, 0, 0
        for k, number_of_row in enumerate(self._basis):
            if shares[k] > 0 and not 0 <= number_of_row < self._equations:
                multiple = -table[size + 1, k]
                if leaving is not None:
                    difference = multiple * share - least * shares[k]
                    if difference > 0 or (difference == 0 and number_of_row > self._basis[leaving]):
                        continue
                leaving, least, share = k, multiple, shares[k]
        if leaving is None:
            return None
        determinant = table[0, size]
        column = IntegerMatrix(size + 2, 1, [table[i, leaving] for i in range(size + 2)])
        shares[leaving] = share - determinant  # so that the column itself stays
        self._table = (table * share - column * IntegerMatrix(1, size + 2, shares)) / determinant
        self._basis[leaving] = number
        return bool(least > 0)

    def optimum(self, slacks: list[tuple[Integer, Integer]]) -> Optimum:
        """The point and its value, when all rows hold."""
        table, size = self._table, self._size
        if table[size + 1, size + 1] > 0:
            raise Unbounded
        least = [Fraction(int(-u), int(v)) for v, u in slacks if v > 0 and u < 0]
        multiple = max(least, default=Fraction(0))  # any M from here on will do
        scale = int(table[0, size])
        point = [_read(table, i, size, multiple) / scale for i in range(1, size + 2)]
        return Optimum(point[-1], tuple(point[:-1]))


def _bounds(rows: Sequence[Sequence[int]], numbers: Sequence[int]) -> dict[tuple[int, int], int]:
    """Which row is b + x_j, as (j, 1), or b − x_j, as (j, −1)."""
    bounds = {}
    for number in numbers:
        factors = rows[number][1:]
        if factors.count(0) == len(factors) - 1:
            j, factor = next((j, x) for j, x in enumerate(factors) if x)
            if factor in (1, -1):
                bounds[j, factor] = number
    return bounds


def _read(table: IntegerMatrix, i: int, size: int, multiple: Fraction) -> Fraction:
    return int(table[i, size]) + multiple * int(table[i, size + 1])
