"""Rational matrices behave as values: equal entries make equal matrices, and nothing is lost on the way in or out."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.exact.matrix import RationalMatrix, integer_matrix, integer_rows
from strategies import loss_rows


@given(loss_rows())
def test_the_rows_come_out_as_they_went_in(rows):
    matrix = RationalMatrix.from_rows(rows)
    assert matrix.rows() == rows
    assert tuple(matrix.row(y) for y in range(len(rows))) == rows
    assert matrix.shape == (len(rows), len(rows[0]))


@given(loss_rows())
def test_the_integers_are_the_entries_times_the_least_common_denominator(rows):
    matrix = RationalMatrix.from_rows(rows)
    denominator = matrix.denominator
    whole = [all((entry * d).denominator == 1 for row in rows for entry in row) for d in range(1, denominator + 1)]
    assert whole.index(True) + 1 == denominator
    assert [matrix.integer_row(y) for y in range(len(rows))] == [[entry * denominator for entry in row] for row in rows]
    columns = matrix.integer_columns()
    assert columns == tuple(tuple(entry * denominator for entry in column) for column in zip(*rows))


@given(loss_rows())
def test_equal_entries_make_equal_matrices_with_equal_hashes(rows):
    matrix, same = RationalMatrix.from_rows(rows), RationalMatrix.from_rows([[*row] for row in rows])
    assert matrix == same
    assert hash(matrix) == hash(same)


@given(loss_rows(), st.data())
def test_one_changed_entry_makes_an_unequal_matrix(rows, data):
    y, t = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1))
    changed = [[*row] for row in rows]
    changed[y][t] += Fraction(1, 2)
    assert RationalMatrix.from_rows(rows) != RationalMatrix.from_rows(changed)


@given(loss_rows())
def test_a_matrix_survives_pickling_and_copying(rows):
    matrix = RationalMatrix.from_rows(rows)
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    assert copy.deepcopy(matrix) == matrix


def test_integers_and_whole_fractions_make_the_same_matrix():
    assert RationalMatrix.from_rows([[1, 2]]) == RationalMatrix.from_rows([[Fraction(1), Fraction(4, 2)]])


def test_a_matrix_is_unequal_to_what_is_no_matrix():
    assert RationalMatrix.from_rows([[1]]) != ((1,),)


@pytest.mark.parametrize("rows", [[[0]], [[1, -2], [3, 10**40]], [[-(10**30)], [7]]])
def test_integer_matrices_hold_integers_of_any_size(rows):
    assert integer_rows(integer_matrix(rows)) == rows
