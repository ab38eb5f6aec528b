"""Expected losses and decisions, against their definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal

from lossmith import LossMatrix
from strategies import distributions, loss_rows

F = Fraction
TRIAGE = LossMatrix(
    [[0, 1, 4], [2, 0, 1], [9, 3, 0]], labels=["mild", "moderate", "severe"], predictions=["home", "ward", "icu"]
)
P = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])


@st.composite
def losses_and_distributions(draw) -> tuple[LossMatrix, tuple[Fraction, ...]]:
    loss = LossMatrix(draw(loss_rows()))
    return loss, draw(distributions(loss.n))


# Exactly.


@given(losses_and_distributions())
def test_risk_is_the_expected_loss(case):
    loss, p = case
    expected = [sum(p[y] * loss.entries[y][t] for y in range(loss.n)) for t in range(loss.k)]
    assert list(loss.risk(p)) == expected
    assert loss.bayes_risk(p) == min(expected)
    assert loss.optimal_predictions(p) == tuple(t for t in range(loss.k) if expected[t] == min(expected))
    assert all(loss.column(t) == tuple(row[t] for row in loss.entries) for t in range(loss.k))


def test_probabilities_mean_what_they_say():
    coin = LossMatrix([[0, 1], [1, 0]])
    for p in ([0.5, 0.5], ["1/2", "0.5"], np.array([0.5, 0.5], dtype=np.float32), (F(1, 2), F(1, 2)), iter([0.5, 0.5])):
        assert coin.optimal_predictions(p) == (0, 1)
    assert LossMatrix([[0, 1]] * 10).risk([0.1] * 10) == (0, 1)


def test_a_mapping_names_the_labels_and_what_it_leaves_out_cannot_be():
    p = {"severe": "1/4", "mild": "3/4"}
    for question in (TRIAGE.risk, TRIAGE.bayes_risk, TRIAGE.optimal_predictions):
        assert question(p) == question(["3/4", 0, "1/4"])


@pytest.mark.parametrize(
    ("p", "quotes"),
    [
        ([0.5, 0.5], ("p", "(1/2, 1/2)", "2", "3")),
        ([0.5, 0.5, 0.1], ("11/10", "1")),
        ([1 / 3, 1 / 3, 1 / 3], ("'1/3'", "decide(P)")),
        (["3/2", "-1/2", 0], ("(3/2, -1/2, 0)",)),
        ([0, "x", 1], ("1", "'x'")),
        ([0, None, 1], ("1",)),
        ([0, float("nan"), 1], ("1", "nan")),
        ("100", ("p", "'100'")),
        (None, ("p", "None")),
        ({"mild": "1/2"}, ("p", "(1/2, 0, 0)", "1/2", "1")),
        ({"milde": 1}, ("'milde'", "'mild'")),
    ],
)
def test_what_is_no_distribution_is_refused(p, quotes):
    for question in (TRIAGE.risk, TRIAGE.bayes_risk, TRIAGE.optimal_predictions):
        assert_quotes(refusal(question, p), *quotes)


# In floats.


@given(losses_and_distributions())
def test_decide_agrees_with_the_exact_optimum_away_from_ties(case):
    loss, p = case
    first, *others = sorted(loss.risk(p))
    assume(not others or others[0] - first > F(1, 10**6))
    assert loss.decide([float(x) for x in p]) == loss.optimal_predictions(p)[0]
    assert loss.decide([[float(x) for x in p]] * 2).tolist() == [loss.optimal_predictions(p)[0]] * 2


@pytest.mark.parametrize("unit", [F(1, 10**400), F(1, 7), F(10**400), F(10**3999)])
def test_what_is_decided_does_not_depend_on_the_unit(unit):
    scaled = LossMatrix([[unit * entry for entry in row] for row in TRIAGE.entries], TRIAGE.labels, TRIAGE.predictions)
    assert scaled.decide(P).tolist() == TRIAGE.decide(P).tolist() == ["home", "ward", "icu"]


def test_ties_go_to_the_first_prediction():
    loss = LossMatrix([["1/10", "1/10", 0], ["3/10", "3/10", 1]], predictions=["b", "a", "c"])
    assert loss.decide([[0.5, 0.5], [0.1, 0.9], [1, 0]]).tolist() == ["b", "b", "c"]


@pytest.mark.parametrize(
    "batch",
    [
        P,
        P.tolist(),
        tuple(map(tuple, P)),
        P.astype(np.float32),
        P.astype(object),
        pd.DataFrame(P),
        np.asfortranarray(P),
    ],
)
def test_a_batch_may_come_in_any_container(batch):
    decisions = TRIAGE.decide(batch)
    assert isinstance(decisions, np.ndarray)
    assert decisions.tolist() == ["home", "ward", "icu"]


@pytest.mark.parametrize("row", [P[0], P[0].tolist(), tuple(P[0]), pd.DataFrame(P).iloc[0]])
def test_a_single_row_gives_a_single_decision(row):
    decision = TRIAGE.decide(row)
    assert decision == "home"
    assert type(decision) is str


def test_an_empty_batch_gives_no_decisions():
    assert TRIAGE.decide(np.zeros((0, 3))).shape == (0,)
    assert TRIAGE.decide(pd.DataFrame(columns=["severe", "mild", "moderate"])).shape == (0,)


def test_classes_say_in_which_order_the_columns_come():
    for order in ([2, 0, 1], [1, 0, 2], [0, 1, 2]):
        classes = [TRIAGE.labels[y] for y in order]
        for given_as in (classes, tuple(classes), np.array(classes), np.array(classes, dtype=object)):
            assert TRIAGE.decide(P[:, order], classes=given_as).tolist() == ["home", "ward", "icu"]
    by_number = LossMatrix(TRIAGE.entries, labels=[10, 20, 30])
    assert by_number.decide(P[:, ::-1], classes=np.array([30, 20, 10])).tolist() == [10, 20, 30]


def test_a_data_frame_says_so_by_its_column_names():
    frame = pd.DataFrame(P, columns=list(TRIAGE.labels))
    shuffled = frame[["severe", "mild", "moderate"]]
    assert TRIAGE.decide(shuffled).tolist() == ["home", "ward", "icu"]
    assert TRIAGE.decide(shuffled.iloc[2]) == "icu"
    backwards = LossMatrix(TRIAGE.entries, labels=[2, 1, 0])
    assert backwards.decide(pd.DataFrame(P[:, ::-1], columns=[0, 1, 2])).tolist() == [2, 1, 0]
    assert_quotes(refusal(backwards.decide, pd.DataFrame(P[:, ::-1])), "P", "(2, 1, 0)")
    assert TRIAGE.decide(pd.DataFrame(P[:, ::-1], columns=["a", "b", "c"]), classes=TRIAGE.labels[::-1])[0] == "home"


def test_a_data_frame_with_other_names_is_not_taken_by_position():
    message = refusal(TRIAGE.decide, pd.DataFrame(P, columns=["severe", "moderate", "mld"]))
    assert_quotes(message, "P", "('severe', 'moderate', 'mld')", "('mild', 'moderate', 'severe')")
    by_number = LossMatrix(TRIAGE.entries)
    assert_quotes(refusal(by_number.decide, pd.DataFrame(P, columns=["2", "1", "0"])), "P", "('2', '1', '0')")
    assert_quotes(refusal(TRIAGE.decide, pd.Series(P[0], index=["a", "b", "c"])), "P", "('a', 'b', 'c')")


@pytest.mark.parametrize(
    ("predictions", "dtype"),
    [
        (["home", "icu"], np.dtype("<U4")),
        ([3, 5], np.dtype(int)),
        ([False, True], np.dtype(bool)),
        ([0, "abstain"], np.dtype(object)),
        ([(0, 1), (1, 2)], np.dtype(object)),
        ([1.5, 2.5], np.dtype(object)),
        ([2**70, 2**71], np.dtype(object)),
    ],
)
def test_decisions_come_back_as_the_names_they_are(predictions, dtype):
    decisions = LossMatrix([[0, 1], [1, 0]], predictions=predictions).decide([[1, 0], [0, 1]])
    assert decisions.dtype == dtype
    assert decisions.tolist() == predictions
    assert LossMatrix([[0, 1], [1, 0]], predictions=predictions).decide([0, 1]) == predictions[1]


@pytest.mark.parametrize(
    ("batch", "quotes"),
    [
        (P[:, :2], ("P", "(3, 2)", "3", "('mild', 'moderate', 'severe')")),
        (P[0, :2], ("P", "(2,)")),
        (P[None], ("P", "(1, 3, 3)")),
        (0.5, ("P", "()")),
        ([], ("P", "(0,)")),
        ([[0, 0, 1], [0.2, 0.3, np.nan]], ("1", "(0.2, 0.3, nan)", "0")),
        ([[0.2, 0.3, 0.5], [-0.2, 0.7, 0.5]], ("1", "(-0.2, 0.7, 0.5)")),
        ([[0.2, 0.3, 0.4]], ("0", "(0.2, 0.3, 0.4)")),
        ([[np.inf, 0, 0]], ("0", "(inf, 0.0, 0.0)")),
        ([80, 10, 10], ("0", "(80.0, 10.0, 10.0)")),
        ([["a", 0, 1]], ("P",)),
        ([[0.5, 0.5], [1]], ("P",)),
        ("mild", ("P",)),
        (None, ("P", "()")),
    ],
)
def test_what_are_no_probabilities_is_refused(batch, quotes):
    assert_quotes(refusal(TRIAGE.decide, batch), *quotes)


@pytest.mark.parametrize(
    ("classes", "quotes"),
    [
        (["mild", "moderate"], ("'severe'", "('mild', 'moderate')")),
        (["mild", "mild", "severe"], ("('mild', 'moderate', 'severe')",)),
        (["mild", "moderate", "severe", "mild"], ("('mild', 'moderate', 'severe', 'mild')",)),
        (["mild", "moderate", "sever"], ("'sever'", "'severe'")),
    ],
)
def test_classes_that_are_not_the_labels_are_refused(classes, quotes):
    assert_quotes(refusal(TRIAGE.decide, P, classes=classes), *quotes)


def test_rounded_probabilities_are_good_enough_to_decide():
    assert TRIAGE.decide([0.333, 0.333, 0.334]) == "ward"
    assert TRIAGE.decide(np.float32([1 / 3, 1 / 3, 1 / 3])) == "ward"


def test_every_tie_of_small_integers_is_broken_by_order():
    for a, b in product(range(4), repeat=2):
        loss = LossMatrix([[a, b], [b, a]])
        assert loss.decide([0.5, 0.5]) == 0
