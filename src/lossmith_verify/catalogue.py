"""Claim "calibrated" of a polyhedral surrogate that a theorem of the literature is about.

`{"theorem": "cost-weighted hinge"}`: k predictions, ψ_y(u) = Σ_t L_yt (1 + u_t)₊ for u ∈ R^k with
Σ_t u_t = 0. A pred says t only where u_t ≥ u_j for all j.
`{"theorem": "binary relevance hinge"}`: n = k = 2^r, L_yt is the number of bits in which y and t
differ, ψ_y(u) = Σ_i (1 − s_yi u_i)₊ for u ∈ R^r, where s_yi is 1 if bit i of y is, counted from the
most significant one, else −1. A pred says t only where s_ti u_i ≥ 0 for all i.

The checker makes the surrogate and the regions anew from the loss, and compares: the maxima of each
label in any order, their pieces as a set, maxima with L_yt = 0 left out (a label without any has the
one piece 0); the rows of the domain as they are; for each prediction one piece, its inequalities as
a set, without equations. That the theorem is true is *given*: nothing else proves the claim.

Both are short. The risk is Σ_t c_t (1 + u_t)₊ with c_t = p·ℓ_t, and Σ_t (1 + u_t) = k: it is least
only where u_t ≤ −1 for all t but those with the least c_t, among which the largest u_t, at least 0,
is. And the risk of each bit is that of the hinge, least at a u_i with the sign of the likelier value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import room, spend
from lossmith_verify.inputs import Case, Loss
from lossmith_verify.reading import Vector, record, require

Sparse = frozenset[tuple[int, Any]]  # the numbers of a row (b, a) that are not 0, by place
Hinge = tuple[int, Any, Any]  # (i, b, a) for the larger of b + a u_i and 0, counting from u_1


class Member(NamedTuple):
    """What a theorem is about: ψ by the hinges of each label, C by equations, a pred by rows."""

    dim: int
    equations: list[Sparse]
    labels: Iterator[list[Hinge]]
    regions: Iterator[set[Sparse]]


def cost_weighted(loss: Loss) -> Member:
    """Σ_t L_yt (1 + u_t)₊ where Σ_t u_t = 0, with argmax."""
    places = range(1, len(loss.columns) + 1)
    labels = ([(t, x, x) for t, x in zip(places, row) if x] for row in loss.entries)
    tops = ({frozenset({(t, 1), (j, -1)}) for j in places if j != t} for t in places)
    return Member(len(places), [frozenset((t, 1) for t in places)], labels, tops)


def binary_relevance(loss: Loss) -> Member:
    """Σ_i (1 − s_yi u_i)₊ for the Hamming loss, with sign."""
    r = len(loss.entries).bit_length() - 1
    spend(5 * 4**r)
    room(4**r)
    strings, places = range(2**r), range(1, r + 1)
    differ = [tuple((y ^ t).bit_count() for t in strings) for y in strings]
    require([*loss.entries] == differ, "loss.entries", "the theorem is about the Hamming loss")
    signs = [[2 * (y >> (r - i) & 1) - 1 for i in places] for y in strings]
    labels = ([(i, 1, -s) for i, s in zip(places, row)] for row in signs)
    return Member(r, [], labels, ({frozenset({each}) for each in zip(places, row)} for row in signs))


THEOREMS: dict[str, tuple[Callable[[Loss], Member], str]] = {
    "cost-weighted hinge": (
        cost_weighted,
        "Σ_t L_yt (1 + u_t)₊ where Σ_t u_t = 0 is calibrated for the loss L with argmax, whatever L"
        " (Pires, Szepesvári, Ghavamzadeh, ICML 2013)",
    ),
    "binary relevance hinge": (
        binary_relevance,
        "Σ_i (1 − s_yi u_i)₊ is calibrated for the Hamming loss with sign, however many bits"
        " (Gao, Zhou, Artificial Intelligence 2013)",
    ),
}


def given_theorem(case: Case, evidence: Any) -> str:
    """Return the theorem in words, if it is about these inputs."""
    path, psi = "evidence.theorem", case.surrogate
    theorem = record(evidence, "evidence", "theorem")["theorem"]
    require(theorem in [*THEOREMS], path, "{} is not known", theorem)
    plain = case.version > 1 and not case.sets
    require(plain, path, "not for version 1 or given distributions")
    make, words = THEOREMS[theorem]
    made = make(case.loss)
    require(psi.dim == made.dim, "surrogate.dim", f"the theorem is about {made.dim}")
    domain = [*map(sparse, psi.domain.equations)], psi.domain.inequalities
    require(domain == (made.equations, ()), "surrogate", "the theorem is about another domain")
    room(20 * made.dim)
    for y, (maxima, hinges) in enumerate(zip(psi.terms, made.labels)):
        found = Counter(frozenset(map(sparse, pieces)) for pieces in maxima)
        fine = found == maxima_of(hinges)
        require(fine, f"surrogate.terms[{y}]", "the theorem is about other pieces")
    for t, (region, top) in enumerate(zip(case.regions, made.regions)):
        spend(10 * made.dim)
        pieces = [({*map(sparse, piece.inequalities)}, piece.equations) for piece in region]
        require(pieces == [(top, ())], f"pred.regions[{t}]", "the theorem is about another pred")
    return words


def sparse(row: Vector) -> Sparse:
    """Return the numbers that are not 0."""
    spend(20 + 10 * len(row))
    return frozenset((i, x) for i, x in enumerate(row) if x)


def maxima_of(hinges: list[Hinge]) -> Counter[frozenset[Sparse]]:
    """Return the maxima of a label; one without any has the piece 0."""
    spend(20 + 20 * len(hinges))
    zero: Sparse = frozenset()
    pairs = [{zero, frozenset({(0, b), (i, a)})} for i, b, a in hinges]
    return Counter(map(frozenset, pairs or [{zero}]))
