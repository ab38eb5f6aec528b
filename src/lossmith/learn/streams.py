"""What learns from one chunk after another: least squares, estimators with `partial_fit`, and linear models."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputRegressor
from sklearn.utils import get_tags

from lossmith.errors import BadInput, TooLarge
from lossmith.learn.choosing import Chosen
from lossmith.learn.labels import in_sorted_order
from lossmith.learn.linear import LinearFit, fit_linear, maxima_of, parametrised
from lossmith.learn.models import Probabilities, Regression, told_without_weights
from lossmith.learn.moments import Moments
from lossmith.learn.reliable import class_weights
from lossmith.learn.streamed_maxima import Maximum, Streamed
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import array_of
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]

BLOCK = 4096  # examples that a linear model takes in at a time, however they come
_SMOOTHINGS = (0.1, 0.01, 0.001)  # μ, as parts of the mean loss at the start
_MOST_LABELS = 200  # of logistic regression: n³ numbers say what their maxima are
_COMMON = 0.05  # the share of a label that no block lacks unless the stream is in order


class Stream(Protocol):
    """What has been learned so far: chunks go in, and a model can be had at any time."""

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Learn from a chunk; truth are the rows of its labels."""

    def model(self) -> Any:
        """The model after all chunks so far."""


def stream_of(chosen: Chosen, estimator: Any, C: float, tol: float, max_iter: int, n_jobs: Any) -> Stream:
    """The stream that trains what was chosen."""
    surrogate = chosen.surrogate
    if chosen.kind == "plug-in":
        return Logistic.of(chosen.loss, C) if estimator is None else Classified(chosen.loss, clone(estimator))
    if isinstance(surrogate, SmoothSurrogate):
        return Squares(surrogate, C) if estimator is None else Regressed(surrogate, clone(estimator), n_jobs)
    return Polyhedral.of(surrogate, C, tol, max_iter)


@dataclass
class Squares:
    """Ridge regression on the rows a_y, by moments."""

    surrogate: SmoothSurrogate
    C: float
    moments: Moments = field(default_factory=Moments)

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Add the moments of a chunk."""
        self.moments.add(X, *_targets(self.surrogate, truth, weights))

    def model(self) -> Regression:
        """The ridge regression of all chunks."""
        if not self.moments.weight:
            raise BadInput("all examples so far have weight 0; there is nothing to learn from")
        return Regression(self.moments.ridge(1 / (2 * self.C)), self.surrogate.dim)


@dataclass
class Regressed:
    """A regressor with `partial_fit`, on the rows a_y; one with a single output is trained once for each."""

    surrogate: SmoothSurrogate
    regressor: Any
    n_jobs: Any

    def __post_init__(self) -> None:
        if self.surrogate.dim > 1 and not get_tags(self.regressor).target_tags.multi_output:
            self.regressor = MultiOutputRegressor(self.regressor, n_jobs=self.n_jobs)

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Let it learn a chunk."""
        targets, weights = _targets(self.surrogate, truth, weights)
        inner = self.regressor.estimator if isinstance(self.regressor, MultiOutputRegressor) else self.regressor
        told = _weights_for(inner, weights)
        self.regressor.partial_fit(X, targets[:, 0] if targets.shape[1] == 1 else targets, **told)

    def model(self) -> Regression:
        """The regressor as it is."""
        return Regression(self.regressor, self.surrogate.dim)


@dataclass
class Classified:
    """A classifier with `partial_fit`, on the labels by name."""

    loss: LossMatrix
    classifier: Any

    def __post_init__(self) -> None:
        if not hasattr(self.classifier, "predict_proba"):
            raise BadInput(
                f"{self.classifier!r} has no predict_proba; give one that has, such as SGDClassifier(loss='log_loss')"
            )

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Let it learn a chunk, and know all labels from the first on."""
        names = array_of(self.loss.labels)
        told = _weights_for(self.classifier, weights)
        self.classifier.partial_fit(X, names[truth], classes=np.unique(names), **told)

    def model(self) -> Probabilities:
        """The classifier, and its class weights divided out."""
        return told_without_weights(
            self.classifier, self.loss, *class_weights(self.classifier, array_of(self.loss.labels), None)
        )


@dataclass
class _Blocks:
    """Linear models learn in blocks of one size, so that it does not matter how the examples are split into chunks."""

    streamed: Streamed
    C: float
    spare: int  # examples that wait until as many have come after them
    waiting: list[tuple[Any, Array, Array]] = field(default_factory=list)
    seen: float = 0.0  # weight of all examples, those that wait included
    told: bool = False  # that they come in an order

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Learn all full blocks, and let the rest wait."""
        s = np.ones(len(truth)) if weights is None else weights
        kept = np.flatnonzero(s)
        if len(kept) < len(s):
            X, truth, s = X[kept], truth[kept], s[kept]
        seen, streamed, waiting = self.seen + float(s.sum()), self.streamed, [*self.waiting, (X, truth, s)]
        if sum(len(y) for _, y, _ in waiting) >= BLOCK + self.spare:
            X, truth, s = _joined(waiting)
            start = 0
            while len(truth) - start >= BLOCK + self.spare:
                rows = slice(start, start + BLOCK)
                self._warn_of_order(truth[rows], truth[rows.stop :])
                streamed = streamed.learn(X[rows], truth[rows], self.C * s[rows])
                start = rows.stop
            waiting = [(X[start:], truth[start:], s[start:])]
        self.seen, self.streamed, self.waiting = seen, streamed, waiting  # at the end: it may be interrupted before

    def rest(self) -> tuple[Any, Array, Array]:
        """The examples that wait."""
        if not self.seen:
            raise BadInput("all examples so far have weight 0; there is nothing to learn from")
        return _joined(self.waiting)

    def _warn_of_order(self, block: Array, rest: Array) -> None:
        """Warn once if labels that are common are missing in a block: no single pass can learn from these well."""
        if self.told or len(rest) < BLOCK:
            return
        counts = np.bincount(block), np.bincount(rest)
        n = max(map(len, counts))
        here, later = (np.append(each, np.zeros(n - len(each))) for each in counts)
        if ((here == 0) & (later > _COMMON * len(rest))).any() or ((later == 0) & (here > _COMMON * BLOCK)).any():
            self.told = True
            warnings.warn(
                "the examples come in the order of their labels, from which no single pass learns well; shuffle the "
                'rows before, or take surrogate="square", to which the order does not matter',
                stacklevel=6,
            )


