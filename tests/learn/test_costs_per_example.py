"""Learning with costs that differ from example to example, against what brute force finds best."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from refused import refused
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from lossmith import ExampleCosts, LossMatrix, verify
from lossmith.learn import SurrogateClassifier, loss_score, make_loss_scorer
from lossmith.learn.scoring import as_loss
from lossmith.losses import zero_one

GENERATOR = np.random.default_rng(0)
FRAME = pd.DataFrame({"amount": GENERATOR.uniform(1, 100, 200).round(), "x": GENERATOR.standard_normal(200)})
Y = np.where(FRAME["x"] + GENERATOR.standard_normal(200) > 1, "fraud", "legit")
COSTS = ExampleCosts([[0, 5], ["amount", 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
NAMES = LossMatrix([[0, 5], [1, 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
FIVE = NAMES.restrict(labels=["fraud", "legit"])


def plugged(loss=NAMES):
    return SurrogateClassifier(loss, "plug-in", make_pipeline(StandardScaler(), LogisticRegression()))


def test_a_plug_in_decides_for_the_costs_of_each_example():
    model = plugged().fit(FRAME, Y)
    fraud = model.predict_proba(FRAME)[:, 0]
    best = ["pay" if p * a <= 5 else "review" for p, a in zip(fraud, FRAME["amount"], strict=True)]
    assert set(best) == {"pay", "review"}
    for costs in (COSTS, COSTS.at(FRAME), lambda row: [[0, 5], [row["amount"], 5]], [[0, 5], ["amount", 5]]):
        assert model.predict(FRAME, costs=costs).tolist() == best
        assert plugged().fit(FRAME, Y, costs=costs).predict(FRAME, costs=costs).tolist() == best
    assert plugged(COSTS).fit(FRAME, Y).predict(FRAME).tolist() == best
    assert plugged(FIVE).fit(FRAME, Y).predict(FRAME, costs=COSTS).tolist() == best
    expected = model.expected_loss(FRAME, costs=COSTS)
    assert expected == pytest.approx(np.column_stack([fraud * FRAME["amount"], np.full(200, 5)]))


def test_the_score_is_the_negative_mean_of_what_was_paid():
    model = plugged(COSTS).fit(FRAME, Y)
    paid = [
        5 if decided == "review" else amount if truth == "fraud" else 0
        for decided, truth, amount in zip(model.predict(FRAME), Y, FRAME["amount"], strict=True)
    ]
    assert -model.score(FRAME, Y) == pytest.approx(np.mean(paid))
    assert loss_score(COSTS, Y, model.predict(FRAME), X=FRAME) == pytest.approx(np.mean(paid))
    assert loss_score(NAMES, Y, model.predict(FRAME), costs=COSTS.at(FRAME)) == pytest.approx(np.mean(paid))
    assert -make_loss_scorer(COSTS)(model, FRAME, Y) == pytest.approx(np.mean(paid))
    weights = np.arange(200)
    assert -model.score(FRAME, Y, weights) == pytest.approx(np.average(paid, weights=weights))


def test_functions_and_columns_are_remembered_and_arrays_are_asked_for_again():
    for costs in (COSTS, [[0, 5], ["amount", 5]], lambda row: [[0, 5], [row["amount"], 5]]):
        model = plugged().fit(FRAME, Y, costs=costs)
        assert model.predict(FRAME).tolist() == model.predict(FRAME, costs=COSTS).tolist()
    model = plugged().fit(FRAME, Y, costs=COSTS.at(FRAME))
    for ask in (model.predict, model.expected_loss, lambda X: model.score(X, Y)):
        with refused("costs="):
            ask(FRAME)
    assert model.score(FRAME, Y, costs=COSTS.at(FRAME)) == plugged(COSTS).fit(FRAME, Y).score(FRAME, Y)


def test_least_squares_learn_what_each_decision_costs():
    # Three groups that a tree tells apart: in each the best decision is the one that was cheapest on average.
    group = np.arange(300) % 3
    costs = GENERATOR.uniform(0, 10, (300, 2, 4)) + 3 * GENERATOR.uniform(0, 1, (3, 2, 4))[group]
    y = GENERATOR.integers(0, 2, 300)
    loss = LossMatrix(np.ones((2, 4)), predictions=["a", "b", "c", "d"])
    model = SurrogateClassifier(loss, "square", DecisionTreeRegressor()).fit(group[:, None], y, costs=costs)
    assert (model.surrogate_.kind, model.surrogate_.surrogate.dim) == ("square", 4)
    assert verify(model.certificate_).accepted  # for the costs of the loss, which are one example of such costs
    paid = costs[np.arange(300), y]
    means = np.array([paid[group == g].mean(axis=0) for g in range(3)])
    assert model.expected_loss([[0], [1], [2]]) == pytest.approx(means)
    assert model.predict([[0], [1], [2]]).tolist() == ["abcd"[t] for t in means.argmin(axis=1)]
    assert -model.score(group[:, None], y, costs=costs) == pytest.approx(
        np.mean([paid[i, means[group[i]].argmin()] for i in range(300)])
    )
    with refused("costs"):
        model.predict([[0]], costs=costs[:1])
    with refused("costs"):
        model.score(group[:, None], y)


def test_what_least_squares_miss_costs_at_most_root_two_of_it():
    for _ in range(500):
        means, u = GENERATOR.standard_normal((2, 5))
        regret = means[u.argmin()] - means.min()
        assert regret <= np.sqrt(2) * np.linalg.norm(u - means) + 1e-12


def test_where_the_decisions_are_the_labels_least_squares_compare_them():
    costs = GENERATOR.uniform(0, 10, (200, 2, 2))
    model = SurrogateClassifier(zero_one(2), "square").fit(FRAME, (Y == "fraud") * 1, costs=costs)
    assert ((model.decision_function(FRAME) > 0) == (model.predict(FRAME) == 1)).all()


@pytest.mark.parametrize("surrogate", ["orderable", "cost-weighted-hinge"])
def test_other_surrogates_are_trained_with_weights(surrogate):
    loss, y = LossMatrix([[0, 1], [1, 0]]), (Y == "fraud") * 1
    X = FRAME[["x"]]
    amount = np.where(np.arange(200) == y.argmax(), 2, FRAME["amount"] + 5)  # one fraud is cheaper than its review
    costs = COSTS.at({"amount": amount})  # of "legit" (0, 5), of "fraud" (amount, 5)
    weights = np.where(y == 1, amount - 5, 5)
    worth = weights >= 0
    if surrogate == "cost-weighted-hinge":
        from lossmith.surrogates import cost_weighted_hinge

        surrogate = cost_weighted_hinge(loss)
    model = SurrogateClassifier(loss, surrogate).fit(X[worth], y[worth], costs=costs[worth])
    weighted = SurrogateClassifier(loss, surrogate).fit(X[worth], y[worth], sample_weight=weights[worth])
    assert model.scores(X) == pytest.approx(weighted.scores(X))
    with refused(f"example {y.argmax()}"):
        SurrogateClassifier(loss, surrogate).fit(X, y, costs=costs)
    with refused("costs"):
        model.predict(X, costs=costs)


def test_weights_of_rows_find_the_best_decision_of_every_group():
    # One group per feature value: P(y=1) times the scale of row 1 against P(y=0) times that of row 0.
    group = np.arange(400) % 4
    y = (GENERATOR.uniform(size=400) < np.array([0.02, 0.1, 0.4, 0.8])[group]) * 1
    scale = np.stack([np.ones(400), 1 + GENERATOR.integers(0, 8, 400)], axis=1)
    costs = scale[:, :, None] * np.array([[0, 1], [1, 0]]) + GENERATOR.uniform(0, 3, (400, 2, 1))
    X = np.eye(4)[group]
    model = SurrogateClassifier(LossMatrix([[0, 1], [1, 0]]), "orderable", C=100).fit(X, y, costs=costs)
    paid = costs[np.arange(400), y]
    best = [paid[group == g].mean(axis=0).argmin() for g in range(4)]
    assert model.predict(np.eye(4)).tolist() == best
    assert set(best) == {0, 1}


def test_cross_validation_reads_the_columns_of_its_folds():
    scores = cross_val_score(plugged(COSTS), FRAME, Y, cv=3)
    scored = cross_val_score(plugged(COSTS), FRAME, Y, cv=3, scoring=make_loss_scorer(COSTS))
    assert scores == pytest.approx(scored)
    assert clone(plugged(COSTS)).loss == COSTS
    search = GridSearchCV(plugged(COSTS), {"estimator__logisticregression__C": [0.1, 1]}, cv=2).fit(FRAME, Y)
    assert set(search.predict(FRAME)) <= {"pay", "review"}


def test_a_pipeline_hands_an_array_on():
    told = COSTS.at(FRAME)
    pipe = make_pipeline(StandardScaler(), SurrogateClassifier(NAMES, "plug-in"))
    decided = pipe.fit(FRAME, Y, surrogateclassifier__costs=told).predict(FRAME, costs=told)
    assert decided.tolist() == plugged(COSTS).fit(FRAME, Y).predict(FRAME).tolist()


def test_metadata_routing_hands_the_costs_of_a_fold_to_the_model():
    told = COSTS.at(FRAME)
    with sklearn.config_context(enable_metadata_routing=True):
        model = SurrogateClassifier(NAMES, "plug-in").set_fit_request(costs=True).set_score_request(costs=True)
        routed = cross_val_score(model, FRAME, Y, cv=3, params={"costs": told})
        always = make_loss_scorer(NAMES).set_score_request(costs=True)
        assert "costs" in str(always.get_metadata_routing())
    read = cross_val_score(SurrogateClassifier(COSTS, "plug-in"), FRAME, Y, cv=3)
    assert routed == pytest.approx(read)


def test_costs_that_do_not_fit_are_refused_before_training():
    with refused("costs", "(3, 2, 2)", 200):
        plugged().fit(FRAME, Y, costs=np.zeros((3, 2, 2)))
    with refused("X", "'amount'"):
        SurrogateClassifier(COSTS, "plug-in").fit(FRAME.to_numpy(), Y)
    with refused("costs.mean(frame)"):
        as_loss(COSTS)
