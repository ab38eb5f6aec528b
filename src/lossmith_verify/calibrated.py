"""Claim "calibrated" of a polyhedral surrogate.

Each cell has a point u_j of C; let z_j = ψ(u_j). The checker enumerates the vertices of {(p, v) :
p ∈ Δ, v ≤ p·z_j for all j}. For every vertex (p, v) there must be an entry of `vertices` with
exactly this p, whose weights prove p·ψ ≥ v; entries that are no vertices are errors, and so are
repeated ones. At each vertex where z_j is tight, the `prediction` of cell j must be optimal.

Proof. min_j p·z_j = H_ψ(p), the least risk, for all p: both are concave, the former is nowhere
smaller, and they agree at all vertices of its graph. So N(z_j) = {p : p·z_j = H_ψ(p)} is the hull
of the vertices at which z_j is tight, the N(z_j) cover Δ, and each lies in the trigger set of its
prediction, which is convex: ψ is calibrated (`thm:condition-sufficient`).

**Within.** `vertices` are those over all of Δ. For each set P, which must not be empty, N(z_j) ∩ P
is the hull of the vertices of {(p, v) : p ∈ P, v ≤ p·z_j for all j} at which z_j is tight; only at
these must the cell's prediction be optimal. **With a pred** see `given_pred`.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from lossmith_verify.arithmetic import bits, hold, spend
from lossmith_verify.cone import Vertex, halfspaces, vertices
from lossmith_verify.cover import check_covers
from lossmith_verify.given_pred import check_apart, read_apart
from lossmith_verify.inputs import Case, regrets
from lossmith_verify.reading import Vector, index, places, record, require
from lossmith_verify.surrogates import read_u, value_at
from lossmith_verify.weights import KEYS, lower_bound

MAX_VERTICES = 10_000  # and more for those that are listed
Corners = Callable[[list[Vector], int], Iterator[Vertex]]
Covered = tuple[list[Vector], list[int], list[Vertex]]


def calibrated(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    keys = "cells vertices"
    if case.regions:
        keys += " apart" + " cover" * (case.version > 1)
    table = record(evidence, "evidence", keys)
    values, predictions, found = covered(case, table, over_simplex)
    apart = read_apart(case, table.get("apart", []))
    limit = MAX_VERTICES + 50 * (len(found) + sum(map(len, apart.values())))
    corners = within(case, values, limit) if case.sets else found
    if case.regions:
        check_apart(case, apart, corners)
        check_covers(case, table)
    else:
        check_predictions(case, predictions, corners)
    return f"{len(values)} cell{'s' * (len(values) > 1)}, {len(found)} vertices"


def covered(case: Case, table: Any, corners: Corners) -> Covered:
    """Return all z_j, the predictions, and the vertices of H_ψ, which is the least p·z_j."""
    values, predictions = read_cells(case, table["cells"])
    listed = read_vertices(case, table["vertices"])
    limit = MAX_VERTICES + 50 * len(listed)
    return values, predictions, check_vertices(corners(values, limit), listed)


def over_simplex(values: list[Vector], limit: int) -> Iterator[Vertex]:
    """Enumerate the vertices over Δ."""
    return vertices(values, [], limit)


def read_cells(case: Case, value: Any) -> tuple[list[Vector], list[int]]:
    """Return all z_j = ψ(u_j), and the predictions if there is no pred."""
    values, predictions, psi = [], [], case.surrogate
    for at, each in places(value, "evidence.cells", None, 1):
        table = record(each, at, "u" if case.regions else "u prediction")
        u = read_u(psi, table["u"], f"{at}.u")
        if not case.regions:
            k = len(case.loss.columns)
            predictions.append(index(table["prediction"], f"{at}.prediction", k))
        z = value_at(psi, u)
        hold(3 * len(z), max(map(bits, z)))
        values.append(z)
    return values, predictions


def read_vertices(case: Case, value: Any) -> dict[Vector, Fraction]:
    """Return what the weights prove of the least risks, by p."""
    listed: dict[Vector, Fraction] = {}
    for at, each in places(value, "evidence.vertices"):
        p, beta = lower_bound(case.surrogate, record(each, at, KEYS), at, case.surrogate.domain)
        require(p not in listed, at, "p = {} is listed a second time", p)
        listed[p] = beta
    return listed


def check_vertices(corners: Iterable[Vertex], listed: dict[Vector, Fraction]) -> list[Vertex]:
    """Return the vertices, if weights are listed for all, prove their v, and are for no other p."""
    found, others = [], dict(listed)
    for p, v, tight in corners:
        require(p in others, "evidence.vertices", "p = {} is missing", p)
        proved = others.pop(p)
        reason = "the weights at p = {} prove p·ψ ≥ {}, not {}"
        require(proved == v, "evidence.vertices", reason, p, proved, v)
        found.append(Vertex(p, v, tight))
    require(not others, "evidence.vertices", "p = {} is no vertex", next(iter(others), ()))
    hold(sum(4 * len(each.p) + len(each.tight) for each in found))
    return found


def within(case: Case, values: list[Vector], limit: int) -> Iterator[Vertex]:
    """Enumerate the vertices over each set of distributions, and see that it is not empty."""
    for i, each in enumerate(case.sets):
        empty = True
        for vertex in vertices(values, halfspaces(each), limit):
            empty = False
            yield vertex
        require(not empty, f"within[{i}]", "the set is empty")


def check_predictions(case: Case, predictions: list[int], corners: Iterable[Vertex]) -> None:
    """Check that the prediction of each cell is optimal where the cell is tight."""
    for p, _, tight in corners:
        lost = regrets(case.loss, p)
        spend(len(tight))
        for j in tight:
            reason = "it is tight at p = {}, where its prediction is not optimal"
            require(not lost[predictions[j]], f"evidence.cells[{j}]", reason, p)
