"""Distributions are read exactly or refused; nothing is rounded or normalised."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses.refusal import assert_quotes
from lossmith.errors import BadInput
from lossmith.geometry.simplex import as_distribution
from strategies import distributions


@given(st.data())
def test_a_rational_distribution_is_read_as_it_is(data):
    p = data.draw(distributions(data.draw(st.integers(1, 6))))
    assert as_distribution(p, len(p)) == p
    assert as_distribution([str(x) for x in p], len(p)) == p


def test_floats_mean_their_decimals_so_tenths_sum_to_one():
    assert as_distribution([0.1, 0.2, 0.7], 3) == (Fraction(1, 10), Fraction(1, 5), Fraction(7, 10))


@pytest.mark.parametrize(
    ("p", "quotes"),
    [
        ([0.5, 0.5], ("2", "3")),
        ([-1, 1, 1], ("p = (-1, 1, 1)",)),
        ([1 / 3, 1 / 3, 1 / 3], ("'1/3'",)),
        (["1/3", "1/3", "1/4"], ("11/12", "1")),
        ([0, 1, None], ("2", "p")),
        ([0, float("nan"), 1], ("1", "p", "nan")),
    ],
)
def test_what_is_no_distribution_is_refused_with_the_reason(p, quotes):
    with pytest.raises(BadInput) as refusal:
        as_distribution(p, 3)
    assert_quotes(str(refusal.value), *quotes)
