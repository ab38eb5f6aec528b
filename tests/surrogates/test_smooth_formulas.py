"""Smooth surrogates have the values of their formulas, written out once more, slowly, with math."""

from __future__ import annotations

import math
import random
import re
from itertools import chain, combinations, product

import pytest

import lossmith as lm
from lossmith import losses
from lossmith import surrogates as families
from lossmith.errors import BadInput
from lossmith.losses.named import loss_named

PHI = {
    "logistic": lambda z: math.log(1 + math.exp(-z)),
    "exponential": lambda z: math.exp(-z),
    "squared-hinge": lambda z: max(0, 1 - z) ** 2,
    "modified-huber": lambda z: max(0, 1 - z) ** 2 if z >= -1 else -4 * z,
    "smooth-hinge": lambda z: 0.5 - z if z <= 0 else max(0, 1 - z) ** 2 / 2,
}


def centred(u):
    return [x - sum(u) / len(u) for x in u]


def logarithm_of_share(u, y):
    return u[y] - math.log(sum(map(math.exp, u)))


def others(u, y):
    return [x for j, x in enumerate(u) if j != y]


def sets_of(many):
    return chain.from_iterable(combinations(many, size) for size in range(1, len(many) + 1))


def largest_over_weights(a, gamma, shares):
    """max a·x − γ‖x‖²/2 over x ≥ 0 with Σ x ≤ 1, or Σ x = 1 with `shares`: by all sets of weights that are not 0."""
    best = -math.inf if shares else 0.0
    for chosen in sets_of(range(len(a))):
        ways = [[(a[j] + (gamma - sum(a[i] for i in chosen)) / len(chosen)) / gamma for j in chosen]]
        ways += [] if shares else [[a[j] / gamma for j in chosen]]
        for x in ways:
            if min(x) >= 0 and sum(x) <= 1 + 1e-12:
                best = max(best, sum(a[j] * w - gamma * w * w / 2 for j, w in zip(chosen, x)))
    return best


