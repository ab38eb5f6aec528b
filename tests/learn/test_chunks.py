"""Learning from chunks: the same model however the examples are split, and one line for what does not fit."""

from __future__ import annotations

import functools
import pickle
import re
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refused import lacking, refused
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPRegressor

import lossmith as lm
from lossmith.errors import BadInput, TooLarge, UnknownName
from lossmith.learn import SurrogateClassifier, chunks, streamed_maxima, streams

COSTS = lm.LossMatrix(
    [[0, 1, 4], [10, 3, 1], [60, 35, 12]],
    labels=["mild", "severe", "moderate"],
    predictions=["home", "clinic", "ward"],
    name="triage",
)


def examples(m, seed=0, features=4):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((m, features)) * [1, 10, 0.1, 1][:features] + [3, 5, 0, 0][:features]
    apart = (X[:, 0] - 3) + X[:, 1] / 10 + generator.standard_normal(m)
    return X, np.array(["mild", "moderate", "severe"])[np.digitize(apart, [0, 1])]


X, Y = examples(300)


def in_pieces(model, cuts, X=X, y=Y, **more):
    for start, stop in zip([0, *cuts], [*cuts, len(y)], strict=True):
        if stop > start:
            told = {name: each[start:stop] for name, each in more.items()}
            model.partial_fit(X[start:stop], y[start:stop], **told)
    return model


def hinge_objective(model, X, y):
    surrogate = model.surrogate_.surrogate
    truth = [model.loss_.labels.index(each) for each in y.tolist()]
    losses = surrogate.evaluate(model.scores(X))[np.arange(len(y)), truth]
    return 0.5 * (model.model_.coef**2).sum() + model.C * losses.sum()


def log_objective(model, X, y):
    P = model.predict_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return 0.5 * (model.model_.classifier.coef_**2).sum() - model.C * np.log(P).sum()


@given(
    cuts=st.lists(st.integers(0, 300), max_size=8).map(sorted),
    weighted=st.booleans(),
    C=st.sampled_from([1e-3, 1.0, 1e3]),
)
def test_least_squares_in_any_split_are_those_of_all_examples(cuts, weighted, C):
    weights = np.random.default_rng(1).exponential(size=300)
    whole = SurrogateClassifier(COSTS, "square", C=C).fit(X, Y, weights if weighted else None)
    split = in_pieces(
        SurrogateClassifier(COSTS, "square", C=C), cuts, **({"sample_weight": weights} if weighted else {})
    )

    np.testing.assert_allclose(split.scores(X), whole.scores(X), rtol=1e-9, atol=1e-9)
    assert (split.predict(X) == whole.predict(X)).all()


def test_more_than_thirty_labels_are_least_squares_in_chunks_too():
    loss = lm.losses.hamming(5)
    y = np.array(loss.labels)[np.arange(300) % 32]
    split = in_pieces(SurrogateClassifier(loss), [70, 200], y=y)

    np.testing.assert_allclose(split.scores(X), SurrogateClassifier(loss).fit(X, y).scores(X), rtol=1e-9, atol=1e-9)
    assert str(split.surrogate_) == str(SurrogateClassifier(loss).fit(X, y).surrogate_)


def test_numbers_far_from_zero_keep_their_digits():
    """The mean is a million times the deviation: sums of squares would lose all but a few digits."""
    far = X * 1e-3 + 1e3
    split = in_pieces(SurrogateClassifier(COSTS, "square", C=1e6), [1, 2, 150], X=far)

    np.testing.assert_allclose(
        split.scores(far), SurrogateClassifier(COSTS, "square", C=1e6).fit(far, Y).scores(far), atol=1e-6
    )


@pytest.mark.parametrize("surrogate", ["square", "plug-in", "max-min-hinge"])
def test_up_to_a_block_of_examples_any_surrogate_comes_to_what_fit_does(surrogate):
    whole = SurrogateClassifier(COSTS, surrogate).fit(X, Y)
    split = in_pieces(SurrogateClassifier(COSTS, surrogate), [10, 11, 250])

    assert (split.predict(X) == whole.predict(X)).mean() > 0.98


