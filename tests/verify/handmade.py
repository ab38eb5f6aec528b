"""Certificates written by hand, or by a formula derived by hand, as Python objects.

Each takes its weights from a short argument on paper, given in its docstring; nothing here comes from lossmith.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, pairwise
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


def certificate(claim: str, loss: Any, surrogate: Certificate, evidence: Certificate, **more: Any) -> Certificate:
    return {
        "format": "lossmith-certificate",
        "version": 1,
        "claim": claim,
        "loss": loss,
        "surrogate": surrogate,
        **more,
        "evidence": evidence,
    }


def rows(*inequalities: Any, equations: Any = ()) -> Certificate:
    """A piece of a region, or a set of distributions."""
    return {"inequalities": [numbers(row) for row in inequalities], "equations": [numbers(row) for row in equations]}


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


def hinge() -> Certificate:
    return {
        "dim": 1,
        "terms": [[[["0", "0"], ["1", "-1"]]], [[["0", "0"], ["1", "1"]]]],
        "inequalities": [],
        "equations": [],
        "name": "hinge",
    }


def hinge_vertices() -> list[Certificate]:
    half = Fraction(1, 2)
    return [
        weights([1, 0], [(0, 0, 0, 1)]),
        weights([0, 1], [(1, 0, 0, 1)]),
        weights([half, half], [(0, 0, 1, half), (1, 0, 1, half)]),
    ]


def hinge_for_zero_one() -> Certificate:
    """ψ_0 = max(0, 1 − u), ψ_1 = max(0, 1 + u): ψ(1) = (0, 2), ψ(−1) = (2, 0); at (1/2, 1/2) is β = 1/2 + 1/2."""
    evidence = {"cells": [{"u": ["1"], "prediction": 0}, {"u": ["-1"], "prediction": 1}], "vertices": hinge_vertices()}
    return certificate("calibrated", zero_one(2), hinge(), evidence)


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


# With a pred, and within sets of distributions. The loss SKEW says 0 is best where p_0 ≥ 4p_1.

SKEW = {"entries": [["0", "1"], ["4", "0"]]}
SIGN = {"regions": [[rows([0, 1])], [rows([0, -1])]], "name": "sign"}
FAR = [rows([1, -4]), rows([-2, 1])]  # p_0 ≥ 4/5, or p_0 ≤ 1/3


def hinge_apart(p: Any, t: int) -> Certificate:
    """On the wrong side of 0 is p·ψ ≥ 1: p_0(1 − u) + p_1(1 + u) is 1, plus |p_1 − p_0| times the row of the piece."""
    p = [Fraction(x) for x in p]
    multiplier = (p[1] - p[0]) * (1 if t == 0 else -1)
    given = weights(p, [(0, 0, 1, p[0]), (1, 0, 1, p[1])], inequalities=[(0, multiplier)])
    return {"prediction": t, "piece": 0, **given}


def hinge_with_sign() -> Certificate:
    """At (1/2, 1/2) both predictions are optimal."""
    cells = [{"u": ["1"]}, {"u": ["-1"]}]
    apart = [hinge_apart([1, 0], 1), hinge_apart([0, 1], 0)]
    evidence = {"cells": cells, "vertices": hinge_vertices(), "apart": apart}
    return certificate("calibrated", zero_one(2), hinge(), evidence, pred=SIGN)


def hinge_with_a_late_threshold() -> Certificate:
    """Who says 0 for u ≥ −1 says so at u = −1, which is optimal at (0, 1). A third prediction is never made."""
    pred = {"regions": [[rows([0, 1]), rows([1, 1], [0, -1])], [rows([-1, -1])], []]}
    loss = {"entries": [["0", "1", "2"], ["1", "0", "2"]]}
    points = [weights([0, 1], [(1, 0, 0, 1)])]
    evidence = {"u": ["-1"], "prediction": 0, "piece": 1, "points": points, "better": 1}
    return certificate("not calibrated", loss, hinge(), evidence, pred=pred)


def hinge_far_from_its_threshold() -> Certificate:
    """N(ψ(1)) is p_0 ≥ 1/2, and where it meets FAR 0 is optimal; N(ψ(−1)) is the rest."""
    evidence = hinge_for_zero_one()["evidence"]
    return certificate("calibrated", SKEW, hinge(), evidence, within=FAR)


def hinge_not_far_enough() -> Certificate:
    """ψ(1) = (0, 2) is optimal at (1, 0) and (2/3, 1/3): there (1 − u)/3 + (1 + u)/3 = 2/3, and 0 costs 4/3, 1 2/3."""
    third = Fraction(1, 3)
    points = [weights([1, 0], [(0, 0, 0, 1)])]
    points += [weights([2 * third, third], [(0, 0, 0, third), (0, 0, 1, third), (1, 0, 1, third)])]
    evidence = {"u": ["1"], "points": points, "better": [[0, 1, 1], [1, 0, 0]]}
    return certificate("not calibrated", SKEW, hinge(), evidence, within=[rows([-3, 1]), rows([1, -2])])


def hinge_with_sign_far_from_its_threshold() -> Certificate:
    """The vertices over FAR are (1, 0); (4/5, 1/5), where both are optimal; (0, 1) and (1/3, 2/3), where 0 is wrong."""
    certificate_ = hinge_far_from_its_threshold()
    apart = [hinge_apart([1, 0], 1), hinge_apart([0, 1], 0), hinge_apart(["1/3", "2/3"], 0)]
    certificate_["evidence"] = {"cells": [{"u": ["1"]}, {"u": ["-1"]}], "vertices": hinge_vertices(), "apart": apart}
    return {**certificate_, "pred": SIGN}


def hinge_with_sign_not_far_enough() -> Certificate:
    certificate_ = hinge_not_far_enough()
    points = certificate_["evidence"]["points"][1:]
    certificate_["evidence"] = {"u": ["1"], "prediction": 0, "piece": 0, "points": points, "better": 1}
    return {**certificate_, "pred": SIGN}


def interval_with_sign() -> Certificate:
    """The rows of the domain come first: at (1, 0) is 1 − u = 1 + the row −u of the piece, number 2."""
    certificate_ = interval_for_zero_one()
    apart = [
        {"prediction": 1, "piece": 0, **weights([1, 0], [(0, 0, 0, 1)], inequalities=[(2, 1)])},
        {"prediction": 0, "piece": 0, **weights([0, 1], [(1, 0, 0, 1)], equations=[(0, 1)])},
        {"prediction": 0, "piece": 1, **weights([0, 1], [(1, 0, 0, 1)], inequalities=[(2, 1)])},
    ]
    vertices = certificate_["evidence"]["vertices"]
    certificate_["evidence"] = {"cells": [{"u": ["1"]}, {"u": ["-1"]}], "vertices": vertices, "apart": apart}
    pred = {"regions": [[rows(equations=[[0, 1]]), rows([0, 1])], [rows([0, -1])]]}
    return {**certificate_, "pred": pred}


# Known by a theorem. The mean of the labels 0, 1, 2, rounded.

SQUARED = {"entries": [["0", "1", "4"], ["1", "0", "1"], ["4", "1", "0"]]}
DISTANCE = {"entries": [["0", "1", "2"], ["1", "0", "1"], ["2", "1", "0"]]}
MEAN = {"estimates": [["0"], ["1"], ["2"]], "theorem": "mean", "name": "square"}
ROUND = {"regions": [[rows(["1/2", -1])], [rows(["-1/2", 1], ["3/2", -1])], [rows(["-3/2", 1])]], "name": "round"}


def known(theorem: str, n: int) -> Certificate:
    return {"estimates": [numbers(unit(n, y)) for y in range(n)], "theorem": theorem}


def mean_for_squared() -> Certificate:
    """(y − t)² − y² = t² − 2ty."""
    evidence = {"affine": [["0", "0"], ["1", "-2"], ["4", "-4"]]}
    return certificate("calibrated", SQUARED, MEAN, evidence)


def rounded_mean_for_squared() -> Certificate:
    """The expected squared distance to t is the variance plus (mean − t)²: nearest is best."""
    return certificate("calibrated", SQUARED, MEAN, {}, pred=ROUND)


def mean_not_for_zero_one() -> Certificate:
    """e_1 and (e_0 + e_2)/2 have the same mean."""
    points = [{"p": numbers(unit(3, 1))}, {"p": numbers(unit(3, 0, 2))}]
    evidence = {"u": ["1"], "points": points, "better": [[0, 0, 1], [1, 1, 0], [2, 0, 1]]}
    return certificate("not calibrated", zero_one(3), MEAN, evidence)


def rounded_mean_not_for_distance() -> Certificate:
    """At (3/5, 0, 2/5) the mean is 4/5, and the median 0: expected distance 4/5 from 0, and 1 from 1."""
    evidence = {"u": ["4/5"], "points": [{"p": ["3/5", "0", "2/5"]}], "prediction": 1, "piece": 0, "better": 0}
    return certificate("not calibrated", DISTANCE, MEAN, evidence, pred=ROUND)


def rounded_mean_for_distance_without_a_label() -> Certificate:
    """Where p_0 = 0 the mean is 1 + p_2, and the nearest label the median; 0 is never said. Likewise where p_2 = 0."""
    within = [rows(equations=[[1, 0, 0]]), rows([0, 0, -1])]
    return certificate("calibrated", DISTANCE, MEAN, {}, pred=ROUND, within=within)


def argmax_of_probabilities() -> Certificate:
    """The most probable label is optimal for zero_one."""
    top = [rows(*([0, *(int(x == y) - int(x == z) for x in range(3))] for z in range(3) if z != y)) for y in range(3)]
    pred = {"regions": [[each] for each in top], "name": "argmax"}
    return certificate("calibrated", zero_one(3), known("proper composite", 3), {}, pred=pred)


def half_is_not_the_threshold() -> Certificate:
    """For SKEW the threshold is at 4/5, so 0 is wrong at 2/3. Only p_0 ≥ 1/2 is given."""
    pred = {"regions": [[rows([0, 1, -1])], [rows([0, -1, 1])]]}
    evidence = {"u": ["2/3", "1/3"], "points": [{"p": ["2/3", "1/3"]}], "prediction": 0, "piece": 0, "better": 1}
    surrogate = known("proper composite", 2)
    return certificate("not calibrated", SKEW, surrogate, evidence, pred=pred, within=[rows([1, -1])])


def margin_for_zero_one() -> Certificate:
    pred = {"regions": [[rows([-1, 2, 0])], [rows([0, -1, 1])]]}
    return certificate("calibrated", zero_one(2), known("binary margin", 2), {}, pred=pred)


def margin_not_for_another_threshold() -> Certificate:
    return {**half_is_not_the_threshold(), "surrogate": known("binary margin", 2)}


def square_by_tangents(u: Any) -> Certificate:
    """(u − y)² has at u the tangent y² − u² + 2(u − y)·."""
    u = Fraction(u)
    terms = [[[numbers([y * y - u * u, 2 * (u - y)])]] for y in range(3)]
    return {"dim": 1, "terms": terms, "inequalities": [], "equations": [], "tangents": True, "name": "square"}


def tangents_not_for_zero_one() -> Certificate:
    """The slopes 2 and −2 of the labels 0 and 2 cancel, that of label 1 is 0."""
    half = Fraction(1, 2)
    points = [weights(unit(3, 1), [(1, 0, 0, 1)]), weights(unit(3, 0, 2), [(0, 0, 0, half), (2, 0, 0, half)])]
    evidence = {**mean_not_for_zero_one()["evidence"], "points": points}
    return certificate("not calibrated", zero_one(3), square_by_tangents(1), evidence)


def tangents_not_for_distance() -> Certificate:
    """The slopes at 4/5 are 8/5 and −12/5, with weights 3/5 and 2/5."""
    points = [weights(["3/5", 0, "2/5"], [(0, 0, 0, "3/5"), (2, 0, 0, "2/5")])]
    evidence = {**rounded_mean_not_for_distance()["evidence"], "points": points}
    within = [rows([1, 0, -2]), rows([0, 1, 0], equations=[[0, 2, 0]])]
    return certificate(
        "not calibrated", DISTANCE, square_by_tangents(Fraction(4, 5)), evidence, pred=ROUND, within=within
    )


# Version 2: evidence that the regions cover, and a direction in which a refutation meets the pred.


def combination(path: Any = (), inequalities: Any = (), equations: Any = ()) -> Certificate:
    """Multipliers, from numbers."""
    kinds = {"path": path, "inequalities": inequalities, "equations": equations}
    return {kind: [[i, str(Fraction(w))] for i, w in each] for kind, each in kinds.items()}


def leaf(prediction: int, piece: int, *rows_: Certificate) -> Certificate:
    return {"prediction": prediction, "piece": piece, "rows": list(rows_)}


def branch(by: Any, *parts: Certificate) -> Certificate:
    return {"by": [numbers(f) for f in by], "parts": list(parts)}


def cover(point: Any, tree: Certificate) -> Certificate:
    return {"cover": {"point": numbers(point), "tree": tree}}


def second(certificate_: Certificate, **evidence: Any) -> Certificate:
    """A certificate of version 1 as one of version 2, with more evidence."""
    return {**certificate_, "version": 2, "evidence": {**certificate_["evidence"], **evidence}}


FIRST = combination(path=[(0, 1)])  # the first inequality of the path, as it is
SIGN_COVER = cover([1], branch([[0, 1], [0, 0]], leaf(0, 0, FIRST), leaf(1, 0, FIRST)))  # u ≥ 0, or 0 ≥ u
THIN_COVER = cover(  # the largest of u, 0 and −u is 0 where (0 − u) + (0 + u) = 0
    [1],
    branch(
        [[0, 1], [0, 0], [0, -1]],
        leaf(0, 0, FIRST),
        {"thin": combination(path=[(0, 1), (1, 1)])},
        leaf(1, 0, combination(path=[(1, 1)])),
    ),
)


def interval_with_sign_and_cover() -> Certificate:
    """Where u ≥ 2 would be larger, u − 2 + (1 − u) = −1: no u in the domain."""
    tree = branch(
        [[0, 1], [2, 0]],
        {"thin": combination(path=[(0, 1)], inequalities=[(1, 1)])},
        branch([[0, 1], [0, 0]], leaf(0, 1, combination(path=[(1, 1)])), leaf(1, 0, combination(path=[(1, 1)]))),
    )
    return second(interval_with_sign(), **cover(["1/2"], tree))


def equation_as_a_region() -> Certificate:
    """The domain u = 0 is the piece u = 0: its equation proves both signs."""
    certificate_ = signed_multiplier()
    certificate_["evidence"]["cells"] = [{"u": ["0"]}]
    tree = leaf(0, 0, combination(equations=[(0, 2)]), combination(equations=[(0, -2)]))
    pred = {"regions": [[rows(equations=[[0, 2]])], []]}
    return {**second(certificate_, apart=[], **cover([0], tree)), "pred": pred}


def hinge_hidden_by_an_earlier_region() -> Certificate:
    """Who says 0 for u ≥ 1, and 1 elsewhere, says 1 just below u = 1, which is optimal at (1, 0)."""
    pred = {"regions": [[rows([-1, 1])], [rows()]]}
    points = [weights([1, 0], [(0, 0, 0, 1)])]
    evidence = {"u": ["1"], "prediction": 1, "piece": 0, "toward": ["0"], "points": points, "better": 0}
    return {**certificate("not calibrated", zero_one(2), hinge(), evidence, pred=pred), "version": 2}


def hinge_beside_a_thin_region() -> Certificate:
    """Who says 0 at u = 1 only, where also −1 + u ≥ 0, and 1 elsewhere, says 1 beyond u = 1."""
    certificate_ = hinge_hidden_by_an_earlier_region()
    certificate_["pred"] = {"regions": [[rows([-1, 1], equations=[[-1, 1]])], [rows()]]}
    certificate_["evidence"]["toward"] = ["2"]
    return certificate_


NEAREST = [[0, 0], [-1, 2], [-4, 4]]  # 2tx − t² is largest for the nearest t
HALF = {k: combination(path=[(k, "1/2")]) for k in (0, 1)}
ROUND_TREE = branch(NEAREST, leaf(0, 0, HALF[0]), leaf(1, 0, HALF[0], HALF[1]), leaf(2, 0, HALF[1]))
BOUNDED_MEAN = {**MEAN, "inequalities": [["0", "1"], ["2", "-1"]]}  # X = [0, 2]


def rounded_mean_with_cover(surrogate: Certificate = MEAN) -> Certificate:
    return {**second(rounded_mean_for_squared(), **cover([0], ROUND_TREE)), "surrogate": surrogate}


def mean_on_a_line() -> Certificate:
    """Two numbers that are the same: X is the line x_0 = x_1, and all of it is said to be 0."""
    surrogate = {"estimates": [["0", "0"], ["1", "1"]], "theorem": "mean", "equations": [["0", "1", "-1"]]}
    loss = {"entries": [["0", "1"], ["0", "2"]]}
    pred = {"regions": [[rows(equations=[[0, -1, 1]])], []]}
    tree = leaf(0, 0, combination(equations=[(0, -1)]), combination(equations=[(0, 1)]))
    return {**certificate("calibrated", loss, surrogate, cover([5, 5], tree), pred=pred), "version": 2}


def weighted_mean_with_threshold() -> Certificate:
    """Labels 0 and 1 with weights 4 and 1: x = p_1/(4p_0 + p_1) is at least 1/2 where p_1 ≥ 4p_0."""
    surrogate = {"estimates": [["0"], ["1"]], "weights": ["4", "1"], "theorem": "mean"}
    loss = {"entries": [["0", "4"], ["1", "0"]]}
    pred = {"regions": [[rows(["1/2", -1])], [rows(["-1/2", 1])]]}
    tree = branch([[1, 0], [0, 2]], leaf(0, 0, HALF[0]), leaf(1, 0, HALF[0]))
    return {**certificate("calibrated", loss, surrogate, cover([0], tree), pred=pred), "version": 2}


def argmax_with_cover() -> Certificate:
    each = [combination(path=[(k, 1)]) for k in (0, 1)]
    coordinates = [[0, *(int(x == y) for x in range(3))] for y in range(3)]
    tree = branch(coordinates, *(leaf(t, 0, *each) for t in range(3)))
    return second(argmax_of_probabilities(), **cover(["1/2", "1/3", "1/6"], tree))


def margin_with_cover() -> Certificate:
    """−1 + 2x_0 is x_0 − x_1, of the path, plus −1 + x_0 + x_1, which is 0."""
    both = combination(path=[(0, 1)], equations=[(0, 1)])
    tree = branch([[0, 1, 0], [0, 0, 1]], leaf(0, 0, both), leaf(1, 0, FIRST))
    return second(margin_for_zero_one(), **cover(["2/3", "1/3"], tree))


def argmax_of_scores(theorem: str) -> Certificate:
    """The largest score, where scores are sorted as probabilities are; the tree of comparisons covers R³."""
    return {**argmax_with_cover(), "surrogate": known(theorem, 3)}


def all_but_the_smallest() -> Certificate:
    """Two of three labels are named: all but that of the smallest score, which is the least likely."""
    loss = {"entries": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]}
    lowest = [
        rows(*([0, *(int(x == z) - int(x == y) for x in range(3))] for z in range(3) if z != y)) for y in range(3)
    ]
    each = [combination(path=[(k, 1)]) for k in (0, 1)]
    negative = [[0, *(-int(x == y) for x in range(3))] for y in range(3)]
    tree = branch(negative, *(leaf(t, 0, *each) for t in range(3)))
    pred = {"regions": [[piece] for piece in lowest]}
    evidence = cover(["1/2", "1/3", "1/6"], tree)
    return {**certificate("calibrated", loss, known("smallest", 3), evidence, pred=pred), "version": 2}


def sign_of_a_score() -> Certificate:
    """u has the sign of p_0 − p_1."""
    surrogate = {"estimates": [["1"], ["-1"]], "theorem": "signs"}
    pred = {"regions": [[rows([0, 1])], [rows([0, -1])]]}
    tree = branch([[0, 1], [0, -1]], leaf(0, 0, HALF[0]), leaf(1, 0, HALF[0]))
    return {**certificate("calibrated", zero_one(2), surrogate, cover(["1"], tree), pred=pred), "version": 2}


def order_not_for_skew() -> Certificate:
    """Where p_0 = 2/3 the first score is the largest, but SKEW has its threshold at 4/5."""
    return {**second(half_is_not_the_threshold(), toward=["3/4", "1/4"]), "surrogate": known("order", 2)}


def far_out(*estimates: int) -> Certificate:
    """Two of three labels are served together, and need different predictions."""
    surrogate = {"estimates": [[str(a)] for a in estimates or (0, 0, 1)], "theorem": "far out"}
    points = [{"p": ["1", "0", "0"]}, {"p": ["0", "1", "0"]}]
    evidence = {"u": ["0"], "points": points, "better": [[0, 1, 1], [1, 0, 0], [2, 0, 0]]}
    return {**certificate("not calibrated", zero_one(3), surrogate, evidence), "version": 2}


def far_out_with_a_pred() -> Certificate:
    """At all multiples of u = (100, −100) the pred says 1, as 99 − u_0 < 0; labels 0 and 1 are served along them."""
    result = far_out()
    surrogate = {"estimates": [[str(a)] * 2 for a in (0, 0, 1)], "theorem": "far out"}
    evidence = {"u": ["100", "-100"], "points": [{"p": ["1", "0", "0"]}], "prediction": 1, "better": 0}
    never = [rows([99, -1, 0], [0, 1, 0]), rows([-1, 1, 1])]
    regions = [never, [rows([0, 1, 0], [-1, 0, -1], [0, 1, 1])], [rows()]]
    return {**result, "surrogate": surrogate, "pred": {"regions": regions}, "evidence": evidence}


def squares(made: Certificate) -> Certificate:
    """The same about ψ_y(u) = w_y ‖u − a_y‖²."""
    return {**made, "surrogate": {**made["surrogate"], "theorem": "squares"}}


def free_label() -> Certificate:
    """Label 2 has no weight, and costs the same whatever is said: the mean decides between the others."""
    surrogate = {"estimates": [["0"], ["1"], ["5"]], "weights": ["1", "1", "0"], "theorem": "mean"}
    loss = {"entries": [["0", "1"], ["1", "0"], ["3", "3"]]}
    return {**certificate("calibrated", loss, surrogate, {"affine": [["0", "0"], ["1", "-2"]]}), "version": 2}


def squared_crammer_singer_on_the_way() -> Certificate:
    """(1 + max − u_y)₊² is optimal at c e_0 where p_0 = (1 + c)/2; and at 0 where it is best to abstain."""

    def slope(j: int, y: int, height: int) -> list[str]:
        return numbers([height * ((i == j) - (i == y)) for i in range(3)])

    terms = [[[["0", *slope(j, y, 2)] for j in range(3) if j != y]] for y in range(3)]
    along = [[[slope(j, 0, 2), slope(j, 0, 1)] for j in (1, 2)], *([[slope(0, y, 2), slope(0, y, 3)]] for y in (1, 2))]
    surrogate = {"dim": 3, "terms": terms, "inequalities": [], "equations": [], "tangents": True, "along": along}
    even = weights(["1/3"] * 3, [(y, 0, j, "1/6") for y in range(3) for j in range(2)])
    way = {
        "p": [["1/2", "1/4", "1/4"], ["3/4", "1/8", "1/8"]],
        "weights": [[0, j, "1/4", "3/8"] for j in range(2)] + [[y, 0, "1/4", "1/8"] for y in (1, 2)],
    }
    better = [[0, 0, 3], [1, 0, 3], [2, 0, 3], [3, 1, 0]]
    evidence = {"u": ["0", "0", "0"], "points": [even], "along": [way], "better": better}
    return {**certificate("not calibrated", abstain(3), surrogate, evidence), "version": 2}


def first_two() -> Certificate:
    """The two largest of four scores are those of the two likeliest labels: their sum is the largest."""
    pairs = [*combinations(range(4), 2)]

    def piece(pair: Any) -> Certificate:
        return rows(*([0, *((c == i) - (c == j) for c in range(4))] for i in pair for j in range(4) if j not in pair))

    def within(pair: Any) -> Certificate:
        """u_i − u_j is the sum over the pair less that over the pair with j for i."""
        others = [each for each in pairs if each != pair]
        swapped = [tuple(sorted({*pair, j} - {i})) for i in pair for j in range(4) if j not in pair]
        return leaf(pairs.index(pair), 0, *(combination(path=[(others.index(each), 1)]) for each in swapped))

    loss = {"entries": [[str(int(y not in pair)) for pair in pairs] for y in range(4)]}
    sums = [[0, *(int(c in pair) for c in range(4))] for pair in pairs]
    evidence = cover([8, 4, 2, 1], branch(sums, *map(within, pairs)))
    pred = {"regions": [[piece(pair)] for pair in pairs]}
    return {**certificate("calibrated", loss, known("first 2", 4), evidence, pred=pred), "version": 2}


def told() -> Certificate:
    """The probabilities are told where the risk is least, and so the likelier label."""
    evidence = {"affine": [["0", "0", "0"], ["0", "1", "-1"]]}
    return {**certificate("calibrated", zero_one(2), known("told", 2), evidence), "version": 2}


# Votes: a hinge, or a score whose sign is told, for each pair of labels.


def pairs_of_hinges(*of: Any) -> Certificate:
    """For each label and score, the weight w of (1 − u_c)₊, or of (1 + u_c)₊ if it is negative."""
    d = len(of[0])
    terms = [
        [
            [numbers([0] * (d + 1)), numbers([abs(w), *(-w * (i == c) for i in range(d))])]
            for c, w in enumerate(row)
            if w
        ]
        for row in of
    ]
    return {"dim": d, "terms": terms, "inequalities": [], "equations": [], "name": "pairs"}


VOTES = {"votes": True, "name": "votes"}
WINS = [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]  # of label y: the scores (0, 1), (0, 2), (1, 2)
LIKELY = [Fraction(4, 9), Fraction(2, 9), Fraction(3, 9)]


def by_votes(claim: str, loss: Any, surrogate: Certificate, evidence: Certificate) -> Certificate:
    return {**certificate(claim, loss, surrogate, evidence, pred=VOTES), "version": 2}


def votes_for_zero_one() -> Certificate:
    """u_ij has the slope p_j − p_i at 0."""
    return by_votes("calibrated", zero_one(3), pairs_of_hinges(*WINS), {})


def votes_for_two_equal_columns() -> Certificate:
    """Decisions 1 and 2 are the same, so that it does not matter what their score tells. A hinge in two parts."""
    surrogate = pairs_of_hinges([3, 1, 1], [-3, -1, 5])
    surrogate["terms"][0][0:1] = [
        [numbers([0] * 4), numbers([1, -1, 0, 0])],
        [numbers([0] * 4), numbers([4, -2, 0, 0])],
    ]
    surrogate["terms"][1].append([numbers([7, 0, 0, 0])])
    return by_votes("calibrated", {"entries": [["0", "1", "1"], ["1", "0", "0"]]}, surrogate, {})


def votes_not_for_distance() -> Certificate:
    """At (4, 2, 3)/9 label 0 wins both its pairs, and 1 costs less: 7/9 < 8/9. u is optimal: slopes cancel in pairs."""
    p, likelier = LIKELY, [(0, 0, 1, 0), (0, 1, 2, 0), (2, 1, 1, 1)]  # label, its hinge; the other label, its hinge
    pieces = [(y, g, 1, p[z]) for y, g, z, _ in likelier] + [(y, g, 0, p[y] - p[z]) for y, g, z, _ in likelier]
    pieces += [(z, h, 1, p[z]) for _, _, z, h in likelier]
    evidence = {"u": ["1", "1", "-1"], "points": [weights(p, pieces)], "better": 1}
    return by_votes("not calibrated", DISTANCE, pairs_of_hinges(*WINS), evidence)


def told_signs(*weights_: int) -> Certificate:
    return {"estimates": [numbers(row) for row in WINS], "weights": numbers(weights_), "theorem": "signs"}


def votes_by_told_signs() -> Certificate:
    """To miss label y costs its weight."""
    loss = {"entries": [[str((y + 1) * (y != t)) for t in range(3)] for y in range(3)]}
    return by_votes("calibrated", loss, told_signs(1, 2, 3), {})


def votes_by_told_signs_not_for_distance() -> Certificate:
    evidence = {"u": ["2/9", "1/9", "-1/9"], "points": [{"p": numbers(LIKELY)}], "better": 1}
    return by_votes("not calibrated", DISTANCE, told_signs(1, 1, 1), evidence)


SECOND = {
    "votes": votes_for_zero_one(),
    "votes: equal columns": votes_for_two_equal_columns(),
    "votes: two labels": by_votes("calibrated", zero_one(2), hinge(), {}),
    "votes: not calibrated": votes_not_for_distance(),
    "votes: signs": votes_by_told_signs(),
    "votes: signs, not calibrated": votes_by_told_signs_not_for_distance(),
    "on the way": squared_crammer_singer_on_the_way(),
    "first two": first_two(),
    "told": told(),
    "order": argmax_of_scores("order"),
    "largest": argmax_of_scores("largest"),
    "smallest": all_but_the_smallest(),
    "signs": sign_of_a_score(),
    "order, not calibrated": order_not_for_skew(),
    "far out": far_out(),
    "a free label": free_label(),
    "v2: sign": second(hinge_with_sign(), **SIGN_COVER),
    "v2: sign, thin": second(hinge_with_sign(), **THIN_COVER),
    "v2: sign, within": second(hinge_with_sign_far_from_its_threshold(), **SIGN_COVER),
    "v2: interval": interval_with_sign_and_cover(),
    "v2: equation": equation_as_a_region(),
    "v2: late threshold": second(hinge_with_a_late_threshold(), toward=["0"]),
    "v2: earlier region": hinge_hidden_by_an_earlier_region(),
    "v2: thin region": hinge_beside_a_thin_region(),
    "v2: not far enough": second(hinge_with_sign_not_far_enough(), toward=["1"]),
    "v2: mean": rounded_mean_with_cover(),
    "v2: bounded mean": rounded_mean_with_cover(BOUNDED_MEAN),
    "v2: mean on a line": mean_on_a_line(),
    "v2: weighted mean": weighted_mean_with_threshold(),
    "v2: bounded mean, affine": {**second(mean_for_squared()), "surrogate": BOUNDED_MEAN},
    "v2: bounded mean, not calibrated": {
        **second(rounded_mean_not_for_distance(), toward=["1"]),
        "surrogate": BOUNDED_MEAN,
    },
    "v2: argmax": argmax_with_cover(),
    "v2: half": second(half_is_not_the_threshold(), toward=["3/5", "2/5"]),
    "v2: margin": margin_with_cover(),
    "v2: margin, not calibrated": second(margin_not_for_another_threshold(), toward=["2/3", "1/3"]),
    "v2: tangents": second(tangents_not_for_distance(), toward=["1"]),
}


def block(labels: Any, *maps: Any) -> Certificate:
    """Interchangeable labels; without maps, neighbours are exchanged as their coordinates are."""
    swaps = [[[x, y, "1"], [y, x, "1"]] for x, y in pairwise(labels)]
    return {"labels": [*labels], "maps": [*maps] or swaps}


def star(n: int, centre: int, *others: int) -> Certificate:
    """Half of all at the centre, the rest elsewhere, for Crammer–Singer: (1 + u_j − u_y) for the centre and each other.

    Their weights are those of the others; gradients cancel in pairs, and β = 1.
    """
    p = [Fraction(int(y == centre), 2) + Fraction(int(y in others), 2 * len(others)) for y in range(n)]
    return weights(p, [each for y in others for each in ((centre, 0, y, p[y]), (y, 0, centre, p[y]))])


def crammer_singer_by_symmetry(loss: Any = None, last: int = 3) -> Certificate:
    """K has the corners e_0, (e_0 + e_1)/2 and the uniform one; p_0 = 1/2 also between the first and the last.

    At the uniform distribution all six pieces have the weight 1/6.
    """
    sixth = [(y, 0, j, Fraction(1, 6)) for y in range(3) for j in range(3) if j != y]
    vertices = [weights(unit(3, 0), [(0, 0, 0, 1)]), star(3, 0, 1), star(3, 0, 1, 2), weights(unit(3, 0, 1, 2), sixth)]
    cells = [{"u": ["0"] * 3, "prediction": last}, {"u": ["1", "0", "0"], "prediction": 0}]
    evidence = {"blocks": [block(range(3))], "cells": cells, "vertices": vertices}
    return {**certificate("calibrated", loss or abstain(3), crammer_singer(3), evidence), "version": 2}


def crammer_singer_by_less_symmetry() -> Certificate:
    """Labels 1 and 2 only: K has the corners e_0, e_2, (e_1 + e_2)/2, and 2 comes before 1."""
    cells = [{"u": numbers(u), "prediction": t} for u, t in (([0] * 3, 3), (unit(3, 0), 0), (unit(3, 2), 2))]
    vertices = [weights(unit(3, y), [(y, 0, y, 1)]) for y in (0, 2)]
    vertices += [star(3, 2, 1), star(3, 0, 2), star(3, 0, 1, 2)]
    evidence = {"blocks": [block([2, 1]), block([0])], "cells": cells, "vertices": vertices}
    return {**certificate("calibrated", abstain(3), crammer_singer(3), evidence), "version": 2}


def hinge_by_symmetry() -> Certificate:
    """ψ_1(−u) = ψ_0(u): one cell, and K has the corners (1, 0), (1/2, 1/2)."""
    result, (first, _, middle) = hinge_for_zero_one(), hinge_vertices()
    cells = result["evidence"]["cells"][:1]
    evidence = {"blocks": [block([0, 1], [[0, 0, "-1"]])], "cells": cells, "vertices": [first, middle]}
    return {**result, "version": 2, "evidence": evidence}


def lee_lin_wahba_by_symmetry(n: int) -> Certificate:
    """One cell: of all vertices those are left that fall."""
    result = lee_lin_wahba_for_zero_one(n)
    whole = result["evidence"]
    falling = [
        each for each in whole["vertices"] if sorted(map(Fraction, each["p"]))[::-1] == [*map(Fraction, each["p"])]
    ]
    evidence = {"blocks": [block(range(n))], "cells": whole["cells"][:1], "vertices": falling}
    return {**result, "version": 2, "evidence": evidence}


def hinge_with_sign_by_symmetry(pred: Any = None) -> Certificate:
    """The scores u and −u fall where u ≥ 0, half the row u − (−u): there 0 is said."""
    result = hinge_by_symmetry()
    evidence = {**result["evidence"], "cells": [{"u": ["1"]}], "apart": [hinge_apart([1, 0], 1)]}
    evidence["scores"] = [numbers([0, 1]), numbers([0, -1])]
    evidence |= cover([1], leaf(0, 0, combination(inequalities=[(0, "1/2")])))
    return {**result, "pred": pred or SIGN, "evidence": evidence}


def lee_lin_wahba_with_argmax_by_symmetry() -> Certificate:
    """Where u_t is largest, u_t ≥ 0, a third of its two rows and of Σ u_j.

    At e_0 is (1 + u_1)₊ + (1 + u_2)₊ ≥ 1 there for t = 1, and so, by symmetry, for t = 2. At (e_0 + e_1)/2 is
    (2 + u_0 + u_1)/2 + (1 + u_2) = 2 + Σ u_j/2 + u_2/2, more than 3/2. Where u falls, the rows u_0 − u_1 and u_1 − u_2
    follow those of the domain, of which there is none.
    """
    result, third, half = lee_lin_wahba_by_symmetry(3), Fraction(1, 3), Fraction(1, 2)
    steps = [(0, third), (1, third)]
    first = weights(unit(3, 0), [(0, 0, 1, 1), (0, 1, 0, 1)], steps, [(0, third)])
    pieces = [(y, g, 1, half) for y in (0, 1) for g in (0, 1)]
    last = weights(unit(3, 0, 1), pieces, [(i, w / 2) for i, w in steps], [(0, half + third / 2)])
    evidence = {**result["evidence"], "cells": [{"u": result["evidence"]["cells"][0]["u"]}]}
    evidence["apart"] = [{"prediction": 1, "piece": 0, **first}, {"prediction": 2, "piece": 0, **last}]
    evidence["scores"] = [numbers([0, *(int(i == y) for i in range(3))]) for y in range(3)]
    rows_ = combination(inequalities=[(0, 1)]), combination(inequalities=[(0, 1), (1, 1)])
    evidence |= cover([1, 0, -1], leaf(0, 0, *rows_))
    return {**result, "pred": ARGMAX, "evidence": evidence}


# Regrets. A sure label, decided wrongly at u = 0, costs 1 and pays 1.


def attained(given: Certificate, u: Any, t: int, toward: Any, piece: int = 0) -> Certificate:
    return {**given, "u": numbers(u), "prediction": t, "piece": piece, "toward": numbers(toward)}


def regret(calibrated: Certificate, points: Any, places: Any, **more: Any) -> Certificate:
    """The evidence of a claim with a pred, with the points of a hull and where they are attained."""
    evidence = {"attained": places, "above": calibrated["evidence"]}
    return {**calibrated, "claim": "regret", "hull": [numbers(each) for each in points], "evidence": evidence, **more}


def hinge_regret(calibrated: Certificate) -> Certificate:
    return regret(calibrated, [(1, 1)], [attained(weights([1, 0], [(0, 0, 0, 1)]), [0], 1, [-1])])


def hinge_regret_for_skew() -> Certificate:
    """At (1/2, 1/2) all u in [−1, 1] are optimal, and 0 costs 3/2 too much; at (0, 1) it costs 4 and pays 1.

    At (1, 0) deciding 1 costs 1 and pays 1, far above the line from (0, 0) to (3/2, 0).
    """
    half = Fraction(1, 2)
    middle = weights([half, half], [(0, 0, 1, half), (1, 0, 1, half)])
    places = [attained(middle, [1], 0, [2]), attained(weights([0, 1], [(1, 0, 0, 1)]), [0], 0, [1])]
    return regret(SECOND["v2: sign"], [("3/2", 0), (4, 1)], places, loss=SKEW)


def function(given: Certificate, delta: Any, everywhere: Any, pieces: Any, places: Any, point: Any) -> Certificate:
    """The claim "calibration function", of a certificate with a pred; cells by their u, and two regions of a line."""
    listed = [{"cells": [{"u": numbers([u])} for u in us], "vertices": of} for us, of in (everywhere, *pieces)]
    found = [
        {"u": numbers([u]), "prediction": t, "piece": 0, "toward": numbers([toward]), "instead": s}
        for u, t, toward, s in places
    ]
    evidence = {"all": listed[0], "pieces": [listed[1:2], listed[2:]], "attained": found, **point}
    more = {"delta": [numbers(each) for each in delta], "evidence": evidence}
    return {**given, "version": 2, "claim": "calibration function", **more}


def hinge_function(delta: Any, places: Any, **more: Any) -> Certificate:
    """On u ≥ 0 the least risk is that of u = 1, 2p_1, or of u = 0, which is 1; on u ≤ 0 it is 2p_0 or 1."""
    first, second_, middle = hinge_vertices()
    wrong = [{k: v for k, v in hinge_apart(*each).items() if k in first} for each in (([0, 1], 0), ([1, 0], 1))]
    pieces = [((1, 0), [first, wrong[0], middle]), ((-1, 0), [wrong[1], second_, middle])]
    made = function(hinge_with_sign(), delta, ((1, -1), [first, second_, middle]), pieces, places, SIGN_COVER)
    return {**made, **more}


def interpolated_function() -> Certificate:
    """ψ = (u, 2 − 2u) on [0, 1], costs (0, 1), (2, 0), threshold 1/10: ε/10 up to 1, then 9ε/10.

    At e_0 the risk is u, at e_1 it is 2 − 2u, at (2/3, 1/3) it is 2/3. On u ≤ 1/10, e_1 pays 9/5 at least, and on
    u ≥ 1/10 e_0 pays 1/10. Deciding 1 at 1/10 loses 1 at e_0; deciding 0 there loses 2 at e_1.
    """
    two = Fraction(2, 3)
    middle = weights([two, 1 - two], [(0, 0, 0, two), (1, 0, 0, 1 - two)])

    def at_ends(low: int, high: int) -> list[Certificate]:
        first = weights([1, 0], [(0, 0, 0, 1)], inequalities=[(low, 1)])
        return [first, weights([0, 1], [(1, 0, 0, 1)], inequalities=[(high, 2)]), middle]

    given = certificate(
        "calibration function",
        {"entries": [["0", "1"], ["2", "0"]]},
        {"dim": 1, "terms": [[[["0", "1"]]], [[["2", "-2"]]]], **rows([0, 1], [1, -1])},
        {},
        pred={"regions": [[rows(["1/10", -1])], [rows(["-1/10", 1])]]},
    )
    tree = branch([["1/10", 0], [0, 1]], leaf(0, 0, FIRST), leaf(1, 0, FIRST))
    pieces = [((0, "1/10"), at_ends(0, 2)), (("1/10", 1), at_ends(2, 1))]
    places = [("1/10", 1, 1, 0), ("1/10", 0, 0, 1)]
    delta = [(1, 0, "1/10"), (2, "9/10", "9/5")]
    return function(given, delta, ((0, 1), at_ends(0, 1)), pieces, places, cover(["1/2"], tree))


def hinges(*labels: Any) -> list[Any]:
    """The terms, from the pieces (b, a) of max(b + a·u, 0) for each label."""
    return [[[numbers(piece), numbers([0] * len(piece))] for piece in pieces] for pieces in labels]


def cost_weighted_by_theorem(**more: Any) -> Certificate:
    """Costs (0, 1/2, 3), (2, 0, 0), (0, 0, 0): hinges of the costs that are not 0; the last label has the piece 0."""
    terms = hinges([("1/2", 0, "1/2", 0), (3, 0, 0, 3)], [(2, 2, 0, 0)])
    surrogate = {"dim": 3, "terms": [*terms, [[numbers([0] * 4)]]], **rows(equations=[(0, 1, 1, 1)])}
    loss = {"entries": [numbers(row) for row in ((0, "1/2", 3), (2, 0, 0), (0, 0, 0))]}
    evidence = {"theorem": "cost-weighted hinge"}
    return {**certificate("calibrated", loss, surrogate, evidence, **more), "version": 2}


def binary_relevance_by_theorem(**more: Any) -> Certificate:
    """Labels 00, 01, 10, 11; a bit that is 1 asks for u_i ≥ 1."""
    up, down = ((1, -1, 0), (1, 0, -1)), ((1, 1, 0), (1, 0, 1))
    terms = hinges((down[0], down[1]), (down[0], up[1]), (up[0], down[1]), (up[0], up[1]))
    loss = {"entries": [numbers(row) for row in ((0, 1, 1, 2), (1, 0, 2, 1), (1, 2, 0, 1), (2, 1, 1, 0))]}
    evidence = {"theorem": "binary relevance hinge"}
    return {**certificate("calibrated", loss, {"dim": 2, "terms": terms, **rows()}, evidence, **more), "version": 2}


ARGMAX = {"regions": [[rows((0, 1, -1, 0), (0, 1, 0, -1))], [rows((0, -1, 1, 0), (0, 0, 1, -1))]]}
ARGMAX["regions"].append([rows((0, -1, 0, 1), (0, 0, -1, 1))])
SIGN_OF_BITS = {"regions": [[rows((0, s, 0), (0, 0, t))] for s in (-1, 1) for t in (-1, 1)]}

ALL = {
    "crammer_singer not for zero_one": crammer_singer_not_for_zero_one(),
    "crammer_singer for abstain": crammer_singer_for_abstain(3),
    "hinge for zero_one": hinge_for_zero_one(),
    "lee_lin_wahba for zero_one, n = 2": lee_lin_wahba_for_zero_one(2),
    "lee_lin_wahba for zero_one, n = 3": lee_lin_wahba_for_zero_one(3),
    "interval for zero_one": interval_for_zero_one(),
    "interval not for reject": interval_not_for_reject(),
    "signed multiplier": signed_multiplier(),
    "pred: calibrated": hinge_with_sign(),
    "pred: not calibrated": hinge_with_a_late_threshold(),
    "pred: calibrated, with a domain": interval_with_sign(),
    "within: calibrated": hinge_far_from_its_threshold(),
    "within: not calibrated": hinge_not_far_enough(),
    "pred, within: calibrated": hinge_with_sign_far_from_its_threshold(),
    "pred, within: not calibrated": hinge_with_sign_not_far_enough(),
    "mean: calibrated": mean_for_squared(),
    "mean: not calibrated": mean_not_for_zero_one(),
    "mean, pred: calibrated": rounded_mean_for_squared(),
    "mean, pred: not calibrated": rounded_mean_not_for_distance(),
    "mean, pred, within: calibrated": rounded_mean_for_distance_without_a_label(),
    "proper composite: calibrated": argmax_of_probabilities(),
    "proper composite: not calibrated": half_is_not_the_threshold(),
    "binary margin: calibrated": margin_for_zero_one(),
    "binary margin: not calibrated": margin_not_for_another_threshold(),
    "far out, pred": far_out_with_a_pred(),
    "squares": squares(mean_for_squared()),
    "squares: not calibrated": squares(mean_not_for_zero_one()),
    "squares, pred": squares(weighted_mean_with_threshold()),
    "squares, pred: not calibrated": squares(rounded_mean_not_for_distance()),
    "tangents": tangents_not_for_zero_one(),
    "tangents, pred, within": tangents_not_for_distance(),
    **SECOND,
    "symmetry: crammer_singer": crammer_singer_by_symmetry(),
    "symmetry: two blocks": crammer_singer_by_less_symmetry(),
    "symmetry: a sign": hinge_by_symmetry(),
    "symmetry: a domain": lee_lin_wahba_by_symmetry(3),
    "symmetry, pred: sign": hinge_with_sign_by_symmetry(),
    "symmetry, pred: argmax": lee_lin_wahba_with_argmax_by_symmetry(),
    "regret: hinge": hinge_regret(SECOND["v2: sign"]),
    "regret: not calibrated": hinge_regret_for_skew(),
    "regret: symmetry": hinge_regret(hinge_with_sign_by_symmetry()),
    "function: hinge": hinge_function([(1, 0, 1)], [(0, 1, -1, 0)]),
    "function: not calibrated": hinge_function(
        [("3/2", 0, 0), (4, 0, 1)], [(0, 0, 1, 1), (0, 0, 1, 1)], loss=SKEW
    ),  # at (1/2, 1/2) u = 0 is optimal, and 0 loses 3/2 there; at (0, 1) it loses 4 and pays 1
    "function: nothing lost": hinge_function([], [], loss={"entries": [["1", "1"], ["2", "2"]]}),
    "function: jump": interpolated_function(),
    "theorem: cost-weighted": cost_weighted_by_theorem(),
    "theorem: cost-weighted, argmax": cost_weighted_by_theorem(pred=ARGMAX),
    "theorem: binary relevance": binary_relevance_by_theorem(),
    "theorem: binary relevance, sign": binary_relevance_by_theorem(pred=SIGN_OF_BITS),
}
