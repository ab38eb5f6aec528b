"""Verdicts on random surrogates and losses against decisions made from the definitions, without lossmith."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from calibration.evidence import assert_cells, assert_counterexample
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import (
    adversarial_zero_one,
    binary_encoded,
    cost_weighted_hinge,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import pairs


def grid(n: int, steps: int):
    """The distributions with denominators `steps`."""
    for parts in product(range(steps + 1), repeat=n - 1):
        if sum(parts) <= steps:
            yield tuple(Fraction(x, steps) for x in (*parts, steps - sum(parts)))


def refuted_on_the_grid(surrogate, rows, steps: int) -> bool:
    """Whether grid points with the same, single optimal value have no optimal prediction in common.

    Then every learner that reaches the least ψ-risk ends at that value for each of them, and some decision is wrong.
    """
    groups = defaultdict(list)
    for p in grid(len(rows), steps):
        least = min(dot(p, z) for z in second_opinion.values(surrogate))
        optimal = [z for z in second_opinion.values(surrogate) if dot(p, z) == least]
        if len(optimal) == 1:
            groups[optimal[0]].append(p)
    return any(not second_opinion.common_predictions(rows, points) for points in groups.values())


@examples(20)
@given(pairs())
def test_the_verdict_is_that_of_the_definition(pair):
    surrogate, loss = pair
    verdict = check(surrogate, loss)
    assert (verdict.status == "calibrated") == second_opinion.is_calibrated(surrogate, loss.entries)
    if verdict.status == "calibrated":
        assert_cells(verdict)
    else:
        assert_counterexample(verdict)


@examples(6)
@given(pairs())
def test_what_a_grid_of_distributions_refutes_is_not_calibrated(pair):
    surrogate, loss = pair
    if refuted_on_the_grid(surrogate, loss.entries, steps=12):
        assert check(surrogate, loss).status == "not calibrated"


@examples(3)
@given(pairs(n=4, max_dim=1, max_maxima=1))
def test_what_a_grid_refutes_with_four_labels_is_not_calibrated(pair):
    surrogate, loss = pair
    if refuted_on_the_grid(surrogate, loss.entries, steps=7):
        assert check(surrogate, loss).status == "not calibrated"


LOSSES = {
    "zero-one": lambda: zero_one(3),
    "abstain": lambda: abstain(3),
    "abstain 1/3": lambda: abstain(3, "1/3"),
    "ordinal": lambda: ordinal(3),
}
SURROGATES = {
    "crammer-singer": lambda: crammer_singer(3),
    "weston-watkins": lambda: weston_watkins(3),
    "lee-lin-wahba": lambda: lee_lin_wahba(3),
    "one-vs-all": lambda: one_vs_all_hinge(3),
    "binary-encoded": lambda: binary_encoded(3, "1/3"),
    "cost-weighted ordinal": lambda: cost_weighted_hinge("ordinal:n=3"),
    "cost-weighted abstain": lambda: cost_weighted_hinge("abstain:n=3"),
}
ONE_OF_EACH = {
    ("crammer-singer", "abstain"),
    ("crammer-singer", "zero-one"),
    ("weston-watkins", "zero-one"),
    ("binary-encoded", "abstain 1/3"),
    ("cost-weighted ordinal", "ordinal"),
}


@pytest.mark.parametrize(
    ("surrogate", "loss"),
    [
        pytest.param(*names, marks=() if names in ONE_OF_EACH else pytest.mark.exhaustive)
        for names in product(SURROGATES, LOSSES)
    ],
)
def test_the_families_have_the_verdicts_of_the_definition(surrogate, loss):
    surrogate, loss = SURROGATES[surrogate](), LOSSES[loss]()
    verdict = check(surrogate, loss)
    calibrated = second_opinion.is_calibrated(surrogate, loss.entries)
    assert verdict.status == ("calibrated" if calibrated else "not calibrated")
    # A grid that is fine enough sees it too: all vertices of these cells have denominators up to 12.
    assert refuted_on_the_grid(surrogate, loss.entries, steps=24) == (not calibrated)


@pytest.mark.exhaustive
@settings(max_examples=2000)
@given(pairs())
def test_many_verdicts_are_those_of_the_definition(pair):
    surrogate, loss = pair
    calibrated = second_opinion.is_calibrated(surrogate, loss.entries)
    assert (check(surrogate, loss).status == "calibrated") == calibrated


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["zero-one", "abstain", "ordinal"])
def test_the_adversarial_surrogate_has_the_verdicts_of_the_definition(name):
    surrogate, loss = adversarial_zero_one(3), LOSSES[name]()
    calibrated = second_opinion.is_calibrated(surrogate, loss.entries)
    assert (check(surrogate, loss).status == "calibrated") == calibrated
    assert calibrated == (name == "zero-one")
