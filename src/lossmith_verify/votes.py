"""Claims with the pred "votes": of each two predictions one gets a vote, and most votes win.

`pred` is `{"votes": true}`, in version 2, without `within`. There are d = k(k − 1)/2 scores, for
the pairs i < j in the order (0, 1), (0, 2), …, (1, 2), …: a vote for i if the score is positive,
for j if it is negative, and for either if it is 0: claims hold for every way to give such votes.
The pred says the prediction that has most votes, of equal ones the first. The surrogate is
polyhedral, or known by the theorem "signs".

**Calibrated**: the evidence is empty. A polyhedral surrogate has C = R^d, and each of its maxima
depends on one score at most; then its slopes are neither all positive nor all negative. It has one
slope where all scores are 0: all pieces with the largest b have the same a. Let a_y be minus the
sum of these slopes of label y; or, for "signs", w_y a_y. For the score c of every pair i < j,
either ℓ_i = ℓ_j, or there is a λ > 0 with a_yc = λ (ℓ_yj − ℓ_yi) for all y.

Proof. Let the surrogate risk tend to the least one at p, and let i be optimal at p, and j not.
Then x_c = Σ_y p_y a_yc is positive for their score (negative, if j < i). For "signs" u_c is then
positive in the end. Else p·ψ is a sum of convex functions of single scores, none of which falls
without end, and each tends to its infimum; that of u_c has the slope −x_c < 0 at 0, and is nowhere
on u_c ≤ 0 less than at 0: so again u_c is positive in the end. With T predictions that are optimal,
each of them has the k − T votes against the others, which have at most k − T − 1.

**Not calibrated**: as with another pred, but without `prediction`, `piece` and `toward`: votes are
counted at u, none of whose coordinates is 0. For "signs" nearly optimal scores have the signs of
the estimate u.
"""

from itertools import combinations
from typing import Any

from lossmith_verify.arithmetic import combined, dot, less, spend
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Vector, record, require


def winner(k: int, u: Vector) -> int:
    """Return the prediction that has most votes at u."""
    require(all(u), "evidence.u", "a score of {} is 0", u)
    votes = [0] * k
    for (i, j), x in zip(combinations(range(k), 2), u):
        votes[i if x > 0 else j] += 1
    return votes.index(max(votes))


def calibrated_by_votes(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    record(evidence, "evidence", "")
    psi, columns, path = case.surrogate, case.loss.columns, "surrogate"
    require(not any(psi.domain), path, "the scores are not free")
    told = psi.estimates or [slopes(psi.dim, maxima) for maxima in psi.terms]
    for c, (i, j) in enumerate(combinations(range(len(columns)), 2), 1):
        more = [less(x, y) for x, y in zip(columns[j], columns[i])]
        z = next((y for y, x in enumerate(more) if x), None)
        if z is not None:
            fine = all(dot((a[c], told[z][c]), (more[z], -x)) == 0 for a, x in zip(told, more))
            fine = fine and dot((told[z][c],), (more[z],)) > 0
            require(fine, path, f"score {c - 1} does not tell which of {i} and {j} costs less")
    return f"{psi.dim} pairs"


def slopes(dim: int, maxima: list[tuple[Vector, ...]]) -> Vector:
    """Return minus the slopes of the maxima of a label at 0, behind a constant."""
    path, terms = "surrogate.terms", []
    for pieces in maxima:
        spend(len(pieces) * dim)
        used = {c for piece in pieces for c, x in enumerate(piece) if c and x}
        require(len(used) < 2, path, "a maximum depends on more than one score")
        for c in used:
            found = [piece[c] for piece in pieces]
            require(min(found) <= 0 <= max(found), path, "a maximum falls without end")
        top = max(piece[0] for piece in pieces)
        here = {piece for piece in pieces if piece[0] == top}
        require(len(here) == 1, path, "a maximum has two slopes at 0")
        terms += [(-1, piece) for piece in here]
    return combined(terms, dim + 1)
