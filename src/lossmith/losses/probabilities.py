"""Predicted probabilities: a row for each case, in floats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.losses.ordering import is_sorted, listed, rows_of_columns, told_by_model
from lossmith.losses.reading import Name, plain

if TYPE_CHECKING:
    import numpy as np

OFF = 1e-3  # by which a sum of rounded probabilities may differ from 1


def is_batch(P: Any) -> bool:
    """Whether P holds several rows, rather than one distribution.

    >>> is_batch([[0.5, 0.5]]), is_batch([0.5, 0.5]), is_batch(["1/2", "1/2"])
    (True, False, False)
    """
    if hasattr(P, "columns") or hasattr(P, "column_names"):
        return True
    if hasattr(P, "ndim"):
        return bool(P.ndim > 1)
    return (
        isinstance(P, (list, tuple)) and len(P) > 0 and getattr(P[0], "ndim", int(isinstance(P[0], (list, tuple)))) == 1
    )


def told_probabilities(
    P: Any, X: object, labels: Sequence[Name], classes: Iterable[Name] | None, *, bare: bool
) -> tuple[np.ndarray[Any, Any], list[int], bool]:
    """Rows of probabilities, from a model for X or from a table; the label of each column; whether it was one row.

    `bare`: beside a table X would mean nothing, as no costs depend on it.
    """
    if hasattr(P, "predict_proba") or hasattr(P, "predict"):
        if classes is not None:
            raise BadInput("classes are given beside a model, which has its own; write decide(model, X)")
        P, classes = told_by_model(P, X)
        _refuse_codes([plain(each) for each in classes], labels)
    elif X is not None and bare:
        raise BadInput("P is no model, so X means nothing; write decide(P, classes=…) or decide(model, X)")
    order = None if classes is None else rows_of_columns(P, labels, classes)
    table, single = probability_rows(P, labels)
    return table, order or rows_of_columns(P, labels, None), single


def _refuse_codes(classes: Sequence[Name], labels: Sequence[Name]) -> None:
    """Raise if the model knows numbers for the labels, with the line that says which number is which label."""
    if set(classes) & set(labels) or not all(isinstance(each, (int, float)) for each in classes):
        return
    codes = f"range({len(labels)})" if set(classes) <= set(range(len(labels))) else "model.classes_"
    if codes == "model.classes_" and len(classes) != len(labels):
        return
    write = f"loss.rename(labels={codes}, predictions=loss.predictions).decide(model, X)"
    in_order = f"loss.restrict(labels=sorted(loss.labels)){write.removeprefix('loss')}"
    encoded = "" if is_sorted(labels) else f"; of a LabelEncoder they are in sorted order: {in_order}"
    raise BadInput(
        f"the model was fitted on {listed(classes)}, not on the labels {listed(labels)}; if these are codes in the "
        f"order of the rows, write {write}{encoded}"
    )


def probability_rows(P: object, labels: Sequence[Name]) -> tuple[np.ndarray[Any, Any], bool]:
    """Rows of probabilities as floats, and whether P was a single one."""
    import numpy as np

    try:
        given = np.asarray(P, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("P is not a table of numbers; give one row of probabilities per case") from None
    rows = np.atleast_2d(given)
    if rows.ndim != 2 or rows.shape[1] != len(labels):
        raise BadInput(
            f"P has shape {given.shape}; it needs one column for each of the {len(labels)} labels {listed(labels)}"
        )
    bad = np.flatnonzero(~((rows >= 0).all(axis=1) & (abs(rows.sum(axis=1) - 1) < OFF)))
    if bad.size:
        shown = listed([float(f"{x:.4g}") for x in rows[bad[0]]])
        raise BadInput(f"row {bad[0]} of P is {shown}; probabilities are at least 0 and sum to 1")
    return rows, given.ndim < 2