@pytest.mark.parametrize("loss", [COSTS, lm.LossMatrix([[0, 1], [5, 0]], labels=["severe", "mild"])])
@pytest.mark.parametrize(
    ("C", "count"),
    [(1.0, 9000), *(pytest.param(C, 20_000, marks=pytest.mark.exhaustive) for C in (1e-3, 1.0))],
)
def test_logistic_regression_in_blocks_is_within_a_thousandth_of_the_objective(loss, C, count):
    X, y = examples(count)
    y = np.where(y == "moderate", "severe", y) if loss.n == 2 else y
    X = X - X.mean(axis=0)  # LogisticRegression needs that to converge
    model = SurrogateClassifier(loss, "plug-in", C=C).fit(chunks(X, y, size=3000))
    peer = SurrogateClassifier(loss, "plug-in", LogisticRegression(C=C, tol=1e-8, max_iter=5000)).fit(X, y)

    assert log_objective(model, X, y) <= 1.001 * log_objective(peer.set_params(C=C), X, y)


@functools.cache
def whole_and_split(surrogate, C, count, size):
    """What is learned from all examples at once, and in chunks."""
    X, y = examples(count)
    loss = COSTS.restrict(labels=["mild", "moderate", "severe"])
    model = SurrogateClassifier(loss, surrogate, C=C)
    return clone(model).fit(X, y), clone(model).fit(chunks(X, y, size=size))


@pytest.mark.parametrize(
    ("surrogate", "C", "count", "size"),
    [
        ("orderable", 1.0, 9000, 999),
        *(
            pytest.param(surrogate, C, 12_000, 5000, marks=pytest.mark.exhaustive)
            for surrogate, C in product(("orderable", "max-min-hinge"), (1e-3, 1.0, 30.0))
        ),
    ],
)
def test_polyhedral_surrogates_in_blocks_are_within_one_percent_of_the_objective(surrogate, C, count, size):
    X, y = examples(count)
    whole, split = whole_and_split(surrogate, C, count, size)

    assert hinge_objective(whole, X, y) == pytest.approx(whole.model_.objective, rel=1e-6)
    assert hinge_objective(split, X, y) <= 1.01 * whole.model_.objective


@pytest.mark.parametrize("count", [9000, pytest.param(12_000, marks=pytest.mark.exhaustive)])
def test_the_gap_of_a_stream_is_an_estimate_on_examples_before_they_are_learned(count):
    whole, split = whole_and_split("orderable", 1.0, count, 999)
    least = whole.model_.objective

    assert split.model_.objective == pytest.approx(least, rel=0.05)
    assert 0 <= split.model_.gap < 0.05 * least


@pytest.mark.parametrize("surrogate", ["plug-in", pytest.param("max-min-hinge", marks=pytest.mark.exhaustive)])
def test_blocks_are_the_same_however_the_chunks_are_cut(surrogate):
    X, y = examples(9000)
    one, other = (SurrogateClassifier(COSTS, surrogate).fit(chunks(X, y, size=size)) for size in (700, 9000))

    np.testing.assert_allclose(
        one.expected_loss(X[:9]) if surrogate == "plug-in" else one.scores(X[:9]),
        other.expected_loss(X[:9]) if surrogate == "plug-in" else other.scores(X[:9]),
        rtol=1e-6,
    )


def test_examples_in_the_order_of_their_labels_are_told_of():
    X, y = examples(9000)
    order = np.argsort(y)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        SurrogateClassifier(COSTS, "plug-in").fit(chunks(X[order], y[order]))
    assert [each.category for each in told] == [UserWarning]
    SurrogateClassifier(COSTS, "square").fit(chunks(X[order], y[order]))  # nothing to tell


@pytest.mark.parametrize("estimator", [SGDClassifier(loss="log_loss", random_state=0), GaussianNB()])
def test_a_classifier_is_given_the_chunks_as_they_are(estimator):
    model = in_pieces(SurrogateClassifier(COSTS, estimator=estimator), [100, 101])
    peer = clone(estimator)
    for rows in (slice(0, 100), slice(100, 101), slice(101, 300)):
        peer.partial_fit(X[rows], Y[rows], classes=["mild", "moderate", "severe"])

    np.testing.assert_array_equal(model.predict_proba(X), peer.predict_proba(X))
    assert (model.predict(X) == COSTS.decide(peer, X)).all()
    assert model.n_features_in_ == 4


