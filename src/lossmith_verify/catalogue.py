"""Claim "calibrated" of a polyhedral surrogate that a theorem of the literature is about.

`{"theorem": "cost-weighted hinge"}`: k predictions, ψ_y(u) = Σ_t L_yt (1 + u_t)₊ for u ∈ R^k with
Σ_t u_t = 0. A pred says t only where u_t ≥ u_j for all j.
`{"theorem": "binary relevance hinge"}`: n = k = 2^r, L_yt is the number of bits in which y and t
differ, ψ_y(u) = Σ_i (1 − s_yi u_i)₊ for u ∈ R^r, where s_yi is 1 if bit i of y is, counted from the
most significant one, else −1. A pred says t only where s_ti u_i ≥ 0 for all i.

The checker makes the surrogate and the regions anew from the loss, and compares: the maxima of each
label in any order, their pieces as a set, those with L_yt = 0 left out (a label without any has the
one piece 0); the rows of the domain as they are; for each prediction one piece, its inequalities in
the order of j or i, no equations. So the theorem is about this ψ, and nothing is taken on trust.

Proof. The risk is Σ_t c_t (1 + u_t)₊ with c_t = p·ℓ_t, and Σ_t (1 + u_t) = k: it is least, k
times the least c_t, only where u_t ≤ −1 for all t whose c_t is larger; the largest u_t is at least
0, so its c_t is least. And the risk of the hinge of each bit is least only at u_i with the sign of
the likelier value. Both are polyhedral: nearly least is near the least.
"""

from collections import Counter
from typing import Any

from lossmith_verify.arithmetic import spend
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Vector, record, require

THEOREMS = {
    "cost-weighted hinge": "Σ_t L_yt (1 + u_t)₊ where Σ_t u_t = 0 is calibrated for the loss L with"
    " argmax, whatever L (Pires, Szepesvári, Ghavamzadeh, ICML 2013)",
    "binary relevance hinge": "Σ_i (1 − s_yi u_i)₊ is calibrated for the Hamming loss with sign,"
    " however many bits there are (Gao, Zhou, Artificial Intelligence 2013)",
}


def named_theorem(case: Case, evidence: Any) -> str:
    """Return the theorem in words, if it is about these inputs."""
    psi, theorem = case.surrogate, record(evidence, "evidence", "theorem")["theorem"]
    require(theorem in [*THEOREMS], "evidence.theorem", "{} is not known", theorem)
    require(case.version > 1 and not case.sets, "evidence.theorem", "not for version 1 or within")
    make = cost_weighted if theorem == "cost-weighted hinge" else binary_relevance
    equations, labels, regions = make(case.loss.entries)
    require(psi.domain == ((), equations), "surrogate", "the theorem is about another domain")
    zero = at(psi.dim, {})
    for maxima, pieces in zip(psi.terms, labels):
        made = Counter(frozenset({zero, each}) for each in pieces or [zero])
        same = Counter(map(frozenset, maxima)) == made
        require(same, "surrogate.terms", "the theorem is about other pieces")
    for region, rows in zip(case.regions, regions):
        require(region == [(tuple(rows), ())], "pred.regions", "the theorem is about another pred")
    return THEOREMS[theorem]


def cost_weighted(entries: Any) -> Any:
    """Return Σ_t u_t; L_yt (1 + u_t) for each y, where L_yt > 0; u_t − u_j for each t."""
    k = len(entries[0])
    spend(20 * len(entries) * k * k)
    places = range(1, k + 1)
    labels = ([at(k, {0: x, t: x}) for t, x in zip(places, row) if x] for row in entries)
    regions = ([at(k, {t: 1, j: -1}) for j in places if j != t] for t in places)
    return ((0, *[1] * k),), labels, regions


def binary_relevance(entries: Any) -> Any:
    """Return no equation; 1 − s_yi u_i for each y; s_ti u_i for each t."""
    r = len(entries).bit_length() - 1
    spend(20 * 4**r)
    strings = range(2**r)
    differ = tuple(tuple((y ^ t).bit_count() for t in strings) for y in strings)
    require(entries == differ, "loss.entries", "the theorem is about the Hamming loss")
    signs = [[*enumerate((2 * int(bit) - 1 for bit in f"{y:0{r}b}"), 1)] for y in strings]
    labels = ([at(r, {0: 1, i: -s}) for i, s in row] for row in signs)
    return (), labels, ([at(r, {i: s}) for i, s in row] for row in signs)


def at(dim: int, numbers: Any) -> Any:
    """Return the row (b, a) with these numbers in their places, and 0 elsewhere."""
    return Vector(numbers.get(i, 0) for i in range(dim + 1))
