"""Errors blame what the user has given: the loss, not a matrix or a distribution that came up in between."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.errors import BadInput, TooLarge


def huge() -> lm.LossMatrix:
    return lm.LossMatrix([[0, "1e400", 1], [1, 0, "2e400"], [3, 1, 0]], name="costs")


def test_losses_beyond_the_range_of_floats_are_called_by_name():
    with pytest.raises(BadInput, match=r"^square\(costs\) "):
        lm.surrogates.square(huge())


def test_a_design_for_them_is_of_order_one():
    made = lm.design(huge(), method="square")
    assert abs(made.surrogate.targets[0]).max() < 20
    assert lm.verify(made.certificate).accepted


def test_long_numbers_that_come_up_are_not_called_an_entry_of_p():
    p = Fraction(1, 10**4001)
    with pytest.raises(TooLarge, match="4000") as refused:
        lm.losses.zero_one(2).risk((p, 1 - p))
    assert "p[" not in str(refused.value)


@pytest.mark.parametrize("given", [{}, {"format": "lossmith-certificate"}, None, 7, [], Path("proof.json")])
def test_what_is_no_text_of_a_certificate_is_called_by_its_type(given):
    with pytest.raises(BadInput, match=rf"\b{type(given).__name__}\b"):
        lm.verify(given)


@pytest.mark.exhaustive
def test_bounds_leave_out_what_takes_long_numbers():
    """A point where three decisions tie has a denominator of 4200 digits; the affine dimension bounds without it."""
    a = 10**2100
    loss = lm.LossMatrix([[0, a + 1, a + 7], [a + 13, 0, a + 31], [a + 57, a + 73, 0]])
    bounds = lm.ccdim(loss)
    assert bounds.upper.value == 2
    assert any("4000" in note for note in bounds.notes)
