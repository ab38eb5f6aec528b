"""Claim "calibration function": at which regret of the surrogate that of the loss can be ε.

There is a `pred`, no `within`, and `delta`: rows (b, f, g) with rising b > 0. The claim is that
δ(ε), for ε > 0 the infimum of the regret p·ψ(u) − H_ψ(p) of the surrogate over all p and u ∈ C with
p·ℓ_t − H_L(p) ≥ ε for the t that the pred says at u, is linear from f, just above a, to g, at b,
for each row, with the b of the row before, or 0, as a; and that it is ∞ beyond the last b.

`all` has `cells` and `vertices` as in a claim "calibrated" with a pred: so the vertices (v, h) of
the graph of H_ψ are known. `pieces` has the same for every piece of every region, the domain being
the part of C in the piece: so min_j p·z_j, over its cells, is the least p·ψ(u) there. The regions
*cover* C. For z and predictions t and s let F(ε) be the least w of all (x, w) with x ≥ ε in the
hull of the points (v·(ℓ_t − ℓ_s), v·z − h). For every cell of a piece of t, and every s, F is
nowhere below δ. For every row, `attained` has a `u` ∈ C, with `prediction`, `piece` and `toward` as
in a claim "not calibrated": the pred says t as near to u as one likes. For z = ψ(u) and s =
`instead`, F is at most f at a, and at most g at b.

Proof. Let u ∈ C lie in a piece of t, and p·ℓ_t − H_L(p) ≥ ε > 0: x = p·(ℓ_t − ℓ_s) ≥ ε for some s.
The pair (p, H_ψ(p)) is a mean of vertices (v, h), and p·ψ(u) ≥ p·z for a cell of the piece. So the
regret of u is at least p·z − H_ψ(p), the same mean of all v·z − h, and at least F(ε) ≥ δ(ε).
Conversely, F(ε) is a mean of some v·z − h, with weights λ_v; p = Σ λ_v v has p·(ℓ_t − ℓ_s) ≥ ε, and
H_ψ(p) ≥ Σ λ_v h, as H_ψ is concave: the regret of the `u` that is listed is at most F(ε), which is
at most δ(ε) between a and b, as F is convex.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import bits, dot, hold, price, spend
from lossmith_verify.calibrated import covered, over_simplex
from lossmith_verify.cone import Vertex
from lossmith_verify.cover import check_cover
from lossmith_verify.given_pred import on_piece, prediction_near
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Vector, index, places, record, require, show, vectors
from lossmith_verify.regret import check_plain
from lossmith_verify.surrogates import read_u, value_at

PARTS = "cells vertices"
Graph = list[Vertex]
Function = tuple[Vector, ...]  # (x, w, m): F(ε) is the largest w − m(x − ε), up to the first x


def calibration_function(case: Case, value: Any, evidence: Any) -> str:
    """Check the claim, and say what it is."""
    check_plain(case)
    table = record(evidence, "evidence", "all pieces attained cover")
    check_cover(case, table["cover"])
    everywhere = record(table["all"], "evidence.all", PARTS)
    graph, k = covered(case, everywhere, over_simplex)[2], len(case.regions)
    rows = vectors(value, "delta", 3)
    ends = [Fraction(0), *(row[0] for row in rows)]
    rising = all(a < b for a, b in pairwise(ends))
    require(rising, "delta", "the ends do not rise from 0")
    lines = [Vector((a, *row)) for a, row in zip(ends, rows)]
    for line, (at, each) in zip(lines, places(table["attained"], "evidence.attained", len(lines))):
        check_attained(case, graph, record(each, at, "u prediction piece toward instead"), line, at)
    for t, (at, region) in enumerate(places(table["pieces"], "evidence.pieces", k)):
        xs = [lost_at(case, graph, t, s) for s in range(k)]
        for i, (path, each) in enumerate(places(region, at, len(case.regions[t]))):
            psi = case.surrogate._replace(domain=on_piece(case, t, i))
            part, cells = case._replace(surrogate=psi), record(each, path, PARTS)
            values = covered(part, cells, over_simplex)[0]
            for found in {corners(x, w) for w in (paid_at(graph, z) for z in values) for x in xs}:
                require(found[0][0] <= ends[-1], path, "a regret of {} comes up", found[0][0])
                for line in lines:
                    fine = min(excesses(found, line), default=0) >= 0
                    require(fine, path, "a regret below {} comes up", line)
    return show(rows)


def check_attained(case: Case, graph: Graph, table: Any, line: Vector, at: str) -> None:
    """Check that F is at most δ, for an entry of `attained`."""
    u = read_u(case.surrogate, table["u"], f"{at}.u")
    t, s = prediction_near(case, u, table), index(table["instead"], at, len(case.regions))
    found = corners(lost_at(case, graph, t, s), paid_at(graph, value_at(case.surrogate, u)))
    fine = line[1] <= found[0][0] and max(excesses(found, line)) <= 0
    require(fine, at, "it does not attain {}", line)


def lost_at(case: Case, graph: Graph, t: int, s: int) -> list[Fraction]:
    """Return v·(ℓ_t − ℓ_s) for all v."""
    spend(10 * len(case.loss.entries))
    difference = [row[t] - row[s] for row in case.loss.entries]
    found = [dot(each.p, difference) for each in graph]
    hold(3 * len(found), max(map(bits, found)))
    return found


def paid_at(graph: Graph, z: Vector) -> list[Fraction]:
    """Return v·z − h for all (v, h)."""
    return [dot((*each.p, each.v), (*z, -1)) for each in graph]


def corners(xs: list[Fraction], ws: list[Fraction]) -> Function:
    """Return F for points (x, w): from the right to the left, always by the steepest way down."""
    spend(5 * len(xs))
    points, found, longest = [*zip(xs, ws)], [], max(map(bits, (*xs, *ws)))
    x, w = max(points, key=lambda each: (each[0], -each[1]))
    while points := [each for each in points if each[1] < w]:
        spend(len(points) * (20 + 12 * price(4 * longest)))
        m, a = max(((w - b) / (x - a), -a) for a, b in points)
        found.append(Vector((x, w, m)))
        x, w = -a, w - m * (x + a)
    hold(9 * len(found), 4 * longest)
    return (*found, Vector((x, w, Fraction(0))))


def excesses(found: Function, line: Vector) -> list[Fraction]:
    """Return F − δ, times b − a, where it may be least or largest: from a to b, or to the end."""
    spend(5 + 5 * len(found))
    (a, b, f, g), last = line, found[0][0]
    spots = [a, min(b, last), *(x for x, _, _ in found if a < x < b)] if a < last else []
    values = (max(dot((w, m, m), (1, e, -x)) for x, w, m in found) for e in spots)
    return [dot((b - a, e - b, a - e), (w, f, g)) for e, w in zip(spots, values)]
