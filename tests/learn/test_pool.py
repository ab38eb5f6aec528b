"""The pool and its members: closed forms, slow twins, and the contract of scikit-learn."""

from __future__ import annotations

import contextlib
import functools
import io
import re

import numpy as np
import pytest
from refused import refused
from scipy.optimize import check_grad, minimize
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import load_wine, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import ThreadpoolController

from lossmith.learn import PairwiseLogisticRegression, ProbabilityPool, ProportionalOdds
from lossmith.learn import pool as pool_module
from lossmith.learn.pairwise import coupled
from lossmith.learn.powers import fitted_powers, product
from lossmith.learn.rounds import StoppedBoosting
from lossmith.learn.softmax_regression import SoftmaxRegression

WINE = load_wine(return_X_y=True)


def many(n=900, seed=0):
    X, y = make_classification(n, 8, n_informative=6, n_classes=3, random_state=seed)
    return train_test_split(X, np.array(["low", "mid", "top"])[y], random_state=0)


CLOSE = "the solvers stop at a tolerance: a test below says how close weights and repetitions are"
ALMOST = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"], CLOSE
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "model",
    [
        SoftmaxRegression,
        *(
            pytest.param(each, marks=pytest.mark.exhaustive)  # the checks of the default classifier are fast ones
            for each in (PairwiseLogisticRegression, ProportionalOdds, ProbabilityPool)
        ),
    ],
)
def test_the_checks_of_scikit_learn_pass(model):
    seed = {"random_state": 0} if model is ProbabilityPool else {}
    check_estimator(model(**seed), expected_failed_checks=ALMOST)


@pytest.mark.parametrize("model", [PairwiseLogisticRegression(), ProportionalOdds(), ProbabilityPool(random_state=0)])
def test_a_weight_is_a_number_of_repetitions(model):
    """Of the pool as long as it is logistic regression alone: Nyström features draw examples, and leaves count them."""
    X, y = WINE[0][::2] / WINE[0].std(axis=0), WINE[1][::2]
    repeats = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = clone(model).fit(X, y, sample_weight=repeats).predict_proba(X)
    repeated = clone(model).fit(X.repeat(repeats, axis=0), y.repeat(repeats)).predict_proba(X)
    assert weighted == pytest.approx(repeated, abs=2e-3)


# Coupling.


@pytest.mark.parametrize("n", [2, 3, 7])
def test_pairs_that_agree_are_coupled_into_the_probabilities_they_come_from(n):
    P = np.random.default_rng(n).dirichlet(np.ones(n), 50)
    assert coupled(P[:, :, None] / (P[:, :, None] + P[:, None])) == pytest.approx(P)


def test_pairs_that_disagree_are_coupled_into_the_least_sum_of_squares():
    rng = np.random.default_rng(1)
    R = rng.uniform(0.05, 0.95, (4, 4))
    R = np.triu(R, 1) + np.tril(1 - R.T, -1)

    def squares(p):
        return sum((R[j, i] * p[i] - R[i, j] * p[j]) ** 2 for i in range(4) for j in range(4) if i != j)

    total = {"type": "eq", "fun": lambda p: p.sum() - 1}
    slow = minimize(squares, np.full(4, 0.25), bounds=[(0, 1)] * 4, constraints=total, options={"ftol": 1e-14})
    assert coupled(R[None])[0] == pytest.approx(slow.x, abs=1e-5)


def test_two_classes_are_one_logistic_regression():
    X, y = WINE[0][WINE[1] < 2][:, :3], WINE[1][WINE[1] < 2]
    pairwise = PairwiseLogisticRegression().fit(X, y).predict_proba(X)
    assert pairwise == pytest.approx(LogisticRegression(max_iter=1000).fit(X, y).predict_proba(X), abs=1e-3)


# Proportional odds.


def test_proportional_odds_find_the_model_that_the_data_come_from():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2))
    logistic = np.log(1 / rng.uniform(size=len(X)) - 1)
    y = np.digitize(X @ [1.5, -0.5] + logistic, [-1.0, 0.5, 2.0])
    model = ProportionalOdds(C=100).fit(X, y)
    assert model.coef_ == pytest.approx([1.5, -0.5], abs=0.06)
    assert model.thresholds_ == pytest.approx([-1, 0.5, 2], abs=0.08)


