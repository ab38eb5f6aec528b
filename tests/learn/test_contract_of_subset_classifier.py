"""The contract of scikit-learn for estimators of several labels, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from refused import refused
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer, OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import lossmith as lm
from lossmith.errors import BadInput, TooLarge, UnknownName
from lossmith.learn import SubsetClassifier

R = 5
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 3))
Y = (X @ RANDOM.normal(size=(3, R)) + RANDOM.normal(size=(120, R)) > 0.5).astype(int)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
TAGS = pd.DataFrame(Y, columns=["red", "green", "blue", "large", "small"])
SPARSE = np.where(np.abs(X) > 0.5, X, 0)
ESTIMATORS = [None, Ridge()]

ONE_LABEL = "it gives one label of several per example, and no sets"
INAPPLICABLE = {
    **dict.fromkeys(
        [
            "check_estimators_dtypes",
            "check_sample_weights_pandas_series",
            "check_sample_weights_not_an_array",
            "check_sample_weights_shape",
            "check_sample_weights_not_overwritten",
            "check_complex_data",
            "check_estimator_sparse_array",
            "check_estimator_sparse_matrix",
            "check_classifier_data_not_an_array",
            "check_classifiers_one_label",
            "check_classifiers_one_label_sample_weights",
            "check_classifiers_classes",
            "check_classifiers_train",
            "check_classifiers_regression_target",
            "check_decision_proba_consistency",
            "check_classifier_not_supporting_multiclass",
            "check_fit2d_1feature",
        ],
        ONE_LABEL,
    ),
    "check_classifier_multioutput": "sets are decided by the loss, not tag by tag at probabilities of one half",
}


@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn_that_apply():
    told = check_estimator(SubsetClassifier(C=1.0), expected_failed_checks=INAPPLICABLE)

    assert sum(each["status"] == "passed" for each in told) > 40


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_what_is_given_is_left_as_it_is_and_fitting_again_changes_nothing(estimator):
    model, before = SubsetClassifier("f1", estimator), (X.copy(), Y.copy())
    first = model.fit(X, Y).predict(X)
    again = model.fit(X, Y).predict(X)

    assert np.array_equal(first, again)
    assert np.array_equal(X, before[0])
    assert np.array_equal(Y, before[1])
    assert first.shape == Y.shape
    assert first.dtype.kind == "i"
    assert estimator is None or not hasattr(estimator, "coef_")


def test_a_clone_has_the_parameters_and_is_not_fitted():
    model = clone(SubsetClassifier("f2", Ridge(alpha=3), C=0.5, n_jobs=1, random_state=7).fit(X, Y))

    assert model.get_params(deep=False).keys() == {"loss", "estimator", "C", "n_jobs", "random_state"}
    assert (model.loss, model.get_params()["estimator__alpha"], model.C, model.random_state) == ("f2", 3, 0.5, 7)
    assert model.set_params(loss="hamming").loss == "hamming"
    assert is_classifier(model)
    for method in ("predict", "scores"):
        with pytest.raises(NotFittedError):
            getattr(model, method)(X)
    with pytest.raises(NotFittedError):
        _ = model.construction_


@pytest.mark.parametrize(
    "loss", ["f1", "jaccard", "hamming", "precision@2", lm.losses.weighted_hamming([1, 2, 3, 4, 5])]
)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_pickles_decide_as_before(loss, estimator):
    model = SubsetClassifier(loss, estimator, C=1.0).fit(X, Y)
    other = pickle.loads(pickle.dumps(model))

    assert np.array_equal(other.predict(X), model.predict(X))
    assert other.score(X, Y) == model.score(X, Y)


def test_tags_in_frames_sparse_or_boolean_are_the_same():
    dense = SubsetClassifier(C=1.0).fit(X, Y)
    for tags in (TAGS, csr_array(Y), csr_matrix(Y), Y.astype(bool), Y.astype(float), Y.tolist(), TAGS.astype(bool)):
        other = SubsetClassifier(C=1.0).fit(X, tags)
        assert np.array_equal(other.predict(X), dense.predict(X))
        assert other.score(X, tags) == dense.score(X, Y)
    assert SubsetClassifier(C=1.0).fit(X, TAGS).tags_.tolist() == [*TAGS]
    assert dense.tags_.tolist() == [0, 1, 2, 3, 4]


def test_features_in_frames_and_sparse_ones():
    framed = SubsetClassifier(C=1.0).fit(FRAME, Y)
    assert framed.feature_names_in_.tolist() == ["a", "b", "c"]
    assert framed.n_features_in_ == 3
    assert framed.predict(FRAME).shape == Y.shape
    sparse = SubsetClassifier(C=1.0).fit(csr_array(SPARSE), Y)
    assert np.mean(sparse.predict(csr_array(SPARSE)) == SubsetClassifier(C=1.0).fit(SPARSE, Y).predict(SPARSE)) > 0.9
    many = SubsetClassifier(C=1.0).fit(csr_array(np.tile(SPARSE, 300)), Y)  # of 900 features, some directions
    assert many.score(csr_array(np.tile(SPARSE, 300)), Y) > -0.6


def test_an_estimator_reads_the_features_itself():
    words = pd.DataFrame({"word": np.where(X[:, 0] > 0, "up", "down")})
    model = SubsetClassifier("f1", make_pipeline(OneHotEncoder(), Ridge())).fit(words, Y)

    assert len(np.unique(model.predict(words), axis=0)) <= 2
    assert model.feature_names_in_.tolist() == ["word"]
    with refused("X", "'word'"):
        model.predict(words.rename(columns={"word": "other"}))


def test_searches_pipelines_and_cross_validation():
    search = GridSearchCV(SubsetClassifier(), {"C": [0.01, 1.0], "loss": ["f1"]}, cv=2).fit(X, Y)
    assert search.best_score_ == pytest.approx(-1 + max(search.cv_results_["mean_test_score"] + 1))
    told = cross_val_predict(SubsetClassifier("f1", Ridge()), X, Y, cv=3)
    assert told.shape == Y.shape
    piped = make_pipeline(StandardScaler(), SubsetClassifier("f1", Ridge()))
    scores = cross_val_score(piped, X, Y, cv=3)
    assert ((scores > -1) & (scores < 0)).all()
    paid = lm.losses.f_measure(R).losses(Y, piped.fit(X, Y).predict(X))
    assert piped.score(X, Y) == pytest.approx(-paid.mean())


def test_weights_are_taken_as_lists_and_series():
    weights = RANDOM.integers(1, 4, len(Y))
    first, *others = (
        SubsetClassifier(C=1.0).fit(X, Y, sample_weight=each).predict_proba(X)
        for each in (weights, weights.tolist(), pd.Series(weights), weights.astype(float))
    )

    assert all(np.array_equal(each, first) for each in others)
    model = SubsetClassifier(C=1.0).fit(X, Y)
    paid = lm.losses.f_measure(R).losses(Y, model.predict(X))
    assert model.score(X, Y, sample_weight=weights) == pytest.approx(-np.average(paid, weights=weights))


def test_regressors_of_several_outputs_are_taken_as_they_are():
    near = SubsetClassifier("f1", KNeighborsRegressor(5)).fit(X, Y)

    assert isinstance(near.model_.regressor, KNeighborsRegressor)
    assert not isinstance(near.model_.regressor, MultiOutputRegressor)


# What is refused.


WRONG_TAGS = {
    "two": (np.where(np.arange(R) == 3, 2, Y), ["y", 2, "row 0", "tag 3"]),
    "minus one": (TAGS.replace({"blue": {0: -1}}), ["y", -1, "'blue'"]),
    "nan": (np.where(np.arange(R) == 1, np.nan, Y), ["y", "nan", "row 0", "tag 1"]),
    "words": (TAGS.astype(str).replace("0", "no"), ["y", "'no'", "'red'"]),
    "one-dimensional": (Y[:, 0], ["y", "(120,)", "MultiLabelBinarizer"]),
    "lists": ([["red"], ["red", "blue"]] * 60, ["y", "[['red'], "]),
    "no tags": (Y[:, :0], ["y", "(120, 0)"]),
    "lengths": (Y[:100], ["X", 120, "y", 100]),
    "none": (None, ["y", None]),
}


@pytest.mark.parametrize("what", WRONG_TAGS)
def test_tags_that_are_no_zeros_and_ones(what):
    tags, quoted = WRONG_TAGS[what]
    for estimator in (None, Ridge()):
        with refused(*quoted) as error:
            SubsetClassifier("f1", estimator).fit(X, tags)
        assert "\n" not in str(error.value)


def test_lists_of_tags_become_a_table():
    table = MultiLabelBinarizer().fit_transform([["red"], ["red", "blue"]] * 60)

    assert SubsetClassifier(C=1.0).fit(X, table).predict(X).shape == (120, 2)


LOSSES_THAT_DO_NOT_FIT = {
    "no name": (lambda: "f", UnknownName, ["'f'"]),
    "nearly jaccard": (lambda: "jacard", UnknownName, ["'jacard'", "'jaccard'"]),
    "nearly hamming": (lambda: "hammming", UnknownName, ["'hamming'"]),
    "no beta": (lambda: "f0", BadInput, ["beta", 0]),
    "no number": (lambda: "recall@", BadInput, ["'recall@'", "recall@5"]),
    "all tags": (lambda: "precision@5", BadInput, ["'precision@5'", "5 tags"]),
    "four tags": (lambda: lm.losses.f_measure(4), BadInput, ["5 tags", "f_measure(r=4)", 4]),
    "two weights": (lambda: lm.losses.weighted_hamming([1, 2]), BadInput, ["5 tags", 2]),
    "three tags": (lambda: lm.losses.hamming(3), BadInput, ["5 tags", "hamming(r=3)", 3]),
    "labels": (lambda: lm.losses.zero_one(3), BadInput, ["zero_one(n=3)"]),
    "rankings": (lambda: lm.losses.ndcg(5), BadInput, ["lm.losses.f_measure(5)"]),
}


@pytest.mark.parametrize("what", LOSSES_THAT_DO_NOT_FIT)
def test_losses_that_do_not_fit(what):
    loss, kind, quoted = LOSSES_THAT_DO_NOT_FIT[what]
    with refused(*quoted, error=kind) as error:
        SubsetClassifier(loss()).fit(X, Y)
    assert "\n" not in str(error.value)


def test_a_loss_that_is_written_down_takes_few_tags():
    with refused("r", 12, "jaccard", "10 tags", "f_measure", error=TooLarge):
        SubsetClassifier("jaccard").fit(X, np.hstack([Y, Y, Y])[:, :12])


def test_sets_that_a_matrix_lacks():
    loss = lm.losses.hamming(R)
    some = loss.restrict(labels=[name for name in loss.labels if name != "".join(map(str, Y[7]))])
    with pytest.raises(BadInput, match=rf"row \d+ .*y .*{''.join(map(str, Y[7]))}"):
        SubsetClassifier(some).fit(X, Y)


def test_features_that_do_not_fit():
    holes = X.copy()
    holes[3, 1] = np.nan
    with refused("X", "NaN", "row 3", "column 1"):
        SubsetClassifier().fit(holes, Y)
    model = SubsetClassifier("f1", LinearRegression()).fit(X, Y)
    with refused("X", "2 features", 3):
        model.predict(X[:, :2])
    with refused("'a'", "X", "'x'"):
        SubsetClassifier().fit(FRAME.assign(a="x"), Y)


@pytest.mark.parametrize(
    ("parameters", "weights", "quoted"),
    [
        ({"C": 0}, None, ["C", 0]),
        ({"estimator": LogisticRegression()}, None, ["LogisticRegression()"]),
        ({}, np.zeros(120), ["sample_weight", 0]),
    ],
)
def test_parameters_that_do_not_fit(parameters, weights, quoted):
    with refused(*quoted):
        SubsetClassifier(**parameters).fit(X, Y, weights)


def test_scores_want_as_many_sets_as_examples():
    model = SubsetClassifier("f1", Ridge()).fit(X, Y)
    with refused("y", "(120, 4)", "X", "(120, 5)"):
        model.score(X, Y[:, :4])


def test_tags_with_names_are_found_in_any_order():
    model = SubsetClassifier("f1", Ridge()).fit(X, TAGS)

    assert model.score(X, TAGS[[*TAGS][::-1]]) == model.score(X, Y)
    with refused("y", "'green'", "'red', 'green'"):
        model.score(X, TAGS.rename(columns={"green": "other"}))
