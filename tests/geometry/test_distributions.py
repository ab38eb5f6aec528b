"""Distributions are read exactly or refused; nothing is rounded or normalised."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("p", "complaint"),
    [
        ([0.5, 0.5], r"has 2 entries; give one probability for each of the 3 labels"),
        ([-1, 1, 1], r"p = \(-1, 1, 1\) has a negative entry"),
        ([1 / 3, 1 / 3, 1 / 3], r"sums to .* not 1; write thirds as '1/3'"),
        (["1/3", "1/3", "1/4"], r"sums to 11/12, not 1"),
        ([0, 1, None], r"entry 2 of p is missing"),
        ([0, float("nan"), 1], r"entry 1 of p is nan"),
    ],
)
def test_what_is_no_distribution_is_refused_with_the_reason(p, complaint):
    with pytest.raises(BadInput, match=complaint):
        as_distribution(p, 3)