def bisected(rises, low, high):
    """Where a function that rises passes 0."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return low


def entmax(alpha):
    def psi(y, u):
        def shares(level):
            return [max(0, (alpha - 1) * x - level) ** (1 / (alpha - 1)) for x in u]

        q = shares(bisected(lambda level: 1 - sum(shares(level)), -20, 20))
        return sum(x * w - (w**alpha - w) / (alpha * (alpha - 1)) for x, w in zip(u, q)) - u[y]

    return psi


def top_k_entropy(k):
    def psi(y, u):
        gaps = [x - u[y] for x in others(u, y)]
        level = bisected(lambda t: sum(min(1 / k, math.exp(x + t)) for x in gaps) - 1, -50, 50)
        q = [min(1 / k, math.exp(x + level)) for x in gaps]
        return math.log(1 + math.exp(sum(x * (w - math.log(x)) for x, w in zip(q, gaps))))

    return psi


def per_bit(rows, phi):
    return lambda y, u: sum(PHI[phi](x if bit else -x) for bit, x in zip(rows[y], u))


def signed(y, j):
    return 1 if y == j else -1


def one_vs_all(phi):
    return lambda y, u: sum(PHI[phi](signed(y, j) * x) for j, x in enumerate(u))


def cumulative(y, u):
    thresholds = [u[0]]
    for x in u[1:]:
        thresholds.append(thresholds[-1] + math.exp(x))
    above = [1 / (1 + math.exp(-b)) for b in thresholds]
    return -math.log(([*above, 1])[y] - ([0, *above])[y])


def defer_softmax(alpha):
    def psi(y, u):
        own, right = y // 2, y % 2 == 0  # labels are 0+, 0-, 1+, …
        return -(alpha if right else 1) * logarithm_of_share(u, own) - right * logarithm_of_share(u, len(u) - 1)

    return psi


def defer_one_vs_all(phi):
    def psi(y, u):
        return one_vs_all(phi)(y // 2, u[:-1]) + PHI[phi](u[-1] if y % 2 == 0 else -u[-1])

    return psi


def cross_entropy(targets):
    return lambda y, u: -sum(a * logarithm_of_share(u, i) for i, a in enumerate(targets[y]))


def squares(rows, weights=None):
    return lambda y, u: sum(w * (x - a) ** 2 for x, a, w in zip(u, rows[y], weights or [1] * len(u)))


def pairs(phi, sets):
    """Over the pairs of a tag that is there and one that is not."""

    def psi(y, u):
        there = [(i, j) for i, j in product(range(len(u)), repeat=2) if sets[y][i] > sets[y][j]]
        return sum(PHI[phi](u[i] - u[j]) for i, j in there)

    return psi


def soft_logistic(y, u):
    """Each tag is there to the share that it is of the set, and else is not."""
    shares = [x / max(1, sum(SETS[3][y])) for x in SETS[3][y]]
    return sum(a * PHI["logistic"](x) + (1 - a) * PHI["logistic"](-x) for a, x in zip(shares, u))


def weighted_binary_relevance(phi):
    def psi(y, u):
        count = sum(SETS[3][y]) * (3 - sum(SETS[3][y]))
        return per_bit(SETS[3], phi)(y, u) / count if count else 0

    return psi


def listmle(y, u):
    ranking = [int(x) for x in losses.spearman_rho(3).matrix().labels[y].split(">")]
    return sum(math.log(sum(math.exp(u[j]) for j in ranking[i:])) - u[ranking[i]] for i in range(len(ranking)))


def permutahedron(y, u):
    """For two documents: the hull of (1, 0) and (0, 1)."""
    rho = [(1, 0), (0, 1)][y]
    share = min(1, max(0, (u[0] - u[1] + 1) / 2))
    far = (u[0] - share) ** 2 + (u[1] - 1 + share) ** 2
    return sum((x - a) ** 2 for x, a in zip(u, rho)) / 2 - far / 2


def rejection_exponential(y, u):
    sign = 1 - 2 * y
    return math.exp((u[1] - sign * u[0]) / 2) + 0.2 * math.exp(-2 * u[1])


def constrained(phi, costs):
    return lambda y, u: sum(c * PHI[phi](-x) for c, x in zip(costs[y], centred(u)))


def floats(loss):
    return [[float(x) for x in row] for row in loss.entries]


SETS = {r: list(product((0, 1), repeat=r)) for r in (2, 3)}
ZERO_ONE, ORDINAL, ABSTAIN = floats(losses.zero_one(3)), floats(losses.ordinal(3)), floats(losses.abstain(3))
AT_MOST = [[int(y <= i) for i in range(3)] for y in range(4)]
EVENTS = [(0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0), (0, 1, 0, 1, 0)]  # ∅, {1}, {0}, both; (i, m), and ∅
GAINS = [[2**x - 1 for x in y] for y in product((0, 1), repeat=2)]
IDEAL = [sum(g / math.log2(i + 2) for i, g in enumerate(sorted(row, reverse=True))) for row in GAINS]
PRIOR = (1 / 2, 1 / 3, 1 / 6)

FORMULAS = {
    "class_probability": ({"n": 3}, squares([(1, 0), (0, 1), (0, 0)])),
    "softmax": ({"n": 3}, lambda y, u: -logarithm_of_share(u, y)),
    "one_vs_all_logistic": ({"n": 3}, one_vs_all("logistic")),
    "one_vs_all_squared_hinge": ({"n": 3}, one_vs_all("squared-hinge")),
    "sparsemax": ({"n": 3}, lambda y, u: largest_over_weights(u, 1, True) + 0.5 - u[y]),
    "entmax": ({"n": 3, "alpha": "3/2"}, entmax(1.5)),
    "comp_sum": ({"n": 3, "tau": "1/2"}, lambda y, u: 2 * (math.exp(-logarithm_of_share(u, y) / 2) - 1)),
    "sum_loss": (
        {"n": 3, "phi": "squared-hinge"},
        lambda y, u: sum(PHI["squared-hinge"](u[y] - x) for x in others(u, y)),
    ),
    "one_vs_all": ({"n": 3, "phi": "modified-huber"}, one_vs_all("modified-huber")),
    "label_smoothing": (
        {"n": 3, "eps": "1/5"},
        lambda y, u: -0.8 * logarithm_of_share(u, y) - sum(logarithm_of_share(u, j) for j in range(3)) / 15,
    ),
    "logit_adjusted_softmax": (
        {"prior": "1/2,1/3,1/6"},
        lambda y, u: -logarithm_of_share([x + math.log(w) for x, w in zip(u, PRIOR)], y),
    ),
    "background_discriminative": ({"n": 3}, lambda y, u: sum(map(math.exp, u)) - u[y]),
    "smooth_crammer_singer": (
        {"n": 4, "gamma": "1/2"},
        lambda y, u: largest_over_weights([1 + x - u[y] for x in others(u, y)], 0.5, False),
    ),
    "squared_crammer_singer": ({"n": 3}, lambda y, u: max(0, 1 + max(others(u, y)) - u[y]) ** 2),
    "constrained_loss": ({"n": 3, "phi": "logistic"}, constrained("logistic", ZERO_ONE)),
    "cost_weighted_loss": ({"loss": "abstain:n=3"}, constrained("exponential", ABSTAIN)),
    "guess_averse": (
        {"loss": "ordinal:n=3", "form": "logistic"},
        lambda y, u: math.log(1 + sum(c * math.exp(x - u[y]) for c, x in zip(ORDINAL[y], u))),
    ),
    "margin_vector": ({"n": 3, "phi": "logistic"}, lambda y, u: PHI["logistic"](centred(u)[y])),
    "one_vs_one_logistic": (
        {"n": 3},
        lambda y, u: sum(
            PHI["logistic"](signed(y, i) * x) for (i, j), x in zip([(0, 1), (0, 2), (1, 2)], u) if y in (i, j)
        ),
    ),
    "all_threshold_logistic": ({"n": 4}, per_bit(AT_MOST, "logistic")),
    "binary_relevance_logistic": ({"r": 2}, per_bit(SETS[2], "logistic")),
    "all_threshold": ({"n": 4, "phi": "smooth-hinge"}, per_bit(AT_MOST, "smooth-hinge")),
    "cumulative_link": ({"n": 4}, cumulative),
    "immediate_threshold_logistic": (
        {"n": 4},
        lambda y, u: (PHI["logistic"](-u[y - 1]) if y > 0 else 0) + (PHI["logistic"](u[y]) if y < 3 else 0),
    ),
    "cost_all_threshold": (
        {"loss": [[0, 1, 5], [2, 0, 1], [7, 3, 0]], "phi": "smooth-hinge"},
        lambda y, u: [
            PHI["smooth-hinge"](u[0]) + 4 * PHI["smooth-hinge"](u[1]),
            2 * PHI["smooth-hinge"](-u[0]) + PHI["smooth-hinge"](u[1]),
            4 * PHI["smooth-hinge"](-u[0]) + 3 * PHI["smooth-hinge"](-u[1]),
        ][y],
    ),
    "binary_relevance": ({"r": 2, "phi": "exponential"}, per_bit(SETS[2], "exponential")),
    "augmented_softmax": (
        {"n": 3, "cost": "3/5"},
        lambda y, u: -logarithm_of_share(u, y) - 0.4 * logarithm_of_share(u, 3),
    ),
    "defer_softmax": ({"n": 2, "alpha": "1/2"}, defer_softmax(0.5)),
    "f_measure_logistic": ({"s": 2}, per_bit(EVENTS, "logistic")),
    "defer_one_vs_all": ({"n": 2, "phi": "exponential"}, defer_one_vs_all("exponential")),
    "cost_sensitive_reject": (
        {"n": 3, "cost": "1/4", "phi": "modified-huber"},
        lambda y, u: PHI["modified-huber"](u[y]) / 4 + sum(PHI["modified-huber"](-x) for x in others(u, y)) * 3 / 4,
    ),
    "top_k_entropy": ({"n": 4, "k": 2}, top_k_entropy(2)),
    "top_k_hinge_smooth": (  # with k = 1 and x = γ times the weights
        {"n": 4, "k": 1, "gamma": "1/2"},
        lambda y, u: largest_over_weights([1 + x - u[y] for x in others(u, y)], 0.5, False),
    ),
    "square": ({"A": "abstain:n=3"}, squares(ABSTAIN)),
    "gain_regression": ({"ranking": "mean-average-precision:r=2"}, squares([(0, 1), (1, 0), (1, 1)])),
    "weighted_gain_regression": (  # no document is worth more than 1
        {"ranking": "dcg:r=2", "weights": "2 1", "tail": 3},
        lambda y, u: squares(GAINS, [2, 1])(y, u) + 3 * max(0, max(u) - 1) ** 2,
    ),
    "pick_all_labels": ({"loss": "precision-at:q=1,r=3"}, cross_entropy(SETS[3])),
    "pick_all_labels_normalised": (
        {"loss": "recall-at:r=3,q=1"},
        cross_entropy([[x / max(1, sum(y)) for x in y] for y in SETS[3]]),
    ),
    "binary_relevance_normalised": ({"loss": "recall-at:r=3,q=1"}, soft_logistic),
    "weighted_binary_relevance": (
        {"loss": "precision-at:q=1,r=3", "phi": "exponential"},
        weighted_binary_relevance("exponential"),
    ),
    "gain_cross_entropy": (
        {"ranking": "ndcg:r=2"},
        cross_entropy([[g / z if z else 0 for g in row] for row, z in zip(GAINS, IDEAL)]),
    ),
    "listnet": (
        {"ranking": "precision-at:q=1,r=3"},
        cross_entropy([[2**x / sum(2**j for j in y) for x in y] for y in SETS[3]]),
    ),
    "listmle": ({"r": 3}, listmle),
    "permutahedron_projection": ({"r": 2}, permutahedron),
    "pairwise_loss": ({"ranking": "precision-at:q=1,r=3", "phi": "smooth-hinge"}, pairs("smooth-hinge", SETS[3])),
    "reject_margin": ({"phi": "squared-hinge"}, lambda y, u: PHI["squared-hinge"]((1 - 2 * y) * u[0])),
    "rejection_exponential": ({"cost": "1/5", "beta": "2"}, rejection_exponential),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_family_has_the_values_of_its_formula(name):
    parameters, psi = FORMULAS[name]
    surrogate, draw = getattr(families, name)(**parameters), random.Random(name)
    for _ in range(12):
        u = [draw.choice((-2, -1, 0, 0.5, 1, draw.uniform(-2, 2))) for _ in range(surrogate.dim)]
        expected = [psi(y, u) for y in range(surrogate.n)]
        assert surrogate.evaluate([u])[0] == pytest.approx(expected, rel=1e-9, abs=1e-9), u


def test_every_smooth_family_has_its_formula_here():
    smooth = {each.name for each in families.CATALOGUE if each.makes is not lm.PolyhedralSurrogate}
    assert smooth == {*FORMULAS}


@pytest.mark.parametrize(
    ("name", "ranking"), [("gain_cross_entropy", "precision-at:q=1,r=3"), ("listnet", "pairwise-disagreement:r=3")]
)
def test_losses_without_gains_or_grades_are_refused(name, ranking):
    loss = loss_named(ranking)
    with pytest.raises(BadInput, match=re.escape(loss.name)):
        getattr(families, name)(ranking)


def test_thresholds_of_equal_steps_and_of_neighbours_are_known_by_other_names():
    for phi in PHI:
        grades = families.cost_all_threshold("ordinal:n=4", phi)
        same(grades, families.all_threshold(4, phi))
    same(families.cost_all_threshold("zero-one:n=4", "logistic"), families.immediate_threshold_logistic(4))


def same(one, other):
    points = [[random.Random(7 * i + j).uniform(-3, 3) for j in range(one.dim)] for i in range(12)]
    assert one.evaluate(points) == pytest.approx(other.evaluate(points), rel=1e-12)


def test_the_tail_of_weighted_gain_regression_moves_no_minimum():
    for tail in (0, 5):
        surrogate = families.weighted_gain_regression("dcg:r=2", "2 1", tail)
        p = [0.125, 0.125, 0.25, 0.5]
        assert surrogate.minimizer(p) == pytest.approx((0.75, 0.625))
        slope = p @ surrogate.gradient([surrogate.minimizer(p)])[0]
        assert slope == pytest.approx([0, 0])
        assert lm.check(surrogate, "dcg:r=2", "sort").status == "calibrated"
