"""Objectives for boosting: true derivatives, and the same trees as the packages' own objectives."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys

import lightgbm as lgb
import numpy as np
import pytest
import xgboost as xgb
from sklearn.datasets import load_iris

import lossmith as lm
from lossmith.boosting import lightgbm_objective, xgboost_objective
from lossmith.errors import BadInput, BadSurrogate
from surrogates.members import case, each_part, smooth

X, y = load_iris(return_X_y=True)
WEIGHTS = 1.0 + np.arange(len(y)) % 3
LIGHT = {"verbose": -1, "num_threads": 1, "boost_from_average": False, "min_data_in_leaf": 5, "deterministic": True}
EXTREME = {"nthread": 1, "base_score": 0, "max_depth": 3}


def with_a_form(part):
    return [each for each in smooth(part) if each.form is not None]


@each_part
def test_the_objective_is_the_gradient_and_the_diagonal_of_the_hessian(part):
    for plain in with_a_form(part):
        for surrogate in (plain, plain.weighted(range(1, plain.n + 1))):
            with case(surrogate.name):
                assert_derivatives(surrogate)


def assert_derivatives(surrogate):
    labels = np.arange(30) % surrogate.n
    U, rows, step = np.random.default_rng(0).normal(size=(30, surrogate.dim)), np.arange(30), 1e-5
    gradient, curvature = xgboost_objective(surrogate)(labels, U)
    factor = 2 if surrogate.form.kind == "softmax" else 1

    np.testing.assert_allclose(gradient, surrogate.gradient(U)[rows, labels], rtol=1e-12, atol=1e-14)
    for i in range(surrogate.dim):
        ahead, back = (
            surrogate.gradient(U + sign * step * np.eye(surrogate.dim)[i])[rows, labels, i] for sign in (1, -1)
        )
        np.testing.assert_allclose(curvature[:, i], factor * (ahead - back) / (2 * step), rtol=1e-4, atol=1e-8)


@pytest.mark.parametrize(("name", "own"), [("softmax", "multiclass"), ("one_vs_all_logistic", "multiclassova")])
def test_lightgbm_grows_the_trees_of_its_own_objective(name, own):
    objective = lightgbm_objective(getattr(lm.surrogates, name)(3))
    ours, theirs = (
        lgb.train({**LIGHT, "objective": each, "num_class": 3}, lgb.Dataset(X, y, weight=WEIGHTS), 8)
        for each in (objective, own)
    )
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X, raw_score=True), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_xgboost_grows_the_trees_of_its_own_objective(strategy):
    data, settings = xgb.DMatrix(X, y, weight=WEIGHTS), {**EXTREME, "num_class": 3, "multi_strategy": strategy}
    ours = xgb.train(settings, data, 8, obj=xgboost_objective(lm.surrogates.softmax(3)))
    theirs = xgb.train({**settings, "objective": "multi:softprob"}, data, 8)

    np.testing.assert_allclose(
        ours.predict(data, output_margin=True), theirs.predict(data, output_margin=True), rtol=1e-4, atol=1e-5
    )


def test_one_output_is_least_squares_in_both_packages():
    """ψ is twice as steep and twice as curved as half the square, which changes no tree without a penalty."""
    line = lm.surrogates.square([[0], [1], [2]])
    light = {**LIGHT, "lambda_l2": 0, "min_sum_hessian_in_leaf": 0}
    ours, theirs = (
        lgb.train({**light, "objective": each}, lgb.Dataset(X, y), 8).predict(X)
        for each in (lightgbm_objective(line), "regression")
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)

    data, extreme = xgb.DMatrix(X, y), {**EXTREME, "lambda": 0, "min_child_weight": 0}
    ours = xgb.train(extreme, data, 8, obj=xgboost_objective(line)).predict(data)
    theirs = xgb.train({**extreme, "objective": "reg:squarederror"}, data, 8).predict(data)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_estimators_for_scikit_learn_take_the_objective_too(weights):
    softmax = lm.surrogates.softmax(3)
    model = lgb.LGBMClassifier(
        objective=lightgbm_objective(softmax),
        n_estimators=8,
        n_jobs=1,
        verbose=-1,
        min_child_samples=5,
        deterministic=True,
    )
    same = {**LIGHT, "objective": lightgbm_objective(softmax), "num_class": 3}
    booster = lgb.train(same, lgb.Dataset(X, y, weight=weights), 8)
    found = model.fit(X, y, sample_weight=weights).predict(X, raw_score=True)
    np.testing.assert_allclose(found, booster.predict(X), rtol=1e-6)

    extreme = xgb.XGBClassifier(
        objective=xgboost_objective(softmax), n_estimators=8, n_jobs=1, base_score=0, max_depth=3
    )
    data = xgb.DMatrix(X, y, weight=weights)
    booster = xgb.train({**EXTREME, "num_class": 3}, data, 8, obj=xgboost_objective(softmax))
    found = extreme.fit(X, y, sample_weight=weights).predict(X, output_margin=True)
    np.testing.assert_allclose(found, booster.predict(data, output_margin=True), rtol=1e-5)


def test_lightgbm_s_regressor_takes_as_many_outputs_as_a_design_has():
    best = lightgbm_objective(lm.design(lm.losses.abstain(3), method="square"))
    settings = {"num_class": best.outputs, "metric": "none", "min_child_samples": 5, "verbose": -1}
    model = lgb.LGBMRegressor(objective=best, n_estimators=8, n_jobs=1, deterministic=True, **settings).fit(X, y)
    booster = lgb.train({**LIGHT, "objective": best, "num_class": best.outputs}, lgb.Dataset(X, y), 8)

    assert model.predict(X).shape == (150, 2)
    np.testing.assert_allclose(model.predict(X), booster.predict(X), rtol=1e-6)


@pytest.mark.parametrize("make", [lightgbm_objective, xgboost_objective])
@each_part
def test_parts_of_the_examples_have_the_derivatives_of_the_whole(make, part):
    """On a cluster every worker asks for those of its own examples, however few, and whatever labels they have."""
    parts = [slice(0, 4), slice(4, 5), slice(5, 30)]
    for surrogate in with_a_form(part):
        objective, labels = make(surrogate), np.sort(np.arange(30) % surrogate.n)
        U, weights = np.random.default_rng(0).normal(size=(30, surrogate.dim)), 1.0 + np.arange(30) % 3
        for whole, *pieces in zip(
            objective(labels, U, weights), *(objective(labels[p], U[p], weights[p]) for p in parts), strict=True
        ):
            assert (whole == np.concatenate(pieces)).all(), surrogate.name


def test_a_design_with_fewer_outputs_than_labels_learns_to_decide():
    loss = lm.losses.abstain(3)
    best = lm.design(loss, method="square")
    light, extreme = lightgbm_objective(best), xgboost_objective(best)
    assert light.outputs == 2
    data = xgb.DMatrix(X, y)
    learned = [
        lgb.train({**LIGHT, "objective": light, "num_class": 2}, lgb.Dataset(X, y), 60).predict(X),
        xgb.train({**EXTREME, "num_class": 2}, data, 60, obj=extreme).predict(data, output_margin=True),
    ]
    for U in learned:
        assert np.array(loss.entries, dtype=float)[y, best.pred.decide(U)].mean() < 0.02


def test_class_weights_of_the_surrogate_are_weights_of_the_examples():
    w = np.array([1.0, 2.0, 5.0])
    U = np.random.default_rng(1).normal(size=(9, 3))
    labels = np.arange(9) % 3
    softmax = lm.surrogates.softmax(3)

    for weighted, plain in zip(
        lightgbm_objective(softmax.weighted([1, 2, 5]))(labels, U),
        lightgbm_objective(softmax)(labels, U, w[labels]),
        strict=True,
    ):
        np.testing.assert_allclose(weighted, plain)


def test_an_objective_is_copied_and_pickled():
    objective = lightgbm_objective(lm.surrogates.softmax(3))

    assert copy.deepcopy(objective) == objective
    assert pickle.loads(pickle.dumps(objective)) == objective


@pytest.mark.parametrize("make", [lightgbm_objective, xgboost_objective])
def test_what_has_no_curvature_is_refused(make):
    own = lm.SmoothSurrogate.from_margin(lambda m: np.exp(-m), lambda m: -np.exp(-m), "exponential")
    hinge = lm.surrogates.crammer_singer(3)
    for surrogate, name in ((hinge, r"crammer_singer\(n=3\)"), (own, "exponential"), ("softmax", "'softmax'")):
        with pytest.raises(BadSurrogate, match=name):
            make(surrogate)


@pytest.mark.parametrize(
    ("labels", "shape", "message"),
    [
        ([0, 1], (2, 2), r"\(2, 2\).* softmax\(n=3\) .*num_class=3"),
        ([0, 1], (2,), "num_class=3"),
        ([0, 3], (2, 3), r"\b3\b.*\b0\b.*\b2\b"),
        ([0, -1], (2, 3), "-1"),
        ([0, 0.5], (2, 3), r"\b0\.5"),
        ([0, np.nan], (2, 3), "nan"),
        ([0], (2, 3), r"\(1,\).*\b2\b"),
    ],
)
def test_bad_batches_are_refused(labels, shape, message):
    with pytest.raises(BadInput, match=message):
        xgboost_objective(lm.surrogates.softmax(3))(labels, np.zeros(shape))


def test_one_output_refuses_several():
    with pytest.raises(BadInput, match="num_class"):
        lightgbm_objective(lm.surrogates.square([[0], [1]]))([0, 1], np.zeros((2, 2)))


def test_an_empty_batch_has_empty_derivatives():
    gradient, curvature = lightgbm_objective(lm.surrogates.softmax(3))([], np.zeros((0, 3)))

    assert gradient.shape == curvature.shape == (0, 3)


def test_neither_package_is_needed_to_make_an_objective(monkeypatch):
    for name in [each for each in sys.modules if each.startswith("lossmith.boosting")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(lm, "boosting")
    for name in ("lightgbm", "xgboost"):
        monkeypatch.setitem(sys.modules, name, None)
    boosting = importlib.import_module("lossmith.boosting")

    for make in (boosting.lightgbm_objective, boosting.xgboost_objective):
        assert make is not lightgbm_objective
        assert make(lm.surrogates.softmax(3)).outputs == 3
