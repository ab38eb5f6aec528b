"""The solver of linear models: its objective against a quadratic program, its gap against its objective."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from quadratic_program import least_objective
from scipy.sparse import csr_array

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.constructions.orderable import orderable
from lossmith.learn import linear
from lossmith.learn.linear import fit_linear
from lossmith.learn.penalties import penalized
from lossmith.surrogates import (
    absolute,
    binary_encoded,
    cost_weighted_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)

TRIAGE = lm.LossMatrix([[0, 1, 4], [10, 3, 1], [60, 35, 12]], name="triage")
SURROGATES = {
    "crammer_singer": lambda: crammer_singer(3),
    "weston_watkins": lambda: weston_watkins(3),
    "lee_lin_wahba": lambda: lee_lin_wahba(3),
    "one_vs_all_hinge": lambda: one_vs_all_hinge(3),
    "epsilon_insensitive": lambda: epsilon_insensitive(4),
    "binary_encoded": lambda: binary_encoded(4),
    "cost_weighted_hinge": lambda: cost_weighted_hinge(TRIAGE),
    "orderable": lambda: orderable(Facts(lm.losses.ordinal(4))).surrogate,
    "with penalties": lambda: (
        penalized(lm.design(lm.losses.zero_one(3), method="linear").surrogate, lm.losses.zero_one(3)).surrogate
    ),
    "found": lambda: lm.design(lm.losses.abstain(4)).surrogate,
}


@functools.cache
def made(name):
    return SURROGATES[name]()


def examples(n, seed=0, m=40, features=3):
    generator = np.random.default_rng(seed)
    X = generator.standard_normal((m, features)) * [1, 10, 0.1] + [0, 5, 0]
    scores = X / [1, 10, 0.1] @ generator.standard_normal((features, n)) + generator.gumbel(size=(m, n))
    return X, scores.argmax(axis=1), generator.exponential(size=m)


def objective(surrogate, fit, X, y, weights, C):
    losses = surrogate.evaluate(fit.scores(X))[np.arange(len(y)), y]
    return 0.5 * (fit.coef**2).sum() + C * (weights * losses).sum()


@pytest.mark.parametrize(
    ("name", "C"),
    [
        *((name, 1.0) for name in SURROGATES),
        ("crammer_singer", 0.01),
        ("orderable", 30.0),
        *(pytest.param(name, C, marks=pytest.mark.exhaustive) for name in SURROGATES for C in (0.01, 30.0)),
    ],
)
def test_the_objective_is_within_a_ten_thousandth_of_the_least(name, C):
    surrogate = made(name)
    X, y, weights = examples(surrogate.n, seed=6)
    least = least_objective(surrogate, X, y, weights, C)
    fit = fit_linear(surrogate, X, y, weights, C=C)

    assert fit.objective == pytest.approx(objective(surrogate, fit, X, y, weights, C), rel=1e-9)
    assert fit.objective <= least * (1 + 1e-4) + 1e-9
    assert fit.objective - fit.gap <= least * (1 + 1e-6) + 1e-9  # what the gap promises is below the optimum


@pytest.mark.parametrize(
    "name",
    [
        "crammer_singer",
        "lee_lin_wahba",
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("weston_watkins", "one_vs_all_hinge")),
    ],
)
def test_without_an_intercept_too(name):
    surrogate = made(name)
    X, y, weights = examples(surrogate.n, seed=1)
    least = least_objective(surrogate, X, y, weights, 0.5, intercept=False)
    fit = fit_linear(surrogate, X, y, weights, C=0.5, fit_intercept=False)

    assert fit.objective <= least * (1 + 1e-4)
    assert fit.objective - fit.gap <= least * (1 + 1e-6)


def test_a_smaller_tolerance_is_reached():
    X, y, weights = examples(3, seed=2)
    fit = fit_linear(crammer_singer(3), X, y, weights, tol=1e-7)

    assert fit.objective <= least_objective(crammer_singer(3), X, y, weights) * (1 + 2e-7)


def test_what_the_intercept_leaves_unbalanced_is_charged_to_the_bound(monkeypatch):
    """Five times |b - 1|, at b = 0 and without a step: the slopes do not cancel, and the least objective is 0."""
    monkeypatch.setattr(linear, "NEWTON_STEPS", 0)
    problem = linear.Problem(absolute(3), np.zeros((5, 1)), np.zeros(5, dtype=int), np.ones(5), True)
    objective, bound = problem.bounds(np.zeros(problem.size), 1e-3)

    assert objective == pytest.approx(5)
    assert bound <= 1e-9


def test_equations_of_the_domain_hold():
    X, y, _ = examples(3)
    U = fit_linear(lee_lin_wahba(3), X, y).scores(X)

    assert abs(U.sum(axis=1)).max() < 1e-12


def test_weights_are_repetitions():
    X, y, _ = examples(3, seed=3)
    times = np.arange(len(y)) % 3
    weighted = fit_linear(crammer_singer(3), X, y, times.astype(float), tol=1e-6)
    repeated = fit_linear(crammer_singer(3), np.repeat(X, times, axis=0), np.repeat(y, times), tol=1e-6)

    assert weighted.objective == pytest.approx(repeated.objective, rel=2e-6)


def test_sparse_features_are_the_same_features():
    X, y, _ = examples(3, seed=4)
    X = np.where(abs(X) > 1, X, 0.0)
    dense, sparse = fit_linear(crammer_singer(3), X, y), fit_linear(crammer_singer(3), csr_array(X), y)

    assert sparse.objective == pytest.approx(dense.objective, rel=2e-4)
    assert sparse.scores(csr_array(X)) == pytest.approx(dense.scores(X), abs=0.05)


def test_where_nothing_is_lost_nothing_is_learned():
    apart = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(u[0] - 1), n=2, dim=1)
    fit = fit_linear(apart, np.ones((4, 2)), np.array([0, 1, 0, 1]))

    assert (fit.objective, fit.gap) == (0, 0)
    assert not fit.coef.any()


def test_examples_that_occur_many_times_are_examples_with_weights():
    X, y, weights = examples(3, seed=6)
    times = np.random.default_rng(6).integers(2, 9, size=len(y))
    shuffled = np.random.default_rng(7).permutation(np.repeat(np.arange(len(y)), times))
    fit = fit_linear(crammer_singer(3), X[shuffled], y[shuffled], weights[shuffled], tol=1e-6)

    least = least_objective(crammer_singer(3), X, y, times * weights)
    assert fit.objective == pytest.approx(least, rel=2e-6)
    assert fit.objective == pytest.approx(
        objective(crammer_singer(3), fit, X[shuffled], y[shuffled], weights[shuffled], 1.0), rel=1e-9
    )


def test_examples_that_sit_on_kinks_all_together():
    """Indicators of groups: all examples of a group move as one, from kink to kink."""
    generator = np.random.default_rng(5)
    group = generator.integers(3, size=3000)
    y = (generator.random(3000)[:, None] > np.array([[0.45, 0.3], [0.25, 0.45], [0.3, 0.25]]).cumsum(1)[group]).sum(1)
    fit = fit_linear(crammer_singer(3), np.eye(3)[group], y)

    assert fit.gap <= 1e-4 * fit.objective
