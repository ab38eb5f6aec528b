"""What `lossmith verify --explain` says of certificates: what was checked, in the numbers of the file.

The sentences themselves stand in `tests/wording`.
"""

from __future__ import annotations

import copy
import json
import re

import pytest
from handmade import ALL, crammer_singer_for_abstain, interval_not_for_reject, signed_multiplier, text

from lossmith.certificates.explaining import explain
from lossmith_verify import check


def test_every_kind_is_explained():
    for name, certificate in ALL.items():
        lines = explain(text(certificate)).splitlines()
        assert lines[0] == str(check(text(certificate))), name
        names = [json.dumps(certificate[part]["name"]) for part in ("loss", "surrogate") if "name" in certificate[part]]
        assert len(lines) > 4, name
        assert all(any(each in line for line in lines[1:]) for each in names), name
        assert sum(line.startswith("  ψ(") for line in lines) == len(certificate["surrogate"].get("terms", [])), name
        assert sum(line.startswith("  a(") for line in lines) == len(certificate["surrogate"].get("estimates", []))
        for part in ("points", "vertices", "apart"):
            evidence = certificate["evidence"]
            pieces = [piece for region in evidence.get("pieces", []) for piece in region]
            holders = [evidence.get("above", evidence), evidence.get("all", {}), *pieces]
            for each in (each for holder in holders for each in holder.get(part, [])):
                assert any(f" = ({', '.join(each['p'])})" in line for line in lines), (name, part)


def test_bytes_are_explained_as_the_text_is():
    given = text(crammer_singer_for_abstain(3))
    assert explain(given.encode()) == explain(given)


def lines_of(name: str) -> list[str]:
    return explain(text(ALL[name])).splitlines()


def assert_shown(lines: list[str], *parts: str) -> None:
    """Each of these stands in a line, in this order."""
    rest = iter(lines)
    for part in parts:
        assert any(part in line for line in rest), (part, lines)


def test_a_cover():
    lines = explain(text(crammer_singer_for_abstain(3))).splitlines()
    assert_shown(lines, '0  1  2  "abstain"', "1  1  0  1        1/2")
    assert_shown(lines, "ψ(0, u) = max(0, 1 - u[0] + u[1], 1 - u[0] + u[2])", "p = (1/2, 1/2, 0)")
    assert re.search(r" 1: u = \(1, 0, 0\), .*0$", "\n".join(lines), re.MULTILINE)


def test_a_refutation():
    lines = explain(text(interval_not_for_reject())).splitlines()
    assert_shown(lines, "ψ(1, u) = (1 + u[0])", "1 - u[0] ≥ 0", "u = (1) ", "p1 = (1/2, 1/2)", "1/4 < 1/2")


def test_coefficients_and_equations():
    certificate = signed_multiplier()
    certificate["surrogate"]["equations"].append(["0", "-7/2"])
    lines = explain(text(certificate)).splitlines()
    assert_shown(lines, "ψ(1, u) = (-u[0])", " u[0] = 0", " -7/2u[0] = 0")


def test_regions():
    assert_shown(lines_of("pred: calibrated"), '"sign"', "  u[0] ≥ 0", "  -u[0] ≥ 0", "p = (1, 0): 1, ")
    lines = lines_of("pred: not calibrated")
    assert any(re.search(r"1 \+ u\[0\] ≥ 0 \w+ -u\[0\] ≥ 0$", line) for line in lines)
    assert_shown(lines, "p0 = (0, 1)", "0 < 1")


def test_sets():
    assert_shown(lines_of("within: calibrated"), "p[0] - 4p[1] ≥ 0", "-2p[0] + p[1] ≥ 0")


def test_estimates():
    lines = lines_of("mean: calibrated")
    assert_shown(lines, '"square"', "Σ p_y a_y", "  a(2) = (2)", "  2: 4 - 4x[0]")
    lines = lines_of("mean, pred: not calibrated")
    assert any(re.search(r"-1/2 \+ x\[0\] ≥ 0 \w+ 3/2 - x\[0\] ≥ 0$", line) for line in lines)
    assert_shown(lines, "(4/5) ", "p0 = ", "4/5 < 1")


