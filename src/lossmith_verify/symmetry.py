"""Claim "calibrated" of a polyhedral surrogate, where labels are interchangeable.

There are `blocks`, see there. Let K consist of the p ∈ Δ that fall weakly within each block, in
the order of its labels, and z_j = ψ(u_j) for the cells. The checker enumerates the vertices of
{(p, v) : p ∈ K, v ≤ p·z_j for all j}; `vertices` are exactly these, with weights that prove v. With
a `pred` see `symmetric_pred`. Without one, z_j rises weakly within each block. Take the column of
the `prediction` t_j of a cell, and let its entries fall within each *level*, the labels of one
block with equal z_j. This column must be optimal wherever z_j is tight.

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

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from lossmith_verify.arithmetic import bits, combined, dot, hold, price, spend
from lossmith_verify.blocks import Blocks, read_blocks
from lossmith_verify.calibrated import check_predictions, covered
from lossmith_verify.cone import Vertex, vertices
from lossmith_verify.inputs import Case, Loss
from lossmith_verify.reading import Vector, record, require
from lossmith_verify.symmetric_pred import check_regions


def calibrated_by_symmetry(case: Case, evidence: Any) -> str:
    """Check the claim, and say what it rests on."""
    more = " apart scores cover" * bool(case.regions)
    table = record(evidence, "evidence", f"blocks cells vertices{more}")
    blocks, exchanges = read_blocks(case, table["blocks"])
    values, predictions, found = covered(case, table, partial(in_chamber, blocks))
    if case.regions:
        check_regions(case, table, exchanges, found)
    else:
        worst = [costliest(case.loss, *cell, blocks) for cell in zip(predictions, values)]
        check_predictions(case, worst, found)
    return f"{len(values)} of the cells, {len(found)} vertices; by symmetry the others"


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
    return loss.columns.index(Vector(column))


def in_chamber(blocks: Blocks, values: list[Vector], limit: int) -> Iterator[Vertex]:
    """Enumerate the vertices over K, by its corners."""
    corners, n = [], len(values[0])
    spend(5 * n * n)
    hold(3 * n * n)
    for block in blocks:
        for size in range(1, len(block) + 1):
            first, share = {*block[:size]}, Fraction(1, size)
            corners.append(Vector(share if y in first else Fraction(0) for y in range(n)))
    inside = [Vector(dot(corner, z) for corner in corners) for z in values]
    for c, v, tight in vertices(inside, [], limit):
        yield Vertex(combined([*zip(c, corners)], n), v, tight)
