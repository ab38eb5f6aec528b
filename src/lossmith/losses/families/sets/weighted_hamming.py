"""Hamming loss of sets of tags, with a weight for each tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, as_list, as_rationals, quoted
from lossmith.families import family
from lossmith.losses.factored import Vector
from lossmith.losses.ranking.decoding import Decoded
from lossmith.losses.sets.decoding import by_signs
from lossmith.losses.sets.set_loss import TiedSetLoss, Ties
from lossmith.losses.sets.tags import Tags, indicators, with_tags

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Weights = Sequence[RationalLike] | str


@dataclass(frozen=True, repr=False)
class WeightedHamming(TiedSetLoss):
    """Σ_i w_i [y_i ≠ t_i]."""

    weights: tuple[Fraction, ...]
    family = "weighted_hamming"
    learned = "w_i (1 − 2 y_i) for each tag"
    decided = "take the tags whose mean is negative: those that are likelier than not"
    tied = "all decisions are optimal"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called, with the first weights."""
        return f"weighted_hamming(weights={' '.join(map(str, self.weights[:6]))}{' …' * (self.r > 6)})"

    @property
    def r(self) -> int:  # type: ignore[override]
        """One weight per tag."""
        return len(self.weights)

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per tag."""
        return len(self.weights)

    @property
    def parameters(self) -> dict[str, Any]:
        """The weights."""
        return {"r": self.r, "weights": [str(w) for w in self.weights]}

    def row(self, y: Tags) -> tuple[Fraction, Fraction, Vector]:
        """What predicting no tag costs, 1, and what each tag then adds."""
        offset = sum((w for w, each in zip(self.weights, y, strict=True) if each), Fraction(0))
        return offset, Fraction(1), tuple(-w if each else w for w, each in zip(self.weights, y, strict=True))

    def factors(self, t: Tags) -> Vector:
        """The tags."""
        return t

    @property
    def spread(self) -> Fraction:
        """All tags may differ."""
        return Fraction(self.r)

    @property
    def floor(self) -> int:
        """One dimension per tag."""
        return self.r

    @cached_property
    def ties(self) -> Ties:
        """Sets and their complements are equally likely; a tag alone differs from none in one factor."""
        none, full = with_tags(self.r, ()), with_tags(self.r, range(self.r))
        single = [with_tags(self.r, [i]) for i in range(self.r)]
        weights: dict[Tags, Fraction] = {}
        for y in (none, full, *single, *(tuple(1 - each for each in y) for y in single)):
            weights[y] = weights.get(y, Fraction(0)) + 1
        columns = tuple((i + 1, 0) for i in range(self.r))
        return Ties(weights, (none, *single), columns, tuple(((none, 1), (y, -1)) for y in single))

    def targets(self, Y: object) -> Array:
        """w_i (1 − 2 y_i)."""
        return (1 - 2 * indicators(Y, self.r)) * self._floats

    def offsets(self, Y: object) -> Array:
        """The weight of the tags."""
        found: Array = indicators(Y, self.r) @ self._floats
        return found

    def losses(self, Y: object, T: object) -> Array:
        """The weight of the tags in which they differ."""
        found: Array = (indicators(Y, self.r) != indicators(T, self.r, "T")) @ self._floats
        return found

    def decode(self, x: object) -> Decoded:
        """The tags with x < 0."""
        return by_signs(x, self.r)

    @property
    def _floats(self) -> Array:
        import numpy as np

        return np.array(self.weights, dtype=float)


def _weights(weights: Weights) -> tuple[Fraction, ...]:
    if isinstance(weights, Set):
        raise BadInput(f"weights is {quoted(weights)}, a set, which has no order; give a list, a weight for each tag")
    read = as_rationals(as_list(weights), "weights")
    if not read:
        raise BadInput(f"weights is {quoted(weights)}: there are no tags; give a positive weight for each tag")
    for i, w in enumerate(read):
        if w <= 0:
            raise BadInput(f"the weight of tag {i} is {w}; give a positive one, or leave the tag out")
    return read


def _size(weights: Weights) -> tuple[int, int]:
    return 1 << len(_weights(weights)), 1 << len(_weights(weights))


def _of_size(n: int) -> Iterator[dict[str, Any]]:
    if n > 1 and n.bit_count() == 1:
        yield {"weights": tuple(range(1, n.bit_length()))}


@family(
    cite="R. E. Schapire, Y. Singer, BoosTexter: a boosting-based system for text categorization, 2000",
    small=({"weights": (1,)}, {"weights": (1, 2)}, {"weights": (1, "1/2", 3)}),
    size=_size,
    factored=True,
    of_size=_of_size,
)
def weighted_hamming(weights: Weights) -> WeightedHamming:
    """Σ w_i over the tags i in which two sets differ: `hamming` for any number of tags, which may weigh more or less.

    >>> loss = weighted_hamming([1, 2, "1/2"])
    >>> loss
    weighted_hamming(weights=1 2 1/2): 8 labels × 8 predictions, 3 factors
    >>> loss.loss({0, 1}, "011")
    Fraction(3, 2)
    """
    return WeightedHamming(_weights(weights))
