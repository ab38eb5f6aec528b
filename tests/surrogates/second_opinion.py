"""Positive normal sets and calibration a second time, from the definitions, by trying every corner.

A polyhedral surrogate is read as plain data: `terms`, `dim`, `inequalities`, `equations`. Each ψ_y is affine between
the hyperplanes on which two pieces of a maximum tie. p·ψ is bounded below, so its minimum over C is attained at a
corner of this arrangement; where ψ does not change along some directions there are no corners, and as many coordinate
hyperplanes as make some are added. So the values at the corners decide everything: H_ψ(p) is their minimum, and N(z)
are the p for which none of them is better than z. Slow, exact, and without a line of lossmith.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

import reference
from reference import Vector, dot

Row = tuple[Fraction, ...]


def at(row: Row, u) -> Fraction:
    """b + a·u for the row (b, a)."""
    return row[0] + dot(row[1:], u)


def contains(surrogate, u) -> bool:
    """u ∈ C."""
    inside = all(at(row, u) >= 0 for row in surrogate.inequalities)
    return inside and all(at(row, u) == 0 for row in surrogate.equations)


def psi(surrogate, u) -> Vector:
    """ψ(u), by the definition of a sum of maxima."""
    return tuple(sum(max(at(piece, u) for piece in maximum) for maximum in terms) for terms in surrogate.terms)


@lru_cache(maxsize=2000)
def corners(surrogate) -> tuple[Vector, ...]:
    """Points of C among which p·ψ has a minimum, for every p."""
    ties = [
        tuple(a - b for a, b in zip(first, second))
        for terms in surrogate.terms
        for maximum in terms
        for first, second in combinations(maximum, 2)
    ]
    planes = sorted({_unsigned(row) for row in [*ties, *surrogate.inequalities] if any(row[1:])})
    equations = [row for row in surrogate.equations if any(row[1:])]
    for i in range(surrogate.dim):
        coordinate = (0, *(int(i == j) for j in range(surrogate.dim)))
        gradients = [row[1:] for row in [*planes, *equations]]
        if reference.rank([*gradients, coordinate[1:]]) > reference.rank(gradients):
            planes.append(coordinate)
    free = surrogate.dim - reference.rank([row[1:] for row in equations])
    found = set()
    for chosen in combinations(planes, free):
        rows = [*equations, *chosen]
        u = reference.only_solution([row[1:] for row in rows], [-row[0] for row in rows])
        if u is not None and contains(surrogate, u):
            found.add(u)
    return tuple(sorted(found))


@lru_cache(maxsize=2000)
def values(surrogate) -> tuple[Vector, ...]:
    """ψ at the corners, without those that another one, or a mixture of two others, equals or beats under every label.

    What is left out is never better than all that is kept, and never as good where one value alone is optimal.
    """
    kept = sorted({psi(surrogate, u) for u in corners(surrogate)})
    for z in list(kept):
        others = [x for x in kept if x != z]
        if any(_mixture_below(x, y, z) for x, y in combinations_with_replacement(others, 2)):
            kept = others
    return tuple(kept)


def bayes_risk(surrogate, p) -> Fraction:
    """H_ψ(p)."""
    return min(dot(p, z) for z in values(surrogate))


def is_normal(surrogate, u, p) -> bool:
    """p ∈ N(ψ(u)), by `def:pos-normals`."""
    return dot(p, psi(surrogate, u)) == bayes_risk(surrogate, p)


def normal_vertices(surrogate, u) -> tuple[Vector, ...]:
    """The vertices of N(ψ(u)), sorted: the trigger set of a column ψ(u) beside the columns of all values."""
    here = psi(surrogate, u)
    return reference.cell_vertices(matrix_of([here, *(z for z in values(surrogate) if z != here)]), 0)


@lru_cache(maxsize=2000)
def cells(surrogate) -> dict[Vector, tuple[Vector, ...]]:
    """The positive normal sets of full dimension, as vertices by value."""
    matrix = matrix_of(values(surrogate))
    return {values(surrogate)[t]: reference.cell_vertices(matrix, t) for t in reference.kept_predictions(matrix)}


def is_calibrated(surrogate, rows) -> bool:
    """Whether every cell lies in some trigger set: one prediction is optimal at all its vertices."""
    return all(common_predictions(rows, vertices) for vertices in cells(surrogate).values())


def common_predictions(rows, points) -> set[int]:
    """The predictions that are optimal at all of the points."""
    return set.intersection(*(set(reference.argmin(rows, p)) for p in points))


def normal_vertices_by_lemma(surrogate, u) -> tuple[Vector, ...]:
    """`lem:normal-computation` word for word: the p = Bq with q ∈ Δ_s, Aq = 0, as the hull of what vertices q give.

    ∂ψ_y(u) is the hull of the active gradients of ψ_y written as one maximum. On a domain the normals of the active
    inequalities join as columns of A that belong to no label and do not count in q ∈ Δ_s; equations join twice.
    """
    columns: list[tuple[int | None, Row]] = [
        (y, tuple(map(sum, zip(*choice))))
        for y, terms in enumerate(surrogate.terms)
        for choice in product(*([piece[1:] for piece in active(maximum, u)] for maximum in terms))
    ]
    outward = [tuple(-a for a in row[1:]) for row in surrogate.inequalities if at(row, u) == 0]
    outward += [tuple(sign * a for a in row[1:]) for row in surrogate.equations for sign in (1, -1)]
    columns = [*dict.fromkeys(columns), *((None, normal) for normal in dict.fromkeys(outward))]
    size = len(columns)
    null_space = [(0, *(column[i] for _, column in columns)) for i in range(surrogate.dim)]
    total = (-1, *(int(y is not None) for y, _ in columns))
    found = {
        tuple(sum((q[c] for c in range(size) if columns[c][0] == y), Fraction(0)) for y in range(len(surrogate.terms)))
        for q in basic_solutions([*null_space, total])
    }
    return reference.extreme_points(found)


def active(maximum, u):
    """The pieces that attain the maximum at u."""
    largest = max(at(piece, u) for piece in maximum)
    return [piece for piece in maximum if at(piece, u) == largest]


def basic_solutions(equations) -> set[Vector]:
    """The vertices of {q ≥ 0 : b + a·q = 0 for the rows (b, a)}: each is supported on independent columns."""
    size = len(equations[0]) - 1
    found = set()
    for count in range(min(size, len(equations)) + 1):
        for support in combinations(range(size), count):
            if not support:
                continue
            rows = [[row[1 + c] for c in support] for row in equations]
            solution = reference.only_solution(rows, [-row[0] for row in equations])
            if solution is not None and min(solution) > 0:
                found.add(tuple(solution[support.index(c)] if c in support else Fraction(0) for c in range(size)))
    return found


def matrix_of(columns):
    """The matrix with these columns, as rows."""
    return tuple(zip(*columns))


def _unsigned(row: Row) -> tuple[int, ...]:
    """A hyperplane's row, the same for both of its sides."""
    whole = reference.primitive(row)
    return whole if next(x for x in whole if x) > 0 else tuple(-x for x in whole)


def _mixture_below(x: Vector, y: Vector, z: Vector) -> bool:
    """Whether λx + (1 − λ)y ≤ z in every coordinate, for some λ ∈ [0, 1]."""
    least, most = Fraction(0), Fraction(1)
    for a, b, c in zip(x, y, z):  # λ(a − b) ≤ c − b
        if a > b:
            most = min(most, (c - b) / (a - b))
        elif a < b:
            least = max(least, (c - b) / (a - b))
        elif c < b:
            return False
    return least <= most
