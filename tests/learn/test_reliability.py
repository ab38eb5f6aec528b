"""Reliability curves, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from refused import refused
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from lossmith.errors import UnknownName
from lossmith.learn import reliability


class Says(ClassifierMixin, BaseEstimator):
    """It says that X is the probability of "yes"."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float)[:, 0]
        return np.stack([1 - p, p], axis=1)


def test_groups_have_the_shares_that_one_counts():
    X = np.repeat([0.1, 0.4, 0.8], [10, 20, 30])[:, None]
    y = np.array(["yes"] * 2 + ["no"] * 8 + ["yes"] * 5 + ["no"] * 15 + ["yes"] * 27 + ["no"] * 3)
    told = reliability(Says(), X, y, bins=3)
    no, yes = told.curves
    assert yes.label == "yes"
    assert yes.predicted == pytest.approx([0.1, 0.4, 0.8])
    assert yes.observed == pytest.approx([0.2, 0.25, 0.9])
    assert yes.examples == (10, 20, 30)
    # Of "no", a third has 0.2, and the other groups begin within 0.6, which stays together.
    assert no.predicted == pytest.approx([0.2, (20 * 0.6 + 10 * 0.9) / 30])
    assert no.observed == pytest.approx([3 / 30, (15 + 8) / 30])
    assert yes.error == pytest.approx((10 * 0.1 + 20 * 0.15 + 30 * 0.1) / 60)
    assert told.error == pytest.approx((yes.error + no.error) / 2)


def test_the_intervals_are_wilsons():
    X, y = np.full((40, 1), 0.3), ["yes"] * 9 + ["no"] * 31
    curve = reliability(Says(), X, y).curves[1]
    z = norm.ppf(0.975)
    for end in (curve.low[0], curve.high[0]):  # where the distance is z standard errors
        assert abs(9 / 40 - end) == pytest.approx(z * (end * (1 - end) / 40) ** 0.5, rel=1e-3)


def test_right_probabilities_lie_in_their_intervals():
    generator = np.random.default_rng(0)
    X = generator.uniform(size=(4000, 1))
    y = np.where(generator.uniform(size=4000) < X[:, 0], "yes", "no")
    curve = reliability(Says(), X, y).curves[1]
    inside = [a <= p <= b for a, p, b in zip(curve.low, curve.predicted, curve.high, strict=True)]
    assert len(inside) == 10
    assert sum(inside) >= 8
    assert curve.error < 0.03


def test_what_has_no_reliability_is_refused():
    X, y = np.array([[0.0], [1.0], [2.0]]), ["no", "yes", "yes"]
    with refused("LinearSVC()", "predict_proba"):
        reliability(LinearSVC().fit(X, y), X, y)
    with refused("bins", 0):
        reliability(Says(), X, y, bins=0)
    with refused("y", 2, 3):
        reliability(LogisticRegression().fit(X, y), X, y[:2])
    with refused("'maybe'", error=UnknownName):
        reliability(Says(), X[:1], ["maybe"])


def test_intervals_of_none_and_of_all_end_at_0_and_1():
    told = reliability(Says(), np.array([[0.02]] * 40 + [[0.99]] * 40), np.array(["no"] * 40 + ["yes"] * 40))
    assert [(min(curve.low), max(curve.high)) for curve in told.curves] == [(0.0, 1.0)] * 2
    assert "-0.000" not in str(told)
