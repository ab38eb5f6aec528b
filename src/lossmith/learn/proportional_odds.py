"""Proportional odds: one number of x orders the classes, and thresholds divide it.

P. McCullagh, *Regression models for ordinal data*, Journal of the Royal Statistical Society B, 1980.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted, validate_data

from lossmith.errors import BadInput
from lossmith.learn.most_probable import MostProbable

Array: TypeAlias = np.ndarray[Any, Any]

_LEAST = 1e-12  # of a probability whose logarithm is taken


class ProportionalOdds(MostProbable):
    """Ordered classes: P(y is at most the j-th | x) = 1 / (1 + exp(w·x − θ_j)), with increasing θ.

    Parameters
    ----------
    order : the classes in their order, or None
        None is the sorted order.
    C : float
        It minimises ½‖w‖² + C Σ log-loss; the thresholds are free.
    max_iter : int
        Iterations of L-BFGS.

    >>> X, y = np.arange(8.0)[:, None], ["low", "low", "mid", "low", "mid", "high", "mid", "high"]
    >>> model = ProportionalOdds(["low", "mid", "high"]).fit(X, y)
    >>> model.predict([[0], [3.9], [7]]).tolist()
    ['low', 'mid', 'high']
    """

    def __init__(self, order: Sequence[Any] | None = None, C: float = 1.0, max_iter: int = 1000) -> None:
        self.order = order
        self.C = C
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ProportionalOdds:
        """Train on examples X with classes y."""
        X, _, codes, given = self._read(X, y, sample_weight)
        weights = np.ones(len(codes)) if given is None else given
        self._places = self._in_order()
        ranks = self._places.argsort()[codes]
        start = np.concatenate([np.zeros(X.shape[1]), _free(_logits(ranks, weights, len(self.classes_)))])
        found = minimize(
            _objective, start, (X, ranks, self.C * weights), "L-BFGS-B", jac=True, options={"maxiter": self.max_iter}
        )
        self.coef_, self.thresholds_ = found.x[: X.shape[1]], _thresholds(found.x[X.shape[1] :])
        self.n_iter_ = int(found.nit)
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`, which is sorted."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        below = _below(X @ self.coef_, self.thresholds_)
        P = np.empty((X.shape[0], len(self.classes_)))
        P[:, self._places] = np.diff(below, axis=1)
        return P

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # where the classes have no order
        return tags

    def _in_order(self) -> Array:
        """The places of the ordered classes among `classes_`; those that were not seen are left out."""
        if self.order is None:
            return np.arange(len(self.classes_))
        place = {each: i for i, each in enumerate(self.classes_.tolist())}
        missing = [each for each in place if each not in self.order]
        if missing:
            raise BadInput(f"y has the class {missing[0]!r}, which order = {list(self.order)} does not have")
        return np.array([place[each] for each in self.order if each in place])


def _logits(ranks: Array, weights: Array, n: int) -> Array:
    """The thresholds that fit without features."""
    shares = np.bincount(ranks, weights, minlength=n)[:-1].cumsum() / weights.sum()
    shares = shares.clip(1e-3, 1 - 1e-3)
    logits: Array = np.maximum.accumulate(np.log(shares / (1 - shares)) + 1e-3 * np.arange(n - 1))
    return logits


def _free(thresholds: Array) -> Array:
    """The first threshold, and the logarithms of the differences."""
    return np.concatenate([thresholds[:1], np.log(np.diff(thresholds).clip(min=1e-3))])


def _thresholds(free: Array) -> Array:
    found: Array = free[0] + np.concatenate([[0.0], np.exp(free[1:]).cumsum()])
    return found


def _below(scores: Array, thresholds: Array) -> Array:
    """P(y is at most the j-th class) for j = 0 … n, of which the first is 0 and the last is 1."""
    inner = expit(thresholds - scores[:, None])
    ends = np.zeros((len(scores), 1)), np.ones((len(scores), 1))
    return np.hstack([ends[0], inner, ends[1]])


def _objective(x: Array, X: Any, ranks: Array, weights: Array) -> tuple[float, Array]:
    """½‖w‖² + Σ weight · log-loss, and its gradient."""
    w, free = x[: X.shape[1]], x[X.shape[1] :]
    below = _below(X @ w, _thresholds(free))
    rows, slopes = np.arange(len(ranks)), below * (1 - below)
    P = (below[rows, ranks + 1] - below[rows, ranks]).clip(min=_LEAST)
    value = 0.5 * w @ w - weights @ np.log(P)
    upper, lower = weights * slopes[rows, ranks + 1] / P, weights * slopes[rows, ranks] / P
    of_score = upper - lower
    of_thresholds = np.zeros(below.shape[1])
    np.add.at(of_thresholds, ranks + 1, -upper)
    np.add.at(of_thresholds, ranks, lower)
    inner = of_thresholds[1:-1]
    later = inner[::-1].cumsum()[::-1]  # a difference moves all thresholds after it
    of_free = np.concatenate([later[:1], later[1:] * np.exp(free[1:])])
    return float(value), np.concatenate([w + X.T @ of_score, of_free])
