"""Piecewise quadratic surrogates: what they tell, and where what is right on the way to a kink is wrong at it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.calibration.by_search import by_search
from lossmith.calibration.checking import RULES, question_of
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.certificates.explaining import explain
from lossmith.errors import BadSurrogate
from lossmith_verify.surrogates import TANGENTS, THEOREMS

S, L = lm.surrogates, lm.losses
QUADRATIC = ("squared-hinge", "modified-huber", "smooth-hinge")
GRID = np.array([(a, b, 0) for a in np.linspace(-2, 2, 33) for b in np.linspace(-2, 2, 33)])  # up to a constant
REFUTED = {
    "abstain 3": lambda: (S.squared_crammer_singer(3), L.abstain(3)),
    "ordinal 3": lambda: (S.squared_crammer_singer(3), L.ordinal(3)),
    "abstain 4": lambda: (S.squared_crammer_singer(4), L.abstain(4)),
    "abstain 5": lambda: (S.squared_crammer_singer(5), L.abstain(5)),
}
exhaustive = pytest.mark.exhaustive


def numbers(p):
    return np.array([float(x) for x in p])


@pytest.mark.parametrize("name", ["abstain 3", "ordinal 3", "abstain 4", pytest.param("abstain 5", marks=exhaustive)])
def test_what_is_right_on_the_way_is_wrong_at_its_end(name):
    surrogate, loss = REFUTED[name]()
    verdict = lm.check(surrogate, loss)
    assert verdict.status == "not calibrated"
    verified = lm.verify(verdict.certificate)
    assert verified.accepted
    assert verified.given == (TANGENTS["along"],)
    best = [set(loss.optimal_predictions(p)) for p in verdict.distributions]
    assert not set.intersection(*best)


@pytest.mark.parametrize("name", ["abstain 3", "ordinal 3"])
def test_on_the_way_no_point_of_a_grid_is_better(name):
    """The claim, by values of ψ alone: at cu nothing is better for p(c), and at 0 for the first p."""
    surrogate, loss = REFUTED[name]()
    verdict = lm.check(surrogate, loss)
    content = verdict.certificate.content
    near, far = (numbers(map(Fraction, p)) for p in content["evidence"]["along"][0]["p"])
    end = numbers(verdict.proof.start)
    for c in (0.01, 0.25, 0.5, 1):
        p = (1 - c) * near + c * far
        assert p @ surrogate.evaluate([c * end])[0] <= (surrogate.evaluate(GRID) @ p).min() + 1e-12
    p = numbers(verdict.distributions[0])
    assert p @ surrogate.evaluate([0 * end])[0] <= (surrogate.evaluate(GRID) @ p).min() + 1e-12


def test_a_counterexample_on_the_way_has_no_price():
    verdict = lm.check(S.squared_crammer_singer(3), L.abstain(3))
    assert verdict.price == 0
    text = " ".join(str(verdict).split())
    first, way = (f"({', '.join(f'{x:g}' for x in map(float, u))})" for u in (verdict.u, verdict.proof.start))
    assert f"u = {first}" in text
    assert f"v = {way}" in text
    assert "1000" not in text
    assert "p1 = (1 − c) (0, 1/2, 1/2) + c (0, 1/4, 3/4)" in explain(verdict.certificate.text)


def test_what_is_not_known_to_be_quadratic_is_not_looked_at_on_the_way():
    """However many points of a segment agree, others need not."""
    question = question_of(replace(S.squared_crammer_singer(3), along=None), Facts(L.abstain(3)))
    assert not any(isinstance(rule(question), NotCalibrated) for rule in RULES if rule is not by_search)


@exhaustive
def test_without_segments_the_search_leaves_it_undecided():
    quiet = replace(S.squared_crammer_singer(3), along=None)
    assert lm.check(quiet, L.abstain(3)).status == "undecided"


def test_class_weights_keep_the_way():
    verdict = lm.check(S.squared_crammer_singer(3).weighted([1, 2, 1]), L.abstain(3).scale_rows([1, 2, 1]))
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_a_false_declaration_is_refused():
    with pytest.raises(BadSurrogate, match=r"u = \(0\.5, 0, 0\) ψ_0 .* along "):
        replace(S.sum_loss(3), along=S.squared_crammer_singer(3).along)


def test_the_hinge_itself_is_right_where_its_square_is_not():
    for n in (3, 4):
        assert lm.check(S.crammer_singer(n), L.abstain(n)).status == "calibrated"
        assert lm.check(S.squared_crammer_singer(n), L.abstain(n)).status == "not calibrated"


@pytest.mark.parametrize("n", [6, pytest.param(10, marks=exhaustive)])
def test_with_many_labels_the_axes_are_ways_enough(n):
    verdict = lm.check(S.squared_crammer_singer(n), L.abstain(n))
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_a_smooth_hinge_has_no_such_way():
    """Kinks make it: the smooth kin tells all probabilities, and is right."""
    for loss in (L.abstain(3), L.ordinal(3), L.abstain(3, "1/3")):
        for psi in (S.smooth_crammer_singer(3), S.smooth_crammer_singer(3, 3), S.constrained_loss(3, "smooth-hinge")):
            verdict = lm.check(psi, loss)
            assert verdict.status == "calibrated"
            assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize("phi", [*QUADRATIC, "logistic", "exponential"])
def test_a_constrained_loss_decides_as_the_probabilities_do(phi):
    """Where the risk is least by a search that knows nothing of it, costs of its decisions are least."""
    psi, loss = S.constrained_loss(3, phi), L.ordinal(3, 2)
    verdict = lm.check(psi, loss)
    assert lm.verify(verdict.certificate).given == (THEOREMS["told"],)
    random = np.random.default_rng(0)
    for p in random.dirichlet([1, 1, 1], 8):
        exact = [Fraction(x).limit_denominator(1000) for x in p]
        exact[0] += 1 - sum(exact)
        said = verdict.decide([psi.minimizer(exact)])[0]
        risks = loss.risk(exact)
        assert risks[loss.predictions.index(said)] == pytest.approx(float(min(risks)), abs=1e-4)


def test_scores_that_are_optimal_for_nothing_are_read_as_something():
    psi = S.constrained_loss(3, "squared-hinge")
    slopes = psi.gradient([[0.9, 0.9, -1.8]])[0]
    read = psi.probabilities([[0.9, 0.9, -1.8]])[0]
    assert read == pytest.approx([1 / 2, 1 / 2, 0])
    assert np.abs(read @ slopes).max() > 0.1  # so the risk is not least there
    assert not psi.traits.proper.converse


def test_what_is_told_one_way_refutes_no_pred():
    """Argmax is decided by the order that is declared besides; a threshold is not."""
    psi = S.constrained_loss(3, "squared-hinge")
    assert lm.check(psi, L.zero_one(3), "argmax").status == "calibrated"
    assert lm.check(psi, L.ordinal(3), "argmax").status == "not calibrated"
    verdict = lm.check(psi, L.abstain(3), "argmax-threshold:tau=1/2")
    assert verdict.status != "calibrated"


@pytest.mark.parametrize("family", [S.top_k_hinge_smooth, S.top_k_entropy], ids=lambda each: each.name)
@pytest.mark.parametrize(("n", "k"), [(4, 2), *(pytest.param(5, k, marks=exhaustive) for k in (2, 3))])
def test_the_first_k_scores_are_those_of_the_likeliest_labels(family, n, k):
    psi = family(n, k)
    for pred in (None, "top-k"):
        verdict = lm.check(psi, L.top_k(n, k), pred)
        assert verdict.status == "calibrated"
        verified = lm.verify(verdict.certificate)
        assert verified.accepted
        assert verified.given == (THEOREMS[f"first {k}"],)


@pytest.mark.parametrize("family", [S.top_k_hinge_smooth, S.top_k_entropy], ids=lambda each: each.name)
def test_no_set_with_a_less_likely_label_comes_near_the_least_risk(family):
    """By values alone: over a grid of scores with such a set on top, the risk stays well above the least one."""
    psi, p = family(4, 2), np.array([0.35, 0.3, 0.25, 0.1])
    steps = np.linspace(-3, 3, 13)
    grid = np.array([(a, b, c, 0) for a in steps for b in steps for c in steps])
    risks = psi.evaluate(grid) @ p
    exact = ["7/20", "3/10", "1/4", "1/10"]
    assert sorted(np.argsort(psi.minimizer(exact))[2:]) == [0, 1]
    for pair in [*combinations(range(4), 2)][1:]:
        others = [y for y in range(4) if y not in pair]
        on_top = grid[:, pair].min(axis=1) >= grid[:, others].max(axis=1)
        assert risks[on_top].min() > psi.bayes_risk(exact) + 1e-3


def test_of_very_many_sets_that_run_off_together_some_are_declared():
    """There are 35,345,263,800 of them."""
    assert len(S.top_k_entropy(38, 19).traits.together) == 200


def test_of_all_but_one_label_slopes_are_exact():
    psi = S.top_k_hinge_smooth(4, 3, "1/2")
    for u in ((0, 0, 0, 0), (1, "1/2", 0, "-1/3"), (3, 0, 0, 0), ("-1/7", 0, "1/5", "1/3")):
        exact = psi.exact_slope(tuple(map(Fraction, u)))
        assert np.array([[float(x) for x in row] for row in exact]) == pytest.approx(
            psi.gradient([[float(Fraction(x)) for x in u]])[0], abs=1e-12
        )


@exhaustive
def test_argmax_is_wrong_where_decisions_are_sets_of_labels():
    assert lm.check(S.top_k_hinge_smooth(3, 2), L.top_k(3, 2), "argmax").status == "not calibrated"


@exhaustive
@pytest.mark.parametrize("n", [2, 3, 4])
def test_of_piecewise_quadratic_surrogates_one_is_left_undecided_for_one_loss(n):
    losses = [L.zero_one(n), L.ordinal(n), L.abstain(n), L.abstain(n, "1/3"), *([L.top_k(n, 2)] if n > 2 else [])]
    made = [
        S.sparsemax(n),
        S.one_vs_all_squared_hinge(n),
        S.squared_crammer_singer(n),
        S.smooth_crammer_singer(n, "1/2"),
    ]
    made += [f(n, phi) for f in (S.constrained_loss, S.sum_loss, S.margin_vector, S.one_vs_all) for phi in QUADRATIC]
    left = {(psi, loss) for psi in made for loss in losses if lm.check(psi, loss).status == "undecided"}
    assert left == ({(S.squared_crammer_singer(n), L.abstain(n, "1/3"))} if n > 2 else set())
