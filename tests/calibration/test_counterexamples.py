"""NotCalibrated: distributions inside one positive normal set that no prediction serves, and examples from them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given

from calibration.evidence import assert_counterexample, assert_only_optimum
from lossmith import LossMatrix
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import (
    absolute,
    all_threshold_hinge,
    binary_encoded,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import pairs

exhaustive = pytest.mark.exhaustive
SMALL = {
    "crammer_singer(3), zero_one": lambda: (crammer_singer(3), zero_one(3)),
    "weston_watkins(3), zero_one": lambda: (weston_watkins(3), zero_one(3)),
    "weston_watkins(3), abstain": lambda: (weston_watkins(3), abstain(3)),
    "weston_watkins(3), ordinal": lambda: (weston_watkins(3), ordinal(3)),
    "lee_lin_wahba(3), abstain": lambda: (lee_lin_wahba(3), abstain(3)),
    "one_vs_all_hinge(3), zero_one": lambda: (one_vs_all_hinge(3), zero_one(3)),
    "absolute(4), zero_one": lambda: (absolute(4), zero_one(4)),
    "absolute(4), abstain": lambda: (absolute(4), abstain(4)),
    "epsilon_insensitive(3), abstain": lambda: (epsilon_insensitive(3, "2/5"), abstain(3)),
    "binary_encoded(3), zero_one": lambda: (binary_encoded(3), zero_one(3)),
    "binary_encoded(3, 1/3), abstain": lambda: (binary_encoded(3, "1/3"), abstain(3)),
    "all_threshold_hinge(4), zero_one": lambda: (all_threshold_hinge(4), zero_one(4)),
    "crammer_singer(4), zero_one": lambda: (crammer_singer(4), zero_one(4)),
    "crammer_singer(4), ordinal": lambda: (crammer_singer(4), ordinal(4)),
}
LARGE = {
    "weston_watkins(4), zero_one": lambda: (weston_watkins(4), zero_one(4)),
    "crammer_singer(5), ordinal": lambda: (crammer_singer(5), ordinal(5)),
    "lee_lin_wahba(5), abstain": lambda: (lee_lin_wahba(5), abstain(5)),
    "one_vs_all_hinge(5), zero_one": lambda: (one_vs_all_hinge(5), zero_one(5)),
    "all_threshold_hinge(5), zero_one": lambda: (all_threshold_hinge(5), zero_one(5)),
}


@cache
def pair_of(name):
    return {**SMALL, **LARGE}[name]()


def of_four_labels_are_exhaustive(names):
    return [pytest.param(name, marks=exhaustive) if name.startswith("crammer_singer(4)") else name for name in names]


small = pytest.mark.parametrize("name", of_four_labels_are_exhaustive(SMALL))


@small
def test_the_evidence_holds_by_the_definitions(name):
    verdict = check(*pair_of(name))
    assert_counterexample(verdict)
    assert_only_optimum(verdict)


@pytest.mark.parametrize("name", LARGE)
def test_the_evidence_holds_by_its_weights_and_no_other_cell_is_as_good(name):
    surrogate, loss = pair_of(name)
    verdict = check(surrogate, loss)
    assert_counterexample(verdict)
    z = second_opinion.psi(surrogate, verdict.u)
    cells = positive_normal_sets(surrogate).cells
    for p in verdict.distributions:
        assert min(p) > 0
        assert [cell.z for cell in cells if dot(p, cell.z) <= dot(p, z)] == [z]


@examples(10)
@given(pairs())
def test_the_evidence_against_random_surrogates_holds_by_the_definitions(pair):
    verdict = check(*pair)
    if verdict.status == "not calibrated":
        assert_counterexample(verdict)
        assert_only_optimum(verdict)
        assert second_opinion.psi(verdict.surrogate, verdict.u) in second_opinion.cells(verdict.surrogate)


def one_sided() -> PolyhedralSurrogate:
    """(1 + u)₊, u₊, (−u)₊: at u ≤ −1 the first two are 0, and the third grows without mattering if p₃ = 0."""
    return PolyhedralSurrogate.from_function(lambda y, u: [pos(1 + u[0]), pos(u[0]), pos(-u[0])][y], n=3, dim=1)


def test_every_label_has_a_chance_in_every_distribution_so_that_only_one_value_is_optimal():
    # Otherwise a learner may end at u = −1 for one distribution and at u = −2 for another, and tell them apart.
    verdict = check(one_sided(), LossMatrix([[0, 1], [1, 0], [1, 1]]))
    assert_counterexample(verdict)
    assert_only_optimum(verdict)


def test_a_fair_coin_between_two_labels_shows_that_a_constant_surrogate_is_useless():
    constant = PolyhedralSurrogate.from_function(lambda y, u: 1, n=2, dim=1)
    verdict = check(constant, LossMatrix([[0, 1], [3, 0]]))
    assert_counterexample(verdict)
    assert_only_optimum(verdict)
    assert len(verdict.distributions) == 2


@small
def test_no_distribution_is_superfluous_in_the_order_they_are_given(name):
    surrogate, loss = pair_of(name)
    verdict = check(surrogate, loss)
    ruled_out: set[int] = set()
    for out in verdict.ruled_out:
        assert not set(out) <= ruled_out
        ruled_out |= set(out)
    assert ruled_out == set(range(loss.k))
    assert len(verdict.distributions) <= loss.k


def test_the_price_is_what_the_best_single_decision_wastes():
    # By hand: 0-1 loss, equally often p and q; deciding t wastes max p − p_t on p.
    verdict = check(crammer_singer(3), zero_one(3))
    wasted = [sum(max(p) - p[t] for p in verdict.distributions) for t in range(3)]
    assert verdict.price == min(wasted) / len(verdict.distributions)


@small
def test_scaling_the_loss_scales_the_price(name):
    surrogate, loss = pair_of(name)
    tripled = LossMatrix([[3 * entry for entry in row] for row in loss.entries])
    first, second = check(surrogate, loss), check(surrogate, tripled)
    assert first.distributions == second.distributions
    assert second.price == 3 * first.price


# Drawing examples.


def species():
    return LossMatrix(zero_one(3).entries, labels=["cat", "dog", "emu"], predictions=["cat", "dog", "emu"])


def test_examples_have_one_column_per_distribution_and_labels_by_name():
    verdict = check(crammer_singer(3), species())
    X, y = verdict.sample(500, seed=1)
    assert X.shape == (500, len(verdict.distributions))
    assert y.shape == (500,)
    assert set(np.unique(X)) == {0.0, 1.0}
    assert (X.sum(axis=1) == 1).all()
    assert set(y.tolist()) <= {"cat", "dog", "emu"}


def test_the_same_seed_draws_the_same_examples_and_another_seed_others():
    verdict = check(crammer_singer(3), species())
    first, again, other = (verdict.sample(200, seed=seed) for seed in (7, 7, 8))
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])
    assert not (np.array_equal(first[0], other[0]) and np.array_equal(first[1], other[1]))


@pytest.mark.parametrize(
    "pair",
    [
        lambda: (crammer_singer(3), species()),
        lambda: (absolute(4), zero_one(4)),
        pytest.param(lambda: (lee_lin_wahba(5), abstain(5)), marks=exhaustive),
    ],
    ids=["crammer_singer", "absolute", "lee_lin_wahba"],
)
def test_labels_are_as_frequent_as_the_distributions_say_within_five_sigma(pair):
    surrogate, loss = pair()
    verdict = check(surrogate, loss)
    X, y = verdict.sample(20_000, seed=0)
    for i, p in enumerate(verdict.distributions):
        drawn = y[X[:, i] == 1]
        size, share = len(drawn), 1 / len(verdict.distributions)
        assert abs(size - 20_000 * share) <= 5 * (20_000 * share * (1 - share)) ** 0.5
        for label, chance in zip(loss.labels, p):
            spread = (size * float(chance) * (1 - float(chance))) ** 0.5
            assert abs(int((drawn == label).sum()) - size * float(chance)) <= 5 * spread


def test_no_examples_are_no_rows():
    X, y = check(crammer_singer(3), species()).sample(0, seed=0)
    assert X.shape[0] == y.shape[0] == 0


def test_labels_keep_their_types_when_text_and_numbers_are_mixed():
    loss = LossMatrix(zero_one(3).entries, labels=[1, "dog", "emu"])
    _, y = check(crammer_singer(3), loss).sample(300, seed=0)
    assert set(y.tolist()) == {1, "dog", "emu"}


def test_integer_labels_stay_integers():
    _, y = check(crammer_singer(3), zero_one(3)).sample(300, seed=0)
    assert set(y.tolist()) == {0, 1, 2}


def test_training_on_the_examples_ends_where_no_decision_serves_all():
    # The empirical ψ-risk of each column alone, with the true distribution, is least at ψ(u) and nowhere else.
    verdict = check(crammer_singer(3), zero_one(3))
    X, y = verdict.sample(30_000, seed=3)
    for i in range(len(verdict.distributions)):
        drawn = y[X[:, i] == 1]
        empirical = [Fraction(int((drawn == label).sum()), len(drawn)) for label in range(3)]
        assert crammer_singer(3).bayes_risk(empirical) == dot(empirical, crammer_singer(3)(verdict.u))
