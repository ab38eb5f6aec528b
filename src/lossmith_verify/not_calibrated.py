"""Claim "not calibrated".

`u` is a point of C. Each of `points` is a *weights* object that proves its p ∈ N(ψ(u)), that is
p·ψ(u′) ≥ β for all u′ ∈ C with β = p·ψ(u), and its p lies in one of the sets of `within`. `better`
has exactly one entry [t, i, s] per prediction t, in order: at point number i prediction s has
strictly smaller expected loss than t. So N(ψ(u)) lies in no trigger set, and ψ is not calibrated
(`thm:condition-necessary`).

With a pred there is one point p and one better prediction s, and `given_pred` shows that the pred
says t near u, or `votes` that it says t at u: the surrogate risk tends to the least one, and t is
not optimal at p.

With tangents `along` a segment see `segments`: more points follow, and each of them has two ends.

For a surrogate known by a theorem, `u` is the estimate that belongs to each of the points. It lies
in X, as all a_y do, and there are estimates in the relative interior of X that tend to it. For "far
out" see `orders`: with a pred there is no `piece`.

Which sets of `within` are empty does not matter here: those that contain the points are not.
"""

from typing import Any

from lossmith_verify.arithmetic import dot, hold
from lossmith_verify.given_pred import prediction_near
from lossmith_verify.inputs import Case, distribution, regrets
from lossmith_verify.orders import check_place, prediction_beyond
from lossmith_verify.reading import (
    Vector,
    index,
    listed,
    places,
    record,
    require,
    show,
)
from lossmith_verify.segments import read_along
from lossmith_verify.surrogates import contains, read_u, value_at
from lossmith_verify.votes import winner
from lossmith_verify.weights import KEYS, lower_bound


def not_calibrated(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    keys, k = "u points better", len(case.loss.columns)
    if case.regions:
        near = case.surrogate.theorem != "far out"
        keys += " prediction" + " piece" * near + " toward" * (near and case.version > 1)
    along = case.surrogate.theorem == "along"
    table = record(evidence, "evidence", keys + " along" * along)
    u = read_u(case.surrogate, table["u"], "evidence.u")
    found = [[p] for p in read_points(case, u, table["points"])]
    found += read_along(case, table["along"]) if along else []
    if case.votes or case.regions:
        t = prediction(case, u, table)
        better = [("evidence.better", t, [t, 0, table["better"]])]
    else:
        given = places(table["better"], "evidence.better", k)
        better = [(at, t, listed(each, at, 3)) for t, (at, each) in enumerate(given)]
    hold(sum(map(len, found)) * k, case.loss.bits)
    costs = [[regrets(case.loss, p) for p in ends] for ends in found]
    for at, t, (worse, i, s) in better:
        require(index(worse, at, k) == t, at, f"out of order: expected {t} first")
        i, s = index(i, at, len(found)), index(s, at, k)
        gains = [each[t] - each[s] for each in costs[i]]
        fine = min(gains) >= 0 < max(gains)
        require(fine, at, f"{s} is not better than {t} at p = {{}}", found[i][0])
    return f"u = {show(u)}, {len(found)} point{'s' * (len(found) > 1)}"


def prediction(case: Case, u: Vector, table: Any) -> int:
    """Return what the pred says at u, as near to it as one likes, or far out."""
    if case.votes:
        return winner(len(case.loss.columns), u)
    if case.surrogate.theorem == "far out":
        return prediction_beyond(case.regions, u, table["prediction"])
    return prediction_near(case, u, table)


def read_points(case: Case, u: Vector, value: Any) -> list[Vector]:
    """Return the points p, having checked that u is optimal at each of them."""
    psi, found = case.surrogate, []
    check_place(psi.theorem, case.regions, u)
    z = value_at(psi, u)
    one = 1 if case.votes or case.regions else None
    for at, each in places(value, "evidence.points", one, 1):
        if psi.estimates:
            p = distribution(record(each, at, "p")["p"], f"{at}.p", len(psi.estimates))
            total, *sums = (dot(p, column) for column in zip(*psi.estimates))
            here = [0] * psi.dim if psi.theorem == "far out" else u
            belongs = all(dot((total, x), (y, -1)) == 0 for x, y in zip(sums, here))
            require(belongs, at, "u does not belong to p = {}", p)
        else:
            p, beta = lower_bound(psi, record(each, at, KEYS), at, psi.domain)
            require(beta == dot(p, z), at, "the weights prove p·ψ ≥ {}, not p·ψ(u)", beta)
        given = not case.sets or any(contains(each, p) for each in case.sets)
        require(given, at, "p = {} is not among the given distributions", p)
        found.append(p)
    return found
