"""Messages and texts of estimators."""

from __future__ import annotations

from inspect import getclosurevars

import numpy as np
import pandas as pd
import pytest
from printed import messages
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.svm import LinearSVC

import lossmith as lm
from lossmith.learn import (
    ProbabilityPool,
    ProportionalOdds,
    SubsetClassifier,
    SubsetRanker,
    SurrogateClassifier,
    choosing,
    chunks,
    compare,
    loss_score,
    pool,
    reliability,
)
from lossmith.learn.choosing import choose
from lossmith.learn.comparison import Comparison, Practice
from lossmith.learn.explanation import explained
from lossmith.learn.scoring import as_loss
from lossmith.losses import abstain, hamming, ordinal, zero_one

X = np.array([[i % 5, i * i % 7] for i in range(12)], dtype=float)
Y = np.arange(12) % 3
PAIRS = pd.DataFrame(X, columns=["age", "height"])
BINARY = Y > 0
TRIAGE = lm.LossMatrix(
    [[0, 1, 4], [10, 3, 1], [60, 35, 12]],
    labels=["mild", "severe", "moderate"],
    predictions=["home", "clinic", "ward"],
    name="triage",
)
GRADES = np.array(["mild", "moderate", "severe"])[Y]
FRAUD = lm.LossMatrix([[0, 5], [1, 5]], labels=["legit", "fraud"], predictions=["pay", "review"], name="fraud")
COSTS = lm.ExampleCosts([[0, 5], ["age", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
TRUTH = np.where(BINARY, "fraud", "legit")
TAGS = np.array([[i % 2, i % 3 == 0, i % 4 < 2] for i in range(12)], dtype=int)
QUERIES = np.repeat([0, 1, 2], 4)
RELEVANT = np.tile([0, 1, 0, 1], 3)


def with_entry(value, row=7, column=1):
    table = X.copy()
    table[row, column] = value
    return table


def square(loss=None, **settings):
    return SurrogateClassifier(zero_one(3) if loss is None else loss, "square", **settings)


def plugged(loss=None, estimator=None, **settings):
    return SurrogateClassifier(zero_one(3) if loss is None else loss, "plug-in", estimator, **settings)


def weighted(value):
    return np.where(np.arange(12) == 7, value, 1.0)


def tagged(value, where):
    tags = TAGS.astype(object)
    tags[where] = value
    return tags


class Narrow(RegressorMixin, BaseEstimator):
    """It forgets all columns but one."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros((len(X), 1))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class TwoNumbers(Ridge):
    """Predicts two columns whatever it is asked."""

    def predict(self, X):
        return np.column_stack([super().predict(X)] * 2)


class Says(ClassifierMixin, BaseEstimator):
    """It says that X is the probability of "yes"."""

    classes_ = np.array(["no", "yes"])

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float)[:, 0]
        return np.stack([1 - p, p], axis=1)


def mine():
    return lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1, name="mine")


def labels_on(labels, decisions=None):
    return lm.LossMatrix.from_function(lambda y, t: int(y != t), labels, decisions, "costs")


def graphs(last):
    return [[(0, 1)], [(0, 1)], last]


LABELS = {
    "another label": lambda: square().fit(X, Y + 1),
    "a label as text": lambda: square().fit(X, (Y * 0 + 1).astype(str)),
    "no example of some labels": lambda: square(zero_one(8)).fit(X, Y),
    "one class": lambda: SurrogateClassifier().fit(X, np.zeros(12, dtype=int)),
    "one class of several": lambda: plugged(zero_one(2)).fit(X, np.zeros(12, dtype=int)),
    "no labels": lambda: square().fit(X, None),
    "a missing label": lambda: square().fit(X, np.where(np.arange(12) == 7, np.nan, Y)),
    "an indicator matrix": lambda: square(hamming(3)).fit(X, TAGS),
    "codes or rows": lambda: plugged(FRAUD).fit(X, BINARY * 1),
    "codes or labels": lambda: plugged(labels_on([1, 2, 3])).fit(X, Y % 2 + 1),
    "codes of some labels": lambda: plugged(TRIAGE).fit(X, Y % 2),
    "a decision without a code": lambda: VotingClassifier([("a", plugged(FRAUD))]).fit(X, TRUTH).predict(X),
    "no scores": lambda: plugged().fit(X, Y).scores(X),
}
FEATURES = {
    "no number": lambda: square().fit(with_entry(np.nan), Y),
    "no number, of a frame": lambda: square().fit(PAIRS, Y).predict(PAIRS.replace(4.0, np.inf)),
    "too large": lambda: square().fit(with_entry(-1e200), Y),
    "no table": lambda: plugged(estimator=GaussianNB()).fit(X[:, 0], Y),
    "no examples": lambda: plugged(estimator=GaussianNB()).fit(X[:0], Y[:0]),
    "no columns": lambda: plugged().fit(PAIRS[[]], Y),
    "more columns": lambda: plugged(estimator=GaussianNB()).fit(X, Y).predict(np.zeros((4, 3))),
    "a column is missing": lambda: plugged(estimator=GaussianNB()).fit(PAIRS, Y).predict(PAIRS[["age"]]),
    "words": lambda: square().fit(PAIRS.assign(kind="narrow"), Y),
    "a weight is no number": lambda: square().fit(X, Y, weighted(np.nan)),
    "a weight is negative": lambda: square().fit(X, Y, weighted(-0.5)),
    "a weight is infinite": lambda: square().fit(X, Y, weighted(np.inf)),
    "a weight is too large": lambda: square().fit(X, Y, weighted(1e300)),
    "weights are words": lambda: square().fit(X, Y, ["heavy"] * 12),
}
SURROGATES = {
    "not calibrated": lambda: SurrogateClassifier(zero_one(3), "crammer-singer:n=3").fit(X, Y),
    "a pred beside a word": lambda: square(pred="argmax").fit(X, Y),
    "a pred beside a design": lambda: SurrogateClassifier(ordinal(3), lm.design(ordinal(3)), pred="nearest").fit(X, Y),
    "no pred": lambda: SurrogateClassifier(zero_one(3), mine(), allow_uncertified=True).fit(X, Y),
    "for more labels": lambda: SurrogateClassifier(ordinal(3), "absolute:n=4").fit(X, Y),
    "designed for another loss": lambda: SurrogateClassifier(zero_one(3), lm.design(ordinal(3))).fit(X, Y),
    "no surrogate": lambda: SurrogateClassifier(zero_one(3), 3).fit(X, Y),
    "the name of no surrogate": lambda: SurrogateClassifier(zero_one(3), "crammersinger").fit(X, Y),
    "nearly a word": lambda: SurrogateClassifier(zero_one(3), "orderble").fit(X, Y),
    "not to be trained here": lambda: SurrogateClassifier(zero_one(3), "softmax:n=3").fit(X, Y),
    "an estimator beside a linear model": lambda: SurrogateClassifier(ordinal(3), "absolute:n=3", Ridge()).fit(X, Y),
    "a regressor of one output": lambda: SurrogateClassifier(zero_one(3), estimator=Narrow()).fit(X, Y),
    "a classifier without probabilities": lambda: SurrogateClassifier(zero_one(3), estimator=LinearSVC()).fit(X, Y),
    "a classifier for a regressor": lambda: square(estimator=LogisticRegression()).fit(X, Y),
    "no weights": lambda: square(estimator=KNeighborsRegressor()).fit(X, Y, np.ones(12)),
    "C": lambda: square(C=-1).fit(X, Y),
    "no expected loss": lambda: SurrogateClassifier(ordinal(3), "orderable").fit(X, Y).expected_loss(X),
}
PROBABILITIES = {
    "weights that stay": lambda: plugged(
        FRAUD, VotingClassifier([("line", LogisticRegression(class_weight="balanced"))], voting="soft")
    ).fit(X, TRUTH),
    "weights in decide": lambda: FRAUD.decide(LogisticRegression(class_weight="balanced").fit(X, TRUTH), X),
    "calibration": lambda: plugged(calibration="platt").fit(X, Y),
    "calibration of scores": lambda: square(calibration="sigmoid").fit(X, Y),
    "calibration of one example": lambda: plugged(FRAUD, calibration="sigmoid").fit(X[:5], ["legit"] * 4 + ["fraud"]),
    "priors lack a label": lambda: plugged(FRAUD, priors={"legit": 1}).fit(X, TRUTH),
    "priors are no distribution": lambda: plugged(FRAUD, priors=[0.5, 0.6]).fit(X, TRUTH),
    "priors are a word": lambda: plugged(FRAUD, priors="equal").fit(X, TRUTH),
    "priors of another label": lambda: plugged(FRAUD, priors={"legit": 0.5, "fraud": 0.5, "eggs": 0}).fit(X, TRUTH),
    "priors in an array": lambda: plugged(FRAUD, priors=np.array([0.5, 0.5])).fit(X, TRUTH),
    "order": lambda: ProportionalOdds(["mild", "moderate"]).fit(X, GRADES),
    "members in a word": lambda: ProbabilityPool("fast").fit(X, Y),
    "no members": lambda: ProbabilityPool([]).fit(X, Y),
    "a member that does not tell": lambda: ProbabilityPool([("margins", LinearSVC())]).fit(X, Y),
    "C of a pool": lambda: ProbabilityPool(C=np.inf).fit(X, Y),
    "reliability of margins": lambda: reliability(LinearSVC(), X, Y),
    "groups": lambda: reliability(Says(), X, ["no"] * 12, bins=0),
    "few labels": lambda: reliability(Says(), X, ["no"]),
    "another label": lambda: reliability(Says(), X[:1], ["maybe"]),
}
COMPARED = {
    "a class": lambda: compare(TRIAGE, {"LR": Narrow}, X, GRADES),
    "one fold": lambda: compare(TRIAGE, None, X, GRADES, cv=1),
    "many folds": lambda: compare(TRIAGE, None, X, GRADES, cv=10),
    "held_out": lambda: compare(TRIAGE, None, X, GRADES, held_out=(X,)),
    "few labels": lambda: compare(TRIAGE, None, X, GRADES[:9]),
    "another practice": lambda: Comparison("triage", (Practice("plug-in", np.ones(3)),), 0.0, "")["pool"],
    "another decision": lambda: loss_score(zero_one(3), [0, 1], [0, 7]),
    "nothing to score": lambda: loss_score(zero_one(3), [], []),
    "a table of labels": lambda: loss_score(zero_one(3), np.array([[0]]), [0]),
    "explained by scores": lambda: SurrogateClassifier(ordinal(3), "orderable").fit(X, Y).explain(X[0]),
    "many examples explained": lambda: plugged().fit(X, Y).explain(X),
    "no example explained": lambda: plugged().fit(X, Y).explain(3),
}
EXAMPLE_COSTS = {
    "an array is asked for again": lambda: plugged(FRAUD).fit(PAIRS, TRUTH, costs=COSTS.at(PAIRS)).predict(PAIRS),
    "of least squares": lambda: square(FRAUD).fit(PAIRS, TRUTH, costs=COSTS).predict(PAIRS, costs=COSTS),
    "of least squares, scored": lambda: square(FRAUD).fit(X, TRUTH, costs=COSTS.at(PAIRS)).score(X, TRUTH),
    "of other surrogates": lambda: SurrogateClassifier(lm.LossMatrix([[0, 1], [1, 0]]), "orderable").fit(
        X, BINARY * 1, costs=COSTS.at({"age": np.arange(12)})
    ),
    "another shape": lambda: plugged(FRAUD).fit(X, TRUTH, costs=np.zeros((3, 2, 2))),
    "no names": lambda: plugged(COSTS).fit(X, TRUTH),
    "no matrix": lambda: as_loss(COSTS),
}
CHUNKS = {
    "best": lambda: SurrogateClassifier(TRIAGE, "best").fit([(X, GRADES)]),
    "calibration": lambda: plugged(TRIAGE, calibration="sigmoid").fit([(X, GRADES)]),
    "no partial_fit": lambda: plugged(TRIAGE, LogisticRegression()).fit([(X, GRADES)]),
    "costs of examples": lambda: SurrogateClassifier(COSTS).fit([(X, TRUTH)]),
    "priors of least squares": lambda: square(TRIAGE, priors=[0.5, 0.3, 0.2]).partial_fit(X, GRADES),
    "costs beside chunks": lambda: plugged(TRIAGE).fit([(X, GRADES)], costs=np.zeros((12, 3, 3))),
    "weights beside chunks": lambda: square(TRIAGE).fit([(X, GRADES)], sample_weight=np.ones(12)),
    "y beside chunks": lambda: square(TRIAGE).fit(chunks(X, GRADES, size=5), GRADES),
    "labels of a first chunk": lambda: SurrogateClassifier().partial_fit(X, Y),
    "labels of an iterator": lambda: SurrogateClassifier().fit(iter([(X, Y)])),
    "other classes": lambda: square(TRIAGE).partial_fit(X, GRADES).partial_fit(X, GRADES, classes=["mild", "severe"]),
    "a late number": lambda: square(TRIAGE).fit([(X, GRADES), (X, GRADES), (with_entry(np.nan), GRADES)]),
    "a late label": lambda: square(TRIAGE).fit([(X, GRADES), (X, np.full(12, "dead"))]),
    "a late list": lambda: square(TRIAGE).fit([(X, GRADES), [1.0, 2.0]]),
    "a late weight": lambda: square(TRIAGE).fit([(X, GRADES), (X, GRADES, weighted(np.nan))]),
    "rows that were cut": lambda: square(TRIAGE).fit(chunks(with_entry(np.nan), GRADES, size=4)),
    "nothing was learned": lambda: square(TRIAGE).fit([(with_entry(np.nan), GRADES)]),
    "no chunk": lambda: square(TRIAGE).fit(iter([])),
    "forgotten": lambda: square(TRIAGE).fit(X, GRADES).partial_fit(X, GRADES),
    "in the order of labels": lambda: plugged(zero_one(2)).fit(chunks(np.ones((9000, 1)), np.arange(9000) // 4500)),
    "few rows of y": lambda: chunks(X, Y[:2]),
    "few weights": lambda: chunks(X, Y, np.ones(2)),
    "size": lambda: chunks(X, Y, size=0),
    "no weight": lambda: square().partial_fit(X, Y, sample_weight=np.zeros(12)).predict(X),
    "many features": lambda: square().partial_fit(csr_array((12, 30_000)), Y),
    "many labels": lambda: plugged(zero_one(201)).partial_fit(np.ones((201, 1)), np.arange(201)),
    "an estimator": lambda: plugged(TRIAGE, GaussianNB()).fit([(X, GRADES), (with_entry(np.nan), GRADES)]),
    "weights that stay": lambda: (
        plugged(FRAUD, SGDClassifier(loss="modified_huber", class_weight={"legit": 1, "fraud": 9}, random_state=0))
        .partial_fit(X, TRUTH)
        .predict(X)
    ),
}
SETS = {
    "a two": lambda: SubsetClassifier().fit(X, tagged(2, (0, 1))),
    "a word": lambda: SubsetClassifier().fit(X, pd.DataFrame(tagged("no", (0, 1)), columns=["red", "blue", "green"])),
    "one column": lambda: SubsetClassifier().fit(X, TAGS[:, 0]),
    "lists": lambda: SubsetClassifier().fit(X, [["red"], ["red", "blue"]] * 6),
    "no tags": lambda: SubsetClassifier().fit(X, TAGS[:, :0]),
    "few rows": lambda: SubsetClassifier().fit(X, TAGS[:9]),
    "none": lambda: SubsetClassifier().fit(X, None),
    "unused tags": lambda: SubsetClassifier("f1", LinearRegression()).fit(X, TAGS * [1, 0, 1]),
    "a name": lambda: SubsetClassifier("jacard").fit(X, TAGS),
    "beta": lambda: SubsetClassifier("f0").fit(X, TAGS),
    "recall of how many": lambda: SubsetClassifier("recall@").fit(X, TAGS),
    "precision of all": lambda: SubsetClassifier("precision@3").fit(X, TAGS),
    "more tags": lambda: SubsetClassifier(lm.losses.f_measure(4)).fit(X, TAGS),
    "no sets": lambda: SubsetClassifier(zero_one(3)).fit(X, TAGS),
    "rankings": lambda: SubsetClassifier(lm.losses.ndcg(3)).fit(X, TAGS),
    "written down": lambda: SubsetClassifier("jaccard").fit(X, np.hstack([TAGS] * 4)),
    "a set that is lacking": lambda: SubsetClassifier(hamming(3).restrict(labels=["000", "111"])).fit(X, TAGS),
    "C": lambda: SubsetClassifier(C=0).fit(X, TAGS),
    "a classifier": lambda: SubsetClassifier(estimator=LogisticRegression()).fit(X, TAGS),
    "no weight": lambda: SubsetClassifier().fit(X, TAGS, np.zeros(12)),
    "scores of fewer tags": lambda: SubsetClassifier("f1", LinearRegression()).fit(X, TAGS).score(X, TAGS[:, :2]),
    "a tag is lacking": lambda: (
        SubsetClassifier("f1", LinearRegression())
        .fit(X, pd.DataFrame(TAGS, columns=["red", "blue", "green"]))
        .score(X, pd.DataFrame(TAGS, columns=["red", "blue", "other"]))
    ),
}
RANKERS = {
    "a query comes back": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, np.tile([0, 1, 2], 4)),
    "few ids": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, QUERIES[:-1]),
    "a missing id": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, np.where(QUERIES == 1, np.nan, QUERIES)),
    "ids and sizes": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, QUERIES, group=[12]),
    "sizes that do not add up": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, group=[6, 5]),
    "an empty query": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT, group=[12, 0]),
    "a level": lambda: SubsetRanker("map", Ridge()).fit(X, 2 * RELEVANT, QUERIES),
    "a level that is no number": lambda: SubsetRanker("pd", Ridge()).fit(X, with_entry(np.inf, 3, 0)[:, 0], QUERIES),
    "nothing is relevant in some": lambda: SubsetRanker("map", Ridge()).fit(X, RELEVANT * (QUERIES > 0), QUERIES),
    "nothing is relevant": lambda: SubsetRanker("map", Ridge()).fit(X, 0 * RELEVANT, QUERIES),
    "nothing relevant is scored": lambda: (
        SubsetRanker("map", Ridge()).fit(X, RELEVANT, QUERIES).score(X, 0 * RELEVANT, QUERIES)
    ),
    "single documents": lambda: SubsetRanker("pd", Ridge()).fit(X, RELEVANT, np.arange(12)),
    "few graphs": lambda: SubsetRanker("pd", Ridge()).fit(X, graphs([])[:2], QUERIES),
    "a cycle": lambda: SubsetRanker("pd", Ridge()).fit(X, graphs([(0, 1), (1, 2), (2, 0)]), QUERIES),
    "another document": lambda: SubsetRanker("pd", Ridge()).fit(X, graphs([(0, 4)]), QUERIES),
    "few relevances": lambda: SubsetRanker("ndcg", Ridge()).fit(X, RELEVANT[:-1], QUERIES),
    "a metric": lambda: SubsetRanker("mrr", Ridge()).fit(X, RELEVANT, QUERIES),
    "precision of how many": lambda: SubsetRanker("precision@", Ridge()).fit(X, RELEVANT, QUERIES),
    "max_pairs": lambda: SubsetRanker("map", Ridge(), max_pairs=0).fit(X, RELEVANT, QUERIES),
    "two outputs": lambda: SubsetRanker("ndcg", TwoNumbers()).fit(X, RELEVANT, QUERIES).predict(X, QUERIES),
}
TABLES = {
    "labels": LABELS,
    "features and weights": FEATURES,
    "surrogates": SURROGATES,
    "probabilities": PROBABILITIES,
    "what is compared and explained": COMPARED,
    "costs per example": EXAMPLE_COSTS,
    "chunks": CHUNKS,
    "sets": SETS,
    "rankers": RANKERS,
}


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch):
    """Equal losses share what was made for the first, with its name; here no other test comes first."""
    for name in ("_facts", "_squared", "_designed", "_checked"):
        function = getclosurevars(getattr(choosing, name)).nonlocals["function"]
        monkeypatch.setattr(choosing, name, choosing.remembered(function))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", TABLES)
def test_messages(table, snapshot):
    assert messages(TABLES[table]) == snapshot


CHOSEN = {
    "few labels": lambda: choose(ordinal(5), "auto"),
    "best": lambda: choose(abstain(3), "best"),
    "one number": lambda: choose(labels_in_a_row(), "auto"),
    "few numbers": lambda: choose(hamming(6), "auto"),
    "a regressor": lambda: choose(zero_one(3), "auto", estimator=Ridge()),
    "a classifier": lambda: choose(zero_one(3), "auto", estimator=LogisticRegression()),
    "asked, with a pred": lambda: choose(abstain(3), "crammer-singer:n=3"),
    "allowed": lambda: choose(zero_one(3), "crammer-singer:n=3", uncertified=True),
    "chunks": lambda: SurrogateClassifier(ordinal(3)).partial_fit(X, Y).surrogate_,
    "costs per example": lambda: square(FRAUD).fit(PAIRS, TRUTH, costs=COSTS).surrogate_,
    "few examples": lambda: SurrogateClassifier(zero_one(3)).fit(X, Y).surrogate_,
}


def labels_in_a_row():
    return lm.LossMatrix.from_function(lambda y, t: abs(y - t), range(31), (5, 25), "far apart")


def test_what_was_chosen(snapshot):
    assert "\n".join(f"{name}: {call()}" for name, call in CHOSEN.items()) == snapshot


def test_how_probabilities_are_pooled_and_corrected(snapshot, monkeypatch):
    make = pool.candidates
    monkeypatch.setattr(pool, "candidates", lambda *how: make(*how)[:2])
    members = [("bayes", GaussianNB()), ("line", LogisticRegression())]
    balanced = LogisticRegression(class_weight={"legit": 1, "fraud": 7})
    assert [
        ProbabilityPool(members).fit(np.tile(X, (5, 1)), np.tile(Y, 5)).why_,
        ProbabilityPool(members[:1]).fit(X, Y).why_,
        ProbabilityPool(members).fit(X, np.arange(12) // 3).why_,
        ProbabilityPool().fit(X, Y).why_,
        ProbabilityPool(random_state=0).fit(csr_array(X), Y, np.full(12, 10)).why_,
        *plugged(FRAUD, balanced, priors=[0.5, 0.5]).fit(X, TRUTH).corrections_,
    ] == snapshot


def test_comparisons(snapshot):
    paid = [Practice("plug-in", np.array([0.0, 1, 1, 0])), Practice("argmax", np.array([0.0, 4, 2, 10]))]
    notes = compare(FRAUD, {"bayes": GaussianNB()}, PAIRS.assign(kind="x")[["age"]], TRUTH, cv=2).notes
    assert str(Comparison("triage", tuple(paid), 0.25, "4 examples in 2 folds", notes)) == snapshot


def test_explanations(snapshot):
    costs = np.array([[0.0, 5], [30, 5]])
    certain = explained(np.array([0.5, 0.5]), np.array([[0.0, 1], [1, 2]]), ["a", "b"], ["good", "bad"])
    equal = explained(np.array([0.5, 0.5]), np.array([[0.0, 1], [1, 0]]), ["a", "b"], ["good", "bad"])
    fraud = explained(np.array([0.8, 0.2]), costs, ["legit", "fraud"], ["pay", "review"])
    assert "\n\n---\n".join(map(str, (fraud, certain, equal))) == snapshot


def test_how_rankings_were_found(snapshot):
    model = SubsetRanker("map", Ridge()).fit(X, RELEVANT, QUERIES)
    short, long = model.construction(3), model.construction(20)
    assert [each.pred(np.zeros(each.dim)).method for each in (short, long)] == snapshot


def test_reliabilities(snapshot):
    told = np.repeat([0.1, 0.4, 0.8], [10, 20, 30])[:, None]
    truth = ["yes"] * 2 + ["no"] * 8 + ["yes"] * 5 + ["no"] * 15 + ["yes"] * 27 + ["no"] * 3
    assert str(reliability(Says(), told, truth, bins=3)) == snapshot
