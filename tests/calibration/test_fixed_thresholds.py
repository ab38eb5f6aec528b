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


def some(fast, exhaustively):
    """Numbers of grades, with the seeds of the thresholds: a few, and with the mark so many for each number."""
    many = [pytest.param(n, range(times), marks=exhaustive, id=f"{n}-{times}") for n, times in exhaustively.items()]
    return [*(pytest.param(n, seeds, id=str(n)) for n, seeds in fast.items()), *many]


@pytest.mark.parametrize(
    ("n", "seeds"),
    some({2: [0], 3: [0, 4], 4: [0, 1, 2, 6], 5: [2, 18, 31, 53]}, {3: 25, 4: 150, 5: 150, 6: 150, 7: 150}),
)
def test_immediate_is_calibrated_if_and_only_if_every_other_threshold_is_more_than_two_apart(n, seeds):
    assert {assert_the_theorem(n, drawn(n, seed)) for seed in seeds} == WHICH.get(n, ALL_THREE)


@pytest.mark.parametrize(("n", "seeds"), some({2: [0], 3: [0, 4], 4: [0]}, {3: 10, 4: 10, 5: 10, 6: 60}))
def test_all_thresholds_are_calibrated_for_two_grades_only(n, seeds):
    for seed in seeds:
        assert_the_theorem(n, drawn(n, seed), "all")
