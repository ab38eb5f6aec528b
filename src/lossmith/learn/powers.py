"""Probabilities of several models multiplied, each to a power of its own.

A mean of probabilities that are right is less sure than any of them, and what is decided by it too cautious. A product
is as sure as its powers make it: they add up to more than 1 where models know different things, to less where they
are too sure.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import minimize

Array: TypeAlias = np.ndarray[Any, Any]

_UNSURE = 1e-3  # the share of the uniform distribution in what is multiplied, so that no 0 of one model overrules all


def product(told: Array, powers: Array) -> Array:
    """The normalised product of probabilities (models × examples × classes), each to its power.

    >>> told = np.array([[[0.5, 0.5]], [[0.8, 0.2]]])
    >>> product(told, np.array([1.0, 1.0])).round(2).tolist(), product(told, np.array([1.0, 0.5])).round(2).tolist()
    ([[0.8, 0.2]], [[0.67, 0.33]])
    """
    return _normalised(np.tensordot(powers, _logarithms(told), 1))


def fitted_powers(told: Array, truth: Array, mass: Array, count: float) -> Array:
    """The powers, none negative, whose product has the least log-loss on examples that tell the truth.

    Half their squared distance from equal powers, which add up to 1, counts as much as the log-loss of one example: so
    models that are alike share what they are worth. It is a convex problem, which L-BFGS-B solves.

    `told` is models × examples × classes, `truth` the class of each example as a number; the weights of the examples,
    `mass`, add up to 1, and `count` is how many they are.

    >>> told = np.array([[[0.7, 0.3], [0.3, 0.7]] * 50, [[0.9, 0.1], [0.9, 0.1]] * 50])
    >>> fitted_powers(told, np.array([0, 1] * 50), np.full(100, 0.01), 100).round(1).tolist()  # the second never knows
    [3.8, 0.0]
    """
    logs = _logarithms(told)
    right = logs[:, np.arange(len(truth)), truth]
    equal = np.full(len(told), 1 / len(told))

    def objective(powers: Array) -> tuple[float, Array]:
        S = np.tensordot(powers, logs, 1)
        P, away = _normalised(S), (powers - equal) / count
        paid = np.log(P[np.arange(len(truth)), truth].clip(min=np.finfo(float).tiny))
        slope = np.einsum("mn,kmn->k", P * mass[:, None], logs) - right @ mass
        return float(away @ (powers - equal) / 2 - mass @ paid), slope + away

    found = minimize(objective, equal, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(told))
    powers: Array = found.x
    return powers


def _logarithms(told: Array) -> Array:
    logs: Array = np.log((1 - _UNSURE) * told + _UNSURE / told.shape[2])
    return logs


def _normalised(S: Array) -> Array:
    P: Array = np.exp(S - S.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    return P
