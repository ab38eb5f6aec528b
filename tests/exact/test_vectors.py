"""Rows: products and mixtures are exact and of one kind, and integers are reached by the least factor."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith.exact.vectors import (
    cleared,
    combined,
    dot,
    homogeneous,
    minus,
    over_common_denominator,
    primitive,
    rational_dot,
    rows_over_common_denominator,
    unit_rows,
)

INTEGERS = st.integers(-(10**20), 10**20)
RATIONALS = INTEGERS | st.fractions()


def pairs(numbers):
    return st.lists(st.tuples(numbers, numbers), max_size=5).map(lambda found: tuple(zip(*found)) or ((), ()))


@given(pairs(INTEGERS))
def test_the_product_of_integer_rows_is_an_integer(rows):
    assert type(dot(*rows)) is int
    assert dot(*rows) == reference.dot(*rows)


@given(pairs(RATIONALS))
def test_the_product_of_rational_rows_is_a_fraction_even_of_integers_and_of_nothing(rows):
    assert type(rational_dot(*rows)) is Fraction
    assert rational_dot(*rows) == reference.dot(*rows)


def test_rows_of_two_lengths_have_no_difference():
    with pytest.raises(ValueError, match=r"zip\(\)"):  # Python's own message
        minus((1, 2), (1,))


@given(st.lists(RATIONALS, min_size=1, max_size=4))
def test_a_combination_of_the_unit_rows_is_its_weights_in_fractions(weights):
    found = combined(weights, unit_rows(len(weights)))
    assert found == tuple(weights)
    assert all(type(x) is Fraction for x in found)


@given(st.lists(st.fractions(), min_size=1, max_size=5))
def test_the_common_denominator_is_the_least_one(values):
    numerators, denominator = over_common_denominator(values)
    assert [Fraction(numerator, denominator) for numerator in numerators] == values
    assert gcd(denominator, *numerators) == 1
    assert cleared(values) == tuple(numerators)
    assert homogeneous(values) == (denominator, *numerators)


@given(st.lists(st.lists(st.fractions(), min_size=3, max_size=3), min_size=1, max_size=4))
def test_rows_have_one_denominator_together(rows):
    found, denominator = rows_over_common_denominator(rows)
    assert [[Fraction(x, denominator) for x in row] for row in found] == rows
    assert gcd(denominator, *(x for row in found for x in row)) == 1


@given(st.lists(st.integers(), min_size=1, max_size=5))
def test_a_primitive_row_is_the_smallest_integer_row_in_the_same_direction(row):
    assert primitive(row) == reference.primitive(row)
