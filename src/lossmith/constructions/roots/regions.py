"""What a pred tells of the estimates where it says t: that x̂·d + c ≤ 0, up to what all means have in common."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.calibration.estimates import EstimateProof, costs_by_estimates
from lossmith.exact.solve import combination, null_space
from lossmith.exact.vectors import cleared, combined, minus, rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.pred import Decide

_ZERO, _ONE = Fraction(0), Fraction(1)
Regions = dict[int, tuple[Polyhedron, ...]]
Row = tuple[Fraction, ...]
Costs = dict[int, Row]


def by_costs(pred: object) -> bool:
    """Whether the pred takes the least expected loss by what is told, and so c + x̂·d ≤ 0 for its own rows."""
    return isinstance(pred, Decide) and pred.name == "decide"


def said(proof: EstimateProof, pred: object) -> Regions:
    """The closed parts of the estimates where each prediction is made: by its costs, or as the proof has them."""
    if isinstance(pred, Decide) and by_costs(pred):
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


def costs_of(proof: EstimateProof, facts: Facts, pred: object) -> Costs | None:
    """(c_t, b_t) of the predictions that are made or needed; None if some costs are no function of the mean."""
    if isinstance(pred, Decide) and by_costs(pred):
        return {t: row for t, row in enumerate(pred.affine) if row is not None}
    known = costs_by_estimates(facts.loss, proof.rows, proof.scales, facts.kept[0])
    rows = {t: known[t] for t in {*said(proof, pred), *facts.kept}}
    return None if None in rows.values() else {t: row for t, row in rows.items() if row is not None}


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


def holds(piece: Polyhedron, row: Row) -> bool:
    """Whether c + d·x ≤ 0 on all of the piece: by Farkas' lemma, whether the row is `_combined` of its rows.

    >>> interval = Polyhedron(1, ((Fraction(-1, 2), Fraction(1)),))
    >>> holds(interval, (Fraction(1), Fraction(-2))), holds(interval, (Fraction(2), Fraction(-2)))
    (True, False)
    """
    program, signs, count = _combined(piece, [])
    equal = [cleared((x, *each[1:])) for x, each in zip(row, program, strict=True)]
    return maximize([0] * count, signs, equal) is not None


def told(piece: Polyhedron, row: Row, points: Sequence[Row]) -> Row | None:
    """A (c′, d′) that is at least as large as the row at all points, c′ + d′·x ≤ 0 on the piece; None if there is none.

    The row itself, if that is so of it, with the shortest d among those with the same values at means; else a linear
    program finds what has the least Σ |d′_i| + max |d′_i|.
    """
    best, size = centred(row, vanishing(points)), piece.dim
    if holds(piece, best):
        return best
    # The variables: c′ and d′, bounds of |d′_i|, their bound, the multiples.
    places, ends = size + 1, 2 * size + 2
    own, wide = [unit[:ends] for unit in unit_rows(ends)[:places]], [_ZERO] * places
    program, signs, count = _combined(piece, own)
    rest = [_ZERO] * (count - ends)
    above = list(signs)
    for i in range(size):
        bound = [_ONE if j == i else _ZERO for j in range(size)]
        above += [cleared((_ZERO, _ZERO, *(way * x for x in bound), *bound, _ZERO, *rest)) for way in (-1, 1)]
        above.append(cleared((_ZERO, *wide, *(-x for x in bound), _ONE, *rest)))
    for point in points:
        above.append(cleared((-row[0] - rational_dot(row[1:], point), _ONE, *point, *wide, *rest)))
    shortest = [0] * places + [-1] * places + [0] * len(rest)
    found = maximize(shortest, above, [cleared(each) for each in program])
    return None if found is None else found.point[:places]


def _combined(piece: Polyhedron, own: Sequence[Sequence[int]]) -> tuple[list[Row], list[tuple[int, ...]], int]:
    """Equations, which signs, and how many variables, for c + d·x + Σ multiples of the rows of the piece + κ = 0.

    Multiples of its equations may be negative, κ and others not; `own` are the places of c and d among the variables.
    """
    parts = [*piece.equations, *piece.inequalities, (_ONE, *[_ZERO] * piece.dim)]
    ahead = len(own[0]) if own else 0
    count = ahead + len(parts)
    program = []
    for i in range(piece.dim + 1):
        variables = map(Fraction, own[i]) if own else ()
        program.append((_ZERO, *variables, *(part[i] for part in parts)))
    units = unit_rows(count)
    return program, [(0, *units[i]) for i in range(ahead + len(piece.equations), count)], count
