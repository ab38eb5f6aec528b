"""Squares that look at the costs: where they lie, that they are preferred, and what is said of the other choice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from command import lossmith
from lossmith.analysis.facts import Facts
from lossmith.constructions.cost_squares import cost_squares
from lossmith.losses import abstain, f_measure, hamming, ordinal, top_k, zero_one
from strategies import examples

# Of the six labels, two are nearly alike: the targets of a basis of the differences have a condition of some thousands.
ROWS = "0 90 7 40 3 61/55 0 80 2 9 17/3 71 0 33 90 2/41 5 62 0 8 30/41 6 62 1 0 31/41 5 63 0 9 0"
NEARLY_ALIKE = lm.LossMatrix([row.split() for row in ROWS.split("/")])
UNSEEN = [[0, 1, 1], [1, 0, 1], ["1.0000000000000000000001", "1", "0"]]


def rows_of_costs(loss, weights):
    """Of the decisions that are needed, less their mean, divided by the weights."""
    costs = np.array([[float(x) for x in row] for row in loss.entries])[:, list(Facts(loss).kept)]
    return (costs - costs.mean(axis=1, keepdims=True)) / weights[:, None]


def distances(rows):
    return np.linalg.norm(rows[:, None] - rows[None], axis=2)


def assert_as_far_apart_as_the_costs(made, loss):
    targets, weights = made.surrogate.targets
    ours, theirs = distances(targets), distances(rows_of_costs(loss, weights))
    apart = theirs > 1e-9 * theirs.max()
    ratios = ours[apart] / theirs[apart]
    assert ratios.max() <= 1.01 * ratios.min()
    assert np.abs(ours[~apart]).max() == pytest.approx(0)


LOSSES = [zero_one(3), hamming(3), abstain(4), top_k(4, 2), ordinal(4), NEARLY_ALIKE, NEARLY_ALIKE.restrict(range(4))]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: f"{loss.name}, {loss.n}")
def test_targets_are_as_far_apart_as_the_rows_of_costs(loss):
    loss = loss.matrix()
    made = lm.design(loss, method="square")
    assert_as_far_apart_as_the_costs(made, loss)
    assert made.status == lm.check(made.surrogate, loss).status == "calibrated"
    assert lm.verify(made.certificate).accepted


@examples(5)
@given(st.data())
def test_targets_of_random_costs(data):
    n, k = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 5))
    loss = lm.LossMatrix([[data.draw(st.integers(0, 20)) for _ in range(k)] for _ in range(n)])
    if len(Facts(loss).kept) > 1:
        made = lm.design(loss, method="square")
        assert_as_far_apart_as_the_costs(made, loss)
        assert lm.verify(made.certificate).accepted


def test_what_is_trained_is_what_is_certified():
    """Rational targets, in the coordinates of the file."""
    made = lm.design(NEARLY_ALIKE, method="square")
    assert all(isinstance(x, Fraction) for row in made.surrogate.traits.mean for x in row)
    in_file = made.certificate.to_json()
    assert all(f'"{x}"' in in_file for row in made.surrogate.traits.mean for x in row)


def test_regression_on_the_targets_is_regression_on_the_costs():
    """The decision at a mixture of targets, beside any error: that of the nearest row of costs."""
    loss = zero_one(4)
    made = lm.design(loss, method="square")
    targets = made.surrogate.targets[0]
    draw = np.random.default_rng(0)
    for p in draw.dirichlet(np.ones(4), size=10):
        assert made.decide([p @ targets])[0] == p.argmax()


def test_costs_that_floats_do_not_tell_apart_are_still_calibrated():
    loss = lm.LossMatrix(UNSEEN)
    made = lm.design(loss, method="square")
    assert made.surrogate.dim == 2
    assert lm.verify(made.certificate).accepted


def test_a_decision_that_is_always_best_needs_no_targets():
    assert not any(any(row) for row in cost_squares(Facts(lm.LossMatrix([[0, 1], [0, 2]]))).surrogate.traits.mean)


@pytest.mark.parametrize(
    ("loss", "other"),
    [
        (zero_one(2), "orderable"),
        (zero_one(3), "max-min-hinge"),
        (hamming(2), "max-min-hinge"),
        (top_k(4, 2), "max-min-hinge"),
        (lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]]), "orderable"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_of_equal_dimensions_squares_are_preferred_and_both_constants_are_said(loss, other):
    made, choice = lm.design(loss), lm.design(loss, method=other)
    assert made.made_by.startswith("square,")
    assert made.surrogate.traits.mean is not None
    assert made.surrogate.dim == choice.surrogate.dim
    assert made.made_by.count("regret_L ≤") == 2
    assert other in made.made_by
    assert choice.made_by.split("; ")[1] in made.made_by  # its constant is that of what `method` makes


def test_the_fewest_dimensions_come_first():
    """One function is fewer than four, and then there is nothing to prefer."""
    made = lm.design(ordinal(5))
    assert made.surrogate.dim == 1
    assert made.made_by.count("regret_L ≤") == 1


def test_where_a_hinge_is_large_it_is_not_made():
    assert lm.design(hamming(3)).made_by.count("regret_L ≤") == 1


def test_the_command_says_both():
    shown = lossmith("design", "zero-one:n=3").stdout
    assert shown.count("regret_L ≤") == 2
    assert "max-min-hinge" in shown


@pytest.mark.parametrize("loss", [f_measure(2), f_measure(3), f_measure(4, "1/3"), f_measure(30)], ids=lambda x: x.name)
def test_the_f_measure_is_designed_in_as_many_dimensions_as_are_proved(loss):
    made = lm.design(loss)
    assert made.dim == lm.ccdim(loss).upper.value == lm.affdim(loss) - 1
    assert lm.verify(made.certificate).accepted


def test_the_constant_of_the_f_measure_holds():
    """Weights, and one coordinate that the others tell."""
    loss = f_measure(3)
    made, matrix = lm.design(loss), loss.matrix()
    costs = np.array([[float(x) for x in row] for row in matrix.entries])
    labels = np.array([[int(bit) for bit in str(name)] for name in matrix.labels])
    targets, weights = made.targets(labels), made.weights(labels)
    constant = float(made.made_by.split("≤ ")[1].split(" ")[0])
    draw = np.random.default_rng(0)
    for p in draw.dirichlet(np.full(8, 0.3), size=200):
        q, risks = p * weights, p @ costs
        best = q @ targets / q.sum()
        u = best + draw.normal(size=made.dim) * draw.choice([0, 0.01, 0.1])
        told = "".join(map(str, np.asarray(made.pred(u).predictions).tolist()))
        lost = risks[matrix.predictions.index(told)] - risks.min()
        assert lost <= constant * (q.sum() * ((u - best) ** 2).sum()) ** 0.5 + 1e-9
