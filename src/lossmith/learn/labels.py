"""What y holds: labels by name, or the codes that ensembles of scikit-learn make of them.

A meta-estimator may pass on what `np.unique(y, return_inverse=True)` makes of the names: 0 for the first in sorted
order, and so on. Integers are read as such codes only where that is certain: they are not all names (nor would be as
text), none is below 0 or above n−1, and n−1 occurs; and either sorting the labels changes nothing, so that they stand
for the rows as well, or the meta-estimator that calls has the labels for its classes. It is found on the call stack.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Undecided
from lossmith.errors import BadInput, TooLarge
from lossmith.families import count
from lossmith.learn.scoring import indices
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.families.sets.top_k_costs import TopKCosts
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import as_loss
from lossmith.losses.ordering import listed
from lossmith.losses.protocol import MAX_ENTRIES
from lossmith.losses.reading import array_of, plain

Array: TypeAlias = np.ndarray[Any, Any]


def one_label_each(y: Any) -> Array:
    """y as an array of one label per example; a label that is missing is called by its name."""
    if y is None:
        raise BadInput("learning requires y to be passed, but the target y is None; give one label per example")
    shape: tuple[int, ...] = np.shape(y) if hasattr(y, "shape") else ()
    if len(shape) == 2 and shape[1] > 1:
        raise BadInput(
            f"y has shape {shape}, like an indicator matrix of sets; for {shape[1]} tags use SubsetClassifier, or give "
            f"one label per example"
        )
    values: Array = column_or_1d(y, warn=True)
    if values.dtype.kind in "fO":
        absent = (i for i, each in enumerate(values.tolist()) if each is None or _is_nan(each))
        for i in absent:
            raise BadInput(f"y[{i}] is {values[i]}, no label; leave out the examples whose label is not known")
    if values.dtype.kind == "O" and len(values) and not isinstance(values[0], str):
        return array_of(tuple(map(plain, values)))  # numbers among objects, of which scikit-learn knows no type
    return values


def _is_nan(each: Any) -> bool:
    return not isinstance(each, str) and str(each) in ("nan", "<NA>", "NaT")


def in_sorted_order(labels: Sequence[Any]) -> Array:
    """The places of the labels in sorted order; as they are where they cannot be compared.

    >>> in_sorted_order(("legit", "fraud")).tolist()
    [1, 0]
    """
    try:
        return np.array(sorted(range(len(labels)), key=labels.__getitem__), dtype=np.intp)
    except TypeError:
        return np.arange(len(labels))


def loss_for(loss: Any, surrogate: Any, y: Array, X: Any) -> LossMatrix:
    """The loss; that of a design; 0-1 on the classes seen if none is given; the mean of costs per example."""
    if isinstance(loss, ExampleCosts):
        return loss.mean(X)
    if loss is not None:
        made = as_loss(loss)
        if isinstance(made, TopKCosts) and made.n * made.k > MAX_ENTRIES:
            raise TooLarge(
                f"{made.name} has {count(made.k)} decisions, more than are written down for SurrogateClassifier; "
                f"SubsetClassifier(loss) takes the same X and y, and tells the guesses as zeros and ones"
            )
        return made.matrix()
    if isinstance(surrogate, (Calibrated, NotCalibrated, Undecided)):
        return surrogate.loss
    names = np.unique(y).tolist()
    if len(names) < 2:
        raise BadInput(f"y has one class only, {plain(names[0])!r}; a classifier needs two, or give the loss")
    return LossMatrix.from_function(lambda a, b: int(a != b), names, name=f"zero_one(n={len(names)})")


def rows_of_labels(y: Array, loss: LossMatrix) -> tuple[Array, bool]:
    """The row of the loss that each label belongs to, and whether y holds codes."""
    order, n = in_sorted_order(loss.labels), loss.n
    if y.dtype.kind == "f" and not set(np.unique(y).tolist()) <= set(loss.labels):
        check_classification_targets(y)  # numbers to be regressed on are called so
    seen = np.unique(y).tolist() if y.dtype.kind in "iu" else []
    if not seen or seen[0] < 0 or seen[-1] >= n or all(loss.labels[order[code]] == code for code in seen):
        return indices(y, loss.labels, "label", loss.name), False
    if {str(code) for code in seen} <= {str(label) for label in loss.labels}:
        raise BadInput(
            f"y holds {listed(seen)}, labels of {loss.name}, or the places of its labels {listed(loss.labels)} in "
            f"sorted order, as ensembles pass them; give an example of every label, or name the labels by words"
        )
    if seen[-1] < n - 1:
        raise BadInput(
            f"y holds {listed(seen)}, no labels of {loss.name}; as codes they may stand for any {len(seen)} of the {n} "
            f"labels {listed(loss.labels)}, because {n - 1} does not occur: give the labels by name"
        )
    if order.tolist() != list(range(n)) and not _passed_on(loss.labels):
        raise BadInput(
            f"y holds {listed(seen)}: the rows of {loss.name}, {listed(loss.labels)}, or these in sorted order? Give "
            f"the labels by name, or a loss with its rows in sorted order: loss.restrict(labels=sorted(loss.labels))"
        )
    return order[y], True


def _passed_on(labels: Sequence[Any]) -> bool:
    """Whether a meta-estimator of scikit-learn with these labels for its classes is at work further up the stack."""
    frame = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith("sklearn."):
            for each in frame.f_locals.values():
                classes = getattr(each, "classes_", None) if isinstance(each, BaseEstimator) else None
                if classes is not None and len(classes) == len(labels) and {*classes} == {*labels}:
                    return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def names_or_codes(names: Sequence[Any], loss: LossMatrix, coded: bool) -> Array:
    """The names as an array; coded, those that are labels by their codes, if all are."""
    if coded and set(names) <= set(loss.labels):
        codes: Array = np.argsort(in_sorted_order(loss.labels))[indices(names, loss.labels, "label", loss.name)]
        return codes
    return array_of(tuple(names))
