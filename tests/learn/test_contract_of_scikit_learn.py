"""The contract of scikit-learn."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pandas as pd
import pytest
from refused import refused
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import lossmith as lm
from lossmith.errors import UnknownName
from lossmith.learn import SurrogateClassifier, loss_score, make_loss_scorer

IRIS, SPECIES = load_iris(return_X_y=True)
NAMES = load_iris().target_names[SPECIES]
COSTS = lm.LossMatrix(
    [[0, 1, 4], [2, 0, 1], [9, 3, 0]],
    labels=["setosa", "versicolor", "virginica"],
    predictions=["home", "ward", "icu"],
    name="costs",
)
ABSTAIN = lm.LossMatrix(
    [[0, 1, 1, "1/5"], [1, 0, 1, "1/5"], [1, 1, 0, "1/5"]],
    labels=["setosa", "versicolor", "virginica"],
    predictions=["setosa", "versicolor", "virginica", "abstain"],
    name="reject",
)


def skipped_and_failed(estimator):
    found = {"skipped": set(), "failed": {}}
    for instance, check in estimator_checks_generator(estimator, legacy=True):
        name = check.func.__name__
        try:
            check(instance)
        except pytest.skip.Exception:
            found["skipped"].add(name)
        except Exception as error:
            if type(error).__name__ == "SkipTest":
                found["skipped"].add(name)
            else:
                found["failed"][name] = error
    return found


def slow(name):
    return pytest.param(name, marks=pytest.mark.exhaustive)


@pytest.fixture(scope="module")
def skipped_by_their_own():
    return skipped_and_failed(LogisticRegression())["skipped"]


@functools.cache
def found_by_checks(surrogate):
    return skipped_and_failed(SurrogateClassifier(surrogate=surrogate))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("surrogate", [slow("auto"), "plug-in", slow("square")])
def test_all_checks_of_scikit_learn_pass(surrogate):
    assert found_by_checks(surrogate)["failed"] == {}


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("surrogate", ["auto", "plug-in", "square"])
def test_no_check_is_skipped_that_an_estimator_of_scikit_learn_runs(surrogate, skipped_by_their_own):
    assert found_by_checks(surrogate)["skipped"] <= skipped_by_their_own


def costs_on(labels, decisions):
    """0-1 costs, and half of that for a decision that is no label."""
    return lm.LossMatrix.from_function(
        lambda y, t: int(y != t) if t in labels else "1/2", labels, decisions, name="in no order"
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "more", [(), pytest.param((-1,), marks=pytest.mark.exhaustive)], ids=["decisions are labels", "one more decision"]
)
@pytest.mark.parametrize("surrogate", ["square", slow("plug-in"), slow("max-min-hinge")])
def test_the_checks_pass_with_a_loss_whose_rows_are_in_no_order(surrogate, more):
    """All but two: one calls labels "one" and "two", one wants as many columns as y has classes, three and then two."""
    found = skipped_and_failed(SurrogateClassifier(costs_on([2, 0, 3, 1], [1, 3, *more, 2, 0]), surrogate))

    assert found["skipped"] <= {"check_array_api_input"}
    assert set(found["failed"]) <= {"check_classifiers_classes", "check_classifiers_train"}
    assert isinstance(found["failed"]["check_classifiers_classes"], UnknownName)
    assert "'one'" in str(found["failed"]["check_classifiers_classes"])


@pytest.mark.parametrize("surrogate", ["auto", "square", "plug-in", "max-min-hinge", "class-probability"])
def test_decisions_are_named_and_labels_too(surrogate):
    model = SurrogateClassifier(COSTS, surrogate).fit(IRIS[::2], NAMES[::2])  # a pool is logistic regression alone

    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.decisions_.tolist() == ["home", "ward", "icu"]
    assert set(model.predict(IRIS)) <= {"home", "ward", "icu"}
    assert -model.score(IRIS, NAMES) == pytest.approx(loss_score(COSTS, NAMES, model.predict(IRIS)))
    assert -model.score(IRIS, NAMES) < 0.4
    assert lm.verify(model.certificate_).accepted


def test_frames_go_in_and_their_columns_are_remembered():
    frame = pd.DataFrame(IRIS, columns=["a", "b", "c", "d"])
    labels = pd.Series(NAMES, dtype="category")
    model = SurrogateClassifier(COSTS, "plug-in").fit(frame, labels)

    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert (model.predict(frame) == SurrogateClassifier(COSTS, "plug-in").fit(IRIS, NAMES).predict(IRIS)).all()
    with pytest.raises(ValueError, match="feature names"):  # in the words of scikit-learn
        model.predict(frame[["b", "a", "c", "d"]])


def test_a_frame_reaches_the_estimator_as_it_is():
    frame = pd.DataFrame({"size": IRIS[:, 0], "kind": np.where(IRIS[:, 3] > 1, "wide", "narrow")})
    columns = make_column_transformer((OneHotEncoder(), ["kind"]), (StandardScaler(), ["size"]))
    model = SurrogateClassifier(COSTS, estimator=make_pipeline(columns, Ridge())).fit(frame, NAMES)

    assert model.surrogate_.kind == "square"
    assert model.feature_names_in_.tolist() == ["size", "kind"]
    assert len(model.predict(frame)) == 150


@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
@pytest.mark.parametrize("surrogate", ["square", "plug-in", "crammer-singer:n=3"])
def test_sparse_features(kind, surrogate):
    X = np.where(IRIS > 1.5, IRIS, 0)
    dense = SurrogateClassifier(ABSTAIN.scale_rows([1, 1, 1]), surrogate, allow_uncertified=True, pred=None)
    if surrogate.startswith("crammer"):
        dense.set_params(loss=lm.losses.abstain(3))
    y = SPECIES if surrogate.startswith("crammer") else NAMES
    sparse = clone(dense).fit(kind(X), y)

    assert (dense.fit(X, y).predict(X) == sparse.predict(kind(X))).mean() > 0.98


@pytest.mark.parametrize("surrogate", ["auto", "square", "max-min-hinge", "plug-in"])
def test_a_fitted_model_survives_pickling(surrogate, linear_members):
    model = SurrogateClassifier(ABSTAIN, surrogate).fit(IRIS, NAMES)
    again = pickle.loads(pickle.dumps(model))

    assert (again.predict(IRIS) == model.predict(IRIS)).all()
    assert str(again.surrogate_) == str(model.surrogate_)


def test_clones_share_the_loss_and_keep_the_parameters():
    model = SurrogateClassifier(COSTS, lm.design(COSTS, method="square"), Ridge(alpha=3), C=2.0)
    copy = clone(model)

    assert copy.loss is COSTS
    assert copy.surrogate == model.surrogate
    assert copy.estimator.alpha == 3
    assert (copy.fit(IRIS, NAMES).predict(IRIS) == model.fit(IRIS, NAMES).predict(IRIS)).all()


def test_parameters_are_searched_in_pipelines_and_the_score_is_the_negative_mean_loss():
    pipeline = make_pipeline(
        StandardScaler(), Nystroem(n_components=8, random_state=0), SurrogateClassifier(COSTS, "plug-in")
    )
    grid = {"surrogateclassifier__surrogate": ["square", "max-min-hinge"], "surrogateclassifier__C": [0.1, 10.0]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(IRIS, NAMES)

    assert search.best_score_ == pytest.approx(search.cv_results_["mean_test_score"].max())
    assert -0.5 < search.best_score_ <= 0
    scores = cross_val_score(pipeline, IRIS, NAMES, cv=3, scoring=make_loss_scorer(COSTS))
    assert scores == pytest.approx(cross_val_score(pipeline, IRIS, NAMES, cv=3))


@pytest.mark.parametrize(
    "estimator",
    [
        HistGradientBoostingRegressor(max_iter=20),
        RandomForestRegressor(n_estimators=5, random_state=0),
        make_pipeline(
            StandardScaler(), MLPRegressor(hidden_layer_sizes=(8,), solver="lbfgs", max_iter=2000, random_state=0)
        ),
        make_pipeline(StandardScaler(), HistGradientBoostingRegressor(max_iter=20)),
    ],
    ids=["one output", "many outputs", "pipeline, many", "pipeline, one"],
)
def test_any_regressor_learns_the_rows(estimator):
    model = SurrogateClassifier(ABSTAIN, estimator=estimator).fit(IRIS, NAMES)

    assert model.surrogate_.kind == "square"
    assert model.scores(IRIS).shape == (150, model.surrogate_.surrogate.dim)
    assert -model.score(IRIS, NAMES) < 0.15


def test_weights_reach_the_estimator_also_in_a_pipeline():
    weights = np.where(NAMES == "setosa", 0.0, 1.0)
    for estimator in (Ridge(), HistGradientBoostingRegressor(max_iter=20), HistGradientBoostingClassifier(max_iter=5)):
        for each in (estimator, make_pipeline(StandardScaler(), estimator)):
            model = SurrogateClassifier(ABSTAIN, estimator=each).fit(IRIS, NAMES, sample_weight=weights)
            assert "setosa" not in model.predict(IRIS)


def test_a_fitted_classifier_is_kept_as_it_is():
    fitted = LogisticRegression(max_iter=1000).fit(IRIS, NAMES)
    before = fitted.coef_.copy()
    model = SurrogateClassifier(COSTS, estimator=FrozenEstimator(fitted)).fit(IRIS[::3], NAMES[::3], np.ones(50))

    assert (model.predict(IRIS) == COSTS.decide(fitted.predict_proba(IRIS))).all()
    assert (fitted.coef_ == before).all()


def test_a_plug_in_takes_the_least_expected_loss():
    model = SurrogateClassifier(COSTS, "plug-in").fit(IRIS, NAMES)
    expected = model.expected_loss(IRIS)

    assert expected == pytest.approx(model.predict_proba(IRIS) @ np.array(COSTS.entries, dtype=float))
    assert (model.decisions_[expected.argmin(axis=1)] == model.predict(IRIS)).all()
    assert not hasattr(model, "decision_function")  # there are no scores of classes where decisions are others


def test_the_weights_of_labels_are_part_of_least_squares():
    """Rows of very different size: the surrogate weighs labels, and deciding by it is as good as by frequencies."""
    loss = lm.LossMatrix([[0, 1, "1/4"], [20, 0, 3]])
    generator = np.random.default_rng(0)
    group = generator.integers(4, size=20_000)
    y = (generator.random(20_000) < np.array([0.01, 0.06, 0.12, 0.4])[group]).astype(int)
    model = SurrogateClassifier(loss, "square", Ridge(alpha=1e-9, fit_intercept=False)).fit(np.eye(4)[group], y)
    share = np.array([y[group == g].mean() for g in range(4)])

    risks = np.stack([1 - share, share], axis=1) @ np.array(loss.entries, dtype=float)
    assert risks[range(4), model.predict(np.eye(4))] == pytest.approx(risks.min(axis=1))


def test_the_expected_loss_of_least_squares_is_that_of_the_frequencies():
    generator = np.random.default_rng(1)
    group, y = generator.integers(3, size=600), generator.integers(3, size=600)
    model = SurrogateClassifier(lm.losses.zero_one(3), "square", Ridge(alpha=1e-9, fit_intercept=False))
    model.fit(np.eye(3)[group], y)
    frequencies = np.array([np.bincount(y[group == g], minlength=3) / (group == g).sum() for g in range(3)])

    assert model.expected_loss(np.eye(3)) == pytest.approx(1 - frequencies, abs=1e-6)


@pytest.mark.parametrize("weights", [[1, 1, 1], [2, 2, 2], [1, 2, 3]])
def test_least_squares_with_weights_of_labels_never_tell_a_wrong_expected_loss(weights):
    """Of labels that weigh more the means are too large: what each decision costs cannot be read from them."""
    generator, loss = np.random.default_rng(1), lm.losses.ordinal(3)
    group, y = generator.integers(3, size=600), generator.integers(3, size=600)
    weighted = lm.surrogates.square(loss).weighted(weights)
    model = SurrogateClassifier(loss, weighted, Ridge(alpha=1e-9, fit_intercept=False)).fit(np.eye(3)[group], y)
    frequencies = np.array([np.bincount(y[group == g], minlength=3) / (group == g).sum() for g in range(3)])
    risks = frequencies @ np.array(loss.entries, dtype=float)

    assert model.predict(np.eye(3)).tolist() == risks.argmin(axis=1).tolist()
    if len(set(weights)) == 1:
        assert model.expected_loss(np.eye(3)) == pytest.approx(risks, abs=1e-6)
    else:
        with refused("(1, 2, 3)", 'surrogate="plug-in"'):
            model.expected_loss(np.eye(3))


@pytest.mark.parametrize(
    ("loss", "kind", "dim"),
    [
        (lm.losses.zero_one(3), "plug-in", 3),
        (lm.LossMatrix.from_function(lambda y, t: abs(y - t), range(31), (5, 25), "far apart"), "polyhedral", 1),
        (lm.losses.hamming(5), "square", 5),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_what_was_chosen_is_printed_with_a_certificate(loss, kind, dim):
    y = np.array(loss.labels)[np.arange(64) % loss.n]
    model = SurrogateClassifier(loss).fit(np.random.default_rng(0).standard_normal((64, 2)), y)
    assert (model.surrogate_.kind, model.surrogate_.surrogate.dim) == (kind, dim)
    assert loss.name in str(model.surrogate_)
    assert lm.verify(model.certificate_).accepted
