"""The pred that comes with a proof of calibration: optimal where ψ is, and nearly where it nearly is."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lossmith import LossMatrix
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.errors import BadInput
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates import (
    absolute,
    adversarial_zero_one,
    all_threshold_hinge,
    binary_encoded,
    binary_relevance_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from reference import argmin, dot, risks
from strategies import distributions, examples, rationals
from surrogates import second_opinion
from surrogates.random_surrogates import pairs, points_of, surrogates

KNOWN = {
    "crammer_singer, abstain": lambda: (crammer_singer(3), abstain(3)),
    "crammer_singer, ordinal": lambda: (crammer_singer(3), ordinal(3)),
    "lee_lin_wahba, zero_one": lambda: (lee_lin_wahba(3), zero_one(3)),
    "one_vs_all_hinge, abstain": lambda: (one_vs_all_hinge(3), abstain(3)),
    "absolute, ordinal": lambda: (absolute(4), ordinal(4)),
    "epsilon_insensitive, ordinal": lambda: (epsilon_insensitive(4, "2/5"), ordinal(4)),
    "binary_encoded, abstain": lambda: (binary_encoded(3), abstain(3)),
    "binary_encoded, abstain at 1/3": lambda: (binary_encoded(4, "1/3"), abstain(4, "1/3")),
    "all_threshold_hinge, ordinal": lambda: (all_threshold_hinge(4), ordinal(4)),
    "adversarial_zero_one, zero_one": lambda: (adversarial_zero_one(3), zero_one(3)),
    "binary_relevance_hinge, hamming": lambda: (binary_relevance_hinge(2), hamming(2)),
}


@cache
def verdict_of(name):
    return check(*KNOWN[name]())


known = pytest.mark.parametrize("name", KNOWN)


def points_near(surrogate):
    """Rational points of the space; on Σu = 0 after subtracting the mean."""
    u = st.lists(rationals(-3, 3, 4), min_size=surrogate.dim, max_size=surrogate.dim)
    return u.map(lambda u: [x - sum(u) / len(u) for x in u]) if surrogate.equations else u


def regret(surrogate, p, u) -> Fraction:
    return dot(p, second_opinion.psi(surrogate, u)) - surrogate.bayes_risk(p)


def loss_regret(rows, p, t) -> Fraction:
    return risks(rows, p)[t] - min(risks(rows, p))


@known
def test_at_the_point_of_a_cell_the_pred_is_optimal_on_the_whole_cell(name):
    verdict = verdict_of(name)
    for cell in verdict.cells:
        t = verdict.pred(cell.u)
        assert all(t in argmin(verdict.loss.entries, p) for p in cell.polytope.vertices)


@known
@examples(4)
@given(data=st.data())
def test_where_the_surrogate_is_optimal_the_pred_is(name, data):
    verdict = verdict_of(name)
    surrogate = verdict.surrogate
    p = data.draw(distributions(surrogate.n))
    u = surrogate.minimum(p).point
    assert verdict.pred(u) in argmin(verdict.loss.entries, p)


@examples(6)
@given(pairs(), st.data())
def test_at_every_optimal_corner_the_pred_of_a_random_surrogate_is_optimal(pair, data):
    surrogate, loss = pair
    verdict = check(surrogate, loss)
    assume(verdict.status == "calibrated")
    p = data.draw(distributions(surrogate.n))
    for u in second_opinion.corners(surrogate)[:12]:
        if second_opinion.is_normal(surrogate, u, p):
            assert verdict.pred(u) in argmin(loss.entries, p)


def assert_bound(surrogate, points, p, u) -> None:
    """regret_ψ(p, u) ≥ (p·z_j − H_ψ(p)) / r for the cell j that the pred chooses among r."""
    j = DecompositionPred(surrogate, points, tuple(range(len(points))))(u)
    assert regret(surrogate, p, u) >= (dot(p, points[j]) - surrogate.bayes_risk(p)) / len(points)


@known
@examples(4)
@given(data=st.data())
def test_the_regret_of_the_surrogate_bounds_how_far_the_chosen_cell_is_from_optimal(name, data):
    verdict = verdict_of(name)
    p = data.draw(distributions(verdict.surrogate.n))
    u = data.draw(points_near(verdict.surrogate))
    assert_bound(verdict.surrogate, tuple(cell.z for cell in verdict.cells), p, u)


@examples(6)
@given(surrogates(), st.data())
def test_the_bound_holds_for_random_surrogates_near_the_optimum_too(surrogate, data):
    points = tuple(second_opinion.cells(surrogate))
    p = data.draw(distributions(surrogate.n))
    best, far = surrogate.minimum(p).point, data.draw(points_of(surrogate))
    share = data.draw(st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 10), Fraction(1)]))
    assert_bound(surrogate, points, p, [(1 - share) * a + share * b for a, b in zip(best, far)])


@examples(6)
@given(surrogates(), st.data())
def test_for_the_loss_that_a_surrogate_embeds_regret_is_linear_with_the_fewer_of_cells_and_labels(surrogate, data):
    loss = embedded_loss(positive_normal_sets(surrogate))
    verdict = check(surrogate, loss)
    assert verdict.status == "calibrated"
    p, u = data.draw(distributions(surrogate.n)), data.draw(points_of(surrogate))
    factor = min(len(verdict.cells), surrogate.n)
    assert loss_regret(loss.entries, p, verdict.pred(u)) <= factor * regret(surrogate, p, u)


@examples(6)
@given(distributions(4), st.lists(rationals(-3, 3, 4), min_size=4, max_size=4))
def test_with_many_cells_the_factor_is_the_number_of_labels(p, u):
    loss, pred = embedded_weston_watkins()
    assert loss_regret(loss.entries, p, pred(u)) <= 4 * regret(weston_watkins(4), p, u)


@cache
def embedded_weston_watkins():
    loss = embedded_loss(positive_normal_sets(weston_watkins(4)))
    return loss, check(weston_watkins(4), loss).pred


def test_the_pred_of_crammer_singer_for_abstain_decides_by_the_gap():
    pred = check(crammer_singer(3), abstain(3)).pred
    assert pred([1, 0, 0]) == 0
    assert pred([0, 3, 1]) == 1
    assert pred([0, 0, "9/10"]) == 2
    assert pred([0, 0, 0]) == 3
    assert pred(["1/10", 0, 0]) == 3
    assert pred([5, 5, 0]) == 3


def test_the_pred_takes_points_of_the_domain_only():
    pred = check(lee_lin_wahba(3), zero_one(3)).pred
    assert pred([2, -1, -1]) == 0
    with pytest.raises(BadInput, match=r"u = \(1, 1, 1\).*lee_lin_wahba\(n=3\)"):
        pred([1, 1, 1])
    with pytest.raises(BadInput, match=r"u = \(1, -1\).* 2 .* 3"):
        pred([1, -1])


def test_a_pred_prints_on_one_line():
    shown = repr(check(absolute(3), ordinal(3)).pred)
    assert re.fullmatch(r"DecompositionPred\(3 .* absolute\(n=3\)\)", shown)


def test_the_pred_names_predictions_by_their_place_in_the_given_matrix():
    # A copy of a column before it: the first optimal one is named, and it is optimal.
    rows = [[row[0], *row] for row in ordinal(3).entries]
    verdict = check(absolute(3), LossMatrix(rows))
    assert [verdict.pred([y]) for y in (1, 2, 3)] == [0, 2, 3]
