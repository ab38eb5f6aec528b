"""A cost that is varied moves the thresholds to those that `analyze` tells at the ends."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise

import pytest

import lossmith as lm
from lossmith.errors import BadInput
from lossmith.explore.answers import QUESTIONS
from lossmith.explore.state import loss_of, state_of

FRAUD = {
    "name": "fraud",
    "labels": ["ok", "fraud"],
    "decisions": ["approve", "review", "decline"],
    "costs": [["0", "5", "40"], ["300", "15", "2"]],
}
GAINS = {**FRAUD, "costs": [["$10", "2", "0"], ["-200", "-5", "1"]], "gains": True}


def ask(question, state, **more):
    answer = QUESTIONS[question]({"state": state, **more}, None)
    json.dumps(answer, allow_nan=False)
    return answer


def thresholds(state, row, column, text):
    """From which P(fraud) on another decision is best, by the pair of decisions, with a text in one cell."""
    costs = [list(line) for line in state["costs"]]
    costs[row][column] = text
    found = json.loads(lm.analyze(loss_of({**state, "costs": costs})).to_json())["thresholds"]
    return {(a["decision"], b["decision"]): Fraction(b["exact"][0]) for a, b in pairwise(found)}


def bands(state, answer):
    """The ends of each band, by the pair of decisions."""
    own, names = state["decisions"][answer["decision"]], state["decisions"]
    return {
        frozenset((own, names[band["decision"]])): [Fraction(end["exact"]) for end in band["ends"]]
        for band in answer["bands"]
    }


@pytest.mark.parametrize(
    ("state", "row", "column"),
    [
        (FRAUD, 0, 1),
        (GAINS, 1, 1),
        *(
            pytest.param(*each, marks=pytest.mark.exhaustive)
            for each in ((FRAUD, 0, 0), (FRAUD, 1, 0), (FRAUD, 1, 2), (GAINS, 0, 2))
        ),
    ],
)
def test_ten_per_cent_move_the_thresholds_to_those_of_analyze(state, row, column):
    found = ask("varied", state, row=row, column=column)
    before, after = (thresholds(state, row, column, found[end]["exact"]) for end in ("low", "high"))
    assert before.keys() == after.keys()
    moved = {frozenset(pair): sorted((before[pair], after[pair])) for pair in before if before[pair] != after[pair]}
    assert moved
    assert bands(state, found) == moved


@pytest.mark.parametrize(
    ("state", "row", "column", "low", "high"),
    [
        (FRAUD, 1, 0, "270", "330"),
        (FRAUD, 0, 0, "0", "4"),  # 0 has no 10 %: those of the largest cost of its row, and no cost is negative
        (GAINS, 0, 0, "9", "11"),
        (GAINS, 1, 0, "-220", "-180"),
        (GAINS, 0, 2, "-1", "1"),
    ],
)
def test_a_number_is_varied_by_ten_per_cent(state, row, column, low, high):
    found = ask("varied", state, row=row, column=column)
    assert (found["low"]["exact"], found["high"]["exact"]) == (low, high)
    assert re.search(rf"(?<![\d-]){low} \w+ {high}\b", found["text"])


def test_the_words_tell_the_band():
    told = ask("varied", FRAUD, row=1, column=0)["text"]
    assert re.search(r"\b10 % .*10 % .*\(270 \w+ 330\)", told)
    assert re.search(r"\bapprove \w+ review\b.* P\(fraud\) = 0\.016 \w+ 0\.019", told)
    three = state_of(lm.losses.abstain(3, cost="1/2"))
    assert re.search(r"\babstain \w+ 0, 1 \w+ 2\b", ask("varied", three, row=0, column=3)["text"])


def test_it_is_said_where_nothing_moves():
    dear = {**FRAUD, "costs": [["0", "1", "9"], ["1", "0", "9"]]}
    nothing = {**FRAUD, "costs": [["0", "0", "0"], ["1", "2", "3"]]}
    six, cut = state_of(lm.losses.ordinal(6)), [0, 1, 5]
    for found in (
        ask("varied", dear, row=0, column=2),
        ask("varied", nothing, row=0, column=1),
        ask("varied", six, row=3, column=3, cut=cut),
    ):
        assert found["text"]
        assert found["bands"] == []
    assert re.search(r": 3 ", found["text"])  # the label that is not drawn
    assert ask("varied", six, row=1, column=1, cut=[0, 1, 5])["bands"]


def test_a_range_may_swallow_a_decision():
    """At 39 nobody reviews; what reviewing takes from both neighbours as it gets cheaper are two bands that meet."""
    found = ask("range", FRAUD, row=0, column=1, low="39", high="5")
    assert not found["same"]
    now, alone = thresholds(FRAUD, 0, 1, "5"), thresholds(FRAUD, 0, 1, "39")
    assert bands(FRAUD, found) == {
        frozenset(("approve", "review")): [now["approve", "review"], alone["approve", "decline"]],
        frozenset(("review", "decline")): [alone["approve", "decline"], now["review", "decline"]],
    }


@pytest.mark.parametrize("odd", [{"row": 9}, {"column": -1}, {"row": True}, {"row": None}])
def test_what_is_no_entry_is_refused(odd):
    with pytest.raises(BadInput):
        ask("varied", FRAUD, **{"row": 1, "column": 0, **odd})


def test_intervals_of_gains_are_told_as_gains():
    """Buying what is good gains 10, what is bad loses 50: it is worth it sometimes while it gains anything."""
    state = {**FRAUD, "decisions": ["buy", "skip"], "costs": [["10", "0"], ["-50", "0"]], "gains": True}
    told = {(each["label"], each["decision"]): each["useful"] for each in ask("sensitivity", state)["costs"]}
    assert {cell: re.findall(r"gain|[<>]|-?\d+", text) for cell, text in told.items()} == {
        (0, 0): ["gain", ">", "0", "10"],
        (0, 1): ["gain", "<", "10"],
        (1, 0): ["gain", "<", "0"],
        (1, 1): ["gain", ">", "-50", "0"],
    }
