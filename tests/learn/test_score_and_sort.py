"""Where scores and sorting fail for certain, functions of pairs do not: the counterexample of `check`, as data."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

import lossmith as lm
from lossmith.learn import SubsetRanker

LOSS = lm.losses.pairwise_disagreement(3, "single edges")
VERDICT = lm.check(lm.surrogates.pairwise_hinge(LOSS), LOSS)
GRAPHS = {LOSS.label_name(graph): graph for graph in LOSS.labels()}
DOCUMENTS = np.eye(3 * len(VERDICT.distributions))  # a document knows its query and its number


def excess(positions):
    """What these rankings, one for each distribution, cost more than necessary, on average."""
    risks = [VERDICT.loss.risk(p) for p in VERDICT.distributions]
    names = [LOSS.prediction_name(tuple(map(int, each))) for each in positions]
    chosen = [VERDICT.loss.predictions.index(name) for name in names]
    paid = [row[t] - min(row) for row, t in zip(risks, chosen, strict=True)]
    return sum(paid, Fraction(0)) / len(paid)


def by_score_and_sort(X, y):
    """The scores with the least mean hinge, exactly; one query learns nothing about another."""
    positions = []
    for column in X.T:
        drawn = y[column > 0].tolist()
        scores = VERDICT.surrogate.minimum([drawn.count(name) for name in VERDICT.loss.labels]).point
        order = sorted(range(3), key=lambda i: -scores[i])
        positions.append(np.argsort(order))
    return positions


def by_pairs(X, y):
    """SubsetRanker, with a regressor that learns every mean."""
    rows = np.concatenate([3 * which + np.arange(3) for which in X.argmax(axis=1)])
    model = SubsetRanker("pd", DecisionTreeRegressor(random_state=0))
    model.fit(DOCUMENTS[rows], [GRAPHS[name] for name in y], group=[3] * len(y))
    return model.predict(DOCUMENTS, group=[3] * len(X[0])).reshape(-1, 3)


def test_scores_and_sorting_stay_wrong_and_functions_of_pairs_become_right():
    few, many = ([VERDICT.sample(m, seed) for seed in range(4)] for m in (60, 5_000))

    assert VERDICT.price == Fraction(1, 8)
    assert np.mean([float(excess(by_pairs(*sample))) for sample in few]) > 0
    assert [excess(by_pairs(*sample)) for sample in many] == [0] * 4
    assert np.mean([float(excess(by_score_and_sort(*sample))) for sample in many]) > 0.1


@pytest.mark.parametrize("seed", range(3))
def test_in_the_end_scores_do_not_tell_the_distributions_apart(seed):
    X, y = VERDICT.sample(20_000, seed)
    rankings = by_score_and_sort(X, y)

    assert excess(rankings) >= VERDICT.price
