"""Probabilities one can rely on: without class weights, calibrated, and for the priors of use.

Each is a factor for every label, and the rows are made to sum to 1 again. Class weights w_y make the estimated odds
∝ w_y p_y, so they are divided out. Priors: if only the frequencies of the labels change between training and use, not
what an example of each looks like, then P_new(y | x) ∝ P(y | x) π_new(y) / π_train(y).
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.class_weight import compute_class_weight

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordering import index, is_sorted, listed
from lossmith.losses.trained_weights import trained_weights

Array: TypeAlias = np.ndarray[Any, Any]

METHODS = ("temperature", "isotonic", "sigmoid")
_FOLDS = 5


def calibrated(classifier: Any, method: Any, labels: Array) -> Any:
    """The classifier, calibrated in inner folds; as it is for None. One that is frozen is calibrated on all examples.

    Sigmoids and isotonic curves are fitted to each label against the rest, temperature to all at once: softmax(z/T).
    """
    if method is None:
        return classifier
    if method not in METHODS:
        raise BadInput(f"calibration is {method!r}; give None, {', '.join(map(repr, METHODS))}")
    if isinstance(classifier, FrozenEstimator):
        return CalibratedClassifierCV(classifier, method=method)
    names, counts = np.unique(labels, return_counts=True)
    if counts.min() < 2:
        rare = names.tolist()[counts.argmin()]
        raise BadInput(f"y has one example of {rare!r}; calibration in folds needs two or more of each label")
    folds = StratifiedKFold(min(_FOLDS, int(counts.min())), shuffle=True, random_state=0)  # y may come in order
    return CalibratedClassifierCV(classifier, method=method, cv=folds)


def order_in_calibration(order: Sequence[Any], method: Any, labels: Array) -> tuple[Any, ...]:
    """The order of the labels as the classifier meets them: temperature hands on codes where labels are words.

    >>> order_in_calibration(["low", "mid", "high"], "temperature", np.array(["mid", "low", "high"]))
    (1, 2, 0)
    """
    if method != "temperature" or not isinstance(labels[0], str):
        return tuple(order)
    places = {name: code for code, name in enumerate(np.unique(labels).tolist())}
    return tuple(places[name] for name in order if name in places)


def class_weights(fitted: Any, labels: Array, sample_weight: Array | None) -> tuple[Array | None, str]:
    """The weights of its classes that a classifier was trained with, and where they stand; a warning if unknown."""
    found = trained_weights(fitted)
    if found is None:
        return None, ""
    counted = sample_weight if "LogisticRegression" in found.said and _COUNTS_WEIGHTS else None
    counts = [float(_mass(labels == each, counted)) for each in fitted.classes_]
    weights = found.by_class(list(fitted.classes_), counts)
    if weights is None:
        warnings.warn(
            f"{found.said}: its probabilities are those of reweighted classes, and the weights cannot be divided out; "
            f'train without, or calibration="isotonic"',
            stacklevel=5,
        )
        return None, ""
    return np.array(weights), found.said


# Newer versions of scikit-learn balance frequencies that are weighted by sample_weight, in linear models.
_COUNTS_WEIGHTS = "sample_weight" in inspect.signature(compute_class_weight).parameters


def _mass(chosen: Array, sample_weight: Array | None) -> float:
    return float(chosen.sum() if sample_weight is None else sample_weight[chosen].sum())


def ratios_of_priors(priors: Any, loss: LossMatrix, truth: Array, sample_weight: Array | None) -> Array:
    """π_new(y) / π_train(y) for each row of the loss; 1 for labels without examples.

    >>> from lossmith.losses import zero_one
    >>> ratios_of_priors({0: 0.9, 1: 0.1}, zero_one(2), np.array([0, 1, 1, 1]), None).round(3).tolist()
    [3.6, 0.133]
    """
    return ratios_of_counts(priors, loss, np.bincount(truth, weights=sample_weight, minlength=loss.n))


def ratios_of_counts(priors: Any, loss: LossMatrix, seen: Array) -> Array:
    """The same of how often each label was seen."""
    new = _priors(priors, loss)
    old = seen / seen.sum()
    return np.where(old > 0, new / np.where(old > 0, old, 1), 1.0)


def _priors(priors: Any, loss: LossMatrix) -> Array:
    if hasattr(priors, "to_dict"):  # a series brings the names of the labels
        priors = priors.to_dict()
    if isinstance(priors, Mapping):
        missing = [label for label in loss.labels if label not in priors]
        if missing:
            raise BadInput(f"priors lack {missing[0]!r}; give one for each of the labels {listed(loss.labels)}")
        for name in priors:
            index(loss.labels, name, "label")
        priors = [priors[label] for label in loss.labels]
    elif hasattr(priors, "dtype") and not is_sorted(loss.labels):
        raise BadInput(
            f"priors do not say whose they are, and sorting the labels {listed(loss.labels)} changes their order; give "
            f"a mapping {{label: prior}}, or a list in the order of the rows"
        )
    try:
        given = np.array(priors, dtype=float)
    except (TypeError, ValueError):
        raise BadInput(f"priors are {priors!r}; give a mapping {{label: prior}}, or a list of numbers") from None
    if given.shape != (loss.n,) or not (given >= 0).all() or not abs(given.sum() - 1) < 1e-3:
        raise BadInput(
            f"priors are {given.tolist()}; give a number of at least 0 for each of {loss.n} labels, 1 in sum"
        )
    scaled: Array = given / given.sum()
    return scaled
