"""The code that is printed as advice is run as it is printed, with labels in no order."""

from __future__ import annotations

import ast
import contextlib
import html
import json
import re
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeRegressor

import lossmith as lm
from lossmith.answers.practice import PRACTICES
from lossmith.answers.using import which
from lossmith.errors import BadInput
from lossmith.reporting import report

RANDOM = np.random.default_rng(3)
X = RANDOM.standard_normal((120, 2))
NAMES = ("legit", "fraud", "dispute")
THREE = np.array(NAMES)[np.digitize(X[:, 0] + 0.7 * RANDOM.standard_normal(120), [-0.5, 0.5])]
TWO = np.where(THREE == "legit", "legit", "fraud")
COSTS = {"legit": (0, 1, 4, "1/2"), "fraud": (9, 0, 3, 1), "dispute": (2, 1, 0, "1/2")}
ASKING = {y: (*(int(y != t) for t in NAMES), "2/5") for y in NAMES}
ACTIONS = ("pay", "block", "call", "ask")
# Of the steps of Crammer–Singer scikit-learn 1.8 tells a number that was never written, and may complain of it.
pytestmark = pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
MODELS = {
    "softmax cross-entropy": LogisticRegression(),
    "one-vs-all logistic": OneVsRestClassifier(LogisticRegression()),
    "one-vs-all squared hinge": LinearSVC(max_iter=50_000, random_state=0),
    "one-vs-all hinge": LinearSVC(loss="hinge", C=0.1, max_iter=50_000, random_state=0),
    "Crammer–Singer hinge": LinearSVC(multi_class="crammer_singer", C=0.1, random_state=0),
    "one-vs-one hinge": SVC(kernel="linear"),
    "squares on ±1": RidgeClassifier(),
}


def loss_in(order, costs=COSTS):
    return lm.LossMatrix([costs[y] for y in order], order, ACTIONS, "costs")


def code_in(text):
    """Return the first call in a text, as it is written: the longest part from lm or loss on that is one."""
    for start in re.finditer(r"\b(lm|loss)\.", text):
        for end in range(len(text), start.start(), -1):
            with contextlib.suppress(SyntaxError):
                if isinstance(ast.parse(text[start.start() : end], mode="eval").body, ast.Call):
                    return text[start.start() : end].strip()
    return None


def advised(loss, **options):
    codes = {line.practice.trains: code_in(line.advice) for line in which(loss, **options)}
    return {name: code for name, code in codes.items() if code is not None}


def run(code, **names):
    return eval(code, {"lm": lm, "np": np, **names}).tolist()


SORTED = ("dispute", "fraud", "legit")
TURNED = ("legit", "dispute", "fraud")


@pytest.mark.parametrize(
    ("costs", "orders"),
    [
        pytest.param(COSTS, (SORTED, TURNED), id="costs"),
        pytest.param(ASKING, (SORTED, TURNED), id="asking"),
        pytest.param(COSTS, tuple(permutations(NAMES)), id="costs, every order", marks=pytest.mark.exhaustive),
        pytest.param(ASKING, tuple(permutations(NAMES)), id="asking, every order", marks=pytest.mark.exhaustive),
    ],
)
def test_what_which_says_decides_the_same_in_every_order_of_three(costs, orders):
    fitted = {name: model.fit(X, THREE) for name, model in MODELS.items()}
    expected = {}
    for order in orders:
        loss = loss_in(order, costs)
        for name, code in advised(loss).items():
            if name in fitted:
                decided = run(code, model=fitted[name], X=X, loss=loss)
                assert decided == expected.setdefault(name, decided), (name, order)
    assert len(expected) >= 4
    softmax = fitted["softmax cross-entropy"]
    table = [[float(Fraction(x)) for x in costs[y]] for y in softmax.classes_]
    risks = softmax.predict_proba(X) @ table
    assert expected["softmax cross-entropy"] == [ACTIONS[t] for t in risks.argmin(axis=1)]


def test_and_in_either_order_of_two():
    expected = {}
    for order in (("fraud", "legit"), ("legit", "fraud")):
        loss = lm.LossMatrix(
            [[int(y != "legit"), int(y != "fraud"), "1/2"] for y in order], order, ["pay", "block", "ask"]
        )
        for name, code in advised(loss).items():
            if name in MODELS:
                decided = run(code, model=MODELS[name].fit(X, TWO), X=X, loss=loss)
                assert decided == expected.setdefault(name, decided), (name, order)
                assert len(set(decided)) > 1
    assert "one-vs-one hinge" in expected


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("name", [name for name in MODELS if "logistic" not in name and "softmax" not in name])
def test_the_scores_in_the_advice_are_those_of_the_surrogate(name, y):
    """By them the pred that its users follow decides as the model itself does."""
    [practice] = [each for each in PRACTICES if each.trains == name]
    model = MODELS[name].fit(X, y)
    n = len(model.classes_)
    loss = lm.LossMatrix(1 - np.eye(n, dtype=int), model.classes_.tolist(), model.classes_.tolist())
    U = eval(practice.of_two if n == 2 else practice.scores, {"model": model, "X": X})
    pred = lm.surrogates.preds.as_pred("sign" if U.shape[1] == 1 else practice.pred, practice.surrogate(n), loss)
    away = (abs(U) > 1e-6).all(axis=1)
    assert model.classes_[pred.decide(U)][away].tolist() == model.predict(X)[away].tolist()


