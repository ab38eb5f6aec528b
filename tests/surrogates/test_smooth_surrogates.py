"""Smooth surrogates: values, gradients and minimisers against plain formulas, and what is refused."""

from __future__ import annotations

import math
import pickle
import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses.refusal import refusal
from lossmith import LossMatrix, losses
from lossmith.errors import BadInput, BadSurrogate
from lossmith.losses import zero_one
from lossmith.surrogates import (
    class_probability,
    cumulative_link,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    softmax,
    sparsemax,
    square,
)
from lossmith.surrogates.smooth import BinaryMargin, ProperComposite, SmoothSurrogate, Traits
from strategies import distributions, rationals
from surrogates.members import ONE_OF_EACH, case, each_part, smooth
from surrogates.quotation import numbers_in, quotes

LOW_RANK = ((0, 1), ("1/2", -2), (3, "1/3"), (1, 1))


def proper(part):
    return [each for each in smooth(part) if each.traits.proper]


@cache
def weighted(surrogate):
    return surrogate.weighted(([1, 5, "1/3", 2] * 2)[: surrogate.n])


def points(surrogate, count=12):
    """Points with ties and zeros, as fractions: the origin and others."""
    drawn = np.random.default_rng(surrogate.dim).integers(-16, 17, (count - 1, surrogate.dim))
    return [[Fraction(0)] * surrogate.dim, *([Fraction(x, 4) for x in row] for row in drawn.tolist())]


def shares(n, count=3):
    """Distributions of n labels: all labels, some labels, one label."""
    drawn = np.random.default_rng(n).integers(1, 7, (count, n)).tolist()
    drawn[1][0] = 0
    drawn[-1] = [int(y == n - 1) for y in range(n)]
    return [[Fraction(x, sum(row)) for x in row] for row in drawn]


def draw_point(data, dim):
    return data.draw(st.lists(rationals(-4, 4, 4), min_size=dim, max_size=dim))


# The formulas, written out once more with math.


def plain_class_probability(n, y, u):
    own = (u[y] - 1) ** 2 if y < n - 1 else 0  # in the lemma labels count from 1, and the last is n
    return own + sum(u[j] ** 2 for j in range(n - 1) if j != y)


def plain_softmax(n, y, u):
    return -math.log(math.exp(u[y]) / sum(math.exp(x) for x in u))


def plain_one_vs_all_logistic(n, y, u):
    return sum(math.log(1 + math.exp(-x if j == y else x)) for j, x in enumerate(u))


def plain_one_vs_all_squared_hinge(n, y, u):
    return sum(max(0, 1 - x if j == y else 1 + x) ** 2 for j, x in enumerate(u))


FORMULAS = [
    (class_probability, plain_class_probability),
    (softmax, plain_softmax),
    (one_vs_all_logistic, plain_one_vs_all_logistic),
    (one_vs_all_squared_hinge, plain_one_vs_all_squared_hinge),
]


@pytest.mark.parametrize(("family", "formula"), FORMULAS, ids=lambda x: getattr(x, "name", ""))
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_surrogate_has_the_values_of_its_formula(family, formula, n):
    surrogate = family(n)
    for u in points(surrogate):
        expected = [formula(n, y, list(map(float, u))) for y in range(n)]
        assert surrogate(u) == pytest.approx(expected, rel=1e-12, abs=1e-12), u
        assert surrogate.evaluate([u])[0].tolist() == list(surrogate(u)), u


@given(data=st.data())
def test_the_square_surrogate_is_the_squared_distance_to_the_rows(data):
    u = draw_point(data, 2)
    distances = [sum((x - Fraction(a)) ** 2 for x, a in zip(u, row)) for row in LOW_RANK]
    assert square(LOW_RANK)(u) == pytest.approx(list(map(float, distances)), rel=1e-12, abs=1e-12)


def test_the_class_probability_surrogate_at_points_done_by_hand():
    assert class_probability(3)([0, 0]) == (1, 1, 0)
    assert class_probability(3)(["1/2", "1/4"]) == (0.3125, 0.8125, 0.3125)  # 1/4 + 1/16, 1/4 + 9/16, 1/4 + 1/16
    assert class_probability(2)([3]) == (4, 9)


