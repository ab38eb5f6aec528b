"""Reason *along*: tangents on a segment that ends in u, where their slopes are affine.

`surrogate.along` has for each label a list of pairs of slopes [g, h]: on a segment in C that ends
in u, at u(c) = (1 − c) u + c u′ for 0 < c ≤ 1, ψ has the tangents with slopes (1 − c) g + c h, and
is convex; that is *given*. Each of `evidence.along` is {"p": [p, q], "weights": [[y, j, v, w], …]}:
pair j of label y has the weights v, w ≥ 0 at the two ends. For every y the v sum to p_y, the w to
q_y, and Σ v g = 0, Σ w h = 0, Σ (v h + w g) = 0.

Proof. p(c) = (1 − c) p + c q is the sum of the weights (1 − c) v + c w, and Σ ((1 − c) v + c w)
((1 − c) g + c h) = 0: so u(c) is optimal at p(c). If s is not worse than t at p and at q, and is
better at one of them, then it is better at p(c) for all 0 < c < 1. So a calibrated pred says t at
no u(c) with c < 1; nor infinitely often as c → 0 if t is not optimal at a point of N(ψ(u)), as the
risk tends to the least one there. So there is nothing that it can say near u.
"""

from typing import Any

from lossmith_verify.arithmetic import combined, less
from lossmith_verify.inputs import Case, distribution
from lossmith_verify.reading import Vector, index, listed, number, places, record, require
from lossmith_verify.weights import Terms


def read_along(case: Case, value: Any) -> list[list[Vector]]:
    """Return the two ends of each way of p, having checked the weights."""
    found, alone = [], not case.regions and not case.sets
    require(alone, "surrogate.along", "it only refutes, whatever the pred, on all distributions")
    for at, each in places(value, "evidence.along", None, 1):
        table, n = record(each, at, "p weights"), len(case.surrogate.along)
        ends = [distribution(p, path, n) for path, p in places(table["p"], f"{at}.p", 2)]
        check_balance(case, ends, table["weights"], f"{at}.weights")
        found.append(ends)
    return found


def check_balance(case: Case, ends: list[Vector], value: Any, path: str) -> None:
    """Check that the weights add up to the ends, and the slopes to 0."""
    along, missing = case.surrogate.along, [[*p] for p in ends]
    sums: list[Terms] = [[], [], []]
    for at, each in places(value, path):
        *place, v, w = listed(each, at, 4)
        y = index(place[0], at, len(along))
        g, h = along[y][index(place[1], at, len(along[y]))]
        v, w = number(v, at), number(w, at)
        require(min(v, w) >= 0, at, "a weight is negative")
        for rest, x in zip(missing, (v, w)):
            rest[y] = less(rest[y], x)
        for terms, more in zip(sums, ([(v, g)], [(w, h)], [(v, h), (w, g)])):
            terms += more
    fine = not any(map(any, missing))
    require(fine, path, "the weights of a label do not sum to its probabilities")
    fine = not any(any(combined(terms, case.surrogate.dim)) for terms in sums)
    require(fine, path, "the slopes do not add up to 0")
