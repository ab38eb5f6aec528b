"""Class weights, calibration and priors: probabilities against frequencies that are counted."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from lightgbm import LGBMClassifier
from refused import refused
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    BaggingClassifier,
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

from lossmith import LossMatrix
from lossmith.errors import UnknownName
from lossmith.learn import ProbabilityPool, SurrogateClassifier, pool
from lossmith.losses import ordinal, zero_one

GENERATOR = np.random.default_rng(0)
GROUP = GENERATOR.permutation(np.repeat(np.arange(4), 250))
X = np.eye(4)[GROUP]
RARE = (GENERATOR.uniform(size=1000) < np.array([0.02, 0.1, 0.2, 0.35])[GROUP]) * 1
NAMED = np.array(["ham", "spam"])[RARE]
LOSS = LossMatrix([[0, 1], [9, 0]], labels=["ham", "spam"])
FREQUENCIES = np.array([[1 - RARE[g == GROUP].mean(), RARE[g == GROUP].mean()] for g in range(4)])
EXACT = {"C": 1e6, "tol": 1e-8, "max_iter": 10_000}


def told(estimator, **settings):
    return SurrogateClassifier(LOSS, "plug-in", estimator, **settings).fit(X, NAMED)


WEIGHTED = {
    "LogisticRegression": LogisticRegression(**EXACT),
    "Pipeline": make_pipeline(StandardScaler(), LogisticRegression(**EXACT)),
    "GridSearchCV": GridSearchCV(LogisticRegression(tol=1e-8, max_iter=10_000), {"C": [1e6]}, cv=2),
    "DecisionTreeClassifier": DecisionTreeClassifier(),
    "RandomForestClassifier": RandomForestClassifier(5, bootstrap=False, random_state=0),
    "ExtraTreesClassifier": ExtraTreesClassifier(5, random_state=0),
}


@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        *product(("LogisticRegression", "DecisionTreeClassifier"), ("balanced", {"ham": 1, "spam": 7}, {"spam": 0.25})),
        ("Pipeline", "balanced"),
        ("GridSearchCV", {"ham": 1, "spam": 7}),
        ("RandomForestClassifier", "balanced"),
        *(
            pytest.param(kind, weights, marks=pytest.mark.exhaustive)
            for kind in ("Pipeline", "GridSearchCV", "RandomForestClassifier", "ExtraTreesClassifier")
            for weights in ("balanced", {"ham": 1, "spam": 7}, {"spam": 0.25})
        ),
    ],
)
def test_class_weights_are_divided_out(kind, weights):
    estimator = WEIGHTED[kind]
    name = next(key for key in estimator.get_params() if key.split("__")[-1] == "class_weight")
    model = told(clone(estimator).set_params(**{name: weights}))
    assert model.predict_proba(np.eye(4)) == pytest.approx(FREQUENCIES, abs=1e-4)
    assert len(model.corrections_) == 1
    assert "class_weight" in model.corrections_[0]
    unweighted = told(estimator)
    assert unweighted.corrections_ == ()
    assert model.predict(X).tolist() == unweighted.predict(X).tolist()


@pytest.mark.parametrize(
    "estimator",
    [
        HistGradientBoostingClassifier(class_weight="balanced", max_iter=300, random_state=0),
        LGBMClassifier(class_weight="balanced", n_estimators=300, verbose=-1, n_jobs=1),
        LGBMClassifier(is_unbalance=True, n_estimators=300, verbose=-1, n_jobs=1),
        LGBMClassifier(scale_pos_weight=5, n_estimators=300, verbose=-1, n_jobs=1),
        XGBClassifier(scale_pos_weight=5, n_estimators=100, reg_lambda=0, n_jobs=1),
    ],
    ids=["hist", "balanced", "is_unbalance", "scale_pos_weight", "xgboost"],
)
def test_boosted_trees_too(estimator):
    loss = LossMatrix(LOSS.entries) if isinstance(estimator, XGBClassifier) else LOSS  # it wants 0 and 1
    model = SurrogateClassifier(loss, "plug-in", estimator).fit(X, RARE if loss is not LOSS else NAMED)
    assert model.predict_proba(np.eye(4)) == pytest.approx(FREQUENCIES, abs=0.01)
    assert len(model.corrections_) == 1


def test_weights_of_examples_stay():
    weights = GENERATOR.uniform(0.1, 3, 1000)
    for kind, settings in ((LogisticRegression, EXACT), (DecisionTreeClassifier, {})):
        estimator = kind(**settings, class_weight="balanced")
        model = SurrogateClassifier(LOSS, "plug-in", estimator).fit(X, NAMED, weights)
        expected = [np.average(RARE[g == GROUP], weights=weights[g == GROUP]) for g in range(4)]
        assert model.predict_proba(np.eye(4))[:, 1] == pytest.approx(expected, abs=1e-3)


def test_one_that_is_fitted_already_is_corrected_with_the_frequencies_it_is_shown():
    fitted = LogisticRegression(**EXACT, class_weight="balanced").fit(X, NAMED)
    assert told(FrozenEstimator(fitted)).predict_proba(np.eye(4)) == pytest.approx(FREQUENCIES, abs=1e-3)


def test_what_is_calibrated_on_unweighted_examples_needs_no_correction():
    inner = LogisticRegression(class_weight="balanced")
    for estimator in (CalibratedClassifierCV(inner), make_pipeline(CalibratedClassifierCV(inner, method="isotonic"))):
        model = told(estimator)
        assert model.corrections_ == ()
        assert model.predict_proba(np.eye(4)) == pytest.approx(FREQUENCIES, abs=0.05)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        assert told(SVC(class_weight="balanced", probability=True)).corrections_ == ()


@pytest.mark.parametrize(
    "estimator",
    [
        BaggingClassifier(LogisticRegression(class_weight="balanced"), n_estimators=3),
        VotingClassifier([("a", LogisticRegression(class_weight="balanced")), ("b", GaussianNB())], voting="soft"),
        SGDClassifier(loss="modified_huber", class_weight="balanced"),
        ProbabilityPool([("a", LogisticRegression(class_weight="balanced")), ("b", GaussianNB())]),
        CalibratedClassifierCV(LogisticRegression(class_weight="balanced"), method="temperature"),
        LogisticRegression(class_weight={"ham": 1, "spam": 0}),
    ],
    ids=lambda each: type(each).__name__,
)
def test_weights_that_cannot_be_divided_out_are_warned_about(estimator):
    with pytest.warns(UserWarning, match="class_weight="):
        model = told(estimator)
    assert model.corrections_ == ()


def test_decide_divides_known_weights_out_and_warns_of_others():
    given = LogisticRegression(**EXACT, class_weight={"ham": 1, "spam": 7}).fit(X, NAMED)
    plain = LogisticRegression(**EXACT).fit(X, NAMED)
    assert LOSS.decide(given, np.eye(4)).tolist() == LOSS.decide(plain, np.eye(4)).tolist()
    assert LOSS.decide(given, np.eye(4)).tolist() == LOSS.decide(FREQUENCIES, classes=LOSS.labels).tolist()
    with pytest.warns(UserWarning, match="class_weight='balanced' of LogisticRegression"):
        LOSS.decide(LogisticRegression(class_weight="balanced").fit(X, NAMED), X)
    ours = told(LogisticRegression(class_weight="balanced"))
    assert LOSS.decide(ours, X).tolist() == ours.predict(X).tolist()  # without a word: they are divided out


def test_balanced_weights_cost_nothing_any_more():
    x = GENERATOR.standard_normal((2000, 3))
    y = np.where(x @ [1, 1, 0] + 1.5 * GENERATOR.logistic(size=2000) > 3.5, "spam", "ham")
    loss = LossMatrix([[0, 1], [5, 0]], labels=["ham", "spam"])
    parts = train_test_split(x, y, random_state=0)

    def cost(decided):
        truth = np.array([loss.labels.index(each) for each in parts[3]])
        return np.mean([float(loss.entries[t][loss.predictions.index(d)]) for t, d in zip(truth, decided, strict=True)])

    usual = LogisticRegression().fit(parts[0], parts[2])
    balanced = LogisticRegression(class_weight="balanced").fit(parts[0], parts[2])
    spoiled = cost(loss.decide(balanced.predict_proba(parts[1]), classes=balanced.classes_))
    corrected = SurrogateClassifier(loss, "plug-in", LogisticRegression(class_weight="balanced"))
    found = cost(corrected.fit(parts[0], parts[2]).predict(parts[1]))
    assert found == pytest.approx(cost(loss.decide(usual, parts[1])), rel=0.1)
    assert spoiled > 1.2 * found


# Calibration.


@pytest.mark.parametrize("method", ["temperature", "isotonic", "sigmoid"])
def test_calibration_makes_frequencies_of_probabilities(method):
    # Two copies of a feature: naive Bayes counts the evidence twice, and is too sure.
    x = GENERATOR.standard_normal((1500, 1))
    y = (x[:, 0] + GENERATOR.logistic(size=1500) > 0) * 1
    twice = np.hstack([x] * 6)
    true = 1 / (1 + np.exp(-x[:, 0]))
    naive = SurrogateClassifier(zero_one(2), "plug-in", GaussianNB()).fit(twice, y).predict_proba(twice)[:, 1]
    model = SurrogateClassifier(zero_one(2), "plug-in", GaussianNB(), calibration=method).fit(twice, y)
    calibrated = model.predict_proba(twice)[:, 1]
    assert abs(calibrated - true).mean() < 0.4 * abs(naive - true).mean()
    assert abs(calibrated - true).mean() < 0.08


def test_calibration_that_makes_no_sense_is_refused():
    with refused("calibration", "'platt'", "'temperature'", "'isotonic'", "'sigmoid'"):
        told(None, calibration="platt")
    with refused("calibration", "'sigmoid'"):
        SurrogateClassifier(LOSS, "square", calibration="sigmoid").fit(X, NAMED)
    with refused("y", "'spam'"):
        SurrogateClassifier(LOSS, "plug-in", calibration="sigmoid").fit(X[:5], ["ham"] * 4 + ["spam"])


# Priors.


def test_priors_of_use_replace_those_of_training():
    new = {"spam": 0.6, "ham": 0.4}
    model = told(LogisticRegression(**EXACT), priors=new)
    # By Bayes' rule from counts: P(group | label) stays, P(label) changes.
    groups = np.array([[(NAMED[g == GROUP] == name).sum() / (name == NAMED).sum() for name in new] for g in range(4)])
    joint = groups * [new[name] for name in new]
    expected = (joint / joint.sum(axis=1, keepdims=True))[:, ::-1]
    assert model.predict_proba(np.eye(4)) == pytest.approx(expected, abs=1e-4)
    assert len(model.corrections_) == 1
    for same in ([0.4, 0.6], np.array([0.4, 0.6]), pd.Series(new)):
        assert told(LogisticRegression(**EXACT), priors=same).predict_proba(np.eye(4)) == pytest.approx(
            expected, abs=1e-4
        )
    weighted = told(LogisticRegression(**EXACT, class_weight="balanced"), priors=new)
    assert weighted.predict_proba(np.eye(4)) == pytest.approx(expected, abs=1e-3)


def test_other_surrogates_weigh_their_examples_by_the_priors():
    ratios = np.where(NAMED == "spam", 0.6 / (NAMED == "spam").mean(), 0.4 / (NAMED == "ham").mean())
    for surrogate in ("square", "orderable"):
        model = SurrogateClassifier(LOSS, surrogate, priors=[0.4, 0.6]).fit(X, NAMED)
        weighted = SurrogateClassifier(LOSS, surrogate).fit(X, NAMED, ratios)
        assert model.scores(X) == pytest.approx(weighted.scores(X))


@pytest.mark.parametrize(
    ("priors", "quoted"),
    [
        ({"ham": 1}, ["'spam'"]),
        ([0.5, 0.6], ["[0.5, 0.6]", 2]),
        ([1.5, -0.5], ["[1.5, -0.5]", 2]),
        ([1.0], ["[1.0]", 2]),
        ("equal", ["'equal'"]),
    ],
)
def test_what_are_no_priors_is_refused(priors, quoted):
    with refused("priors", *quoted):
        told(None, priors=priors)


def test_priors_are_told_by_name():
    with refused("'eggs'", error=UnknownName):
        told(None, priors={"ham": 0.5, "spam": 0.5, "eggs": 0})
    turned = LOSS.restrict(labels=["spam", "ham"])
    with refused("priors", "('spam', 'ham')"):
        SurrogateClassifier(turned, "plug-in", priors=np.array([0.5, 0.5])).fit(X, NAMED)


def test_temperature_of_a_pool_of_ordered_words(linear_members, monkeypatch):
    """Temperature hands the pool codes in place of words; proportional odds need the order of these."""
    monkeypatch.setattr(pool, "FOLDS", 2)
    generator = np.random.default_rng(1)
    scores = generator.standard_normal((150, 1))
    grades = np.digitize(scores[:, 0] + generator.logistic(scale=0.4, size=150), [-0.8, 0.8])
    words = np.array(["low", "mid", "high"])
    by_word = SurrogateClassifier(ordinal(3, labels=words.tolist()), calibration="temperature", random_state=0)
    by_number = SurrogateClassifier(ordinal(3), calibration="temperature", random_state=0)
    P = by_word.fit(scores, words[grades]).predict_proba(scores)[:, [1, 2, 0]]
    assert pytest.approx(by_number.fit(scores, grades).predict_proba(scores), abs=0.05) == P
    for fold in by_word.model_.classifier.calibrated_classifiers_:
        assert fold.estimator.scores_["proportional odds"] < 0.9
