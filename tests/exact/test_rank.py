"""Ranks, bases and affine dimensions against elimination over fractions, on every path of the algorithm."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpz_mat, nmod_mat
from hypothesis import example, given
from hypothesis import strategies as st

import reference
from lossmith.exact import rank as exact
from strategies import integer_rows

PRIME = 2**31 - 1
# The largest primes below 2^62: those by which deficient matrices of large rank are proved deficient.
FIRST, SECOND, THIRD = 2**62 - 57, 2**62 - 87, 2**62 - 117

fooling_the_prime = st.sampled_from([0, 1, -1, 2, PRIME, -PRIME, 2 * PRIME, PRIME + 1, PRIME**2, 3 * PRIME - 1])


def unimodular(size: int, seed: int) -> list[list[int]]:
    """An integer matrix of determinant 1 with small entries: lower times upper triangular, ones on the diagonals."""
    dice = random.Random(seed)
    lower, other = (
        [[dice.randint(-1, 1) if j < i else int(i == j) for j in range(size)] for i in range(size)] for _ in range(2)
    )
    return product(lower, [list(column) for column in zip(*other)])


def product(left: list[list[int]], right: list[list[int]]) -> list[list[int]]:
    columns = list(zip(*right))
    return [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in left]


def with_invariants(diagonal: list[int], seed: int = 1) -> list[list[int]]:
    """A square matrix with no visible structure that has the rank of diag(diagonal), modulo every prime too."""
    size = len(diagonal)
    scaled = [[d * entry for entry in row] for d, row in zip(diagonal, unimodular(size, seed))]
    return product(unimodular(size, seed + 1), scaled)


def assert_is_a_basis_of_the_rows(rows: list[list[int]]) -> None:
    chosen = exact.row_basis(fmpz_mat(rows))
    assert list(chosen) == sorted(set(chosen))
    assert reference.rank([rows[i] for i in chosen]) == len(chosen) == reference.rank(rows)


# On ordinary matrices.


@given(integer_rows())
def test_row_basis_is_a_basis_of_the_row_space(rows):
    assert_is_a_basis_of_the_rows(rows)


@given(integer_rows())
def test_rank_is_the_rank_by_elimination_over_fractions(rows):
    assert exact.rank(fmpz_mat(rows)) == reference.rank(rows)


@given(integer_rows())
def test_rank_of_the_transpose_is_the_same(rows):
    assert exact.rank(fmpz_mat(rows).transpose()) == exact.rank(fmpz_mat(rows))


@given(integer_rows())
def test_column_affdim_is_the_dimension_of_the_affine_hull_of_the_columns(rows):
    assert exact.column_affdim(fmpz_mat(rows)) == reference.affdim(rows)


@given(integer_rows())
def test_column_affdim_is_the_rank_or_one_less(rows):
    assert exact.rank(fmpz_mat(rows)) - exact.column_affdim(fmpz_mat(rows)) in (0, 1)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (3, 2), (4, 4), (50, 2)])
def test_a_zero_matrix_has_rank_zero_an_empty_basis_and_affdim_zero(shape):
    zero = fmpz_mat(*shape)
    assert exact.row_basis(zero) == ()
    assert exact.rank(zero) == 0
    assert exact.column_affdim(zero) == 0


def test_affdim_of_equal_columns_is_zero_though_the_rank_is_one():
    equal = fmpz_mat([[3, 3, 3], [5, 5, 5]])
    assert exact.rank(equal) == 1
    assert exact.column_affdim(equal) == 0


def test_affdim_equals_the_rank_when_the_affine_hull_holds_the_origin():
    through_the_origin = [[0, 1, 0], [0, 0, 1]]
    assert exact.rank(fmpz_mat(through_the_origin)) == 2
    assert exact.column_affdim(fmpz_mat(through_the_origin)) == 2


# When the prime divides minors that are not zero, the first guess is too small.


@given(integer_rows(entries=fooling_the_prime))
@example([[PRIME]])
@example([[PRIME, 0], [0, 1]])
@example([[1, 1], [1, 1 + PRIME]])
def test_row_basis_is_right_where_the_prime_divides_minors(rows):
    assert_is_a_basis_of_the_rows(rows)


@given(integer_rows(entries=fooling_the_prime))
def test_column_affdim_is_right_where_the_prime_divides_minors(rows):
    assert exact.column_affdim(fmpz_mat(rows)) == reference.affdim(rows)


@given(integer_rows())
def test_a_matrix_of_multiples_of_the_prime_has_the_rank_of_its_quotient(rows):
    multiples = [[PRIME * entry for entry in row] for row in rows]
    assert exact.rank(fmpz_mat(multiples)) == reference.rank(rows)
    assert exact.column_affdim(fmpz_mat(multiples)) == reference.affdim(rows)


@given(integer_rows(entries=st.sampled_from([0, 1, 97, 101, 101 * 97, 101 * 97 * 89, 102])))
def test_row_basis_survives_several_bad_primes_in_a_row(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "PRIME", 101)
        assert_is_a_basis_of_the_rows(rows)


# Tall matrices: the basis is guessed from a sample of the rows and must be proved for all of them.


@st.composite
def tall_rows(draw, entries=None):
    """More than four rows per column, nearly all of them in one or two directions."""
    entries = st.integers(-3, 3) if entries is None else entries
    width = draw(st.integers(1, 4))
    height = draw(st.integers(4 * width + 1, 60))
    vector = st.lists(entries, min_size=width, max_size=width)
    directions = draw(st.lists(vector, min_size=1, max_size=2))
    rows = [directions[i % len(directions)] for i in range(height)]
    for _ in range(draw(st.integers(0, 3))):
        rows[draw(st.integers(0, height - 1))] = draw(vector)
    return rows


@given(tall_rows())
def test_row_basis_of_a_tall_matrix_is_a_basis(rows):
    assert_is_a_basis_of_the_rows(rows)


@given(tall_rows(entries=fooling_the_prime))
def test_row_basis_of_a_tall_matrix_is_right_where_the_prime_divides_minors(rows):
    assert_is_a_basis_of_the_rows(rows)


@given(tall_rows())
def test_column_affdim_of_a_tall_matrix_is_right(rows):
    assert exact.column_affdim(fmpz_mat(rows)) == reference.affdim(rows)


@pytest.mark.parametrize("special", range(90))
def test_one_special_row_is_found_wherever_it_stands_in_a_tall_matrix(special):
    rows = [[1, 2, 3] for _ in range(90)]
    rows[special] = [0, 0, 1]
    chosen = exact.row_basis(fmpz_mat(rows))
    assert len(chosen) == 2
    assert special in chosen


def test_a_single_row_that_is_not_zero_is_found_in_a_tall_matrix_at_an_unsampled_place():
    rows = [[0, 0] for _ in range(100)]
    rows[7] = [0, 5]
    assert exact.row_basis(fmpz_mat(rows)) == (7,)


# Rank beyond 40 and deficient: proved by counting primes.


def test_a_deficient_matrix_of_rank_45_has_rank_45():
    rows = with_invariants([1] * 45 + [0] * 15)
    assert exact.rank(fmpz_mat(rows)) == 45


def test_a_row_basis_of_a_deficient_matrix_of_rank_45_is_independent():
    rows = with_invariants([2] * 45 + [0] * 5)
    chosen = exact.row_basis(fmpz_mat(rows))
    assert len(chosen) == 45
    assert nmod_mat(fmpz_mat([rows[i] for i in chosen]), 1_000_003).rank() == 45


def test_affdim_of_a_deficient_matrix_of_rank_45_is_by_one_less_when_all_columns_share_a_coordinate():
    rows = [*with_invariants([1] * 44 + [0] * 11), [1] * 55]
    assert reference.rank(rows) == 45
    assert exact.rank(fmpz_mat(rows)) == 45
    assert exact.column_affdim(fmpz_mat(rows)) == 44


def test_a_deficient_matrix_of_rank_50_that_has_rank_45_modulo_the_prime_has_rank_50():
    rows = with_invariants([1] * 45 + [PRIME] * 5 + [0] * 10)
    assert nmod_mat(fmpz_mat(rows), PRIME).rank() == 45
    assert exact.rank(fmpz_mat(rows)) == 50


def test_the_prime_and_the_first_prime_of_the_proof_may_both_be_bad():
    rows = with_invariants([1] * 45 + [PRIME * FIRST] + [0] * 4)
    assert exact.rank(fmpz_mat(rows)) == 46


@given(integer_rows(entries=st.sampled_from([0, 1, -1, PRIME, FIRST, FIRST * SECOND, PRIME * FIRST * SECOND, 10**40])))
@example([[1, 0, 0], [0, PRIME * FIRST * SECOND, 0], [0, 0, 0]])
@example([[PRIME * FIRST, 0], [0, 0]])
def test_counting_primes_alone_gives_the_right_basis(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "LARGEST_FACTOR", -1)
        assert_is_a_basis_of_the_rows(rows)


@given(integer_rows(entries=st.sampled_from([0, 1, -1, PRIME, FIRST, FIRST * SECOND, PRIME * FIRST * SECOND, 10**40])))
def test_factoring_alone_gives_the_right_basis(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "LARGEST_FACTOR", 10**9)
        assert_is_a_basis_of_the_rows(rows)


def test_factoring_alone_finds_rank_45_too(monkeypatch):
    monkeypatch.setattr(exact, "LARGEST_FACTOR", 10**9)
    assert exact.rank(fmpz_mat(with_invariants([1] * 45 + [0] * 5))) == 45


def test_the_primes_named_here_are_those_of_the_proof():
    assert exact.previous_prime(2**62) == FIRST
    assert exact.previous_prime(FIRST) == SECOND
    assert exact.previous_prime(SECOND) == THIRD


@pytest.mark.parametrize("divisor", [FIRST, FIRST * SECOND, FIRST * SECOND * THIRD])
def test_a_minor_that_the_first_primes_divide_is_not_taken_for_zero(divisor):
    assert not exact.spans_by_primes(fmpz_mat([[1, 0], [0, divisor]]), 1)
    assert not exact.spans_by_primes(fmpz_mat([[divisor, 0], [0, divisor]]), 1)


def test_a_minor_larger_than_every_entry_is_not_taken_for_zero_though_the_first_prime_divides_it():
    rows = [[2**31, 57], [1, 2**31]]
    assert rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0] == FIRST
    assert nmod_mat(fmpz_mat(rows), FIRST).rank() == 1
    assert not exact.spans_by_primes(fmpz_mat(rows), 1)


@given(integer_rows(), st.integers(0, 4))
def test_spanning_by_primes_says_whether_the_rank_is_at_most_the_size(rows, size):
    assert exact.spans_by_primes(fmpz_mat(rows), size) == (reference.rank(rows) <= size)


@given(integer_rows(entries=fooling_the_prime), st.data())
def test_spanning_by_factoring_says_whether_independent_rows_span_all(rows, data):
    order = data.draw(st.permutations(range(len(rows))))
    chosen: list[int] = []
    for i in order[: data.draw(st.integers(0, len(rows)))]:
        if reference.rank([rows[j] for j in [*chosen, i]]) > len(chosen):
            chosen.append(i)
    assert exact.spans_by_factoring(fmpz_mat(rows), chosen) == (reference.rank(rows) == len(chosen))


# The reference itself, where a hand can check it.


def test_the_reference_eliminates_by_hand_checked_values():
    assert reference.rank([[1, 2], [2, 4]]) == 1
    assert reference.rank([[0, 1], [1, 0]]) == 2
    assert reference.affine_dimension([(0, 0), (1, 1), (2, 2)]) == 1
    assert reference.only_solution([[2, 1], [1, 1]], [3, 2]) == (Fraction(1), Fraction(1))
    assert reference.only_solution([[1, 1], [2, 2]], [1, 2]) is None
    assert reference.only_solution([[1, 0], [0, 1], [1, 1]], [1, 1, 3]) is None