def test_proportional_odds_stand_where_the_gradient_of_their_objective_vanishes():
    X, y = WINE[0][:, :4] / WINE[0][:, :4].std(axis=0), WINE[1]
    model = ProportionalOdds().fit(X, y)

    def objective(x):
        below = 1 / (1 + np.exp(X @ x[:4] - x[4:, None]))
        ends = np.vstack([np.zeros(len(y)), below, np.ones(len(y))])
        return x[:4] @ x[:4] / 2 - np.log(ends[y + 1, np.arange(len(y))] - ends[y, np.arange(len(y))]).sum()

    found = np.concatenate([model.coef_, model.thresholds_])
    better = minimize(objective, found).fun
    assert objective(found) <= better + 1e-3
    assert check_grad(objective, lambda x: np.zeros(6), found) < 0.2


def test_the_order_is_that_of_the_names_that_are_given():
    X, order = np.arange(60.0)[:, None], ["mild", "moderate", "acute"]
    y = np.repeat(order, 20)
    model = ProportionalOdds(order).fit(X, y)
    assert model.classes_.tolist() == ["acute", "mild", "moderate"]
    assert model.predict([[5], [30], [55]]).tolist() == order
    with refused("'acute'", "order"):
        ProportionalOdds(order[:2]).fit(X, y)


# The pool.


def test_the_pool_is_the_product_of_its_members_each_to_its_weight():
    X, Z, y, _ = many()
    members = {"a": LogisticRegression(C=0.01), "b": PairwiseLogisticRegression(), "c": ProportionalOdds()}
    pool = ProbabilityPool([*members.items()], random_state=0).fit(X, y)
    told = {name: model.fit(X, y).predict_proba(Z) for name, model in members.items()}
    product = np.prod([(0.999 * P + 0.001 / 3) ** pool.weights_[name] for name, P in told.items()], axis=0)
    assert pool.predict_proba(Z) == pytest.approx(product / product.sum(axis=1, keepdims=True))


def test_members_that_are_right_in_turn_are_weighted_by_how_often():
    """Each is sure of a class of its own: the product with the least log-loss has the shares of the classes."""
    X, y = np.random.default_rng(0).normal(size=(400, 1)), np.repeat([0, 1, 2], [80, 120, 200])
    members = [(f"{i}", DummyClassifier(strategy="constant", constant=i)) for i in range(3)]
    pool = ProbabilityPool(members).fit(X, y)
    assert pool.predict_proba(X[:1])[0] == pytest.approx([0.2, 0.3, 0.5], abs=5e-3)
    assert pool.weights_["0"] < pool.weights_["1"] < pool.weights_["2"]


def test_weights_make_up_for_members_that_are_too_sure_or_know_different_things():
    rng = np.random.default_rng(0)
    clues = rng.normal(size=(2000, 2))
    y = (rng.uniform(size=2000) < 1 / (1 + np.exp(-clues.sum(axis=1)))).astype(int)
    P = 1 / (1 + np.exp(-2 * clues.T))  # twice as sure as a clue is worth
    told = np.stack([1 - P, P], axis=2)
    assert fitted_powers(told, y, np.full(2000, 1 / 2000), 2000) == pytest.approx([0.5, 0.5], abs=0.06)
    assert fitted_powers(told[[0, 0]], y, np.full(2000, 1 / 2000), 2000) == pytest.approx([0.22, 0.22], abs=0.04)


def test_the_powers_stand_where_no_other_ones_are_better():
    rng = np.random.default_rng(1)
    told, y, mass = rng.dirichlet(np.ones(3), (4, 60)), rng.integers(0, 3, 60), rng.dirichlet(np.ones(60))

    def paid(powers):
        return -np.log(product(told, powers)[np.arange(60), y]) @ mass + ((powers - 1 / 4) ** 2).sum() / 120

    found = fitted_powers(told, y, mass, 60)
    slow = minimize(paid, np.full(4, 0.25), bounds=[(0, None)] * 4)
    assert found == pytest.approx(slow.x, abs=1e-3)


def test_boosting_stops_where_it_is_best_on_what_was_held_out():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 2))
    y = (X[:, 0] + rng.normal(0, 0.3, 300) > 0.5).astype(int)
    pool = ProbabilityPool([("boosting", StoppedBoosting(early_stopping=False)), ("a", DummyClassifier())]).fit(X, y)
    rounds = pool.members_["boosting"].n_iter_
    assert rounds % 4 == 0
    assert rounds < 40  # noise is not worth more
    clear = StoppedBoosting(early_stopping=False)
    assert len(clear.told_by_round(X, X[:, 0] > 0.5, None, X, X[:, 0] > 0.5, np.ones(300))) == clear.n_iter_ // 4
    assert clear.n_iter_ in (54, 81, 121)  # what is clear is worth more


