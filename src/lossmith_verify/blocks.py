"""Reason *blocks*: neither the surrogate nor the loss tells the labels of a block apart.

`blocks` divide the labels. Each lists its `labels`, and for every two neighbours among them a
linear map A of u in `maps`: (Au)_i is the sum of all w·u_j that are listed as [i, j, w], and u_i if
none is listed for i. With s the exchange of these two labels, three things are checked. A column
of the loss remains a column if these two entries are exchanged. The maxima of label s(y), at Au,
are, as functions of u, those of label y, in any order, for every y. The rows of the domain, at Au,
are those of the domain. So A maps C into C, ψ_s(y)(Au) = ψ_y(u), and neither H_ψ nor H_L, the
least risks, change if p is permuted within blocks. There is no `within`.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import dot, hold, integral, longest, price, spend
from lossmith_verify.inputs import Case, Loss
from lossmith_verify.reading import Vector, index, listed, number, places, record, require
from lossmith_verify.surrogates import Surrogate

Blocks = list[list[int]]
Moves = list[tuple[int, int, Fraction]]
Exchange = tuple[int, int, list[int], Moves, str]  # x, y, all labels exchanged, the map, its place
Parts = list[Counter[frozenset[Vector]]]  # the maxima of each label, then the domain


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
            exchanges.append((x, y, order[:n], moves, path))
        blocks.append(block)
    divided = sorted(y for block in blocks for y in block) == [*range(n)]
    require(divided, "evidence.blocks", "they do not divide the labels")
    return blocks, exchanges


def in_integers(psi: Surrogate) -> tuple[Parts, int]:
    """Return the pieces and rows, up to a common factor, and the steps it takes to read them."""
    sets = [*psi.terms, [psi.domain.inequalities], [psi.domain.equations]]
    entries = integral([x for maxima in sets for rows in maxima for row in rows for x in row])
    length, width = longest(entries), psi.dim + 1
    hold(3 * len(entries), length)
    cost = len(entries) * (5 + price(length))
    spend(cost)
    rows = (Vector(entries[at : at + width]) for at in range(0, len(entries), width))
    parts = [Counter(frozenset(next(rows) for _ in each) for each in maxima) for maxima in sets]
    return parts, cost


def check_columns(loss: Loss, order: list[int], path: str) -> None:
    """Check that exchanging two labels makes columns of columns."""
    spend(9 * len(order) * len(loss.columns) * price(loss.bits))
    changed = {Vector(column[label] for label in order) for column in loss.columns}
    require(changed == {*loss.columns}, path, "the loss changes if the labels are exchanged")


def check_map(parts: Parts, order: list[int], moves: Moves, path: str) -> None:
    """Check that at Au the surrogate is what it is at u, with two labels exchanged."""
    for part, other in zip(parts, order):
        before = parts[other].elements()
        after = Counter(frozenset(composed(row, moves) for row in rows) for rows in before)
        require(after == part, path, "the surrogate changes if the labels are exchanged")


def composed(row: Vector, moves: Moves) -> Vector:
    """Return the row that is at u what this one is at Au."""
    spend(20 + 5 * len(moves))
    found = [*row]
    for i, _, _ in moves:
        found[i + 1] = 0
    for i, j, w in moves:
        if row[i + 1]:
            found[j + 1] = dot((found[j + 1], row[i + 1]), (1, w))
    return Vector(found)
