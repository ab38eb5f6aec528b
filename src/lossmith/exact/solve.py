"""Linear equations over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpz_mat

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
