"""What SurrogateClassifier does if nothing is asked for: a pool of probabilities, then the least expected loss."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import refused
from scipy.sparse import csr_matrix
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression

import lossmith as lm
from lossmith.learn import ProbabilityPool, SurrogateClassifier
from lossmith.learn.choosing import order_of_labels
from lossmith.losses import abstain, hamming, ordinal, zero_one

X, progression = (each[::3] for each in load_diabetes(return_X_y=True))
GRADES = np.digitize(progression, np.quantile(progression, [0.4, 0.8]))
WINES, KINDS = load_wine(return_X_y=True)


@pytest.mark.parametrize(
    ("loss", "order"), [(ordinal(3), range(3)), (abstain(3), None)], ids=["orderable", "not orderable"]
)
def test_it_is_the_decision_of_least_expected_loss_by_the_pool(loss, order, without_folds, linear_members):
    model = SurrogateClassifier(loss, random_state=0).fit(X, GRADES)
    pool = ProbabilityPool(order=order and list(order), random_state=0).fit(X, GRADES)
    assert (model.predict_proba(X) == pool.predict_proba(X)).all()
    assert model.predict(X).tolist() == list(loss.decide(pool.predict_proba(X)))
    assert ("proportional odds" in model.model_.classifier.weights_) == (order is not None)
    assert len(pool.weights_) == 3 + (order is not None)
    assert pool.why_ in str(model.surrogate_)
    assert lm.verify(model.certificate_).accepted


def test_best_is_a_pool_too(without_folds, linear_members):
    loss = ordinal(3)
    auto, best = (SurrogateClassifier(loss, each, random_state=0).fit(X, GRADES) for each in ("auto", "best"))
    assert auto.model_.classifier.members == "quick"
    assert best.model_.classifier.members == "best"
    assert best.predict(X).tolist() == list(loss.decide(best.predict_proba(X)))
    assert hasattr(SurrogateClassifier(loss, "best"), "decision_function")


@pytest.mark.exhaustive
def test_best_decides_as_auto_where_examples_are_few():
    auto, best = (SurrogateClassifier(ordinal(3), each, random_state=0).fit(X, GRADES) for each in ("auto", "best"))
    assert (auto.predict_proba(X) == best.predict_proba(X)).all()
    assert len(best.model_.classifier.weights_) == 10


@pytest.mark.parametrize("surrogate", ["auto", "best"])
def test_with_an_estimator_it_alone_is_used(surrogate):
    X, estimator = WINES / WINES.std(axis=0), LogisticRegression(max_iter=1000)
    model = SurrogateClassifier(zero_one(3), surrogate, estimator).fit(X, KINDS)
    assert model.surrogate_.kind == "plug-in"
    assert isinstance(model.model_.classifier, LogisticRegression)
    assert (model.predict_proba(X) == estimator.fit(X, KINDS).predict_proba(X)).all()


def test_few_examples_are_left_to_logistic_regression_and_it_says_so():
    model = SurrogateClassifier(zero_one(3)).fit(WINES[::2], KINDS[::2])
    assert [*model.model_.classifier.members_] == ["logistic regression"]
    assert "89" in model.surrogate_.why
    assert "100" in model.surrogate_.why


def test_above_thirty_labels_it_trains_as_few_functions_as_matter():
    y = np.array(hamming(5).labels)[np.arange(len(X)) % 32]
    assert SurrogateClassifier(hamming(5)).fit(X, y).surrogate_.surrogate.dim == 5


# The order of the labels.


def test_the_order_is_that_of_the_best_decisions_whatever_the_order_of_rows_and_columns():
    grades = lm.LossMatrix.from_function(
        lambda y, t: abs("dcba".index(y) - "dcba".index(t)), ["b", "d", "a", "c"], ["c", "b", "a", "d"]
    )
    assert order_of_labels(grades) in [tuple("abcd"), tuple("dcba")]


@pytest.mark.parametrize(
    "loss",
    [zero_one(4), abstain(3), ordinal(2), lm.LossMatrix([[0, 1, 4], [10, 3, 1], [60, 35, 12]])],
    ids=["0-1", "abstain", "two labels", "two labels with the same best decision"],
)
def test_labels_that_the_loss_does_not_order_have_none(loss):
    assert order_of_labels(loss) is None


# What goes in.


@pytest.mark.exhaustive
def test_the_same_seed_gives_the_same_decisions_and_names_change_nothing():
    words = np.array(["c", "a", "b"])
    loss = lm.LossMatrix(ordinal(3).entries, words.tolist(), words.tolist(), name="words")
    first, again = (SurrogateClassifier(ordinal(3), random_state=7).fit(X, GRADES).predict_proba(X) for _ in range(2))
    named = SurrogateClassifier(loss, random_state=7).fit(X, words[GRADES])
    assert (first == again).all()
    assert named.classes_.tolist() == [*"abc"]
    assert abs(named.predict_proba(X)[:, words.argsort().argsort()] - first).mean() < 0.03  # other folds, other trees


@pytest.mark.parametrize("surrogate", ["auto", pytest.param("best", marks=pytest.mark.exhaustive)])
def test_labels_that_y_lacks_and_a_label_with_one_example(surrogate, without_folds):
    y = np.where(KINDS == 2, 3, KINDS)
    y[0], three = 2, WINES[:, [0, 6, 9]]
    with pytest.warns(UserWarning, match=r" 4 .*\b1\b.*\b5\b"):
        model = SurrogateClassifier(ordinal(5), surrogate, random_state=0).fit(three, y)
    P = model.predict_proba(three)
    assert P.sum(axis=1) == pytest.approx(1)
    assert (P[:, 4] == 0).all()
    assert -model.score(three, y) < 0.1


def test_sparse_features_and_weights(without_folds):
    weights, X = np.where(KINDS == 2, 0.0, 1.0), WINES[:, 1:3]
    model = SurrogateClassifier(abstain(3), random_state=0)
    assert 2 not in set(model.fit(csr_matrix(X), KINDS, sample_weight=weights).predict(csr_matrix(X)))
    assert "small boosting" not in model.model_.classifier.weights_


def test_c_reaches_the_members():
    X, y = WINES[::2], KINDS[::2]  # logistic regression alone
    sharp, blunt = (SurrogateClassifier(zero_one(3), C=C).fit(X, y).predict_proba(X) for C in (1.0, 1e-6))
    assert blunt == pytest.approx(np.tile(np.bincount(y) / len(y), (len(y), 1)), abs=1e-3)
    assert (sharp.argmax(axis=1) == y).mean() > 0.95


def test_features_that_do_not_fit_are_refused_before_anything_is_trained(capsys):
    frame = pd.DataFrame({"size": WINES[:, 0], "kind": np.where(WINES[:, 1] > 2, "wide", "narrow")})
    model = SurrogateClassifier(zero_one(3), verbose=True)
    with refused("'kind'", "X", "'narrow'"):
        model.fit(frame, KINDS)
    for bad, quoted in ((WINES[:-1], [177, 178]), (WINES[:, 0], ["2D"]), (WINES * np.nan, ["NaN"])):
        with refused(*quoted, error=ValueError):
            model.fit(bad, KINDS)
    assert capsys.readouterr().out == ""
    numbers = frame.assign(kind=[str(x) for x in WINES[:, 1]])  # numbers that are written as words
    assert model.set_params(verbose=False).fit(numbers[::2], KINDS[::2]).predict(numbers).shape == (178,)
    with refused("kind", error=ValueError):
        model.predict(frame[["size"]])


# Progress, and several at a time.


@pytest.mark.parametrize("surrogate", ["auto", "orderable"])
def test_progress_is_told_if_asked_for(surrogate, capsys, linear_members):
    SurrogateClassifier(ordinal(3), surrogate, random_state=0).fit(X[::2], GRADES[::2])
    assert capsys.readouterr().out == ""
    SurrogateClassifier(ordinal(3), surrogate, random_state=0, verbose=True).fit(X[:, :2], GRADES)
    assert len(capsys.readouterr().out.splitlines()) > 2


@pytest.mark.exhaustive
def test_jobs_change_nothing():
    for how in ({}, {"surrogate": "square", "estimator": HistGradientBoostingRegressor(max_iter=5)}):
        one, two = (SurrogateClassifier(zero_one(3), n_jobs=jobs, random_state=0, **how) for jobs in (None, 2))
        assert one.fit(WINES, KINDS).predict(WINES).tolist() == two.fit(WINES, KINDS).predict(WINES).tolist()
