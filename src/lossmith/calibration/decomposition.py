"""The pred that the proof of calibration builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from lossmith.analysis.chamber import Chamber
from lossmith.exact.rational import RationalLike
from lossmith.exact.vectors import over_common_denominator
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix
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
        return self.predictions[_largest_share(self.points, self.surrogate(u))]

    def decide(self, U: Any) -> list[int]:
        """The index of the prediction at every row of U, in floating point; a verdict's `decide` tells its name."""
        from lossmith.geometry.float_lp import largest_shares  # loads numpy and HiGHS

        shares = largest_shares([[float(x) for x in point] for point in self.points], self.surrogate.evaluate(U))
        return [self.predictions[j] for j in shares]

    def __repr__(self) -> str:
        return f"DecompositionPred({len(self.points)} cells of {self.surrogate.name})"


@dataclass(frozen=True)
class SortingPred:
    """The same for interchangeable labels: sort ψ(u) within blocks, decide as for one cell of each kind, sort back.

    Let g sort ψ(u), z = gψ(u), and let s(z) be the sums of z over the first labels of each block (`Chamber.sums`).
    Write s(z) ≥ Σ α_j s(z_j) as a mixture of the cells in the chamber, take the prediction t_j of the largest α_j, and
    predict g⁻¹t_j. Such α exist, as p·z ≥ H_ψ(p) = min_j p·z_j for all p in the chamber.

    *It is calibrated.* If not, there are p and j such that t_j is not optimal at p, and z with p·z as near to H_ψ(p) as
    one likes that rise, are nowhere below some ψ(u), and have mixtures with α_j ≥ 1/r. These are linear conditions on
    (z, α), so that some z attains H_ψ(p). Let q be p, sorted. Then H_ψ(p) = p·z ≥ q·z ≥ Σ α_i q·z_i ≥ H_ψ(q) are all
    equal. So q ∈ N(z_j), and p and q differ only within levels of z, the labels of one block with equal z. Moreover the
    sums of z and of Σ α_i z_i over the first labels up to y agree wherever q falls after y. There z at y, Σ α_i z_i at
    y, the same at the next label, and z at the next label are in order; within a level of z all are equal, so that z_j
    is the same at both labels, and the sums up to the label before y and up to the next agree, too. By induction z_j is
    constant on every level of z in which q falls. So p·z_j = q·z_j, p ∈ N(z_j), and t_j is optimal at p. ∎
    """

    name: ClassVar[str] = "the pred of the proof"
    surrogate: PolyhedralSurrogate
    loss: LossMatrix
    chamber: Chamber
    points: tuple[tuple[Fraction, ...], ...]
    predictions: tuple[int, ...]

    def __call__(self, u: Sequence[RationalLike]) -> int:
        """The index of the prediction at u, exactly."""
        z = self.surrogate(u)
        order = self._order(z)
        j = _largest_share(self._sums, self.chamber.sums([z[y] for y in order]))
        return self._sorted_back(j, order)

    def decide(self, U: Any) -> list[int]:
        """The index of the prediction at every row of U, in floating point; a verdict's `decide` tells its name."""
        from lossmith.geometry.float_lp import largest_shares  # loads numpy and HiGHS

        rows = self.surrogate.evaluate(U)
        orders = [self._order(row.tolist()) for row in rows]
        for i, order in enumerate(orders):
            rows[i] = self.chamber.sums(rows[i][order].tolist())
        shares = largest_shares([[float(x) for x in point] for point in self._sums], rows)
        return [self._sorted_back(j, order) for j, order in zip(shares, orders, strict=True)]

    def _order(self, z: Sequence[Any]) -> list[int]:
        """The label whose value takes the place of each, so that z rises within blocks."""
        order = list(range(len(z)))
        for block in self.chamber.blocks:
            for place, y in zip(block, sorted(block, key=z.__getitem__), strict=True):
                order[place] = y
        return order

    def _sorted_back(self, j: int, order: Sequence[int]) -> int:
        column = list(self._columns[self.predictions[j]])
        for place, y in enumerate(order):
            column[y] = self._columns[self.predictions[j]][place]
        return self._numbers[tuple(column)]

    @cached_property
    def _sums(self) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(map(self.chamber.sums, self.points))

    @cached_property
    def _columns(self) -> list[tuple[int, ...]]:
        return [tuple(column) for column in self.loss.rational.integer_columns()]

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {column: t for t, column in reversed([*enumerate(self._columns)])}

    def __repr__(self) -> str:
        return f"SortingPred({len(self.points)} kinds of cells of {self.surrogate.name})"


def _largest_share(points: Sequence[Sequence[Fraction]], z: Sequence[Fraction]) -> int:
    """Which point has the largest share in a mixture Σ α_j points_j ≤ z of least total."""
    size, n = len(points), len(z)
    values, _ = over_common_denominator([*z, *(x for point in points for x in point)])
    here, corners = values[:n], [values[n * (j + 1) : n * (j + 2)] for j in range(size)]
    below = [(here[y], *(-corner[y] for corner in corners)) for y in range(n)]
    weights = [(0, *(int(i == j) for j in range(size))) for i in range(size)]
    best = maximize([-sum(corner) for corner in corners], [*below, *weights], [(-1, *[1] * size)])
    if best is None:
        raise AssertionError(f"{tuple(map(str, z))} lies above no mixture of the cells")
    return max(range(size), key=best.point.__getitem__)
