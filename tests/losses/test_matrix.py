"""Losses made from losses, and how they print."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import assert_quotes, refusal

from lossmith import LossMatrix
from lossmith.losses import add_abstain
from strategies import loss_rows, row_factors, row_offsets

F = Fraction
TRIAGE = LossMatrix(
    [[0, 1, 4], [2, 0, 1], [9, 3, 0]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "ward", "icu"],
    name="triage",
)


# Restricting.


def test_restricting_keeps_what_is_named_in_the_order_given():
    part = TRIAGE.restrict(labels=["severe", "mild"], predictions=["icu"])
    assert part == LossMatrix([[0], [4]], labels=["severe", "mild"], predictions=["icu"])
    assert TRIAGE.restrict() == TRIAGE
    assert TRIAGE.restrict(predictions=iter(["ward", "home"])).predictions == ("ward", "home")


@pytest.mark.parametrize(
    ("arguments", "quotes"),
    [
        ({"labels": ["mild", "sever"]}, ("'sever'", "'severe'")),
        ({"predictions": ["hom"]}, ("'hom'", "'home'")),
        ({"labels": ["xyz"]}, ("'xyz'", "'mild'", "'moderate'", "'severe'")),
        ({"labels": [0, 1]}, ("0",)),
        ({"labels": ["mild", "mild"]}, ("'mild'",)),
        ({"labels": ["mild"]}, ("'mild'",)),
        ({"labels": []}, ()),
        ({"predictions": []}, ()),
    ],
)
def test_a_restriction_that_makes_no_sense_is_refused(arguments, quotes):
    assert_quotes(refusal(TRIAGE.restrict, **arguments), *quotes)


def test_a_name_of_the_wrong_type_is_told_from_the_right_one():
    by_number = LossMatrix([[0, 1], [1, 0]])
    assert_quotes(refusal(by_number.restrict, labels=["0", 1]), "'0'", "0")


# Rows.


@st.composite
def losses_with_a_number_per_row(draw, numbers):
    rows = draw(loss_rows())
    return LossMatrix(rows), draw(numbers(len(rows)))


@given(losses_with_a_number_per_row(row_factors))
def test_scaling_multiplies_each_row(case):
    loss, factors = case
    scaled = loss.scale_rows(factors)
    assert scaled.entries == tuple(tuple(s * x for x in row) for s, row in zip(factors, loss.entries, strict=True))
    assert scaled.scale_rows([1 / s for s in factors]) == loss
    assert loss.scale_rows(dict(enumerate(factors))) == scaled
    assert loss.scale_rows(iter(factors)) == scaled


@given(losses_with_a_number_per_row(row_offsets))
def test_shifting_adds_to_each_row_and_can_be_undone(case):
    loss, offsets = case
    shifted = loss.shift_rows(offsets)
    assert shifted.entries == tuple(tuple(s + x for x in row) for s, row in zip(offsets, loss.entries, strict=True))
    assert shifted.shift_rows([-s for s in offsets]) == loss
    p = [F(1, loss.n)] * loss.n
    assert shifted.optimal_predictions(p) == loss.optimal_predictions(p)


def test_a_mapping_names_the_labels_that_change():
    assert TRIAGE.scale_rows({"severe": "1/3"}).entries == ((0, 1, 4), (2, 0, 1), (3, 1, 0))
    assert TRIAGE.shift_rows({"mild": 0.5}).entries == ((F(1, 2), F(3, 2), F(9, 2)), (2, 0, 1), (9, 3, 0))
    assert TRIAGE.scale_rows({}) == TRIAGE.shift_rows({}) == TRIAGE


def test_a_series_names_the_labels_too_and_is_not_taken_by_position():
    weights = pd.Series({"severe": 3, "moderate": 2, "mild": 1})
    assert TRIAGE.scale_rows(weights) == TRIAGE.scale_rows([1, 2, 3])
    assert_quotes(refusal(TRIAGE.scale_rows, pd.Series([1, 2, 3])), "0")


@pytest.mark.parametrize(
    ("factors", "quotes"),
    [
        ([1, 2], ("2", "3")),
        ([1, 0, 2], ("'moderate'", "0")),
        ({"severe": -1}, ("'severe'", "-1")),
        ({"severe": "x"}, ("'severe'", "'x'")),
        ([1, float("nan"), 1], ("'moderate'", "nan")),
        ([1, None, 1], ("'moderate'",)),
        ({"sever": 2}, ("'sever'", "'severe'")),
    ],
)
def test_factors_that_make_no_sense_are_refused(factors, quotes):
    assert_quotes(refusal(TRIAGE.scale_rows, factors), *quotes)


def test_a_shift_below_zero_is_refused():
    message = refusal(TRIAGE.shift_rows, {"severe": -1})
    assert_quotes(message, "'severe'", "'icu'", "-1")
    assert_quotes(refusal(TRIAGE.shift_rows, [1]), "1", "3")


# Abstaining.


def test_abstaining_costs_the_same_whatever_the_label():
    loss = add_abstain(TRIAGE, "3/2")
    assert loss.predictions == ("home", "ward", "icu", "abstain")
    assert loss.column(3) == (F(3, 2),) * 3
    assert loss.restrict(predictions=TRIAGE.predictions) == TRIAGE
    assert loss.name == "triage + abstain at 3/2"
    assert add_abstain(TRIAGE, 0, name="wait").predictions[-1] == "wait"


@pytest.mark.parametrize(
    ("cost", "quotes"),
    [
        (-1, ("-1", "0")),
        ("x", ("'x'",)),
        (None, ("3", "0.25", "1/3")),
        (float("inf"), ("inf",)),
    ],
)
def test_a_cost_of_abstaining_that_makes_no_sense_is_refused(cost, quotes):
    assert_quotes(refusal(add_abstain, TRIAGE, cost), *quotes)


def test_the_name_of_abstaining_must_be_free():
    assert_quotes(refusal(add_abstain, TRIAGE, 1, name="ward"), "'ward'")
    assert_quotes(refusal(add_abstain, add_abstain(TRIAGE, 1), 1), "'abstain'")


# Print.


class _Cells(HTMLParser):
    """The texts of the cells of a table, row by row, and the tags that it uses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_a_loss_prints_as_a_table_that_repeats_its_orientation():
    assert str(TRIAGE).splitlines() == [
        "truth ↓ decision →  home  ward  icu",
        "mild                   0     1    4",
        "moderate               2     0    1",
        "severe                 9     3    0",
    ]
    assert repr(TRIAGE) == "LossMatrix('triage': 3 labels × 3 predictions)"


