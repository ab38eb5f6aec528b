"""Discounted gains: Σ_i gain(y_i) · discount(σ(i)), normalised for each label or not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any, Literal

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_list, as_rationals, quoted
from lossmith.exact.vectors import rational_dot
from lossmith.families import at_least
from lossmith.losses.factored import Vector
from lossmith.losses.ranking import decoding
from lossmith.losses.ranking.ranking_loss import RankingLoss, Span
from lossmith.losses.ranking.rankings import (
    Ranking,
    Relevance,
    as_ranking,
    as_relevance,
    only,
    ranking_name,
    relevance_name,
    relevance_vectors,
    swapped,
)

Discount = str | Sequence[RationalLike] | Callable[[int], RationalLike]
Gain = str | Sequence[RationalLike] | Callable[[int], RationalLike]


@dataclass(frozen=True, repr=False)
class DiscountedGain(RankingLoss):
    """offset(y) − scale(y) Σ_i gain(y_i) discount(σ(i)) for relevance vectors y and rankings σ."""

    family: Literal["ndcg", "dcg"]
    r: int
    levels: int
    discount: tuple[Fraction, ...]
    gain: tuple[Fraction, ...]
    name: str = field(compare=False)
    note: str = field(default="", compare=False)
    decided = "sort the documents, largest first"

    @property
    def learned(self) -> str:  # type: ignore[override]
        """What the factors are."""
        return "the gain of each document" + ", divided by the ideal DCG of the query" * (self.family == "ndcg")

    @property
    def n(self) -> int:  # type: ignore[override]
        """All relevance vectors."""
        return int(self.levels**self.r)

    @property
    def k(self) -> int:  # type: ignore[override]
        """All rankings."""
        return math.factorial(self.r)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per document."""
        return self.r

    @property
    def parameters(self) -> dict[str, Any]:
        """The sizes, the discounts and the gains."""
        return {"r": self.r, "discount": [str(x) for x in self.discount], "gain": [str(x) for x in self.gain]}

    def label(self, y: object) -> Relevance:
        """A relevance vector."""
        return as_relevance(y, self.r, self.levels)

    def prediction(self, t: object) -> Ranking:
        """A ranking."""
        return as_ranking(t, self.r)

    def each_label(self) -> Iterator[Relevance]:
        """All relevance vectors."""
        return relevance_vectors(self.r, self.levels)

    def each_prediction(self) -> Iterator[Ranking]:
        """All rankings."""
        return permutations(range(self.r))

    def ideal(self, y: Relevance) -> Fraction:
        """The largest gain that a ranking has when y is true: large gains meet large discounts."""
        gains = sorted((self.gain[level] for level in y), reverse=True)
        return rational_dot(gains, sorted(self.discount, reverse=True))

    def row(self, y: Relevance) -> tuple[Fraction, Fraction, Vector]:
        """1, 1/ideal(y) and the gains; ideal(y) instead of 1, and 1, if nothing is normalised."""
        gains, best = tuple(self.gain[level] for level in y), self.ideal(y)
        if self.family == "dcg":
            return best, Fraction(1), gains
        return Fraction(1), 1 / best if best else Fraction(1), gains

    def factors(self, t: Ranking) -> Vector:
        """The discounts of the documents, negative."""
        return tuple(-self.discount[position] for position in t)

    def label_name(self, y: Relevance) -> str:
        """The levels."""
        return relevance_name(y)

    def prediction_name(self, t: Ranking) -> str:
        """First to last."""
        return ranking_name(t)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """The sum of the discounts."""
        return ((1,) * self.r,)

    @cached_property
    def equalizer(self) -> dict[Relevance, Fraction]:
        """One document as relevant as can be, each with the same probability."""
        return {only(i, self.r, self.levels - 1): Fraction(1, self.r) for i in range(self.r)}

    @cached_property
    def span(self) -> Span:
        """Exchanges of two documents whose positions count differently: the edges of a tree."""
        first = self.discount[0]
        other = next(i for i in range(self.r) if self.discount[i] != first)
        joined = [(i, 0 if self.discount[i] != first else other) for i in range(1, self.r)]
        rows = tuple(((only(i, self.r, self.levels - 1), 1),) for i, _ in joined)
        return Span(tuple(range(self.r)), tuple(swapped(self.r, i, j) for i, j in joined), rows)

    def decode(self, x: object) -> decoding.Decoded:
        """Documents with large x on positions that count much, by sorting."""
        return decoding.by_sorting(x, self.discount)


def discounted_gain(
    family: Literal["ndcg", "dcg"], r: int, levels: int, discount: Discount, gain: Gain
) -> DiscountedGain:
    """The loss with these parameters, and a name that tells them."""
    weights, worth = discounts(discount, r), gains(gain, levels)
    name = f"{family}(r={r}, levels={levels}"
    usual = isinstance(discount, str) and discount == "log2"  # an array would compare entry by entry
    if not usual:
        name += f", discount={' '.join(map(str, weights[:6]))}{' …' * (r > 6)}"
    if worth != gains("exp2", levels):
        name += f", gain={' '.join(map(str, worth[:6]))}{' …' * (levels > 6)}"
    doubles = "the discounts are the doubles nearest to 1/log2(j + 1); CCdim is the same for all that are not all equal"
    return DiscountedGain(family, r, levels, weights, worth, name + ")", doubles if usual else "")


def discounts(discount: Discount, r: int) -> tuple[Fraction, ...]:
    """Read the discounts of r positions; "log2" stands for the doubles nearest to 1/log2(j + 1), as they are.

    They may increase, and then a later position counts more; they may be 0, as in NDCG@k; not negative.

    >>> [float(x) for x in discounts("log2", 3)]
    [1.0, 0.6309297535714575, 0.5]
    >>> [str(x) for x in discounts(lambda j: Fraction(1, j), 3)]
    ['1', '1/2', '1/3']
    """
    if isinstance(discount, str) and discount == "log2":
        return tuple(Fraction(1 / math.log2(j + 1)) for j in range(1, r + 1))
    read = _numbers(discount, range(1, r + 1), "discount", "position")
    for j, value in enumerate(read, 1):
        if value < 0:
            raise BadInput(
                f"the discount of position {j} is {value}; a negative one makes the normaliser meaningless: give "
                f"numbers from 0 up"
            )
    if len(set(read)) == 1:
        raise BadInput(f"all discounts are {read[0]}: every ranking gains the same; give different ones")
    return read


def gains(gain: Gain, levels: int) -> tuple[Fraction, ...]:
    """Read the gains of the levels; "exp2" stands for 2^y − 1.

    >>> [int(x) for x in gains("exp2", 4)]
    [0, 1, 3, 7]
    """
    if isinstance(gain, str) and gain == "exp2":
        return tuple(Fraction(2**y - 1) for y in range(at_least("levels", levels, 2)))
    read = _numbers(gain, range(at_least("levels", levels, 2)), "gain", "level")
    if read[0] < 0 or any(low > high for low, high in pairwise(read)) or read[0] == read[-1]:
        raise BadInput(
            f"the gains are {', '.join(map(str, read))}; they must start at 0 or above, not decrease, and not all be "
            f"the same"
        )
    return read


def _numbers(given: Any, places: range, what: str, place: str) -> tuple[Fraction, ...]:
    if callable(given):
        given = [given(j) for j in places]
    elif isinstance(given, Set):
        raise BadInput(f"{what} is {quoted(given)}, a set, which has no order; give a list of numbers")
    read = as_rationals(as_list(given), what)
    if len(read) != len(places):
        raise BadInput(f"{len(read)} {what}s were given; give one for each of the {len(places)} {place}s")
    return read
