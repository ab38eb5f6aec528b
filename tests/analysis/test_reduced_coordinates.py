"""Reduced coordinates x = Aᵀp tell the same story as the simplex itself."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import LossMatrix, trigger_sets
from lossmith.losses import CATALOGUE, hamming, ordinal
from strategies import distributions, examples, generic_rows, loss_rows, low_rank_rows, mixtures

SMALL_MEMBERS = [family(**parameters) for family in CATALOGUE for parameters in family.small]

many_shapes = low_rank_rows(max_n=5) | generic_rows(max_n=3)


def image(coordinates, p):
    """Aᵀp."""
    return tuple(reference.dot(p, column) for column in zip(*coordinates))


def both(loss):
    direct, reduced = trigger_sets(loss, reduced=False), trigger_sets(loss, reduced=True)
    assert [cell.prediction for cell in reduced] == [cell.prediction for cell in direct]
    return list(zip(direct, reduced))


@examples(8)
@given(many_shapes)
def test_the_same_predictions_are_kept(rows):
    loss = LossMatrix(rows)
    kept = [cell.prediction for cell in trigger_sets(loss, reduced=True)]
    assert kept == [cell.prediction for cell in trigger_sets(loss, reduced=False)]
    assert tuple(kept) == reference.kept_predictions(rows)


@examples(8)
@given(many_shapes)
def test_the_same_cells_are_neighbours(rows):
    assert all(direct.neighbours == reduced.neighbours for direct, reduced in both(LossMatrix(rows)))


@examples(8)
@given(many_shapes, st.data())
def test_the_same_distributions_are_contained(rows, data):
    corners = sorted({p for t in range(len(rows[0])) for p in reference.cell_vertices(rows, t)})
    p = data.draw(distributions(len(rows)) | mixtures(corners))
    for direct, reduced in both(LossMatrix(rows)):
        optimal = direct.prediction in reference.argmin(rows, p)
        assert direct.polytope.contains(p) == reduced.polytope.contains(p) == optimal


@examples(8)
@given(many_shapes)
def test_the_vertices_are_exactly_those_of_the_image_of_the_cell(rows):
    for direct, reduced in both(LossMatrix(rows)):
        images = [image(reduced.coordinates, p) for p in direct.polytope.vertices]
        assert reduced.polytope.vertices == reference.extreme_points(images)


@examples(8)
@given(many_shapes)
def test_the_inequalities_are_the_facets_of_the_image_of_the_cell(rows):
    for _, reduced in both(LossMatrix(rows)):
        polytope = reduced.polytope
        dimension = len(reduced.coordinates[0])
        for row in polytope.inequalities:
            values = {x: row[0] + reference.dot(row[1:], x) for x in polytope.vertices}
            assert min(values.values()) == 0
            tight = [x for x, value in values.items() if value == 0]
            assert reference.affine_dimension(tight) == dimension - 1
        # They bound nothing more: every vertex of what they cut out is a vertex of the image.
        if dimension:
            assert reference.program_vertices(polytope.inequalities) == set(polytope.vertices)


@examples(8)
@given(many_shapes)
def test_the_number_of_coordinates_is_the_rank_of_the_differences_beyond_the_constant_vector(rows):
    columns = list(zip(*rows))
    differences = [[a - b for a, b in zip(column, columns[0])] for column in columns]
    dimension = reference.rank([*differences, [1] * len(rows)]) - 1
    for cell in trigger_sets(LossMatrix(rows), reduced=True):
        assert {len(row) for row in cell.coordinates} == {dimension}
        assert len(cell.coordinates) == len(rows)
        assert cell.polytope.dim == dimension


@examples(8)
@given(many_shapes)
def test_the_coordinates_determine_all_differences_of_risks(rows):
    # ℓ_t − ℓ_s, as a function of the label y, is affine in the row a_y.
    coordinates = trigger_sets(LossMatrix(rows), reduced=True)[0].coordinates
    columns = list(zip(*rows))
    spanning = [[1] * len(rows), *zip(*coordinates)]
    differences = [[a - b for a, b in zip(column, columns[0])] for column in columns]
    assert reference.rank([*spanning, *differences]) == reference.rank(spanning) == len(spanning)


@pytest.mark.parametrize("loss", SMALL_MEMBERS, ids=lambda loss: loss.name)
def test_the_small_members_of_every_family_look_the_same_in_reduced_coordinates(loss):
    for direct, reduced in both(loss):
        images = {image(reduced.coordinates, p) for p in direct.polytope.vertices}
        assert set(reduced.polytope.vertices) <= images
        assert all(reduced.polytope.contains(p) for p in direct.polytope.vertices)
        assert direct.neighbours == reduced.neighbours


def test_predictions_that_differ_by_constants_need_no_coordinates():
    (cell,) = trigger_sets(LossMatrix([[1, 0, 2], [3, 2, 4]]), reduced=True)
    assert cell.prediction == 1
    assert cell.coordinates == ((), ())
    assert cell.polytope.vertices == ((),)
    assert cell.polytope.dim == 0
    assert cell.polytope.contains(["1/3", "2/3"])
    assert cell.neighbours == ()


def test_direct_cells_have_no_coordinates():
    assert trigger_sets(ordinal(4), reduced=False)[0].coordinates is None


def test_few_labels_are_handled_in_the_simplex_and_many_labels_of_low_rank_in_reduced_coordinates():
    assert trigger_sets(hamming(4))[0].coordinates is None
    assert len(trigger_sets(hamming(5))[0].coordinates[0]) == 5
    assert trigger_sets(ordinal(20))[0].coordinates is None


@pytest.mark.parametrize("r", [5, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_hamming_loss_on_r_bits_has_three_to_the_r_vertices_in_reduced_coordinates(r):
    cells = trigger_sets(hamming(r))
    assert len(cells) == 2**r
    assert {len(cell.coordinates[0]) for cell in cells} == {r}
    vertices = {ray for cell in cells for ray in cell.polytope.rays}
    assert len(vertices) == 3**r


def test_hamming_cells_are_the_orthants_of_the_marginals():
    # A string is optimal exactly if each bit is the likelier one: its neighbours differ in one bit.
    dice = random.Random(5)
    cells = trigger_sets(hamming(5))
    for cell in cells:
        assert cell.neighbours == tuple(sorted(cell.prediction ^ (1 << bit) for bit in range(5)))
        assert len(cell.polytope.vertices) == 2**5
        assert len(cell.polytope.inequalities) == 2 * 5
    for _ in range(20):
        p = reference.normalised([dice.randint(0, 9) for _ in range(32)])
        ones = [sum((p[y] for y in range(32) if y >> bit & 1), Fraction(0)) for bit in range(5)]
        for cell in cells:
            bits = [cell.prediction >> bit & 1 for bit in range(5)]
            likely = all(2 * one >= 1 if bit else 2 * one <= 1 for bit, one in zip(bits, ones))
            assert cell.polytope.contains(p) == likely


@pytest.mark.exhaustive
def test_eighty_labels_of_rank_five_have_cells_in_five_dimensions_that_contain_where_they_are_optimal():
    dice = random.Random(200)
    A = [[dice.randint(0, 9) for _ in range(5)] for _ in range(80)]
    B = [[dice.randint(0, 9) for _ in range(12)] for _ in range(5)]
    rows = tuple(tuple(Fraction(sum(a * b for a, b in zip(row, column))) for column in zip(*B)) for row in A)
    cells = trigger_sets(LossMatrix(rows))
    assert reference.rank(rows) == 5
    assert {(len(cell.coordinates[0]), cell.polytope.dim) for cell in cells} == {(5, 5)}
    seen = set()
    for support in [1, 1, 2, 2, 3, 5, 10, 80]:
        weights = [0] * 80
        for y in dice.sample(range(80), support):
            weights[y] = dice.randint(1, 9)
        p = reference.normalised(weights)
        optimal = [cell.prediction for cell in cells if cell.prediction in reference.argmin(rows, p)]
        assert optimal
        assert [cell.prediction for cell in cells if cell.polytope.contains(p)] == optimal
        seen.update(optimal)
    assert len(seen) > 1


@examples(8)
@given(loss_rows())
def test_the_choice_of_coordinates_is_visible_in_the_cells_and_changes_their_equality(rows):
    for direct, reduced in both(LossMatrix(rows)):
        assert direct.coordinates is None
        assert reduced.coordinates is not None
        assert direct != reduced
