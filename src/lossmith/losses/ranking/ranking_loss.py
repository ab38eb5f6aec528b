"""Losses of rankings known by factors: all predictions tie at some distribution, so CCdim is affdim."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from lossmith.losses.factored import FactoredLoss, Label
from lossmith.losses.ranking.rankings import order_of_documents

Prediction = tuple[int, ...]  # positions of the documents, or the documents that are shown


@dataclass(frozen=True)
class Span:
    """Predictions whose columns span the affine hull of all, and what tells them apart.

    The products of the differences b(t) − b(base), for the `others` t, with the `rows`, which are integer combinations
    of the a(y), are an invertible matrix, nearly triangular where both lists come in a suitable order.
    """

    base: Prediction
    others: tuple[Prediction, ...]
    rows: tuple[tuple[tuple[Label, int], ...], ...]


class RankingLoss(FactoredLoss):
    """A loss on `r` documents; its predictions are rankings, or the documents that are shown."""

    def above(self, t: Prediction) -> list[tuple[int, int]]:
        """Pairs (i, j) of documents such that i stands above j in a prediction, of which all others follow."""
        return list(pairwise(order_of_documents(t)))

    def plain_label(self, y: Label) -> list[int]:
        """A label of the equaliser in a certificate."""
        return list(y)

    @cached_property
    @abstractmethod
    def equalizer(self) -> dict[Label, Fraction]:
        """A distribution on few labels under which all predictions have the same risk."""

    @cached_property
    @abstractmethod
    def span(self) -> Span:
        """Predictions and rows on the labels of the equaliser that show affdim(L) from below."""

    @property
    def spread(self) -> Fraction:
        """A bound on ‖b(s) − b(t)‖². All b(t) have the same entries, so they lie on a sphere around their mean."""
        b = [Fraction(x) for x in self.factors(self.span.base)]
        mean = sum(b, Fraction(0)) / self.m
        return 4 * sum(((x - mean) * (x - mean) for x in b), Fraction(0))
