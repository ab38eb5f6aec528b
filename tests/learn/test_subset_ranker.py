"""The estimator that ranks documents: what it learns, how it decides, and what it says of scores and metrics."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.tree import DecisionTreeRegressor

import lossmith as lm
from lossmith.learn import SubsetRanker
from lossmith.learn.metrics import metric_named
from lossmith.learn.queries import starts_of

METRICS = ("ndcg", "map", "pd", "precision@2")
LOSSES = {
    "ndcg": lambda r: lm.losses.ndcg(r, levels=3),
    "map": lm.losses.mean_average_precision,
    "pd": lm.losses.pairwise_disagreement,
    "precision@2": lambda r: lm.losses.precision_at(2, r),
}


def data(seed=0, sizes=(5, 2, 1, 7, 3, 6, 4, 5), levels=2):
    """Queries of different lengths with noisy relevance; every query has a relevant document."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(sum(sizes), 3)).round(2)
    y = np.clip((X[:, 0] + random.normal(size=len(X))).round().astype(int), 0, levels - 1)
    y[starts_of(len(X), group=list(sizes))[:-1]] = levels - 1
    return X, y, np.repeat(np.arange(len(sizes)), sizes)


def label_of(metric, y):
    """Relevance as the loss of the metric takes it."""
    return [(i, j) for i in range(len(y)) for j in range(len(y)) if y[i] > y[j]] if metric == "pd" else tuple(y)


@pytest.mark.parametrize("metric", METRICS)
def test_the_value_of_a_ranking_is_one_less_its_loss(metric):
    loss, value = LOSSES[metric](4), metric_named(metric).value
    for y in [(1, 0, 0, 1), (0, 1, 0, 0), (1, 1, 1, 0), (0, 1, 1, 0)]:
        for positions in permutations(range(4)):
            shown = {i for i in range(4) if positions[i] < 2} if metric == "precision@2" else positions
            cost = float(loss.loss(label_of(metric, y), shown))
            label = np.array(label_of(metric, y))
            measured = value(label, np.array(positions))
            assert measured == pytest.approx(-cost if metric == "pd" else 1 - cost)


def test_ndcg_knows_grades():
    loss = LOSSES["ndcg"](3)
    for positions in permutations(range(3)):
        measured = metric_named("ndcg").value(np.array([2, 0, 1]), np.array(positions))
        assert measured == pytest.approx(1 - float(loss.loss((2, 0, 1), positions)))


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_learned_by_heart_is_ranked_as_well_as_can_be(metric):
    X, y, qid = data()
    model = SubsetRanker(metric, DecisionTreeRegressor(random_state=0)).fit(X, y, qid)
    best = {"precision@2": np.mean([min(y[qid == q].sum(), 2) / 2 for q in np.unique(qid)]), "pd": 0}

    assert model.score(X, y, qid) == pytest.approx(best.get(metric, 1))


@pytest.mark.parametrize("metric", METRICS)
def test_the_ranking_is_the_best_of_all_for_what_was_learned(metric):
    X, y, qid = data(1)
    model = SubsetRanker(metric, RandomForestRegressor(5, random_state=0)).fit(X, y, qid)
    new, _, _ = data(2, sizes=(4,))
    told = model.decision_function(new)
    loss = LOSSES[metric](4)
    if metric in ("map", "pd"):
        told = np.array([told[0][i, j] for i, j in loss.pairs])
    values = {t: float(np.dot(told, np.array(loss.factors(t), dtype=float))) for t in loss.each_prediction()}
    positions = tuple(model.predict(new).tolist())
    if metric == "precision@2":
        positions = tuple(i for i in range(4) if positions[i] < 2)

    assert values[positions] == pytest.approx(min(values.values()), abs=1e-12)


@pytest.mark.parametrize(("metric", "sign"), [("map", 1), ("pd", -1)])
def test_what_is_learned_of_a_pair_does_not_depend_on_its_order(metric, sign):
    X, y, qid = data(3)
    model = SubsetRanker(metric, RandomForestRegressor(5, random_state=0)).fit(X, y, qid)
    for table, size in zip(model.decision_function(X, qid), np.bincount(qid), strict=True):
        assert table.shape == (size, size)
        assert np.array_equal(table, sign * table.T)


@pytest.mark.parametrize("metric", METRICS)
def test_documents_may_come_in_any_order(metric):
    X, y, qid = data(4)
    model = SubsetRanker(metric, Ridge()).fit(X, y, qid)
    turned = np.lexsort((-np.arange(len(X)), qid))

    assert np.array_equal(model.predict(X[turned], qid[turned]), model.predict(X, qid)[turned])


