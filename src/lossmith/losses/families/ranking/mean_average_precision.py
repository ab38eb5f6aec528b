"""Mean average precision (`subsec:MAP`).

With pairs i ≤ j of documents, ℓ(y, σ) = 1 − (1/‖y‖₁) Σ y_i y_j / max(σ(i), σ(j)) for positions from 1
(`eqn:MAP-low-rank`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement, islice, permutations
from math import factorial
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import family
from lossmith.losses.factored import Vector
from lossmith.losses.ranking import decoding
from lossmith.losses.ranking.ranking_loss import RankingLoss, Span
from lossmith.losses.ranking.rankings import (
    Ranking,
    Relevance,
    as_ranking,
    as_relevance,
    documents_in_pairs,
    only,
    ranking_name,
    relevance_name,
    relevance_vectors,
    with_labels,
)


@dataclass(frozen=True, repr=False)
class MeanAveragePrecision(RankingLoss):
    """1 − average precision, for binary relevance vectors that are not 0, and rankings."""

    r: int
    family = "mean_average_precision"
    learned = "y_i y_j / ‖y‖₁ for each pair i ≤ j of documents"
    decided = "take the ranking with the largest Σ u_ij / max(position of i, position of j)"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called."""
        return f"mean_average_precision(r={self.r})"

    @property
    def n(self) -> int:  # type: ignore[override]
        """All binary vectors but 0."""
        return int(2**self.r) - 1

    @property
    def k(self) -> int:  # type: ignore[override]
        """All rankings."""
        return factorial(self.r)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per pair i ≤ j."""
        return self.r * (self.r + 1) // 2

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs i ≤ j, in the order of the factors."""
        return tuple(combinations_with_replacement(range(self.r), 2))

    @property
    def parameters(self) -> dict[str, Any]:
        """The size."""
        return {"r": self.r}

    def label(self, y: object) -> Relevance:
        """A binary relevance vector with a relevant document."""
        relevance = as_relevance(y, self.r, 2)
        if not any(relevance):
            raise BadInput("average precision is undefined where no document is relevant; leave out such queries")
        return relevance

    def prediction(self, t: object) -> Ranking:
        """A ranking."""
        return as_ranking(t, self.r)

    def each_label(self) -> Iterator[Relevance]:
        """All binary vectors but 0."""
        return islice(relevance_vectors(self.r, 2), 1, None)

    def each_prediction(self) -> Iterator[Ranking]:
        """All rankings."""
        return permutations(range(self.r))

    def row(self, y: Relevance) -> tuple[Fraction, Fraction, Vector]:
        """1, 1/‖y‖₁ and y_i y_j."""
        return Fraction(1), Fraction(1, sum(y)), tuple(y[i] * y[j] for i, j in self.pairs)

    def factors(self, t: Ranking) -> Vector:
        """−1/max(σ(i), σ(j)), positions from 1."""
        shares = [Fraction(-1, position) for position in range(1, self.r + 1)]
        return tuple(shares[max(t[i], t[j])] for i, j in self.pairs)

    def label_name(self, y: Relevance) -> str:
        """The levels."""
        return relevance_name(y)

    def prediction_name(self, t: Ranking) -> str:
        """First to last."""
        return ranking_name(t)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """Σ_i B_ii = −Σ 1/i, and Σ_{i ≤ j} B_ij = −r, as i pairs have their later document at position i."""
        return tuple(int(i == j) for i, j in self.pairs), (1,) * self.m

    @cached_property
    def equalizer(self) -> dict[Relevance, Fraction]:
        """One or two relevant documents, all such vectors with the same probability."""
        labels = [only(i, self.r) for i in range(self.r)] + [
            self._both(i, j) for i, j in combinations(range(self.r), 2)
        ]
        return dict.fromkeys(labels, Fraction(1, len(labels)))

    @cached_property
    def span(self) -> Span:
        """Stage s moves document s, and only documents up to s; later ones stay: their factors do not change.

        Document s stands second to last of the first s + 1, document j < s last: the factors (·, s) change by
        δ(1 − e_j), and these span Σ_{i<s} v_i = (s − 1) v_s. Where it stands third to last that fails. So s + 1
        rankings, on the factors (i, s) with i ≤ s, are independent for s ≥ 2; of the first two documents one is.
        """
        others, rows = list[Ranking](), list[tuple[tuple[Relevance, int], ...]]()
        for s in range(self.r - 1, 1, -1):
            others += [self._ranked([*(i for i in range(s) if i != j), s, j]) for j in range(s)]
            others.append(self._ranked([*range(2, s), s, 0, 1]))
            rows.append(((only(s, self.r), 1),))
            # a(e_i + e_s) − a(e_i) − a(e_s) is the factor (i, s) alone.
            rows += [((self._both(i, s), 1), (only(i, self.r), -1), (only(s, self.r), -1)) for i in range(s)]
        others.append(self._ranked([1, 0]))
        rows.append(((only(1, self.r), 1),))
        return Span(tuple(range(self.r)), tuple(others), tuple(rows))

    def decode(self, x: object) -> decoding.Decoded:
        """By dynamic programming over sets of documents up to 16 of them, by local search above."""
        import numpy as np

        rows, single = decoding.rows_of(x, self.m)
        return decoding.by_prefixes(rows, self.pair_costs, 1 / np.arange(1.0, self.r + 1), single)

    def pair_costs(self, rows: Any) -> tuple[Any, Any]:
        """−x_ii for each document, −x_ij for each pair."""
        import numpy as np

        pair = np.zeros((len(rows), self.r, self.r))
        first, second = np.triu_indices(self.r)
        pair[:, first, second] = pair[:, second, first] = -rows
        own = np.diagonal(pair, axis1=1, axis2=2).copy()
        pair[:, range(self.r), range(self.r)] = 0
        return own, pair

    def _ranked(self, order: list[int]) -> Ranking:
        """The ranking with these documents first, and the others after them."""
        positions = list(range(self.r))
        for position, document in enumerate(order):
            positions[document] = position
        return tuple(positions)

    def _both(self, i: int, j: int) -> Relevance:
        return tuple(int(each in (i, j)) for each in range(self.r))


def _size(r: int) -> tuple[int, int]:
    return 2 ** documents_in_pairs(r, "mean_average_precision") - 1, factorial(r)


@family(
    cite="subsec:MAP", small=({"r": 2}, {"r": 3}), size=_size, factored=True, of_size=with_labels(lambda r: 2**r - 1)
)
def mean_average_precision(r: int) -> MeanAveragePrecision:
    """1 − average precision of a ranking of r documents; labels are binary relevance vectors that are not 0.

    >>> loss = mean_average_precision(3)
    >>> loss
    mean_average_precision(r=3): 7 labels × 6 predictions, 6 factors
    >>> loss.loss((1, 0, 1), (0, 1, 2))              # precision 1 at the first position, 2/3 at the third
    Fraction(1, 6)
    """
    _size(r)
    return MeanAveragePrecision(r)
