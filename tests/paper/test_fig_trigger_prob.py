"""fig:trigger-prob and its calculation, app:calculations-trigger-prob, worked out by hand for three labels.

The paper's inequalities are homogenised with p₁ + p₂ + p₃ = 1: p₁ ≥ 1/2 says p₁ − p₂ − p₃ ≥ 0. Those of the simplex
that bound a cell belong to it; p₁ ≥ 1/2 implies p₁ ≥ 0, so there it does not appear.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

import reference
from lossmith import trigger_sets
from lossmith.losses import abstain, ordinal, zero_one
from strategies import distributions

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

CORNER_1, CORNER_2, CORNER_3 = (1, 0, 0), (0, 1, 0), (0, 0, 1)
MIDPOINT_12, MIDPOINT_13, MIDPOINT_23 = (HALF, HALF, 0), (HALF, 0, HALF), (0, HALF, HALF)
CENTRE = (THIRD, THIRD, THIRD)

P1_POSITIVE, P2_POSITIVE, P3_POSITIVE = (1, 0, 0), (0, 1, 0), (0, 0, 1)
P1_AT_LEAST_HALF, P2_AT_LEAST_HALF, P3_AT_LEAST_HALF = (1, -1, -1), (-1, 1, -1), (-1, -1, 1)
P1_AT_MOST_HALF, P2_AT_MOST_HALF, P3_AT_MOST_HALF = (-1, 1, 1), (1, -1, 1), (1, 1, -1)

# For each loss and prediction: the inequalities a·p ≥ 0, and the vertices.
CELLS = {
    # Q₁ = {p₁ ≥ max(p₂, p₃)}, and so on by symmetry.
    "(a) 0-1": (
        zero_one(3),
        [
            (
                {(1, -1, 0), (1, 0, -1), P2_POSITIVE, P3_POSITIVE},
                {CORNER_1, MIDPOINT_12, MIDPOINT_13, CENTRE},
            ),
            (
                {(-1, 1, 0), (0, 1, -1), P1_POSITIVE, P3_POSITIVE},
                {CORNER_2, MIDPOINT_12, MIDPOINT_23, CENTRE},
            ),
            (
                {(-1, 0, 1), (0, -1, 1), P1_POSITIVE, P2_POSITIVE},
                {CORNER_3, MIDPOINT_13, MIDPOINT_23, CENTRE},
            ),
        ],
    ),
    # Q₁ = {p₁ ≥ 1/2}, Q₂ = {p₁ ≤ 1/2, p₃ ≤ 1/2}, Q₃ = {p₃ ≥ 1/2}.
    "(b) ordinal": (
        ordinal(3),
        [
            (
                {P1_AT_LEAST_HALF, P2_POSITIVE, P3_POSITIVE},
                {CORNER_1, MIDPOINT_12, MIDPOINT_13},
            ),
            (
                {P1_AT_MOST_HALF, P3_AT_MOST_HALF, P1_POSITIVE, P3_POSITIVE},
                {CORNER_2, MIDPOINT_12, MIDPOINT_13, MIDPOINT_23},
            ),
            (
                {P3_AT_LEAST_HALF, P1_POSITIVE, P2_POSITIVE},
                {CORNER_3, MIDPOINT_13, MIDPOINT_23},
            ),
        ],
    ),
    # Q₁ = {p₁ ≥ 1/2}, Q₂ = {p₂ ≥ 1/2}, Q₃ = {p₃ ≥ 1/2}, Q₄ = {max(p₁, p₂, p₃) ≤ 1/2}.
    "(c) abstain": (
        abstain(3),
        [
            (
                {P1_AT_LEAST_HALF, P2_POSITIVE, P3_POSITIVE},
                {CORNER_1, MIDPOINT_12, MIDPOINT_13},
            ),
            (
                {P2_AT_LEAST_HALF, P1_POSITIVE, P3_POSITIVE},
                {CORNER_2, MIDPOINT_12, MIDPOINT_23},
            ),
            (
                {P3_AT_LEAST_HALF, P1_POSITIVE, P2_POSITIVE},
                {CORNER_3, MIDPOINT_13, MIDPOINT_23},
            ),
            (
                {P1_AT_MOST_HALF, P2_AT_MOST_HALF, P3_AT_MOST_HALF},
                {MIDPOINT_12, MIDPOINT_13, MIDPOINT_23},
            ),
        ],
    ),
}

# The conditions of the figure as it prints them, prediction by prediction.
CONDITIONS = {
    "(a) 0-1": [
        lambda p: p[0] >= max(p[1], p[2]),
        lambda p: p[1] >= max(p[0], p[2]),
        lambda p: p[2] >= max(p[0], p[1]),
    ],
    "(b) ordinal": [
        lambda p: p[0] >= HALF,
        lambda p: p[0] <= HALF and p[2] <= HALF,
        lambda p: p[2] >= HALF,
    ],
    "(c) abstain": [
        lambda p: p[0] >= HALF,
        lambda p: p[1] >= HALF,
        lambda p: p[2] >= HALF,
        lambda p: max(p) <= HALF,
    ],
}

each_panel = pytest.mark.parametrize("panel", CELLS)


@each_panel
def test_the_cells_have_the_inequalities_of_the_figure(panel):
    loss, cells = CELLS[panel]
    found = [set(cell.polytope.inequalities) for cell in trigger_sets(loss)]
    assert found == [inequalities for inequalities, _ in cells]


@each_panel
def test_the_cells_have_the_vertices_of_the_figure(panel):
    loss, cells = CELLS[panel]
    found = [set(cell.polytope.vertices) for cell in trigger_sets(loss)]
    assert found == [vertices for _, vertices in cells]


@each_panel
def test_every_prediction_has_a_cell(panel):
    loss, cells = CELLS[panel]
    assert [cell.prediction for cell in trigger_sets(loss)] == list(range(len(cells)))


@each_panel
@given(p=distributions(3))
def test_the_cells_contain_the_distributions_that_the_figure_describes(panel, p):
    found = [cell.polytope.contains(p) for cell in trigger_sets(CELLS[panel][0])]
    assert found == [bool(condition(p)) for condition in CONDITIONS[panel]]


@each_panel
def test_the_inequalities_written_here_cut_out_the_vertices_written_here(panel):
    # A slip of the hand would show: the two columns of the table above are checked against each other.
    for inequalities, vertices in CELLS[panel][1]:
        cut_out = reference.program_vertices([(0, *row) for row in sorted(inequalities)], [(-1, 1, 1, 1)])
        assert cut_out == vertices


def test_in_the_figure_neighbours_are_the_cells_with_a_common_edge():
    assert [cell.neighbours for cell in trigger_sets(zero_one(3))] == [(1, 2), (0, 2), (0, 1)]
    assert [cell.neighbours for cell in trigger_sets(ordinal(3))] == [(1,), (0, 2), (1,)]
    assert [cell.neighbours for cell in trigger_sets(abstain(3))] == [(3,), (3,), (3,), (0, 1, 2)]
