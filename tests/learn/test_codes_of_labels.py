"""Names, or codes where nothing else can be meant; never a silent permutation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import refused
from sklearn.ensemble import BaggingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge

import lossmith as lm
from lossmith.errors import UnknownName
from lossmith.learn import SurrogateClassifier
from lossmith.losses import hamming, zero_one

X = np.random.default_rng(0).standard_normal((60, 2))
PLACES = np.digitize(X[:, 0], [-0.4, 0.4])


def zero_one_on(labels, decisions=None):
    return lm.LossMatrix.from_function(lambda y, t: int(y != t), labels, decisions, "costs")


WORDS = zero_one_on(["legit", "fraud", "dispute"], ["fraud", "dispute", "legit"])
IN_ORDER = WORDS.restrict(labels=sorted(WORDS.labels))  # codes are numbers of rows as well
NAMED = np.array(["dispute", "fraud", "legit"])[PLACES]


@pytest.mark.parametrize("surrogate", ["plug-in", "square"])
def test_codes_are_what_unique_makes_of_the_names(surrogate):
    names, codes = np.unique(NAMED, return_inverse=True)
    by_name = SurrogateClassifier(WORDS, surrogate).fit(X, NAMED)
    by_code = SurrogateClassifier(IN_ORDER, surrogate).fit(X, codes)

    assert by_code.classes_.tolist() == [0, 1, 2]
    assert by_code.decisions_.tolist() == [1, 0, 2]
    assert names[by_code.predict(X)].tolist() == by_name.predict(X).tolist()
    assert by_code.score(X, codes) == by_code.score(X, NAMED) == by_name.score(X, NAMED)
    assert by_code.decision_function(X) == pytest.approx(by_name.decision_function(X), abs=1e-6)
    with refused("(0, 1, 2)", "costs", "('legit', 'fraud', 'dispute')", "loss.restrict(labels=sorted(loss.labels))"):
        SurrogateClassifier(WORDS, surrogate).fit(X, codes)


@pytest.mark.parametrize("surrogate", ["plug-in", "square"])
@pytest.mark.parametrize("labels", [("m", "z", "a"), ("z", "a", "m")], ids=" ".join)
def test_an_ensemble_decides_right_whatever_the_order_of_the_labels(surrogate, labels):
    """An ensemble hands on places in sorted order: neither those of the rows nor those that lead back."""
    y, plain = np.array(labels)[PLACES], np.eye(3)[PLACES] + 0.1 * X[:, :1]
    bagged = BaggingClassifier(SurrogateClassifier(zero_one_on(labels, labels), surrogate), 3, random_state=0)

    assert bagged.fit(plain, y).predict(plain).tolist() == y.tolist()


def test_a_code_may_be_missing_but_not_the_last():
    codes = np.unique(NAMED, return_inverse=True)[1]
    with pytest.warns(UserWarning, match=r"'fraud' .*\b1\b.*\b3\b"):
        model = SurrogateClassifier(IN_ORDER, "plug-in").fit(X[codes != 1], codes[codes != 1])
    assert model.classes_.tolist() == [0, 1, 2]
    assert not model.predict_proba(X)[:, 1].any()
    with refused("(0, 1)", "costs", "('legit', 'fraud', 'dispute')"):
        SurrogateClassifier(WORDS, "plug-in").fit(X[codes < 2], codes[codes < 2])


@pytest.mark.parametrize(
    ("labels", "y"),
    [
        ([1, 2, 3], [1, 2]),  # two labels, or the codes of 2 and 3
        (["1", "2", "3"], [1, 2]),
        ([3, 1, 2], [1, 2]),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4]),
    ],
)
def test_integers_that_may_be_labels_or_codes_are_refused(labels, y):
    with refused("costs", y[0], y[-1]):
        SurrogateClassifier(zero_one_on(labels), "plug-in").fit(X[: 12 * len(y)], np.repeat(y, 12))


@pytest.mark.parametrize(
    ("labels", "names"), [([2, 0, 1], [0, 1, 2]), ([1, 2, 3], [1, 2, 3]), ([30, 10, 20], [10, 20, 30])]
)
def test_integers_that_are_labels_are_labels(labels, names):
    y = np.array(names)[PLACES]
    model = SurrogateClassifier(zero_one_on(labels), "plug-in").fit(X, y)
    assert model.classes_.tolist() == names
    assert model.predict(X).tolist() == LogisticRegression(max_iter=1000).fit(X, y).predict(X).tolist()


def test_codes_of_numbers_are_codes_where_they_are_no_labels():
    model = SurrogateClassifier(zero_one_on([1, 2, 3]), "plug-in").fit(X, PLACES)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict(X).tolist() == LogisticRegression(max_iter=1000).fit(X, PLACES).predict(X).tolist()


@pytest.mark.parametrize("y", [PLACES + 1, PLACES - 1, PLACES.astype(float), PLACES > 0, PLACES.astype(str)])
def test_what_is_neither_name_nor_code_is_refused(y):
    with refused("costs", "'legit'", error=UnknownName):
        SurrogateClassifier(WORDS, "plug-in").fit(X, y)


def test_the_last_code_of_tags_is_enough():
    y = np.array([0, 3] * 30)
    with pytest.warns(UserWarning, match=r"('10', '01'|'01', '10') .*\b2\b.*\b4\b"):
        model = SurrogateClassifier(hamming(2), "plug-in").fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2, 3]


# What does not fit.


@pytest.mark.parametrize(
    ("missing", "shown"), [(None, "None"), (float("nan"), "nan"), (np.nan, "nan"), (pd.NA, "<NA>")], ids=repr
)
def test_a_missing_label_is_called_by_its_name(missing, shown):
    y = np.array([*NAMED[:-1], missing], dtype=object)
    for loss in (WORDS, None):
        with refused("y[59]", shown):
            SurrogateClassifier(loss, "plug-in").fit(X, y)
    with refused("y[59]", shown):
        SurrogateClassifier(WORDS, "plug-in").fit(X, NAMED).score(X, y)


def test_numbers_without_a_value_are_missing_labels_too():
    y = np.where(PLACES[0] == PLACES, np.nan, 1)
    with refused("y[0]", "nan"):
        SurrogateClassifier(zero_one(3), "square", Ridge()).fit(X, y)


def test_an_indicator_matrix_is_no_label():
    with refused("y", "(60, 3)", "SubsetClassifier"):
        SurrogateClassifier(hamming(3)).fit(X, np.eye(3, dtype=int)[PLACES])
    with refused("y", None):
        SurrogateClassifier(WORDS, estimator=LogisticRegression()).fit(X, None)


@pytest.mark.parametrize("estimator", [LogisticRegression(), FrozenEstimator(LogisticRegression())])
def test_a_classifier_where_a_regressor_is_needed(estimator):
    with refused(repr(estimator), 'surrogate="plug-in"'):
        SurrogateClassifier(WORDS, "square", estimator).fit(X, NAMED)
    with refused(repr(estimator)):
        SurrogateClassifier(WORDS, lm.design(WORDS, method="square"), estimator).fit(X, NAMED)


def test_a_regressor_where_a_classifier_is_needed():
    with refused("Ridge()", "predict_proba"):
        SurrogateClassifier(WORDS, "plug-in", Ridge()).fit(X, NAMED)


def test_a_plug_in_has_probabilities_and_no_scores():
    with refused("predict_proba"):
        SurrogateClassifier(WORDS, "plug-in").fit(X, NAMED).scores(X)
    assert SurrogateClassifier(WORDS, "square").fit(X, NAMED).scores(X).shape == (60, 2)


@pytest.mark.parametrize("surrogate", ["plug-in", "square"])
@pytest.mark.parametrize("labels", [(0, 1, 2), (7, 3, 5), (True, False)])
def test_numbers_among_objects_are_the_labels_that_they_are(surrogate, labels):
    """A column of objects is what a table from several sources has; scikit-learn knows no type of target for it."""
    y = np.array(labels)[PLACES % len(labels)]
    for loss in (zero_one_on(labels), None):
        told = SurrogateClassifier(loss, surrogate).fit(X, y.astype(object)).predict(X)
        assert told.tolist() == SurrogateClassifier(loss, surrogate).fit(X, y).predict(X).tolist()
