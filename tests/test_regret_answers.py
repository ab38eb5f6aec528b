"""lm.regret and lossmith regret: which pred, bounds from both sides, published constants, print, files and codes."""

from __future__ import annotations

import json
import math
import random
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lossmith as lm
import reference
from command import lossmith
from lossmith import LossMatrix, PolyhedralSurrogate, losses, regret, surrogates
from lossmith.analysis.facts import Facts
from lossmith.calibration import regret_budgets
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.errors import BadInput, Impossible, NotFound
from strategies import examples

HALF = Fraction(1, 2)


# Which pred.


def test_nothing_is_told_of_a_form_that_no_theorem_is_about():
    with pytest.raises(NotFound, match=r"constrained_loss\(n=3, phi=exponential\)"):
        regret("constrained-loss", losses.ordinal(3), pred="decide")


def test_the_first_customary_pred_that_is_calibrated_is_taken_and_told():
    found = regret("crammer-singer", losses.abstain(3))
    assert (found.pred.name, found.chosen) == ("argmax-gap:tau=1/2", "customary")
    assert (found.attained(1).loss_regret, found.attained(1).surrogate_regret) == (1, found.delta(1))
    assert regret("absolute", losses.ordinal(3)).pred.name == "nearest"


def test_where_no_pred_would_do_the_customary_one_is_told_with_what_it_loses():
    found = regret("crammer-singer", losses.zero_one(3))
    assert not found.calibrated
    assert found.chosen.startswith("customary; ")


def test_the_pred_of_the_proof_has_bounds_from_both_sides():
    """ψ = L at the knots: κ = 1, and three cells."""
    psi = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1)
    found = regret(psi, losses.ordinal(3))
    assert isinstance(found.pred, DecompositionPred)
    assert (found.lower.constant, found.upper.constant, found.exact, found.constant) == (1, 3, False, None)
    assert found.certificate is None
    assert found.at_most("1/10") == Fraction(3, 10)
    with pytest.raises(NotFound, match=re.escape(psi.name)):
        found.delta(1)


def test_without_any_pred_one_is_asked_for():
    wrong = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1)
    with pytest.raises(Impossible, match=re.escape(wrong.name)):
        regret(wrong, losses.zero_one(3))


def test_what_is_no_number_is_refused_by_name():
    found = lm.regret("crammer-singer", "abstain:n=3")
    with pytest.raises(BadInput, match=r"ε.*'x'"):
        found.delta("x")
    for call in (lambda: found.at_most("x"), lambda: lm.scan(None, 0, "x")):
        with pytest.raises(BadInput, match="'x'"):
            call()


def test_a_pred_for_other_decisions_is_refused():
    with pytest.raises(BadInput, match="abstain"):
        regret("crammer-singer", losses.zero_one(3), "argmax-gap:tau=1/2")


# Votes.


