"""Messages about ranking losses and their designs, and how the losses are printed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from printed import command, messages

import lossmith as lm
from lossmith.constructions.squares_of_factors import squares_of_factors
from lossmith.losses import (
    expected_reciprocal_rank,
    kendall_tau,
    mean_average_precision,
    ndcg,
    pairwise_disagreement,
    precision_at,
)
from lossmith.losses.named import loss_named

ORDER, CYCLE = (0, 1, 2), [(0, 1), (1, 2), (2, 0)]


def average():
    return mean_average_precision(3)


def pairs(*given):
    return pairwise_disagreement(3, *given)


PARAMETERS = {
    "one document": lambda: ndcg(1),
    "documents that are no whole number": lambda: ndcg(3.0),
    "very many documents": lambda: ndcg(10**30),
    "all documents": lambda: precision_at(3, 3),
    "no documents": lambda: precision_at(0, 3),
    "one level": lambda: ndcg(3, 1),
    "many levels": lambda: ndcg(3, 5000),
    "too few discounts": lambda: ndcg(3, discount=[1, Fraction(1, 2)]),
    "a negative discount": lambda: ndcg(3, discount=[1, "1/2", "-1/4"]),
    "equal discounts": lambda: ndcg(3, discount=[1, 1, 1]),
    "no discounts": lambda: ndcg(3, discount=[0, 0, 0]),
    "a missing discount": lambda: ndcg(3, discount=[1, None, 0]),
    "a set of discounts": lambda: ndcg(3, discount={1, 2, 3}),
    "an unknown discount": lambda: ndcg(3, discount="log"),
    "falling gains": lambda: ndcg(3, 3, gain=[0, 3, 1]),
    "too few gains": lambda: ndcg(3, 3, gain=[0, 1]),
    "an unknown kind of graphs": lambda: pairs("total-orders"),
    "one graph": lambda: pairs([[(0, 1)]]),
    "a graph that is listed twice": lambda: pairs([[(0, 1)], [(1, 2)], [(0, 1)]]),
    "edges instead of graphs": lambda: pairs([(0, 1), (1, 2)]),
    "no list of graphs": lambda: pairs(4),
    "a name without its size": lambda: loss_named("ndcg"),
}
SIZES = {
    "written down": lambda: kendall_tau(7),
    "many entries": lambda: expected_reciprocal_rank(6, 9),
    "many factors": lambda: mean_average_precision(99_999),
    "many pairs": lambda: pairwise_disagreement(1000),
    "a matrix": lambda: mean_average_precision(40).matrix(),
    "a matrix of many digits": lambda: ndcg(10_000).matrix(),
    "a limit": lambda: average().matrix(limit=41),
    "no limit": lambda: average().matrix("many"),
    "risks of all predictions": lambda: ndcg(10_000).risk({(1,) * 10_000: 1}),
    "probabilities of all labels": lambda: mean_average_precision(60).mean([1, 0]),
    "a lower bound": lambda: lm.ccdim(ndcg(10_000)),
    "the check of a surrogate": lambda: lm.check(lm.surrogates.softmax(3), mean_average_precision(30)),
}
LABELS = {
    "too few relevances": lambda: ndcg(3).loss((1, 0), ORDER),
    "an unknown level": lambda: ndcg(3).loss((1, 0, 2), ORDER),
    "a float": lambda: ndcg(3).loss((1, 0, 0.5), ORDER),
    "no relevances": lambda: ndcg(3).loss("abc", ORDER),
    "nothing relevant": lambda: average().loss((0, 0, 0), ORDER),
    "positions from 1": lambda: ndcg(3).loss("101", (1, 2, 3)),
    "positions that are floats": lambda: ndcg(3).loss("101", (0.0, 1.0, 2.0)),
    "no ranking": lambda: ndcg(3).loss("101", 5),
    "a set of too few": lambda: precision_at(2, 3).loss("101", {0}),
    "a set with a truth value": lambda: precision_at(2, 3).loss("101", [True, False]),
    "no set": lambda: precision_at(2, 3).loss("101", 1),
    "an edge to itself": lambda: pairs().loss([(0, 1), (1, 1)], ORDER),
    "edges that contradict each other": lambda: pairs().loss([(0, 1), (1, 0)], ORDER),
    "an edge to nowhere": lambda: pairs().loss([(0, 3)], ORDER),
    "no graph": lambda: pairs().loss("0>1", ORDER),
    "a cycle": lambda: pairs().loss(CYCLE, ORDER),
    "a graph of another kind": lambda: pairs("tournaments").loss([(0, 1)], ORDER),
    "a graph without edges": lambda: pairs("single edges").loss([], ORDER),
    "too few probabilities": lambda: average().risk([1, 0]),
    "probabilities of less than 1": lambda: average().risk({"101": "1/2"}),
    "a negative probability": lambda: average().risk({"101": 2, "100": -1}),
    "a label twice": lambda: average().risk({"101": "1/2", (1, 0, 1): "1/2"}),
    "no probabilities": lambda: average().risk("1000000"),
}
SCORES = {
    "of another shape": lambda: ndcg(3).decode([1.0] * 4),
    "not finite": lambda: ndcg(3).decode([float("nan")] * 3),
    "not numbers": lambda: ndcg(3).decode(["a"] * 3),
    "of a design": lambda: squares_of_factors(average()).pred([[1.0, 2.0]]),
    "a dimension between": lambda: squares_of_factors(mean_average_precision(5), dim=14),
    "a dimension beyond": lambda: squares_of_factors(pairwise_disagreement(5), dim=11),
    "no dimension": lambda: lm.design(average(), dim=0),
    "another method": lambda: lm.design(average(), method="hinge"),
}
TABLES = {"parameters": PARAMETERS, "sizes": SIZES, "labels": LABELS, "scores": SCORES}


@pytest.mark.parametrize("table", TABLES)
def test_messages(snapshot, table):
    assert messages(TABLES[table]) == snapshot


def test_losses_in_print(snapshot):
    made = (mean_average_precision(40), pairs("total orders"), ndcg(200), ndcg(5000, 3))
    assert "\n".join(map(repr, made)) == snapshot


def test_answers_in_print(snapshot):
    alone, together = ndcg(3).decode([3.0, 1.0, 2.0]), ndcg(3).decode([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]])
    heuristic = pairwise_disagreement(17).decode([1.0] * 136)
    assert "\n".join(map(repr, (alone, together, heuristic))) == snapshot


@pytest.mark.parametrize("name", ["mean-average-precision:r=40", "ndcg:r=5000"])
def test_ccdim_on_the_command_line(snapshot, tmp_path, name):
    assert command(f"ccdim {name}", tmp_path) == snapshot
