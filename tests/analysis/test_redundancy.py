"""Redundant predictions: the right ones, each with weights that prove it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from losses.refusal import assert_quotes
from lossmith import LossMatrix, trigger_sets
from lossmith.analysis import redundancy
from lossmith.analysis.redundancy import needed_predictions, redundant_predictions
from lossmith.geometry import float_lp, linear_program
from strategies import examples, loss_rows, low_rank_rows


def assert_is_proved(rows, each, kept) -> None:
    """Σ λ_s ℓ_s ≤ ℓ_t for every label, λ > 0, Σ λ = 1, all s kept."""
    sources, weights = [s for s, _ in each.mixture], [weight for _, weight in each.mixture]
    assert set(sources) <= set(kept)
    assert sources == sorted(set(sources))
    assert all(weight > 0 for weight in weights)
    assert sum(weights) == 1
    for row in rows:
        assert reference.dot(weights, [row[s] for s in sources]) <= row[each.prediction]


@examples(8)
@given(loss_rows())
def test_the_redundant_predictions_are_those_of_the_definition(rows):
    found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@examples(8)
@given(low_rank_rows(max_n=5))
def test_the_redundant_predictions_of_low_rank_matrices_are_those_of_the_definition(rows):
    found = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    assert found == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]


@examples(8)
@given(loss_rows(max_k=7))
def test_linear_programs_and_trigger_sets_agree_on_what_is_redundant(rows):
    loss = LossMatrix(rows)
    kept = [cell.prediction for cell in trigger_sets(loss)]
    by_cells, by_programs = redundant_predictions(loss, kept), redundant_predictions(loss)
    assert [each.prediction for each in by_cells] == [each.prediction for each in by_programs]
    assert by_cells == by_programs


@examples(8)
@given(loss_rows(max_k=7))
def test_every_mixture_proves_that_its_prediction_is_never_needed(rows):
    loss = LossMatrix(rows)
    found = redundant_predictions(loss)
    kept = set(range(loss.k)) - {each.prediction for each in found}
    for each in found:
        assert_is_proved(rows, each, kept)


@examples(8)
@given(loss_rows(max_k=7))
def test_every_mixture_proves_it_when_the_kept_ones_come_from_the_trigger_sets(rows):
    loss = LossMatrix(rows)
    kept = [cell.prediction for cell in trigger_sets(loss)]
    for each in redundant_predictions(loss, kept):
        assert_is_proved(rows, each, kept)


@examples(8)
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


@examples(8)
@given(loss_rows())
def test_one_prediction_at_least_is_kept(rows):
    assert len(redundant_predictions(LossMatrix(rows))) < len(rows[0])


@examples(8)
@given(loss_rows())
def test_guessed_and_proved_programs_find_the_same_redundant_predictions(rows):
    expected = [each.prediction for each in redundant_predictions(LossMatrix(rows))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear_program, "SMALL", 0)
        found = redundant_predictions(LossMatrix(rows))
    assert [each.prediction for each in found] == expected
    for each in found:
        assert_is_proved(rows, each, set(range(len(rows[0]))) - set(expected))


class WrongLowest(float_lp.LowestOf):
    """Guesses whatever it is told to."""

    p, lead, numbers, labels, count = [], 0.0, [], [], 0

    def add(self, z):
        self.count += 1

    def against(self, x):
        return self.p, self.lead

    def basis(self):
        return [i for i in self.numbers if i < self.count], self.labels


@examples(8)
@given(loss_rows(), st.data())
def test_no_floating_point_guess_however_wrong_changes_the_answer(rows, data):
    n = len(rows)
    numbers = st.lists(st.integers(0, n - 1), unique=True, max_size=n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WrongLowest, "p", data.draw(st.lists(st.floats(-1, 1), min_size=n, max_size=n)))
        patch.setattr(WrongLowest, "lead", data.draw(st.floats(-1, 1)))
        patch.setattr(WrongLowest, "numbers", data.draw(numbers))
        patch.setattr(WrongLowest, "labels", data.draw(numbers))
        patch.setattr(float_lp, "LowestOf", WrongLowest)
        found = redundant_predictions(LossMatrix(rows))
    assert [each.prediction for each in found] == [t for t in range(len(rows[0])) if reference.is_redundant(rows, t)]
    for each in found:
        assert_is_proved(rows, each, reference.kept_predictions(rows))


def test_progress_goes_forward_to_the_number_of_distinct_predictions():
    for rows, total in (([[0, 2, 1], [2, 0, 1]], 3), ([[0, 2, 1, 0], [2, 0, 1, 2], [1, 1, 0, 1]], 3)):
        told = []
        redundant_predictions(LossMatrix(rows), progress=lambda *step, told=told: told.append(step))
        assert told == sorted(set(told))
        assert told[-1] == (total, total)


@st.composite
def hostile_rows(draw):
    """Few values, so that there are ties; copies, worse copies, and mixtures of two columns, some with a surplus."""
    n, highest = draw(st.integers(2, 4)), draw(st.sampled_from([1, 2, 4, 12]))
    column = st.tuples(*[st.integers(0, highest).map(Fraction)] * n)
    columns = draw(st.lists(column, min_size=1, max_size=4))
    for kind in draw(st.lists(st.sampled_from(["copy", "worse", "mixed", "mixed and worse"]), max_size=4)):
        first, second = draw(st.sampled_from(columns)), draw(st.sampled_from(columns))
        share = Fraction(draw(st.integers(0, 3)), 3) if "mixed" in kind else Fraction(1)
        more = draw(column) if "worse" in kind else (0,) * n
        columns.append(tuple(share * a + (1 - share) * b + c for a, b, c in zip(first, second, more)))
    return tuple(zip(*draw(st.permutations(columns))))


@examples(20)
@given(hostile_rows())
def test_copies_dominated_columns_ties_and_mixtures_are_dropped_as_by_the_definition(rows):
    loss, kept = LossMatrix(rows), reference.kept_predictions(rows)
    assert needed_predictions(loss) == kept
    for few in (0, 50):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(redundancy, "FEW", few)  # at 0 the guessed mixtures are taken
            found = redundant_predictions(loss)
        assert [each.prediction for each in found] == [t for t in range(loss.k) if t not in kept]
        for each in found:
            assert_is_proved(rows, each, kept)


@pytest.mark.parametrize(
    "rows",
    [
        ((1, 4, 5, 3, 5), (6, 2, 0, 0, 5), (3, 5, 5, 6, 0)),  # the guessed weights are none
        ((2, 3, 1, 1, 6, 0), (2, 4, 1, 6, 1, 5), (3, 4, 6, 4, 4, 5), (6, 5, 1, 2, 0, 3)),
    ],
)
def test_a_guessed_mixture_is_taken_only_if_it_is_one(monkeypatch, rows):
    monkeypatch.setattr(redundancy, "FEW", 0)
    kept = reference.kept_predictions(rows)
    found = redundant_predictions(LossMatrix(rows))
    assert [each.prediction for each in found] == [t for t in range(len(rows[0])) if t not in kept]
    for each in found:
        assert_is_proved(rows, each, kept)


def kept_one_by_one(rows) -> list[int]:
    """What is left when each column in turn, last first, is dropped if the others left have a mixture as good."""
    columns, kept = list(zip(*rows)), list(range(len(rows[0])))
    for t in reversed(range(len(columns))):
        others = [s for s in kept if s != t]
        gains = [[int(a - b) for a, b in zip(columns[t], columns[s])] for s in others]
        positive = [(0, *(int(i == j) for j in range(len(others)))) for i in range(len(others))]
        never_worse = [(0, *row) for row in zip(*gains)]
        if others and linear_program.maximize([0] * len(others), [*never_worse, *positive], [(-1, *[1] * len(others))]):
            kept = others
    return kept


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 12))]
)
def test_larger_matrices_keep_what_is_kept_when_columns_are_tested_one_by_one(seed):
    random = Random(seed)
    n, highest = random.randint(2, 6), random.choice([3, 8, 100])
    rows = [[random.randint(0, highest) for _ in range(25)] for _ in range(n)]
    rows = [[*row, *(2 * row[t] for t in range(0, 25, 7))] for row in rows]
    assert list(needed_predictions(LossMatrix(rows))) == kept_one_by_one(rows)


# Cases that a hand can check.


def named(rows):
    return LossMatrix(rows, predictions=["a", "b", "c", "d"][: len(rows[0])])


def test_a_copy_is_explained_by_the_column_it_copies():
    loss = named([[0, 1, 0], [1, 0, 1]])
    (copy,) = redundant_predictions(loss)
    assert (copy.prediction, copy.mixture, copy.duplicate) == (2, ((0, Fraction(1)),), True)
    assert_quotes(copy.explain(loss), "c", "a")


def test_a_dominated_prediction_is_explained_by_one_that_never_costs_more():
    loss = named([[0, 1, 1], [1, 0, 1]])
    (dominated,) = redundant_predictions(loss)
    assert (dominated.prediction, dominated.mixture, dominated.duplicate) == (2, ((0, Fraction(1)),), False)
    assert_quotes(dominated.explain(loss), "c", "a")


def test_a_prediction_that_only_ties_is_explained_by_the_mixture_it_ties_with():
    loss = named([[0, 1, 4], [4, 3, 0]])
    (between,) = redundant_predictions(loss)
    assert (between.prediction, between.mixture) == (1, ((0, Fraction(3, 4)), (2, Fraction(1, 4))))
    assert_quotes(between.explain(loss), "b", "0.75 a + 0.25 c")


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
