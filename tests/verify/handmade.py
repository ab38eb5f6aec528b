"""Certificates written by hand, or by a formula derived by hand, as Python objects.

Each takes its weights from a short argument on paper, given in its docstring; nothing here comes from lossmith.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from typing import Any

Certificate = dict[str, Any]


def text(certificate: object) -> str:
    return json.dumps(certificate)


def numbers(values: Any) -> list[str]:
    return [str(Fraction(value)) for value in values]


def weights(p: Any, pieces: Any, inequalities: Any = (), equations: Any = ()) -> Certificate:
    """The weights object, from numbers; pieces of weight zero are left out."""
    return {
        "p": numbers(p),
        "pieces": [[*index, str(Fraction(w))] for *index, w in pieces if w],
        "inequalities": [[i, str(Fraction(w))] for i, w in inequalities if w],
        "equations": [[i, str(Fraction(w))] for i, w in equations if w],
    }


def certificate(claim: str, loss: Any, surrogate: Certificate, evidence: Certificate) -> Certificate:
    return {
        "format": "lossmith-certificate",
        "version": 1,
        "claim": claim,
        "loss": loss,
        "surrogate": surrogate,
        "evidence": evidence,
    }


def unit(n: int, *places: int) -> list[Fraction]:
    """The uniform distribution on some labels."""
    return [Fraction(int(y in places), len(places)) for y in range(n)]


def zero_one(n: int) -> Certificate:
    return {"entries": [[str(int(y != t)) for t in range(n)] for y in range(n)], "name": f"zero_one(n={n})"}


def abstain(n: int) -> Certificate:
    entries = [[*(str(int(y != t)) for t in range(n)), "1/2"] for y in range(n)]
    names = [*range(n), "abstain"]
    return {"entries": entries, "name": f"abstain(n={n})", "labels": list(range(n)), "predictions": names}


def crammer_singer(n: int) -> Certificate:
    """ψ_y(u) = max(0, 1 + u_j − u_y for j ≠ y): piece j of label y belongs to j, and piece y is 0."""
    terms = []
    for y in range(n):
        pieces = [[0] * (n + 1) for _ in range(n)]
        for j in range(n):
            if j != y:
                pieces[j][0], pieces[j][1 + j], pieces[j][1 + y] = 1, 1, -1
        terms.append([[numbers(piece) for piece in pieces]])
    return {"dim": n, "terms": terms, "inequalities": [], "equations": [], "name": f"crammer_singer(n={n})"}


def lee_lin_wahba(n: int) -> Certificate:
    """ψ_y(u) = Σ_{j ≠ y} max(0, 1 + u_j) on Σ u_j = 0: one maximum for each j ≠ y, in order of j."""
    positive = [numbers([1, *(int(i == j) for i in range(n))]) for j in range(n)]
    terms = [[[["0"] * (n + 1), positive[j]] for j in range(n) if j != y] for y in range(n)]
    equations = [["0", *["1"] * n]]
    return {"dim": n, "terms": terms, "inequalities": [], "equations": equations, "name": f"lee_lin_wahba(n={n})"}


def crammer_singer_not_for_zero_one() -> Certificate:
    """n = 3, u = 0: if p_y = p_j = 1/2, then (1 + u_j − u_y)/2 and (1 + u_y − u_j)/2 add up to β = 1 = p·ψ(0)."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    half = Fraction(1, 2)
    points = [weights(unit(3, y, j), [(y, 0, j, half), (j, 0, y, half)]) for y, j in pairs]
    evidence = {"u": ["0", "0", "0"], "points": points, "better": [[0, 2, 1], [1, 1, 0], [2, 0, 0]]}
    return certificate("not calibrated", zero_one(3), crammer_singer(3), evidence)


def crammer_singer_for_abstain(n: int) -> Certificate:
    """ψ(0) is 1 everywhere, ψ(e_t) is 0 at t and 2 elsewhere: min(1, 2 − 2p_t) has its vertices at e_t, (e_s + e_t)/2.

    At e_t the piece 0 proves β = 0. At (e_s + e_t)/2 the weights are those of the proof above.
    """
    half = Fraction(1, 2)
    cells = [{"u": ["0"] * n, "prediction": n}]
    cells += [{"u": numbers(unit(n, t)), "prediction": t} for t in range(n)]
    vertices = [weights(unit(n, t), [(t, 0, t, 1)]) for t in range(n)]
    vertices += [weights(unit(n, s, t), [(s, 0, t, half), (t, 0, s, half)]) for s, t in combinations(range(n), 2)]
    return certificate("calibrated", abstain(n), crammer_singer(n), {"cells": cells, "vertices": vertices})


