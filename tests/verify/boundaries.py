"""Certificates on both sides of a boundary: each tells the checker from one in which part of a condition is changed.

Those of `GENUINE` are accepted, those of `FORGED` are not. Some of the latter claim what is true, with a proof that the
format does not allow.
"""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

from attacks import changed
from handmade import (
    ALL,
    WINS,
    abstain,
    block,
    branch,
    by_votes,
    certificate,
    combination,
    cover,
    far_out,
    hinge,
    hinge_for_zero_one,
    hinge_vertices,
    known,
    leaf,
    linear_on_an_interval,
    numbers,
    pairs_of_hinges,
    rows,
    squared_crammer_singer_on_the_way,
    unit,
    weights,
    zero_one,
)
from test_dimension_claims import at_the_middle, branching
from test_dimension_claims import changed as with_evidence
from test_ranking_claims import AT_MOST, average_of_three, claim, gains
from test_set_claims import weighted

import lossmith as lm

TREE = ("evidence", "cover", "tree")


def star(inner: list[int], *lengths: str) -> dict[str, Any]:
    return {"family": "tree_distance", "parents": [0] * len(lengths), "lengths": [*lengths], "inner": inner}


def path(inner: list[int], size: int) -> dict[str, Any]:
    return {"family": "tree_distance", "parents": [*range(size - 1)], "lengths": ["1"] * (size - 1), "inner": inner}


def interval_by_a_negative_multiplier() -> dict[str, Any]:
    """At u = 1 only p with p_0 ≥ 1/2 are optimal. With −1 times the row 1 − u ≥ 0 it seems to be (0, 1), too."""
    points = [
        weights([1, 0], [(0, 0, 0, 1)], inequalities=[(1, 1)]),
        weights([0, 1], [(1, 0, 0, 1)], inequalities=[(1, -1)]),
    ]
    evidence = {"u": ["1"], "points": points, "better": [[0, 1, 1], [1, 0, 0]]}
    return certificate("not calibrated", zero_one(2), linear_on_an_interval(), evidence)


def slopes_that_vanish_in_one_direction() -> dict[str, Any]:
    """ψ = (1 − u, 1 + u) of the first of two coordinates: 0 is optimal at (1/2, 1/2) alone."""
    terms = [[[numbers([1, -1, 0])]], [[numbers([1, 1, 0])]]]
    surrogate = {"dim": 2, "terms": terms, "inequalities": [], "equations": []}
    points = [weights([1, 0], [(0, 0, 0, 1)]), weights([0, 1], [(1, 0, 0, 1)])]
    evidence = {"u": ["0", "0"], "points": points, "better": [[0, 1, 1], [1, 0, 0]]}
    return certificate("not calibrated", zero_one(2), surrogate, evidence)


def a_mean_beside_the_plane(u: str) -> dict[str, Any]:
    """The means of (0, 0), (1, 0) and (2, 0) have the second coordinate 0."""
    surrogate = {"estimates": [["0", "0"], ["1", "0"], ["2", "0"]], "theorem": "mean"}
    evidence = {**ALL["mean: not calibrated"]["evidence"], "u": ["1", u]}
    return certificate("not calibrated", zero_one(3), surrogate, evidence)


def half_of_the_labels() -> dict[str, Any]:
    """Only label 1 is in a block."""
    cells = [{"u": ["-1"], "prediction": 1}]
    evidence = {"blocks": [block([1])], "cells": cells, "vertices": hinge_vertices()[1:2]}
    return {**certificate("calibrated", zero_one(2), hinge(), evidence), "version": 2}


def always_the_first() -> dict[str, Any]:
    """The row x_0 ≥ 0 does not vanish at (1/2, 1/2): of a margin only the side is known."""
    loss = {"entries": [["0", "1"], ["0", "1"]]}
    evidence = cover(["2/3", "1/3"], leaf(0, 0, combination(inequalities=[(0, 1)])))
    pred = {"regions": [[rows([0, 1, 0])], []]}
    given = certificate("calibrated", loss, known("binary margin", 2), evidence, pred=pred)
    return {**given, "version": 2}


