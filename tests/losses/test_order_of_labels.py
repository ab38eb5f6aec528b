"""The order of the labels is never guessed: identical decisions, or a refusal that says what to write."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from lossmith import LossMatrix
from lossmith.answers.using import which
from lossmith.losses import hamming, ordinal, pairwise_disagreement
from lossmith.losses.ordering import is_sorted

F = Fraction
COSTS = {("legit", "pay"): 0, ("legit", "ask"): 1, ("legit", "block"): 5} | {
    ("fraud", "pay"): 100,
    ("fraud", "ask"): 20,
    ("fraud", "block"): 0,
}
DECISIONS = ("pay", "ask", "block")
ORDERS = [("legit", "fraud"), ("fraud", "legit")]
RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((80, 2))
Y = np.where(X[:, 0] + RANDOM.standard_normal(80) > 1.2, "fraud", "legit")
MODEL = LogisticRegression().fit(X, Y)


def fraud(order):
    return LossMatrix([[COSTS[y, t] for t in DECISIONS] for y in order], order, DECISIONS, "fraud")


def by_hand():
    """The decision of least expected cost, from the definition, by the names of the model's classes."""
    found = []
    for row in MODEL.predict_proba(X):
        p = dict(zip(MODEL.classes_, row))
        found.append(min(DECISIONS, key=lambda t: sum(p[y] * COSTS[y, t] for y in p)))
    return found


P = MODEL.predict_proba(X)
WAYS = {
    "model": lambda loss: loss.decide(MODEL, X),
    "classes": lambda loss: loss.decide(P, classes=MODEL.classes_),
    "classes of a list": lambda loss: loss.decide(P.tolist(), classes=list(MODEL.classes_)),
    "other columns": lambda loss: loss.decide(P[:, ::-1], classes=("legit", "fraud")),
    "rows, said so": lambda loss: loss.decide(
        P[:, [list(MODEL.classes_).index(y) for y in loss.labels]], classes=loss.labels
    ),
    "frame": lambda loss: loss.decide(pd.DataFrame(P, columns=MODEL.classes_)),
    "frame, other columns": lambda loss: loss.decide(pd.DataFrame(P, columns=MODEL.classes_)[["legit", "fraud"]]),
    "one by one": lambda loss: np.array([loss.decide(row, classes=MODEL.classes_) for row in P]),
    "series": lambda loss: np.array([loss.decide(pd.Series(row, MODEL.classes_)) for row in P]),
}
BARE = {
    "array": P,
    "list of rows": P.tolist(),
    "one row": P[0],
    "list of one row": P[0].tolist(),
    "frame without names": pd.DataFrame(P),
    "series without names": pd.Series(P[0]),
}


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_that_names_the_labels_decides_the_same(order, way):
    assert WAYS[way](fraud(order)).tolist() == by_hand()
    assert len(set(by_hand())) == 3


@pytest.mark.parametrize("way", BARE)
def test_without_names_only_sorted_rows_are_served(way):
    decided = np.atleast_1d(fraud(("fraud", "legit")).decide(BARE[way])).tolist()
    assert decided == by_hand()[: len(decided)]
    message = refusal(fraud(("legit", "fraud")).decide, BARE[way])
    assert_quotes(message, "('legit', 'fraud')", "decide(model, X)", "decide(P, classes=model.classes_)")


@pytest.mark.parametrize(
    ("labels", "settled"),
    [
        (range(12), True),  # no names at all
        ((1, 0), False),
        ((1, 2, 3), True),
        ((-1, 1), True),
        ((9, 10), False),  # "10" comes before "9"
        (("10", "9"), False),  # 9 comes before 10
        (("00", "01", "10", "11"), True),
        (("1/3", "1/2"), False),
        (("a", "b"), True),
        (("b", "a"), False),
        (("a", "B"), False),
        (("grade 10", "grade 9"), True),  # as text; no numerals
        ((False, True), True),
        ((True, False), False),
        ((0.5, 1.5), True),
    ],
)
def test_an_order_beyond_doubt_is_that_of_text_and_of_numbers(labels, settled):
    assert is_sorted(tuple(labels)) is settled
    size = range(len(labels))
    loss = LossMatrix([[int(y != t) for t in size] for y in size], labels, list(size))
    table = np.eye(loss.n)
    if settled:
        assert loss.decide(table).tolist() == list(range(loss.n))
    else:
        assert_quotes(refusal(loss.decide, table), "P", "decide(P, classes=model.classes_)")
        assert loss.decide(table, classes=labels).tolist() == list(range(loss.n))