@functools.cache
def talkative():
    """A pool that was trained on few examples, and what it printed."""
    X, _, y, _ = many(240)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        pool = ProbabilityPool(order=["low", "mid", "top"], random_state=0, verbose=True).fit(X, y)
    return pool, printed.getvalue()


def test_the_pool_has_a_smaller_log_loss_than_logistic_regression():
    X, Z, y, truth = many(240)
    pool, _ = talkative()
    alone = LogisticRegression(max_iter=1000).fit(X, y)
    assert log_loss(truth, pool.predict_proba(Z)) < 0.9 * log_loss(truth, alone.predict_proba(Z))


def test_the_weights_are_on_the_folds_no_worse_than_any_member():
    pool, _ = talkative()
    scores = dict(pool.scores_)
    assert scores.pop("the pool") <= min(scores[name] for name in pool.members_)  # those who left saw a fold or two
    assert scores.keys() == pool.weights_.keys() >= {"proportional odds", "wide Nyström features"}
    assert pool.weights_["proportional odds"] < 0.1  # the classes have no order
    assert len(pool.weights_) == 10
    assert "10" in pool.why_


@pytest.mark.parametrize(
    ("examples", "held_out"), [(150, 150), (1500, 1500), (2000, 1600), (7500, 1500), (20000, 4000)]
)
def test_the_weights_are_found_on_some_fifteen_hundred_examples(examples, held_out, capsys):
    """Rounds of training before the last one: as many folds of five as hold 1500 examples."""
    X, y = np.random.default_rng(0).normal(size=(examples, 2)), np.arange(examples) % 2
    ProbabilityPool([("a", DummyClassifier()), ("b", GaussianNB())], verbose=True).fit(X, y)
    assert capsys.readouterr().out.count("a, fold") == held_out / (examples / 5)


def test_who_is_of_little_weight_leaves_after_two_folds():
    pool, printed = talkative()
    first, *later = (printed.count(f"fold {fold} of 5") for fold in range(1, 6))
    assert first == len(pool.weights_)
    assert first > later[0] >= later[1] == later[2] == later[3]


def counted(examples):
    """Three hundred points of a line, their labels in six stripes, and how often each occurs: so many times in all."""
    X = np.random.default_rng(0).uniform(0, 6, (300, 1))
    return csr_matrix(X), X[:, 0].astype(int) % 2, 6 + (np.arange(300) < examples - 1800)


def features(pool):
    return {each[1].n_components for name, each in pool.members_.items() if "Nyström" in name}


@pytest.mark.parametrize(
    ("members", "examples", "most"),
    [("best", 1999, 200), ("best", 2000, 225), pytest.param("quick", 2000, 200, marks=pytest.mark.exhaustive)],
)
def test_best_has_more_nystroem_features_from_two_thousand_examples_on(members, examples, most, without_folds):
    """Up to 400, and up to three quarters of the points that are there: 225 of 300."""
    assert features(ProbabilityPool(members, random_state=0).fit(*counted(examples))) == {most}


@pytest.mark.exhaustive
def test_best_is_quick_with_fewer_than_two_thousand_examples():
    X, y, times = counted(1999)
    quick, best = (ProbabilityPool(each, random_state=3).fit(X, y, times) for each in ("quick", "best"))
    assert features(quick) == {200}
    assert quick.weights_ == best.weights_
    assert quick.scores_ == best.scores_
    assert (quick.predict_proba(X) == best.predict_proba(X)).all()


TWO = [("line", LogisticRegression()), ("tree", DecisionTreeClassifier(min_samples_leaf=20, random_state=0))]
MEMBERS = pytest.mark.parametrize(
    "members", [TWO, pytest.param("quick", marks=pytest.mark.exhaustive)], ids=["two", "quick"]
)


@MEMBERS
def test_repetitions_are_held_out_one_by_one(members):
    """As a table of counts: each kind of example once, with the number of times it occurs as its weight."""
    group, y = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    times = np.array([270, 30, 90, 210, 30, 270, 210, 90])
    pool = ProbabilityPool(members, random_state=0).fit(np.eye(4)[group], y, sample_weight=times)
    assert len(pool.weights_) > 1  # there are 1200 examples, not 8
    assert pool.scores_["the pool"] == pytest.approx(0.47, abs=0.03)  # the entropy of what is right below
    assert pool.predict_proba(np.eye(4))[:, 1] == pytest.approx([0.1, 0.7, 0.9, 0.3], abs=0.03)


@MEMBERS
def test_members_without_weight_are_not_trained_again(members):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(800, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)  # no line tells these apart
    pool = ProbabilityPool(members, random_state=0).fit(X, y)
    line = next(iter(pool.weights_))
    assert pool.weights_[line] == 0
    assert [*pool.members_] == [name for name, weight in pool.weights_.items() if weight > 0]
    assert pool.scores_[line] == pytest.approx(np.log(2), abs=0.03)  # as good as a coin
    assert (pool.predict(X) == y).mean() > 0.9


