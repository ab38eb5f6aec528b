"""Preds that compare single scores with thresholds, against the definition: infima over boxes, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest

import lossmith as lm

INF = Fraction(10**6)  # beyond all kinks


def least(parts, low, high) -> Fraction:
    """min of Σ w (s (u − c))₊² on [low, high]: at an end, a kink, or where a piece between kinks is stationary."""
    kinks = sorted({low, high, *(c for _, _, c in parts if low < c < high)})
    places = [*kinks]
    for a, b in pairwise(kinks):
        live = [(w, c) for w, s, c in parts if s * ((a + b) / 2 - c) > 0]
        if live:
            places.append(min(max(sum(w * c for w, c in live) / sum(w for w, _ in live), a), b))
    return min(sum(w * max(s * (u - c), 0) ** 2 for w, s, c in parts) for u in places)


class Drawn:
    """Labels with sums of squared hinges of single scores, a grid of thresholds, a prediction for each cell of it."""

    def __init__(self, seed: int) -> None:
        draw = Random(seed)
        self.n, self.dim, self.k = draw.choice([2, 3]), draw.choice([1, 2, 2]), draw.choice([2, 3])
        self.parts = [
            [
                [(1, s, Fraction(draw.randint(-2, 2))) for s in draw.choice([(1,), (-1,), (1, -1)])]
                for _ in range(self.dim)
            ]
            for _ in range(self.n)
        ]
        self.loss = lm.LossMatrix([[draw.randint(0, 3) for _ in range(self.k)] for _ in range(self.n)])
        self.grids = [sorted(draw.sample(range(-1, 2), draw.choice([1, 1, 2]))) for _ in range(self.dim)]
        cells = list(product(*(pairwise([-INF, *map(Fraction, grid), INF]) for grid in self.grids)))
        self.cells = {cell: draw.randrange(self.k) for cell in cells}

    @property
    def surrogate(self):
        def squares(y, u):
            return [lm.pos(s * (u[i] - c)) for i, each in enumerate(self.parts[y]) for _, s, c in each]

        return lm.SmoothSurrogate.from_squares(squares, n=self.n, dim=self.dim)

    @property
    def pred(self):
        def rows(cell):
            ends = [(i, end, s) for i, both in enumerate(cell) for end, s in zip(both, (1, -1), strict=True)]
            return lambda u: [s * (u[i] - end) >= 0 for i, end, s in ends if abs(end) < INF]

        pieces = [[rows(cell) for cell, t in self.cells.items() if t == each] for each in range(self.k)]
        return lm.Pred.from_regions([each or None for each in pieces], dim=self.dim)

    def excess(self, p, t) -> Fraction:
        """inf over the cells of t, less inf over all."""
        known = {}

        def infimum(cell):
            for i, ends in enumerate(cell):
                if (i, ends) not in known:
                    mixed = [(x * w, s, c) for x, each in zip(p, self.parts, strict=True) for w, s, c in each[i] if x]
                    known[i, ends] = least(mixed, *ends) if mixed else Fraction(0)
            return sum(known[i, ends] for i, ends in enumerate(cell))

        found = {cell: infimum(cell) for cell in self.cells}
        return min(x for cell, x in found.items() if self.cells[cell] == t) - min(found.values())


def decided(seed: int) -> str:
    """Return the status of the verdict, after comparing it with the definition."""
    drawn = Drawn(seed)
    verdict = lm.check(drawn.surrogate, drawn.loss, drawn.pred)
    if verdict.status == "undecided":
        return "undecided"
    assert lm.verify(verdict.certificate).accepted, seed
    if verdict.status == "not calibrated":
        p, t = verdict.distributions[0], verdict.prediction
        assert t not in drawn.loss.optimal_predictions(p)
        assert drawn.excess(p, t) == 0, seed
        return verdict.status
    parts = 6 if drawn.n == 3 else 24
    for a, b in product(range(parts + 1), repeat=2):
        p = (
            [Fraction(x, parts) for x in (a, b, parts - a - b)]
            if drawn.n == 3
            else [Fraction(a, parts), 1 - Fraction(a, parts)]
        )
        if min(p) >= 0:
            for t in {*drawn.cells.values()} - {*drawn.loss.optimal_predictions(p)}:
                assert drawn.excess(p, t) > 0, (seed, p, t)
    return verdict.status


def test_a_wrong_decision_only_where_a_slope_is_0_is_refuted():
    """At p = (1, 0) every u with u_0 ≥ 1 and u_1 ≤ 3 is optimal, and 1 is decided on some of them."""

    def squares(y, u):
        return [lm.pos(1 - u[0]), lm.pos(u[1] - 3)] if y == 0 else [lm.pos(1 + u[0]), lm.pos(5 - u[1])]

    psi = lm.SmoothSurrogate.from_squares(squares, n=2, dim=2)
    verdict = lm.check(psi, [[0, 1], [0, 0]], [lambda u: [u[1] >= 2], lambda u: [u[1] <= 2]])
    assert (verdict.status, verdict.distributions, verdict.prediction) == ("not calibrated", ((1, 0),), 1)
    assert lm.verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", ["one-vs-all-logistic:n=3", "one-vs-all:n=3", "one-vs-all-squared-hinge:n=3"])
def test_thresholds_of_one_against_all_are_decided(name):
    signs = [None, lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]
    verdict = lm.check(name, [[2, 0, 1], [2, 1, 0], [2, 1, 0]], signs)
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted
    assert lm.check(name, [[2, 0, 1], [2, 1, 0], [2, 0, 1]], signs).status == "not calibrated"


def test_random_sums_of_squared_hinges():
    assert {decided(seed) for seed in (0, 1, 2, 3, 5)} <= {"calibrated", "not calibrated"}


@pytest.mark.exhaustive
def test_many_sums_of_squared_hinges():
    found = [decided(seed) for seed in range(400)]
    counts = {each: found.count(each) for each in {*found}}
    assert counts["calibrated"] > 5, counts
    assert "undecided" not in counts, counts
