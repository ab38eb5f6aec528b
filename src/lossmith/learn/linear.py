"""Linear models u = Wx + b that minimise a polyhedral surrogate: ½‖W‖² + C Σ_i s_i ψ_{y_i}(Wx_i + b).

Each maximum of ψ is smoothed: μ log Σ_j exp(v_j/μ) exceeds max_j v_j by at most μ log J, and only near a kink. L-BFGS
minimises the smooth objective for a falling sequence of μ. The weights q = softmax(v/μ) are a point of the dual problem

    maximise Σ_i C s_i Σ_g q_ig·b_g − ½‖G‖²,   G = Σ_i C s_i (Σ_g q_ig A_g) x_iᵀ,   provided Σ_i s_i Σ_g q_ig A_g = 0,

(b_g + A_g u are the pieces of maximum g; the condition belongs to the free b, which a few Newton steps make exact), so
that objective − dual value bounds the distance from the optimum. It is measured, not assumed, and ends the iteration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import diags_array, issparse
from sklearn.utils.sparsefuncs import mean_variance_axis
from threadpoolctl import threadpool_limits

from lossmith.surrogates.polyhedral import PolyhedralSurrogate

Array: TypeAlias = np.ndarray[Any, Any]

_FIRST, _RATIO, _LEAST = 0.1, 0.2, 1e-10  # μ, as a part of the mean loss at the start
NEWTON_STEPS, _BALANCED = 30, 1e-12
_MOST_TURNED, _SPREAD = 500, 10.0  # features; values over which kinks are spread, in the unit of ψ


@dataclass(frozen=True)
class LinearFit:
    """u = Wx + b, its objective, and a bound on how far that is above the least one."""

    coef: Array
    intercept: Array
    objective: float
    gap: float
    iterations: int

    def scores(self, X: Any) -> Array:
        """u for each row of X."""
        return np.asarray(X @ self.coef.T) + self.intercept


@dataclass(frozen=True)
class _Maximum:
    """One maximum of affine pieces, and the examples whose surrogate contains it, with their weights."""

    slopes: Array
    constants: Array
    examples: Array | slice
    weights: Array


@dataclass(frozen=True)
class _Value:
    """The loss part of the objective at (W, b): exact and smoothed, and what the dual weights q say of it."""

    exact: float
    smooth: float
    constant: float
    slopes: Array  # C s_i Σ_g q_ig A_g, for each example
    curvature: Array  # of the smoothed loss along b; zeros unless asked for


def fit_linear(
    surrogate: PolyhedralSurrogate,
    X: Any,
    y: Array,
    sample_weight: Array | None = None,
    *,
    C: float = 1.0,
    fit_intercept: bool = True,
    tol: float = 1e-4,
    max_iter: int = 1000,
    verbose: bool = False,
) -> LinearFit:
    """Minimise ½‖W‖² + C Σ_i s_i ψ_{y_i}(Wx_i + b) until the gap is at most `tol` times the objective.

    y are indices of labels. Equations of the domain hold for every x, by the parametrisation; inequalities must have
    been made penalties (`lossmith.learn.penalties`). `max_iter` bounds the steps of L-BFGS for each μ.

    >>> from lossmith.surrogates import absolute
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 2])
    >>> fit = fit_linear(absolute(3), X, y, C=1000.0)               # the line through (0, 1), (1, 2), (2, 3)
    >>> fit.coef.round(2).tolist(), fit.intercept.round(2).tolist()
    ([[1.0]], [1.0])
    """
    with threadpool_limits(1, "blas"):  # the products are thin: threads would wait for each other
        X, y, weights = _merged(
            X, y, np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        )
        return _minimized(Problem(surrogate, X, y, C * weights, fit_intercept), tol, max_iter, verbose)


def _minimized(problem: Problem, tol: float, max_iter: int, verbose: bool) -> LinearFit:
    point = np.zeros(problem.size)
    start = problem.value(*problem.unpack(point), 1.0).exact
    if start <= 0:  # every loss vanishes at W = 0
        return problem.fit(point, 0.0, 0.0, 0)
    mu, total = _FIRST * start / problem.total, 0
    best, least, bound = point, start, 0.0
    while True:
        point, steps = problem.descend(point, mu, least, tol, max_iter)
        total += steps
        objective, dual = problem.bounds(point, mu)
        if objective <= least:
            best, least = point, objective
        bound = max(bound, dual)
        if verbose:
            print(f"objective {least:.6g}, at most {least - bound:.2g} above the least one; {total} steps", flush=True)
        if least - bound <= tol * least or mu < _LEAST * start / problem.total:
            return problem.fit(best, least, least - bound, total)
        mu *= _RATIO


class Problem:
    """The data, the maxima in floating point, and a change of variables that suits the curvature."""

    def __init__(self, surrogate: PolyhedralSurrogate, X: Any, y: Array, weights: Array, intercept: bool) -> None:
        self.X, self.intercept, self.weights = X, intercept, weights
        self.total = float(self.weights.sum())
        self.origin, self.directions = parametrised(surrogate)
        self.dim, self.features = self.directions.shape[1], X.shape[1]
        self.maxima = self._maxima(surrogate, y)
        mean, variance = _moments(X, self.weights)
        self.mean = mean if intercept else np.zeros(self.features)
        self.change, self.stiffness = self._turned(variance if intercept else variance + mean**2)
        self.size = (self.features + intercept) * self.dim

    def _maxima(self, surrogate: PolyhedralSurrogate, y: Array) -> list[_Maximum]:
        maxima = []
        for slopes, constants, count in maxima_of(surrogate):
            times = count[y]
            weights = self.weights * times
            examples: Array | slice = slice(None) if times.all() else np.flatnonzero(times)
            maxima.append(_Maximum(slopes, constants, examples, weights[examples]))
        return maxima

    def _turned(self, squares: Array) -> tuple[Any, float]:
        """Variables in which the curvature is about 1 in all directions: that of the loss, κ Σ, plus 1 for ½‖W‖².

        Σ is the second moment of the features about their mean, or its diagonal if they are many. κ is a guess from
        the slopes of the surrogate: it changes how fast the least objective is found, and nothing else. Its root scales
        b.
        """
        steepest = max(float((each.slopes.max(axis=0) - each.slopes.min(axis=0)).max()) for each in self.maxima)
        kappa = self.total * max(steepest, 1e-300) ** 2 / _SPREAD
        if self.features > _MOST_TURNED:
            return diags_array(1 / np.sqrt(1 + kappa * squares)), kappa**0.5
        weighted = self.X.multiply(self.weights[:, None]) if issparse(self.X) else self.X * self.weights[:, None]
        product = self.X.T @ weighted
        moments = (product.toarray() if issparse(product) else product) / self.total - np.outer(self.mean, self.mean)
        sizes, turned = np.linalg.eigh(moments)
        return turned / np.sqrt(1 + kappa * np.maximum(sizes, 0)), kappa**0.5

    def unpack(self, point: Array) -> tuple[Array, Array]:
        """W (features × dim) and b in the coordinates of the directions."""
        table = point.reshape(-1, self.dim)
        W = self.change @ table[: self.features]
        return W, (table[-1] / self.stiffness if self.intercept else np.zeros(self.dim)) - self.mean @ W

    def value(self, W: Array, b: Array, mu: float, *, curved: bool = False) -> _Value:
        """The loss part at (W, b), smoothed by μ."""
        U = np.asarray(self.X @ W) + b
        slopes, curvature = np.zeros_like(U), np.zeros((self.dim, self.dim))
        exact = smooth = constant = 0.0
        for each in self.maxima:
            values = U[each.examples] @ each.slopes.T + each.constants
            largest = values.max(axis=1)
            q = np.exp((values - largest[:, None]) / mu)
            sums = q.sum(axis=1)
            q *= (each.weights / sums)[:, None]
            exact += float(each.weights @ largest)
            smooth += float(each.weights @ (mu * np.log(sums)))
            constant += float((q @ each.constants).sum())
            own = q @ each.slopes
            slopes[each.examples] += own
            if curved:
                scaled = own / np.sqrt(np.where(each.weights > 0, each.weights, 1.0))[:, None]
                curvature += ((each.slopes * q.sum(axis=0)[:, None]).T @ each.slopes - scaled.T @ scaled) / mu
        return _Value(exact, exact + smooth, constant, slopes, curvature)

    def descend(self, point: Array, mu: float, unit: float, tol: float, max_iter: int) -> tuple[Array, int]:
        """L-BFGS on the smoothed objective, until what the gradient costs the dual value is well below the tolerance.

        The dual value falls short of the smoothed objective by ½‖W + G‖² and no more, apart from the smoothing.
        """
        state: dict[str, Any] = {}

        def objective(at: Array) -> tuple[float, Array]:
            W, b = self.unpack(at)
            value = self.value(W, b, mu)
            across, along = np.asarray(self.X.T @ value.slopes), value.slopes.sum(axis=0)
            residual = W + across - np.outer(self.mean, along)  # once b is balanced, along is 0
            gradient = self.change.T @ residual
            total = value.smooth + 0.5 * float((W**2).sum())
            state.update(short=0.5 * float((residual**2).sum()), drift=float(abs(along).max()), total=total)
            packed = np.concatenate([gradient, along[None] / self.stiffness]) if self.intercept else gradient
            return total / unit, packed.ravel() / unit

        def enough(_: Array) -> None:
            balanced = not self.intercept or state["drift"] <= 1e-3 * self.total
            if balanced and state["short"] <= 0.2 * tol * state["total"]:
                raise StopIteration

        options = {"maxiter": max_iter, "maxcor": 20, "ftol": 1e-15, "gtol": 0.0}
        found = minimize(objective, point, jac=True, method="L-BFGS-B", callback=enough, options=options)
        return found.x, int(found.nit)

    def bounds(self, point: Array, mu: float) -> tuple[float, float]:
        """The objective at the point, and a value that no objective falls below."""
        W, b = self.unpack(point)
        value = self.value(W, b, mu, curved=True)
        objective = value.exact + 0.5 * float((W**2).sum())
        for _ in range(NEWTON_STEPS if self.intercept else 0):
            drift = value.slopes.sum(axis=0)
            if abs(drift).max() <= _BALANCED * self.total:
                break
            step = np.linalg.lstsq(value.curvature, drift, rcond=1e-12)[0]
            b = b - step * min(1.0, 3 * mu / max(float(abs(step).max()), 1e-300))
            value = self.value(W, b, mu, curved=True)
        across = np.asarray(self.X.T @ value.slopes)
        drift = value.slopes.sum(axis=0) if self.intercept else np.zeros(self.dim)
        # What is left of the drift is rounding; it is charged at the size of b.
        return objective, value.constant - 0.5 * float((across**2).sum()) - float(abs(drift) @ (1 + abs(b)))

    def fit(self, point: Array, objective: float, gap: float, steps: int) -> LinearFit:
        """The model in the coordinates of the surrogate."""
        W, b = self.unpack(point)
        return LinearFit(self.directions @ W.T, self.directions @ b + self.origin, objective, gap, steps)


def _merged(X: Any, y: Array, weights: Array) -> tuple[Any, Array, Array]:
    """Examples that occur many times, as features that are categories make them, become one with the total weight.

    Equal rows have equal projections to a random line, so they are neighbours in its order; only equal rows are merged.
    """
    if issparse(X):
        return X, y, weights
    along = X @ np.random.default_rng(0).standard_normal(X.shape[1])
    order = np.lexsort((y, along))
    again = (np.diff(along[order]) == 0) & (np.diff(y[order]) == 0)
    if 2 * again.sum() < len(y):
        return X, y, weights
    X, y, weights = X[order], y[order], weights[order]
    again &= (X[1:] == X[:-1]).all(axis=1)
    first = np.flatnonzero(np.concatenate([[True], ~again]))
    return X[first], y[first], np.add.reduceat(weights, first)


def _moments(X: Any, weights: Array) -> tuple[Array, Array]:
    """The weighted mean and variance of each feature."""
    if issparse(X):
        mean, variance = mean_variance_axis(X, axis=0, weights=weights)
        return np.asarray(mean), np.asarray(variance)
    mean = np.average(X, axis=0, weights=weights)
    return mean, np.average((X - mean) ** 2, axis=0, weights=weights)


def parametrised(surrogate: PolyhedralSurrogate) -> tuple[Array, Array]:
    """A point that satisfies the equations of the domain, and orthonormal directions that keep them."""
    if not surrogate.equations:
        return np.zeros(surrogate.dim), np.eye(surrogate.dim)
    rows = np.array([[float(x) for x in row] for row in surrogate.equations])
    origin = np.linalg.lstsq(rows[:, 1:], -rows[:, 0], rcond=None)[0]
    _, sizes, directions = np.linalg.svd(rows[:, 1:])
    rank = int((sizes > 1e-12 * sizes.max(initial=0)).sum())
    return origin, directions[rank:].T


def maxima_of(surrogate: PolyhedralSurrogate) -> list[tuple[Array, Array, Array]]:
    """Each maximum in the coordinates of `parametrised`: slopes, constants, and how often each label contains it."""
    origin, directions = parametrised(surrogate)
    counts = np.array([[groups.count(g) for groups in surrogate.groups] for g in range(len(surrogate.maxima))])
    tables = [np.array([[float(x) for x in piece] for piece in maximum]) for maximum in surrogate.maxima]
    return [
        (rows[:, 1:] @ directions, rows[:, 0] + rows[:, 1:] @ origin, count)
        for rows, count in zip(tables, counts, strict=True)
    ]