@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_what_is_taken_without_names_is_what_sorting_leaves(names):
    assert not is_sorted(tuple(names)) or names == sorted(names)


def test_families_take_bare_arrays():
    for loss in (ordinal(12), hamming(3)):
        assert len(loss.decide(np.eye(loss.n))) == loss.n


class Table:
    """A table that has names and no index, as pyarrow's does."""

    column_names = ("legit", "fraud")

    def __array__(self, dtype=None, copy=None):
        return P[:, ::-1].astype(dtype)


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_tables_of_other_packages_bring_their_names(order):
    assert fraud(order).decide(Table()).tolist() == by_hand()


# Models.


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=2),
        CalibratedClassifierCV(LinearSVC(), cv=2),
        FrozenEstimator(MODEL),
    ],
    ids=["pipeline", "search", "calibrated", "frozen"],
)
def test_any_fitted_classifier_is_asked(model):
    model.fit(X, Y)
    expected = fraud(("fraud", "legit")).decide(model.predict_proba(X)).tolist()
    for order in ORDERS:
        assert fraud(order).decide(model, X).tolist() == expected


def test_integers_and_their_text_are_two_names():
    loss = LossMatrix([[0, 1], [5, 0]], labels=[1, 0])
    y = (Y == "fraud").astype(int)
    fitted = LogisticRegression().fit(X, y)
    assert loss.decide(fitted, X).tolist() == loss.decide(fitted.predict_proba(X), classes=[0, 1]).tolist()
    assert loss.decide(LogisticRegression().fit(X, y.astype(float)), X).tolist() == loss.decide(fitted, X).tolist()
    assert loss.decide(LogisticRegression().fit(X, y.astype(bool)), X).tolist() == loss.decide(fitted, X).tolist()
    assert_quotes(refusal(loss.decide, LogisticRegression().fit(X, y.astype(str)), X), "'0'", "0")


@pytest.mark.parametrize(
    ("call", "quotes"),
    [
        (lambda loss: loss.decide(MODEL), ("decide(model, X)",)),
        (lambda loss: loss.decide(LogisticRegression(), X), ("LogisticRegression()",)),
        (lambda loss: loss.decide(LinearSVC().fit(X, Y), X), ("LinearSVC()", "predict_proba")),
        (lambda loss: loss.decide(MODEL, X, classes=MODEL.classes_), ("decide(model, X)",)),
        (lambda loss: loss.decide(P, X), ("P",)),
        (lambda loss: loss.decide(P, MODEL.classes_), ("decide(P, classes=…)",)),
        (
            lambda loss: loss.decide(MultiOutputClassifier(MODEL).fit(X, np.stack([Y, Y], axis=1)), X),
            ("MultiOutputClassifier", "lm.which(loss, model)", "decide(P, classes=…)"),
        ),
        (
            lambda loss: loss.decide(LogisticRegression().fit(X, Y == "fraud"), X),
            ("(False, True)",),
        ),
        (
            lambda loss: loss.decide(LogisticRegression().fit(X, np.where(Y == "fraud", "fraud", "fine")), X),
            ("'fine'",),
        ),
    ],
)
def test_models_that_do_not_tell_are_refused(call, quotes):
    assert_quotes(refusal(call, fraud(("legit", "fraud"))), *quotes)


@pytest.mark.parametrize("labels", [("fraud", "legit"), ("legit", "fraud")])
def test_a_model_of_codes_is_refused_with_the_line_that_decides(labels):
    """The line decides as a model of the names does; of two lines the second is for codes in sorted order."""
    loss = LossMatrix.from_function(lambda y, t: COSTS[y, t], labels, DECISIONS)
    model = LogisticRegression().fit(X, np.searchsorted(["fraud", "legit"], Y))
    words = refusal(loss.decide, model, X)
    assert_quotes(words, "(0, 1)")
    lines = re.findall(r"loss\.re.*?\.decide\(model, X\)", words)
    assert len(lines) == (1 if labels == ("fraud", "legit") else 2)
    assert eval(lines[-1], {"loss": loss, "model": model, "X": X}).tolist() == loss.decide(MODEL, X).tolist()


