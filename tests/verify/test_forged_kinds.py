"""Certificates forged with a purpose, for each kind of claim; each is rejected, at the right place."""

from __future__ import annotations

import copy
from typing import Any

import naive
import pytest
from handmade import ALL, hinge_apart, margin_for_zero_one, numbers, rows, text
from rejections import rejection

from lossmith_verify import check

Path = tuple[str | int, ...]
DELETED: Any = object()


def forged(name: str, *changes: tuple[Path, Any]) -> Any:
    certificate = copy.deepcopy(ALL[name])
    for at, new in changes:
        holder = certificate
        for key in at[:-1]:
            holder = holder[key]
        if new is DELETED:
            del holder[at[-1]]
        elif isinstance(holder, list) and at[-1] == len(holder):
            holder.append(new)
        else:
            holder[at[-1]] = new
    return certificate


SURROGATE, EVIDENCE, APART = ("surrogate",), ("evidence",), ("evidence", "apart")
COSTS, BITS = "theorem: cost-weighted", "theorem: binary relevance"
EVERYTHING = rows()
NOWHERE = rows([-1, -1])
HALF_APART = {**hinge_apart(["1/2", "1/2"], 1)}
WEAK = {"pieces": [[0, 0, 0, "1"]], "inequalities": []}  # proves p·ψ ≥ 0 = v at (1, 0)

