"""What classifiers that tell probabilities have in common."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from lossmith.errors import BadInput
from lossmith.learn.features_that_fit import refuse_missing
from lossmith.learn.weights import weights_of
from lossmith.losses.reading import plain

Array: TypeAlias = np.ndarray[Any, Any]


class MostProbable(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the most probable class, and reads sparse features; a class of its own tells the probabilities."""

    classes_: Array

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Array, Array, Array | None]:
        """The examples, their classes by name and by place in `classes_`, which is set here, and their weights."""
        refuse_missing(X)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        weights = weights_of(sample_weight, X)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise BadInput(f"y has one class only, {plain(self.classes_[0])!r}; a classifier needs two")
        return X, y, codes, weights

    def predict_proba(self, X: Any) -> Array:
        """The probabilities of the classes, in the order of `classes_`."""
        raise NotImplementedError

    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        P = self.predict_proba(X)
        chosen: Array = self.classes_[P.argmax(axis=1)]
        return chosen

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the rows whose class is predicted."""
        return float(super().score(X, y, sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
