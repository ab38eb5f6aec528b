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

from __future__ import annotations

from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import combined, dot
from lossmith_verify.cone import halfspaces
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Vector, index, places, record, require, vector, vectors
from lossmith_verify.surrogates import contains, point
from lossmith_verify.weights import multipliers

Path = list[tuple[tuple[Vector, ...], int]]  # the functions of each branch above, and the part


def check_cover(case: Case, value: Any) -> None:
    """Check that the regions cover the domain."""
    table, path = record(value, "evidence.cover", "point tree"), "evidence.cover.point"
    center = point(vector(table["point"], path, case.surrogate.dim))
    inside = contains(case.surrogate.domain, center)
    require(inside, path, "{} is not in the domain", center[1:])
    check_node(case, center, [], table["tree"], "evidence.cover.tree")


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
            check_node(case, center, [*path, (by, i)], each, part)
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
    region = case.regions[index(leaf["prediction"], f"{at}.prediction", len(case.regions))]
    needed = halfspaces(region[index(leaf["piece"], f"{at}.piece", len(region))])
    for row, (place, each) in zip(needed, places(leaf["rows"], f"{at}.rows", len(needed))):
        total = combination(case, path, each, place)
        require(total[1:] == row[1:], place, "the sum is {}, not the row {}", total, row)
        require(total[0] <= row[0], place, "the sum {} exceeds the row {}", total, row)


def combination(case: Case, path: Path, value: Any, at: str) -> Vector:
    """Return the sum of a combination."""
    table = record(value, at, "path inequalities equations")
    terms, size = [], sum(len(by) - 1 for by, _ in path)
    for k, w in multipliers(table["path"], f"{at}.path", size, False).items():
        terms.append((w, step(path, k)))
    for kind, rows in case.surrogate.domain._asdict().items():
        given = multipliers(table[kind], f"{at}.{kind}", len(rows), kind == "equations")
        terms += [(w, rows[i]) for i, w in given.items()]
    return combined(terms, case.surrogate.dim + 1)


def step(path: Path, k: int) -> Vector:
    """Return inequality k of the path, f_i − f_j."""
    at = 0
    while k >= len(path[at][0]) - 1:
        k -= len(path[at][0]) - 1
        at += 1
    by, i = path[at]
    j = k + (k >= i)  # all but i
    return combined([(1, by[i]), (-1, by[j])], len(by[i]))
