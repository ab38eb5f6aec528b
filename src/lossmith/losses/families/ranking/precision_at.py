"""Precision at q: how many of the q documents that are shown are not relevant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import at_least, family
from lossmith.losses.factored import Vector
from lossmith.losses.ranking import decoding
from lossmith.losses.ranking.ranking_loss import RankingLoss, Span
from lossmith.losses.ranking.rankings import (
    Relevance,
    as_documents,
    as_relevance,
    documents,
    only,
    relevance_name,
    relevance_vectors,
    shown_name,
    with_labels,
)

Shown = tuple[int, ...]


@dataclass(frozen=True, repr=False)
class PrecisionAt(RankingLoss):
    """1 − (1/q) Σ_{i shown} y_i for binary relevance vectors y; the predictions are sets of q documents."""

    q: int
    r: int
    family = "precision_at"
    learned = "the relevance of each document"
    decided = "show the q largest"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called."""
        return f"precision_at(q={self.q}, r={self.r})"

    @property
    def n(self) -> int:  # type: ignore[override]
        """All binary vectors."""
        return int(2**self.r)

    @property
    def k(self) -> int:  # type: ignore[override]
        """All sets of q documents."""
        return comb(self.r, self.q)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per document."""
        return self.r

    @property
    def parameters(self) -> dict[str, Any]:
        """The sizes."""
        return {"r": self.r, "q": self.q}

    def label(self, y: object) -> Relevance:
        """A binary relevance vector."""
        return as_relevance(y, self.r, 2)

    def prediction(self, t: object) -> Shown:
        """A set of q documents, in increasing order."""
        return as_documents(t, self.q, self.r)

    def each_label(self) -> Iterator[Relevance]:
        """All binary vectors."""
        return relevance_vectors(self.r, 2)

    def each_prediction(self) -> Iterator[Shown]:
        """All sets of q documents."""
        return combinations(range(self.r), self.q)

    def row(self, y: Relevance) -> tuple[Fraction, Fraction, Vector]:
        """1, 1/q and the relevance."""
        return Fraction(1), Fraction(1, self.q), y

    def factors(self, t: Shown) -> Vector:
        """The indicator of the set, negative."""
        return tuple(-int(i in t) for i in range(self.r))

    def above(self, t: Shown) -> list[tuple[int, int]]:
        """Every document that is shown stands above every other."""
        return [(i, j) for i in t for j in range(self.r) if j not in t]

    def label_name(self, y: Relevance) -> str:
        """The levels."""
        return relevance_name(y)

    def prediction_name(self, t: Shown) -> str:
        """As a set."""
        return shown_name(t)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """How many are shown."""
        return ((1,) * self.r,)

    @cached_property
    def equalizer(self) -> dict[Relevance, Fraction]:
        """One relevant document, each with the same probability."""
        return {only(i, self.r): Fraction(1, self.r) for i in range(self.r)}

    @cached_property
    def span(self) -> Span:
        """Exchange a document that is shown for one that is not: the edges of a tree."""
        base = tuple(range(self.q))
        joined = [(self.q - 1, i) for i in range(self.q, self.r)] + [(i, self.q) for i in range(self.q - 1)]
        others = tuple(tuple(sorted({*base, new} - {old})) for old, new in joined)
        rows = tuple(((only(new if old == self.q - 1 else old, self.r), 1),) for old, new in joined)
        return Span(base, others, rows)

    def decode(self, x: object) -> decoding.Decoded:
        """The q documents with the largest x."""
        return decoding.by_largest(x, self.r, self.q)


def _size(q: int, r: int) -> tuple[int, int]:
    if at_least("q", q, 1) >= documents(r):
        raise BadInput(f"q is {q}; it must be less than r = {r}, or there is nothing to choose")
    return 2**r, comb(r, q)


@family(
    cite="C. D. Manning, P. Raghavan, H. Schütze, Introduction to Information Retrieval, 2008",
    small=({"q": 1, "r": 2}, {"q": 1, "r": 3}, {"q": 2, "r": 3}),
    size=_size,
    factored=True,
    of_size=lambda n: [{"q": 1, **each} for each in with_labels(lambda r: 2**r)(n)],
)
def precision_at(q: int, r: int) -> PrecisionAt:
    """1 − precision at q: the share of the q documents shown, out of r, that are not relevant.

    >>> precision_at(2, 4).loss((1, 0, 1, 1), {0, 1})
    Fraction(1, 2)
    """
    _size(q, r)
    return PrecisionAt(q, r)
