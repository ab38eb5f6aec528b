"""Decisions by name from the scores of a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordering import columns_named, is_sorted, listed
from lossmith.losses.reading import array_of, plain
from lossmith.surrogates.pred import AnyPred
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.surrogate import Surrogate

if TYPE_CHECKING:
    import numpy as np


def scores_for(
    U: object, surrogate: Surrogate, loss: LossMatrix, classes: Iterable[Any] | None
) -> np.ndarray[Any, Any]:
    """Rows of scores, one column for each function, whose labels come in the order of the rows of the loss.

    Fewer scores than labels are coordinates of a surrogate; as many or more may belong to labels, or to pairs of them,
    in the order of whoever trained them. `classes` tells that order, which must be the one of the rows; without it they
    are taken only if sorting the labels changes nothing. A data frame with a column for each label is put in order.

    >>> from lossmith import check, losses, surrogates
    >>> check(surrogates.crammer_singer(3), losses.abstain(3)).decide([[2, 0, 0], [0, 0, 0]]).tolist()
    [0, 'abstain']
    """
    import numpy as np

    points = np.asarray(U, dtype=float)
    if points.ndim == 1:
        raise BadInput(
            f"U has shape {points.shape}, as decision_function has for two classes: one number u, positive for the "
            f"second class; give {surrogate.dim} columns, the scores of {surrogate.name}"
            + (": for log-odds np.stack([-u / 2, u / 2], axis=1)" if surrogate.dim == 2 else "")
        )
    if points.ndim != 2 or points.shape[1] != surrogate.dim:
        raise BadInput(f"U has shape {points.shape}; it needs one column for each of the {surrogate.dim} scores")
    way = "check the surrogate for loss.restrict(labels=model.classes_), and write decide(U, classes=model.classes_)"
    columns = columns_named(U)
    if columns is not None and surrogate.dim == loss.n and set(columns) == set(loss.labels):
        if classes is not None and columns != [plain(each) for each in classes]:
            raise BadInput(f"U has the columns {listed(columns)}, but classes says otherwise; leave out classes")
        return points[:, [columns.index(label) for label in loss.labels]]
    proper = isinstance(surrogate, SmoothSurrogate) and surrogate.traits.proper is not None  # without the last label
    if classes is not None:
        names = [plain(each) for each in classes]
        if names != list(loss.labels):
            raise BadInput(f"the scores are for {listed(names)}, but the rows for {listed(loss.labels)}; {way}")
    elif surrogate.dim >= loss.n - proper and not is_sorted(loss.labels):
        known = f"U does not say which score is which, and sorting the labels {listed(loss.labels)} changes their order"
        raise BadInput(f"{known}; {way}")
    return points


def decisions(pred: AnyPred, U: np.ndarray[Any, Any], loss: LossMatrix) -> np.ndarray[Any, Any]:
    """What the pred decides for each row of U, by name."""
    import numpy as np

    named: np.ndarray[Any, Any] = array_of(loss.predictions)[np.asarray(pred.decide(U), dtype=np.intp)]
    return named