def test_class_weights_and_priors_are_answered_for_in_chunks_too():
    weighted = SGDClassifier(loss="log_loss", class_weight={"mild": 1, "moderate": 1, "severe": 9}, random_state=0)
    priors = {"mild": 0.8, "moderate": 0.1, "severe": 0.1}
    model = in_pieces(SurrogateClassifier(COSTS, "plug-in", weighted), [100])
    with pytest.warns(UserWarning, match=r"class_weight=\{.*9\}"):  # of one label against the rest
        model.predict(X)

    split = in_pieces(SurrogateClassifier(COSTS, "plug-in", priors=priors, C=0.01), [100])
    whole = SurrogateClassifier(COSTS, "plug-in", priors=priors, C=0.01).fit(X - X.mean(axis=0), Y)
    np.testing.assert_allclose(split.predict_proba(X), whole.predict_proba(X - X.mean(axis=0)), atol=0.01)
    assert len(split.corrections_) == 1


@pytest.mark.parametrize(
    "estimator",
    [SGDRegressor(random_state=0), MLPRegressor(hidden_layer_sizes=(20,), learning_rate_init=0.02, random_state=0)],
)
def test_a_regressor_with_partial_fit_learns_the_rows(estimator):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = SurrogateClassifier(COSTS, estimator=estimator)
    for _ in range(20):
        in_pieces(model, [100, 200], X=Z)

    assert model.surrogate_.kind == "square"
    assert -model.score(Z, Y) < 1.3 * -SurrogateClassifier(COSTS, "square").fit(Z, Y).score(Z, Y)


def test_auto_takes_logistic_regression_for_a_stream():
    model, logistic = (in_pieces(SurrogateClassifier(COSTS, each), [150]) for each in ("auto", "plug-in"))
    assert model.surrogate_.kind == "plug-in"
    assert (model.predict_proba(X) == logistic.predict_proba(X)).all()
    assert lm.verify(model.certificate_).accepted


def test_an_array_on_disk_is_read_in_blocks(tmp_path):
    stored = np.memmap(tmp_path / "X", dtype=np.float32, mode="w+", shape=X.shape)
    stored[:] = X
    model = SurrogateClassifier(COSTS, "square").fit(stored, Y)

    assert model.examples_seen_ == 300  # it came in chunks
    np.testing.assert_allclose(model.scores(X), SurrogateClassifier(COSTS, "square").fit(np.array(stored), Y).scores(X))
    few = SurrogateClassifier(COSTS).fit(stored[:90], Y[:90])
    assert not hasattr(few, "examples_seen_")  # a pool needs them all at once
    assert SurrogateClassifier(None, "plug-in").fit(chunks(stored, Y)).classes_.tolist() == [
        "mild",
        "moderate",
        "severe",
    ]


def test_frames_sparse_chunks_and_weights():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = SurrogateClassifier(COSTS, "square").fit((frame[i::3], Y[i::3], np.ones(100)) for i in range(3))
    assert model.feature_names_in_.tolist() == list("abcd")
    assert (model.predict(frame) == SurrogateClassifier(COSTS, "square").fit(X, Y).predict(X)).all()
    with refused("chunk 3"):
        model.partial_fit(frame[["b", "a", "c", "d"]], Y)

    few = np.where(abs(X) > 1, X, 0)
    for surrogate in ("square", "plug-in", "max-min-hinge"):
        pieces = [(csr_array(few[:200]), Y[:200]), (csr_array(few[200:]), Y[200:])]
        sparse = SurrogateClassifier(COSTS, surrogate).fit(pieces)
        dense = SurrogateClassifier(COSTS, surrogate).fit(chunks(few, Y, size=200))
        assert (sparse.predict(csr_array(few)) == dense.predict(few)).mean() > 0.98


