"""Labels, predictions, graphs and distributions that a hurried user may type: refused in one line that quotes them."""

from __future__ import annotations

import numpy as np
import pytest
from ranking_definitions import refused

from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at

# Labels and predictions.


@pytest.mark.parametrize(
    "loss", [ndcg(3), dcg(3), mean_average_precision(3), precision_at(1, 3)], ids=lambda loss: loss.family
)
@pytest.mark.parametrize(
    ("y", "what"),
    [
        ((1, 0), "(1, 0) has 2 entries; give one relevance for each of 3 documents"),
        ((1, 0, 1, 1), "(1, 0, 1, 1) has 4 entries"),
        ((), "() has 0 entries"),
        ((1, 0, 2), "document 2 has relevance 2; the levels are 0 … 1"),
        ((-1, 0, 1), "document 0 has relevance -1"),
        ((1, 0, 0.5), "0.5 in a relevance vector"),
        ((1.0, 0.0, 0.0), "1.0 in a relevance vector"),
        ((True, False, True), "True in a relevance vector"),
        (np.array([1.0, 0.0, 1.0]), "in a relevance vector"),
        (np.array([[1, 0, 1]]), "in a relevance vector"),
        ("10", "(1, 0) has 2 entries"),
        ("abc", "'abc' is not a relevance vector"),
        ("1 0 1", "'1 0 1' is not a relevance vector"),
        (None, "None is not a relevance vector"),
        (5, "5 is not a relevance vector"),
        ({0, 1}, "{0, 1} is not a relevance vector"),
        ({0: 1, 1: 0, 2: 0}, "{0: 1, 1: 0, 2: 0} is not a relevance vector"),
        ((1, None, 0), "None in a relevance vector"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_relevance_vectors_that_make_no_sense(loss, y, what):
    t = (0,) if loss.family == "precision_at" else (0, 1, 2)
    assert what in refused(loss.loss, y, t)


def test_average_precision_without_a_relevant_document_is_undefined():
    loss = mean_average_precision(3)
    for y in ((0, 0, 0), "000", np.zeros(3, dtype=int)):
        assert "undefined where no document is relevant" in refused(loss.loss, y, (0, 1, 2))
    assert "undefined where no document is relevant" in refused(loss.risk, {"000": 1})
    assert ndcg(3).loss("000", (0, 1, 2)) == 1, "where nothing is relevant every ranking costs 1"
    assert dcg(3).loss("000", (0, 1, 2)) == 0


@pytest.mark.parametrize(
    ("loss", "y"),
    [(ndcg(3), "101"), (mean_average_precision(3), "101"), (pairwise_disagreement(3), [(0, 1)])],
    ids=["ndcg", "map", "pd"],
)
@pytest.mark.parametrize(
    ("sigma", "what"),
    [
        ((1, 2, 3), "(1, 2, 3) is no ranking of 3 documents; give each document its position, one of 0 … 2"),
        ((0, 1), "(0, 1) is no ranking of 3 documents"),
        ((0, 0, 1), "(0, 0, 1) is no ranking"),
        ((0, 1, 2, 3), "(0, 1, 2, 3) is no ranking"),
        ((), "() is no ranking"),
        ((0.0, 1.0, 2.0), "0.0 in a ranking is not a whole number"),
        ((0, True, 2), "True in a ranking"),
        ({0, 1, 2}, "{0, 1, 2} is not a ranking"),
        ({0: 0, 1: 1, 2: 2}, "{0: 0, 1: 1, 2: 2} is not a ranking"),
        (5, "5 is not a ranking"),
        ("0>1>2", "'0>1>2' is not a ranking"),
        (np.array([0.0, 1.0, 2.0]), "in a ranking is not a whole number"),
        (tuple(range(1000)), "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …)"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_rankings_that_make_no_sense(loss, y, sigma, what):
    assert what in refused(loss.loss, y, sigma)
    assert what in refused(loss.risk, loss.equalizer, sigma)


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ({0}, "(0) is no set of 2 of the documents 0 … 2"),
        ([0, 0], "(0, 0) is no set of 2"),
        ({0, 3}, "(0, 3) is no set of 2"),
        ((0, 1, 2), "(0, 1, 2) is no set of 2"),
        ([0, -1], "(-1, 0) is no set of 2"),
        ({0.0, 1.0}, "0.0 in a set of documents is not a whole number"),
        ([True, False], "True in a set of documents"),
        ([[0], [1]], "[0] in a set of documents"),
        ({"a", 1}, "is not a set of documents"),
        (1, "1 is not a set of documents"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_sets_of_documents_that_make_no_sense(shown, what):
    assert what in refused(precision_at(2, 3).loss, "101", shown)


# Graphs.


@pytest.mark.parametrize(
    ("graph", "what"),
    [
        ([(0, 1), (1, 1)], "the edge (1, 1) prefers document 1 to itself"),
        ([(0, 1), (1, 0)], "the edge (1, 0) contradicts (0, 1)"),
        ([(0, 3)], "the edge (0, 3) does not join two of the documents 0 … 2"),
        ([(-1, 0)], "the edge (-1, 0) does not join"),
        ([(0, 1, 2)], "the edge (0, 1, 2) does not join"),
        ([(0, 1.0)], "the edge (0, 1.0) does not join"),
        ([(True, False)], "the edge (True, False) does not join"),
        ([{0, 1}], "the edge {0, 1} does not join"),
        ([{0: 1, 1: 2}], "the edge {0: 1, 1: 2} does not join"),
        (["01"], "the edge '01' does not join"),
        ([0, 1], "the edge 0 does not join"),
        ("0>1", "'0>1' is no graph; give its edges, such as [(0, 1), (2, 1)]"),
        (None, "None is no graph"),
        (3, "3 is no graph"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_graphs_that_make_no_sense(graph, what):
    assert what in refused(pairwise_disagreement(3).loss, graph, (0, 1, 2))
    assert what in refused(pairwise_disagreement, 3, [[(0, 1), (1, 2)], graph])


def test_a_cycle_is_named_by_one_of_its_edges():
    assert "lies on a cycle of [(0, 1), (1, 2), (2, 0)]" in refused(
        pairwise_disagreement, 3, [[(0, 1)], [(0, 1), (1, 2), (2, 0)]]
    )
    # (0, 6) lies between two cycles, (9, 3) leads to one, (8, 1) away from one: none of them is on a cycle.
    first, second = [(3, 4), (4, 5), (5, 3)], [(6, 7), (7, 8), (8, 6)]
    message = refused(pairwise_disagreement(10).loss, [(0, 6), (5, 0), (9, 3), (8, 1), *first, *second], range(10))
    assert any(message.startswith(f"the edge {edge} lies on a cycle") for edge in first + second), message


@pytest.mark.parametrize("graphs", ["tournaments", "total orders"])
def test_a_tournament_compares_all_pairs(graphs):
    loss = pairwise_disagreement(3, graphs)
    assert "the graph 0>1 is not among the labels" in refused(loss.loss, [(0, 1)], (0, 1, 2))
    cycle = [(0, 1), (1, 2), (2, 0)]
    if graphs == "tournaments":
        assert loss.loss(cycle, (0, 1, 2)) == 1
    else:
        assert "lies on a cycle" in refused(loss.loss, cycle, (0, 1, 2))


@pytest.mark.parametrize(
    ("graphs", "what"),
    [
        ([], "0 graphs were given; give at least two"),
        ([[(0, 1)]], "1 graphs were given"),
        ([[(0, 1)], [(1, 2)], [(0, 1)]], "the graph 0>1 is listed twice, as 0 and as 2"),
        ([[(0, 1), (1, 2)], [(1, 2), (0, 1)]], "the graph 0>1 1>2 is listed twice"),
        ([(0, 1), (1, 2)], "(0, 1) is an edge, not a graph; give a list of graphs"),
        ("dags", "no kind of graphs is called 'dags'"),
        ("total-orders", "no kind of graphs is called 'total-orders'; did you mean 'total orders'?"),
        ("", "no kind of graphs is called ''"),
        (None, "None is no list of graphs"),
        (4, "4 is no list of graphs"),
        ({(0, 1): 1}, "{(0, 1): 1} is no list of graphs"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_lists_of_graphs_that_make_no_sense(graphs, what):
    assert what in refused(pairwise_disagreement, 3, graphs)


def test_a_graph_that_is_not_listed_or_not_of_the_kind():
    listed = pairwise_disagreement(3, [[(0, 1)], []])
    assert "the graph 1>0 is not among the labels" in refused(listed.loss, [(1, 0)], (0, 1, 2))
    single = pairwise_disagreement(3, "single edges")
    assert "the graph no edges is not among the labels" in refused(single.loss, [], (0, 1, 2))


def test_lists_may_be_generators_arrays_and_sets_of_edges():
    expected = pairwise_disagreement(3, [[(0, 1)], [(1, 0)]])
    assert pairwise_disagreement(3, ([edge] for edge in [(0, 1), (1, 0)])) == expected
    assert pairwise_disagreement(3, np.array([[[0, 1]], [[1, 0]]])) == expected
    assert pairwise_disagreement(3, ({(0, 1)}, frozenset({(1, 0)}))) == expected
    assert pairwise_disagreement(3).loss((edge for edge in [(0, 1), (0, 1)]), [2, 1, 0]) == 1, "an edge said twice"


# Distributions.


@pytest.mark.parametrize(
    ("p", "what"),
    [
        ([1, 0], "p = (1, 0) has 2 entries; give one probability for each of the 7 labels"),
        ([], "0 entries"),
        ({}, "sums to 0, not 1"),
        ({"101": 0.5}, "p = (1/2) sums to 1/2, not 1"),
        ({"101": 2, "100": -1}, "negative"),
        ({"101": "x"}, "'x', which is not a number"),
        ({"101": 0.5, (1, 0, 1): 0.5}, "p names a label twice"),
        ({"1": 1}, "(1) has 1 entries"),
        ({5: 1}, "5 is not a relevance vector"),
        ([[1, 0, 0, 0, 0, 0, 0]], "entry 0 of p"),
        ("1000000", "p is '1000000'"),
        (None, "p is None"),
        (0.5, "p is 0.5"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_distributions_that_make_no_sense(p, what):
    loss = mean_average_precision(3)
    for call in (loss.risk, loss.mean):
        assert what in refused(call, p)
    assert what in refused(loss.risk, p, (0, 1, 2))
