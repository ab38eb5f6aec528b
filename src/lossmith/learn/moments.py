"""Least squares by moments: one pass over the examples, in chunks of any size, with the answer of ridge regression.

Ridge regression of targets T on features X with weights s needs no more than Σs, the means x̄ and t̄, and the centred
moments S_xx = Σ s (x − x̄)(x − x̄)ᵀ and S_xt = Σ s (x − x̄)(t − t̄)ᵀ: W solves (S_xx + αI) W = S_xt, and the intercept is
t̄ − x̄W. Moments of two chunks a and b add up, with δ = x̄_b − x̄_a and the correction s_a s_b / (s_a + s_b) δδᵀ (T. Chan,
G. Golub, R. LeVeque, Algorithms for computing the sample variance, 1983), which keeps the digits that sums of squares
lose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, lstsq
from scipy.sparse import issparse
from sklearn.linear_model import Ridge

from lossmith.errors import TooLarge

Array: TypeAlias = np.ndarray[Any, Any]

_MOST_FEATURES = 20_000  # whose products fill 3 GB


@dataclass
class Moments:
    """What ridge regression has to know of the examples so far: n_features² numbers, however many there are.

    >>> X, T = np.array([[0.0], [1], [2], [3]]), np.array([[1.0], [3], [5], [7]])
    >>> seen = Moments()
    >>> seen.add(X[:3], T[:3])
    >>> seen.add(X[3:], T[3:])
    >>> model = seen.ridge(1e-9)
    >>> model.coef_.round(6).tolist(), round(model.intercept_, 6)
    ([2.0], 1.0)
    """

    weight: float = 0.0
    mean: Array = field(default_factory=lambda: np.zeros(0))  # of features, then of targets
    products: Array = field(default_factory=lambda: np.zeros((0, 0)))  # S_xx beside S_xt

    def add(self, X: Any, T: Array, weights: Array | None = None) -> None:
        """Take a chunk in."""
        features = X.shape[1]
        if features > _MOST_FEATURES:
            raise TooLarge(
                f"X has {features} features; least squares in chunks keep their {features}² products: reduce them "
                f"first, or give an estimator with partial_fit, such as SGDRegressor()"
            )
        s = np.ones(len(T)) if weights is None else weights
        total = float(s.sum())
        if total == 0:
            return
        mean, products = _of_chunk(X, T, s, total)
        if not self.weight:
            self.weight, self.mean, self.products = total, mean, products
            return
        apart, both = mean - self.mean, self.weight + total
        self.products += products + self.weight * total / both * np.outer(apart[:features], apart)
        self.mean = self.mean + total / both * apart
        self.weight = both

    def ridge(self, alpha: float) -> Ridge:
        """The regressor that `Ridge(alpha)` is after all examples so far."""
        features = len(self.products)
        squares, mixed = self.products[:, :features].copy(), self.products[:, features:]
        squares[np.diag_indices(features)] += alpha
        try:
            W = cho_solve(cho_factor(squares), mixed)
        except LinAlgError:  # features that are alike, and next to no penalty
            W = lstsq(squares, mixed)[0]
        model = Ridge(alpha=alpha)
        model.n_features_in_ = features
        intercept = self.mean[features:] - self.mean[:features] @ W
        model.coef_, model.intercept_ = (W[:, 0], float(intercept[0])) if W.shape[1] == 1 else (W.T, intercept)
        return model


def _of_chunk(X: Any, T: Array, s: Array, total: float) -> tuple[Array, Array]:
    mean = np.concatenate([np.asarray(X.T @ s).ravel(), T.T @ s]) / total
    apart = T - mean[X.shape[1] :]
    if issparse(X):  # centring would fill it
        own = mean[: X.shape[1]]
        squares = (X.T @ X.multiply(s[:, None])).toarray() - total * np.outer(own, own)
        return mean, np.hstack([squares, np.asarray(X.T @ (s[:, None] * apart))])
    centred = X - mean[: X.shape[1]]
    return mean, (centred * s[:, None]).T @ np.hstack([centred, apart])
