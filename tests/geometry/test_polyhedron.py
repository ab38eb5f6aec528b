"""Polyhedra against intervals, vertices and small arrangements of lines, all made in plain fractions."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith.geometry.polyhedron import Polyhedron
from reference import dot
from strategies import examples, programs

HALVES = [Fraction(x, 2) for x in range(-8, 9)]
numbers = st.integers(-3, 3).map(Fraction) | st.sampled_from([Fraction(1, 2), Fraction(-2, 3)])


def rows_of(dim: int, most: int):
    return st.lists(st.tuples(*[numbers] * (dim + 1)), max_size=most).map(tuple)


def polyhedra(dim: int, most_inequalities: int = 4, most_equations: int = 1):
    return st.builds(Polyhedron, st.just(dim), rows_of(dim, most_inequalities), rows_of(dim, most_equations))


def fractions(rows):
    return tuple(tuple(map(Fraction, row)) for row in rows)


def at(row, x) -> Fraction:
    return row[0] + dot(row[1:], x)


def satisfies(polyhedron: Polyhedron, x) -> bool:
    return all(at(row, x) >= 0 for row in polyhedron.inequalities) and all(
        at(row, x) == 0 for row in polyhedron.equations
    )


def ends(polyhedron: Polyhedron) -> tuple[Fraction, Fraction] | None:
    """A polyhedron on the line as its two ends, ±1000 for none; None if it is empty."""
    least, most = Fraction(-1000), Fraction(1000)
    both = [(-b, -a) for b, a in polyhedron.equations]
    for b, a in [*polyhedron.inequalities, *polyhedron.equations, *both]:
        if a > 0:
            least = max(least, -b / a)
        elif a < 0:
            most = min(most, -b / a)
        elif b < 0:
            return None
    return (least, most) if least <= most else None


def interval(least: Fraction | None, most: Fraction | None) -> Polyhedron:
    above = [] if least is None else [(-least, Fraction(1))]
    return Polyhedron(1, (*above, *([] if most is None else [(most, Fraction(-1))])))


# On the line.


@examples(50)
@given(polyhedra(1))
def test_on_the_line_a_polyhedron_is_an_interval(some):
    known = ends(some)
    assert some.empty == (known is None)
    if known is None:
        assert some.inner_point is None
        assert some.size == -1
        return
    least, most = known
    assert some.size == int(least < most)
    (x,) = some.inner_point
    assert least < x < most if least < most else x == least
    for y in HALVES:
        assert some.contains([y]) == (least <= y <= most)


@examples(8)
@given(polyhedra(1), polyhedra(1))
def test_on_the_line_the_meet_is_the_overlap(first, second):
    a, b = ends(first), ends(second)
    least, most = (max(a[0], b[0]), min(a[1], b[1])) if a and b else (Fraction(1), Fraction(0))
    meet = first.meet(second)
    assert meet.empty == (least > most)
    assert meet.size == (-1 if least > most else int(least < most))


# In more dimensions.


@examples(33)
@given(programs())
def test_in_a_box_size_and_inner_point_are_those_of_the_vertices(program):
    _, inequalities, equations = program
    some = Polyhedron(len(inequalities[0]) - 1, fractions(inequalities), fractions(equations))
    vertices = reference.program_vertices(inequalities, equations)
    assert some.empty == (not vertices)
    assert some.size == reference.affine_dimension(sorted(vertices))
    if vertices:
        inner = some.inner_point
        assert satisfies(some, inner)
        for row in some.inequalities:  # a row that vanishes at an inner point vanishes at all vertices
            assert at(row, inner) > 0 or all(at(row, x) == 0 for x in vertices)


@examples(8)
@given(polyhedra(2))
def test_in_the_plane_points_of_a_grid_agree(some):
    inside = [x for x in product(HALVES[::2], repeat=2) if satisfies(some, x)]
    assert [x for x in product(HALVES[::2], repeat=2) if some.contains(x)] == inside
    assert some.size >= reference.affine_dimension(inside)
    assert not (some.empty and inside)
    if not some.empty:
        inner = some.inner_point
        assert satisfies(some, inner)
        vanishing = [row for row in some.inequalities if at(row, inner) == 0]
        assert all(at(row, x) == 0 for row in vanishing for x in inside)


@examples(8)
@given(polyhedra(2, 3), polyhedra(2, 3))
def test_in_the_plane_the_meet_holds_what_both_hold(first, second):
    meet = first.meet(second)
    for x in product(HALVES[::2], repeat=2):
        assert meet.contains(x) == (satisfies(first, x) and satisfies(second, x))
    assert meet.inequalities[: len(first.inequalities)] == first.inequalities
    assert meet.size <= min(first.size, second.size)


@pytest.mark.parametrize("dim", [1, 2, 5])
def test_without_rows_it_is_the_whole_space(dim):
    whole = Polyhedron(dim)
    assert whole.size == dim
    assert len(whole.inner_point) == dim
    assert whole.contains([Fraction(10**9)] * dim)


def test_rows_without_variables_hold_or_do_not():
    for constant, size in ((1, 2), (0, 2), (-1, -1)):
        assert Polyhedron(2, fractions([(constant, 0, 0)])).size == size
    for constant, size in ((0, 2), (1, -1), (-1, -1)):
        assert Polyhedron(2, (), fractions([(constant, 0, 0)])).size == size


def test_a_ray_a_line_and_a_wedge_have_their_sizes():
    assert Polyhedron(2, fractions([(0, 1, 0), (0, -1, 0), (0, 0, 1)])).size == 1  # x = 0, y ≥ 0
    assert Polyhedron(2, (), fractions([(0, 1, 1)])).size == 1
    assert Polyhedron(2, fractions([(0, 1, -1), (0, 1, 1)])).size == 2
    assert Polyhedron(2, fractions([(0, 1, 1), (0, -1, 0), (0, 0, -1)])).size == 0  # x, y ≤ 0 ≤ x + y
    assert Polyhedron(3, fractions([(0, 1, 0, 0)]), fractions([(0, 1, 1, 1)])).size == 2


def test_polyhedra_compare_by_value_and_pickle():
    some = interval(Fraction(0), Fraction(1))
    assert some == interval(Fraction(0), Fraction(1))
    assert some.size == 1  # known by now, and no part of the value
    assert some == pickle.loads(pickle.dumps(some)) == interval(Fraction(0), Fraction(1))
    assert len({some, interval(Fraction(0), Fraction(1)), interval(Fraction(0), None)}) == 2
