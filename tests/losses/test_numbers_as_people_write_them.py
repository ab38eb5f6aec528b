"""Amounts of money, thousands, per cent, decimal commas and comments: read in one way or refused."""

from __future__ import annotations

import re
import tempfile
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from refusal import assert_quotes, outcome, refusal, written

import lossmith as lm
from lossmith import LossMatrix

F = Fraction


def entries(folder: Path, content: str | bytes, name: str = "costs.csv") -> list[list[Fraction]]:
    return [list(row) for row in LossMatrix.from_csv(written(folder, content, name)).entries]


def refused(folder: Path, content: str) -> str:
    return refusal(LossMatrix.from_csv, written(folder, content))


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ('truth,a,b\nx,$0,"$1,200.50"\ny,$5,$0\n', [[0, F("1200.5")], [5, 0]]),
        ("truth,a,b\nx,0,5 €\ny,7.25 €,0\n", [[0, 5], [F("7.25"), 0]]),
        ("truth;a;b\nx;0;1.200,50 €\ny;5,5 €;0\n", [[0, F("1200.5")], [F("5.5"), 0]]),
        ("truth;a;b\nx;0;€ 1.200\ny;5,5;0\n", [[0, 1200], [F("5.5"), 0]]),  # the 5,5 tells what a point is
        ("truth;a;b\nx;0;1,200\ny;5.5;0\n", [[0, 1200], [F("5.5"), 0]]),  # the 5.5 tells what a comma is
        ("truth;a;b\nx;0;1,200,000\ny;5;0\n", [[0, 1_200_000], [5, 0]]),  # no decimal sign comes twice
        ("truth\ta\tb\nx\t0\t1'200.5\ny\t1 300\t0\n", [[0, F("1200.5")], [1300, 0]]),
        ("truth,a,b\nx,0,USD 5\ny,USD 7,0\n", [[0, 5], [7, 0]]),
        ("truth,a,b\nx,0%,5%\ny,12.5%,0\n", [[0, F(1, 20)], [F(1, 8), 0]]),
        ("$0,$5\n$7,$0\n", [[0, 5], [7, 0]]),  # no names
    ],
)
def test_amounts_are_read_where_they_have_one_meaning(tmp_path, content, read):
    assert entries(tmp_path, content) == read


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        ("truth;a;b\nx;0;1,200\ny;5;0\n", ("'1,200'", "1,2000", "1200")),
        ("truth;a;b\nx;0;€ 1.200\ny;5;0\n", ("'€ 1.200'", "1.2000", "1200")),
        ("truth\ta\tb\nx\t0\t$1,200\ny\t5\t0\n", ("'$1,200'", "$1,2000", "1200")),
        ('truth,a,b\nx,0,"3,5"\ny,5,0\n', ("'3,5'",)),
        ("truth;a;b\nx;0,5;1\ny;2.5;0\n", ("'0,5'", "'2.5'")),
        ("truth,a,b\nx,0,$5\ny,€7,0\n", ("'$5'", "'€7'")),
        ("truth,a,b\nx,0,5%\ny,7,0\n", ("'5%'", "'7'")),
        ("truth,a,b\nx,0,$1,200\ny,5,0\n", ("$1,200",)),
        ("mild,$0,$1\nmoderate,$2,$0\nsevere,$1,$0\n", ("'$0'",)),
        ("truth,a,b\nx,0,1.200 €\ny,5 €,0\n", ("'1.200 €'", "1.2000", "1200")),
        ("truth,a,b\nx,0,$5€\ny,7,0\n", ("'$5€'",)),
        ("truth,a,b\nx,0,--5\ny,7,0\n", ("'--5'",)),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(tmp_path, content, quotes):
    assert_quotes(refused(tmp_path, content), *quotes)


def test_the_advice_about_thousands_works(tmp_path):
    for instead, value in (("€ 1.2000", F("1.2")), ("1200", F(1200))):
        assert entries(tmp_path, f"truth;a;b\nx;0;{instead}\ny;5;0\n")[0][1] == value


@given(
    st.lists(st.decimals(0, 10**7, places=2).map(abs), min_size=4, max_size=4),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", "."), ("", "."), ("", ",")]),
    st.sampled_from([";", "\t", ","]),
    st.sampled_from(["{}", "${}", "{} €"]),
    st.sampled_from([0, 2, 3]),
)
@example([1200, 0, 0, 5], (",", "."), ";", "{}", 0)
@example([1200, 0, 0, 5], (".", ","), "\t", "${}", 0)
def test_a_table_in_one_spelling_is_read_right_or_refused(numbers, signs, delimiter, money, places):
    """Every amount is printed by Python, with the thousands and the decimal sign of one country."""
    thousands, decimal = signs
    values = [round(F(number), places) for number in numbers]
    shown = [
        money.format(f"{float(x):,.{places}f}".translate(str.maketrans({",": thousands, ".": decimal}))) for x in values
    ]
    # Where commas or tabs part the cells, a bare 1.200 is 1.2: that is how programs write it.
    assume(delimiter == ";" or money != "{}" or thousands != "." or places > 0)
    # Where commas part the cells, the comma in a quoted "1,200" parts thousands: decimal commas go with semicolons.
    assume(delimiter != "," or decimal != ",")
    cells = [f'"{each}"' if delimiter in each else each for each in shown]
    text = f"truth{delimiter}a{delimiter}b\nx{delimiter}{cells[0]}{delimiter}{cells[1]}\n"
    text += f"y{delimiter}{cells[2]}{delimiter}{cells[3]}\n"
    with tempfile.TemporaryDirectory() as folder:
        found = outcome(LossMatrix.from_csv, written(Path(folder), text))
    if isinstance(found, LossMatrix):
        assert [x for row in found.entries for x in row] == values


