"""Boosting with abstention: where r rejects at the least risk, against the definition and minimisers in floats."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

import lossmith as lm
from lossmith.calibration.by_rejecting import by_rejecting
from lossmith.calibration.checking import question_of
from lossmith.surrogates import rejection_exponential, softmax

Frac = Fraction


def rejected(cost, alpha, beta):
    """(cβ/α)²: where ∂f/∂r = 0 at the best h and r = 0, α√(p_0 p_1) = cβ."""
    return (Frac(cost) * beta / alpha) ** 2


def said(p, least):
    """What "reject" says near the u that are optimal at p = P(0), of 0, 1 and 2, to abstain; at ties all of it."""
    product = p * (1 - p)
    labels = {t for t, own in enumerate((p, 1 - p)) if 2 * own >= 1}
    return ({2} if product >= least else set()) | (labels if product <= least else set())


def wrong_somewhere(loss, least, inside=lambda p: True):
    """On a grid, where what is optimal changes, in between, and next to where r changes its sign."""
    places = {Frac(i, 60) for i in range(61)}
    for s, t in [(0, 1), (0, 2), (1, 2)]:
        a, b = (row[s] - row[t] for row in loss.entries)
        places |= {Frac(b, b - a)} if a != b and 0 <= Frac(b, b - a) <= 1 else set()
    root = (1 - math.sqrt(max(0, 1 - 4 * least))) / 2
    places |= {Frac(x).limit_denominator(10**8) for x in (root - 1e-5, root + 1e-5, 1 - root - 1e-5, 1 - root + 1e-5)}
    ordered = sorted(x for x in places if 0 <= x <= 1)
    ordered += [(x + y) / 2 for x, y in pairwise(ordered)]
    return any(inside(p) and not said(p, least) <= {*loss.optimal_predictions([p, 1 - p])} for p in ordered)


def drawn_loss(dice):
    kind = dice.choice(["any", "abstain", "uneven", "redundant", "dear"])
    few = Frac(dice.randint(1, 9), 20)
    return lm.LossMatrix(
        {
            "any": [[dice.randint(0, 3) for _ in range(3)] for _ in range(2)],
            "abstain": [[0, 1, few], [1, 0, few]],
            "uneven": [[0, 1, few], [1, 0, Frac(dice.randint(1, 9), 20)]],
            "redundant": [[0, 0, 0], [1, 1, 1]],
            "dear": [[0, 1, 1], [1, 0, 1]],
        }[kind]
    )


@cache
def drawn():
    """Sixty surrogates, by their parameters, and losses."""
    dice = random.Random(7)
    return [
        (
            (Frac(dice.randint(1, 10), 20), dice.choice([1, 2, 3]), dice.choice([1, 2, 3, 5])),
            drawn_loss(dice),
        )
        for _ in range(60)
    ]


def fitting():
    """m(1 − m) = (cβ/α)² for m = 1/5, 1/10, 1/2, 2/5; and the cost m of abstaining."""
    return [
        ((Frac(1, 5), 1, 2), lm.losses.abstain(2, "1/5")),
        ((Frac(1, 10), 1, 3), lm.losses.abstain(2, "1/10")),
        ((Frac(1, 10), 2, 6), lm.losses.abstain(2, "1/10")),
        ((Frac(1, 2), 1, 1), lm.losses.abstain(2, "1/2")),
        ((Frac(1, 4), 1, 2), lm.losses.abstain(2, "1/2")),
        ((Frac(2, 5), 1, Frac(3, 5)), lm.LossMatrix([[0, 5, 2], [2, 0, Frac(4, 5)]])),
    ]


def assert_as_the_definition_says(given, loss) -> str:
    psi, least = rejection_exponential(*given), rejected(*given)
    verdict = lm.check(psi, loss, "reject")
    case = (given, loss.entries)
    assert verdict.status == ("not calibrated" if wrong_somewhere(loss, least) else "calibrated"), case
    assert lm.verify(verdict.certificate).accepted, case
    if verdict.status == "not calibrated":
        (p,) = verdict.distributions
        h, r = psi.minimizer(p)
        assert verdict.prediction in said(p[0], least), case
        assert abs(r) < 1e-6 or verdict.prediction in ({2} if r < 0 else {0} if h > 0 else {1}), case
        assert verdict.prediction not in loss.optimal_predictions(p), case
    return verdict.status


def test_rejecting_is_right_where_the_definition_says_so():
    found = Counter(assert_as_the_definition_says(*each) for each in drawn()[:20])
    assert min(found["calibrated"], found["not calibrated"]) >= 2


@pytest.mark.exhaustive
def test_rejecting_is_right_where_the_definition_says_so_of_many_losses():
    for each in drawn()[20:]:
        assert_as_the_definition_says(*each)


def test_rejecting_is_right_where_its_threshold_is_that_of_the_cost():
    statuses = [assert_as_the_definition_says(*each) for each in fitting()]
    assert statuses[:5] == ["calibrated"] * 5


@pytest.mark.parametrize(
    "cost", ["1/5", "1/2", *(pytest.param(cost, marks=pytest.mark.exhaustive) for cost in ("1/10", "1/3", "2/5"))]
)
def test_the_cost_of_abstaining_fits_one_ratio_alone_or_is_one_half(cost):
    c, loss = Frac(cost), lm.losses.abstain(2, cost)
    for alpha, beta in product((1, 2), (1, 2, 3, 4, 6, 7)):
        right = beta >= alpha if 2 * c == 1 else c * beta**2 == (1 - c) * alpha**2
        verdict = lm.check(rejection_exponential(cost, alpha, beta), loss, "reject")
        assert (verdict.status == "calibrated") is right, (alpha, beta)


def test_a_part_without_the_mistakes_is_served_and_one_with_them_is_not():
    psi, loss = rejection_exponential("1/5", 2, 3), lm.losses.abstain(2, "1/5")  # 0.09 = m(1 − m): m = 1/10
    irrational = rejection_exponential("1/5"), loss  # m(1 − m) = 1/25
    for surrogate, least in ((psi, Frac(9, 100)), (irrational[0], Frac(1, 25))):
        for low, high in [
            ("9/10", 1),
            ("24/25", 1),
            ("17/20", "19/20"),
            ("1/5", "4/5"),
            ("99/100", 1),
            ("1/5", "9/10"),
        ]:
            often = [lambda p, low=low, high=high: [p[0] >= low, p[0] <= high]]
            verdict = lm.check(surrogate, loss, "reject", within=often)
            wrong = wrong_somewhere(loss, least, lambda p, low=low, high=high: Frac(low) <= p <= Frac(high))
            assert verdict.status == ("not calibrated" if wrong else "calibrated"), (low, high)
            assert lm.verify(verdict.certificate).accepted


# What the theorem says of the reading (q, v), in floats.


def reading(given, h, r, s):
    """(q_0, v) as in docs/beyond-the-paper.md, written out once more."""
    cost, alpha, beta = (float(Frac(x)) for x in given)
    q = 1 / (1 + math.exp(-alpha * h))
    root = math.sqrt(q * (1 - q))
    growth = alpha * root * math.exp(alpha * r / 2) - cost * beta * math.exp(-beta * r)
    start, end = alpha * root - cost * beta, s(q)
    assert start * end >= 0
    low, high = min(0, start), max(0, start)
    if low < growth < high:
        return q, growth * end / start
    return q, growth + ((end - start) if growth * start > 0 else 0)


@pytest.mark.parametrize("given", [("1/5", 1, 2), ("1/10", 1, 3), ("1/2", 2, 2), ("1/2", 1, 3)])
def test_what_is_read_off_is_as_the_theorem_says(given):
    cost, alpha, beta = map(Frac, given)
    least = float((cost * beta / alpha) ** 2)
    m = 1 if least > 0.25 else (1 - math.sqrt(1 - 4 * least)) / 2
    psi, draw = rejection_exponential(*given), random.Random(3)

    def s(q):
        return min(q, 1 - q) - m

    for _ in range(200):
        h, r = draw.gauss(0, 2), draw.gauss(0, 2)
        q, v = reading(given, h, r, s)
        assert (r <= 0) == (v <= s(q))
        assert reading(given, h, r + 0.1, s)[1] > v
        p = Frac(draw.randint(1, 99), 100)
        u = psi.minimizer([p, 1 - p])
        assert reading(given, *u, s) == pytest.approx((float(p), 0), abs=1e-6)
    far = [reading(given, 100 / float(alpha), r, s)[1] for r in (10, 20, 30)]  # the risk of label 0 tends to 0
    assert np.abs(far).max() < 1e-3


def test_another_surrogate_pred_or_loss_is_left_to_other_rules():
    psi, loss = rejection_exponential("1/5"), lm.losses.abstain(2, "1/5")
    for surrogate, pred, asked in [
        (softmax(2), "argmax", lm.losses.zero_one(2)),
        (psi, None, loss),
        (psi, "decide", loss),
        (psi, "argmax", lm.losses.zero_one(2)),
        (psi.weighted([1, 2]), "reject", loss),
    ]:
        question = question_of(surrogate, lm.analysis.facts.Facts(asked), pred)
        assert not hasattr(by_rejecting(question), "status")
    regions = lm.surrogates.preds.reject(psi, loss)
    assert lm.check(psi, loss, regions).status == "not calibrated"
