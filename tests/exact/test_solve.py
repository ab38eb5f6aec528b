"""Linear equations: a combination is one, an annihilator annihilates, and exactly one of the two exists."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.exact.solve import (
    annihilator,
    combination,
    combinations,
    echelon,
    inverse,
    solve,
    solve_all,
    sparse_solution,
)
from reference import dot, eliminate, only_solution, rank
from strategies import rationals

NUMBERS = st.integers(-2, 2).map(Fraction) | rationals(-3, 3)


@st.composite
def systems(draw, max_length: int = 4, max_columns: int = 4):
    """Columns, some of them repeated or combined from others, and a target that is often in their span."""
    length = draw(st.integers(1, max_length))
    vectors = st.lists(NUMBERS, min_size=length, max_size=length)
    columns = draw(st.lists(vectors, min_size=1, max_size=max_columns))
    columns += [mixed(columns, draw(coefficients(columns))) for _ in range(draw(st.integers(0, 2)))]
    target = draw(vectors) if draw(st.booleans()) else mixed(columns, draw(coefficients(columns)))
    return draw(st.permutations(columns)), target


def coefficients(columns):
    return st.lists(NUMBERS, min_size=len(columns), max_size=len(columns))


def mixed(columns, x):
    return [dot(x, entries) for entries in zip(*columns)]


def in_span(columns, target) -> bool:
    return rank([*columns, target]) == rank(columns)


@given(systems())
def test_a_combination_adds_up_to_the_target_and_is_found_if_there_is_one(system):
    columns, target = system
    found = combination(columns, target)
    assert (found is not None) == in_span(columns, target)
    if found is not None:
        assert len(found) == len(columns)
        assert all(type(x) is Fraction for x in found)
        assert mixed(columns, found) == target


@given(systems())
def test_an_annihilator_vanishes_on_the_columns_but_not_on_the_target_and_is_found_if_there_is_one(system):
    columns, target = system
    found = annihilator(columns, target)
    assert (found is None) == in_span(columns, target)
    if found is not None:
        assert len(found) == len(target)
        assert all(type(x) is int for x in found)
        assert [dot(found, column) for column in columns] == [0] * len(columns)
        assert dot(found, target) != 0


@given(systems())
def test_a_target_is_combined_or_separated_and_never_both(system):
    assert (combination(*system) is None) != (annihilator(*system) is None)


@given(systems(), rationals(-3, 3).filter(bool))
def test_scaling_the_target_changes_neither_answer(system, factor):
    columns, target = system
    scaled = [factor * x for x in target]
    assert (combination(columns, scaled) is None) == (combination(columns, target) is None)
    assert (annihilator(columns, scaled) is None) == (annihilator(columns, target) is None)


def test_independent_columns_have_one_combination():
    # 2·(1, 0, 1) − 1/3·(0, 3, 3) = (2, −1, 1)
    columns = [[Fraction(1), Fraction(0), Fraction(1)], [Fraction(0), Fraction(3), Fraction(3)]]
    assert combination(columns, [Fraction(2), Fraction(-1), Fraction(1)]) == (2, Fraction(-1, 3))


def test_the_zero_vector_is_in_every_span():
    columns, zero = [[Fraction(1), Fraction(2)], [Fraction(0), Fraction(0)]], [Fraction(0), Fraction(0)]
    assert mixed(columns, combination(columns, zero)) == zero
    assert annihilator(columns, zero) is None


def test_columns_of_zeros_span_nothing_else():
    columns, target = [[Fraction(0), Fraction(0)]], [Fraction(0), Fraction(5)]
    assert combination(columns, target) is None
    assert annihilator(columns, target)[1] != 0


@pytest.mark.parametrize("size", [10**30, 10**-30], ids=["large", "small"])
def test_numbers_beyond_floats_stay_exact(size):
    unit = Fraction(size).limit_denominator(10**40)
    columns = [[unit, Fraction(1)], [Fraction(1), unit]]
    found = combination(columns, [Fraction(1), Fraction(1)])
    assert found == (1 / (unit + 1), 1 / (unit + 1))  # by symmetry x (u + 1) = 1
    assert annihilator([columns[0]], columns[1]) is not None


@given(systems(), st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.integers(1, 3))
def test_combinations_are_combinations_one_by_one(system, factors, unit):
    columns, target = system
    scale = lcm(*(x.denominator for x in target))
    targets = [[int(f * scale * x) for x in target] for f in factors]
    targets.append([int(y == 0) for y in range(len(target))])
    for found, target in zip(combinations(columns, targets, unit), targets, strict=True):
        wanted = [Fraction(x, unit) for x in target]
        assert (found is not None) == in_span(columns, wanted)
        if found is not None:
            assert all(type(x) is Fraction for x in found)
            assert mixed(columns, found) == wanted


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0, 0, 0, 1, -1, 2]), min_size=n + 1, max_size=n + 1), min_size=n, max_size=n
        )
    )
)
def test_a_sparse_square_system_has_the_solution_that_elimination_finds(table):
    rows, right = [row[:-1] for row in table], [row[-1] for row in table]
    expected = only_solution(rows, right)
    sparse = [{j: x for j, x in enumerate(row) if x} for row in rows]
    found = sparse_solution(sparse, right)
    assert (found is None) == (expected is None)
    assert found is None or tuple(found[j] for j in range(len(rows))) == expected


SQUARES = st.integers(1, 4).flatmap(
    lambda size: st.lists(st.lists(st.integers(-3, 3), min_size=size, max_size=size), min_size=size, max_size=size)
)


def times(rows, others):
    return [[dot(row, column) for column in zip(*others)] for row in rows]


@given(SQUARES, st.data())
def test_a_square_system_is_solved_unless_it_is_singular(rows, data):
    right = data.draw(st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows)))
    found = solve(rows, right)
    assert found == (None if rank(rows) < len(rows) else list(only_solution(rows, right)))
    if found is not None:
        numerators, denominator = solve_all(rows, [(x, -2 * x) for x in right])
        assert [(Fraction(x, denominator), Fraction(y, denominator)) for x, y in numerators] == [
            (x, -2 * x) for x in found
        ]


@given(SQUARES)
def test_a_square_times_its_inverse_is_a_multiple_of_the_unit_rows(rows):
    if rank(rows) == len(rows):
        numerators, denominator = inverse(rows)
        assert denominator > 0
        assert times(rows, numerators) == [[denominator * (i == j) for j in range(len(rows))] for i in range(len(rows))]


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=1)))
def test_the_echelon_form_is_that_of_elimination_by_hand(rows):
    numerators, denominator = echelon(rows)
    expected, _ = eliminate(rows)
    assert denominator > 0
    assert [[Fraction(x, denominator) for x in row] for row in numerators] == expected
