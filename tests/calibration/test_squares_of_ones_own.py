"""Surrogates of one's own, by what is squared: their gradients from the definition, and what is decided of them."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lossmith as lm
from losses.refusal import refusal
from lossmith.errors import BadSurrogate
from strategies import competing_columns, examples, rationals

S, L = lm.surrogates, lm.losses


def margins(n):
    return lambda y, u: lm.pos(1 + lm.maximum(*(u[j] - u[y] for j in range(n) if j != y)))


def squared(psi, n, dim, name="own"):
    return lm.SmoothSurrogate.from_squares(psi, n=n, dim=dim, name=name)


@cache
def with_margins():
    return squared(margins(3), 3, 3)


@cache
def mixed():
    """Two maxima for each label, an affine one among them, and kinks away from 0."""
    return squared(
        lambda y, u: [lm.pos(lm.maximum(u[0] - y, u[1] + 1, 2 * u[0] + u[1])), u[1] - y, abs(u[0] + u[1] - 1)], 3, 2
    )


def value(psi, y, u):
    """ψ_y(u), exactly: the same function, on numbers."""
    if psi is with_margins():
        return max(Fraction(0), *(1 + u[j] - u[y] for j in range(3) if j != y)) ** 2
    first = max(Fraction(0), u[0] - y, u[1] + 1, 2 * u[0] + u[1])
    return first**2 + (u[1] - y) ** 2 + abs(u[0] + u[1] - 1) ** 2


def points(dim):
    return st.tuples(*[rationals(-2, 2, 3)] * dim)


def assert_below(psi, y, u, slope, other):
    rise = sum((g * (b - a) for g, a, b in zip(slope, u, other, strict=True)), Fraction(0))
    assert value(psi, y, other) >= value(psi, y, u) + rise


@pytest.mark.parametrize("made", [with_margins, mixed])
@given(st.data())
def test_values_and_gradients_are_those_of_the_squares(made, data):
    psi = made()
    u, other = data.draw(points(psi.dim)), data.draw(points(psi.dim))
    assert psi(u) == pytest.approx([float(value(psi, y, u)) for y in range(3)])
    for y, slopes in enumerate(psi.subgradients(u)):
        assert slopes
        for slope in slopes:
            assert_below(psi, y, u, slope, other)


@pytest.mark.parametrize("made", [with_margins, mixed])
@examples(6)
@given(st.data())
def test_on_the_way_gradients_are_affine(made, data):
    psi = made()
    u, way, other = (data.draw(points(psi.dim)) for _ in range(3))
    assume(any(way))
    end, near, far = psi.along(u, way)
    assert any(a != b for a, b in zip(u, end, strict=True))
    for c in (Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(1)):
        at = [(1 - c) * a + c * b for a, b in zip(u, end, strict=True)]
        for y, (first, last) in enumerate(zip(near, far, strict=True)):
            assert len(first) == len(last) > 0
            for g, h in zip(first, last, strict=True):
                assert_below(psi, y, at, [(1 - c) * x + c * z for x, z in zip(g, h, strict=True)], other)


def test_of_the_same_formula_the_values_are_those_of_the_catalogue():
    catalogue = S.squared_crammer_singer(3)
    U = np.random.default_rng(0).normal(scale=2, size=(50, 3))
    assert with_margins().evaluate(U) == pytest.approx(catalogue.evaluate(U))
    assert with_margins().gradient(U) == pytest.approx(catalogue.gradient(U))


@pytest.mark.parametrize(
    "loss",
    ["zero-one:n=3", "ordinal:n=3", "abstain:n=3", pytest.param("abstain:n=3,cost=1/3", marks=pytest.mark.exhaustive)],
)
def test_of_the_same_formula_the_verdicts_are_those_of_the_catalogue(loss):
    own, theirs = (lm.check(psi, loss) for psi in (with_margins(), S.squared_crammer_singer(3)))
    assert own.status == theirs.status
    assert own.certificate is None or lm.verify(own.certificate).accepted


def test_a_kink_is_found_where_it_is():
    """The same with another label at an advantage of 1: the kink, and the way to it, lie elsewhere."""
    ahead = (0, 1, 0)
    psi = squared(
        lambda y, u: lm.pos(1 + lm.maximum(*(u[j] - ahead[j] - u[y] + ahead[y] for j in range(3) if j != y))), 3, 3
    )
    verdict = lm.check(psi, L.abstain(3))
    assert verdict.status == "not calibrated"
    assert {a - b for a, b in zip(verdict.u, ahead, strict=True)} == {0}  # up to a constant, which is 0
    assert lm.verify(verdict.certificate).accepted


def test_class_weights_keep_what_is_known():
    verdict = lm.check(with_margins().weighted([1, 2, 1]), L.abstain(3).scale_rows([1, 2, 1]))
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("not calibrated", True)


def test_it_is_compared_and_pickled_by_value():
    assert squared(margins(3), 3, 3, "another name") == with_margins() != mixed()
    assert pickle.loads(pickle.dumps(with_margins())) == with_margins()


@pytest.mark.parametrize(
    ("psi", "quoted"),
    [
        (lambda y, u: lm.pos(u[0]) + lm.pos(u[1]), "y = 0"),
        (lambda y, u: [], "y = 0"),
        (lambda y, u: [lm.maximum(u[0], u[1])], "lm.pos"),
        (lambda y, u: [lm.maximum(u[0], -u[0]) - 1], "lm.pos"),
        (lambda y, u: ["score"], "'score'"),
    ],
)
def test_what_has_no_convex_square_is_refused(psi, quoted):
    assert quoted in refusal(lm.SmoothSurrogate.from_squares, psi, n=2, dim=2)


# Scores against thresholds.


@examples(8)
@given(
    competing_columns(3, 3),
    st.lists(rationals(0, 3, 2), min_size=3, max_size=3),
    st.tuples(rationals(0, 3, 4), rationals(0, 3, 4)),
)
def test_thresholds_of_squared_distances_are_decided_as_means_are(columns, centres, thresholds):
    """ψ_y = (u − a_y)² is minimised at the mean of the a_y, by which another rule decides it."""
    loss, (low, high) = lm.LossMatrix(list(zip(*columns, strict=True))), sorted(thresholds)
    assume(len({*centres}) > 1 and low < high)
    pred = [lambda u: [u[0] <= low], lambda u: [u[0] >= low, u[0] <= high], lambda u: [u[0] >= high]]
    own = squared(lambda y, u: u[0] - centres[y], 3, 1)
    verdict = lm.check(own, loss, pred)
    assert verdict.status == lm.check(S.square([[a] for a in centres]), loss, pred).status
    assert lm.verify(verdict.certificate).accepted


@examples(6)
@given(competing_columns(4, 4))
def test_signs_of_two_scores_are_decided_as_bits_are(columns):
    """A squared hinge for each bit: the catalogue knows that its scores tell the bits' probabilities."""
    loss = lm.LossMatrix(list(zip(*columns, strict=True)), labels=[0, 1, 2, 3], predictions=[0, 1, 2, 3])
    bits = [(y >> 1 & 1, y & 1) for y in range(4)]
    own = squared(lambda y, u: [lm.pos(1 - (2 * b - 1) * u[i]) for i, b in enumerate(bits[y])], 4, 2)
    known = S.binary_relevance(2, "squared-hinge")
    assert own.traits.separate
    U = np.random.default_rng(0).normal(size=(20, 2))
    assert own.evaluate(U) == pytest.approx(known.evaluate(U))
    verdict = lm.check(own, loss, "sign")
    assert verdict.status == lm.check(known, loss, "sign").status
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize("n", [2, 3, pytest.param(5, marks=pytest.mark.exhaustive)])
def test_thresholds_are_found(n):
    verdict = lm.check(squared(lambda y, u: u[0] - 2 * y, n, 1), L.ordinal(n, 2))
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
    assert verdict.decide([[2 * y + d] for y in range(n) for d in (-0.9, 0.9)]).tolist() == [
        y for y in range(n) for _ in range(2)
    ]


