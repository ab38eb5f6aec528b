"""Losses that are known by factors, so that r! columns and 2^r rows need not be written down.

L[y, t] = offset(y) + scale(y) · a(y)·b(t), with a(y), b(t) ∈ R^m. The risk of t under p is then a constant plus x·b(t),
where x = Σ p_y scale(y) a(y): m numbers tell which predictions are optimal.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.matrix import RationalMatrix, integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.rational import RationalLike, quoted
from lossmith.exact.vectors import cleared, rational_dot
from lossmith.families import Member, count
from lossmith.geometry.simplex import as_distribution
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordering import distribution
from lossmith.losses.protocol import MAX_ENTRIES
from lossmith.losses.reading import Name

if TYPE_CHECKING:
    from lossmith.losses.ranking.decoding import Decoded

Vector = tuple[Fraction | int, ...]
Label = Any  # what a family calls a label: a relevance vector, a graph, a set of tags
Prediction = Any  # positions of the documents, the documents that are shown, a set of tags


class FactoredLoss(Member, ABC):
    """A loss L[y, t] = offset(y) + scale(y) · a(y)·b(t) whose labels and predictions are generated on demand.

    `r`, `n`, `k` and `m` count documents (or tags), labels, predictions and factors. `lm.ccdim` and `lm.affdim` work at
    any size; `matrix()` writes it down where it is small, and every other question takes it then.
    """

    family: str
    name: str
    r: int
    learned: str  # what the factors of a label are, and
    decided: str  # what is done with their means: in words
    note: str = ""  # on where the numbers come from
    n: int
    k: int
    m: int

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The parameters, as plain data for a certificate."""

    @abstractmethod
    def label(self, y: object) -> Label:
        """The label in its one form, or what is wrong with it."""

    @abstractmethod
    def prediction(self, t: object) -> Prediction:
        """The prediction in its one form, or what is wrong with it."""

    @abstractmethod
    def each_label(self) -> Iterator[Label]:
        """All labels, one after the other."""

    @abstractmethod
    def each_prediction(self) -> Iterator[Prediction]:
        """All predictions, one after the other."""

    @abstractmethod
    def row(self, y: Label) -> tuple[Fraction, Fraction, Vector]:
        """offset(y), scale(y) and a(y)."""

    @abstractmethod
    def factors(self, t: Prediction) -> Vector:
        """b(t)."""

    @abstractmethod
    def label_name(self, y: Label) -> Name:
        """A label in print."""

    @abstractmethod
    def prediction_name(self, t: Prediction) -> Name:
        """A prediction in print."""

    @cached_property
    @abstractmethod
    def constants(self) -> tuple[Vector, ...]:
        """Independent f ∈ R^m with f·b(t) the same for all t, as many as there are."""

    @cached_property
    def redundant(self) -> tuple[int, ...]:
        """Coordinates that can be made 0: on them the constant functionals are independent; the last that do."""
        if not self.constants:
            return ()
        last = row_basis(integral([each[::-1] for each in self.constants]).transpose())
        return tuple(sorted(self.m - 1 - i for i in last))

    @cached_property
    def positive(self) -> tuple[Vector, Fraction] | None:
        """Some d with w_y = scale(y) a(y)·d ≥ 1 for all y and f·d = 0 for all constant f, and the largest w_y.

        None if no such d is known. The differences of the columns then span the positive vector w.
        """
        return None

    @property
    def factored(self) -> FactoredLoss:
        """Itself."""
        return self

    @property
    def affdim(self) -> int:
        """The dimension of the affine hull of the columns."""
        return self.m - len(self.constants)

    @property
    @abstractmethod
    def spread(self) -> Fraction:
        """A bound on ‖b(s) − b(t)‖²."""

    @abstractmethod
    def decode(self, x: object) -> Decoded:
        """A prediction t with the least x·b(t) for each row of x (m numbers)."""

    def loss(self, y: object, t: object) -> Fraction:
        """What predicting t costs when y is true, exactly."""
        offset, scale, a = self.row(self.label(y))
        return offset + scale * rational_dot(a, self.factors(self.prediction(t)))

    def risk(self, p: Mapping[Any, RationalLike] | Sequence[RationalLike], t: object = None) -> Any:
        """The expected loss of t under p, exactly; of all predictions, in order, if t is not given.

        p names the labels that are possible, {label: probability}, or is a list with one entry per label, in order.
        """
        if t is None:
            instead = "name one prediction, risk(p, t), or decode(mean(p)[1])"
            self._fits(self.k, f"{count(self.k)} predictions", instead)
        offset, x = self.mean(p)
        if t is not None:
            return offset + rational_dot(x, self.factors(self.prediction(t)))
        return tuple(offset + rational_dot(x, self.factors(each)) for each in self.each_prediction())

    def mean(self, p: Mapping[Any, RationalLike] | Sequence[RationalLike]) -> tuple[Fraction, Vector]:
        """Σ p_y offset(y) and x = Σ p_y scale(y) a(y): the risk of t is the first plus x·b(t)."""
        if not isinstance(p, Mapping):
            self._fits(self.n, f"{count(self.n)} labels", "write p as {label: probability}")
            names = tuple(map(self.label_name, self.each_label()))
            p = dict(zip(self.each_label(), distribution(p, names), strict=True))
        labels = [self.label(y) for y in p]
        if len(set(labels)) < len(labels):
            raise BadInput("p names a label twice; add its probabilities")
        offset, x = Fraction(0), [Fraction(0)] * self.m
        for y, weight in zip(labels, as_distribution(list(p.values()), len(labels)), strict=True):
            start, scale, a = self.row(y)
            offset += weight * start
            x = [old + weight * scale * new if new else old for old, new in zip(x, a, strict=True)]
        return offset, tuple(x)

    def matrix(self, limit: int = MAX_ENTRIES) -> LossMatrix:
        """The loss as a matrix, if it has at most `limit` entries."""
        if isinstance(limit, bool) or not isinstance(limit, Real):
            raise BadInput(f"limit is {quoted(limit)}; give the largest number of entries")
        self._fits(self.n * self.k, f"{count(self.n)} × {count(self.k)} entries", "use the factors", limit)
        labels, predictions = list(self.each_label()), list(self.each_prediction())
        left = [(offset, *(scale * x for x in a)) for offset, scale, a in map(self.row, labels)]
        right = [(Fraction(1), *self.factors(t)) for t in predictions]
        first, second = RationalMatrix.from_rows(left), RationalMatrix.from_rows(right)
        product = RationalMatrix.reduced(
            first.numerators * second.numerators.transpose(), first.denominator * second.denominator
        )
        return LossMatrix.from_exact(
            product, map(self.label_name, labels), map(self.prediction_name, predictions), self.name, written_from=self
        )

    def __repr__(self) -> str:
        return f"{self.name}: {count(self.n)} labels × {count(self.k)} predictions, {self.m} factors"

    def _fits(self, size: int, shown: str, instead: str, limit: int = MAX_ENTRIES) -> None:
        if size > limit:
            raise TooLarge(
                f"{self.name} has {shown}, more than the limit of {limit:,}; {instead}: "
                f"lm.ccdim, lm.affdim, .loss(y, t), .risk(p, t) and .decode(x) need no matrix"
            )


def integral(vectors: Sequence[Vector]) -> Any:
    """Rational rows as an integer matrix, each row by its own positive factor."""
    return integer_matrix([cleared(vector) for vector in vectors])
