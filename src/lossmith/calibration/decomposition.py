"""The pred that the proof of calibration builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from lossmith.exact.rational import RationalLike
from lossmith.exact.vectors import rows_over_common_denominator, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


@dataclass(frozen=True)
class DecompositionPred:
    """pred(u): write ψ(u) ≥ Σ α_j z_j as a mixture of the cells' points, and take the prediction of the largest α_j.

    Such α exist for every u ∈ C (`lem:condition-sufficient`), and regret_ψ(p, u) ≥ α_j (p·z_j − H_ψ(p)) with α_j ≥ 1/r
    for r cells: what is nearly optimal for ψ is decided as one of the cells that hold p. Among the mixtures, one with
    the least total is taken.
    """

    name: ClassVar[str] = "the pred of the proof"
    surrogate: PolyhedralSurrogate
    points: tuple[tuple[Fraction, ...], ...]
    predictions: tuple[int, ...]

    def __call__(self, u: Sequence[RationalLike]) -> int:
        """The index of the prediction at u, exactly."""
        z = self.surrogate(u)
        size, n = len(self.points), self.surrogate.n
        (here, *points), _ = rows_over_common_denominator([z, *self.points])
        below = [(here[y], *(-point[y] for point in points)) for y in range(n)]
        weights = [(0, *row) for row in unit_rows(size)]
        best = maximize([-sum(point) for point in points], [*below, *weights], [(-1, *[1] * size)])
        if best is None:
            raise AssertionError(f"ψ{tuple(map(str, u))} lies above no mixture of the cells of {self.surrogate.name}")
        return self.predictions[max(range(size), key=best.point.__getitem__)]

    def decide(self, U: Any) -> list[int]:
        """The index of the prediction at every row of U, in floating point; a verdict's `decide` tells its name."""
        from lossmith.geometry.float_lp import largest_shares  # loads numpy and HiGHS

        shares = largest_shares([[float(x) for x in point] for point in self.points], self.surrogate.evaluate(U))
        return [self.predictions[j] for j in shares]

    def __repr__(self) -> str:
        return f"DecompositionPred({len(self.points)} cells of {self.surrogate.name})"
