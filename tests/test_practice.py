"""What common estimators train: the table agrees with the libraries, and its verdicts with `check`."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import lossmith as lm
from lossmith.answers import using
from lossmith.answers.practice import PRACTICES
from lossmith.answers.using import which
from lossmith.errors import BadInput, TooLarge
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates.named import surrogate_named

X = np.random.default_rng(0).normal(size=(60, 2))
Y = np.random.default_rng(1).integers(0, 3, size=60)

DECIDE = "loss.decide(model, X)"


def by_name(loss, **options):
    return {line.practice.trains: line for line in which(loss, **options)}


def statuses(loss, **options):
    return {name: line.verdict and line.verdict.status for name, line in by_name(loss, **options).items()}


def test_for_zero_one_the_verdicts_are_the_known_ones():
    right = {
        "softmax cross-entropy",
        "one-vs-all logistic",
        "one-vs-all squared hinge",
        "one-vs-one hinge",
        "squares on ±1",
    }
    found = statuses(zero_one(3))
    assert {name for name, status in found.items() if status == "calibrated"} == right
    assert "undecided" not in found.values()


def test_for_grades_absolute_error_and_thresholds_are_right_and_squares_are_not():
    found = statuses(ordinal(3))
    assert {name for name, status in found.items() if status == "calibrated"} == {
        "absolute deviation",
        "all-threshold logistic",
    }
    squared = statuses(ordinal(3, power=2), estimator="regressor")
    assert squared == {"squares on grades": "calibrated", "absolute deviation": "not calibrated"}


def test_for_tags_binary_relevance_is_right():
    assert statuses(hamming(2), estimator="multi-label") == {"binary relevance logistic": "calibrated"}
    assert statuses(zero_one(3), estimator="multi-label") == {}  # three labels are no tags


def test_what_tells_probabilities_is_kept_and_decides_otherwise():
    lines = by_name(abstain(3))
    assert (lines["softmax cross-entropy"].keep, DECIDE in lines["softmax cross-entropy"].advice) == (True, True)
    assert lines["Crammer–Singer hinge"].keep
    assert lines["Crammer–Singer hinge"].advice.endswith(
        " lm.check(lm.surrogates.crammer_singer(n=3), "
        "loss.restrict(labels=model.classes_)).decide(model.decision_function(X), classes=model.classes_)"
    )
    assert lines["Weston–Watkins hinge"].keep is False
    assert "decide(" not in lines["Weston–Watkins hinge"].advice


def test_decisions_that_are_no_labels_are_not_said_by_argmax():
    loss = lm.LossMatrix(
        [[0, 1, 4, 2], [2, 0, 1, 2]], labels=["mild", "severe"], predictions=["home", "ward", "icu", "wait"]
    )
    found = which(loss, "LogisticRegression")
    line = next(iter(found))
    assert line.verdict is None
    assert DECIDE in line.advice
    for names in ("(home, ward, icu, wait)", "(mild, severe)", DECIDE):
        assert names in found.note
    assert str(found).count(found.note) == 1


def test_class_weights_are_row_scalings():
    options = {"class_weight": [1, 2, 5], "estimator": "CrossEntropyLoss"}
    assert statuses(zero_one(3), **options) == {"softmax cross-entropy": "not calibrated"}
    assert statuses(zero_one(3).scale_rows([1, 2, 5]), **options) == {"softmax cross-entropy": "calibrated"}


def test_the_price_with_class_weights_is_in_units_of_the_loss():
    weights = [Fraction(1), Fraction(1), Fraction(5)]
    [line] = which(zero_one(3), "CrossEntropyLoss", class_weight=weights)
    [weighted] = line.verdict.distributions
    p = [x / w for x, w in zip(weighted, weights)]
    p = [x / sum(p) for x in p]
    risks = zero_one(3).risk(p)
    assert line.price.lost == risks[line.verdict.prediction] - min(risks) > 0
    assert (line.price.best[1], line.price.worst[1]) == (min(risks), max(risks))
    assert line.price.p == tuple(p)


def test_lines_print_and_travel_as_plain_data():
    [line] = which(zero_one(3), "CategoricalHinge")
    assert str(line.price) in str(line)
    assert re.search(r"\b1000\b.*\b200\b", str(line.price))
    assert (line.to_dict()["price"], line.to_dict()["price_per_1000"]) == ("1/5", 200)
    assert 'sklearn LinearSVC(multi_class="crammer_singer")' in line.to_dict()["estimators"]


@pytest.mark.parametrize("n", [9, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (12, 20))])
def test_many_labels_are_decided_by_theorems_probes_symmetry_and_pairs_and_else_passed_on(n):
    lines = by_name(zero_one(n))
    statuses = {name: line.verdict and line.verdict.status for name, line in lines.items()}
    assert statuses["softmax cross-entropy"] == statuses["one-vs-one hinge"] == "calibrated"
    assert statuses["Crammer–Singer hinge"] == statuses["Weston–Watkins hinge"] == "not calibrated"


@pytest.mark.exhaustive  # of votes alone, a test below tells it
def test_votes_of_many_labels_are_passed_on_among_all():
    assert by_name(zero_one(30))["one-vs-one hinge"].verdict is None


def test_what_is_passed_on_names_the_surrogate_as_the_command_line_reads_it():
    [line] = which(ordinal(80), estimator="mord LAD")
    words, options = re.search(r"lossmith check (\S+) … (.*)$", line.advice).groups()
    assert words.endswith(":n=80")
    assert surrogate_named(words.replace("80", "3")).name == line.surrogate.replace("80", "3")
    assert options == f"--pred {line.practice.pred}"


def test_votes_are_decided_for_fewer_labels_than_other_hinges():
    [line] = which(zero_one(30), estimator="NuSVC")
    assert line.verdict is None
    assert re.search(r"\b25\b.* lossmith check one-vs-one-hinge:n=30 … --pred votes$", line.advice)


@pytest.mark.parametrize("n", [4, 5, 6, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (12, 20))])
def test_votes_are_decided_whatever_the_number_of_labels(n):
    statuses = [[line.verdict.status for line in which(each(n), estimator="NuSVC")] for each in (zero_one, ordinal)]
    assert statuses == [["calibrated"], ["not calibrated"]]


@pytest.mark.parametrize("n", [300, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_many_votes_are_not_written_down_to_say_that_they_are_too_many(n):
    assert [line.surrogate for line in which(zero_one(n), estimator="NuSVC")] == [f"one_vs_one_hinge(n={n})"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"class_weight": [1, 2]}, r"class_weight.*\(1, 2\)"),
        ({"class_weight": [1, 2, 0]}, r"class_weight.*\(1, 2, 0\)"),
        ({"class_weight": "balanced"}, r"class_weight.*'balanced'"),
        ({"estimator": "LinarSVC"}, r"'LinarSVC'.*'LinearSVC'"),
    ],
)
def test_bad_questions_are_refused(options, words):
    with pytest.raises(BadInput, match=words):
        list(which(zero_one(3), **options))


def test_scikit_learn_still_trains_what_the_table_says():
    assert LinearSVC().loss == "squared_hinge"
    assert LinearSVC().multi_class == "ovr"
    assert SGDClassifier().loss == "hinge"
    assert SVC(decision_function_shape="ovo").fit(X, Y).decision_function(X).shape == (60, 3)
    assert LinearSVC().fit(X, Y).decision_function(X).shape == (60, 3)
    P = LogisticRegression().fit(X, Y)
    scores = P.decision_function(X)
    softmax = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert P.predict_proba(X) == pytest.approx(softmax)
    assert (P.predict(X) == P.classes_[scores.argmax(axis=1)]).all()
    assert (OneVsRestClassifier(LogisticRegression()).fit(X, Y).decision_function(X).shape) == (60, 3)


def test_the_ridge_classifier_regresses_on_plus_and_minus_one():
    model = RidgeClassifier(alpha=1e-9).fit(X, Y)
    signs = np.where(Y[:, None] == model.classes_, 1.0, -1.0)
    design = np.column_stack([X, np.ones(len(X))])
    fitted = design @ np.linalg.lstsq(design, signs, rcond=None)[0]
    assert model.decision_function(X) == pytest.approx(fitted, abs=1e-6)
    assert (model.predict(X) == model.classes_[fitted.argmax(axis=1)]).all()


def test_votes_decide_as_support_vector_machines_do():
    model = SVC(decision_function_shape="ovo", kernel="linear").fit(X, Y)
    scores = model.decision_function(X)
    pred = lm.surrogates.preds.votes(lm.surrogates.one_vs_one_hinge(3), zero_one(3))
    away = (np.abs(scores) > 1e-6).all(axis=1)
    assert (pred.decide(scores[away]) == model.predict(X)[away]).all()


@pytest.mark.parametrize(
    ("given", "trains"),
    [
        (LogisticRegression(), "softmax cross-entropy"),
        (LogisticRegression, "softmax cross-entropy"),
        (make_pipeline(StandardScaler(), RandomForestClassifier()), "class probabilities"),
        (GridSearchCV(LinearSVC(loss="hinge"), {"C": [1]}), "one-vs-all hinge"),
        (LinearSVC(), "one-vs-all squared hinge"),
        (LinearSVC(multi_class="crammer_singer"), "Crammer–Singer hinge"),
        (SVC(), "one-vs-one hinge"),
        (SVC(probability=True), "class probabilities"),
        (SGDClassifier(loss="log_loss"), "one-vs-all logistic"),
        (SGDClassifier(), "one-vs-all hinge"),
        (OneVsRestClassifier(LogisticRegression()), "one-vs-all logistic"),
        ("lgbmclassifier", "softmax cross-entropy"),
        ("XGBClassifier", "softmax cross-entropy"),
        ("categorical hinge", "Crammer–Singer hinge"),
    ],
    ids=lambda given: given if isinstance(given, str) else re.sub(r"\W+", " ", str(given)),
)
def test_an_estimator_is_known_by_name_by_class_and_by_its_parameters(given, trains):
    assert trains in [line.practice.trains for line in which(zero_one(3), given)]
    assert isinstance(given, str) or len(which(zero_one(3), given).lines) == 1


def test_an_estimator_that_nobody_knows_is_refused_with_what_to_do():
    with pytest.raises(BadInput, match=r"GaussianProcessClassifier .* loss.decide\(model, X\)"):
        which(zero_one(3), GaussianProcessClassifier())


def test_every_practice_names_its_users():
    assert all(each.used and each.trains and each.pred for each in PRACTICES)


def test_a_practice_that_takes_more_work_than_allowed_is_left_undecided_with_the_reason():
    def refuse(*_, **__):
        raise TooLarge("77 vertices")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(using, "ask", refuse)
        [line] = which(zero_one(3), estimator="crammer")
    assert line.verdict is None
    assert "77 vertices" in line.advice


@pytest.mark.parametrize("n", [16, pytest.param(30, marks=pytest.mark.exhaustive)])
def test_many_labels_are_answered_although_thresholds_would_have_as_many_orthants_as_subsets(n):
    [line] = which(ordinal(n), "LogisticAT")
    assert line.verdict is None