@examples(12)
@given(st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_all_pairs_with_votes_have_the_constant_one(costs):
    """By regions, of three decisions; of more, by the theorem."""
    loss = LossMatrix([costs[3 * y : 3 * y + 3] for y in range(3)])
    columns = [loss.column(t) for t in range(3)]
    assume(len({*columns}) > 1)
    found = regret(surrogates.weighted_all_pairs_hinge(loss), loss, "votes")
    assert found.constant <= 1
    if any(columns.count(columns[s]) == 1 for s in Facts(loss).kept):
        assert found.constant == 1


def test_votes_of_many_decisions_have_a_constant_by_the_theorem():
    for surrogate, loss in (
        ("one-vs-one-hinge", losses.zero_one(12)),
        ("weighted-all-pairs-hinge", losses.top_k(4, 2)),
    ):
        for pred in (None, "votes"):
            found = regret(surrogate, loss, pred)
            assert (found.constant, found.exact, found.pred.name, found.certificate) == (1, True, "votes", None)
            assert found.at_most("1/20") == Fraction(1, 20)
    twins = LossMatrix([[0, 0, 1, 1, 2, 2], [3, 3, 1, 1, 0, 0]])
    found = regret("weighted-all-pairs-hinge", twins)
    assert (found.lower, found.constant, found.upper.constant) == (None, None, 1)
    assert found.theorem
    equal = LossMatrix([[1] * 6, [2] * 6])
    assert regret(surrogates.weighted_all_pairs_hinge(equal), equal).constant == 0


# Roots.


SMOOTH = ["class-probability", "one-vs-all-squared-hinge", "one-vs-all-logistic", "softmax"]
COSTS = LossMatrix([[0, 3, 1], [2, 0, 1], [5, 1, 0]])


def bit_regret(name: str, x: float, u: float) -> float:
    """The regret of one coordinate, with the mean x, by the formula of the surrogate."""
    if name == "class-probability":
        return (u - x) ** 2
    if name == "one-vs-all-squared-hinge":
        return x * max(0, 1 - u) ** 2 + (1 - x) * max(0, 1 + u) ** 2 - 4 * x * (1 - x)
    entropy = -sum(y * math.log(y) for y in (x, 1 - x) if y)
    return x * math.log1p(math.exp(-u)) + (1 - x) * math.log1p(math.exp(u)) - entropy


def comp_sum_regret(tau: float, p, u) -> float:
    """Of ((1/q_y)^(1−τ) − 1)/(1 − τ), q = softmax(u); it is least where q is proportional to p^(1/(2−τ))."""

    def risk(powers):
        return sum(x * ((sum(powers) / w) ** (1 - tau) - 1) / (1 - tau) for x, w in zip(p, powers) if x)

    return risk([math.exp(x) for x in u]) - risk([x ** (1 / (2 - tau)) for x in p])


def surrogate_regret(found, p, u) -> float:
    """The regret at u, in floats, by the definition."""
    name = found.surrogate.name.split("(")[0].replace("_", "-")
    if name == "softmax":
        total = math.log(sum(map(math.exp, u)))
        return sum(x * (total - score + math.log(x)) for x, score in zip(p, u) if x)
    return sum(bit_regret(name, x, score) for x, score in zip(p, u))


def each_with(names, losses):
    """Return parameters: every name with one of the losses in turn; with the others it is exhaustive."""
    found = []
    for i, name in enumerate(names):
        for j, loss in enumerate(losses):
            marks = [] if (i - j) % len(losses) == 0 else [pytest.mark.exhaustive]
            found.append(pytest.param(name, loss, id=f"{name}-{loss}", marks=marks))
    return found


LOSSES = {
    "zero-one": losses.zero_one(3),
    "ordinal": losses.ordinal(3),
    "abstain": losses.abstain(3),
    "costs": COSTS,
}


@pytest.mark.parametrize(("name", "loss"), each_with(SMOOTH, LOSSES))
def test_no_sample_exceeds_the_upper_bound(name, loss):
    loss = LOSSES[loss]
    found, draw = regret(name, loss), random.Random(1)
    assert found.upper.root
    worst = 0.0
    for _ in range(300):
        p = reference.normalised([draw.randint(0, 6) for _ in range(2)] + [1])
        center = [float(x) for x in p[: found.surrogate.dim]]
        if name in ("softmax", "one-vs-all-logistic"):
            center = [math.log(max(x, 0.02) / (1 if name == "softmax" else max(0.02, 1 - x))) for x in center]
        elif name == "one-vs-all-squared-hinge":
            center = [2 * x - 1 for x in center]
        u = [x + draw.gauss(0, 0.4) for x in center]
        risks = [float(x) for x in loss.risk(p)]
        lost = risks[found.pred([Fraction(x) for x in u])] - min(risks)
        paid = surrogate_regret(found, [float(x) for x in p], u)
        worst = max(worst, lost**2 / paid if paid > 1e-9 else 0)
    assert worst <= float(found.upper.constant) * (1 + 1e-9)
    assert worst > 0


@pytest.mark.parametrize(
    "loss", [losses.zero_one(3), losses.ordinal(4), losses.abstain(4), COSTS], ids=lambda x: x.name
)
@pytest.mark.parametrize("name", ["class-probability", "one-vs-all-squared-hinge"])
def test_the_lower_bound_is_attained_exactly(name, loss):
    found = regret(name, loss)
    touching, form = found.touching, found.surrogate.form
    mean = [reference.dot(touching.p, column) for column in zip(*form.rows)]
    factor = 4 if form.kind == "squared hinge" else 1
    paid = factor * sum((x - q) ** 2 for x, q in zip(mean, touching.q))
    risks = loss.risk(touching.p)
    values = [None if row is None else row[0] + reference.dot(row[1:], touching.q) for row in found.pred.affine]
    assert values[touching.prediction] == min(x for x in values if x is not None)
    assert factor == 1 or all(0 <= q <= 1 for q in touching.q)
    assert (risks[touching.prediction] - min(risks)) ** 2 >= found.lower.constant * paid > 0
    assert found.lower.constant <= found.upper.constant


@pytest.mark.parametrize("loss", [losses.zero_one(3), losses.ordinal(3), COSTS], ids=lambda x: x.name)
def test_the_lower_bound_of_softmax_is_approached(loss):
    """At p = q + h q∘d the ratio tends to 2 Σ q d² from one side or the other, with an error of order h."""
    found = regret("softmax", loss)
    q, t, s = found.touching.q, found.touching.prediction, found.touching.better
    assert {t, s} <= set(loss.optimal_predictions(q))
    d = [row[t] - row[s] for row in loss.entries]
    ratios = []
    for h in (1e-2, 1e-3):
        p = [float(x) * (1 + h * float(y)) for x, y in zip(q, d)]
        lost = sum(x * float(y) for x, y in zip(p, d))
        ratios.append(lost**2 / sum(x * math.log(x / float(y)) for x, y in zip(p, q) if x))
    assert abs(ratios[1] - float(found.lower.constant)) < 0.2 * abs(ratios[0] - float(found.lower.constant)) + 1e-6


def test_a_decision_that_is_not_needed_but_may_be_made_counts():
    """Column 2 is optimal where label 2 is sure, and only there: above it counts, 81/2 for 9 − 0; below it does not."""
    found = regret("softmax", LossMatrix([[0, 1, 9], [1, 0, 9], [0, 0, 0]]))
    assert (found.lower.constant, found.upper.constant) == (2, Fraction(81, 2))
    assert found.lower.written == "√2"


@pytest.mark.parametrize("name", ["one-vs-all-logistic", "one-vs-all-squared-hinge", "class-probability"])
def test_below_only_decisions_count_that_are_needed(name):
    found = regret(name, LossMatrix([[0, 1, 9], [1, 0, 9], [0, 0, 0]]))
    assert {found.touching.prediction, found.touching.better} == {0, 1}
    assert found.lower.constant <= found.upper.constant


def test_where_one_decision_is_always_best_nothing_is_lost():
    found = regret("softmax", LossMatrix([[0, 0], [1, 1]]))
    assert (found.upper.constant, found.exact, found.at_most(7)) == (0, True, 0)


def test_class_weights_of_squares_count():
    """The largest of v²/w is that of the label with the largest scale, where the bound is attained."""
    loss = losses.zero_one(2).scale_rows([1, 4])
    found = regret(surrogates.square([[0], [1]]).weighted([1, 4]), loss)
    assert (found.upper.constant, found.exact) == (16, True)


KIN = {
    "cumulative link": lambda: surrogates.cumulative_link(3),
    "logit adjusted softmax": lambda: surrogates.logit_adjusted_softmax("1/2,1/3,1/6"),
    "background discriminative": lambda: surrogates.background_discriminative(3),
    "top-k entropy": lambda: surrogates.top_k_entropy(3, 1),
    "sparsemax": lambda: surrogates.sparsemax(3),
    "entmax": lambda: surrogates.entmax(3, 2),
    "one-vs-all exponential": lambda: surrogates.one_vs_all(3),
    "one-vs-all modified Huber": lambda: surrogates.one_vs_all(3, "modified-huber"),
    "all-threshold exponential": lambda: surrogates.all_threshold(3, "exponential"),
    "label smoothing": lambda: surrogates.label_smoothing(3),
    "label smoothing by 1/2": lambda: surrogates.label_smoothing(3, "1/2"),
    "augmented softmax": lambda: surrogates.augmented_softmax(3),
}


def regret_of(psi, p, U):
    """p·ψ at every row of U, less its least value by the closed form of the surrogate."""
    p = np.array([float(x) for x in p])
    best = next(u for _, u in psi.closed_forms(p))
    return psi.evaluate(U) @ p - psi.evaluate([best])[0] @ p


@pytest.mark.parametrize(("psi", "loss"), each_with(KIN, LOSSES))
def test_no_sample_of_any_theorem_exceeds_the_upper_bound(psi, loss):
    """Among scores far and near, and of distributions with labels that are rare; some come to a quarter of c²."""
    psi, loss = KIN[psi](), losses.abstain(3, "1/3") if loss == "abstain" else LOSSES[loss]
    found, rng, worst = regret(psi, loss), np.random.default_rng(1), 0.0
    entries = np.array(loss.entries, dtype=float)
    for _ in range(150):
        p, other = (x / x.sum() for x in rng.dirichlet([0.4] * 3, 2) + 1e-9)
        near = p + rng.choice([0.02, 0.1, 0.3, 1]) * (other - p)
        u = next(u for _, u in psi.closed_forms(near))
        U = u + rng.choice([0.0, 0.01, 0.1, 1.0], (40, 1)) * rng.standard_normal((40, psi.dim))
        lost = (p @ entries)[found.pred.decide(U)] - (p @ entries).min()
        paid = regret_of(psi, p, U)
        sure = paid > 1e-6
        worst = max(worst, (lost[sure] ** 2 / paid[sure]).max(initial=0))
    assert found.upper.root
    assert float(found.upper.constant) / 4 < worst <= float(found.upper.constant) * (1 + 1e-6)


@pytest.mark.parametrize(("psi", "loss"), each_with(KIN, LOSSES))
def test_the_lower_bound_of_every_theorem_is_approached(psi, loss):
    """At scores that tell q, and distributions from there in the direction of the proof."""
    psi, loss = KIN[psi](), LOSSES[loss]
    found = regret(psi, loss)
    if found.lower is None:
        assert "exponential" in psi.name  # where no q with halves is a tie
        return
    touching = found.touching
    t, s = touching.prediction, touching.better
    d = np.array([float(row[t] - row[s]) for row in loss.entries])
    p, q = (np.array([float(x) for x in each]) for each in (touching.p, touching.q))
    if psi.traits.mean and psi.form:  # the proof moves the mean
        rows = np.array(psi.traits.mean, dtype=float)
        if psi.form.kind == "softmax":
            affine = [np.array(found.pred.affine[r], dtype=float) for r in (t, s)]
            e = affine[0][0] - affine[1][0] + affine[0][1:] - affine[1][1:]
            step = np.linalg.lstsq(rows.T, q * e, rcond=None)[0]
        else:
            start = np.linalg.lstsq(np.c_[rows, np.ones(3)].T, np.append(q, 1), rcond=None)[0]
            p, step = start, p - start
    elif touching.limit and "exponential" not in psi.name:
        step = p * d
    elif touching.limit:
        p, step = q, p - q
    else:
        p, step = np.zeros(3), p
    proper = psi.traits.proper
    u = proper.link(q) if proper else next(u for _, u in psi.closed_forms(p))
    ratios = []
    for h in (1e-2, 1e-3) if touching.limit else (1,):
        at = p + h * step
        ratios.append((at @ d) ** 2 / regret_of(psi, np.maximum(at, 0), [u])[0])
    least = float(found.lower.constant)
    assert min(abs(x - least) for x in ratios) < 0.02 * least
    assert not touching.limit or abs(ratios[1] - least) < 0.3 * abs(ratios[0] - least) + 1e-3 * least


def test_the_kin_of_softmax_have_its_constants():
    for name in list(KIN)[:4]:
        psi = KIN[name]()
        for loss in (losses.zero_one(3), losses.ordinal(3), COSTS):
            same, found = regret("softmax", loss), regret(psi, loss)
            assert (found.lower, found.upper) == (same.lower, same.upper)


def test_smoothed_labels_cost_more_by_what_is_smoothed():
    """c² = 2/(1 − ε)² for two labels; for more, from below 4 ((1 − ε)/2 + ε/n)/(1 − ε)², which is between."""
    for eps in (Fraction(1, 10), Fraction(1, 2)):
        for n in (2, 3, 5):
            found = regret(surrogates.label_smoothing(n, eps), losses.zero_one(n))
            assert found.upper.constant == 2 / (1 - eps) ** 2
            assert found.lower.constant == 4 * ((1 - eps) / 2 + eps / n) / (1 - eps) ** 2
            assert found.exact == (n == 2)
    double = surrogates.label_smoothing(2).weighted([2, 2])
    assert regret(double, losses.zero_one(2)).upper.constant == Fraction(100, 81)


def test_sparsemax_has_half_the_squares_of_projections():
    """max ‖d − d̄1‖² · 2; COSTS is not exact, as no tie of its widest pair has room in Δ."""
    for n in (2, 3, 5):
        found = regret("sparsemax", losses.zero_one(n))
        assert (found.upper.constant, found.exact) == (4, True)
    found = regret("sparsemax", COSTS)
    assert (found.lower.constant, found.upper.constant) == (Fraction(112, 3), 52)
    assert regret("sparsemax", LossMatrix([[0, 0], [1, 1]])).upper.constant == 0
    assert regret(surrogates.sparsemax(2).weighted([2, 2]), losses.zero_one(2)).upper.constant == 2


def test_nothing_is_told_of_what_is_not_known():
    """2 is decided by a number of scores that tells nothing of its costs."""
    with pytest.raises(NotFound, match=r"constrained_loss\(n=3, phi=exponential\)"):
        regret(surrogates.constrained_loss(3), losses.ordinal(3), "decide")
    found = regret(surrogates.square([[0], [1], [2]]), losses.ordinal(3, power=2), ROUNDED)
    assert (found.upper.constant, found.exact) == (16, False)  # ‖d‖² of neighbours is 4, of 0 and 2 it is 16
    with pytest.raises(Impossible, match=r"zero_one\(n=3\)"):
        regret(surrogates.square([[0], [1], [2]]), losses.zero_one(3))
    wrong = regret("softmax", losses.ordinal(3), "argmax")
    assert (wrong.calibrated, wrong.constant) == (False, math.inf)
    assert lm.verify(wrong.certificate).accepted


ROUNDED = [lambda u: [u[0] <= "1/2"], lambda u: [u[0] <= "3/2"], lambda u: []]  # 2 is excluded by rows of 1 alone


# Published constants.


@pytest.mark.parametrize("k", [2, 3, 4, 6])
def test_osokin_bach_and_lacoste_julien_for_zero_one(k):
    """Φ(f, y) = ‖f + L_y‖²/(2k) with argmax f has the calibration function ε²/(4k)."""
    loss = losses.zero_one(k)
    psi = surrogates.square([[-x for x in row] for row in loss.entries]).weighted([Fraction(1, 2 * k)] * k)
    found = regret(psi, loss, "argmax")
    assert (found.upper.constant, found.exact) == (4 * k, True)


@pytest.mark.parametrize("T", [1, 2, 3])
def test_osokin_bach_and_lacoste_julien_for_hamming(T):
    """With scores f(t) = Σ θ_i s_i(t), ‖f + L_y‖²/(2k) is ‖θ − s(y)/(2T)‖²/2 and a constant: ε²/(8T)."""
    signs = list(product((-1, 1), repeat=T))
    loss = LossMatrix([[Fraction(sum(a != b for a, b in zip(y, t)), T) for t in signs] for y in signs])
    for y, row in zip(signs, loss.entries):  # the normalisation, derived by looking
        for theta in ([Fraction(1, 3)] * T, [Fraction(i, 5) for i in range(T)]):
            full = sum((reference.dot(theta, t) + x) ** 2 for t, x in zip(signs, row)) / (2 * len(signs))
            half = sum((a - Fraction(s, 2 * T)) ** 2 for a, s in zip(theta, y)) / 2
            constant = sum(
                (HALF + 0 * x - sum(Fraction(a * b, 2 * T) for a, b in zip(y, t)) - x) for t, x in zip(signs, row)
            )
            assert constant == 0  # L_yt = 1/2 − s(y)·s(t)/(2T)
            assert full - half == HALF**2 / 2  # what the constant part of L_y adds, whatever y and θ
    psi = surrogates.square([[Fraction(s, 2 * T) for s in y] for y in signs]).weighted([HALF] * len(signs))
    found = regret(psi, loss)
    assert (found.upper.constant, found.exact) == (8 * T, True)


@pytest.mark.parametrize(("b", "size"), [(2, 2), (3, 2), (2, 3)])
def test_osokin_bach_and_lacoste_julien_for_blocks(b, size):
    """One score for each block: ‖f + L_y‖²/(2k) is ‖θ + L_y‖²/(2b) on blocks: ε²/(4b)."""
    loss = LossMatrix([[int(y // size != t) for t in range(b)] for y in range(b * size)])
    psi = surrogates.square([[-x for x in row] for row in loss.entries]).weighted([Fraction(1, 2 * b)] * loss.n)
    found = regret(psi, loss, "argmax")
    assert (found.upper.constant, found.exact) == (4 * b, True)


def test_bartlett_jordan_and_mcauliffe_for_squares():
    found = regret(surrogates.square([[1], [-1]]), losses.zero_one(2))
    assert (found.upper.constant, found.exact) == (1, True)  # ψ(θ) = θ²


def transfer(t: float) -> float:
    return (1 + t) / 2 * math.log(1 + t) + (1 - t) / 2 * (math.log(1 - t) if t < 1 else 0)


def test_mao_mohri_and_zhong_for_softmax():
    """T(t) is attained where two labels have (1 ± t)/2 and the scores tie, no sample lies below, and T(t) ≥ t²/2."""
    found, draw = regret("softmax", losses.zero_one(3)), random.Random(0)
    for t in (0.1, 0.5, 0.9):
        p = [(1 - t) / 2, (1 + t) / 2, 0.0]
        assert math.isclose(surrogate_regret(found, p, [0, 0, -60]), transfer(t), rel_tol=1e-9)
        assert transfer(t) >= t * t / float(found.upper.constant)
    for _ in range(300):
        p = reference.normalised([draw.randint(0, 6) for _ in range(2)] + [1])
        u = [math.log(float(x) + 0.05) + draw.gauss(0, 0.3) for x in p]
        lost = float(max(p) - p[u.index(max(u))])
        assert surrogate_regret(found, [float(x) for x in p], u) >= transfer(lost) - 1e-12
    assert found.upper.constant == 2 == found.lower.constant


def transfer_of_powers(tau: float, t: float) -> float:
    """T_τ(t) of Mao, Mohri & Zhong 2023 for 0 ≤ τ < 1."""
    mean = ((1 + t) ** (1 / (2 - tau)) + (1 - t) ** (1 / (2 - tau))) / 2
    return 2 ** (1 - tau) / (1 - tau) * (1 - mean ** (2 - tau))


@pytest.mark.parametrize("tau", [0, 0.25, 0.5, 0.75])
def test_mao_mohri_and_zhong_for_comp_sum(tau):
    """T_τ(t) is attained where two labels have (1 ± t)/2 and the scores tie, and no sample lies below."""
    draw = random.Random(0)
    for t in (0.1, 0.5, 0.9):
        p = [(1 - t) / 2, (1 + t) / 2, 0.0]
        assert math.isclose(comp_sum_regret(tau, p, [0, 0, -300]), transfer_of_powers(tau, t), rel_tol=1e-9)
    for _ in range(300):
        p = [float(x) for x in reference.normalised([draw.randint(0, 6) for _ in range(2)] + [1])]
        u = [math.log(x + 0.05) / (2 - tau) + draw.gauss(0, 0.3) for x in p]
        lost = max(p) - p[u.index(max(u))]
        assert comp_sum_regret(tau, p, u) >= transfer_of_powers(tau, lost) - 1e-12


@pytest.mark.parametrize("tau", ["1/3", "1/2", "9/10"])
def test_comp_sum_has_the_constant_of_its_transform(tau):
    """T_τ(t) ≥ t²/c² for c² = 2^τ (2 − τ), and no smaller c: both sides agree as t → 0."""
    power = Fraction(tau)
    square = 2 ** float(power) * float(2 - power)
    for t in (0.1, 0.5, 0.9, 1):
        assert transfer_of_powers(float(power), t) >= t * t / square
    assert math.isclose(transfer_of_powers(float(power), 1e-3) * square, 1e-6, rel_tol=1e-5)
    for n in (2, 3, 5):
        found = regret(surrogates.comp_sum(n, tau), losses.zero_one(n))
        assert found.exact
        assert (found.upper.factor, found.upper.doublings, found.upper.root) == (2 - power, power, True)
        assert found.lower == found.upper
        assert str(found.upper) == f"regret_L ≤ √({2 - power} · 2^({power})) √regret_ψ"


OTHERS = LossMatrix([[0, 3, 1, 7], [2, 0, 1, 3], [4, 1, 0, 0]], name="three by four")


@pytest.mark.parametrize(("tau", "loss"), each_with(["0", "1/3", "1/2", "9/10"], [*LOSSES, "three by four"]))
def test_no_sample_of_comp_sum_exceeds_the_upper_bound(tau, loss):
    """Among samples at random, and beside ties on pairs of labels, where some come near it."""
    loss = LOSSES.get(loss, OTHERS)
    found, draw, power = regret(surrogates.comp_sum(3, tau), loss), random.Random(1), float(Fraction(tau))
    worst = 0.0
    for _ in range(400):
        p = reference.normalised([draw.choice([0, 1, 5, 10, draw.randint(0, 99)]) for _ in range(2)] + [9])
        order = draw.sample(range(3), 3)
        p = [p[y] for y in order]
        u = [(math.log(x) if x else -25) / (2 - power) + draw.gauss(0, draw.choice([0.02, 0.3])) for x in p]
        risks = [float(x) for x in loss.risk(p)]
        lost = risks[found.pred([Fraction(x) for x in u])] - min(risks)
        paid = comp_sum_regret(power, [float(x) for x in p], u)
        worst = max(worst, lost**2 / paid if paid > 1e-7 else 0)
    assert worst <= float(found.upper.above) * (1 + 1e-6)
    assert worst > float(found.lower.above) / 8


@pytest.mark.parametrize("loss", [OTHERS, pytest.param(COSTS, marks=pytest.mark.exhaustive)], ids=lambda x: x.name)
def test_the_ends_of_comp_sum_are_limits(loss):
    """2^τ (2 − τ) is 2 at both ends, and its slope is less than 2 there; softmax may know more from below."""
    near = Fraction(1, 10**6)
    for end, inside in ((0, near), (1, 1 - near)):
        there, beside = (regret(surrogates.comp_sum(loss.n, tau), loss) for tau in (end, inside))
        assert there.upper == regret("softmax", loss).upper
        assert abs(beside.upper.above - there.upper.constant) < 2 * near * there.upper.constant
        assert beside.lower.above <= there.lower.constant * (1 + 2 * near)


def irrational(factor: Fraction, doublings: Fraction, times: Fraction) -> Fraction:
    """(factor · 2^(a/b) · times)^b."""
    return (factor * times) ** doublings.denominator * 2**doublings.numerator


@pytest.mark.parametrize("tau", ["1/7", "1/2", "3/5", "99/100"])
def test_what_is_irrational_is_rounded_up_and_not_by_much(tau):
    """x is compared with √(factor · 2^(a/b) · r) as x^2b with the b-th power: in fractions, no float."""
    found = regret(surrogates.comp_sum(4, tau), losses.ordinal(4, power=2))
    bound, b = found.upper, Fraction(tau).denominator
    assert bound.doublings == Fraction(tau)
    exact = irrational(bound.factor, bound.doublings, Fraction(1))
    assert exact < bound.above**b < exact * (1 + Fraction(1, 10**18)) ** b
    for paid in (Fraction(1, 10**9), Fraction(1, 1000), Fraction(1, 100), Fraction(1, 77)):
        cost, exact = found.at_most(paid), irrational(bound.factor, bound.doublings, paid)
        assert cost < 9
        assert (cost * Fraction(999, 1000)) ** (2 * b) < exact < cost ** (2 * b)
    assert (found.at_most(0), found.at_most(100)) == (0, 9)  # more than 9 is never lost


def test_an_irrational_constant_is_told_in_full_and_is_no_fraction():
    found = regret("comp-sum:n=3,tau=1/2", losses.zero_one(3))
    with pytest.raises(Impossible, match=r"3/2 · 2\^\(1/2\).*factor.*doublings"):
        _ = found.upper.constant
    assert found.constant is None
    assert found.exact
    assert str(found.upper) == "regret_L ≤ √(3/2 · 2^(1/2)) √regret_ψ"
    assert str(found.upper) in str(found)
    told = found.to_dict()["upper"]
    assert (told["constant"], told["root"]) == ("3/2 · 2^(1/2)", True)
    assert math.isclose(told["approximately"], 1.5 * math.sqrt(2), rel_tol=1e-15)
    curve = lm.plot.regret(found).axes[0].lines[0].get_xydata()
    assert math.isclose(curve[-1][1], 1 / (1.5 * math.sqrt(2)), rel_tol=1e-12)
    long = regret("comp-sum:n=3,tau=0.123456789", losses.zero_one(3))  # 1.42975…, rounded up
    assert str(long.upper) == "regret_L ≤ 1.43 √regret_ψ"


def test_the_sum_of_exponentials_has_the_constant_of_its_transform():
    """T_0(t) = 1 − √(1 − t²) ≥ t²/2, and no larger multiple of t²; it is that of the exponential loss, too."""
    for n in (2, 3, 4):
        found = regret("comp-sum", losses.zero_one(n))
        assert found.upper.constant == 2 == found.lower.constant
        for t in (1e-3, 0.3, 0.99):
            assert math.isclose(transfer_of_powers(0, t), 1 - math.sqrt(1 - t * t), rel_tol=1e-6)
            assert transfer_of_powers(0, t) >= t * t / 2
    assert regret("comp-sum:n=3,tau=1", losses.ordinal(3)).upper == regret("softmax", losses.ordinal(3)).upper


@pytest.mark.parametrize(
    "loss", [losses.zero_one(3), losses.ordinal(3), COSTS, losses.top_k(4, 2)], ids=lambda x: x.name
)
@pytest.mark.parametrize("tau", ["0", "1/2"])
def test_the_lower_bound_of_comp_sum_is_approached(loss, tau):
    found = regret(f"comp-sum:tau={tau}", loss)
    touching = found.touching
    if touching is None:
        assert found.lower is None
        return
    risks = loss.risk(touching.q)
    assert risks[touching.prediction] == risks[touching.better] == min(risks)
    a, b = (y for y, x in enumerate(touching.q) if x)
    d = [loss.entries[y][touching.prediction] - loss.entries[y][touching.better] for y in (a, b)]
    h = Fraction(1, 10**4) * (1 if d[0] > 0 else -1)
    p = [(1 + h) / 2 if y == a else (1 - h) / 2 if y == b else Fraction(0) for y in range(loss.n)]
    risks = loss.risk(p)
    lost = risks[touching.prediction] - risks[touching.better]
    scores = [0.0 if y in (a, b) else -300.0 for y in range(loss.n)]
    paid = comp_sum_regret(float(Fraction(tau)), [float(x) for x in p], scores)
    assert math.isclose(float(lost) ** 2 / paid, found.lower.above, rel_tol=1e-4)


@pytest.mark.parametrize(
    "loss",
    [losses.zero_one(3), losses.ordinal(3), pytest.param(losses.abstain(3), marks=pytest.mark.exhaustive)],
    ids=lambda x: x.name,
)
def test_frongillo_and_waggoner_a_linear_rate_means_calibrated(loss):
    count = 0
    for name in ("crammer-singer", "lee-lin-wahba", "weston-watkins", "one-vs-all-hinge", "absolute"):
        for pred in ("argmax", "argmax-gap:tau=1/2", "argmax-threshold:tau=0", "nearest"):
            try:
                found = regret(name, loss, pred)
            except BadInput:
                continue
            count += 1
            assert (
                found.calibrated == (lm.check(name, loss, pred).status == "calibrated") == (found.constant < math.inf)
            )
    assert count >= 3


def test_the_constant_is_that_of_the_bound_in_design():
    for rows in ([[0, 2, 1], [1, 0, 3], [2, 1, 0]], [[0, 1, 1], [2, 0, 2], [1, 1, 0]]):
        made = lm.design(LossMatrix(rows), method="max-min-hinge")
        if not isinstance(made.pred, DecompositionPred):
            found = regret(made.surrogate, made.loss, made.pred)
            assert str(found.upper) in made.made_by


# The program.


def test_the_program_compares_draws_and_certifies(tmp_path):
    run = lossmith(
        *("regret", "lee-lin-wahba", "zero-one:n=3", "--against", "softmax"),
        *("--plot", "r.svg", "--certificate", "proof.json"),
        cwd=tmp_path,
    )
    assert run.returncode == 0
    assert "lee_lin_wahba(n=3)" in run.stdout
    assert "argmax" in run.stdout
    assert "regret_L ≤ √2 √regret_ψ" in run.stdout
    assert (tmp_path / "r.svg").read_text().startswith("<?xml")
    assert lossmith("verify", "proof.json", cwd=tmp_path).returncode == 0
    assert "δ(" in lossmith("verify", "proof.json", "--explain", cwd=tmp_path).stdout


def test_codes_of_the_program(tmp_path):
    assert lossmith("regret", "crammer-singer", "zero-one:n=3", cwd=tmp_path).returncode == 1
    assert lossmith("regret", "gain-regression", "ndcg:r=3", cwd=tmp_path).returncode == 1
    run = lossmith("regret", "softmax", "zero-one:n=3", "--plot", "x.foo", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")  # before the work
    run = lossmith("regret", "all-threshold-logistic", "ordinal:n=3", "--pred", "nearest", cwd=tmp_path)
    assert run.returncode in (2, 3)
    assert len(run.stderr.splitlines()) == 1
    run = lossmith("regret", "softmax", "zero-one:n=3", "--certificate", "no.json", cwd=tmp_path)
    assert run.returncode == 3  # told, but not certified
    assert "regret_L ≤ √2 √regret_ψ" in run.stdout
    assert "no.json" in run.stderr
    assert not (tmp_path / "no.json").exists()
    run = lossmith("regret", "weston-watkins", "zero-one:n=4", "--max-vertices", "5", cwd=tmp_path)
    assert run.returncode == 1  # which takes no cells
    run = lossmith("regret", "lee-lin-wahba", "zero-one:n=4", "--max-vertices", "5", cwd=tmp_path)
    assert run.returncode == 3
    assert "regret_L ≤ c regret_ψ" in run.stdout
    assert "--max-vertices" in run.stdout


def test_names_of_labels_and_exact_numbers(tmp_path):
    (tmp_path / "costs.csv").write_text("truth,wait,act\nfine,0,1\nbad,0.3,0\n")
    run = lossmith("regret", "cost-weighted-hinge", "costs.csv", "--exact", cwd=tmp_path)
    assert run.returncode == 0
    assert "P(fine) = 1" in run.stdout
    content = json.loads(lossmith("regret", "cost-weighted-hinge", "costs.csv", "--json", cwd=tmp_path).stdout)
    assert content["calibration_function"][0] == {"epsilon": "0", "delta": "0", "from_above": "0"}
    assert {each["prediction"] for each in content["attained"]} <= {"wait", "act"}


# Pictures.


@pytest.mark.parametrize("pred", [None, "argmax"])
@pytest.mark.parametrize("n", [8, pytest.param(60, marks=pytest.mark.exhaustive)])
def test_of_a_large_pair_that_is_not_calibrated_just_that_is_told(n, pred, monkeypatch):
    if n == 8:  # large for a smaller budget
        monkeypatch.setattr(regret_budgets, "MOST_WORK", 100)
    found = regret("crammer-singer", losses.zero_one(n), pred)
    assert (found.calibrated, found.constant, found.pred.name) == (False, math.inf, "argmax")
    assert len(str(found).splitlines()) == 4
    assert lm.verify(found.certificate).accepted
    with pytest.raises(NotFound, match=rf"crammer_singer\(n={n}\).*argmax"):
        found.delta(1)


def test_a_picture_shows_jumps_and_hulls():
    psi = PolyhedralSurrogate.from_function(
        lambda y, u: u[0] if y == 0 else 2 * (1 - u[0]), n=2, dim=1, domain=lambda u: [u[0] >= 0, u[0] <= 1]
    )
    pred = [lambda u: [u[0] <= "1/10"], lambda u: [u[0] >= "1/10"]]
    figure = lm.plot.regret(regret(psi, LossMatrix([[0, 1], [2, 0]]), pred))
    lines = figure.axes[0].lines
    assert [tuple(line.get_xydata()[0]) for line in lines if line.get_marker() == "o"] == [(1, 0.1), (1, 0.9), (2, 1.8)]
    assert [line.get_markerfacecolor() for line in lines if line.get_marker() == "o"][1] == "white"
    dashed = [line for line in lines if line.get_linestyle() == "--"]
    assert [line.get_xydata().tolist() for line in dashed] == [[[0, 0], [1, 0.1], [2, 1.8]]]


def test_pictures_are_of_one_loss():
    with pytest.raises(BadInput):
        lm.plot.regret(regret("absolute", losses.ordinal(3)), regret("absolute", losses.ordinal(4)))
    with pytest.raises(BadInput, match=r"lm\.regret"):
        lm.plot.regret()


@pytest.mark.exhaustive
def test_where_the_function_cannot_be_checked_its_hull_is_certified(tmp_path):
    run = lossmith(
        "regret", "lee-lin-wahba", "zero-one:n=14", "--pred", "argmax", "--certificate", "p.json", cwd=tmp_path
    )
    assert run.returncode == 0
    assert len(run.stderr.splitlines()) == 1
    assert json.loads((tmp_path / "p.json").read_text())["claim"] == "regret"
