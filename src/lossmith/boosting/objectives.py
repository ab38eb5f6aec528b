"""Gradients and curvatures of the smooth surrogates, in the shapes that LightGBM and XGBoost take.

Neither package is imported: an objective is a function of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from lossmith.calibration.verdicts import Calibrated, Surrogate
from lossmith.errors import BadInput, BadSurrogate
from lossmith.losses.ordering import is_sorted, listed
from lossmith.surrogates.forms import Form
from lossmith.surrogates.margins import exponential, margin_named
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Objective:
    """What both packages call for a loss: (gradient, curvature) of ψ_y at the scores, in the shape of the scores.

    It may be called as `objective(scores, data)`, where data has `get_label` and `get_weight`, or as
    `objective(labels, scores, sample_weight)`, as the interfaces for scikit-learn do. The labels are 0 … n−1. The
    curvature is the diagonal of the Hessian, for softmax times `softmax_factor`.
    """

    surrogate: SmoothSurrogate
    softmax_factor: Fraction
    form: Form = field(repr=False)
    unsorted: tuple[Any, ...] = ()  # labels that an estimator would number in another order

    @property
    def outputs(self) -> int:
        """The number of scores that the model must have: set `num_class` to it if it is more than 1."""
        return self.surrogate.dim

    def __call__(self, first: Any, second: Any, sample_weight: Any = None) -> tuple[Array, Array]:
        """The gradient and the curvature for every example and score."""
        if hasattr(second, "get_label"):
            given, labels, sample_weight = first, second.get_label(), second.get_weight()
        else:
            given, labels = second, first
            if self.unsorted:
                raise BadInput(
                    f"LightGBM's estimators number classes in sorted order; the labels are {listed(self.unsorted)}: "
                    f"make the surrogate for loss.restrict(labels=sorted(loss.labels))"
                )
        scores = self._scores(given)
        y = self._labels(labels, len(scores))
        slope, curvature = self._derivatives(scores, y)
        factor = self._floats[1][y]
        if sample_weight is not None and np.size(sample_weight):
            factor = factor * np.asarray(sample_weight, dtype=float)
        shape = np.shape(given)
        return (slope * factor[:, None]).reshape(shape), (curvature * factor[:, None]).reshape(shape)

    def _derivatives(self, u: Array, y: Array) -> tuple[Array, Array]:
        rows = self._floats[0][y]
        if self.form.kind == "square":
            return 2 * (u - rows), np.full_like(u, 2.0)
        if self.form.kind == "logistic":
            shares = np.exp(-np.logaddexp(0, -u))
            return shares - rows, shares * np.exp(-np.logaddexp(0, u))
        if self.form.kind != "softmax":
            signs = 2 * rows - 1
            slope = margin_named(self.form.kind.replace(" ", "-")).slope(signs * u)
            return signs * slope, _curvature(self.form.kind, signs * u)
        shares = np.exp(u - u.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares - rows, float(self.softmax_factor) * shares * (1 - shares)

    @cached_property
    def _floats(self) -> tuple[Array, Array]:
        return np.array(self.form.rows, dtype=float), np.array(self.form.weights, dtype=float)

    def _scores(self, given: Any) -> Array:
        scores = np.asarray(given, dtype=float)
        if scores.ndim == 1 and self.outputs == 1:
            scores = scores[:, None]
        if scores.ndim != 2 or scores.shape[1] != self.outputs:
            setting = f"num_class={self.outputs}" if self.outputs > 1 else "no num_class"
            raise BadInput(
                f"the model has scores of shape {np.shape(given)}; {self.surrogate.name} needs {self.outputs} for each "
                f"example: train with {setting}"
            )
        return scores

    def _labels(self, given: Any, rows: int) -> Array:
        labels = np.asarray(given, dtype=float)
        if labels.shape != (rows,):
            raise BadInput(f"the labels have shape {labels.shape}; give one for each of the {rows} examples")
        n = self.surrogate.n
        wrong = labels[(labels != np.floor(labels)) | (labels < 0) | (labels >= n)]
        if wrong.size or np.isnan(labels).any():
            shown = wrong[0] if wrong.size else np.nan
            raise BadInput(f"a label is {shown:g}; {self.surrogate.name} has the labels 0 to {n - 1}, as integers")
        return labels.astype(int)


def _curvature(kind: str, margins: Array) -> Array:
    """φ″ of the margins; at a kink of φ′ that of the steeper side."""
    if kind == "exponential":
        return exponential(margins)
    if kind == "smooth hinge":
        return np.where((margins >= 0) & (margins < 1), 1.0, 0.0)
    return np.where((margins < 1) & ((kind == "squared hinge") | (margins >= -1)), 2.0, 0.0)


def lightgbm_objective(surrogate: Surrogate | Calibrated) -> Objective:
    """The surrogate as `objective` for `lgb.train`, with `num_class` set to `outputs`, or for LightGBM's estimators.

    For softmax the curvature is n / (n − 1) times the diagonal of the Hessian, as in LightGBM's own "multiclass".

    >>> from lossmith.surrogates import square
    >>> gradient, curvature = lightgbm_objective(square([[0], [3]]))([0, 1], np.array([1.0, 1.0]))
    >>> gradient.tolist(), curvature.tolist()
    ([2.0, -4.0], [2.0, 2.0])
    """
    read, form = _read(surrogate)
    labels = surrogate.loss.labels if isinstance(surrogate, Calibrated) else ()
    return Objective(read, Fraction(read.n, read.n - 1), form, () if is_sorted(labels) else labels)


def xgboost_objective(surrogate: Surrogate | Calibrated) -> Objective:
    """The surrogate as `obj` for `xgb.train`, with `num_class` set to `outputs`, or `objective` of its estimators.

    For softmax the curvature is twice the diagonal of the Hessian, as in XGBoost's own "multi:softprob"; the Hessian
    exceeds that nowhere, because it is diagonally dominant. Predict with `output_margin=True`.

    >>> from lossmith.surrogates import softmax
    >>> gradient, curvature = xgboost_objective(softmax(2))([0], np.array([[0.0, 0.0]]))
    >>> gradient.tolist(), curvature.tolist()
    ([[-0.5, 0.5]], [[0.5, 0.5]])
    """
    read, form = _read(surrogate)
    return Objective(read, Fraction(2), form)


def _read(given: object) -> tuple[SmoothSurrogate, Form]:
    surrogate = given.surrogate if isinstance(given, Calibrated) else given
    form = surrogate.form if isinstance(surrogate, SmoothSurrogate) else None
    if form is None or not isinstance(surrogate, SmoothSurrogate):
        name = getattr(surrogate, "name", repr(surrogate))
        raise BadSurrogate(
            f"{name} has no curvature that boosting could use; train probabilities, as softmax does, and decide by "
            f'loss.decide; or take a square, such as lm.design(loss, method="square")'
        )
    return surrogate, form
