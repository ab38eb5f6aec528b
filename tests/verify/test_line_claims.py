"""Certificates that no line through p stays in a cell, written by hand, and forgeries of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from handmade import abstain, numbers, text, unit, zero_one
from rejections import assert_rejected
from test_dimension_claims import changed, claim, forgeries

from lossmith.certificates.explaining import explain
from lossmith_verify import check

HALF = ["1/2", "1/2"]


def in_the_middle() -> dict[str, Any]:
    """Abstaining at 1/2, n = 3, at the uniform p: lines leave the cell, whose corners are the middles of the edges.

    For labels i, j: x = 1 for i and −1 for j makes v_j = 1, v_i = −1 and v = 0 elsewhere; and p·(ℓ_i − ℓ_t) = 1/6.
    """
    multipliers = [["1", "-1", "0", "0"], ["1", "0", "-1", "0"], ["0", "1", "-1", "0"]]
    return claim(2, abstain(3), point=numbers(unit(3, 0, 1, 2)), prediction=3, multipliers=multipliers)


def on_an_edge() -> dict[str, Any]:
    """0-1, n = 3: between labels 0 and 1 the cell of 0 is half of the edge, and ends inside."""
    return claim(1, zero_one(3), point=["2/3", "1/3", "0"], prediction=0, multipliers=[["0", "-1", "0"]])


def at_a_corner() -> dict[str, Any]:
    """One label: no line, and nothing to show."""
    return claim(0, zero_one(2), point=["1", "0"], prediction=0, multipliers=[])


GENUINE = [in_the_middle, on_an_edge, at_a_corner]


def tied() -> dict[str, Any]:
    """Both predictions are optimal at p, so a line may stay in the cell of the other."""
    return claim(1, zero_one(2), point=HALF, prediction=0, multipliers=[["0", "-1"]])


def naive(certificate: dict[str, Any]) -> bool:
    """Whether the claim follows, label by label."""
    loss = [[Fraction(x) for x in row] for row in certificate["loss"]["entries"]]
    evidence, k = certificate["evidence"], len(loss[0])
    p, t = [Fraction(x) for x in evidence["point"]], evidence["prediction"]
    if min(p) < 0 or sum(p) != 1 or not 0 <= t < k or certificate["value"] < 0 or min(map(min, loss)) < 0:
        return False
    labels = [y for y in range(len(p)) if p[y]]
    margin = [sum(p[y] * (loss[y][s] - loss[y][t]) for y in labels) for s in range(k)]
    if any(margin[s] <= 0 and any(loss[y][s] != loss[y][t] for y in labels) for s in range(k)):
        return False
    for (i, j), given in zip(combinations(labels, 2), evidence["multipliers"], strict=True):
        x = [Fraction(each) for each in given]
        v = {y: sum(x[s] * (loss[y][s] - loss[y][t]) for s in range(k)) for y in labels}
        least = p[j] * v[j] + sum(p[y] * min(v[y], Fraction(0)) for y in labels if y not in (i, j))
        if least <= sum(max(x[s], Fraction(0)) * margin[s] for s in range(k)):
            return False
    return certificate["value"] <= len(labels) - 1


@pytest.mark.parametrize("make", GENUINE)
def test_genuine(make):
    verification = check(text(make()))
    assert verification.accepted, verification.why
    assert verification.given == ()
    assert verification.why.endswith(f": {make()['value']}")
    assert naive(make())
    assert str(verification) == explain(text(make())).splitlines()[0]


@pytest.mark.parametrize("make", GENUINE)
def test_a_larger_value(make):
    assert_rejected({**make(), "value": make()["value"] + 1}, "value", str(make()["value"]))


@pytest.mark.parametrize("make", GENUINE)
def test_each_number_changed(make):
    """Rejected, or harmless: the claim still follows."""
    accepted = 0
    for at, forged in forgeries(make()):
        good = naive(forged)
        assert check(text(forged)).accepted == good, (at, forged)
        accepted += good
    assert accepted > 0


def test_a_prediction_that_is_not_the_only_optimal_one():
    assert_rejected(tied(), "evidence.point", "0")
    assert_rejected(changed(in_the_middle(), prediction=0), "evidence.point", "0")


def test_a_line_that_is_not_excluded():
    nothing = [["0"] * 4] * 3
    assert_rejected(changed(in_the_middle(), multipliers=nothing), "evidence.multipliers[0]")


def test_lists_of_other_lengths_and_other_keys():
    evidence = in_the_middle()["evidence"]
    assert_rejected(changed(in_the_middle(), multipliers=evidence["multipliers"][:2]), "evidence.multipliers", "3", "2")
    assert_rejected(changed(in_the_middle(), multipliers=[["1"]] * 3), "evidence.multipliers[0]", "4", "1")
    assert_rejected(changed(in_the_middle(), point=HALF), "evidence.point")
    assert_rejected(changed(in_the_middle(), prediction=4), "evidence.prediction")
    assert_rejected(changed(in_the_middle(), points=[]), "evidence", '"points"')