def test_class_weights_are_undone_whatever_the_order():
    class_weight = {"legit": 1, "fraud": 4, "dispute": 0.5}
    model = LogisticRegression(class_weight=class_weight).fit(X, THREE)
    P = model.predict_proba(X) / [class_weight[y] for y in model.classes_]
    expected = None
    for order in (SORTED, TURNED):
        loss, weights = loss_in(order), [class_weight[y] for y in order]
        code = advised(loss, class_weight=weights, estimator="CrossEntropyLoss")["softmax cross-entropy"]
        decided = run(code, model=model, X=X, loss=loss, class_weight=class_weight)
        by_hand = loss.decide(P / P.sum(axis=1, keepdims=True), classes=model.classes_).tolist()
        assert decided == by_hand == (expected or by_hand)
        expected = decided


@pytest.mark.parametrize(("name", "power"), [("squares on grades", 2), ("absolute deviation", 1)])
def test_grades_are_counted_along_the_rows(name, power):
    decisions = {"as good": 3, "as poor": 1, "as fair": 2}
    labels = ["poor", "fair", "good"]
    rows = [[abs(y - t) ** power for t in decisions.values()] for y in (1, 2, 3)]
    code = advised(lm.LossMatrix(rows, labels, list(decisions)), estimator="regressor")[name]
    model = DecisionTreeRegressor().fit(X, 1 + np.digitize(X[:, 0], [-0.5, 0.5]))  # says 1, 2 or 3
    expected = [{grade: t for t, grade in decisions.items()}[u] for u in model.predict(X)]
    assert run(code, model=model, X=X, loss=lm.LossMatrix(rows, labels, list(decisions))) == expected


def test_models_of_several_tags_decide_for_the_sets_that_cost_least():
    """A tag that is missed costs three times, and five times, as much as one too many: then it is set from 1/4, 1/6."""
    missed, sets = (3, 5), ["00", "01", "10", "11"]
    loss = lm.LossMatrix.from_function(
        lambda y, t: sum((m if a == "1" else 1) * (a != b) for m, a, b in zip(missed, y, t)), sets
    )
    tags = np.column_stack([X[:, i] + RANDOM.standard_normal(120) > 1 for i in range(2)]).astype(int)
    model = MultiOutputClassifier(LogisticRegression()).fit(X, tags)
    with pytest.raises(BadInput, match=r"print\(lm.which\(loss, model\)\)"):
        loss.decide(model, X)
    [line] = which(loss, model)
    assert max(map(len, str(line).splitlines())) <= 120
    chosen = np.column_stack([P[:, 1] > 1 / (1 + m) for P, m in zip(model.predict_proba(X), missed)]).astype(int)
    wanted = ["".join(map(str, row)) for row in chosen]
    assert len(set(wanted)) > 2
    assert run(code_in(str(line)), model=model, X=X, loss=loss) == wanted
    assert run(code_in(line.advice), model=model, X=X, loss=loss) == wanted


def test_scores_of_ones_own_are_said_to_be_in_the_order_of_the_rows():
    loss = lm.LossMatrix([[1, 2, 0], [1, 1, 1], [1, 3, 0]], ["c", "b", "a"], [0, 1, 2])
    code = advised(loss, estimator="MultiMarginLoss")["Weston–Watkins hinge"]
    assert run(code, U=np.zeros((2, 3)), loss=loss) == [2, 2]
    tags = lm.losses.hamming(2)
    swapped = lm.LossMatrix([row[::-1] for row in tags.entries], tags.labels, tags.predictions[::-1])
    assert advised(swapped, estimator="multi-label") == {}  # its bits are decisions by name: fine as it is


# Recipes for training.


def grouped():
    """Three groups of cases, where the best decision follows from how often each label occurs."""
    groups = np.repeat(np.arange(3), 100)
    labels = np.concatenate([np.repeat(NAMES, share) for share in ([90, 5, 5], [20, 60, 20], [10, 5, 85])])
    return np.eye(3)[groups], labels, np.eye(3)


def trained(lines, order):
    cases, labels, new = grouped()
    names = {"lm": lm, "Ridge": Ridge, "loss": loss_in(order), "X": cases, "y": labels, "X_new": new}
    exec("\n".join(lines), names)
    return names["decisions"].tolist()


def best(order):
    cases, labels, _ = grouped()
    loss = loss_in(order)
    frequencies = [[Fraction(int((labels[cases[:, g] == 1] == y).sum()), 100) for y in order] for g in range(3)]
    return [ACTIONS[t] for p in frequencies for t in loss.optimal_predictions(p)]


