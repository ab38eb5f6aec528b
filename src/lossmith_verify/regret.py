"""Claim "regret": what a regret of the surrogate costs, with a given pred.

There is a `pred`, no `within`, and a `hull`: points (x, y) with rising x. Let f be linear from
(0, 0) to the first, and from each to the next, and ∞ beyond the last. With the regrets p·ℓ_t −
H_L(p) of the loss and p·ψ(u) − H_ψ(p) of the surrogate, the claim is that the latter, on average,
is at least f of the former, on average, for all distributions and models, if the pred decides; and
that f is convex, and no larger convex function that is 0 at 0 will do. So the regret of the loss is
at most x/y times that of the surrogate for the first point, if y > 0, and no smaller factor will
do.

For every point (x, y), `attained` has a *weights* object that proves p·ψ ≥ β, with `u` ∈ C, and
`prediction` t, `piece` and `toward` as in a claim "not calibrated": the pred says t as near to u as
one likes. There p·ψ(u) − β = y, and the regret of t at p is x. Evidence that the regrets lie
`above` is as for "calibrated" with a pred, by symmetry or not, but *apart* need not have β > v: at
a vertex (p, v) where t has the regret x, (x, β − v) must lie on or above f, or (x, 0) if there is
no entry. The lines from each point to the next do not fall, and are not positive at 0.

Proof. Let a·x + b be such a line, a ≥ 0 ≥ b. Let u lie in C and in a piece of t, z = ψ(u), and s be
a prediction. On each cell of ψ the function p·z − H_ψ(p) − a p·(ℓ_t − ℓ_s) − b of p is affine. At
its vertices it is not negative: if t is optimal there, p·(ℓ_t − ℓ_s) ≤ 0; else p·z ≥ β, and
p·(ℓ_t − ℓ_s) is at most the regret of t. So it is not negative anywhere: the regrets of all p, t
and u lie on or above all lines, and so do averages. Likewise the regret of the loss never exceeds
the last x. By symmetry, regrets at p are those of images at the sorted p, in K. At the points of
the hull the regrets come as near as one likes to x, and to y or less: so y it is, f is the largest
of the lines, and no larger function will do.
"""

from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import dot, less
from lossmith_verify.given_pred import prediction_near
from lossmith_verify.inputs import Case, lost
from lossmith_verify.reading import Vector, places, record, require, show, vectors
from lossmith_verify.surrogates import read_u, value_at
from lossmith_verify.weights import KEYS, lower_bound


def check_plain(case: Case) -> None:
    """See that the claim can be about regrets."""
    plain = case.version > 1 and case.regions and not (case.sets or case.surrogate.theorem)
    require(plain, "claim", "only in version 2, of a polyhedral surrogate, with a pred, for all p")


def with_hull(case: Case, value: Any, evidence: Any) -> tuple[Case, Any]:
    """Return the case with rows of the hull, and the evidence that the regrets lie above."""
    check_plain(case)
    table = record(evidence, "evidence", "attained above")
    points = vectors(value, "hull", 2)
    corners: list[Any] = [(0, 0), *points]
    rows: list[Any] = [(corners[-1][0], -1, 0)]
    for (a, b), (c, d) in pairwise(corners):
        width, rise = less(c, a), less(d, b)
        constant = dot((rise, width), (a, -b))
        fine = width > 0 <= min(rise, constant)
        require(fine, "hull", "the line to {} falls, or is positive at 0", (c, d))
        rows.append((constant, -rise, width))
    attained = places(table["attained"], "evidence.attained", len(points))
    for (at, each), expected in zip(attained, points):
        found = regrets(case, record(each, at, f"{KEYS} u prediction piece toward"), at)
        require(found == expected, at, "the regrets are {}, not {}", found, expected)
    title = f"{case.title}: {show(points)}"
    return case._replace(hull=rows, title=title), table["above"]


def regrets(case: Case, table: Any, at: str) -> Vector:
    """Return the regrets that the pred has, as nearly as one likes."""
    psi = case.surrogate
    p, beta = lower_bound(psi, table, at, psi.domain)
    u = read_u(psi, table["u"], f"{at}.u")
    paid = less(dot(p, value_at(psi, u)), beta)
    return Vector((lost(case.loss, p, prediction_near(case, u, table)), paid))