@pytest.mark.parametrize("members", ["quick", "best"])
def test_few_examples_are_left_to_logistic_regression_and_the_pool_says_so(members):
    X, y = (each[::2] for each in WINE)
    pool = ProbabilityPool(members).fit(X, y)
    assert [*pool.members_] == ["logistic regression"]
    assert "89" in pool.why_
    assert "100" in pool.why_
    alone = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-8, max_iter=1000)).fit(X, y)
    assert pool.predict_proba(X) == pytest.approx(alone.predict_proba(X), abs=1e-4)


def test_examples_without_weight_are_none():
    weights = np.arange(len(WINE[1])) % 2
    weighted = ProbabilityPool().fit(*WINE, sample_weight=weights)
    fewer = ProbabilityPool().fit(*(each[1::2] for each in WINE))
    assert weighted.why_ == fewer.why_
    assert weighted.predict_proba(WINE[0]) == pytest.approx(fewer.predict_proba(WINE[0]), abs=1e-5)


@pytest.mark.exhaustive
def test_the_same_seed_gives_the_same_probabilities_and_jobs_change_nothing():
    X, Z, y, _ = many()
    first, second = (ProbabilityPool(random_state=3, n_jobs=jobs).fit(X, y).predict_proba(Z) for jobs in (None, 2))
    assert (first == second).all()


@pytest.mark.exhaustive
def test_sparse_features_and_sample_weights():
    X, _, y, _ = many(220)
    weights = np.where(y == "top", 0.0, 1.0)
    pool = ProbabilityPool(random_state=0).fit(csr_matrix(X), y)
    assert (pool.predict(csr_matrix(X)) == y).mean() > 0.8
    assert "small boosting" not in pool.weights_
    less = ProbabilityPool(random_state=0).fit(X, y, sample_weight=weights)
    assert less.predict_proba(X)[:, 2].mean() < 0.05 < pool.predict_proba(csr_matrix(X))[:, 2].mean()


@MEMBERS
def test_a_class_with_one_example_does_not_stop_it(members):
    X, _, y, _ = many(150)
    y = np.where(np.arange(len(y)) == 0, "single", "other")  # no fold may train on one class alone
    pool = ProbabilityPool(members, random_state=0).fit(X, y)
    assert pool.predict_proba(X)[0, 1] > pool.predict_proba(X)[1:, 1].mean()


def test_classes_too_rare_for_folds_are_pooled_with_equal_weights():
    X, y = np.random.default_rng(0).normal(size=(100, 2)), np.arange(100) // 4
    members = [("bayes", GaussianNB()), ("constant", DummyClassifier())]
    pool = ProbabilityPool(members, random_state=0).fit(X, y)
    assert pool.weights_ == {"bayes": 0.5, "constant": 0.5}
    assert pool.scores_ == {}


@pytest.mark.exhaustive
def test_the_members_of_its_own_are_pooled_with_equal_weights_too():
    X, y = np.random.default_rng(0).normal(size=(100, 2)), np.arange(100) // 4
    pool = ProbabilityPool("best", random_state=0).fit(csr_matrix(X), y)
    assert set(pool.weights_.values()) == {1 / 8}
    assert "8" in pool.why_


def test_more_than_thirty_classes_are_not_compared_in_pairs():
    X, y = csr_matrix(np.random.default_rng(0).normal(size=(124, 2))), np.arange(124) % 31
    pool = ProbabilityPool(random_state=0).fit(X, y)
    assert "pairwise logistic regressions" not in pool.members_
    assert pool.predict_proba(X).shape == (124, 31)


def test_progress_is_told_if_asked_for():
    pool, printed = talkative()
    rounds = [re.fullmatch(r"(.*), (fold \d of 5|all examples): \d+\.\d s", line) for line in printed.splitlines()]
    names = [each[1] for each in rounds]
    folds = [
        [name for name, each in zip(names, rounds, strict=True) if each[2].startswith(f"fold {i}")] for i in range(1, 6)
    ]
    assert names == [*pool.weights_, *(name for fold in folds[1:] for name in fold), *pool.members_]
    assert {*pool.members_} <= {*folds[4]} <= {*folds[1]} < {*pool.weights_}  # who is of little use leaves after a fold


