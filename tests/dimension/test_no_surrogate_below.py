"""No convex surrogate that is calibrated has fewer dimensions than CCdim is said to have: two proofs, one truth."""

from __future__ import annotations

import pytest

import lossmith as lm
from lossmith import losses
from lossmith.surrogates import CATALOGUE

LOSSES = [
    losses.zero_one(3),
    losses.abstain(3),
    losses.ordinal(4),
    lm.LossMatrix([[0, 1, 1], [1, 0, 2], [2, 1, 0]]),
    lm.LossMatrix([[0, 0, 0, 0, 1], [0, 1, 2, 2, 0], [2, 1, 0, 2, 0], [2, 1, 2, 0, 0]]),  # no line, so 3
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_no_calibrated_surrogate_has_fewer_dimensions_than_the_lower_bound(loss):
    least, calibrated = lm.ccdim(loss, designs=False).lower.value, 0
    for family in CATALOGUE:
        parameters = family.fits(loss)
        if parameters is None:
            continue
        surrogate = family(**parameters)
        convex = isinstance(surrogate, lm.PolyhedralSurrogate) or surrogate.traits.convex
        if convex and lm.check(surrogate, loss).status == "calibrated":
            assert surrogate.dim >= least, family.name
            calibrated += 1
    assert calibrated >= 5
