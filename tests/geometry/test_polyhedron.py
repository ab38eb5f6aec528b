"""Polyhedra against intervals, vertices and small arrangements of lines, all made in plain fractions."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from lossmith.errors import TooLarge
from lossmith.geometry import polyhedron
from lossmith.geometry.polyhedron import Polyhedron, uncovered
from reference import dot
from strategies import programs

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


@settings(max_examples=150)
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


@given(polyhedra(1), polyhedra(1))
def test_on_the_line_the_meet_is_the_overlap(first, second):
    a, b = ends(first), ends(second)
    least, most = (max(a[0], b[0]), min(a[1], b[1])) if a and b else (Fraction(1), Fraction(0))
    meet = first.meet(second)
    assert meet.empty == (least > most)
    assert meet.size == (-1 if least > most else int(least < most))


# In more dimensions.


@settings(max_examples=100)
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


# What parts leave.

bounds = st.none() | st.integers(-3, 3).map(Fraction)


def line_candidates(pieces):
    """Every end, a point between each two that follow each other, and points beyond the last ones."""
    cuts = sorted({x for piece in pieces for x in (ends(piece) or ())} | {Fraction(-1000), Fraction(1000)})
    return [*cuts, *((a + b) / 2 for a, b in pairwise(cuts))]


@settings(max_examples=200)
@given(st.builds(interval, bounds, bounds), st.lists(st.builds(interval, bounds, bounds), max_size=4))
def test_on_the_line_a_point_is_left_exactly_where_no_interval_lies(whole, parts):
    size = -1 if ends(whole) is None else int(ends(whole)[0] < ends(whole)[1])
    parts = [part for part in parts if part.meet(whole).size == size]
    left = [
        x
        for x in line_candidates([whole, *parts])
        if satisfies(whole, [x]) and not any(satisfies(part, [x]) for part in parts)
    ]
    found = uncovered(whole, parts)
    assert (found is None) == (not left)
    if found is not None:
        assert satisfies(whole, found)
        assert not any(satisfies(part, found) for part in parts)


BOX = fractions([(2, 1, 0), (2, -1, 0), (2, 0, 1), (2, 0, -1)])


def uncovered_in_the_box(parts) -> bool:
    """Whether some polygon between the lines of the parts, in the box, belongs to none of them.

    What closed parts leave of the box is open in it: a polygon, if anything. The mean of three of its corners lies in
    it, and its corners are crossings of the lines.
    """
    lines = sorted({row for part in parts for row in part.inequalities if any(row[1:])} | set(BOX))
    corners = set()
    for pair in combinations(lines, 2):
        x = reference.only_solution([row[1:] for row in pair], [-row[0] for row in pair])
        if x is not None and all(at(row, x) >= 0 for row in BOX):
            corners.add(x)
    for triple in combinations(sorted(corners), 3):
        if reference.affine_dimension(triple) == 2:
            middle = tuple(sum(xs) / 3 for xs in zip(*triple))
            if not any(satisfies(part, middle) for part in parts):
                return True
    return False


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(Polyhedron, st.just(2), st.lists(st.tuples(*[numbers] * 3), min_size=1, max_size=2).map(tuple)),
        max_size=3,
    )
)
def test_in_a_box_a_point_is_left_exactly_where_a_polygon_is(parts):
    whole = Polyhedron(2, BOX)
    parts = [part for part in parts if part.meet(whole).size == 2]
    found = uncovered(whole, parts)
    assert (found is not None) == uncovered_in_the_box(parts)
    if found is not None:
        assert satisfies(whole, found)
        assert not any(satisfies(part, found) for part in parts)


@given(st.lists(st.tuples(*[numbers] * 3).filter(lambda row: any(row[1:])), min_size=1, max_size=3, unique=True))
def test_the_sectors_of_some_lines_cover_and_all_but_one_do_not(lines):
    signs = product((1, -1), repeat=len(lines))
    sectors = [
        Polyhedron(2, tuple(tuple(sign * x for x in row) for sign, row in zip(choice, lines))) for choice in signs
    ]
    sectors = [sector for sector in sectors if sector.size == 2]
    assert uncovered(Polyhedron(2), sectors) is None
    assert uncovered(Polyhedron(2), sectors[::-1]) is None
    first, *others = dict.fromkeys(sectors)
    inside = uncovered(Polyhedron(2), [other for other in others if first.meet(other).size < 2])
    assert all(at(row, inside) > 0 for row in first.inequalities)


def test_a_part_with_equations_covers_a_whole_in_the_same_plane():
    plane = fractions([(0, 1, 1)])
    line = Polyhedron(2, (), plane)
    left, right = Polyhedron(2, fractions([(0, -1, 0)]), plane), Polyhedron(2, fractions([(0, 1, 0)]))
    assert uncovered(line, [left, right]) is None
    found = uncovered(line, [left])
    assert satisfies(line, found)
    assert found[0] > 0


def test_nothing_is_left_of_an_empty_whole():
    assert uncovered(interval(Fraction(1), Fraction(0)), []) is None
    assert uncovered(interval(Fraction(1), Fraction(0)), [Polyhedron(1)]) is None


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        (Polyhedron(1), Polyhedron(1, (), fractions([(0, 1)]))),
        (Polyhedron(2), Polyhedron(2, (), fractions([(0, 1, 0)]))),
        (Polyhedron(2, (), fractions([(0, 0, 1)])), Polyhedron(2, fractions([(0, 1, 1), (0, -1, 1)]))),
    ],
    ids=["a point", "a line", "a wedge that touches a line"],
)
def test_the_point_that_is_left_is_in_no_part_of_smaller_size_either(whole, part):
    found = uncovered(whole, [part])
    assert satisfies(whole, found)
    assert not satisfies(part, found)


def test_too_many_parts_are_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(polyhedron, "_MOST_PARTS", 3)
    parts = [interval(Fraction(i), Fraction(i + 1)) for i in range(6)]
    with pytest.raises(TooLarge, match="fewer") as caught:
        uncovered(Polyhedron(1), parts)
    assert len(str(caught.value).splitlines()) == 1
