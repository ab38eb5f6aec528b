"""Redundant predictions: the right ones, each with weights that prove it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import LossMatrix, trigger_sets
from lossmith.analysis import redundancy
from lossmith.analysis.redundancy import redundant_predictions
from lossmith.geometry import float_lp, linear_program
from lossmith.geometry.float_lp import Guess
from strategies import loss_rows, low_rank_rows


def assert_is_proved(rows, each, kept) -> None:
    """Σ λ_s ℓ_s ≤ ℓ_t for every label, λ > 0, Σ λ = 1, all s kept."""
    sources, weights = [s for s, _ in each.mixture], [weight for _, weight in each.mixture]
    assert set(sources) <= set(kept)
    assert sources == sorted(set(sources))
    assert all(weight > 0 for weight in weights)
    assert sum(weights) == 1
    for row in rows:
        assert reference.dot(weights, [row[s] for s in sources]) <= row[each.prediction]


@given(loss_rows())
def test_the_redundant_predictions_are_those_of_the_definition(rows):
    found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@given(low_rank_rows(max_n=5))
def test_the_redundant_predictions_of_low_rank_matrices_are_those_of_the_definition(rows):
    found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@given(loss_rows(max_k=7))
def test_linear_programs_and_trigger_sets_agree_on_what_is_redundant(rows):
    loss = LossMatrix(rows)
    kept = [cell.prediction for cell in trigger_sets(loss)]
    by_cells, by_programs = redundant_predictions(loss, kept), redundant_predictions(loss)
    assert [each.prediction for each in by_cells] == [each.prediction for each in by_programs]
    assert by_cells == by_programs


@given(loss_rows(max_k=7))
def test_every_mixture_proves_that_its_prediction_is_never_needed(rows):
    loss = LossMatrix(rows)
    found = redundant_predictions(loss)
    kept = set(range(loss.k)) - {each.prediction for each in found}
    for each in found:
        assert_is_proved(rows, each, kept)


@given(loss_rows(max_k=7))
def test_every_mixture_proves_it_when_the_kept_ones_come_from_the_trigger_sets(rows):
    loss = LossMatrix(rows)
    kept = [cell.prediction for cell in trigger_sets(loss)]
    for each in redundant_predictions(loss, kept):
        assert_is_proved(rows, each, kept)


@given(loss_rows())
def test_a_copy_of_a_kept_column_and_only_that_is_called_a_duplicate(rows):
    columns = list(zip(*rows))
    found = redundant_predictions(LossMatrix(rows))
    kept = set(range(len(columns))) - {each.prediction for each in found}
    for each in found:
        originals = [s for s in kept if columns[s] == columns[each.prediction]]
        assert each.duplicate == bool(originals)
        if each.duplicate:
            assert each.mixture == ((originals[0], Fraction(1)),)


@given(loss_rows())
def test_one_prediction_at_least_is_kept(rows):
    assert len(redundant_predictions(LossMatrix(rows))) < len(rows[0])


@given(loss_rows())
def test_guessed_and_proved_programs_find_the_same_redundant_predictions(rows):
    expected = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "_SMALL", 0)
        found = redundant_predictions(LossMatrix(rows))
    assert [each.prediction for each in found] == expected
    for each in found:
        assert_is_proved(rows, each, set(range(len(rows[0]))) - set(expected))


@given(loss_rows(), st.data())
def test_no_floating_point_guess_however_wrong_changes_the_answer(rows, data):
    point = data.draw(st.lists(st.floats(-1, 1), min_size=len(rows) + 1, max_size=len(rows) + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(float_lp, "guess_maximum", lambda *_: Guess(tuple(point), ()))
        found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@given(loss_rows())
def test_without_any_guess_the_answer_is_the_same(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(float_lp, "guess_maximum", lambda *_: None)
        found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@given(loss_rows())
def test_a_prediction_that_is_the_only_cheapest_one_under_some_label_is_kept(rows):
    columns = [list(column) for column in zip(*rows)]
    strict = redundancy._strict_somewhere_at_a_corner(columns)
    assert strict == {
        t for t in range(len(columns)) for row in rows if [s for s, x in enumerate(row) if x <= row[t]] == [t]
    }
    assert all(not reference.is_redundant(rows, t) for t in strict)


def test_progress_is_told_once_per_prediction():
    told = []
    redundant_predictions(LossMatrix([[0, 2, 1], [2, 0, 1]]), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


# Cases that a hand can check.


def named(rows):
    return LossMatrix(rows, predictions=["a", "b", "c", "d"][: len(rows[0])])


def test_a_copy_is_explained_by_the_column_it_copies():
    loss = named([[0, 1, 0], [1, 0, 1]])
    (copy,) = redundant_predictions(loss)
    assert (copy.prediction, copy.mixture, copy.duplicate) == (2, ((0, Fraction(1)),), True)
    assert copy.explain(loss) == "c costs the same as a under every label"


def test_a_dominated_prediction_is_explained_by_one_that_never_costs_more():
    loss = named([[0, 1, 1], [1, 0, 1]])
    (dominated,) = redundant_predictions(loss)
    assert (dominated.prediction, dominated.mixture, dominated.duplicate) == (2, ((0, Fraction(1)),), False)
    assert dominated.explain(loss) == "c is dominated: a never costs more"


def test_a_prediction_that_only_ties_is_explained_by_the_mixture_it_ties_with():
    loss = named([[0, 1, 4], [4, 3, 0]])
    (between,) = redundant_predictions(loss)
    assert (between.prediction, between.mixture) == (1, ((0, Fraction(3, 4)), (2, Fraction(1, 4))))
    assert between.explain(loss) == "b is never strictly optimal: the mixture 3/4 a + 1/4 c never costs more"


def test_a_prediction_cheaper_than_the_mixture_by_next_to_nothing_is_kept():
    little = Fraction(1, 10**30)
    assert redundant_predictions(LossMatrix([[0, 2 - little, 4], [4, 2, 0]])) == ()
    assert [each.prediction for each in redundant_predictions(LossMatrix([[0, 2, 4], [4, 2, 0]]))] == [1]
    assert [each.prediction for each in redundant_predictions(LossMatrix([[0, 2 + little, 4], [4, 2, 0]]))] == [1]


def test_of_several_copies_the_first_is_kept():
    found = redundant_predictions(LossMatrix([[1, 0, 1, 0, 0], [0, 1, 0, 1, 1]]))
    assert [(each.prediction, each.mixture[0][0]) for each in found] == [(2, 0), (3, 1), (4, 1)]


def test_a_large_matrix_has_the_mixtures_that_were_built_into_it():
    # Forty predictions each right for one label, and one that costs what a fair draw among them costs.
    n = 40
    rows = [[*(int(y != t) for t in range(n)), Fraction(n - 1, n)] for y in range(n)]
    (mixed,) = redundant_predictions(LossMatrix(rows))
    assert mixed.prediction == n
    assert mixed.mixture == tuple((t, Fraction(1, n)) for t in range(n))