def test_a_notebook_shows_the_same_table():
    table = _Cells(TRIAGE._repr_html_())
    assert [row[0] for row in table.rows] == ["truth ↓ decision →", "mild", "moderate", "severe"]
    assert table.rows[0][1:] == ["home", "ward", "icu"]
    assert [row[1:] for row in table.rows[1:]] == [[str(entry) for entry in row] for row in TRIAGE.entries]


def test_names_cannot_smuggle_markup_into_a_notebook():
    loss = LossMatrix([[0, 1], [1, 0]], labels=["<script>", "a&b"], predictions=["<img src=x>", "'"], name="<b>")
    table = _Cells(loss._repr_html_())
    assert table.tags == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert [row[0] for row in table.rows[1:]] == ["<script>", "a&b"]
    assert table.rows[0][1:] == ["<img src=x>", "'"]


def test_a_line_break_in_a_name_does_not_break_the_table():
    loss = LossMatrix([[0, 1], [1, 0]], labels=["two\nlines", "b"], predictions=["tab\t", "y"])
    lines = str(loss).splitlines()
    assert len(lines) == 3
    assert lines[1].startswith(r"two\nlines")
    assert {len(line) for line in lines} == {len(lines[0])}


def test_the_middle_of_a_large_loss_is_left_out():
    loss = LossMatrix.from_function(lambda y, t: abs(y - t), labels=range(40))
    lines = str(loss).splitlines()
    assert len(lines) == 13
    assert lines[0].split()[-3:] == ["9", "…", "39"]
    assert lines[-1].split() == ["39", *map(str, range(39, 29, -1)), "…", "0"]
    assert len(_Cells(loss._repr_html_()).rows) == 13
