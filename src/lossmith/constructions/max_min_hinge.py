"""The max-min hinge: the conjugate of the Bayes risk, in as few dimensions as the low-rank form of the loss has.

Cf. Fathony, Asif, Liu, Bashiri, Xing, Behpour, Zhang & Ziebart, *Consistent robust adversarial prediction for general
multiclass classification*, 2018; Nowak-Vila, Bach & Rudi, *Consistent structured prediction with max-min margin Markov
networks*, ICML 2020.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import partial

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import Point, PositiveNormalSet, Subdivision
from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.analysis.weights import Weights
from lossmith.constructions.affine_cells import Face, pred_from
from lossmith.constructions.factorization import Factors, factorize, kept_predictions
from lossmith.dimension.construction import Construction
from lossmith.exact.vectors import (
    Row,
    cleared,
    combined,
    dot,
    over_common_denominator,
    rational_dot,
    rows_over_common_denominator,
    unit_rows,
)
from lossmith.geometry.double_description import Progress, extreme_rays, facets, lower_envelope
from lossmith.geometry.linear_program import maximize
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import Affine


def max_min_hinge(facts: Facts, *, max_vertices: int = MAX_VERTICES, progress: Progress | None = None) -> Construction:
    """ψ_y(u) = w_y (max_{x ∈ S} (u·x + g(x)) − u·a_y + r_y) on R^m, where g(x) = min_t (c_t + x·b_t), S = conv{a_y}.

    The letters are those of `factorize`, in coordinates in which the largest |b_t| is 1. g is concave and linear on
    cells, so the maximum is over their finitely many vertices x. With q = w∘p, normalised, and x = Σ q_y a_y, the least
    risk is a multiple of g(x) + q·r, which is H_L(p), because min_u max_x′ (u·(x′ − x) + g(x′)) = g(x) for a closed
    concave g. So {ψ(u_t)} = {ℓ_t} at u_t = −b_t; also ψ_y ≥ min_t L_yt, at x = a_y.

    u is optimal for p exactly if u·x + g(x) is largest at the x of p; at a vertex x the set of these u is the hull
    of −b_t for the t optimal there plus the cone of outer normals of S at x. The pred takes the largest of one affine
    score per prediction, none of which wins on such a set without its t, where such scores are found. Else it divides
    each of these sets, on which ψ is affine, into simplices, and takes the largest barycentric coordinate of a point in
    them. It is None if that takes more than 30 polyhedra. `pred_from` bounds the regret.

    >>> from lossmith.losses import hamming, zero_one
    >>> max_min_hinge(Facts(hamming(3))).surrogate.dim
    3
    >>> made = max_min_hinge(Facts(zero_one(2)))
    >>> [tuple(map(str, made.surrogate([u]))) for u in (0, -1, "-1/2")]
    [('0', '1'), ('1', '0'), ('1/2', '1/2')]
    >>> made.pred([0]), made.pred([-1])
    (0, 1)
    """
    loss, factors = facts.loss, _of_order_one(factorize(facts.loss, kept_predictions(facts)))
    embedding = [cleared((Fraction(1), *row)) for row in factors.rows]
    domain = facets(embedding)
    functionals, common = rows_over_common_denominator(
        [(c, *b) for c, b in zip(factors.constants, factors.columns, strict=True)]
    )
    rays = lower_envelope(
        domain, functionals, corners=extreme_rays(domain), max_vertices=max_vertices, progress=progress
    )
    vertices = sorted((_point(ray), Fraction(ray[-1], common * ray[0])) for ray in rays)
    surrogate = PolyhedralSurrogate(_terms(factors, vertices), factors.dim, name=f"max_min_hinge({loss.name})")
    points = [tuple(-x for x in b) for b in factors.columns]
    cells = [_optimal(ray, domain, functionals) for ray in rays]
    pred, regret = pred_from(points, cells, cells, factors.kept, loss.k)
    owners = {_point(ray): set(face.points) for ray, face in zip(rays, cells, strict=True)}
    made = partial(_subdivision, facts, factors, surrogate, owners, max_vertices)
    return Construction("max-min hinge", surrogate, pred, regret, made)


def _of_order_one(factors: Factors) -> Factors:
    """The same in coordinates in which the points u_t = −b_t reach 1: penalties and step sizes expect no less."""
    scales = [max(map(abs, coordinate)) for coordinate in zip(*factors.columns, strict=True)]
    rows = tuple(tuple(a * s for a, s in zip(row, scales, strict=True)) for row in factors.rows)
    columns = tuple(tuple(b / s for b, s in zip(column, scales, strict=True)) for column in factors.columns)
    return replace(factors, rows=rows, columns=columns)


def _subdivision(
    facts: Facts,
    factors: Factors,
    surrogate: PolyhedralSurrogate,
    owners: dict[Point, set[int]],
    max_vertices: int,
) -> Subdivision:
    """The cells of the surrogate, which are those of the loss, with weights that prove the least risk at each corner p.

    If x = Σ q_y a_y is a mixture Σ λ_v v of vertices on one piece of g, each maximum is at least its mean with the
    weights λ, and Σ_y p_y ψ_y(u) ≥ Σ_y p_y w_y (Σ_v λ_v (u·v + g(v)) − u·a_y + r_y), where u cancels.
    """
    triggers = facts.cells(max_vertices, reduced=False)
    numbers = {t: i for i, t in enumerate(factors.kept)}
    best: dict[Row, set[int]] = defaultdict(set)
    for cell in triggers:
        for p in cell.polytope.rays:
            best[p].add(numbers[cell.prediction])
    places = [{piece[1:]: j for j, piece in enumerate(maximum)} for maximum in surrogate.maxima]
    proofs: dict[Row, Weights] = {}
    for p, optimal in best.items():
        weights = _weights(factors, surrogate, places, p, _mixture(factors, owners, p, optimal))
        least = rational_dot(p, facts.loss.column(factors.kept[min(optimal)]))
        proofs[p] = Weights(least, *weights, ())
    cells = tuple(
        PositiveNormalSet(
            tuple(-x for x in factors.columns[numbers[cell.prediction]]),
            facts.loss.column(cell.prediction),
            cell.polytope,
        )
        for cell in triggers
    )
    return Subdivision(surrogate, cells, proofs)


def _mixture(factors: Factors, owners: dict[Point, set[int]], p: Row, best: set[int]) -> dict[Point, Fraction]:
    """The x that belongs to p as a mixture of vertices at which all predictions that are best at p are best.

    These are the vertices of the face of the cells of g that has x inside.
    """
    scaled = [w * each for w, each in zip(factors.weights, p, strict=True)]
    x = combined([Fraction(each, sum(scaled)) for each in scaled], factors.rows)
    if x in owners:
        return {x: Fraction(1)}
    points = [point for point, all_best in owners.items() if best <= all_best]
    means = [cleared([-x[i], *(point[i] for point in points)]) for i in range(len(x))]
    positive = [(0, *unit) for unit in unit_rows(len(points))]
    found = maximize([0] * len(points), positive, [*means, (-1, *[1] * len(points))])
    assert found is not None, "x lies in the hull of the vertices of its face"
    return {point: share for point, share in zip(points, found.point, strict=True) if share}


def _weights(
    factors: Factors,
    surrogate: PolyhedralSurrogate,
    places: list[dict[Point, int]],
    p: Row,
    mixture: dict[Point, Fraction],
) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """The weights of the pieces of all maxima at p, over one denominator."""
    shares, denominator = over_common_denominator(list(mixture.values()))
    weights: Counter[tuple[int, int]] = Counter()
    for y, (largest, affine) in enumerate(surrogate.groups):
        if p[y]:
            weights[affine, 0] += denominator * p[y]
            for x, share in zip(mixture, shares, strict=True):
                weights[largest, places[largest][tuple(factors.weights[y] * each for each in x)]] += share * p[y]
    return denominator, tuple((g, j, weight) for (g, j), weight in sorted(weights.items()))


def _point(ray: Row) -> Point:
    """The vertex x of a ray (1, x, g(x)), up to a factor."""
    return tuple(Fraction(x, ray[0]) for x in ray[1:-1])


def _terms(
    factors: Factors, vertices: list[tuple[tuple[Fraction, ...], Fraction]]
) -> tuple[tuple[tuple[Affine, ...], ...], ...]:
    """For each label the maximum over the vertices, which labels of equal weight share, and the rest, affine."""
    terms = []
    for a, r, w in zip(factors.rows, factors.offsets, factors.weights, strict=True):
        largest = tuple((w * g, *(w * coordinate for coordinate in x)) for x, g in vertices)
        terms.append((largest, ((w * r, *(Fraction(-w * coordinate) for coordinate in a)),)))
    return tuple(terms)


def _optimal(ray: Row, domain: list[Row], functionals: list[Row]) -> Face:
    """The u that are optimal at the vertex x: which −b_t they are the hull of, and the outer normals of S at x."""
    *x, v = ray
    owners = tuple(t for t, f in enumerate(functionals) if dot(f, x) == v)
    normals = tuple(tuple(-a for a in row[1:]) for row in domain if not dot(row, x))
    return Face(owners, normals)
