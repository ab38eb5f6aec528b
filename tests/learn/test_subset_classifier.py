"""Sets of tags: what is learned, that the decision is the best of all 2^r, and that it gets better with examples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVR
from sklearn.tree import DecisionTreeRegressor

import lossmith as lm
from lossmith.learn import SubsetClassifier
from lossmith.learn.logistic_columns import chosen_strength, fit_columns, probabilities
from lossmith.learn.set_tasks import FactoredTask, parts, task_of

R = 4
SETS = np.array(list(product((0, 1), repeat=R)))
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(150, 3))
Y = (X @ RANDOM.normal(size=(3, R)) + RANDOM.normal(size=(150, R)) > 0.5).astype(int)
LOSSES = ["f1", "f2", "f0.5", "hamming", "jaccard", "recall@2", "precision@2"]
GIVEN = [
    lm.losses.weighted_hamming([1, 5, "1/2", 2]),
    lm.losses.f_measure(R, beta="3/2"),
    lm.losses.hamming(R),
    lm.losses.recall_at(R, 1).matrix(),
    "f-measure:r=4,beta=3",
]


def allowed(model):
    """All sets that may be predicted."""
    return SETS[SETS.sum(axis=1) == model.loss_.q] if hasattr(model.loss_, "q") else SETS


def frequencies(rows):
    """How often each set is."""
    found, counts = np.unique(rows, axis=0, return_counts=True)
    return found, counts / len(rows)


def least_mean_loss(model, rows):
    """The least mean loss of one set for all these rows, by trying all."""
    found, shares = frequencies(rows)
    tried = allowed(model)
    if isinstance(model.loss_, lm.LossMatrix):
        tried = np.array([[int(bit) for bit in name] for name in model.loss_.predictions])
    return min(shares @ model.task_.losses(found, np.tile(t, (len(found), 1))) for t in tried)


@pytest.mark.parametrize("loss", [*LOSSES, *GIVEN], ids=str)
def test_one_set_for_all_is_the_best_of_all(loss):
    """With nothing to tell examples apart the learned means are those of Y, and the decision is known."""
    model = SubsetClassifier(loss, DummyRegressor()).fit(X, Y)
    (chosen,) = np.unique(model.predict(X), axis=0)

    assert -model.score(X, Y) == pytest.approx(least_mean_loss(model, Y))
    assert chosen.shape == (R,)


def by_all_sets(model, U):
    """The sets that may be predicted and what each is expected to lose, up to a constant, by what was learned."""
    loss, columns = model.loss_, model.task_.columns
    if isinstance(loss, lm.LossMatrix):
        return [tuple(map(int, name)) for name in loss.predictions], U @ loss.to_numpy()[columns]
    b = np.array([loss.factors(t) for t in loss.each_prediction()], dtype=float)
    sets = list(loss.each_prediction())
    if loss.family == "precision_at":  # whose predictions are numbers of tags
        sets = [tuple(int(i in t) for i in range(R)) for t in sets]
    return sets, U @ b[:, columns].T


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("estimator", [None, LinearRegression(), DecisionTreeRegressor(max_depth=3)], ids=str)
def test_decisions_are_the_best_of_all_sets_by_what_was_learned(loss, estimator):
    model = SubsetClassifier(loss, estimator, C=1.0).fit(X, Y)
    sets, expected = by_all_sets(model, model.scores(X[:40]))
    places = [sets.index(tuple(t)) for t in model.predict(X[:40]).tolist()]

    assert expected[np.arange(40), places] == pytest.approx(expected.min(axis=1))


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_of_sets_are_those_of_the_exact_loss(loss):
    model = SubsetClassifier(loss, DummyRegressor()).fit(X, Y)
    T = np.array([t for t in allowed(model) for _ in SETS])
    truth = np.tile(SETS, (len(allowed(model)), 1))
    exact = model.loss_
    if isinstance(exact, lm.LossMatrix):
        rows = ["".join(map(str, y)) for y in truth.tolist()]
        columns = ["".join(map(str, t)) for t in T.tolist()]
        written = exact.to_numpy()
        expected = [
            written[exact.labels.index(y), exact.predictions.index(t)] for y, t in zip(rows, columns, strict=True)
        ]
    else:
        sets = [set(np.flatnonzero(t)) if loss.startswith("precision") else tuple(t) for t in T.tolist()]
        expected = [float(exact.loss(tuple(y), t)) for y, t in zip(truth.tolist(), sets, strict=True)]

    assert model.task_.losses(truth, T) == pytest.approx(expected)


@pytest.mark.parametrize("loss", LOSSES)
def test_probabilities_tell_what_least_squares_would(loss):
    """The two ways to the means agree where there is nothing but a constant to learn."""
    constant = np.zeros((len(Y), 1))
    ours = SubsetClassifier(loss, C=1e6).fit(constant, Y).scores(constant[:1])
    squares = SubsetClassifier(loss, DummyRegressor()).fit(constant, Y).scores(constant[:1])

    assert ours == pytest.approx(squares, abs=2e-3)


def test_only_sizes_that_occur_are_learned():
    some = np.array([[1, 0, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]] * 5)
    loss = lm.losses.f_measure(4)
    task = task_of(loss, some)

    assert task.columns.tolist() == [0, 1, 2, 3, 8, 9, 10, 11, 12, 13]
    assert np.array_equal(task.targets(some), loss.targets(some)[:, task.columns])
    assert task_of(loss, some[:1]).dim == 4


def test_many_tags_are_decided_in_parts():
    model = SubsetClassifier("f1", DummyRegressor())
    tags = (np.random.default_rng(0).random((300, 120)) < np.linspace(0.001, 0.3, 120)).astype(int)
    tags[:, 0] = np.arange(300) == 0
    model.fit(np.zeros((300, 1)), tags)

    assert model.task_.together < 100
    assert model.task_.dim < 120 * 40
    assert model.predict(np.zeros((250, 1))).shape == (250, 120)
    assert parts(0, 3) == [slice(0, 0)]


# With more examples the best sets are found, where binary relevance is wrong.

# Two kinds of x; in the first no tag is likelier than not, yet two of them are the best guess for F_1.
OF_KIND = (
    {(1, 0, 0, 0): 0.3, (0, 1, 0, 0): 0.3, (1, 1, 0, 0): 0.15, (0, 0, 1, 1): 0.25},
    {(0, 0, 0, 0): 0.45, (1, 1, 1, 1): 0.35, (0, 0, 0, 1): 0.2},
)


def drawn(count, random):
    kind = random.integers(0, 2, count)
    sets, shares = zip(*((np.array(list(p)), list(p.values())) for p in OF_KIND), strict=True)
    rows = [sets[k][random.choice(len(shares[k]), p=shares[k])] for k in kind]
    return np.eye(2)[kind], np.array(rows)


def excess(model):
    """What its decisions lose more than the best ones, in the mean over both kinds, exactly."""
    task = task_of(lm.losses.f_measure(R), SETS)
    paid = 0.0
    for kind, p in enumerate(OF_KIND):
        sets, shares = np.array(list(p)), np.array(list(p.values()))
        risks = [
            shares @ task.losses(sets, np.tile(t, (len(sets), 1))) for t in (*SETS, *model.predict(np.eye(2)[[kind]]))
        ]
        paid += (risks[-1] - min(risks)) / 2
    return paid


@pytest.mark.parametrize("estimator", [None, LinearRegression()], ids=["default", "least squares"])
def test_excess_loss_falls_to_nothing_where_that_of_binary_relevance_does_not(estimator):
    random = np.random.default_rng(0)
    rounds = {20: 6, 2000: 1}
    mean = {
        count: np.mean(
            [excess(SubsetClassifier("f1", estimator, C=3.0).fit(*drawn(count, random))) for _ in range(repeats)]
        )
        for count, repeats in rounds.items()
    }
    usual = excess(OneVsRestClassifier(LogisticRegression()).fit(*drawn(2000, random)))

    assert mean[20] > 0.005
    assert mean[2000] == pytest.approx(0, abs=1e-9)
    assert usual > 0.1


# What is certified.


@pytest.mark.parametrize("loss", LOSSES)
def test_the_certificate_is_accepted(loss):
    certificate = SubsetClassifier(loss, DummyRegressor()).fit(X[:, :1], Y).construction_.certificate

    assert lm.verify(certificate).accepted


# The default model.


@pytest.mark.parametrize("tolerance", [1e-12, 0.0], ids=["reached", "never reached"])
def test_columns_are_fitted_as_scikit_learn_fits_each(tolerance):
    weights = RANDOM.integers(1, 4, len(Y)).astype(float)
    W = fit_columns(X, Y.astype(float), weights, 0.7, exclusive=False, tolerance=tolerance)
    several = Y @ (1, 2, 0, 0)
    V = fit_columns(X, np.eye(4)[several], weights, 0.7, exclusive=True, tolerance=tolerance)
    each = LogisticRegression(C=0.7, tol=1e-9, max_iter=1000)

    for i in range(R):
        assert probabilities(X, W, exclusive=False)[:, i] == pytest.approx(
            each.fit(X, Y[:, i], weights).predict_proba(X)[:, 1], abs=1e-4
        )
    assert probabilities(X, V, exclusive=True) == pytest.approx(
        each.fit(X, several, weights).predict_proba(X), abs=1e-4
    )


def test_less_is_believed_where_there_is_less_to_learn():
    noise = np.random.default_rng(1).integers(0, 2, Y.shape).astype(float)
    sure = (X[:, :1] > 0).astype(float)
    chosen = [chosen_strength(X, T, np.ones(len(X)), np.random.RandomState(0), exclusive=False) for T in (noise, sure)]

    assert chosen[0] < 0.1 < 1 <= chosen[1]
    assert chosen_strength(X[:5], sure[:5], np.ones(5), np.random.RandomState(0), exclusive=False) == 1


def test_probabilities_of_tags_are_told():
    model = SubsetClassifier("f1").fit(X, Y)
    P = model.predict_proba(X)

    assert P.shape == Y.shape
    assert P.mean(axis=0) == pytest.approx(Y.mean(axis=0), abs=0.03)
    assert not hasattr(SubsetClassifier("f1", LinearRegression()), "predict_proba")
    assert not hasattr(SubsetClassifier("jaccard").fit(X, Y), "predict_proba")


def test_tags_that_all_or_no_examples_have():
    tags = Y.copy()
    tags[:, 0], tags[:, 1] = 1, 0
    for estimator in (None, LinearRegression()):
        with pytest.warns(UserWarning, match=r"^y .*\b1\b.*\b4\b.* 1$"):
            T = SubsetClassifier("f1", estimator).fit(X, tags).predict(X)
        assert T[:, 0].all()
        assert not T[:, 1].any()


@pytest.mark.parametrize("same", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]])
@pytest.mark.filterwarnings("ignore::UserWarning")  # some of the tags do not occur
def test_one_set_only_is_learned(same):
    for loss in LOSSES:
        model = SubsetClassifier(loss).fit(X[:30], np.tile(same, (30, 1)))
        if loss[-2] != "@":
            assert model.predict(X[:3]).tolist() == [same] * 3


def test_a_regressor_of_one_output_is_trained_for_each():
    model = SubsetClassifier("hamming", LinearSVR(max_iter=5000, tol=1e-3)).fit(X, Y)

    assert len(model.model_.regressor.estimators_) == R
    assert model.score(X, Y) > -0.5 * R


def test_weights_count_as_repetitions():
    weights = RANDOM.integers(0, 3, len(Y))
    again = np.repeat(np.arange(len(Y)), weights)
    for loss in ("f1", "jaccard"):
        weighed = SubsetClassifier(loss, LinearRegression()).fit(X, Y, sample_weight=weights)
        repeated = SubsetClassifier(loss, LinearRegression()).fit(X[again], Y[again])
        assert np.array_equal(weighed.predict(X), repeated.predict(X))
    few = slice(0, 60)  # no Nyström features, which are drawn
    weighed = SubsetClassifier("f1", C=1.0).fit(X[few], Y[few], weights[few])
    again = np.repeat(np.arange(60), weights[few])[:99]
    repeated = SubsetClassifier("f1", C=1.0).fit(X[again], Y[again])
    assert len(again) == weights[few].sum()
    assert weighed.predict_proba(X) == pytest.approx(repeated.predict_proba(X), abs=1e-3)


def test_other_losses_with_factors_are_learned_by_least_squares(monkeypatch):
    monkeypatch.setattr(FactoredTask, "by_joint", False)
    model = SubsetClassifier("f1").fit(X, Y)
    alone = SubsetClassifier("f1", DummyRegressor()).fit(X, Y)

    assert model.score(X, Y) > alone.score(X, Y) + 0.02
    assert not hasattr(model, "predict_proba")


@pytest.mark.exhaustive
def test_a_hundred_tags_are_decided_better_than_each_alone():
    examples, tags = make_multilabel_classification(3000, 100, n_classes=100, n_labels=5, random_state=0)
    examples = (examples - examples.mean(axis=0)) / examples.std(axis=0)
    alone = OneVsRestClassifier(LogisticRegression()).fit(examples[:2000], tags[:2000]).predict(examples[2000:])
    model = SubsetClassifier("f1", C=1.0).fit(examples[:2000], tags[:2000])

    assert -model.score(examples[2000:], tags[2000:]) < model.loss_.losses(tags[2000:], alone).mean()
