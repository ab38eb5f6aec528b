"""Recall at q: how many of the tags are missed, where q tags are predicted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.families import at_least, family
from lossmith.losses.factored import Vector
from lossmith.losses.families.ranking.precision_at import PrecisionAt
from lossmith.losses.ranking.decoding import Decoded
from lossmith.losses.sets.decoding import by_most
from lossmith.losses.sets.set_loss import SetLoss
from lossmith.losses.sets.tags import Tags, as_tags, indicators, number_of_tags, tags_name, with_tags

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, repr=False)
class RecallAt(SetLoss):
    """1 − |y ∩ t|/|y| for sets t of q tags; 0 if y is empty."""

    r: int
    q: int
    family = "recall_at"
    learned = "y_i / |y| for each tag"
    decided = "take the q largest"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called."""
        return f"recall_at(r={self.r}, q={self.q})"

    @property
    def k(self) -> int:  # type: ignore[override]
        """All sets of q tags."""
        return comb(self.r, self.q)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per tag."""
        return self.r

    @property
    def parameters(self) -> dict[str, Any]:
        """The sizes."""
        return {"r": self.r, "q": self.q}

    def prediction(self, t: object) -> Tags:
        """A set of q tags."""
        tags = as_tags(t, self.r, "prediction")
        if sum(tags) != self.q:
            raise BadInput(f"the prediction {tags_name(tags)} has {sum(tags)} tags; give {self.q} of the {self.r} tags")
        return tags

    def above(self, t: Tags) -> list[tuple[int, int]]:
        """The pairs of a tag that t has and one that it has not: where scores are in this order, t is the q largest."""
        return [(i, j) for i, chosen in enumerate(t) for j, other in enumerate(t) if chosen > other]

    def each_prediction(self) -> Iterator[Tags]:
        """All sets of q tags."""
        return (with_tags(self.r, chosen) for chosen in combinations(range(self.r), self.q))

    def row(self, y: Tags) -> tuple[Fraction, Fraction, Vector]:
        """1, 1/|y| and the tags; nothing is missed of no tags."""
        return (Fraction(1), Fraction(1, sum(y)), y) if any(y) else (Fraction(0), Fraction(1), y)

    def factors(self, t: Tags) -> Vector:
        """The tags, negative."""
        return tuple(-each for each in t)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """How many are predicted."""
        return ((1,) * self.r,)

    @property
    def spread(self) -> Fraction:
        """All q tags may differ, if there are as many others."""
        return Fraction(2 * min(self.q, self.r - self.q))

    @property
    def twin(self) -> PrecisionAt:
        """Up to offsets and positive scales of rows the same, which do not change CCdim: 1 − |y ∩ t|/q."""
        return PrecisionAt(self.q, self.r)

    def targets(self, Y: object) -> Array:
        """y_i / |y|."""
        import numpy as np

        tags = indicators(Y, self.r)
        found: Array = tags / np.maximum(tags.sum(axis=1, keepdims=True), 1)
        return found

    def offsets(self, Y: object) -> Array:
        """1 where there are tags."""
        return indicators(Y, self.r).any(axis=1).astype(float)

    def losses(self, Y: object, T: object) -> Array:
        """The share of the tags that is missed."""
        chosen = indicators(T, self.r, "T")
        wrong = (chosen.sum(axis=1) != self.q).nonzero()[0]
        if len(wrong):
            raise BadInput(f"T has {chosen[wrong[0]].sum():g} tags in row {wrong[0]}; give {self.q} in each row")
        found: Array = self.offsets(Y) - (self.targets(Y) * chosen).sum(axis=1)
        return found

    def decode(self, x: object) -> Decoded:
        """The q tags with the largest x."""
        return by_most(x, self.r, self.q)


def _size(r: int, q: int) -> tuple[int, int]:
    if at_least("q", q, 1) >= number_of_tags(r, 2):
        raise BadInput(f"q is {q}; it must be less than r = {r}, or there is nothing to choose")
    return 1 << r, comb(r, q)


@family(
    cite="C. D. Manning, P. Raghavan, H. Schütze, Introduction to Information Retrieval, 2008",
    small=({"r": 2, "q": 1}, {"r": 3, "q": 1}, {"r": 3, "q": 2}),
    size=_size,
    factored=True,
    of_size=lambda n: [{"r": n.bit_length() - 1, "q": 1}] if n.bit_count() == 1 and n > 2 else [],
)
def recall_at(r: int, q: int) -> RecallAt:
    """1 − recall at q: the share of an example's tags that are missed by q of r tags; 0 if it has none.

    >>> recall_at(4, 2).loss({0, 2, 3}, {0, 1})
    Fraction(2, 3)
    """
    _size(r, q)
    return RecallAt(r, q)
