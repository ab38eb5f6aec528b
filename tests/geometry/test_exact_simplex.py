"""The dual simplex method on integers: against every vertex, against PPL's simplex, and on programs that degenerate."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import reference
from lossmith.geometry.exact_simplex import Unbounded, maximize
from strategies import programs

UNIT_SQUARE = [(0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1)]


@st.composite
def free_programs(draw):
    """Programs without a box: many are infeasible or unbounded, or leave a variable out."""
    size = draw(st.integers(1, 5))
    number = st.integers(-2, 2)
    row = st.tuples(*[number] * (size + 1))
    objective = draw(st.lists(number, min_size=size, max_size=size))
    return objective, draw(st.lists(row, max_size=7)), draw(st.lists(row, max_size=2))


def outcome(program) -> Fraction | str:
    """The maximum that we find, after a look at whether its point satisfies the program."""
    objective, inequalities, equations = program
    try:
        found = maximize(*program)
    except Unbounded:
        return "unbounded"
    if found is None:
        return "infeasible"
    assert found.value == reference.dot(objective, found.point)
    assert all(row[0] + reference.dot(row[1:], found.point) >= 0 for row in inequalities)
    assert all(row[0] + reference.dot(row[1:], found.point) == 0 for row in equations)
    return found.value


def test_the_oracle_leaves_the_rounding_of_floats_alone():
    one, little = float("1"), float("1e-30")
    assert one + little == one


@given(programs())
def test_the_maximum_is_the_best_of_all_vertices(program):
    best = reference.program_maximum(*program)
    assert outcome(program) == ("infeasible" if best is None else best)


@given(free_programs())
def test_free_programs_end_as_in_another_simplex(program):
    assert outcome(program) == oracle.maximum(*program)


@given(programs(max_size=8, max_rows=12))
def test_larger_programs_have_the_maximum_of_another_simplex(program):
    assert outcome(program) == oracle.maximum(*program)


@pytest.mark.parametrize("seed", range(6))
def test_programs_with_large_entries_have_the_maximum_of_another_simplex(seed):
    rng = random.Random(seed)
    size = rng.randrange(3, 7)
    rows = [[rng.randrange(-(10**12), 10**12) for _ in range(size + 1)] for _ in range(4 * size)]
    box = [(10**9, *(sign * int(i == j) for j in range(size))) for i in range(size) for sign in (1, -1)]
    program = [rng.randrange(-(10**20), 10**20) for _ in range(size)], [*rows, *box], []
    assert outcome(program) == oracle.maximum(*program)


def test_the_example_on_which_the_simplex_method_cycles_without_a_rule_ends():
    # Beale (1955), scaled to integers: max 3/4 x − 150 y + z/50 − 6 w, whose maximum is 1/20.
    rows = [
        (0, -25, 6000, 4, -900),
        (0, -50, 9000, 2, -300),
        (1, 0, 0, -1, 0),
        *[(0, *(int(i == j) for j in range(4))) for i in range(4)],
    ]
    assert outcome(([75, -15000, 2, -600], rows, [])) == Fraction(100, 20)


def test_the_longest_path_over_a_deformed_cube_ends_at_its_top():
    # Klee and Minty (1972): max Σ 2^(d−i) x_i under 2 Σ_{j<i} 2^(i−j) x_j + x_i ≤ 5^i has the maximum 5^d.
    d = 8
    rows = [(5**i, *(-(2 ** (i - j + 1)) if j < i else -int(j == i) for j in range(1, d + 1))) for i in range(1, d + 1)]
    positive = [(0, *(int(i == j) for j in range(d))) for i in range(d)]
    assert outcome(([2 ** (d - i) for i in range(1, d + 1)], rows + positive, [])) == 5**d


@given(st.integers(2, 9), st.integers(1, 40), st.randoms())
def test_many_rows_through_one_point_do_not_trap_the_method(size, count, rng):
    # All rows but the box vanish at 0, where the maximum of Σ x_j is, because −Σ x_j ≥ 0 is among them.
    rows = [(0, *(rng.randrange(-1, 2) for _ in range(size))) for _ in range(count)]
    box = [(1, *(sign * int(i == j) for j in range(size))) for i in range(size) for sign in (1, -1)]
    assert outcome(([1] * size, [*rows, (0, *[-1] * size), *box], [])) == 0


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (([1, 1], [*UNIT_SQUARE, (2, -1, -1)], []), 2),
        (([1, 1], [*UNIT_SQUARE, *UNIT_SQUARE], []), 2),
        (([0, 0], UNIT_SQUARE, []), 0),
        (([1, 1], UNIT_SQUARE, [(-1, 1, 1), (-1, 1, 1), (-2, 2, 2)]), 1),
        (([1, 2], [*UNIT_SQUARE, (0, 0, 0)], [(0, 0, 0)]), 3),
        (([1, 1], [*UNIT_SQUARE, (-1, 0, 0)], []), "infeasible"),
        (([1, 1], UNIT_SQUARE, [(1, 0, 0)]), "infeasible"),
        (([1, 1], UNIT_SQUARE, [(-1, 1, 1), (-2, 1, 1)]), "infeasible"),
        (([1, 0], [(0, 0, 1), (1, 0, -1)], []), "unbounded"),
        (([1, -1], [(0, 1, 0), (0, 0, -1)], [(0, 1, 1)]), "unbounded"),
        (([1, 0], [(0, 0, 1), (-1, 0, -1)], []), "infeasible"),  # without a bound on x, but empty
        (([0, -1], [(0, 0, 1)], []), 0),  # x is free and does not matter
        (([0, 0], [], []), 0),
        (([1], [], []), "unbounded"),
        (([0], [], [(-3, 2)]), 0),
        (([-1, 0], [(-7, 0, 1), (0, 1, -1)], []), -7),  # the bound of one variable is another
    ],
)
def test_programs_solved_by_hand(program, expected):
    assert outcome(program) == expected


@pytest.mark.parametrize("size", [10**20, 10**60, 10**400])
def test_numbers_beyond_the_range_of_floats_are_handled_exactly(size):
    # x ≤ 1 + 1/size and x ≤ 1 are one bound for floats.
    assert maximize([1], [(size + 1, -size), (0, 1)]).value == 1 + Fraction(1, size)
    assert maximize([1], [(size + 1, -size), (1, -1), (0, 1)]).value == 1
    assert maximize([1], [(-size - 1, size), (1, -1), (0, 1)]) is None
