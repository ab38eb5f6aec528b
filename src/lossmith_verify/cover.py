"""Reason *cover*: the regions of a pred cover the domain, C or X.

* A *branch* `{"by": [f₁, …, f_m], "parts": [node₁, …, node_m]}` has m ≥ 2 affine functions. Part i
  is the set of u with f_i(u) ≥ f_j(u) for all j. The inequalities f_i − f_j ≥ 0, for j = 1, …, m
  without i, in this order, join the *path* of part i, after those of the branches above it.
* A *leaf* `{"prediction": t, "piece": i, "rows": [combination, …]}` lies in piece i of the region
  of t: for every inequality of the piece, then for every equation with sign +, then for every
  equation with sign −, there is a *combination* that proves it.
* A *thin leaf* `{"thin": combination}` need not lie in any piece.

A *combination* has multipliers w > 0 on inequalities of the path and on those of the domain, w ≠ 0
on the domain's equations, no index twice. Its sum is an affine function that is ≥ 0 on the leaf's
part of the domain. It proves b + a·u ≥ 0 if its coefficients of u are a, and its constant is at
most b. It proves a leaf thin if all its coefficients of u vanish, its constant is at most 0, and
some multiplier on the path is listed. `point` is a point of the domain at which no two functions
of one branch are equal, for every branch of the tree.

Proof. Some f_i is largest at every u, so the parts of a branch cover. On a thin leaf a sum of
terms that are not negative is at most 0: each inequality of the path that has a multiplier
vanishes (or nothing lies in the leaf), and two functions of a branch are equal. Such ties are not
everywhere in the domain, as `point` shows, so they are nowhere dense in it, as it is convex. What
the pieces leave out is open in the domain, as pieces are closed, and lies in thin leaves, among
the ties: it is empty.
"""

from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import combined, dot, spend
from lossmith_verify.complement import check_covered
from lossmith_verify.cone import halfspaces
from lossmith_verify.given_pred import place_of
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Vector, places, record, require, vectors
from lossmith_verify.surrogates import point, read_u
from lossmith_verify.weights import multipliers, weighted_rows

Path = list[tuple[Vector, Vector]]  # f_i and f_j, for its inequalities f_i − f_j ≥ 0


def check_covers(case: Case, evidence: Any) -> None:
    """Check that the regions cover the domain, by evidence, or in version 1 without."""
    if case.version == 1:
        check_covered(case)
    else:
        check_cover(case, evidence["cover"])


def check_cover(case: Case, value: Any) -> None:
    """Check that the regions cover the domain."""
    table = record(value, "evidence.cover", "point tree")
    center = read_u(case.surrogate, table["point"], "evidence.cover.point")
    check_node(case, point(center), [], table["tree"], "evidence.cover.tree")


def check_node(case: Case, center: Vector, path: Path, node: Any, at: str) -> None:
    """Check a branch, a leaf or a thin leaf."""
    kind = node if isinstance(node, dict) else {}
    if "by" in kind:
        table = record(node, at, "by parts")
        by = vectors(table["by"], f"{at}.by", len(center), 2)
        values = sorted(dot(f, center) for f in by)
        apart = all(a < b for a, b in pairwise(values))
        require(apart, f"{at}.by", "two functions are equal at the point")
        for i, (part, each) in enumerate(places(table["parts"], f"{at}.parts", len(by))):
            spend(len(path) + len(by))
            steps = [(by[i], f) for f in (*by[:i], *by[i + 1 :])]
            check_node(case, center, path + steps, each, part)
    elif "thin" in kind:
        table, at = record(node, at, "thin"), f"{at}.thin"
        total = combination(case, path, table["thin"], at)
        require(table["thin"]["path"], at, "no inequality of the path has a multiplier")
        require(not any(total[1:]), at, "the sum {} is not constant", total)
        require(total[0] <= 0, at, "the constant {} is positive", total[0])
    else:
        check_leaf(case, path, record(node, at, "prediction piece rows"), at)


def check_leaf(case: Case, path: Path, leaf: Any, at: str) -> None:
    """Check that the leaf's part of the domain lies in its piece."""
    t, i = place_of(case, leaf, at)
    needed = halfspaces(case.regions[t][i])
    for row, (place, each) in zip(needed, places(leaf["rows"], f"{at}.rows", len(needed))):
        total = combination(case, path, each, place)
        require(total[1:] == row[1:], place, "the sum is {}, not the row {}", total, row)
        require(total[0] <= row[0], place, "the sum {} exceeds the row {}", total, row)


def combination(case: Case, path: Path, value: Any, at: str) -> Vector:
    """Return the sum of a combination."""
    table = record(value, at, "path inequalities equations")
    terms = weighted_rows(case.surrogate.domain, table, at)
    for k, w in multipliers(table["path"], f"{at}.path", len(path), False).items():
        terms += zip((w, -w), path[k])
    return combined(terms, case.surrogate.dim + 1)
