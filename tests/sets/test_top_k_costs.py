"""Top-k with costs by factors, against the matrix of its definition, and learned."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from lossmith.errors import BadInput, TooLarge
from lossmith.losses import top_k, top_k_costs
from surrogates.quotation import quotes

COSTS = [Fraction(3), Fraction(1), Fraction(1, 2), Fraction(2), Fraction(5, 3)]
SMALL = [top_k_costs(COSTS[:n], k=k) for n in range(2, 6) for k in range(1, n)]
SMALL += [top_k_costs(COSTS[:n], penalties=[Fraction(s * s, 9) for s in range(k)]) for n in range(3, 6) for k in (2, 3)]
SMALL += [top_k_costs([1] * 3, penalties=[0, "1/3", "1"]), top_k_costs([1] * 4, penalties=[1, "5/4", "3/2"])]
SMALL += [top_k_costs([1] * 4, penalties=["1/10", 0, "1/8"]), top_k_costs([1, 2, 3], penalties=[0, "6/11"])]
each_small = pytest.mark.parametrize(
    "loss", SMALL, ids=lambda loss: f"{loss.name} {' '.join(map(str, loss.penalties))}"
)


def defined(loss):
    """The sets, by size, and the matrix."""
    sizes = enumerate(loss.penalties, loss.first)
    sets = [(set(chosen), x) for s, x in sizes for chosen in combinations(range(loss.r), s)]
    entries = [[(0 if y in chosen else loss.costs[y]) + x for chosen, x in sets] for y in range(loss.r)]
    return [chosen for chosen, _ in sets], entries


@each_small
def test_it_is_the_loss_of_its_definition(loss):
    sets, entries = defined(loss)
    matrix = loss.matrix()
    assert [list(row) for row in matrix.entries] == entries
    assert (loss.n, loss.k, loss.r) == (len(entries), len(sets), len(entries))
    assert [{i for i, each in enumerate(t) if each} for t in loss.each_prediction()] == sets
    assert loss.affdim == lm.affdim(lm.LossMatrix(entries))
    assert [[loss.loss(y, t) for t in sets] for y in range(loss.n)] == entries
    columns = [loss.factors(loss.prediction(t)) for t in sets]
    for functional in loss.constants:
        assert len({sum(a * b for a, b in zip(functional, column, strict=True)) for column in columns}) == 1
    farthest = max(sum((a - b) ** 2 for a, b in zip(s, t, strict=True)) for s in columns for t in columns)
    assert farthest <= loss.spread


@each_small
def test_the_affine_dimension_is_one_less_exactly_if_a_guess_costs_what_it_is_worth(loss):
    step = 1 / sum(1 / c for c in loss.costs)
    linear = all(x == loss.penalties[0] + i * step for i, x in enumerate(loss.penalties))
    assert loss.affdim == loss.n - linear
    assert lm.design(loss).dim == loss.affdim


@each_small
def test_risks_and_decisions_are_those_of_the_matrix(loss):
    random.seed(1)
    matrix = lm.LossMatrix(defined(loss)[1])
    for _ in range(8):
        drawn = [random.choice([0, 1, 2, 5]) for _ in range(loss.n - 1)] + [1]
        p = [Fraction(x, sum(drawn)) for x in drawn]
        risks = loss.risk(p)
        assert risks == matrix.risk(p)
        found = loss.decode([float(x) for x in p])
        assert loss.risk(p, found.predictions) == min(risks)
        assert float(found.values) == pytest.approx(float(min(risks)))
        assert found.exact


@given(st.data())
def test_decoding_finds_the_least_for_any_scores(data):
    loss = data.draw(st.sampled_from(SMALL))
    x = data.draw(st.lists(st.integers(-9, 9), min_size=loss.m, max_size=loss.m))
    values = [sum(a * b for a, b in zip(x, loss.factors(t), strict=True)) for t in loss.each_prediction()]
    found = loss.decode([x, x])
    assert found.values == pytest.approx([float(min(values))] * 2)
    column = loss.factors(loss.prediction(found.predictions[1]))
    assert sum(a * b for a, b in zip(x, column, strict=True)) == min(values)


@each_small
def test_bounds_are_those_of_the_matrix(loss):
    bounds = lm.ccdim(loss)
    assert bounds.exact == loss.n - 1
    assert lm.verify(bounds.lower.certificate).accepted
    assert lm.verify(bounds.upper.certificate).accepted
    if loss.n < 5:
        assert lm.ccdim(lm.LossMatrix(defined(loss)[1]), designs=False).exact == loss.n - 1


@each_small
def test_arrays_agree_with_exact_values(loss):
    sets, entries = defined(loss)
    Y = np.repeat(np.eye(loss.n, dtype=int), len(sets), axis=0)
    T = np.tile(np.array([[int(i in t) for i in range(loss.n)] for t in sets]), (loss.n, 1))
    assert loss.losses(Y, T) == pytest.approx([float(x) for row in entries for x in row])
    assert loss.targets(Y).tolist() == Y.tolist()
    assert loss.offsets(Y).tolist() == [0] * len(Y)


def test_equal_costs_are_top_k():
    assert top_k_costs([1] * 5, k=2).matrix() == top_k(5, 2)
    scaled = top_k(4, 2).scale_rows([1, 2, 3, 4])
    assert top_k_costs([1, 2, 3, 4], k=2).matrix().entries == scaled.entries


def test_a_thousand_labels():
    loss = top_k_costs(range(1, 1001), penalties=[Fraction(s, 50) for s in range(10)])
    assert lm.ccdim(loss).exact == 999
    assert (lm.affdim(loss), lm.design(loss).dim) == (1000, 1000)
    p = np.full(1000, 1 / 1000)
    assert loss.decode(p).predictions.nonzero()[0].tolist() == list(range(990, 1000))  # the ten that cost most


def test_costs_of_sixteen_digits():
    random.seed(0)
    costs = [random.random() for _ in range(1000)]
    assert lm.verify(lm.ccdim(top_k_costs(costs[:200], penalties=[0, "0.1"])).lower.certificate).accepted
    bounds = lm.ccdim(top_k_costs(costs, k=3))
    assert bounds.exact == 999
    with pytest.raises(TooLarge, match=r"top_k_costs\(1000 labels, 3 guesses\)"):
        _ = bounds.lower.certificate


def test_names():
    loss = top_k_costs({"cat": 1, "dog": 1, "lynx": 5}, k=1)
    assert loss.loss("lynx", ["cat"]) == loss.loss([2], "100") == 5
    assert [loss.label_name(y) for y in loss.each_label()] == ["cat", "dog", "lynx"]
    assert loss.matrix().predictions == ("{cat}", "{dog}", "{lynx}")
    assert lm.ccdim("top-k-costs:costs=1 2 3,k=2").exact == 2
    assert lm.ccdim("top-k-costs:costs=1,2,3,k=2").exact == 2
    assert lm.ccdim("top-k-costs:costs=(1,2,3),penalties=0,1/3").exact == 2


@pytest.mark.parametrize(
    ("ask", "quoted"),
    [
        (lambda: top_k_costs([1, -2], k=1), ("1", "-2")),
        (lambda: top_k_costs([1], k=1), ("costs", "[1]")),
        (lambda: top_k_costs({1, 2}, k=1), ("costs", "{1, 2}")),
        (lambda: top_k_costs([1, "x"], k=1), ("1", "costs")),
        (lambda: top_k_costs([1, 2]), ("k", "None", "penalties", "None", "k", "penalties")),
        (lambda: top_k_costs([1, 2], k=1, penalties=[0]), ("k", "1", "penalties", "[0]", "k")),
        (lambda: top_k_costs([1, 2], k=2), ("k", "2", "2")),
        (lambda: top_k_costs([1, 2], k=0), ("k", "0", "1")),
        (lambda: top_k_costs([1, 2], penalties=[]), ("0", "penalties", "2")),
        (lambda: top_k_costs([1, 2], penalties=[0, 1, 2]), ("3", "penalties", "2")),
        (
            lambda: top_k_costs([1, 2], penalties=[0, -1]),
            ("2", "-1"),
        ),
        (
            lambda: top_k_costs([1, 2], penalties=[0, 0]),
            ("2", "0"),
        ),
        (
            lambda: top_k_costs([1, 2, 3], k=2).loss(7, {0, 1}),
            ("7", "top_k_costs(3 labels, 2 guesses)"),
        ),
        (lambda: top_k_costs([1, 2, 3], k=2).loss(0, {1}), ("{1}", "1", "2")),
        (lambda: top_k_costs([1, 2, 3], k=2).loss(0, {1, 9}), ("9", "0", "2")),
        (lambda: top_k_costs([1, 2, 3], k=2).losses([[1, 1, 0]], [[1, 1, 0]]), ("Y", "2", "0", "top_k_costs")),
        (lambda: top_k_costs([1, 2, 3], k=2).losses([[1, 0, 0]], [[1, 0, 0]]), ("T", "1", "0", "top_k_costs")),
    ],
)
def test_what_is_wrong_is_quoted_in_one_line(ask, quoted):
    with pytest.raises(BadInput) as caught:
        ask()
    assert quotes(str(caught.value), *quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


# Learning.

X = np.array([[0.0], [1.0]] * 40)
Y = np.array(["cat", "lynx", "dog", "dog"] * 20)  # at 0 cat or dog, at 1 lynx or dog


@pytest.mark.parametrize("table", [False, True])
def test_guesses_are_learned(table):
    """At 0 both cost 1/2 if missed, and a second guess 1/4; at 1 a missed lynx costs 5/2, and then a dog 1/2."""
    loss = top_k_costs({"cat": 1, "dog": 1, "lynx": 5}, penalties=[0, "1/4"])
    truth = (Y[:, None] == np.array(loss.names)).astype(int) if table else Y
    model = lm.learn.SubsetClassifier(loss, C=100).fit(X, truth)
    assert model.predict([[0], [1]]).tolist() == [[1, 1, 0], [0, 1, 1]]
    assert model.score(X, truth) == pytest.approx(-0.25)
    assert lm.verify(model.construction_.certificate).accepted
    by_matrix = lm.learn.SurrogateClassifier(loss).fit(X, Y)
    assert by_matrix.predict([[0], [1]]).tolist() == ["{cat,dog}", "{dog,lynx}"]


def test_columns_of_a_frame_go_by_their_names():
    loss = top_k_costs({"lynx": 5, "cat": 1, "dog": 1}, penalties=[0, "1/4"])
    frame = pd.DataFrame((Y[:, None] == np.array(["cat", "dog", "lynx"])).astype(int), columns=["cat", "dog", "lynx"])
    model = lm.learn.SubsetClassifier(loss, C=100).fit(X, frame)
    assert model.tags_.tolist() == ["lynx", "cat", "dog"]
    assert model.predict([[0], [1]]).tolist() == [[0, 1, 1], [1, 0, 1]]
    assert model.score(X, frame) == model.score(X, Y) == pytest.approx(-0.25)


def test_what_learning_refuses():
    loss = top_k_costs({"cat": 1, "dog": 1, "lynx": 5}, k=1)
    with pytest.raises(BadInput, match=r"y\[0\].*'cow'.*'cat', 'dog', 'lynx'"):
        lm.learn.SubsetClassifier(loss).fit(X[:2], ["cow", "dog"])
    with pytest.raises(BadInput, match=r"Y .*\b2\b.*\b0\b.*top_k_costs"):
        lm.learn.SubsetClassifier(loss).fit(X[:2], [[1, 1, 0], [0, 0, 1]])
    many = top_k_costs([1] * 200, k=5)
    with pytest.raises(TooLarge, match=r"2,535,650,040.* SubsetClassifier\(loss\)"):
        lm.learn.SurrogateClassifier(many).fit(X, np.arange(80))
