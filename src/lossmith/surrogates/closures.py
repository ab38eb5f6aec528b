"""Where a pred decides: the closures of the sets on which it makes each prediction.

The regions of a pred are ordered, and the first that contains u decides. So it makes prediction t on the part R_t of
the domain C that lies in the region of t and in no earlier one; points of R_t may come arbitrarily near all of cl R_t.

**cl R_t is a union of polyhedra.** Let P be a piece of the region of t, cut with C, and E a piece of an earlier region.
If P ∩ E has a smaller dimension than P, then P without E is dense in P, and so it is in what other pieces leave of P,
which is open in P: such an E does not matter. Otherwise, row by row of E, what lies beyond this row and within those
before it is a convex set of the dimension of P, or empty; its closure S is a polyhedron, in which it is dense and has
the relative interior, and what the remaining pieces leave of it is dense in what they leave of S.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from lossmith.exact.solve import null_space
from lossmith.exact.vectors import combined, over_common_denominator, primitive, rational_dot
from lossmith.geometry.covering import both_signs
from lossmith.geometry.polyhedron import Polyhedron, value
from lossmith.surrogates.pred import Pred


def tight(pred: Pred, domain: Polyhedron) -> Pred:
    """The same function on the domain, with pieces whose union, cut with it, is cl R_t for every t.

    It is the same: where pred says t, no earlier region contains u, so no earlier closure does.

    >>> whole, zero = Polyhedron(1), Polyhedron(1, (), ((Fraction(0), Fraction(1)),))
    >>> [len(region) for region in tight(Pred("first", 1, ((whole,), (zero,))), whole).regions]
    [1, 0]
    >>> [len(region) for region in tight(Pred("last", 1, ((zero,), (whole,))), whole).regions]
    [1, 1]
    """
    return _cut(pred, domain, range)


def forced(pred: Pred, domain: Polyhedron) -> Pred:
    """The closures of where one region alone contains u: what a pred says however ties, and overlaps, are broken."""
    return _cut(pred, domain, lambda t: [s for s in range(len(pred.regions)) if s != t])


def point_beyond(pred: Pred, domain: Polyhedron, t: int, piece: int, u: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A u′ in a piece of cl R_t, cut with the domain, such that the pred says t at u + ε(u′ − u) for all small ε > 0.

    The pred is tight. u′ is in the relative interior of the piece: it satisfies each row strictly that some point does.
    Earlier pieces meet it in less than its dimension, or lie beyond rows of its own; those u′ that lead into one of
    them fill no open set. A sum of c_i (i + 2)^m over i is zero for finitely many m only, so the search ends.
    """
    before = [each for region in pred.regions[:t] for each in region]
    part = domain.meet(pred.regions[t][piece])
    corners = _spread(part)
    weights = [Fraction(1)] * len(corners)
    while True:
        total = sum(weights)
        toward = tuple(x / total for x in combined(weights, corners))
        if all(_avoids(each, u, toward) for each in before):
            return toward
        weights = [w * (i + 2) for i, w in enumerate(weights)]


def _avoids(piece: Polyhedron, u: Sequence[Fraction], toward: Sequence[Fraction]) -> bool:
    """Whether u + ε(u′ − u) lies outside the piece for all small ε > 0."""
    return any(at < 0 or (at == 0 and value(row, toward) < 0) for row in both_signs(piece) for at in [value(row, u)])


def _spread(part: Polyhedron) -> list[tuple[Fraction, ...]]:
    """Points in the relative interior of a polyhedron that span it: an inner point, and one in each direction."""
    inner = part.inner_point
    assert inner is not None
    loose = [row for row in part.inequalities if value(row, inner) > 0]
    found = [inner]
    for direction in null_space([row[1:] for row in part.flat], part.dim):
        share = Fraction(1)
        while True:
            moved = tuple(x + share * d for x, d in zip(inner, direction, strict=True))
            if all(value(row, moved) > 0 for row in loose):
                break
            share /= 2
        found.append(moved)
    return found


def _cut(pred: Pred, domain: Polyhedron, hidden_by: Callable[[int], Iterable[int]]) -> Pred:
    """The pred with each piece replaced by the closures of what the regions of some other predictions leave of it."""
    kept = [[each for each in (_Piece(piece, domain) for piece in region) if each.met] for region in pred.regions]
    regions = []
    for t, pieces in enumerate(kept):
        others = [each for s in hidden_by(t) for each in kept[s]]
        regions.append(tuple(part for piece in pieces for part in _left(piece, others)))
    return replace(pred, regions=tuple(regions))


def _left(piece: _Piece, others: Sequence[_Piece]) -> list[Polyhedron]:
    """The closures of the parts of a piece, cut with the domain, that the others leave."""
    for i, other in enumerate(others):
        if piece.only_touches(other):
            continue
        found, within = [], piece
        for row in both_signs(other.rows):
            beyond = within.beyond(row)
            if beyond is not None:
                found += _left(beyond, others[i + 1 :])
            within = within.cut(row)
        return found
    return [piece.rows]


@dataclass(frozen=True, eq=False)
class _Piece:
    """A piece of a region, and the domain that it is cut with."""

    rows: Polyhedron
    domain: Polyhedron

    @cached_property
    def whole(self) -> Polyhedron:
        return self.domain.meet(self.rows)

    @property
    def met(self) -> bool:
        """Whether the piece meets the domain."""
        return not self.whole.empty

    @cached_property
    def sides(self) -> dict[tuple[int, ...], Fraction]:
        """By direction, the least constant b such that b + a·u ≥ 0 is a row."""
        sides: dict[tuple[int, ...], Fraction] = {}
        for row in self.rows.inequalities:
            if any(row[1:]):
                numbers, unit = over_common_denominator(row[1:])
                direction = primitive(numbers)
                place = next(i for i, x in enumerate(direction) if x)
                constant = row[0] * unit * direction[place] / numbers[place]
                sides[direction] = min(constant, sides.get(direction, constant))
        return sides

    @cached_property
    def beyond_sides(self) -> dict[tuple[int, ...], Fraction]:
        """The same, by the opposite direction."""
        return {tuple(-x for x in direction): constant for direction, constant in self.sides.items()}

    def only_touches(self, other: _Piece) -> bool:
        """Whether the other meets this piece in a set of smaller dimension, or not at all."""
        inner = self.whole.inner_point
        assert inner is not None
        for direction in self.sides.keys() & other.beyond_sides.keys():
            constant = self.sides[direction]
            if constant + other.beyond_sides[direction] <= 0 and constant + rational_dot(direction, inner) > 0:
                return True  # they lie on two sides of a hyperplane, on which this piece does not lie
        return self.whole.meet(other.rows).size < self.whole.size

    def beyond(self, row: tuple[Fraction, ...]) -> _Piece | None:
        """The closure of what lies beyond the row; None if nothing does."""
        found = self.cut(tuple(-x for x in row))
        inner = found.whole.inner_point
        return found if inner is not None and value(row, inner) < 0 else None

    def cut(self, row: tuple[Fraction, ...]) -> _Piece:
        return _Piece(self.rows.cut(row), self.domain)
