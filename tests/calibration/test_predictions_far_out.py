"""A refutation at infinity with a given pred: its certificate has the pred, and the checker compares what it says."""

from __future__ import annotations

import json

import pytest

import lossmith as lm
from lossmith.calibration.by_far_out import FarOut

CASES = [
    ("top_k_entropy:n=3,k=2", "zero-one:n=3", "argmax"),
    ("margin-vector:n=3", "zero-one:n=3", "argmax"),
    ("top_k_entropy:n=4,k=2", "abstain:n=4", "argmax-gap:tau=1/2"),
]


@pytest.mark.parametrize(("surrogate", "loss", "pred"), CASES)
def test_the_certificate_has_the_pred_and_the_prediction_at_the_scores_that_are_printed(surrogate, loss, pred):
    verdict = lm.check(surrogate, loss, pred=pred)
    content, answer = verdict.certificate.content, lm.verify(verdict.certificate)
    evidence = content["evidence"]

    assert isinstance(verdict.proof, FarOut)
    assert evidence["u"] == [str(x) for x in verdict.u]
    assert evidence["prediction"] == verdict.prediction == verdict.pred(verdict.u)
    assert content["pred"]["regions"]
    assert (answer.accepted, answer.conditional, len(answer.given)) == (True, True, 1)


def test_another_prediction_another_pred_or_another_u_is_rejected():
    content = lm.check(*CASES[0][:2], pred="argmax").certificate.content
    evidence, pred = content["evidence"], content["pred"]
    for forged in (
        {**content, "evidence": {**evidence, "prediction": (evidence["prediction"] + 1) % 3}},
        {**content, "evidence": {**evidence, "u": [str(-int(x)) for x in evidence["u"]]}},
        {**content, "pred": {**pred, "regions": pred["regions"][::-1]}},
        {key: value for key, value in content.items() if key != "pred"},
    ):
        assert not lm.verify(json.dumps(forged)).accepted


def test_the_scores_that_are_printed_are_so_far_out_that_the_prediction_no_longer_changes():
    surrogate, loss = lm.surrogates.margin_vector(3), lm.losses.zero_one(3)
    first = lm.check(surrogate, loss, pred="argmax")
    axis = max(range(3), key=lambda i: first.u[i])
    beyond = first.u[axis] * 50  # far behind the u that is shown for a pred by cones
    near = lm.Pred.from_regions(
        [lambda u: [u[axis] <= beyond], lambda u: [u[axis] >= beyond], lambda u: [u[0] <= -1, u[0] >= 1]], dim=3
    )
    verdict = lm.check(surrogate, loss, pred=near)

    assert isinstance(verdict.proof, FarOut)
    assert verdict.prediction == verdict.pred(verdict.u) == verdict.pred([2 * x for x in verdict.u]) == 1
    assert verdict.u[axis] > beyond
    assert lm.verify(verdict.certificate).accepted


def test_without_a_pred_no_prediction_will_do():
    verdict = lm.check(*CASES[0][:2])
    content = verdict.certificate.content
    assert "pred" not in content
    assert len(content["evidence"]["better"]) == 3
    assert lm.verify(verdict.certificate).accepted
