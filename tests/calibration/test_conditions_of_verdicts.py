"""What was declared of a surrogate and is not proved stands beside the verdict; what contradicts itself is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadSurrogate

S, L = lm.surrogates, lm.losses
YOU, CATALOGUE = "as declared by you", "as the catalogue of lossmith states"


def bump(u):
    return 1 - np.where(abs(u - 50) < 0.05, 1 - (20 * (u - 50)) ** 2, 0) ** 2


def with_a_bump():
    """u² with a bump at 50, and (u − 1)²; the slopes are those without the bump."""
    return lm.SmoothSurrogate(
        "bump",
        2,
        1,
        lambda U: np.stack([U[:, 0] ** 2 * bump(U[:, 0]), (U[:, 0] - 1) ** 2], axis=1),
        lambda U: np.stack([2 * U, 2 * (U - 1)], axis=1),
        exact_slope=lambda u: [[2 * u[0]], [2 * (u[0] - 1)]],
    )


def shown(verdict):
    return (str(verdict), verdict.to_latex(), verdict._repr_html_(), json.dumps(verdict.to_dict()))


def test_declared_slopes_are_a_condition():
    pred = [lambda u: [u[0] <= "1/2"], lambda u: [u[0] >= "1/2"]]
    verdict = lm.check(with_a_bump(), L.zero_one(2), pred)
    assert verdict.status == "calibrated"
    assert len(verdict.conditions) == 2
    assert all(YOU in each for each in verdict.conditions)
    for text in shown(verdict):
        assert " ".join(text.split()).count(YOU) == 2
    assert verdict.to_dict()["conditions"] == list(verdict.conditions)
    assert lm.verify(verdict.certificate).given


@pytest.mark.parametrize(
    ("surrogate", "loss", "pred", "count"),
    [
        ("softmax", "zero-one:n=3", None, 1),
        ("softmax", "ordinal:n=3", "argmax", 2),
        ("label-smoothing", "zero-one:n=3", None, 1),
        ("one-vs-one-logistic", "zero-one:n=3", "votes", 1),
        ("squared-crammer-singer", "zero-one:n=3", None, 2),
        ("squared-crammer-singer", "abstain:n=3", None, 3),
        ("top-k-entropy:n=3,k=2", "zero-one:n=3", "argmax", 1),
        ("square:A=zero-one:n=3", "zero-one:n=3", None, 0),
        ("class-probability", "abstain:n=3", None, 0),
        ("lee-lin-wahba", "zero-one:n=3", "argmax", 0),
        ("crammer-singer", "zero-one:n=3", None, 0),
    ],
)
def test_the_catalogue_states_what_its_members_are(surrogate, loss, pred, count):
    verdict = lm.check(surrogate, loss, pred)
    assert verdict.status != "undecided"
    assert len(verdict.conditions) == count
    assert all(CATALOGUE in each for each in verdict.conditions)
    assert ("conditions" in verdict.to_dict()) == bool(count)
    for text in shown(verdict):
        assert " ".join(text.split()).count(CATALOGUE) == count


class Known:
    """A function of one's own with these values."""

    def __init__(self, function):
        self.function = function

    def __call__(self, given):
        return self.function(given)


def squared(psi, **known):
    made = lm.SmoothSurrogate.from_squares(psi, n=3, dim=3, name="squared")
    return replace(made, **known) if known else made


def test_what_is_traced_is_derived_and_what_is_replaced_is_declared():
    def hinge(y, u):
        return lm.pos(1 + lm.maximum(*(u[j] - u[y] for j in range(3) if j != y)))

    traced = squared(hinge)
    assert lm.check(traced, L.zero_one(3)).conditions == ()
    assert lm.check(traced.weighted([1, 2, 3]), L.zero_one(3)).conditions == ()
    own = squared(hinge, subgradients=Known(traced.subgradients))
    assert len(lm.check(own, L.zero_one(3)).conditions) == 2


def test_means_that_are_not_those_of_the_squares_are_declared():
    plain = S.square([[0, 0], [1, 0], [0, 1]])
    assert lm.check(plain, L.zero_one(3)).conditions == ()
    assert lm.check(plain.weighted([1, 2, 3]), L.zero_one(3)).conditions == ()
    own = lm.SmoothSurrogate("mine", 3, 2, Known(plain.value), plain.slope, plain.traits)
    (condition,) = lm.check(own, L.zero_one(3)).conditions
    assert YOU in condition


def test_a_loss_of_one_decision_needs_nothing():
    """No decision is better than the first: whatever the surrogate is, the pred is right."""
    pred = [[lambda u: [u[0] <= 0], lambda u: [u[0] >= 0]], None]
    verdict = lm.check(replace(with_a_bump(), exact_slope=None), lm.LossMatrix([[0, 1], [0, 2]]), pred)
    assert (verdict.status, verdict.conditions) == ("calibrated", ())


def clipped(**known):
    psi = S.softmax(3)
    return lm.SmoothSurrogate(
        "clipped",
        3,
        3,
        lambda U: psi.value(np.clip(U, -9, 9)),
        lambda U: psi.slope(np.clip(U, -9, 9)) * (abs(U) < 9)[:, None, :],
        lm.surrogates.smooth.Traits(proper=psi.traits.proper, **known),
    )


def test_proper_without_convexity_is_refused():
    with pytest.raises(BadSurrogate) as refused:
        clipped(convex=False)
    assert "clipped" in str(refused.value)
    assert "proper" in str(refused.value)
    assert "convex=False" in str(refused.value)


def test_members_that_are_proper_and_not_convex_have_a_divergence():
    psi = S.cumulative_link(3)
    assert not psi.traits.convex
    assert lm.check(psi, L.ordinal(3)).status == "calibrated"
    assert lm.check(psi.weighted([1, 2, 3]), L.ordinal(3)).status == "calibrated"


def test_argmax_with_irrational_weights_chooses_among_equal_columns_or_is_wrong():
    psi = S.logit_adjusted_softmax("1/3,2/3", "1/2")
    right = [[[0, 0, 1], [0, 0, 1]], [[0, 0, 1], [0, 0, 0]], [[0, 0], [0, 0]]]
    wrong = [[[0, 1, 1], [1, 0, 1]], [[0, 0, 1], [0, 1, 0]], [[1, 1, 0], [0, 0, 0]], [[0, 1, "1/2"], [1, 0, "1/2"]]]
    for rows in (*right, *wrong):
        verdict = lm.check(psi, lm.LossMatrix(rows), "argmax")
        assert verdict.status == ("calibrated" if rows in right else "not calibrated"), rows
        assert lm.verify(verdict.certificate).accepted
        if rows in wrong:
            (p,) = verdict.distributions
            costs = [sum(Fraction(row[t]) * x for x, row in zip(p, rows, strict=True)) for t in range(len(rows[0]))]
            assert costs[verdict.prediction] > min(costs)
