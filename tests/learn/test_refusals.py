"""Bad input is refused by quoting it, or said once."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import LinearSVC

import lossmith as lm
from lossmith.errors import BadInput, UnknownName
from lossmith.learn import SurrogateClassifier, loss_score, make_loss_scorer
from lossmith.losses import abstain, hamming, ordinal, zero_one

X = np.random.default_rng(0).standard_normal((60, 2))
Y = np.arange(60) % 3


def test_a_label_that_the_loss_lacks():
    with pytest.raises(UnknownName, match=r"no label of ordinal.n=3. is called 3; known: 0, 1, 2$"):
        SurrogateClassifier(ordinal(3)).fit(X, Y + 1)
    with pytest.raises(UnknownName, match=r"called '1'; did you mean 1?"):
        SurrogateClassifier(ordinal(3)).fit(X, (Y * 0 + 1).astype(str))


def test_labels_without_examples_are_said_once_and_never_cost_a_column():
    model = SurrogateClassifier(ordinal(6), "orderable")
    with pytest.warns(UserWarning, match="no example of 3 of 6 labels: 3, 4, 5") as told:
        model.fit(X, Y)
    assert len(told) == 1
    with pytest.warns(UserWarning, match="no example"):
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
    with pytest.raises(
        BadInput, match=r"NOT calibrated for zero_one.n=3.(.|\n)*best decision(.|\n)*allow_uncertified=True"
    ):
        SurrogateClassifier(zero_one(3), "crammer-singer:n=3").fit(X, Y)
    with pytest.warns(UserWarning, match="NOT calibrated"):
        model = SurrogateClassifier(zero_one(3), "crammer-singer:n=3", allow_uncertified=True).fit(X, Y)
    assert "though not calibrated" in str(model.surrogate_)
    assert set(model.predict(X)) <= {0, 1, 2}
    assert lm.verify(model.certificate_).accepted  # it proves what the verdict says


def test_a_pred_that_is_not_calibrated_is_refused():
    with pytest.raises(BadInput, match="with argmax-gap:tau=2 is NOT calibrated"):
        SurrogateClassifier(abstain(3), "crammer-singer:n=3", pred="argmax-gap:tau=2").fit(X, Y)


def test_a_pred_where_none_can_be_given():
    with pytest.raises(BadInput, match="decides by itself"):
        SurrogateClassifier(zero_one(3), "square", pred="argmax").fit(X, Y)
    with pytest.raises(BadInput, match="brings one"):
        SurrogateClassifier(ordinal(3), lm.design(ordinal(3)), pred="nearest").fit(X, Y)


def test_without_calibration_a_surrogate_of_ones_own_needs_a_pred():
    mine = lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1, name="mine")
    with pytest.raises(BadInput, match="say pred=…"), warnings.catch_warnings():
        SurrogateClassifier(zero_one(3), mine, allow_uncertified=True).fit(X, Y)
    with pytest.warns(UserWarning, match="NOT calibrated"):
        SurrogateClassifier(zero_one(3), mine, pred="nearest", allow_uncertified=True).fit(X, Y)


def test_a_surrogate_for_another_number_of_labels():
    with pytest.raises(BadInput, match=r"has 4 labels but ordinal.n=3. has 3"):
        SurrogateClassifier(ordinal(3), "absolute:n=4").fit(X, Y)


def test_a_design_for_another_loss():
    with pytest.raises(BadInput, match=r"about ordinal.n=3., not about zero_one.n=3."):
        SurrogateClassifier(zero_one(3), lm.design(ordinal(3))).fit(X, Y)


def test_a_design_alone_brings_its_loss():
    model = SurrogateClassifier(surrogate=lm.design(ordinal(3))).fit(X, Y)
    assert model.loss_ == ordinal(3)


def test_what_is_no_surrogate():
    with pytest.raises(BadInput, match='surrogate is 3; give "auto"'):
        SurrogateClassifier(zero_one(3), 3).fit(X, Y)
    with pytest.raises(UnknownName, match="no surrogate is called 'crammersinger'; did you mean 'crammer-singer'"):
        SurrogateClassifier(zero_one(3), "crammersinger").fit(X, Y)
    with pytest.raises(UnknownName, match=r"did you mean 'orderable'\? Give .auto., .best., .*.square., .*families$"):
        SurrogateClassifier(zero_one(3), "orderble").fit(X, Y)
    with pytest.raises(BadInput, match='no squared distance and not polyhedral; use surrogate="plug-in"'):
        SurrogateClassifier(zero_one(3), "softmax:n=3").fit(X, Y)


def test_a_polyhedral_surrogate_has_its_own_model():
    with pytest.raises(BadInput, match=r"without the estimator Ridge\(\)"):
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
    with pytest.raises(BadInput, match=r"shape \(1, 1\); the surrogate has 2 functions"):
        SurrogateClassifier(zero_one(3), estimator=Narrow()).fit(X, Y)


def test_a_classifier_without_probabilities():
    with pytest.raises(BadInput, match="no predict_proba; wrap it in CalibratedClassifierCV"):
        SurrogateClassifier(zero_one(3), estimator=LinearSVC()).fit(X, Y)


def test_an_estimator_that_takes_no_weights():
    with pytest.raises(BadInput, match=r"KNeighborsRegressor\(\) takes no sample_weight"):
        SurrogateClassifier(zero_one(3), "square", KNeighborsRegressor()).fit(X, Y, sample_weight=np.ones(60))


def test_one_class_is_no_class():
    with pytest.raises(BadInput, match="one class only"):
        SurrogateClassifier().fit(X, np.zeros(60))
    for surrogate in ("auto", "plug-in"):
        with pytest.raises(BadInput, match="one class only, 0; a cl"), pytest.warns(UserWarning, match="no example"):
            SurrogateClassifier(zero_one(2), surrogate).fit(X, np.zeros(60, dtype=int))


def test_a_frame_without_columns():
    with pytest.raises(BadInput, match=r"X has shape \(60, 0\), no columns"):
        SurrogateClassifier().fit(pd.DataFrame(X)[[]], Y)


def test_weights_that_are_no_numbers():
    with pytest.raises(BadInput, match=r"sample_weight is \['heavy', 'heavy'.*; give a number for each example"):
        SurrogateClassifier().fit(X, Y, sample_weight=["heavy"] * 60)


def test_a_negative_weight_of_the_loss():
    with pytest.raises(BadInput, match="C is -1; it must be positive"):
        SurrogateClassifier(C=-1).fit(X, Y)


def test_few_steps_are_said_to_be_too_few():
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        SurrogateClassifier(ordinal(3), "orderable", max_iter=1, tol=1e-9).fit(X, Y)


def test_costs_that_the_surrogate_does_not_tell():
    model = SurrogateClassifier(ordinal(3), "orderable").fit(X, Y)
    with pytest.raises(BadInput, match="tells which decision is best, not what it costs"):
        model.expected_loss(X)
    for each in (model, SurrogateClassifier(ordinal(3), "orderable")):
        with pytest.raises(AttributeError, match="no attribute 'predict_proba'") as told:
            each.predict_proba(X)
        assert 'learns no probabilities; take surrogate="plug-in"' in str(told.value.__cause__)


def test_before_fitting():
    with pytest.raises(NotFittedError):
        SurrogateClassifier(ordinal(3)).predict(X)
    with pytest.raises(NotFittedError):
        _ = SurrogateClassifier(ordinal(3)).certificate_


def test_scores_of_what_means_nothing():
    with pytest.raises(UnknownName, match=r"no decision of zero_one.n=3. is called 7"):
        loss_score(zero_one(3), [0, 1], [0, 7])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        loss_score(zero_one(3), [0, 1], [0])
    with pytest.raises(BadInput, match="empty"):
        loss_score(zero_one(3), [], [])
    with pytest.raises(BadInput, match="one label per example"):
        loss_score(zero_one(3), np.array([[0]]), [0])


def test_the_score_is_the_mean_entry():
    loss = hamming(2)
    assert loss_score(loss, ["00", "11"], ["01", "00"]) == 1.5
    assert loss_score(loss, ["00", "11"], ["01", "00"], sample_weight=[1, 0]) == 1
    assert loss_score([[0, 1], [3, 0]], [0, 1], [1, 0]) == 2
    model = LogisticRegression().fit(X, Y)
    decided = model.predict(X)
    assert make_loss_scorer(ordinal(3))(model, X, Y) == pytest.approx(-abs(decided - Y).mean())
