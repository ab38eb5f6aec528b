"""Losses of sets of tags, known by factors: 2^r labels and 2^r predictions are not written down.

Not all predictions need tie at some distribution. `Ties` are a distribution and some predictions that are optimal
there, with what shows how many dimensions they span.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from lossmith.losses.factored import FactoredLoss, Vector
from lossmith.losses.sets.tags import Tags, as_tags, tags_name

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MODULUS = 67_108_859  # the largest prime below 2²⁶


@dataclass(frozen=True)
class Ties:
    """Weights of labels, for the loss without its scales, at which all `predictions` are optimal.

    On the factors that occur in these labels, those alike for all predictions added up, the differences of the
    `columns`, pairs of predictions by number, are independent modulo a prime, and so are the `rows`, combinations of
    the a(y).
    """

    weights: dict[Tags, Fraction]
    predictions: tuple[Tags, ...]
    columns: tuple[tuple[int, int], ...]
    rows: tuple[tuple[tuple[Tags, int], ...], ...]
    modulus: int = MODULUS


class SetLoss(FactoredLoss):
    """A loss on `r` tags; labels and predictions are tuples of r zeros and ones.

    They are given as such, as strings of bits, or as sets or lists of the numbers of tags. `targets`, `offsets` and
    `losses` take arrays of zeros and ones, a row per example.
    """

    @property
    def n(self) -> int:  # type: ignore[override]
        """All sets."""
        return 1 << self.r

    @property
    def k(self) -> int:  # type: ignore[override]
        """All sets."""
        return 1 << self.r

    def label(self, y: object) -> Tags:
        """A set of tags."""
        return as_tags(y, self.r)

    def prediction(self, t: object) -> Tags:
        """A set of tags."""
        return as_tags(t, self.r, "prediction")

    def each_label(self) -> Iterator[Tags]:
        """All sets, in binary order."""
        return product((0, 1), repeat=self.r)

    def each_prediction(self) -> Iterator[Tags]:
        """All sets, in binary order."""
        return product((0, 1), repeat=self.r)

    def label_name(self, y: Tags) -> str:
        """As bits."""
        return tags_name(y)

    def prediction_name(self, t: Tags) -> str:
        """As bits."""
        return tags_name(t)

    @abstractmethod
    def targets(self, Y: object) -> Array:
        """scale(y) a(y) for each row of zeros and ones, in floating point."""

    @abstractmethod
    def offsets(self, Y: object) -> Array:
        """offset(y) for each row of zeros and ones, in floating point."""

    @abstractmethod
    def losses(self, Y: object, T: object) -> Array:
        """The loss of each row of T where that row of Y is true, in floating point."""

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """None, unless a family knows better."""
        return ()


class TiedSetLoss(SetLoss):
    """A loss on sets with what bounds its CCdim."""

    @property
    def ceiling(self) -> int:
        """An upper bound on CCdim, which the checker knows."""
        return self.affdim

    @property
    @abstractmethod
    def floor(self) -> int:
        """A lower bound on CCdim: what the ties show."""

    @property
    @abstractmethod
    def tied(self) -> str:
        """Which predictions are optimal at the distribution of the ties, in words."""

    @property
    def work(self) -> int:
        """How much the checker does to compare the predictions that tie, in units of some 5 steps."""
        return 18 * self.r * self.r

    @cached_property
    @abstractmethod
    def ties(self) -> Ties:
        """Predictions that are optimal together, and how many dimensions they span."""