def test_values_stay_right_far_from_zero():
    assert softmax(2)([1000, 0]) == (0, 1000)
    assert one_vs_all_logistic(2)([1000, -1000]) == (0, 2000)
    # log(1 + e^−50) is e^−50 up to e^−100: lost if it were computed as a difference of numbers near 50.
    assert one_vs_all_logistic(2)([50, -50])[0] == pytest.approx(2 * math.exp(-50), rel=1e-12)
    assert one_vs_all_logistic(3).gradient([[1000, 0, -1000]])[0, 0].tolist() == [0, 0.5, 0]


# Gradients.


@each_part
def test_the_gradient_is_the_slope_of_the_values(part):
    for surrogate in smooth(part):
        if surrogate.made_by.name == "squared_crammer_singer":  # it has kinks
            continue
        U, step = np.array(points(surrogate), dtype=float), 1e-6
        gradient = surrogate.gradient(U)
        assert gradient.shape == (len(U), surrogate.n, surrogate.dim)
        for j in range(surrogate.dim):
            ahead = np.eye(surrogate.dim)[j] * step
            measured = (surrogate.evaluate(U + ahead) - surrogate.evaluate(U - ahead)) / (2 * step)
            assert gradient[:, :, j] == pytest.approx(measured, rel=1e-5, abs=1e-5), (surrogate.name, j)


@each_part
def test_the_exact_slope_is_the_gradient_in_fractions(part):
    exact_slopes = [each for each in smooth(part) if each.exact_slope]
    assert exact_slopes
    for surrogate in exact_slopes:
        for u in points(surrogate, 5):
            exact = surrogate.exact_slope(tuple(u))
            assert all(type(x) is Fraction for row in exact for x in row), surrogate.name
            rounded = np.array([[float(x) for x in row] for row in exact])
            assert surrogate.gradient([u])[0] == pytest.approx(rounded, rel=1e-12, abs=1e-12), surrogate.name


def test_exact_slopes_done_by_hand():
    third = Fraction(1, 3)
    assert one_vs_all_squared_hinge(2).exact_slope((third, Fraction(-2))) == [
        [-2 * (1 - third), 0],
        [2 * (1 + third), -6],
    ]
    assert square([[1], [-1]]).exact_slope((third,)) == [[Fraction(-4, 3)], [Fraction(8, 3)]]
    assert class_probability(3).exact_slope((third, third)) == [
        [Fraction(-4, 3), Fraction(2, 3)],
        [Fraction(2, 3), Fraction(-4, 3)],
        [Fraction(2, 3), Fraction(2, 3)],
    ]
    squares = {"class_probability", "gain_regression", "one_vs_all_squared_hinge", "square"}
    assert squares <= {each.made_by.name for each in smooth(ONE_OF_EACH) if each.exact_slope}


@each_part
def test_members_are_never_negative_and_convex_unless_they_say_so(part):
    for surrogate in smooth(part):
        U = np.array(points(surrogate, 24), dtype=float)
        first, middle, last = map(surrogate.evaluate, (U[:-1], (U[:-1] + U[1:]) / 2, U[1:]))
        with case(surrogate.name):
            assert (first >= -1e-12).all()
            assert not surrogate.traits.convex or (middle <= (first + last) / 2 + 1e-12 * (1 + first + last)).all()


def test_proportional_odds_are_not_convex_in_the_logarithms_of_gaps():
    first, middle, last = cumulative_link(3).evaluate([[-1, 0], [-1, -0.5], [-1, -1]])
    assert middle[1] > (first[1] + last[1]) / 2 + 1e-3


# Minimisers, probabilities, Bayes risk.


@given(distributions(4))
def test_the_square_surrogate_is_minimised_at_the_mean_row(p):
    mean = [sum(p[y] * Fraction(LOW_RANK[y][j]) for y in range(4)) for j in range(2)]
    assert square(LOW_RANK).minimizer(p) == tuple(map(float, mean))


@given(distributions(3))
def test_the_expected_losses_minimise_the_square_surrogate_of_a_loss(p):
    # Guessing t is wrong unless t is true, and abstaining always costs 1/2.
    assert square(losses.abstain(3)).minimizer(p) == (*(float(1 - x) for x in p), 0.5)