def thin_in_one_direction() -> dict[str, Any]:
    """x_0 − x_1 ≥ 0 is no tie; its third coefficient is 0."""
    return changed("v2: argmax", *TREE, "parts", 0, to={"thin": combination(path=[(0, 1)])})


def two_functions_of_three() -> dict[str, Any]:
    """The functions u, 0 and 0: two are equal everywhere."""
    tree = branch(
        [[0, 1], [0, 0], [0, 0]],
        leaf(0, 0, combination(path=[(0, 1)])),
        leaf(1, 0, combination(path=[(0, 1)])),
        leaf(1, 0, combination(path=[(0, 1)])),
    )
    return changed("v2: sign", *TREE, to=tree)


def half_a_row() -> dict[str, Any]:
    """u/2 is not u, though it is not negative where u is not."""
    return changed("v2: sign", *TREE, "parts", 0, "rows", 0, to=combination(path=[(0, "1/2")]))


def other_scores() -> dict[str, Any]:
    """Scores u and −1: they fall where u ≥ −1, and are not exchanged by u → −u."""
    given = copy.deepcopy(ALL["symmetry, pred: sign"])
    given["evidence"]["scores"] = [["0", "1"], ["-1", "0"]]
    tree = branch([[0, 1], [0, 0]], leaf(0, 0, combination(path=[(0, 1)])), leaf(1, 0, combination(path=[(0, 1)])))
    given["evidence"] |= cover([1], tree)
    return given


def order_with_another_row(row: Any) -> dict[str, Any]:
    """A piece of a region has one row more than the theorem tells of."""
    given = copy.deepcopy(ALL["order, not calibrated"])
    given["pred"]["regions"][0][0]["inequalities"].append(numbers(row))
    return given


def order_with_another_piece() -> dict[str, Any]:
    """A region has one piece more, of two rows, of which one vanishes at the estimate."""
    surrogate = {"estimates": [["1", "0", "0"], ["0", "1", "1"]], "theorem": "order"}
    given = copy.deepcopy(ALL["order, not calibrated"])
    pred = {"regions": [[rows([0, 1, -1, 0])], [rows([0, -1, 1, 0], [0, 0, 1, -1])]]}
    evidence = {**given["evidence"], "u": ["2/3", "1/3", "1/3"], "toward": ["3/4", "1/4", "1/4"]}
    return {**given, "surrogate": surrogate, "pred": pred, "evidence": evidence}


def signs_with_another_row(row: Any) -> dict[str, Any]:
    """With a row that the theorem says nothing of, or that says nothing itself."""
    given = copy.deepcopy(ALL["signs"])
    given["pred"]["regions"][0].append(rows([0, 1], row))
    return given


def weightless(theorem: str) -> dict[str, Any]:
    """Where only the label without a weight is possible, the theorem says nothing."""
    surrogate = {"estimates": [["1"], ["-1"], ["0"]], "weights": ["1", "1", "0"], "theorem": theorem}
    loss = {"entries": [["0", "1"], ["1", "0"], ["3", "3"]]}
    evidence = {"affine": [["0", "0"], ["0", "1"]]}
    return {**certificate("calibrated", loss, surrogate, evidence), "version": 2}


def on_the_way(**way: Any) -> dict[str, Any]:
    given: dict[str, Any] = squared_crammer_singer_on_the_way()
    given["evidence"]["along"][0] |= way
    return given


def worse_at_the_end() -> dict[str, Any]:
    """To abstain, at 5/8, is better than 0 where p_0 = 1/4 + …, and worse where p_0 = 3/4."""
    given = squared_crammer_singer_on_the_way()
    given["loss"] = {"entries": [[*row[:3], "3/8"] for row in abstain(3)["entries"]]}
    given["evidence"]["better"] = [[0, 1, 3], [1, 0, 3], [2, 0, 3], [3, 1, 0]]
    return given


