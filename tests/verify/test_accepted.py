"""Certificates that are right are accepted."""

from __future__ import annotations

import naive
import pytest
from handmade import (
    ALL,
    crammer_singer_for_abstain,
    crammer_singer_not_for_zero_one,
    hinge_with_sign_far_from_its_threshold,
    lee_lin_wahba_for_zero_one,
    mean_for_squared,
    rounded_mean_not_for_distance,
    signed_multiplier,
    tangents_not_for_zero_one,
    text,
)
from rejections import rejection, statement

from lossmith_verify import check


def test_handmade_certificates_are_accepted():
    for name, certificate in ALL.items():
        verdict = check(text(certificate))
        assert verdict.accepted, (name, verdict)
        surrogate, evidence = certificate["surrogate"], certificate["evidence"]
        trusted = surrogate.get("theorem", "squares") != "squares" or "tangents" in surrogate
        assert (len(verdict.given), verdict.conditional) == (trusted, trusted), name
        named = surrogate.get("theorem") == "squares" or "theorem" in evidence
        assert len(verdict.theorems) == named, name
        assert naive.holds(certificate), name
        assert check(text(certificate).encode()) == verdict, name


def test_why_says_what_was_proved():
    sizes = ["4", "6"]  # cells and vertices, or u and points
    names = ['"crammer_singer(n=3)"', '"abstain(n=3)"']
    assert statement(crammer_singer_for_abstain(3)) == ("calibrated", [*names, *sizes])
    names = ['"crammer_singer(n=3)"', '"zero_one(n=3)"']
    assert statement(crammer_singer_not_for_zero_one()) == ("not calibrated", [*names, "(0, 0, 0)", "3"])
    assert statement(signed_multiplier()) == ("calibrated", ["1", "2"])
    names = ['"hinge"', '"sign"']
    assert statement(hinge_with_sign_far_from_its_threshold()) == ("calibrated", [*names, "2", "3"])
    names = ['"square"', '"round"']
    assert statement(rounded_mean_not_for_distance()) == ("not calibrated", [*names, "(4/5)", "1"])


def test_the_answer_says_what_is_taken_on_trust():
    makes = (mean_for_squared, rounded_mean_not_for_distance, tangents_not_for_zero_one)
    verdicts = [check(text(make())) for make in makes]
    assert [len(verdict.given) for verdict in verdicts] == [1, 1, 1]
    assert verdicts[0].given == verdicts[1].given  # refutations need one direction of it, proofs the other
    assert len({verdict.given for verdict in verdicts}) == 2
    named = [check(text(ALL[f"theorem: {name}"])) for name in ("cost-weighted", "binary relevance")]
    assert [(len(verdict.given), len(verdict.theorems)) for verdict in named] == [(0, 1)] * 2
    for verdict in (*verdicts, *named):
        assert all(each in str(verdict) for each in (verdict.why, *verdict.given, *verdict.theorems))


@pytest.mark.parametrize("theorem", ["order", "largest"])
def test_with_weights_the_theorem_that_is_taken_on_trust_is_about_a_weighted_mean(theorem):
    """Argmax is right for a last label that costs 100 where scores sort as 100 p_y does there, not as p_y does."""
    certificate = ALL[theorem]
    n = len(certificate["loss"]["entries"])
    heavy = ["1"] * (n - 1) + ["100"]
    entries = [[str(int(x) * int(w)) for x in row] for row, w in zip(certificate["loss"]["entries"], heavy)]
    surrogate = {**certificate["surrogate"], "weights": heavy}
    verdict = check(text({**certificate, "loss": {"entries": entries}, "surrogate": surrogate}))
    assert verdict.accepted, verdict.why
    assert verdict.given == check(text(certificate)).given
    assert not check(text({**certificate, "loss": {"entries": entries}})).accepted


def test_a_verdict_is_immutable():
    verdict = check("")
    with pytest.raises(AttributeError):
        verdict.accepted = True


@pytest.mark.parametrize(
    ("make", "n", "cells", "vertices"),
    [
        (crammer_singer_for_abstain, 2, "3", "3"),
        (lee_lin_wahba_for_zero_one, 4, "4", "15"),
        pytest.param(crammer_singer_for_abstain, 12, "13", "78", marks=pytest.mark.exhaustive),
        pytest.param(lee_lin_wahba_for_zero_one, 8, "8", "255", marks=pytest.mark.exhaustive),
    ],
)
def test_certificates_of_other_sizes_are_accepted(make, n, cells, vertices):
    claim, values = statement(make(n))
    assert claim == "calibrated"
    assert values[-2:] == [cells, vertices]


def test_cells_may_be_repeated_redundant_or_tight_on_a_face_only():
    certificate = crammer_singer_for_abstain(3)
    cells = certificate["evidence"]["cells"]
    cells.append(dict(cells[0]))
    cells.append({"u": ["-5", "0", "0"], "prediction": 3})  # ψ = (6, 1, 1): tight on the edge p_0 = 0 of cell 0
    cells.append({"u": ["7", "0", "-9"], "prediction": 0})  # ψ = (0, 8, 17): tight at e_0 only
    cells.append({"u": ["9", "8", "7"], "prediction": 0})  # ψ = (0, 2, 3): tight at e_0 and (e_0 + e_1)/2
    cells.append({"u": ["1/2", "1/2", "1/2"], "prediction": 3})
    assert statement(certificate) == ("calibrated", ['"crammer_singer(n=3)"', '"abstain(n=3)"', "9", "6"])
    assert naive.holds(certificate)
    cells[6]["prediction"] = 3  # not optimal at e_0
    assert rejection(certificate) == ("evidence.cells[6]", ["(1, 0, 0)"])
    assert not naive.holds(certificate)


