"""Trees which prove that polyhedra cover another, followed step by step; and the points that are left."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reference
from lossmith.errors import TooLarge
from lossmith.geometry import covering as module
from lossmith.geometry.covering import Branch, Covering, Gap, Leaf, Thin, covering
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import abstain, zero_one
from lossmith.surrogates import binary_encoded, crammer_singer, preds
from reference import dot
from strategies import examples

numbers = st.integers(-3, 3).map(Fraction) | st.sampled_from([Fraction(1, 2), Fraction(-2, 3)])


def fractions(rows):
    return tuple(tuple(map(Fraction, row)) for row in rows)


def at(row, x) -> Fraction:
    return row[0] + dot(row[1:], x)


def satisfies(polyhedron: Polyhedron, x) -> bool:
    return all(at(row, x) >= 0 for row in polyhedron.inequalities) and all(
        at(row, x) == 0 for row in polyhedron.equations
    )


def ends(polyhedron: Polyhedron) -> tuple[Fraction, Fraction] | None:
    """An interval of the line without equations as its two ends, ±1000 for none; None if it is empty."""
    least = max([Fraction(-1000), *(-b / a for b, a in polyhedron.inequalities if a > 0)])
    most = min([Fraction(1000), *(-b / a for b, a in polyhedron.inequalities if a < 0)])
    return (least, most) if least <= most else None


def interval(least: Fraction | None, most: Fraction | None) -> Polyhedron:
    above = [] if least is None else [(-least, Fraction(1))]
    return Polyhedron(1, (*above, *([] if most is None else [(most, Fraction(-1))])))


def combined(combination, path, whole) -> list[Fraction]:
    """The sum of the rows with their multipliers, which have the signs that they need."""
    rows = [(w, path[i]) for i, w in combination.path]
    rows += [(w, whole.inequalities[i]) for i, w in combination.inequalities]
    assert all(w > 0 for w, _ in rows)
    rows += [(w, whole.equations[i]) for i, w in combination.equations]
    return [sum((w * row[c] for w, row in rows), Fraction(0)) for c in range(whole.dim + 1)]


def assert_holds(node, path, whole, parts, point) -> None:
    """Follow the tree: what its leaves claim is true, and the point has no ties."""
    if isinstance(node, Branch):
        assert len(node.by) == len(node.parts) >= 2
        assert len({at(f, point) for f in node.by}) == len(node.by)
        for i, (f, part) in enumerate(zip(node.by, node.parts)):
            ahead = [tuple(a - b for a, b in zip(f, g)) for j, g in enumerate(node.by) if j != i]
            assert_holds(part, [*path, *ahead], whole, parts, point)
    elif isinstance(node, Thin):
        constant, *gradient = combined(node.combination, path, whole)
        assert node.combination.path
        assert constant <= 0
        assert not any(gradient)
    else:
        assert isinstance(node, Leaf)
        part = parts[node.part]
        rows = [*part.inequalities, *part.equations, *(tuple(-x for x in row) for row in part.equations)]
        for row, combination in zip(rows, node.rows, strict=True):
            constant, *gradient = combined(combination, path, whole)
            assert constant <= row[0]
            assert tuple(gradient) == tuple(row[1:])


def left_by(whole, parts):
    """The point that is left, or None after following the tree which proves that there is none."""
    found = covering(whole, parts)
    if isinstance(found, Gap):
        return found.point
    assert isinstance(found, Covering)
    assert satisfies(whole, found.point)
    assert_holds(found.tree, [], whole, parts, found.point)
    return None


bounds = st.none() | st.integers(-3, 3).map(Fraction)


def line_candidates(pieces):
    """Every end, a point between each two that follow each other, and points beyond the last ones."""
    cuts = sorted({x for piece in pieces for x in (ends(piece) or ())} | {Fraction(-1000), Fraction(1000)})
    return [*cuts, *((a + b) / 2 for a, b in pairwise(cuts))]


@examples(15)
@given(st.builds(interval, bounds, bounds), st.lists(st.builds(interval, bounds, bounds), max_size=4))
def test_on_the_line_a_point_is_left_exactly_where_no_interval_lies(whole, parts):
    assume(ends(whole) is not None)
    left = [
        x
        for x in line_candidates([whole, *parts])
        if satisfies(whole, [x]) and not any(satisfies(part, [x]) for part in parts)
    ]
    found = left_by(whole, parts)
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


@examples(8)
@given(
    st.lists(
        st.builds(Polyhedron, st.just(2), st.lists(st.tuples(*[numbers] * 3), min_size=1, max_size=2).map(tuple)),
        max_size=3,
    )
)
def test_in_a_box_a_point_is_left_exactly_where_a_polygon_is(parts):
    whole = Polyhedron(2, BOX)
    found = left_by(whole, parts)
    assert (found is not None) == uncovered_in_the_box(parts)
    if found is not None:
        assert satisfies(whole, found)
        assert not any(satisfies(part, found) for part in parts)


@examples(4)
@given(st.lists(st.tuples(*[numbers] * 3).filter(lambda row: any(row[1:])), min_size=1, max_size=3, unique=True))
def test_the_sectors_of_some_lines_cover_and_all_but_one_do_not(lines):
    signs = product((1, -1), repeat=len(lines))
    sectors = [
        Polyhedron(2, tuple(tuple(sign * x for x in row) for sign, row in zip(choice, lines))) for choice in signs
    ]
    sectors = [sector for sector in sectors if sector.size == 2]
    assert left_by(Polyhedron(2), sectors) is None
    assert left_by(Polyhedron(2), sectors[::-1]) is None
    first, *others = dict.fromkeys(sectors)
    inside = left_by(Polyhedron(2), [other for other in others if first.meet(other).size < 2])
    assert all(at(row, inside) > 0 for row in first.inequalities)


def test_a_part_with_equations_covers_a_whole_in_the_same_plane():
    plane = fractions([(0, 1, 1)])
    line = Polyhedron(2, (), plane)
    left, right = Polyhedron(2, fractions([(0, -1, 0)]), plane), Polyhedron(2, fractions([(0, 1, 0)]))
    assert left_by(line, [left, right]) is None
    found = left_by(line, [left])
    assert satisfies(line, found)
    assert found[0] > 0


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
    found = left_by(whole, [part])
    assert satisfies(whole, found)
    assert not satisfies(part, found)


def test_too_many_parts_are_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(module, "MOST_NODES", 3)
    marks = [None, *map(Fraction, range(6)), None]
    parts = [interval(least, most) for least, most in pairwise(marks)]
    with pytest.raises(TooLarge) as caught:
        left_by(Polyhedron(1), parts)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("surrogate", "loss", "name", "leaves"),
    [
        (crammer_singer(6), zero_one(6), "argmax", 6),
        (crammer_singer(5), abstain(5), "argmax-gap:tau=1/2", 2 * 5 * 4),
        (crammer_singer(5), abstain(5), "argmax-threshold:tau=0", 2 * 5),
        (binary_encoded(5), abstain(5), "sign-code:tau=1/2", 3**3),
    ],
)
def test_the_trees_of_named_preds_are_small(surrogate, loss, name, leaves):
    # At most as many leaves as a person needs who asks for the top, the runner-up and the threshold.
    pieces = [piece for region in preds.rule_named(name)(surrogate, loss).regions for piece in region]
    found = covering(Polyhedron(surrogate.dim), pieces)
    assert_holds(found.tree, [], Polyhedron(surrogate.dim), pieces, found.point)
    assert count(found.tree, Leaf) <= leaves


def count(node, kind) -> int:
    return isinstance(node, kind) + (sum(count(part, kind) for part in node.parts) if isinstance(node, Branch) else 0)