def on_the_way_with_a_pred() -> dict[str, Any]:
    """Argmax decides 0 at u = 0, where it is best to abstain. Whoever gives a pred has no use for the way."""
    given = squared_crammer_singer_on_the_way()
    pieces = [rows(*([0, *((i == t) - (i == j) for i in range(3))] for j in range(3) if j != t)) for t in range(3)]
    given["pred"] = {"regions": [*([each] for each in pieces), []]}
    del given["evidence"]["better"]
    given["evidence"] |= {"prediction": 0, "piece": 0, "toward": ["1", "0", "0"], "better": 3}
    return given


def with_hinges(*bits: int) -> dict[str, Any]:
    """Label 0 has these of its two hinges."""
    terms = ALL["theorem: binary relevance"]["surrogate"]["terms"][0]
    return changed("theorem: binary relevance", "surrogate", "terms", 0, to=[terms[i] for i in bits])


def a_fifth_column() -> dict[str, Any]:
    loss = {"entries": [[*row, "9"] for row in abstain(3)["entries"]]}
    return {**with_evidence(branching(), columns=[3, 0, 1, 2, 4]), "loss": loss}


def beside_an_equation() -> dict[str, Any]:
    """The earlier region is the point u′ = 2 alone: between u = 1 and 2 it says 0, and only there 2."""
    pred = {"regions": [[rows(equations=[[-2, 1]])], [rows([0, 1])], [rows([0, -1])]]}
    loss = {"entries": [["0", "0", "1"], ["9", "4", "0"]]}
    point = weights(["2/3", "1/3"], [(0, 0, 0, "1/3"), (0, 0, 1, "1/3"), (1, 0, 1, "1/3")])
    evidence = {"u": ["1"], "points": [point], "better": 2, "prediction": 1, "piece": 0, "toward": ["2"]}
    return {**certificate("not calibrated", loss, hinge(), evidence, pred=pred), "version": 2}


def split_weights() -> dict[str, Any]:
    """Each weight of the way is listed for one end at a time."""
    given = squared_crammer_singer_on_the_way()
    (way,) = given["evidence"]["along"]
    way["weights"] = [each for y, j, v, w in way["weights"] for each in ([y, j, v, "0"], [y, j, "0", w])]
    return given


def cancelled() -> dict[str, Any]:
    """∅ less {0} is tag 0 alone: one row, one column, one factor."""
    return {**with_evidence(weighted(), rows=[[[0, "1"], [2, "-1"]]], columns=[[1, 0]]), "value": 1}


def pair_of_documents() -> dict[str, Any]:
    """Documents 0 and 2 at positions 0 and 2, or 0 and 1: the later one counts, 1/3 or 1/2."""
    rows_ = [[[4, "1"], [0, "-1"], [2, "-1"]]]
    return {**with_evidence(average_of_three(), rows=rows_, columns=[[0, 2, 1]], modulus=3), "value": 1}


def nothing_of_an_equation() -> dict[str, Any]:
    """ψ = (1, 1) on u = 0: the equation is not needed, and not listed with a 0."""
    surrogate = {"dim": 1, "terms": [[[["1", "0"]]]] * 2, "inequalities": [], "equations": [["0", "1"]]}
    vertices = [{**weights(unit(2, y), [(y, 0, 0, 1)]), "equations": [[0, "0"]]} for y in range(2)]
    evidence = {"cells": [{"u": ["0"], "prediction": 0}], "vertices": vertices}
    return certificate("calibrated", {"entries": [["0", "1"], ["0", "1"]]}, surrogate, evidence)


