"""Argmax of p_y/π_y^τ: with whole or rational powers against the definition, with irrational ones right for no loss."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.surrogates import logit_adjusted_softmax, preds, softmax

PRIORS = ["1/2,1/4,1/4", "1/2,1/3,1/6", "2/7,9/14,1/14", "1/3,1/3,1/3"]
POWERS = ["0", "1/3", "1/2", "1", "7/10", "3/2", "2", "999/1000"]
# Of equal and different shares: powers that are whole, that are irrational, and a root that is rational.
FEW = [
    ("1/2,1/4,1/4", "1"),
    ("2/7,9/14,1/14", "2"),
    ("1/2,1/3,1/6", "1/2"),
    ("2/7,9/14,1/14", "1/2"),
    ("1/3,1/3,1/3", "7/10"),
]
SOME = [
    pytest.param(prior, tau, marks=() if (prior, tau) in FEW else pytest.mark.exhaustive)
    for prior, tau in product(PRIORS, POWERS)
]


@cache
def some_losses():
    draw = random.Random(5)
    named = [lm.losses.zero_one(3), lm.losses.ordinal(3), lm.losses.zero_one(3).scale_rows([2, 3, 6])]
    return named + [lm.LossMatrix([[draw.randint(0, 2) for _ in range(3)] for _ in range(3)]) for _ in range(4)]


def powers_of(prior, tau):
    return [float(Fraction(x)) ** float(Fraction(tau)) for x in prior.split(",")]


def wrong_by_much(loss, powers):
    """Whether at a corner of where t is the largest, in floats, t costs more than another prediction.

    These corners have p_t = π_t^τ, and each other p_j 0 or π_j^τ.
    """
    costs = np.array([[float(x) for x in row] for row in loss.entries])
    for t, kept in product(range(3), product((0, 1), repeat=3)):
        p = np.array([x if j == t or kept[j] else 0 for j, x in enumerate(powers)])
        risks = p @ costs / p.sum()
        if risks[t] > risks.min() + 1e-9:
            return True
    return False


@pytest.mark.parametrize(("prior", "tau"), SOME)
def test_argmax_is_right_where_the_corners_say_so(prior, tau):
    psi, powers = logit_adjusted_softmax(prior, tau), powers_of(prior, tau)
    for loss in some_losses():
        verdict = lm.check(psi, loss, "argmax")
        expected = "not calibrated" if wrong_by_much(loss, powers) else "calibrated"
        assert verdict.status == expected, loss.entries
        assert lm.verify(verdict.certificate).accepted
        if verdict.status == "not calibrated":
            (p,), decided = verdict.distributions, verdict.prediction
            assert decided not in loss.optimal_predictions(p)
            assert np.argmax(psi.minimizer(p)) == decided == np.argmax([float(x) / w for x, w in zip(p, powers)])


@pytest.mark.parametrize(("prior", "tau"), SOME)
def test_it_tells_the_probabilities_whatever_the_power(prior, tau):
    psi, powers = logit_adjusted_softmax(prior, tau), powers_of(prior, tau)
    for u in ([0, 0, 0], [1, -2, 0.5]):
        weights = np.array(powers) * np.exp(u)
        assert psi.probabilities([u])[0] == pytest.approx(weights / weights.sum())
    assert lm.check(psi, lm.losses.ordinal(3)).status == "calibrated"
    assert lm.check(psi, lm.losses.abstain(3), "decide").status == "calibrated"


def test_squares_have_rational_roots_and_equal_shares_any():
    # 4 : 9 : 1 have the roots 2 : 3 : 1
    balanced = lm.LossMatrix([[0 if t == y else Fraction(1, w) for t in range(3)] for y, w in enumerate((2, 3, 1))])
    assert lm.check(logit_adjusted_softmax("2/7,9/14,1/14", "1/2"), balanced, "argmax").status == "calibrated"
    even = logit_adjusted_softmax("1/3,1/3,1/3", "1/2")
    assert lm.check(even, lm.losses.zero_one(3), "argmax").status == "calibrated"


def test_losses_that_come_as_close_as_one_likes_are_still_told_apart():
    """√2 is nearly 1414213562/1000000000: both sides of the facet differ by less than floats show in a picture."""
    psi = logit_adjusted_softmax("1/3,2/3", "1/2")
    for cost in ("1.4", "1.41421356", "1.414213562373095", "1.4142135623730950488016887"):
        verdict = lm.check(psi, lm.LossMatrix([[0, Fraction(cost)], [1, 0]]), "argmax")
        assert verdict.status == "not calibrated"
        assert lm.verify(verdict.certificate).accepted
        p, q = verdict.distributions[0]
        first_said = 2 * p**2 > q**2  # p/√π_0 > q/√π_1, squared
        assert verdict.prediction == (0 if first_said else 1)


def test_where_all_columns_are_equal_anything_is_right():
    psi = logit_adjusted_softmax("1/3,2/3", "1/2")
    assert lm.check(psi, lm.LossMatrix([[1, 1], [2, 2]]), "argmax").status == "calibrated"


def test_predictions_named_otherwise_and_regions_are_read():
    psi = logit_adjusted_softmax("1/3,2/3", "1/2")
    turned = lm.LossMatrix([[1, 0], [0, 1]], labels=["a", "b"], predictions=["b", "a"])
    verdict = lm.check(psi, turned, "argmax")
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted
    asked = preds.argmax(psi, lm.losses.zero_one(2))
    assert lm.check(psi, lm.losses.zero_one(2), asked).status == "not calibrated"


def test_a_part_of_the_distributions_and_class_weights_are_left_open():
    psi, often = logit_adjusted_softmax("1/3,2/3", "1/2"), [lambda p: [p[0] >= "9/10"]]
    verdict = lm.check(psi, lm.losses.zero_one(2), "argmax", within=often)
    assert verdict.status == "undecided"
    assert "by_irrational_weights" in dict(verdict.declined)
    assert lm.check(psi, lm.losses.zero_one(2), within=often).status == "calibrated"


def test_the_power_is_a_number_of_moderate_size():
    for tau in (-1, "-1/2", "1/1001", 5000, "x"):
        assert "tau" in refusal(logit_adjusted_softmax, "1/3,2/3", tau)
    assert logit_adjusted_softmax("1/3,2/3", 0.5) == logit_adjusted_softmax("1/3,2/3", "1/2")
    assert logit_adjusted_softmax("1/3,2/3", "1/2").name == "logit_adjusted_softmax(prior=(1/3, 2/3), tau=1/2)"
    assert logit_adjusted_softmax("1/3,2/3", 0)([1, 2]) == pytest.approx(softmax(2)([1, 2]))
