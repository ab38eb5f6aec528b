"""Messages about losses on sets of tags, on guesses with costs and on trees."""

from __future__ import annotations

import numpy as np
import pytest
from printed import command, messages

import lossmith as lm
from lossmith.losses import f_measure, jaccard, recall_at, top_k_costs, tree_distance, weighted_hamming

X = np.array([[0.0], [1.0]])


def guesses(*given, **options):
    return top_k_costs([1, 2, 3], *given, **options)


SETS = {
    "a negative weight": lambda: weighted_hamming([1, -2]),
    "no weights": lambda: weighted_hamming([]),
    "a set of weights": lambda: weighted_hamming({1, 2}),
    "a beta of 0": lambda: f_measure(3, 0),
    "one tag": lambda: f_measure(1),
    "no tag": lambda: jaccard(0),
    "all tags": lambda: recall_at(3, 3),
    "an unknown tag": lambda: f_measure(3).label({0, 3}),
    "an unknown tag of a prediction": lambda: f_measure(3).prediction([0, 5]),
    "too few bits": lambda: f_measure(3).loss("01", "011"),
    "a tag twice": lambda: f_measure(3).label([1, 1]),
    "no set": lambda: f_measure(3).label(7),
    "too few tags": lambda: recall_at(4, 2).prediction({0}),
    "a table with a 2": lambda: f_measure(3).targets([[0, 1, 2]]),
    "a table of another shape": lambda: f_measure(3).targets([0, 1, 1]),
    "a table that is a string": lambda: weighted_hamming([1, 2]).targets("tags"),
    "a table with too many tags": lambda: recall_at(4, 2).losses([[0, 1, 1, 0]], [[0, 1, 1, 1]]),
    "scores of another shape": lambda: f_measure(3).decode([1, 2, 3]),
    "scores that are not finite": lambda: f_measure(3).decode([[np.inf] * 8]),
    "a label twice": lambda: f_measure(3).risk({"011": "1/2", (0, 1, 1): "1/2"}, "000"),
    "many tags written down": lambda: jaccard(11),
    "many factors": lambda: f_measure(501),
    "a matrix": lambda: f_measure(100).matrix(),
    "a limit": lambda: f_measure(3).matrix(limit=60),
    "all predictions": lambda: f_measure(100).risk({"0" * 100: 1}),
    "a certificate": lambda: lm.ccdim(f_measure(300)).lower.certificate,
    "fewer dimensions than needed": lambda: lm.design(f_measure(3), dim=2),
    "a dimension between": lambda: lm.design(f_measure(3), dim=7),
}
GUESSES = {
    "a negative cost": lambda: top_k_costs([1, -2], k=1),
    "one label": lambda: top_k_costs([1], k=1),
    "a set of costs": lambda: top_k_costs({1, 2}, k=1),
    "neither k nor penalties": guesses,
    "both k and penalties": lambda: guesses(k=1, penalties=[0]),
    "k of all labels": lambda: guesses(k=3),
    "no guess": lambda: guesses(k=0),
    "no penalties": lambda: guesses(penalties=[]),
    "a negative penalty": lambda: guesses(penalties=[0, -1]),
    "penalties of 0": lambda: guesses(penalties=[0, 0, 0]),
    "an unknown label": lambda: guesses(k=2).loss(7, {0, 1}),
    "too few guesses": lambda: guesses(k=2).loss(0, {1}),
    "two labels in a row": lambda: guesses(k=2).losses([[1, 1, 0]], [[1, 1, 0]]),
    "too few guesses in a row": lambda: guesses(k=2).losses([[1, 0, 0]], [[1, 0, 0]]),
    "a label of the data": lambda: lm.learn.SubsetClassifier(guesses(k=1)).fit(X, ["cow", "dog"]),
    "two labels in the data": lambda: lm.learn.SubsetClassifier(guesses(k=1)).fit(X, [[1, 1, 0], [0, 0, 1]]),
    "many decisions": lambda: lm.learn.SurrogateClassifier(top_k_costs([1] * 200, k=5)).fit(X, [0, 1]),
    "costs of many digits": lambda: (
        lm.ccdim(top_k_costs([f"{i}.{10**15 + i * i}" for i in range(1, 1001)], k=3)).lower.certificate
    ),
}
TREES = {
    "too few lengths": lambda: tree_distance([None, 0, 0], [0, 1]),
    "a negative length": lambda: tree_distance([None, 0, 0], [0, 1, -1]),
    "a missing length": lambda: tree_distance([None, 0, 0], {1: 1}),
    "a length of no node": lambda: tree_distance([None, 0, 0], {1: 1, 2: 1, 7: 1}),
    "other labels": lambda: tree_distance([None, 0, 0], labels="leafs"),
    "an unknown node": lambda: tree_distance({"a": ["cat", "dog"]}).loss("cta", "a"),
    "a node that is no leaf": lambda: tree_distance([None, 0, 0]).loss(0, 1),
}
TABLES = {"sets": SETS, "guesses": GUESSES, "trees": TREES}


@pytest.mark.parametrize("table", TABLES)
def test_messages(snapshot, table):
    assert messages(TABLES[table]) == snapshot


def test_a_bound_in_print(snapshot):
    assert str(lm.ccdim(f_measure(100)).lower.why) == snapshot


def test_a_loss_in_print(snapshot):
    assert repr(f_measure(60)) == snapshot


def test_a_design_on_the_command_line(snapshot, tmp_path):
    assert command("design weighted-hamming:weights=1,2,3", tmp_path) == snapshot
