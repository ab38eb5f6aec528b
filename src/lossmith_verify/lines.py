"""Claim "ccdim at least" about a matrix, since no line through p stays in a cell.

`{"point": p, "prediction": t, "multipliers": [[x], …]}`: p is a distribution; with S its support, t
is better at p than every prediction with another column on S. For each two labels i < j of S, in
lexicographic order, there are numbers x_s for the predictions s. With v = Σ_s x_s (ℓ_s − ℓ_t),
p_j v_j + Σ p_y min(v_y, 0), over the y in S other than i and j, is greater than
Σ_s max(x_s, 0) p·(ℓ_s − ℓ_t). Then CCdim ≥ |S| − 1.

Proof. Labels outside S may be left out. A calibrated surrogate on R^d makes some section of Δ, of
dimension n − 1 − d and with p in it, lie in Q_t (`ge_labels_of_no_line`). If d ≤ n − 2, a line
through p stays in Q_t until it leaves Δ, at q and q′, where q_i = 0 and q′_j = 0, i < j without
loss. p = a + b with a, b ≥ 0 multiples of q and q′: a_i = 0, a_j = p_j, 0 ≤ a ≤ p, and
0 ≤ a·(ℓ_s − ℓ_t) ≤ p·(ℓ_s − ℓ_t). So a·v is at most the last sum, but at least the first. ∎
"""

from itertools import combinations
from math import comb
from typing import Any

from lossmith_verify.arithmetic import combined, dot, hold
from lossmith_verify.inputs import Loss, distribution
from lossmith_verify.reading import Vector, index, places, record, require, vector


def by_lines(loss: Loss, evidence: Any) -> int:
    """Return the bound that is proved."""
    table, k = record(evidence, "evidence", "point prediction multipliers"), len(loss.columns)
    point = distribution(table["point"], "evidence.point", len(loss.entries))
    t = index(table["prediction"], "evidence.prediction", k)
    support = [y for y, x in enumerate(point) if x]
    p = Vector(point[y] for y in support)
    hold(3 * k * len(p), loss.bits)
    steps = [Vector(loss.entries[y][s] - loss.entries[y][t] for y in support) for s in range(k)]
    margins = [dot(p, step) for step in steps]
    for step, margin in zip(steps, margins):
        require(margin > 0 or not any(step), "evidence.point", f"{t} is not the only optimal one")
    count, pairs = comb(len(p), 2), combinations(range(len(p)), 2)
    given = places(table["multipliers"], "evidence.multipliers", count)
    for (i, j), (at, each) in zip(pairs, given):
        x = vector(each, at, k)
        v = combined([*zip(x, steps)], len(p))
        ends = [a if y == j else min(a, 0) * (y != i) for y, a in enumerate(v)]
        least, most = dot(p, ends), dot(margins, [max(a, 0) for a in x])
        require(least > most, at, "a line is not excluded")
    return len(p) - 1
