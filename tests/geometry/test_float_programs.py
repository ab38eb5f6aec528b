"""Linear programs in floating point: by their rows and by their weights the same, and an interrupt is heard."""

from __future__ import annotations

import signal
import time
from operator import mul
from random import Random
from unittest import mock

import pytest

from lossmith.analysis import risk_minimizer
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.geometry.float_lp import WarmProgram
from lossmith.geometry.float_weights import WeightProgram
from lossmith.surrogates import (
    absolute,
    adversarial_zero_one,
    binary_encoded,
    crammer_singer,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)

# Maxima of two pieces and of more; a domain with rows, with an equation, or without.
SURROGATES = [
    crammer_singer(4),
    weston_watkins(4),
    lee_lin_wahba(4),
    one_vs_all_hinge(4),
    absolute(5),
    binary_encoded(5),
    adversarial_zero_one(4),
]
FAMILIES = pytest.mark.parametrize("surrogate", SURROGATES, ids=lambda surrogate: surrogate.name)


def both_ways(surrogate):
    """One minimiser that asks the rows of its program and one that asks the weights, whatever its size."""
    found = []
    for most, kind in ((10**9, WarmProgram), (0, WeightProgram)):
        minimizer = RiskMinimizer(surrogate)
        with mock.patch.object(risk_minimizer, "MANY_ROWS", most):
            assert isinstance(minimizer.program, kind)
        found.append(minimizer)
    return found


@FAMILIES
def test_rows_and_weights_guess_the_same_minimum_with_a_support_that_proves_it(surrogate):
    random = Random(0)
    first, second = both_ways(surrogate)
    for _ in range(12):
        p = tuple(random.randint(1, 30) for _ in range(surrogate.n))
        proved = []
        for minimizer in (first, second):
            guess = minimizer.guess([x / sum(p) for x in p])
            assert guess is not None
            u, support = guess
            weights = minimizer.proof_on(support).at(p)
            assert weights is not None  # none is negative: the support proves a bound at p itself
            risk = sum(map(mul, p, surrogate.evaluate([u[: surrogate.dim]])[0]))
            assert risk == pytest.approx(float(weights.bound), rel=1e-6, abs=1e-6)
            proved.append(weights.bound)
        assert proved[0] == proved[1] == surrogate.minimum(p).value


@FAMILIES
def test_the_least_risk_is_the_same_in_both_ways_also_where_labels_are_impossible(surrogate):
    random = Random(1)
    first, second = both_ways(surrogate)
    for _ in range(12):
        p = (*(random.choice((0, 1, 1, 2, 5)) for _ in range(surrogate.n - 1)), 1)
        minima = [minimizer.at(p) for minimizer in (first, second)]
        assert minima[0].weights.bound == minima[1].weights.bound == surrogate.minimum(p).value


def test_from_so_many_rows_on_the_weights_are_asked(monkeypatch):
    monkeypatch.setattr(risk_minimizer, "MANY_ROWS", 250)
    few, many = weston_watkins(11), weston_watkins(12)  # 11 · 10 · 2 = 220 rows, and 12 · 11 · 2 = 264
    assert isinstance(RiskMinimizer(few).program, WarmProgram)
    assert isinstance(RiskMinimizer(many).program, WeightProgram)


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer that counts processor time")
def test_an_interrupt_is_heard_while_the_solver_runs():
    surrogate = weston_watkins(50)
    width = surrogate.dim + len(surrogate.maxima)
    random = Random(0)
    weights = [random.random() for _ in range(surrogate.n)]
    costs = [0.0] * surrogate.dim + [weights[y] for y, groups in enumerate(surrogate.groups) for _ in groups]

    def solve() -> None:
        WarmProgram(width, *surrogate.program).minimize(costs)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    start = time.process_time()
    solve()
    whole = time.process_time() - start
    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, whole / 2)
        with pytest.raises(KeyboardInterrupt):
            solve()
        assert time.process_time() - start < 0.9 * whole  # not when the run was over
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
