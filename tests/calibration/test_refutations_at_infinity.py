"""Refutations along a direction: the prediction that a verdict shows is that of the pred at the u that it shows."""

from __future__ import annotations

import pytest

import lossmith as lm
from lossmith.calibration.by_far_out import FarOut


@pytest.mark.parametrize(
    ("surrogate", "loss", "pred", "decision"),
    [
        ("top_k_entropy:n=3,k=2", "zero-one:n=3", "argmax", 0),
        ("margin-vector:n=3", "zero-one:n=3", "argmax", 1),
        # The two largest scores are equal along the whole ray: the gap is never 1/2, and abstaining is decided.
        ("top_k_entropy:n=3,k=2", "abstain:n=3", "argmax-gap:tau=1/2", 3),
        ("top_k_entropy:n=4,k=2", "abstain:n=4", "argmax-gap:tau=1/2", 4),
    ],
)
def test_the_prediction_shown_is_that_of_the_pred_at_the_scores_shown(surrogate, loss, pred, decision):
    verdict = lm.check(surrogate, loss, pred=pred)

    assert verdict.status == "not calibrated"
    assert isinstance(verdict.proof, FarOut)
    assert verdict.prediction == verdict.pred(verdict.u) == decision
    assert all(decision not in verdict.loss.optimal_predictions(p) for p in verdict.distributions)
