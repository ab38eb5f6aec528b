"""Labelled data drawn from given distributions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lossmith import LossMatrix
from lossmith.losses.sampling import draw

F = Fraction
CERTAIN = [(F(1), F(0), F(0)), (F(0), F(0), F(1))]


@pytest.mark.parametrize("labels", [(0, 1, 2), ("a", "b", "c"), (0, "a", 1.5), (False, True, "c")])
def test_labels_are_drawn_as_the_names_they_are(labels):
    X, y = draw(LossMatrix(np.eye(3), labels=labels), CERTAIN, 50, seed=0)
    assert X.shape == (50, 2)
    assert X.sum(axis=1).tolist() == [1] * 50
    assert {(*x, label) for x, label in zip(X.tolist(), y.tolist())} == {(1, 0, labels[0]), (0, 1, labels[2])}
    assert {type(label) for label in y.tolist()} == {type(labels[0]), type(labels[2])}


def test_labels_are_drawn_as_often_as_their_probabilities_say():
    p = (F(1, 5), F(1, 2), F(3, 10))
    _, y = draw(LossMatrix(np.eye(3)), [p], 20_000, seed=1)
    assert np.bincount(y) / 20_000 == pytest.approx([float(x) for x in p], abs=0.02)


def test_the_seed_fixes_what_is_drawn():
    loss = LossMatrix(np.eye(3))
    first, second, other = (draw(loss, [(F(1, 3),) * 3], 100, seed=seed)[1].tolist() for seed in (7, 7, 8))
    assert first == second != other