def test_weights_and_domains_of_estimates():
    lines = explain(text(ALL["a free label"])).splitlines()
    assert_shown(lines, "Σ w_y p_y a_y / Σ w_y p_y", "  a(2) = (5), w(2) = 0")
    assert_shown(lines_of("v2: bounded mean"), " x[0] ≥ 0")


def test_rows_are_about_what_the_theorem_tells():
    assert_shown(lines_of("signs"), "  u[0] ≥ 0")
    for name, letter in (("v2: argmax", "x"), ("largest", "u")):
        line = rf"  {letter}\[0\] - {letter}\[1\] ≥ 0 \w+ {letter}\[0\] - {letter}\[2\] ≥ 0"
        assert any(re.fullmatch(line, each) for each in lines_of(name))


def test_slopes_on_a_segment():
    slopes = [line for line in lines_of("on the way") if "ψ(1, ·)" in line]
    assert any(re.search(r"\(2, -2, 0\) \w+ \(3, -3, 0\)$", line) for line in slopes)


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
    assert lines[0] == str(check(text(certificate)))
    assert sum(line.startswith("accepted") for line in lines) == 1
    assert r'"x\naccepted: \ud800 \u001b[2J"' in account
    assert "b" * 81 not in account
    assert len(check(text(certificate)).why) < 1000


def test_names_may_be_integers():
    certificate = copy.deepcopy(ALL["pred: calibrated"])
    certificate["loss"]["name"], certificate["surrogate"]["name"], certificate["pred"]["name"] = 1, 2, 3
    assert any(re.findall(r"\b\d\b", line) == ["2", "3", "1"] for line in explain(text(certificate)).splitlines()[1:])


def test_expected_losses_of_very_many_digits():
    """Python prints only numbers of a few thousand digits."""
    certificate = copy.deepcopy(ALL["interval not for reject"])
    row = [f"1/{10**639 + i}" for i in range(3)]
    certificate["loss"]["entries"] = [["0", "1", row[0]], ["1", "0", row[1]]]
    assert check(text(certificate)).accepted
    account = explain(text(certificate))
    assert max(map(len, account.splitlines())) < 1000
    assert re.search(r"0 < \(\D*\d{4}\D*\)$", account)  # the number of its bits


@pytest.mark.parametrize("junk", ["", "{}", b"\xff", "[" * 10**4])
def test_what_is_rejected_is_not_explained(junk):
    assert explain(junk).splitlines()[:2] == [str(check(junk)), ""]
    assert len(explain(junk).splitlines()) == 3


def test_long_lines_are_broken():
    lines = explain(text(crammer_singer_for_abstain(9))).splitlines()[1:]
    assert 80 < max(map(len, lines)) <= 120


def numbers_in(lines: list[str]) -> list[list[str]]:
    """The numbers of each line."""
    return [re.findall(r"-?\d+(?:/\d+)?", line) for line in lines]


def test_regrets():
    lines = lines_of("regret: not calibrated")
    assert "((3/2, 0), (4, 1))" in lines[0]
    assert any(re.match(r"  3/2 .*p = \(1/2, 1/2\).* 0 .*u = \(1\)", line) for line in lines)
    assert any(re.match(r"  4 .*p = \(0, 1\).* 0 .*u = \(0\)", line) for line in lines)
    assert ["4"] in numbers_in(lines)  # the regret is not bounded by a multiple, and never more than 4
    assert ["1", "1"] in numbers_in(lines_of("regret: hinge"))  # at most 1 times that of the surrogate


def test_a_calibration_function():
    lines = lines_of("function: jump")
    assert ["0", "0", "1/10", "1", "1", "0"] in numbers_in(lines)  # from 0 at ε = 0 to 1/10 at ε = 1, decided 1 for 0
    assert ["9/10", "1", "9/5", "2", "0", "1"] in numbers_in(lines)
    assert any("u = (1/10)" in line and "(0)" in line for line in lines)
    assert ["10", "2"] in numbers_in(lines)  # at most 10 times as much, and never more than 2
    assert ["4"] in numbers_in(lines_of("function: not calibrated"))