def two_pieces_that_become_one() -> dict[str, Any]:
    """The hinge of u_0. Of pieces u_0 ≥ 0 one asks for u_1 ≥ 0, one for nothing; the map takes u_1 to 0."""
    given = copy.deepcopy(ALL["symmetry, pred: sign"])
    terms = [[[[*piece, "0"] for piece in maximum] for maximum in maxima] for maxima in given["surrogate"]["terms"]]
    given["surrogate"] |= {"dim": 2, "terms": terms}
    given["pred"] = {"regions": [[rows([0, 1, 0], [0, 0, 0]), rows([0, 1, 0], [0, 0, 1])], [rows([0, -1, 0], [0] * 3)]]}
    given["evidence"]["blocks"] = [block([0, 1], [[0, 0, "-1"], [1, 1, "0"]])]
    given["evidence"]["cells"] = [{"u": ["1", "0"]}]
    given["evidence"]["scores"] = [numbers([0, 1, 0]), numbers([0, -1, 0])]
    half = combination(inequalities=[(0, "1/2")])
    given["evidence"] |= cover([1, 0], leaf(0, 0, half, combination()))
    return given


def votes_at_zero() -> dict[str, Any]:
    """At (4, 1, 4)/9 the score of labels 0 and 2 is 0: if 0 has the vote it wins, and costs 4/9, and 2 nothing."""
    p = [Fraction(4, 9), Fraction(1, 9), Fraction(4, 9)]
    pieces = [(0, 0, 0, p[0] - p[1]), (0, 0, 1, p[1]), (1, 0, 1, p[1]), (0, 1, 1, p[0]), (2, 0, 1, p[2])]
    pieces += [(1, 1, 1, p[1]), (2, 1, 0, p[2] - p[1]), (2, 1, 1, p[1])]
    evidence = {"u": ["1", "0", "-1"], "points": [weights(p, pieces)], "better": 2}
    return by_votes(
        "not calibrated", {"entries": [["1", "1", "0"], *[["0"] * 3] * 2]}, pairs_of_hinges(*WINS), evidence
    )


def votes_of_the_last() -> dict[str, Any]:
    """At (3, 2, 4)/9 label 2 wins both its pairs, by negative scores; it costs 4/9, the others nothing."""
    evidence = {"u": ["1/9", "-1/9", "-2/9"], "points": [{"p": ["1/3", "2/9", "4/9"]}], "better": 0}
    loss = {"entries": [*[["0"] * 3] * 2, ["0", "0", "1"]]}
    return {**changed("votes: signs, not calibrated", "evidence", to=evidence), "loss": loss}


def votes_of_more_scores_than_pairs() -> dict[str, Any]:
    return by_votes("calibrated", zero_one(2), pairs_of_hinges([1, 1, 0], [-1, 0, 1]), {})


def at_the_end_of_the_domain() -> dict[str, Any]:
    """Of all u ≥ 0 the hinge says 0 at 0 alone, where 1 is better at (1/4, 3/4); 1 elsewhere."""
    surrogate = {**hinge_for_zero_one()["surrogate"], "inequalities": [["0", "1"]]}
    point = weights(["1/4", "3/4"], [(0, 0, 1, "1/4"), (1, 0, 1, "3/4")], inequalities=[(0, "1/2")])
    evidence = {"u": ["0"], "points": [point], "better": 1, "prediction": 0, "piece": 0}
    pred = {"regions": [[rows(equations=[[0, 1]])], [rows()]]}
    return certificate("not calibrated", zero_one(2), surrogate, evidence, pred=pred)


