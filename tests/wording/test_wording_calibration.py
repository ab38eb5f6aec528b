"""Messages and texts of verdicts, certificates and regrets."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from printed import messages

import lossmith as lm
from lossmith import losses, surrogates
from lossmith.analysis.facts import Facts
from lossmith.calibration import regret_budgets
from lossmith.calibration.by_catalogue import by_catalogue
from lossmith.calibration.question import Question
from lossmith.certificates.explaining import explain
from lossmith.surrogates import lovasz_hinge, one_vs_one_hinge
from lossmith.surrogates.smooth import BinaryMargin, SmoothSurrogate, Traits
from lossmith.surrogates.votes import Votes


def hinge(**declared):
    return SmoothSurrogate.from_margin(
        lambda m: np.maximum(1 - m, 0), lambda m: np.where(m < 1, -1.0, 0.0), "hinge", False, **declared
    )


def kink(**declared):
    return SmoothSurrogate.from_margin(
        lambda m: np.abs(m) + (1 - m) ** 2, lambda m: np.sign(m) - 2 * (1 - m), "kink", False, **declared
    )


def square_margin():
    return SmoothSurrogate.from_margin(lambda m: (1 - m) ** 2, lambda m: -2 * (1 - m), "squared")


def wave():
    traits = Traits(convex=False, margin=BinaryMargin(-1.0, True))
    values, slopes = (lambda U: 2 - np.sin(U * [1, -1])), (lambda U: -(np.cos(U) * [1, -1])[:, :, None])
    return SmoothSurrogate("wave", 2, 1, values, slopes, traits)


def mean():
    return surrogates.square([[1], [2], [3]])


def line_regret():
    psi = lm.PolyhedralSurrogate.from_function(
        lambda y, u: u[0] if y == 0 else 2 * (1 - u[0]), n=2, dim=1, domain=lambda u: [u[0] >= 0, u[0] <= 1]
    )
    return lm.regret(psi, lm.LossMatrix([[0, 1], [2, 0]]), [lambda u: [u[0] <= "1/2"], lambda u: [u[0] >= "1/2"]])


def too_many_points():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regret_budgets, "MOST_POINTS", 10)
        return lm.regret("crammer-singer", losses.abstain(3)).calibration_function


MESSAGES = {
    "margin: sign for three decisions": lambda: lm.check(hinge(slope_at_zero=-1), losses.abstain(2, "1/4"), "sign"),
    "margin: a slope at 0 of the wrong sign": lambda: hinge(slope_at_zero=1),
    "margin: a slope at 0 that is 0": lambda: hinge(slope_at_zero=0),
    "margin: two slopes at 0 of a differentiable margin": lambda: hinge(slope_at_zero=(-2, -1)),
    "votes: scores of one point": lambda: Votes(3)([1, 2]),
    "votes: scores of a batch": lambda: Votes(3).decide([[1.0, 2.0]]),
    "votes: another number of predictions": lambda: lm.check(one_vs_one_hinge(5), losses.ordinal(5), Votes(3)),
    "regret: an argument below 0": lambda: line_regret().at_most(-1),
    "regret: not attained": lambda: line_regret().attained(3),
    "regret: more points than the budget": too_many_points,
    "regret: another number of labels": lambda: lm.regret(surrogates.absolute(3), losses.ordinal(4)),
    "check: another number of labels": lambda: lm.check(surrogates.crammer_singer(3), losses.zero_one(4)),
    "decomposition: outside of the domain": lambda: decomposition()([1, 1, 1]),
    "decomposition: another number of coordinates": lambda: decomposition()([1, -1]),
    "set function: a pair of sets": lambda: lovasz_hinge("0 1 2 4", of="set"),
    "set function: two sets with tags in common": lambda: lovasz_hinge("0 1 2 3 0 1 2 4", of="set"),
    "set function: falls": lambda: lovasz_hinge("0 2 3 1", of="set"),
    "set function: zero": lambda: lovasz_hinge("0 0 0 0", of="set"),
    "set function: a set without a value": lambda: lovasz_hinge("0 1 2", of="set"),
    "set function: too many tags": lambda: lovasz_hinge(" ".join(map(str, range(32))), of="set"),
    "set function: of the number or of the set": lambda: lovasz_hinge("0 2 1 2"),
    "set function: of something else": lambda: lovasz_hinge("0 1 2 5/2", of="tags"),
    "mean: a pred for another dimension": lambda: lm.check(
        surrogates.square([[1, 0], [2, 0], [3, 1]]), losses.ordinal(3), "nearest"
    ),
    "mean: regions with a gap": lambda: lm.check(
        surrogates.square([[1], [2]]), losses.zero_one(2), [lambda u: [u[0] >= 1], lambda u: [u[0] <= 0]]
    ),
    "logit adjustment: a negative power": lambda: surrogates.logit_adjusted_softmax("1/3,2/3", -1),
    "logit adjustment: a power that is too fine": lambda: surrogates.logit_adjusted_softmax("1/3,2/3", "1/1001"),
    "logit adjustment: a power that is no number": lambda: surrogates.logit_adjusted_softmax("1/3,2/3", "x"),
    "expert: a negative fee": lambda: surrogates.defer_hinge(2, 1, "lee-lin-wahba", ["-1/10"]),
    "expert: fewer fees than experts": lambda: surrogates.defer_hinge(2, 2, "lee-lin-wahba", ["1/10"]),
}


def decomposition():
    return lm.check(surrogates.lee_lin_wahba(3), losses.zero_one(3)).pred


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot


def test_a_certificate_that_cannot_be_written(snapshot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = lm.check(surrogates.crammer_singer(3), losses.zero_one(3)).certificate
    assert messages({"no folder": lambda: certificate.to_json("no/such/folder.json")}) == snapshot


VERDICTS = {  # each as text and as LaTeX
    "a margin": lambda: (square_margin(), losses.cost_sensitive_binary("1/3")),
    "a margin with sign": lambda: (hinge(slope_at_zero=-1), losses.zero_one(2), "sign"),
    "a kink": lambda: (kink(slope_at_zero=(-3, -1)), losses.zero_one(2)),
    "the wrong sign": lambda: (square_margin(), losses.cost_sensitive_binary("1/3"), "sign"),
    "a mean": lambda: (mean(), losses.ordinal(3, 2), "decide"),
    "a mean that confuses": lambda: (mean(), losses.ordinal(3)),
    "the wrong prediction by the mean": lambda: (mean(), losses.ordinal(3), "nearest"),
    "cells of one kind": lambda: (surrogates.crammer_singer(6), losses.abstain(6)),
    "cells of one kind with a pred": lambda: (
        surrogates.crammer_singer(6),
        losses.abstain(6),
        "argmax-gap:tau=1/2",
    ),
    "votes": lambda: (surrogates.weighted_all_pairs_hinge(losses.top_k(4, 2)), losses.top_k(4, 2)),
}
WITH_TEN_VERTICES = {
    "a budget of vertices": lambda: (surrogates.crammer_singer(5), losses.abstain(5)),
    "a theorem of cost-weighted hinges": lambda: (surrogates.lee_lin_wahba(5), losses.zero_one(5), "argmax"),
    "a theorem of bits": lambda: (surrogates.binary_relevance_hinge(4), losses.hamming(4)),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name, snapshot):
    verdict = lm.check(*VERDICTS[name]())
    assert str(verdict) == snapshot(name="text")
    assert verdict.to_latex() == snapshot(name="LaTeX")


@pytest.mark.parametrize("name", WITH_TEN_VERTICES)
def test_verdicts_with_a_budget(name, snapshot):
    assert str(lm.check(*WITH_TEN_VERTICES[name](), max_vertices=10)) == snapshot


def test_why_a_rule_declines(snapshot):
    def why(rule, *question):
        return dict(lm.check(*question).declined)[rule]

    logits, likely = surrogates.logit_adjusted_softmax("1/3,2/3", "1/2"), [lambda p: [p[0] >= "9/10"]]
    irrational = why("by_irrational_weights", logits, losses.zero_one(2), "argmax", likely)
    assert why("by_binary_margin", kink(), losses.zero_one(2)) == snapshot(name="slopes that are not declared")
    assert why("by_binary_margin", wave(), losses.zero_one(2), "sign") == snapshot(name="not convex")
    assert irrational == snapshot(name="irrational weights on a part of the distributions")


def test_what_a_certificate_takes_as_given(snapshot):
    def given(surrogate, loss, pred=None):
        verdict = lm.verify(lm.check(surrogate, loss, pred).certificate)
        return "\n".join((*verdict.given, *verdict.theorems))

    half = losses.cost_sensitive_binary("1/3")
    assert given(square_margin(), half) == snapshot(name="probabilities")
    assert given(hinge(slope_at_zero=-1), losses.zero_one(2), "sign") == snapshot(name="sign")
    assert given(kink(slope_at_zero=(-3, -1)), losses.zero_one(2)) == snapshot(name="tangents")
    assert given(mean(), losses.ordinal(3, 2)) == snapshot(name="mean")


def test_why_a_certificate_is_rejected(snapshot):
    content = lm.check(hinge(slope_at_zero=-1), losses.zero_one(2), "sign").certificate.content
    for piece in (content["pred"]["regions"][t][0]["inequalities"][0] for t in (0, 1)):
        piece[0] = str(Fraction(piece[0]) * Fraction(2, 3))
    content["loss"]["entries"] = [["0", "2"], ["1", "0"]]
    assert lm.verify(json.dumps(content)).why == snapshot


def explained(*question):
    """Return the explanation of the certificate, without the loss and the surrogate."""
    text = explain(lm.check(*question).certificate.text)
    return "\n\n".join(part for part in text.split("\n\n") if not part.startswith('"') or "distributions" in part)


EXPLANATIONS = {
    "cells": lambda: (surrogates.absolute(3), losses.ordinal(3), "nearest"),
    "points": lambda: (surrogates.absolute(3), losses.zero_one(3)),
    "points of a part": lambda: (surrogates.absolute(3), losses.zero_one(3), None, "p[1] >= 1/5"),
    "cells of one kind": lambda: (surrogates.lee_lin_wahba(6), losses.zero_one(6)),
    "cells of one kind with a pred": lambda: (surrogates.lee_lin_wahba(6), losses.zero_one(6), "argmax"),
}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_explanations(name, snapshot):
    assert explained(*EXPLANATIONS[name]()) == snapshot


def test_an_explanation_by_a_theorem(snapshot):
    question = Question(surrogates.binary_relevance_hinge(1), Facts(losses.hamming(1)))
    assert explain(by_catalogue(question).certificate.text) == snapshot


def test_regrets(snapshot):
    unbounded = lm.regret("crammer-singer", losses.zero_one(3), "argmax")
    refuted = lm.regret("weston-watkins", losses.zero_one(4), "argmax", max_vertices=5)
    bounded = lm.regret("lee-lin-wahba", losses.zero_one(4), "argmax", max_vertices=5)
    assert str(unbounded) == snapshot(name="not calibrated")
    assert str(refuted) == snapshot(name="not calibrated, more vertices than the budget")
    assert str(bounded) == snapshot(name="more vertices than the budget")


def test_a_regret_with_more_points_than_the_budget(snapshot, monkeypatch):
    monkeypatch.setattr(regret_budgets, "MOST_POINTS", 10)
    regret = lm.regret("crammer-singer", losses.abstain(3))
    assert str(regret) == snapshot(name="text")
    assert regret.to_dict()["note"] == snapshot(name="note")


def test_a_study_with_decisions_of_one_kind(snapshot):
    _, cells = lm.analyze(losses.abstain(7)).theory.split("\n\nWhere ")
    assert cells == snapshot


def test_representations(snapshot):
    assert repr(decomposition()) == snapshot
