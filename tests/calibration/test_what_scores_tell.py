"""Smooth surrogates whose scores tell little: orders, one decision that is always right, multiples of log 2."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import lossmith as lm
from lossmith.errors import BadSurrogate
from strategies import competing_columns, examples

S, L = lm.surrogates, lm.losses
GRID = [(a, b, 12 - a - b) for a in range(13) for b in range(13 - a)]


def minimiser(psi, p):
    """By values of ψ alone."""
    weights = np.array([float(x) for x in p])
    return minimize(lambda u: weights @ psi.evaluate([u])[0], np.zeros(psi.dim), tol=1e-12).x


def assert_refuted(verdict):
    """The certificate is accepted, the p costs, and a search that knows nothing ends where the pred is wrong."""
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted
    (p,), loss = verdict.distributions, verdict.loss
    assert verdict.prediction not in loss.optimal_predictions(p)
    return minimiser(verdict.surrogate, p)


# An order of scores: ties do not save a pred that is wrong beside them.


exhaustive = pytest.mark.exhaustive


@pytest.mark.parametrize(
    "name",
    [
        "ordinal:n=3",
        "abstain:n=3",
        "newsvendor:n=4",
        "capped:n=4",
        pytest.param("hamming:r=2", marks=exhaustive),
    ],
)
def test_argmax_of_a_constrained_loss_is_wrong_where_the_likeliest_label_is(name):
    verdict = lm.check("constrained-loss", name, "argmax")
    loss = verdict.loss
    u = assert_refuted(verdict)
    assert verdict.pred.decide([u])[0] == verdict.prediction
    assert len({*verdict.distributions[0]}) == loss.n  # no tie is left


@examples(12)
@given(competing_columns(3, 3))
def test_whether_the_likeliest_label_is_right_is_seen_on_a_grid(columns):
    loss = lm.LossMatrix(list(zip(*columns, strict=True)))
    verdict = lm.check(S.constrained_loss(3, "squared-hinge"), loss, "argmax")
    best = [loss.optimal_predictions([Fraction(x, 12) for x in p]) for p in GRID]
    wrong = any(p.count(max(p)) == 1 and p.index(max(p)) not in each for p, each in zip(GRID, best, strict=True))
    assert verdict.status != "undecided"
    assert lm.verify(verdict.certificate).accepted
    if wrong:
        assert verdict.status == "not calibrated"
    if verdict.status == "not calibrated":
        (p,) = verdict.distributions
        assert p.index(max(p)) == verdict.prediction
        assert verdict.prediction not in loss.optimal_predictions(p)


@pytest.mark.parametrize(
    "name",
    [
        "smooth-crammer-singer",
        "sparsemax",
        *(pytest.param(x, marks=exhaustive) for x in ("softmax", "one-vs-all-logistic")),
    ],
)
def test_what_keeps_the_order_of_probabilities_is_right_for_the_first_k(name):
    for n, k in ((3, 2), (4, 2)):
        verdict = lm.check(name, L.top_k(n, k), "top-k")
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted


def test_class_weights_order_the_weighted_probabilities():
    weights = [1, 2, 3]
    psi, loss = S.softmax(3).weighted(weights), L.top_k(3, 2)
    right = lm.check(psi, loss.scale_rows(weights), "top-k")
    assert (right.status, lm.verify(right.certificate).accepted) == ("calibrated", True)
    wrong = lm.check(psi, loss, "top-k")
    u = assert_refuted(wrong)
    assert wrong.pred.decide([u])[0] == wrong.prediction


def test_guesses_whose_costs_depend_on_the_label_alone_are_sorted_by_weighted_probabilities():
    loss = L.balanced_error(["1/6", "1/3", "1/2"])
    psi, weights = S.guess_averse(loss), [float(max(row)) for row in loss.entries]
    for p in np.random.default_rng(0).dirichlet([1, 1, 1], 5):
        assert list(np.argsort(minimiser(psi, p))) == list(np.argsort(p * weights))
    verdict = lm.check(psi, loss, "argmax")
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
    assert not S.guess_averse(loss, "logistic").traits.proper.monotone


def test_two_documents_are_sorted_rightly():
    for phi in ("logistic", "exponential", "smooth-hinge"):
        psi, loss = S.pairwise_loss("pairwise-disagreement:r=2", phi), L.pairwise_disagreement(2).matrix()
        for pred in (None, "sort"):
            verdict = lm.check(psi, loss, pred)
            assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
        for p in ([0.2, 0.5, 0.3], [0.1, 0.2, 0.7]):
            said = loss.predictions.index(verdict.decide([minimiser(psi, p)])[0])
            assert np.array(p) @ [float(row[said]) for row in loss.entries] == pytest.approx(min(p[1:]))


# One decision that is right always.


def plain(n, dim=2):
    return lm.SmoothSurrogate(
        "plain", n, dim, lambda U: np.repeat((U**2).sum(axis=1)[:, None], n, axis=1), lambda U: _same(U, n)
    )


def _same(U, n):
    return np.repeat(2 * U[:, None, :], n, axis=1)


@examples(8)
@given(competing_columns(3, 3), st.integers(0, 2))
def test_if_one_decision_is_right_always_it_does_not_matter_what_is_told(columns, t):
    rows = zip(*columns, strict=True)
    loss = lm.LossMatrix([[min(row) if s == t else x for s, x in enumerate(row)] for row in rows])
    verdict = lm.check(plain(3), loss)
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
    said = loss.predictions.index(verdict.decide([[1.0, -2.0]])[0])
    assert all(row[said] == min(row) for row in loss.entries)


def test_with_one_such_decision_a_pred_is_right_if_it_says_nothing_else():
    loss = lm.LossMatrix([[0, 0, 1], [0, 0, 2], [1, 1, 2]])
    always = lm.check(plain(3), loss, [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0], None])
    assert (always.status, lm.verify(always.certificate).accepted) == ("calibrated", True)
    compared = lm.check(plain(3), loss, [lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]], None])
    assert (compared.status, lm.verify(compared.certificate).accepted) == ("calibrated", True)
    other = lm.check(plain(3), loss, [lambda u: [u[0] >= 0], None, lambda u: [u[0] <= 0]])
    assert other.status == "undecided"
    assert "by_single_decision" in dict(other.declined)


def test_of_many_labels_there_is_a_certificate_as_well():
    verdict = lm.check(plain(20), lm.LossMatrix([[1, 2]] * 20))
    assert lm.verify(verdict.certificate).accepted


# Multiples of log 2.


@pytest.mark.parametrize(
    ("surrogate", "loss", "pred"),
    [
        ("guess-averse", "kendall-tau:r=3", "argmax"),
        pytest.param("guess-averse", "hamming:r=2", "argmax", marks=exhaustive),
        ("margin-vector", "top-k:n=3,k=2", "argmax"),
        ("top-k-entropy", "top-k:n=3,k=2", "argmax"),
        ("immediate-threshold-logistic", "dead-zone:n=3", "sign"),
    ],
)
def test_what_is_wrong_at_multiples_of_log_2_is_wrong(surrogate, loss, pred):
    verdict = lm.check(surrogate, loss, pred)
    u = assert_refuted(verdict)
    psi, (p,) = verdict.surrogate, verdict.distributions
    risk = np.array([float(x) for x in p]) @ psi.evaluate([u, verdict.u]).T
    assert risk[1] <= risk[0] + 1e-9  # as good as what the search finds
    near = np.array(verdict.u) + 1e-6 * np.random.default_rng(0).standard_normal((2000, psi.dim))
    assert verdict.prediction in verdict.pred.decide(near)


def test_a_pred_that_is_no_cone_is_left_alone_there():
    verdict = lm.check(
        S.guess_averse(L.hamming(2)), L.hamming(2), [lambda u: [u[0] >= 1], lambda u: [u[0] <= 1], None, None]
    )
    assert verdict.status == "undecided"
    assert "by_logarithms" in dict(verdict.declined)


def test_false_slopes_at_multiples_of_log_2_are_refused():
    with pytest.raises(BadSurrogate, match=r"u = \(2\.07\d*, 0, -2\.07\d*\) .*\bat_logs\b"):
        replace(S.margin_vector(3), at_logs=S.constrained_loss(3).at_logs)


WITH_SLOPES_AT_LOGS = {
    "margin vector": lambda: S.margin_vector(3),
    "margin vector, logistic": lambda: S.margin_vector(3, "logistic"),
    "guess averse": lambda: S.guess_averse(L.ordinal(3)),
    "top-k entropy": lambda: S.top_k_entropy(3, 2),
    "guess averse, logistic": lambda: S.guess_averse(L.ordinal(3), "logistic"),
    "immediate thresholds": lambda: S.immediate_threshold_logistic(4),
    "weighted": lambda: S.constrained_loss(3).weighted([1, 2, 3]),
}


@pytest.mark.parametrize("name", WITH_SLOPES_AT_LOGS)
def test_slopes_at_multiples_of_log_2_are_those_of_the_values(name):
    psi = WITH_SLOPES_AT_LOGS[name]()
    found = [
        s for s in ((0,) * psi.dim, (1, -1, 0), (2, 0, -2), (-4, 2, 2), (1, 1, 1), (6, -6, 0)) if psi.at_logs(frac(s))
    ]
    assert len(found) >= 3
    for s in found:
        exact = np.array([[float(x) for x in each[0]] for each in psi.at_logs(frac(s))])
        assert exact == pytest.approx(psi.gradient([np.array(s) * np.log(2)])[0])
    assert psi.at_logs(frac(("1/3",) + ("0",) * (psi.dim - 1))) is None


def frac(s):
    return tuple(map(Fraction, s))


# Grades far out.


@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=exhaustive), pytest.param(6, marks=exhaustive)])
def test_all_grades_that_are_no_neighbours_are_served_together(n):
    sets = [set(each.labels) for each in S.immediate_threshold_logistic(n).traits.together]
    assert all(abs(a - b) > 1 for each in sets for a, b in combinations(each, 2))
    assert all(any({a, b} <= each for each in sets) for a, b in combinations(range(n), 2) if b - a > 1)


def test_the_first_and_the_last_of_four_grades_are_not_told_apart():
    verdict = lm.check("immediate-threshold-logistic", L.dead_zone(4))
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("not calibrated", True)
    assert all(p[1] == p[2] == 0 for p in verdict.distributions)
