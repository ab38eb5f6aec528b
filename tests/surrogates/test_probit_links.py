"""Cumulative links by the normal distribution: values in both tails, slopes, what is told, and verdicts."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

import lossmith as lm
from losses.refusal import refusal
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import cumulative_link
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.normal_intervals import hazard, surprise

ROOT = math.sqrt(2 * math.pi)


def by_integration(a, gap):
    """−log ∫ of the density, and its values at both ends over the integral; relative to it at b, s to the left of b."""
    turned = 2 * a + gap > 0
    b = -a if turned else a + gap
    longest = min(gap, 60 / -b if b < -1 else 60)  # beyond there are e^−60 of it
    mass = quad(lambda s: math.exp(b * s - s * s / 2), 0, longest, epsabs=0, epsrel=1e-12)[0]
    ends = [math.exp(b * gap - gap * gap / 2) / mass, 1 / mass]
    return b**2 / 2 + math.log(ROOT) - math.log(mass), *(ends[::-1] if turned else ends)


@pytest.mark.parametrize("a", [-30.0, -8.5, -1.0, -1e-3, 0.0, 0.7, 5.0, 12.0, 35.0])
@pytest.mark.parametrize("gap", [1e-9, 1e-7, 3e-6, 1e-3, 0.2, 1.0, 2.5])
def test_an_interval_has_the_value_and_the_slopes_of_its_integral(a, gap):
    value, widened, moved = (float(x[0]) for x in surprise(np.array([a]), np.array([gap])))
    wanted, lower, upper = by_integration(a, gap)
    assert value == pytest.approx(wanted, rel=1e-9)
    assert widened == pytest.approx(-upper, rel=1e-6)
    assert moved == pytest.approx(lower - upper, rel=1e-6, abs=1e-6 * upper)


def test_far_out_it_is_what_the_tail_is():
    """−log Φ(−x) = x²/2 + log(x √(2π)) + 1/x² …, and φ(x)/Φ(x) = −x there."""
    for x in (1e3, 1e6, 1e50):
        for a, gap in ((x, 1e3), (-x - 1e3, 1e3)):
            found = float(surprise(np.array([a]), np.array([gap]))[0][0])
            assert found == pytest.approx(x * x / 2 + math.log(x * ROOT), rel=1e-9)
        assert hazard(np.array([-x]))[0] == pytest.approx(x, rel=1e-5)
    assert hazard(np.array([50.0]))[0] == 0


def between(p, q):
    """Φ(q) − Φ(p), from the side of the nearer tail."""
    p, q = (-q, -p) if p > 0 else (p, q)
    return (math.erfc(-q / math.sqrt(2)) - math.erfc(-p / math.sqrt(2))) / 2


@pytest.mark.parametrize("n", [2, 3, 5])
def test_it_has_its_formula(n):
    psi, rng = cumulative_link(n, "probit"), random.Random(n)
    for _ in range(12):
        u = [rng.uniform(-1.5, 1.5) for _ in range(n - 1)]
        b = [u[0]]
        for x in u[1:]:
            b.append(b[-1] + math.exp(x))
        shares = [between(p, q) for p, q in pairwise([-math.inf, *b, math.inf])]
        assert psi.evaluate([u])[0] == pytest.approx([-math.log(x) for x in shares], rel=1e-7)
        assert psi.probabilities([u])[0] == pytest.approx(shares, rel=1e-7)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_slopes_are_those_of_differences(n):
    psi, rng = cumulative_link(n, "probit"), random.Random(n)
    for _ in range(10):
        u = np.array([rng.uniform(-3, 3) for _ in range(n - 1)])
        step = 1e-5 * np.eye(n - 1)
        measured = (psi.evaluate(u + step) - psi.evaluate(u - step)).T / 2e-5
        assert psi.gradient([u])[0] == pytest.approx(measured, rel=1e-5, abs=1e-6)


def test_scores_of_any_size_have_finite_values_and_slopes():
    for U in np.array(np.meshgrid([-1e300, -1e9, -40, 0, 40, 1e9, 1e300], [-700, -40, 0, 40, 1e5])).T:
        psi = cumulative_link(3, "probit")
        with np.errstate(all="raise", under="ignore"):
            assert np.isfinite(psi.evaluate(U)).all()
            assert np.isfinite(psi.gradient(U)).all()


@pytest.mark.parametrize("n", [2, 3, 4])
def test_scores_of_probabilities_tell_them_and_the_risk_is_their_entropy(n):
    psi, rng = cumulative_link(n, "probit"), random.Random(n)
    for _ in range(12):
        p = np.array([rng.random() ** 6 + 1e-9 for _ in range(n)])
        p /= p.sum()
        u = psi.traits.proper.link(p)
        assert psi.probabilities([u])[0] == pytest.approx(p, rel=1e-6)
        assert p @ psi.evaluate([u])[0] == pytest.approx(-(p * np.log(p)).sum(), rel=1e-7)
        assert p @ psi.gradient([u])[0] == pytest.approx([0] * (n - 1), abs=1e-6)


def test_it_is_convex_in_the_thresholds():
    """As the density is log-concave (Prékopa); in the logarithms of gaps it is not."""
    rng = np.random.default_rng(0)

    def psi(a, b):
        return surprise(a, b - a)[0]

    a, c = rng.normal(size=(2, 400)) * 5
    b, d = a + rng.exponential(size=400) * 3, c + rng.exponential(size=400) * 3
    assert (psi((a + c) / 2, (b + d) / 2) <= (psi(a, b) + psi(c, d)) / 2 + 1e-9).all()
    first, middle, last = cumulative_link(3, "probit").evaluate([[-1, 0], [-1, -0.5], [-1, -1]])
    assert middle[1] > (first[1] + last[1]) / 2 + 1e-3


@pytest.mark.parametrize("loss", [ordinal(3), zero_one(3), abstain(3, "1/3"), ordinal(4, power=2)], ids=str)
def test_told_probabilities_decide_every_loss(loss):
    verdict = lm.check(cumulative_link(loss.n, "probit"), loss)
    assert verdict.status == "calibrated"
    assert lm.verify(verdict.certificate).accepted


def test_what_is_decided_is_the_median_where_half_is_passed():
    """The first threshold above 0 names the grade: Σ p_i ≤ 1/2 below it, as for the logistic."""
    loss, rng = ordinal(4), random.Random(4)
    for link in ("logistic", "probit"):
        psi = cumulative_link(4, link)
        decide = lm.check(psi, loss, "decide").pred
        for _ in range(20):
            u = [Fraction(rng.randint(-40, 30), 16) for _ in range(3)]
            b = [float(u[0])]
            for x in u[1:]:
                b.append(b[-1] + math.exp(x))
            assert decide(u) == sum(x < 0 for x in b)


def test_names_and_links_that_there_are_not():
    assert surrogate_named("cumulative-link:n=3,link=probit") == cumulative_link(3, "probit")
    assert cumulative_link(3) == cumulative_link(3, "logistic") != cumulative_link(3, "probit")
    assert cumulative_link(3).name == "cumulative_link(n=3)"
    assert "probit" in refusal(cumulative_link, 3, "probbit")
    for link in ("logistic", "probit"):
        assert pickle.loads(pickle.dumps(cumulative_link(3, link))) == cumulative_link(3, link)
