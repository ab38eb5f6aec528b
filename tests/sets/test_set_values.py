"""Losses of sets by their definition: values, means, arrays and decisions, against the whole matrix."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_definitions import IDS, SMALL, members, sets

import lossmith as lm
from lossmith.losses import f_measure, hamming, jaccard, recall_at, weighted_hamming
from surrogates.quotation import quotes

each_small = pytest.mark.parametrize(("loss", "predictions", "define"), SMALL, ids=IDS)


def distributions(n: int, seed: int = 0) -> list[list[Fraction]]:
    random.seed(seed)
    drawn = [[random.choice([0, 0, 1, 2, 5]) for _ in range(n - 1)] + [1] for _ in range(6)]
    return [[Fraction(x, sum(row)) for x in row] for row in ([1] * n, *drawn)]


def compare(loss, predictions, define):
    labels = sets(loss.r)
    entries = [[define(y, t) for t in predictions] for y in labels]
    matrix = loss.matrix()
    assert [list(row) for row in matrix.entries] == entries
    assert (list(loss.each_label()), list(loss.each_prediction())) == (labels, predictions)
    assert (loss.n, loss.k) == (len(labels), len(predictions))
    assert loss.affdim == lm.affdim(loss) == lm.affdim(lm.LossMatrix(entries))
    for y, row in zip(labels, entries, strict=True):
        assert [loss.loss(y, t) for t in predictions] == row
    for p in distributions(loss.n):
        risks = loss.risk(p)
        assert list(risks) == [
            sum(a * b for a, b in zip(p, column, strict=True)) for column in zip(*entries, strict=True)
        ]
        offset, x = loss.mean(p)
        found = loss.decode([float(each) for each in x])
        assert loss.risk(dict(zip(labels, p, strict=True)), found.predictions) == min(risks)
        assert float(found.values) == pytest.approx(float(min(risks) - offset))


@each_small
def test_a_loss_is_that_of_its_definition(loss, predictions, define):
    compare(loss, predictions, define)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("loss", "predictions", "define"), members(5), ids=lambda each: getattr(each, "name", ""))
def test_five_tags(loss, predictions, define):
    compare(loss, predictions, define)


@each_small
def test_arrays_agree_with_exact_values(loss, predictions, define):
    labels = sets(loss.r)
    assert (loss.r, loss.m) == (len(labels[0]), len(loss.row(labels[0])[2]))
    targets, offsets = loss.targets(np.array(labels)), loss.offsets(np.array(labels))
    assert targets.shape == (loss.n, loss.m)
    for y, target, offset in zip(labels, targets, offsets, strict=True):
        start, scale, a = loss.row(y)
        assert target == pytest.approx([float(scale * x) for x in a])
        assert offset == float(start)
    pairs = [(y, t) for y in labels for t in predictions]
    first, second = (np.array(each) for each in zip(*pairs, strict=True))
    assert loss.losses(first, second) == pytest.approx([float(define(y, t)) for y, t in pairs])
    decoded = loss.decode(targets)
    assert decoded.predictions.shape == (loss.n, loss.r)
    assert decoded.exact
    assert set(np.unique(decoded.predictions)) <= {0, 1}
    least = [min(define(y, t) for t in predictions) for y in labels]
    assert decoded.values + offsets == pytest.approx([float(x) for x in least])
    assert loss.losses(labels, decoded.predictions) == pytest.approx([float(x) for x in least])


@given(st.data())
def test_decoding_finds_the_least_for_any_scores(data):
    loss, predictions, _ = data.draw(st.sampled_from(SMALL))
    x = data.draw(st.lists(st.integers(-9, 9), min_size=loss.m, max_size=loss.m))
    columns = [loss.factors(t) for t in predictions]
    least = min(sum((a * b for a, b in zip(x, column, strict=True)), Fraction(0)) for column in columns)
    found = loss.decode(x)
    value = sum((a * b for a, b in zip(x, loss.factors(loss.prediction(found.predictions)), strict=True)), Fraction(0))
    assert float(value) == pytest.approx(float(least))
    assert found.values == found.bounds == pytest.approx(float(least))


@each_small
def test_many_rows_are_decoded_as_one(loss, predictions, define, monkeypatch):
    monkeypatch.setattr("lossmith.losses.sets.decoding.TOGETHER", 2 * loss.r * loss.r)
    x = np.random.default_rng(0).normal(size=(7, loss.m))
    together = loss.decode(x)
    alone = [loss.decode(row) for row in x]
    assert together.predictions.tolist() == [each.predictions.tolist() for each in alone]
    assert together.values == pytest.approx([each.values for each in alone])
    assert loss.decode(x[:0]).predictions.shape == (0, loss.r)


@pytest.mark.parametrize("r", [2, 3, 4])
@pytest.mark.parametrize("beta", [1, 2, "1/3"])
def test_the_constant_functional_of_f_is_constant_and_alternates(r, beta):
    loss = f_measure(r, beta)
    (f,) = loss.constants
    assert len({sum(a * b for a, b in zip(f, loss.factors(t), strict=True)) for t in sets(r)}) == 1
    by_size = [f[m * r] for m in range(r - 1)] + [f[-2]]
    assert all(a * b < 0 for a, b in pairwise(by_size))
    assert all(f[m * r + i] == f[m * r] for m in range(r - 1) for i in range(r))
    assert abs(f[loss.redundant[0]]) == max(map(abs, f))


@each_small
def test_the_spread_bounds_distances(loss, predictions, define):
    columns = [loss.factors(t) for t in predictions]
    farthest = max(sum((a - b) ** 2 for a, b in zip(s, t, strict=True)) for s in columns for t in columns)
    assert farthest <= loss.spread


def test_equal_weights_are_the_hamming_loss():
    assert weighted_hamming([1, 1, 1]).matrix() == hamming(3)


def test_jaccard():
    loss = jaccard(3)
    assert loss.entries[0b011][0b110] == Fraction(2, 3)
    assert loss.entries[0][0] == 0
    assert [jaccard(r).affdim for r in range(1, 6)] == [2**r - 1 for r in range(1, 6)]


def test_many_tags():
    loss = f_measure(60)
    rng = np.random.default_rng(0)
    Y = (rng.random((50, 60)) < 0.1).astype(int)
    assert loss.losses(Y, loss.decode(loss.targets(Y)).predictions).max() == 0
    assert quotes(repr(loss), loss.name, "3542")
    assert loss.label_name(loss.label([3, 17])) == "{3, 17}"
    y, t = {3, 17}, {17, 4, 5}
    row = [[int(i in each) for i in range(60)] for each in (y, t)]
    assert float(loss.loss(y, t)) == loss.losses(row[:1], row[1:])[0] == 0.6
    assert loss.risk({"0" * 60: "1/4", frozenset(y): "3/4"}, t) == Fraction(1, 4) + Fraction(3, 4) * Fraction(3, 5)
    many = recall_at(1000, 5)
    assert many.decode(np.arange(1000.0)).predictions.nonzero()[0].tolist() == [995, 996, 997, 998, 999]


def test_sets_are_read_as_people_write_them():
    loss = f_measure(4)
    for given_ in (
        "0101",
        [0, 1, 0, 1],
        (False, True, False, True),
        {1, 3},
        [3, 1],
        frozenset({1, 3}),
        np.array([1, 3]),
    ):
        assert loss.label(given_) == loss.prediction(given_) == (0, 1, 0, 1)
    assert loss.label(np.array([0.0, 1.0, 0.0, 1.0])) == (0, 1, 0, 1)
    assert loss.label([]) == loss.label(set()) == (0, 0, 0, 0)
