"""The constants of `constrained_loss` with exponentials and 0-1 loss: both ends of what is known, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import lossmith as lm
from lossmith import losses, surrogates

SIZES = (3, 4, 5, 6, 8, 10, 20)


def bounds(n: int) -> lm.Regret:
    return lm.regret(surrogates.constrained_loss(n), losses.zero_one(n), "argmax")


def least_where_t_is_largest(w, t) -> float:
    """inf Σ w_j e^{v_j} over Σ v = 0 with v_t largest: t shares one value with the labels of the least weights."""
    others = sorted(x for j, x in enumerate(w) if j != t)
    pool = [w[t]]
    while others and others[0] < sum(pool) / len(pool):
        pool.append(others.pop(0))
    logs = len(pool) * np.log(sum(pool) / len(pool)) + sum(np.log(max(x, 1e-300)) for x in others)
    return float(len(w) * np.exp(logs / len(w)))


def test_three_labels_have_an_exact_constant():
    found = bounds(3)
    assert found.exact
    assert found.upper.constant == Fraction(8, 3)


def test_four_labels_have_an_interval():
    """It contains 3.0305, which argmax needs at p = (0, .44, .28, .28) and u = 0."""
    found = bounds(4)
    assert (found.lower.constant, found.upper.constant) == (Fraction(303, 100), Fraction(73, 24))
    needed = 0.44**2 / (3 - 4 * (0.56 * 0.72**2) ** 0.25)
    assert found.lower.constant < needed < found.upper.constant


@pytest.mark.parametrize("n", [n for n in SIZES if n > 3])
def test_the_lower_end_is_needed_at_its_distribution(n):
    """In fractions: p_s² ≥ c (n − 1 − nX) if Xⁿ, the product of the 1 − p_j, is at least ((n − 1 − p_s²/c)/n)ⁿ."""
    found = bounds(n)
    at, c = found.touching, found.lower.constant
    assert sum(at.p) == 1
    assert at.p[at.prediction] == 0
    assert max(at.p) == at.p[at.better]
    product = Fraction(1)
    for x in at.p:
        product *= 1 - x
    assert product >= ((n - 1 - max(at.p) ** 2 / c) / n) ** n
    assert (
        4 - Fraction(4, n) <= c <= found.upper.constant == 4 - Fraction(4, n) + Fraction(2 * (n - 3), n * n * (n - 1))
    )


@pytest.mark.parametrize("n", SIZES)
def test_no_distribution_exceeds_the_upper_end(n):
    """Labels s, t and others that are alike, or some of which are impossible; and at random."""
    upper, draw = float(bounds(n).upper.constant), np.random.default_rng(n)
    grid = [(a, b) for a, b in product(np.linspace(0, 1 / n, 9), np.linspace(1 / n, 4 / n, 40)) if b > a and a + b <= 1]
    ps = [np.array([a, b, *[(1 - a - b) / (n - 2)] * (n - 2)]) for a, b in grid]
    ps += [draw.dirichlet([share] * n) for share in (0.3, 1, 5, 50) for _ in range(10)]
    for p in ps:
        w, s = 1 - p, int(np.argmax(p))
        least = n * np.exp(np.log(np.maximum(w, 1e-300)).sum() / n)
        for t in {0, int(np.argmin(p))} - {s}:
            paid = least_where_t_is_largest(w, t) - least
            assert (p[s] - p[t]) ** 2 <= upper * paid * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(("phi", "k"), [("logistic", 2), ("squared-hinge", 1), ("modified-huber", 1)])
def test_others_are_bounded_by_the_two_likeliest_labels(phi, k):
    """p_s + p_t ≥ 1/(n − 1), as no label is likelier than s."""
    for n in (2, 3, 5):
        found = lm.regret(surrogates.constrained_loss(n, phi), losses.zero_one(n), "argmax")
        assert found.upper.constant == k * (2 - Fraction(1, n - 1))
