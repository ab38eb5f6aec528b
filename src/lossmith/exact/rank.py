"""Exact rank, proved from both sides.

Below: rows that are independent modulo one prime are independent over the rationals.
Above: either an exact factorisation M = M[:, C] X with r columns C, or rank ≤ r modulo enough distinct
primes that their product exceeds Hadamard's bound for minors of size r + 1, which makes all of them 0.
Plain exact elimination is 50 to 100 times slower on large deficient matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from flint import fmpz, fmpz_mat, nmod_mat

from lossmith.exact.matrix import IntegerMatrix, integer_matrix, integer_rows

PRIME = 2**31 - 1
_SMALLPRIME = 67_108_859  # the largest below 2^26: for whoever checks without our tools
# A factorisation writes numbers of about r digits; from here on, counting primes is cheaper (measured, 400 × 400).
LARGEST_FACTOR = 40


def row_basis(matrix: IntegerMatrix, size: int | None = None) -> tuple[int, ...]:
    """Return indices of rows that form a basis of the row space over the rationals; its size may be known.

    >>> row_basis(integer_matrix([[1, 2, 3], [2, 4, 6], [0, 1, 1]]))
    (0, 2)
    """
    height, width = matrix.nrows(), matrix.ncols()
    if height > 4 * width:  # tall: guess from an even sample of rows, then prove it for all of them
        sample = range(0, height, height // (3 * width))
        chosen = [sample[i] for i in _independent_rows(_select_rows(matrix, sample), PRIME)]
        if len(chosen) == width or spans_by_factoring(matrix, chosen):
            return tuple(chosen)
    if height == width and nmod_mat(matrix, PRIME).rank() == width:
        return tuple(range(height))
    prime = PRIME
    while True:
        chosen = _independent_rows(matrix, prime)
        if len(chosen) == size or _spans(matrix, chosen):
            return tuple(chosen)
        prime = previous_prime(prime)  # this prime divided a minor that is not zero


def independent_minor(matrix: IntegerMatrix) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Rows, columns and a prime: the minor of full rank that they make does not vanish modulo the prime.

    >>> independent_minor(integer_matrix([[1, 2], [2, 4], [0, 1]]))[:2]
    ((0, 2), (0, 1))
    """
    rows = row_basis(matrix)
    prime = _SMALLPRIME
    while len(columns := _pivots(nmod_mat(_select_rows(matrix, rows), prime))) < len(rows):
        prime = previous_prime(prime)
    return rows, tuple(columns), prime


def largest_minor(rows: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of rows and columns of a minor that does not vanish, as large as the rank.

    >>> largest_minor([(1, 1, 0), (2, 2, 0), (0, 0, 1)])
    ((0, 2), (0, 2))
    """
    matrix, width = integer_matrix(rows), len(rows[0])
    chosen = _independent_rows(matrix, PRIME)
    if len(chosen) == width:  # independent modulo a prime: independent
        return tuple(chosen), tuple(range(width))
    return independent_minor(matrix)[:2]


def columns_seen_independent(matrix: IntegerMatrix) -> bool:
    """Whether the columns are independent modulo a prime, and so over the rationals; not the other way round.

    >>> [columns_seen_independent(integer_matrix(rows)) for rows in ([[1, 0], [0, 2], [1, 1]], [[2**31 - 1]])]
    [True, False]
    """
    return bool(nmod_mat(matrix, PRIME).rank() == matrix.ncols())


def common_modulus(matrices: Sequence[IntegerMatrix]) -> int:
    """A prime modulo which the rows of each matrix, which are independent, still are.

    >>> common_modulus([integer_matrix([[2, 0], [0, 3]])]) > 3
    True
    """
    prime = _SMALLPRIME
    while any(nmod_mat(matrix, prime).rank() < matrix.nrows() for matrix in matrices):
        prime = previous_prime(prime)
    return prime


def rank(matrix: IntegerMatrix) -> int:
    """The rank over the rationals.

    >>> rank(integer_matrix([[2, 0], [0, 3]]))
    2
    """
    return len(row_basis(matrix))


def column_affdim(matrix: IntegerMatrix) -> int:
    """The dimension of the affine hull of the columns: rank of the matrix with a row of ones below, minus 1.

    >>> column_affdim(integer_matrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]))
    2
    """
    basis = row_basis(matrix)
    if len(basis) == matrix.ncols():  # the row of ones lies in the row space, which is everything
        return len(basis) - 1
    ones = [1] * matrix.ncols()
    return rank(integer_matrix([*integer_rows(_select_rows(matrix, basis)), ones])) - 1


def _independent_rows(matrix: IntegerMatrix, prime: int) -> list[int]:
    """Rows independent modulo the prime, as many as possible: the pivot columns of the transpose."""
    return _pivots(nmod_mat(matrix.transpose(), prime))


def _pivots(matrix: nmod_mat) -> list[int]:
    reduced, size = matrix.rref()
    pivots: list[int] = []
    column = 0
    for row in range(size):
        while int(reduced[row, column]) == 0:
            column += 1
        pivots.append(column)
        column += 1
    return pivots


def _spans(matrix: IntegerMatrix, chosen: Sequence[int]) -> bool:
    """Whether the chosen rows, known to be independent, span all rows."""
    size = len(chosen)
    if size == min(matrix.nrows(), matrix.ncols()):
        return True
    if size <= LARGEST_FACTOR:
        return spans_by_factoring(matrix, chosen)
    return spans_by_primes(matrix, size)


def spans_by_factoring(matrix: IntegerMatrix, chosen: Sequence[int]) -> bool:
    """Check M = M[:, C] B⁻¹ M[R, :] with B = M[R, C] for the chosen rows R and some columns C."""
    if not chosen:
        return bool(matrix.is_zero())
    rows = _select_rows(matrix, chosen)
    prime = PRIME
    while len(columns := _pivots(nmod_mat(rows, prime))) < len(chosen):
        prime = previous_prime(prime)  # the rows are independent, so only finitely many primes divide their minors
    left = _select_columns(matrix, columns)
    solved, scale = _select_columns(rows, columns).solve(rows).numer_denom()  # B⁻¹ M[R, :], rational
    return bool(left * solved == matrix * scale)


def spans_by_primes(matrix: IntegerMatrix, size: int) -> bool:
    """Check rank ≤ size modulo primes whose product exceeds every minor of size + 1 in absolute value."""
    norms = sorted((sum(entry * entry for entry in row) for row in integer_rows(matrix)), reverse=True)
    bound = 1
    for norm in norms[: size + 1]:  # Hadamard: |minor| ≤ product of the lengths of its rows
        bound *= isqrt(norm) + 1
    prime, product = 2**62, 1
    while product <= bound:
        prime = previous_prime(prime)
        if nmod_mat(matrix, prime).rank() > size:
            return False
        product *= prime
    return True


def _select_rows(matrix: IntegerMatrix, rows: Sequence[int]) -> IntegerMatrix:
    width = matrix.ncols()
    return fmpz_mat(len(rows), width, [matrix[i, j] for i in rows for j in range(width)])


def _select_columns(matrix: IntegerMatrix, columns: Sequence[int]) -> IntegerMatrix:
    choice = fmpz_mat(matrix.ncols(), len(columns))
    for position, column in enumerate(columns):
        choice[column, position] = 1
    return matrix * choice


def previous_prime(number: int) -> int:
    """The largest prime below a number.

    >>> previous_prime(101)
    97
    """
    candidate = fmpz(number - 1)
    while not candidate.is_prime():
        candidate -= 1
    return int(candidate)