def test_python_values_may_be_amounts_too():
    assert LossMatrix([["$0", "$1,200.50"], ["5", 0]]).entries == ((0, F("1200.5")), (5, 0))
    frame = pd.DataFrame({"wait": ["0 €", "1.200,50 €"], "treat": ["3,5 €", "0 €"]}, index=["well", "ill"])
    assert lm.analyze(frame).loss.entries == ((0, F("3.5")), (F("1200.5"), 0))
    assert_quotes(refusal(LossMatrix, [["1,200", 0], [0, 1]]), "1,2000", "1200")


def test_euros_of_windows_are_read_with_a_warning(tmp_path):
    path = written(tmp_path, "truth,a,b\nx,0,5 €\ny,7 €,0\n".encode("cp1252"))
    with pytest.warns(UserWarning, match="Windows-1252"):
        assert LossMatrix.from_csv(path).entries[1] == (7, 0)


@pytest.mark.parametrize(
    "cell", ["1" + " " * 100_000 + "x", "1 " * 50_000 + "x", "1," * 50_000 + "x", "1" * 100_000 + "x"]
)
def test_a_cell_of_any_length_is_refused_at_once(tmp_path, cell):
    """A pattern that tries all ways would take hours."""
    assert_quotes(refused(tmp_path, f"truth;a;b\nx;0;{cell}\ny;1;0\n"), "'x'", "'b'")


# Comments.


@pytest.mark.parametrize(
    "content",
    [
        "# costs in euros, by the finance department, 2024\ntruth,a,b\nx,0,1\ny,2,0\n",
        "#\n#costs\ntruth,a,b\n# here they are\nx,0,1\ny,2,0\n# so far",
        '# "draft\ntruth,a,b\nx,0,1\ny,2,0\n',
        "  # costs\r\ntruth;a;b\r\nx;0;1\r\ny;2;0\r\n",
    ],
)
def test_lines_that_begin_with_a_hash_are_comments(tmp_path, content):
    assert entries(tmp_path, content) == [[0, 1], [2, 0]]


@pytest.mark.parametrize("line", ["#z,1,1", "# z , 1 , 1", '#z,"1",$1'])
def test_a_comment_that_could_be_a_row_is_refused(tmp_path, line):
    assert_quotes(refused(tmp_path, f"truth,a,b\nx,0,1\n{line}\ny,2,0\n"), repr(line), re.match("# ?z", line)[0])
    assert entries(tmp_path, 'truth,a,b\nx,0,1\n"#z",1,1\ny,2,0\n') == [[0, 1], [1, 1], [2, 0]]


def test_a_comment_that_could_be_the_only_header_is_refused(tmp_path):
    assert_quotes(refused(tmp_path, "# truth,a,b\nx,0,1\ny,2,0\n"), "'# truth,a,b'", "'# truth'")


def test_names_that_begin_with_a_hash_are_written_so_that_they_are_read(tmp_path):
    loss = LossMatrix([[0, 1], [2, 0]], labels=["#1", "#"], predictions=["# a", "b"])
    loss.to_csv(tmp_path / "costs.csv")
    assert LossMatrix.from_csv(tmp_path / "costs.csv") == loss


def test_a_hash_within_quotes_is_no_comment(tmp_path):
    assert LossMatrix.from_csv(written(tmp_path, 'truth,"a\n# b",c\nx,0,1\ny,1,0\n')).predictions == ("a\n# b", "c")


def test_a_hash_alone_is_a_corner(tmp_path):
    assert LossMatrix.from_csv(written(tmp_path, "#,a,b\nx,0,1\ny,1,0\n")).labels == ("x", "y")


def test_comments_alone_are_no_table(tmp_path):
    refused(tmp_path, "# truth,a,b\n# x,0,1\n")


def test_a_tab_before_a_hash_is_an_empty_corner(tmp_path):
    path = written(tmp_path, "\t#a\t#b\nx\t0\t1\ny\t1\t0\n", "costs.tsv")
    assert LossMatrix.from_csv(path).predictions == ("#a", "#b")
