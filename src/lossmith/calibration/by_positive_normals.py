"""The rule for polyhedral surrogates: calibrated exactly if every positive normal set lies in a trigger set.

Necessary by `thm:condition-necessary`, sufficient by `thm:condition-sufficient`: the finitely many positive normal sets
of full dimension cover the simplex. So a polyhedral surrogate is never undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from operator import mul

from lossmith.analysis.positive_normals import MAX_VERTICES, Point, positive_normal_sets
from lossmith.analysis.weights import Minimum, RiskMinimizer
from lossmith.calibration.verdicts import Calibrated, Cell, NotCalibrated, Verdict
from lossmith.errors import BadInput
from lossmith.exact.rational import over_common_denominator, primitive
from lossmith.geometry.double_description import Progress, Row
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_MOST_WATCHED = 64


def check(
    surrogate: PolyhedralSurrogate,
    loss: LossMatrix,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> Verdict:
    """Decide whether the surrogate is calibrated for the loss with some pred (`def:calibration`), and prove it.

    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> check(crammer_singer(3), zero_one(3)).status
    'not calibrated'
    >>> check(crammer_singer(3), abstain(3)).status
    'calibrated'
    """
    if surrogate.n != loss.n:
        raise BadInput(
            f"{surrogate.name} has {surrogate.n} labels but {loss.name} has {loss.n}; a surrogate needs one component "
            f"per row of the loss"
        )
    watch, minimizer = _Watch(loss), RiskMinimizer(surrogate)
    enumerate_cells = partial(
        positive_normal_sets, surrogate, max_vertices=max_vertices, progress=progress, minimizer=minimizer
    )
    try:
        subdivision = enumerate_cells(seen=watch)
    except _BadCell as bad:
        early = _not_calibrated(minimizer, loss, bad.u, bad.z, bad.points, tries=4)
        if early is not None:
            return early
        subdivision = enumerate_cells()
    cells = []
    for cell in subdivision.cells:
        optimal = watch.common(cell.polytope.rays)
        if not optimal:
            verdict = _not_calibrated(minimizer, loss, cell.u, cell.z, cell.polytope.rays, tries=None)
            assert verdict is not None
            return verdict
        cells.append(Cell(cell.u, cell.z, cell.polytope, (optimal & -optimal).bit_length() - 1))
    return Calibrated(surrogate, loss, tuple(cells), subdivision)


class _BadCell(Exception):
    """A cell that lies in no trigger set was found before the enumeration was complete."""

    def __init__(self, u: Point, z: Point, points: Iterable[Row]) -> None:
        self.u, self.z, self.points = u, z, tuple(points)


@dataclass
class _Watch:
    """Follows the enumeration: which predictions are optimal at all points seen of each cell."""

    loss: LossMatrix
    masks: dict[Row, int] = field(default_factory=dict)
    cells: dict[Point, tuple[Point, list[int], int, list[Row]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = self.loss.matrix.integer_columns()

    def optimal(self, p: Row) -> int:
        """The optimal predictions at p, as a bit mask."""
        if p not in self.masks:
            risks = [sum(map(mul, p, column)) for column in self.columns]
            least = min(risks)
            self.masks[p] = sum(1 << t for t, risk in enumerate(risks) if risk == least)
        return self.masks[p]

    def common(self, points: Iterable[Row]) -> int:
        """The predictions that are optimal at all of the points."""
        mask = -1
        for p in points:
            mask &= self.optimal(p)
        return mask

    def __call__(self, p: Row, minimum: Minimum) -> None:
        """Take note of H_ψ(p); raise when a cell has shown points that no prediction serves."""
        if minimum.z not in self.cells:
            if len(self.cells) >= _MOST_WATCHED:
                return
            self.cells[minimum.z] = (minimum.u, *over_common_denominator(minimum.z), [])
        bound = minimum.weights.bound
        for z, (u, numerators, denominator, points) in self.cells.items():
            if sum(map(mul, p, numerators)) * bound.denominator == bound.numerator * denominator:
                points.append(p)
                if not self.common(points):
                    raise _BadCell(u, z, points)


def _not_calibrated(
    minimizer: RiskMinimizer, loss: LossMatrix, u: Point, z: Point, points: Iterable[Row], tries: int | None
) -> NotCalibrated | None:
    """Choose few distributions inside N(z) that rule out every prediction between them; None if N(z) seems flat."""
    watch = _Watch(loss)
    points = tuple(points)
    middle = _interior(minimizer, z, points, tries)
    if middle is None:
        return None
    share = 4
    while True:
        moved = [_towards(p, middle, share) for p in points]
        if not watch.common(moved):
            break
        share *= 4  # N(z) meets the complement of every trigger set, which is open: near enough it is left
    chosen = _cover(loss, watch, moved)
    proofs = tuple((p, minimizer.at(p).weights) for p in chosen)
    distributions = tuple(tuple(Fraction(x, sum(p)) for x in p) for p in chosen)
    return NotCalibrated(minimizer.surrogate, loss, u, distributions, proofs)


def _interior(minimizer: RiskMinimizer, z: Point, points: tuple[Row, ...], tries: int | None) -> Row | None:
    """A point p > 0 for which z is the only optimal value: a small simplex around p lies in N(z)."""
    n = minimizer.surrogate.n
    centre = _mean(points)
    tilt = tuple(int(x * 10**6) for x in minimizer.tilt)
    step = 64
    while tries is None or step < 64 ** (tries + 1):
        for near in (centre, _towards(centre, tilt, step)):
            corners = [_towards(near, tuple(int(y == x) for x in range(n)), step * 1024) for y in range(n)]
            if all(near) and all(_optimal_at(minimizer, z, corner) for corner in corners):
                return near
        step *= 64
    return None


def _optimal_at(minimizer: RiskMinimizer, z: Point, p: Row) -> bool:
    return sum(map(mul, p, z), Fraction(0)) == minimizer.at(p).weights.bound


def _mean(points: tuple[Row, ...]) -> Row:
    scaled = [Fraction(1, sum(p)) for p in points]
    total = [
        sum((p[y] * factor for p, factor in zip(points, scaled, strict=True)), Fraction(0))
        for y in range(len(points[0]))
    ]
    return primitive(over_common_denominator(total)[0])


def _towards(p: Row, target: Row, share: int) -> Row:
    """The point one `share`-th of the way from p to the target, both normalised."""
    a, b = sum(p), sum(target)
    return primitive([(share - 1) * x * b + y * a for x, y in zip(p, target, strict=True)])


def _cover(loss: LossMatrix, watch: _Watch, points: list[Row]) -> list[Row]:
    """Choose points, each the one that rules out most and costs most, until no prediction is optimal at all of them."""
    left, chosen = (1 << loss.k) - 1, list[Row]()
    columns = loss.matrix.integer_columns()

    def excess(p: Row) -> Fraction:
        risks = [sum(map(mul, p, column)) for t, column in enumerate(columns)]
        return Fraction(sum(risks) - loss.k * min(risks), sum(p))

    while left:
        best = max(points, key=lambda p: (-(left & watch.optimal(p)).bit_count(), excess(p)))
        chosen.append(best)
        left &= watch.optimal(best)
    return chosen