# The name of a certificate, what is changed, and where it is rejected, with the values that are quoted there.
FORGERIES: dict[str, tuple[str, list[tuple[Path, Any]], tuple[str, ...]]] = {
    # The wrong predictions must stay above, at each vertex and for each piece.
    "no proof for one vertex": (
        "pred: calibrated",
        [((*APART, 0), DELETED)],
        ("evidence.apart", "(1, 0)", "0", "(1, 0)"),
    ),
    "no proof at all": (
        "pred: calibrated",
        [(APART, [])],
        ("evidence.apart", "(1, 0)", "0", "(1, 0)"),
    ),
    "a proof for another p": (
        "pred: calibrated",
        [((*APART, 0), hinge_apart(["3/4", "1/4"], 1))],
        ("evidence.apart", "(1, 0)", "0", "(1, 0)"),
    ),
    "a proof of β = v": (
        "pred: calibrated",
        [((*APART, 0), {**ALL["pred: calibrated"]["evidence"]["apart"][0], **WEAK})],
        ("evidence.apart", "(1, 0)", "0", "(1, 0)"),
    ),
    "a proof where both are optimal": (
        "pred: calibrated",
        [((*APART, 2), HALF_APART)],
        ("evidence.apart", "1", "(1/2, 1/2)"),
    ),
    "a proof twice": (
        "pred: calibrated",
        [((*APART, 2), hinge_apart([1, 0], 1))],
        ("evidence.apart[2]", "(1, 0)"),
    ),
    "a proof for a piece that is not there": (
        "pred: calibrated",
        [((*APART, 0, "piece"), 1)],
        ("evidence.apart[0].piece", "1", "1"),
    ),
    "a proof for prediction k": (
        "pred: calibrated",
        [((*APART, 0, "prediction"), 2)],
        ("evidence.apart[0].prediction", "2", "2"),
    ),
    "a proof with the row of another piece": (
        "pred: calibrated",
        [(("pred", "regions", 1, 0), rows([1, -1]))],
        ("evidence.apart", "(1, 0)", "0", "(1, 0)"),  # on u ≤ 1, p·ψ ≥ 1 − 1
    ),
    "a row used with the wrong sign": (
        "pred: calibrated",
        [((*APART, 0, "inequalities", 0, 1), "-1")],
        ("evidence.apart[0].inequalities[0]", "-1"),
    ),
    "a piece without a proof": (
        "pred: calibrated",
        [(("pred", "regions", 1, 1), rows([-3, 1]))],
        ("evidence.apart", "(1, 1)", "0", "(1, 0)"),
    ),
    "a region left out": (
        "pred: calibrated",
        [(("pred", "regions", 1), DELETED)],
        ("pred.regions", "2", "1"),
    ),
    "a region dropped to nothing": (
        "pred: calibrated",
        [(("pred", "regions", 1), [])],
        ("evidence.apart[0].piece", "0"),
    ),
    "rows of the piece used for the vertices": (
        "pred: calibrated",
        [(("evidence", "vertices", 0, "inequalities"), [[0, "1"]])],
        ("evidence.vertices[0].inequalities[0]", "0", "0"),
    ),
    "the domain's rows forgotten in the count": (
        "pred: calibrated, with a domain",
        [((*APART, 0, "inequalities", 0, 0), 0)],
        ("evidence.apart[0]", "(1, 0)", "(-2)"),
    ),
    "cells that predict": (
        "pred: calibrated",
        [(("evidence", "cells", 0, "prediction"), 0)],
        ("evidence.cells[0]", '"prediction"'),
    ),
    "a row of the wrong size": (
        "pred: calibrated",
        [(("pred", "regions", 0, 0), rows([0]))],
        ("pred.regions[0][0].inequalities[0]", "2", "1"),
    ),
    "a pred without its proof": (
        "hinge for zero_one",
        [(("pred",), ALL["pred: calibrated"]["pred"])],
        ("evidence", '"apart"'),
    ),
    # A theorem is about one surrogate for the loss, its own pred, and all distributions.
    "a theorem nobody knows": (
        BITS,
        [((*EVIDENCE, "theorem"), "crammer-singer")],
        ("evidence.theorem", '"crammer-singer"'),
    ),
    "a theorem that is a list": (COSTS, [((*EVIDENCE, "theorem"), [])], ("evidence.theorem",)),
    "a theorem and something else": (COSTS, [((*EVIDENCE, "cells"), [])], ("evidence", '"cells"')),
    "a theorem about another surrogate": (
        COSTS,
        [((*EVIDENCE, "theorem"), "binary relevance hinge")],
        ("loss.entries",),
    ),
    "a theorem in version 1": (COSTS, [(("version",), 1)], ("evidence.theorem",)),
    "a theorem within a set that is empty": (
        COSTS,
        [(("within",), [rows([-1, -1, -1])])],
        ("evidence.theorem",),
    ),
    "a theorem for a loss with another cost": (
        COSTS,
        [(("loss", "entries", 1, 1), "1")],
        ("surrogate.terms",),
    ),
    "a theorem for predictions in another order": (
        COSTS,
        [(("loss", "entries", 0), ["0", "3", "1/2"])],
        ("surrogate.terms",),
    ),
    "a theorem for a surrogate with one coefficient changed": (
        COSTS,
        [(("surrogate", "terms", 0, 1, 0, 3), "4")],
        ("surrogate.terms",),
    ),
    "a theorem for a surrogate with a maximum twice": (
        COSTS,
        [(("surrogate", "terms", 1, 1), ALL[COSTS]["surrogate"]["terms"][1][0])],
        ("surrogate.terms",),
    ),
    "a theorem for hinges without their zero": (
        COSTS,
        [(("surrogate", "terms", 1, 0, 1), DELETED)],
        ("surrogate.terms",),
    ),
    "a theorem without the domain": (
        COSTS,
        [(("surrogate", "equations"), [])],
        ("surrogate",),
    ),
    "a theorem on half of the domain": (
        COSTS,
        [(("surrogate", "inequalities"), [numbers([0, 1, 0, 0])])],
        ("surrogate",),
    ),
    "a theorem with argmin": (
        f"{COSTS}, argmax",
        [(("pred", "regions", 0), [rows([0, -1, 1, 0], [0, -1, 0, 1])])],
        ("pred.regions",),
    ),
    "a theorem with two regions exchanged": (
        f"{BITS}, sign",
        [(("pred", "regions", t), ALL[f"{BITS}, sign"]["pred"]["regions"][3 - t]) for t in (0, 3)],
        ("pred.regions",),
    ),
    "a theorem with a second piece": (
        f"{BITS}, sign",
        [(("pred", "regions", 3, 1), rows())],
        ("pred.regions",),
    ),
    "a theorem with an equation more": (
        f"{BITS}, sign",
        [(("pred", "regions", 0, 0, "equations"), [numbers([0, 1, 0])])],
        ("pred.regions",),
    ),
    "a theorem for 0-1 loss on strings": (
        BITS,
        [(("loss", "entries"), [[str(int(y != t)) for t in range(4)] for y in range(4)])],
        ("loss.entries",),
    ),
    "a theorem for strings of which one is missing": (
        BITS,
        [(("loss", "entries", 3), DELETED), (("surrogate", "terms", 3), DELETED)],
        ("loss.entries",),
    ),
    "a theorem for labels in another order": (
        BITS,
        [(("surrogate", "terms", y), ALL[BITS]["surrogate"]["terms"][3 - y]) for y in (1, 2)],
        ("surrogate.terms",),
    ),
    "a theorem for tangents": (
        COSTS,
        [
            (("surrogate", "tangents"), True),
            (("surrogate", "terms", 0), ALL[COSTS]["surrogate"]["terms"][0][:1]),
            (("loss", "entries", 0, 2), "0"),
        ],
        ("surrogate.tangents",),
    ),
    "a theorem for tangents of two maxima": (
        COSTS,
        [(("surrogate", "tangents"), True)],
        ("surrogate.terms",),
    ),
    "a theorem that refutes": (COSTS, [(("claim",), "not calibrated")], ("evidence", '"theorem"')),
    # A pred is refuted where it is.
    "u outside the piece": (
        "pred: not calibrated",
        [((*EVIDENCE, "piece"), 0)],
        ("evidence.u", "(-1)"),
    ),
    "a piece that is not there": (
        "pred: not calibrated",
        [((*EVIDENCE, "piece"), 2)],
        ("evidence.piece", "2", "2"),
    ),
    "no region": (
        "pred: not calibrated",
        [((*EVIDENCE, "prediction"), 2)],
        ("evidence.piece", "0", "1"),
    ),
    "prediction k": (
        "pred: not calibrated",
        [((*EVIDENCE, "prediction"), 3)],
        ("evidence.prediction", "3", "3"),
    ),
    "nothing better": (
        "pred: not calibrated",
        [((*EVIDENCE, "better"), 2)],
        ("evidence.better", "2", "0", "(0, 1)"),
    ),
    "better is k": (
        "pred: not calibrated",
        [((*EVIDENCE, "better"), 3)],
        ("evidence.better", "3", "3"),
    ),
    "two points": (
        "pred: not calibrated",
        [((*EVIDENCE, "points", 1), ALL["pred: not calibrated"]["evidence"]["points"][0])],
        ("evidence.points", "1", "2"),
    ),
    # Sets of distributions.
    "a point outside": (
        "within: not calibrated",
        [(("within",), [rows([-3, 1])])],
        ("evidence.points[0]", "(1, 0)"),
    ),
    "one point outside": (
        "within: not calibrated",
        [(("within", 1), rows([1, -3]))],
        ("evidence.points[1]", "(2/3, 1/3)"),
    ),
    "no distribution": (
        "within: not calibrated",
        [(("within",), [NOWHERE])],
        ("evidence.points[0]", "(1, 0)"),
    ),
    "an equation missed": (
        "pred, within: not calibrated",
        [(("within",), [rows(equations=[[1, -3]])])],
        ("evidence.points[0]", "(2/3, 1/3)"),
    ),
    "no sets": ("within: not calibrated", [(("within",), [])], ("within", "1", "0")),
    "a larger set": (
        "within: calibrated",
        [(("within", 0), rows([1, -3]))],
        ("evidence.cells[0]", "(3/4, 1/4)"),
    ),
    "a point between": (
        "within: calibrated",
        [(("within", 2), rows(equations=[[2, -3]]))],
        ("evidence.cells[0]", "(3/5, 2/5)"),
    ),
    "everything": (
        "within: calibrated",
        [(("within", 2), EVERYTHING)],
        ("evidence.cells[0]", "(1/2, 1/2)"),
    ),
    "the vertices of the sets only": (
        "within: calibrated",
        [(("evidence", "vertices", 2), DELETED)],
        ("evidence.vertices", "(1/2, 1/2)"),
    ),
    "no proof at a vertex of a set": (
        "pred, within: calibrated",
        [((*APART, 2), DELETED)],
        ("evidence.apart", "(0, 0)", "2/3", "(1/3, 2/3)"),
    ),
    "a set with three numbers": (
        "within: calibrated",
        [(("within", 0), rows([1, 0, 0]))],
        ("within[0].inequalities[0]", "2", "3"),
    ),
    # Known by a theorem.
    "a wrong function": (
        "mean: calibrated",
        [(("evidence", "affine", 2, 0), "5")],
        ("evidence.affine[2]", "2", "0"),
    ),
    "a function other than 0 for 0": (
        "mean: calibrated",
        [(("evidence", "affine", 0, 1), "1")],
        ("evidence.affine[0]", "0", "0"),
    ),
    "a function missing": ("mean: calibrated", [(("evidence", "affine", 2), DELETED)], ("evidence.affine", "3", "2")),
    "a long function": (
        "mean: calibrated",
        [(("evidence", "affine", 2, 2), "0")],
        ("evidence.affine[2]", "2", "3"),
    ),
    "ragged estimates": (
        "mean: calibrated",
        [((*SURROGATE, "estimates", 1), ["1", "0"])],
        ("surrogate.estimates[1]", "1", "2"),
    ),
    "empty estimates": (
        "mean: calibrated",
        [((*SURROGATE, "estimates"), [[], [], []])],
        ("surrogate.estimates[0]", "1", "0"),
    ),
    "too few estimates": (
        "mean: calibrated",
        [((*SURROGATE, "estimates", 2), DELETED)],
        ("surrogate.estimates", "3", "2"),
    ),
    "another theorem": (
        "mean: calibrated",
        [((*SURROGATE, "theorem"), "truth")],
        ("surrogate.theorem", '"truth"'),
    ),
    "estimates and tangents": (
        "mean: calibrated",
        [((*SURROGATE, "tangents"), True)],
        ("surrogate", '"tangents"'),
    ),
    "estimates and dim": ("mean: calibrated", [((*SURROGATE, "dim"), 1)], ("surrogate", '"dim"')),
    "u is not the estimate": (
        "mean: not calibrated",
        [((*EVIDENCE, "u"), ["2"])],
        ("evidence.points[0]", "(0, 1, 0)"),
    ),
    "u is no estimate of one": (
        "mean: not calibrated",
        [((*EVIDENCE, "points", 1, "p"), ["1/2", "1/4", "1/4"])],
        ("evidence.points[1]", "(1/2, 1/4, 1/4)"),
    ),
    "no probabilities": (
        "mean: not calibrated",
        [((*EVIDENCE, "points", 0, "p"), ["1", "-1", "1"])],
        ("evidence.points[0].p", "(1, -1, 1)"),
    ),
    "a region too large": (
        "mean, pred: calibrated",
        [(("pred", "regions", 0, 0), rows(["3/5", -1]))],
        ("pred.regions[0][0]", "0", "(2/5, 3/5, 0)"),
    ),
    "a region that is everything": (
        "mean, pred: calibrated",
        [(("pred", "regions", 0, 1), rows(equations=[[0, 0]]))],
        ("pred.regions[0][1]", "0", "(0, 1, 0)"),
    ),
    "evidence where none is needed": (
        "mean, pred: calibrated",
        [((*EVIDENCE, "affine"), [])],
        ("evidence", '"affine"'),
    ),
    "not on these sets": (
        "mean, pred, within: calibrated",
        [(("within", 2), rows(equations=[[0, 1, 0]]))],  # p_1 = 0: the median is never 1, where the mean may be
        ("pred.regions[1][0]", "1", "(3/4, 0, 1/4)"),
    ),
    # The probabilities are all that a proper composite surrogate estimates. If any estimates were taken for them, the
    # logistic loss could be refuted: these are the same for all p.
    "estimates that are no probabilities": (
        "mean: not calibrated",
        [((*SURROGATE, "theorem"), "proper composite")],
        ("surrogate.estimates",),
    ),
    "probabilities of two of three labels": (
        "proper composite: calibrated",
        [((*SURROGATE, "estimates"), [["1", "0"], ["0", "1"], ["0", "0"]]), (("pred",), DELETED)],
        ("surrogate.estimates",),
    ),
    "a margin of three labels": (
        "proper composite: calibrated",
        [((*SURROGATE, "theorem"), "binary margin")],
        ("surrogate.theorem",),
    ),
    "a margin without a pred": (
        "binary margin: calibrated",
        [(("pred",), DELETED), (EVIDENCE, {"affine": [["0", "0", "0"], ["0", "1", "-1"]]})],
        ("surrogate.theorem",),
    ),
    "a margin with another threshold": (
        "binary margin: calibrated",
        [(("pred", "regions", 0, 0), rows(["-3/5", 1, 0]))],
        ("surrogate.theorem", "(1/2, 1/2)"),
    ),
    # p_0 = 1 is a threshold too.
    "a margin with a threshold written as an equation": (
        "binary margin: calibrated",
        [
            (("loss", "entries"), [["0", "1"], ["9", "0"]]),
            (("pred", "regions", 0, 0), rows([0, 1, -1], equations=[[-1, 1, 0]])),
        ],
        ("surrogate.theorem", "(1/2, 1/2)"),
    ),
    "a margin the other way": (
        "binary margin: calibrated",
        [(("pred", "regions", 0, 0), rows([0, -1, 1])), (("pred", "regions", 1, 0), rows([0, 1, -1]))],
        ("pred.regions[0][0]", "0", "(0, 1)"),
    ),
    # Tangents.
    "tangents do not prove": (
        "hinge for zero_one",
        [((*SURROGATE, "tangents"), True)],
        ("surrogate.tangents",),
    ),
    "tangents: false": (
        "tangents",
        [((*SURROGATE, "tangents"), False)],
        ("surrogate.tangents",),
    ),
    "tangents: 1": ("tangents", [((*SURROGATE, "tangents"), 1)], ("surrogate.tangents",)),
    "points without weights": (
        "tangents",
        [((*EVIDENCE, "points", 0), {"p": ["0", "1", "0"]})],
        ("evidence.points[0]", '"pieces"'),
    ),
    # Sizes.
    "dim": ("pred: calibrated", [((*SURROGATE, "dim"), 2)], ("surrogate.terms[0][0][0]", "3", "2")),
    "no dimension": (
        "pred: calibrated",
        [((*SURROGATE, "dim"), 0)],
        ("surrogate.terms[0][0][0]", "1", "2"),
    ),
    "negative dim": (
        "pred: calibrated",
        [((*SURROGATE, "dim"), -1)],
        ("surrogate.dim", "67108864", "-1"),
    ),
    "an enormous dim": (
        "pred: calibrated",
        [((*SURROGATE, "dim"), 10**17)],
        ("surrogate.dim", "67108864", "100000000000000000"),
    ),
    "a label of ψ missing": ("pred: calibrated", [((*SURROGATE, "terms", 1), DELETED)], ("surrogate.terms", "2", "1")),
    "a label of L missing": (
        "pred: calibrated",
        [(("loss", "entries", 1), DELETED)],
        ("loss.entries", "2", "1"),
    ),
    "u too long": (
        "pred: calibrated",
        [(("evidence", "cells", 1, "u"), ["-1", "0"])],
        ("evidence.cells[1].u", "1", "2"),
    ),
    "p too long": (
        "pred: calibrated",
        [((*APART, 0, "p"), ["1", "0", "0"])],
        ("evidence.apart[0].p", "2", "3"),
    ),
}


