"""Logistic regression on features that are much alike: the problem of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression

from lossmith.learn.softmax_regression import SoftmaxRegression

GENERATOR = np.random.default_rng(0)
PLAIN = GENERATOR.standard_normal((400, 4))
Y = np.array(["low", "mid", "top", "apex"])[np.digitize(PLAIN[:, 0] + PLAIN[:, 1] ** 2, [-0.5, 0.5, 2])]
ALIKE = Nystroem(gamma=0.05, n_components=100, random_state=0).fit_transform(PLAIN)
WEIGHTS = GENERATOR.integers(0, 4, 400)


def objective(model, X, y, weights, C):
    """The mean over the examples of ½‖W‖² / C + Σ w · log-loss, by its definition."""
    told = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    slopes = model.coef_[:-1] if isinstance(model, SoftmaxRegression) else model.coef_
    return ((slopes**2).sum() / (2 * C) - weights @ np.log(told)) / weights.sum()


FEATURES = {
    "plain": PLAIN,
    "alike": ALIKE,
    "alike, far from zero": 5 + ALIKE,
    "twice": np.hstack([PLAIN, PLAIN, np.ones((400, 1))]),
}


@pytest.mark.parametrize(
    ("features", "C"),
    [
        ("plain", 0.1),
        ("alike", 10.0),
        ("alike, far from zero", 30.0),
        ("twice", 10.0),
        *(pytest.param(each, C, marks=pytest.mark.exhaustive) for each in FEATURES for C in (0.1, 10.0, 30.0)),
    ],
)
def test_the_objective_is_within_a_ten_thousandth_of_the_least(features, C):
    X = FEATURES[features]
    exact = LogisticRegression(C=C, tol=1e-9, solver="newton-cholesky").fit(X, Y, WEIGHTS)
    ours = SoftmaxRegression(C).fit(X, Y, WEIGHTS)
    least = objective(exact, X, Y, WEIGHTS, C)

    assert objective(ours, X, Y, WEIGHTS, C) <= least + 1e-4
    assert abs(ours.predict_proba(X) - exact.predict_proba(X)).max() < 0.03


def test_weights_are_repetitions_and_none_are_left_out():
    repeated = np.repeat(np.arange(400), WEIGHTS)
    weighted = SoftmaxRegression(10).fit(ALIKE, Y, WEIGHTS)
    assert weighted.predict_proba(ALIKE) == pytest.approx(
        SoftmaxRegression(10).fit(ALIKE[repeated], Y[repeated]).predict_proba(ALIKE), abs=0.02
    )


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_only_the_product_of_weights_and_strength_counts(unit):
    told, same = (SoftmaxRegression(10 / each).fit(ALIKE, Y, each * WEIGHTS).predict_proba(ALIKE) for each in (1, unit))
    assert told == pytest.approx(same, abs=1e-3)