@pytest.mark.parametrize(
    "surrogate", ["square", "plug-in", pytest.param("max-min-hinge", marks=pytest.mark.exhaustive)]
)
def test_it_goes_on_after_pickling_and_fit_starts_anew(surrogate):
    model = SurrogateClassifier(COSTS, surrogate).partial_fit(X[:100], Y[:100])
    model.predict(X)
    again = pickle.loads(pickle.dumps(model)).partial_fit(X[100:], Y[100:])
    assert (again.predict(X) == in_pieces(SurrogateClassifier(COSTS, surrogate), [100]).predict(X)).all()
    assert (again.chunks_seen_, again.examples_seen_) == (2, 300)

    again.fit(chunks(X[:100], Y[:100]))
    assert again.examples_seen_ == 100
    assert (again.predict(X) == model.predict(X)).all()
    again.fit(X, Y)
    with pytest.warns(UserWarning, match=r"fit\(lm.learn.chunks\(X, y\)\)"):  # what was fitted to all is forgotten
        again.partial_fit(X[:100], Y[:100])
    assert (again.predict(X) == model.predict(X)).all()


def test_weights_are_repetitions():
    times = np.arange(300) % 3
    for surrogate in ("square", "plug-in"):
        weighted = in_pieces(SurrogateClassifier(COSTS, surrogate), [120], sample_weight=times)
        repeated = SurrogateClassifier(COSTS, surrogate).fit(chunks(np.repeat(X, times, axis=0), np.repeat(Y, times)))
        assert (weighted.predict(X) == repeated.predict(X)).all()


NO_STREAMS = {
    '"best"': lambda: SurrogateClassifier(COSTS, "best"),
    "'sigmoid'": lambda: SurrogateClassifier(COSTS, "plug-in", calibration="sigmoid"),
    "LogisticRegression()": lambda: SurrogateClassifier(COSTS, estimator=LogisticRegression()),
    "CalibratedClassifierCV()": lambda: SurrogateClassifier(COSTS, estimator=CalibratedClassifierCV()),
    "FrozenEstimator": lambda: SurrogateClassifier(COSTS, estimator=FrozenEstimator(GaussianNB().fit(X, Y))),
    "costs per example": lambda: SurrogateClassifier(lm.ExampleCosts([[0, 5], ["amount", 5]])),
}


@pytest.mark.parametrize("quoted", NO_STREAMS)
def test_what_cannot_learn_from_chunks_has_no_partial_fit_and_fit_says_why(quoted):
    model = NO_STREAMS[quoted]()
    assert not hasattr(model, "partial_fit")
    with refused(quoted):
        model.fit([(X, Y)])


def test_priors_of_least_squares_and_costs_beside_chunks():
    with refused("priors", "sample_weight", 'surrogate="plug-in"'):
        SurrogateClassifier(COSTS, "square", priors=[0.5, 0.3, 0.2]).partial_fit(X, Y)
    with refused("costs=…"):
        SurrogateClassifier(COSTS, "plug-in").fit([(X, Y)], costs=np.zeros((300, 3, 3)))


def test_the_labels_must_be_known_before_the_first_chunk():
    with refused("partial_fit(X, y, classes="):
        SurrogateClassifier().partial_fit(X, Y)
    with refused("partial_fit"):
        SurrogateClassifier().fit(iter([(X, Y)]))
    model = SurrogateClassifier().partial_fit(X[:1], Y[:1], classes=np.unique(Y))
    assert model.partial_fit(X[1:], Y[1:]).classes_.tolist() == ["mild", "moderate", "severe"]
    with refused("chunk 2", "['mild', 'severe']", "['mild', 'moderate', 'severe']"):
        model.partial_fit(X, Y, classes=["mild", "severe"])


@pytest.mark.parametrize("surrogate", ["square", "plug-in", "max-min-hinge"])
def test_the_first_chunk_may_lack_labels_that_the_loss_names(surrogate):
    order = np.argsort(Y, kind="stable")
    split = in_pieces(SurrogateClassifier(COSTS, surrogate), [(Y == "mild").sum()], X=X[order], y=Y[order])

    assert (split.predict(X) == SurrogateClassifier(COSTS, surrogate).fit(X, Y).predict(X)).mean() > 0.98


def late(bad):
    yield X[:100], Y[:100]
    yield X[100:200], Y[100:200]
    yield bad


def nan_in_row_17():
    bad = X[200:].copy()
    bad[17, 2] = np.nan
    return bad