def test_each_forgery_is_rejected_at_its_place():
    for kind, (name, changes, (place, *values)) in FORGERIES.items():
        certificate = forged(name, *changes)
        found = rejection(certificate)
        assert found.place == place, kind
        assert found.quotes(*values), (kind, found)
        assert not naive.holds(certificate), kind


def test_one_label_is_too_few():
    certificate = forged("pred: calibrated", (("loss", "entries"), [["0", "1"]]), (("surrogate", "terms", 1), DELETED))
    assert rejection(certificate) == ("loss.entries", ["2", "1"])
    assert not naive.holds(certificate)


@pytest.mark.parametrize("loss", [[["0", "1"], ["0", "1"]], [["1", "0"], ["0", "1"]]])
def test_a_margin_that_always_says_the_same(loss):
    """A pred whose region has no row is right if and only if its prediction is always optimal."""
    certificate = margin_for_zero_one()
    certificate["loss"] = {"entries": loss}
    certificate["pred"] = {"regions": [[EVERYTHING], []]}
    assert check(text(certificate)).accepted == (loss[0] == loss[1]) == naive.holds(certificate)


def test_every_point_of_a_grid_agrees_with_the_sets():
    """Loss SKEW has its threshold at 4/5: with the sign of the hinge, the set {p} is right up to 1/2, and from 4/5."""
    for i in range(21):
        within = [rows(equations=[[20 - i, -i]])]  # p_0 = i/20
        certificate = {**copy.deepcopy(ALL["within: calibrated"]), "within": within}
        right = i < 10 or i >= 16
        assert check(text(certificate)).accepted == right == naive.holds(certificate), i
        point = numbers([f"{i}/20", f"{20 - i}/20"])
        refutation = {**copy.deepcopy(ALL["binary margin: not calibrated"]), "within": within}
        refutation["evidence"].update(u=point, points=[{"p": point}])
        assert check(text(refutation)).accepted == (10 <= i < 16) == naive.holds(refutation), i


def test_where_tangents_touch_is_taken_on_trust():
    """Lines do not tell at which u they touch ψ: that they do at this one is given, and said so."""
    verdict = check(text(forged("tangents", (("evidence", "u"), ["2"]))))
    assert verdict.accepted
    assert len(verdict.given) == 1
    assert "u = (2)" in verdict.why
