"""Certificates that are right are accepted."""

from __future__ import annotations

import time

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

from lossmith_verify import Verification, check


@pytest.mark.parametrize("name", ALL)
def test_handmade_certificates_are_accepted(name):
    verdict = check(text(ALL[name]))
    assert verdict.accepted, verdict
    surrogate, evidence = ALL[name]["surrogate"], ALL[name]["evidence"]
    trusted = "theorem" in surrogate or "tangents" in surrogate or "theorem" in evidence
    assert len(verdict.given) == trusted + ("pred" in ALL[name] and ALL[name]["version"] == 1)
    assert naive.holds(ALL[name])
    assert check(text(ALL[name]).encode()) == verdict


def test_why_says_what_was_proved():
    assert check(text(crammer_singer_for_abstain(3))) == Verification(
        accepted=True, given=(), why='calibrated: "crammer_singer(n=3)" for "abstain(n=3)": 4 cells, 6 vertices'
    )
    assert str(check(text(crammer_singer_not_for_zero_one()))) == (
        'accepted: not calibrated: "crammer_singer(n=3)" for "zero_one(n=3)": u = (0, 0, 0), 3 points'
    )
    assert check(text(signed_multiplier())).why == "calibrated: the surrogate for the loss: 1 cell, 2 vertices"
    assert check(text(hinge_with_sign_far_from_its_threshold())).why == (
        'calibrated: "hinge" with "sign" for the loss on the given distributions: 2 cells, 3 vertices'
    )
    assert check(text(rounded_mean_not_for_distance())).why == (
        'not calibrated: "square" with "round" for the loss: u = (4/5), 1 point'
    )


def test_the_answer_says_what_is_taken_on_trust():
    for make in (mean_for_squared, rounded_mean_not_for_distance):
        verdict = check(text(make()))
        given = verdict.given[0]
        assert "if and only if" in given  # refutations need one direction, proofs the other
        assert "to the (weighted) mean of the a_y under p" in given
        assert "takes all values in the relative interior of X" in given
        assert str(verdict) == f"accepted: {verdict.why}; given that {'; given that '.join(verdict.given)}"
    for name, words in (("cost-weighted", "calibrated for the loss L with argmax"), ("binary relevance", "with sign")):
        (given,) = check(text(ALL[f"theorem: {name}"])).given
        assert words in given
    (given,) = check(text(tangents_not_for_zero_one())).given
    assert "convex" in given
    assert "tangents" in given


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
    assert "for the (weighted) mean x of the a_y under p" in verdict.given[0]
    assert not check(text({**certificate, "loss": {"entries": entries}})).accepted


def test_a_verdict_is_immutable():
    verdict = check("")
    with pytest.raises(AttributeError):
        verdict.accepted = True


@pytest.mark.parametrize(
    ("make", "n", "size"),
    [
        (crammer_singer_for_abstain, 2, "3 cells, 3 vertices"),
        (crammer_singer_for_abstain, 12, "13 cells, 78 vertices"),
        (lee_lin_wahba_for_zero_one, 4, "4 cells, 15 vertices"),
        (lee_lin_wahba_for_zero_one, 8, "8 cells, 255 vertices"),
    ],
)
def test_larger_certificates_are_accepted(make, n, size):
    certificate = text(make(n))
    start = time.perf_counter()
    verdict = check(certificate)
    print(f"\n{verdict} ({len(certificate)} bytes): {time.perf_counter() - start:.2f} s")
    assert verdict.accepted
    assert verdict.why.endswith(size)


