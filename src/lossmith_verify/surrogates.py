"""The surrogate: polyhedral, or known by a theorem.

Polyhedral: ψ_y(u) is a sum of maxima of affine functions (b, a), b + a·u, for u in a domain C. With
`tangents` the pieces are tangents, at one u, of a convex ψ that is not polyhedral, in one maximum
for each label: in two, they would count twice. For `along` see `segments`.

Known by a theorem: all that matters is the estimate that belongs to p,
x = Σ_y w_y p_y a_y / Σ_y w_y p_y, in the domain X of estimates, which is given for the theorem
"mean", with all a_y in it, is R^d for "squares" and for what `orders` is about, and else is Δ, the
a_y being the unit vectors. Weights are positive; for "mean" some may be 0.

What a theorem says is *given*: the file does not show that ψ is such. For "squares" it does: ψ_y(u)
is w_y‖u − a_y‖², whichever the scalar product, so p·ψ(u) is a constant and Σ_y w_y p_y ‖u − x‖².
"""

from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import bits, dot, hold, price, spend
from lossmith_verify.reading import (
    Rows,
    Vector,
    index,
    listed,
    places,
    record,
    require,
    rows,
    title,
    vector,
    vectors,
)

THEOREMS = {
    "proper composite": "ψ is strictly proper composite: the surrogate risk tends to the least one"
    " if and only if the probabilities that the link gives tend to p; they lie in Δ, and take all"
    " values in its interior",
    "mean": "the surrogate risk tends to the least one if and only if what is read off u tends to"
    " the (weighted) mean of the a_y under p; it lies in X, and takes all values in the relative"
    " interior of X (where no label of positive weight is possible, all u are optimal)",
    "order": "for every p, the surrogate risk over the u with u_i ≥ u_j stays above the least one"
    " where x_i < x_j, for the (weighted) mean x of the a_y under p",
    "signs": "for every p, the surrogate risk over the u with u_i ≥ 0 stays above the least one"
    " where x_i < 0, and over those with u_i ≤ 0 where x_i > 0, for the (weighted) mean x of the"
    " a_y under p",
    "largest": "for every p, the surrogate risk over the u whose largest score is u_i stays above"
    " the least one where x_i is not the largest, for the (weighted) mean x of the a_y under p",
    "smallest": "for every p, the surrogate risk over the u whose smallest score is u_i stays above"
    " the least one where x_i is not the smallest, for the (weighted) mean x of the a_y under p",
    **{
        f"first {k}": f"for every p, the surrogate risk over the u whose {k} largest scores are"
        f" those of a set stays above the least one where the {k} largest x_i are not those of the"
        " set, for the (weighted) mean x of the a_y under p"
        for k in range(2, 100)
    },
    "told": "where the surrogate risk tends to the least one, what is read off u tends to the"
    " (weighted) mean of the a_y under p",
    "far out": "along some u, ψ_y tends to its infimum for all labels with a_y = 0 at once",
    "binary margin": "ψ = (φ(u), φ(−u)) with φ convex and φ′(0) ≠ 0: the surrogate risk comes near"
    " the least one for the u of one sign, and no others, where p_0 > 1/2; for those of the other"
    " sign where p_0 < 1/2; for both where p_0 = 1/2",
}
SQUARES = (
    "Σ_y p_y w_y‖u − a_y‖² on R^d tends to its infimum if and only if u tends to the mean of the"
    " a_y under p, weighted by the w_y"
)
FAR_OUT = "along m·u, m → ∞, ψ_y tends to its infimum for all labels with a_y = 0 at once"
TANGENTS = {
    "tangents": "ψ is convex, and the pieces are tangents of it at u",
    "along": "ψ is convex, the pieces are tangents of it at u, and on a segment that ends in u it"
    " has tangents whose slopes are affine, with the given ones at its ends",
}


class Surrogate(NamedTuple):
    """Polyhedral: terms[y] are maxima of pieces. Known: estimates[y] is w_y (1, a_y)."""

    dim: int
    domain: Rows
    theorem: str  # or "tangents", "along"
    name: str
    terms: list[list[tuple[Vector, ...]]]
    estimates: list[Vector]
    along: list[list[tuple[Vector, ...]]]


