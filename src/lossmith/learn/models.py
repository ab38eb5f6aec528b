"""The models that are trained, each by what it tells of an x: scores u, or probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from lossmith.errors import BadInput
from lossmith.exact.rational import quoted
from lossmith.learn.reliable import calibrated, class_weights
from lossmith.learn.scoring import indices
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.reading import plain
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Regression:
    """A regressor that was trained on rows of numbers, such as a_y; its predictions are u."""

    regressor: Any
    dim: int

    def scores(self, X: Any) -> Array:
        """u for each row of X."""
        U = np.asarray(self.regressor.predict(X), dtype=float)
        U = U[:, None] if U.ndim == 1 else U
        if U.ndim != 2 or U.shape[1] != self.dim:
            raise BadInput(
                f"{self.regressor!r} predicts arrays of shape {U.shape}; the surrogate has {self.dim} functions, so it "
                f"must predict {self.dim} columns when trained on {self.dim}"
            )
        return U


@dataclass(frozen=True)
class Probabilities:
    """A classifier whose classes are labels of the loss, and the factors that correct its probabilities, with why."""

    classifier: Any
    columns: Array
    n: int
    factors: Array | None = None
    corrections: tuple[str, ...] = ()

    def scores(self, X: Any) -> Array:
        """The probabilities of all labels for each row of X; labels that the classifier never saw have 0."""
        given = np.asarray(self.classifier.predict_proba(X), dtype=float)
        if given.ndim != 2 or given.shape[1] != len(self.columns):
            raise BadInput(
                f"{self.classifier!r} predicts probabilities of shape {given.shape}; it has {len(self.columns)} classes"
            )
        P = np.zeros((len(given), self.n))
        P[:, self.columns] = given
        if self.factors is not None:
            P *= self.factors
            P /= P.sum(axis=1, keepdims=True)
        return P

    def times(self, ratios: Array) -> Probabilities:
        """The same for other priors, by their ratios to those of y."""
        factors = ratios if self.factors is None else self.factors * ratios
        return replace(self, factors=factors, corrections=(*self.corrections, "times the new priors over those of y"))


def fit_regression(
    surrogate: SmoothSurrogate,
    estimator: Any,
    X: Any,
    y: Array,
    sample_weight: Array | None,
    C: float,
    n_jobs: Any = None,
) -> Regression:
    """Train a regressor on the rows a_y, and on each alone if it has one output; y are indices of labels."""
    rows, scales = surrogate.targets
    targets = rows[y]
    weights = sample_weight
    if (scales != scales[0]).any():
        weights = scales[y] if sample_weight is None else scales[y] * sample_weight
    return fit_targets(estimator, X, targets, weights, C, n_jobs)


def fit_targets(
    estimator: Any, X: Any, targets: Array, weights: Array | None, C: float, n_jobs: Any = None
) -> Regression:
    """Train a regressor on a row of numbers per example."""
    regressor = Ridge(alpha=1 / (2 * C)) if estimator is None else clone(estimator)
    dim = targets.shape[1]
    if dim == 1:
        targets = targets[:, 0]
    elif not get_tags(regressor).target_tags.multi_output:
        regressor = MultiOutputRegressor(regressor, n_jobs=n_jobs)
    fit_weighted(regressor, X, targets, weights)
    model = Regression(regressor, dim)
    model.scores(X.tocsr()[:1] if issparse(X) else X[:1])  # a wrong width is told here, not later
    return model


def fit_probabilities(
    loss: LossMatrix,
    estimator: Any,
    X: Any,
    labels: Array,
    sample_weight: Array | None,
    C: float,
    calibration: Any = None,
    ratios: Array | None = None,
) -> Probabilities:
    """Train a classifier on the labels by name, unless it is frozen; ratios are those of the priors, by row."""
    classifier = LogisticRegression(C=C, max_iter=1000) if estimator is None else clone(estimator)
    if estimator is None and len(seen := np.unique(labels)) < 2:
        raise BadInput(f"y has one class only, {plain(seen[0])!r}; a classifier needs two")
    if not hasattr(classifier, "predict_proba"):
        raise BadInput(
            f"{classifier!r} has no predict_proba; wrap it in CalibratedClassifierCV, or choose another surrogate"
        )
    classifier = calibrated(classifier, calibration, labels)
    fit_weighted(classifier, X, labels, sample_weight)
    weights, said = class_weights(classifier, labels, sample_weight)
    made = told_without_weights(classifier, loss, weights, said)
    return made if ratios is None else made.times(ratios)


def told_without_weights(classifier: Any, loss: LossMatrix, weights: Array | None, said: str) -> Probabilities:
    """A classifier whose class weights, if it has some, are divided out of its probabilities."""
    columns = indices(classifier.classes_, loss.labels, "label", loss.name)
    if weights is None:
        return Probabilities(classifier, columns, loss.n)
    factors = np.ones(loss.n)
    factors[columns] /= weights
    return Probabilities(classifier, columns, loss.n, factors, (f"divided by {said}",))


def refuse_words(X: Any) -> None:
    """Refuse a frame with a column that holds no numbers, by its name, before anything is trained; or without any."""
    if not (hasattr(X, "columns") and hasattr(X, "iloc")):
        return
    if not len(X.columns):
        raise BadInput(f"X has shape {X.shape}, no columns; there is nothing to learn from")
    for place, name in enumerate(X.columns):
        column = X.iloc[:, place]
        if getattr(column.dtype, "kind", "O") in "iufb":
            continue
        others = (each for each in column if not _is_number(each))
        for other in others:
            raise BadInput(
                f"column {name!r} of X holds {quoted(other)}, no number; encode it first, or give an estimator that "
                f"does, such as a pipeline that starts with OneHotEncoder"
            )


def _is_number(each: Any) -> bool:
    """Whether it is one, written or not; what is missing is no other thing."""
    try:
        float(each)
    except (TypeError, ValueError):
        return each is None or str(each) in ("<NA>", "NaT")
    return True


def fit_weighted(estimator: Any, X: Any, targets: Array, weights: Array | None) -> None:
    """Train an estimator, in a pipeline or not, with sample weights where there are some."""
    if weights is None or isinstance(estimator, FrozenEstimator):
        estimator.fit(X, targets)
        return
    inner = estimator.estimator if isinstance(estimator, MultiOutputRegressor) else estimator
    last, word = inner, "sample_weight"
    if isinstance(inner, Pipeline):
        name, last = inner.steps[-1]
        if not get_config()["enable_metadata_routing"]:  # else the steps say what they want
            word = f"{name}__sample_weight"
    if not has_fit_parameter(last, "sample_weight"):
        raise BadInput(f"{last!r} takes no sample_weight, which is needed here; choose an estimator that does")
    estimator.fit(X, targets, **{word: weights})
