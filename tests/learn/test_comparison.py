"""What ways to decide cost, counted again by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import lacking, refused
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import StratifiedKFold

from lossmith import ExampleCosts, LossMatrix
from lossmith.errors import UnknownName
from lossmith.learn import SurrogateClassifier, compare
from lossmith.learn.practices import tuned_threshold

GENERATOR = np.random.default_rng(0)
X = GENERATOR.standard_normal((120, 2))  # the pool is logistic regression alone
LOSS = LossMatrix(
    [[0, 1, 4], [10, 3, 1], [60, 35, 12]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward"],
    name="triage",
)
TABLE = np.array(LOSS.entries, dtype=float)
Y = np.digitize(X[:, 0] + GENERATOR.standard_normal(120), [0, 1.5])
NAMES = np.array(LOSS.labels)[Y]
MODEL = LogisticRegression()


def out_of_fold(decide, cv=3):
    """What was paid when `decide(fitted, X)`, in indices, is asked about each fold."""
    paid = np.empty(len(Y))
    for train, test in StratifiedKFold(cv, shuffle=True, random_state=0).split(X, Y):
        fitted = clone(MODEL).fit(X[train], Y[train])
        paid[test] = TABLE[Y[test], decide(fitted, X[test], Y[train])]
    return paid


def test_each_practice_pays_what_it_pays():
    found = compare(LOSS, {"LR": MODEL, "mine": SurrogateClassifier(LOSS, "plug-in")}, X, NAMES, cv=3)
    argmax = out_of_fold(lambda model, new, _: TABLE[model.predict(new)].argmin(axis=1))
    plugged = out_of_fold(lambda model, new, _: (model.predict_proba(new) @ TABLE).argmin(axis=1))
    constant = out_of_fold(lambda _, new, y: np.full(len(new), TABLE[y].mean(axis=0).argmin()))
    assert found["LR, argmax"].paid == pytest.approx(argmax)
    assert found["LR, plug-in"].paid == pytest.approx(plugged)
    assert found["mine"].paid == pytest.approx(plugged)
    assert found["one decision for all"].paid == pytest.approx(constant)
    assert {each.name for each in found.practices} == {
        *("LR, argmax", "LR, plug-in", "mine", "one decision for all", "pool, plug-in")
    }
    assert found.oracle == pytest.approx(TABLE.min(axis=1)[Y].mean())
    means = [each.mean for each in found.practices]
    assert means == sorted(means)
    assert found.at_most == pytest.approx(means[0] - found.oracle)


def test_intervals_are_those_of_paired_differences():
    found = compare(LOSS, MODEL, X, NAMES, cv=3)
    one, other = found["LogisticRegression, argmax"].paid, found["LogisticRegression, plug-in"].paid
    more, width = found.difference("LogisticRegression, argmax", "LogisticRegression, plug-in")
    apart = [a - b for a, b in zip(one, other, strict=True)]
    mean = sum(apart) / 120
    assert more == pytest.approx(mean)
    assert width == pytest.approx(1.96 * (sum((each - mean) ** 2 for each in apart) / 119 / 120) ** 0.5)
    assert found.difference("LogisticRegression, plug-in", "LogisticRegression, plug-in") == (0, 0)


def test_it_prints_a_table():
    found = compare(LOSS, None, X, NAMES, cv=2)
    text = str(found)
    lines = text.splitlines()
    assert lacking(lines[0], "triage", 120, "2 folds") == []
    rows = {line.partition("  ")[0]: line.split("  ", 1)[1].split()[0] for line in lines if "  " in line.strip()}
    for each in found.practices:
        assert float(rows[each.name]) == pytest.approx(each.mean, rel=0.005)
    assert any(lacking(line, f"{found.oracle:#.3g}") == [] for line in lines)
    assert any(lacking(line, f"{found.at_most:#.3g}") == [] for line in lines)
    assert "'ward'" in text  # the one decision for all
    assert "e-" not in text


def test_held_out_examples_are_decided_by_one_model():
    found = compare(LOSS, {"LR": MODEL}, X[:80], NAMES[:80], held_out=(X[80:], NAMES[80:]))
    fitted = clone(MODEL).fit(X[:80], Y[:80])
    decided = (fitted.predict_proba(X[80:]) @ TABLE).argmin(axis=1)
    assert found["LR, plug-in"].paid == pytest.approx(TABLE[Y[80:], decided])
    assert lacking(found.how, 40, 80) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_tuned_threshold_is_the_cheapest_of_all(seed):
    generator = np.random.default_rng(seed)
    P, truth = generator.integers(0, 8, 30) / 8, generator.integers(0, 2, 30)
    costs = generator.uniform(0, 5, (30, 2, 3)) + 9 * np.array([[0, 1, 1], [1, 1, 0]])
    low, high, threshold = tuned_threshold(P, truth, costs)
    assert (low, high) == (0, 2)

    def total(cut):
        return sum(costs[i, truth[i], high if P[i] > cut else low] for i in range(30))

    assert total(threshold) == pytest.approx(min(total(cut) for cut in [-1, *P, *(P + 1e-9)]))


def test_two_labels_have_a_tuned_threshold():
    y = (Y > 0) * 1
    found = compare([[0, 1], [5, 0]], {"LR": MODEL}, X, y, cv=2)
    paid = found["LR, tuned threshold"].paid
    assert set(paid) <= {0, 1, 5}
    assert paid.mean() < found["LR, argmax"].mean


def test_costs_per_example_are_paid_by_everyone():
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(amount=GENERATOR.uniform(1, 50, 120))
    y = np.where(Y > 1, "fraud", "legit")
    costs = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
    turned = LossMatrix([[5, 1], [5, 0]], labels=["fraud", "legit"], predictions=["review", "pay"])
    models = {"mine": SurrogateClassifier(turned, "plug-in"), "square": SurrogateClassifier(turned, "square")}
    models["LR"] = MODEL
    found = compare(costs, models, frame, y, cv=2)
    for train, test in StratifiedKFold(2, shuffle=True, random_state=0).split(X, y == "fraud"):
        model = clone(MODEL).fit(frame.iloc[train], y[train])
        amount = frame["amount"].to_numpy()[test]
        review = model.predict_proba(frame.iloc[test])[:, 0] * amount > 5
        assert found["LR, plug-in"].paid[test] == pytest.approx(np.where(review, 5, (y[test] == "fraud") * amount))
        feared = (model.predict(frame.iloc[test]) == "fraud") & (amount > 5)
        assert found["LR, argmax"].paid[test] == pytest.approx(np.where(feared, 5, (y[test] == "fraud") * amount))
    assert found["mine"].paid == pytest.approx(found["LR, plug-in"].paid)
    assert found["square"].mean < found["one decision for all"].mean
    again = compare(turned, models, frame, y, cv=2, costs=costs)
    assert again["square"].paid == pytest.approx(found["square"].paid)
    assert found.oracle == pytest.approx(np.minimum(frame["amount"], 5)[y == "fraud"].sum() / 120)


def test_costs_that_are_the_same_for_all_replace_those_of_the_loss():
    other = LossMatrix(TABLE[:, ::-1] * 2, LOSS.labels, LOSS.predictions)
    told = compare(LOSS, {"mine": SurrogateClassifier(LOSS, "plug-in")}, X, NAMES, cv=2, costs=other)
    alone = compare(other, {"mine": SurrogateClassifier(other, "plug-in")}, X, NAMES, cv=2)
    assert told["mine"].paid == pytest.approx(alone["mine"].paid)


def test_a_threshold_that_cannot_be_tuned_in_every_fold_is_left_out():
    y = np.zeros(120, dtype=int)
    y[:5] = 1  # two folds leave three and two of them to train on
    found = compare([[0, 1], [5, 0]], {"LR": MODEL}, X, y, cv=2)
    assert not any("tuned" in each.name for each in found.practices)
    assert not any(np.isnan(each.mean) for each in found.practices)


def test_models_that_decide_or_that_are_fitted_are_taken_as_they_are():
    fitted = LogisticRegression().fit(X, NAMES)
    homely = DummyClassifier(strategy="constant", constant="mild")
    models = {"ridge": RidgeClassifier(), "fitted": FrozenEstimator(fitted), "mild": homely}
    found = compare(LOSS, models, X, NAMES, cv=2)
    assert found["mild, argmax"].paid == pytest.approx(TABLE[Y, 0])
    told = [LOSS.labels.index(name) for name in fitted.predict(X)]
    assert found["fitted, argmax"].paid == pytest.approx(TABLE[Y, TABLE[told].argmin(axis=1)])
    assert found["ridge"].paid.shape == (120,)


def test_features_that_are_no_numbers_leave_out_the_pool():
    frame = pd.DataFrame({"a": X[:, 0], "b": ["x", "y"] * 60})
    found = compare(LOSS, {"nothing": DummyClassifier()}, frame, NAMES, cv=2)
    assert {each.name for each in found.practices} == {"nothing, argmax", "nothing, plug-in", "one decision for all"}
    assert len(found.notes) == 2  # that for all is one, this the other
    with refused("triage", "'pool'", error=UnknownName):
        found["pool"]


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        ({"models": {"LR": LogisticRegression}}, ["'LR'", repr(LogisticRegression)]),
        ({"models": 3}, ["'int'", 3]),
        ({"X": np.where(X > 2, np.nan, X)}, ["X", "NaN"]),
        ({"cv": 1}, ["cv", 1]),
        ({"cv": 100}, [100, "cv=100"]),
        ({"held_out": (X,)}, ["held_out", 1]),
        ({"y": NAMES[:9]}, ["X", 120, "y", 9]),
        ({"models": {"bad": DummyClassifier(strategy="constant", constant=7)}, "y": Y}, ["triage", "'mild'"]),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments, quoted):
    arguments = {"models": None, "X": X, "y": NAMES, **arguments}
    with refused(*quoted):
        compare(LOSS, **arguments)
