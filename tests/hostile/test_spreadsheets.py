"""A table that is written opens in a spreadsheet as a table: none of its cells is executed, and all are read back."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lossmith import LossMatrix
from strategies import examples

EXECUTED = tuple("=+-@\t\r＝＋－＠")


@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize(
    "name", ['=HYPERLINK("x")', "+1", "-1", "@SUM(1)", "\tx", "\r=1", " =1", "'=1", "''-1", "＝1＋1"]
)
def test_no_name_is_executed_and_each_is_read_back(tmp_path, ending, name):
    path = tmp_path / f"costs.{ending}"
    LossMatrix([[0, 1], [1, 0]], labels=[name, "b"], predictions=["a", name]).to_csv(path)

    with path.open(newline="") as file:
        cells = [cell for row in csv.reader(file, delimiter="\t" if ending == "tsv" else ",") for cell in row]
    assert [cell for cell in cells if cell.lstrip(" ").startswith(EXECUTED)] == []
    back = LossMatrix.from_csv(path)
    assert (back.labels, back.predictions) == ((name, "b"), ("a", name))


def test_numbers_stay_numbers(tmp_path):
    LossMatrix([[0, 1], [1, 0]], labels=[-1, 1]).to_csv(tmp_path / "costs.csv")

    assert (tmp_path / "costs.csv").read_text() == "truth \\ decision,-1,1\n-1,0,1\n1,1,0\n"
    assert LossMatrix.from_csv(tmp_path / "costs.csv").labels == (-1, 1)


def test_an_apostrophe_that_guards_nothing_is_part_of_the_name(tmp_path):
    (tmp_path / "costs.csv").write_text("truth,'tis,'=1\na,0,1\n-b,1,0\n")
    loss = LossMatrix.from_csv(tmp_path / "costs.csv")

    assert loss.predictions == ("'tis", "=1")
    assert loss.labels == ("a", "-b")


@examples(6)
@example("''=")
@example(" '=")
@example("'\t")
@given(st.text("'=-+@ab1 \t", min_size=1).filter(lambda name: name.strip() not in ("", "b")))
def test_guarding_is_undone_by_reading(name):
    """But for the spaces around names that look like no formula, and for names that look like integers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "costs.csv"
        LossMatrix([[0, 1], [1, 0]], labels=[name, "b"]).to_csv(path)
        back = LossMatrix.from_csv(path).labels[0]
    assert str(back) in (name, name.rstrip(), name.strip())