def test_cells_may_be_repeated_redundant_or_tight_on_a_face_only():
    certificate = crammer_singer_for_abstain(3)
    cells = certificate["evidence"]["cells"]
    cells.append(dict(cells[0]))
    cells.append({"u": ["-5", "0", "0"], "prediction": 3})  # ψ = (6, 1, 1): tight on the edge p_0 = 0 of cell 0
    cells.append({"u": ["7", "0", "-9"], "prediction": 0})  # ψ = (0, 8, 17): tight at e_0 only
    cells.append({"u": ["9", "8", "7"], "prediction": 0})  # ψ = (0, 2, 3): tight at e_0 and (e_0 + e_1)/2
    cells.append({"u": ["1/2", "1/2", "1/2"], "prediction": 3})
    verdict = check(text(certificate))
    assert verdict.why == 'calibrated: "crammer_singer(n=3)" for "abstain(n=3)": 9 cells, 6 vertices'
    assert naive.holds(certificate)
    cells[6]["prediction"] = 3  # not optimal at e_0
    assert check(text(certificate)).why == (
        "evidence.cells[6]: it is tight at p = (1, 0, 0), where its prediction is not optimal"
    )
    assert not naive.holds(certificate)


@pytest.mark.parametrize("prediction", [0, 1, 2])
def test_a_cell_that_is_nowhere_tight_may_predict_anything(prediction):
    certificate = lee_lin_wahba_for_zero_one(3)
    cell = {"u": ["2", "1", "-3"], "prediction": prediction}  # ψ = (2, 3, 5), above min_t 3(1 − p_t) everywhere
    certificate["evidence"]["cells"].insert(1, cell)
    assert check(text(certificate)).why.endswith("4 cells, 7 vertices")
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
    assert check(text(certificate)).why == "evidence.vertices: the weights at p = (0, 1) prove p·ψ ≥ 3, not 4"


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
    assert check(text(certificate)).why == "not calibrated: the surrogate for the loss: u = (), 2 points"
    certificate["surrogate"]["inequalities"] = [["-1"]]
    assert check(text(certificate)).why == "evidence.u: () is not in the domain"


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


@pytest.mark.parametrize("name", [name for name in ALL if ALL[name]["claim"] == "calibrated"])
def test_no_set_of_distributions_may_be_empty(name):
    """On no distribution every pred is right, which is not what anybody means."""
    n = len(ALL[name]["loss"]["entries"])
    nowhere = {"inequalities": [["-1"] * n], "equations": []}
    for within in ([nowhere], [nowhere, *ALL[name].get("within", [])], [*ALL[name].get("within", []), nowhere]):
        certificate = {**ALL[name], "within": within}
        if "apart" in certificate["evidence"] and len(within) == 1:
            certificate["evidence"] = {**certificate["evidence"], "apart": []}
        verdict = check(text(certificate))
        if "blocks" in certificate["evidence"]:
            assert verdict.why == "evidence.blocks: not for version 1 or given distributions"
            continue
        if "theorem" in certificate["evidence"]:
            assert verdict.why == "evidence.theorem: not for version 1 or within"
            continue
        if "votes" in certificate.get("pred", {}):
            assert verdict.why == "within: votes are for all distributions"
            continue
        assert verdict.why == f"within[{within.index(nowhere)}]: the set is empty"
        assert not naive.holds(certificate)


def test_an_empty_set_beside_others_does_not_harm_a_refutation():
    """The points lie in the others; whether a set is empty is not looked at there."""
    certificate = ALL["within: not calibrated"]
    nowhere = {"inequalities": [["-1", "-1"]], "equations": []}
    assert check(text({**certificate, "within": [nowhere, *certificate["within"]]})).accepted
    assert not check(text({**certificate, "within": [nowhere]})).accepted


@pytest.mark.parametrize("name", [name for name in ALL if "pred" not in ALL[name]])
def test_without_a_pred_both_versions_are_the_same(name):
    first, second = ({**ALL[name], "version": version} for version in (1, 2))
    surrogate = ALL[name]["surrogate"]
    if "estimates" in surrogate and ("inequalities" in surrogate or "0" in surrogate.get("weights", [])):
        assert not check(text(first)).accepted  # only version 2 has a domain of estimates, and weights of 0
    elif {"blocks", "theorem"} & ALL[name]["evidence"].keys():
        assert not check(text(first)).accepted  # nor does version 1 know symmetry, or theorems about polyhedral ones
    else:
        assert check(text(first)) == check(text(second))
    assert check(text(second)).accepted
    assert naive.holds(second)
