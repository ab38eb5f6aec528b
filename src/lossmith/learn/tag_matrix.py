"""What y holds where labels are sets: a row of zeros and ones per example, a column per tag."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse

from lossmith.errors import BadInput, nearest
from lossmith.exact.rational import quoted
from lossmith.losses.ordering import columns_named, listed

Array: TypeAlias = np.ndarray[Any, Any]

_MAKE_IT = "MultiLabelBinarizer makes such a table of lists of tags"


def tag_matrix(y: Any) -> Array:
    """y as an array of zeros and ones, or what is wrong with it, by row and tag.

    >>> tag_matrix([[True, False], [1.0, 1]]).tolist()
    [[1, 0], [1, 1]]
    """
    if y is None:
        raise BadInput("learning requires y to be passed, but the target y is None; give zeros and ones, a row each")
    if not issparse(y) and np.ndim(_plain(y)) != 2:
        shape = getattr(y, "shape", None)
        what = f"has shape {shape}" if shape is not None else f"is {quoted(y)}"
        raise BadInput(f"y {what}; give a table of zeros and ones, a row per example, a column per tag: {_MAKE_IT}")
    table = y.toarray() if issparse(y) else np.asarray(y)
    if table.shape[1] == 0:
        raise BadInput(f"y has shape {table.shape}: there are no tags; give a column for each, {_MAKE_IT}")
    try:
        numbers = table.astype(float)
    except (TypeError, ValueError):
        numbers = np.full(table.shape, np.nan)
        numbers[(table == 0) | (table == 1)] = 0
    wrong = (numbers != 0) & (numbers != 1)
    if wrong.any():
        row, place = np.argwhere(wrong)[0].tolist()
        tag = names_of_tags(y, table.shape[1])[place]
        raise BadInput(
            f"y has {quoted(_scalar(table[row, place]))} in row {row} for tag {quoted(tag)}; give 1 if the example has "
            f"the tag, else 0"
        )
    return numbers.astype(int)


def lists_labels(y: Any) -> bool:
    """Whether y has one label per example, and no row of zeros and ones.

    >>> lists_labels(["a", "b"]), lists_labels([[0, 1]]), lists_labels([["a"], ["a", "b"]])
    (True, False, False)
    """
    flat = not issparse(y) and np.ndim(_plain(y)) == 1
    return flat and not any(isinstance(each, (list, tuple, set)) for each in y)


def tags_of_labels(y: Any, names: Sequence[Any]) -> Array:
    """One label per example as rows with a single 1.

    >>> tags_of_labels(["b", "a"], ["a", "b"]).tolist()
    [[0, 1], [1, 0]]
    """
    place = {name: i for i, name in enumerate(names)}
    given = np.asarray(y).tolist()
    for row, each in enumerate(given):
        if each not in place:
            raise BadInput(f"y[{row}] is {quoted(each)}, no label of the loss; {nearest(each, names)}")
    return np.eye(len(names), dtype=int)[[place[each] for each in given]]


def names_of_tags(y: Any, r: int) -> list[Any]:
    """The columns of a data frame, else numbers."""
    named = columns_named(y)
    return list(range(r)) if named is None else list(named)


def in_order_of(y: Any, tags: Array, known: Sequence[Any]) -> Array:
    """The columns of tags in the order of the known names, if both have names; a name that is missing is refused."""
    named = columns_named(y)
    if named is None or list(known) in (named, list(range(len(known)))):
        return tags
    missing = [name for name in known if name not in named]
    if missing:
        raise BadInput(f"y lacks the tag {quoted(missing[0])}; the model was trained on {listed(list(known))}")
    return np.asarray(tags[:, [named.index(name) for name in known]])


def tell_unused(tags: Array, names: Sequence[Any]) -> None:
    """Warn, in one line, of tags that no example has."""
    unused = np.flatnonzero(~tags.any(axis=0))
    if unused.size:
        shown = ", ".join(quoted(names[i]) for i in unused[:5]) + ", …" * (unused.size > 5)
        warnings.warn(f"y has no example of {unused.size} of {len(names)} tags: {shown}", stacklevel=3)


def _plain(y: Any) -> Any:
    """Something of which numpy tells the dimensions; rows of unequal length have one."""
    try:
        return np.asarray(y)
    except ValueError:
        return [None]


def _scalar(each: Any) -> Any:
    return each.item() if isinstance(each, np.generic) else each
