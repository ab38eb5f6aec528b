"""What smooth families declare, against minimisers that are searched for in floating point: no closed form is used.

The distributions have zeros too, where the least risk is only approached, and a theorem for p > 0 may fail.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.errors import BadSurrogate
from lossmith.losses.named import loss_named
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.in_print import REFUSED
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.smooth import SmoothSurrogate, Traits
from surrogates.members import case

S = lm.surrogates
EXHAUSTIVE = pytest.mark.exhaustive
WEIGHTS = [(6, 3, 0, 1), *(pytest.param(each, marks=EXHAUSTIVE) for each in [(3, 2, 1, 4), (3, 0, 2, 0), (0, 1, 0, 0)])]
each_share = pytest.mark.parametrize("shares", WEIGHTS)  # of the labels, again and again


@cache
def members():
    """The last small member of each family: of those that have more than one kind, the most telling."""
    made = (family(**family.small[-1]) for family in CATALOGUE if family.makes is SmoothSurrogate)
    return {each.name: each for each in made}


def declaring(trait):
    """The members that declare it."""
    return [each for each in members().values() if getattr(each.traits, trait)]


def of(surrogate: SmoothSurrogate, shares: tuple[int, ...]) -> np.ndarray:
    weights = np.array([shares[y % 4] for y in range(surrogate.n)], dtype=float)
    return weights / weights.sum() if weights.any() else np.eye(surrogate.n)[0]


def searched(surrogate: SmoothSurrogate, p: np.ndarray) -> np.ndarray:
    """A u near the infimum of the risk, found without what is declared."""
    known = Traits(convex=surrogate.traits.convex)
    bare = SmoothSurrogate(surrogate.name, surrogate.n, surrogate.dim, surrogate.value, surrogate.slope, known)
    return np.array(bare.minimizer([Fraction(x).limit_denominator(1000) for x in p.tolist()]))


@each_share
def test_probabilities_are_those_that_were_minimised_for(shares):
    for surrogate in declaring("proper"):
        p = of(surrogate, shares)
        read = surrogate.probabilities([searched(surrogate, p)])[0]
        assert read == pytest.approx(p, abs=0.02), surrogate.name


def tells_both_ways(surrogate: SmoothSurrogate) -> bool:
    """Whether certificates say "if and only if" of the probabilities in the simplex."""
    proper = surrogate.traits.proper
    return bool(proper and proper.converse and not proper.separate and not surrogate.traits.mean)


def test_all_scores_are_optimal_for_the_probabilities_that_they_tell():
    for surrogate in filter(tells_both_ways, members().values()):
        scores = 2 * np.random.default_rng(0).standard_normal((20, surrogate.dim))
        read = surrogate.probabilities(scores)
        slopes = surrogate.slope(scores)
        rises = np.abs(np.einsum("uy,uyi->ui", read, slopes)).max(axis=1)
        with case(surrogate.name):
            assert read.min() >= 0
            assert read.sum(axis=1) == pytest.approx(1)
            assert (rises <= 1e-9 * (1 + np.abs(slopes).max(axis=(1, 2)))).all()


@each_share
def test_regrets_are_at_least_the_divergence_and_no_more_where_another_is_served(shares):
    for surrogate in (*declaring("divergence"), S.top_k_entropy(4, 1), S.entmax(4, 2), S.listmle(2)):
        with case(surrogate.name):
            assert_regrets_are_at_least_the_divergence(surrogate, of(surrogate, shares))


def assert_regrets_are_at_least_the_divergence(surrogate, p):
    rng = np.random.default_rng(0)
    others = rng.dirichlet(np.ones(surrogate.n), 10)
    served = np.array([next(u for _, u in surrogate.closed_forms(q)) for q in others])
    scores = np.concatenate([served, 3 * rng.standard_normal((30, surrogate.dim))])
    told = surrogate.probabilities(scores) if surrogate.traits.proper else surrogate.estimates(scores)
    q = told / told.sum(axis=1, keepdims=True)
    if surrogate.traits.divergence == "half square" and not surrogate.traits.proper:  # of means
        mean = p @ np.array([[float(x) for x in row] for row in surrogate.traits.mean])
        divergence = ((mean - told) ** 2).sum(axis=1) / 2
    elif surrogate.traits.divergence == "half square":
        divergence = ((p - q) ** 2).sum(axis=1) / 2
    else:
        least = np.finfo(float).tiny  # floats may have no smaller probability
        divergence = (p * np.log(np.where(p > 0, p, 1) / np.where(p > 0, np.maximum(q, least), 1))).sum(axis=1)
    regrets = (surrogate.evaluate(scores) - surrogate.evaluate([searched(surrogate, p)])) @ p
    assert (regrets >= divergence - 1e-3).all()
    assert regrets[:10] == pytest.approx(divergence[:10], abs=1e-3)


def test_a_divergence_that_is_none_is_refused():
    psi = S.softmax(3)
    wrong = replace(psi.traits, divergence="half square")
    with pytest.raises(BadSurrogate, match="divergence"):
        SmoothSurrogate("wrong", 3, 3, psi.value, psi.slope, wrong)


@each_share
def test_estimates_are_the_means_with_scales(shares):
    for surrogate in declaring("mean"):
        p = of(surrogate, shares)
        scales = np.array([float(x) for x in surrogate.traits.scales or [1] * surrogate.n])
        rows = np.array([[float(x) for x in row] for row in surrogate.traits.mean])
        total = p @ scales
        if total:
            read = surrogate.estimates([searched(surrogate, p)])[0]
            assert read == pytest.approx((p * scales) @ rows / total, abs=0.02), surrogate.name


@each_share
def test_scores_compare_as_the_order_says(shares):
    for surrogate in declaring("order"):
        p, order = of(surrogate, shares), surrogate.traits.order
        u, x = searched(surrogate, p), p @ np.array([[float(entry) for entry in row] for row in order.rows])
        with case(surrogate.name):
            assert_scores_compare(order, u, x)


def assert_scores_compare(order, u, x):
    if order.kind == "signs":
        assert (np.sign(u)[x != 0] == np.sign(x)[x != 0]).all()
    elif order.kind == "order":
        assert all(u[i] > u[j] for i in range(len(x)) for j in range(len(x)) if x[i] > x[j] + 1e-9)
    elif order.kind == "first":
        first = np.argsort(-u)[: order.count]
        assert sorted(x[first]) == pytest.approx(sorted(x)[-order.count :])
    elif order.kind == "largest":
        assert x[u.argmax()] == pytest.approx(x.max())
    else:
        assert x[u.argmin()] == pytest.approx(x.min())


def test_each_kind_of_order_is_among_them():
    kinds = {each.traits.order.kind for each in declaring("order")}
    assert kinds == {"order", "signs", "largest", "smallest", "first"}


def test_labels_that_are_served_together_cost_nothing_far_out():
    together = declaring("together")
    assert together
    for surrogate in together:
        for each in surrogate.traits.together:
            far = surrogate.evaluate([[200 * float(x) for x in each.direction]])[0]
            assert far[list(each.labels)] == pytest.approx(0, abs=1e-9), surrogate.name


def test_values_and_slopes_are_finite_far_from_zero():
    for surrogate in members().values():
        alternating = [(-1) ** i * 900.0 for i in range(surrogate.dim)]
        U = np.array([alternating, [900.0] * surrogate.dim, [-900.0] * surrogate.dim])
        assert np.isfinite(surrogate.evaluate(U)).all(), surrogate.name
        assert np.isfinite(surrogate.gradient(U)).all(), surrogate.name


# Verdicts that rest on more than one of the declarations.


@pytest.mark.parametrize("phi", ["exponential", "logistic", "squared-hinge"])
def test_margin_vectors_are_wrong_where_a_label_is_impossible(phi):
    psi, loss = S.margin_vector(3, phi), lm.losses.zero_one(3)
    verdict = lm.check(psi, loss)
    assert verdict.status == lm.check(psi, loss, "argmax").status == "not calibrated"
    assert all(0 in p for p in verdict.distributions)
    for p in verdict.distributions:  # the risk at what is shown is as small as that of any u
        risk = np.array([float(x) for x in p]) @ psi.evaluate([[float(x) for x in verdict.u]])[0]
        assert risk == pytest.approx(0, abs=1e-9)
    assert lm.check(psi, lm.losses.top_k(3, 2)).status == "calibrated"  # it tells the least likely label


def test_precision_and_recall_have_each_their_own_softmax():
    precision, recall = lm.losses.precision_at(1, r=3), lm.losses.recall_at(3, 1)
    assert lm.check(S.pick_all_labels(precision), precision, "sort").status == "calibrated"
    assert lm.check(S.pick_all_labels_normalised(recall), recall, "argmax").status == "calibrated"
    assert lm.check(S.pick_all_labels_normalised(precision), precision, "sort").status == "not calibrated"
    assert lm.check(S.pick_all_labels(recall), recall, "argmax").status == "not calibrated"
    assert lm.check(S.binary_relevance_normalised(recall), recall, "argmax").status == "calibrated"
    assert lm.check(S.binary_relevance_normalised(precision), precision, "sort").status == "not calibrated"


@pytest.mark.parametrize("name", ["pick-all-labels", "pal-n", "weighted-binary-relevance"])
@pytest.mark.parametrize("loss", ["hamming:r=2", "f-measure:r=2", "jaccard:r=2"])
def test_what_says_nothing_of_the_empty_set_is_wrong_where_one_may_say_it(name, loss):
    """With one tag for certain, or rarely and else none, the same scores are optimal, as ψ is 0 for the empty set."""
    wrong = lm.check(name, loss)
    first, second = wrong.distributions
    psi, empty = wrong.surrogate, wrong.loss.labels.index("00")

    assert wrong.status == "not calibrated"
    assert (psi.evaluate([[0.3, -2.0], [5.0, 1.0]])[:, empty] == 0).all()
    assert {y for y, x in enumerate(second) if x} == {empty} | {y for y, x in enumerate(first) if x}
    assert lm.verify(wrong.certificate).accepted


def test_deferring_needs_the_weight_one():
    loss = lm.losses.defer(2)
    assert lm.check(S.defer_softmax(2), loss, "argmax").status == "calibrated"
    assert lm.check(S.defer_softmax(2, "1/2"), loss, "argmax").status == "not calibrated"
    assert lm.check(S.defer_one_vs_all(2), loss, "argmax").status == "calibrated"


def test_abstaining_by_a_score_of_its_own_works_above_one_half():
    loss = lm.LossMatrix([[0, 1, 1, "3/5"], [1, 0, 1, "3/5"], [1, 1, 0, "3/5"]])
    assert lm.check(S.augmented_softmax(3, "3/5"), loss, "argmax").status == "calibrated"
    assert lm.check(S.augmented_softmax(3, "1/2"), loss, "argmax").status == "not calibrated"


def test_adjusted_logits_are_for_the_balanced_error():
    psi, loss = S.logit_adjusted_softmax("1/2,1/3,1/6"), lm.losses.zero_one(3)
    assert lm.check(psi, loss, "argmax").status == "not calibrated"
    assert lm.check(psi, loss.scale_rows([2, 3, 6]), "argmax").status == "calibrated"


def test_no_pairwise_loss_is_right_for_pairwise_disagreement():
    loss = lm.losses.pairwise_disagreement(3, "single edges")
    for phi in ("logistic", "exponential", "smooth-hinge"):
        assert lm.check(S.pairwise_loss(loss, phi), loss).status == "not calibrated"


def test_kinks_at_equal_scores_are_seen_whatever_the_number_of_labels():
    for n in (3, 6, 9, 20):
        verdict = lm.check(S.squared_crammer_singer(n), lm.losses.zero_one(n))
        assert (verdict.status, set(verdict.u)) == ("not calibrated", {0})
        assert n > 9 or lm.verify(verdict.certificate).accepted
    assert lm.check(S.squared_crammer_singer(7), lm.losses.zero_one(7), "argmax").status == "not calibrated"


@pytest.mark.parametrize("n", [4, pytest.param(7, marks=EXHAUSTIVE)])
def test_kinks_at_equal_scores_are_none_of_distributions_where_a_label_is_frequent(n):
    frequent = [lambda p: [p[0] >= "3/5"]]
    assert lm.check(S.squared_crammer_singer(n), lm.losses.zero_one(n), within=frequent).status != "not calibrated"


@pytest.mark.parametrize("n", [6, *(pytest.param(n, marks=EXHAUSTIVE) for n in (9, 20))])
def test_the_search_with_many_scores_ends(n):
    psi = S.one_vs_one_logistic(n)
    bare = SmoothSurrogate("bare", psi.n, psi.dim, psi.value, psi.slope)
    verdict = lm.check(bare, lm.losses.ordinal(n))
    assert verdict.status == "undecided"
    assert "by_votes" in dict(verdict.declined)


@pytest.mark.parametrize("name", ["zero-one:n=4", "ordinal:n=4", "abstain:n=4", "top-k:n=4,k=2"])
def test_pairs_of_labels_tell_the_probabilities(name):
    loss = loss_named(name)
    psi = S.one_vs_one_logistic(4)
    for verdict in (lm.check(psi, loss), lm.check(psi, loss, "decide")):
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted
    for p in ([0.1, 0.2, 0.3, 0.4], [0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.0]):
        logs = np.log(np.maximum(p, 1e-12))
        free = 3 * np.random.default_rng(0).standard_normal((50, 6))  # of pairs that are impossible
        pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
        u = [free[:, k] if p[i] == p[j] == 0 else np.full(50, logs[i] - logs[j]) for k, (i, j) in enumerate(pairs)]
        assert psi.probabilities(np.transpose(u)) == pytest.approx(np.array([p] * 50), abs=1e-9)


def test_rankings_by_their_mean_ranks_are_for_squared_distances_only():
    psi = S.permutahedron_projection(3)
    assert lm.check(psi, lm.losses.spearman_rho(3)).status == "calibrated"
    assert lm.check(psi, lm.losses.kendall_tau(3)).status == "not calibrated"
    assert lm.check(S.listmle(3), lm.losses.zero_one(6)).status == "not calibrated"


def test_projections_on_the_permutahedron_are_nearest_points_of_it():
    rng = np.random.default_rng(1)
    psi = S.permutahedron_projection(4)
    corners = np.array([[float(x) for x in row] for row in psi.traits.mean])
    for u in rng.normal(scale=4, size=(20, 4)):
        x = psi.estimates([u])[0]
        assert ((corners - x) @ (u - x)).max() <= 1e-9  # what characterises a nearest point of a convex set
        assert all(sum(sorted(x)[:s]) >= s * (s - 1) / 2 - 1e-9 for s in range(1, 5))


def test_the_smooth_top_k_hinge_is_the_largest_value_over_its_weights():
    rng = np.random.default_rng(2)
    k, gamma, psi = 2, 2.0, S.top_k_hinge_smooth(4, 2, 2)
    X = rng.dirichlet(np.ones(3), size=20_000) * rng.uniform(0, gamma, size=(20_000, 1))
    X = X[(X.sum(axis=1, keepdims=True) / k >= X).all(axis=1)]
    for u in rng.normal(size=(10, 4)):
        a = 1 + u[1:] - u[0]
        value, x = psi.evaluate([u])[0][0], gamma * psi.gradient([u])[0][0][1:]
        assert (x >= 0).all() and x.sum() <= gamma + 1e-9 and x.max() <= x.sum() / k + 1e-9  # noqa: PT018
        assert value == pytest.approx((x @ a - x @ x / 2) / gamma)  # so it is attained, and no weights do better
        assert value >= (X @ a - (X * X).sum(axis=1) / 2).max() / gamma - 1e-9
    same, one = S.smooth_crammer_singer(4, "1/2"), S.top_k_hinge_smooth(4, 1, "1/2")
    U = rng.normal(scale=2, size=(50, 4))
    assert one.evaluate(U) == pytest.approx(same.evaluate(U))


@pytest.mark.parametrize(
    ("n", "k", "gamma"),
    [(6, 3, 1), *(pytest.param(*each, marks=EXHAUSTIVE) for each in [(12, 5, 1), (12, 11, 3), (20, 10, "1/2")])],
)
def test_no_direction_improves_the_weights_of_a_smooth_top_k_hinge(n, k, gamma):
    """They are best exactly if a − x is at no corner larger than at x; corners are 0, and γ/k on k labels."""
    psi, g, rng = S.top_k_hinge_smooth(n, k, gamma), float(Fraction(gamma)), np.random.default_rng(3)
    for u in rng.normal(size=(5, n)) * rng.choice([0.1, 1, 10, 100], size=(5, 1)):
        for y, x in enumerate(g * psi.gradient([u])[0]):
            others = np.arange(n) != y
            x, a = x[others], (1 + u - u[y])[others]
            assert (x >= 0).all() and x.sum() <= g + 1e-9 and x.max() <= x.sum() / k + 1e-9  # noqa: PT018
            corner = g / k * np.sort(a - x)[-k:].sum()
            assert (a - x) @ x >= max(corner, 0) - 1e-9 * (1 + abs(a).max())


def test_rejecting_by_exponentials_has_its_threshold_at_the_cost_for_one_ratio_alone():
    for beta, right in ((2, True), (1, False)):
        psi = S.rejection_exponential("1/5", 1, beta)
        said = [searched(psi, np.array([1 - p, p]))[1] < 0 for p in (0.15, 0.19, 0.21, 0.25)]
        assert (said == [False, False, True, True]) is right


def test_what_an_order_does_not_tell_stays_undecided():
    verdict = lm.check(S.top_k_entropy(4, 2), lm.losses.top_k(4, 3), "top-k")
    assert verdict.status == "undecided"
    assert "by_order" in dict(verdict.declined)


def test_class_weights_change_the_order_with_the_loss():
    psi, weights = S.smooth_crammer_singer(3).weighted([1, 2, 4]), [1, 2, 4]
    assert lm.check(psi, lm.losses.zero_one(3), "argmax").status == "not calibrated"
    assert lm.check(psi, lm.losses.zero_one(3).scale_rows(weights), "argmax").status == "calibrated"


# Names that are known and refused.


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("ordinal-crammer-singer", "margin-rescaling"),
        ("ranknet", "pairwise-loss"),
        ("rankboost", "pairwise-loss"),
        ("net_preference_regression", "gain-regression"),
    ],
)
def test_a_name_of_print_that_is_a_member_of_another_family_says_what_to_write(name, family):
    told = refusal(lm.check, name, "zero-one:n=3")
    assert told.startswith(name.replace("-", "_"))
    assert surrogate_named(re.search(rf"{family}:\S+$", told)[0]).n > 2


# c = φ′(δ)/(φ′(δ) + φ′(−δ)): squared hinge and modified Huber have the slopes 2(1 ∓ δ), the smooth hinge 1 − δ and 1.
@pytest.mark.parametrize(
    "cost",
    [
        Fraction(2, 5),
        *(pytest.param(cost, marks=EXHAUSTIVE) for cost in map(Fraction, ("1/2", "1/3", "1/4", "1/7"))),
    ],
)
@pytest.mark.parametrize(
    ("phi", "delta"),
    [
        ("square", lambda c: 1 - 2 * c),
        ("squared-hinge", lambda c: 1 - 2 * c),
        ("modified-huber", lambda c: 1 - 2 * c),
        ("smooth-hinge", lambda c: (1 - 2 * c) / (1 - c)),
    ],
)
def test_small_margins_abstain_rightly_at_one_threshold_alone(phi, delta, cost):
    def status(tau):
        return lm.check(lm.surrogates.reject_margin(phi), lm.losses.abstain(2, cost), f"sign-code:tau={tau}")

    right = status(delta(cost))
    assert right.status == "calibrated"
    assert lm.verify(right.certificate).accepted
    for other in (delta(cost) + Fraction(1, 50), delta(cost) - Fraction(1, 50)):
        if other >= 0:
            wrong = status(other)
            assert wrong.status == "not calibrated"
            assert lm.verify(wrong.certificate).accepted


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("focal", "focal"),
        ("ramp", "ramp"),
        ("mae", "mean_absolute_error"),
        ("gce", "generalised_cross_entropy"),
        ("bi-tempered", "bi_tempered"),
        ("savage", "savage"),
        ("lovasz_softmax", "lovasz_softmax"),
        ("psi5", "top_k_hinge_consistent"),
    ],
)
def test_what_is_not_convex_is_refused_with_another_family(name, known):
    message = refusal(lm.check, f"{name}:n=3", "zero-one:n=3")
    assert message.startswith(f"{known} ")
    assert re.search(rf"\b({'|'.join(each.name for each in CATALOGUE)})\b", message.rpartition(";")[2])
    with pytest.raises(AttributeError, match=f"^{known} "):
        getattr(S, name.replace("-", "_"))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_a_refusal_advises_is_calibrated_for_zero_one_if_it_fits_it(name):
    words = re.findall(r"\w+", REFUSED[name][1])
    advised = [family for family in CATALOGUE if family.name in words]
    assert advised
    for family in (each for each in advised if each.kind != "abstaining"):
        fitting = family.fits(lm.losses.zero_one(3))
        assert fitting is None or lm.check(family(**fitting), lm.losses.zero_one(3)).status == "calibrated"


def test_other_names_are_still_unknown():
    with pytest.raises(AttributeError, match="'nonsense'"):
        S.nonsense  # noqa: B018
