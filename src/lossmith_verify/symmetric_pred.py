"""Claim "calibrated" with a given pred, where labels are interchangeable.

`blocks`, `cells` and `vertices` are as for `symmetry`, but cells have no `prediction`, and ψ(u_j)
need not rise. Besides, for the map A of every two neighbours and their exchange s: the pieces of
predictions with the column sℓ, at Au, are, as functions of u, those of predictions with the
column ℓ, for every ℓ. A piece is the set of its inequalities; an equation counts as two. So A
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

from typing import Any

from lossmith_verify.arithmetic import combined, hold, spend
from lossmith_verify.blocks import Exchange, composed
from lossmith_verify.cone import Vertex, halfspaces
from lossmith_verify.cover import check_cover
from lossmith_verify.given_pred import Apart, check_apart, read_apart
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Rows, Vector, listed, require, vectors

Pieces = dict[tuple[Vector, Vector], tuple[int, int]]  # by column and numbers of rows: t, i


def check_regions(case: Case, table: Any, exchanges: list[Exchange], found: list[Vertex]) -> None:
    """Check that the regions are exchanged, stay apart and cover."""
    apart = read_apart(case, table["apart"])
    numbers: dict[Vector, int] = {}
    pieces: Pieces = {}
    for t, region in enumerate(case.regions):
        for i, piece in enumerate(region):
            given = halfspaces(piece)
            spend(10 * sum(map(len, given)))
            hold(2 * len(given))
            rows = Vector(sorted({numbers.setdefault(row, len(numbers)) for row in given}))
            pieces[case.loss.columns[t], rows] = t, i
    spread(apart, [(each, permuted(numbers, pieces, each)) for each in exchanges])
    check_apart(case, apart, found)
    check_cover(where_scores_fall(case, exchanges, table["scores"]), table["cover"])


def permuted(numbers: dict[Vector, int], pieces: Pieces, exchange: Exchange) -> Any:
    """Return the place of the P that belongs to every P′, if a map permutes the pieces."""
    _, _, labels, moves, path = exchange
    spend(sum(10 * len(row) for row in numbers))
    hold(4 * len(pieces))
    image, found = [numbers.get(composed(row, moves), -1) for row in numbers], {}
    for (column, rows), place in pieces.items():
        spend(5 * (len(column) + len(rows)))
        moved = Vector(column[y] for y in labels), Vector(sorted({image[row] for row in rows}))
        found[moved] = place
    same = found.keys() == pieces.keys()
    require(same, path, "the pred changes if the labels are exchanged")
    return {place: pieces[piece] for piece, place in found.items()}


def spread(apart: Apart, permutations: list[tuple[Exchange, Any]]) -> None:
    """Add what is proved of the other pieces of each kind."""
    for p, proved in apart.items():
        same = [move for (x, y, *_), move in permutations if p[x] == p[y]]
        new = [*proved]
        for place in new:  # and those that are added
            spend(3 * len(permutations))
            for other in (move.get(place, place) for move in same):
                if other not in proved:
                    proved[other] = proved[place]
                    new.append(other)
        hold(4 * len(new))


def where_scores_fall(case: Case, exchanges: list[Exchange], value: Any) -> Case:
    """Return the case on the part of the domain where the scores fall within blocks."""
    psi, path, width = case.surrogate, "evidence.scores", case.surrogate.dim + 1
    scores = vectors(listed(value, path, len(case.loss.entries)), path, width)
    for _, _, labels, moves, at in exchanges:
        spend(10 * len(scores) * width)
        moved = tuple(composed(scores[y], moves) for y in labels)
        require(moved == scores, at, "the scores are not exchanged as the labels are")
    steps = (combined([(1, scores[x]), (-1, scores[y])], width) for x, y, *_ in exchanges)
    inside, on = psi.domain
    return case._replace(surrogate=psi._replace(domain=Rows((*inside, *filter(any, steps)), on)))
