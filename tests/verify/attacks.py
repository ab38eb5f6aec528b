"""Certificates of false claims, or of true ones with a proof that is none; every attack that ever succeeded is here."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

from handmade import (
    ALL,
    DISTANCE,
    FIRST,
    WINS,
    block,
    branch,
    certificate,
    combination,
    cover,
    crammer_singer,
    crammer_singer_by_symmetry,
    far_out,
    hinge_apart,
    hinge_for_zero_one,
    hinge_with_sign_by_symmetry,
    known,
    leaf,
    numbers,
    pairs_of_hinges,
    rows,
    second,
    unit,
    weights,
    zero_one,
)


def changed(name: str, *path: Any, to: Any) -> dict[str, Any]:
    """A handmade certificate with another value at a path; a path ends with a new key or index, too."""
    result = copy.deepcopy(ALL[name])
    holder = result
    for key in path[:-1]:
        holder = holder[key]
    if isinstance(holder, list) and path[-1] == len(holder):
        holder.append(to)
    else:
        holder[path[-1]] = to
    return result


def perceptrons(margin: int) -> list[Any]:
    """(margin − u_c)₊ and (margin + u_c)₊: without a margin all labels are content with u = 0."""
    return [
        [[numbers([0] * 4), numbers([margin, *(-w * (i == c) for i in range(3))])] for c, w in enumerate(row) if w]
        for row in WINS
    ]


def lines(side: int) -> list[Any]:
    """Hinges that never end on one side: ±u_c alone, where the other side has both pieces."""
    terms = perceptrons(1)
    return [
        [maximum[1:] if any(Fraction(x) * side > 0 for x in maximum[1][1:]) else maximum for maximum in maxima]
        for maxima in terms
    ]


def absolute_without_regions(version: int) -> dict[str, Any]:
    """|u − y| for y = 1, 2, 3 is not calibrated for 0-1; with no region at all nothing is ever wrong."""
    terms = [[[numbers([-y, 1]), numbers([y, -1])]] for y in (1, 2, 3)]
    surrogate = {"dim": 1, "terms": terms, "inequalities": [], "equations": []}
    cells = [{"u": [str(y)]} for y in (1, 2, 3)]
    half = Fraction(1, 2)
    vertices = [weights(unit(3, y), [(y, 0, 0, half), (y, 0, 1, half)]) for y in range(3)]
    for y, z in ((0, 1), (0, 2), (1, 2)):
        vertices.append(weights(unit(3, y, z), [(y, 0, 0, half), (z, 0, 1, half)]))
    evidence: dict[str, Any] = {"cells": cells, "vertices": vertices, "apart": []}
    if version == 2:
        evidence |= cover([1], leaf(0, 0))
    pred = {"regions": [[], [], []]}
    return {**certificate("calibrated", zero_one(3), surrogate, evidence, pred=pred), "version": version}


def crammer_singer_with_a_gap(version: int) -> dict[str, Any]:
    """Not calibrated for 0-1, n = 3; but where it goes wrong, at u = 0, these regions are not."""
    tops = [
        [["-1/100" if c == 0 else str(int(c == t + 1) - int(c == j + 1)) for c in range(4)] for j in range(3) if j != t]
        for t in range(3)
    ]
    pred = {"regions": [[{"inequalities": top, "equations": []}] for top in tops]}
    half = Fraction(1, 2)
    cells = [{"u": numbers(u)} for u in ([0, 0, 0], *(unit(3, t) for t in range(3)))]
    vertices = [weights(unit(3, t), [(t, 0, t, 1)]) for t in range(3)]
    vertices += [weights(unit(3, s, t), [(s, 0, t, half), (t, 0, s, half)]) for s, t in ((0, 1), (0, 2), (1, 2))]
    apart = []
    for t in range(3):  # at e_t it says s: u_s − u_t ≥ 1/100 gives 1 + u_s − u_t ≥ 1
        for s in (x for x in range(3) if x != t):
            row = [j for j in range(3) if j != s].index(t)
            apart.append({"prediction": s, "piece": 0, **weights(unit(3, t), [(t, 0, s, 1)], inequalities=[(row, 1)])})
    for s, t in ((0, 1), (0, 2), (1, 2)):  # at (e_s + e_t)/2 it says the third
        third = 3 - s - t
        near = [j for j in range(3) if j != third]
        pieces = [(s, 0, third, half), (t, 0, third, half)]
        multipliers = [(near.index(s), half), (near.index(t), half)]
        apart.append({"prediction": third, "piece": 0, **weights(unit(3, s, t), pieces, inequalities=multipliers)})
    evidence: dict[str, Any] = {"cells": cells, "vertices": vertices, "apart": apart}
    if version == 2:
        by = [numbers([0, *(int(c == t) for c in range(3))]) for t in range(3)]
        each = [combination(path=[(k, 1)]) for k in (0, 1)]
        evidence |= cover([3, 2, 1], {"by": by, "parts": [leaf(t, 0, *each) for t in range(3)]})
    return {**certificate("calibrated", zero_one(3), crammer_singer(3), evidence, pred=pred), "version": version}


def without_regions(theorem: str, version: int) -> dict[str, Any]:
    n = 2 if theorem == "binary margin" else 3
    evidence = cover(unit(n, *range(n)), leaf(0, 0)) if version == 2 else {}
    pred: dict[str, Any] = {"regions": [[] for _ in range(n)]}
    return {**certificate("calibrated", zero_one(n), known(theorem, n), evidence, pred=pred), "version": version}


def gap_where_no_score_falls() -> dict[str, Any]:
    """Said is 0 for u ≥ 1, 1 for u ≤ −1, and nothing in between; the scores u − 1 and 0 fall where u ≥ 1."""
    result = hinge_with_sign_by_symmetry({"regions": [[rows([-1, 1])], [rows([-1, -1])]]})
    evidence = {**result["evidence"], "scores": [numbers([-1, 1]), numbers([0, 0])]}
    return {**result, "evidence": {**evidence, **cover([2], leaf(0, 0, combination(inequalities=[(0, 1)])))}}


def in_version_1_at(first: Any, only: Any = None) -> dict[str, Any]:
    """At u = 1 the hinge is optimal for (3/4, 1/4), where 1 is wrong; but first it says 0."""
    surrogate = hinge_for_zero_one()["surrogate"]
    point = weights(["3/4", "1/4"], [(0, 0, 0, "1/2"), (0, 0, 1, "1/4"), (1, 0, 1, "1/4")])
    evidence = {"u": ["1"], "points": [point], "better": 0, "prediction": 1, "piece": 0}
    pred = {"regions": [first, [rows(*([] if only is None else [only]))]]}
    return certificate("not calibrated", zero_one(2), surrogate, evidence, pred=pred)


FAR = "far out, pred"
SORTED = "symmetry, pred: argmax"
COVER = ("evidence", "cover")
TREE = (*COVER, "tree")
NOWHERE = rows([-1, -1])
ONE, TWO = "v2: sign", "v2: sign, thin"
ALL_EQUAL = [[0, -1, 0, 1], [0, 0, -1, 1]]


def regret_in_version_1() -> dict[str, Any]:
    """Without a cover, nobody knows what is decided where no region is."""
    result = copy.deepcopy(ALL["regret: hinge"])
    del result["evidence"]["above"]["cover"]
    return {**result, "version": 1}


def regret_at_a_u_outside() -> dict[str, Any]:
    """The hinge with a second coordinate that must be 0 and is 5."""
    result: dict[str, Any] = copy.deepcopy(ALL["regret: hinge"])
    surrogate, evidence = result["surrogate"], result["evidence"]
    surrogate |= {"dim": 2, "equations": [numbers([0, 0, 1])]}
    pieces = [piece for region in result["pred"]["regions"] for piece in region]
    tree, (attained,) = evidence["above"]["cover"]["tree"], evidence["attained"]
    lists = [piece for maxima in surrogate["terms"] for maximum in maxima for piece in maximum]
    lists += [row for piece in pieces for row in piece["inequalities"]]
    lists += [*tree["by"], evidence["above"]["cover"]["point"], attained["toward"]]
    for each in (*lists, *(cell["u"] for cell in evidence["above"]["cells"])):
        each.append("0")
    attained["u"].append("5")
    return result


REGRET, ATTAINED, ABOVE = "regret: hinge", ("evidence", "attained", 0), ("evidence", "above")
REGRETS = {
    "a regret that is too large": changed(REGRET, "hull", to=[["1", "2"]]),
    "a regret that is too small": changed(REGRET, "hull", to=[["1", "1/2"]]),
    "a hull that ends before the largest regret": changed("regret: not calibrated", "hull", 1, to=["2", "1/5"]),
    "a hull without its last point": changed("regret: not calibrated", "hull", to=[["3/2", "0"]]),
    "a hull with a point twice": {
        **changed(REGRET, "hull", to=[["1", "1"]] * 2),
        "evidence": {**ALL[REGRET]["evidence"], "attained": ALL[REGRET]["evidence"]["attained"] * 2},
    },
    "a hull that falls": changed("regret: not calibrated", "hull", to=[["3/2", "1"], ["4", "0"]]),
    "a hull that is not convex": changed("regret: not calibrated", "hull", to=[["3/2", "3/4"], ["4", "1"]]),
    "a point that nobody attains": changed(REGRET, "evidence", "attained", to=[]),
    "attained by another prediction": changed(REGRET, *ATTAINED, "prediction", to=0),
    "attained at another u": changed(REGRET, *ATTAINED, "u", to=["-1"]),
    "attained at another p": changed(REGRET, *ATTAINED, "p", to=["0", "1"]),
    "attained with another least risk": changed(REGRET, *ATTAINED, "pieces", to=[[0, 0, 1, "1"]]),
    "attained where another region decides": changed(REGRET, *ATTAINED, "toward", to=["1"]),
    "attained outside the domain": regret_at_a_u_outside(),
    "nothing keeps a region above": changed(REGRET, *ABOVE, "apart", to=[]),
    "regrets without a cover": changed(
        REGRET, *ABOVE, to={k: v for k, v in ALL[REGRET]["evidence"]["above"].items() if k != "cover"}
    ),
    "regrets in version 1": regret_in_version_1(),
    "regrets without a pred": {k: v for k, v in ALL[REGRET].items() if k != "pred"},
    "regrets within a set": {**ALL[REGRET], "within": [rows([1, -1])]},
    "regrets by a theorem": {
        **ALL["theorem: cost-weighted, argmax"],
        "claim": "regret",
        "hull": [],
        "evidence": {"attained": [], "above": ALL["theorem: cost-weighted, argmax"]["evidence"]},
    },
    "regrets of a mean": {
        **ALL["v2: mean"],
        "claim": "regret",
        "hull": [],
        "evidence": {"attained": [], "above": ALL["v2: mean"]["evidence"]},
    },
    "regrets of tangents": changed(REGRET, "surrogate", "tangents", to=True),
    "a hull without its claim": {**ALL["v2: sign"], "hull": []},
    "the claim without a hull": {k: v for k, v in ALL[REGRET].items() if k != "hull"},
    "regrets of another loss": {**ALL["regret: symmetry"], "loss": {"entries": [["0", "2"], ["2", "0"]]}},
}


def function_at_a_u_outside() -> dict[str, Any]:
    """The hinge with a second coordinate that must be 0 and is 5."""
    result: dict[str, Any] = copy.deepcopy(ALL["function: hinge"])
    surrogate, evidence = result["surrogate"], result["evidence"]
    surrogate |= {"dim": 2, "equations": [numbers([0, 0, 1])]}
    tree, (attained,) = evidence["cover"]["tree"], evidence["attained"]
    parts = [evidence["all"], *(part for region in evidence["pieces"] for part in region)]
    lists = [piece for maxima in surrogate["terms"] for maximum in maxima for piece in maximum]
    lists += [row for region in result["pred"]["regions"] for piece in region for row in piece["inequalities"]]
    lists += [*tree["by"], evidence["cover"]["point"], attained["toward"]]
    for each in (*lists, *(cell["u"] for part in parts for cell in part["cells"])):
        each.append("0")
    attained["u"].append("5")
    return result


def of_function(name: str, **evidence: Any) -> dict[str, Any]:
    """A handmade calibration function with other evidence."""
    return {**ALL[name], "evidence": {**ALL[name]["evidence"], **evidence}}


def without_a_cell(t: int, j: int) -> dict[str, Any]:
    """The jump with one u of a region left out, and with it the vertex in the middle: there are only the corners."""
    result: dict[str, Any] = copy.deepcopy(ALL[JUMP])
    part = result["evidence"]["pieces"][t][0]
    del part["cells"][j], part["vertices"][2]
    return result


def by_a_row(theorem: str, entries: Any, row: Any, point: Any) -> dict[str, Any]:
    """Prediction 0 where the row is not negative, else 1: right for estimates, not for what a theorem tells."""
    negated = [-x for x in row]
    half = combination(path=[(0, "1/2")])
    tree = branch([row, negated], leaf(0, 0, half), leaf(1, 0, half))
    pred = {"regions": [[rows(row)], [rows(negated)]]}
    loss = {"entries": [numbers(each) for each in entries]}
    given = certificate("calibrated", loss, known(theorem, len(point)), cover(point, tree), pred=pred)
    return {**given, "version": 2}


def near_a_point_inside_an_earlier_region() -> dict[str, Any]:
    """The sign of the hinge is right. At u = 1 it says 0, though 1 far from u, on the way to −1."""
    point = weights(["3/4", "1/4"], [(0, 0, 0, "1/2"), (0, 0, 1, "1/4"), (1, 0, 1, "1/4")])
    evidence = {"u": ["1"], "points": [point], "better": 0, "prediction": 1, "piece": 0, "toward": ["-1"]}
    pred = {"regions": [[rows([0, 1])], [rows()]]}
    surrogate = hinge_for_zero_one()["surrogate"]
    return {**certificate("not calibrated", zero_one(2), surrogate, evidence, pred=pred), "version": 2}


def tangents_that_count_twice() -> dict[str, Any]:
    """(u − y)² with the threshold 1/2 is right for two labels. With the tangent of label 1 twice, 1/2 seems to be
    optimal at (2/3, 1/3), where it is right to say 0."""
    tangents = [numbers(["-1/4", 1]), numbers(["3/4", -1])]
    terms = [[[tangents[0]]], [[tangents[1]], [tangents[1]]]]
    surrogate = {"dim": 1, "terms": terms, "inequalities": [], "equations": [], "tangents": True}
    pred = {"regions": [[rows(["1/2", -1])], [rows(["-1/2", 1])]]}
    point = weights(["2/3", "1/3"], [(0, 0, 0, "2/3"), (1, 0, 0, "1/3"), (1, 1, 0, "1/3")])
    evidence = {"u": ["1/2"], "points": [point], "prediction": 1, "piece": 0, "toward": ["1"], "better": 0}
    return {**certificate("not calibrated", zero_one(2), surrogate, evidence, pred=pred), "version": 2}


SCORES = {
    "tangents that count twice": tangents_that_count_twice(),
    "an order by one score": by_a_row("order", [[0, 0], [1, 0]], [-1, 1, 0], [2, 0]),
    "the largest by one score": by_a_row("largest", [[0, 0], [1, 0]], [-1, 1, 0], [2, 0]),
    "an order by twice a score": by_a_row("order", [[0, 2], [1, 0]], [0, 2, -1], [1, 0]),
    "an order by a mean of scores": by_a_row("order", [[0, 2], [1, 0], [1, 0]], [0, 2, -1, -1], [1, 0, 0]),
    "signs by a comparison": by_a_row("signs", [[0, 1], [1, 0]], [0, 1, -1], [1, 0]),
    "signs by nothing": changed("signs", "pred", "regions", 1, 1, to=rows([-1, 0])),
    "the largest by an equation": changed("largest", "pred", "regions", 2, 1, to=rows(equations=ALL_EQUAL)),
    "the largest by nothing": changed("largest", "pred", "regions", 2, 1, to=rows()),
    "far out, with a pred": {
        **far_out(),
        "pred": {"regions": [[rows()], [], []]},
        "evidence": {
            "u": ["0"],
            "points": [{"p": ["0", "1", "0"]}],
            "better": 1,
            "prediction": 0,
            "piece": 0,
            "toward": ["0"],
        },
    },
    "what is told refutes nothing, whatever the pred": changed(
        "mean: not calibrated", "surrogate", "theorem", to="told"
    ),
    "an order of nothing": {
        **ALL["order, not calibrated"],
        "surrogate": {**known("order", 2), "weights": ["1", "0"]},
        "loss": zero_one(2),
        "evidence": {
            **ALL["order, not calibrated"]["evidence"],
            "u": ["1", "0"],
            "points": [{"p": ["0", "1"]}],
            "better": 1,
            "toward": ["1", "0"],
        },
    },
    "a mean with a negative weight": {
        **ALL["a free label"],
        "surrogate": {"estimates": [["0"], ["2"]], "weights": ["1", "-1"], "theorem": "mean"},
        "loss": zero_one(2),
        "evidence": {"affine": [["0", "0"], ["1", "0"]]},
    },
    "a point inside an earlier region": near_a_point_inside_an_earlier_region(),
    "no regret, whatever the pred": {
        **hinge_for_zero_one(),
        "version": 2,
        "claim": "regret",
        "hull": [],
        "evidence": {"attained": [], "above": hinge_for_zero_one()["evidence"]},
    },
}


SLOPE, JUMP, PIECES = "function: hinge", "function: jump", ("evidence", "pieces")
ONE_PLACE, OTHER_PLACE = ALL[JUMP]["evidence"]["attained"]
FUNCTIONS = {
    "δ too small": changed(SLOPE, "delta", to=[["1", "0", "1/2"]]),
    "δ too small just above a jump": changed(JUMP, "delta", 1, to=["2", "1/10", "9/5"]),
    "δ too large just above 0": changed(SLOPE, "delta", to=[["1", "1/2", "1"]]),
    "δ too large, attained by another u": {
        **of_function(SLOPE, attained=[{**ALL[SLOPE]["evidence"]["attained"][0], "u": ["-1"]}]),
        "delta": [["1", "0", "2"]],
    },
    "δ without its jump": {
        **of_function(JUMP, attained=[OTHER_PLACE]),
        "delta": [["2", "0", "9/5"]],
    },
    "δ without its last piece": {**of_function(JUMP, attained=[ONE_PLACE]), "delta": [["1", "0", "1/10"]]},
    "δ without its first piece": {**of_function(JUMP, attained=[OTHER_PLACE]), "delta": [["2", "9/10", "9/5"]]},
    "δ with a piece twice": {
        **of_function(SLOPE, attained=ALL[SLOPE]["evidence"]["attained"] * 2),
        "delta": [["1", "0", "1"], ["1", "1", "1"]],
    },
    "δ beyond the largest regret": changed(SLOPE, "delta", to=[["2", "0", "2"]]),
    "δ of nothing": {**of_function(SLOPE, attained=[]), "delta": []},
    "δ of something where nothing is lost": {
        **of_function("function: nothing lost", attained=ALL[SLOPE]["evidence"]["attained"]),
        "delta": [["1", "0", "1"]],
    },
    "a jump that is moved to the left": changed(JUMP, "delta", to=[["1/2", "0", "1/20"], ["2", "9/20", "9/5"]]),
    "a jump that is moved to the right": changed(JUMP, "delta", to=[["3/2", "0", "3/20"], ["2", "27/20", "9/5"]]),
    "pieces of δ exchanged": changed(JUMP, "delta", to=ALL[JUMP]["delta"][::-1]),
    "a piece of δ that nobody attains": of_function(JUMP, attained=[ONE_PLACE]),
    "pieces of δ attained the other way round": of_function(JUMP, attained=[OTHER_PLACE, ONE_PLACE]),
    "δ attained against itself": changed(SLOPE, *ATTAINED, "instead", to=1),
    "δ attained against nobody": changed(SLOPE, *ATTAINED, "instead", to=2),
    "δ attained where another region decides": changed(SLOPE, *ATTAINED, "toward", to=["0"]),
    "δ attained outside the domain": function_at_a_u_outside(),
    "no cells of a region": changed(JUMP, *PIECES, 1, to=[]),
    "no regions": changed(JUMP, *PIECES, to=[]),
    "cells of a region twice": changed(JUMP, *PIECES, 1, 1, to=ALL[JUMP]["evidence"]["pieces"][1][0]),
    "cells of regions exchanged": of_function(JUMP, pieces=ALL[JUMP]["evidence"]["pieces"][::-1]),
    "cells of everything for a region": changed(JUMP, *PIECES, 1, 0, to=ALL[JUMP]["evidence"]["all"]),
    "cells of a region for everything": of_function(JUMP, all=ALL[JUMP]["evidence"]["pieces"][0][0]),
    **{f"cell {j} of region {t} left out": without_a_cell(t, j) for t in (0, 1) for j in (0, 1)},
    "another region": changed(JUMP, "pred", "regions", 1, 0, to=rows(["-1/5", 1])),
    "a region that hides another": changed(JUMP, "pred", "regions", 0, 0, to=rows([1, -1])),
    "δ of regions with a gap": changed(SLOPE, "pred", "regions", 0, 0, to=rows(["-1/100", 1])),
    "δ without a cover": {
        **ALL[JUMP],
        "evidence": {k: v for k, v in ALL[JUMP]["evidence"].items() if k != "cover"},
    },
    "δ in version 1": {**ALL[SLOPE], "version": 1},
    "δ without a pred": {k: v for k, v in ALL[SLOPE].items() if k != "pred"},
    "δ within a set": {**ALL[SLOPE], "within": [rows([1, -1])]},
    "δ of tangents": changed(SLOPE, "surrogate", "tangents", to=True),
    "δ of a mean": {**ALL["v2: mean"], "claim": "calibration function", "delta": []},
    "δ and a hull": {**ALL[SLOPE], "hull": [["1", "1"]]},
    "a hull and δ": {**ALL[REGRET], "delta": [["1", "0", "1"]]},
    "δ of another claim": {**ALL[SLOPE], "claim": "regret"},
    "the claim without δ": {k: v for k, v in ALL[SLOPE].items() if k != "delta"},
    "δ of another loss": {**ALL[SLOPE], "loss": {"entries": [["0", "2"], ["2", "0"]]}},
    "δ by symmetry": changed(SLOPE, "evidence", "all", "blocks", to=[]),
}


ON_THE_WAY = ALL["on the way"]
WAY = ON_THE_WAY["evidence"]["along"][0]
ATTACKS: dict[str, dict[str, Any]] = {
    **REGRETS,
    **FUNCTIONS,
    **SCORES,
    **{f"absolute without regions, v{v}": absolute_without_regions(v) for v in (1, 2)},
    **{f"Crammer–Singer with a gap, v{v}": crammer_singer_with_a_gap(v) for v in (1, 2)},
    **{
        f"{theorem} without regions, v{v}": without_regions(theorem, v)
        for theorem in ("proper composite", "binary margin")
        for v in (1, 2)
    },
    "within nothing": {**ALL["within: calibrated"], "within": []},
    "within a set that is empty": {**ALL["within: calibrated"], "within": [NOWHERE]},
    "within a set that is empty, with a pred": {
        **ALL[ONE],
        "within": [NOWHERE],
        "evidence": {**ALL[ONE]["evidence"], "apart": []},
    },
    "within a set that is empty, known": {**ALL["v2: mean"], "within": [rows([-1, -1, -1])]},
    "within a set that is empty, affine": {**ALL["mean: calibrated"], "within": [rows([-1, -1, -1])]},
    "within a set that is empty, not calibrated": {**ALL["within: not calibrated"], "within": [NOWHERE]},
    # Trees.
    "a branch that repeats a function": changed(ONE, *TREE, "by", 1, to=["0", "1"]),
    "a branch with one function": changed(ONE, *TREE, to={"by": [["0", "1"]], "parts": [leaf(0, 0, FIRST)]}),
    "a branch without functions": changed(ONE, *TREE, to={"by": [], "parts": []}),
    "a branch with a part too few": changed(ONE, *TREE, "parts", to=[leaf(0, 0, FIRST)]),
    "a branch with a part too many": changed(ONE, *TREE, "parts", 2, to=leaf(1, 0, FIRST)),
    "a function too long": changed(ONE, *TREE, "by", 1, to=["0", "0", "0"]),
    "a point that ties": changed(ONE, *COVER, "point", to=["0"]),
    "a point that ties at a branch below": changed("v2: interval", *COVER, "point", to=["0"]),
    "a point outside the domain": changed("v2: interval", *COVER, "point", to=["3/2"]),
    "a point off the equation": changed("v2: equation", *COVER, "point", to=["1"]),
    "a point outside X": changed("v2: bounded mean", *COVER, "point", to=["-1"]),
    "a point outside Δ": changed("v2: argmax", *COVER, "point", to=["1/2", "1/3", "1/5"]),
    "a point with a negative probability": changed("v2: argmax", *COVER, "point", to=["3/2", "1/3", "-5/6"]),
    "a point too long": changed(ONE, *COVER, "point", to=["1", "0"]),
    "thin without the path": changed(TWO, *TREE, "parts", 1, "thin", "path", to=[]),
    "thin by the domain alone": changed(
        "v2: interval", *TREE, "parts", 0, "thin", to=combination(inequalities=[(0, 1), (1, 1)])
    ),
    "thin without anything": changed(ONE, *TREE, "parts", 1, to={"thin": combination()}),
    "thin, but not constant": changed(TWO, *TREE, "parts", 1, "thin", "path", to=[[0, "1"]]),
    "thin, but the constant is positive": changed(TWO, *TREE, "by", 1, to=["1/2", "0"]),
    "thin as a whole": changed(ONE, *TREE, to={"thin": combination()}),
    "thin with more": changed(TWO, *TREE, "parts", 1, "piece", to=0),
    "a negative multiplier on the path": changed(ONE, *TREE, "parts", 0, "rows", 0, "path", 0, 1, to="-1"),
    "a multiplier of 0 on the path": changed(TWO, *TREE, "parts", 0, "rows", 0, "path", 1, to=[1, "0"]),
    "a negative multiplier on the domain": changed(
        "v2: interval", *TREE, "parts", 0, "thin", "inequalities", to=[[1, "-1"]]
    ),
    "a thin leaf by a negative multiplier": changed(
        "v2: interval", *TREE, "parts", 1, to={"thin": combination(path=[(0, 1)], inequalities=[(1, -1)])}
    ),
    "a multiplier of 0 on an equation": changed("v2: equation", *TREE, "rows", 0, "equations", 0, 1, to="0"),
    "an inequality of the path twice": changed(ONE, *TREE, "parts", 0, "rows", 0, "path", to=[[0, "1/2"], [0, "1/2"]]),
    "an inequality of the path that is not there": changed(ONE, *TREE, "parts", 0, "rows", 0, "path", to=[[1, "1"]]),
    "the path of a neighbour": changed(TWO, *TREE, "parts", 0, "rows", 0, "path", to=[[2, "1"]]),
    "a row of the domain that is not there": changed(
        ONE, *TREE, "parts", 0, "rows", 0, to=combination(inequalities=[(0, 1)])
    ),
    "leaves exchanged": changed(ONE, *TREE, "parts", to=ALL[ONE]["evidence"]["cover"]["tree"]["parts"][::-1]),
    "no row for the sign − of an equation": changed(
        "v2: equation", *TREE, "rows", to=ALL["v2: equation"]["evidence"]["cover"]["tree"]["rows"][:1]
    ),
    "the sign + of an equation twice": changed(
        "v2: equation", *TREE, "rows", 1, to=ALL["v2: equation"]["evidence"]["cover"]["tree"]["rows"][0]
    ),
    "a row too few": changed("v2: mean", *TREE, "parts", 1, "rows", to=[combination(path=[(0, "1/2")])]),
    "a sum that exceeds the row": changed("v2: mean", "pred", "regions", 0, 0, to=rows(["1/4", -1])),
    "a piece that is not there": changed(ONE, *TREE, "parts", 0, "piece", to=1),
    "a piece before the first": changed(ONE, *TREE, "parts", 0, "piece", to=-1),
    "a prediction that is not there": changed(ONE, *TREE, "parts", 0, "prediction", to=2),
    "a piece that is no number": changed(ONE, *TREE, "parts", 0, "piece", to=False),
    "a leaf without rows": changed(ONE, *TREE, "parts", 0, to={"prediction": 0, "piece": 0}),
    "a leaf that is a list": changed(ONE, *TREE, "parts", 0, to=[]),
    "a leaf that is nothing": changed(ONE, *TREE, "parts", 0, to=None),
    "no tree": changed(ONE, *COVER, to={"point": ["1"]}),
    "a gap between the regions": changed(ONE, "pred", "regions", 0, 0, to=rows(["-1/100", 1])),
    "a gap between the regions of a mean": changed(
        "v2: mean", "pred", "regions", 1, 0, to=rows(["-3/5", 1], ["3/2", -1])
    ),
    "rows for a piece that has none": changed("v2: mean on a line", "pred", "regions", 0, 0, to=rows()),
    # Refutations of a pred.
    "hidden by an earlier region": changed("v2: earlier region", "evidence", "toward", to=["2"]),
    "hidden by an earlier region at u itself": changed("v2: earlier region", "evidence", "toward", to=["1"]),
    "hidden by a region without rows": changed("v2: earlier region", "pred", "regions", 0, to=[rows()]),
    "hidden by a second piece": changed("v2: earlier region", "pred", "regions", 0, 1, to=rows([0, 1])),
    "hidden by an equation": changed("v2: earlier region", "pred", "regions", 0, 1, to=rows(equations=[[0, 0]])),
    "inside an earlier region": changed("v2: earlier region", "pred", "regions", 0, 0, to=rows([0, 1])),
    "toward leaves the piece": changed("v2: late threshold", "evidence", "toward", to=["1"]),
    "toward leaves the domain": {
        **changed("v2: earlier region", "evidence", "toward", to=["0"]),
        "surrogate": {**ALL["v2: earlier region"]["surrogate"], "inequalities": [["-1", "1"]]},
    },
    "toward is too long": changed("v2: earlier region", "evidence", "toward", to=["0", "0"]),
    "toward is not strictly in X": changed(
        "v2: bounded mean, not calibrated", "surrogate", "inequalities", 2, to=["1", "-1"]
    ),
    "toward is off the equation of X": {
        **second(ALL["mean, pred: not calibrated"], toward=["1"]),
        "surrogate": {**ALL["v2: bounded mean"]["surrogate"], "equations": [["-4/5", "1"]]},
    },
    "toward is on the boundary of Δ": changed("v2: half", "evidence", "toward", to=["1", "0"]),
    "toward is outside Δ": changed("v2: half", "evidence", "toward", to=["2", "1"]),
    "toward is negative": changed("v2: half", "evidence", "toward", to=["2", "-1"]),
    "u outside the piece": changed("v2: late threshold", "evidence", "piece", to=0),
    "u outside the domain": {
        **ALL["v2: late threshold"],
        "surrogate": {**ALL["v2: late threshold"]["surrogate"], "inequalities": [["0", "1"]]},
    },
    # X.
    "an estimate outside X": changed("v2: bounded mean", "surrogate", "inequalities", 1, to=["1", "-1"]),
    "an estimate off the equation of X": changed("v2: mean on a line", "surrogate", "estimates", 1, to=["1", "2"]),
    "X of probabilities": changed("v2: argmax", "surrogate", "inequalities", to=[]),
    "X in version 1": {**ALL["mean: calibrated"], "surrogate": ALL["v2: bounded mean"]["surrogate"]},
    # Versions.
    "version 1 with a cover": {**ALL[ONE], "version": 1},
    "version 1 with toward": {**ALL["v2: half"], "version": 1},
    "version 2 without a cover": {**ALL["pred: calibrated"], "version": 2},
    "version 2 without a cover, known": {**ALL["mean, pred: calibrated"], "version": 2},
    "version 2 without toward": {**ALL["pred: not calibrated"], "version": 2},
    **{
        f"version {v!r}": {**ALL["hinge for zero_one"], "version": v}
        for v in (True, 2.0, 1.0, "2", 0, 3, -1, None, [2])
    },
    "another format": {**hinge_for_zero_one(), "format": "lossmith"},
    "another claim": {**hinge_for_zero_one(), "claim": "Calibrated"},
    "a cover without a pred": second(hinge_for_zero_one(), **cover([1], leaf(0, 0))),
    # The rest.
    "a point that is no vertex": changed(
        "hinge for zero_one",
        "evidence",
        "vertices",
        3,
        to=weights(["3/4", "1/4"], [(0, 0, 0, "1/2"), (0, 0, 1, "1/4"), (1, 0, 1, "1/4")]),
    ),
    "a proof for a p that is no vertex": changed(
        "pred: calibrated", "evidence", "apart", 2, to=hinge_apart(["3/4", "1/4"], 1)
    ),
    "a weight of 0": changed("hinge for zero_one", "evidence", "vertices", 0, "pieces", 1, to=[0, 0, 1, "0"]),
    "a negative probability": {
        **ALL["mean: not calibrated"],
        "evidence": {
            "u": ["1"],
            "points": [{"p": ["1", "-1", "1"]}, {"p": ["0", "1", "0"]}],
            "better": [[0, 1, 1], [1, 0, 0], [2, 1, 1]],
        },
    },
    "a weight of 0 hides a label": certificate(
        "calibrated",
        {"entries": [["0", "1"], ["0", "0"]]},
        {"estimates": [["0"], ["1"]], "weights": ["1", "0"], "theorem": "mean"},
        {"affine": [["0", "0"], ["1", "0"]]},
    ),
    "a cell outside the domain": changed("hinge for zero_one", "surrogate", "inequalities", to=[["0", "1"]]),
    "a piece twice": changed(
        "hinge for zero_one", "evidence", "vertices", 0, "pieces", to=[[0, 0, 0, "1/2"], [0, 0, 0, "1/2"]]
    ),
    "a row of the domain twice": changed(
        "signed multiplier", "evidence", "vertices", 0, "equations", to=[[0, "5"], [0, "1"]]
    ),
    "an unknown theorem about probabilities": certificate(
        "calibrated", zero_one(2), known("truth", 2), {"affine": [["0", "0", "0"], ["0", "1", "-1"]]}
    ),
    "probabilities exchanged": certificate(
        "calibrated",
        zero_one(2),
        {"estimates": [["0", "1"], ["1", "0"]], "theorem": "proper composite"},
        {"affine": [["0", "0", "0"], ["0", "-1", "1"]]},
    ),
    "weights that are not positive": {
        **ALL["v2: weighted mean"],
        "surrogate": {**ALL["v2: weighted mean"]["surrogate"], "weights": ["4", "0"]},
    },
    "weights of probabilities": {
        **ALL["proper composite: calibrated"],
        "surrogate": {**ALL["proper composite: calibrated"]["surrogate"], "weights": ["1", "1", "2"]},
    },
    "other weights": {
        **ALL["v2: weighted mean"],
        "surrogate": {**ALL["v2: weighted mean"]["surrogate"], "weights": ["1", "1"]},
    },
    # Votes.
    "votes for another loss": changed("votes", "loss", to=DISTANCE),
    "votes against": changed("votes", "surrogate", to=pairs_of_hinges([-1, -1, 0], [1, 0, -1], [0, 1, 1])),
    "votes on what is not told": changed("votes", "surrogate", to=pairs_of_hinges([1, 0, 0], [-1, 0, 1], [0, 0, -1])),
    "votes of other weights": changed("votes", "surrogate", to=pairs_of_hinges([2, 1, 0], [-1, 0, 1], [0, -1, -1])),
    "votes of a label that should not care": changed(
        "votes", "surrogate", to=pairs_of_hinges([1, 1, 1], [-1, 0, 1], [0, -1, -1])
    ),
    "votes of perceptrons": changed("votes", "surrogate", "terms", to=perceptrons(0)),
    "votes of scores that fall without end": changed("votes", "surrogate", "terms", to=lines(-1)),
    "votes of scores that rise without end": changed("votes", "surrogate", "terms", to=lines(1)),
    "votes of scores together": changed(
        "votes", "surrogate", "terms", 0, to=[[numbers([0] * 4), numbers([1, -1, 0, 0]), numbers([1, 0, -1, 0])]]
    ),
    "votes where a score must not be positive": changed(
        "votes", "surrogate", "inequalities", to=[numbers([0, -1, 0, 0])]
    ),
    "votes where a score is 0": changed("votes", "surrogate", "equations", to=[numbers([0, 1, 0, 0])]),
    "votes with evidence": changed("votes", "evidence", to={"cells": []}),
    "votes by a theorem": changed("votes", "evidence", to={"theorem": "cost-weighted hinge"}),
    "votes as a number": changed("votes", "pred", to={"votes": 1}),
    "votes and regions": changed("votes", "pred", to={"votes": True, "regions": [[]] * 3}),
    "votes of too few scores": {**ALL["votes: two labels"], "loss": {"entries": [["0", "1", "1"], ["1", "0", "1"]]}},
    "votes of a sum of scores": changed(
        "votes", "surrogate", "terms", 0, to=[[numbers([0] * 4), numbers([2, -1, -1, 0])]]
    ),  # at (8, 7, 5)/20 the least risk is at u = (−1, 3, 1)
    "votes in version 1": changed("votes", "version", to=1),
    "votes within": changed("votes", "within", to=[rows()]),
    "votes by an order": changed("votes: signs", "surrogate", "theorem", to="order"),
    "votes by what is far out": changed("votes: signs, not calibrated", "surrogate", "theorem", to="told"),
    "votes by tangents": changed("votes", "surrogate", "tangents", to=True),
    "votes against tangents": {
        **changed("votes: not calibrated", "surrogate", "tangents", to=True),
        "surrogate": {**crammer_singer(3), "tangents": True},
    },
    "votes of other weights, told": changed("votes: signs", "surrogate", "weights", to=["1", "2", "2"]),
    "votes at a tie, told": {
        **changed("votes: signs, not calibrated", "evidence", "points", to=[{"p": ["4/9", "1/9", "4/9"]}]),
        "evidence": {"u": ["1/3", "0", "-1/3"], "points": [{"p": ["4/9", "1/9", "4/9"]}], "better": 1},
    },
    "votes at another u": changed("votes: not calibrated", "evidence", "u", to=["-1", "1", "1"]),
    "votes at another estimate": changed("votes: signs, not calibrated", "evidence", "u", to=["2/9", "1/9", "-2/9"]),
    "votes with a prediction": changed("votes: not calibrated", "evidence", "prediction", to=0),
    "votes at two points": changed(
        "votes: not calibrated", "evidence", "points", to=ALL["votes: not calibrated"]["evidence"]["points"] * 2
    ),
    "votes and a worse one": changed("votes: not calibrated", "evidence", "better", to=0),
    "votes and regrets": {**ALL["regret: hinge"], "pred": {"votes": True}},
    "votes and a calibration function": {**ALL["function: hinge"], "pred": {"votes": True}},
    # What only an order tells.
    "far out proves nothing": certificate(
        "calibrated",
        zero_one(2),
        {"estimates": [["0"], ["1"]], "theorem": "far out"},
        {"affine": [["0", "0"], ["1", "-2"]]},
    ),
    "far out on both sides": {
        **far_out(1, -1, 0),
        "evidence": {
            "u": ["0"],
            "points": [{"p": ["1/2", "1/2", "0"]}, {"p": ["0", "0", "1"]}],
            "better": [[0, 1, 2], [1, 1, 2], [2, 0, 0]],
        },
    },
    "not so far out": {
        **far_out(),
        "evidence": {
            "u": ["1/4"],
            "points": [{"p": ["3/4", "0", "1/4"]}, {"p": ["0", "3/4", "1/4"]}],
            "better": [[0, 1, 1], [1, 0, 0], [2, 0, 0]],
        },
    },
    # What is said far out, of squares, and near a point in version 1.
    "far out, said only further out": changed(FAR, "evidence", "u", to=["1", "-1"]),
    "far out, said only here": {
        **changed(FAR, "evidence", "u", to=["1/2", "-1/2"]),
        "pred": {"regions": [[rows([-1, 1, 0])], [rows()], []]},
    },
    "far out, another is said": changed(FAR, "evidence", "prediction", to=2),
    "far out, an earlier one is not": changed(FAR, "evidence", "prediction", to=0),
    "far out, nothing is said": changed(FAR, "pred", "regions", to=[[], [], []]),
    "far out, said until it ends": changed(FAR, "pred", "regions", 1, to=[rows([101, -1, 0])]),
    "far out, said from somewhere": changed(FAR, "pred", "regions", 1, to=[rows([-101, 1, 0])]),
    "far out, another line": changed(FAR, "pred", "regions", 1, to=[rows([0, 1, 0], equations=[[0, 1, 2]])]),
    "far out, excluded until it begins": changed(FAR, "pred", "regions", 0, to=[rows([-101, 1, 0])]),
    "far out, never excluded": changed(FAR, "pred", "regions", 0, to=[rows(equations=[[0, 1, 1]])]),
    "far out, excluded on one side": changed(FAR, "pred", "regions", 0, to=[rows(equations=[[-101, 1, 0]])]),
    "far out, the best is said": changed(FAR, "evidence", "points", 0, "p", to=["0", "1", "0"]),
    "far out, of a label that is not served": changed(FAR, "evidence", "points", 0, "p", to=["0", "0", "1"]),
    "far out, nearly a label that is not served": changed(FAR, "evidence", "points", 0, "p", to=["1/2", "0", "1/2"]),
    "far out, on one side": changed(FAR, "surrogate", "estimates", 2, to=["0", "1"]),
    "far out, a weight": changed(FAR, "surrogate", "weights", to=["1", "1", "2"]),
    "far out, no place": changed(FAR, "evidence", "piece", to=0),
    "far out, two points": changed(FAR, "evidence", "points", to=ALL[FAR]["evidence"]["points"] * 2),
    "far out in version 1": changed(FAR, "version", to=1),
    "far out, calibrated": {**ALL[FAR], "claim": "calibrated", "evidence": cover(["0", "0"], leaf(2, 0))},
    "far out without its pred": {key: value for key, value in ALL[FAR].items() if key != "pred"},
    "far out without its pred, at 0": {
        **{key: value for key, value in ALL["far out"].items() if key != "pred"},
        "evidence": {**ALL["far out"]["evidence"], "u": ["1"]},
    },
    "squares of other centres": changed("squares", "surrogate", "estimates", 1, to=["2"]),
    "squares with a weight of 0": changed("squares", "surrogate", "weights", to=["1", "0", "1"]),
    "squares on a part of the line": changed("squares", "surrogate", "inequalities", to=[["0", "1"]]),
    "squares on a point": changed("squares", "surrogate", "equations", to=[["0", "1"]]),
    "squares of other weights": changed("squares, pred", "surrogate", "weights", to=["3", "1"]),
    "an earlier region decides there": in_version_1_at([rows([0, 1])]),
    "earlier regions decide on both sides": in_version_1_at([rows([-1, 1]), rows([1, -1])]),
    "an earlier region decides everywhere": in_version_1_at([rows()]),
    "an earlier region decides where one can go": in_version_1_at([rows([1, -1])], ["1", "-1"]),
    "at the edge of the probabilities": {
        **certificate(
            "not calibrated",
            {"entries": [["0", "1"], ["0", "0"]]},
            known("proper composite", 2),
            {"u": ["1", "0"], "points": [{"p": ["1", "0"]}], "better": 0, "prediction": 1, "piece": 0},
            pred={"regions": [[], [rows([0, 0, -1])]]},
        ),
    },
    "a margin with another threshold, v1": {
        **ALL["binary margin: calibrated"],
        "loss": {"entries": [["0", "2"], ["3", "0"]]},
        "pred": {"regions": [[rows(["-3/5", 1, 0])], [rows(["3/5", -1, 0])]]},
    },
    "a margin that ends at the edge, v1": {
        **ALL["binary margin: calibrated"],
        "loss": {"entries": [["0", "0"], ["1", "0"]]},
        "pred": {"regions": [[rows([-1, 1, 0])], [rows()]]},
    },
    "a gap between two intervals, v1": {
        **ALL["mean, pred: calibrated"],
        "loss": {"entries": [["0", "0"]] * 3},
        "pred": {"regions": [[rows(["1/4", -1])], [rows(["-1/2", 1])]]},
    },
    "a gap that is a line, v1": certificate(
        "calibrated",
        {"entries": [["0", "0"]] * 2},
        {"estimates": [["0", "0"], ["1", "1"]], "theorem": "mean"},
        {},
        pred={"regions": [[rows([0, 1, 0], [0, 0, 1])], [rows([0, -1, 0])]]},
    ),
    # What is told one way, the first scores, and what is optimal on the way.
    "what is told refutes nothing": {**ALL["proper composite: not calibrated"], "surrogate": known("told", 2)},
    "what is told has no regions": {**ALL["v2: argmax"], "surrogate": known("told", 3)},
    "the first three": {**ALL["first two"], "surrogate": known("first 3", 4)},
    "the first one": {**ALL["first two"], "surrogate": known("largest", 4)},
    "a theorem about tangents": {**ALL["told"], "surrogate": known("along", 2)},
    "on the way, with a pred": {**ON_THE_WAY, "pred": {"regions": [[]] * 4}},
    "on the way, within": {**ON_THE_WAY, "within": [{"inequalities": [], "equations": []}]},
    "on the way, calibrated": {**ON_THE_WAY, "claim": "calibrated"},
    "no way": changed("on the way", "evidence", "along", to=[]),
    "a way of three ends": changed("on the way", "evidence", "along", 0, "p", to=[["1", "0", "0"]] * 3),
    "three slopes": changed("on the way", "surrogate", "along", 0, 0, to=[["0", "0", "0"]] * 3),
    "slopes of a label are missing": changed(
        "on the way", "surrogate", "along", to=ON_THE_WAY["surrogate"]["along"][:2]
    ),
    "a short slope": changed("on the way", "surrogate", "along", 0, 0, 0, to=["0", "0"]),
    "a negative weight on the way": changed(
        "on the way", "evidence", "along", 0, "weights", to=[*WAY["weights"], [0, 0, "-1/4", "0"], [0, 0, "1/4", "0"]]
    ),
    "too much weight on the way": changed(
        "on the way",
        "evidence",
        "along",
        0,
        "weights",
        to=[[y, j, str(2 * Fraction(v)), w] for y, j, v, w in WAY["weights"]],
    ),
    "other ends of the way": changed("on the way", "evidence", "along", 0, "p", to=[["1", "0", "0"]] * 2),
    "slopes in between": changed("on the way", "surrogate", "along", 1, 0, 1, to=["2", "-2", "0"]),
    "better at one end alone": changed("on the way", "evidence", "better", 1, to=[1, 1, 2]),
    "an order as if it told probabilities": certificate(
        "calibrated", zero_one(2), known("order", 2), {"affine": [["0", "0", "0"], ["0", "1", "-1"]]}
    ),
    "an order with a threshold": {
        **certificate(
            "calibrated",
            zero_one(2),
            known("order", 2),
            cover(
                ["1", "0"],
                branch(
                    [["-1/2", 1, 0], ["1/2", -1, 0]],
                    leaf(0, 0, combination(path=[(0, "1/2")])),
                    leaf(1, 0, combination(path=[(0, "1/2")])),
                ),
            ),
            pred={"regions": [[rows(["-1/2", 1, 0])], [rows(["1/2", -1, 0])]]},
        ),
        "version": 2,
    },
    "the largest of some": {**ALL["smallest"], "surrogate": known("largest", 3)},
    "the smallest of one": changed("signs", "surrogate", "theorem", to="smallest"),
    "an order at a tie": {
        **ALL["order, not calibrated"],
        "within": [rows()],
        "evidence": {
            **ALL["order, not calibrated"]["evidence"],
            "u": ["1/2", "1/2"],
            "points": [{"p": ["1/2", "1/2"]}],
            "toward": ["1", "0"],
        },
    },
    "one label": {**hinge_for_zero_one(), "loss": {"entries": [["0", "1"]]}},
    "no names": {**hinge_for_zero_one(), "loss": {**zero_one(2), "labels": ["a", None]}},
    "no name": {**hinge_for_zero_one(), "loss": {**zero_one(2), "name": 0.5}},
    # Labels that are said to be interchangeable.
    "in the chamber label 0 is always best": crammer_singer_by_symmetry(zero_one(3), 0),
    "a label left out of all blocks": {
        **ALL["symmetry: crammer_singer"],
        "loss": zero_one(3),
        "evidence": {
            "blocks": [block([0, 1])],
            "cells": [{"u": ["1", "0", "0"], "prediction": 0}],
            "vertices": crammer_singer_by_symmetry()["evidence"]["vertices"][:2],
        },
    },
    "a label in two blocks": changed("symmetry: two blocks", "evidence", "blocks", 1, to=block([0, 2])),
    "a loss that tells labels apart": changed(
        "symmetry: crammer_singer", "loss", "entries", 2, to=["1", "1", "0", "0"]
    ),
    "a loss that tells one label apart": changed("symmetry: crammer_singer", "loss", "entries", 1, 0, to="0"),
    "a surrogate that tells labels apart": changed(
        "symmetry: crammer_singer", "surrogate", "terms", 2, 0, 0, to=numbers([3, 1, 0, -1])
    ),
    "a domain that tells labels apart": changed(
        "symmetry: crammer_singer", "surrogate", "inequalities", to=[["5", "0", "1", "0"]]
    ),
    "a map that is none": changed("symmetry: a sign", "evidence", "blocks", 0, "maps", 0, to=[]),
    "a map that scales": changed("symmetry: a sign", "evidence", "blocks", 0, "maps", 0, 0, 2, to="-2"),
    "a map that forgets": changed("symmetry: crammer_singer", "evidence", "blocks", 0, "maps", 0, to=[[0, 1, "1"]]),
    "a cell of another chamber": changed(
        "symmetry: crammer_singer", "evidence", "cells", 2, to={"u": ["0", "1", "0"], "prediction": 1}
    ),
    "symmetry in version 1": changed("symmetry: crammer_singer", "version", to=1),
    "symmetry within": changed("symmetry: crammer_singer", "within", to=[rows()]),
    "symmetry with a pred": changed("symmetry: a sign", "pred", to={"regions": [[rows()], []]}),
    # A pred that is said to exchange them, too.
    "a pred that tells labels apart": hinge_with_sign_by_symmetry({"regions": [[rows([1, 1])], [rows([0, -1])]]}),
    "a pred that says more for one label": changed(
        SORTED, "pred", "regions", 0, to=[*ALL[SORTED]["pred"]["regions"][0], rows([0, 1, -1, 0], [1, 1, 0, -1])]
    ),
    "a pred that says less for one label": changed(SORTED, "pred", "regions", 2, to=[]),
    "a pred by an equation instead of an inequality": changed(
        SORTED, "pred", "regions", 2, 0, to=rows([0, -1, 0, 1], equations=[[0, 0, -1, 1]])
    ),
    "regions of the wrong predictions": changed(SORTED, "pred", "regions", to=ALL[SORTED]["pred"]["regions"][::-1]),
    "a gap where no score falls": gap_where_no_score_falls(),
    "scores that are not exchanged": changed(SORTED, "evidence", "scores", 2, to=numbers([1, 0, 0, 1])),
    "scores that are all one": changed(SORTED, "evidence", "scores", to=[numbers([0, 1, 0, 0])] * 3),
    "a score too few": changed(SORTED, "evidence", "scores", to=ALL[SORTED]["evidence"]["scores"][:2]),
    "a score too long": changed(SORTED, "evidence", "scores", 0, to=numbers([0, 1, 0, 0, 0])),
    "without scores that fall": changed(SORTED, "evidence", "scores", to=[numbers([0] * 4)] * 3),
    "no proof for a kind": changed(SORTED, "evidence", "apart", to=ALL[SORTED]["evidence"]["apart"][:1]),
    "a proof for another kind": changed(SORTED, "evidence", "apart", 1, to=ALL[SORTED]["evidence"]["apart"][0]),
    "a block in another order": changed(SORTED, "evidence", "blocks", 0, to=block([1, 0, 2])),
    "a block without its maps": changed(SORTED, "evidence", "blocks", to=[block([y]) for y in range(3)]),
    "symmetry with a pred in version 1": changed(SORTED, "version", to=1),
    "symmetry with a pred within": changed(SORTED, "within", to=[rows()]),
    # Dimensions.
    "guesses of two sizes without a label in common": {
        "format": "lossmith-certificate",
        "version": 2,
        "claim": "ccdim at least",
        "value": 3,
        "loss": {"family": "top_k_costs", "costs": ["1"] * 3, "penalties": ["0", "1/3"], "skipped": 0},
        "evidence": {"weights": ["1"] * 3},
    },
    "names too few": {**hinge_for_zero_one(), "loss": {**zero_one(2), "predictions": ["a"]}},
}
