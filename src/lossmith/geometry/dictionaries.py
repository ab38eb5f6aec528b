"""Dictionaries of a linear program in integers, many at once: everything as a function of the slacks of a basis.

A row (b, a) of a program has the slack b + a·x. Where N slacks, those of the *basis*, are taken as coordinates, all
other slacks, the objectives and the coordinates of x are affine functions of them: the rows of the dictionary, integers
over one denominator. Pivoting exchanges a slack of the basis with another, and divides without remainder, as all
entries are minors of one integer matrix (Edmonds; Bareiss, 1968). Entries are 64-bit integers as long as a bound,
checked before each operation, proves that nothing leaves them; `Unfit` is raised otherwise.

Constants are pairs (b, r) that stand for b + εr with an ε > 0 as small as need be: with random r no two bases have the
same point. Floating-point numbers only guess which slack becomes 0 first; that none is negative is then tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lossmith.exact.matrix import integer_matrix, integer_rows
from lossmith.exact.rank import largest_minor, rank
from lossmith.exact.solve import adjugate
from lossmith.exact.vectors import Row, unit_rows

Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.intp]

LIMIT = 2**63
_SHIFTS = 1 << 12  # r is less than this


class Unfit(Exception):
    """Nothing is wrong, but this way does not lead there: numbers beyond 64 bits, ties, or too much to do."""


@dataclass(frozen=True)
class VectorProgram:
    """min (c_1·x, …, c_n·x) subject to b + a·x ≥ 0 for rows (b, a), with equality for the last `equations` of them.

    Of x the first `shown` coordinates are asked for.
    """

    rows: Sequence[Row]
    equations: int
    objectives: Sequence[Row]
    shown: int


@dataclass(frozen=True, eq=False)
class Dictionaries:
    """Dictionaries of one program. The rows of a table: the slacks `others`, the objectives, the coordinates of x.

    The columns of a table: the slacks `basis`, then b and r of the constant.
    """

    tables: Integers
    denominators: Integers
    basis: Numbers
    others: Numbers
    n: int

    def __len__(self) -> int:
        return len(self.tables)

    def __getitem__(self, which: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Dictionaries:
        return Dictionaries(self.tables[which], self.denominators[which], self.basis[which], self.others[which], self.n)

    @property
    def slopes(self) -> Integers:
        """For each dictionary, objective and slack of the basis, how fast the one grows with the other."""
        first = self.others.shape[1]
        return self.tables[:, first : first + self.n, :-2]

    @property
    def values(self) -> Integers:
        """For each dictionary and objective, b and r of the constant."""
        first = self.others.shape[1]
        return self.tables[:, first : first + self.n, -2:]

    @property
    def points(self) -> Integers:
        """For each dictionary, the coordinates of x where the basis is 0."""
        return self.tables[:, self.others.shape[1] + self.n :, -2]

    def require_feasible(self) -> None:
        """Raise `Unfit` unless all slacks are positive where the basis is 0."""
        constants = self.tables[:, : self.others.shape[1], -2:]
        b, r = constants[:, :, 0], constants[:, :, 1]
        if not ((b > 0) | ((b == 0) & (r > 0))).all():
            raise Unfit

    def entered(self, columns: Numbers) -> Dictionaries:
        """Each one after a slack of the basis, given by its column, has grown until another one is 0."""
        size = self.others.shape[1]
        every = np.arange(len(self))
        falls = -self.tables[every, :size, columns]
        falling = falls > 0
        if not falling.any(axis=1).all():
            raise Unfit
        steps, shifts = np.full((2, *falls.shape), np.inf)
        np.divide(self.tables[:, :size, -2], falls, out=steps, where=falling)
        np.divide(self.tables[:, :size, -1], falls, out=shifts, where=steps == steps.min(axis=1, keepdims=True))
        found = self._pivoted(shifts.argmin(axis=1), columns)
        found.require_feasible()
        return found

    def _pivoted(self, i: Numbers, j: Numbers) -> Dictionaries:
        every, tables = np.arange(len(self)), self.tables
        rows, columns = tables[every, i], tables[every, :, j]
        pivots = -rows[every, j]
        if 2 * int(np.abs(columns).max()) * int(np.abs(tables).max()) >= LIMIT:
            raise Unfit
        found = columns[:, :, None] * rows[:, None, :]
        found += tables * pivots[:, None, None]
        found //= self.denominators[:, None, None]
        found[every, :, j] = -columns
        rows[every, j] = -self.denominators
        found[every, i] = rows
        basis, others = self.basis.copy(), self.others.copy()
        basis[every, j], others[every, i] = self.others[every, i], self.basis[every, j]
        return Dictionaries(found, pivots, basis, others, self.n)


def together(parts: Sequence[Dictionaries]) -> Dictionaries:
    """All of them, one after the other."""
    fields = [(part.tables, part.denominators, part.basis, part.others) for part in parts]
    tables, denominators, basis, others = (np.concatenate(each) for each in zip(*fields, strict=True))
    return Dictionaries(tables, denominators, basis, others, parts[0].n)


def dictionary(program: VectorProgram, support: Sequence[int]) -> Dictionaries:
    """The dictionary of these rows of a program, of which a basis is chosen; where x is not unique, some x_j are 0.

    >>> program = VectorProgram([(0, 1), (2, -1)], 0, [(3,)], 1)  # 0 ≤ x ≤ 2
    >>> found = dictionary(program, [1])
    >>> found.slopes.tolist(), found.values[:, :, 0].tolist(), found.points.tolist()
    ([[[-3]]], [[6]], [[2]])
    """
    if not support:
        raise Unfit
    rows, size = program.rows, len(program.rows)
    gradients = [row[1:] for row in rows]
    chosen, columns = largest_minor([gradients[k] for k in support])
    if len(columns) < len(gradients[0]) and rank(integer_matrix(gradients)) > len(columns):
        raise Unfit
    basis = [support[i] for i in chosen]
    inverse, denominator = adjugate([[gradients[k][j] for j in columns] for k in basis])
    taken, shifts = set(basis), Random(0)
    others = [k for k in range(size) if k not in taken]
    functions = (
        [gradients[k] for k in others] + list(program.objectives) + unit_rows(len(gradients[0]))[: program.shown]
    )
    slopes = integer_matrix([[f[j] for j in columns] for f in functions]) * integer_matrix(inverse)
    moved = integer_rows(slopes * integer_matrix([(rows[k][0],) for k in basis]))
    constants = [rows[k][0] for k in others] + [0] * (len(functions) - len(others))
    table = [
        (*slope, denominator * b - shift, denominator * shifts.randrange(1, _SHIFTS) if i < len(others) else 0)
        for i, (slope, b, [shift]) in enumerate(zip(integer_rows(slopes), constants, moved, strict=True))
    ]
    kept = [i for i in range(len(table)) if i >= len(others) or not _follows(program, basis, others[i], table[i])]
    if max(denominator, *(abs(entry) for row in table for entry in row)) >= LIMIT:
        raise Unfit
    return Dictionaries(
        np.array([[table[i] for i in kept]], dtype=np.int64),
        np.array([denominator], dtype=np.int64),
        np.array([basis], dtype=np.intp),
        np.array([[others[i] for i in kept if i < len(others)]], dtype=np.intp),
        len(program.objectives),
    )


def _follows(program: VectorProgram, basis: Sequence[int], row: int, entries: Sequence[int]) -> bool:
    """Whether a row is an equation that follows from those of the basis."""
    first = len(program.rows) - program.equations
    if row < first:
        return False
    if entries[-2] or any(entry for k, entry in zip(basis, entries) if k < first):
        raise Unfit
    return True
