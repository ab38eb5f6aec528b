"""Preds that name sets, intervals and tags, or reject: what they decide, and what they are not for."""

from __future__ import annotations

import pytest

from lossmith.errors import BadInput
from lossmith.losses import abstain, ordinal, top_k, zero_one
from lossmith.surrogates import (
    absolute,
    crammer_singer,
    interval_pinball,
    pairwise_reject_hinge,
    rejection_max_hinge,
    tagwise_reject_hinge,
)
from lossmith.surrogates.cases import intervals, open_hamming
from lossmith.surrogates.preds import as_named, as_pred, rule_named


def test_points_are_decided_by_the_rule():
    cases = [
        (
            "top-k",
            crammer_singer(4),
            top_k(4, 2),
            {(3, 0, 1, 2): "{0,3}", (0, 1, 1, 1): "{1,2}", (0, 0, 0, 0): "{0,1}"},
        ),
        ("top-k", crammer_singer(3), zero_one(3), {(0, 2, 1): 1, (1, 1, 0): 0}),
        (
            "reject",
            rejection_max_hinge("1/4"),
            abstain(2, "1/4"),
            {(1, 1): 0, (-1, 1): 1, (9, -1): "abstain", (1, 0): 0},
        ),
        (
            "reject",
            pairwise_reject_hinge(3, "1/4"),
            abstain(3, "1/4"),
            {(0, 2, 1, 1): 1, (0, 2, 1, -1): "abstain", (0, 2, 2, 0): 1},
        ),
        (
            "open-tags:tau=1/2",
            tagwise_reject_hinge(2, "1/4"),
            open_hamming(2, "1/4"),
            {(1, -1): "10", (0, 3): "?1", (-1, -1): "00", (0, 0): "??"},
        ),
        (
            "nearest",
            interval_pinball(3),
            intervals("1/2")(3),
            {(1, 3): (0, 2), (3, 1): (0, 2), (2, 2): (1, 1), (-5, 9): (0, 2), (2, 5): (1, 2)},
        ),
        (
            "cuts:at=-1/2 0 3",
            absolute(4),
            ordinal(4),
            {(-9,): 0, ("-1/2",): 0, ("-1/4",): 1, (0,): 1, (1,): 2, (3,): 2, (4,): 3},
        ),
    ]
    for name, surrogate, loss, decisions in cases:
        pred = as_pred(name, surrogate, loss)
        for u, expected in decisions.items():
            assert loss.predictions[pred(u)] == expected, (name, u)
        assert as_named(rule_named(name)).rule == rule_named(name), name


def test_other_losses_are_refused_in_one_line():
    for name, surrogate, loss in [
        ("top-k", crammer_singer(3), abstain(3)),
        ("top-k", absolute(3), zero_one(3)),
        ("reject", crammer_singer(3), abstain(3)),
        ("open-tags:tau=1/2", crammer_singer(3), zero_one(3)),
        ("nearest", crammer_singer(2), ordinal(4)),
        ("cuts:at=0 1", absolute(4), ordinal(4)),
        ("cuts:at=0 1", crammer_singer(3), ordinal(3)),
    ]:
        with pytest.raises(BadInput) as caught:
            as_pred(name, surrogate, loss)
        assert loss.name in str(caught.value), name
        assert len(str(caught.value).splitlines()) == 1, name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cuts", "'cuts'.*cuts:at=3/2 5/2"),
        ("cuts:tau=1", "'cuts:tau=1'.*cuts:at=3/2 5/2"),
        ("cuts:at=", r"cuts.*\b0\b"),
        ("cuts:at=1 0", r"\b1 0\b.*\b0\b.*\b1\b"),
    ],
)
def test_cuts_without_rising_thresholds_are_refused_in_one_line(text, why):
    with pytest.raises(BadInput, match=why) as caught:
        rule_named(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("k", [2, 3, 5])
def test_nearest_cuts_half_way_between_grades(k):
    halves = " ".join(f"{2 * t + 3}/2" for t in range(k - 1))
    ways = (as_pred(name, absolute(k), ordinal(k)) for name in ("nearest", f"cuts:at={halves}"))
    assert len({pred.regions for pred in ways}) == 1
