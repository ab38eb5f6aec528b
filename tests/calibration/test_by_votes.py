"""Votes: what one look at every pair decides is what all regions decide, and what counting over distributions shows."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import lossmith as lm
from lossmith.calibration import by_votes
from lossmith.surrogates import one_vs_one_hinge, one_vs_one_logistic, preds, weighted_all_pairs_hinge
from lossmith.surrogates.votes import Votes
from reference import argmin
from strategies import examples

L, S = lm.losses, lm.surrogates


def won(u, k):
    """By the definition: count, however zeros vote; the first of those that are ever the first with most votes."""
    pairs, found = list(combinations(range(k), 2)), set()
    for signs in product(*([x] if x else [-1, 1] for x in u)):
        votes = [sum(t == (i if x > 0 else j) for (i, j), x in zip(pairs, signs, strict=True)) for t in range(k)]
        found.add(votes.index(max(votes)))
    return min(found)


@pytest.mark.parametrize("k", [2, 3, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_votes_are_counted_as_their_regions_say(k):
    by_regions = preds.votes(one_vs_one_hinge(k), L.zero_one(k))
    points = list(product((-1, 0, Fraction(1, 2)), repeat=k * (k - 1) // 2))
    assert [Votes(k)(u) for u in points] == [by_regions(u) for u in points] == [won(u, k) for u in points]
    assert Votes(k).decide([[float(x) for x in u] for u in points]).tolist() == [won(u, k) for u in points]


@example([-1, 0, 0, -1, 1, -1, 1, 0, -1, 0, 0, 1, -1, -1, 1])  # 0 can win if a free pair passes its vote on
@example([-1, -1, 1, -1, 1, 0, 0, 0, -1, 0, 0, 0, 0, 1, -1])  # 0 cannot: the free pairs give the others too many votes
@examples(20)
@given(st.lists(st.sampled_from([-1, 0, 0, 1]), min_size=15, max_size=15))
def test_ties_of_six_predictions_go_to_the_first_that_can_win(u):
    assume(u.count(0) < 12)
    assert Votes(6)(u) == won(u, 6) == Votes(6).decide([u])[0]


def test_scores_that_do_not_fit_are_refused():
    with pytest.raises(lm.errors.BadInput, match=r"2 .* 3 .* 3"):
        Votes(3)([1, 2])
    with pytest.raises(lm.errors.BadInput, match=r"\(1, 2\).* 3 "):
        Votes(3).decide([[1.0, 2.0]])
    with pytest.raises(lm.errors.BadInput, match=r" 3 .*ordinal\(n=5\).* 5"):
        lm.check(one_vs_one_hinge(5), L.ordinal(5), Votes(3))


def separable(weights, kinks, n, k):
    """For each label and pair a weight w of (m − u)₊ or, if it is negative, (m + u)₊, with its own m."""
    d = k * (k - 1) // 2

    def psi(y, u):
        terms = ((weights[y * d + c], kinks[y * d + c], x) for c, x in enumerate(u))
        return sum((abs(w) * lm.pos(m - x if w > 0 else m + x) for w, m, x in terms if w), 0 * u[0])

    return lm.PolyhedralSurrogate.from_function(psi, n=n, dim=d)


COSTS = st.lists(st.integers(0, 3), min_size=9, max_size=9)
WEIGHTS = st.lists(st.integers(-2, 2), min_size=9, max_size=9)
KINKS = st.lists(st.sampled_from([1, 2, Fraction(1, 2)]), min_size=9, max_size=9)


@examples(16)
@given(COSTS, WEIGHTS, KINKS, st.booleans())
def test_pairs_and_regions_decide_alike(costs, weights, kinks, fitting):
    """Three labels and decisions; half of the surrogates have the weights that the losses ask for."""
    loss = lm.LossMatrix([costs[3 * y : 3 * y + 3] for y in range(3)])
    if fitting:
        weights = [loss.entries[y][j] - loss.entries[y][i] for y in range(3) for i, j in combinations(range(3), 2)]
    psi = separable(weights, kinks, 3, 3)
    with patch.object(by_votes, "FEWEST", 2):
        quick = lm.check(psi, loss, "votes")
    slow = lm.check(psi, loss, "votes")
    assert slow.status == quick.status
    assert lm.verify(quick.certificate).accepted
    if fitting:
        assert isinstance(quick.proof, by_votes.VotesProof)
        assert quick.status == "calibrated"


@examples(12)
@given(st.lists(st.integers(0, 3), min_size=15, max_size=15))
def test_all_pairs_are_calibrated_and_votes_at_the_minimum_are_optimal(costs):
    """Of three labels and five decisions: at the p of a grid, whatever is free is won by either side."""
    rows = [costs[5 * y : 5 * y + 5] for y in range(3)]
    loss = lm.LossMatrix(rows)
    psi = weighted_all_pairs_hinge(loss)
    verdict = lm.check(psi, loss, "votes")
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
    for p in [(a, b, 6 - a - b) for a in range(7) for b in range(7 - a)]:
        risks = [sum(x * row[t] for x, row in zip(p, rows, strict=True)) for t in range(5)]
        for free in (-1, 1):
            u = [(risks[j] > risks[i]) - (risks[j] < risks[i]) or free for i, j in combinations(range(5), 2)]
            assert verdict.pred(u) in argmin(rows, [Fraction(x, 6) for x in p])


@pytest.mark.parametrize("n", [7, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (5, 6, 12))])
@pytest.mark.parametrize("made", [one_vs_one_hinge, one_vs_one_logistic])
def test_one_against_one_is_right_for_zero_one_loss_and_wrong_for_grades(made, n):
    for loss, status in ((L.zero_one(n), "calibrated"), (L.ordinal(n), "not calibrated")):
        verdict = lm.check(made(n), loss, "votes")
        assert verdict.status == status
        assert lm.verify(verdict.certificate).accepted
        assert verdict.pred == Votes(n)
        if status == "not calibrated":
            [p] = verdict.distributions
            wins = [[p[i] >= p[j] for j in range(n) if j != i] for i in range(n)]
            assert verdict.prediction == max(range(n), key=lambda t: sum(wins[t]))  # the likeliest, not the median
            assert verdict.prediction not in loss.optimal_predictions(p)


def test_what_votes_prove_some_pred_proves():
    loss = L.top_k(4, 2)  # six decisions
    verdict = lm.check(weighted_all_pairs_hinge(loss), loss)
    assert (verdict.status, verdict.asked, verdict.pred) == ("calibrated", None, Votes(6))
    assert isinstance(verdict.proof, by_votes.VotesProof)
    assert lm.verify(verdict.certificate).accepted
    again = lm.check(weighted_all_pairs_hinge(loss), loss, verdict.pred)
    assert again.asked == Votes(6)
    assert again.certificate == verdict.certificate


def test_what_is_no_sum_of_single_scores_is_left_to_other_rules():
    psi = lm.PolyhedralSurrogate.from_function(
        lambda y, u: sum(map(lm.pos, (1 - x if y < 2 else 1 + x for x in u))) + lm.maximum(*u, 0), n=3, dim=10
    )
    kink = lm.PolyhedralSurrogate.from_function(lambda y, u: sum(abs(x) for x in u), n=3, dim=10)
    bounded = lm.PolyhedralSurrogate.from_function(
        lambda y, u: sum(lm.pos(1 - x) for x in u), n=3, dim=10, domain=lambda u: [u[0] <= 0]
    )
    half = Fraction(1, 2)  # traced, the affine part joins the first maximum, which then falls without end
    leaning = lm.PolyhedralSurrogate.from_function(
        lambda y, u: sum(lm.pos(1 - x) + lm.pos(1 + x) for x in u) - half * u[0], n=3, dim=10
    )
    for other in (psi, kink, bounded, leaning, S.softmax(3)):
        assert by_votes.signs_told(other) is None


@examples(10)
@given(st.lists(st.integers(1, 9), min_size=20, max_size=20))
def test_what_is_refuted_is_wrong(costs):
    """One against one with costs of one's own, five labels: the likeliest is decided, and another costs less."""
    rows = [[0 if t == y else costs[4 * y + t - (t > y)] for t in range(5)] for y in range(5)]
    loss = lm.LossMatrix(rows)
    verdict = lm.check(one_vs_one_hinge(5), loss, "votes")
    assume(isinstance(verdict.proof, by_votes.VotesProof))
    if verdict.status == "not calibrated":
        [p] = verdict.distributions
        assert all(abs(p[i] - p[j]) > 0 for i, j in combinations(range(5), 2))
        assert p[verdict.prediction] == max(p)
        assert verdict.prediction not in argmin(rows, p)
    assert lm.verify(verdict.certificate).accepted
