"""Where the boundaries of a decision run while one of its costs moves, exactly.

Let entry (y, t) run from `low` to `high`, and Q_s(x) be the cell of s while it is x. Only the expected cost of t
depends on x, and grows with it; which of the others is best at p does not. If p lies inside of Q_t(low) ∩ Q_s(high),
then s is the best of the others there, t is better for x = low, and s for x = high: for just one x between them the two
cost the same, and p lies on the boundary of t with s. If p lies in none of these sets, t is best at p for all x or for
none. So what the boundary of t with s sweeps over is the polytope Q_t(low) ∩ Q_s(high), its *band*; it begins with the
wall p·ℓ_t(low) = p·ℓ_s and ends with p·ℓ_t(high) = p·ℓ_s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

from lossmith.analysis.trigger_probabilities import MAX_VERTICES, cells_of
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.vectors import Row, minus, rational_dot
from lossmith.geometry.double_description import Progress, extreme_rays
from lossmith.geometry.polytope import Polytope, maximal_sets, tight_sets
from lossmith.losses.matrix import LossMatrix


@dataclass(frozen=True)
class Band:
    """What the boundary with `prediction` sweeps over; it begins where the row `low` vanishes, and ends with `high`."""

    prediction: int
    polytope: Polytope
    low: Row
    high: Row

    def wall(self, row: Row) -> list[tuple[Fraction, ...]]:
        """The corners on `low`, or on `high`."""
        return [p for p in self.polytope.vertices if not rational_dot(row, p)]

    @cached_property
    def share(self) -> Fraction:
        """Its volume as a part of that of the simplex: that of corners p¹, …, pⁿ has the part |det(p¹, …, pⁿ)|."""
        rays = self.polytope.rays
        walls = tight_sets(self.polytope.inequalities, rays)
        parts = _simplices((1 << len(rays)) - 1, walls)
        return sum((_part([rays[i] for i in corners]) for corners in parts), Fraction(0))


def bands(
    loss: LossMatrix, y: int, t: int, low: Fraction, high: Fraction, progress: Progress | None = None
) -> tuple[Band, ...]:
    """The band of each boundary of prediction t that moves while its cost under label y runs from `low` to `high`.

    The ends may be negative: a number added to all costs of a label changes no cell.

    >>> (band,) = bands(LossMatrix([[0, 1], [5, 0]]), 1, 0, Fraction(4), Fraction(9))
    >>> [str(p[1]) for p in band.polytope.vertices], str(band.share)          # from 1/(1 + 4) to 1/(1 + 9)
    (['1/5', '1/10'], '1/10')
    """
    others = [s for s in range(loss.k) if s != t]
    if not others or low >= high:
        return ()
    unit = loss.rational.denominator
    fine = lcm((low * unit).denominator, (high * unit).denominator)  # in which both ends are integers, too
    columns = [tuple(fine * x for x in column) for column in loss.rational.integer_columns()]
    cheap, dear = ((*columns[t][:y], int(x * unit * fine), *columns[t][y + 1 :]) for x in (low, high))
    rest = [columns[s] for s in others]
    found = []
    for cell in cells_of(rest, lambda: range(len(rest)), reduced=False, max_vertices=MAX_VERTICES, progress=progress):
        own = rest[cell.prediction]
        first, last = minus(own, cheap), minus(dear, own)
        if any(first) and any(last):  # else t is equal to it at one end, a tie in which no boundary moves
            rows = (*cell.polytope.inequalities, first, last)
            swept = Polytope(tuple(sorted(extreme_rays(rows))), rows)
            if swept.dim == loss.n - 1:
                found.append(Band(others[cell.prediction], swept, first, last))
    return tuple(found)


def _simplices(face: int, walls: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A face, its corners as a bit mask, cut into simplices: its first corner over those of the facets without it."""
    first = face & -face
    if face == first:
        yield (first.bit_length() - 1,)
        return
    for facet in maximal_sets(face & wall for wall in walls if face & wall != face):
        if not facet & first:
            for rest in _simplices(facet, walls):
                yield (first.bit_length() - 1, *rest)


def _part(rays: Sequence[Row]) -> Fraction:
    return Fraction(abs(int(integer_matrix(rays).det())), prod(map(sum, rays)))