def test_a_label_that_the_model_never_saw_is_not_taken_for_impossible():
    three = LossMatrix([[0, 1], [9, 0], [99, 0]], ["legit", "fraud", "attack"], ["pay", "block"])
    message = refusal(three.decide, MODEL, X)
    assert_quotes(message, "'attack'", "('fraud', 'legit')")
    assert "loss.restrict(labels=model.classes_)" in message
    two = LossMatrix([[0, 1], [9, 0]], ["legit", "fraud"], ["pay", "block"])
    assert three.restrict(labels=MODEL.classes_).decide(MODEL, X).tolist() == two.decide(MODEL, X).tolist()


# Exact distributions.


def test_lists_and_tuples_are_in_the_order_of_the_rows_and_arrays_are_not_guessed():
    for order in ORDERS:
        loss, p = fraud(order), {"legit": F(9, 10), "fraud": F(1, 10)}
        expected = tuple(sum(p[y] * COSTS[y, t] for y in p) for t in DECISIONS)
        row = [p[y] for y in order]
        assert loss.risk(row) == loss.risk(tuple(row)) == loss.risk(iter(row)) == expected
        assert loss.risk(pd.Series({"fraud": 0.1, "legit": 0.9})) == expected
        assert loss.bayes_risk(pd.Series({"legit": 0.9, "fraud": 0.1})) == min(expected)
        assert loss.optimal_predictions(row) == (expected.index(min(expected)),)
    array = np.array([0.1, 0.9])
    assert fraud(("fraud", "legit")).risk(array) == expected
    for question in ("risk", "bayes_risk", "optimal_predictions"):
        message = refusal(getattr(fraud(("legit", "fraud")), question), array)
        assert_quotes(message, "('legit', 'fraud')", "tuple(p)")


@pytest.mark.parametrize(
    ("p", "quotes"),
    [
        (np.array(0.5), ("p", "()")),
        (np.array([[[0.1, 0.9]]]), ("P", "('legit', 'fraud')")),
        (np.array([0.1, 0.2, 0.7]), ("3", "2")),
        (pd.Series({"fraud": 0.1, "fine": 0.9}), ("P", "('fraud', 'fine')")),
    ],
)
def test_arrays_that_are_no_distributions_are_refused(p, quotes):
    assert_quotes(refusal(fraud(("legit", "fraud")).risk, p), *quotes)


def test_factors_of_rows_come_by_name_or_in_a_list():
    loss = fraud(("legit", "fraud"))
    assert loss.scale_rows([1, 3]) == loss.scale_rows({"fraud": 3}) == loss.scale_rows(pd.Series({"fraud": 3}))
    assert_quotes(refusal(loss.scale_rows, np.array([3, 1])), "{label: factor}")
    assert_quotes(refusal(loss.shift_rows, np.array([3, 1])), "{label: offset}")
    assert fraud(("fraud", "legit")).scale_rows(np.array([3, 1])).entries[0] == (300, 60, 0)
    assert_quotes(refusal(lambda: list(which(loss, class_weight=np.array([3, 1])))), "('legit', 'fraud')")


def test_rankings_follow_the_same_rule():
    loss = pairwise_disagreement(2)
    p = [F(1, loss.n)] * loss.n
    assert loss.risk(p) == loss.matrix().risk(p)


@given(st.permutations(range(3)), st.permutations(range(3)))
def test_neither_order_matters_to_what_is_decided(rows, columns):
    names, costs = ("x", "y", "z"), [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
    table = np.random.default_rng(1).dirichlet([1, 1, 1], size=20)
    plainly = LossMatrix(costs, names, names).decide(table).tolist()
    mixed = LossMatrix([costs[y] for y in rows], [names[y] for y in rows], names)
    assert mixed.decide(table[:, columns], classes=[names[y] for y in columns]).tolist() == plainly


def test_every_order_of_three_labels_is_sorted_once():
    assert [order for order in permutations(("x", "y", "z")) if is_sorted(order)] == [("x", "y", "z")]
