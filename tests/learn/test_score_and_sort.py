"""Where scores and sorting fail for certain, functions of pairs do not: the counterexample of `check`, as data."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

import lossmith as lm
from lossmith.learn import SubsetRanker

PD = lm.losses.pairwise_disagreement(3, "single edges")
MAP = lm.losses.mean_average_precision(3)
DOCUMENTS = np.eye(6)  # a document knows from which of two distributions its query comes, and its number


@functools.cache
def verdict_on(loss):
    return lm.check(lm.surrogates.pairwise_hinge(loss), loss)


def excess(loss, positions):
    """What these rankings, one for each distribution, cost more than necessary, on average."""
    verdict = verdict_on(loss)
    risks = [dict(zip(verdict.loss.predictions, verdict.loss.risk(p), strict=True)) for p in verdict.distributions]
    names = [loss.prediction_name(tuple(map(int, each))) for each in positions]
    return sum((risk[name] - min(risk.values()) for risk, name in zip(risks, names, strict=True)), Fraction(0)) / 2


def by_score_and_sort(loss, X, y):
    """The scores with the least mean hinge, exactly; one query learns nothing about another."""
    verdict, positions = verdict_on(loss), []
    for column in X.T:
        drawn = y[column > 0].tolist()
        scores = verdict.surrogate.minimum([drawn.count(name) for name in verdict.loss.labels]).point
        order = sorted(range(3), key=lambda i: -scores[i])
        positions.append(np.argsort(order))
    return positions


def by_pairs(loss, X, y):
    """SubsetRanker, with a regressor that learns every mean."""
    labels = {loss.label_name(label): label for label in loss.each_label()}
    told = [labels[name] for name in y]
    metric, y = ("pd", told) if loss is PD else ("map", np.concatenate(told))
    rows = (3 * X.argmax(axis=1)[:, None] + np.arange(3)).ravel()
    model = SubsetRanker(metric, DecisionTreeRegressor(random_state=0))
    model.fit(DOCUMENTS[rows], y, group=[3] * len(X))
    return model.predict(DOCUMENTS, group=[3, 3]).reshape(-1, 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("loss", [PD, pytest.param(MAP, marks=pytest.mark.exhaustive)], ids=["PD", "MAP"])
def test_scores_and_sorting_stay_wrong_and_functions_of_pairs_become_right(loss):
    price = float(verdict_on(loss).price)
    few, many = ([verdict_on(loss).sample(m, seed) for seed in range(4)] for m in (60, 5_000))
    at_first, in_the_end = (
        np.mean([float(excess(loss, by_pairs(loss, *sample))) for sample in samples]) for samples in (few, many)
    )

    assert len(verdict_on(loss).distributions) == 2
    assert at_first >= in_the_end
    assert in_the_end < price / 100
    assert np.mean([float(excess(loss, by_score_and_sort(loss, *sample))) for sample in many]) > 0.9 * price


@pytest.mark.parametrize("seed", range(3))
def test_in_the_end_scores_do_not_tell_the_distributions_apart(seed):
    X, y = verdict_on(PD).sample(20_000, seed)
    rankings = by_score_and_sort(PD, X, y)

    assert excess(PD, rankings) >= verdict_on(PD).price > Fraction(1, 10)
