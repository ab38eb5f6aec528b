"""JSON files: numbers as they are written, names as they are, and nothing unknown."""

from __future__ import annotations

import json
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusal import assert_quotes, outcome, refusal, written

from lossmith import LossMatrix

ROWS = '{"entries": [[0, 1], [2, 0]]'


def read(folder: Path, content: str | bytes) -> LossMatrix:
    return LossMatrix.from_json(written(folder, content, "costs.json"))


def refused(folder: Path, content: str | bytes) -> str:
    path = written(folder, content, "costs.json")
    message = refusal(LossMatrix.from_json, path)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


# Round trips.

_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6).filter(str.strip)
_awkward = st.sampled_from(["1", "-2", " a ", "a,b", 'say "no"', "two\nlines", "\\", "\0", "</th>", "ß", "病気", "😀"])


def names(size: int) -> st.SearchStrategy[list[object]]:
    name = _text | _awkward | st.integers()
    return st.lists(name, min_size=size, max_size=size, unique_by=lambda name: str(name).strip())


@st.composite
def losses(draw) -> LossMatrix:
    n, k = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    entry = st.fractions(0) | st.integers(0, 10**30) | st.floats(0, allow_infinity=False)
    entries = draw(st.lists(st.lists(entry, min_size=k, max_size=k), min_size=n, max_size=n))
    return LossMatrix(entries, draw(names(n)), draw(names(k)), draw(st.none() | _text))


@example(LossMatrix([[0, 1], [1, 0]], labels=[False, True], predictions=["0", 1]))
@given(losses())
def test_what_is_written_is_read_back_to_the_letter(loss):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "costs.json"
        text = loss.to_json(path)
        assert path.read_bytes() == text.encode()
        back = LossMatrix.from_json(path)
    assert back == loss
    assert back.name == loss.name
    assert [type(name) for name in back.labels + back.predictions] == [
        type(name) for name in loss.labels + loss.predictions
    ]


@given(losses())
def test_any_reader_of_json_finds_rows_names_and_fractions(loss):
    content = json.loads(loss.to_json())
    assert set(content) == {"name", "rows", "labels", "predictions", "entries"}
    assert content["rows"] == "truth"
    assert (tuple(content["labels"]), tuple(content["predictions"])) == (loss.labels, loss.predictions)
    assert tuple(tuple(map(Fraction, row)) for row in content["entries"]) == loss.entries


def test_every_row_stands_on_a_line_of_its_own():
    text = LossMatrix([[0, "1/3"], [2, 0]], labels=["é", "b"]).to_json()
    assert '    ["0", "1/3"],\n    ["2", "0"]\n' in text
    assert "é" in text


def test_names_that_json_cannot_tell_from_others_are_refused():
    loss = LossMatrix([[0, 1], [1, 0]], predictions=[(1, 2), 1.5])
    assert_quotes(refusal(loss.to_json), "(1, 2)")


# Reading.


@pytest.mark.parametrize(
    "content",
    [
        "[[0, 0.1], [2, 0]]",
        '[["0", "1/10"], ["2", 0.0]]',
        "[[0, 1e-1], [2.000, 0]]",
        '{"entries": [[0, 0.1], [2, 0]]}',
        '{"rows": "truth", "labels": null, "predictions": null, "name": null, "entries": [[0, "0.1"], [2, 0]]}',
        "\ufeff[[0, 0.1], [2, 0]]",
        "[[0, 0.1], [2, 0]]".encode("utf-16"),
        "\n [[0,\n0.1],\n[2,0]]\n\n",
    ],
)
def test_the_same_matrix_is_read_from_every_form(tmp_path, content):
    loss = read(tmp_path, content)
    assert loss == LossMatrix([[0, "1/10"], [2, 0]])
    assert loss.name == "costs"


def test_numbers_are_read_as_they_are_written(tmp_path):
    long = "0.1000000000000000055511151231257827021181583404541015625"
    assert read(tmp_path, f"[[0, {long}], [123456789012345678901234567890, 0]]").entries == (
        (0, Fraction(long)),
        (123456789012345678901234567890, 0),
    )


def test_the_name_in_the_file_is_kept_unless_another_is_given(tmp_path):
    path = written(tmp_path, ROWS + ', "name": "triage"}', "costs.json")
    assert LossMatrix.from_json(path).name == "triage"
    assert LossMatrix.from_json(path, name="mine").name == "mine"


