"""Positive normal sets: for which distributions a point of the surrogate's domain is optimal (`def:pos-normals`).

H_ψ(p) = min_u p·ψ(u) is concave and piecewise linear; the sets on which it is linear are the positive normal sets of
full dimension. They are found by outer approximation: the points z = ψ(u) found so far give the upper bound min p·z;
at each vertex of it H_ψ is computed with proof, and a smaller value gives a new z. Once all vertices are confirmed
the bound is H_ψ.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import compress
from typing import Protocol, TypeAlias

from lossmith.analysis.risk_by_pivots import Weigher, risk_by_pivots
from lossmith.analysis.risk_minimizer import Minimum, RiskMinimizer
from lossmith.analysis.weights import Weights
from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import RationalLike
from lossmith.exact.solve import null_space
from lossmith.exact.vectors import (
    Row,
    cleared,
    dot,
    minus,
    over_common_denominator,
    primitive,
    rational_dot,
    rows_over_common_denominator,
    unit_rows,
)
from lossmith.geometry.double_description import GrowingCone, Progress, Watch, extreme_rays, on_the_way
from lossmith.geometry.envelope import Envelope, envelope
from lossmith.geometry.polyhedron import value
from lossmith.geometry.polytope import Polytope, members
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

MAX_VERTICES = 100_000
_MOST_RAYS = 10  # for each vertex that is admitted, as many cells meet there


Point: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True)
class PositiveNormalSet:
    """N(z) = {p ∈ Δ : p·z ≤ p·ψ(v) for all v ∈ C} at z = ψ(u)."""

    u: Point
    z: Point
    polytope: Polytope


@dataclass(frozen=True)
class Subdivision:
    """The simplex divided into the positive normal sets of full dimension, with one u and one z per cell.

    `proofs` holds, for every vertex p of the subdivision as a primitive integer row, the weights that prove H_ψ(p).
    """

    surrogate: PolyhedralSurrogate
    cells: tuple[PositiveNormalSet, ...]
    proofs: dict[Row, Weights] = field(repr=False, compare=False)

    @property
    def vertices(self) -> tuple[Row, ...]:
        """All vertices of all cells, as primitive integer rows, sorted."""
        return tuple(sorted({ray for cell in self.cells for ray in cell.polytope.rays}))


def positive_normal_sets(
    surrogate: PolyhedralSurrogate,
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
    minimizer: RiskMinimizer | None = None,
) -> Subdivision:
    """All positive normal sets of full dimension, exactly: the subdivision of the simplex on which H_ψ is linear.

    `minimizer` is used where one exists already.

    >>> from lossmith.surrogates import crammer_singer
    >>> len(positive_normal_sets(crammer_singer(3)).cells)
    4
    """
    minimizer = minimizer or RiskMinimizer(surrogate)
    found = pivoted(minimizer, max_vertices=max_vertices, progress=progress)
    return found or finished(enumerated(minimizer, max_vertices=max_vertices, progress=progress))


def pivoted(
    minimizer: RiskMinimizer, *, max_vertices: int = MAX_VERTICES, progress: Progress | None = None
) -> Subdivision | None:
    """The same from cell to cell, in 64-bit integers; None where these do not suffice or `enumerated` is faster.

    >>> from lossmith.surrogates import weston_watkins
    >>> len(pivoted(RiskMinimizer(weston_watkins(4))).cells)
    74
    """
    found = risk_by_pivots(minimizer, most=_MOST_RAYS * max_vertices, progress=progress)
    if found is None:
        return None
    surrogate, scale = minimizer.surrogate, minimizer.scale
    if len(found.vertices) > max_vertices:
        raise _refusal(surrogate, max_vertices)
    values = [tuple([Fraction(x, d * scale) for x in z]) for z, d in found.z]
    functionals, _ = rows_over_common_denominator(values)
    lower = Envelope(tuple(unit_rows(surrogate.n)), tuple(functionals), tuple(found.vertices), tuple(found.tight))
    cells = tuple(
        PositiveNormalSet(tuple([Fraction(x, d) for x in u]), z, lower.cell(t))
        for t, (z, (u, d)) in enumerate(zip(values, found.x, strict=True))
    )
    weigher = Weigher(surrogate)
    proofs = {
        p: weigher.weights(Fraction(bound, d * scale), weights, d)
        for p, (weights, bound, d) in zip(found.vertices, found.proofs, strict=True)
    }
    return Subdivision(surrogate, cells, proofs)


class Minimizer(Protocol):
    """What finds least risks: `RiskMinimizer`, in the coordinates of the simplex or in others."""

    @property
    def surrogate(self) -> PolyhedralSurrogate:
        """The surrogate."""

    def at(self, p: Row) -> Minimum:
        """The least risk at p, with a u that is also best inside the simplex near p, and with weights."""


Enumeration: TypeAlias = Generator[tuple[Row, Minimum], None, Subdivision]


def finished(enumeration: Enumeration) -> Subdivision:
    """What an enumeration ends with, from wherever it stands."""
    while True:
        try:
            next(enumeration)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def enumerated(
    minimizer: Minimizer, *, max_vertices: int = MAX_VERTICES, progress: Progress | None = None
) -> Enumeration:
    """Enumerate the cells: yield every p at which H_ψ is computed with its minimum, and return the subdivision.

    >>> from lossmith.surrogates import absolute
    >>> sorted(p for p, _ in enumerated(RiskMinimizer(absolute(2))))
    [(0, 1), (1, 0), (1, 1)]
    """
    surrogate, n = minimizer.surrogate, minimizer.surrogate.n
    first = minimizer.at(start := (1,) * n)
    proofs, found = {start: first.weights}, {first.z: first.u}
    yield start, first
    simplex = unit_rows(n)
    cone = GrowingCone([*((*row, 0) for row in simplex), _cut(first.z)], watch=_watch(surrogate, max_vertices))
    while True:
        rays = [ray for ray in cone.rays() if any(ray[:-1])]
        if len(rays) > max_vertices:
            raise _refusal(surrogate, max_vertices)
        new: dict[Point, Point] = {}
        for ray in rays:
            p = primitive(ray[:-1])
            if p in proofs:
                continue
            minimum = minimizer.at(p)
            proofs[p] = minimum.weights
            yield p, minimum
            if minimum.z not in found:
                new[minimum.z] = minimum.u
        if progress is not None:
            progress(len(found), len(found) + len(new))
        if not new:
            break
        found.update(new)
        cone.add([_cut(z) for z in sorted(new, key=lambda z: max(z) - min(z))])  # flat ones cut deepest
    return _subdivision(surrogate, found, rays, simplex, proofs)


def positive_normal_set(
    surrogate: PolyhedralSurrogate,
    u: Sequence[RationalLike],
    *,
    max_vertices: int = MAX_VERTICES,
    minimizer: RiskMinimizer | None = None,
) -> PositiveNormalSet:
    """N(ψ(u)) at one u ∈ C, exactly; empty if u is optimal for no p. `minimizer` is used where one exists already.

    N(ψ(u)) = {p ∈ Δ : p·ψ′(u; g) ≥ 0 for every direction g into C} (`lem:normal-computation`). First come the lines
    along which ψ is linear, both ways. Where ψ(u) is not optimal at a vertex of what is left, another z is, of ψ or of
    what it is near u, and p·(z − ψ(u)) ≥ 0 cuts the vertex off.

    >>> from lossmith.surrogates import crammer_singer
    >>> normals = positive_normal_set(crammer_singer(3), [0, 0, 0])
    >>> [tuple(map(str, p)) for p in normals.polytope.vertices]
    [('0', '1/2', '1/2'), ('1/2', '0', '1/2'), ('1/2', '1/2', '0')]
    """
    point, simplex = surrogate.point(u), unit_rows(surrogate.n)
    tangent, lines = _tangent(surrogate, point)
    z = surrogate(point)
    if minimizer is None:
        minimizer, z = RiskMinimizer(tangent), tangent([0] * surrogate.dim)
    proofs = minimizer.proofs_of(z)
    cone = GrowingCone(simplex, watch=_watch(surrogate, max_vertices))
    cuts, new = list[Row](), lines
    confirmed: set[Row] = set()
    while True:
        cuts += new
        cone.add(new)
        rays = cone.rays()
        if len(rays) > max_vertices:
            raise _refusal(surrogate, max_vertices)
        better = dict[Row, None]()
        for ray in rays:
            if ray in confirmed:
                continue
            minimum = None if any(proof.holds(ray) for proof in proofs) else minimizer.at(ray)
            if minimum is None or minimum.weights.bound == rational_dot(ray, z):
                confirmed.add(ray)
            else:
                better[primitive(cleared(minus(minimum.z, z)))] = None
        new = [*better]
        if not new:
            polytope = Polytope(tuple(sorted(map(primitive, rays))), (*simplex, *cuts))
            return PositiveNormalSet(point, surrogate(point), polytope)


def _tangent(surrogate: PolyhedralSurrogate, u: Point) -> tuple[PolyhedralSurrogate, list[Row]]:
    """g ↦ ψ′(u; g), plus constants, for the directions into C with |g_i| ≤ 1; and its rows along lines, both ways.

    Along these lines ψ is linear near u. The constants are so large that no maximum is negative.
    """
    active = []
    for maximum in surrogate.maxima:
        values = [value(piece, u) for piece in maximum]
        highest = max(values)
        active.append([piece[1:] for piece, each in zip(maximum, values, strict=True) if each == highest])
    slopes, unit = rows_over_common_denominator([each[0] for each in active])
    nothing, terms, ends = (0,) * surrogate.dim, [], []
    for groups in surrogate.groups:
        ends.append(tuple(map(sum, zip(nothing, *(slopes[g] for g in groups), strict=True))))
        bent = [g for g in groups if len(active[g]) > 1]
        once = zip(nothing, *(slopes[g] for g in groups if len(active[g]) == 1), strict=True)
        straight = tuple(Fraction(sum(column), unit) for column in once)
        terms.append(tuple(_never_negative(each) for each in ([straight], *(active[g] for g in bent))))
    box = [tuple(map(Fraction, (1, *(sign * x for x in row)))) for row in unit_rows(surrogate.dim) for sign in (1, -1)]
    walls = [(Fraction(0), *row[1:]) for row in surrogate.inequalities if value(row, u) == 0]
    equations = tuple((Fraction(0), *row[1:]) for row in surrogate.equations)
    tangent = PolyhedralSurrogate(tuple(terms), surrogate.dim, (*walls, *box), equations, surrogate.name)
    bends = [minus(slope, each[0]) for each in active for slope in each[1:]]
    lines = null_space([*bends, *(row[1:] for row in (*walls, *equations))], surrogate.dim)
    rows = [primitive([dot(end, line) for end in ends]) for line in lines]
    return tangent, [way for row in rows if any(row) for way in (row, tuple(-x for x in row))]


def _never_negative(slopes: Sequence[Point]) -> tuple[Point, ...]:
    """The largest slope·g plus a constant, which is at least 0 for |g_i| ≤ 1, and so is not changed by a piece 0."""
    constant = max(sum(map(abs, slope), Fraction(0)) for slope in slopes)
    return (*((constant, *slope) for slope in slopes), (Fraction(0),) * (1 + len(slopes[0])))


def vertices_within(subdivision: Subdivision, rows: Sequence[Row]) -> list[tuple[Row, ...]]:
    """For each cell, the vertices of its part with a·p ≥ 0 for all rows a, those of the simplex among them.

    The part of a cell is a face of {(p, v) : p satisfies the rows, v ≤ p·z for all cells}, so that one enumeration of
    vertices serves all cells.
    """
    functionals, denominator = rows_over_common_denominator([cell.z for cell in subdivision.cells])
    cone = extreme_rays([*((*row, 0) for row in rows), *((*f, -denominator) for f in functionals)])
    rays = [(*ray[:-1], ray[-1] * denominator) for ray in cone if any(ray[:-1])]
    lower = envelope(rows, functionals, rays)
    return [tuple(compress(lower.points, members(mask))) for mask in lower.tight]


def embedded_loss(subdivision: Subdivision) -> LossMatrix:
    """The discrete loss that the surrogate embeds: one column ψ(u) per cell; its trigger sets are the cells."""
    columns = [cell.z for cell in subdivision.cells]
    names = ["(" + ", ".join(map(str, cell.u)) + ")" for cell in subdivision.cells]
    rows = list(zip(*columns, strict=True))
    return LossMatrix(rows, None, names, f"embedded by {subdivision.surrogate.name}")


def same_cells(first: PolyhedralSurrogate, second: PolyhedralSurrogate) -> bool:
    """Whether two surrogates divide the simplex into the same cells: then they are calibrated for the same losses.

    >>> from lossmith.surrogates import binary_encoded, crammer_singer
    >>> same_cells(crammer_singer(3), binary_encoded(3))
    True
    """
    if first.n != second.n:
        raise BadInput(
            f"{first.name} has {first.n} labels but {second.name} has {second.n}; compare surrogates on the same labels"
        )
    cells = [{cell.polytope.rays for cell in positive_normal_sets(each).cells} for each in (first, second)]
    return cells[0] == cells[1]


def _watch(surrogate: PolyhedralSurrogate, max_vertices: int) -> Watch:
    return Watch(on_the_way(max_vertices), refuse=lambda *_: _refusal(surrogate, max_vertices), asked=max_vertices)


def _refusal(surrogate: PolyhedralSurrogate, max_vertices: int) -> TooLarge:
    return TooLarge(
        f"the cells of {surrogate.name} have more than {max_vertices:,} vertices; "
        f"raise the budget with max_vertices=… (--max-vertices)"
    )


def _cut(z: Point) -> Row:
    """v ≤ p·z in integers."""
    numerators, denominator = over_common_denominator(z)
    return (*numerators, -denominator)


def _subdivision(
    surrogate: PolyhedralSurrogate,
    found: dict[Point, Point],
    rays: Sequence[Row],
    simplex: Sequence[Row],
    proofs: dict[Row, Weights],
) -> Subdivision:
    functionals, denominator = rows_over_common_denominator(list(found))
    lower = envelope(simplex, functionals, [(*ray[:-1], ray[-1] * denominator) for ray in rays])
    points = list(found.items())
    cells = tuple(PositiveNormalSet(points[t][1], points[t][0], lower.cell(t)) for t in lower.kept)
    vertices = {ray for cell in cells for ray in cell.polytope.rays}
    return Subdivision(surrogate, cells, {p: proof for p, proof in proofs.items() if p in vertices})