@dataclass
class Logistic(_Blocks):
    """Logistic regression: softmax of linear functions, or for two labels one function."""

    loss: Any = None

    @classmethod
    def of(cls, loss: LossMatrix, C: float) -> Logistic:
        """Nothing is learned yet; its labels are numbered in sorted order."""
        n = loss.n
        if n > _MOST_LABELS:
            raise TooLarge(
                f"{loss.name} has {n} labels, too many for logistic regression in chunks; give an estimator such as "
                f'SGDClassifier(loss="log_loss"), or surrogate="square"'
            )
        if n == 2:
            maxima = [
                Maximum(np.array([[0.0], [sign]]), np.zeros(2), np.eye(2)[y]) for y, sign in ((0, 1.0), (1, -1.0))
            ]
        else:
            maxima = [Maximum(np.eye(n) - np.eye(n)[y], np.zeros(n), np.eye(n)[y]) for y in range(n)]
        return cls(Streamed(maxima, 1 if n == 2 else n, (1.0,)), C, 0, loss=loss)

    def add(self, X: Any, truth: Array, weights: Array | None) -> None:
        """Learn a chunk, its labels numbered in sorted order."""
        super().add(X, np.argsort(in_sorted_order(self.loss.labels))[truth], weights)

    def model(self) -> Probabilities:
        """A logistic regression of scikit-learn with these coefficients."""
        X, y, s = self.rest()
        coef, intercept = (self.streamed.learn(X, y, self.C * s) if len(y) else self.streamed).linear()
        order = in_sorted_order(self.loss.labels)
        classifier = LogisticRegression(C=self.C)
        classifier.classes_ = array_of([self.loss.labels[i] for i in order])
        classifier.coef_, classifier.intercept_ = coef, intercept
        classifier.n_features_in_ = coef.shape[1]
        return Probabilities(classifier, order, self.loss.n)


@dataclass
class Polyhedral(_Blocks):
    """A linear model for a polyhedral surrogate; up to a block it is that of `fit`.

    Of longer streams, `objective` and `gap` are estimates, on the last examples before they are learned, of which there
    are 4096 or more: the objective as if all had their mean loss, and what it is above the least one that would fit
    these, a bound from above on average.
    """

    surrogate: Any = None
    tol: float = 1e-4
    max_iter: int = 1000

    @classmethod
    def of(cls, surrogate: PolyhedralSurrogate, C: float, tol: float, max_iter: int) -> Polyhedral:
        """Nothing is learned yet."""
        origin, directions = parametrised(surrogate)
        unit = float(surrogate.evaluate(origin[None]).mean()) or 1.0
        maxima = [Maximum(*each) for each in maxima_of(surrogate)]
        streamed = Streamed(maxima, directions.shape[1], tuple(unit * each for each in _SMOOTHINGS))
        return cls(streamed, C, BLOCK, surrogate=surrogate, tol=tol, max_iter=max_iter)

    def model(self) -> LinearFit:
        """The linear model of all chunks."""
        X, y, s = self.rest()
        how: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        if not self.streamed.blocks:
            return fit_linear(self.surrogate, X, y, s, C=self.C, **how)
        times = self.C * self.seen / s.sum()
        coef, intercept = self._linear(self.streamed)
        losses = self.surrogate.evaluate(np.asarray(X @ coef.T) + intercept)[np.arange(len(y)), y]
        objective = 0.5 * float((coef**2).sum()) + times * float(s @ losses)
        best = fit_linear(self.surrogate, X, y, s, C=times, **how)
        gap = max(objective - (best.objective - best.gap), 0.0)
        coef, intercept = self._linear(self.streamed.learn(X, y, self.C * s))
        return LinearFit(coef, intercept, objective, gap, self.streamed.blocks + 1)

    def _linear(self, streamed: Streamed) -> tuple[Array, Array]:
        origin, directions = parametrised(self.surrogate)
        W, b = streamed.linear()
        return directions @ W, directions @ b + origin


def _targets(surrogate: SmoothSurrogate, truth: Array, weights: Array | None) -> tuple[Array, Array | None]:
    rows, scales = surrogate.targets
    if (scales != scales[0]).any():
        weights = scales[truth] if weights is None else scales[truth] * weights
    return rows[truth], weights


def _weights_for(estimator: Any, weights: Array | None) -> dict[str, Array]:
    if weights is None:
        return {}
    if "sample_weight" not in inspect.signature(estimator.partial_fit).parameters:
        raise BadInput(f"partial_fit of {estimator!r} takes no sample_weight, which is needed here; choose another")
    return {"sample_weight": weights}


def _joined(parts: list[tuple[Any, Array, Array]]) -> tuple[Any, Array, Array]:
    if len(parts) == 1:
        return parts[0]
    tables = [X for X, _, _ in parts]
    table = sparse.vstack(tables, format="csr") if any(map(sparse.issparse, tables)) else np.concatenate(tables)
    return table, np.concatenate([y for _, y, _ in parts]), np.concatenate([s for _, _, s in parts])
