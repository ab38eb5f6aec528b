"""Surrogates made to order: what must be found is found and decided again, what cannot be is refused with a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from command import lossmith
from losses.refusal import assert_quotes
from lossmith.analysis import facts
from lossmith.answers import bounding, designing
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge, UnknownName
from lossmith.losses import abstain, add_abstain, hamming, ordinal, top_k, zero_one
from strategies import examples

HEDGED = add_abstain(ordinal(4), "1/2")
TRIVIAL = lm.LossMatrix([[0, 1], [0, 2]], predictions=["wait", "treat"], name="trivial")


def assert_designed(made, loss, dim: int) -> None:
    """It is for this loss, lives on R^dim, is calibrated when decided again, and both certificates are accepted."""
    assert isinstance(made, lm.Calibrated)
    assert made.loss == loss
    assert made.surrogate.dim == dim
    again = lm.check(made.surrogate, loss)
    assert again.status == made.status == "calibrated"
    assert made.certificate.claim == "calibrated"
    assert lm.verify(made.certificate).accepted
    assert lm.verify(again.certificate).accepted
    assert f", {dim} dimension" in made.made_by


# What must be found.


@pytest.mark.parametrize(
    ("loss", "asked", "dim"),
    [
        (abstain(4), None, 2),
        (abstain(4), 2, 2),
        (abstain(4), 3, 3),
        (abstain(2), None, 1),
        (HEDGED, None, 2),
        (hamming(3), 3, 3),
        (zero_one(3), None, 2),
        *(
            pytest.param(*each, marks=pytest.mark.exhaustive)
            for each in (
                (abstain(3), None, 2),
                (abstain(4, "2/5"), 2, 2),
                (abstain(5), 3, 3),
                (HEDGED, 2, 2),
                (hamming(2), None, 2),
                (top_k(4, 2), None, 3),
                (zero_one(2), None, 1),
                (zero_one(4), 3, 3),
            )
        ),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_designs(loss, asked, dim):
    assert_designed(lm.design(loss, asked), loss, dim)


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("n", [2, 4, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (3, 7, 12))])
def test_ordinal_on_the_line(n, power):
    assert_designed(lm.design(ordinal(n, power)), ordinal(n, power), 1)
    assert_designed(lm.design(ordinal(n, power), 1, "orderable"), ordinal(n, power), 1)


@pytest.mark.parametrize("method", ["max-min-hinge", "square", "linear", "class-probability", "search"])
def test_zero_one_by_each_method(method):
    made = lm.design(zero_one(3), 2, method)
    assert_designed(made, zero_one(3), 2)
    assert made.made_by.replace(" ", "-").startswith(method)


def test_methods_without_a_dimension():
    assert_designed(lm.design(abstain(4), method="search"), abstain(4), 2)
    assert_designed(lm.design(abstain(4), method="square"), abstain(4), 3)
    assert_designed(lm.design(hamming(3), method="square"), hamming(3), 3)
    assert_designed(lm.design(hamming(3), method="class-probability"), hamming(3), 7)


def test_a_design_comes_with_a_pred():
    """For these constructions the pred is known; with it the surrogate is calibrated as well."""
    for loss, method in ((ordinal(4), "orderable"), (zero_one(3), "linear"), (zero_one(3), "max-min-hinge")):
        made = lm.design(loss, method=method)
        verdict = lm.check(made.surrogate, loss, pred=made.pred)
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted


def test_a_design_is_reproducible():
    first, second = (lm.design(HEDGED, 2, "search", seed=3) for _ in range(2))
    assert first.surrogate == second.surrogate
    assert first.certificate == second.certificate


@examples(6)
@given(st.integers(2, 4), st.integers(2, 4), st.data())
def test_random_losses(n, k, data):
    """A design never lies below the lower bound, nor above the upper one."""
    loss = lm.LossMatrix([[data.draw(st.integers(0, 5)) for _ in range(k)] for _ in range(n)])
    bounds = lm.ccdim(loss, designs=False)
    if bounds.upper.value == 0:
        with pytest.raises(BadInput, match=loss.name):
            lm.design(loss)
        return
    made = lm.design(loss, budget=50)
    assert max(bounds.lower.value, 1) <= made.surrogate.dim <= bounds.upper.value
    assert_designed(made, loss, made.surrogate.dim)


# What is refused.


@pytest.mark.parametrize(
    ("loss", "dim"),
    [(zero_one(4), 2), (zero_one(4), 1), (abstain(3), 1), (hamming(3), 2), (top_k(4, 2), 2)],
    ids=lambda value: getattr(value, "name", str(value)),
)
@pytest.mark.parametrize("method", [None, "search"])
def test_impossible(loss, dim, method):
    with pytest.raises(Impossible, match=rf"R\^{dim}\b") as refusal:
        lm.design(loss, dim, method)
    bound = refusal.value.bound
    assert bound.side == "lower"
    assert bound.value > dim
    assert bound.loss == loss
    assert f"CCdim ≥ {bound.value}" in str(refusal.value)
    assert lm.verify(bound.certificate).accepted


def test_not_found():
    with pytest.raises(NotFound) as refusal:
        lm.design(abstain(5), 2, budget=10)
    assert_quotes(str(refusal.value), "10")
    assert str(refusal.value).count("abstain(n=5") == 1  # it is named once


def test_a_method_has_its_own_dimension():
    with pytest.raises(NotFound, match=r"\b7\b.* 4\b"):
        lm.design(hamming(3), 4, "class-probability")
    with pytest.raises(NotFound, match=r"\b3\b.* 4\b"):
        lm.design(abstain(4), 4, "square")


@pytest.mark.parametrize("dim", [0, -1, 4, 100, 1.5, "2", True])
def test_dimensions_that_mean_nothing(dim):
    with pytest.raises(BadInput, match="dim"):
        lm.design(zero_one(3), dim)


@pytest.mark.parametrize(("method", "hint"), [("serach", "'search'"), ("sqare", "'square'"), ("", "known")])
def test_unknown_methods(method, hint):
    with pytest.raises(UnknownName, match=hint):
        lm.design(zero_one(3), method=method)


@pytest.mark.parametrize("method", [None, *designing.METHODS])
def test_nothing_to_learn(method):
    with pytest.raises(BadInput, match=r"\bwait\b.*\btrivial\b"):
        lm.design(TRIVIAL, method=method)


def test_not_orderable():
    with pytest.raises(BadInput, match=r"zero_one\(n=3\).*orderable"):
        lm.design(zero_one(3), method="orderable")


# Interruptions and budgets.


def interrupt(*_, **__):
    raise KeyboardInterrupt


def exceed(*_, **__):
    raise TooLarge("more than was allowed")


def assert_sound(bounds, lower: int, upper: int) -> None:
    assert (bounds.lower.value, bounds.upper.value) == (lower, upper)
    assert all(lm.verify(bound.certificate).accepted for bound in bounds.bounds)


def test_interrupted_in_the_search(monkeypatch):
    monkeypatch.setattr(bounding, "search", interrupt)
    bounds = lm.ccdim(abstain(4).scale_rows([1, 2, 3, 4]))  # with the scales, no surrogate of the catalogue serves
    assert_sound(bounds, 2, 3)
    (note,) = bounds.notes
    assert note in str(bounds)
    assert bounds.to_dict()["notes"] == [note]


@pytest.mark.parametrize(
    ("module", "name", "least"),
    [
        (bounding, "eq_affdim_of_equalizer", 0),
        (bounding, "lt_affdim_of_positive_vector", 0),
        (facts, "full_sections", 0),
        (facts, "cells_of", 2),
        (bounding, "ge_feasible_subspace", 2),
        (bounding, "ask", 2),
    ],
)
def test_interrupted_in_any_stage(monkeypatch, module, name, least):
    """What was proved before stays; what comes after is not begun."""
    monkeypatch.setattr(module, name, interrupt)
    bounds = lm.ccdim(abstain(4))
    assert least <= bounds.lower.value <= 2
    assert_sound(bounds, bounds.lower.value, 3)
    assert len(bounds.notes) == 1


def test_interrupted_before_anything_is_known(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(facts, "needed_predictions", interrupt)
        bounds = lm.ccdim(abstain(4))
    assert_sound(bounds, 0, 3)
    assert len(bounds.notes) == 1


@pytest.mark.parametrize(
    "name",
    [
        "eq_affdim_of_equalizer",
        "lt_affdim_of_positive_vector",
        pytest.param("ge_feasible_subspace", marks=pytest.mark.exhaustive),
    ],
)
def test_a_stage_that_is_too_large_is_left_out(monkeypatch, name):
    monkeypatch.setattr(bounding, name, exceed)
    bounds = lm.ccdim(abstain(4))
    assert_sound(bounds, 2, 2)
    (note,) = bounds.notes
    assert "more than was allowed" in note  # what `exceed` says


@pytest.mark.parametrize(
    ("n", "cost"), [(4, "1/2"), *(pytest.param(5, cost, marks=pytest.mark.exhaustive) for cost in ("1/2", "3/5"))]
)
def test_few_vertices(n, cost):
    bounds = lm.ccdim(abstain(n, cost), designs=False, max_vertices=5)
    (note,) = bounds.notes
    assert_quotes(note, "5", "max_vertices=…")
    assert bounds.upper.value == n - 1
    free = lm.ccdim(abstain(n, cost), designs=False)
    assert free.notes == ()
    assert bounds.lower.value <= free.lower.value <= free.upper.value == n - 1
    assert all(lm.verify(bound.certificate).accepted for bound in bounds.bounds)


@pytest.mark.parametrize(
    ("limit", "value", "numbers"),
    [
        ("_MOST_COMPARED", 5, r": 5 .* 4 "),
        pytest.param("_MOST_ENTRIES", 5, r": 4 labels × 5 predictions", marks=pytest.mark.exhaustive),
        ("_MANY_LABELS", 3, r": 4 .* 3 .* check\b"),
        ("_CHECKED_ENTRIES", 8, r": binary_encoded\(n=4, cost=1/2\) .* 2 "),
        ("_FEW_LABELS", 3, r": 4 .* 3 .* design\b"),
    ],
)
def test_what_would_be_too_much_work_is_left_out_and_said(monkeypatch, limit, value, numbers):
    loss = abstain(4).scale_rows([1, 2, 3, 4]) if limit == "_FEW_LABELS" else abstain(4)
    monkeypatch.setattr(bounding, limit, value)
    bounds = lm.ccdim(loss)
    assert any(re.search(numbers, note) for note in bounds.notes), bounds.notes
    assert bounds.lower.value in (1, 2)
    assert all(lm.verify(bound.certificate).accepted for bound in bounds.bounds)


def test_few_faces_are_enough_for_a_weaker_bound():
    few, all_of_them = (lm.ccdim(abstain(4, "7/10"), designs=False, max_faces=faces) for faces in (1, 20_000))
    assert few.lower.value <= all_of_them.lower.value
    assert lm.verify(few.lower.certificate).accepted


def test_progress_is_reported():
    seen = []
    lm.ccdim(abstain(4, "3/5"), designs=False, progress=lambda done, total: seen.append((done, total)))
    assert seen
    assert all(0 <= done <= total for done, total in seen)


@pytest.mark.parametrize("command", ["ccdim", "analyze"])
def test_the_command_says_what_was_proved_and_that_it_was_interrupted(monkeypatch, command):
    monkeypatch.setattr(bounding, "search", interrupt)
    answer = lossmith(command, "abstain:n=5")
    assert answer.returncode == 130
    assert "CCdim" in answer.stdout
    assert len(answer.stderr.strip().splitlines()) == 1


# Constants.


@pytest.mark.parametrize("loss", [hamming(2), ordinal(4), lm.LossMatrix([[0, 3], [1, 0], [5, 2]])])
def test_two_is_the_least_constant_of_a_surrogate_that_embeds(loss):
    """Half-way between two neighbours one of them is decided, and pays half of what it loses."""
    made = lm.design(loss, method="max-min-hinge" if loss == hamming(2).matrix() else "orderable")
    assert made.made_by.endswith("; regret_L ≤ 2 regret_ψ")
    assert lm.regret(made.surrogate, loss, made.pred).constant == 2


def test_one_function_has_knots_that_are_small_integers():
    made = lm.design([[0, 1, 4], [2, 0, 1], [9, 3, 0]], method="orderable")
    assert made.surrogate.dim == 1
    assert [cell.u for cell in sorted(made.cells, key=lambda cell: cell.prediction)] == [(0,), (1,), (2,)]


@pytest.mark.parametrize("unit", [100, 12_345, 10**9])
def test_squares_have_targets_of_order_one_whatever_the_unit_of_the_costs(unit):
    costs = [[0, 3, 2, 9], [5, 0, 4, 1], [2, 8, 0, 6], [7, 1, 3, 0]]
    for rows in (costs, [[*row, 5] for row in costs]):  # with a decision that costs the same for all: weights, too
        made = lm.design([[unit * x for x in row] for row in rows], method="square")
        targets, weights = made.surrogate.targets
        assert 1 <= (targets**2).mean() ** 0.5 < 2
        assert max(weights) == 1
        assert lm.verify(made.certificate).accepted