def contains(given: Rows, x: Vector) -> bool:
    """Tell whether x, which is (1, u) or p, satisfies the rows."""
    above = all(dot(row, x) >= 0 for row in given.inequalities)
    return above and not any(dot(row, x) for row in given.equations)


def point(u: Vector) -> Vector:
    """Return (1, u), for products with rows (b, a)."""
    return Vector((Fraction(1), *u))


def read_u(psi: Surrogate, value: Any, path: str) -> Vector:
    """Read a point u of the domain."""
    u = vector(value, path, psi.dim)
    require(contains(psi.domain, point(u)), path, "{} is not in the domain", u)
    return u


def value_at(psi: Surrogate, u: Vector) -> Vector:
    """Return ψ(u)."""
    x = point(u)
    sums = ([max(dot(piece, x) for piece in pieces) for pieces in maxima] for maxima in psi.terms)
    return Vector(dot(each, [1] * len(each)) for each in sums)


def read_polyhedral(value: Any, n: int) -> Surrogate:
    """Read the maxima of each label, and the domain C."""
    keys = "dim terms inequalities equations"
    table = record(value, "surrogate", keys, "name tangents along")
    dim = index(table["dim"], "surrogate.dim")
    terms = [
        [vectors(maximum, at, dim + 1, 1) for at, maximum in places(maxima, path, None, 1)]
        for path, maxima in places(table["terms"], "surrogate.terms", n)
    ]
    domain = rows(table, "surrogate", dim + 1)
    require(table.get("tangents", True) is True, "surrogate.tangents", "expected true")
    theorem = next((key for key in ("along", "tangents") if key in table), "")
    single = not theorem or max(map(len, terms)) < 2
    require(single, "surrogate.terms", "tangents are the pieces of one maximum")
    along = [
        [vectors(listed(pair, at, 2), at, dim) for at, pair in places(pairs, path)]
        for path, pairs in places(table.get("along", [[]] * n), "surrogate.along", n)
    ]
    return Surrogate(dim, domain, theorem, title(table, "surrogate"), terms, [], along)


def simplex(n: int) -> Rows:
    """Return the rows of Δ: x_i ≥ 0, in order, and Σ x_i − 1 = 0."""
    sides = [Vector(Fraction(int(i == j)) for j in range(n + 1)) for i in range(1, n + 1)]
    return Rows(tuple(sides), (Vector([Fraction(-1), *[Fraction(1)] * n]),))


def read_known(value: Any, n: int, version: int) -> Surrogate:
    """Read the estimates, and the domain X."""
    more = " inequalities equations" * (version > 1 and value.get("theorem") == "mean")
    table = record(value, "surrogate", "estimates theorem", f"name weights{more}")
    theorem, path = table["theorem"], "surrogate.estimates"
    require(theorem in [*THEOREMS, "squares"], "surrogate.theorem", "{} is not known", theorem)
    first = listed(table["estimates"], path, n)[0]
    dim = len(listed(first, f"{path}[0]", None, 1))
    points = vectors(table["estimates"], path, dim)
    scales = vector(table.get("weights", ["1"] * n), "surrogate.weights", n)
    free = version > 1 and theorem == "mean" and min(scales) == 0
    require(min(scales) > 0 or free, "surrogate.weights", "a weight is not positive")
    longest = max(map(bits, scales)) + max(map(bits, chain(*points)))
    spend(n * dim * (25 + 4 * price(longest)))
    hold(n * dim, longest)
    estimates = [Vector(w * x for x in point(a)) for w, a in zip(scales, points)]
    if theorem not in ("proper composite", "binary margin"):
        domain = rows({"inequalities": [], "equations": [], **table}, "surrogate", dim + 1)
        inside = all(contains(domain, point(a)) for a in points)
        require(inside, path, "not all of them lie in the domain")
    else:
        domain = simplex(n if dim == n else 0)
        units = [(1, *row[1:]) for row in domain.inequalities]
        require(estimates == units, path, "the theorem is about the unit vectors")
    return Surrogate(dim, domain, theorem, title(table, "surrogate"), [], estimates, [])
