"""Certificates that are right are accepted, and explained."""

from __future__ import annotations

import time

import naive
import pytest
from handmade import (
    ALL,
    crammer_singer_for_abstain,
    crammer_singer_not_for_zero_one,
    interval_not_for_reject,
    lee_lin_wahba_for_zero_one,
    signed_multiplier,
    text,
)

from lossmith_verify import Verification, check, explain


@pytest.mark.parametrize("name", ALL)
def test_handmade_certificates_are_accepted(name):
    verdict = check(text(ALL[name]))
    assert verdict.accepted, verdict
    assert verdict.given == ()
    assert naive.holds(ALL[name])
    assert check(text(ALL[name]).encode()) == verdict


def test_why_says_what_was_proved():
    assert check(text(crammer_singer_for_abstain(3))) == Verification(
        accepted=True, given=(), why="calibrated: crammer_singer(n=3) for abstain(n=3): 4 cells, 6 vertices"
    )
    assert str(check(text(crammer_singer_not_for_zero_one()))) == (
        "accepted: not calibrated: crammer_singer(n=3) for zero_one(n=3): u = (0, 0, 0), 3 points"
    )
    assert check(text(signed_multiplier())).why == "calibrated: the surrogate for the loss: 1 cell, 2 vertices"


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
    assert verdict.why == "calibrated: crammer_singer(n=3) for abstain(n=3): 9 cells, 6 vertices"
    assert naive.holds(certificate)
    cells[6]["prediction"] = 3  # not optimal at e_0
    assert check(text(certificate)).why == (
        "evidence.cells[6].prediction: not optimal at p = (1, 0, 0), where the cell is tight"
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
    assert check(text(certificate)).why == "evidence.vertices[1]: the weights prove p·ψ ≥ 3, but the cells only reach 4"


def test_explanation_of_a_cover():
    lines = explain(text(crammer_singer_for_abstain(3))).splitlines()
    assert lines[0] == "accepted: calibrated: crammer_singer(n=3) for abstain(n=3): 4 cells, 6 vertices"
    assert "Claim: crammer_singer(n=3) is calibrated for abstain(n=3)." in lines
    assert "  truth ↓ decision →  0  1  2  abstain" in lines
    assert "                   1  1  0  1      1/2" in lines
    assert "  ψ(0, u) = max(0, 1 - u[0] + u[1], 1 - u[0] + u[2])" in lines
    assert "  cell 1: u = (1, 0, 0), ψ(u) = (0, 2, 2), predict 0" in lines
    assert "  p = (1/2, 1/2, 0): minimum 1, in the cells (0, 1, 2); optimal: 0, 1, abstain" in lines


def test_explanation_of_a_refutation():
    lines = explain(text(interval_not_for_reject())).splitlines()
    assert "  ψ(1, u) = (1 + u[0])" in lines
    assert "  domain: 1 - u[0] ≥ 0" in lines
    assert "At u = (1) is ψ(u) = (0, 2). This u minimises the surrogate risk p·ψ at" in lines
    assert "  p1 = (1/2, 1/2): minimum 1" in lines
    assert "  2 is better than 0 at p1: expected loss 1/4 < 1/2" in lines


def test_explanation_of_coefficients_and_equations():
    certificate = signed_multiplier()
    certificate["surrogate"]["equations"].append(["0", "-7/2"])
    lines = explain(text(certificate)).splitlines()
    assert "  ψ(1, u) = (-u[0])" in lines
    assert "  domain: u[0] = 0" in lines
    assert "  domain: -7/2u[0] = 0" in lines


def test_names_are_printed_harmlessly():
    certificate = signed_multiplier()
    certificate["loss"]["name"] = "x\naccepted: \ud800 \x1b[2J"
    certificate["surrogate"]["name"] = "ψ" * 1000
    certificate["loss"]["labels"] = ["\u202e", "b" * 100]
    account = explain(text(certificate))
    account.encode()
    assert account.splitlines()[0].startswith("accepted: calibrated: ")
    assert r"'x\naccepted: \ud800 \x1b[2J'" in account
    assert "\x1b" not in account
    assert "\u202e" not in account
    assert "b" * 81 not in account
    assert len(check(text(certificate)).why) < 1000
