"""From scores to rankings: the exact ways against brute force, the local search against the exact ways."""

from __future__ import annotations

import math
import tracemalloc
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations

import naive_local_search
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranking_definitions import discounts_of, place, refused

from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at
from lossmith.losses.ranking import decoding, local_search
from lossmith.losses.ranking.decoding import lower_bound, over_sets
from surrogates.quotation import quotes

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
        assert quotes(repr(together), str(queries))
        assert not quotes(repr(alone[0]), str(queries))


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


def several(kind: str, r: int, seeds):
    """Instances as one batch of queries."""
    own, pair, weights = zip(*(instance(kind, r, seed) for seed in seeds), strict=True)
    return np.array(own), np.array(pair), weights[0]


def tables(n: int, r: int):
    return np.empty(n * r * r, dtype=np.intp), np.empty(n * r * r), np.empty(n * r * r)


@pytest.mark.parametrize("kind", ["pd", "map"])
@pytest.mark.parametrize("r", [2, 3, 5, 8])
def test_what_a_move_costs(kind, r):
    """Documents move behind the one at b; those from further behind then stand at b + 1."""
    own, pair, weights = several(kind, r, range(3))
    orders = np.array([np.random.default_rng(seed).permutation(r) for seed in range(3)])
    costs = local_search.costs_of(own, pair, weights)
    _, passing = local_search.passing_costs(orders, np.arange(3), costs, tables(3, r))
    for q, order in enumerate(orders.tolist()):
        start = cost(order, own[q], pair[q], weights)
        for a in range(r):
            for b in range(-1, r):  # −1: to the front
                moved = order[:a] + order[a + 1 :]
                moved.insert(b if b >= a else b + 1, order[a])
                found = (passing[b, q, a] if b >= 0 else 0) - passing[a, q, a]
                assert found == cost(moved, own[q], pair[q], weights) - start


@pytest.mark.parametrize("kind", ["pd", "map"])
def test_moves_over_disjoint_stretches_are_made_together_and_add_up(kind):
    r, together = 12, 0
    own, pair, weights = several(kind, r, range(6))
    orders = np.array([np.random.default_rng(seed).permutation(r) for seed in range(6)])
    costs = local_search.costs_of(own, pair, weights)
    _, to, gains = local_search.best_moves(orders, np.arange(6), costs, tables(6, r))
    after = local_search.after_moves(to, gains)
    for q, order in enumerate(orders.tolist()):
        free, promised = set(range(r)), 0.0
        for a in sorted(range(r), key=lambda a: (gains[q, a], a)):
            stretch = set(range(min(a, to[q, a]), max(a, to[q, a]) + 1))
            if gains[q, a] < 0 and stretch <= free:
                free -= stretch
                promised += gains[q, a]
                together += 1
        moved = [order[k] for k in after[q]]
        costs_of_query = own[q], pair[q], weights
        assert cost(moved, *costs_of_query) - cost(order, *costs_of_query) == promised < 0
    assert together > 6, "more than one move per query"


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
            own, pair, weights = several(kind, r, range(10))
            optimal = 0
            for costs, order in zip(zip(own, pair), local_search.local_search(own, pair, weights), strict=True):
                best = over_sets(*costs, weights)[1]
                value = cost(order.tolist(), *costs, weights)
                assert is_ranking(order, r)
                assert lower_bound(*costs, weights) <= best <= value
                placed = costs[0][order], costs[1][np.ix_(order, order)], weights
                assert (naive_local_search.moves(*placed) >= 0).all(), "no move helps"
                optimal += value == best
            counts[kind, r] = optimal
    with capsys.disabled():
        shown = ", ".join(f"{kind} r={r}: {optimal}/10" for (kind, r), optimal in counts.items())
        print(f"\nlocal search optimal: {shown}")
    assert all(optimal >= 5 for optimal in counts.values())


def drawn(kind: str, family, r: int, random):
    """Scores x: at random, means of labels, these with noise, of nearly sorted documents, or with many ties."""
    first, second = np.triu_indices(r, 1 if family is pairwise_disagreement else 0)
    if kind == "random":
        return random.normal(size=len(first))
    if kind == "tied":
        return random.integers(-1, 2, len(first)).astype(float)
    if family is pairwise_disagreement:
        if kind == "nearly sorted":
            place = random.permutation(r)
            return np.sign(place[first] - place[second]) * random.choice([1.0, -1.0], len(first), p=[0.9, 0.1])
        votes = random.normal(size=r) + 1.5 * random.gumbel(size=(25, r))  # orders after Plackett and Luce
        x = np.sign(votes[:, second] - votes[:, first]).mean(axis=0)
    else:
        if kind == "nearly sorted":
            return np.where(first == second, random.permutation(r)[first], random.normal(size=len(first)))
        relevant = random.random((60, r)) < random.beta(1, 3, size=(3, r))[random.integers(0, 3, 60)]
        relevant = relevant[relevant.any(axis=1)]
        x = (relevant[:, first] & relevant[:, second]) / relevant.sum(axis=1, keepdims=True)
        x = x.mean(axis=0)
    return x + 0.5 * x.std() * random.normal(size=len(x)) if kind == "noisy means" else x


KINDS = ("random", "means of labels", "noisy means", "nearly sorted", "tied")


def more_than_naive(family, kind: str, r: int, queries: int) -> list[float]:
    """By which part the values are larger than those of the naive twin; none is larger than that of the start."""
    loss, random = family(r), np.random.default_rng(r)
    weights = 1 / np.arange(1.0, r + 1) if family is mean_average_precision else np.ones(r)
    x = np.array([drawn(kind, family, r, random) for _ in range(queries)])
    own, pair = loss.pair_costs(x)
    starts = local_search.start_of(local_search.costs_of(own, pair, weights))
    more = []
    for *costs, start, value in zip(own, pair, starts, loss.decode(x).values, strict=True):
        assert value <= naive_local_search.value_of(start, *costs, weights) + 1e-9
        naive = naive_local_search.local_search(*costs, weights)[1]
        more.append((value - naive) / abs(naive))
    return more


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_local_search_is_on_average_no_worse_than_its_naive_twin_and_never_than_its_start(family):
    assert np.mean(more_than_naive(family, "random", 17, 60) + more_than_naive(family, "tied", 17, 60)) <= 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_local_search_is_on_average_no_worse_than_its_naive_twin_for_each_kind_of_scores(family, kind):
    more = more_than_naive(family, kind, 20, 100) + more_than_naive(family, kind, 40, 40)
    assert np.mean(more) <= 1e-12, "up to rounding"


@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_queries_above_sixteen_documents_are_decoded_the_same_way_alone_together_and_in_parts(family, monkeypatch):
    loss = family(19)
    x = np.random.default_rng(0).normal(size=(5, loss.m))
    together, alone = loss.decode(x), [loss.decode(row) for row in x]
    assert together.predictions.tolist() == [each.predictions.tolist() for each in alone]
    assert together.values.tolist() == [each.values for each in alone]
    monkeypatch.setattr(decoding, "TOGETHER", 2 * 19 * 19)
    monkeypatch.setattr(local_search, "BLOCK", 3 * 19 * 19)
    in_parts = loss.decode(x)
    assert in_parts.predictions.tolist() == together.predictions.tolist()
    assert in_parts.values.tolist() == together.values.tolist()
    assert in_parts.bounds.tolist() == together.bounds.tolist()


def test_memory_is_taken_for_some_queries_at_a_time(monkeypatch):
    r, loss = 60, pairwise_disagreement(60)
    monkeypatch.setattr(decoding, "TOGETHER", 4 * r * r)
    x, peaks = np.zeros((44, loss.m)), []
    for queries in (4, 44):
        tracemalloc.start()
        loss.decode(x[:queries])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    one_matrix = r * r * 8  # and threads of other tests may allocate meanwhile
    assert peaks[1] - peaks[0] < 10 * one_matrix, "40 queries more, but not 40 matrices at a time"


@pytest.mark.parametrize("family", [mean_average_precision, pairwise_disagreement], ids=lambda family: family.name)
def test_above_sixteen_documents_the_answer_says_that_it_is_heuristic(family):
    assert family(16).decode(np.ones(family(16).m)).exact
    loss = family(17)
    x = np.random.default_rng(0).integers(-9, 10, (2, loss.m))
    found = loss.decode(x)
    assert not found.exact
    assert found.method != family(16).decode(np.ones(family(16).m)).method
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
    for scores, shape in (
        ([1.0] * (m + 1), f"({m + 1},)"),
        ([1.0] * (m - 1), f"({m - 1},)"),
        (np.zeros((2, 2, m)), f"(2, 2, {m})"),
        (3.0, "()"),
        (None, "()"),
    ):
        assert quotes(refused(loss.decode, scores), shape, str(m))
    for scores in ([float("nan")] + [0.0] * (m - 1), [[0.0] * m, [float("inf")] * m]):  # not finite
        refused(loss.decode, scores)
    for scores in (["a"] * m, [[0.0] * m, [0.0]], {"x": 1}, [1j] * m):  # not numbers
        refused(loss.decode, scores)
