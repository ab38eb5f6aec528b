"""What is printed of studies, regrets, sensitivities and practices, and what is said of questions that are refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from printed import messages

import lossmith as lm
from lossmith.answers.cataloguing import catalogue
from lossmith.answers.demonstration import demonstrate
from lossmith.calibration import regret_budgets
from lossmith.errors import TooLarge
from lossmith.families import at_least, family, member, rational_where
from lossmith.learn.explanation import explained
from lossmith.losses import CATALOGUE, abstain, ordinal, zero_one
from lossmith.losses.named import loss_named
from lossmith.surrogates import softmax
from lossmith.text.numbers import as_fractions

FRAUD = lm.LossMatrix(
    [[0, 5, "20.5"], [350, "25.25", 0]], ["genuine", "fraud"], ["approve", "review", "decline"], name="fraud"
)


# Studies.

STUDIES = {
    "two thresholds": lambda: FRAUD,
    "two labels": lambda: [[0, 1], [5, 0]],
    "conditions in an order": lambda: ordinal(4),
    "costs in a table": lambda: abstain(3, "1/10"),
    "more decisions than are told": lambda: zero_one(9),
    "a decision that is never needed": lambda: [[0, 3, 4], [4, 3, 0]],
    "one decision is always best": lambda: [[0, 1], [0, 1]],
}


@pytest.mark.parametrize("name", STUDIES)
def test_study(name, snapshot):
    assert str(lm.analyze(STUDIES[name]())) == snapshot


def test_explanations(snapshot):
    p = np.array([0.001] * 15 + [0.485, 0.5])
    many = explained(p, np.eye(17)[:, :2], range(17), ["a", "b"])
    few = explained(np.array([0.25, 0.75]), FRAUD.to_numpy(), FRAUD.labels, FRAUD.predictions)
    assert f"{many}\n\n{few}" == snapshot


# Regrets.


def absolute(y, u):
    return abs(u[0] - y)


@cache
def own():
    """A surrogate without a family, which has no customary pred."""
    return lm.PolyhedralSurrogate.from_function(absolute, n=3, dim=1)


REGRETS = {
    "of the proof, from both sides": lambda: lm.regret(own(), ordinal(3)),
    "irrational": lambda: lm.regret("comp-sum:n=3,tau=1/2", zero_one(3)),
    "from both sides, by a theorem": lambda: lm.regret("softmax", lm.LossMatrix([[0, 1, 9], [1, 0, 9], [0, 0, 0]])),
    "no bound from below": lambda: lm.regret(
        "weighted-all-pairs-hinge", lm.LossMatrix([[0, 0, 1, 1, 2, 2], [3, 3, 1, 1, 0, 0]])
    ),
    "not calibrated": lambda: lm.regret("softmax", ordinal(3), "argmax"),
    "names of labels": lambda: lm.regret("cost-weighted-hinge", FRAUD),
}
COSTS = lm.LossMatrix([[0, 4, 1, 9], [2, 0, 7, 3], [1, 8, 0, 2], [5, 1, 6, 0]], name="costs")


@pytest.mark.parametrize("name", REGRETS)
def test_regret(name, snapshot):
    assert str(REGRETS[name]()) == snapshot


def test_regrets_beyond_the_budget(snapshot, monkeypatch):
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 100)
    no = lm.regret("crammer-singer", zero_one(8))
    yes = lm.regret("lee-lin-wahba", zero_one(3))
    monkeypatch.setattr(regret_budgets, "MOST_WORK", 4440)
    part = lm.regret("cost-weighted-hinge", COSTS)
    assert f"{no}\n\n{yes}\n\n{part}" == snapshot


BEYOND = {  # the work and the pieces that are allowed, and what is asked
    "programs": (100, 10**9, ("absolute", ordinal(5), "nearest")),
    "verdict": (4050, 10**9, ("absolute", ordinal(5), "nearest")),
    "pieces": (10**9, 7, ("all-threshold-hinge", ordinal(4), "sign")),
}


def test_messages_beyond_the_budget(snapshot, monkeypatch):
    def ask(name):
        work, pieces, question = BEYOND[name]
        monkeypatch.setattr(regret_budgets, "MOST_WORK", work)
        monkeypatch.setattr(regret_budgets, "MOST_PIECES", pieces)
        lm.regret(*question)

    assert messages({name: lambda name=name: ask(name) for name in BEYOND}) == snapshot


# Sensitivity.


@pytest.fixture
def few_matrices(monkeypatch):
    monkeypatch.setattr("lossmith.answers.uncertain.MOST_MATRICES", 5)


def test_sensitivity_in_fractions(snapshot, few_matrices):
    with as_fractions():
        assert str(lm.sensitivity(FRAUD, uncertainty=[10])) == snapshot


def test_sensitivity_of_an_order(snapshot, few_matrices):
    assert str(lm.sensitivity(ordinal(3), uncertainty=[10, 100])) == snapshot


def test_sensitivity_of_what_tells_no_probabilities(snapshot, few_matrices):
    assert str(lm.sensitivity(zero_one(3), practice="SVC", uncertainty=[10])) == snapshot


# Practices.


def refused(*_, **__):
    raise TooLarge("the cells have more than 7 vertices")


def test_practices_of_three_labels(snapshot):
    assert str(lm.which(zero_one(3))) == snapshot


def test_practices_of_an_abstaining_loss_of_tags_and_with_weights(snapshot):
    from sklearn.linear_model import LogisticRegression
    from sklearn.multioutput import MultiOutputClassifier

    balanced = LogisticRegression(class_weight="balanced")
    answers = {
        "kept, decided otherwise": lm.which(abstain(3), "sklearn"),
        "tags": lm.which(
            lm.LossMatrix.from_function(weighted, ["00", "01", "10", "11"]), MultiOutputClassifier(balanced)
        ),
        "weights by label": lm.which(zero_one(3), "LogisticRegression", class_weight=[1, 1, 5]),
        "weights against the rest": lm.which(zero_one(3), "SquaredHinge", class_weight=[5, 1, 1]),
        "weights by the data": lm.which(zero_one(3), balanced),
    }
    assert "\n\n".join(f"--- {name} ---\n{answer}" for name, answer in answers.items()) == snapshot


def weighted(y, t):
    return sum((3 if a == "1" else 1) * (a != b) for a, b in zip(y, t))


def test_a_practice_beyond_the_budget(snapshot, monkeypatch):
    monkeypatch.setattr("lossmith.answers.using.ask", refused)
    assert str(lm.which(zero_one(3), "CategoricalHinge")) == snapshot


# Messages.


def scores(labels=("c", "a", "b"), surrogate="crammer-singer"):
    loss = lm.LossMatrix(abstain(3).entries, labels)
    return lm.check(surrogate, loss)


def of_two(u):
    return lm.check("one-vs-all-squared-hinge", lm.LossMatrix([[0, 1], [1, 0]], ["legit", "fraud"])).decide(u)


def model_of_tags():
    from sklearn.linear_model import LogisticRegression
    from sklearn.multioutput import MultiOutputClassifier

    X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    return MultiOutputClassifier(LogisticRegression()).fit(X, X)


def unknown_estimator():
    from sklearn.gaussian_process import GaussianProcessClassifier

    return GaussianProcessClassifier()


QUESTIONS = {
    "regret: ε": lambda: lm.regret("absolute", ordinal(3)).delta("x"),
    "regret: a regret": lambda: lm.regret("absolute", ordinal(3)).at_most("x"),
    "regret: a regret below 0": lambda: lm.regret("absolute", ordinal(3)).at_most(-1),
    "regret: no calibration function": lambda: lm.regret(own(), ordinal(3)).delta(1),
    "regret: no bound": lambda: lm.regret("constrained-loss", ordinal(3), pred="decide"),
    "regret: no pred": lambda: lm.regret(own(), zero_one(3)),
    "regret: no constant": lambda: lm.regret(lm.surrogates.square([[0], [1], [2]]), zero_one(3)),
    "regret: no fraction": lambda: lm.regret("comp-sum:n=3,tau=1/2", zero_one(3)).upper.constant,
    "regret: other decisions": lambda: lm.regret("crammer-singer", zero_one(3), "argmax-gap:tau=1/2"),
    "scan: last value": lambda: lm.scan(None, 0, "x"),
    "picture of no regret": lm.plot.regret,
    "picture of regrets of two losses": lambda: lm.plot.regret(
        lm.regret("absolute", ordinal(3)), lm.regret("absolute", ordinal(4))
    ),
    "picture of no sensitivity": lambda: lm.plot.sensitivity(zero_one(3)),
    "uncertainty: none": lambda: lm.sensitivity(zero_one(2), uncertainty=[]),
    "uncertainty: a number": lambda: lm.sensitivity(zero_one(2), uncertainty=10),
    "uncertainty: more than 100": lambda: lm.sensitivity(zero_one(2), uncertainty=[101]),
    "class_weight: too few": lambda: lm.which(zero_one(3), class_weight=[1, 2]),
    "class_weight: zero": lambda: lm.which(zero_one(3), class_weight=[1, 2, 0]),
    "class_weight: balanced": lambda: lm.which(zero_one(3), class_weight="balanced"),
    "unknown estimator": lambda: lm.which(zero_one(3), unknown_estimator()),
    "models of tags": lambda: lm.losses.hamming(2).decide(model_of_tags(), [[0, 1]]),
    "scores: order of labels": lambda: scores().decide(np.zeros((2, 3))),
    "scores: other labels": lambda: scores().decide(np.zeros((2, 3)), classes=["a", "b", "c"]),
    "scores: one row": lambda: scores().decide(np.zeros(5), classes=["c", "a", "b"]),
    "scores: columns": lambda: scores().decide(np.zeros((2, 4)), classes=["c", "a", "b"]),
    "scores: one of two classes": lambda: of_two(np.zeros(5)),
    "labels of LightGBM": lambda: lm.boosting.lightgbm_objective(
        lm.design(lm.LossMatrix([[0, 1], [1, 0]], ["legit", "fraud"]), method="square")
    )([0, 1], np.zeros((2, 1))),
    "demonstration: calibrated": lambda: demonstrate(lm.check("crammer-singer", abstain(3))),
    "demonstration: no pred": lambda: demonstrate(lm.check(lm.surrogates.square([[0], [1], [2]]), zero_one(3))),
}


def test_messages_about_questions(snapshot):
    assert messages(QUESTIONS) == snapshot


FAMILIES = {
    "unknown": lambda: member("prices", CATALOGUE),
    "misspelt": lambda: member("zero-on:n=3", CATALOGUE),
    "unknown parameter": lambda: member("zero-one:m=3", CATALOGUE),
    "misspelt parameter": lambda: member("ordinal:n=3,pwer=2", CATALOGUE),
    "one parameter lacks": lambda: member("zero-one", CATALOGUE),
    "two parameters lack": lambda: member("top-k:", CATALOGUE),
    "no name of a parameter": lambda: member("zero-one:3", CATALOGUE),
    "twice": lambda: member("zero-one:n=3,n=4", CATALOGUE),
    "no whole number": lambda: member("zero-one:n=3.0", CATALOGUE),
    "no number": lambda: member("cost-sensitive-binary:c=abc", CATALOGUE),
    "no number in a list": lambda: loss_named("reject-costs:costs=0,5 1,5"),
    "too small": lambda: member("zero-one:n=1", CATALOGUE),
    "too large for another": lambda: member("top-k:n=3,k=3", CATALOGUE),
    "no cost": lambda: member("abstain:n=3,cost=", CATALOGUE),
    "a negative cost": lambda: member("abstain:n=3,cost=-1", CATALOGUE),
    "too many entries": lambda: member("hamming:r=40", CATALOGUE),
    "a size that is none": lambda: at_least("n", True, 2),
    "a size that is too large": lambda: at_least("n", 10**6, 2),
    "out of bounds": lambda: rational_where("c", "-1/2", lambda c: c > 0, "positive"),
    "no file": lambda: loss_named("none.csv"),
    "another kind of file": lambda: loss_named("/"),
    "no types": lambda: member("lost:n=3", [lost]),
    "no labels": lambda: catalogue([bare], [softmax]),
    "no fit": lambda: catalogue([zero_one], [bare]),
}


@family(cite="", small=(), size=lambda n: (n, n))
def lost(n: Unheard) -> int:  # type: ignore[name-defined]  # noqa: F821
    return n


@family(cite="", small=(), size=lambda n: (n, n))
def bare(n: int) -> lm.LossMatrix:
    return zero_one(n)


def test_messages_about_families(snapshot):
    assert messages(FAMILIES) == snapshot


def test_the_work_of_an_enumeration_beyond_the_budget(snapshot, monkeypatch):
    monkeypatch.setattr("lossmith.geometry.double_description.LEAST_WORK", 10)
    monkeypatch.setattr("lossmith.geometry.double_description.WORK", 1)
    rows = [[(3 * y * y + 5 * t * t + 2 * y * t + 7 * y) % 11 + (y != t) for t in range(8)] for y in range(12)]
    assert str(lm.analyze(rows).too_large) == snapshot