@given(distributions(4))
def test_the_class_probability_surrogate_is_minimised_at_all_probabilities_but_the_last(p):
    assert class_probability(4).minimizer(p) == tuple(map(float, p[:-1]))


@each_part
def test_the_probabilities_at_the_minimiser_are_those_that_were_minimised_for(part):
    for surrogate in proper(part):
        near = 1e-3 if surrogate.traits.proper.link is None else 1e-12  # what is searched for is found less exactly
        for p in shares(surrogate.n):
            read = surrogate.probabilities([surrogate.minimizer(p)])[0]
            assert read == pytest.approx(np.array(p, dtype=float), abs=near), (surrogate.name, p)


def entropy(p):
    return -sum(float(x) * math.log(x) for x in p if x)


@given(distributions(3))
def test_the_bayes_risk_of_softmax_is_the_entropy(p):
    assert softmax(3).bayes_risk(p) == pytest.approx(entropy(p), abs=1e-12)


@given(distributions(3))
def test_the_bayes_risks_of_the_one_vs_all_surrogates_are_sums_over_labels(p):
    # min_u p φ(u) + (1−p) φ(−u) is the binary entropy for the logistic loss, and 4p(1−p) for the squared hinge.
    assert one_vs_all_logistic(3).bayes_risk(p) == pytest.approx(sum(entropy([x, 1 - x]) for x in p), abs=1e-12)
    assert one_vs_all_squared_hinge(3).bayes_risk(p) == pytest.approx(float(sum(4 * x * (1 - x) for x in p)), abs=1e-12)


@given(distributions(3))
def test_the_bayes_risk_of_the_class_probability_surrogate_is_a_sum_of_variances(p):
    assert class_probability(3).bayes_risk(p) == pytest.approx(float(sum(x * (1 - x) for x in p[:-1])), abs=1e-12)


def without_traits(surrogate):
    return with_traits(surrogate, Traits(convex=surrogate.traits.convex))


@each_part
def test_the_search_finds_what_the_closed_forms_say(part):
    for surrogate in smooth(part):
        if any(surrogate.closed_forms(np.ones(surrogate.n) / surrogate.n)):
            with case(surrogate.name):
                assert_the_search_finds_the_closed_form(surrogate, ((6, 3, 2, 1), (1, 90, 4, 30)))


def assert_the_search_finds_the_closed_form(surrogate, weights):
    bare = without_traits(surrogate)
    reading, proper = surrogate.traits.reading, surrogate.traits.proper
    for row in weights:
        chosen = (row * 2)[: surrogate.n]
        p = [Fraction(x, sum(chosen)) for x in chosen]
        assert bare.bayes_risk(p) == pytest.approx(surrogate.bayes_risk(p), rel=1e-9)
        if (surrogate.traits.mean and (reading is None or reading.threshold)) or (proper and proper.threshold):
            # softmax has a line of minimisers
            assert bare.minimizer(p) == pytest.approx(surrogate.minimizer(p), abs=1e-5)


def test_the_search_comes_near_a_minimum_that_is_not_attained():
    assert without_traits(softmax(3)).bayes_risk([1, 0, 0]) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("p", [["1/2", "1/2", 0], [1, "1/10"], [2, -1], "ab"])
def test_what_is_no_distribution_is_refused(p):
    for ask in (softmax(2).minimizer, softmax(2).bayes_risk, square([[0], [1]]).minimizer):
        assert quotes(refusal(ask, p), "p")


def test_scores_and_probabilities_have_the_same_order_only_where_that_is_declared():
    others = {each.made_by.name for each in proper(ONE_OF_EACH) if not each.traits.proper.monotone}
    scores = {"class_probability", "cumulative_link", "rejection_exponential", "guess_averse", "one_vs_one_logistic"}
    assert others == scores


def test_thresholds_on_scores_are_thresholds_on_probabilities():
    logistic, hinge = (f(3).traits.proper.threshold for f in (one_vs_all_logistic, one_vs_all_squared_hinge))
    assert (logistic(Fraction(0)), logistic(Fraction(1, 2))) == (Fraction(1, 2), None)
    assert [hinge(Fraction(x, 2)) for x in (-2, -1, 0, 1, 2)] == [
        None,
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(3, 4),
        None,
    ]
    assert softmax(3).traits.proper.threshold is None


