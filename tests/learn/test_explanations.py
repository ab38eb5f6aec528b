"""Why a decision was taken, against linear programs and a walk along the segment."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from refused import lacking, refused
from scipy.optimize import linprog
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from lossmith import ExampleCosts, LossMatrix
from lossmith.learn import SurrogateClassifier
from lossmith.learn.explanation import change_toward, decimal, explained, nearest_change
from lossmith.losses import ordinal

GENERATOR = np.random.default_rng(0)
X = GENERATOR.standard_normal((120, 2))
Y = np.digitize(X[:, 0] + GENERATOR.standard_normal(120), [-0.5, 0.8])
LOSS = LossMatrix([[0, 1, 4], [10, 3, 1], [60, 35, 12]], predictions=["home", "clinic", "ward"])


def slow(seed):
    return pytest.param(seed, marks=pytest.mark.exhaustive)


def least_moved(p, costs, t, s):
    """The least total variation to a q at which s costs no more than t: a linear program in (q, |q − p|)."""
    n = len(p)
    d = costs[:, t] - costs[:, s]
    above = np.vstack([np.hstack([np.eye(n), -np.eye(n)]), np.hstack([-np.eye(n), -np.eye(n)]), [*-d, *np.zeros(n)]])
    solved = linprog([0] * n + [0.5] * n, above, [*p, *-p, 0], [[1] * n + [0] * n], [1], method="highs")
    return solved.fun if solved.success else np.inf


SEEDS = pytest.mark.parametrize("seed", [*range(8), *(slow(seed) for seed in range(8, 30))])


@SEEDS
def test_the_nearest_change_is_that_of_a_linear_program(seed):
    generator = np.random.default_rng(seed)
    n, k = generator.integers(2, 6, 2)
    p, costs = generator.dirichlet(np.ones(n)), generator.integers(0, 6, (n, k)).astype(float)
    t = int((p @ costs).argmin())
    others = [least_moved(p, costs, t, s) for s in range(k) if s != t and (costs[:, s] != costs[:, t]).any()]
    found = nearest_change(p, costs, t)
    if found is None:
        assert min(others, default=np.inf) == np.inf
        return
    s, q = found
    assert abs(q - p).sum() / 2 == pytest.approx(min(others), abs=1e-9)
    assert q.sum() == pytest.approx(1)
    assert q.min() >= -1e-12
    assert (q @ costs)[s] == pytest.approx((q @ costs)[t])
    assert (q @ costs).min() == pytest.approx((q @ costs)[t])  # no third decision was passed on the way


@SEEDS
def test_toward_a_label_the_decision_changes_where_a_walk_finds_it(seed):
    generator = np.random.default_rng(seed)
    n, k = generator.integers(2, 6, 2)
    p, costs = generator.dirichlet(np.ones(n)), generator.uniform(0, 6, (n, k))
    t = int((p @ costs).argmin())
    for z in range(n):
        steps = np.linspace(0, 1, 20_001)[:, None]
        walk = (1 - steps) * p + steps * np.eye(n)[z]
        decided = (walk @ costs).argmin(axis=1)
        found = change_toward(p, costs, t, z)
        if (decided == t).all():
            assert found is None
            continue
        first = int((decided != t).argmax())
        assert found is not None
        assert found[0] == decided[first]
        assert found[1] == pytest.approx(walk[first, z], abs=1e-4)


def test_a_model_explains_one_example():
    model = SurrogateClassifier(LOSS, "plug-in").fit(X, Y)
    told = model.explain(X[3])
    (p,) = model.predict_proba(X[3:4])
    table = np.array(LOSS.entries, dtype=float)
    assert told.decision == model.predict(X[3:4])[0]
    assert list(told.probabilities.values()) == pytest.approx(p)
    assert list(told.expected.values()) == pytest.approx(p @ table)
    assert told.runner_up == LOSS.predictions[np.argsort(p @ table)[1]]
    assert told.margin == pytest.approx(np.diff(np.sort(p @ table))[0])
    for t, name in enumerate(LOSS.predictions):
        assert sum(told.parts[y][name] for y in LOSS.labels) == pytest.approx((p @ table)[t])
    assert str(model.explain(X[3:4])) == str(told)
    assert lacking(str(told), told.decision, told.runner_up, decimal(told.expected[told.decision])) == []
    assert "e-" not in str(told)
    assert told._repr_html_().startswith("<pre>")


def test_costs_of_the_example_explain_its_decision():
    frame = pd.DataFrame({"amount": [10.0, 900.0] * 60, "x": X[:, 0]})
    y = np.where(Y == 2, "fraud", "legit")
    costs = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
    model = SurrogateClassifier(costs, "plug-in", LogisticRegression()).fit(frame, y)
    told = model.explain(frame.iloc[1])
    fraud = told.probabilities["fraud"]
    assert told.expected == pytest.approx({"pay": 900 * fraud, "review": 5})
    assert told.nearest.probabilities["fraud"] == pytest.approx(5 / 900)
    assert model.explain(frame.iloc[[1]], costs=[[0, 5], [1, 5]]).decision == "pay"


def test_least_squares_tell_costs_and_no_probabilities():
    model = SurrogateClassifier(ordinal(3), "square").fit(X, Y)
    told = model.explain(X[0])
    assert told.probabilities == {}
    assert told.expected == pytest.approx(dict(zip(range(3), model.expected_loss(X[:1])[0], strict=True)))
    assert told.nearest is None


def test_a_text_is_an_example():
    texts, y = ["free money", "lunch today", "money now", "see you today"] * 5, ["spam", "ham", "spam", "ham"] * 5
    loss = LossMatrix([[0, 9], [1, 0]], labels=["ham", "spam"])
    model = SurrogateClassifier(loss, "plug-in", make_pipeline(CountVectorizer(), LogisticRegression()))
    told = model.fit(np.array(texts), y).explain("free lunch")
    assert told.decision == model.predict(["free lunch"])[0]


def test_a_decision_that_nothing_changes():
    told = explained(np.array([0.5, 0.5]), np.array([[0.0, 1], [1, 2]]), ["a", "b"], ["good", "bad"])
    assert told.nearest is None
    assert told.toward == ()
    assert told.decision == "good"


def test_what_cannot_be_explained_is_refused():
    with refused("orderable(ordinal(n=3))", 'surrogate="plug-in"'):
        SurrogateClassifier(ordinal(3), "orderable").fit(X, Y).explain(X[0])
    with refused("x", 120, "X[:1]"):
        SurrogateClassifier(LOSS, "plug-in").fit(X, Y).explain(X)
    for x in ({"age": 1, "height": 2}, 3):
        with refused("x", x, "X[:1]"):
            SurrogateClassifier(LOSS, "plug-in").fit(X, Y).explain(x)
