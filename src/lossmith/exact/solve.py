"""Linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpz_mat

from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.rational import over_common_denominator


def combination(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Numbers x with Σ x_i columns_i = target; None if the target is not in the span.

    >>> combination([[Fraction(1), Fraction(1)], [Fraction(0), Fraction(2)]], [Fraction(1), Fraction(0)])
    (Fraction(1, 1), Fraction(-1, 2))
    """
    size = len(columns)
    rows = [over_common_denominator([*row, right])[0] for *row, right in zip(*columns, target, strict=True)]
    reduced, denominator, rank = fmpz_mat([list(row) for row in rows]).rref()
    solution, column = [Fraction(0)] * size, 0
    for row in reduced.tolist()[:rank]:
        while not row[column]:
            column += 1
        if column == size:
            return None
        solution[column] = Fraction(int(row[size]), int(denominator))
    return tuple(solution)


def combinations_of(
    columns: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[tuple[Fraction, ...], ...]:
    """For each target the x with Σ x_i columns_i = target; the columns are independent and span the targets.

    >>> combinations_of([[1, 1], [0, 2]], [[1, 0]])
    ((Fraction(1, 1), Fraction(-1, 2)),)
    """
    if not columns:
        return ((),) * len(targets)
    rows = row_basis(integer_matrix(list(zip(*columns, strict=True))))
    square = integer_matrix([[column[y] for column in columns] for y in rows])
    solved = square.solve(integer_matrix([[target[y] for target in targets] for y in rows]))
    found = [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in solved.table()]
    return tuple(zip(*found, strict=True))


def annihilator(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> tuple[int, ...] | None:
    """An integer vector v that is orthogonal to the columns and not to the target; None if the target is in their span.

    >>> v = annihilator([[Fraction(1), Fraction(1)]], [Fraction(1), Fraction(0)])
    >>> sum(v), v[0] != 0
    (0, True)
    """
    rows = [list(over_common_denominator(column)[0]) for column in columns]
    basis, rank = fmpz_mat(rows).nullspace()
    vectors = list(zip(*basis.tolist(), strict=True))[:rank]
    for vector in vectors:
        if sum((int(x) * y for x, y in zip(vector, target, strict=True)), Fraction(0)):
            return tuple(map(int, vector))
    return None
