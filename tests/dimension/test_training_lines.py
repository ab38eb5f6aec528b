"""The three lines of Python that `study.theory` has do train for the loss."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import lossmith as lm
from lossmith.losses import abstain, hamming, ordinal

TRIAGE = lm.LossMatrix([[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]], name="triage")


@pytest.mark.parametrize(
    "loss",
    [
        TRIAGE,
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (abstain(3, "1/3"), ordinal(4), hamming(2))),
    ],
    ids=lambda loss: loss.name,
)
def test_the_printed_lines_decide_well(loss):
    printed = [line.strip() for line in lm.analyze(loss).theory.splitlines()]
    lines = [line for line in printed if line.startswith(("best = ", "rows = ", "decisions = "))]
    assert len(lines) == 3
    # Three groups of examples, told apart by indicators: regression on them finds the mean of the targets exactly.
    generator = np.random.default_rng(0)
    P = generator.dirichlet(np.ones(loss.n), size=3)
    group = generator.integers(0, 3, size=30_000)
    y = (generator.random(30_000)[:, None] > P[group].cumsum(axis=1)).sum(axis=1)
    names = {"lm": lm, "Ridge": lambda: Ridge(alpha=1e-9, fit_intercept=False), "loss": loss}
    names |= {"X": np.eye(3)[group], "y": [loss.labels[i] for i in y], "X_new": np.eye(3)}
    exec("\n".join(lines), names)
    costs = np.array(loss.entries, dtype=float)
    frequencies = np.array([np.bincount(y[group == g], minlength=loss.n) / (group == g).sum() for g in range(3)])
    risks = frequencies @ costs
    chosen = [loss.predictions.index(decision) for decision in names["decisions"]]
    assert risks[range(3), chosen] == pytest.approx(risks.min(axis=1), abs=1e-6)
