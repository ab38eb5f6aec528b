"""Logistic regression of several classes on features that are much alike, such as those of a kernel.

L-BFGS takes a hundred steps and more on such features. In coordinates in which the curvature at the start is about 1 it
takes twenty: z = Lᵀw, where LLᵀ is what X'SX / n (1 − 1/n), for n classes and shares S of the examples, and the penalty
add up to.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import minimize
from scipy.sparse import issparse
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted, validate_data

from lossmith.learn.most_probable import MostProbable

Array: TypeAlias = np.ndarray[Any, Any]

_PRECISE = 5e-4  # a slope in those coordinates: the mean log-loss is then within 1e-4 of the least one


class SoftmaxRegression(MostProbable):
    """P(y | x) ∝ exp(w_y·x + b_y); the problem of `LogisticRegression(C)` with three classes and more, solved faster.

    Parameters
    ----------
    C : float
        It minimises ½‖W‖² + C Σ log-loss; the intercepts are free.
    max_iter : int
        Iterations of L-BFGS.

    >>> X, y = np.array([[-2.0], [-1.5], [0], [0.2], [1.5], [2]]), ["a", "a", "b", "b", "c", "c"]
    >>> SoftmaxRegression(C=10).fit(X, y).predict([[-2], [0.1], [2]]).tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, C: float = 1.0, max_iter: int = 1000) -> None:
        self.C = C
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SoftmaxRegression:
        """Train on examples X with classes y."""
        X, _, codes, given = self._read(X, y, sample_weight)
        weights = np.ones(len(codes)) if given is None else given
        shares = weights / weights.sum()
        X1, n = np.hstack([X.toarray() if issparse(X) else X, np.ones((len(codes), 1))]), len(self.classes_)
        penalty = np.append(np.full(X.shape[1], 1 / self.C / weights.sum()), 0.0)
        curved = (X1.T * shares) @ X1 / n * (1 - 1 / n) + np.diag(penalty)
        curved[np.diag_indices_from(curved)] += 1e-10 * curved.max()
        root = np.linalg.cholesky(curved)
        Z, back = (solve_triangular(root, each, lower=True).T for each in (X1.T, np.eye(len(root))))
        pull, rows = (back.T * penalty) @ back, np.arange(len(codes))

        def objective(flat: Array) -> tuple[float, Array]:
            V = flat.reshape(-1, n)
            U = Z @ V
            U -= U.max(axis=1, keepdims=True)
            P = np.exp(U)
            sums, pulled = P.sum(axis=1), pull @ V
            value = shares @ (np.log(sums) - U[rows, codes]) + 0.5 * (V * pulled).sum()
            P /= sums[:, None]
            P[rows, codes] -= 1
            return float(value), (Z.T @ (shares[:, None] * P) + pulled).ravel()

        options = {"maxiter": self.max_iter, "gtol": _PRECISE}
        found = minimize(objective, np.zeros(len(root) * n), jac=True, method="L-BFGS-B", options=options)
        W = back @ found.x.reshape(-1, n)
        self.coef_, self.intercept_, self.n_iter_ = W[:-1].T, W[-1], int(found.nit)
        return self

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        P: Array = softmax(X @ self.coef_.T + self.intercept_, axis=1)
        return P
