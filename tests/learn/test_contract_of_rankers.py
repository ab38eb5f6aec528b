"""The contract of scikit-learn as far as it concerns rankings, and what is refused."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from refused import lacking, refused
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.estimator_checks import (
    check_get_params_invariance,
    check_no_attributes_set_in_init,
    check_parameters_default_constructible,
    check_set_params,
)

from lossmith.errors import UnknownName
from lossmith.learn import SubsetRanker

METRICS = ("ndcg", "map", "pd", "precision@2")
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 3))
Y = (X[:, 0] + RANDOM.normal(size=40) > 0).astype(int)
Y[::4] = 1
QID = np.repeat(np.arange(10), 4)


@pytest.mark.parametrize(
    "check",
    [
        check_get_params_invariance,
        check_no_attributes_set_in_init,
        check_parameters_default_constructible,
        check_set_params,
    ],
)
def test_parameters_are_kept_as_scikit_learn_wants(check):
    check("SubsetRanker", SubsetRanker("map", Ridge()))


def test_a_clone_has_the_same_parameters_and_is_not_fitted():
    model = SubsetRanker("pd", Ridge(alpha=3), max_pairs=7).fit(X, Y, QID)
    other = clone(model)

    assert other.get_params(deep=False).keys() == {"metric", "estimator", "max_pairs", "random_state"}
    assert (other.metric, other.max_pairs, other.estimator.alpha) == ("pd", 7, 3)
    with pytest.raises(NotFittedError):
        other.predict(X, QID)


@pytest.mark.parametrize("method", ["predict", "rank", "decision_function"])
def test_what_is_not_fitted_says_so(method):
    with pytest.raises(NotFittedError):
        getattr(SubsetRanker(), method)(X, QID)


def test_fitting_leaves_the_estimator_alone():
    inner = Ridge()
    SubsetRanker("map", inner).fit(X, Y, QID)

    assert not hasattr(inner, "coef_")


@pytest.mark.parametrize("metric", METRICS)
def test_pickles_rank_as_before(metric):
    model = SubsetRanker(metric, Ridge()).fit(X, Y, QID)

    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X, QID), model.predict(X, QID))


@pytest.mark.parametrize("metric", METRICS)
def test_sparse_and_framed_features_are_ranked_as_dense_ones(metric):
    dense = SubsetRanker(metric, Ridge(solver="lsqr", tol=1e-12)).fit(X, Y, QID)
    sparse = clone(dense).fit(csr_array(X), Y, QID)
    framed = clone(dense).fit(pd.DataFrame(X, columns=["a", "b", "c"]), pd.Series(Y), pd.Series(QID))

    assert np.array_equal(sparse.predict(csr_array(X), QID), dense.predict(X, QID))
    assert np.array_equal(framed.predict(pd.DataFrame(X, columns=["a", "b", "c"]), QID), dense.predict(X, QID))
    assert framed.feature_names_in_.tolist() == ["a", "b", "c"]
    assert dense.n_features_in_ == 3


def test_the_default_estimator_takes_missing_values_and_no_sparse_ones():
    holes = np.where(RANDOM.random(X.shape) < 0.1, np.nan, X)
    for metric in METRICS:
        assert SubsetRanker(metric).fit(holes, Y, QID).predict(holes, QID).shape == (40,)
    with pytest.raises(ValueError, match="NaN"):
        SubsetRanker("map", Ridge()).fit(holes, Y, QID)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        SubsetRanker().fit(csr_array(X), Y, QID)


def test_another_number_of_features_is_refused():
    model = SubsetRanker("map", Ridge()).fit(X, Y, QID)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :2], QID)


@pytest.mark.parametrize("metric", METRICS)
def test_ids_and_sizes_tell_the_same_queries(metric):
    names = np.array([f"query {q}" for q in QID])
    models = [
        SubsetRanker(metric, Ridge()).fit(X, Y, QID),
        SubsetRanker(metric, Ridge()).fit(X, Y, qid=names),
        SubsetRanker(metric, Ridge()).fit(X, Y, group=[4] * 10),
    ]
    first, *others = [model.predict(X, group=[4] * 10) for model in models]

    assert all(np.array_equal(each, first) for each in others)


def test_cross_validation_keeps_queries_together():
    with sklearn.config_context(enable_metadata_routing=True):
        model = SubsetRanker("map", Ridge()).set_fit_request(qid=True).set_score_request(qid=True)
        params = {"qid": QID, "groups": QID}
        scores = cross_val_score(model, X, Y, cv=GroupKFold(5), params=params)

    assert scores.shape == (5,)
    assert ((scores > 0) & (scores <= 1)).all()


def test_it_stands_at_the_end_of_a_pipeline():
    model = make_pipeline(StandardScaler(), SubsetRanker("pd", Ridge())).fit(X, Y, subsetranker__qid=QID)

    assert sorted(model.predict(X, qid=QID)[:4]) == [0, 1, 2, 3]


# What is refused.


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        ({"qid": np.tile(np.arange(10), 4)}, ["qid 0", "row 10"]),
        ({"qid": QID[:-1]}, ["qid", "(39,)", 40]),
        ({"qid": np.where(QID == 3, np.nan, QID)}, ["qid", "row 12"]),
        ({"qid": QID, "group": [40]}, ["qid", "group"]),
        ({"group": [20, 19]}, [39, 40]),
        ({"group": [40, 0]}, ["[40, 0]"]),
        ({"group": [19.5, 20.5]}, ["[19.5, 20.5]"]),
    ],
)
def test_queries_that_are_not_told_well_are_refused(arguments, quoted):
    with refused(*quoted):
        SubsetRanker("map", Ridge()).fit(X, Y, **arguments)
    model = SubsetRanker("map", Ridge()).fit(X, Y, QID)
    with refused(*quoted):
        model.predict(X, **arguments)


@pytest.mark.parametrize(
    ("metric", "wrong", "quoted"),
    [
        ("map", 2, ["query 3", "document 1", 2, "0 … 1"]),
        ("precision@2", -1, ["query 3", "document 1", -1, "0 … 1"]),
        ("ndcg", 31, [31, "0 … 30"]),
        ("ndcg", 0.5, [0.5, "0 … 30"]),
        ("ndcg", np.nan, ["nan"]),
        ("pd", np.inf, ["inf"]),
    ],
)
def test_relevance_outside_the_levels_is_refused(metric, wrong, quoted):
    y = Y.astype(float)
    y[13] = wrong
    with refused("row 13", *quoted):
        SubsetRanker(metric, Ridge()).fit(X, y, QID)
    with refused("row 13", *quoted):
        SubsetRanker(metric, Ridge()).fit(X, Y, QID).score(X, y, QID)


def test_queries_without_a_relevant_document_are_left_out_of_map_and_said_once():
    y = np.where(QID < 3, 0, Y)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = SubsetRanker("map", DecisionTreeRegressor(random_state=0)).fit(X, y, QID)
    (once,) = said
    assert lacking(str(once.message), 3, "10 queries") == []
    with pytest.warns(UserWarning, match=r"\b3\b.*\b10\b"):
        assert model.score(X, y, QID) == pytest.approx(1)
    rest = clone(model).fit(X[QID >= 3], y[QID >= 3], QID[QID >= 3])
    assert np.array_equal(rest.predict(X, QID), model.predict(X, QID))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the queries that are left out
def test_without_any_relevant_document_there_is_nothing_to_learn():
    with refused("map"):
        SubsetRanker("map", Ridge()).fit(X, np.zeros(40), QID)
    with refused():
        SubsetRanker("map", Ridge()).fit(X, Y, QID).score(X, np.zeros(40), QID)


@pytest.mark.parametrize("metric", METRICS)
def test_single_documents_teach_no_ranking(metric):
    with refused():
        SubsetRanker(metric, Ridge()).fit(X, np.ones(40), np.arange(40))


@pytest.mark.parametrize(
    ("y", "quoted"),
    [
        ([[(0, 1)]] * 9, [40]),
        ([[(0, 1)]] * 9 + [[(0, 1), (1, 2), (2, 0)]], ["query 9", "edge"]),
        ([[(0, 1)]] * 9 + [[(0, 4)]], ["query 9", "(0, 4)", "0 … 3"]),
    ],
)
def test_preferences_that_mean_nothing_are_refused(y, quoted):
    with refused(*quoted):
        SubsetRanker("pd", Ridge()).fit(X, y, QID)


def test_the_wrong_number_of_relevances_is_refused():
    with refused("y", 39, 40):
        SubsetRanker("ndcg", Ridge()).fit(X, Y[:-1], QID)


@pytest.mark.parametrize("metric", ["mrr", "precision", "ndcg@5", None, ["map"]])
def test_an_unknown_metric_is_refused(metric):
    with refused(repr(metric), error=UnknownName):
        SubsetRanker(metric, Ridge()).fit(X, Y, QID)


@pytest.mark.parametrize("metric", ["precision@", "precision@0", "precision@q"])
def test_precision_needs_a_number(metric):
    with refused("precision@5"):
        SubsetRanker(metric, Ridge()).fit(X, Y, QID)


def test_whole_numbers_without_a_sign_are_compared_as_numbers():
    counts = (10 * abs(X)).astype(np.uint8)
    models = [SubsetRanker("pd", Ridge()).fit(each, Y, QID) for each in (counts, counts.astype(float))]

    assert np.array_equal(models[0].predict(counts, QID), models[1].predict(counts, QID))


def test_so_many_pairs_must_be_a_number():
    with refused("max_pairs", 0):
        SubsetRanker("map", Ridge(), max_pairs=0).fit(X, Y, QID)


class TwoNumbers(Ridge):
    """Predicts two columns whatever it is asked."""

    def predict(self, X):
        return np.column_stack([super().predict(X)] * 2)


def test_a_regressor_of_several_outputs_is_refused():
    model = SubsetRanker("ndcg", TwoNumbers()).fit(X, Y, QID)
    with refused("(40, 2)"):
        model.predict(X, QID)
