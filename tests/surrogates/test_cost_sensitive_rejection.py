"""Rejecting by costs of the margin: what the scores tell for each φ, and where deciding by their signs is right."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.surrogates import abstain_one_vs_all, cost_sensitive_reject
from lossmith.surrogates.margins import MARGINS
from lossmith.surrogates.named import surrogate_named

NAMES = [*MARGINS, "square"]
COSTS = ["1/4", "2/5", "1/2", "3/5"]
PHI = {
    "exponential": lambda z: math.exp(-z),
    "logistic": lambda z: math.log(1 + math.exp(-z)),
    "squared-hinge": lambda z: max(0, 1 - z) ** 2,
    "modified-huber": lambda z: -4 * z if z < -1 else max(0, 1 - z) ** 2,
    "square": lambda z: (1 - z) ** 2,
    "smooth-hinge": lambda z: 0.5 - z if z < 0 else max(0, 1 - z) ** 2 / 2,
}


def told(psi, u):
    """The probabilities that the scores tell: the square also tells what is none, far from optimal."""
    return psi.estimates(u) if psi.traits.proper is None else psi.probabilities(u)


def links(psi):
    return psi.traits.reading or psi.traits.proper


def least_at(f):
    """Where a convex function is least, by golden sections."""
    low, high, ratio = -12.0, 12.0, (math.sqrt(5) - 1) / 2
    for _ in range(80):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if f(a) <= f(b) else (a, high)
    return (low + high) / 2


@pytest.mark.parametrize("phi", NAMES)
@pytest.mark.parametrize("cost", COSTS)
def test_a_score_that_is_best_for_its_label_tells_its_probability(phi, cost):
    psi, c = cost_sensitive_reject(2, cost, phi), float(Fraction(cost))
    for p in (0.05, 0.3, 0.5, 0.8, 0.99):
        u = least_at(lambda z, p=p: p * c * PHI[phi](z) + (1 - p) * (1 - c) * PHI[phi](-z))
        assert told(psi, [[u, 0]])[0, 0] == pytest.approx(p, abs=1e-5)
        assert links(psi).link(np.array([p, 1 - p]))[0] == pytest.approx(u, abs=1e-5)


@pytest.mark.parametrize("phi", ["squared-hinge", "modified-huber", "smooth-hinge", "square"])
def test_its_thresholds_are_where_the_slope_is_zero(phi):
    """At u = τ: p c φ′(τ) = (1 − p)(1 − c) φ′(−τ), exactly."""
    slope = {"smooth-hinge": lambda z: -min(1 - z, 1)}.get(phi, lambda z: -2 * (1 - z))  # for −1 < z < 1
    for c in map(Fraction, COSTS):
        threshold = links(cost_sensitive_reject(2, c, phi)).threshold
        for tau in map(Fraction, ("-3/4", "-1/3", "0", "1/2", "9/10")):
            q = threshold(tau)
            assert q * c * slope(tau) == (1 - q) * (1 - c) * slope(-tau), (c, tau)


@pytest.mark.parametrize("phi", NAMES)
def test_a_score_of_0_is_the_probability_1_minus_c_and_1_none(phi):
    threshold = links(cost_sensitive_reject(3, "2/7", phi)).threshold
    assert threshold(Fraction(0)) == Fraction(5, 7)
    assert threshold(Fraction(1)) is None


REJECTING = [
    *(("1/4", phi, 2) for phi in NAMES),
    ("2/5", "logistic", 3),
    *(
        pytest.param(own, phi, n, marks=pytest.mark.exhaustive)
        for own in ("1/4", "2/5", "1/2")
        for phi in NAMES
        for n in (2, 3, 4)
        if (own, n) != ("1/4", 2) and (own, phi, n) != ("2/5", "logistic", 3)
    ),
]


@pytest.mark.parametrize(("own", "phi", "n"), REJECTING)
def test_rejecting_by_sign_is_right_for_its_own_cost_alone(own, phi, n):
    psi = cost_sensitive_reject(n, own, phi)
    for cost in ("1/4", "2/5", "1/2"):
        verdict = lm.check(psi, lm.losses.abstain(n, cost), "argmax-threshold:tau=0")
        # for two labels abstaining at cost 1/2 is never needed, and not right but at 1/2
        assert (verdict.status == "calibrated") is (own == cost)
        assert lm.verify(verdict.certificate).accepted
    assert lm.check(psi, lm.losses.zero_one(n), "argmax").status == "calibrated"
    assert lm.check(psi, lm.losses.ordinal(n)).status == "calibrated"


def test_another_threshold_is_right_for_another_cost():
    """The squared hinge at τ = 1/2 tells s = 3/4, and p = (3/4 · 3/4)/(3/4 · 3/4 + 1/4 · 1/4) = 9/10 for c = 1/4."""
    psi = cost_sensitive_reject(3, "1/4", "squared-hinge")
    found = {x: lm.check(psi, lm.losses.abstain(3, x), "argmax-threshold:tau=1/2").status for x in ("1/10", "1/4")}
    assert found == {"1/10": "calibrated", "1/4": "not calibrated"}


def test_hinge_and_unknown_functions_are_refused_with_what_there_is():
    assert "abstain-one-vs-all" in refusal(cost_sensitive_reject, 3, "1/4", "hinge")
    assert "modified-huber" in refusal(cost_sensitive_reject, 3, "1/4", "modified-hubert")


def test_with_the_hinge_it_would_be_half_of_abstain_one_vs_all():
    hinge, u, c = abstain_one_vs_all(3, "1/4"), [Fraction(1, 2), Fraction(-2), Fraction(3)], Fraction(1, 4)
    own, other = [c * max(0, 1 - x) for x in u], [(1 - c) * max(0, 1 + x) for x in u]
    plain = [sum(own[j] if j == y else other[j] for j in range(3)) for y in range(3)]
    assert list(hinge(u)) == [2 * x for x in plain]


def test_names_are_as_before_and_can_be_read():
    assert cost_sensitive_reject(3, "1/4").name == "cost_sensitive_reject(n=3, cost=1/4)"
    for phi in NAMES:
        psi = cost_sensitive_reject(3, "1/4", phi)
        assert surrogate_named(f"cost-sensitive-reject:n=3,cost=1/4,phi={phi}") == psi
        assert pickle.loads(pickle.dumps(psi)) == psi


def test_what_the_square_tells_rises_through_all_numbers():
    """So that near the least risk, and only there, it tells the probability: the risk is least at one u, and grows."""
    psi, u = cost_sensitive_reject(2, "1/4", "square"), np.linspace(-50, 50, 4001)
    read = psi.estimates(np.stack([u, u], axis=1))[:, 0]
    assert (np.diff(read) > 0).all()
    assert np.diff(read).max() < 0.1
    assert (read[0], read[-1]) == pytest.approx((-24.5, 25.5))
