"""Claim "calibrated" with a given pred, where labels are interchangeable.

`blocks`, `cells` and `vertices` are as for `symmetry`, but cells have no `prediction`, and ψ(u_j)
need not rise. Besides, for the map A of every two neighbours and their exchange s: the pieces of
predictions with the column sℓ, at Au, are, as functions of u, those of predictions with the
column ℓ, for every ℓ. A piece is the set of its inequalities with the set of its equations. So A
permutes the pieces: u ∈ P if and only if Au ∈ P′, for the P that belongs to P′.

`apart` is as for `given_pred`, for the vertices over K, and enough for one piece of each *kind*: if
p_x = p_y for the two labels of an exchange, what is proved of P′ at p is proved of P.

`scores` has an affine function f_y of u for every label y. That of label s(y), at Au, is that of
label y. The regions *cover* the u ∈ C with f_x(u) ≥ f_y(u) for all neighbours x, y of a block, in
the order of its labels: the rows f_x − f_y, for f_x ≠ f_y, follow the inequalities of the domain.

Proof. Kinds: if u ∈ P then Au ∈ P′, and p·ψ(Au) = p·ψ(u), as p is the same with x and y exchanged.
Cover: to apply A exchanges two neighbours among the values f_y(u) of a block. Sorting takes any u ∈
C to a point of C where they fall, in some piece; back from Au ∈ P′ to u ∈ P, u is in a piece, too.
Calibrated: otherwise, as for `given_pred`, a piece of some t that is not optimal at p attains
H_ψ(p) at some u′. The maps take u′ to a point of the same risk at the sorted p, which lies in K, in
a piece of a prediction with the column that is permuted likewise, and not optimal there, since the
columns are permuted. Now argue as for `given_pred`, with the graph of H_ψ over K.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from lossmith_verify.arithmetic import bits, combined, hold, price, spend
from lossmith_verify.calibrated import MAX_VERTICES, check_vertices, read_cells, read_vertices
from lossmith_verify.cover import check_cover
from lossmith_verify.given_pred import Apart, check_apart, read_apart
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Rows, Vector, listed, record, require, vectors
from lossmith_verify.symmetry import (
    Blocks,
    Exchange,
    calibrated_without_pred,
    composed,
    in_chamber,
    read_blocks,
)

Place = tuple[int, int]  # of a piece: the prediction, and its number
Move = dict[Place, Place]
Piece = tuple[tuple[int, ...], frozenset[int], frozenset[int]]  # the column, and numbers of rows
Numbers = dict[Vector, int]  # of rows


def calibrated_by_symmetry(case: Case, evidence: Any) -> str:
    """Check the claim, with a pred or without, and say what it rests on."""
    if not case.regions:
        return calibrated_without_pred(case, evidence)
    table = record(evidence, "evidence", "blocks cells vertices apart scores cover")
    blocks, exchanges = read_blocks(case, table["blocks"])
    values, _ = read_cells(case, table["cells"])
    proved = read_vertices(case, table["vertices"])
    found = check_vertices(in_chamber(values, blocks, MAX_VERTICES + 50 * len(proved)), proved)
    apart, (numbers, pieces) = read_apart(case, table["apart"]), numbered(case)
    moves = [permuted(numbers, pieces, exchange) for exchange in exchanges]
    spread(apart, exchanges, moves)
    check_apart(case, apart, found)
    falling = where_scores_fall(case, blocks, exchanges, table["scores"])
    check_cover(falling, table["cover"])
    return f"{len(values)} of the cells, {len(found)} vertices; by symmetry the others"


def numbered(case: Case) -> tuple[Numbers, dict[Piece, Place]]:
    """Number the rows of all pieces, and return where each piece is."""
    numbers: Numbers = {}
    pieces: dict[Piece, Place] = {}
    for t, region in enumerate(case.regions):
        for i, piece in enumerate(region):
            for row in piece.inequalities + piece.equations:
                spend(len(row) * (5 + price(max(map(bits, row)))))
                numbers.setdefault(row, len(numbers))
            hold(2 * sum(map(len, piece)))
            inside, on = (frozenset(numbers[row] for row in rows) for rows in piece)
            pieces[case.loss.columns[t], inside, on] = t, i
    return numbers, pieces


def permuted(numbers: Numbers, pieces: dict[Piece, Place], exchange: Exchange) -> Move:
    """Return the P that belongs to every P′, if a map permutes the pieces."""
    spend(sum(10 * len(row) for row in numbers))
    hold(4 * len(pieces))
    image = [numbers.get(composed(row, exchange.moves), -1) for row in numbers]
    found: dict[Piece, Place] = {}
    for (column, *kinds), place in pieces.items():
        spend(5 * (len(column) + sum(map(len, kinds))))
        inside, on = (frozenset(image[row] for row in rows) for rows in kinds)
        found[tuple(column[y] for y in exchange.labels), inside, on] = place
    same, reason = found.keys() == pieces.keys(), "the pred changes if the labels are exchanged"
    require(same, exchange.path, reason)
    return {place: pieces[piece] for piece, place in found.items()}


def spread(apart: Apart, exchanges: list[Exchange], moves: list[Move]) -> None:
    """Add what is proved of the other pieces of each kind."""
    for p, proved in apart.items():
        spend(len(moves))
        same = [move for each, move in zip(exchanges, moves) if p[each.x] == p[each.y]]
        new = [*proved]
        for place in new:  # and those that are added
            spend(2 * len(same))
            for other in (move.get(place, place) for move in same):
                if other not in proved:
                    proved[other] = proved[place]
                    new.append(other)
        hold(4 * len(new))


def where_scores_fall(case: Case, blocks: Blocks, exchanges: list[Exchange], value: Any) -> Case:
    """Return the case on the part of the domain where the scores fall within blocks."""
    psi, path = case.surrogate, "evidence.scores"
    given = listed(value, path, len(case.loss.entries))
    scores = vectors(given, path, psi.dim + 1)
    for each in exchanges:
        spend(10 * len(given) * (psi.dim + 1))
        moved = tuple(composed(scores[y], each.moves) for y in each.labels)
        require(moved == scores, each.path, "the scores are not exchanged as the labels are")
    pairs = [(scores[x], scores[y]) for block in blocks for x, y in pairwise(block)]
    steps = [combined([(1, f), (-1, g)], psi.dim + 1) for f, g in pairs if f != g]
    inside, on = psi.domain
    return case._replace(surrogate=psi._replace(domain=Rows((*inside, *steps), on)))