BAD = {
    "no number": ((nan_in_row_17(), Y[200:]), BadInput, ["NaN", "row 17", "column 2"]),
    "three features": ((X[200:, :3], Y[200:]), BadInput, ["3 features", "4"]),
    "another label": ((X[200:], np.full(100, "dead")), UnknownName, ["'dead'", "triage"]),
    "few labels": ((X[200:], Y[:3]), BadInput, ["100", "3"]),
    "no number, sparse": ((csr_array(nan_in_row_17()), Y[200:]), BadInput, ["NaN", "row 17", "column 2"]),
    "no labels": ((X[200:],), BadInput, ["tuple", "(X, y)"]),
    "a list": ([1.0, 2.0], BadInput, ["list", "(X, y)"]),
}


@pytest.mark.parametrize(
    ("surrogate", "what"),
    [
        *product(["square"], BAD),
        ("plug-in", "no number"),
        ("max-min-hinge", "no number"),
        *(
            pytest.param(surrogate, what, marks=pytest.mark.exhaustive)
            for surrogate, what in product(["plug-in", "max-min-hinge"], BAD)
            if what != "no number"
        ),
    ],
)
def test_a_late_chunk_that_does_not_fit_is_named_and_the_model_so_far_stays(surrogate, what):
    bad, error, quoted = BAD[what]
    model = SurrogateClassifier(COSTS, surrogate)
    with refused("chunk 2", *quoted, error=error) as told:
        model.fit(late(bad))

    assert "\n" not in str(told.value)
    (note,) = told.value.__notes__
    assert lacking(note, "2 chunks", "200 examples") == []
    assert (model.predict(X) == SurrogateClassifier(COSTS, surrogate).fit(chunks(X[:200], Y[:200])).predict(X)).all()
    model.partial_fit(X[200:], Y[200:])
    assert (model.chunks_seen_, model.examples_seen_) == (3, 300)


@pytest.mark.parametrize(
    ("bad", "quoted"),
    [
        ((X[200:, 0], Y[200:]), ["X", "(100,)"]),
        ((X[200:], Y[200:], np.where(np.arange(100) == 3, np.nan, 1)), ["sample_weight", "NaN", "row 3"]),
        ((X[200:], np.where(np.arange(100) == 5, np.nan, Y[200:].astype(object))), ["y[5]", "nan"]),
    ],
)
def test_tables_weights_and_labels_of_a_late_chunk_are_read_as_carefully(bad, quoted):
    with refused("chunk 2", *quoted) as told:
        SurrogateClassifier(COSTS, "square").fit(late(bad))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("error", [OSError("the disk is gone"), KeyboardInterrupt()])
def test_an_iterator_that_raises_half_way(error):
    def broken():
        yield X[:150], Y[:150]
        raise error

    model = SurrogateClassifier(COSTS, "square")
    with pytest.raises(type(error)) as told:
        model.fit(broken())
    assert told.value is error
    assert lacking(told.value.__notes__[0], "1 chunk", "150 examples") == []
    assert len(model.predict(X)) == 300


