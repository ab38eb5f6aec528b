"""Logistic regressions of many columns on the same features, at once: binary ones, or one of several classes.

The Hessian of the log-loss is nowhere above X'WX/4 (of a softmax: X'WX/2; D. Böhning, Multinomial logistic regression
algorithm, 1992). So one factorisation of that serves all columns and all steps, no step needs a line search, and a step
is two products of matrices; steps are accelerated (Y. Nesterov, 1983), from column to column, and restarted where they
go uphill (B. O'Donoghue, E. Candès, 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit, log_softmax, softmax
from sklearn.model_selection import KFold

Array: TypeAlias = np.ndarray[Any, Any]

STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)  # of C, from which one is chosen
_STEPS = 200
_TOLERANCE = 1e-7  # of the mean log-loss, that a step may still promise
_ROUGHLY = 1e-6  # that is enough to choose C
_FOLDS = 5
_HELD_OUT, _TRAINED = 1000, 3000  # examples that are enough to choose C
_FEWEST = 20  # examples, below which C is not chosen


def probabilities(X: Array, W: Array, *, exclusive: bool) -> Array:
    """Of each column, by the coefficients W, of which the last row is the intercept; exclusive ones add up to 1."""
    U = X @ W[:-1] + W[-1]
    told: Array = softmax(U, axis=1) if exclusive else expit(U)
    return told


def fit_columns(
    X: Array,
    T: Array,
    weights: Array,
    C: float,
    *,
    exclusive: bool,
    start: Array | None = None,
    tolerance: float = _TOLERANCE,
) -> Array:
    """The coefficients W, one column for each of T, that minimise ½‖W‖² + C Σ_i w_i logloss_i; intercepts are free.

    >>> W = fit_columns(np.array([[-1.0], [1], [1]]), np.array([[0.0], [1], [1]]), np.ones(3), 1.0, exclusive=False)
    >>> W.round(2).tolist()
    [[0.83], [0.5]]
    """
    X1 = np.hstack([X, np.ones((len(X), 1))])
    penalty = np.full((X1.shape[1], 1), 1 / C)
    penalty[-1] = 0
    bound = (0.5 if exclusive else 0.25) * (X1.T * weights) @ X1
    bound[np.diag_indices_from(bound)] += penalty[:, 0] + 1e-10 * bound.max()  # however many features are alike
    factor = cho_factor(bound)
    W = _by_frequency(X1.shape[1], T, weights, exclusive) if start is None else start
    ahead, pace, enough = W, 1.0, tolerance * weights.sum()
    for _ in range(_STEPS):
        told = softmax(X1 @ ahead, axis=1) if exclusive else expit(X1 @ ahead)
        slope = X1.T @ (weights[:, None] * (told - T)) + penalty * ahead
        step = cho_solve(factor, slope)
        if (step * slope).sum(axis=0).max(initial=0.0) < enough:
            return ahead
        new = ahead - step
        uphill = (slope * (new - W)).sum(axis=0) > 0
        next_pace = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead = new + np.where(uphill, 0.0, (pace - 1) / next_pace) * (new - W)
        W, pace = new, next_pace
    return W


def _by_frequency(count: int, T: Array, weights: Array, exclusive: bool) -> Array:
    """Coefficients that tell how frequent each column is, half an example more: from there on it is not far."""
    often = (weights @ T + 0.5) / (weights.sum() + 1)
    W = np.zeros((count, T.shape[1]))
    W[-1] = np.log(often) if exclusive else np.log(often / (1 - often))
    return W


def log_loss(X: Array, T: Array, weights: Array, W: Array, *, exclusive: bool) -> float:
    """The sum of the log-losses."""
    U = X @ W[:-1] + W[-1]
    each = -(log_softmax(U, axis=1) * T).sum(axis=1) if exclusive else (np.logaddexp(0, U) - T * U).sum(axis=1)
    return float(each @ weights)


def chosen_strength(
    X: Array,
    T: Array,
    weights: Array,
    random: np.random.RandomState,
    *,
    exclusive: bool,
    strengths: Sequence[float] = STRENGTHS,
) -> float:
    """The C of the least log-loss on examples held out, in up to five folds; 1 if there are too few to tell.

    Each C starts where the last one came to. From the least C on, the first after which the log-loss rises is taken.
    """
    if len(X) < _FEWEST or not T.shape[1]:
        return 1.0
    splits = [*KFold(_FOLDS, shuffle=True, random_state=random).split(X)][: -(-_HELD_OUT * _FOLDS // len(X))]
    folds = [(random.permutation(train)[:_TRAINED], test) for train, test in splits]
    starts: list[Array | None] = [None] * len(folds)
    best, least = strengths[0], np.inf
    for C in strengths:
        paid = 0.0
        for at, (train, test) in enumerate(folds):
            how: dict[str, Any] = {"exclusive": exclusive, "start": starts[at], "tolerance": _ROUGHLY}
            W = fit_columns(X[train], T[train], weights[train], C, **how)
            paid += log_loss(X[test], T[test], weights[test], W, exclusive=exclusive)
            starts[at] = W
        if paid >= least:
            break
        best, least = C, paid
    return best
