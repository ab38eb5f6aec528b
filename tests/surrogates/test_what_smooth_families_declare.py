"""What smooth families declare, against minimisers that are searched for in floating point: no closed form is used.

The distributions have zeros too, where the least risk is only approached, and a theorem for p > 0 may fail.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from losses.refusal import refusal
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.smooth import SmoothSurrogate

S = lm.surrogates
MEMBERS = [
    pytest.param(member, id=member.name)
    for family in CATALOGUE
    for member in [family(**family.small[-1])]
    if isinstance(member, SmoothSurrogate)
]
SHARES = [(3, 2, 1, 4), (6, 3, 0, 1), (3, 0, 2, 0), (0, 1, 0, 0)]  # of the labels, again and again


def of(surrogate: SmoothSurrogate, shares: tuple[int, ...]) -> np.ndarray:
    weights = np.array([shares[y % 4] for y in range(surrogate.n)], dtype=float)
    return weights / weights.sum() if weights.any() else np.eye(surrogate.n)[0]


def searched(surrogate: SmoothSurrogate, p: np.ndarray) -> np.ndarray:
    """A u near the infimum of the risk, found without what is declared."""
    bare = SmoothSurrogate(surrogate.name, surrogate.n, surrogate.dim, surrogate.value, surrogate.slope)
    return np.array(bare.minimizer([Fraction(x).limit_denominator(1000) for x in p.tolist()]))


@pytest.mark.parametrize("surrogate", [each for each in MEMBERS if each.values[0].traits.proper])
@pytest.mark.parametrize("shares", SHARES)
def test_probabilities_are_those_that_were_minimised_for(surrogate, shares):
    p = of(surrogate, shares)
    read = surrogate.probabilities([searched(surrogate, p)])[0]
    assert read == pytest.approx(p, abs=0.02)


@pytest.mark.parametrize("surrogate", [each for each in MEMBERS if each.values[0].traits.mean])
@pytest.mark.parametrize("shares", SHARES)
def test_estimates_are_the_means_with_scales(surrogate, shares):
    p = of(surrogate, shares)
    scales = np.array([float(x) for x in surrogate.traits.scales or [1] * surrogate.n])
    rows = np.array([[float(x) for x in row] for row in surrogate.traits.mean])
    total = p @ scales
    if total:
        read = surrogate.estimates([searched(surrogate, p)])[0]
        assert read == pytest.approx((p * scales) @ rows / total, abs=0.02)


ORDERED = [each for each in MEMBERS if each.values[0].traits.order]


@pytest.mark.parametrize("surrogate", ORDERED)
@pytest.mark.parametrize("shares", SHARES)
def test_scores_compare_as_the_order_says(surrogate, shares):
    p, order = of(surrogate, shares), surrogate.traits.order
    u, x = searched(surrogate, p), p @ np.array([[float(entry) for entry in row] for row in order.rows])
    if order.kind == "signs":
        assert (np.sign(u)[x != 0] == np.sign(x)[x != 0]).all()
    elif order.kind == "order":
        assert all(u[i] > u[j] for i in range(len(x)) for j in range(len(x)) if x[i] > x[j] + 1e-9)
    elif order.kind == "largest":
        assert x[u.argmax()] == pytest.approx(x.max())
    else:
        assert x[u.argmin()] == pytest.approx(x.min())


def test_each_kind_of_order_is_among_them():
    assert {each.values[0].traits.order.kind for each in ORDERED} == {"order", "signs", "largest", "smallest"}


@pytest.mark.parametrize("surrogate", [each for each in MEMBERS if each.values[0].traits.together])
def test_labels_that_are_served_together_cost_nothing_far_out(surrogate):
    for each in surrogate.traits.together:
        far = surrogate.evaluate([[200 * float(x) for x in each.direction]])[0]
        assert far[list(each.labels)] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("surrogate", MEMBERS)
def test_values_and_slopes_are_finite_far_from_zero(surrogate):
    U = np.array([[(-1) ** i * 900.0 for i in range(surrogate.dim)], [900.0] * surrogate.dim, [-900.0] * surrogate.dim])
    assert np.isfinite(surrogate.evaluate(U)).all()
    assert np.isfinite(surrogate.gradient(U)).all()


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


def test_what_an_order_does_not_tell_stays_undecided():
    verdict = lm.check(S.smooth_crammer_singer(3), lm.losses.abstain(3))
    assert verdict.status == "undecided"
    assert "by_order" in dict(verdict.declined)


def test_class_weights_change_the_order_with_the_loss():
    psi, weights = S.smooth_crammer_singer(3).weighted([1, 2, 4]), [1, 2, 4]
    assert lm.check(psi, lm.losses.zero_one(3), "argmax").status == "not calibrated"
    assert lm.check(psi, lm.losses.zero_one(3).scale_rows(weights), "argmax").status == "calibrated"


# Names that are known and refused.


@pytest.mark.parametrize("name", ["focal", "ramp", "mae", "gce", "bi-tempered", "savage", "lovasz_softmax", "psi5"])
def test_what_is_not_convex_is_refused_with_the_reason(name):
    message = refusal(lm.check, f"{name}:n=3", "zero-one:n=3")
    assert "is not convex" in message
    assert "; use " in message
    with pytest.raises(AttributeError, match="is not convex"):
        getattr(S, name.replace("-", "_"))


def test_other_names_are_still_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        S.nonsense  # noqa: B018
