"""What `lossmith verify --explain` says of certificates: what was checked, in the numbers of the file."""

from __future__ import annotations

import copy

import pytest
from handmade import ALL, crammer_singer_for_abstain, interval_not_for_reject, signed_multiplier, text

import lossmith as lm
from lossmith.certificates.explaining import explain
from lossmith_verify import check


@pytest.mark.parametrize("name", ALL)
def test_every_kind_is_explained(name):
    certificate = ALL[name]
    lines = explain(text(certificate)).splitlines()
    assert lines[0] == str(check(text(certificate)))
    assert explain(text(certificate).encode()).splitlines() == lines
    (claim,) = [line for line in lines if line.startswith("Claim: ")]
    assert (" has for " if {"hull", "delta"} & certificate.keys() else f" is {certificate['claim']} for ") in claim
    assert (" with " in claim) == ("pred" in certificate)
    assert claim.endswith(" on the distributions below.") == ("within" in certificate)
    named = [line for line in lines if " says " in line and line.endswith((":", ": never")) and " near " not in line]
    assert len(named) == len(certificate.get("pred", {}).get("regions", []))
    assert sum("distributions with " in line for line in lines) == len(certificate.get("within", []))
    assert sum(line.startswith("  ψ(") for line in lines) == len(certificate["surrogate"].get("terms", []))
    assert sum(line.startswith("  a(") for line in lines) == len(certificate["surrogate"].get("estimates", []))
    for part in ("points", "vertices", "apart"):
        evidence = certificate["evidence"]
        pieces = [piece for region in evidence.get("pieces", []) for piece in region]
        holders = [evidence.get("above", evidence), evidence.get("all", {}), *pieces]
        for each in (each for holder in holders for each in holder.get(part, [])):
            assert any(f" = ({', '.join(each['p'])})" in line for line in lines), part


def lines_of(name: str) -> list[str]:
    return explain(text(ALL[name])).splitlines()


def test_a_cover():
    lines = explain(text(crammer_singer_for_abstain(3))).splitlines()
    assert lines[0] == 'accepted: calibrated: "crammer_singer(n=3)" for "abstain(n=3)": 4 cells, 6 vertices'
    assert 'Claim: "crammer_singer(n=3)" is calibrated for "abstain(n=3)".' in lines
    assert '  truth ↓ decision →  0  1  2  "abstain"' in lines
    assert "                   1  1  0  1        1/2" in lines
    assert "  ψ(0, u) = max(0, 1 - u[0] + u[1], 1 - u[0] + u[2])" in lines
    assert "  cell 1: u = (1, 0, 0), predict 0" in lines
    assert "  p = (1/2, 1/2, 0)" in lines


def test_a_refutation():
    lines = explain(text(interval_not_for_reject())).splitlines()
    assert "  ψ(1, u) = (1 + u[0])" in lines
    assert "  domain: 1 - u[0] ≥ 0" in lines
    assert "At u = (1) the surrogate risk p·ψ is least for" in lines
    assert "  p1 = (1/2, 1/2)" in lines
    assert "  2 is better than 0 at p1: expected loss 1/4 < 1/2" in lines


def test_coefficients_and_equations():
    certificate = signed_multiplier()
    certificate["surrogate"]["equations"].append(["0", "-7/2"])
    lines = explain(text(certificate)).splitlines()
    assert "  ψ(1, u) = (-u[0])" in lines
    assert "  domain: u[0] = 0" in lines
    assert "  domain: -7/2u[0] = 0" in lines


def test_regions():
    lines = lines_of("pred: calibrated")
    assert lines[lines.index('"sign" says 0:') + 1] == "  u[0] ≥ 0"
    assert lines[lines.index('"sign" says 1:') + 1] == "  -u[0] ≥ 0"
    assert "  p = (1, 0): 1, piece 0" in lines
    lines = lines_of("pred: not calibrated")
    assert lines[lines.index("the pred says 0:") + 2] == "  or 1 + u[0] ≥ 0 and -u[0] ≥ 0"
    assert "the pred says 2: never" in lines
    assert "There, or as near as one likes, the pred says 0, but:" in lines
    assert "  1 is better than 0 at p0: expected loss 0 < 1" in lines


def test_sets():
    lines = lines_of("within: calibrated")
    at = lines.index("distributions with p[0] - 4p[1] ≥ 0")
    assert lines[at + 1] == "or distributions with -2p[0] + p[1] ≥ 0"


def test_estimates():
    lines = lines_of("mean: calibrated")
    assert '"square", known by a theorem (mean); the estimate that belongs to p is Σ p_y a_y with' in lines
    assert "  a(2) = (2)" in lines
    assert "  2: 4 - 4x[0]" in lines
    lines = lines_of("mean, pred: not calibrated")
    assert "  -1/2 + x[0] ≥ 0 and 3/2 - x[0] ≥ 0" in lines
    assert "The estimate (4/5) belongs to" in lines
    assert "  0 is better than 1 at p0: expected loss 4/5 < 1" in lines


