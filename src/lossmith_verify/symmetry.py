"""Claim "calibrated" of a polyhedral surrogate, where labels are interchangeable.

`blocks` divide the labels. Each lists its `labels`, and for every two neighbours among them a
linear map A of u in `maps`: (Au)_i is the sum of all w·u_j that are listed as [i, j, w], and u_i if
none is listed for i. With s the exchange of these two labels, three things are checked. A column
of the loss remains a column if these two entries are exchanged. The maxima of label s(y), at Au,
are, as functions of u, those of label y, in any order, for every y. The rows of the domain, at Au,
are those of the domain. So A maps C into C, ψ_s(y)(Au) = ψ_y(u), and neither H_ψ nor H_L, the
least risks, change if p is permuted within blocks. There is no `within`; with a `pred` see
`symmetric_pred`.

For every cell, z_j = ψ(u_j) rises weakly within each block, in the order of its labels. Let K
consist of the p ∈ Δ that fall weakly within each block. The checker enumerates the vertices of
{(p, v) : p ∈ K, v ≤ p·z_j for all j}; `vertices` are exactly these, with weights that prove v. Take
the column of the `prediction` t_j of a cell, and let its entries fall within each *level*, the
labels of one block with equal z_j. This column must be optimal wherever z_j is tight.

Proof. As for `calibrated`, min_j p·z_j = H_ψ(p) on K, and N(z_j) ∩ K is the hull of the vertices at
which z_j is tight. Let p ∈ N(z_j), and q ∈ K be p, sorted. By the rearrangement inequality q·z_j ≤
p·z_j = H_ψ(p) = H_ψ(q) ≤ q·z_j. So q ∈ N(z_j), and p = gq with a permutation g within levels. The
risk of t_j at p is that of some image of its column under such permutations at q, a mixture of the
vertices; at each of them no image costs more than the one that falls, which is H_L there. As H_L
is concave, the risk is at most H_L(q) = H_L(p). So N(z_j) lies in the trigger set of t_j. All p
are images of some in K: the images of the N(z_j), of the u_j (by the maps) and of the t_j show
that ψ is calibrated (`thm:condition-sufficient`).

K is a simplex; its corners are uniform on the first labels of a block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import bits, combined, dot, hold, integral, price, spend
from lossmith_verify.calibrated import (
    MAX_VERTICES,
    check_predictions,
    check_vertices,
    read_cells,
    read_vertices,
)
from lossmith_verify.cone import Vertex, vertices
from lossmith_verify.inputs import Case, Loss
from lossmith_verify.reading import Vector, index, listed, number, places, record, require
from lossmith_verify.surrogates import Surrogate

Blocks = list[list[int]]
Moves = list[tuple[int, int, Fraction]]
Parts = list[Counter[frozenset[tuple[Any, ...]]]]  # the maxima of each label, then the domain


class Exchange(NamedTuple):
    """Of labels x and y, by a map of u; `labels` are all labels, with these two exchanged."""

    x: int
    y: int
    labels: list[int]
    moves: Moves
    path: str


def calibrated_without_pred(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    table = record(evidence, "evidence", "blocks cells vertices")
    blocks, _ = read_blocks(case, table["blocks"])
    values, predictions = read_cells(case, table["cells"])
    worst = [costliest(case.loss, *cell, blocks) for cell in zip(predictions, values)]
    proved = read_vertices(case, table["vertices"])
    limit = MAX_VERTICES + 50 * len(proved)
    found = check_vertices(in_chamber(values, blocks, limit), proved)
    check_predictions(case, worst, found)
    return f"{len(values)} of the cells, {len(found)} vertices; by symmetry the others"


def read_blocks(case: Case, value: Any) -> tuple[Blocks, list[Exchange]]:
    """Return the blocks, having checked that their labels are interchangeable, and how."""
    plain = case.version > 1 and not case.sets
    require(plain, "evidence.blocks", "not for version 1 or given distributions")
    n, d, blocks, exchanges = len(case.loss.entries), case.surrogate.dim, [], []
    parts, cost = in_integers(case.surrogate)
    for at, each in places(value, "evidence.blocks"):
        table = record(each, at, "labels maps")
        block = [index(y, at, n) for y in listed(table["labels"], at, None, 1)]
        maps = places(table["maps"], f"{at}.maps", len(block) - 1)
        for (x, y), (path, given) in zip(pairwise(block), maps):
            triples = [listed(move, path, 3) for move in listed(given, path)]
            moves = [(index(i, path, d), index(j, path, d), number(w, path)) for i, j, w in triples]
            spend(cost + n)
            order = [*range(n + 2)]
            order[x], order[y] = y, x
            check_columns(case.loss, order[:n], path)
            check_map(parts, order, moves, path)
            exchanges.append(Exchange(x, y, order[:n], moves, path))
        blocks.append(block)
    divided = sorted(y for block in blocks for y in block) == [*range(n)]
    require(divided, "evidence.blocks", "they do not divide the labels")
    return blocks, exchanges


def in_integers(psi: Surrogate) -> tuple[Parts, int]:
    """Return the pieces and rows, up to a common factor, and the steps it takes to read them."""
    sets = [*psi.terms, [psi.domain.inequalities], [psi.domain.equations]]
    entries = integral([x for maxima in sets for rows in maxima for row in rows for x in row])
    longest, width = max(map(int.bit_length, entries)), psi.dim + 1
    hold(3 * len(entries), longest)
    cost = len(entries) * (5 + price(longest))
    spend(cost)
    rows = (entries[at : at + width] for at in range(0, len(entries), width))
    parts = [Counter(frozenset(next(rows) for _ in each) for each in maxima) for maxima in sets]
    return parts, cost


def check_columns(loss: Loss, order: list[int], path: str) -> None:
    """Check that exchanging two labels makes columns of columns."""
    spend(2 * len(order) * len(loss.columns) * price(loss.bits))
    changed = {tuple(column[label] for label in order) for column in loss.columns}
    require(changed == {*loss.columns}, path, "the loss changes if the labels are exchanged")


def check_map(parts: Parts, order: list[int], moves: Moves, path: str) -> None:
    """Check that at Au the surrogate is what it is at u, with two labels exchanged."""
    for part, other in zip(parts, order):
        before = parts[other].elements()
        after = Counter(frozenset(composed(row, moves) for row in rows) for rows in before)
        require(after == part, path, "the surrogate changes if the labels are exchanged")


def composed(row: tuple[Any, ...], moves: Moves) -> tuple[Any, ...]:
    """Return the row that is at u what this one is at Au."""
    spend(20 + 5 * len(moves))
    found = [*row]
    for i, _, _ in moves:
        found[i + 1] = 0
    for i, j, w in moves:
        if row[i + 1]:
            found[j + 1] = dot((found[j + 1], row[i + 1]), (1, w))
    return tuple(found)


def costliest(loss: Loss, t: int, z: Vector, blocks: Blocks) -> int:
    """Return the image of t that costs most, of those under permutations that do not change z."""
    column = [*loss.columns[t]]
    spend(len(z) * (60 * price(max(map(bits, z)) + loss.bits) + len(loss.columns)))
    for block in blocks:
        rising = all(z[x] <= z[y] for x, y in pairwise(block))
        require(rising, "evidence.cells", "ψ(u) = {} falls within a block", z)
        for _, level in groupby(block, z.__getitem__):
            labels = [*level]
            for y, cost in zip(labels, sorted([column[y] for y in labels], reverse=True)):
                column[y] = cost
    return loss.columns.index(tuple(column))


def in_chamber(values: list[Vector], blocks: Blocks, limit: int) -> Iterator[Vertex]:
    """Enumerate the vertices over K, by its corners."""
    corners, n = [], len(values[0])
    spend(5 * n * n)
    hold(3 * n * n)
    for block in blocks:
        for size in range(1, len(block) + 1):
            first, share = {*block[:size]}, Fraction(1, size)
            corners.append(tuple(share if y in first else Fraction(0) for y in range(n)))
    inside = [tuple(dot(corner, z) for corner in corners) for z in values]
    for c, v, tight in vertices(inside, [], limit):
        yield Vertex(combined([*zip(c, corners)], n), v, tight)