class Recorder(LinearRegression):
    """Remembers what it was trained on."""

    seen: tuple = ()

    def fit(self, X, y):
        Recorder.seen = X, y
        return super().fit(X, y)


def test_normalised_gains_are_learned_for_ndcg():
    SubsetRanker("ndcg", Recorder()).fit([[1.0], [2], [4]], [0, 2, 1], group=[3])
    ideal = 3 + 1 / np.log2(3)

    assert Recorder.seen[1] == pytest.approx([0, 3 / ideal, 1 / ideal])
    assert Recorder.seen[0].tolist() == [[1, 7 / 3], [2, 7 / 3], [4, 7 / 3]]


def test_products_are_learned_for_map_in_both_orders():
    SubsetRanker("map", Recorder()).fit([[1.0], [2], [3]], [1, 0, 1], group=[3])
    X, targets = Recorder.seen
    learned = {(a, b): target for (a, b, _), target in zip(X.tolist(), targets, strict=True)}

    assert len(targets) == 12
    assert learned == {(a, b): (a != 2 and b != 2) / 2 for a in (1, 2, 3) for b in (1, 2, 3)}


def test_preferences_are_learned_for_pd_in_both_orders():
    SubsetRanker("pd", Recorder()).fit([[1.0], [2], [3]], [5, 0.5, 5], group=[3])
    X, targets = Recorder.seen
    learned = {tuple(row): target for row, target in zip(X.tolist(), targets, strict=True)}

    assert learned == {  # positive where the second is preferred; then the difference
        (1, 2, -1): -1,
        (2, 1, 1): 1,
        (1, 3, -2): 0,
        (3, 1, 2): 0,
        (2, 3, -1): 1,
        (3, 2, 1): -1,
    }


def test_at_most_so_many_pairs_are_trained_on():
    X, y, qid = data()
    SubsetRanker("map", Recorder(), max_pairs=10).fit(X, y, qid)

    assert len(Recorder.seen[1]) == 20


def test_preferences_can_be_given_as_graphs():
    X, y, qid = data(5, levels=4)
    graphs = [label_of("pd", y[qid == q]) for q in np.unique(qid)]
    by_graphs, by_relevance = (SubsetRanker("pd", Ridge()).fit(X, each, qid) for each in (graphs, y))

    assert np.array_equal(by_graphs.predict(X, qid), by_relevance.predict(X, qid))
    assert by_graphs.score(X, graphs, qid) == by_graphs.score(X, y, qid)


@pytest.mark.parametrize("metric", METRICS)
def test_positions_and_order_tell_the_same(metric):
    X, y, qid = data(6)
    model = SubsetRanker(metric, Ridge()).fit(X, y, qid)
    positions, order = model.predict(X, qid), model.rank(X, qid)

    for query in np.unique(qid):
        assert sorted(positions[qid == query]) == list(range((qid == query).sum()))
    assert np.array_equal(qid[order], qid)
    assert np.array_equal(positions[order], np.concatenate([np.arange(size) for size in np.bincount(qid)]))


def test_a_query_with_one_document_has_it_first():
    X, y, qid = data()
    for metric in METRICS:
        model = SubsetRanker(metric, Ridge()).fit(X, y, qid)
        assert model.predict(X[:1]).tolist() == [0]
        assert model.score(X[:1], [1]) == {"pd": 0, "precision@2": 0.5}.get(metric, 1)


def test_long_queries_are_ranked_too():
    X, y, qid = data(7, sizes=(20, 25))
    for metric in ("map", "pd"):
        model = SubsetRanker(metric, DecisionTreeRegressor(random_state=0)).fit(X, y, qid)
        assert model.score(X, y, qid) == (0 if metric == "pd" else 1)
        assert not model.construction(20).pred(np.zeros(model.construction(20).dim)).exact


@pytest.mark.parametrize(
    "metric", ["ndcg", "pd", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("map", "precision@2"))]
)
def test_the_default_estimator_learns(metric):
    random = np.random.default_rng(8)
    X = random.normal(size=(200, 2))
    X[::10] = abs(X[::10])
    y = (X[:, 0] > 0).astype(int)
    model = SubsetRanker(metric).fit(X, y, group=[10] * 20)
    assert model.score(X, y, group=[10] * 20) > (-0.5 if metric == "pd" else 0.9)


def test_what_decides_is_certified():
    X, y, qid = data()
    model = SubsetRanker("map", Ridge()).fit(X, y, qid)

    assert model.construction(4).loss == lm.losses.mean_average_precision(4)
    assert lm.verify(model.construction(4).certificate).accepted
