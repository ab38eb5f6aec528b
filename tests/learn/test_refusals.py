"""Bad input is refused by quoting it, or said once."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from refused import lacking, refused
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import LinearSVC

import lossmith as lm
from lossmith.errors import UnknownName
from lossmith.learn import SurrogateClassifier, loss_score, make_loss_scorer
from lossmith.losses import abstain, hamming, ordinal, zero_one

X = np.random.default_rng(0).standard_normal((60, 2))
Y = np.arange(60) % 3


def test_a_label_that_the_loss_lacks():
    with refused("ordinal(n=3)", 3, "0, 1, 2", error=UnknownName):
        SurrogateClassifier(ordinal(3)).fit(X, Y + 1)
    with refused("'1'", 1, error=UnknownName):
        SurrogateClassifier(ordinal(3)).fit(X, (Y * 0 + 1).astype(str))


def test_labels_without_examples_are_said_once_and_never_cost_a_column():
    model = SurrogateClassifier(ordinal(6), "orderable")
    with pytest.warns(UserWarning, match=r" 3, 4, 5 .*\b3\b.*\b6\b") as told:
        model.fit(X, Y)
    assert len(told) == 1
    with pytest.warns(UserWarning, match="3, 4, 5"):
        plugged = SurrogateClassifier(zero_one(6), "plug-in").fit(X, Y)
    assert plugged.predict_proba(X).shape == (60, 6)
    assert not plugged.predict_proba(X)[:, 3:].any()


@pytest.mark.parametrize("surrogate", ["square", "plug-in", "orderable"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_features_that_are_no_numbers(surrogate, value):
    bad = X.copy()
    bad[3, 1] = value
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        SurrogateClassifier(ordinal(3), surrogate).fit(bad, Y)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        SurrogateClassifier(ordinal(3), surrogate).fit(X, Y).predict(bad)


def test_a_surrogate_that_is_not_calibrated_is_refused_with_the_verdict():
    with refused("zero_one(n=3)", "allow_uncertified=True"):
        SurrogateClassifier(zero_one(3), "crammer-singer:n=3").fit(X, Y)
    with pytest.warns(UserWarning, match=r"zero_one\(n=3\)"):
        model = SurrogateClassifier(zero_one(3), "crammer-singer:n=3", allow_uncertified=True).fit(X, Y)
    assert model.surrogate_.verdict.status == "not calibrated"
    assert model.surrogate_.verdict.status in str(model.surrogate_)
    assert set(model.predict(X)) <= {0, 1, 2}
    assert lm.verify(model.certificate_).accepted  # it proves what the verdict says


def test_a_pred_that_is_not_calibrated_is_refused():
    with refused("argmax-gap:tau=2", "allow_uncertified=True"):
        SurrogateClassifier(abstain(3), "crammer-singer:n=3", pred="argmax-gap:tau=2").fit(X, Y)


def test_a_pred_where_none_can_be_given():
    with refused("pred", "'argmax'", "'square'"):
        SurrogateClassifier(zero_one(3), "square", pred="argmax").fit(X, Y)
    with refused("pred", "'nearest'"):
        SurrogateClassifier(ordinal(3), lm.design(ordinal(3)), pred="nearest").fit(X, Y)


def test_without_calibration_a_surrogate_of_ones_own_needs_a_pred():
    mine = lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1, name="mine")
    with refused("mine", "zero_one(n=3)", "pred="), warnings.catch_warnings():
        SurrogateClassifier(zero_one(3), mine, allow_uncertified=True).fit(X, Y)
    with pytest.warns(UserWarning, match="mine"):
        SurrogateClassifier(zero_one(3), mine, pred="nearest", allow_uncertified=True).fit(X, Y)


def test_a_surrogate_for_another_number_of_labels():
    with refused("4 labels", "ordinal(n=3)", 3):
        SurrogateClassifier(ordinal(3), "absolute:n=4").fit(X, Y)


def test_a_design_for_another_loss():
    with refused("ordinal(n=3)", "zero_one(n=3)"):
        SurrogateClassifier(zero_one(3), lm.design(ordinal(3))).fit(X, Y)


def test_a_design_alone_brings_its_loss():
    model = SurrogateClassifier(surrogate=lm.design(ordinal(3))).fit(X, Y)
    assert model.loss_ == ordinal(3)


def test_what_is_no_surrogate():
    with refused("surrogate", 3, '"auto"'):
        SurrogateClassifier(zero_one(3), 3).fit(X, Y)
    with refused("'crammersinger'", "'crammer-singer'", error=UnknownName):
        SurrogateClassifier(zero_one(3), "crammersinger").fit(X, Y)
    with refused("'orderble'", "'orderable'", '"auto"', '"best"', '"square"', error=UnknownName):
        SurrogateClassifier(zero_one(3), "orderble").fit(X, Y)
    with refused("softmax", 'surrogate="plug-in"'):
        SurrogateClassifier(zero_one(3), "softmax:n=3").fit(X, Y)


def test_a_polyhedral_surrogate_has_its_own_model():
    with refused("absolute", "Ridge()"):
        SurrogateClassifier(ordinal(3), "absolute:n=3", Ridge()).fit(X, Y)


class Narrow(RegressorMixin, BaseEstimator):
    """It forgets all columns but one."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros((len(X), 1))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def test_a_regressor_of_the_wrong_width():
    with refused("(1, 1)", "2 functions"):
        SurrogateClassifier(zero_one(3), estimator=Narrow()).fit(X, Y)


