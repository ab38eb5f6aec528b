"""Each fact of a loss is computed at most once, whatever is asked of it on the way."""

from __future__ import annotations

from collections import Counter

import pytest

import lossmith as lm
from lossmith.analysis import facts
from lossmith.answers.study import analyze
from lossmith.answers.using import which
from lossmith.learn import SurrogateClassifier
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.losses.matrix import LossMatrix
from lossmith.reporting import report

TRIAGE = LossMatrix([[0, 1, 4, 2], [2, 0, 1, 1], [9, 3, 0, 2]], ["mild", "moderate", "severe"])
LOSSES = [TRIAGE, zero_one(4), ordinal(5), abstain(4), hamming(2), LossMatrix([[0, 1, 2, 3]] * 2 + [[5, 3, 1, 0]] * 4)]
COMPUTED = ("needed_predictions", "redundant_predictions", "cells_of", "full_sections", "order_by_a_row", "row_basis")


@pytest.fixture
def computed(monkeypatch):
    """How often each fact was computed; facts are computed in one module."""
    calls: Counter[str] = Counter()

    def counted(name):
        function = getattr(facts, name)

        def count(*arguments, **options):
            calls[name] += 1
            return function(*arguments, **options)

        return count

    for name in COMPUTED:
        monkeypatch.setattr(facts, name, counted(name))
    return calls


@pytest.mark.parametrize(
    "loss",
    [TRIAGE, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in LOSSES[1:])],
    ids=lambda loss: loss.name,
)
def test_analyze_then_report(computed, loss):
    report(analyze(loss)).to_html()
    assert computed["row_basis"] == 1
    assert max(computed.values()) == 1


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_ccdim_then_design(computed, loss):
    bounds = lm.ccdim(loss)
    best = lm.design(loss, bounds=bounds)
    square = lm.design(loss, method="square", bounds=bounds)
    assert best.surrogate.dim <= square.surrogate.dim
    assert computed["needed_predictions"] + computed["cells_of"] >= 1
    assert max(computed.values()) == 1


def test_what_ccdim_found_is_not_searched_for_again(monkeypatch):
    bounds = lm.ccdim(abstain(4))

    def again(*_, **__):
        raise AssertionError("the bounds know a surrogate")

    monkeypatch.setattr("lossmith.answers.designing.search", again)
    made = lm.design(abstain(4), bounds=bounds)
    assert made.surrogate is bounds.upper.evidence.verdict.surrogate


@pytest.mark.parametrize("loss", [TRIAGE, ordinal(5)], ids=lambda loss: loss.name)
def test_a_design_alone(computed, loss):
    lm.design(loss)
    assert max(computed.values()) == 1


@pytest.mark.parametrize(
    "loss", [zero_one(3), pytest.param(ordinal(5), marks=pytest.mark.exhaustive)], ids=lambda loss: loss.name
)
def test_which(computed, loss):
    assert len(list(which(loss))) > 5
    assert max(computed.values()) == 1


@pytest.mark.parametrize(
    "surrogate", ["auto", "square", "orderable", pytest.param("max-min-hinge", marks=pytest.mark.exhaustive)]
)
def test_a_classifier(computed, surrogate):
    loss = ordinal(4).scale_rows([1, 2, 3, len(surrogate)])  # not asked about before: answers are remembered
    model = SurrogateClassifier(loss, surrogate=surrogate)
    model.fit([[x, -x] for x in range(8)], [x // 2 for x in range(8)])
    assert model.predict([[0, 0]]).shape == (1,)
    assert computed["needed_predictions"] == 1
    assert max(computed.values()) == 1


def test_a_refusal_is_remembered_and_more_is_tried_when_more_is_allowed(computed):
    known = facts.Facts(hamming(4))
    for _ in range(2):
        with pytest.raises(lm.errors.TooLarge):
            known.cells(20)
    assert computed["cells_of"] == 1
    assert len(known.cells(1000)) == 16
    with pytest.raises(lm.errors.TooLarge, match=r"\b20\b.*max_vertices"):
        known.cells(20)
    assert computed["cells_of"] == 2


def test_facts_travel_without_what_was_computed():
    import pickle

    known = facts.Facts(zero_one(3), progress=lambda done, total: None)
    assert len(known.cells()) == 3
    copied = pickle.loads(pickle.dumps(known))
    assert copied.loss == known.loss
    assert copied.kept == known.kept