def test_weights_and_domains_of_estimates():
    lines = explain(text(ALL["a free label"])).splitlines()
    assert any(line.endswith("the estimate that belongs to p is Σ w_y p_y a_y / Σ w_y p_y with") for line in lines)
    assert "  a(2) = (5), w(2) = 0" in lines
    assert "  domain: x[0] ≥ 0" in lines_of("v2: bounded mean")


def test_rows_are_about_what_the_theorem_tells():
    assert "  u[0] ≥ 0" in lines_of("signs")
    assert "  x[0] - x[1] ≥ 0 and x[0] - x[2] ≥ 0" in lines_of("v2: argmax")
    assert "  u[0] - u[1] ≥ 0 and u[0] - u[2] ≥ 0" in lines_of("largest")


def test_slopes_on_a_segment():
    slopes = "  slopes of ψ(1, ·) on a segment: from (2, -2, 0) to (3, -3, 0)"
    assert slopes in lines_of("on the way")


def test_tangents():
    assert '"square", for u of dimension 1 (its tangents at u):' in lines_of("tangents")


def test_names_are_printed_harmlessly():
    certificate = copy.deepcopy(ALL["pred: calibrated"])
    certificate["loss"]["name"] = "x\naccepted: \ud800 \x1b[2J"
    certificate["surrogate"]["name"] = "ψ" * 1000
    certificate["pred"]["name"] = "y\rz\u2028"
    certificate["loss"]["labels"] = ["\u202e", "b" * 100]
    certificate["loss"]["predictions"] = ["\x07", 7]
    account = explain(text(certificate))
    account.encode()
    lines = account.split("\n")
    assert all(line.isprintable() for line in lines)
    assert lines[0].startswith("accepted: calibrated: ")
    assert sum(line.startswith("accepted") for line in lines) == 1
    assert r'"x\naccepted: \ud800 \u001b[2J"' in account
    assert "b" * 81 not in account
    assert len(check(text(certificate)).why) < 1000


def test_names_may_be_integers():
    certificate = copy.deepcopy(ALL["pred: calibrated"])
    certificate["loss"]["name"], certificate["surrogate"]["name"], certificate["pred"]["name"] = 1, 2, 3
    assert "Claim: 2 with 3 is calibrated for 1." in explain(text(certificate)).splitlines()


def test_expected_losses_of_very_many_digits():
    """Python prints only numbers of a few thousand digits."""
    certificate = copy.deepcopy(ALL["interval not for reject"])
    row = [f"1/{10**639 + i}" for i in range(3)]
    certificate["loss"]["entries"] = [["0", "1", row[0]], ["1", "0", row[1]]]
    assert check(text(certificate)).accepted
    assert "(a fraction of " in explain(text(certificate))


@pytest.mark.parametrize("junk", ["", "{}", b"\xff", "[" * 10**5])
def test_what_is_rejected_is_not_explained(junk):
    assert explain(junk) == (
        f"rejected: {check(junk).why}\n\nThe certificate is rejected. It proves neither its claim nor the contrary."
    )


def test_long_lines_are_broken():
    proof = lm.check("crammer-singer", "abstain:n=9").certificate.text
    assert max(map(len, explain(proof).splitlines()[1:])) <= 120


def test_regrets():
    lines = lines_of("regret: not calibrated")
    assert "((3/2, 0), (4, 1))" in lines[0]
    assert 'Claim: "hinge" with "sign" has for the loss the regrets below, and no others.' in lines
    assert "  3/2 takes 0: at p = (1/2, 1/2), where the pred says 0 at u = (1)" in lines
    assert "  4 takes 1: at p = (0, 1), where the pred says 0 at u = (0)" in lines
    assert any("not bounded by a multiple" in line and "never more than 4" in line for line in lines)
    assert any("at most 1 times that of the surrogate" in line for line in lines_of("regret: hinge"))


def test_a_calibration_function():
    lines = lines_of("function: jump")
    assert "  from 0 just above ε = 0 to 1/10 at ε = 1: the pred says 1, 0 is better," in lines
    assert "  from 9/10 just above ε = 1 to 9/5 at ε = 2: the pred says 0, 1 is better," in lines
    assert "    at u = (1/10), or as near as one likes on the way to (0)" in lines
    assert "So the regret of the loss is at most 10 times that of the surrogate, and never more than 2." in lines
    assert lines[lines.index("So do, of all u in piece 0 of 1:") + 2] == "  cell 1: u = (1)"
    bounded = "So the regret of the loss is not bounded by a multiple of that of the surrogate, and never more than 4."
    assert bounded in lines_of("function: not calibrated")
    assert not any(line.startswith("So the regret") for line in lines_of("function: nothing lost"))
