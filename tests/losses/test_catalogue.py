"""What every family of losses promises, and the closed form of each."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refusal

from lossmith import LossMatrix
from lossmith.losses import (
    CATALOGUE,
    abstain,
    cost_sensitive_binary,
    hamming,
    hierarchical,
    ordinal,
    top_k,
    zero_one,
)

F = Fraction
SMALL = [
    pytest.param(family, small, id=f"{family.name}{dict(small)}") for family in CATALOGUE for small in family.small
]


# What every family of the catalogue keeps, beyond what tests/conformance asks of all.


@pytest.mark.parametrize(("family", "small"), SMALL)
def test_a_small_instance_keeps_the_promises_of_a_loss(family, small):
    loss = family(**small)
    assert isinstance(loss, LossMatrix)
    assert all(entry >= 0 for row in loss.entries for entry in row)
    assert all(min(row) == 0 for row in loss.entries), "for every label some prediction costs nothing"
    assert len(set(loss.labels)) == loss.n
    assert len(set(loss.predictions)) == loss.k
    assert len(str(loss).splitlines()) == loss.n + 1
    assert f"{loss.n} labels × {loss.k} predictions" in repr(loss)
    assert loss._repr_html_().count("<tr>") == loss.n + 1


def test_sizes_from_numpy_do_not_overflow():
    assert zero_one(np.int8(100)).n == 100
    assert abstain(np.uint8(255)).k == 256
    assert hamming(np.uint8(9)) == hamming(9)
    assert ordinal(np.uint8(20), power=np.uint8(3)).entries[0][-1] == 19**3
    assert zero_one.size(np.int64(7)) == (7, 7)


# Closed forms.


@given(st.integers(2, 12))
def test_zero_one_loss_counts_mistakes(n):
    loss = zero_one(n)
    assert loss.entries == tuple(tuple(F(0) if y == t else F(1) for t in range(n)) for y in range(n))
    assert loss.labels == loss.predictions == tuple(range(n))
    assert loss.bayes_risk([F(1, n)] * n) == 1 - F(1, n)


@given(st.integers(2, 8), st.integers(1, 5))
def test_ordinal_loss_is_the_power_of_the_distance(n, power):
    loss = ordinal(n, power=power)
    assert loss.entries == tuple(tuple(F(abs(y - t) ** power) for t in range(n)) for y in range(n))
    assert ordinal(n) == ordinal(n, 1)


@given(st.integers(2, 8), st.data())
def test_absolute_distance_is_minimised_by_the_median_and_its_square_near_the_mean(n, data):
    weights = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any))
    p = [F(weight, sum(weights)) for weight in weights]
    medians = [t for t in range(n) if sum(p[:t]) <= F(1, 2) <= sum(p[: t + 1])]
    assert list(ordinal(n).optimal_predictions(p)) == medians
    mean = sum(y * weight for y, weight in enumerate(p))
    nearest = min(abs(t - mean) for t in range(n))
    assert list(ordinal(n, power=2).optimal_predictions(p)) == [t for t in range(n) if abs(t - mean) == nearest]


@pytest.mark.parametrize("r", [1, 2, 3, 5])
def test_hamming_loss_counts_the_bits_that_differ(r):
    loss = hamming(r)
    assert loss.labels == loss.predictions
    assert len(loss.labels) == 2**r
    for y, label in enumerate(loss.labels):
        assert len(label) == r
        assert int(label, 2) == y
        for t, prediction in enumerate(loss.predictions):
            assert loss.entries[y][t] == sum(a != b for a, b in zip(label, prediction, strict=True))


@given(st.integers(2, 6), st.fractions(0, 2))
def test_abstaining_is_one_more_column_of_zero_one_loss(n, cost):
    loss = abstain(n, cost=cost)
    assert loss.predictions == (*range(n), "abstain")
    assert loss.column(n) == (cost,) * n
    assert loss.restrict(predictions=range(n)) == zero_one(n)
    assert abstain(n) == abstain(n, 0.5)


@given(st.integers(2, 5), st.fractions(0, 1).filter(bool), st.data())
def test_one_abstains_where_no_label_is_likely_enough(n, cost, data):
    weights = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any))
    p = [F(weight, sum(weights)) for weight in weights]
    assert (n in abstain(n, cost).optimal_predictions(p)) == (max(p) <= 1 - cost)


@given(st.fractions(0, 1).filter(lambda c: 0 < c < 1), st.fractions(0, 1))
def test_one_predicts_the_second_label_from_probability_c_on(c, probability):
    optimal = cost_sensitive_binary(c).optimal_predictions([1 - probability, probability])
    assert (1 in optimal) == (probability >= c)
    assert (0 in optimal) == (probability <= c)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (4, 1), (4, 2), (5, 3), (6, 5)])
def test_top_k_loss_asks_whether_the_label_is_among_the_named(n, k):
    loss = top_k(n, k)
    subsets = list(combinations(range(n), k))
    assert loss.predictions == tuple("{" + ",".join(map(str, subset)) + "}" for subset in subsets)
    assert loss.entries == tuple(tuple(F(y not in subset) for subset in subsets) for y in range(n))
    p = [F(2 ** (n - y), 2 ** (n + 1) - 2) for y in range(n)]
    assert loss.bayes_risk(p) == sum(p[k:])


# Parameters that make no sense.


@pytest.mark.parametrize(
    ("family", "parameters", "what"),
    [
        (zero_one, {"n": 1}, "n is 1; it must be at least 2"),
        (zero_one, {"n": -3}, "n is -3; it must be at least 2"),
        (zero_one, {"n": "x"}, "n is 'x'; it must be a whole number, at least 2"),
        (zero_one, {"n": "3"}, "n is '3'; it must be a whole number"),
        (zero_one, {"n": 2.5}, "n is 2.5; it must be a whole number"),
        (zero_one, {"n": 3.0}, "n is 3.0; it must be a whole number"),
        (zero_one, {"n": True}, "n is True; it must be a whole number"),
        (zero_one, {"n": None}, "n is None; it must be a whole number"),
        (zero_one, {"n": 10_000}, "zero_one would have 10,000 × 10,000 entries, more than 30,000,000"),
        (zero_one, {"n": 10**9}, "n is 1,000,000,000; choose at most 100,000"),
        (zero_one, {"n": 10**5000}, "n is about 10^5000; choose at most 100,000"),
        (zero_one, {"n": -(10**5000)}, "n is about -10^5000; it must be at least 2"),
        (ordinal, {"n": 3, "power": 0}, "power is 0; it must be at least 1"),
        (ordinal, {"n": 3, "power": 0.5}, "power is 0.5; it must be a whole number"),
        (ordinal, {"n": 3, "power": 2000}, "power is 2000; choose at most 1,000"),
        (ordinal, {"n": 1}, "n is 1"),
        (hamming, {"r": 0}, "r is 0; it must be at least 1"),
        (hamming, {"r": 40}, "hamming would have 1,099,511,627,776 × 1,099,511,627,776 entries"),
        (hamming, {"r": np.int64(64)}, "hamming would have about 10^19 × about 10^19 entries"),
        (hamming, {"r": 20_000}, "hamming would have about 10^6020 × about 10^6020 entries"),
        (hamming, {"r": 10**12}, "r is 1,000,000,000,000; choose at most 100,000"),
        (abstain, {"n": 1}, "n is 1"),
        (abstain, {"n": 3, "cost": -1}, "the cost of abstaining is -1; it must be at least 0"),
        (abstain, {"n": 3, "cost": "abc"}, "the cost of abstaining is 'abc', which is not a number"),
        (cost_sensitive_binary, {"c": 0}, "c is 0; it must be strictly between 0 and 1"),
        (cost_sensitive_binary, {"c": 1}, "c is 1; it must be strictly between 0 and 1"),
        (cost_sensitive_binary, {"c": "3/2"}, "c is 3/2; it must be strictly between 0 and 1"),
        (cost_sensitive_binary, {"c": "abc"}, "c is 'abc', which is not a number; write 3, 0.25 or 1/3"),
        (cost_sensitive_binary, {"c": float("nan")}, "c is nan"),
        (top_k, {"n": 3, "k": 3}, "k is 3; it must be less than n = 3"),
        (top_k, {"n": 3, "k": 0}, "k is 0; it must be at least 1"),
        (top_k, {"n": 1, "k": 1}, "n is 1; it must be at least 2"),
        (top_k, {"n": 100, "k": 50}, "top_k would have 100 × about 10^29 entries"),
        (hierarchical, {"tree": 3}, "3 is no tree"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_a_parameter_that_makes_no_sense_is_refused(family, parameters, what):
    assert what in refusal(family, **parameters)


def test_a_missing_or_unknown_parameter_is_a_mistake_in_the_program():
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        zero_one()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'m'"):
        zero_one(3, m=3)  # type: ignore[call-arg]