@given(rationals(-1, 1, 8))
def test_the_threshold_of_the_squared_hinge_is_where_its_probability_passes(tau):
    psi = one_vs_all_squared_hinge(3)
    q, read = psi.traits.proper.threshold(tau), psi.probabilities([[tau, 0, 0]])[0, 0]
    assert q == (None if abs(tau) == 1 else Fraction(read).limit_denominator(100))


def test_a_surrogate_that_is_not_proper_gives_no_probabilities():
    assert "square(" in refusal(square(LOW_RANK).probabilities, [[0, 0]])


# Class weights.


@each_part
def test_weights_multiply_values_and_slopes(part):
    w = [Fraction(1), Fraction(5), Fraction(1, 3), Fraction(2)] * 2
    for surrogate in smooth(part):
        factors = np.array(w[: surrogate.n], dtype=float)
        U = points(surrogate, 4)
        with case(surrogate.name):
            assert weighted(surrogate).evaluate(U) == pytest.approx(factors * surrogate.evaluate(U))
            assert weighted(surrogate).gradient(U) == pytest.approx(factors[:, None] * surrogate.gradient(U))
        if surrogate.exact_slope:
            expected = [[x * s for s in row] for x, row in zip(w, surrogate.exact_slope(tuple(U[-1])))]
            assert weighted(surrogate).exact_slope(tuple(U[-1])) == expected, surrogate.name


@each_part
def test_a_weighted_proper_surrogate_still_recovers_the_probabilities(part):
    for surrogate in proper(part):
        near = 1e-6 if surrogate.traits.proper.link is None else 1e-9  # what is searched for is found less exactly
        psi = weighted(surrogate)
        for p in shares(surrogate.n)[:2]:
            read = psi.probabilities([psi.minimizer(p)])[0]
            assert read == pytest.approx(np.array(p, dtype=float), abs=near), (surrogate.name, p)
        assert psi.traits.proper.monotone == surrogate.traits.proper.monotone, surrogate.name
        assert psi.traits.proper.threshold is None, surrogate.name


def test_the_minimiser_of_weighted_squares_is_the_weighted_mean():
    weighted = square([[0], [1]]).weighted([1, 3])  # u² + 3(u − 1)² has its minimum at 3/4
    assert weighted.traits.scales == (1, 3)
    assert weighted.minimizer(["1/2", "1/2"]) == pytest.approx([0.75], abs=1e-7)


def test_where_no_label_has_a_share_weighted_probabilities_are_still_numbers():
    read = one_vs_all_squared_hinge(2).weighted([1, 2]).probabilities([[-3, -3], [1, -3]])
    assert np.isfinite(read).all()
    assert read[1].tolist() == [1, 0]


def test_equal_weights_keep_what_is_known():
    assert square(LOW_RANK).weighted([2] * 4).traits == square(LOW_RANK).traits
    assert softmax(3).weighted([2] * 3).traits == softmax(3).traits
    assert sparsemax(3).weighted([1] * 3).traits == sparsemax(3).traits
    assert sparsemax(3).weighted([2] * 3).traits.divergence is None  # the regret is twice as much
    assert exponential().weighted([2, 2]).traits.margin == BinaryMargin(-2.0, True)
    assert exponential().weighted([1, 2]).traits.margin is None


def test_the_name_of_a_weighted_surrogate_says_the_weights():
    assert softmax(3).weighted([1, 0.5, "1/3"]).name == "softmax(n=3) weighted (1, 1/2, 1/3)"


@pytest.mark.parametrize("weights", [[1, 2], [1, 2, 0], [1, 1, -1], [1, 2, "x"], 3, []])
def test_weights_are_positive_and_one_for_each_label(weights):
    assert "weights" in refusal(softmax(3).weighted, weights)


# Margins.


def exponential():
    return SmoothSurrogate.from_margin(falling, rising, "exponential")


def falling(m):
    return np.exp(-m)


def rising(m):
    return -np.exp(-m)


def hinge(m):
    return np.maximum(1 - m, 0)


def hinge_slope(m):
    return np.where(m < 1, -1.0, 0.0)


