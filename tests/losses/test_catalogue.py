"""What every family of losses promises, and the closed form of each."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal

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
    assert hamming(np.uint8(8)) == hamming(8)  # 2^8 does not fit in one byte
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
    ("family", "parameters", "quotes"),
    [
        (zero_one, {"n": 1}, ("n", "1", "2")),
        (zero_one, {"n": -3}, ("n", "-3", "2")),
        (zero_one, {"n": "x"}, ("n", "'x'", "2")),
        (zero_one, {"n": "3"}, ("n", "'3'")),
        (zero_one, {"n": 2.5}, ("n", "2.5")),
        (zero_one, {"n": 3.0}, ("n", "3.0")),
        (zero_one, {"n": True}, ("n", "True")),
        (zero_one, {"n": None}, ("n", "None")),
        (zero_one, {"n": 10_000}, ("zero_one", "10,000", "30,000,000")),
        (zero_one, {"n": 10**9}, ("n", "1,000,000,000", "100,000")),
        (zero_one, {"n": 10**5000}, ("n", "10^5000", "100,000")),
        (zero_one, {"n": -(10**5000)}, ("n", "-10^5000", "2")),
        (ordinal, {"n": 3, "power": 0}, ("power", "0", "1")),
        (ordinal, {"n": 3, "power": 0.5}, ("power", "0.5")),
        (ordinal, {"n": 3, "power": 2000}, ("power", "2000", "1,000")),
        (ordinal, {"n": 1}, ("n", "1")),
        (hamming, {"r": 0}, ("r", "0", "1")),
        (hamming, {"r": 40}, ("1,099,511,627,776",)),
        (hamming, {"r": np.int64(64)}, ("10^19",)),
        (hamming, {"r": 20_000}, ("10^6020",)),
        (hamming, {"r": 10**12}, ("r", "1,000,000,000,000", "100,000")),
        (abstain, {"n": 1}, ("n", "1")),
        (abstain, {"n": 3, "cost": -1}, ("-1", "0")),
        (abstain, {"n": 3, "cost": "abc"}, ("'abc'",)),
        (cost_sensitive_binary, {"c": 0}, ("c", "0", "1")),
        (cost_sensitive_binary, {"c": 1}, ("c", "1", "0")),
        (cost_sensitive_binary, {"c": "3/2"}, ("c", "3/2", "0", "1")),
        (cost_sensitive_binary, {"c": "abc"}, ("c", "'abc'", "3", "0.25", "1/3")),
        (cost_sensitive_binary, {"c": float("nan")}, ("c", "nan")),
        (top_k, {"n": 3, "k": 3}, ("k", "3")),
        (top_k, {"n": 3, "k": 0}, ("k", "0", "1")),
        (top_k, {"n": 1, "k": 1}, ("n", "1", "2")),
        (top_k, {"n": 100, "k": 50}, ("top_k", "100", "10^29")),
        (hierarchical, {"tree": 3}, ("3",)),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_a_parameter_that_makes_no_sense_is_refused(family, parameters, quotes):
    assert_quotes(refusal(family, **parameters), *quotes)


def test_a_missing_or_unknown_parameter_is_a_mistake_in_the_program():
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        zero_one()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="'m'"):
        zero_one(3, m=3)  # type: ignore[call-arg]
