"""What is told of a document, and of a pair of documents: the features of a regressor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

Array: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Features:
    """The features X of documents, a row each; where targets are divided by what a query has, also its means.

    >>> told = Features.of(np.array([[0.0], [2], [5]]), np.array([0, 2, 3]), means=True)
    >>> told.documents(np.array([1, 2])).tolist()
    [[2.0, 1.0], [5.0, 5.0]]
    >>> told.pairs(np.array([0]), np.array([1])).tolist()
    [[0.0, 2.0, 1.0]]
    """

    X: Any
    means: Any = None

    @classmethod
    def of(cls, X: Any, starts: Array, *, means: bool) -> Features:
        """Features of documents whose queries start at `starts`."""
        return cls(X, _means(X, starts) if means else None)

    def documents(self, rows: Array) -> Any:
        """The features of these documents."""
        return self.X[rows] if self.means is None else _beside(self.X[rows], self.means[rows])

    def pairs(self, first: Array, second: Array) -> Any:
        """The features of both documents, then the means of their query or else the difference."""
        a, b = self.X[first], self.X[second]
        return _beside(a, b, a - b if self.means is None else self.means[first])


def stacked(above: Any, below: Any) -> Any:
    """One table above the other."""
    return sparse.vstack([above, below], format="csr") if sparse.issparse(above) else np.concatenate([above, below])


def _beside(*parts: Any) -> Any:
    return sparse.hstack(parts, format="csr") if sparse.issparse(parts[0]) else np.hstack(parts)


def _means(X: Any, starts: Array) -> Any:
    """The mean of each feature over the query of each document, of the values that are not missing."""
    query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    if sparse.issparse(X):
        member = sparse.csr_array((np.ones(len(query)), (query, np.arange(len(query)))))
        return (sparse.diags_array(1 / np.diff(starts)) @ member @ X).tocsr()[query]
    present = ~np.isnan(X)
    sums = np.add.reduceat(np.where(present, X, 0), starts[:-1], axis=0)
    with np.errstate(invalid="ignore"):
        return (sums / np.add.reduceat(present.astype(int), starts[:-1], axis=0))[query]
