"""Certificates about dimensions: the loss, a bound, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from lossmith.analysis.redundancy import needed_predictions
from lossmith.calibration.proofs import loss_section
from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class Case:
    """A loss, and the predictions that are not redundant: no bound depends on the others."""

    loss: LossMatrix
    kept: tuple[int, ...]

    @classmethod
    def of(cls, loss: LossMatrix) -> Case:
        """Leave out the redundant predictions."""
        return cls(loss, needed_predictions(loss))

    @cached_property
    def differences(self) -> list[list[int]]:
        """The columns ℓ_t − ℓ_0 of the kept predictions, 0 standing for the first, up to one positive factor."""
        columns = self.loss.matrix.integer_columns()
        first = columns[self.kept[0]]
        return [[a - b for a, b in zip(columns[t], first, strict=True)] for t in self.kept]

    @cached_property
    def basis(self) -> tuple[int, ...]:
        """Which of the differences are a basis of all."""
        return row_basis(integer_matrix(self.differences))

    @cached_property
    def balance(self) -> tuple[Fraction, ...] | None:
        """The only p with Σ p = 1 and the same p·ℓ_t for all kept t, of any signs, if the basis has n − 1 columns.

        None if there is no such p, as 1 lies in the span of the differences, or if the basis is smaller or larger.
        """
        n = self.loss.n
        if len(self.basis) != n - 1:
            return None
        system = integer_matrix([*(self.differences[b] for b in self.basis), [1] * n])
        try:
            solved = system.solve(integer_matrix([*([0] for _ in self.basis), [1]]))
        except ZeroDivisionError:
            return None
        return tuple(Fraction(int(x.p), int(x.q)) for x in solved.entries())

    @cached_property
    def tie(self) -> tuple[Fraction, ...]:
        """A distribution at which two kept predictions are optimal that differ there; with one kept, the uniform one.

        It lies between two distributions without a common optimal prediction, where the optimum first changes.
        """
        n = self.loss.n
        if len(self.kept) == 1:
            return (Fraction(1, n),) * n
        columns = [self.loss.column(t) for t in self.kept]
        least = [min(row) for row in zip(*columns, strict=True)]
        best = [{i for i, column in enumerate(columns) if column[y] == least[y]} for y in range(n)]
        pair = next(((y, z) for y in range(n) for z in range(y) if not best[y] & best[z]), None)
        if pair is not None:
            ends = [[Fraction(int(x == y)) for x in range(n)] for y in pair]
        else:
            ends = [list(self.alone(t)) for t in self.kept[:2]]
        used = [y for y in range(n) if ends[0][y] or ends[1][y]]
        start, end = ([sum((p[y] * column[y] for y in used), Fraction(0)) for column in columns] for p in ends)
        first = min(range(len(columns)), key=lambda i: (start[i], end[i]))
        lead = [(start[i] - start[first], end[first] - end[i]) for i in range(len(columns))]
        share = min(ahead / (ahead + behind) for ahead, behind in lead if behind > 0)
        return tuple(a + share * (b - a) for a, b in zip(*ends, strict=True))

    def alone(self, t: int) -> tuple[Fraction, ...]:
        """A distribution at which t is better than every prediction with another column."""
        columns, n = self.loss.matrix.integer_columns(), self.loss.n
        others = {tuple(column) for column in columns} - {tuple(columns[t])}
        margins = [(0, *(a - b for a, b in zip(column, columns[t], strict=True)), -1) for column in sorted(others)]
        positive = [(0, *(int(y == x) for x in range(n)), 0) for y in range(n)]
        best = maximize([0] * n + [1], [*margins, *positive, (1, *[0] * n, -1)], [(-1, *[1] * n, 0)])
        assert best is not None
        return best.point[:n]


def dimension_certificate(bound: Bound, loss: LossMatrix, evidence: dict[str, Any]) -> Certificate:
    """The claim CCdim(L) ≥ value."""
    return Certificate.of("ccdim at least", {"value": bound.value, "loss": loss_section(loss)}, evidence)
