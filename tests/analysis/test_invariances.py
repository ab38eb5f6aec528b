"""What must not matter does not: shifts, scales, orders and copies change the cells as the definition says.

p·ℓ_t for the rows s_y L_y is (s∘p)·ℓ_t for L. So p lies in a cell of the scaled matrix exactly if s∘p, normalised,
lies in that cell of L: the cells of L move by p ↦ p/s, normalised, and a facet a·p ≥ 0 becomes (a∘s)·p ≥ 0.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import LossMatrix, affdim, trigger_sets
from lossmith.analysis.affine_dimension import rank
from lossmith.analysis.redundancy import redundant_predictions
from strategies import distributions, examples, loss_rows, permutations, rationals, row_factors, row_offsets


def described(rows):
    """Everything that is told of each kept cell, by prediction."""
    return {
        cell.prediction: (cell.polytope.vertices, cell.polytope.inequalities, cell.polytope.dim, cell.neighbours)
        for cell in trigger_sets(LossMatrix(rows), reduced=False)
    }


def described_by_column(rows):
    """The same with columns in place of their numbers, so that the order of the predictions does not show."""
    columns = list(zip(*rows))
    return {
        columns[t]: (vertices, inequalities, dim, {columns[s] for s in neighbours})
        for t, (vertices, inequalities, dim, neighbours) in described(rows).items()
    }


def redundant(rows):
    return {each.prediction for each in redundant_predictions(LossMatrix(rows))}


@examples(8)
@given(loss_rows(), st.data())
def test_adding_a_constant_to_each_row_changes_no_cell(rows, data):
    offsets = data.draw(row_offsets(len(rows)))
    shifted = tuple(tuple(entry + offset for entry in row) for row, offset in zip(rows, offsets))
    assert described(shifted) == described(rows)


@examples(8)
@given(loss_rows(), st.data())
def test_adding_a_constant_to_each_row_changes_neither_affdim_nor_the_redundant_predictions(rows, data):
    offsets = data.draw(row_offsets(len(rows)))
    shifted = tuple(tuple(entry + offset for entry in row) for row, offset in zip(rows, offsets))
    assert affdim(LossMatrix(shifted)) == affdim(LossMatrix(rows))
    assert redundant(shifted) == redundant(rows)


@examples(8)
@given(loss_rows(), rationals(0, 9).filter(bool))
def test_scaling_the_whole_matrix_changes_nothing(rows, factor):
    scaled = tuple(tuple(factor * entry for entry in row) for row in rows)
    assert described(scaled) == described(rows)
    assert affdim(LossMatrix(scaled)) == affdim(LossMatrix(rows))
    assert rank(LossMatrix(scaled)) == rank(LossMatrix(rows))
    assert redundant(scaled) == redundant(rows)


@examples(8)
@given(loss_rows(), st.data())
def test_scaling_rows_divides_the_vertices_by_the_factors(rows, data):
    factors = data.draw(row_factors(len(rows)))
    scaled = tuple(tuple(factor * entry for entry in row) for row, factor in zip(rows, factors))
    moved = {
        t: (
            tuple(sorted(reference.normalised([x / s for x, s in zip(p, factors)]) for p in vertices)),
            tuple(sorted(reference.primitive([a * s for a, s in zip(row, factors)]) for row in inequalities)),
            dim,
            neighbours,
        )
        for t, (vertices, inequalities, dim, neighbours) in described(rows).items()
    }
    assert described(scaled) == moved


@examples(8)
@given(loss_rows(), st.data())
def test_after_scaling_rows_p_is_treated_as_the_normalised_product_was_before(rows, data):
    factors, p = data.draw(row_factors(len(rows))), data.draw(distributions(len(rows)))
    scaled = LossMatrix(rows).scale_rows(factors)
    weighted = reference.normalised([x * s for x, s in zip(p, factors)])
    assert scaled.optimal_predictions(p) == reference.argmin(rows, weighted)
    before = {cell.prediction: cell.polytope.contains(weighted) for cell in trigger_sets(LossMatrix(rows))}
    assert {cell.prediction: cell.polytope.contains(p) for cell in trigger_sets(scaled)} == before


def test_making_the_second_label_five_times_as_costly_moves_the_threshold_to_a_sixth():
    wait, _ = trigger_sets(LossMatrix([[0, 1], [1, 0]]).scale_rows([1, 5]))
    assert wait.polytope.vertices == ((Fraction(5, 6), Fraction(1, 6)), (1, 0))


@examples(8)
@given(loss_rows(), st.data())
def test_scaling_rows_changes_neither_affdim_nor_rank_nor_the_redundant_predictions(rows, data):
    factors = data.draw(row_factors(len(rows)))
    scaled = tuple(tuple(factor * entry for entry in row) for row, factor in zip(rows, factors))
    assert affdim(LossMatrix(scaled)) == affdim(LossMatrix(rows))
    assert rank(LossMatrix(scaled)) == rank(LossMatrix(rows))
    assert redundant(scaled) == redundant(rows)


@examples(8)
@given(loss_rows(), st.data())
def test_permuting_predictions_permutes_the_cells(rows, data):
    order = data.draw(permutations(len(rows[0])))
    permuted = tuple(tuple(row[t] for t in order) for row in rows)
    assert described_by_column(permuted) == described_by_column(rows)
    assert affdim(LossMatrix(permuted)) == affdim(LossMatrix(rows))


@examples(8)
@given(loss_rows(), st.data())
def test_permuting_labels_permutes_the_coordinates(rows, data):
    order = data.draw(permutations(len(rows)))
    permuted = tuple(rows[y] for y in order)
    moved = {
        t: (
            tuple(sorted(tuple(p[y] for y in order) for p in vertices)),
            tuple(sorted(tuple(row[y] for y in order) for row in inequalities)),
            dim,
            neighbours,
        )
        for t, (vertices, inequalities, dim, neighbours) in described(rows).items()
    }
    assert described(permuted) == moved
    assert affdim(LossMatrix(permuted)) == affdim(LossMatrix(rows))


@examples(8)
@given(loss_rows(), st.data())
def test_a_copy_of_a_column_at_the_end_changes_nothing_but_is_redundant(rows, data):
    t = data.draw(st.integers(0, len(rows[0]) - 1))
    longer = tuple((*row, row[t]) for row in rows)
    assert described(longer) == described(rows)
    assert affdim(LossMatrix(longer)) == affdim(LossMatrix(rows))
    assert rank(LossMatrix(longer)) == rank(LossMatrix(rows))
    assert redundant(longer) == {*redundant(rows), len(rows[0])}


@examples(8)
@given(loss_rows(), st.data())
def test_a_copy_of_a_column_anywhere_changes_no_cell(rows, data):
    t, place = data.draw(st.integers(0, len(rows[0]) - 1)), data.draw(st.integers(0, len(rows[0])))
    longer = tuple((*row[:place], row[t], *row[place:]) for row in rows)
    assert described_by_column(longer) == described_by_column(rows)


@examples(8)
@given(loss_rows())
def test_leaving_out_the_redundant_predictions_changes_no_cell(rows):
    kept = [t for t in range(len(rows[0])) if t not in redundant(rows)]
    shorter = tuple(tuple(row[t] for t in kept) for row in rows)
    assert described_by_column(shorter) == described_by_column(rows)
    assert redundant(shorter) == set()


@examples(8)
@given(loss_rows())
def test_the_methods_that_shift_and_scale_rows_do_what_their_names_say(rows):
    loss = LossMatrix(rows)
    numbers = range(1, len(rows) + 1)
    assert loss.shift_rows(numbers).entries == tuple(tuple(entry + s for entry in row) for row, s in zip(rows, numbers))
    assert loss.scale_rows(numbers).entries == tuple(tuple(entry * s for entry in row) for row, s in zip(rows, numbers))
