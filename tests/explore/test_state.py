"""What was typed, as a loss and as an address; what means nothing is refused with its place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.explore.examples import examples
from lossmith.explore.state import fragment_of, loss_of, read_state, state_in, state_of
from strategies import loss_rows

FRAUD = {
    "name": "fraud",
    "labels": ["ok", "fraud"],
    "decisions": ["approve", "review"],
    "costs": [["0", "$5"], ["$1,200.00", "5"]],
    "gains": False,
}


def changed(**keys):
    return {**FRAUD, **keys}


@given(loss_rows())
def test_a_loss_comes_back_exactly_from_its_state_and_its_address(rows):
    loss = lm.LossMatrix(rows)
    assert loss_of(state_in(fragment_of(state_of(loss)))).entries == loss.entries


@given(st.lists(st.text(max_size=12), min_size=2, max_size=2, unique=True))
def test_any_names_survive_the_address(labels):
    state = changed(labels=labels)
    assert state_in(fragment_of(state)) == state


def test_cells_are_read_as_people_write_them():
    assert [list(map(str, row)) for row in loss_of(FRAUD).entries] == [["0", "5"], ["1200", "5"]]


def test_labels_that_are_numbers_are_those_of_y():
    assert loss_of(changed(labels=["0", "1"])).labels == (0, 1)


def test_gains_become_what_is_lost_against_the_best():
    loss = loss_of(changed(costs=[["3", "-1"], ["0", "2"]], gains=True))
    assert [list(map(int, row)) for row in loss.entries] == [[0, 4], [2, 0]]


@pytest.mark.parametrize(
    ("costs", "cell"),
    [
        ([["0", "x"], ["1", "0"]], (0, 1)),
        ([["0", "1"], ["", "0"]], (1, 0)),
        ([["0", "1"], ["1", "-2"]], (1, 1)),
        ([["0", "1/0"], ["1", "2"]], (0, 1)),
        ([["0", "1"], ["−3", "2"]], (1, 0)),
    ],
)
def test_an_entry_that_is_no_cost_is_named_by_its_place(costs, cell):
    with pytest.raises(LossmithError) as caught:
        loss_of(changed(costs=costs))
    assert caught.value.cell == cell


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        "text",
        {},
        changed(labels="ok"),
        changed(labels=["ok", 1]),
        changed(costs=[["0", "1"]]),
        changed(costs=[["0"], ["1"]]),
        changed(costs=[["0", 1], ["1", "0"]]),
        changed(costs="0"),
        changed(labels=["same", "same"]),
        changed(labels=["", "b"]),
        changed(costs=[["0", "1" * 201], ["1", "0"]]),
    ],
)
def test_what_is_no_state_is_refused(state):
    with pytest.raises(BadInput):
        loss_of(state)


def test_what_is_too_large_is_refused_with_its_size():
    many = [f"label {i}" for i in range(61)]
    with pytest.raises(TooLarge, match=r"^61 .* 60 .* lossmith analyze"):
        loss_of(changed(labels=many, costs=[["0", "1"]] * 61))
    with pytest.raises(TooLarge, match=" 201 "):
        loss_of(changed(labels=["a" * 201, "b"]))
    with pytest.raises(TooLarge, match=" 100 "):
        state_of(lm.losses.zero_one(100))


@pytest.mark.parametrize("text", ["", "#", "#abc", "#e30x!", "costs.csv", "#WzFd", "#" + "A" * 9])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(BadInput, match=re.escape(repr(text))):
        state_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "truth,approve,review\nok,0,5\nfraud,200,5",
        "truth\tapprove\treview\nok\t0\t5\nfraud\t200\t5\n",
        "truth;approve;review\nok;0;5,0\nfraud;200;5",
        '{"labels": ["ok", "fraud"], "predictions": ["approve", "review"], "entries": [[0, 5], ["200", 5]]}',
        "  #" + fragment_of(changed(costs=[["0", "5"], ["200", "5"]]))[1:],
    ],
)
def test_what_is_pasted_is_read(text):
    found = read_state(text)
    assert found["labels"] == ["ok", "fraud"]
    assert found["decisions"] == ["approve", "review"]
    assert [list(map(str, row)) for row in loss_of(found).entries] == [["0", "5"], ["200", "5"]]


def test_a_block_of_numbers_alone_has_numbered_names():
    assert read_state("0\t1\n2\t0")["labels"] == ["0", "1"]


def test_negative_numbers_that_are_pasted_are_gains():
    assert read_state("truth,a,b\nx,3,-1\ny,0,2")["gains"] is True


@pytest.mark.parametrize("text", ["", "hello", "a,b\n1", "[]", "[1]", '{"entries": 3}', "truth,a\nx,what"])
def test_what_holds_no_table_is_refused(text):
    with pytest.raises(BadInput):
        read_state(text)


def test_every_example_means_its_loss():
    assert len(examples()) == 6
    for each in examples():
        loss_of(each["state"])