def hinge_for_zero_one() -> Certificate:
    """ψ_0 = max(0, 1 − u), ψ_1 = max(0, 1 + u): ψ(1) = (0, 2), ψ(−1) = (2, 0); at (1/2, 1/2) is β = 1/2 + 1/2."""
    half = Fraction(1, 2)
    surrogate = {
        "dim": 1,
        "terms": [[[["0", "0"], ["1", "-1"]]], [[["0", "0"], ["1", "1"]]]],
        "inequalities": [],
        "equations": [],
        "name": "hinge",
    }
    evidence = {
        "cells": [{"u": ["1"], "prediction": 0}, {"u": ["-1"], "prediction": 1}],
        "vertices": [
            weights([1, 0], [(0, 0, 0, 1)]),
            weights([0, 1], [(1, 0, 0, 1)]),
            weights([half, half], [(0, 0, 1, half), (1, 0, 1, half)]),
        ],
    }
    return certificate("calibrated", zero_one(2), surrogate, evidence)


def lee_lin_wahba_for_zero_one(n: int) -> Certificate:
    """u_t = n − 1 and −1 elsewhere gives n(1 − p_t); the vertices of min_t n(1 − p_t) are uniform on a set of labels.

    With λ = 1 − max p, the piece 1 + u_j of label y gets the weight p_y·λ/(1 − p_j), which is at most p_y, and the
    piece 0 the rest. The coefficient of u_j is λ for every j: λ times the row Σ u_j. And β = nλ.
    """
    cells = [{"u": numbers(n - 1 if j == t else -1 for j in range(n)), "prediction": t} for t in range(n)]
    vertices = []
    for size in range(1, n + 1):
        for places in combinations(range(n), size):
            p = unit(n, *places)
            rest = 1 - max(p)
            pieces = []
            for y in range(n):
                for g, j in enumerate(j for j in range(n) if j != y):
                    w = p[y] * rest / (1 - p[j]) if p[j] < 1 else Fraction(0)
                    pieces += [(y, g, 0, p[y] - w), (y, g, 1, w)]
            vertices.append(weights(p, pieces, equations=[(0, rest)]))
    return certificate("calibrated", zero_one(n), lee_lin_wahba(n), {"cells": cells, "vertices": vertices})


def linear_on_an_interval() -> Certificate:
    """ψ = (1 − u, 1 + u) on 0 ≤ 1 + u, 0 ≤ 1 − u."""
    return {
        "dim": 1,
        "terms": [[[["1", "-1"]]], [[["1", "1"]]]],
        "inequalities": [["1", "1"], ["1", "-1"]],
        "equations": [],
    }


def interval_for_zero_one() -> Certificate:
    """At (1, 0): 1 − u is once the row 1 − u, plus β = 0. At (1/2, 1/2): β = 1/2 + 1/2."""
    half = Fraction(1, 2)
    evidence = {
        "cells": [{"u": ["1"], "prediction": 0}, {"u": ["-1"], "prediction": 1}],
        "vertices": [
            weights([1, 0], [(0, 0, 0, 1)], inequalities=[(1, 1)]),
            weights([0, 1], [(1, 0, 0, 1)], inequalities=[(0, 1)]),
            weights([half, half], [(0, 0, 0, half), (1, 0, 0, half)]),
        ],
    }
    loss = {"entries": [["0", "1"], ["1", "0"]], "labels": ["no", "yes"]}
    return certificate("calibrated", loss, linear_on_an_interval(), evidence)


def interval_not_for_reject() -> Certificate:
    """u = 1 is optimal at (1, 0) and at (1/2, 1/2): at the one 0 is best, at the other to reject at a cost of 1/4."""
    half = Fraction(1, 2)
    evidence = {
        "u": ["1"],
        "points": [
            weights([1, 0], [(0, 0, 0, 1)], inequalities=[(1, 1)]),
            weights([half, half], [(0, 0, 0, half), (1, 0, 0, half)]),
        ],
        "better": [[0, 1, 2], [1, 0, 0], [2, 0, 0]],
    }
    loss = {"entries": [["0", "1", "1/4"], ["1", "0", "1/4"]]}
    return certificate("not calibrated", loss, linear_on_an_interval(), evidence)


def signed_multiplier() -> Certificate:
    """ψ = (u, −u) on u = 0: the equation has the multiplier p_0 − p_1, which may be negative. One cell for all p."""
    surrogate = {
        "dim": 1,
        "terms": [[[["0", "1"]]], [[["0", "-1"]]]],
        "inequalities": [],
        "equations": [["0", "1"]],
    }
    evidence = {
        "cells": [{"u": ["0"], "prediction": 0}],
        "vertices": [
            weights([1, 0], [(0, 0, 0, 1)], equations=[(0, 1)]),
            weights([0, 1], [(1, 0, 0, 1)], equations=[(0, -1)]),
        ],
    }
    loss = {"entries": [["0", "1/3"], ["5/7", "5/7"]]}
    return certificate("calibrated", loss, surrogate, evidence)


ALL = {
    "crammer_singer not for zero_one": crammer_singer_not_for_zero_one(),
    "crammer_singer for abstain": crammer_singer_for_abstain(3),
    "hinge for zero_one": hinge_for_zero_one(),
    "lee_lin_wahba for zero_one, n = 2": lee_lin_wahba_for_zero_one(2),
    "lee_lin_wahba for zero_one, n = 3": lee_lin_wahba_for_zero_one(3),
    "interval for zero_one": interval_for_zero_one(),
    "interval not for reject": interval_not_for_reject(),
    "signed multiplier": signed_multiplier(),
}