def test_no_progress_is_told_if_nobody_asks(capsys):
    ProbabilityPool([("bayes", GaussianNB()), ("constant", DummyClassifier())]).fit(*WINE)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("members", "quoted"), [("fast", "'fast'"), ([], "[]"), ([("a", GaussianNB())] * 2, "['a', 'a']")]
)
def test_members_that_make_no_sense_are_refused(members, quoted):
    with refused(quoted):
        ProbabilityPool(members).fit(*WINE)


def test_large_trees_want_five_hundred_examples_and_boosting_all_numbers():
    def names(X):
        return {name for name, _ in pool_module.candidates(X, None, 1.0, np.random.RandomState(0), 2, 200)}

    fewer, enough = names(np.zeros((499, 2))), names(np.zeros((500, 2)))
    assert enough - fewer == {"boosting"}
    assert fewer - names(csr_matrix((500, 2))) == {"small boosting"}


# What is no member, and weights that are no repetitions.


@pytest.mark.parametrize(
    ("members", "quoted"),
    [
        ({"linear": LogisticRegression()}, ["{'linear': LogisticRegression()}"]),
        ([LogisticRegression(), GaussianNB()], ["[LogisticRegression(), GaussianNB()]"]),
        (None, ["None"]),
        ([("margins", LinearSVC())], ["'margins'", "LinearSVC()", "predict_proba"]),
        ([("a class", GaussianNB)], ["'a class'", repr(GaussianNB)]),
    ],
)
def test_what_is_no_member_is_refused_before_training(members, quoted):
    with refused(*quoted) as caught:
        ProbabilityPool(members).fit(*WINE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("C", [0, -1, np.inf, np.nan, "1"])
def test_a_pool_wants_a_finite_c(C):
    with refused("C", repr(C)):
        ProbabilityPool(C=C).fit(*WINE)


def test_one_member_is_alone():
    pool = ProbabilityPool([("bayes", GaussianNB())]).fit(*WINE)
    assert pool.weights_ == {"bayes": 1}
    assert pool.predict_proba(WINE[0]) == pytest.approx(GaussianNB().fit(*WINE).predict_proba(WINE[0]))


def test_whole_weights_are_repetitions_unless_they_are_too_many():
    members = [("bayes", GaussianNB()), ("constant", DummyClassifier()), ("first", GaussianNB(var_smoothing=0.1))]
    pool, ones = ProbabilityPool(members, random_state=0), np.ones(len(WINE[1]))
    usual = pool.fit(*WINE).weights_
    assert pool.fit(*WINE, 1e20 * ones).weights_ == pytest.approx(usual, abs=1e-6)  # some small unit: the same folds
    assert pool.fit(*WINE, 2.5 * ones).weights_ == pytest.approx(usual, abs=1e-6)
    assert pool.fit(*WINE, 2 * ones).weights_ != pytest.approx(usual, abs=1e-6)  # examples are held out one by one


class Weighed(DummyClassifier):
    """Remembers the weight of the examples that it is trained on, each time."""

    totals: tuple[float, ...] = ()

    def fit(self, X, y, sample_weight=None):
        Weighed.totals += (sample_weight.sum(),)
        return super().fit(X, y, sample_weight)


def test_each_repetition_is_held_out_once_and_not_trained_on_then(monkeypatch):
    monkeypatch.setattr(Weighed, "totals", ())
    times = 1 + np.arange(len(WINE[1])) % 3
    ProbabilityPool([("weighed", Weighed()), ("bayes", GaussianNB())], random_state=0).fit(*WINE, sample_weight=times)
    folds = Weighed.totals[:5]
    assert sum(folds) == 4 * times.sum()
    assert max(folds) < times.sum()


# Threads.


class Counts(DummyClassifier):
    """Remembers how many threads there were when it was trained, and asked."""

    def fit(self, X, y, sample_weight=None):
        self.trained_ = threads()
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        self.asked_ = threads()
        return super().predict_proba(X)


def threads():
    return {each.num_threads for each in ThreadpoolController().lib_controllers if each.user_api == "openmp"}


def test_few_examples_have_one_thread_and_many_have_all():
    """Two threads that wait for each other on busy processors made a fit of 1000 examples take 50 times as long."""
    pool = ProbabilityPool([("one", Counts())])
    with ThreadpoolController().limit(limits=2):
        few = pool.fit(*WINE).members_["one"]
        pool.predict_proba(WINE[0])
        assert (few.trained_, few.asked_, threads()) == ({1}, {1}, {2})
        many = pool.fit(np.zeros((100_000, 2)), np.arange(100_000) % 2).members_["one"]
        pool.predict_proba(np.zeros((100_000, 2)))
        assert (many.trained_, many.asked_) == ({2}, {2})
