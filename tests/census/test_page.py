"""What docs/census.md tells: totals in closed form, rows that add up, and open cases that are open."""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.losses.classes import number_of_classes, representative

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "census.md").read_text()
BELOW = PAGE[PAGE.index("<!-- Below: ") :]
LINES = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in BELOW.splitlines() if "|" in line]
SIZE = re.compile(r"(\d+) × (\d+), (\d+)\.\.(\d+)")
LEFT = [json.loads(line) for line in (DOCS / "census-open.jsonl").read_text().splitlines()]


@cache
def script():
    """The program that writes the tables."""
    specification = importlib.util.spec_from_file_location("census_of_docs", DOCS / "census.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def counted(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_totals_are_those_of_the_closed_form_and_the_rows_add_up():
    rows = [row for row in LINES if SIZE.fullmatch(row[0])]
    assert len(rows) == len(script().SIZES)
    for row, (labels, decisions, entries) in zip(rows, script().SIZES, strict=True):
        assert tuple(map(int, SIZE.fullmatch(row[0]).groups())) == (labels, decisions, *entries)
        total, *counts, _ = map(counted, row[1:])
        assert total == sum(counts) == number_of_classes(labels, decisions, entries[1] - entries[0])


def test_the_theorems_decide_all_classes():
    numbers = [counted(row[2]) for row in LINES if len(row) == 3 and re.fullmatch(r"[\d,]+", row[2])]
    assert sum(numbers) == sum(number_of_classes(n, k, high - low) for n, k, (low, high) in script().SIZES)


@pytest.mark.parametrize(
    "loss",
    [LEFT[0], *(pytest.param(loss, marks=pytest.mark.exhaustive) for loss in LEFT[1:])],
    ids=lambda loss: loss["name"],
)
def test_open_cases_are_representatives_and_open(loss):
    assert representative(loss["entries"]) == tuple(map(tuple, loss["entries"]))
    bounds = lm.ccdim(loss["entries"])
    assert (bounds.exact, bounds.notes) == (None, ())  # nothing was left out: there are lines through every p
    rows = " / ".join(" ".join(map(str, row)) for row in loss["entries"])
    told = f"{bounds.lower.value} … {bounds.upper.value}"
    assert f"| {loss['name']} | `{rows}` | {told} |" in BELOW


def test_the_file_of_open_cases_has_those_of_the_page():
    assert [row[0] for row in LINES if " no. " in row[0]] == [loss["name"] for loss in LEFT]


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(5))
def test_the_table_is_what_the_census_finds(number):
    row = script().tables([lm.census(*script().SIZES[number], certificates=False)]).splitlines()[3]
    found = [cell.strip() for cell in row.strip("| ").split("|")]
    (told,) = [line for line in LINES if line[0] == found[0]]
    assert (found[1], found[-1], found[-2]) == (told[1], told[-1], told[-2])
    exact = found[2:-2]
    assert exact == told[2 : 2 + len(exact)]
