"""Probes refute what the enumeration refutes, quickly, and never anything else; counterexamples are round."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.by_probes import probed
from lossmith.calibration.by_regions import by_regions
from lossmith.calibration.question import Question
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import (
    absolute,
    binary_encoded,
    binary_relevance_hinge,
    cost_weighted_hinge,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.preds import as_pred


def random_loss(n: int, seed: int) -> LossMatrix:
    dice = random.Random(seed)
    return LossMatrix([[0 if y == t else dice.randint(1, 20) for t in range(n)] for y in range(n)])


PAIRS = {
    **{
        f"{make.name} {n}": lambda make=make, n=n: (make(n), zero_one(n))
        for n in (3, 4)
        for make in (crammer_singer, weston_watkins, lee_lin_wahba)
    },
    **{
        f"{make.name} abstain": lambda make=make: (make(4), abstain(4))
        for make in (crammer_singer, binary_encoded, one_vs_all_hinge)
    },
    **{
        f"{make.name} random {seed}": lambda make=make, seed=seed: (make(4), random_loss(4, seed))
        for seed in range(3)
        for make in (crammer_singer, weston_watkins)
    },
    "absolute ordinal": lambda: (absolute(4), ordinal(4)),
    "absolute zero-one": lambda: (absolute(4), zero_one(4)),
    "binary relevance": lambda: (binary_relevance_hinge(2), hamming(2)),
    "cost-weighted top-k": lambda: (cost_weighted_hinge(top_k(3, 2)), top_k(3, 2)),
}
REPEATED = {"weston_watkins 4", "lee_lin_wahba 4", "weston_watkins random 1", "weston_watkins random 2"}
exhaustive = pytest.mark.exhaustive


@pytest.mark.parametrize("name", [pytest.param(x, marks=exhaustive) if x in REPEATED else x for x in PAIRS])
def test_a_probe_refutes_exactly_what_the_enumeration_refutes(name):
    surrogate, loss = PAIRS[name]()
    question = Question(surrogate, Facts(loss))
    expected = by_positive_normals(question).status
    found = probed(question, surrogate)
    assert ("calibrated" if found is None else found.status) == expected
    if found is not None:
        assert lm.verify(found.certificate).accepted


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=exhaustive) for seed in (1, 2, 3))])
def test_with_a_given_pred(seed):
    loss, surrogate = random_loss(4, seed), weston_watkins(4)
    question = Question(surrogate, Facts(loss), as_pred("argmax", surrogate, loss))
    found = probed(question, surrogate)
    assert found.status == by_regions(question).status == "not calibrated"
    assert found.asked.name == "argmax"
    assert lm.verify(found.certificate).accepted


def test_within_some_distributions():
    often = [lambda p, y=y: [p[y] >= "3/5"] for y in range(6)]
    assert lm.check(crammer_singer(6), zero_one(6), within="p[0] <= 1/2, p[0] >= 1/4").status == "not calibrated"
    verdict = lm.check(weston_watkins(6), random_loss(6, 1), within=often)
    assert verdict.status == "not calibrated"
    assert all(max(p) >= Fraction(3, 5) for p in verdict.distributions)
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize("make", [weston_watkins, crammer_singer], ids=lambda make: make.name)
@pytest.mark.parametrize("n", [7, 12, pytest.param(20, marks=exhaustive)])
def test_counterexamples_at_the_sizes_people_have_are_short(make, n):
    verdict = lm.check(make(n), random_loss(n, n))
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted
    for p in verdict.distributions:
        assert max(x.denominator for x in p) <= 10_000
        assert n <= 8 or sum(map(bool, p)) <= 4


def test_the_same_question_gets_the_same_answer():
    first, second = (lm.check(weston_watkins(9), random_loss(9, 0)) for _ in range(2))
    assert first.distributions == second.distributions
    assert first.certificate.text == second.certificate.text


def test_few_labels_keep_every_label_possible_so_that_training_ends_at_u():
    for loss, surrogate in ((zero_one(3), crammer_singer(3)), (zero_one(4), weston_watkins(4))):
        verdict = lm.check(surrogate, loss)
        assert all(map(all, verdict.distributions))
        assert max(x.denominator for p in verdict.distributions for x in p) <= 25


@pytest.mark.parametrize(
    ("n", "share"), [(16, 0.1), pytest.param(40, 0.1, marks=exhaustive), pytest.param(40, 0.02, marks=exhaustive)]
)
def test_a_loss_with_few_costs_and_one_cell_is_refuted(n, share):
    dice = random.Random(0)
    rows = [[int(dice.random() < share) if y != t else 1 for t in range(n)] + [0] for y in range(n)]
    verdict = lm.check(lm.surrogates.softmax(n), lm.LossMatrix(rows), "argmax")  # the last decision costs nothing
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_a_loss_with_one_cell_is_refuted_where_each_label_is_served():
    n = 12
    rows = [[int((y + 1) % n == t) for t in range(n)] + [0] for y in range(n)]  # ℓ_yy = 0, and ℓ_t costs elsewhere
    verdict = lm.check(lm.surrogates.softmax(n), lm.LossMatrix(rows), "argmax")
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted
