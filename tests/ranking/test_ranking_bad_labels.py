"""Labels, predictions, graphs and distributions that a hurried user may type: refused in one line that quotes them."""

from __future__ import annotations

import numpy as np
import pytest
from ranking_definitions import refused

from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at
from surrogates.quotation import quotes

# Labels and predictions.


@pytest.mark.parametrize(
    "loss", [ndcg(3), dcg(3), mean_average_precision(3), precision_at(1, 3)], ids=lambda loss: loss.family
)
@pytest.mark.parametrize(
    ("y", "what"),
    [
        ((1, 0), ("(1, 0)", "2", "3")),
        ((1, 0, 1, 1), ("(1, 0, 1, 1)", "4")),
        ((), ("()", "0")),
        ((1, 0, 2), ("2", "2", "levels", "0", "1")),
        ((-1, 0, 1), ("0", "-1")),
        ((1, 0, 0.5), ("0.5",)),
        ((1.0, 0.0, 0.0), ("1.0",)),
        ((True, False, True), ("True",)),
        (np.array([1.0, 0.0, 1.0]), ("1.0",)),
        (np.array([[1, 0, 1]]), ("[1, 0, 1]",)),
        ("10", ("(1, 0)", "2")),
        ("abc", ("'abc'",)),
        ("1 0 1", ("'1 0 1'",)),
        (None, ("None",)),
        (5, ("5",)),
        ({0, 1}, ("{0, 1}",)),
        ({0: 1, 1: 0, 2: 0}, ("{0: 1, 1: 0, 2: 0}",)),
        ((1, None, 0), ("None",)),
    ],
)
def test_relevance_vectors_that_make_no_sense(loss, y, what):
    t = (0,) if loss.family == "precision_at" else (0, 1, 2)
    assert quotes(refused(loss.loss, y, t), *what)


def test_average_precision_without_a_relevant_document_is_undefined():
    loss = mean_average_precision(3)
    for y in ((0, 0, 0), "000", np.zeros(3, dtype=int)):
        refused(loss.loss, y, (0, 1, 2))
    refused(loss.risk, {"000": 1})
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
        ((1, 2, 3), ("(1, 2, 3)", "3", "0", "2")),
        ((0, 1), ("(0, 1)", "3")),
        ((0, 0, 1), ("(0, 0, 1)",)),
        ((0, 1, 2, 3), ("(0, 1, 2, 3)",)),
        ((), ("()",)),
        ((0.0, 1.0, 2.0), ("0.0",)),
        ((0, True, 2), ("True",)),
        ({0, 1, 2}, ("{0, 1, 2}",)),
        ({0: 0, 1: 1, 2: 2}, ("{0: 0, 1: 1, 2: 2}",)),
        (5, ("5",)),
        ("0>1>2", ("'0>1>2'",)),
        (np.array([0.0, 1.0, 2.0]), ("0.0",)),
        (tuple(range(1000)), ("(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …)",)),
    ],
)
def test_rankings_that_make_no_sense(loss, y, sigma, what):
    assert quotes(refused(loss.loss, y, sigma), *what)
    assert quotes(refused(loss.risk, loss.equalizer, sigma), *what)


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ({0}, ("(0)", "2", "0", "2")),
        ([0, 0], ("(0, 0)", "2")),
        ({0, 3}, ("(0, 3)", "2")),
        ((0, 1, 2), ("(0, 1, 2)", "2")),
        ([0, -1], ("(-1, 0)", "2")),
        ({0.0, 1.0}, ("0.0",)),
        ([True, False], ("True",)),
        ([[0], [1]], ("[0]",)),
        ({"a", 1}, ("'a'",)),
        (1, ("1",)),
    ],
)
def test_sets_of_documents_that_make_no_sense(shown, what):
    assert quotes(refused(precision_at(2, 3).loss, "101", shown), *what)


# Graphs.


@pytest.mark.parametrize(
    ("graph", "what"),
    [
        ([(0, 1), (1, 1)], ("(1, 1)", "1")),
        ([(0, 1), (1, 0)], ("(1, 0)", "(0, 1)")),
        ([(0, 3)], ("(0, 3)", "0", "2")),
        ([(-1, 0)], ("(-1, 0)",)),
        ([(0, 1, 2)], ("(0, 1, 2)",)),
        ([(0, 1.0)], ("(0, 1.0)",)),
        ([(True, False)], ("(True, False)",)),
        ([{0, 1}], ("{0, 1}",)),
        ([{0: 1, 1: 2}], ("{0: 1, 1: 2}",)),
        (["01"], ("'01'",)),
        ([0, 1], ("0",)),
        ("0>1", ("'0>1'", "[(0, 1), (2, 1)]")),
        (None, ("None",)),
        (3, ("3",)),
    ],
)
def test_graphs_that_make_no_sense(graph, what):
    assert quotes(refused(pairwise_disagreement(3).loss, graph, (0, 1, 2)), *what)
    assert quotes(refused(pairwise_disagreement, 3, [[(0, 1), (1, 2)], graph]), *what)


def test_a_cycle_is_named_by_one_of_its_edges():
    message = refused(pairwise_disagreement, 3, [[(0, 1)], [(0, 1), (1, 2), (2, 0)]])
    assert "[(0, 1), (1, 2), (2, 0)]" in message
    # (0, 6) lies between two cycles, (9, 3) leads to one, (8, 1) away from one: none of them is on a cycle.
    first, second = [(3, 4), (4, 5), (5, 3)], [(6, 7), (7, 8), (8, 6)]
    message = refused(pairwise_disagreement(10).loss, [(0, 6), (5, 0), (9, 3), (8, 1), *first, *second], range(10))
    assert any(str(edge) in message.partition("[")[0] for edge in first + second), message


@pytest.mark.parametrize("graphs", ["tournaments", "total orders"])
def test_a_tournament_compares_all_pairs(graphs):
    loss = pairwise_disagreement(3, graphs)
    assert quotes(refused(loss.loss, [(0, 1)], (0, 1, 2)), "0>1", loss.name)
    cycle = [(0, 1), (1, 2), (2, 0)]
    if graphs == "tournaments":
        assert loss.loss(cycle, (0, 1, 2)) == 1
    else:
        assert str(cycle) in refused(loss.loss, cycle, (0, 1, 2))


@pytest.mark.parametrize(
    ("graphs", "what"),
    [
        ([], ("0",)),
        ([[(0, 1)]], ("1",)),
        ([[(0, 1)], [(1, 2)], [(0, 1)]], ("0>1", "0", "2")),
        ([[(0, 1), (1, 2)], [(1, 2), (0, 1)]], ("0>1", "1>2")),
        ([(0, 1), (1, 2)], ("(0, 1)",)),
        ("dags", ("'dags'",)),
        ("total-orders", ("'total-orders'", "'total orders'")),
        ("", ("''",)),
        (None, ("None",)),
        (4, ("4",)),
        ({(0, 1): 1}, ("{(0, 1): 1}",)),
    ],
)
def test_lists_of_graphs_that_make_no_sense(graphs, what):
    assert quotes(refused(pairwise_disagreement, 3, graphs), *what)


def test_a_graph_that_is_not_listed_or_not_of_the_kind():
    listed = pairwise_disagreement(3, [[(0, 1)], []])
    assert quotes(refused(listed.loss, [(1, 0)], (0, 1, 2)), "1>0", listed.name)
    single = pairwise_disagreement(3, "single edges")
    assert quotes(refused(single.loss, [], (0, 1, 2)), single.label_name([]), single.name)


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
        ([1, 0], ("p", "(1, 0)", "2", "7")),
        ([], ("0",)),
        ({}, ("0", "1")),
        ({"101": 0.5}, ("p", "(1/2)", "1/2", "1")),
        ({"101": 2, "100": -1}, ("p", "(2, -1)")),
        ({"101": "x"}, ("'x'",)),
        ({"101": 0.5, (1, 0, 1): 0.5}, ("p",)),
        ({"1": 1}, ("(1)", "1")),
        ({5: 1}, ("5",)),
        ([[1, 0, 0, 0, 0, 0, 0]], ("0", "p")),
        ("1000000", ("p", "'1000000'")),
        (None, ("p", "None")),
        (0.5, ("p", "0.5")),
    ],
)
def test_distributions_that_make_no_sense(p, what):
    loss = mean_average_precision(3)
    for call in (loss.risk, loss.mean):
        assert quotes(refused(call, p), *what)
    assert quotes(refused(loss.risk, p, (0, 1, 2)), *what)
