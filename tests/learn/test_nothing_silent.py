"""What a new user did, and what was silently wrong: each now is right, or refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import refused
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

import lossmith as lm

FRAUD = lm.LossMatrix([[0, 1], [100, 0]], labels=["legit", "fraud"], predictions=["legit", "fraud"])


@pytest.fixture(scope="module")
def cases():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(200, 2))
    return X, (X[:, 0] + generator.normal(size=200) > 1).astype(int)


def test_codes_of_ones_own_are_refused_where_rows_and_sorted_order_differ(cases):
    X, coded = cases
    for fit in (
        lm.learn.SurrogateClassifier(FRAUD, "plug-in").fit,
        BaggingClassifier(lm.learn.SurrogateClassifier(FRAUD, "plug-in"), 2).fit,
    ):
        with refused("(0, 1)", "('legit', 'fraud')", "loss.restrict(labels=sorted(loss.labels))"):
            fit(X, coded)
    in_order = FRAUD.restrict(labels=["fraud", "legit"], predictions=["fraud", "legit"])
    model = lm.learn.SurrogateClassifier(in_order, "plug-in", LogisticRegression())
    names = np.array(["fraud", "legit"])[coded]
    assert (names == "legit").any()
    assert (np.array(["fraud", "legit"])[model.fit(X, coded).predict(X)] == model.fit(X, names).predict(X)).all()


def test_codes_of_an_ensemble_are_those_of_its_classes(cases):
    X, coded = cases
    names = np.array(["legit", "fraud"])[coded]
    model = lm.learn.SurrogateClassifier(FRAUD, "plug-in", LogisticRegression())
    bagged = BaggingClassifier(model, 3, random_state=0).fit(X, names)
    sorted_rows = FRAUD.restrict(labels=["fraud", "legit"], predictions=["fraud", "legit"])
    other = BaggingClassifier(
        lm.learn.SurrogateClassifier(sorted_rows, "plug-in", LogisticRegression()), 3, random_state=0
    )
    assert (bagged.predict(X) == other.fit(X, names).predict(X)).all()


def test_one_label_against_the_rest_is_no_loss_on_those_labels(cases):
    X, coded = cases
    y = np.array(["a", "b", "c"])[coded + (X[:, 1] > 0)]
    loss = lm.LossMatrix([[0, 1], [2, 0]], labels=["rest", "one"])
    with refused("(0, 1)", "('rest', 'one')"):
        OneVsRestClassifier(lm.learn.SurrogateClassifier(loss, "plug-in")).fit(X, y)


def test_numbered_columns_in_another_order_are_names():
    loss = lm.LossMatrix([[0, 1], [100.0, 0]])
    P = pd.DataFrame([[0.98, 0.02], [0.999, 0.001]])
    assert loss.decide(P).tolist() == loss.decide(P[[1, 0]]).tolist() == loss.decide(P.iloc[:, ::-1]).tolist() == [1, 0]
    first = P.iloc[0]
    assert loss.risk(first) == loss.risk(first[::-1])
    with refused(5, 6):
        loss.decide(P.set_axis(range(5, 7), axis=1))


def test_columns_that_are_named_and_classes_that_say_otherwise_are_refused():
    P = pd.DataFrame([[0.1, 0.9]], columns=["fraud", "legit"])
    assert FRAUD.decide(P, classes=["fraud", "legit"]).tolist() == FRAUD.decide(P).tolist()
    with refused("classes"):
        FRAUD.decide(P, classes=["legit", "fraud"])


def test_scores_in_a_frame_are_read_by_name():
    loss = lm.losses.zero_one(3).restrict()
    loss = lm.LossMatrix(loss.entries, labels=["w", "a", "m"], predictions=["w", "a", "m"])
    verdict = lm.check(lm.surrogates.softmax(3), loss, pred="argmax")
    U = pd.DataFrame([[3.0, 1, 0], [0, 0, 2]], columns=["a", "m", "w"])
    assert verdict.decide(U).tolist() == verdict.decide(U[["w", "a", "m"]]).tolist() == ["a", "w"]
    with refused("classes"):
        verdict.decide(U, classes=["w", "a", "m"])


def test_probabilities_of_all_labels_but_the_last_need_an_order_too():
    loss = lm.LossMatrix(lm.losses.zero_one(3).entries, labels=["w", "a", "m"], predictions=["w", "a", "m"])
    verdict = lm.check(lm.surrogates.class_probability(3), loss)
    with refused("('w', 'a', 'm')"):
        verdict.decide([[0.2, 0.7]])
    assert verdict.decide([[0.2, 0.7]], classes=["w", "a", "m"]).tolist() == ["a"]


def line(loss, estimator="LogisticRegression"):
    return next(iter(lm.which(loss, estimator)))


def test_what_a_classifier_says_is_a_label_by_name():
    permuted = lm.LossMatrix([[1, 0], [0, 1]], labels=["legit", "fraud"], predictions=["fraud", "legit"])
    assert line(permuted).verdict.status == "calibrated"
    swapped = lm.LossMatrix([[0, 1], [1, 0]], labels=["legit", "fraud"], predictions=["fraud", "legit"])
    assert line(swapped).verdict.status == "not calibrated"
    others = lm.LossMatrix([[0, 1], [1, 0]], labels=["well", "ill"], predictions=["wait", "treat"])
    assert line(others).verdict is None
    assert lm.which(others, "LogisticRegression").note
