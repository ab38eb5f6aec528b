"""Binary margins φ(±u): φ′(0) decides about the sign, and a φ that is smooth everywhere tells the probabilities."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from losses.refusal import refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.certificates.certificate import verify
from lossmith.losses import abstain, cost_sensitive_binary, zero_one
from lossmith.surrogates import class_probability
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import BinaryMargin, SmoothSurrogate, Traits
from lossmith.surrogates.tracing import pos
from strategies import examples

exhaustive = pytest.mark.exhaustive
EACH_COST = pytest.mark.parametrize(
    "c", ["1/3", "1/2", "3/4", pytest.param("1/10", marks=exhaustive), pytest.param("5/7", marks=exhaustive)]
)


# φ and φ′, as functions that can be pickled.


def exponential(m):
    return np.exp(-m)


def exponential_slope(m):
    return -np.exp(-m)


def logistic(m):
    return np.logaddexp(0, -m)


def logistic_slope(m):
    return -np.exp(-np.logaddexp(0, m))


def squared_hinge(m):
    return np.maximum(1 - m, 0) ** 2


def squared_hinge_slope(m):
    return -2 * np.maximum(1 - m, 0)


def squared(m):
    return (1 - m) ** 2


def squared_slope(m):
    return -2 * (1 - m)


def hinge(m):
    return np.maximum(1 - m, 0)


def hinge_slope(m):
    return np.where(m < 1, -1.0, 0.0)


def kinked(m):
    return np.abs(m) + (1 - m) ** 2


def kinked_slope(m):
    return np.sign(m) - 2 * (1 - m)


def level(m):
    return m**2


def level_slope(m):
    return 2 * m


def rising(m):
    return np.exp(m)


def rising_slope(m):
    return np.exp(m)


def rising_hinge(m):
    return np.maximum(1 + m, 0)


def rising_hinge_slope(m):
    return np.where(m > -1, 1.0, 0.0)


class Case:
    """A margin, with the slopes of φ at 0 from below and above, done by hand."""

    def __init__(self, phi, slope, below, above, smooth):
        self.below, self.above, self.smooth, self.phi = Fraction(below), Fraction(above), smooth, phi
        declared = {} if smooth else {"slope_at_zero": below if below == above else (below, above)}
        self.surrogate = SmoothSurrogate.from_margin(phi, slope, phi.__name__, smooth, **declared)

    @property
    def tells_the_side(self):
        return self.below == self.above != 0


MARGINS = {  # φ′ and the slopes of φ at 0 from below and above, and whether it is differentiable
    exponential: (exponential_slope, -1, -1, True),
    logistic: (logistic_slope, "-1/2", "-1/2", True),
    squared_hinge: (squared_hinge_slope, -2, -2, True),
    squared: (squared_slope, -2, -2, True),
    hinge: (hinge_slope, -1, -1, False),
    kinked: (kinked_slope, -3, -1, False),
    level: (level_slope, 0, 0, True),
    rising: (rising_slope, 1, 1, True),
    rising_hinge: (rising_hinge_slope, 1, 1, False),
}


@cache
def case_of(phi):
    return Case(phi, *MARGINS[phi])


@pytest.fixture(params=MARGINS, ids=lambda phi: phi.__name__)
def case(request):
    return case_of(request.param)


U = np.linspace(-8, 8, 3201)  # contains 0


def accepted(verdict) -> None:
    answer = verify(verdict.certificate)
    assert answer.accepted, answer.why
    assert len(answer.given) == 1


def excess(case, p, decides_wrongly) -> float:
    """How far the risk stays above the least one where the decision is wrong at p, on a grid of u, by the formula."""
    first, second = map(float, p)
    risk = first * case.phi(U) + second * case.phi(-U)
    return float(risk[decides_wrongly].min() - risk.min()) if decides_wrongly.any() else np.inf


def assert_counterexample(case, verdict) -> None:
    """u = 0 is optimal at p: the slopes of p·ψ there are ≤ 0 from below, ≥ 0 from above; φ is convex."""
    assert verdict.u == (0,)
    for first, second in verdict.distributions:
        assert first + second == 1
        assert first * case.below - second * case.above <= 0 <= first * case.above - second * case.below
    optimal = [set(reference.argmin(verdict.loss.entries, p)) for p in verdict.distributions]
    if verdict.prediction is None:
        assert set.intersection(*optimal) == set()
    else:
        assert verdict.prediction not in optimal[0]


# The 0-1 loss.


def test_with_sign_it_is_calibrated_for_the_0_1_loss_if_and_only_if_the_slope_at_0_is_negative(case):
    verdict = check(case.surrogate, zero_one(2), pred="sign")
    right = case.below == case.above < 0
    assert verdict.status == ("calibrated" if right else "not calibrated")
    accepted(verdict)
    if right:  # for p ≠ 1/2, no u on the wrong side is nearly optimal
        for first in (Fraction(k, 20) for k in range(21) if k != 10):
            wrong = U <= 0 if first > Fraction(1, 2) else U >= 0
            assert excess(case, (first, 1 - first), wrong) > 1e-4
    else:  # at the verdict's p some u with that sign is as good as any
        (p,), t = verdict.distributions, verdict.prediction
        assert p[1 - t] > p[t]
        assert excess(case, p, U >= 0 if t == 0 else U <= 0) < 1e-4
        assert verdict.price == p[1 - t] - p[t]


def test_with_some_pred_it_is_calibrated_for_the_0_1_loss_if_and_only_if_the_slope_at_0_exists_and_is_not_0(case):
    verdict = check(case.surrogate, zero_one(2))
    assert verdict.status == ("calibrated" if case.tells_the_side else "not calibrated")
    accepted(verdict)
    if not case.tells_the_side:
        assert_counterexample(case, verdict)


def test_the_pred_of_the_verdict_decides_by_the_right_sign(case):
    verdict = check(case.surrogate, zero_one(2))
    if verdict.status == "calibrated":
        first = 1 if case.below < 0 else -1
        assert verdict.pred.decide([[first * 0.5], [-first * 0.5]]).tolist() == [0, 1]


# Other losses on two labels.


@exhaustive
@EACH_COST
def test_a_smooth_margin_with_a_slope_at_0_is_calibrated_for_every_cost(case, c):
    assert_right_for_the_cost(case, Fraction(c))


@pytest.mark.parametrize("phi", [squared_hinge, kinked, level])
def test_a_smooth_margin_is_calibrated_for_a_cost_and_those_that_confuse_are_not(phi):
    assert_right_for_the_cost(case_of(phi), Fraction(1, 3))


def assert_right_for_the_cost(case, c):
    loss = cost_sensitive_binary(c)
    verdict = check(case.surrogate, loss)
    if case.smooth and case.tells_the_side:
        assert verdict.status == "calibrated"
        decisions = verdict.pred.decide(U[:, None])
        for first in (Fraction(k, 20) for k in range(21)):
            best = reference.argmin(loss.entries, (first, 1 - first))
            assert excess(case, (first, 1 - first), ~np.isin(decisions, best)) > 1e-6
    elif case.tells_the_side:  # a hinge tells the side of 1/2 only, and the rule does not go further
        assert verdict.status == ("calibrated" if c == Fraction(1, 2) else "undecided")
    else:
        # Deciding 0 costs (1 − c) p_1, deciding 1 costs c p_0: the cells meet at p_0 = 1 − c. All p_0 with
        # p_0 below ≤ p_1 above and p_1 below ≤ p_0 above have u = 0 in common; for −3, −1 they are 1/4 … 3/4.
        low, high = (0, 1) if case.below == case.above else (Fraction(1, 4), Fraction(3, 4))
        assert verdict.status == ("not calibrated" if low < 1 - c < high else "undecided")
    if verdict.status != "undecided":
        accepted(verdict)
    if verdict.status == "not calibrated":
        assert_counterexample(case, verdict)


@EACH_COST
def test_the_sign_is_right_only_if_both_mistakes_cost_the_same(case, c):
    c = Fraction(c)
    verdict = check(case.surrogate, cost_sensitive_binary(c), pred="sign")
    right = case.below == case.above < 0 and c == Fraction(1, 2)
    open_ = case.below != case.above and not Fraction(1, 4) < 1 - c < Fraction(3, 4)
    if open_:  # near 0 one decision would be right, and elsewhere the rule knows nothing
        assert verdict.status in ("not calibrated", "undecided")
    else:
        assert verdict.status == ("calibrated" if right else "not calibrated")
    if verdict.status == "not calibrated":
        (p,), t = verdict.distributions, verdict.prediction
        assert t not in reference.argmin(cost_sensitive_binary(c).entries, p)
        assert excess(case, p, U >= 0 if t == 0 else U <= 0) < 1e-4
    if verdict.status != "undecided":
        accepted(verdict)


SMOOTH = [exponential, logistic, squared_hinge, squared]  # with a slope at 0


@given(rows=st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=2), data=st.data())
def test_any_loss_on_two_labels_is_served_by_a_smooth_margin(rows, data):
    case = case_of(data.draw(st.sampled_from(SMOOTH)))
    verdict = check(case.surrogate, LossMatrix(rows))
    assert verdict.status == "calibrated"
    accepted(verdict)
    first = Fraction(data.draw(st.integers(1, 19)), 20)
    best = reference.argmin(rows, (first, 1 - first))
    if len(best) == 1:
        assert verdict.pred.decide([case.surrogate.minimizer((first, 1 - first))])[0] == best[0]


@examples(3)
@given(rows=st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=2))
def test_a_hinge_serves_the_losses_that_need_only_the_side_of_one_half(rows):
    verdict = check(case_of(hinge).surrogate, LossMatrix(rows))
    corners = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]
    middle = set(reference.argmin(rows, (Fraction(1, 2), Fraction(1, 2))))
    enough = all(middle & set(reference.argmin(rows, corner)) for corner in corners)
    assert verdict.status == ("calibrated" if enough else "undecided")
    if enough:
        accepted(verdict)
        for first in (Fraction(1, 3), Fraction(4, 5)):  # the hinge ends at u = ±1
            decided = verdict.pred.decide([[1.0 if first > Fraction(1, 2) else -1.0]])[0]
            assert decided in reference.argmin(rows, (first, 1 - first))


def test_the_sign_cannot_choose_between_three_decisions():
    assert "sign" in refusal(check, case_of(hinge).surrogate, abstain(2, "1/4"), pred="sign")


# The polyhedral hinge is decided by another rule.


@pytest.mark.parametrize("pred", [None, "sign"])
def test_the_two_rules_agree_about_the_hinge(pred):
    polyhedral = PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 - u[0]) if y == 0 else pos(1 + u[0]), n=2, dim=1, name="hinge"
    )
    verdicts = [check(each, zero_one(2), pred=pred) for each in (polyhedral, case_of(hinge).surrogate)]
    assert [verdict.status for verdict in verdicts] == ["calibrated"] * 2
    assert [bool(verify(verdict.certificate).given) for verdict in verdicts] == [False, True]
    for c in (Fraction(1, 3), Fraction(3, 4)):
        with_sign = [
            check(each, cost_sensitive_binary(c), pred="sign").status for each in (polyhedral, case_of(hinge).surrogate)
        ]
        assert with_sign == ["not calibrated"] * 2


@pytest.mark.parametrize("pred", [None, "sign"])
def test_the_two_rules_agree_about_a_kink_at_0(pred):
    polyhedral = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0]) + pos(2 - 2 * u[0] if y == 0 else 2 + 2 * u[0]), n=2, dim=1
    )
    margin = SmoothSurrogate.from_margin(
        lambda m: np.abs(m) + np.maximum(2 - 2 * m, 0),
        lambda m: np.sign(m) - 2.0 * (m < 1),
        "kink",
        differentiable=False,
        slope_at_zero=(-3, -1),
    )
    assert check(polyhedral, zero_one(2), pred=pred).status == "not calibrated"
    assert check(margin, zero_one(2), pred=pred).status == "not calibrated"


# A set P of distributions.


def test_on_one_side_of_one_half_a_wrong_sign_may_be_right():
    def likely(p):
        return [p[0] >= "3/5"]

    for phi, status in [(exponential, "calibrated"), (hinge, "calibrated"), (rising, "not calibrated")]:
        verdict = check(case_of(phi).surrogate, zero_one(2), pred="sign", within=likely)
        assert verdict.status == status
        accepted(verdict)
    # Deciding 0 is right for p_0 ≥ 1 − c = 3/5, and there the sign says 0.
    verdict = check(case_of(hinge).surrogate, cost_sensitive_binary("2/5"), pred="sign", within=likely)
    assert verdict.status == "calibrated"
    accepted(verdict)


def test_a_kink_confuses_only_where_the_set_reaches_both_sides():
    margin = case_of(kinked).surrogate
    both = check(margin, zero_one(2), within=lambda p: [p[0] >= "2/5", p[0] <= "3/5"])
    assert both.status == "not calibrated"
    accepted(both)
    assert_counterexample(case_of(kinked), both)
    assert all(Fraction(2, 5) <= p[0] <= Fraction(3, 5) for p in both.distributions)
    assert check(margin, zero_one(2), within=lambda p: [p[0] >= "3/5"]).status == "undecided"


# What is declared, and what is not.


def test_without_the_slopes_at_a_kink_nothing_is_decided():
    margin = SmoothSurrogate.from_margin(kinked, kinked_slope, "kinked", differentiable=False)
    verdict = check(margin, zero_one(2))
    assert verdict.status == "undecided"
    assert "φ′(0)" in dict(verdict.declined)["by_binary_margin"]


def test_a_margin_that_is_not_convex_is_not_decided():
    traits = Traits(convex=False, margin=BinaryMargin(-1.0, True))
    margin = SmoothSurrogate(
        "wave",
        2,
        1,
        lambda U: 2 - np.sin(U * [1, -1]),
        lambda U: -(np.cos(U) * [1, -1])[:, :, None],
        traits,
    )
    verdict = check(margin, zero_one(2), pred="sign")
    assert verdict.status == "undecided"
    assert "by_binary_margin" in dict(verdict.declined)


def test_a_wrong_slope_at_0_is_refused():
    for slope in (1, (-2, -1), 0):
        assert "slope_at_zero" in refusal(
            SmoothSurrogate.from_margin, hinge, hinge_slope, "hinge", differentiable=False, slope_at_zero=slope
        )
    assert "differentiable=False" in refusal(SmoothSurrogate.from_margin, kinked, kinked_slope, "kinked")


def test_a_slope_at_0_that_is_only_rounding_decides_nothing():
    # φ(u) = u² has slope 0, which confuses all distributions; this way of writing 2u gives 1.1e-16 at 0 in floats.
    margin = SmoothSurrogate.from_margin(level, lambda m: 2 * (m + 0.1 + 0.2 - 0.3), "level but for rounding")
    assert check(margin, zero_one(2)).status != "calibrated"


def test_deciding_by_least_expected_loss_is_what_a_smooth_margin_does_without_a_pred():
    margin, loss = case_of(exponential).surrogate, cost_sensitive_binary("1/3")
    assert check(margin, loss).pred.name == "decide"
    assert check(margin, loss, pred="decide").status == "calibrated"


def test_it_is_not_given_that_every_score_tells_a_distribution():
    """(1 − u)² says p_0 = (1 + u)/2, which is 3 at u = 5; class probabilities are squares: nothing is given."""

    def given(surrogate):
        (condition,) = verify(check(surrogate, cost_sensitive_binary("1/3")).certificate).given
        return condition

    assert " X" not in given(case_of(squared).surrogate)
    assert not verify(check(class_probability(2), cost_sensitive_binary("1/3")).certificate).conditional


# Print.


VERDICTS = {
    "right": lambda: check(case_of(logistic).surrogate, cost_sensitive_binary("1/3")),
    "side": lambda: check(case_of(hinge).surrogate, zero_one(2), pred="sign"),
    "confused": lambda: check(case_of(kinked).surrogate, zero_one(2)),
    "wrong": lambda: check(case_of(logistic).surrogate, cost_sensitive_binary("1/3"), pred="sign"),
}


@cache
def verdict_of(name):
    return VERDICTS[name]()


@pytest.fixture(params=VERDICTS)
def verdict(request):
    return verdict_of(request.param)


def test_verdicts_name_what_was_asked(verdict):
    data = verdict.to_dict()
    assert data["status"] == verdict.status
    first, latex = str(verdict).splitlines()[0], verdict.to_latex()
    for key in ("surrogate", "loss", "pred"):
        if key in data:
            assert data[key] in first
            assert rf"\emph{{{data[key]}}}".replace("_", r"\_") in latex


def test_verdicts_as_plain_data():
    right, side, confused, wrong = (verdict_of(name).to_dict() for name in VERDICTS)
    assert (right["surrogate"], right["loss"]) == ("logistic", "cost_sensitive_binary(c=1/3)")
    assert "pred" not in right
    assert (side["surrogate"], side["loss"], side["pred"]) == ("hinge", "zero_one(n=2)", "sign")
    assert "φ′(0) = -1" in side["why"]
    assert side["why"] in str(verdict_of("side"))
    assert confused["u"] == ["0"]
    assert "u = (0)" in str(verdict_of("confused"))
    distributions = verdict_of("confused").distributions
    assert [tuple(map(Fraction, each["p"])) for each in confused["distributions"]] == list(distributions)
    assert wrong["prediction"] == 0  # for 1/2 < p_0 < 2/3, where 1 is right
    assert Fraction(1, 2) < verdict_of("wrong").distributions[0][0] < Fraction(2, 3)


def test_verdicts_survive_pickling(verdict):
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert str(again) == str(verdict)
    assert again.certificate == verdict.certificate


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("right", [["0", "1"], ["9", "0"]]),  # other differences than those of the evidence
        ("side", [["0", "1"], ["9", "0"]]),  # cells that meet at p_0 = 9/10
        ("confused", [["1", "1"], ["2", "2"]]),  # nothing to confuse
        ("wrong", [["0", "1"], ["1", "0"]]),  # for which the sign is right
    ],
    ids=VERDICTS,
)
def test_a_certificate_for_another_loss_is_rejected(name, other):
    content = verdict_of(name).certificate.content
    content["loss"]["entries"] = other
    assert not verify(json.dumps(content)).accepted


def test_a_margin_tells_nothing_but_the_side_of_one_half():
    content = verdict_of("side").certificate.content
    for piece in (content["pred"]["regions"][t][0]["inequalities"][0] for t in (0, 1)):
        piece[0] = str(Fraction(piece[0]) * Fraction(2, 3))  # p_0 ≥ 1/3 instead
    content["loss"]["entries"] = [["0", "2"], ["1", "0"]]  # for which this would be right
    answer = verify(json.dumps(content))
    assert not answer.accepted
    assert "(1/2, 1/2)" in answer.why