GENUINE: dict[str, dict[str, Any]] = {
    "said at the end of the domain, version 1": at_the_end_of_the_domain(),
    "far out, version 1": {**far_out(), "version": 1},
    "votes of negative scores": votes_of_the_last(),
    "an equation at the end of the way": beside_an_equation(),
    "weights of one end at a time": split_weights(),
    "three of four leaves": claim(2, star([0, 1], "1", "1", "2", "1"), weights=["1", "1", "1", "0"]),
    "tags that cancel": cancelled(),
    "a name of eighteen digits": changed("hinge for zero_one", "loss", "name", to=10**17),
    "the later of two documents": pair_of_documents(),
    "vertices beside each other": json.loads(lm.check("binary-relevance-hinge:r=3", "hamming:r=3").certificate.text),
}
FORGED: dict[str, dict[str, Any]] = {
    "a vote of a score that is 0": votes_at_zero(),
    "more scores than pairs": votes_of_more_scores_than_pairs(),
    "votes of a label that cares too much": changed(
        "votes", "surrogate", to=pairs_of_hinges([1, 1, 0], [-2, 0, 1], [0, -1, -1])
    ),
    "a number for a pred": changed("v2: sign", "pred", to=7),
    "an equation times 0": nothing_of_an_equation(),
    "two pieces that become one": two_pieces_that_become_one(),
    "a negative multiplier of an inequality": interval_by_a_negative_multiplier(),
    "slopes that vanish in one direction": slopes_that_vanish_in_one_direction(),
    "a mean above the plane": a_mean_beside_the_plane("5"),
    "a mean below the plane": a_mean_beside_the_plane("-5"),
    "blocks of half the labels": half_of_the_labels(),
    "a margin that is always positive": always_the_first(),
    "thin in one direction": thin_in_one_direction(),
    "two functions of three that are equal": two_functions_of_three(),
    "half a row": half_a_row(),
    "scores that are not exchanged": other_scores(),
    "an order and a constant": order_with_another_row([1, 0, 0]),
    "an order and nothing": order_with_another_row([0, 0, 0]),
    "an order of which a part vanishes": order_with_another_piece(),
    "signs and a constant": signs_with_another_row([1, 0]),
    "signs and nothing": signs_with_another_row([0, 0]),
    "a label without a weight, told": weightless("told"),
    "worse at the end of the way": worse_at_the_end(),
    "another end of the way": on_the_way(p=[["1/2", "1/4", "1/4"], ["7/8", "1/16", "1/16"]]),
    "a way and a pred": on_the_way_with_a_pred(),
    "a fifth column": a_fifth_column(),
    "alone together with another": with_evidence(
        branching(), alone=[branching()["evidence"]["points"][0][0], *branching()["evidence"]["alone"][1:]]
    ),
    "an affine function that is too small": changed("mean: calibrated", "evidence", "affine", 1, to=["0", "-2"]),
    "a hull below the regrets": changed("regret: hinge", "hull", to=[["2", "1"]]),
    "a Hamming loss with one entry more": changed("theorem: binary relevance", "loss", "entries", 3, 3, to="1"),
    "a hinge of one bit twice": with_hinges(0, 0),
    "a hinge of one bit left out": with_hinges(0),
    "a hinge of one bit once more": with_hinges(0, 1, 0),
    "a positive and a negative weight": with_evidence(
        gains(), labels=[*gains()["evidence"]["labels"], [2, 0, 0]], weights=["2", "1", "1", "-1"]
    ),
    "sets with a positive and a negative weight": with_evidence(
        weighted(), labels=["00", "11", "10", "01", "00"], weights=["2", "1", "1/2", "1/2", "-1"]
    ),
    "sets as lists of bits": with_evidence(weighted(), labels=[["0", "0"], "11", "10", "01"]),
    "more bits than tags": with_evidence(weighted(), predictions=["00", "10", "011"]),
    "four leaves of two weights": claim(2, star([0, 1], "1", "1", "1", "1"), weights=["2", "2", "1", "1"]),
    "three leaves, and only leaves are told": claim(
        2, star([0, 0], "3", "3", "3", "1/2"), weights=["1", "1", "1", "0"]
    ),
    "three nodes in a row": claim(2, path([1, 1], 3), weights=["1", "1", "1"]),
    "a tie without a weight": claim(2, path([1, 1], 3), weights=["1", "0", "1"]),
    "depths where only leaves are told": claim(2, star([0, 0], "1", "1", "1", "1"), AT_MOST),
    "no loss": {**at_the_middle(), "loss": None},
    "no evidence": {**at_the_middle(), "evidence": None},
    "a whole number as a fraction": changed("hinge for zero_one", "loss", "entries", 0, 1, to="1/1"),
}
