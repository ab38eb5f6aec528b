"""regret_L ≤ c √regret_ψ of smooth surrogates: no sample exceeds c², and what is said to be needed is."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

import lossmith as lm
from lossmith import losses, regret, surrogates
from lossmith.calibration.estimates import cube
from lossmith.constructions.roots.regions import holds, told, vanishing
from lossmith.errors import BadInput, NotFound
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.curvatures import BENDS
from lossmith.surrogates.margins import MARGINS, margin_named

COSTS = lm.LossMatrix([[0, 1, 7], [4, 0, 2], [6, 3, 0]], name="costs")
EVEN = Fraction(1, 2)
S = surrogates


def least_risk(psi, p) -> float:
    """inf p·ψ: in closed form, or by descent from two places, the second far from the first."""
    known = [float(psi.evaluate([u])[0] @ p) for _, u in psi.closed_forms(p)]
    if known:
        return min(known)
    starts = np.zeros(psi.dim), np.linspace(2, -2, psi.dim)

    def risk(u):
        return float(psi.evaluate([u])[0] @ p), p @ psi.gradient([u])[0]

    return min(minimize(risk, u, jac=True, method="BFGS", options={"gtol": 1e-10}).fun for u in starts)


def worst_sample(found, rounds=12) -> float:
    """The largest regret_L² / regret_ψ of samples far and near, of which the best are followed."""
    psi, entries, rng = found.surrogate, np.array(found.loss.entries, dtype=float), np.random.default_rng(1)
    n, worst = psi.n, 0.0
    for i in range(rounds):
        p = rng.dirichlet([(0.3, 1, 8)[i % 3]] * n) + 1e-6
        if i % 4 == 3:  # near equal probabilities of two labels
            p = np.full(n, 1e-6)
            p[rng.permutation(n)[:2]] += [0.52, 0.48]
        p /= p.sum()
        best = least_risk(psi, p)
        centers = [np.zeros(psi.dim)]
        for q in (rng.dirichlet([1] * n), p + 0.1 * (rng.dirichlet([1] * n) - p)):
            centers += [u for _, u in psi.closed_forms(np.maximum(q, 1e-9) / np.maximum(q, 1e-9).sum())]
        U = np.concatenate([u + s * rng.standard_normal((30, psi.dim)) for u in centers for s in (0, 0.02, 0.3, 1.5)])
        for _ in range(4):
            lost, paid = (p @ entries)[found.pred.decide(U)] - (p @ entries).min(), psi.evaluate(U) @ p - best
            ratio = np.where(paid > 1e-6, lost**2 / np.maximum(paid, 1e-6), 0)
            worst = max(worst, ratio.max())
            top = U[np.argsort(-ratio)[:4]]
            U = np.concatenate([u + s * rng.standard_normal((30, psi.dim)) for u in top for s in (0.003, 0.03, 0.2)])
    return worst


def asked() -> list:
    made = []
    for n in (2, 3):
        weights = [1, "1/3", 2][:n]
        some = [losses.zero_one(n), losses.ordinal(n), losses.abstain(n, "1/3"), *([COSTS] if n == 3 else [])]
        made_for_n = [
            S.entmax(n),
            S.entmax(n, "5/4"),
            *(S.sum_loss(n, phi) for phi in ("logistic", "squared-hinge", "modified-huber", "smooth-hinge")),
            *(S.smooth_crammer_singer(n, gamma) for gamma in ("1/2", 1, 3)),
            *(S.constrained_loss(n, phi) for phi in MARGINS),
            S.one_vs_one_logistic(n),
            S.one_vs_all(n, "smooth-hinge"),
            S.one_vs_all_logistic(n),
            S.one_vs_all_squared_hinge(n),
            S.all_threshold(n),
            S.all_threshold_logistic(n),
            S.label_smoothing(n),
            S.guess_averse(losses.ordinal(n)),
            S.guess_averse(losses.ordinal(n), "logistic"),
            S.margin_vector(n),
            S.squared_crammer_singer(n),
            *(S.rejection_exponential("1/5", 1, beta) for beta in (1, 2, "1/4") if n == 2),
            S.top_k_hinge_smooth(n, 1, "3/2"),
            S.cost_weighted_loss(losses.ordinal(n)),
            S.cost_all_threshold(losses.ordinal(n)),
            S.cost_all_threshold(losses.ordinal(n), "smooth-hinge"),
            S.augmented_softmax(n, "1/3"),
            S.cost_sensitive_reject(n, "1/3"),
            S.cost_sensitive_reject(n, "1/3", "squared-hinge"),
            S.cost_weighted_loss(losses.ordinal(n), "squared-hinge"),
            S.softmax(n).weighted(weights),
            S.comp_sum(n, "1/2").weighted([2] * n),
            S.one_vs_all_logistic(n).weighted(weights),
            S.all_threshold(n).weighted(weights),
            S.sum_loss(n).weighted(weights),
            S.label_smoothing(n).weighted(weights),
            S.class_probability(n).weighted(weights),
        ]
        made += product(made_for_n, some, ("decide", "argmax", "sign", "votes", "argmax-threshold:tau=0"))
    return made


def known(asked) -> list:
    """The bounds from above, of those that have one."""
    made = []
    for psi, loss, pred in asked:
        with suppress(NotFound, BadInput):
            made.append(regret(psi, loss, pred))
    return [found for found in made if found.upper is not None]


@pytest.mark.exhaustive
def test_no_sample_exceeds_any_upper_bound():
    """Each of sixty surrogates has some, by several preds."""
    found = known(asked())
    assert len({each.surrogate.name for each in found}) >= 60
    assert {each.pred.name for each in found} == {
        "decide",
        "argmax",
        "sign",
        "votes",
        "argmax-threshold:tau=0",
    }
    assert len(found) > 250
    for each in found:
        worst, name = worst_sample(each), f"{each.surrogate.name}, {each.loss.name}, {each.pred.name}"
        assert worst <= float(each.upper.above) * (1 + 1e-5), name
        assert each.lower is None or each.lower.above <= each.upper.above, name


def test_no_sample_exceeds_the_upper_bound_of_some():
    some = known(asked()[::39])
    assert len(some) >= 7
    assert all(found.lower is None or found.lower.above <= found.upper.above for found in some)
    for found in some:
        assert 0 < worst_sample(found, 4) <= float(found.upper.above) * (1 + 1e-5), found.surrogate.name


# What is needed: at these distributions and scores, for h → 0.


FAR = -30.0


def beside(n, h):
    """(1 ± h)/2 for the first two labels, the second one likelier."""
    return np.array([(1 - h) / 2, (1 + h) / 2, *[0.0] * (n - 2)])


def beside_even(n, h):
    """Equal probabilities, but h more for label 1 than for label 0."""
    return np.full(n, 1 / n) + np.array([-h / 2, h / 2, *[0.0] * (n - 2)])


def ratio(psi, p, u, best):
    """regret_L² / regret_ψ for 0-1 loss where label 0 is decided."""
    return float((p[1] - p[0]) ** 2 / (psi.evaluate([u])[0] @ p - best))


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize(
    ("family", "least", "exact"),
    [
        (S.sum_loss, 2, True),
        (lambda n: S.sum_loss(n, "squared-hinge"), 1, False),
        (lambda n: S.sum_loss(n, "modified-huber"), 1, False),
        (lambda n: S.smooth_crammer_singer(n, 3), 6, False),
    ],
    ids=["logistic", "squared hinge", "modified Huber", "smooth Crammer–Singer"],
)
def test_two_labels_alone_need_so_much(family, least, exact, n):
    """The binary risk, by its closed form: the other scores are low, and cost nothing."""
    psi = family(n)
    low = [FAR] * (n - 2)
    h = 1e-3
    p = beside(n, h)
    u = minimize(lambda z: float(psi.evaluate([[-z[0], z[0], *low]])[0] @ p), [0.0], tol=1e-14)
    assert math.isclose(ratio(psi, p, [0, 0, *low], u.fun), least, rel_tol=0.01)
    found = regret(psi, losses.zero_one(n), "argmax")
    assert found.lower.constant == least
    assert found.exact == (exact or n == 2)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize(
    ("family", "least"),
    [
        (lambda n: S.sum_loss(n, "smooth-hinge"), 2),
        (S.smooth_crammer_singer, 2),
        (lambda n: S.smooth_crammer_singer(n, "1/2"), Fraction(4, 3)),
        (lambda n: S.constrained_loss(n, "smooth-hinge"), None),
    ],
    ids=["smooth hinge", "Crammer–Singer 1", "Crammer–Singer 1/2", "constrained"],
)
def test_a_sure_label_needs_so_much(family, least, n):
    """Label 1 is sure, its least risk is 0, and the first two scores tie."""
    psi = family(n)
    u = [0] * n if least is None else [0, 0, *[FAR] * (n - 2)]
    least = Fraction(2, n - 1) if least is None else least
    assert math.isclose(ratio(psi, np.eye(n)[1], u, 0), least)
    found = regret(psi, losses.zero_one(n), "argmax")
    assert found.lower.constant == least
    assert found.touching.p[found.touching.better] == 1


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("phi", ["exponential", "logistic", "squared-hinge", "modified-huber"])
def test_equal_probabilities_need_so_much_of_constrained_losses(phi, n):
    """4 − 4/n, or half of that: f(0) − inf f by descent along the scores, whose mean does not count."""
    psi = S.constrained_loss(n, phi)
    p = beside_even(n, 1e-3)
    best = minimize(
        lambda u: float(psi.evaluate([u])[0] @ p),
        np.zeros(n),
        jac=lambda u: p @ psi.gradient([u])[0],
        method="BFGS",
        options={"gtol": 1e-12},
    ).fun
    found = regret(psi, losses.zero_one(n), "argmax")
    even = Fraction(4 - Fraction(4, n)) / (1 if phi in ("exponential", "logistic") else 2)
    assert math.isclose(ratio(psi, p, [0] * n, best), even, rel_tol=0.01)
    more = phi == "exponential" and n > 3  # test_constrained_exponentials.py
    assert found.lower.constant >= even
    assert (found.lower.constant > even) == more
    assert found.exact == (n == 2 or (n == 3 and phi == "exponential"))


@pytest.mark.parametrize("alpha", ["3/2", "5/4", "7/4"])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_entmax_has_the_constant_2_to_the_alpha(alpha, n):
    """c² = 2^α for 0-1 loss: Ω(p) − Ω(halves) where two labels have (1 ± h)/2, and Ω = (Σ q^α − 1)/(α(α − 1))."""
    a, h = float(Fraction(alpha)), 1e-3
    found = regret(S.entmax(n, alpha), losses.zero_one(n))
    assert found.exact
    assert (found.upper.factor, found.upper.doublings) == (2, Fraction(alpha) - 1)
    omega = [sum(x**a for x in ((1 - t) / 2, (1 + t) / 2)) / (a * (a - 1)) for t in (h, 0)]
    assert math.isclose(h * h / (omega[0] - omega[1]), 2**a, rel_tol=1e-3)
    assert regret(S.entmax(n, alpha), losses.zero_one(n), "argmax").upper == found.upper


def test_entmax_is_between_softmax_and_sparsemax():
    """At the ends the bound is that of softmax, span²/2, and no less than that of sparsemax, 2 ‖d − mean‖²."""
    for loss in (losses.zero_one(4), losses.ordinal(4), COSTS):
        near = [regret(S.entmax(loss.n, alpha), loss).upper.above for alpha in (Fraction(101, 100), 2)]
        ends = [regret(name, loss).upper.above for name in ("softmax", "sparsemax")]
        assert ends[0] < near[0] < ends[0] * (1 + Fraction(2, 100))
        assert near[1] == ends[1]


def test_one_against_one_by_votes():
    """2 for two labels. Next to equal probabilities of three, in a cycle of votes, two wrong scores need 8/3."""
    assert regret("one-vs-one-logistic", losses.zero_one(2), "votes").exact
    found = regret("one-vs-one-logistic", losses.zero_one(3), "votes")
    assert (found.lower.constant, found.upper.constant) == (2, 3)
    h = 1e-3
    p = np.array([1 / 3 - h, 1 / 3 + h, 1 / 3])
    assert found.pred([1, -1, 1]) == 0  # 0 before 1, 2 before 0, 1 before 2: one vote each
    right = [math.log(p[i] / p[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    u = [right[0], 0, 0]  # 0 against 2, and 2 against 1, are wrong by as little as one likes
    paid = found.surrogate.evaluate([u])[0] @ p - found.surrogate.evaluate([right])[0] @ p
    assert math.isclose((2 * h) ** 2 / paid, 8 / 3, rel_tol=0.01)


LEAST_LIKELY = lm.LossMatrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
WITHOUT_THE_FIRST = lm.LossMatrix([[0, 0], [0, 1], [1, 0]])


@pytest.mark.parametrize("loss", [LEAST_LIKELY, WITHOUT_THE_FIRST])
def test_two_scores_are_enough_only_where_the_likeliest_label_is_decided(loss):
    """Differences of ±1 at two labels, but another label may be likelier: where 0 is nearly sure c² is exceeded."""
    with pytest.raises(NotFound):
        regret(S.constrained_loss(3), loss, "decide")
    with pytest.raises(NotFound):
        regret(S.constrained_loss(3).weighted([1, 2, 2]), loss, "decide")
    psi = S.constrained_loss(3)
    p, u = np.array([0.99, 5e-5, 0.00995]), [3.0668, -1.53338, -1.53339]
    paid = psi.evaluate([u])[0] @ p - 3 * np.prod(1 - p) ** (1 / 3)
    assert (p[2] - p[1]) ** 2 / paid > 10  # 4 − 2/n is 10/3


def test_what_is_needed_is_where_both_decisions_are_best():
    """At halves for two labels the third decision costs nothing: neither of the two is made there."""
    found = regret(S.sum_loss(3), LEAST_LIKELY, "decide")
    assert found.lower is None
    assert not found.exact
    other = regret(S.sum_loss(3), WITHOUT_THE_FIRST, "decide")
    assert {other.touching.prediction, other.touching.better} <= set(other.loss.optimal_predictions(other.touching.q))


def test_weights_upon_weights_are_their_product():
    twice = S.sum_loss(3).weighted([1, 2, 3]).weighted([6, 3, 2])
    found = regret(twice, losses.zero_one(3))
    assert (found.upper.constant, found.exact) == (Fraction(1, 3), True)


def test_weights_move_where_a_bound_is_approached():
    """p and q of labels both are what they are before the weights: p tends to q."""
    found = regret(S.cumulative_link(3).weighted([1, 2, 3]), losses.zero_one(3), "argmax")
    assert found.touching.limit
    assert found.touching.p == found.touching.q


# Preds that compare scores have the constants of costs, where they decide as costs do.


@pytest.mark.parametrize(
    ("name", "loss", "pred"),
    [
        ("one-vs-all-logistic", losses.zero_one(3), "argmax"),
        ("one-vs-all-squared-hinge", losses.zero_one(3), "argmax"),
        ("one-vs-all", losses.zero_one(3), "argmax"),
        ("label-smoothing", losses.zero_one(3), "argmax"),
        ("all-threshold-logistic", losses.ordinal(4), "sign"),
        ("binary-relevance-logistic", losses.hamming(2), "sign"),
        ("binary-relevance", losses.hamming(3), "sign"),
    ],
    ids=lambda x: getattr(x, "name", x),
)
def test_comparing_scores_is_as_good_as_deciding_by_costs(name, loss, pred):
    by_costs, by_scores = regret(name, loss), regret(name, loss, pred)
    assert by_scores.upper == by_costs.upper
    assert by_scores.lower is None or by_scores.lower.constant <= by_scores.upper.constant


def test_thresholds_with_the_smooth_hinge_are_exact():
    """A grade is wrong by one where x_i is 0 or 1 and x̂_i = 1/2: c² = ‖d‖²/2; for n − 1 thresholds d is 2 for each."""
    for n in (2, 3, 4):
        found = regret("all-threshold", losses.ordinal(n), "sign")
        assert found.upper.constant == 2 * (n - 1)
        assert found.exact
        p, q = found.touching.p, found.touching.q
        assert {sum(p[: i + 1]) for i in range(n - 1)} <= {0, 1}
        assert set(q) == {EVEN}


# Class weights.


@pytest.mark.parametrize("name", ["softmax", "sparsemax", "one-vs-all-squared-hinge", "class-probability"])
@pytest.mark.parametrize("loss", [losses.zero_one(3), COSTS], ids=lambda x: x.name)
def test_equal_class_weights_are_a_unit(name, loss):
    """3 ψ has a third of c²."""
    psi = regret(name, loss).surrogate
    one, three = regret(psi, loss), regret(psi.weighted([3] * 3), loss)
    assert three.upper.constant * 3 == one.upper.constant
    assert (three.lower is None) == (one.lower is None)
    assert one.lower is None or three.lower.constant * 3 == one.lower.constant


@pytest.mark.parametrize("weights", [(1, 2, 5), (3, 1, "1/2")])
def test_class_weights_of_a_loss_with_these_weights_on_its_rows(weights):
    """w_y ψ_y for the loss w_y L_yt: at p both regrets are W times those at p′, so that c² = max w · c²."""
    w = [Fraction(x) for x in weights]
    for name, loss in (("softmax", COSTS), ("sum-loss", losses.zero_one(3))):
        psi = regret(name, loss).surrogate
        plain, found = regret(psi, loss), regret(psi.weighted(w), loss.scale_rows(w))
        assert found.upper.constant == max(w) * plain.upper.constant
        assert min(w) * plain.lower.constant <= found.lower.constant <= max(w) * plain.lower.constant


# The linear programs.


def test_what_means_have_in_common():
    assert vanishing([(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]) == [(-1, 1, 1)]
    assert vanishing([(Fraction(0),), (Fraction(1),)]) == []


def test_the_shortest_row_that_is_told():
    """On x_0 ≥ x_1 in the cube: x_1 − x_0 ≤ 0 is told; with x_0 + x_1 = 1 in common, 1 − 2 x_0 is the same."""
    wedge = cube(2).cut((Fraction(0), Fraction(1), Fraction(-1)))
    units = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))]
    assert told(wedge, (Fraction(1), Fraction(-2), Fraction(0)), units) == (0, -1, 1)
    assert not holds(wedge, (Fraction(1), Fraction(-2), Fraction(0)))
    above = Polyhedron(2, ((Fraction(-2, 3), Fraction(1), Fraction(0)),)).meet(cube(2))  # x_0 ≥ 2/3
    found = told(above, (Fraction(0), Fraction(-1, 3), Fraction(2, 3)), units)  # not by a centred row
    assert found == (Fraction(2, 3), -1, 0)
    assert told(cube(2), (Fraction(0), Fraction(1), Fraction(0)), units) is None


def test_rows_may_be_larger_at_means():
    """Grades: x_0 ≤ x_1 at all means, so that 2 x_0 − 1 is at most 2 x_1 − 1, which is told where x_1 ≤ 1/2."""
    points = [(Fraction(1), Fraction(1)), (Fraction(0), Fraction(1)), (Fraction(0), Fraction(0))]
    low = cube(2).cut((EVEN, Fraction(0), Fraction(-1)))
    assert told(low, (Fraction(-1), Fraction(2), Fraction(0)), points) == (-1, 0, 2)


# What is declared of margins.


@pytest.mark.parametrize("name", list(MARGINS))
def test_bends_are_those_of_the_functions(name):
    """On a grid, in floats: φ″ by differences, φ′(z) + φ′(−z), φ′(0), and both rates of the binary regret."""
    phi, bend = margin_named(name), BENDS[name]
    z = np.linspace(-6, 6, 2401)
    if bend.most is not None:
        steepest = (np.diff(phi.slope(z)) / np.diff(z)).max()
        assert 0.97 * float(bend.most) <= steepest <= float(bend.most) + 1e-9
    assert math.isclose((-phi.slope(z) - phi.slope(-z)).min(), bend.meeting, rel_tol=1e-9)
    assert math.isclose(float(-phi.slope(np.zeros(1))[0]), bend.slope)
    x = np.linspace(0.001, 0.999, 999)
    u = phi.link(x)
    least = x * phi.value(u) + (1 - x) * phi.value(-u)
    told = np.linspace(0.05, 0.95, 19)
    scores = phi.link(told)[:, None]
    paid = x * phi.value(scores) + (1 - x) * phi.value(-scores) - least
    apart = (x - told[:, None]) ** 2
    assert (paid >= float(bend.kappa) * apart - 1e-9).all()
    h = 1e-3
    near = phi.link(np.array([(1 + h) / 2]))
    at = phi.value(np.zeros(1)) - (1 + h) / 2 * phi.value(near) - (1 - h) / 2 * phi.value(-near)
    assert math.isclose(h * h / at[0], bend.halves, rel_tol=0.01)


@pytest.mark.parametrize("name", list(MARGINS))
def test_moving_two_scores_gains_so_much(name):
    """(a − b)²/(moved (a + b)), for weights a > b of scores v ≥ u, v ≥ 0: no sample gains less."""
    phi, rng = margin_named(name), np.random.default_rng(0)
    for _ in range(60):
        b = rng.random()
        a = b + 0.05 + rng.random()
        v = rng.choice([0.0, rng.exponential()])
        u = v - rng.choice([0.0, rng.exponential()])

        def risk(step):
            z = np.array([step - v, -u - step])  # noqa: B023
            return float(np.array([a, b]) @ phi.value(z))  # noqa: B023

        gain = risk(0) - min(minimize_scalar(risk, bounds=(0, most), method="bounded").fun for most in (0.3, 9))
        assert gain >= (a - b) ** 2 / (float(BENDS[name].moved) * (a + b)) * (1 - 1e-6)
