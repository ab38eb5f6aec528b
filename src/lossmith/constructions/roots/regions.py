"""What a pred tells of the estimates where it says t: that x̂·d + c ≤ 0, up to what all means have in common."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.calibration.estimates import EstimateProof
from lossmith.exact.solve import combination, null_space
from lossmith.exact.vectors import cleared, combined, minus, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.pred import Decide

_ZERO, _ONE = Fraction(0), Fraction(1)
Regions = dict[int, tuple[Polyhedron, ...]]
Row = tuple[Fraction, ...]


def said(proof: EstimateProof, pred: object) -> Regions:
    """The closed parts of the estimates where each prediction is made: by its costs, or as the proof has them."""
    if isinstance(pred, Decide):
        rows = {t: row for t, row in enumerate(pred.affine) if row is not None}
        pieces = {
            t: Polyhedron(len(row) - 1, tuple(minus(other, row) for s, other in rows.items() if s != t))
            for t, row in rows.items()
        }
        return {t: (piece.meet(proof.domain),) for t, piece in pieces.items()}
    if proof.regions is None:
        return {}
    return {
        t: tuple(piece.meet(proof.domain) for piece in region)
        for t, region in enumerate(proof.regions.regions)
        if region
    }


def vanishing(points: Sequence[Sequence[Fraction]]) -> list[Row]:
    """A basis of the (e_0, e) with e_0 + a_y·e = 0 for all y: what means have in common.

    >>> vanishing([[1, 0], [0, 1]]), vanishing([[0], [1]])
    ([(Fraction(-1, 1), Fraction(1, 1), Fraction(1, 1))], [])
    """
    basis = null_space([cleared((_ONE, *row)) for row in points], len(points[0]) + 1)
    return [tuple(Fraction(x) * (1 if each[-1] > 0 else -1) for x in each) for each in basis]


def centred(row: Row, free: Sequence[Row]) -> Row:
    """The (c, d) that has the same values at all means, with the least ‖d‖."""
    if not free:
        return row
    slopes = [each[1:] for each in free]
    normal = [[rational_dot(a, b) for b in slopes] for a in slopes]
    weights = combination(normal, [-rational_dot(row[1:], a) for a in slopes])
    assert weights is not None  # a projection always is
    return tuple(x + y for x, y in zip(row, combined(weights, free), strict=True))


def told(piece: Polyhedron, row: Row, free: Sequence[Row]) -> Row | None:
    """A (c, d) with the same values at all means and c + d·x ≤ 0 on all of the piece, d short; None if there is none.

    By Farkas' lemma c + d·x ≤ 0 there if and only if non-negative multiples of the rows of the piece, any multiples of
    its equations, and a κ ≥ 0, add up to −c − d·x. If it is not so for the shortest d, a linear program finds that with
    the least Σ |d_i| for which it is.
    """
    best = centred(row, free)
    if _multiples(piece, best, ()) is not None:
        return best
    weights = _multiples(piece, row, free) if free else None
    return None if weights is None else tuple(x + y for x, y in zip(row, combined(weights, free), strict=True))


def _multiples(piece: Polyhedron, row: Row, free: Sequence[Row]) -> Row | None:
    """The multiples of `free` with which the row may be changed; None if there are none."""
    size, count = piece.dim, len(free)
    unit = (_ONE, *[_ZERO] * size)
    parts = [*free, *piece.equations, *piece.inequalities, unit]  # the last ones have multiples that are not negative
    signed = count + len(piece.equations)
    total = len(parts) + (size if free else 0)  # and the bounds |d_i|
    wide = [_ZERO] * (total - len(parts))
    equal = [(row[i], *(part[i] for part in parts), *wide) for i in range(size + 1)]
    units = unit_rows(total)
    above = [(0, *units[i]) for i in range(signed, len(parts))]
    if free:
        for i in range(size):
            for way in (-1, 1):
                changed = [way * each[i + 1] for each in free]
                bound = [_ZERO] * (len(parts) - count) + [_ONE if j == i else _ZERO for j in range(size)]
                above.append(cleared((way * row[i + 1], *changed, *bound)))
    objective = [0] * len(parts) + [-1] * len(wide)
    best = maximize(objective, above, [cleared(each) for each in equal])
    return None if best is None else best.point[:count]
