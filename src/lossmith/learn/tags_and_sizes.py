"""Probabilities of tags and sizes, P(y_i = 1, |y| = m | x), by logistic regressions; and probabilities of whole sets.

First the size, one of those that occur: a multinomial logistic regression. Then each tag, given x and the size: a
logistic regression on x whose intercept depends on the size. Both losses are strictly proper, so that with features
enough the minimiser is the truth; and that tags and sizes depend on each other needs no assumption, as each product
P(|y| = m | x) P(y_i = 1 | x, m) is learned. Few examples of a size share what they tell of x with the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.special import expit

from lossmith.learn.kernel_features import KernelFeatures, kernel_features
from lossmith.learn.logistic_columns import chosen_strength, fit_columns, probabilities
from lossmith.learn.set_tasks import FactoredTask, Joint, WrittenTask

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class TagsAndSizes:
    """Logistic regressions of the size, and of each tag given the size: one row of `by_size` for each size."""

    features: KernelFeatures
    task: FactoredTask
    sizes: Array
    of_size: Array
    of_tag: Array
    by_size: Array
    strengths: tuple[float, float]

    def joint(self, X: Any) -> Joint:
        """The probabilities for each row of X."""
        Z = self.features(X)
        of_size = probabilities(Z, self.of_size, exclusive=True)
        given = expit((Z @ self.of_tag)[:, None, :] + self.by_size)
        return Joint(self.sizes, of_size, of_size[:, :, None] * given)

    def scores(self, X: Any) -> Array:
        """The means of the factors for each row of X."""
        return self.task.told(self.joint(X))


@dataclass(frozen=True, eq=False)
class WholeSets:
    """One logistic regression, multinomial, of the sets that occur."""

    features: KernelFeatures
    of_set: Array
    strengths: tuple[float]

    def scores(self, X: Any) -> Array:
        """The probability of each set for each row of X."""
        return probabilities(self.features(X), self.of_set, exclusive=True)


def fit_tags_and_sizes(
    task: FactoredTask, X: Any, Y: Array, weights: Array, C: float | None, random: np.random.RandomState
) -> TagsAndSizes:
    """Train both; C is chosen by the log-loss on examples held out, if it is None."""
    features = kernel_features(X, weights, random)
    Z, r = features(X), Y.shape[1]
    sizes, place = np.unique(Y.sum(axis=1), return_inverse=True)
    which = np.asarray(place[:, None] == np.arange(len(sizes)), dtype=float)
    of_size, first = _fitted(Z, which, weights, C, random, exclusive=True)
    # No tag is uncertain where there are none or all; nor are tags that all other examples have, or none.
    some = (sizes[place] > 0) & (sizes[place] < r)
    counts = Y[some].sum(axis=0)
    learned = (counts > 0) & (counts < some.sum())
    of_tag, by_size, second = np.zeros((Z.shape[1], r)), np.zeros((len(sizes), r)), 1.0
    if learned.any():
        known = np.hstack([Z[some], which[some]])
        W, second = _fitted(known, Y[some][:, learned].astype(float), weights[some], C, random, exclusive=False)
        of_tag[:, learned], by_size[:, learned] = W[: Z.shape[1]], W[Z.shape[1] : -1] + W[-1]
    by_size[:, ~learned] = np.where(counts[~learned] > 0, np.inf, -np.inf)
    by_size[sizes == 0], by_size[sizes == r] = -np.inf, np.inf
    return TagsAndSizes(features, task, sizes, of_size, of_tag, by_size, (first, second))


def fit_whole_sets(
    task: FactoredTask | WrittenTask, X: Any, Y: Array, weights: Array, C: float | None, random: np.random.RandomState
) -> WholeSets:
    """Train it; C is chosen by the log-loss on examples held out, if it is None."""
    features = kernel_features(X, weights, random)
    of_set, strength = _fitted(features(X), task.targets(Y), weights, C, random, exclusive=True)
    return WholeSets(features, of_set, (strength,))


def _fitted(
    X: Array, T: Array, weights: Array, C: float | None, random: np.random.RandomState, *, exclusive: bool
) -> tuple[Array, float]:
    strength = chosen_strength(X, T, weights, random, exclusive=exclusive) if C is None else C
    return fit_columns(X, T, weights, strength, exclusive=exclusive), strength