def test_a_chunk_that_is_interrupted_half_way_leaves_no_trace():
    """A warning that is an error, as in these tests, comes when a part of the chunk was read."""
    many, labels = examples(9000)
    order = np.argsort(labels)
    model = SurrogateClassifier(COSTS, "plug-in").partial_fit(X[:200], Y[:200])
    with pytest.raises(UserWarning):  # of the order
        model.partial_fit(many[order], labels[order])

    assert (model.chunks_seen_, model.examples_seen_) == (1, 200)
    expected = in_pieces(SurrogateClassifier(COSTS, "plug-in"), [200])
    np.testing.assert_array_equal(model.partial_fit(X[200:], Y[200:]).predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("chunk", [OSError("no file"), (nan_in_row_17(), Y[200:])])
@pytest.mark.parametrize("before", [False, True], ids=["new", "fitted before"])
def test_a_model_that_learned_nothing_from_its_chunks_is_not_fitted(chunk, before):
    def broken():
        if isinstance(chunk, OSError):
            raise chunk
        yield chunk

    model = SurrogateClassifier(COSTS, "square")
    with pytest.raises((OSError, BadInput)) as told:
        (model.fit(X, Y) if before else model).fit(broken())
    assert not re.search(r"\d", told.value.__notes__[-1])  # no chunk, and no example
    with pytest.raises(NotFittedError):
        model.predict(X)
    assert len(model.partial_fit(X, Y).predict(X)) == 300


def test_an_iterator_without_chunks():
    used = iter([(X, Y)])
    SurrogateClassifier(COSTS, "square").fit(used)
    with pytest.raises(BadInput):
        SurrogateClassifier(COSTS, "square").fit(used)


def test_other_names_of_columns_are_told_in_one_line():
    first, second = (pd.DataFrame(X, columns=list(names)) for names in ("abcd", "abce"))
    with refused("chunk 1", "e") as told:
        SurrogateClassifier(COSTS, "square").fit([(first, Y), (second, Y)])
    assert "\n" not in str(told.value)


def test_what_is_no_chunk_and_too_many_features():
    with refused("sample_weight"):
        SurrogateClassifier(COSTS, "square").fit([(X, Y)], sample_weight=np.ones(300))
    with refused("X", 300, "y 2"):
        chunks(X, Y[:2])
    with refused("size", 0):
        chunks(X, Y, size=0)
    with refused("weight 0"):
        SurrogateClassifier(COSTS, "square").partial_fit(X, Y, sample_weight=np.zeros(300)).predict(X)
    with refused(30000, error=TooLarge):
        SurrogateClassifier(COSTS, "square").partial_fit(csr_array((300, 30_000)), Y)


def test_a_ridge_is_what_stands_in_the_model():
    model = SurrogateClassifier(COSTS, "square", C=2.0).fit(chunks(X, Y))
    assert isinstance(model.model_.regressor, Ridge)
    assert model.model_.regressor.alpha == 0.25


def test_what_an_estimator_refuses_is_named_by_its_chunk():
    model = in_pieces(SurrogateClassifier(COSTS, estimator=GaussianNB()), [100])
    with refused("chunk 2", "NaN", "row 17", "column 2"):
        model.partial_fit(nan_in_row_17(), Y[200:])
    with refused("chunk 2", "3 features"):
        model.partial_fit(X[:, :3], Y)
    assert model.examples_seen_ == 300


def test_the_diagonal_of_the_curvature_is_nearly_enough(monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 500)
    monkeypatch.setattr(streamed_maxima, "MOST_FULL", 1)
    X, y = examples(2000)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = SurrogateClassifier(COSTS, "plug-in", C=0.1).fit(chunks(X, y, size=500))

    assert log_objective(model, X, y) <= 1.01 * log_objective(
        SurrogateClassifier(COSTS, "plug-in", C=0.1).fit(X, y), X, y
    )


@pytest.mark.exhaustive
def test_many_coefficients_keep_the_diagonal_of_their_curvature():
    """40 labels on 30 features: 1240 coefficients, whose whole curvature is more than a million numbers."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((10_000, 30))
    y = (X @ generator.standard_normal((30, 40)) + 3 * generator.gumbel(size=(10_000, 40))).argmax(axis=1)
    loss = lm.losses.zero_one(40)
    model = SurrogateClassifier(loss, "plug-in", C=0.1).fit(chunks(X, y))

    assert log_objective(model, X, y) <= 1.01 * log_objective(
        SurrogateClassifier(loss, "plug-in", C=0.1).fit(X, y), X, y
    )


def test_too_many_labels_for_logistic_regression():
    with refused("201 labels", error=TooLarge):
        SurrogateClassifier(lm.losses.zero_one(201), "plug-in").partial_fit(X, np.arange(300) % 201)


def test_sparse_rows_are_chunks_too():
    model = SurrogateClassifier(COSTS, "square")
    dense = model.fit(X, Y).scores(X)
    assert model.fit(chunks(csr_array(X), Y, size=70)).scores(X) == pytest.approx(dense)


def test_what_makes_no_chunks_is_refused():
    with refused("size", "50.0"):
        chunks(X, Y, size=50.0)
    with refused(300, "299 weights"):
        chunks(X, Y, np.ones(299))
    with refused("y"):
        SurrogateClassifier(COSTS, "square").fit(chunks(X, Y, size=50), Y)


def test_rows_of_a_chunk_that_one_did_not_cut_are_told_with_its_start():
    spoiled = X.copy()
    spoiled[130, 1] = np.nan
    with refused("chunk 2", "row 120", "NaN", "row 10", "column 1"):
        SurrogateClassifier(COSTS, "square").fit(chunks(spoiled, Y, size=60))
