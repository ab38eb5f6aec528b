"""An estimator that learns to rank the documents of a query for a metric."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from lossmith.constructions.squares_of_factors import SquaresOfFactors
from lossmith.errors import BadInput
from lossmith.learn.features import Features, stacked
from lossmith.learn.metrics import construction, metric_named
from lossmith.learn.queries import starts_of
from lossmith.losses.ranking.graphs import as_graph

Array: TypeAlias = np.ndarray[Any, Any]

_BATCH = 100_000  # pairs whose features are built at a time


class SubsetRanker(BaseEstimator):  # type: ignore[misc]
    """Learn to rank the documents of a query: least squares on the factors of the metric's loss, then its pred.

    What is learned is a number per document for "ndcg" (its gain, divided by the ideal DCG of the query) and
    "precision@q" (its relevance), and a number per pair of documents for "map" (y_i y_j / ‖y‖₁) and "pd" (which of
    the two is preferred). Sorting decides for the first two; for pairs `pred` is exact up to 16 documents and a local
    search above. As far as the regressor comes to know the means of these numbers, given the query, the rankings are
    the best ones, for queries of any length: the loss is calibrated for each.

    Parameters
    ----------
    metric : "ndcg", "map", "pd" or "precision@q" with a number for q
        "pd" counts the preferences that a ranking contradicts.
    estimator : a regressor, or None
        What learns the numbers (default: gradient boosting). A pair has the features of both documents and, for "pd",
        their difference; it is shown in both orders, and the two predictions are averaged (for "pd", with a sign). The
        numbers of "ndcg" and "map" are divided by what the query has, so that they depend on all its documents: there
        the means of the query are features too.
    max_pairs : int
        Train on this many pairs, drawn at random, where there are more.
    random_state : int, generator or None
        For that draw, and for the default estimator.

    Attributes
    ----------
    metric_ : the metric, with its loss for every number of documents
    regressor_ : the fitted regressor
    n_features_in_ : the number of features of a document

    >>> X, y = np.array([[0.0], [1], [2], [0], [2]]), [0, 0, 1, 0, 1]
    >>> from sklearn.linear_model import LinearRegression
    >>> model = SubsetRanker("ndcg", LinearRegression()).fit(X, y, qid=[7, 7, 7, 8, 8])
    >>> model.predict(X, qid=[7, 7, 7, 8, 8]).tolist()
    [2, 1, 0, 1, 0]
    """

    def __init__(
        self, metric: str = "ndcg", estimator: Any = None, *, max_pairs: int = 1_000_000, random_state: Any = 0
    ) -> None:
        self.metric = metric
        self.estimator = estimator
        self.max_pairs = max_pairs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, qid: Any = None, *, group: Any = None) -> SubsetRanker:
        """Train on documents X, a row each, with relevance y; rows of a query are consecutive.

        `qid` tells the query of each row, or `group` the number of rows of each query. For "pd" y may be a list with
        the preferences of each query instead: pairs (i, j), the i-th of its documents preferred to the j-th.
        """
        self.metric_ = metric_named(self.metric)
        if not isinstance(self.max_pairs, (int, np.integer)) or self.max_pairs < 1:
            raise BadInput(f"max_pairs is {self.max_pairs!r}; it must be a whole number, at least 1")
        X = self._read(X, reset=True)
        starts = starts_of(X.shape[0], qid, group)
        labels = self._labels(y, starts)
        used = [
            (start, end - start, label)
            for start, end, label in zip(starts[:-1], starts[1:], labels, strict=True)
            if label is not None and end - start >= self.metric_.fewest
        ]
        if not used:
            raise BadInput(
                f"no query has {self.metric_.fewest} documents or more and a label: there is nothing to learn for "
                f"{self.metric}; look at qid or group"
            )
        targets = np.concatenate([construction(self.metric_, int(r)).targets([label])[0] for _, r, label in used])
        self.regressor_ = self._regressor()
        told = Features.of(X, starts, means=self.metric_.normalised)
        if self.metric_.learns == "documents":
            rows = np.concatenate([np.arange(start, start + r) for start, r, _ in used])
            self.regressor_.fit(told.documents(rows), targets)
            return self
        first, second = self._pairs([(start, r) for start, r, _ in used])
        if len(first) > self.max_pairs:
            random = check_random_state(self.random_state)
            drawn = np.sort(random.choice(len(first), self.max_pairs, replace=False))
            first, second, targets = first[drawn], second[drawn], targets[drawn]
        both = stacked(told.pairs(first, second), told.pairs(second, first))
        self.regressor_.fit(both, np.concatenate([targets, self._turned * targets]))
        return self

    def predict(self, X: Any, qid: Any = None, *, group: Any = None) -> Array:
        """The position of each document in its query, from 0."""
        X, starts = self._queries(X, qid, group)
        return self._positions(X, starts)

    def rank(self, X: Any, qid: Any = None, *, group: Any = None) -> Array:
        """The numbers of the rows, query after query, each with its best document first."""
        X, starts = self._queries(X, qid, group)
        return np.lexsort((self._positions(X, starts), np.repeat(np.arange(len(starts) - 1), np.diff(starts))))

    def decision_function(self, X: Any, qid: Any = None, *, group: Any = None) -> Any:
        """What was learned: a number per document; for "map" and "pd" a list with a matrix for each query.

        That of "map" is symmetric; that of "pd" antisymmetric, positive where the column is preferred to the row.
        """
        X, starts = self._queries(X, qid, group)
        scores = self._scores(X, starts)
        if self.metric_.learns == "documents":
            return np.concatenate(scores)
        tables = []
        for r, each in zip(np.diff(starts).tolist(), scores, strict=True):
            table = np.zeros((r, r))
            a, b = self.metric_.pairs(r)
            table[b, a] = self._turned * each
            table[a, b] = each
            tables.append(table)
        return tables

    def score(self, X: Any, y: Any, qid: Any = None, *, group: Any = None) -> float:
        """The mean of the metric over the queries; of "pd", the negative mean number of contradicted preferences.

        NDCG is 0 where nothing is relevant; average precision is undefined there, and such queries are left out.
        """
        X, starts = self._queries(X, qid, group)
        values = self._values(self._labels(y, starts), self._positions(X, starts), starts)
        if not values:
            raise BadInput("no query has a relevant document; average precision is undefined without one")
        return float(np.mean(values))

    def construction(self, r: int) -> SquaresOfFactors:
        """What is certified for queries of r documents: `.loss`, `.target(y)`, `.pred(U)` and `.certificate`."""
        check_is_fitted(self)
        return construction(self.metric_, r)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._regressor()).input_tags
        tags.target_tags.required = True
        return tags

    # What goes in.

    def _regressor(self) -> Any:
        if self.estimator is None:
            return HistGradientBoostingRegressor(random_state=self.random_state)
        return clone(self.estimator)

    def _read(self, X: Any, *, reset: bool) -> Any:
        tags = get_tags(self).input_tags
        return validate_data(
            self,
            X,
            accept_sparse="csr" if tags.sparse else False,
            dtype=[np.float64, np.float32],  # numbers without a sign have no differences
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
            reset=reset,
        )

    def _queries(self, X: Any, qid: Any, group: Any) -> tuple[Any, Array]:
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return X, starts_of(X.shape[0], qid, group)

    def _labels(self, y: Any, starts: Array) -> list[Any]:
        """The label of each query as its loss takes it, None where the metric is undefined."""
        if self.metric_.graphs and not _one_number_each(y, int(starts[-1])):
            return _graphs(y, starts)
        relevance = _relevance(y, starts, self.metric_.levels)
        parts = np.split(relevance, starts[1:-1])
        if self.metric_.graphs:
            return [np.argwhere(part[:, None] > part).tolist() for part in parts]
        labels: list[Any] = [part.tolist() for part in parts]
        if self.metric_.undefined and (empty := sum(not any(label) for label in labels)):
            warnings.warn(
                f"{empty} of {len(labels)} queries have no relevant document; average precision is undefined for them, "
                f"and they are left out",
                stacklevel=3,
            )
            labels = [label if any(label) else None for label in labels]
        return labels

    # What comes out.

    @property
    def _turned(self) -> int:
        """What a pair in the other order has as its number: the same, or the negative."""
        return -1 if self.metric_.learns == "antisymmetric" else 1

    def _pairs(self, queries: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
        """The rows of the two documents of each pair, query after query."""
        places = [(start + np.stack(self.metric_.pairs(int(r)))) for start, r in queries]
        first, second = np.concatenate(places, axis=1)
        return first, second

    def _scores(self, X: Any, starts: Array) -> list[Array]:
        """The learned numbers of each query, in the order of the factors."""
        sizes = np.diff(starts).tolist()
        told = Features.of(X, starts, means=self.metric_.normalised)
        if self.metric_.learns == "documents":
            return np.split(self._predicted(told.documents(np.arange(int(starts[-1])))), starts[1:-1])
        first, second = self._pairs(list(zip(starts[:-1].tolist(), sizes, strict=True)))
        parts = [np.empty(0)]
        for at in range(0, len(first), _BATCH):
            a, b = first[at : at + _BATCH], second[at : at + _BATCH]
            there, back = (self._predicted(told.pairs(*order)) for order in ((a, b), (b, a)))
            parts.append((there + self._turned * back) / 2)
        ends = np.cumsum([self.metric_.functions(r) for r in sizes])
        return np.split(np.concatenate(parts), ends[:-1])

    def _predicted(self, features: Any) -> Array:
        predicted = np.asarray(self.regressor_.predict(features), dtype=float)
        if predicted.shape != (features.shape[0],):
            raise BadInput(
                f"{self.regressor_!r} predicts an array of shape {predicted.shape} for {features.shape[0]} rows; it "
                f"must predict a number for each"
            )
        return predicted

    def _positions(self, X: Any, starts: Array) -> Array:
        scores, sizes = self._scores(X, starts), np.diff(starts)
        positions = np.zeros(int(starts[-1]), dtype=np.intp)
        for r in np.unique(sizes).tolist():
            queries = np.flatnonzero(sizes == r)
            U = np.stack([scores[query] for query in queries])
            if r >= self.metric_.fewest:
                found = construction(self.metric_, r).pred(U).predictions
            else:  # nothing to choose: one document, or all are shown
                found = np.tile(np.arange(r), (len(queries), 1))
            positions[starts[queries][:, None] + np.arange(r)] = _shown_first(found, U) if self.metric_.shown else found
        return positions

    def _values(self, labels: list[Any], positions: Array, starts: Array) -> list[float]:
        parts = np.split(positions, starts[1:-1])
        shape = (-1, 2) if self.metric_.graphs else (-1,)
        return [
            self.metric_.value(np.array(label, dtype=int).reshape(shape), part)
            for label, part in zip(labels, parts, strict=True)
            if label is not None
        ]


def _shown_first(shown: Array, U: Array) -> Array:
    """Positions with the documents that are shown before the others, each by their numbers."""
    hidden = np.ones(U.shape, dtype=bool)
    np.put_along_axis(hidden, shown, False, axis=1)
    order = np.lexsort((-U, hidden), axis=1)
    return np.argsort(order, axis=1)


def _one_number_each(y: Any, rows: int) -> bool:
    """Whether y has a number per document, rather than preferences per query."""
    try:
        return np.asarray(y, dtype=float).shape in ((rows,), (rows, 1))
    except (TypeError, ValueError):
        return False


def _relevance(y: Any, starts: Array, levels: int | None) -> Array:
    """A number per document: one of the levels, or any if only their order counts."""
    values = column_or_1d(y, dtype=float, warn=True)
    if len(values) != starts[-1]:
        raise BadInput(f"y has {len(values)} entries; give one relevance for each of the {starts[-1]} rows of X")
    whole = np.isfinite(values) if levels is None else (values % 1 == 0) & (values >= 0) & (values < levels)
    if not whole.all():
        row = int(whole.argmin())
        query = int(np.searchsorted(starts, row, side="right")) - 1
        known = "finite numbers are compared" if levels is None else f"the levels are 0 … {levels - 1}"
        raise BadInput(
            f"row {row} (query {query}, document {row - starts[query]}) has relevance {values[row]:g}; {known}"
        )
    relevance: Array = values if levels is None else values.astype(int)
    return relevance


def _graphs(y: Any, starts: Array) -> list[Any]:
    """The preferences of each query."""
    if not hasattr(y, "__len__") or len(y) != len(starts) - 1:
        raise BadInput(
            f"y is neither one number for each of the {starts[-1]} rows of X nor a list with the preferences of "
            f"each of the {len(starts) - 1} queries, such as [[(0, 1)], [(2, 0), (2, 1)]]"
        )
    return list(_each_graph(y, np.diff(starts).tolist()))


def _each_graph(y: Any, sizes: Sequence[int]) -> Iterator[Any]:
    for query, (edges, r) in enumerate(zip(y, sizes, strict=True)):
        try:
            yield as_graph(edges, r)
        except BadInput as error:
            raise BadInput(f"query {query}: {error}") from None