# Refusals.


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        ("", ()),
        ("{", ("1", "2")),
        ("[[0, 1],\n[2 0]]", ("','", "2", "4")),
        ("truth,a,b\nx,0,1\n", ("1",)),
        ("[[0, 1], [2, 0]] x", ("1", "18")),
        ("[" * 100_000, ()),
        ("[" * 100_000 + "]" * 100_000, ()),
        ("[[[[0]]], [[[1]]]]", ("0", "[[0]]")),
        ("3", ('"entries"',)),
        ("null", ('"entries"',)),
        ('"costs.csv"', ('"entries"',)),
        ("{}", ('"entries"',)),
        ('{"matrix": [[0, 1], [2, 0]]}', ('"entries"',)),
        ('{"entries": "none"}', ('"entries"',)),
        ('{"entries": {"a": 1}}', ('"entries"',)),
        ("[]", ()),
        ("[0, 1]", ("0",)),
        ('[{"a": 0}, {"a": 1}]', ("0", "{'a': 0}")),
        ("[[0, 1]]", ("0",)),
        ("[[0, 1], [2]]", ("1", "0", "2")),
        ("[[0, NaN], [2, 0]]", ("0", "1", "'NaN'")),
        ("[[0, Infinity], [2, 0]]", ("0", "1", "'Infinity'")),
        ("[[0, -Infinity], [2, 0]]", ("0", "1", "'-Infinity'")),
        ("[[0, null], [2, 0]]", ("0", "1")),
        ('[[0, "free"], [2, 0]]', ("0", "1", "'free'")),
        ("[[0, -0.5], [2, 0]]", ("0", "1", "-1/2")),
        ("[[0, 1e99999], [2, 0]]", ("4000",)),
        ("[[0, 1e99999999999999999999999], [2, 0]]", ("4000",)),
        (f"[[0, {'9' * 5000}], [2, 0]]", ("4000",)),
        (ROWS + ', "label": ["a", "b"]}', ("'label'", "'labels'")),
        (ROWS + ', "note": 1}', ("'note'",)),
        (ROWS + ', "rows": "prediction"}', ('"rows"', "'prediction'")),
        (ROWS + ', "rows": null}', ('"rows"', "None")),
        (ROWS + ', "entries": [[0, 3], [2, 0]]}', ("'entries'",)),
        (ROWS + ', "labels": ["a", "a"]}', ("'a'",)),
        (ROWS + ', "predictions": ["a", "a"]}', ("'a'",)),
        (ROWS + ', "labels": ["1", 1]}', ("1",)),
        (ROWS + ', "labels": ["a", ""]}', ("1",)),
        (ROWS + ', "labels": ["a"]}', ("1", "('a')", "2")),
        (ROWS + ', "labels": ["a", 1.5]}', ('"labels"',)),
        (ROWS + ', "labels": ["a", null]}', ('"labels"',)),
        (ROWS + ', "labels": ["a", NaN]}', ('"labels"',)),
        (ROWS + ', "labels": ["a", ["b"]]}', ('"labels"',)),
        (ROWS + ', "predictions": {"a": 1}}', ('"predictions"',)),
        (ROWS + ', "predictions": "ab"}', ('"predictions"',)),
        (ROWS + ', "name": 3}', ('"name"', "3")),
        (b"\x93NUMPY\x01\x00v\x00", ("UTF-8",)),
    ],
    ids=lambda value: None if len(value) < 200 else "long",
)
def test_what_is_no_loss_is_refused_with_the_reason(tmp_path, content, quotes):
    assert_quotes(refused(tmp_path, content), *quotes)


def test_a_name_with_a_line_break_does_not_break_the_line_of_the_error(tmp_path):
    message = refused(tmp_path, r'{"entries": [["x", 1], [2, 0]], "labels": ["two\nlines", "b"]}')
    assert_quotes(message, "'two\\nlines'", "'x'")


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(["entries", "labels", "predictions", "name", "rows", "x"]), below, max_size=3)
    ),
    max_leaves=12,
)


@given(_json)
def test_whatever_the_file_holds_is_a_loss_or_a_refusal(content):
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), json.dumps(content), "costs.json")
        result = outcome(LossMatrix.from_json, path)
    if isinstance(result, LossMatrix):
        assert result.n >= 2
        assert all(entry >= 0 for row in result.entries for entry in row)
    else:
        assert str(result).startswith(f"{path}: ")
        assert "\n" not in str(result)
