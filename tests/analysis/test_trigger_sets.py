"""Trigger sets against the definition, carried out by brute force on small matrices."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import LossMatrix, trigger_sets
from lossmith.losses import CATALOGUE
from strategies import distributions, examples, loss_rows, mixtures

SMALL_MEMBERS = [family(**parameters) for family in CATALOGUE for parameters in family.small]
MEMBERS = [
    pytest.param(loss, marks=[pytest.mark.exhaustive] if loss.n > 5 else [], id=loss.name) for loss in SMALL_MEMBERS
]


def cells_by_prediction(rows, **options):
    return {cell.prediction: cell for cell in trigger_sets(LossMatrix(rows), **options)}


# Agreement with the reference.


@examples(8)
@given(loss_rows())
def test_the_kept_predictions_are_those_that_are_not_redundant(rows):
    kept = tuple(cell.prediction for cell in trigger_sets(LossMatrix(rows)))
    assert kept == reference.kept_predictions(rows)


@examples(8)
@given(loss_rows())
def test_vertices_are_the_feasible_points_that_tight_constraints_determine(rows):
    for t, cell in cells_by_prediction(rows).items():
        assert cell.polytope.vertices == reference.cell_vertices(rows, t)


@examples(8)
@given(loss_rows(max_n=5, max_k=4))
def test_vertices_are_right_with_five_labels(rows):
    for t, cell in cells_by_prediction(rows).items():
        assert cell.polytope.vertices == reference.cell_vertices(rows, t)


@examples(8)
@given(loss_rows())
def test_inequalities_are_the_rows_tight_on_enough_independent_vertices(rows):
    for t, cell in cells_by_prediction(rows).items():
        assert cell.polytope.inequalities == reference.facets(rows, t)


@examples(8)
@given(loss_rows())
def test_every_kept_cell_has_full_dimension(rows):
    for t, cell in cells_by_prediction(rows).items():
        assert cell.polytope.dim == reference.affine_dimension(reference.cell_vertices(rows, t)) == len(rows) - 1


@examples(8)
@given(loss_rows())
def test_neighbours_are_the_kept_cells_that_share_enough_independent_vertices(rows):
    cells = cells_by_prediction(rows)
    for t, cell in cells.items():
        assert cell.neighbours == tuple(s for s in cells if s != t and reference.are_neighbours(rows, t, s))


@examples(8)
@given(loss_rows())
def test_neighbourhood_is_mutual(rows):
    cells = cells_by_prediction(rows)
    assert all(t in cells[s].neighbours for t, cell in cells.items() for s in cell.neighbours)


@examples(8)
@given(loss_rows())
def test_every_inequality_is_a_side_of_the_simplex_or_the_boundary_with_one_neighbour(rows):
    columns = list(zip(*rows))
    for t, cell in cells_by_prediction(rows).items():
        sides = {tuple(int(y == z) for z in range(len(rows))) for y in range(len(rows))}
        borders = {s: reference.primitive([a - b for a, b in zip(columns[s], columns[t])]) for s in cell.neighbours}
        assert len(set(borders.values())) == len(borders)
        assert set(cell.polytope.inequalities) - sides == set(borders.values())


@pytest.mark.parametrize("loss", MEMBERS)
def test_the_small_members_of_every_family_have_the_cells_of_the_definition(loss):
    cells = {cell.prediction: cell for cell in trigger_sets(loss, reduced=False)}
    assert tuple(cells) == reference.kept_predictions(loss.entries)
    for t, cell in cells.items():
        assert cell.polytope.vertices == reference.cell_vertices(loss.entries, t)
        assert cell.polytope.inequalities == reference.facets(loss.entries, t)


# The cells and the argmin.


@examples(8)
@given(loss_rows(), st.data())
def test_a_cell_contains_exactly_the_distributions_at_which_its_prediction_is_optimal(rows, data):
    p = data.draw(distributions(len(rows)))
    optimal = reference.argmin(rows, p)
    cells = cells_by_prediction(rows)
    assert [t for t, cell in cells.items() if cell.polytope.contains(p)] == [t for t in optimal if t in cells]


@examples(8)
@given(loss_rows(), st.data())
def test_on_shared_boundaries_too_a_cell_contains_exactly_where_its_prediction_is_optimal(rows, data):
    # Mixtures of vertices lie on faces of the cells far more often than random points do.
    corners = sorted({p for t in range(len(rows[0])) for p in reference.cell_vertices(rows, t)})
    p = data.draw(mixtures(corners))
    optimal = reference.argmin(rows, p)
    cells = cells_by_prediction(rows)
    assert [t for t, cell in cells.items() if cell.polytope.contains(p)] == [t for t in optimal if t in cells]


@examples(8)
@given(loss_rows(), st.data())
def test_the_kept_cells_cover_the_simplex(rows, data):
    p = data.draw(distributions(len(rows)))
    assert any(cell.polytope.contains(p) for cell in trigger_sets(LossMatrix(rows)))


@examples(8)
@given(loss_rows(), st.data())
def test_optimal_predictions_are_the_argmin(rows, data):
    p = data.draw(distributions(len(rows)))
    loss = LossMatrix(rows)
    assert loss.optimal_predictions(p) == reference.argmin(rows, p)
    assert list(loss.risk(p)) == reference.risks(rows, p)
    assert loss.bayes_risk(p) == min(reference.risks(rows, p))


@examples(8)
@given(loss_rows())
def test_at_a_vertex_the_optimal_kept_predictions_are_the_cells_that_own_it(rows):
    loss, cells = LossMatrix(rows), cells_by_prediction(rows)
    for p in {p for cell in cells.values() for p in cell.polytope.vertices}:
        owners = [t for t, cell in cells.items() if p in cell.polytope.vertices]
        assert owners == [t for t in loss.optimal_predictions(p) if t in cells]


@examples(8)
@given(loss_rows())
def test_inside_a_cell_no_other_kept_prediction_is_optimal(rows):
    for t, cell in cells_by_prediction(rows).items():
        vertices = cell.polytope.vertices
        centre = [sum(column) / len(vertices) for column in zip(*vertices)]
        optimal = reference.argmin(rows, centre)
        columns = list(zip(*rows))
        assert t == optimal[0]
        assert {columns[s] for s in optimal} == {columns[t]}


@examples(8)
@given(loss_rows())
def test_the_bayes_risk_is_linear_on_each_cell(rows):
    loss = LossMatrix(rows)
    for cell in trigger_sets(loss):
        for p, q in combinations(cell.polytope.vertices, 2):
            middle = [(a + b) / 2 for a, b in zip(p, q)]
            assert loss.bayes_risk(middle) == (loss.bayes_risk(p) + loss.bayes_risk(q)) / 2


# Cases that a hand can check.


def test_one_prediction_is_optimal_everywhere():
    (cell,) = trigger_sets(LossMatrix([[3], [1], ["1/2"]]))
    assert cell.prediction == 0
    assert cell.polytope.vertices == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert cell.polytope.inequalities == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert cell.neighbours == ()


def test_a_matrix_of_zeros_keeps_its_first_prediction():
    (cell,) = trigger_sets(LossMatrix([[0, 0, 0], [0, 0, 0]]))
    assert cell.prediction == 0
    assert cell.polytope.vertices == ((0, 1), (1, 0))


def test_a_prediction_optimal_only_on_a_wall_between_two_others_is_left_out():
    cells = trigger_sets(LossMatrix([[0, 1, 2], [2, 1, 0]]))
    assert [cell.prediction for cell in cells] == [0, 2]
    assert [cell.neighbours for cell in cells] == [(2,), (0,)]


def test_a_prediction_optimal_at_one_corner_only_is_left_out():
    # Prediction 1 ties with 0 where label 0 is certain, and loses elsewhere.
    assert [cell.prediction for cell in trigger_sets(LossMatrix([[0, 0], [0, 1]]))] == [0]


def test_cells_that_touch_in_less_than_a_facet_are_no_neighbours():
    # Hamming loss on two bits: opposite strings are both optimal only where each bit is as likely 0 as 1, a segment.
    rows = ((0, 1, 1, 2), (1, 0, 2, 1), (1, 2, 0, 1), (2, 1, 1, 0))
    assert {t: cell.neighbours for t, cell in cells_by_prediction(rows).items()} == {
        0: (1, 2),
        1: (0, 3),
        2: (0, 3),
        3: (1, 2),
    }


def test_the_triage_example_has_the_thresholds_computed_by_hand():
    # wait costs 0 or 5, treat costs 1 or 0: treating pays from P(ill) = 1/6 on.
    wait, treat = trigger_sets(LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"]))
    assert wait.polytope.vertices == ((Fraction(5, 6), Fraction(1, 6)), (1, 0))
    assert treat.polytope.vertices == ((0, 1), (Fraction(5, 6), Fraction(1, 6)))
    assert wait.polytope.inequalities == ((0, 1), (1, -5))
    assert treat.polytope.inequalities == ((-1, 5), (1, 0))


def test_entries_far_apart_in_size_are_no_trouble():
    tiny = Fraction(1, 10**50)
    wait, treat = trigger_sets(LossMatrix([[0, tiny], [10**50, 0]]))
    threshold = tiny / (tiny + 10**50)
    assert wait.polytope.vertices == ((1 - threshold, threshold), (1, 0))
    assert treat.polytope.vertices == ((0, 1), (1 - threshold, threshold))
