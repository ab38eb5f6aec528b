"""Bounds on regrets of surrogates whose labels have weights, or that are about the costs of one loss."""

from __future__ import annotations

import pytest

from lossmith import losses, regret, surrogates
from lossmith.errors import NotFound


@pytest.mark.parametrize("name", ["label-smoothing", "sum-loss", "class-probability"])
@pytest.mark.parametrize("weights", [[1, 2, 2], [3, 1, 2]], ids=str)
def test_weights_of_labels_are_those_of_the_rows_of_the_loss(name, weights):
    """The row of y times w_y and ψ_y times w_y are the problem of w∘p: c² changes by a w_y, and the largest will do."""
    plain = regret(name, losses.zero_one(3))
    found = regret(plain.surrogate.weighted(weights), losses.zero_one(3).scale_rows(weights))
    assert found.upper.constant == max(weights) * plain.upper.constant


@pytest.mark.parametrize("phi", ["squared-hinge", "exponential"])
def test_a_surrogate_of_costs_has_a_bound_for_these_costs_alone(phi):
    psi = surrogates.cost_weighted_loss(losses.ordinal(3), phi)
    assert regret(psi, losses.ordinal(3)).upper is not None
    with pytest.raises(NotFound):
        regret(psi, losses.zero_one(3))