def test_a_margin_gives_both_labels():
    assert exponential()([1]) == pytest.approx((1 / math.e, math.e))
    assert exponential().gradient([[1]])[0, :, 0] == pytest.approx([-1 / math.e, math.e])
    assert exponential().traits.margin == BinaryMargin(-1.0, True)
    # p e^−u + (1 − p) e^u has its minimum at log(p / (1 − p)) / 2
    assert exponential().minimizer(["1/5", "4/5"]) == pytest.approx([math.log(1 / 4) / 2])


def test_a_margin_with_a_kink_elsewhere_has_a_slope_at_zero_that_one_gives():
    surrogate = SmoothSurrogate.from_margin(
        hinge, hinge_slope, "hinge", differentiable=False, slope_at_zero=Fraction(-1)
    )
    assert surrogate.traits.margin == BinaryMargin(Fraction(-1), False)
    assert surrogate.bayes_risk(["1/4", "3/4"]) == pytest.approx(0.5)  # 2 min(p, 1 − p)
    told = refusal(SmoothSurrogate.from_margin, hinge, hinge_slope, "hinge", differentiable=False)
    assert "hinge" in told
    assert "φ′(0)" in told


def test_a_margin_with_a_kink_at_zero_has_none():
    surrogate = SmoothSurrogate.from_margin(np.abs, np.sign, "distance", differentiable=False)
    assert surrogate.traits.margin == BinaryMargin(None, False)
    message = refusal(SmoothSurrogate.from_margin, np.abs, np.sign, "distance")
    assert re.search(r"-1\b.*\b1\b.*\b0\b", message)
    undefined = refusal(SmoothSurrogate.from_margin, np.abs, lambda m: np.where(m == 0, np.nan, np.sign(m)), "distance")
    assert "differentiable=False" in undefined


def test_what_is_declared_a_margin_must_be_one():
    traits = Traits(margin=BinaryMargin(0.0, True))
    message = refusal(SmoothSurrogate, "squares", 2, 1, lambda U: (U - [0, 1]) ** 2, squares_slope, traits)
    assert "squares" in message
    assert "n = 2" in refusal(with_traits, softmax(3), Traits(margin=BinaryMargin(-1.0, True)))


# Values: equality, pickling, print.


@each_part
def test_members_are_values(part):
    for surrogate in smooth(part):
        with case(surrogate.name):
            back = pickle.loads(pickle.dumps(surrogate))
            assert back == surrogate
            assert hash(back) == hash(surrogate)
            assert back.name == surrogate.name
            u = [0.5] * surrogate.dim
            assert back(u) == surrogate(u)
            psi = weighted(surrogate)
            assert pickle.loads(pickle.dumps(psi)) == psi == back.weighted(([1, 5, "1/3", 2] * 2)[: surrogate.n])
            assert psi != surrogate


def test_members_with_the_same_parameters_are_equal_and_others_are_not():
    assert softmax(3) == softmax(3) != softmax(4)
    assert len({f(3) for f in (softmax, one_vs_all_logistic, one_vs_all_squared_hinge, class_probability)}) == 4
    assert square([[0, 1], [2, 0]]) == square(LossMatrix([[0, 1], [2, 0]], name="costs"))
    assert square([[0, 1], [2, 0]]) != square([[0, 1], [3, 0]])
    assert square("zero-one:n=3") == square(zero_one(3))
    assert exponential() == pickle.loads(pickle.dumps(exponential()))


def test_it_prints_on_one_line_with_its_name():
    for surrogate in (softmax(3), class_probability(2)):
        assert surrogate.name in repr(surrogate)
        assert "\n" not in repr(surrogate)


# Refusals.


def squares(U):
    return (U - np.array([0.0, 1.0])) ** 2


def squares_slope(U):
    return 2 * (U - np.array([0.0, 1.0]))[:, :, None]


def with_traits(surrogate, traits):
    return SmoothSurrogate(surrogate.name, surrogate.n, surrogate.dim, surrogate.value, surrogate.slope, traits)


