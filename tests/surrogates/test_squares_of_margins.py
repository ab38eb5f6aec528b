"""The square of the margin, (1 − z)², by name: in families of one score for each label, bit or pair of labels."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.losses import abstain, f_measure, ordinal, zero_one
from lossmith.surrogates import (
    binary_relevance,
    constrained_loss,
    cost_sensitive_reject,
    f_measure_logistic,
    margin_vector,
    one_vs_all,
    reject_margin,
    sum_loss,
)
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.squares import weights_of_squares


def square(z):
    return (1 - z) ** 2


@pytest.mark.parametrize("n", [2, 3, 4])
def test_against_all_it_has_its_formula_and_tells_twice_the_probability_less_one(n):
    psi, rng = one_vs_all(n, "square"), random.Random(n)
    for _ in range(10):
        u = [rng.uniform(-4, 4) for _ in range(n)]
        wanted = [sum(square(x if j == y else -x) for j, x in enumerate(u)) for y in range(n)]
        assert psi.evaluate([u])[0] == pytest.approx(wanted)
        p = np.array([rng.random() for _ in range(n)])
        p /= p.sum()
        slope = p @ psi.gradient([2 * p - 1])[0]  # Zhang 2004: p = (1 + u)/2 at the one minimum
        assert slope == pytest.approx([0] * n, abs=1e-12)
    assert weights_of_squares(psi) == (1,) * n


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("make", [zero_one, ordinal, abstain])
def test_against_all_it_decides_every_loss_and_argmax_its_own(n, make):
    verdict = lm.check(one_vs_all(n, "square"), make(n))
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted
    verdict = lm.check(one_vs_all(n, "square"), zero_one(n), "argmax")
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_argmax_is_wrong_where_the_most_likely_grade_is_not_the_median():
    verdict = lm.check(one_vs_all(3, "square"), ordinal(3), "argmax")  # p = (3/8, 1/4, 3/8): the median is 1
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    "cost", ["1/3", *(pytest.param(cost, marks=pytest.mark.exhaustive) for cost in ("1/4", "1/2"))]
)
def test_scores_below_a_threshold_abstain_rightly_at_one_alone(cost):
    """max p_y < 1 − c is max u_y < 1 − 2c; beyond, also for thresholds that no probability has."""
    right = 1 - 2 * Fraction(cost)
    for tau in (right, right + Fraction(1, 9), Fraction(1), Fraction(3)):
        verdict = lm.check(one_vs_all(3, "square"), abstain(3, cost), f"argmax-threshold:tau={tau}")
        assert verdict.status == ("calibrated" if tau == right else "not calibrated")
        assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize("cost", ["1/4", "2/5", "1/2"])
def test_with_equal_costs_it_is_that_of_cost_sensitive_rejection(cost):
    half, whole = cost_sensitive_reject(3, "1/2", "square"), one_vs_all(3, "square")
    U = np.random.default_rng(0).normal(size=(8, 3)) * 3
    assert whole.evaluate(U) == pytest.approx(2 * half.evaluate(U))
    for loss in (abstain(3, cost), zero_one(3)):
        for pred in (None, "argmax", "argmax-threshold:tau=0"):
            if (pred == "argmax") is (loss.k == 3):
                assert lm.check(whole, loss, pred).status == lm.check(half, loss, pred).status


def test_of_two_labels_the_margin_is_one_score():
    psi = reject_margin("square")
    assert psi([Fraction(5, 2)]) == (2.25, 12.25)  # not cut at 1: right labels can cost, too
    assert psi.minimizer(["3/4", "1/4"]) == (0.5,)
    verdict = lm.check(psi, abstain(2, "1/4"))
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    "text", ["one-vs-all:n=3,phi=square", "reject-margin:phi=square", "f-measure-logistic:s=2,phi=square"]
)
def test_they_are_known_by_name(text):
    psi = surrogate_named(text)
    assert pickle.loads(pickle.dumps(psi)) == psi
    assert "phi=square" in psi.name
    assert psi.form.kind == "square"
    values = psi.evaluate(np.full((1, psi.dim), 0.3))
    assert psi.form.values(np.full((1, psi.dim), 0.3)) == pytest.approx(values)


def test_class_weights_move_the_threshold():
    """With weights w of two labels p tells w_0 p/(w_0 p + w_1 (1 − p)): right for costs that are as much apart."""
    psi, loss = one_vs_all(2, "square").weighted([1, 3]), zero_one(2)
    assert lm.check(psi, loss.scale_rows([1, 3]), "argmax").status == "calibrated"
    assert lm.check(psi, loss, "argmax").status == "not calibrated"


@pytest.mark.parametrize("phi", ["square", "exponential", "squared-hinge"])
@pytest.mark.parametrize("beta", ["1/2", "1", "2"])
def test_events_of_tags_and_sizes_decide_every_f_measure(phi, beta):
    """Zhang, Ramaswamy & Agarwal 2020: any strictly proper loss of each event will do; tags alone will not."""
    loss = f_measure(2, beta).matrix()
    verdict = lm.check(f_measure_logistic(2, phi), loss, "decide")
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted
    assert lm.check(binary_relevance(2, "squared-hinge"), loss, "decide").status == "not calibrated"


def test_the_least_square_of_events_has_the_decision_of_brute_force():
    loss, psi, rng = f_measure(3, "1").matrix(), f_measure_logistic(3, "square"), random.Random(3)
    decide = lm.check(psi, loss, "decide").pred
    for _ in range(12):
        weights = [rng.randint(0, 9) for _ in range(8)]
        p = [Fraction(w, sum(weights)) for w in weights]
        costs = [sum(x * row[t] for x, row in zip(p, loss.entries, strict=True)) for t in range(loss.k)]
        told = decide(psi.minimizer(p))
        assert float(costs[told]) == pytest.approx(float(min(costs)), abs=1e-12)


def test_events_without_a_name_are_logistic_as_before():
    assert f_measure_logistic(2) == f_measure_logistic(2, "logistic")
    assert f_measure_logistic(2).name == "f_measure_logistic(s=2)"


def test_a_family_that_needs_bounded_shares_refuses_it():
    for family in (sum_loss, constrained_loss, margin_vector):
        assert "squared-hinge" in refusal(family, 3, "square")
