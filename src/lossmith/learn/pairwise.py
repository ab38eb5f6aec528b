"""Logistic regression for every pair of classes, coupled into probabilities.

T.-F. Wu, C.-J. Lin & R. C. Weng, *Probability estimates for multi-class classification by pairwise coupling*, JMLR 5,
2004, second method.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted, validate_data

from lossmith.learn.most_probable import MostProbable

Array: TypeAlias = np.ndarray[Any, Any]

_ROWS = 4_000_000  # numbers of the systems that are solved at a time


def coupled(R: Array) -> Array:
    """The p ∈ Δ with the least Σ_{i<j} (R_ji p_i − R_ij p_j)², for each of many R; R_ij estimates p_i / (p_i + p_j).

    The diagonal is not looked at.

    >>> p = np.array([0.5, 0.3, 0.2])
    >>> coupled((p[:, None] / (p[:, None] + p))[None]).round(6).tolist()
    [[0.5, 0.3, 0.2]]
    """
    m, n, _ = R.shape
    R = np.where(np.eye(n, dtype=bool), 0.0, R)
    Q = -R * R.transpose(0, 2, 1)
    Q[:, np.arange(n), np.arange(n)] = (R**2).sum(axis=1)
    system = np.ones((m, n + 1, n + 1))  # Qp is constant, Σ p = 1
    system[:, :n, :n], system[:, n, n] = Q, 0.0
    right = np.zeros((m, n + 1, 1))
    right[:, n] = 1.0
    P = np.linalg.solve(system, right)[:, :n, 0].clip(min=0.0)  # none is negative but by rounding
    found: Array = P / P.sum(axis=1, keepdims=True)
    return found


class PairwiseLogisticRegression(MostProbable):
    """Logistic regression for every pair of classes; the probabilities agree best with all pairs.

    Parameters
    ----------
    C : float
        Each model minimises ½‖w‖² + C Σ log-loss.
    max_iter : int
        Iterations of each.

    >>> X, y = np.array([[-2.0], [-1.5], [0], [0.2], [1.5], [2]]), ["a", "a", "b", "b", "c", "c"]
    >>> model = PairwiseLogisticRegression().fit(X, y)
    >>> model.predict([[-2], [0.1], [2]]).tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, C: float = 1.0, max_iter: int = 1000) -> None:
        self.C = C
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PairwiseLogisticRegression:
        """Train a model for each pair, on the examples of its two classes."""
        X, _, codes, weights = self._read(X, y, sample_weight)
        self.models_ = {}
        for i, j in combinations(range(len(self.classes_)), 2):
            chosen = np.flatnonzero((codes == i) | (codes == j))
            model = LogisticRegression(C=self.C, max_iter=self.max_iter)
            of_pair = None if weights is None else weights[chosen]
            self.models_[i, j] = model.fit(X[chosen], codes[chosen] == i, sample_weight=of_pair)
        self.n_iter_ = max(int(model.n_iter_.max()) for model in self.models_.values())
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        n, parts = len(self.classes_), 1 + X.shape[0] * (len(self.classes_) + 1) ** 2 // _ROWS
        found = []
        for rows in np.array_split(np.arange(X.shape[0]), parts):
            R = np.zeros((len(rows), n, n))
            for (i, j), model in self.models_.items():
                R[:, i, j] = model.predict_proba(X[rows])[:, 1].clip(1e-7, 1 - 1e-7)
                R[:, j, i] = 1 - R[:, i, j]
            found.append(coupled(R))
        return np.concatenate(found)
