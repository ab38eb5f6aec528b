"""Surrogates of which a theorem tells an order, signs, the largest score, or what happens far out.

"order", "signs", "largest", "smallest": there is a pred, whose rows are about u and such that the
theorem tells something: for "order" multiples of u_i − u_j; for "signs" of u_i; for "largest" every
piece has inequalities alone, which are multiples of u_i − u_j for one i and every j ≠ i, and for
"smallest" of u_j − u_i. "first 2", "first 3" and so on: of u_i − u_j for every i in a set of so
many and every j outside. The rows are then read as if they were about the estimate x, and the
claims are checked as for other surrogates known by a theorem. In a refutation no row of a region
vanishes at the estimate.

Proof. Calibrated: let the surrogate risk tend to the least one at p, in a piece of t. A row that
holds there holds at the estimate of p, or the risk would stay above the least one; so the estimate
lies in the piece, and t is optimal. Not calibrated: where no row vanishes at the estimate x of p,
each has at nearly optimal u the sign that it has at x ("largest" and so on: the largest score, or
set of them, is that of x, in whose piece x lies alone). So u lies in the pieces that x lies in, and
the pred says the same.

"told", for "calibrated" without a pred only, where `estimates` needs no more.

"far out", for "not calibrated" only: each a_y is 0 or (1, …, 1), and the estimate is 0. So p is
about labels with a_y = 0, and along the u of the theorem its risk tends to Σ_y p_y inf ψ_y, the
least one, for all such p at once. With a pred (not in version 1) its rows are about u, and these u
are the multiples m·u, m ≥ 1, of the `u` of the evidence. At all of them the pred says `prediction`:
some piece has r(u) ≥ 0 and r(u) ≥ r(0) for all its rows r, and each of those of earlier predictions
has one with r(u) < 0 and r(u) ≤ r(0); an equation counts as two.
"""

from itertools import chain
from typing import Any

from lossmith_verify.arithmetic import dot
from lossmith_verify.cone import halfspaces
from lossmith_verify.reading import Rows, Vector, index, require
from lossmith_verify.surrogates import THEOREMS, Surrogate, point

ORDERS = [*THEOREMS]
ORDERS = ORDERS[ORDERS.index("order") : ORDERS.index("told")]


def check_shape(claim: Any, version: int, psi: Surrogate, regions: list[list[Rows]]) -> None:
    """Check that the theorem tells something of this claim and of the rows of the pred."""
    path = "surrogate.theorem"
    if psi.theorem == "far out":
        fine = claim == "not calibrated" and (version > 1 or not regions)
        require(fine, path, "it only refutes, and with a pred not in version 1")
        ends = [(1, *[end] * psi.dim) for end in (0, 1)]
        fine = all(each in ends for each in psi.estimates)
        require(fine, "surrogate.estimates", "expected 0 or (1, …, 1) for each label")
    if psi.theorem == "told":
        fine = claim == "calibrated" and not regions
        require(fine, path, "it only proves that some pred is right")
    if psi.theorem in ORDERS:
        require(regions, path, "it says nothing without a pred")
        for piece in chain(*regions):
            fine = is_told(psi.theorem, psi.dim, piece)
            require(fine, "pred.regions", "rows compare what the theorem does not tell")


def prediction_beyond(regions: list[list[Rows]], u: Vector, value: Any) -> int:
    """Return what the pred says at all m·u, m ≥ 1, which the file tells."""
    path = "evidence.prediction"
    t = index(value, path, len(regions))
    ends = [[halfspaces(piece) for piece in region] for region in regions[: t + 1]]
    x, rise = point(u), Vector((0, *u))
    for piece in chain(*ends[:t]):
        out = any(dot(row, x) < 0 >= dot(row, rise) for row in piece)
        require(out, path, f"before {t} another one may be said at multiples of {{}}", u)
    stays = (all(min(dot(row, x), dot(row, rise)) >= 0 for row in piece) for piece in ends[t])
    require(any(stays), path, f"{t} is not said at all multiples of {{}}", u)
    return t


def is_told(theorem: str, dim: int, piece: Rows) -> bool:
    """Tell whether the theorem says something of every row of the piece."""
    both = [*chain(*piece)]
    used = [[i for i, x in enumerate(row) if x] for row in both]
    if theorem == "signs":
        return all(len(each) == 1 and each[0] for each in used)
    fine = all(len(each) == 2 and each[0] and not sum(row) for each, row in zip(used, both))
    if theorem == "order":
        return fine
    k = int({"largest": 1, "smallest": dim - 1}.get(theorem, theorem[6:]))
    pairs = {(row.index(max(row)), row.index(min(row))) for row in both}
    first, last = (len({*each}) for each in zip(*pairs or [(0, 0)]))
    whole = (first, last, len(pairs)) == (k, dim - k, k * (dim - k))
    return fine and whole and not piece.equations


def check_place(theorem: str, regions: list[list[Rows]], u: Vector) -> None:
    """Check that what is near the estimate is compared as the estimate is."""
    path = "evidence.u"
    require(theorem != "far out" or regions or not any(u), path, "{} is not 0", u)
    if theorem in ORDERS:
        for piece in chain(*regions):
            strict = all(dot(row, point(u)) for row in chain(*piece))
            require(strict, path, "a row of a region vanishes at {}", u)