@pytest.mark.parametrize("cost", ["1/2", "1/3", "1/10", "9/10"])
def test_the_threshold_of_a_squared_hinge_is_that_of_its_probability(cost):
    """p_0 = (1 + u)/2 is told, and the loss asks whether it exceeds a number."""
    loss = L.cost_sensitive_binary(cost)
    verdict = lm.check(squared(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), 2, 1), loss)
    assert (verdict.status, lm.verify(verdict.certificate).accepted) == ("calibrated", True)
    for p in (Fraction(i, 20) + Fraction(1, 100) for i in range(20)):
        said = verdict.decide([[float(2 * p - 1)]])[0]
        assert loss.predictions.index(said) in loss.optimal_predictions([p, 1 - p])


def test_no_threshold_decides_what_the_order_of_labels_does_not():
    assert lm.check(squared(lambda y, u: u[0] - y, 3, 1), L.zero_one(3)).status == "not calibrated"


def test_a_threshold_at_a_kink_is_left_alone():
    kinked = squared(lambda y, u: lm.pos(1 + abs(u[0] - y)), 2, 1)
    verdict = lm.check(kinked, L.zero_one(2), [lambda u: [u[0] <= 0], lambda u: [u[0] >= 0]])
    assert verdict.status == "not calibrated"  # by the tangents there, all of which count
    assert lm.verify(verdict.certificate).accepted
    quiet = replace(kinked, subgradients=None)
    verdict = lm.check(quiet, L.zero_one(2), [lambda u: [u[0] <= 0], lambda u: [u[0] >= 0]])
    assert verdict.status == "undecided"
    assert "by_thresholds" in dict(verdict.declined)


def test_scores_that_are_not_separate_are_refused_as_such():
    with pytest.raises(BadSurrogate, match=r"separate\b.*u_0"):
        replace(with_margins(), traits=replace(with_margins().traits, separate=True))


def test_the_u_that_is_shown_is_optimal_though_0_is_a_kink():
    """The first score is best at 0, where the steepest way down leads up; the second is best below 0."""
    psi = squared(lambda y, u: [1 + 2 * abs(u[0]), (u[1] + 1, lm.pos(u[1]))[y]], 2, 2)
    wrong = lm.check(psi, [[0, 1], [1, 2]], [lambda u: [u[1] >= 0], lambda u: [u[1] <= 0]])

    (p,) = wrong.distributions
    assert wrong.prediction == 1
    assert np.allclose(wrong.u, [0, -1], atol=1e-6)
    assert p[0] > 0
