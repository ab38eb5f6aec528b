"""Reason *weights*: p·ψ(u′) ≥ β for every u′ ∈ C.

`p` are n non-negative numbers that sum to 1. `[y, g, j, w]` gives piece j of maximum g of label y
the weight w > 0; `[i, w]` gives row i of the domain's inequalities the multiplier w > 0, or row i
of its equations the multiplier w ≠ 0. No index is listed twice. The weights prove p·ψ(u′) ≥ β if

1. for every label y and every maximum g of ψ_y, the weights of its pieces sum to p_y;
2. Σ w·a over the pieces = Σ w·a over the rows of the domain, in each of the d coordinates;

with β = Σ w·b over the pieces − Σ w·b over the rows of the domain.

Proof. A maximum is at least each of its pieces, so by 1. p·ψ(u′) ≥ Σ w (b + a·u′) over the pieces.
By 2. this is β + Σ w (b + a·u′) over the rows, where no term is negative.
"""

from fractions import Fraction
from typing import Any

from lossmith_verify.arithmetic import combined, less, spend
from lossmith_verify.inputs import distribution
from lossmith_verify.reading import Rows, Vector, index, listed, number, pair, places, require
from lossmith_verify.surrogates import Surrogate

KEYS = "p pieces inequalities equations"
Terms = list[tuple[Fraction, Vector]]


def lower_bound(psi: Surrogate, table: Any, path: str, domain: Rows) -> tuple[Vector, Fraction]:
    """Return p and β, for an object with the keys above, and the rows of some domain."""
    p = distribution(table["p"], f"{path}.p", len(psi.terms))
    terms = weighted_pieces(psi, p, table["pieces"], f"{path}.pieces")
    terms += [(-w, row) for w, row in weighted_rows(domain, table, path)]
    beta, *gradient = combined(terms, psi.dim + 1)
    reason = "p = {}: the pieces exceed the rows by {}"
    require(not any(gradient), path, reason, p, tuple(gradient))
    return p, beta


def weighted_pieces(psi: Surrogate, p: Vector, value: Any, path: str) -> Terms:
    """Return the pieces with their weights, having checked 1."""
    spend(sum(map(len, psi.terms)))
    missing = [[x] * len(maxima) for x, maxima in zip(p, psi.terms)]
    found: dict[tuple[int, int, int], tuple[Fraction, Vector]] = {}
    for at, each in places(value, path):
        *place, weight = listed(each, at, 4)
        y = index(place[0], at, len(psi.terms))
        g = index(place[1], at, len(psi.terms[y]))
        j = index(place[2], at, len(psi.terms[y][g]))
        require((y, g, j) not in found, at, "the piece is listed twice")
        w = number(weight, at)
        require(w > 0, at, "the weight {} is not positive", w)
        found[y, g, j] = w, psi.terms[y][g][j]
        missing[y][g] = less(missing[y][g], w)
    for y, rest in enumerate(missing):
        reason = f"p = {{}}: the weights of a maximum of label {y} do not sum to p_y"
        require(not any(rest), path, reason, p)
    return list(found.values())


def weighted_rows(domain: Rows, table: Any, path: str) -> Terms:
    """Return rows of the domain with their multipliers."""
    terms: Terms = []
    for kind, known in zip(Rows._fields, domain):
        given = multipliers(table[kind], f"{path}.{kind}", len(known), kind == "equations")
        terms += [(w, known[i]) for i, w in given.items()]
    return terms


def multipliers(value: Any, path: str, size: int, signed: bool) -> dict[int, Fraction]:
    """Read `[[i, w], …]` with indices below the size, and w > 0, or w ≠ 0."""
    found: dict[int, Fraction] = {}
    for at, each in places(value, path):
        i, w = pair(each, at, size)
        require(i not in found, at, "the row is listed twice")
        require(w > 0 or (signed and w), at, "the multiplier {} is not allowed", w)
        found[i] = w
    return found