def recipe_in(text):
    """Return the lines of code that end with the one that regresses."""
    lines = [line.strip() for line in text.splitlines()]
    [last] = [i for i, line in enumerate(lines) if line.startswith("decisions = ") and "Ridge()" in line]
    first = max(i for i in range(last) if lines[i].startswith("best = "))
    return lines[first : last + 1]


@pytest.mark.parametrize(
    "order",
    [pytest.param(each, marks=[pytest.mark.exhaustive] * (each != TURNED)) for each in permutations(NAMES)],
    ids=" ".join,
)
def test_what_the_theory_prints_trains_and_decides(order):
    assert trained(recipe_in(lm.analyze(loss_in(order)).theory), order) == best(order)


def test_what_a_report_shows_trains_and_decides():
    order = ("legit", "fraud", "dispute")
    found = report(lm.analyze(loss_in(order)))
    shown = re.findall(r"<pre>(.*?)</pre>", found.to_html(), re.DOTALL)
    code = [html.unescape(re.sub(r"<[^>]+>", "", block)) for block in shown]
    recipes = [block.strip().splitlines() for block in code if "decisions = " in block]
    [regression] = [lines for lines in recipes if "Ridge()" in lines[-1]]
    assert trained(regression, order) == best(order)
    data = json.loads(found.to_json())
    assert trained(data["regression"]["code"], order) == best(order)
    names = {"lm": lm, "loss": loss_in(order)}
    exec("\n".join(data["recommended"]["code"]), names)
    assert names["best"].surrogate.dim == data["recommended"]["dim"]


# Decisions of verdicts.


def test_a_verdict_decides_by_name_and_its_pred_by_index():
    loss = lm.LossMatrix(lm.losses.abstain(3).entries, ["c", "a", "b"], ["say c", "say a", "say b", "ask"])
    verdict = lm.check(lm.surrogates.crammer_singer(3), loss)
    U = [[3, 0, 0], [0, 0, 0], [0, 0, 3]]
    assert verdict.pred.decide(U) == [verdict.pred(u) for u in U] == [0, 3, 2]
    assert verdict.decide(U, classes=loss.labels).tolist() == ["say c", "ask", "say b"]
    in_order = lm.check(lm.surrogates.crammer_singer(3), loss.restrict(labels=["a", "b", "c"]))
    assert in_order.decide(U).tolist() == in_order.decide(U, classes=np.array(["a", "b", "c"])).tolist()
    assert in_order.decide(U).tolist() == ["say a", "ask", "say c"]


@pytest.mark.parametrize(
    ("U", "classes", "words"),
    [
        (
            np.zeros((2, 3)),
            None,
            r"\('c', 'a', 'b'\).*restrict\(",
        ),
        (
            np.zeros((2, 3)),
            ["a", "b", "c"],
            r"\('a', 'b', 'c'\).*\('c', 'a', 'b'\)",
        ),
        (np.zeros(5), ["c", "a", "b"], r"\(5,\).*decision_function"),
        (np.zeros((2, 4)), ["c", "a", "b"], r"\(2, 4\).*\b3\b"),
    ],
)
def test_scores_that_do_not_fit_are_refused(U, classes, words):
    loss = lm.LossMatrix(lm.losses.abstain(3).entries, ["c", "a", "b"])
    with pytest.raises(BadInput, match=words):
        lm.check(lm.surrogates.crammer_singer(3), loss).decide(U, classes=classes)


def test_one_score_of_two_classes_is_not_taken_for_that_of_a_surrogate():
    u = LinearSVC().fit(X, TWO).decision_function(X)
    loss = lm.LossMatrix([[0, 1], [1, 0]], ["legit", "fraud"])
    for surrogate in (lm.surrogates.one_vs_all_squared_hinge(2), lm.surrogates.one_vs_one_hinge(2)):
        with pytest.raises(BadInput, match=r"\bu\b"):
            lm.check(surrogate, loss).decide(u)


def test_fewer_scores_than_labels_are_coordinates_of_the_surrogate():
    loss = lm.losses.ordinal(3)
    design = lm.design(lm.LossMatrix(loss.entries, ["low", "middle", "high"], ["a", "b", "c"]), method="square")
    assert design.decide(design.surrogate.targets[0]).tolist() == ["a", "b", "c"]


def test_estimators_of_lightgbm_number_sorted_classes():
    design = lm.design(loss_in(("legit", "fraud", "dispute")), method="square")
    scores = np.zeros((2, design.surrogate.dim))
    with pytest.raises(BadInput, match=r"restrict\(labels=sorted\(loss.labels\)\)"):
        lm.boosting.lightgbm_objective(design)([0, 1], scores)
    in_order = lm.design(loss_in(("dispute", "fraud", "legit")), method="square")
    gradient, _ = lm.boosting.lightgbm_objective(in_order)([0, 1], scores)
    assert gradient.shape == scores.shape