def test_a_wrong_gradient_is_refused_with_the_label_the_point_and_both_slopes():
    def wrong(U):
        slopes = squares_slope(U)
        slopes[:, 1] += 0.5
        return slopes

    with pytest.raises(BadSurrogate) as caught:
        SmoothSurrogate("squares", 2, 1, squares, wrong)
    message = str(caught.value)
    assert message.startswith("squares: ")
    assert "y = 1" in message
    _, point, slopes = re.split(r"u = \(([^)]*)\)", message)
    u, quoted = float(point), numbers_in(slopes)
    for slope in (2 * (u - 1) + 0.5, 2 * (u - 1)):  # what is declared, and what is measured
        assert any(x == pytest.approx(slope, rel=1e-4) for x in quoted)
    assert "\n" not in message


@pytest.mark.parametrize("coordinate", range(3))
def test_a_gradient_that_is_wrong_along_one_coordinate_is_refused(coordinate):
    def wrong(U):
        slopes = softmax(3).slope(U)
        slopes[:, :, coordinate] *= 1.01
        return slopes

    assert f" u_{coordinate} " in refusal(SmoothSurrogate, "softer", 3, 3, softmax(3).value, wrong)


def test_small_surrogates_are_checked_as_strictly_as_large_ones():
    for factor in (1e-8, 1e8):
        SmoothSurrogate("scaled", 2, 1, lambda U, f=factor: f * squares(U), lambda U, f=factor: f * squares_slope(U))
        message = refusal(
            SmoothSurrogate,
            "scaled",
            2,
            1,
            lambda U, f=factor: f * squares(U),
            lambda U, f=factor: -f * squares_slope(U),
        )
        *_, declared, measured = numbers_in(message)
        assert declared == pytest.approx(-measured, rel=1e-4)


def test_an_exact_slope_that_differs_is_refused():
    def exact(u):
        return [[2 * u[0]], [2 * u[0]]]  # of u² and u², not of u² and (u − 1)²

    told = refusal(SmoothSurrogate, "squares", 2, 1, squares, squares_slope, Traits(), exact)
    u, slope, exact_slope = numbers_in(told.partition("u = (")[2])
    assert (slope, exact_slope) == (pytest.approx(2 * (u - 1), rel=1e-4), pytest.approx(2 * u, rel=1e-4))
    ragged = refusal(SmoothSurrogate, "squares", 2, 1, squares, squares_slope, Traits(), lambda u: [[u[0]]])
    assert "squares" in ragged
    assert "[1]" in ragged
    assert numbers_in(ragged) == [1, 1, 2, 1]


@pytest.mark.parametrize(
    ("value", "slope", "words"),
    [
        (lambda U: squares(U).T, squares_slope, ["(2, 72)", "(72, 2)"]),
        (lambda U: squares(U)[0], squares_slope, ["(2,)", "(72, 2)"]),
        (squares, lambda U: squares_slope(U)[:, :, 0], ["(24, 2)", "(24, 2, 1)"]),
        (lambda U: None, squares_slope, ["()", "(72, 2)"]),
        (lambda U: "much", squares_slope, ["'much'", "(72, 2)"]),
    ],
)
def test_wrong_shapes_are_refused_with_what_is_expected(value, slope, words):
    # 24 points and a step to either side of each make 72 rows; slopes are asked for 24.
    message = refusal(SmoothSurrogate, "mine", 2, 1, value, slope)
    assert all(word in message for word in ["mine", *words])


def test_negative_values_are_refused():
    message = refusal(SmoothSurrogate, "low", 2, 1, lambda U: squares(U) - 100, squares_slope)
    value, _, u = numbers_in(message)[:3]
    assert "y = 0" in message
    assert value == pytest.approx(u * u - 100, rel=1e-4)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_that_are_no_numbers_are_refused(bad):
    values = refusal(SmoothSurrogate, "odd", 2, 1, lambda U: squares(U) + np.array([0, bad]), squares_slope)
    slopes = refusal(SmoothSurrogate, "odd", 2, 1, squares, lambda U: squares_slope(U) + bad)
    for message in (values, slopes):
        assert "odd" in message
        assert f" {bad} " in message


def test_what_is_not_convex_must_say_so():
    def waves(U):
        return 1 + np.hstack([np.sin(U), np.cos(U)])

    def wave_slopes(U):
        return np.hstack([np.cos(U), -np.sin(U)])[:, :, None]

    assert "convex=False" in refusal(SmoothSurrogate, "waves", 2, 1, waves, wave_slopes)
    assert not SmoothSurrogate("waves", 2, 1, waves, wave_slopes, Traits(convex=False)).traits.convex


