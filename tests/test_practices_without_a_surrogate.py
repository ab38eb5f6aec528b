"""Estimators that minimise no surrogate have no verdict; objectives that nobody knows are refused, ours are known."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, RadiusNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import lossmith as lm
from command import lossmith
from lossmith.answers.practice import PRACTICES
from lossmith.answers.using import CONDITION
from lossmith.boosting import lightgbm_objective, xgboost_objective
from lossmith.errors import BadInput
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import one_vs_all_logistic, softmax
from lossmith.sweeping.store import Store

COSTS = lm.LossMatrix([[0, 1], [5, 0]])
WITHOUT = [
    *(KNeighborsClassifier, RadiusNeighborsClassifier, GaussianNB, MultinomialNB, BernoulliNB, ComplementNB),
    *(CategoricalNB, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, DecisionTreeClassifier),
    *(ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier, BaggingClassifier, CalibratedClassifierCV),
]


class Model:
    """A model as those of scikit-learn tell what they are."""

    def __init__(self, **parameters):
        self.parameters = parameters

    def get_params(self, deep=True):
        return self.parameters


class LGBMClassifier(Model):
    pass


class XGBClassifier(Model):
    pass


class XGBRFClassifier(XGBClassifier):
    pass


class CatBoostClassifier(Model):
    pass


def own(labels, scores):
    return scores - labels, scores


def trains(model):
    return [line.practice.trains for line in lm.which(zero_one(3), model)]


@pytest.mark.parametrize(
    "model",
    [
        *(kind() for kind in WITHOUT),
        make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
        CalibratedClassifierCV(LogisticRegression()),
        XGBRFClassifier(objective="binary:logistic"),
        LGBMClassifier(objective=None, boosting_type="rf"),
    ],
    ids=lambda model: re.sub(r"\W+", " ", str(type(model).__name__)),
)
@pytest.mark.parametrize("loss", [zero_one(3), COSTS], ids=["0-1", "costs"])
def test_what_minimises_no_surrogate_has_no_verdict(model, loss):
    found = lm.which(loss, model)
    [line] = found
    assert (line.status, line.verdict, line.keep, line.price) == ("no verdict", None, None, None)
    assert line.to_dict()["status"] == "no verdict"
    assert all(name in line.advice for name in ("lm.learn.reliability", "CalibratedClassifierCV", "lm.learn.compare"))
    assert "loss.decide" not in line.advice
    assert found.condition == ""
    assert CONDITION not in str(found)


def test_only_what_has_a_surrogate_has_a_verdict():
    for line in lm.which(zero_one(3)):
        assert (line.status == "no verdict") == (line.practice.surrogate is None)
        assert line.practice.surrogate is None or line.surrogate
    assert sum(each.surrogate is None for each in PRACTICES) == 1


@pytest.mark.parametrize("arguments", [("zero-one:n=3",), ("zero-one:n=3", "--estimator", "softmax")])
def test_the_condition_of_all_verdicts_is_printed_once(arguments):
    printed = lossmith("which", *arguments).stdout
    assert printed.count(CONDITION) == ("--estimator" not in arguments or "calibrated" in printed)


def test_the_condition_goes_with_what_is_kept_and_with_nothing_else():
    assert lm.which(zero_one(3), "CrossEntropyLoss").condition == CONDITION
    assert lm.which(COSTS, "CrossEntropyLoss").condition == CONDITION  # kept, and decided otherwise
    assert lm.which(zero_one(3), "MultiMarginLoss").condition == ""
    assert str(lm.which(zero_one(3))).count(CONDITION) == 1
    assert lm.which(zero_one(3), "GaussianNB").to_dict()["condition"] == ""


def test_a_store_holds_that_there_is_no_verdict():
    with Store() as store:
        first, second = (lm.which(COSTS, "GaussianNB", store=store) for _ in range(2))
    assert str(first) == str(second)
    assert [line.status for line in second] == ["no verdict"]


# Objectives.


@pytest.mark.parametrize(
    ("model", "quoted"),
    [
        (LGBMClassifier(objective=own), ("objective=own", "'multiclass'", "lm.boosting")),
        (XGBClassifier(objective=own), ("objective=own", "'multi:softprob'", "lm.boosting")),
        (LGBMClassifier(objective="cross_entropy"), ("objective='cross_entropy'",)),
        (XGBClassifier(objective="binary:hinge"), ("objective='binary:hinge'",)),
        (CatBoostClassifier(loss_function="MultiCrossEntropy"), ("loss_function='MultiCrossEntropy'", "'MultiClass'")),
        (SGDClassifier(loss="modified_huber"), ("loss='modified_huber'", "'hinge'", "'log_loss'")),
        (GradientBoostingClassifier(loss="exponential"), ("loss='exponential'", "'log_loss'")),
    ],
    ids=lambda given: type(given).__name__,
)
def test_an_objective_that_is_not_known_is_refused_by_name(model, quoted):
    with pytest.raises(BadInput) as refused:
        lm.which(zero_one(3), model)
    assert all(each in str(refused.value) for each in (type(model).__name__, *quoted))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (LGBMClassifier(objective=None), "softmax cross-entropy"),
        (LGBMClassifier(objective="softmax"), "softmax cross-entropy"),
        (LGBMClassifier(objective="ova"), "one-vs-all logistic"),
        (XGBClassifier(objective="multi:softprob"), "softmax cross-entropy"),
        (CatBoostClassifier(), "softmax cross-entropy"),
        (SGDClassifier(loss="squared_hinge"), "one-vs-all squared hinge"),
        (GradientBoostingClassifier(), "softmax cross-entropy"),
        (XGBClassifier, "softmax cross-entropy"),
        (XGBRFClassifier, "class probabilities"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_objectives_that_are_known_are_those_that_are_trained(model, expected):
    assert trains(model) == [expected]


@pytest.mark.parametrize("surrogate", [softmax(3), one_vs_all_logistic(3)], ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("kind", "objective"),
    [(LGBMClassifier, lightgbm_objective), (XGBClassifier, xgboost_objective), (None, xgboost_objective)],
)
def test_objectives_of_lossmith_are_known(surrogate, kind, objective):
    made = objective(surrogate)
    [line] = lm.which(abstain(3), made if kind is None else kind(objective=made))
    expected = lm.check(surrogate, abstain(3))
    assert (line.practice.trains, line.surrogate) == (surrogate.name, surrogate.name)
    assert (line.status, line.verdict.surrogate) == (expected.status, surrogate)
    assert line.keep
    assert ".decide(" in line.advice


def test_a_design_as_objective_is_decided_for_the_loss_that_is_asked_about():
    best = lm.design(ordinal(3, power=2), method="square")
    model = XGBClassifier(objective=xgboost_objective(best))
    assert best.surrogate.dim == 1
    assert [line.status for line in lm.which(ordinal(3, power=2), model)] == ["calibrated"]
    [line] = lm.which(zero_one(3), model)
    assert line.status == lm.check(best.surrogate, zero_one(3)).status == "not calibrated"
    assert (line.keep, line.price) == (False, None)
    with pytest.raises(BadInput, match=r"3 labels; the loss has 4"):
        lm.which(zero_one(4), model)


def test_a_store_knows_an_objective_by_what_it_computes():
    with Store() as store:
        names = []
        for surrogate in (softmax(3), one_vs_all_logistic(3), softmax(3)):
            found = lm.which(abstain(3), XGBClassifier(objective=xgboost_objective(surrogate)), store=store)
            names += [line.surrogate for line in found]
            assert [line.status for line in found] == ["calibrated"]
    assert names == ["softmax(n=3)", "one_vs_all_logistic(n=3)", "softmax(n=3)"]


def test_lightgbm_numbers_labels_in_sorted_order():
    loss = lm.LossMatrix([[0, 1], [5, 0]], ["well", "ill"])
    made = lightgbm_objective(lm.surrogates.binary_relevance_logistic(1))
    with pytest.raises(BadInput, match=r"sorted.*'well', 'ill'"):
        lm.which(loss, LGBMClassifier(objective=made))
    assert lm.which(loss.restrict(labels=["ill", "well"]), LGBMClassifier(objective=made)).lines[0].keep


@pytest.mark.exhaustive  # trains
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("package", ["lightgbm", "xgboost"])
def test_the_advice_for_an_objective_of_lossmith_decides(package, n):
    module = pytest.importorskip(package)
    surrogate = lm.surrogates.binary_relevance_logistic(1) if n == 2 else one_vs_all_logistic(3)
    X = np.random.default_rng(0).normal(size=(300, 3))
    y, loss = np.digitize(X[:, 0], [0] if n == 2 else [-0.4, 0.4]), abstain(n, "1/4")
    model = (
        module.LGBMClassifier(objective=lightgbm_objective(surrogate), verbose=-1, n_jobs=1)
        if package == "lightgbm"
        else module.XGBClassifier(objective=xgboost_objective(surrogate), n_jobs=1)
    ).fit(X, y)
    [line] = lm.which(loss, model)
    code = line.advice.partition("decide with ")[2].partition(", for ")[0]
    decisions = eval(code, {"lm": lm, "loss": loss, "model": model, "X": X})
    assert lm.learn.loss_score(loss, y, decisions) < 0.1


# What else says so.


def test_the_screen_says_to_look_at_the_probabilities_first():
    text = str(lm.analyze(COSTS))
    assert text.index("lm.learn.reliability(") < text.index("loss.decide(model")


@pytest.mark.exhaustive  # draws
def test_and_so_does_the_report():
    html = lm.report(COSTS).to_html()
    assert html.index("lm.learn.reliability(") < html.index("loss.decide(model")
    assert "lm.learn.compare(" in html


@pytest.mark.parametrize("surrogate", [pytest.param("auto", marks=pytest.mark.exhaustive), "plug-in", "square"])
def test_a_label_without_examples_is_named_with_what_follows_and_what_to_do(surrogate):
    names = ["mild", "moderate", "severe"]
    loss = lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]], names)
    X, y = np.arange(20.0)[:, None], ["mild", "moderate"] * 10
    with pytest.warns(UserWarning, match=r"'severe' .*1 of 3.*probability 0.*loss\.restrict\(labels=") as caught:
        model = lm.learn.SurrogateClassifier(loss, surrogate).fit(X, y)
    assert len(caught) == 1
    dearer = lm.LossMatrix([[0, 1, 4], [2, 0, 1], [900, 300, 0]], names)
    with pytest.warns(UserWarning, match="'severe'"):
        other = lm.learn.SurrogateClassifier(dearer, surrogate).fit(X, y)
    assert model.predict(X).tolist() == other.predict(X).tolist()  # its costs are ignored
