"""From sets of tags to what is learned about them, and from what was learned to sets, for each kind of loss.

A loss with factors needs the means of scale(y) a(y), and of these only what is not 0 for all examples: of F_β the
factors (tag, m) of the sizes m that occur. A loss that is written down needs the probabilities of the sets that occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from lossmith.answers.designing import design
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.squares_of_factors import SquaresOfFactors
from lossmith.errors import BadInput
from lossmith.learn.scoring import float_costs
from lossmith.learn.set_losses import LossOfSets
from lossmith.losses.families.ranking.precision_at import PrecisionAt
from lossmith.losses.families.sets.f_measure import FMeasure
from lossmith.losses.families.sets.recall_at import RecallAt
from lossmith.losses.families.sets.top_k_costs import TopKCosts
from lossmith.losses.families.sets.weighted_hamming import WeightedHamming
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.set_loss import SetLoss

Array: TypeAlias = np.ndarray[Any, Any]

_NUMBERS = 1 << 20  # that are written down at a time: 8 MiB


@dataclass(frozen=True)
class Joint:
    """Of each example P(|y| = m) for the sizes that occur, and P(y_i = 1, |y| = m): examples × sizes (× tags)."""

    sizes: Array
    of_size: Array
    of_tag: Array


@dataclass(frozen=True, eq=False)
class FactoredTask:
    """A loss with factors, and those of them, by number, that occur."""

    loss: SetLoss | PrecisionAt
    columns: Array

    @property
    def dim(self) -> int:
        """How many numbers are learned."""
        return len(self.columns)

    @property
    def together(self) -> int:
        """Examples of which all factors, or all tags with all sizes, are written down at a time."""
        return max(1, _NUMBERS // max(self.loss.m, self.loss.r**2))

    @property
    def by_joint(self) -> bool:
        """Whether the probabilities of tags and sizes tell the factors."""
        return isinstance(self.loss, (FMeasure, RecallAt, WeightedHamming, PrecisionAt))

    def targets(self, Y: Array) -> Array:
        """What is learned where Y is true: a row of `dim` numbers per example."""
        found = np.empty((len(Y), self.dim))
        for rows in parts(len(Y), self.together):
            found[rows] = self._factors(Y[rows])[:, self.columns]
        return found

    def told(self, joint: Joint) -> Array:
        """The means of the factors, from the probabilities of tags and sizes."""
        loss, sizes, by_tag = self.loss, joint.sizes, joint.of_tag
        if isinstance(loss, FMeasure):
            inner = (sizes > 0) & (sizes < loss.r)
            ends = [joint.of_size[:, sizes == m] for m in (loss.r, 0)]
            return np.hstack([by_tag[:, inner].reshape(len(by_tag), -1), *ends])
        if isinstance(loss, RecallAt):
            return np.asarray(np.einsum("nkr,k->nr", by_tag, 1 / np.maximum(sizes, 1)))
        marginals = by_tag.sum(axis=1)
        if isinstance(loss, WeightedHamming):
            return np.asarray((1 - 2 * marginals) * np.array(loss.weights, dtype=float))
        return np.asarray(marginals / loss.q)  # type: ignore[union-attr]

    def decide(self, U: Array) -> Array:
        """The sets of least expected loss, as zeros and ones."""
        found = np.zeros((len(U), self.loss.r), dtype=int)
        for rows in parts(len(U), self.together):
            x = np.zeros((len(U[rows]), self.loss.m))
            x[:, self.columns] = U[rows]
            decided = self.loss.decode(x).predictions
            if isinstance(self.loss, PrecisionAt):  # which tells the tags by number
                np.put_along_axis(found[rows], decided, 1, axis=1)
            else:
                found[rows] = decided
        return found

    def losses(self, Y: Array, T: Array) -> Array:
        """What the sets T cost where Y is true."""
        if isinstance(self.loss, PrecisionAt):
            return np.asarray(1 - (Y * T).sum(axis=1) / self.loss.q)
        return self.loss.losses(Y, T)

    @cached_property
    def construction(self) -> SquaresOfFactors:
        """That the means of the factors are enough, with a certificate."""
        return SquaresOfFactors(self.loss, every_score=True)

    def _factors(self, Y: Array) -> Array:
        return Y / self.loss.q if isinstance(self.loss, PrecisionAt) else self.loss.targets(Y)


@dataclass(frozen=True, eq=False)
class WrittenTask:
    """A loss that is written down, and the rows, by number, of the sets that occur."""

    loss: LossMatrix
    columns: Array
    by_joint = False

    @property
    def dim(self) -> int:
        """How many numbers are learned: one for each set that occurs."""
        return len(self.columns)

    @property
    def together(self) -> int:
        """Examples of which all expected losses are written down at a time."""
        return max(1, _NUMBERS // self.loss.k)

    def targets(self, Y: Array) -> Array:
        """1 for the set that it is, else 0."""
        return np.asarray(rows_of_sets(Y, self.loss)[:, None] == self.columns, dtype=float)

    def decide(self, U: Array) -> Array:
        """The sets of least expected loss, as zeros and ones."""
        sets = np.array([[int(bit) for bit in str(name)] for name in self.loss.predictions])
        chosen = [(U[rows] @ self._costs[self.columns]).argmin(axis=1) for rows in parts(len(U), self.together)]
        return np.asarray(sets[np.concatenate(chosen)])

    def losses(self, Y: Array, T: Array) -> Array:
        """What the sets T cost where Y is true."""
        return np.asarray(self._costs[rows_of_sets(Y, self.loss), _places(T, self.loss.predictions)])

    @cached_property
    def construction(self) -> Calibrated:
        """That the probabilities are enough, with a certificate."""
        return design(self.loss, method="class-probability")  # type: ignore[return-value]

    @cached_property
    def _costs(self) -> Array:
        return float_costs(self.loss)


Task: TypeAlias = FactoredTask | WrittenTask


def task_of(loss: LossOfSets, Y: Array) -> Task:
    """What is learned of these sets for the loss.

    >>> from lossmith.losses import f_measure
    >>> task_of(f_measure(4), np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])).columns.tolist()
    [0, 1, 2, 3, 13]
    """
    if isinstance(loss, LossMatrix):
        return WrittenTask(loss, np.unique(rows_of_sets(Y, loss)))
    if isinstance(loss, TopKCosts):
        return FactoredTask(loss, np.flatnonzero(loss.targets(Y).any(axis=0)))
    if not isinstance(loss, FMeasure):
        return FactoredTask(loss, np.arange(loss.m))
    sizes, r = np.unique(Y.sum(axis=1)), loss.r
    inner = sizes[(sizes > 0) & (sizes < r)]
    ends = [loss.m - 2] * bool((sizes == r).any()) + [loss.m - 1] * bool((sizes == 0).any())
    return FactoredTask(loss, np.array([*((inner[:, None] - 1) * r + np.arange(r)).ravel(), *ends], dtype=int))


def rows_of_sets(Y: Array, loss: LossMatrix) -> Array:
    """The row of the loss for each set."""
    found = _places(Y, loss.labels)
    if (found < 0).any():
        row = int((found < 0).argmax())
        raise BadInput(f"row {row} of y is {''.join(map(str, Y[row]))}, which is no label of {loss.name}; leave it out")
    return found


def parts(count: int, size: int) -> list[slice]:
    """Rows in order, so many at a time.

    >>> parts(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(at, min(at + size, count)) for at in range(0, max(count, 1), size)]


def _places(Y: Array, names: Any) -> Array:
    """Where each row stands among sets in bits, −1 if nowhere."""
    known = {str(name): place for place, name in enumerate(names)}
    return np.array([known.get("".join(map(str, row)), -1) for row in Y.tolist()], dtype=int)
