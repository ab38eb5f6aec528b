"""Examples that come in chunks: pairs (X, y), blocks of an array on disk, or the blocks of a dask collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from sklearn.utils.validation import _num_samples

from lossmith.errors import BadInput

Array: TypeAlias = np.ndarray[Any, Any]
Chunk: TypeAlias = tuple[Any, Any, Any]  # X, y, weights or None

_NUMBERS = 2_000_000  # in a chunk: 16 MB of floats


@dataclass(frozen=True, eq=False)
class Chunks:
    """Rows of X and y, `size` at a time: what lies on disk is read when its turn comes.

    >>> [len(y) for X, y, _ in Chunks(np.zeros((5, 2)), np.arange(5), size=2)]
    [2, 2, 1]
    """

    X: Any
    y: Any
    sample_weight: Any = None
    size: int | None = None

    def __post_init__(self) -> None:
        lengths = [_num_samples(each) for each in (self.X, self.y, self.sample_weight) if each is not None]
        if len(set(lengths)) > 1:
            given = f", and there are {lengths[2]} weights" if len(lengths) > 2 else ""
            raise BadInput(
                f"X has {lengths[0]} rows and y {lengths[1]}{given}; give one label and one weight per example"
            )
        if self.size is not None and not (isinstance(self.size, (int, np.integer)) and self.size >= 1):
            raise BadInput(f"size is {self.size!r}; give a whole number of rows, at least 1")

    def __iter__(self) -> Iterator[Chunk]:
        size = rows_of_each(self)
        for start in range(0, _num_samples(self.y), size):
            rows = slice(start, start + size)
            yield tuple(None if each is None else each[rows] for each in (self.X, self.y, self.sample_weight))  # type: ignore[misc]


def rows_of_each(given: Chunks) -> int:
    """How many rows a chunk has, but the last."""
    width = int(np.prod(np.shape(given.X)[1:])) or 1
    return int(given.size or max(1, _NUMBERS // width))


def chunks(X: Any, y: Any, sample_weight: Any = None, *, size: int | None = None) -> Chunks:
    """Arrays, memory-mapped or not, as chunks for `SurrogateClassifier.fit`: of 2 million numbers, or `size` rows.

    >>> from lossmith.learn import SurrogateClassifier
    >>> X, y = np.arange(8.0).reshape(8, 1), np.arange(8) // 4
    >>> SurrogateClassifier("zero-one:n=2", "square").fit(chunks(X, y, size=3)).predict([[1], [7]]).tolist()
    [0, 1]
    """
    return Chunks(X, y, sample_weight, size)


def is_dask(X: Any) -> bool:
    """Whether X is a collection of dask, which need not be installed."""
    return type(X).__module__.partition(".")[0] == "dask" and hasattr(X, "to_delayed")


def comes_in_chunks(X: Any, y: Any) -> bool:
    """Whether `fit(X, y)` is asked to learn from chunks: of dask, or from an iterable without a y beside it."""
    if isinstance(X, Chunks) and y is not None:
        raise BadInput("y is given beside chunks, which bring theirs; leave it out")
    return is_dask(X) or (
        y is None and isinstance(X, Iterable) and not hasattr(X, "shape") and not isinstance(X, (str, bytes, dict))
    )


def each_chunk(X: Any, y: Any, sample_weight: Any) -> Iterator[Chunk]:
    """The chunks, each as (X, y, weights)."""
    if is_dask(X):
        yield from _of_dask(X, y, sample_weight)
        return
    if sample_weight is not None:
        raise BadInput("sample_weight is given beside chunks; give chunks (X, y, sample_weight)")
    for number, chunk in enumerate(X):
        if not isinstance(chunk, (tuple, list)) or len(chunk) not in (2, 3) or np.isscalar(chunk[0]):
            raise BadInput(
                f"chunk {number} is a {type(chunk).__name__}, no pair (X, y); learning requires y to be passed, but "
                f"the target y is None: give y beside X, or an iterable of pairs"
            )
        yield (*chunk, None)[:3]


def _of_dask(X: Any, y: Any, sample_weight: Any) -> Iterator[Chunk]:
    """The blocks of X with those of y and the weights, which may also be in memory."""
    if y is None:
        raise BadInput("learning requires y to be passed, but the target y is None; give one label per example")
    for name, each in (("y", y), ("sample_weight", sample_weight)):
        sizes = [getattr(table, "shape", (None,))[0] for table in (X, each)]  # those of frames are not known
        if all(isinstance(size, int) for size in sizes) and sizes[0] != sizes[1]:
            raise BadInput(f"X has {sizes[0]} rows and {name} {sizes[1]}; give one for each example")
    compute = import_module("dask").compute
    if hasattr(X, "rechunk"):
        X = X.rechunk({1: -1})
    blocks = [np.ravel(X.to_delayed())]
    for name, each in (("y", y), ("sample_weight", sample_weight)):
        if is_dask(each):
            if hasattr(each, "rechunk") and hasattr(X, "rechunk") and each.chunks[0] != X.chunks[0]:
                each = each.rechunk({0: X.chunks[0]})
            blocks.append(np.ravel(each.to_delayed()))
            if len(blocks[-1]) != len(blocks[0]):
                raise BadInput(f"X has {len(blocks[0])} blocks and {name} {len(blocks[-1])}; repartition them alike")
    start = 0
    for computed in map(compute, *blocks):
        given = iter(computed[1:])
        rows = slice(start, start + len(computed[0]))
        yield (
            computed[0],
            *(
                next(given) if is_dask(each) else None if each is None else np.asarray(each)[rows]
                for each in (y, sample_weight)
            ),
        )
        start = rows.stop