@pytest.mark.parametrize("prediction", [0, 1, 2])
def test_a_cell_that_is_nowhere_tight_may_predict_anything(prediction):
    certificate = lee_lin_wahba_for_zero_one(3)
    cell = {"u": ["2", "1", "-3"], "prediction": prediction}  # ψ = (2, 3, 5), above min_t 3(1 − p_t) everywhere
    certificate["evidence"]["cells"].insert(1, cell)
    assert statement(certificate)[1][-2:] == ["4", "7"]
    assert naive.holds(certificate)
    cell["u"] = ["1", "0", "-1"]  # ψ = (1, 2, 3), tight at (1/2, 1/2, 0)
    assert check(text(certificate)).accepted == (prediction < 2) == naive.holds(certificate)


def test_dimension_zero_is_a_constant_surrogate():
    certificate = signed_multiplier()
    certificate["surrogate"] = {"dim": 0, "terms": [[[["2"]]], [[["3"], ["4"]]]], "inequalities": [], "equations": []}
    certificate["evidence"] = {
        "cells": [{"u": [], "prediction": 0}],
        "vertices": [
            {"p": ["1", "0"], "pieces": [[0, 0, 0, "1"]], "inequalities": [], "equations": []},
            {"p": ["0", "1"], "pieces": [[1, 0, 1, "1"]], "inequalities": [], "equations": []},
        ],
    }
    assert check(text(certificate)).accepted
    certificate["evidence"]["vertices"][1]["pieces"] = [[1, 0, 0, "1"]]
    assert rejection(certificate) == ("evidence.vertices", ["(0, 1)", "3", "4"])


def test_dimension_zero_refutes():
    certificate = signed_multiplier()
    certificate["claim"] = "not calibrated"
    certificate["loss"] = {"entries": [["0", "1"], ["1", "0"]]}
    certificate["surrogate"] = {"dim": 0, "terms": [[[["2"]]], [[["3"]]]], "inequalities": [["0"]], "equations": []}
    points = [
        {"p": ["1", "0"], "pieces": [[0, 0, 0, "1"]], "inequalities": [], "equations": []},
        {"p": ["0", "1"], "pieces": [[1, 0, 0, "1"]], "inequalities": [[0, "5"]], "equations": []},
    ]
    certificate["evidence"] = {"u": [], "points": points, "better": [[0, 1, 1], [1, 0, 0]]}
    assert statement(certificate) == ("not calibrated", ["()", "2"])
    certificate["surrogate"]["inequalities"] = [["-1"]]
    assert rejection(certificate) == ("evidence.u", ["()"])


def test_a_pred_may_have_an_empty_piece():
    """−1 ≥ 0 times 7 proves p·ψ ≥ 0 + 7 where nothing is."""
    for name in ("pred: calibrated", "v2: sign"):
        certificate = ALL[name]
        regions = [[*certificate["pred"]["regions"][0], {"inequalities": [["-1", "0"]], "equations": []}]]
        regions += certificate["pred"]["regions"][1:]
        weights = {"p": ["0", "1"], "pieces": [[1, 0, 0, "1"]], "inequalities": [[0, "7"]], "equations": []}
        apart = [*certificate["evidence"]["apart"], {"prediction": 0, "piece": 1, **weights}]
        more = {**certificate, "pred": {"regions": regions}, "evidence": {**certificate["evidence"], "apart": apart}}
        assert check(text(more)).accepted
        assert naive.holds(more)


def test_no_set_of_distributions_may_be_empty():
    """On no distribution every pred is right, which is not what anybody means."""
    for name in (name for name in ALL if ALL[name]["claim"] == "calibrated"):
        n = len(ALL[name]["loss"]["entries"])
        nowhere = {"inequalities": [["-1"] * n], "equations": []}
        for within in ([nowhere], [nowhere, *ALL[name].get("within", [])], [*ALL[name].get("within", []), nowhere]):
            certificate = {**ALL[name], "within": within}
            evidence = certificate["evidence"]
            if "apart" in evidence and len(within) == 1:
                certificate["evidence"] = {**evidence, "apart": []}
            place = f"within[{within.index(nowhere)}]"  # but for what proves nothing of sets at all
            if "blocks" in evidence or "theorem" in evidence:
                place = "evidence.blocks" if "blocks" in evidence else "evidence.theorem"
            elif "votes" in certificate.get("pred", {}):
                place = "within"
            assert rejection(certificate).place == place, name
            assert not naive.holds(certificate), name


def test_an_empty_set_beside_others_does_not_harm_a_refutation():
    """The points lie in the others; whether a set is empty is not looked at there."""
    certificate = ALL["within: not calibrated"]
    nowhere = {"inequalities": [["-1", "-1"]], "equations": []}
    assert check(text({**certificate, "within": [nowhere, *certificate["within"]]})).accepted
    assert not check(text({**certificate, "within": [nowhere]})).accepted


def test_without_a_pred_both_versions_are_the_same():
    for name in (name for name in ALL if "pred" not in ALL[name]):
        first, second = ({**ALL[name], "version": version} for version in (1, 2))
        surrogate = ALL[name]["surrogate"]
        if "estimates" in surrogate and ("inequalities" in surrogate or "0" in surrogate.get("weights", [])):
            assert not check(text(first)).accepted, name  # only version 2 has a domain of estimates, and weights of 0
        elif {"blocks", "theorem"} & ALL[name]["evidence"].keys():
            assert not check(text(first)).accepted, name  # nor does version 1 know symmetry, or theorems about terms
        else:
            assert check(text(first)) == check(text(second)), name
        assert check(text(second)).accepted, name
        assert naive.holds(second), name
