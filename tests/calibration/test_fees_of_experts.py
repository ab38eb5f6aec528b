"""Hinges that ask experts for a fee: what they add up to, which loss they are right for, and which fits which."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.losses import defer, zero_one
from lossmith.surrogates import defer_hinge, gain_weighted, lee_lin_wahba
from lossmith.surrogates.members import fitting_surrogate
from lossmith.surrogates.named import surrogate_named


def by_hand(classes, fees, u):
    """ℓ_y + Σ_t f̄ ℓ_t + Σ_j (b_j + f̄ − f_j) ℓ_{m+j}, of the hinge of Lee, Lin and Wahba, Σ_{j≠t} (1 + u_j)₊."""
    hinge = [sum(max(0, 1 + x) for j, x in enumerate(u) if j != t) for t in range(len(u))]
    most = max(fees)
    return [
        hinge[y]
        + most * sum(hinge[:classes])
        + sum((b + most - f) * h for b, f, h in zip(right, fees, hinge[classes:], strict=True))
        for y, right in product(range(classes), product((1, 0), repeat=len(fees)))
    ]


@pytest.mark.parametrize(("classes", "fees"), [(2, ["1/10"]), (3, ["1/4"]), (2, ["0", "1/5"]), (2, ["1/3", "3/2"])])
def test_values_are_those_of_its_formula(classes, fees):
    fees = [Fraction(f) for f in fees]
    psi = defer_hinge(classes, len(fees), fees=fees)
    for shift in range(4):
        u = [Fraction((7 * j + 3 * shift) % 5 - 2, 2) for j in range(psi.dim - 1)]
        u.append(-sum(u))
        assert list(psi(u)) == by_hand(classes, fees, u)


@pytest.mark.parametrize("base", ["lee-lin-wahba", "adversarial-zero-one"])
@pytest.mark.parametrize("fee", ["1/2", *(pytest.param(fee, marks=pytest.mark.exhaustive) for fee in ("1/10", "9/10"))])
def test_with_a_fee_it_is_right_for_its_own(base, fee):
    """Mao et al.: Σ_y p_y (c − L_yt) are probabilities of decisions up to a factor, and the likeliest costs least."""
    psi = defer_hinge(2, base=base, fees=[fee])
    for pred in (None, "argmax"):
        verdict = lm.check(psi, defer(2, fees=[fee]), pred)
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted


def test_for_other_fees_argmax_is_wrong():
    psi = defer_hinge(2, fees=["1/10"])
    for other in (None, ["1/5"]):
        verdict = lm.check(psi, defer(2, fees=other), "argmax")
        assert verdict.status == "not calibrated"
        assert lm.verify(verdict.certificate).accepted
    assert lm.check(defer_hinge(2), defer(2, fees=["1/10"]), "argmax").status == "not calibrated"


def test_with_crammer_singer_it_is_wrong_with_a_fee_too():
    assert lm.check(defer_hinge(2, base="crammer-singer", fees=["1/10"]), defer(2, fees=["1/10"])).status == (
        "not calibrated"
    )


def test_it_is_gain_weighted_of_its_loss_and_without_fees_as_before():
    assert defer_hinge(2, fees=["1/10"]) == gain_weighted(defer(2, fees=["1/10"]))
    assert defer_hinge(2, fees=[0]) == defer_hinge(2)
    assert defer_hinge(2).name == "defer_hinge(classes=2, experts=1, base=lee_lin_wahba)"
    plain = lee_lin_wahba(3)([2, -1, -1])
    assert defer_hinge(2)([2, -1, -1]) == (plain[0] + plain[2], plain[0], plain[1] + plain[2], plain[1])


def test_the_fees_of_a_loss_are_found():
    loss = defer(2, 2, ["1/10", "0"])
    assert fitting_surrogate(defer_hinge, loss) == defer_hinge(2, 2, fees=["1/10", 0])
    assert fitting_surrogate(defer_hinge, defer(3)) == defer_hinge(3)
    assert fitting_surrogate(defer_hinge, zero_one(4)) is None
    assert surrogate_named("defer-hinge:classes=2,fees=1/10") == defer_hinge(2, fees=["1/10"])
    assert "-1/10" in refusal(defer_hinge, 2, 1, "lee-lin-wahba", ["-1/10"])
    assert re.search("1 .* 2 ", refusal(defer_hinge, 2, 2, "lee-lin-wahba", ["1/10"]))
