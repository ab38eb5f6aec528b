"""Preds for surrogates that are affine on cells, with a point u_t per prediction: by scores, or by simplices.

Such a pred is calibrated if the closed region of t meets no set of optimal points without u_t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from lossmith.exact.solve import inverse
from lossmith.exact.vectors import Row, cleared, dot, homogeneous, over_common_denominator, primitive
from lossmith.geometry.double_description import extreme_rays, facets
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.geometry.polytope import maximal_sets, tight_sets
from lossmith.surrogates.pred import Pred

_MOST_PIECES = 30
_MOST_ROWS = 2_000


@dataclass(frozen=True)
class Face:
    """A set of optimal points: the hull of the points with these numbers, plus the cone of the rays."""

    points: tuple[int, ...]
    rays: tuple[Row, ...] = ()


def best_score_regions(
    points: Sequence[Sequence[Fraction]], faces: Sequence[Face], cells: Sequence[Face]
) -> tuple[list[list[Polyhedron]], Fraction] | None:
    """Regions {u : f_t(u) ≥ f_s(u) for all s} of affine scores f_t, none of which meets a face without its point t.

    On each face F and for each t ∉ F, the mean f_F of the f_s over those s ∈ F that lie in most faces together with t
    shall exceed f_t, by 1 at the points of F and weakly along its rays. Then it does so on all of F, some f_s exceeds
    f_t there, and F misses the region of t. This is a linear program for the scores; f_0 = 0 loses nothing, since only
    differences matter. None if it has no solution, which does not mean that no scores would do, or if it is large.

    With the regions comes c = 1 + the largest (f_t − f_F)(u_t) / (f_F − f_t)(u_s) over all cells, t and s in the cell,
    and F with s and without t: then u = a u_t + (1 − a) v with a ≥ 1/c and v in the cell, for every u in a cell and in
    the region of t. For let v be where the line from u_t through u leaves the cell, in a face of the cell without u_t,
    which lies in some F without t; f_t is largest at u, so 0 ≥ (f_F − f_t)(u) ≥ (1 − a) δ − a (c − 1) δ, where δ > 0 is
    the least (f_F − f_t)(u_s) with s in the cell. If the line never leaves the cell, the v along it let a tend to 1.

    >>> corners = [[Fraction(x), Fraction(y)] for x in (0, 1) for y in (0, 1)]
    >>> sides = [Face((0, 1)), Face((2, 3)), Face((0, 2)), Face((1, 3))]
    >>> regions, constant = best_score_regions(corners, sides, [Face((0, 1, 2, 3))])
    >>> regions[3][0].contains([Fraction(2, 3), Fraction(3, 4)]), constant
    (True, Fraction(2, 1))
    """
    width, numbered = len(points[0]) + 1, range(len(points))
    numbers, common = over_common_denominator([x for point in points for x in point])
    places = [(common, *numbers[start : start + width - 1]) for start in range(0, len(numbers), width - 1)]
    if sum((len(points) - len(face.points)) * (len(face.points) + len(face.rays)) for face in faces) > _MOST_ROWS:
        return None
    shared = [[sum(s in face.points and t in face.points for face in faces) for s in numbered] for t in numbered]
    rows: list[Row] = []
    apart: list[tuple[Face, int, list[int]]] = []
    for face in faces:
        at = [(-common, places[s]) for s in face.points] + [(0, (0, *ray)) for ray in face.rays]
        for t in set(numbered).difference(face.points):
            most = max(shared[t][s] for s in face.points)
            near = [s for s in face.points if shared[t][s] == most]
            factors = [(s in near) - len(near) * (s == t) for s in numbered]
            rows += [(len(near) * least, *(x * y for x in factors[1:] for y in place)) for least, place in at]
            apart.append((face, t, factors))
    total = [-sum(column) for column in list(zip(*rows, strict=True))[1:]]
    best = maximize(total, rows)
    if best is None:
        return None
    values = cleared(best.point)
    scores = [[0] * width, *(values[start : start + width] for start in range(0, len(values), width))]
    regions = [
        [Polyhedron(width - 1, tuple(_row(f, g) for s, g in enumerate(scores) if s != t))] for t, f in enumerate(scores)
    ]
    return regions, 1 + _largest_ratio(scores, places, apart, cells)


def _largest_ratio(
    scores: Sequence[Sequence[int]],
    places: Sequence[Row],
    apart: Sequence[tuple[Face, int, list[int]]],
    cells: Sequence[Face],
) -> Fraction:
    """The largest (f_t − f_F)(u_t) / (f_F − f_t)(u_s), where s, and t ∉ F, are in one cell."""
    largest = Fraction(0)
    table = [[dot(f, place) for f in scores] for place in places]
    for face, t, factors in apart:
        beside = {s for cell in cells if t in cell.points for s in cell.points}.intersection(face.points)
        behind = -dot(factors, table[t])
        ratios = [Fraction(behind, dot(factors, table[s])) for s in beside]
        largest = max([largest, *ratios])
    return largest


def pred_from(
    points: Sequence[Sequence[Fraction]], faces: Sequence[Face], cells: Sequence[Face], kept: Sequence[int], k: int
) -> tuple[Pred | None, Fraction | None]:
    """A pred for a surrogate that is affine on each cell, with a point per kept prediction; None if it would be large.

    The region of t meets none of the `faces` without t: by scores or by coordinates in the cells, whichever has the
    smaller constant. Every face of a cell without t lies in one of `faces` without t.

    The constant is a c with regret_L ≤ c · regret_ψ, if ψ(u_t) = ℓ_t and H_ψ = H_L. Let u be in the region of t and in
    a cell; the cell holds u_t, and u = a u_t + (1 − a) v with v in the cell and a ≥ 1/c, by scores as told there, by
    coordinates with c = d + 1. As ψ is affine on the cell, regret_ψ(p, u) ≥ a regret_ψ(p, u_t) = a regret_L(p, t).
    """
    dim = len(points[0])
    by_scores = best_score_regions(points, faces, cells)
    if by_scores is not None and by_scores[1] <= dim + 1:
        name, (regions, constant) = "best score", by_scores
    elif (by_coordinates := barycentric_regions(points, cells)) is not None:
        name, regions, constant = "largest coordinate", by_coordinates, Fraction(dim + 1)
    elif by_scores is not None:
        name, (regions, constant) = "best score", by_scores
    else:
        return None, None
    by_prediction = dict(zip(kept, regions, strict=True))
    return Pred(name, dim, tuple(tuple(by_prediction.get(t, ())) for t in range(k))), constant


def barycentric_regions(points: Sequence[Sequence[Fraction]], cells: Sequence[Face]) -> list[list[Polyhedron]] | None:
    """In each simplex σ of a triangulation of each cell, the region of t ∈ σ is where its coordinate α_t is largest.

    A cell is a pointed polyhedron of full dimension, conv{u_t} + cone of rays; σ is spanned by points and rays, with
    coordinates α ≥ 0 that sum to 1 over its points, so α_t ≥ 1/(d + 1) in the region of t. A face of the cell without
    u_t meets σ in a face of σ without u_t, where α_t = 0: the two do not meet. None if there are too many polyhedra.

    >>> triangle = [[Fraction(0), Fraction(0)], [Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    >>> [[region.inequalities[0]] for region, in barycentric_regions(triangle, [Face((0, 1, 2))])][0]
    [(Fraction(1, 1), Fraction(-1, 1), Fraction(-2, 1))]
    """
    numbers = {ray_through(point): t for t, point in enumerate(points)}
    width = len(points[0]) + 1
    regions: list[list[Polyhedron]] = [[] for _ in points]
    for cell in cells:
        bounds = facets([*(ray_through(points[t]) for t in cell.points), *((0, *ray) for ray in cell.rays)])
        rays = sorted(extreme_rays(bounds))  # the triangulation depends on the order
        for simplex in _triangulation((1 << len(rays)) - 1, tight_sets(bounds, rays), width):
            spanning = [rays[i] for i in simplex]
            coordinates = _coordinate_functions(spanning)
            inside = [_row(each, [0] * width) for each in coordinates]
            corners = [i for i, ray in enumerate(spanning) if ray[0]]
            for i in corners:
                largest = [_row(coordinates[i], coordinates[j]) for j in corners if j != i]
                regions[numbers[spanning[i]]].append(Polyhedron(width - 1, (*largest, *inside)))
            if sum(map(len, regions)) > _MOST_PIECES:
                return None
    return regions


def _triangulation(face: int, facets_: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """The pulling triangulation: the first vertex joined with those of the facets that miss it; faces are bit masks."""
    members = [i for i in range(face.bit_length()) if face >> i & 1]
    if len(members) == size:
        return [tuple(members)]
    first = members[0]
    below = maximal_sets(face & other for other in facets_ if face & other not in (0, face))
    return [
        (first, *simplex)
        for each in below
        if not each >> first & 1
        for simplex in _triangulation(each, facets_, size - 1)
    ]


def _coordinate_functions(spanning: Sequence[Row]) -> list[list[Fraction]]:
    """Affine functions α_i with (1, u) = Σ α_i(u) · (the i-th row, divided by its first entry if that is not 0)."""
    rows, denominator = inverse(spanning)
    return [
        [Fraction(x * (ray[0] or 1), denominator) for x in column]
        for ray, column in zip(spanning, zip(*rows, strict=True), strict=True)
    ]


def ray_through(point: Sequence[Fraction]) -> Row:
    """The primitive integer multiple of (1, u)."""
    return primitive(homogeneous(point))


def _row(first: Sequence[Fraction | int], second: Sequence[Fraction | int]) -> tuple[Fraction, ...]:
    """The row first − second ≥ 0, made primitive."""
    difference = [Fraction(a - b) for a, b in zip(first, second, strict=True)]
    return tuple(map(Fraction, primitive(cleared(difference))))
