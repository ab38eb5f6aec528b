"""Metrics of rankings, each with the loss whose factors are learned and the value of one query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from lossmith.constructions.squares_of_factors import SquaresOfFactors
from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.families.ranking.mean_average_precision import mean_average_precision
from lossmith.losses.families.ranking.ndcg import ndcg
from lossmith.losses.families.ranking.pairwise_disagreement import pairwise_disagreement
from lossmith.losses.families.ranking.precision_at import precision_at

Array: TypeAlias = np.ndarray[Any, Any]

LEVELS = 31  # of NDCG, as in LightGBM: gains up to 2^30 − 1


@dataclass(frozen=True)
class Metric:
    """A metric of rankings: `loss(r)` for r documents, and `value(label, positions)`, of which more is better.

    `learns` says whether the functions belong to documents, to pairs i ≤ j in either order, or to pairs i < j with a
    sign that changes with the order. `levels` are those of a relevance; None if only their order counts, and labels are
    graphs. `normalised`: the numbers are divided by what the query has. `shown` documents are chosen, if they are not
    ranked. `undefined`: where no document is relevant.
    """

    name: str
    loss: Callable[[int], FactoredLoss]
    value: Callable[[Any, Array], float]
    learns: Literal["documents", "symmetric", "antisymmetric"]
    levels: int | None
    normalised: bool = False
    shown: int = 0
    undefined: bool = False

    @property
    def graphs(self) -> bool:
        """Whether labels are graphs of preferences."""
        return self.levels is None

    @property
    def fewest(self) -> int:
        """With fewer documents there is nothing to choose."""
        return max(self.shown, 1) + 1

    def pairs(self, r: int) -> tuple[Array, Array]:
        """The pairs of documents to which the functions belong, in the order of the factors."""
        return np.triu_indices(r, k=0 if self.learns == "symmetric" else 1)

    def functions(self, r: int) -> int:
        """How many numbers are learned about r documents."""
        return r if self.learns == "documents" else len(self.pairs(r)[0])


@lru_cache(maxsize=256)
def construction(metric: Metric, r: int) -> SquaresOfFactors:
    """The certified construction for queries of r documents, with a function for each document or pair.

    >>> construction(metric_named("map"), 3).dim
    6
    """
    return SquaresOfFactors(metric.loss(r), every_score=True)


def metric_named(name: str) -> Metric:
    """The metric that is called "ndcg", "map", "pd" or "precision@q", with a number for q.

    >>> metric_named("precision@3").fewest
    4
    """
    word, at, q = str(name).partition("@")
    if at and word == "precision":
        if not (q.isdecimal() and int(q) > 0):
            raise BadInput(f"the metric is {name!r}; write precision@ and how many documents are shown: precision@5")
        shown = int(q)
        return Metric(name, partial(precision_at, shown), partial(_precision, shown), "documents", 2, shown=shown)
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    raise UnknownName(f"no metric is called {name!r}; {nearest(name, [*_BY_NAME, 'precision@5'])}")


def _ndcg(relevance: Array, positions: Array) -> float:
    gains = 2.0**relevance - 1
    ideal = (np.sort(gains)[::-1] / np.log2(np.arange(len(gains)) + 2)).sum()
    return float((gains / np.log2(positions + 2)).sum() / ideal) if ideal else 0.0


def _average_precision(relevance: Array, positions: Array) -> float:
    found = np.sort(positions[relevance > 0]) + 1
    return float((np.arange(1, len(found) + 1) / found).mean())


def _agreement(preferred: Array, positions: Array) -> float:
    return -float((positions[preferred[:, 0]] > positions[preferred[:, 1]]).sum())


def _precision(q: int, relevance: Array, positions: Array) -> float:
    return float(relevance[positions < q].sum() / q)


_BY_NAME = {
    "ndcg": Metric("ndcg", partial(ndcg, levels=LEVELS), _ndcg, "documents", LEVELS, normalised=True),
    "map": Metric("map", mean_average_precision, _average_precision, "symmetric", 2, normalised=True, undefined=True),
    "pd": Metric("pd", pairwise_disagreement, _agreement, "antisymmetric", None),
}
