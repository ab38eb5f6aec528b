"""Claim "calibrated" of a surrogate known by a theorem.

Without a pred: `{"affine": [[c, x₁, …, x_d], …]}`, one entry per prediction t, such that ℓ_yt −
ℓ_y0 = w_y (c + a_y·x) for every label y. Proof: then p·(ℓ_t − ℓ_0) is c + x·(the estimate of p),
times Σ_y w_y p_y > 0, so that the estimate tells which predictions are optimal, and one near to it
tells some of them.

With a pred: `{"cover": …}` (nothing in version 1, see `complement`). The
checker enumerates the vertices of {p ∈ Δ (or a set of `within`) : the estimate of p lies in the
piece}, for every piece, and at each of them the prediction of the region must be optimal. Proof:
let the surrogate risk tend to the least one at p. Then what is read off tends to the estimate of
p. If the pred says t infinitely often, a piece of t, being closed, contains the estimate, so t is
optimal at p: the set of all such p is convex, and t is optimal at its vertices.

The sets of `within` must not be empty.
"""

from fractions import Fraction
from typing import Any

from lossmith_verify.arithmetic import LEDGER, bits, dot, hold, less
from lossmith_verify.calibrated import within
from lossmith_verify.cone import halfspaces, vertices
from lossmith_verify.cover import check_covers
from lossmith_verify.inputs import Case, regrets
from lossmith_verify.reading import Rows, Vector, places, record, require, vector

LIMIT = 100_000  # of vertices


def calibrated_by_estimates(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    zero = Vector([Fraction(0)] * len(case.loss.entries))
    for _ in within(case, [zero], LIMIT):
        pass  # no set is empty
    if not case.regions:
        return check_affine(case, record(evidence, "evidence", "affine")["affine"])
    table, count = record(evidence, "evidence", "cover" * (case.version > 1)), 0
    check_covers(case, table)
    for t, region in enumerate(case.regions):
        for i, piece in enumerate(region):
            count += check_piece(case, t, piece, f"pred.regions[{t}][{i}]")
    return f"{count} vertices of regions"


def check_affine(case: Case, value: Any) -> str:
    """Check that the losses differ by affine functions of the estimate."""
    k = len(case.loss.columns)
    for t, (at, each) in enumerate(places(value, "evidence.affine", k)):
        function = vector(each, at, case.surrogate.dim + 1)
        for row, a in zip(case.loss.entries, case.surrogate.estimates):
            same = dot(function, a) == less(row[t], row[0])
            require(same, at, f"predictions {t} and 0 do not differ by this function")
    return f"{k} functions of the estimate"


def check_piece(case: Case, t: int, piece: Rows, path: str) -> int:
    """Check that t is optimal where the estimate lies in the piece, and return how often."""
    zero, pulled, count = Vector([Fraction(0)] * len(case.loss.entries)), [], 0
    before = LEDGER.held
    for row in halfspaces(piece):
        pulled.append(Vector(dot(row, a) for a in case.surrogate.estimates))
        hold(3 * len(zero), max(map(bits, pulled[-1])))
    for each in case.sets or [Rows((), ())]:
        for p, _, _ in vertices([zero], [*halfspaces(each), *pulled], LIMIT):
            right = not regrets(case.loss, p)[t]
            require(right, path, "prediction {} is not optimal at p = {}", t, p)
            count += 1
    LEDGER.held = before
    return count
