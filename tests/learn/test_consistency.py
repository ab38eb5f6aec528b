"""What is calibrated learns the best decisions from enough data, and what is not does not (trend, fixed seeds).

The theorem is `thm:class-calibration-consistency`. The examples come in groups, told apart by indicators, so that a
linear model can learn every function of the group and the excess risk of its decisions is known exactly.
"""

from __future__ import annotations

import numpy as np
import pytest

import lossmith as lm
from lossmith.learn import SurrogateClassifier
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one

TRIAGE = lm.LossMatrix([[0, 1, 4, 10], [10, 3, 1, 4], [60, 35, 12, 0]], name="triage")
CALIBRATED = [
    pytest.param(ordinal(5), "auto", marks=pytest.mark.exhaustive),
    (TRIAGE, "orderable"),
    (zero_one(3), "plug-in"),
    (zero_one(4), "square"),
    (top_k(4, 2), "square"),
    pytest.param(hamming(3), "square", marks=pytest.mark.exhaustive),
    (zero_one(3), "max-min-hinge"),
    (zero_one(3), "lee-lin-wahba:n=3"),
    (zero_one(3), "linear"),
    (abstain(3), "crammer-singer:n=3"),
    (hamming(2), "binary-relevance-hinge:r=2"),
    (ordinal(4), "absolute:n=4"),
]
NOT_CALIBRATED = [
    (zero_one(3), "absolute:n=3", "nearest"),
    (zero_one(4), "epsilon-insensitive:n=4", "nearest"),
    (abstain(3), "crammer-singer:n=3", "argmax-gap:tau=3/2"),
    (ordinal(3), "square:A=zero-one:n=3", "argmax"),
]


def excess(model, loss, P):
    """What the decisions in each group cost more than the best ones, on average over the groups."""
    risks = P @ np.array(loss.entries, dtype=float)
    decided = [loss.predictions.index(each) for each in model.predict(np.eye(len(P))).tolist()]
    return (risks[np.arange(len(P)), decided] - risks.min(axis=1)).mean()


def drawn(loss, P, m, seed):
    """m examples, each (group, label) once, with the number of times it was drawn as its weight."""
    generator = np.random.default_rng(seed)
    times = np.array([generator.multinomial(size, p) for size, p in zip(np.full(len(P), m // len(P)), P)])
    group, y = np.nonzero(times)
    return np.eye(len(P))[group], np.array(loss.labels)[y], times[group, y]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("loss", "surrogate"), CALIBRATED, ids=lambda each: getattr(each, "name", each))
def test_the_excess_falls_to_a_tenth_for_what_is_calibrated(loss, surrogate):
    P = np.random.default_rng(7).dirichlet(np.ones(loss.n), size=100)
    means = []
    for m in (1_000, 100_000):
        models = [SurrogateClassifier(loss, surrogate).fit(*drawn(loss, P, m, seed)) for seed in range(2)]
        means.append(np.mean([excess(model, loss, P) for model in models]))

    assert means[0] > 0
    assert means[1] <= means[0] / 10


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the verdict
@pytest.mark.parametrize(("loss", "surrogate", "pred"), NOT_CALIBRATED, ids=lambda each: getattr(each, "name", each))
def test_the_excess_stays_for_what_is_not_calibrated_on_its_own_counterexample(loss, surrogate, pred):
    made = lm.surrogates.named.surrogate_named(surrogate)
    verdict = lm.check(made, loss)
    if verdict.status == "calibrated":  # for another pred
        verdict = lm.check(made, loss, pred=pred)
    assert verdict.status == "not calibrated"
    P = np.array(verdict.distributions, dtype=float)
    model = SurrogateClassifier(loss, made, pred=pred, allow_uncertified=True)
    for m in (1_000, 100_000):
        assert excess(model.fit(*drawn(loss, P, m, seed=0)), loss, P) >= float(verdict.price) - 1e-9 > 0
