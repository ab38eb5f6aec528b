"""Exact linear programs: against every vertex, by both engines, and whatever the floating-point guess may be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reference
from lossmith.geometry import exact_simplex, float_lp, linear_program
from lossmith.geometry.float_lp import Guess
from lossmith.geometry.linear_program import Optimum, Unbounded, maximize
from strategies import programs

UNIT_SQUARE = [(0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1)]

# Three rows meet in (1, 1); rows repeat; the objective is constant along an edge; only one point is feasible.
DEGENERATE = [
    ([1, 1], [*UNIT_SQUARE, (2, -1, -1)], []),
    ([1, 1], [*UNIT_SQUARE, *UNIT_SQUARE], []),
    ([1, 0], UNIT_SQUARE, []),
    ([0, 0], UNIT_SQUARE, []),
    ([3, -2], [*UNIT_SQUARE, (0, -1, -1)], []),
    ([1, 1], UNIT_SQUARE, [(-1, 1, 1), (-1, 1, 1), (-2, 2, 2)]),
    ([1, 2], [*UNIT_SQUARE, (0, 0, 0)], [(0, 0, 0)]),
]

INFEASIBLE = [
    ([1], [(0, 1), (-1, -1)], []),
    ([1, 1], [*UNIT_SQUARE, (-3, 1, 1)], []),
    ([1, 1], UNIT_SQUARE, [(-3, 1, 1)]),
    ([1, 1], UNIT_SQUARE, [(-1, 1, 1), (-2, 1, 1)]),
    ([1, 1], [*UNIT_SQUARE, (-1, 0, 0)], []),
    ([1, 1], UNIT_SQUARE, [(1, 0, 0)]),
]


@pytest.fixture(params=["by the simplex method", "by guess and proof"])
def engine(request, monkeypatch):
    """Force one engine, whatever the size of the program."""
    monkeypatch.setattr(linear_program, "SMALL", 10**9 if request.param == "by the simplex method" else 0)


def assert_is_the_optimum(program, found: Optimum | None) -> None:
    objective, inequalities, equations = program
    best = reference.program_maximum(objective, inequalities, equations)
    if best is None:
        assert found is None
        return
    assert found is not None
    assert found.value == best == reference.dot(objective, found.point)
    assert all(row[0] + reference.dot(row[1:], found.point) >= 0 for row in inequalities)
    assert all(row[0] + reference.dot(row[1:], found.point) == 0 for row in equations)


@given(programs())
def test_the_maximum_is_the_best_of_all_vertices(program):
    assert_is_the_optimum(program, maximize(*program))


@given(programs())
def test_the_maximum_by_guess_and_proof_is_the_best_of_all_vertices(program):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "SMALL", 0)
        assert_is_the_optimum(program, maximize(*program))


@given(programs(max_size=6, max_rows=8))
def test_guess_and_proof_and_simplex_find_the_same_value(program):
    by_simplex = exact_simplex.maximize(*program)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "SMALL", 0)
        by_guess = maximize(*program)
    assert (by_simplex is None) == (by_guess is None)
    assert by_simplex is None or by_guess.value == by_simplex.value


@given(programs(), st.data())
def test_no_guess_however_wrong_leads_to_a_wrong_optimum(program, data):
    objective, inequalities, equations = program
    count = len(inequalities) + len(equations)
    size = data.draw(st.sampled_from([len(objective), len(objective), len(objective) + 1]))
    active = data.draw(st.lists(st.integers(0, count - 1), min_size=size, max_size=size))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "SMALL", 0)
        patch.setattr(float_lp, "guess_maximum", lambda *_: Guess((0.5,) * len(objective), tuple(active)))
        assert_is_the_optimum(program, maximize(*program))


@given(programs())
def test_a_proved_guess_is_the_optimum_without_the_help_of_the_simplex(program):
    proved = linear_program.guessed_and_proved(*program)
    if proved is not None:
        assert_is_the_optimum(program, proved)
    else:
        assert_is_the_optimum(program, exact_simplex.maximize(*program))


@pytest.mark.parametrize("equation", [(-1, 1), (1, -1)])
@pytest.mark.parametrize("objective", [[1], [-1]])
def test_a_proof_may_use_an_equation_in_either_direction(objective, equation):
    assert linear_program.guessed_and_proved(objective, [(0, 1), (2, -1)], [equation]) == Optimum(objective[0], (1,))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("program", DEGENERATE, ids=range(len(DEGENERATE)))
def test_degenerate_programs_have_the_right_optimum(program):
    assert reference.program_maximum(*program) is not None
    assert_is_the_optimum(program, maximize(*program))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("program", INFEASIBLE, ids=range(len(INFEASIBLE)))
def test_programs_that_nothing_satisfies_give_none(program):
    assert reference.program_maximum(*program) is None
    assert maximize(*program) is None


@pytest.mark.usefixtures("engine")
def test_the_optimum_of_a_program_solved_by_hand():
    # The most of x + y under 2x + y ≤ 4 and x + 2y ≤ 4 is where both are tight.
    found = maximize([1, 1], [(4, -2, -1), (4, -1, -2), (0, 1, 0), (0, 0, 1)])
    assert found == Optimum(Fraction(8, 3), (Fraction(4, 3), Fraction(4, 3)))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("size", [10**20, 10**60, 10**400])
def test_numbers_beyond_the_range_of_floats_are_handled_exactly(size):
    # x ≤ 1 + 1/size and x ≤ 1 are one bound for floats.
    assert maximize([1], [(size + 1, -size), (0, 1)]).value == 1 + Fraction(1, size)
    assert maximize([1], [(size + 1, -size), (1, -1), (0, 1)]).value == 1
    assert maximize([1], [(-size - 1, size), (1, -1), (0, 1)]) is None


@pytest.mark.usefixtures("engine")
def test_negative_coordinates_are_allowed():
    assert maximize([-1], [(5, 1), (5, -1)]) == Optimum(Fraction(5), (Fraction(-5),))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "program",
    [
        ([1], [(0, 1)], []),
        ([1, 1], [(0, 1, 0), (0, 0, 1), (1, -1, 0)], []),
        ([1, 0], [(0, 0, 1), (1, 0, -1)], []),
        ([1, -1], [(0, 1, 0), (0, 0, -1)], [(0, 1, 1)]),
    ],
    ids=range(4),
)
def test_a_program_without_a_largest_value_is_called_unbounded(program):
    with pytest.raises(Unbounded):
        maximize(*program)


@pytest.mark.usefixtures("engine")
def test_a_bounded_objective_on_an_unbounded_set_has_its_maximum():
    assert maximize([-1, 0], [(-2, 1, 0), (0, 0, 1)]).value == -2


@given(st.integers(16, 24), st.data())
def test_a_program_above_the_size_of_the_simplex_is_solved_exactly(size, data):
    # The most of c·x over the simplex is the largest c.
    objective = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    positive = [(0, *(int(i == j) for j in range(size))) for i in range(size)]
    assert size > linear_program.SMALL
    found = maximize(objective, positive, [(-1, *[1] * size)])
    assert found.value == max(objective)
    assert sum(found.point) == 1
    assert min(found.point) >= 0


@given(programs())
@example(([1], [(0, 1), (1, -1)], []))
def test_the_guess_of_a_feasible_program_is_near_its_maximum(program):
    objective, inequalities, equations = program
    best = reference.program_maximum(objective, inequalities, equations)
    guess = float_lp.guess_maximum(objective, inequalities, equations)
    if best is None:
        assert guess is None
    else:
        assert sum(c * x for c, x in zip(objective, guess.point)) == pytest.approx(float(best), abs=1e-5)
