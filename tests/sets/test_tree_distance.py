"""Distances in trees by factors, against `hierarchical`, which writes them down."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.losses import hierarchical, tree_distance

TREES = [
    [None, 0],
    [None, 0, 0],
    [None, 0, 1, 2],
    [None, 0, 0, 1, 2],
    [None, 0, 1, 1],
    [None, 0, 0, 0, 1, 1, 2],
    [1, None, 1, 0, 0, 4],
    {"animal": {"cat": {}, "dog": {}}, "car": {}},
]
SIDES = [(labels, predictions) for labels in ("leaves", "nodes") for predictions in ("leaves", "nodes")]


def distance(loss, y, t):
    """Along the parents, as in a book."""
    number = {node: i for i, node in enumerate(loss.nodes)}

    def path(v):
        found = [v]
        while loss.up[found[-1]] >= 0:
            found.append(loss.up[found[-1]])
        return found

    first, second = path(number[y]), path(number[t])
    return sum(loss.lengths[v] for v in set(first) ^ set(second))


@pytest.mark.parametrize(("labels", "predictions"), SIDES)
@pytest.mark.parametrize("tree", TREES, ids=str)
def test_it_is_the_loss_of_its_definition(tree, labels, predictions):
    random.seed(1)
    size = len(tree_distance(tree, labels="nodes").nodes)
    for lengths in (None, [Fraction(random.randint(1, 9), random.randint(1, 3)) for _ in range(size)]):
        try:
            loss = tree_distance(tree, lengths, labels, predictions)
        except LossmithError:
            assert labels == "leaves"
            with pytest.raises(LossmithError):
                hierarchical(tree, labels, predictions)
            continue
        matrix = loss.matrix()
        if lengths is None:
            assert matrix == hierarchical(tree, labels, predictions)
        names = list(loss.each_label()), list(loss.each_prediction())
        assert (loss.n, loss.k) == (len(names[0]), len(names[1]))
        entries = [[distance(loss, y, t) for t in names[1]] for y in names[0]]
        assert [list(row) for row in matrix.entries] == entries
        assert loss.affdim == lm.affdim(lm.LossMatrix(entries))
        columns = [loss.factors(t) for t in names[1]]
        for functional in loss.constants:
            assert len({sum(a * b for a, b in zip(functional, column, strict=True)) for column in columns}) == 1
        farthest = max(sum((a - b) ** 2 for a, b in zip(s, t, strict=True)) for s in columns for t in columns)
        assert farthest <= loss.spread
        rows = np.random.default_rng(0).normal(size=(9, loss.m))
        found = loss.decode(rows)
        values = rows @ np.array(columns, dtype=float).T
        assert found.values == pytest.approx(values.min(axis=1))
        assert values[np.arange(9), found.predictions[:, 0]] == pytest.approx(values.min(axis=1))
        for p in ([Fraction(1, loss.n)] * loss.n, [Fraction(int(i == 1)) for i in range(loss.n)]):
            assert loss.risk(p) == matrix.risk(p)


def test_thousands_of_nodes():
    random.seed(0)
    tree = [None, *(random.randrange(max(1, i // 3)) for i in range(1, 3000))]
    loss = tree_distance(tree)
    bounds = lm.ccdim(loss)
    assert (bounds.lower.value, bounds.upper.value) == (1, loss.n - 1)
    leaf = next(loss.each_label())
    x = np.zeros((2, loss.n))
    x[:, 0] = 1
    assert list(loss.each_prediction())[loss.decode(x).predictions[1, 0]] == leaf
    assert loss.risk({leaf: 1}, leaf) == 0
    assert lm.design(loss).dim == loss.affdim == loss.n
    with pytest.raises(
        TooLarge, match=r"knows tree_distance\(3000 nodes\) by its .* matrix, too large for a certificate"
    ):
        _ = bounds.upper.certificate


def test_small_trees_have_the_bounds_of_their_matrix():
    loss = tree_distance([None, 0, 0, 0])
    bounds = lm.ccdim(loss)
    assert bounds.exact == 2  # abstain(3), twice
    assert lm.verify(bounds.lower.certificate).accepted


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: tree_distance([None, 0, 0], [0, 1]), "2 lengths were given; give one for each of the 3 nodes"),
        (lambda: tree_distance([None, 0, 0], [0, 1, -1]), "the edge above 2 has length -1; give a positive one"),
        (lambda: tree_distance([None, 0, 0], {1: 1}), "the edge above 2 has no length; give one for every node but"),
        (lambda: tree_distance([None, 0, 0], {1: 1, 2: 1, 7: 1}), "7 has a length but is no node"),
        (lambda: tree_distance([None, 0, 0], labels="leafs"), "labels is 'leafs'; it must be 'leaves' or 'nodes'"),
        (
            lambda: tree_distance({"a": ["cat", "dog"]}).loss("cta", "a"),
            "'cta' is no label of tree_distance(3 nodes); did",
        ),
        (lambda: tree_distance([None, 0, 0]).loss(0, 1), "0 is no label of tree_distance(3 nodes); known: '1', '2'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(ask, words):
    with pytest.raises(BadInput) as caught:
        ask()
    assert words in str(caught.value)
