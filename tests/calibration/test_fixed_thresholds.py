"""Thresholds held fixed, evenly spaced or not: the theorem of docs/findings.md against verdicts and their proofs."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

import lossmith as lm
from lossmith.losses import ordinal, zero_one
from lossmith.surrogates import fixed_threshold_hinge

exhaustive = pytest.mark.exhaustive


def drawn(n, seed):
    """Thresholds on a grid of quarters, so that gaps of 1, and of 2 over the next but one, are frequent."""
    random = Random(f"{n} {seed}")
    b = [Fraction(random.randint(-8, 8), 4)]
    gaps = random.choice(((1, 6), (2, 6), (4, 8), (5, 12)))
    for _ in range(n - 2):
        b.append(b[-1] + Fraction(random.randint(*gaps), 4))
    return b


def spelled(b):
    return " ".join(map(str, b))


def assert_the_theorem(n, b, form="immediate"):
    surrogate = fixed_threshold_hinge(n, form, thresholds=spelled(b))
    by_some = n == 2 or (form == "immediate" and all(b[i + 2] - b[i] > 2 for i in range(n - 3)))
    by_cuts = n == 2 or (form == "immediate" and all(after - before > 1 for before, after in pairwise(b)))
    for loss, pred, calibrated in (
        (ordinal(n), None, by_some),
        (ordinal(n), f"cuts:at={spelled(b)}", by_cuts),
        (zero_one(n), None, n == 2),
    ):
        verdict = lm.check(surrogate, loss, pred)
        assert verdict.status == ("calibrated" if calibrated else "not calibrated"), (surrogate.name, loss.name, pred)
        answer = lm.verify(verdict.certificate)
        assert answer.accepted, answer
    return by_some, by_cuts


WHICH = {2: {(True, True)}, 3: {(True, True), (True, False)}}
ALL_THREE = {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize(
    ("n", "times"),
    [(2, 3), (3, 25), (4, 40), (5, 40), *(pytest.param(n, 150, marks=exhaustive) for n in (4, 5, 6, 7))],
)
def test_immediate_is_calibrated_if_and_only_if_every_other_threshold_is_more_than_two_apart(n, times):
    assert {assert_the_theorem(n, drawn(n, seed)) for seed in range(times)} == WHICH.get(n, ALL_THREE)


@pytest.mark.parametrize(("n", "times"), [(2, 3), (3, 10), (4, 10), (5, 10), pytest.param(6, 60, marks=exhaustive)])
def test_all_thresholds_are_calibrated_for_two_grades_only(n, times):
    for seed in range(times):
        assert_the_theorem(n, drawn(n, seed), "all")
