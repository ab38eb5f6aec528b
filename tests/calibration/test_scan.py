"""Critical values: verdicts along a parameter, and where they change."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from lossmith.calibration.scanning import simplest_between
from lossmith.errors import BadInput, UnknownName
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import (
    binary_encoded,
    crammer_singer,
    epsilon_insensitive,
    one_vs_all_hinge,
    one_vs_all_squared_hinge,
)


def stretches(scan):
    return [(str(each), each.status) for each in scan.stretches]


@cache
def scan_of_tolerances():
    return lm.scan(lambda eps: lm.check(epsilon_insensitive(3, eps), ordinal(3)), 0, 1)


NEAR = Fraction(1, 10**9)


@pytest.mark.parametrize("tau", [0, NEAR, 1 - NEAR, 1], ids=str)
def test_the_gap_of_crammer_singer_for_abstaining_is_right_close_to_0_and_1_but_not_there(tau):
    verdict = lm.check(crammer_singer(3), abstain(3), pred=f"argmax-gap:tau={tau}")
    assert verdict.status == ("calibrated" if 0 < tau < 1 else "not calibrated")
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [3, 4])
def test_the_gap_of_crammer_singer_for_abstaining_is_right_strictly_between_0_and_1(n):
    found = lm.scan(lambda tau: lm.check(crammer_singer(n), abstain(n), pred=f"argmax-gap:tau={tau}"), 0, 2)
    expected = [("= 0", "not calibrated"), ("0 < … < 1", "calibrated"), ("1 ≤ … ≤ 2", "not calibrated")]
    assert stretches(found) == expected
    assert all(all(each.exact) for each in found.stretches)


@pytest.mark.exhaustive
def test_the_threshold_of_one_vs_all_for_abstaining_is_right_strictly_between_minus_1_and_1():
    found = lm.scan(lambda tau: lm.check(one_vs_all_hinge(3), abstain(3), pred=f"argmax-threshold:tau={tau}"), -2, 2)
    assert [str(each) for each in found.calibrated()] == ["-1 < … < 1"]


def test_epsilon_must_stay_below_a_half():
    assert [str(each) for each in scan_of_tolerances().calibrated()] == ["0 ≤ … < 1/2"]


def test_what_a_family_refuses_is_a_stretch_of_its_own():
    found = lm.scan(lambda c: lm.check(binary_encoded(3, c), abstain(3, c)), 0, 1)
    assert stretches(found) == [("= 0", "refused"), ("0 < … ≤ 1/2", "calibrated"), ("1/2 < … ≤ 1", "refused")]


def test_a_single_value_is_found_where_its_denominator_is_small():
    def question(x):
        return SimpleNamespace(status="calibrated" if x == Fraction(3, 7) else "not calibrated")

    found = lm.scan(question, -1, 1)
    assert stretches(found) == [
        ("-1 ≤ … < 3/7", "not calibrated"),
        ("= 3/7", "calibrated"),
        ("3/7 < … ≤ 1", "not calibrated"),
    ]


@pytest.mark.exhaustive
def test_the_threshold_of_squared_hinges_for_abstaining_is_a_single_value():
    # u_t > τ means p_t > (1 + τ)/2, and abstaining at cost c is right exactly where no p_t exceeds 1 − c.
    found = lm.scan(
        lambda tau: lm.check(one_vs_all_squared_hinge(3), abstain(3, "2/7"), pred=f"argmax-threshold:tau={tau}"), -1, 1
    )
    assert [str(each) for each in found.calibrated()] == ["= 3/7"]


def test_how_sure_one_must_be_for_crammer_singer_to_serve_the_zero_one_loss():
    def question(c):
        return lm.check(crammer_singer(3), zero_one(3), within=[lambda p, y=y: [p[y] >= c] for y in range(3)])

    assert [str(each) for each in lm.scan(question, 0, 1).calibrated()] == ["1/2 < … ≤ 1"]


@pytest.mark.parametrize("edge", ["1/3", "22/7", "113/355", "1/1000"])
@pytest.mark.parametrize("closed", [True, False])
def test_a_rational_break_point_is_met_exactly(edge, closed):
    edge = Fraction(edge)

    def question(x):
        return SimpleNamespace(status="calibrated" if x > edge or (closed and x == edge) else "not calibrated")

    below, above = lm.scan(question, 0, 4).stretches
    assert (below.high, above.low) == (edge, edge)
    assert (below.closed[1], above.closed[0]) == (not closed, closed)
    assert below.exact == above.exact == (True, True)


def test_an_irrational_break_point_is_bracketed_closely():
    below, above = lm.scan(lambda x: SimpleNamespace(status=str(x * x > 2)), 1, 2).stretches
    assert below.high**2 < 2 < above.low**2 or below.high == above.low
    assert abs(above.low - below.high) <= Fraction(1, 10**6)


def test_three_answers_in_one_gap_are_told_apart():
    def question(x):
        return SimpleNamespace(
            status="low" if x < Fraction(501, 1000) else "mid" if x < Fraction(502, 1000) else "high"
        )

    assert [each.status for each in lm.scan(question, 0, 1).stretches] == ["low", "mid", "high"]


@given(st.fractions(-20, 20, max_denominator=40), st.fractions("1/1000", 5, max_denominator=1000))
def test_no_simpler_fraction_lies_between(a, width):
    b = a + width
    simplest = simplest_between(a, b)
    assert a < simplest < b
    for denominator in range(1, simplest.denominator):
        first = Fraction(int(a * denominator // 1) + 1, denominator)
        assert not a < first < b


def test_a_scan_prints_and_travels_as_plain_data():
    found = scan_of_tolerances()
    assert json.loads(json.dumps(found.to_dict()))["stretches"][0]["high"] == "1/2"
    assert r"$0 \le \cdot < \tfrac{1}{2}$ & calibrated" in found.to_latex()
    lines = str(found).splitlines()
    assert lines[:2] == ["  0 ≤ … < 1/2  calibrated", "  1/2 ≤ … ≤ 1  not calibrated"]
    assert lines[2].startswith(f"{len(found.tested)} ")


def test_bad_scans_are_refused():
    with pytest.raises(BadInput, match=r"\b2\b.*\b1\b"):
        lm.scan(lambda x: None, 2, 1)
    with pytest.raises(BadInput, match=r"\b1\b.*\b1\b"):
        lm.scan(lambda x: None, 1, 1)
    with pytest.raises(UnknownName, match=r"'argmax-gp:tau=0'.*'argmax-gap'"):
        lm.scan(lambda tau: lm.check(crammer_singer(3), abstain(3), pred=f"argmax-gp:tau={tau}"), 0, 1)