def test_a_classifier_without_probabilities():
    with refused("LinearSVC()", "predict_proba", "CalibratedClassifierCV"):
        SurrogateClassifier(zero_one(3), estimator=LinearSVC()).fit(X, Y)


def test_an_estimator_that_takes_no_weights():
    with refused("KNeighborsRegressor()", "sample_weight"):
        SurrogateClassifier(zero_one(3), "square", KNeighborsRegressor()).fit(X, Y, sample_weight=np.ones(60))


def test_one_class_is_no_class():
    with refused("0.0"):
        SurrogateClassifier().fit(X, np.zeros(60))
    for surrogate in ("auto", "plug-in"):
        with refused("y", 0), pytest.warns(UserWarning, match=r" 1 .*\b1\b.*\b2\b"):
            SurrogateClassifier(zero_one(2), surrogate).fit(X, np.zeros(60, dtype=int))


def test_a_frame_without_columns():
    with refused("X", "(60, 0)"):
        SurrogateClassifier().fit(pd.DataFrame(X)[[]], Y)


def test_weights_that_are_no_numbers():
    with refused("sample_weight", "['heavy', 'heavy'"):
        SurrogateClassifier().fit(X, Y, sample_weight=["heavy"] * 60)


def test_a_negative_weight_of_the_loss():
    with refused("C", -1):
        SurrogateClassifier(C=-1).fit(X, Y)


def test_few_steps_are_said_to_be_too_few():
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        SurrogateClassifier(ordinal(3), "orderable", max_iter=1, tol=1e-9).fit(X, Y)


def test_costs_that_the_surrogate_does_not_tell():
    model = SurrogateClassifier(ordinal(3), "orderable").fit(X, Y)
    with refused("orderable(ordinal(n=3))", 'surrogate="plug-in"'):
        model.expected_loss(X)
    for each in (model, SurrogateClassifier(ordinal(3), "orderable")):
        with pytest.raises(AttributeError, match="'predict_proba'") as told:
            each.predict_proba(X)
        assert lacking(str(told.value.__cause__), 'surrogate="plug-in"') == []


def test_before_fitting():
    with pytest.raises(NotFittedError):
        SurrogateClassifier(ordinal(3)).predict(X)
    with pytest.raises(NotFittedError):
        _ = SurrogateClassifier(ordinal(3)).certificate_


def test_scores_of_what_means_nothing():
    with refused("zero_one(n=3)", 7, error=UnknownName):
        loss_score(zero_one(3), [0, 1], [0, 7])
    with refused(2, 1, error=ValueError):
        loss_score(zero_one(3), [0, 1], [0])
    with refused():
        loss_score(zero_one(3), [], [])
    with refused("(1, 1)"):
        loss_score(zero_one(3), np.array([[0]]), [0])


def test_the_score_is_the_mean_entry():
    loss = hamming(2)
    assert loss_score(loss, ["00", "11"], ["01", "00"]) == 1.5
    assert loss_score(loss, ["00", "11"], ["01", "00"], sample_weight=[1, 0]) == 1
    assert loss_score([[0, 1], [3, 0]], [0, 1], [1, 0]) == 2
    model = LogisticRegression().fit(X, Y)
    decided = model.predict(X)
    assert make_loss_scorer(ordinal(3))(model, X, Y) == pytest.approx(-abs(decided - Y).mean())