def test_traits_that_do_not_hold_are_refused():
    mean = refusal(with_traits, square([[0], [1]]), Traits(mean=[[0], [2]]))
    assert re.search(r"\bmean\b.*p = \(", mean)
    assert numbers_in(refusal(with_traits, square([[0], [1]]), Traits(mean=[[0], [2], [3]])))[-2:] == [2, 1]
    softer = ProperComposite(lambda U: softmax(3).probabilities(U / 2))
    improper = refusal(with_traits, softmax(3), Traits(proper=softer))
    assert improper.startswith("softmax(n=3)")
    p, u, told = (np.array(numbers_in(part)) for part in re.findall(r"\([^()]*,[^()]*\)", improper))
    assert softmax(3).probabilities([u])[0] == pytest.approx(p, abs=1e-6)
    assert softmax(3).probabilities([u / 2])[0] == pytest.approx(told, abs=1e-6)
    half = ProperComposite(softmax(3).traits.proper.probabilities, lambda p: np.log(p) / 2)
    assert re.search(r"\blink\b.*p = \(", refusal(with_traits, softmax(3), Traits(proper=half)))
    flat = ProperComposite(lambda U: U, None)
    assert "(1, 2)" in refusal(with_traits, class_probability(3), Traits(proper=flat))
    order = ProperComposite(class_probability(3).traits.proper.probabilities, None, monotone=True)
    assert "dim = n = 3" in refusal(with_traits, class_probability(3), Traits(proper=order))


def test_a_proper_surrogate_whose_scores_run_the_other_way_is_not_monotone():
    def declared(monotone):
        proper = ProperComposite(lambda U: softmax(3).probabilities(-U), monotone=monotone)
        value, slope = softmax(3).value, softmax(3).slope
        return SmoothSurrogate("down", 3, 3, lambda U: value(-U), lambda U: -slope(-U), Traits(proper=proper))

    assert declared(False).traits.proper.link is None
    message = refusal(declared, True)
    assert message.startswith("down ")
    assert "monotone" in message


@pytest.mark.parametrize(("n", "dim", "word"), [(1, 1, "n"), (2, 0, "dim"), (2.5, 1, "n"), (2, "1", "dim")])
def test_sizes_are_whole_numbers(n, dim, word):
    value = {"n": n, "dim": dim}[word]
    assert re.match(rf"{word} .*{value!r}", refusal(SmoothSurrogate, "mine", n, dim, squares, squares_slope))


def test_points_have_one_number_for_each_dimension():
    assert "u = (1, 2)" in refusal(softmax(3), [1, 2])
    for call, shape in ((softmax(3).evaluate, (1, 2)), (softmax(3).gradient, (3,))):
        message = refusal(call, np.ones(shape))
        assert quotes(message, "U", str(shape))
        assert numbers_in(message)[-1] == 3
    assert refusal(softmax(2), [10**400, 0]).startswith("u ")
    assert softmax(3).evaluate(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("A", "quoted"),
    [
        ([], ["A", "[]"]),
        ([[1, 2]], ["A", "[[1, 2]]"]),
        ([[1, 2], [3]], ["A", "[[1, 2], [3]]"]),
        ([[], []], ["A", "[[], []]"]),
        ([1, 2], ["0", "A", "1"]),
        (7, ["A", "7"]),
        ([[1], ["x"]], ["1", "A", "'x'"]),
        ([[0], [10**400]], ["square("]),
        ("no-such-loss:n=3", ["'no-such-loss'"]),
    ],
)
def test_a_matrix_that_means_nothing_is_refused(A, quoted):
    assert quotes(refusal(square, A), *quoted)


def test_the_matrix_of_a_square_surrogate_may_be_an_array():
    assert square(np.array([[0, 1], [2, 0]])) == square([[0, 1], [2, 0]])


def test_bad_surrogates_are_bad_input():
    with pytest.raises(BadInput):
        SmoothSurrogate("low", 2, 1, lambda U: squares(U) - 100, squares_slope)
