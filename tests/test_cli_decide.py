"""lossmith decide: a table of probabilities in, decisions and expected costs out."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import lossmith as lm
from command import assert_refused, lossmith

COSTS = "truth,approve,review,decline\nlegit,0,12.5,200\nfraud,3400,60,0\n"
CASES = "id,fraud,legit\na1,0.001,0.999\na2,0.3,0.7\na3,0.9,0.1\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "costs.csv").write_text(COSTS)
    (tmp_path / "cases.csv").write_text(CASES)
    return tmp_path


def decided(folder, *arguments, cases="cases.csv"):
    run = lossmith("decide", "costs.csv", cases, *arguments, cwd=folder)
    assert (run.returncode, run.stderr) == (0, "")
    return list(csv.DictReader(io.StringIO(run.stdout)))


def by_hand(p_fraud):
    """The costs of approving, reviewing and declining."""
    p = Fraction(str(p_fraud))
    return [3400 * p, 60 * p + Fraction("12.5") * (1 - p), 200 * (1 - p)]


def test_columns_are_found_by_name_and_others_are_kept(folder):
    rows = decided(folder)
    assert [row["id"] for row in rows] == ["a1", "a2", "a3"]
    assert [row["decision"] for row in rows] == ["approve", "review", "decline"]
    costs = [min(by_hand(p)) for p in (0.001, 0.3, 0.9)]
    assert [Fraction(row["expected_cost"]) for row in rows] == costs == [Fraction("3.4"), Fraction("26.75"), 20]
    assert list(rows[0]) == ["id", "decision", "expected_cost"]


def test_all_costs_are_told_if_asked_for(folder):
    for row, p in zip(decided(folder, "--full"), (0.001, 0.3, 0.9), strict=True):
        assert [Fraction(row[f"cost of {t}"]) for t in ("approve", "review", "decline")] == by_hand(p)


def test_the_decisions_are_those_of_the_library(folder):
    generator = np.random.default_rng(0)
    P = generator.dirichlet([1, 1], size=200)
    pd.DataFrame(P, columns=["legit", "fraud"]).to_csv(folder / "many.csv", index=False)
    loss = lm.LossMatrix.from_csv(folder / "costs.csv")
    assert [row["decision"] for row in decided(folder, cases="many.csv")] == loss.decide(
        P, classes=["legit", "fraud"]
    ).tolist()


def test_the_table_is_written_to_a_file(folder):
    run = lossmith("decide", "costs.csv", "cases.csv", "-o", "decisions.csv", cwd=folder)
    assert run.stdout == "wrote decisions.csv\n"
    assert pd.read_csv(folder / "decisions.csv")["decision"].tolist() == ["approve", "review", "decline"]
    lossmith("decide", "costs.csv", "cases.csv", "-o", "decisions.tsv", cwd=folder)
    assert (folder / "decisions.tsv").read_text().splitlines()[0] == "id\tdecision\texpected_cost"


def test_json_tells_the_same(folder):
    run = lossmith("decide", "costs.csv", "cases.csv", "--full", "--json", cwd=folder)
    content = json.loads(run.stdout)
    assert content["loss"] == "costs"
    assert content["cases"][1] == {
        "kept": {"id": "a2"},
        "decision": "review",
        "expected_cost": 26.75,
        "expected_costs": [1020.0, 26.75, 140.0],
    }


def test_json_is_written_to_a_file(folder):
    printed = lossmith("decide", "costs.csv", "cases.csv", "--json", cwd=folder).stdout
    for how in (("-o", "a.json"), ("--json", "-o", "b.json"), ("--json", "-o", "c")):
        run = lossmith("decide", "costs.csv", "cases.csv", *how, cwd=folder)
        assert (run.returncode, run.stdout) == (0, f"wrote {how[-1]}\n")
        assert (folder / how[-1]).read_text() == printed


def test_a_file_that_would_hold_something_else_is_not_written(folder):
    assert_refused(lossmith("decide", "costs.csv", "cases.csv", "-o", "d.xlsx", cwd=folder), "'d.xlsx'", ".csv")
    assert not (folder / "d.xlsx").exists()


@pytest.mark.parametrize(
    "content",
    [
        "# from the model\nid;fraud;legit\na1;0,001;0,999\na2;0,3;0,7\na3;0,9;0,1\n",
        "id\tfraud\tlegit\na1\t0.1%\t99.9%\na2\t30%\t70%\na3\t90%\t10%\n",
        "fraud,id,legit\n1/1000,a1,999/1000\n0.3,a2,0.7\n0.9,a3,0.1\n",
        "id,fraud,legit\na1,1e-3,0.999\na2,0.30,0.7\na3,9e-1,0.1\n",
    ],
)
def test_probabilities_may_be_written_as_people_write_them(folder, content):
    (folder / "other.csv").write_text(content)
    assert decided(folder, cases="other.csv") == decided(folder)


def test_gains_decide_as_the_losses_they_mean(folder):
    (folder / "gains.csv").write_text("truth,approve,review,decline\nlegit,100,87.5,-100\nfraud,-3400,-60,0\n")
    run = lossmith("decide", "gains.csv", "cases.csv", "--gains", cwd=folder)
    assert [row["decision"] for row in csv.DictReader(io.StringIO(run.stdout))] == ["approve", "review", "decline"]


def test_numbers_are_found_as_names_of_labels(folder):
    (folder / "numbers.csv").write_text("2,0,1\n0.1,0.2,0.7\n")
    run = lossmith("decide", "zero-one:n=3", "numbers.csv", cwd=folder)
    assert run.stdout == "decision,expected_cost\n1,0.3\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("id,fraud\na1,0.1\n", ("'legit'", "'id', 'fraud'")),
        ("0.1,0.9\n0.2,0.8\n", ("'legit'", "'0.1', '0.9'")),
        ("id,fraud,legit\na1,0.1,0.9\na2,0.1,0.8\n", ("row 2", "0.9", "--normalize")),
        ("id,fraud,legit\na1,10,90\n", ("row 1", "100")),
        ("id,fraud,legit\na1,-0.1,1.1\n", ("row 1", "'fraud'", "-0.1")),
        ("id,fraud,legit\na1,nan,1\n", ("row 1", "'fraud'", "'nan'")),
        ("id,fraud,legit\na1,,1\n", ("row 1", "'fraud'")),
        ("id,fraud,legit\na1,inf,1\n", ("row 1", "'fraud'", "'inf'")),
        ("id,fraud,legit,fraud\na1,0.1,0.9,0.1\n", ("'fraud'",)),
        ("decision,fraud,legit\na1,0.1,0.9\n", ("'decision'",)),
        ("id,fraud,legit\n", ("bad.csv",)),
        ("id,fraud,legit\na1,0.1\n", ("row 2", "'a1'", "2", "3")),
        ("", ("bad.csv",)),
    ],
)
def test_what_are_no_probabilities_is_refused_by_row_and_column(folder, content, words):
    (folder / "bad.csv").write_text(content)
    assert_refused(lossmith("decide", "costs.csv", "bad.csv", cwd=folder), *words)


def test_rows_are_divided_by_their_sums_if_asked_for(folder):
    (folder / "counts.csv").write_text("id,fraud,legit\na1,1,999\na2,3,7\na3,90,10\n")
    assert decided(folder, "--normalize", cases="counts.csv") == decided(folder)
    (folder / "counts.csv").write_text("id,fraud,legit\na1,0,0\n")
    assert_refused(lossmith("decide", "costs.csv", "counts.csv", "--normalize", cwd=folder), "row 1", "0")


def test_a_table_of_another_kind_is_refused(folder):
    (folder / "cases.json").write_text("[]")
    assert_refused(lossmith("decide", "costs.csv", "cases.json", cwd=folder), "cases.json", ".csv")
    assert_refused(lossmith("decide", "costs.csv", "none.csv", cwd=folder), "none.csv")
    (folder / "empty.csv").write_text("")
    assert_refused(lossmith("decide", "costs.csv", "empty.csv", cwd=folder), "empty.csv")


def test_names_cannot_execute_in_a_spreadsheet_and_kept_cells_are_kept(folder):
    (folder / "formulas.csv").write_text("truth,=1+1,b\nlegit,0,1\nfraud,1,0\n")
    (folder / "kept.csv").write_text('note,fraud,legit\n"a, ""b""",0,1\n')
    run = lossmith("decide", "formulas.csv", "kept.csv", cwd=folder)
    assert run.stdout.splitlines()[1] == '"a, ""b""",\'=1+1,0'
