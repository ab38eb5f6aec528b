"""Rational matrices as integers over one common denominator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd
from operator import not_
from typing import TypeAlias

from flint import fmpz, fmpz_mat

from lossmith.exact.vectors import Row, common_denominator, dot, fractions, over_common_denominator, scaled

IntegerMatrix: TypeAlias = fmpz_mat  # IntegerMatrix(rows, columns, entries) makes one without a list for each row
Integer: TypeAlias = fmpz


@dataclass(frozen=True, eq=False)
class RationalMatrix:
    """The matrix `numerators / denominator`; the denominator is the least common one, so equal values are equal fields.

    >>> half = RationalMatrix.from_rows([[0, Fraction(1, 2)], [1, 0]])
    >>> half.denominator, half.row(0)
    (2, (Fraction(0, 1), Fraction(1, 2)))
    """

    numerators: IntegerMatrix
    denominator: int

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Fraction | int]]) -> RationalMatrix:
        """Build the matrix with these rows, all of one length."""
        if all(type(entry) is int for row in rows for entry in row):
            return cls(integer_matrix(rows), 1)  # type: ignore[arg-type]
        denominator = common_denominator(chain.from_iterable(rows))
        return cls(integer_matrix([scaled(row, denominator) for row in rows]), denominator)

    @classmethod
    def reduced(cls, numerators: IntegerMatrix, denominator: int) -> RationalMatrix:
        """The matrix of these fractions, which may have a common factor."""
        common = gcd(denominator, *(int(entry) for entry in numerators.entries()))
        return cls(numerators / common, denominator // common) if common > 1 else cls(numerators, denominator)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows, columns."""
        return self.numerators.nrows(), self.numerators.ncols()

    def integer_row(self, y: int) -> list[int]:
        """The numerators of row y."""
        numerators = self.numerators
        return [int(numerators[y, t]) for t in range(numerators.ncols())]

    def integer_columns(self) -> tuple[Row, ...]:
        """The numerators, column by column."""
        return self._integer_columns

    @cached_property
    def _integer_columns(self) -> tuple[Row, ...]:
        return tuple(zip(*integer_rows(self.numerators), strict=True))

    def mean(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Σ_y w_y row_y.

        >>> RationalMatrix.from_rows([[0, 1], [5, 0]]).mean([Fraction(1, 2), Fraction(1, 2)])
        (Fraction(5, 2), Fraction(1, 2))
        """
        numerators, unit = over_common_denominator(weights)
        unit *= self.denominator
        return tuple([Fraction(dot(numerators, column), unit) for column in self.integer_columns()])

    def row(self, y: int) -> tuple[Fraction, ...]:
        """Row y as fractions."""
        return tuple(Fraction(entry, self.denominator) for entry in self.integer_row(y))

    def rows(self) -> tuple[tuple[Fraction, ...], ...]:
        """All rows as fractions; equal entries share one object."""
        return fractions(integer_rows(self.numerators), self.denominator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalMatrix):
            return NotImplemented
        return self.denominator == other.denominator and bool(self.numerators == other.numerators)

    def __hash__(self) -> int:
        return hash((self.shape, self.denominator, *self.integer_row(0)))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (integer_rows(self.numerators), self.denominator)


def integer_matrix(rows: Sequence[Sequence[int]]) -> IntegerMatrix:
    """The matrix with these integer rows, at least one: to be multiplied, transposed, and read by `integer_rows`."""
    return fmpz_mat(len(rows), len(rows[0]), list(chain.from_iterable(rows)))


def integer_rows(matrix: IntegerMatrix) -> list[list[int]]:
    """The rows of a matrix as Python integers."""
    width = matrix.ncols()
    entries = [int(entry) for entry in matrix.entries()]
    return [entries[i * width : (i + 1) * width] for i in range(matrix.nrows())]


def entries(matrix: IntegerMatrix) -> list[Integer]:
    """The entries, row by row, as they are: they count and compare as Python's integers, which cost more to make.

    >>> 2 * max(entries(integer_matrix([[1, 2], [3, 4]]))) == 8
    True
    """
    found: list[Integer] = matrix.entries()
    return found


def zeros(matrix: IntegerMatrix) -> bytes:
    """For each entry, row by row, 1 if it is 0, and 0 if it is not.

    >>> list(zeros(integer_matrix([[2, 0], [0, 0]])))
    [0, 1, 1, 1]
    """
    return bytes(map(not_, matrix.entries()))


def _restore(rows: list[list[int]], denominator: int) -> RationalMatrix:
    return RationalMatrix(fmpz_mat(rows), denominator)
