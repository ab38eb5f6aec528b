"""What classifiers that tell probabilities have in common."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

Array: TypeAlias = np.ndarray[Any, Any]


class MostProbable(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the most probable class, and reads sparse features; a class of its own tells the probabilities."""

    classes_: Array

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
