"""Configurations: k integer points of R^d, one for each cell of a loss, in a fixed order that a seed determines.

A family numbers its configurations from 0 and makes the one of a given number, so it can say how many there are
without listing them. Configurations that an affine bijection maps to each other, point by point, serve equally well as
the values at which a surrogate attains its least risks; `shape` is the same for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, count, product
from math import cos, factorial, gcd, perm, pi, sin
from random import Random

from lossmith.constructions.search.cells import CellTask, Points
from lossmith.exact.solve import echelon
from lossmith.exact.vectors import dot

# Polygons that are affinely regular with small integers; the others are rounded on a circle of this radius.
_EXACT_POLYGONS: dict[int, Points] = {
    3: ((1, 0), (0, 1), (-1, -1)),
    4: ((1, 0), (0, 1), (-1, 0), (0, -1)),
    6: ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)),
}
_RADIUS = 24
_GAPS = 3


@dataclass(frozen=True)
class Family:
    """`count` configurations of k points in R^d; `make(i)` is number i, 0 ≤ i < count, the simplest one first."""

    name: str
    count: int
    make: Callable[[int], Points]

    def spread(self, seed: int) -> Iterator[Points]:
        """All configurations, each once, number 0 first; the others in strides, so that the first ones differ much."""
        return map(self.make, strides(self.count, seed))


def strides(size: int, seed: int) -> Iterator[int]:
    """The numbers 0 … size − 1, each once: the multiples of a stride modulo size.

    >>> list(strides(5, seed=0))[0], sorted(strides(5, seed=0))
    (0, [0, 1, 2, 3, 4])
    """
    stride = max(1, round(size * (0.381966 + Random(seed).random() / 50))) if size < 2**40 else 0
    if not stride:  # too large for floats
        stride = Random(seed).randrange(size // 3, size // 2)
    while gcd(stride, size) != 1:
        stride += 1
    return (i * stride % size for i in range(size))


def sign_codes(k: int, dim: int, centres: Sequence[int] = ()) -> Family:
    """Different corners of the cube {−1, 1}^d, the first at −1; with `centres`, one of those cells lies at 0 instead.

    With a centre this is how surrogates for abstaining are encoded (Ramaswamy, Tewari & Agarwal 2018). There are
    (2^d − 1)! / (2^d − m)! for m cells at corners, times the number of centres.

    >>> sign_codes(5, 2, centres=[4]).make(0)
    ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0))
    >>> sign_codes(5, 2, centres=[4]).count, sign_codes(5, 2).count
    (6, 0)
    """
    return _placed("sign codes", tuple(product((-1, 1), repeat=dim)), k, centres)


def lattice(k: int, dim: int) -> Family:
    """Different points of {−1, 0, 1}^d: 3^d! / (3^d − k)! of them, most of them alike up to symmetry.

    >>> lattice(3, 1).make(0), lattice(5, 2).count
    (((-1,), (0,), (1,)), 15120)
    """
    grid = tuple(product((-1, 0, 1), repeat=dim))
    return Family("lattice", perm(len(grid), k), lambda i: tuple(grid[j] for j in _arrangement(i, len(grid), k)))


def polygons(k: int, centres: Sequence[int] = ()) -> Family:
    """The corners of a regular polygon in the plane in any order, the first cell fixed; with `centres`, as for codes.

    There are (m − 1)! for m cells at corners, times the number of centres. Triangles, squares and hexagons are exact
    up to an affine map, the others are rounded.

    >>> polygons(4).make(0), polygons(5, centres=[4]).count
    (((1, 0), (0, 1), (-1, 0), (0, -1)), 6)
    """
    m = k - bool(centres)
    angles = [2 * pi * i / m for i in range(m)]
    rounded = tuple((round(_RADIUS * cos(angle)), round(_RADIUS * sin(angle))) for angle in angles)
    return _placed("polygons", _EXACT_POLYGONS.get(m, rounded if m >= 3 else ()), k, centres)


def _placed(name: str, places: Points, k: int, centres: Sequence[int]) -> Family:
    """The first cell at the first place, the others at any other places; if there are centres, one of them at 0."""
    m = k - bool(centres)
    orders = perm(len(places) - 1, m - 1) if 1 <= m <= len(places) else 0

    def make(number: int) -> Points:
        order = _arrangement(number % orders, len(places) - 1, m - 1)
        points = [places[0], *(places[i + 1] for i in order)]
        if centres:
            points.insert(centres[number // orders], (0,) * len(places[0]))
        return tuple(points)

    return Family(f"{name} around 0" if centres else name, orders * (len(centres) or 1), make)


def knots(k: int, path: Sequence[int] | None = None) -> Family:
    """Points of the line with gaps 1 to 3, all gaps 1 first; the cells in the order of `path`, or in any order.

    There are 3^(k − 1), times k! without a path.

    >>> knots(3, path=[0, 2, 1]).make(0), knots(3).count
    (((0,), (2,), (1,)), 54)
    """
    ways = _GAPS ** (k - 1)

    def make(number: int) -> Points:
        order = _arrangement(number // ways, k, k) if path is None else path
        places = {order[0]: 0}
        for before, after, gap in zip(order, order[1:], _digits(number % ways, _GAPS, k - 1), strict=False):
            places[after] = places[before] + 1 + gap
        return tuple((places[t],) for t in range(k))

    return Family("knots on a line", ways * (1 if path else factorial(k)), make)


def projections(columns: Sequence[Sequence[int]], dim: int) -> Family:
    """u_t = Bℓ_t for the columns ℓ_t of a loss and the d × n matrices B with entries 0, 1 and −1: 3^(dn) of them.

    If d ≥ affdim(L) and B is one-to-one on the affine hull of the columns, ψ may be affine there
    (`thm:ccdim-upper-bound`).

    >>> projections([(0, 1, 2), (1, 0, 1), (2, 1, 0)], 1).make(1)
    ((0,), (1,), (2,))
    """
    n = len(columns[0])

    def make(number: int) -> Points:
        signs = [(0, 1, -1)[digit] for digit in _digits(number, 3, dim * n)]
        rows = [signs[i * n : (i + 1) * n] for i in range(dim)]
        return tuple(tuple(dot(row, column) for row in rows) for column in columns)

    return Family("projections of the columns", 3 ** (dim * n), make)


def random_points(k: int, dim: int, seed: int) -> Iterator[Points]:
    """Points of {−k, …, k}^d at random, without end; there are (2k + 1)^(dk) configurations."""
    random = Random(seed)
    for _ in count():
        yield tuple(tuple(random.randint(-k, k) for _ in range(dim)) for _ in range(k))


def configurations(task: CellTask, dim: int, seed: int = 0) -> Iterator[tuple[str, Points]]:
    """Configurations for these cells, each with the name of its family, in turn from all families.

    The order depends on the arguments alone. There is no end: random points come last in each turn.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.constructions.search.cells import cell_task
    >>> from lossmith.losses import ordinal
    >>> next(configurations(cell_task(Facts(ordinal(3))), 1))
    ('knots on a line', ((0,), (1,), (2,)))
    """
    sources = [(family.name, family.spread(seed)) for family in families(task, dim) if family.count]
    sources.append(("random points", random_points(len(task.kept), dim, seed)))
    while sources:
        left = []
        for name, points in sources:
            made = next(points, None)
            if made is not None:
                yield name, made
                left.append((name, points))
        sources = left


def families(task: CellTask, dim: int) -> list[Family]:
    """The finite families for these cells: the cells with most neighbours are the first to be tried as the centre.

    >>> from lossmith.analysis.facts import Facts
    >>> from lossmith.constructions.search.cells import cell_task
    >>> from lossmith.losses import abstain
    >>> [(family.name, family.count) for family in families(cell_task(Facts(abstain(4))), 2)]
    [('sign codes around 0', 30), ('sign codes', 0), ('polygons around 0', 30), ('polygons', 24),
     ('projections of the columns', 6561), ('lattice', 15120)]
    """
    k = len(task.kept)
    degrees = [len(near) for near in task.neighbours]
    centres = sorted(range(k), key=lambda t: (-degrees[t], t))
    columns = task.loss.rational.integer_columns()
    return [
        *([knots(k, task.path)] if dim == 1 else []),
        sign_codes(k, dim, centres),
        sign_codes(k, dim),
        *([polygons(k, centres), polygons(k)] if dim == 2 else []),
        projections([columns[t] for t in task.kept], dim),
        lattice(k, dim),
    ]


def moves(points: Points) -> Iterator[Points]:
    """Configurations near this one: two cells exchanged, or one point moved by 1 along an axis; k(k − 1)/2 + 2dk.

    >>> list(moves(((0,), (1,))))[:3]
    [((1,), (0,)), ((1,), (1,)), ((-1,), (1,))]
    """
    for s, t in combinations(range(len(points)), 2):
        exchanged = list(points)
        exchanged[s], exchanged[t] = points[t], points[s]
        yield tuple(exchanged)
    for t, point in enumerate(points):
        for j, step in product(range(len(point)), (1, -1)):
            moved = (*point[:j], point[j] + step, *point[j + 1 :])
            yield (*points[:t], moved, *points[t + 1 :])


def doubled(points: Points) -> Points:
    """The same shape on a lattice half as wide, so that `moves` makes smaller steps."""
    return tuple(tuple(2 * x for x in point) for point in points)


def shape(points: Points) -> tuple[Fraction, ...] | None:
    """What affine bijections of R^d leave alone: equal for two configurations exactly if one maps them to each other.

    It is the reduced echelon form of the matrix with columns u_t − u_1. None if two points are equal, or if the points
    lie in a hyperplane: then fewer dimensions do.

    >>> shape(((0, 0), (1, 0), (0, 1), (1, 1))) == shape(((5, 5), (7, 5), (5, 6), (7, 6)))
    True
    >>> shape(((0, 0), (1, 1), (2, 2))) is None
    True
    """
    if len(set(points)) < len(points):
        return None
    origin, *others = points
    rows = [[point[j] - origin[j] for point in others] for j in range(len(origin))]
    form, denominator = echelon(rows)
    if len(form) < len(origin):
        return None
    return tuple(Fraction(x, denominator) for row in form for x in row)


def _arrangement(number: int, size: int, chosen: int) -> list[int]:
    """Number `number` among the ordered choices of `chosen` out of `size`, in lexicographic order."""
    left, order = list(range(size)), []
    for i in range(chosen):
        place, number = divmod(number, perm(size - i - 1, chosen - i - 1))
        order.append(left.pop(place))
    return order


def _digits(number: int, base: int, length: int) -> list[int]:
    """The digits of a number, the lowest first."""
    digits = []
    for _ in range(length):
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits
