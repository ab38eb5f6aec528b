"""Values of the ranking losses against their definitions, other libraries and each other."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from random import Random

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from ranking_definitions import (
    absolute_differences,
    all_dags,
    cumulative_gain,
    dags,
    dcg_loss,
    disagreement,
    discounts_of,
    first_to_last,
    inversions,
    map_loss,
    ndcg_loss,
    place,
    precision_loss,
    rankings,
    reciprocal_rank_loss,
    relevances,
    squared_differences,
)
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

import lossmith as lm
from lossmith.losses import (
    RANKING,
    dcg,
    expected_reciprocal_rank,
    kendall_tau,
    mean_average_precision,
    ndcg,
    pairwise_disagreement,
    precision_at,
    spearman_footrule,
    spearman_rho,
)
from lossmith.losses.ranking.graphs import Graphs, count_graphs, graphs_of
from surrogates.quotation import quotes

F = Fraction
KINDS = ("all DAGs", "single edges", "tournaments", "total orders")
QUICK = (1, F(1, 2), F(1, 4), F(1, 8), F(1, 16))


def factored_examples():
    """Factored losses of every family and kind that are small enough to be written down in a moment."""
    yield from (ndcg(r) for r in (2, 3, 4))
    yield ndcg(3, levels=3, discount=[1, "1/2", "1/4"], gain=[0, 1, 5])
    yield ndcg(3, discount=[0, 1, 1])
    yield ndcg(3, gain=[1, 2])
    yield from (dcg(3), dcg(2, levels=4, discount=[1, 2]))
    yield from (precision_at(q, r) for r in (2, 3, 5) for q in range(1, r))
    yield from (mean_average_precision(r) for r in (2, 3, 4))
    yield from (pairwise_disagreement(r, kind) for r in (2, 3) for kind in KINDS)
    yield pairwise_disagreement(4, "tournaments")
    yield pairwise_disagreement(3, [[(0, 1)], [(1, 0), (1, 2)], [], [(2, 0)]])


EXAMPLES = [pytest.param(loss, id=f"{i} {loss.name}") for i, loss in enumerate(factored_examples())]


# Graphs.


@pytest.mark.parametrize(
    ("r", "number"), [(2, 3), (3, 25), (4, 543), pytest.param(5, 29281, marks=pytest.mark.exhaustive)]
)
def test_as_many_dags_as_are_known(r, number):
    assert count_graphs(Graphs.ALL_DAGS, r) == number
    graphs = list(graphs_of(Graphs.ALL_DAGS, r))
    assert len(graphs) == len({frozenset(graph) for graph in graphs}) == number
    assert pairwise_disagreement(r).n == number


def test_the_numbers_of_dags_are_those_of_the_encyclopedia_of_integer_sequences():
    known = [3, 25, 543, 29281, 3781503, 1138779265, 783702329343]  # A003024
    assert [count_graphs(Graphs.ALL_DAGS, r) for r in range(2, 9)] == known


@pytest.mark.parametrize("r", [2, 3, 4])
def test_dags_are_the_sets_of_edges_that_agree_with_an_order(r):
    assert {frozenset(graph) for graph in graphs_of(Graphs.ALL_DAGS, r)} == set(all_dags(r))


@pytest.mark.parametrize("r", [2, 3, 4])
def test_the_other_kinds_of_graphs(r):
    pairs = list(permutations(range(r), 2))
    listed = {kind: [frozenset(graph) for graph in graphs_of(Graphs(kind), r)] for kind in KINDS}
    assert set(listed["single edges"]) == {frozenset({edge}) for edge in pairs}
    complete = [
        frozenset(edges)
        for edges in combinations(pairs, math.comb(r, 2))
        if len({frozenset(edge) for edge in edges}) == math.comb(r, 2)
    ]
    assert set(listed["tournaments"]) == set(complete)
    assert set(listed["total orders"]) == set(complete) & set(all_dags(r))
    assert len(listed["total orders"]) == math.factorial(r)
    for kind in KINDS:
        assert (
            len(listed[kind])
            == len(set(listed[kind]))
            == count_graphs(Graphs(kind), r)
            == pairwise_disagreement(r, kind).n
        )


# Values against the definitions.


@given(st.data(), st.integers(2, 12), st.integers(2, 4))
def test_ndcg_and_dcg_are_as_defined(data, r, levels):
    y, sigma = data.draw(relevances(r, levels)), data.draw(rankings(r))
    discount = data.draw(discounts_of(r))
    gain = [2**level - 1 for level in range(levels)]
    assert ndcg(r, levels, discount).loss(y, sigma) == ndcg_loss(y, sigma, discount, gain)
    assert dcg(r, levels, discount).loss(y, sigma) == dcg_loss(y, sigma, discount, gain)


@given(st.data(), st.integers(2, 6), st.integers(2, 4))
def test_gains_and_discounts_may_be_lists_or_functions(data, r, levels):
    y, sigma = data.draw(relevances(r, levels)), data.draw(rankings(r))
    gain = sorted(data.draw(st.lists(st.fractions(0, 5, max_denominator=4), min_size=levels, max_size=levels)))
    assume(gain[0] < gain[-1])
    discount = [F(1, j) for j in range(1, r + 1)]
    expected = ndcg_loss(y, sigma, discount, gain)
    assert ndcg(r, levels, discount, gain).loss(y, sigma) == expected
    assert ndcg(r, levels, lambda j: F(1, j), lambda level: gain[level]).loss(y, sigma) == expected
    assert ndcg(r, levels, tuple(map(str, discount)), list(map(str, gain))).loss(y, sigma) == expected


@given(st.data(), st.integers(2, 12))
def test_map_is_as_defined(data, r):
    y, sigma = data.draw(relevances(r).filter(any)), data.draw(rankings(r))
    assert mean_average_precision(r).loss(y, sigma) == map_loss(y, sigma)


@given(st.data(), st.integers(2, 12))
def test_precision_is_as_defined(data, r):
    q = data.draw(st.integers(1, r - 1))
    y, shown = data.draw(relevances(r)), data.draw(rankings(r))[:q]
    for given_as in (tuple, list, set, frozenset):
        assert precision_at(q, r).loss(y, given_as(shown)) == precision_loss(y, shown, q)


@given(st.data(), st.integers(2, 12))
def test_pairwise_disagreement_is_as_defined(data, r):
    graph, sigma = data.draw(dags(r)), data.draw(rankings(r))
    edges = data.draw(st.permutations(sorted(graph)))
    assert pairwise_disagreement(r).loss(edges, sigma) == disagreement(graph, sigma)
    other = data.draw(rankings(r))
    order = frozenset((i, j) for i, j in permutations(range(r), 2) if other[i] < other[j])
    for kind in ("tournaments", "total orders", "all DAGs"):
        assert (
            pairwise_disagreement(r, kind).loss(order, sigma) == disagreement(order, sigma) == inversions(other, sigma)
        )


@given(st.data(), st.integers(3, 8))
def test_a_tournament_may_have_cycles(data, r):
    sigma = data.draw(rankings(r))
    graph = [(i, j) if data.draw(st.booleans()) else (j, i) for i, j in combinations(range(r), 2)]
    assert pairwise_disagreement(r, "tournaments").loss(graph, sigma) == disagreement(graph, sigma)


@pytest.mark.parametrize(("r", "levels"), [(2, 2), (3, 2), (4, 2), (2, 4), (3, 3)])
def test_expected_reciprocal_rank_is_as_defined(r, levels):
    loss = expected_reciprocal_rank(r, levels)
    labels, orders = list(product(range(levels), repeat=r)), list(permutations(range(r)))
    assert loss.labels == tuple("".join(map(str, y)) for y in labels)
    assert loss.predictions == tuple(map(first_to_last, orders))
    assert loss.entries == tuple(tuple(reciprocal_rank_loss(y, s, levels) for s in orders) for y in labels)


@pytest.mark.parametrize("r", [2, 3, 4])
@pytest.mark.parametrize(
    ("family", "distance"),
    [(kendall_tau, inversions), (spearman_rho, squared_differences), (spearman_footrule, absolute_differences)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_distances_of_rankings_are_as_defined(family, distance, r):
    loss, orders = family(r), list(permutations(range(r)))
    assert loss.labels == loss.predictions == tuple(map(first_to_last, orders))
    assert loss.entries == tuple(tuple(F(distance(pi, sigma)) for sigma in orders) for pi in orders)


# The algebra of the paper.


@given(st.data(), st.integers(2, 10))
def test_the_four_lines_of_map_are_the_same(data, r):
    y, sigma = data.draw(relevances(r).filter(any)), data.draw(rankings(r))
    document = {place(sigma, i): i for i in range(r)}
    by_places = sum((F(y[document[i]] * y[document[j]], i) for i in range(1, r + 1) for j in range(1, i + 1)), F(0))
    by_pairs = sum(
        (F(y[i] * y[j], max(place(sigma, i), place(sigma, j))) for i in range(r) for j in range(i + 1)), F(0)
    )
    assert map_loss(y, sigma) == 1 - by_places / sum(y) == 1 - by_pairs / sum(y)
    offset, scale, a = mean_average_precision(r).row(y)
    assert (offset, scale) == (1, F(1, sum(y)))
    assert a == tuple(y[i] * y[j] for i, j in combinations_with_replacement(range(r), 2))


@given(st.data(), st.integers(2, 10))
def test_the_rewriting_of_pairwise_disagreement(data, r):
    graph, sigma = data.draw(dags(r)), data.draw(rankings(r))
    behind = {(i, j): int(place(sigma, i) > place(sigma, j)) for i in range(r) for j in range(i)}
    last_line = sum((((i, j) in graph) - ((j, i) in graph)) * behind[i, j] for i, j in behind)
    from_the_graph = sum((j, i) in graph for i, j in behind)
    assert last_line + from_the_graph == disagreement(graph, sigma)
    loss = pairwise_disagreement(r)
    offset, scale, a = loss.row(loss.label(graph))
    assert (offset, scale) == (from_the_graph, 1)
    assert sum(x * b for x, b in zip(a, loss.factors(sigma), strict=True)) == last_line


# Other libraries. Theirs are floats.


@given(st.data(), st.integers(2, 12), st.integers(2, 4))
def test_ndcg_and_dcg_agree_with_scikit_learn(data, r, levels):
    y, sigma = data.draw(relevances(r, levels)), data.draw(rankings(r))
    gains, scores = [[2**level - 1 for level in y]], [[-position for position in sigma]]
    assert float(ndcg(r, levels).loss(y, sigma)) == pytest.approx(1 - ndcg_score(gains, scores), abs=1e-12)
    best = dcg_score(gains, gains)
    assert float(dcg(r, levels).loss(y, sigma)) == pytest.approx(best - dcg_score(gains, scores), abs=1e-9)


@given(st.data(), st.integers(2, 10), st.integers(1, 9))
def test_ndcg_at_k_of_scikit_learn_has_zero_discounts(data, r, k):
    assume(k < r)
    y, sigma = data.draw(relevances(r, 3)), data.draw(rankings(r))
    gains, scores = [[2**level - 1 for level in y]], [[-position for position in sigma]]
    cut = ndcg(r, 3, lambda j: 1 / math.log2(j + 1) if j <= k else 0)
    assert float(cut.loss(y, sigma)) == pytest.approx(1 - ndcg_score(gains, scores, k=k), abs=1e-9)


@given(st.data(), st.integers(2, 12))
def test_map_agrees_with_scikit_learn(data, r):
    y, sigma = data.draw(relevances(r).filter(any)), data.draw(rankings(r))
    theirs = average_precision_score(y, [-position for position in sigma])
    assert float(mean_average_precision(r).loss(y, sigma)) == pytest.approx(1 - theirs, abs=1e-12)


@pytest.mark.parametrize("r", [3, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_kendall_and_spearman_agree_with_scipy(r):
    orders = list(permutations(range(r)))
    tau, rho = kendall_tau(r).entries, spearman_rho(r).entries
    for (y, pi), (t, sigma) in product(enumerate(orders), repeat=2):
        by_tau = (1 - scipy.stats.kendalltau(pi, sigma).statistic) * r * (r - 1) / 4
        by_rho = (1 - scipy.stats.spearmanr(pi, sigma).statistic) * r * (r**2 - 1) / 6
        assert float(tau[y][t]) == pytest.approx(by_tau, abs=1e-9)
        assert float(rho[y][t]) == pytest.approx(by_rho, abs=1e-9)


# Each other.


@pytest.mark.parametrize("r", [2, 3, 4])
def test_kendall_tau_is_pairwise_disagreement_on_total_orders(r):
    by_graphs, tau = pairwise_disagreement(r, "total orders").matrix(), kendall_tau(r)
    assert by_graphs.predictions == tau.predictions
    assert set(by_graphs.labels) == set(tau.labels)
    for y, label in enumerate(by_graphs.labels):
        assert by_graphs.entries[y] == tau.entries[tau.labels.index(label)]


@given(st.data(), st.integers(2, 8))
def test_precision_is_dcg_with_discounts_of_one_and_zero(data, r):
    q = data.draw(st.integers(1, r - 1))
    y, sigma = data.draw(relevances(r)), data.draw(rankings(r))
    cut = dcg(r, discount=[1] * q + [0] * (r - q))
    shown = [i for i in range(r) if sigma[i] < q]
    gained = cumulative_gain(y, sigma, [1] * q + [0] * (r - q), [0, 1])
    assert precision_at(q, r).loss(y, shown) == 1 - gained / q
    assert cut.loss(y, sigma) == min(q, sum(y)) - gained


@pytest.mark.parametrize("loss", EXAMPLES)
def test_the_matrix_holds_the_losses_in_the_order_of_labels_and_predictions(loss):
    matrix, labels, predictions = loss.matrix(), list(loss.each_label()), list(loss.each_prediction())
    assert (matrix.n, matrix.k) == (loss.n, loss.k) == (len(labels), len(predictions))
    assert matrix.name == loss.name
    assert len(set(matrix.labels)) == loss.n
    assert len(set(matrix.predictions)) == loss.k
    assert matrix.entries == tuple(tuple(loss.loss(y, t) for t in predictions) for y in labels)
    assert all(entry >= 0 for row in matrix.entries for entry in row)


@pytest.mark.parametrize("loss", EXAMPLES)
def test_for_every_label_the_best_ranking_costs_nothing_or_nothing_is_to_choose(loss):
    """A tournament with cycles contradicts every ranking; precision at q wants q relevant documents."""
    for y, row in zip(loss.each_label(), loss.matrix().entries, strict=True):
        if loss.family in ("ndcg", "dcg", "mean_average_precision"):
            assert min(row) == 0 or len(set(row)) == 1
        elif loss.family == "precision_at":
            assert min(row) == 1 - F(min(sum(y), loss.q), loss.q)
        elif loss.graphs != "tournaments":
            assert min(row) == 0


@pytest.mark.parametrize("loss", EXAMPLES)
def test_risks_agree_with_the_losses(loss):
    random = Random(0)
    labels, predictions = list(loss.each_label()), list(loss.each_prediction())
    for _ in range(4):
        chosen = random.sample(range(loss.n), min(loss.n, 4))
        weights = [random.randint(1, 9) for _ in chosen]
        possible = {labels[y]: F(weight, sum(weights)) for y, weight in zip(chosen, weights, strict=True)}
        p = [possible.get(y, F(0)) for y in labels]
        expected = tuple(sum(p_y * loss.loss(y, t) for y, p_y in possible.items()) for t in predictions)
        assert loss.risk(p) == loss.risk(possible) == loss.matrix().risk(p) == expected
        t = random.randrange(loss.k)
        assert loss.risk(p, predictions[t]) == loss.risk(possible, predictions[t]) == expected[t]
        offset, x = loss.mean(possible)
        assert offset + sum(a * b for a, b in zip(x, loss.factors(predictions[t]), strict=True)) == expected[t]


# Names.


def test_names_and_their_order():
    assert ndcg(2, 3).matrix().labels == ("00", "01", "02", "10", "11", "12", "20", "21", "22")
    assert ndcg(3).matrix().predictions == ("0>1>2", "0>2>1", "1>0>2", "2>0>1", "1>2>0", "2>1>0")
    assert mean_average_precision(2).matrix().labels == ("01", "10", "11")
    assert precision_at(2, 3).matrix().predictions == ("{0,1}", "{0,2}", "{1,2}")
    assert set(pairwise_disagreement(2).matrix().labels) == {"no edges", "0>1", "1>0"}
    assert pairwise_disagreement(3, [[(2, 1), (0, 1)], []]).matrix().labels == ("0>1 2>1", "no edges")
    assert ndcg(2, 12, gain=range(12)).label_name((11, 3)) == "11 3"


@pytest.mark.parametrize("loss", EXAMPLES)
def test_rankings_are_named_first_to_last(loss):
    if loss.family == "precision_at":
        return
    for sigma in loss.each_prediction():
        assert loss.prediction_name(sigma) == first_to_last(sigma)


def test_in_print():
    for loss, numbers in (
        (mean_average_precision(40), ("1,099,511,627,775", "10^47", "820")),
        (pairwise_disagreement(3, "total orders"), ("6", "6", "3")),
        (ndcg(200), ("200",)),
    ):
        assert quotes(repr(loss), loss.name, *numbers)


# Objects.


@pytest.mark.parametrize("loss", EXAMPLES)
def test_losses_can_be_pickled_compared_and_hashed(loss):
    loss.span, loss.equalizer, loss.constants  # noqa: B018  what is kept must not stand in the way
    copy = pickle.loads(pickle.dumps(loss))
    assert copy == loss
    assert hash(copy) == hash(loss)
    assert copy.matrix() == loss.matrix()
    assert len({loss, copy}) == 1


def test_different_losses_are_different():
    different = [
        ndcg(3),
        ndcg(3, 3),
        ndcg(3, discount=QUICK[:3]),
        ndcg(3, gain=[0, 2]),
        dcg(3),
        mean_average_precision(3),
        precision_at(1, 3),
        precision_at(2, 3),
        *(pairwise_disagreement(3, kind) for kind in KINDS),
        pairwise_disagreement(3, [[(0, 1)], [(1, 0)]]),
        pairwise_disagreement(3, [[(0, 1)], [(1, 2)]]),
    ]
    assert len(set(different)) == len(different)


@pytest.mark.parametrize("family", RANKING, ids=lambda family: family.name)
def test_a_family_has_small_instances_whose_size_is_known_beforehand(family):
    for small in family.small:
        loss = family(**small)
        assert family.size(**small) == (loss.n, loss.k)
        assert loss.name.startswith(f"{family.name}(")
    assert getattr(lm.losses, family.name) is family


def test_sizes_from_numpy_are_sizes():
    assert ndcg(np.int8(3), np.int64(3)) == ndcg(3, 3)
    assert mean_average_precision(np.uint8(20)).n == 2**20 - 1
    assert precision_at(np.int16(2), np.int8(100)).k == math.comb(100, 2)
    assert kendall_tau(np.int64(3)) == kendall_tau(3)
    assert mean_average_precision(3).loss(np.array([1, 0, 1]), np.array([0, 1, 2])) == F(1, 6)
    assert pairwise_disagreement(3).loss(np.array([[0, 1], [2, 1]]), np.array([0, 1, 2])) == 1
