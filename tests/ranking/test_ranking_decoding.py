"""From scores to rankings: the exact ways against brute force, the local search against the exact ways."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranking_definitions import discounts_of, place, refused

from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at
from lossmith.losses.ranking.decoding import local_search, lower_bound, moves, over_sets

F = Fraction
# Integers, and gaps between different values of at least 1/lcm(1, …, 7): rounding cannot change which is least.
scores = st.integers(-9, 9)


def map_value(x, sigma) -> Fraction:
    """−Σ_{i ≤ j} x_ij / max(σ(i), σ(j))."""
    pairs = combinations_with_replacement(range(len(sigma)), 2)
    return -sum((F(int(v), max(place(sigma, i), place(sigma, j))) for v, (i, j) in zip(x, pairs, strict=True)), F(0))


def pd_value(x, sigma) -> int:
    """Σ x_ij over the pairs j < i with i behind j."""
    pairs = combinations(range(len(sigma)), 2)
    return sum(int(v) for v, (j, i) in zip(x, pairs, strict=True) if place(sigma, i) > place(sigma, j))


def gain_value(x, sigma, discount) -> Fraction:
    return -sum((F(int(v)) * discount[place(sigma, i) - 1] for i, v in enumerate(x)), F(0))


def is_ranking(sigma, r: int) -> bool:
    return sorted(int(position) for position in sigma) == list(range(r))


# Dynamic programming.


@given(st.data(), st.integers(2, 6))
def test_pairwise_disagreement_is_decoded_exactly(data, r):
    x = data.draw(st.lists(scores, min_size=math.comb(r, 2), max_size=math.comb(r, 2)))
    found = pairwise_disagreement(r).decode(x)
    assert (found.method, found.exact) == ("dynamic programming", True)
    assert is_ranking(found.predictions, r)
    least = min(pd_value(x, sigma) for sigma in permutations(range(r)))
    assert pd_value(x, found.predictions) == found.values == found.bounds == least


@given(st.data(), st.integers(2, 5))
def test_map_is_decoded_exactly(data, r):
    x = data.draw(st.lists(scores, min_size=math.comb(r + 1, 2), max_size=math.comb(r + 1, 2)))
    found = mean_average_precision(r).decode(x)
    assert (found.method, found.exact) == ("dynamic programming", True)
    assert is_ranking(found.predictions, r)
    least = min(map_value(x, sigma) for sigma in permutations(range(r)))
    assert map_value(x, found.predictions) == least
    assert found.values == found.bounds == pytest.approx(float(least), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_dynamic_programming_with_seven_documents(family, seed):
    loss = family(7)
    orders = np.array(list(permutations(range(7))))
    x = np.random.default_rng(seed).integers(-20, 21, loss.m)
    pairs = list(
        combinations(range(7), 2) if family is pairwise_disagreement else combinations_with_replacement(range(7), 2)
    )
    first, second = orders[:, [i for i, _ in pairs]], orders[:, [j for _, j in pairs]]
    columns = second > first if family is pairwise_disagreement else -(420 // (np.maximum(first, second) + 1))
    exact = columns.astype(int) @ x  # MAP: times 420 = lcm(1, …, 7)
    found = loss.decode(x)
    value = (
        map_value(x, found.predictions) * 420 if family is mean_average_precision else pd_value(x, found.predictions)
    )
    assert value == exact.min()


def test_dynamic_programming_decodes_an_order_that_everyone_agrees_on():
    """With x = −(i is behind j in the order) the order itself is best, at any size up to 16."""
    random = np.random.default_rng(0)
    for r in range(2, 17):
        order = random.permutation(r)
        x = [-1 if order[i] > order[j] else 1 for j, i in combinations(range(r), 2)]
        found = pairwise_disagreement(r).decode(x)
        assert found.exact
        assert found.predictions.tolist() == order.tolist()
        assert found.values == -sum(each < 0 for each in x)


@given(st.data(), st.integers(2, 16))
def test_map_with_scores_of_single_documents_sorts(data, r):
    own = data.draw(st.lists(st.integers(-50, 50), min_size=r, max_size=r, unique=True))
    x = [own[i] if i == j else 0 for i, j in combinations_with_replacement(range(r), 2)]
    found = mean_average_precision(r).decode(x)
    assert [own[i] for i in np.argsort(found.predictions)] == sorted(own, reverse=True)


@given(st.integers(2, 5), st.integers(1, 4), st.data())
def test_many_rows_are_decoded_one_by_one(r, queries, data):
    for loss in (
        mean_average_precision(r),
        pairwise_disagreement(r),
        ndcg(r, discount=lambda j: F(1, j)),
        precision_at(1, r),
    ):
        x = data.draw(st.lists(st.lists(scores, min_size=loss.m, max_size=loss.m), min_size=queries, max_size=queries))
        together, alone = loss.decode(x), [loss.decode(row) for row in x]
        assert together.predictions.tolist() == [each.predictions.tolist() for each in alone]
        assert together.values.tolist() == [each.values for each in alone]
        assert together.bounds.shape == (queries,)
        assert f"{queries} queries" in repr(together)
        assert "one query" in repr(alone[0])


def test_no_queries_are_decoded_to_no_rankings():
    for loss in (mean_average_precision(3), pairwise_disagreement(20), ndcg(3), precision_at(2, 3)):
        found = loss.decode(np.zeros((0, loss.m)))
        assert len(found.predictions) == len(found.values) == len(found.bounds) == 0


# Sorting.


@given(st.data(), st.integers(2, 6))
def test_discounted_gains_are_decoded_by_sorting(data, r):
    x = data.draw(st.lists(scores, min_size=r, max_size=r))
    discount = data.draw(discounts_of(r))
    for family in (ndcg, dcg):
        found = family(r, discount=discount).decode(x)
        assert (found.method, found.exact) == ("sorting", True)
        assert is_ranking(found.predictions, r)
        least = min(gain_value(x, sigma, discount) for sigma in permutations(range(r)))
        assert gain_value(x, found.predictions, discount) == least
        assert found.values == found.bounds == pytest.approx(float(least), abs=1e-9)


@pytest.mark.parametrize("discount", [[1, 2, 3, 4], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 1], [5, 5, 1, 1]])
def test_increasing_tied_and_zero_discounts(discount):
    random = np.random.default_rng(1)
    for _ in range(30):
        x = random.integers(-5, 6, 4)
        found = ndcg(4, discount=discount).decode(x)
        least = min(gain_value(x, sigma, discount) for sigma in permutations(range(4)))
        assert gain_value(x, found.predictions, discount) == least


@given(st.data(), st.integers(2, 7))
def test_precision_shows_the_largest(data, r):
    q = data.draw(st.integers(1, r - 1))
    x = data.draw(st.lists(scores, min_size=r, max_size=r))
    found = precision_at(q, r).decode(x)
    assert (found.method, found.exact) == ("sorting", True)
    shown = found.predictions.tolist()
    assert shown == sorted(set(shown))
    assert len(shown) == q
    assert (
        -sum(x[i] for i in shown) == found.values == min(-sum(x[i] for i in each) for each in combinations(range(r), q))
    )


def test_a_decoded_prediction_is_a_prediction():
    for loss in (ndcg(4), mean_average_precision(4), pairwise_disagreement(4), precision_at(2, 4)):
        found = loss.decode(np.arange(float(loss.m)))
        assert loss.prediction(found.predictions) in set(loss.each_prediction())
        assert loss.risk(loss.equalizer, found.predictions) == loss.risk(loss.equalizer)[0]


def test_ties_are_broken_the_same_way_each_time():
    for loss in (
        ndcg(5),
        mean_average_precision(5),
        pairwise_disagreement(5),
        precision_at(2, 5),
        mean_average_precision(18),
    ):
        first, second = loss.decode(np.zeros(loss.m)), loss.decode(np.zeros((3, loss.m)))
        assert all(row.tolist() == first.predictions.tolist() for row in second.predictions)
        assert first.values == 0


# Local search.


def instance(kind: str, r: int, seed: int):
    """Integer costs: own, pair (paid if i comes before j) and weights of positions."""
    random = np.random.default_rng([seed, r])
    pair = random.integers(-9, 10, (r, r)).astype(float)
    if kind == "pd":
        return np.zeros(r), np.triu(pair, 1), np.ones(r)
    pair = np.triu(pair, 1) + np.triu(pair, 1).T
    scale = math.lcm(*range(1, r + 1))  # whole numbers as weights: all sums are exact
    return random.integers(-9, 10, r).astype(float), pair, np.array([float(scale // k) for k in range(1, r + 1)])


def cost(order, own, pair, weights) -> float:
    """By the definition: whoever stands at position k pays its own cost and for all before it."""
    total = 0.0
    for k, j in enumerate(order):
        total += weights[k] * (own[j] + sum(pair[i, j] for i in order[:k]))
    return total


@pytest.mark.parametrize("kind", ["pd", "map"])
@pytest.mark.parametrize("r", [2, 3, 5, 8])
def test_what_a_move_costs(kind, r):
    for seed in range(3):
        own, pair, weights = instance(kind, r, seed)
        order = [int(i) for i in np.random.default_rng(seed).permutation(r)]
        changes = moves(own[order], pair[np.ix_(order, order)], weights)
        start = cost(order, own, pair, weights)
        for a in range(r):
            for b in range(r):
                moved = order[:a] + order[a + 1 :]
                moved.insert(b, order[a])
                assert changes[a, b] == cost(moved, own, pair, weights) - start


@pytest.mark.parametrize("kind", ["pd", "map"])
@pytest.mark.parametrize("r", [2, 3, 4, 5, 6])
def test_dynamic_programming_over_sets_is_brute_force(kind, r):
    for seed in range(3):
        costs = instance(kind, r, seed)
        order, value = over_sets(*costs)
        assert cost(list(order), *costs) == value == min(cost(each, *costs) for each in permutations(range(r)))


def test_local_search_is_between_its_bound_and_often_at_the_optimum(capsys):
    counts = {}
    for kind in ("pd", "map"):
        for r in (2, 3, 5, 7, 9, 10, 11, 12):
            optimal = 0
            for seed in range(10):
                costs = instance(kind, r, seed)
                best = over_sets(*costs)[1]
                order, value = local_search(*costs)
                assert is_ranking(order, r)
                assert cost(list(order), *costs) == value >= best
                assert lower_bound(*costs) <= best
                assert (moves(own := costs[0][order], costs[1][np.ix_(order, order)], costs[2]) >= 0).all(), own
                optimal += value == best
            counts[kind, r] = optimal
    with capsys.disabled():
        shown = ", ".join(f"{kind} r={r}: {optimal}/10" for (kind, r), optimal in counts.items())
        print(f"\nlocal search optimal: {shown}")
    assert all(optimal >= 5 for optimal in counts.values())


@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_above_sixteen_documents_the_answer_says_that_it_is_heuristic(family):
    assert family(16).decode(np.ones(family(16).m)).exact
    loss = family(17)
    x = np.random.default_rng(0).integers(-9, 10, (2, loss.m))
    found = loss.decode(x)
    assert not found.exact
    assert "heuristic" in found.method
    assert "local search" in found.method
    assert "heuristic" in repr(found)
    for row, sigma, value, bound in zip(x, found.predictions, found.values, found.bounds, strict=True):
        assert is_ranking(sigma, 17)
        exact = map_value(row, sigma) if family is mean_average_precision else pd_value(row, sigma)
        assert value == pytest.approx(float(exact), abs=1e-9)
        assert bound <= value + 1e-9


@pytest.mark.parametrize("r", [17, 20, 30])
def test_local_search_finds_an_order_that_everyone_agrees_on(r):
    order = np.random.default_rng(r).permutation(r)
    x = [-1 if order[i] > order[j] else 1 for j, i in combinations(range(r), 2)]
    found = pairwise_disagreement(r).decode(x)
    assert found.predictions.tolist() == order.tolist()
    assert found.values == found.bounds, "here the bound is tight"


# Scores that mean nothing.


@pytest.mark.parametrize(
    "loss",
    [ndcg(3), precision_at(1, 3), mean_average_precision(3), pairwise_disagreement(3)],
    ids=lambda loss: loss.family,
)
def test_bad_scores_are_refused(loss):
    m = loss.m
    assert f"give {m} numbers per query" in refused(loss.decode, [1.0] * (m + 1))
    assert f"shape ({m - 1},)" in refused(loss.decode, [1.0] * (m - 1))
    assert "shape" in refused(loss.decode, np.zeros((2, 2, m)))
    assert "shape ()" in refused(loss.decode, 3.0)
    assert "not finite" in refused(loss.decode, [float("nan")] + [0.0] * (m - 1))
    assert "not finite" in refused(loss.decode, [[0.0] * m, [float("inf")] * m])
    assert "not numbers" in refused(loss.decode, ["a"] * m)
    assert "not numbers" in refused(loss.decode, [[0.0] * m, [0.0]])
    assert "shape ()" in refused(loss.decode, None)
    assert "not numbers" in refused(loss.decode, {"x": 1})
    assert "not" in refused(loss.decode, [1j] * m)
