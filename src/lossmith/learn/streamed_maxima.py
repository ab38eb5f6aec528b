"""Linear models from a stream of examples, in blocks: ½‖W‖² + C Σ_i s_i ψ_{y_i}(Wx_i + b), every ψ a sum of maxima.

Maxima are smoothed, μ log Σ_j exp(v_j/μ); with μ = 1 and the pieces u_j − u_y that is the log-loss of softmax. What is
known of earlier blocks is kept as a quadratic: the model θ they led to, and Q, the curvature of ½‖W‖² and of all their
losses. A block takes θ to the minimiser of its own losses plus ½(θ' − θ)ᵀQ(θ' − θ), and adds its curvature to Q. That
is a stochastic gradient step, taken implicitly, with the matrix Q⁻¹ for its step size, which falls as 1/t by itself
(P. Toulis, E. Airoldi, Asymptotic and finite-sample properties of estimators based on stochastic gradients, 2017). One
block alone is the whole problem, and so are several where losses are quadratic. Of maxima, Q has the curvature of a
wider smoothing; where the steps lead does not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import cho_factor, solve_triangular
from scipy.optimize import minimize
from scipy.sparse import diags_array, hstack, issparse
from sklearn.utils.sparsefuncs import mean_variance_axis

Array: TypeAlias = np.ndarray[Any, Any]

MOST_FULL = 1000  # coefficients whose whole curvature is kept; of more, its diagonal
_FREE = 1e-6  # the penalty of intercepts, as good as none
_STEPS, _PRECISE = 500, 1e-6


@dataclass(frozen=True)
class Maximum:
    """One maximum of affine pieces, and how often the surrogate of each label contains it."""

    slopes: Array
    constants: Array
    times: Array


@dataclass(frozen=True)
class Block:
    """Examples with an intercept among their features, and a weight for each: C s_i."""

    X: Any
    y: Array
    weights: Array


@dataclass(frozen=True)
class Streamed:
    """θ, with a row for each feature and one for the intercept, and what is known of the blocks that led to it."""

    maxima: list[Maximum]
    dim: int
    mus: tuple[float, ...]  # smoothings, one after the other; the first is that of the curvature
    blocks: int = 0
    theta: Array = field(default_factory=lambda: np.zeros((0, 0)))
    Q: Array = field(default_factory=lambda: np.zeros(0))
    shift: Array = field(default_factory=lambda: np.zeros(0))
    scale: Array = field(default_factory=lambda: np.zeros(0))

    def learn(self, X: Any, y: Array, weights: Array) -> Streamed:
        """What is known after one block more."""
        made = self if self.blocks else self._started(X)
        block = Block(made._prepared(X), y, weights)
        theta = made._minimised(block)
        Q = made.Q + made._curvature(theta, block)
        return replace(made, blocks=made.blocks + 1, theta=theta, Q=Q)

    def linear(self) -> tuple[Array, Array]:
        """W (dim × features) and b."""
        W = self.theta[:-1] / self.scale[:, None]
        return W.T, self.theta[-1] - self.shift @ W

    def _started(self, X: Any) -> Streamed:
        """Nothing but ½‖W‖² is known; features are shifted and scaled as their first block is."""
        mean, variance = mean_variance_axis(X, axis=0) if issparse(X) else (X.mean(axis=0), X.var(axis=0))
        scale = np.sqrt(np.where(variance > 0, variance, 1.0))
        shift = np.zeros(len(scale)) if issparse(X) else mean
        penalty = np.repeat(np.append(1 / scale**2, _FREE), self.dim)
        Q = np.diag(penalty) if len(penalty) <= MOST_FULL else penalty
        theta = np.zeros((len(scale) + 1, self.dim))
        return replace(self, theta=theta, Q=Q, shift=shift, scale=scale)

    def _prepared(self, X: Any) -> Any:
        if issparse(X):
            return hstack([X @ diags_array(1 / self.scale), np.ones((X.shape[0], 1))], format="csr")
        return np.hstack([(X - self.shift) / self.scale, np.ones((len(X), 1))])

    def _smoothed(self, U: Array, block: Block, mu: float, curved: Array | None = None) -> tuple[float, Array]:
        """The losses, and their slopes along u, example by example; their curvatures are added to `curved`."""
        value, slopes = 0.0, np.zeros_like(U)
        for each in self.maxima:
            times = each.times[block.y] * block.weights
            rows = np.flatnonzero(times)
            if not len(rows):
                continue
            values = U[rows] @ each.slopes.T + each.constants
            largest = values.max(axis=1, keepdims=True)
            q = np.exp((values - largest) / mu)
            sums = q.sum(axis=1)
            q /= sums[:, None]
            value += float(times[rows] @ (largest[:, 0] + mu * np.log(sums)))
            own = q @ each.slopes
            slopes[rows] += times[rows, None] * own
            if curved is not None and curved.ndim == 2:  # the diagonal
                curved[rows] += times[rows, None] / mu * (q @ each.slopes**2 - own**2)
            elif curved is not None:
                squares = np.einsum("jk,jl->jkl", each.slopes, each.slopes)
                pairs = np.tensordot(q, squares, 1) - own[:, :, None] * own[:, None, :]
                curved[rows] += times[rows, None, None] / mu * pairs
        return value, slopes

    def _curvature(self, theta: Array, block: Block) -> Array:
        """Along θ: whole, or its diagonal."""
        curved = np.zeros((len(block.y), *(self.dim,) * self.Q.ndim))
        self._smoothed(np.asarray(block.X @ theta), block, self.mus[0], curved)
        if self.Q.ndim == 1:
            squares = block.X.multiply(block.X) if issparse(block.X) else block.X**2
            return np.asarray(squares.T @ curved).ravel()
        width = block.X.shape[1]
        whole = np.zeros((width, self.dim, width, self.dim))
        dense = block.X.toarray() if issparse(block.X) else block.X
        for k in range(self.dim):
            for j in range(k + 1):
                whole[:, k, :, j] = (dense * curved[:, k, j, None]).T @ dense
                whole[:, j, :, k] = whole[:, k, :, j]
        return whole.reshape(len(self.Q), len(self.Q))

    def _minimised(self, block: Block) -> Array:
        """L-BFGS, in coordinates where the curvature is about 1."""
        start = self.theta.ravel()
        root = _root(self.Q + self._curvature(self.theta, block))
        total = float(block.weights.sum())

        def objective(z: Array, mu: float) -> tuple[float, Array]:
            step = _divided(z, root, transposed=True)
            U = np.asarray(block.X @ (start + step).reshape(self.theta.shape))
            value, slopes = self._smoothed(U, block, mu)
            pull = self.Q * step if self.Q.ndim == 1 else self.Q @ step
            slope = np.asarray(block.X.T @ slopes).ravel() + pull
            return (value + 0.5 * float(step @ pull)) / total, _divided(slope, root) / total

        z = np.zeros(len(start))
        for mu in self.mus:
            options = {"maxiter": _STEPS, "maxcor": 20, "ftol": 1e-10, "gtol": _PRECISE / total**0.5}
            z = minimize(objective, z, args=(mu,), jac=True, method="L-BFGS-B", options=options).x
        return (start + _divided(z, root, transposed=True)).reshape(self.theta.shape)


def _root(curvature: Array) -> Array:
    """R with RRᵀ the curvature; a diagonal stays one."""
    return np.sqrt(curvature) if curvature.ndim == 1 else np.tril(cho_factor(curvature, lower=True)[0])


def _divided(vector: Array, root: Array, *, transposed: bool = False) -> Array:
    """R⁻¹v, or R⁻ᵀv."""
    if root.ndim == 1:
        return vector / root
    solved: Array = solve_triangular(root, vector, lower=True, trans="T" if transposed else "N")
    return solved
