"""CSV and TSV files: read in one way or not at all, written whole or not at all."""

from __future__ import annotations

import errno
import os
import pickle
import re
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusal import assert_quotes, outcome, refusal, written

from lossmith import LossMatrix
from lossmith.losses import hamming
from strategies import examples

F = Fraction
HEAD = "truth \\ decision,home,icu\n"
PLAIN = HEAD + "mild,0,1\nsevere,1/2,0\n"
LOSS = LossMatrix([[0, 1], ["1/2", 0]], labels=["mild", "severe"], predictions=["home", "icu"])


def read(folder: Path, content: str | bytes, name: str = "costs.csv") -> LossMatrix:
    return LossMatrix.from_csv(written(folder, content, name))


def refused(folder: Path, content: str | bytes, name: str = "costs.csv") -> str:
    """The refusal, without the path that it must begin with."""
    path = written(folder, content, name)
    message = refusal(LossMatrix.from_csv, path)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


# Round trips.


def names(size: int, alphabet: st.SearchStrategy[str]) -> st.SearchStrategy[list[object]]:
    text = st.text(alphabet, min_size=1, max_size=6).filter(str.strip)
    awkward = st.sampled_from(
        ["a,b", "a;b", "a\tb", 'say "no"', '"', "two\nlines", "\rold", "=1+1", "1.5", "-3", "007"]
    )
    name = text | awkward | st.integers()
    return st.lists(name, min_size=size, max_size=size, unique_by=lambda name: str(name).strip())


@st.composite
def losses(draw, alphabet: st.SearchStrategy[str]) -> LossMatrix:
    n, k = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    entry = st.fractions(0) | st.integers(0, 10**30) | st.floats(0, allow_infinity=False)
    entries = draw(st.lists(st.lists(entry, min_size=k, max_size=k), min_size=n, max_size=n))
    return LossMatrix(entries, draw(names(n, alphabet)), draw(names(k, alphabet)))


def as_read(name: object) -> object:
    text = str(name).strip()
    if isinstance(name, str) and re.match(r"'*(\s*[=+@＝＋－＠-]|[\t\r\n])", name):
        return name.rstrip()  # looks like a formula, so that an apostrophe keeps it as it is
    return int(text) if re.fullmatch("0|-?[1-9][0-9]*", text) else text


def all_read(names):
    """Digits of one width, some with a 0 in front, are codes and stay text."""
    texts = [str(name).strip() for name in names]
    width = len(texts[0])
    coded = all(re.fullmatch(f"[0-9]{{{width}}}", text) for text in texts) and any(text[0] == "0" for text in texts)
    return tuple(texts) if coded and width > 1 else tuple(map(as_read, names))


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", *(pytest.param(ending, marks=pytest.mark.exhaustive) for ending in ("TSV", "txt"))]
)
@example(hamming(3))
@example(LossMatrix([[0], [1]], labels=["a;b", "c;d"], predictions=["x;y"]))
@example(LossMatrix([[0, 1], [1, 0]], labels=["a,1", "b,2"], predictions=["x\ty", ";"]))
@example(LossMatrix([[0, 1], [1, 0]], labels=["pred_a", "pred_b"], predictions=["true_a", "true_b"]))
@example(LossMatrix([[0, 1], [1, 0]], labels=[0, 1], predictions=[1, 0]))
@given(loss=losses(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_what_is_written_is_read_back(ending, loss):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"costs.{ending}"
        loss.to_csv(path)
        back = LossMatrix.from_csv(path)
    assert back.entries == loss.entries
    assert back.labels == all_read(loss.labels)
    assert back.predictions == all_read(loss.predictions)
    assert back.name == "costs"


def test_a_table_is_written_as_one_would_write_it_by_hand(tmp_path):
    LOSS.to_csv(tmp_path / "costs.csv")
    LOSS.to_csv(tmp_path / "costs.tsv")
    assert (tmp_path / "costs.csv").read_bytes().decode() == PLAIN
    assert (tmp_path / "costs.tsv").read_bytes().decode() == PLAIN.replace(",", "\t")


def test_names_written_like_integers_are_integers(tmp_path):
    loss = read(tmp_path, "truth,0,-7,007,1.0\n1,0,1,1,1\n100000000000000000000,1,0,1,1\n")
    assert loss.labels == (1, 10**20)
    assert loss.predictions == (0, -7, "007", "1.0")


def test_what_pandas_writes_is_read(tmp_path):
    frame = pd.DataFrame([[0, 0.25], [4, 0]], index=["mild", "severe"], columns=["home", "icu"])
    for kind, label in ((frame, "mild"), (frame.reset_index(drop=True), 0), (frame.rename_axis("truth"), "mild")):
        kind.to_csv(tmp_path / "costs.csv")
        loss = LossMatrix.from_csv(tmp_path / "costs.csv")
        assert loss.entries == ((0, Fraction(1, 4)), (4, 0))
        assert loss.labels[0] == label


# Dialects.


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        PLAIN.replace(",", " , ").replace("\n", " \n "),
        PLAIN + "\n\n \n",
        "\n,,\n" + PLAIN,
        PLAIN + ",,\n",
        PLAIN.replace("\n", ",\n"),
        PLAIN.replace("\n", ",,,\n") + ",,,,,\n",
        PLAIN.replace("0\n", "0,\n"),
        PLAIN.replace("mild", '"mild"').replace("0", '"0"'),
        PLAIN.replace("mild", ' "mild"'),
        PLAIN.replace("1/2", "0.5"),
        PLAIN.replace("1/2", "5e-1"),
        PLAIN.replace(",", ";").replace("1/2", "0,5"),
        PLAIN.replace(",", "\t").replace("1/2", "0,5"),
        PLAIN.replace(",", ";").replace("1/2", "0,500"),
        PLAIN.replace(",", ";").replace("1/2", "0.5"),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
    ],
)
def test_the_same_table_is_read_from_every_dialect(tmp_path, content):
    assert read(tmp_path, content) == LOSS


@pytest.mark.parametrize("content", ["0,1\n1/2,0", "0;1\n0,5;0", "0\t1\n0.5\t0", "0,1,\n0.5,0,\n", "0 , 1\n 1/2, 0\n"])
def test_numbers_alone_have_no_names(tmp_path, content):
    assert read(tmp_path, content) == LossMatrix([[0, 1], ["1/2", 0]])


def test_decimal_commas_are_read_where_semicolons_separate(tmp_path):
    loss = read(tmp_path, "truth;a;b\nx;0,5;12,25\ny;1000,5;0\n")
    assert loss.entries == ((Fraction(1, 2), Fraction(49, 4)), (Fraction(2001, 2), 0))
    assert read(tmp_path, "0,5;1,5\n1,5;0,5\n").entries[0] == (Fraction(1, 2), Fraction(3, 2))
    assert read(tmp_path, "truth;a,b;c\nx;0;1\ny;1;0\n").predictions == ("a,b", "c")


@pytest.mark.parametrize(
    ("cell", "delimiter", "choices"),
    [("1,000", ";", ("1,0000", "1000")), ("1,250", "\t", ("1,2500", "1250")), ("1.000", ";", ("1.0000", "1000"))],
)
def test_a_number_that_could_be_thousands_is_refused(tmp_path, cell, delimiter, choices):
    table = PLAIN.replace(",", delimiter)
    message = refused(tmp_path, table.replace("1/2", cell))
    assert_quotes(message, "'severe'", "'home'", repr(cell), *choices)
    for choice in choices:  # the advice works
        assert read(tmp_path, table.replace("1/2", choice)).entries[1][0] == Fraction(choice.replace(",", "."))
    assert_quotes(refused(tmp_path, f"0{delimiter}{cell}\n2{delimiter}0\n"), repr(cell), *choices)


def test_a_point_is_a_point_where_commas_or_tabs_separate(tmp_path):
    assert read(tmp_path, PLAIN.replace("1/2", "1.000")).entries[1][0] == 1
    assert read(tmp_path, PLAIN.replace(",", "\t").replace("1/2", "1.250")).entries[1][0] == Fraction(5, 4)


def test_decimal_commas_and_points_do_not_mix(tmp_path):
    assert_quotes(refused(tmp_path, "truth;a;b\nx;0,5;1\ny;2.5;0\n"), "'0,5'", "'2.5'")


def test_thousands_in_quotes_are_thousands_where_commas_separate(tmp_path):
    assert read(tmp_path, PLAIN.replace("1/2", '"1,000"')).entries[1][0] == 1000


@pytest.mark.parametrize(
    "content",
    [
        "truth;a,b\nx;0,1\ny;1,0\n",
        "truth,a;b\nx,1;2\ny,3;4\n",
        "truth\ta,b\nx\t0,1\ny\t1,0\n",
        "a,x;b,y\nc,1;2,3\nd,1;2,3\n",
    ],
)
def test_a_delimiter_that_cannot_be_told_is_refused(tmp_path, content):
    refused(tmp_path, content)


def test_in_a_tsv_file_only_tabs_separate(tmp_path):
    loss = read(tmp_path, "truth\ta,b\nx\t0,1\ny\t1,0\n", "costs.tsv")
    assert (loss.predictions, loss.entries) == (("a,b",), ((Fraction(1, 10),), (1,)))
    refused(tmp_path, PLAIN, "costs.tsv")


def test_western_letters_without_utf8_are_read_with_a_warning(tmp_path):
    path = written(tmp_path, "truth,mäßig,schwer\nja,0,1\nnein,1,0\n".encode("latin-1"))
    with pytest.warns(UserWarning, match="UTF-8.*Windows-1252") as caught:
        loss = LossMatrix.from_csv(path)
    assert loss.predictions == ("mäßig", "schwer")
    assert caught[0].filename == __file__


def test_utf8_is_read_without_a_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(tmp_path, "truth,mäßig,重症\n✓,0,1\nž,1,0\n").predictions == ("mäßig", "重症")


# Names or numbers: every doubt is an error.


@pytest.mark.parametrize(
    "content",
    [
        "home,ward,icu\n0,1,4\n2,0,1\n9,3,0\n",  # a header, but no labels
        "home,ward,icu\n0,1,4\n2,0,1\n-,3,0\n",  # the same with a slip in the first column
        "V1,V2\n0,1\n1,0\n",
        "class_a,class_b,class_c\n0,1,4\n2,0,1\n9,3,0\n",
        "true,false\n0,1\n1,0\n",
        "true_a,true_b\n0,1\n1,0\n",
        "true class,false class\n0,1\n1,0\n",
        "y,n\n0,1\n1,0\n",
        "label,skip\n0,1\n1,0\n",
        "target,other\n0,1\n1,0\n",
        "a,b,truth\n0,1,4\n1,0,1\n",  # labels in the last column
        "mild,0,1\nmoderate,2,0\nsevere,1,0\n",  # labels, but no header
        "true,0,1\nfalse,1,0\nmaybe,1,1\n",
        "NA,0,1\nb,1,0\nc,1,1\n",
        "-,1,4\n2,0,1\n9,3,0\n",  # numbers alone with a slip in the corner
        ",truth,a,b\n0,0,0,1\n1,1,1,0\n",  # pandas has put row numbers before the labels
        "Unnamed: 0,a,b\n0,0,1\n1,1,0\n",
        "home;ward\n0,5;1\n1;0\n",
    ],
)
def test_numbers_that_could_be_names_or_losses_are_refused(tmp_path, content):
    assert_quotes(refused(tmp_path, content), "'truth \\ decision'")


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        ("0,1,2\n0,1,4\n2,0,1\n9,3,0\n", "0, 1, 2"),  # column numbers above the losses
        ("1,2,3\n0,1,4\n2,0,1\n9,3,0\n", "1, 2, 3"),
        ("0,1,2,3\n0,1,4,1\n2,0,1,1\n9,3,0,1\n", "0, 1, 2, 3"),
        ("0,0,1,4\n1,2,0,1\n2,9,3,0\n", "0, 1, 2"),  # row numbers before the losses
        ("1,0,1,4\n2,2,0,1\n3,9,3,0\n", "1, 2, 3"),
        ("0,1\n5,0\n7,0\n", "0, 1"),
        ("0;0,5;2\n1;0;3\n", "0, 1"),
    ],
)
def test_a_row_or_column_that_counts_could_be_names_or_losses(tmp_path, content, numbers):
    assert_quotes(refused(tmp_path, content), numbers)


@pytest.mark.parametrize("content", ["0,1\n1,0", "0,5\n1,0", "0,1,2\n1,0,1\n2,1,0", "0,1,4\n2,0,1\n9,3,0", "3,1\n1,3"])
def test_a_square_of_losses_may_count_where_being_right_costs_nothing(tmp_path, content):
    rows = tuple(tuple(map(int, row.split(","))) for row in content.split())
    assert read(tmp_path, content).entries == rows


@pytest.mark.parametrize(
    "corner",
    [
        "",
        "truth",
        "Truth",
        "ground truth",
        "truth \\ decision",
        "actual/predicted",
        "y_true | y_pred",
        "true, predicted",
    ],
)
def test_a_corner_that_can_be_no_name_lets_names_be_numbers(tmp_path, corner):
    loss = read(tmp_path, f'"{corner}",0,1\n0,5,6\n1,7,8\n')
    assert (loss.entries, loss.labels, loss.predictions) == (((5, 6), (7, 8)), (0, 1), (0, 1))


@pytest.mark.parametrize("corner", ["", "disease", "class", "y", "label", "true class", "patient state", "interaction"])
def test_any_corner_will_do_where_the_names_are_words(tmp_path, corner):
    assert read(tmp_path, PLAIN.replace("truth \\ decision", corner)) == LOSS


@pytest.mark.parametrize(
    ("corner", "name"),
    [
        ("decision \\ truth", "decision"),
        ("predicted", "predicted"),
        ("Prediction", "Prediction"),
        ("predicted label / true label", "predicted label"),
        ("y_pred", "y_pred"),
        ("PredictedClass", "PredictedClass"),
        ("t \\ y", "t"),
        ("class prediction", "class prediction"),
        ("action", "action"),
        ("pred|true", "pred"),
        ("\\ truth", "truth"),
        ("decision truth", "decision truth"),
        ("guess vs actual", "guess vs actual"),
    ],
)
def test_a_corner_that_says_the_rows_are_decisions_is_refused(tmp_path, corner, name):
    assert_quotes(refused(tmp_path, PLAIN.replace("truth \\ decision", corner)), repr(name))


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (",true_a,true_b\npred_a,0,1\npred_b,1,0\n", "'pred_a, pred_b'"),
        (",a,b\npred_a,0,1\npred_b,1,0\n", "'pred_a, pred_b'"),
        (",true_a,true_b\na,0,1\nb,1,0\n", "'true_a, true_b'"),
        ("costs,Actual ill,Actual well\nPredicted ill,0,1\nPredicted well,1,0\n", "'Predicted ill, Predicted well'"),
    ],
)
def test_names_that_say_the_rows_are_decisions_are_refused(tmp_path, content, names):
    assert_quotes(refused(tmp_path, content), names, "'truth'")


def test_the_corner_outweighs_the_names(tmp_path):
    assert read(tmp_path, "truth,true_a,true_b\npred_a,0,1\npred_b,1,0\n").labels == ("pred_a", "pred_b")


# What is no table.


@pytest.mark.parametrize(
    ("content", "quotes"),
    [
        (PLAIN.replace("1/2", "-1"), ("'severe'", "'home'", "-1")),
        (PLAIN.replace("1/2", "nan"), ("'severe'", "'home'", "'nan'")),
        (PLAIN.replace("1/2", "inf"), ("'severe'", "'home'", "'inf'")),
        (PLAIN.replace("1/2", "free"), ("'home'", "'free'", "3", "0.25", "1/3")),
        (PLAIN.replace("1/2", "$five"), ("'severe'", "'home'", "'$five'")),
        (PLAIN.replace("1/2", ""), ("'severe'", "'home'")),
        (PLAIN.replace("1/2", " "), ("'severe'", "'home'")),
        (PLAIN.replace(",0\n", ",\n"), ("'severe'", "'icu'")),
        (PLAIN.replace("severe,", "severe\n,"), ("3", "('severe')", "1")),
        (PLAIN.replace(",0\n", "\n"), ("3", "('severe')", "2")),
        (PLAIN.replace(",0\n", ",0,0\n"), ("3", "('severe')", "4")),
        ("home,icu\nmild,0,1\nsevere,1,0\n", ("2", "('mild')", "3")),
        ("truth,a,b\n0,1\n1,0\n", ("2", "('0')", "3")),
        (PLAIN.replace("severe", "mild"), ("'mild'",)),
        (PLAIN.replace("icu", "home"), ("'home'",)),
        (PLAIN.replace("severe", ""), ("1",)),
        (PLAIN.replace("home", ""), ("0",)),
        ("," + PLAIN.replace("\n", "\n,"), ("0",)),
        (HEAD, ()),
        (HEAD + "mild,0,1\n", ("'mild'",)),
        ("truth\nmild\nsevere\n", ()),
        ("truth a b\nx 0 1\ny 1 0\n", ()),
        ("3\n", ()),
        (PLAIN.replace("mild", '"mild'), ()),
        (PLAIN.replace("mild", '"mi"ld'), ()),
        ("", ()),
        (" \n\n", ()),
        (",,,\n,,,\n", ()),
        (';\t"" \n', ()),
        (b"\xef\xbb\xbf", ()),
        (b"\xff\xfe", ()),
        (b"\xff\xfea", ("UTF-8",)),
        (PLAIN.encode("utf-16-le"), ("UTF-8",)),
        (PLAIN.encode("utf-32"), ("UTF-8",)),
        (PLAIN.replace("mild", "mi\0ld"), ("UTF-8",)),
        ("truth,5 ½,10 ½\na,0,1\nb,1,0\n".encode("cp1252"), ("UTF-8",)),
        (b"PK\x03\x04\x14\x00\x06\x00" + bytes(range(256)), ("UTF-8",)),
        (bytes(range(1, 256)), ("UTF-8",)),
        (pickle.dumps([[0, 1], [1, 0]]), ("UTF-8",)),
        ("[[0, 1], [1, 0]]", ()),
        ("truth,a,b\nx," + "1" * 200_000 + ",1\ny,1,0\n", ()),
    ],
    ids=lambda value: None if isinstance(value, str) and len(value) < 200 else "content",
)
def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path, content, quotes):
    assert_quotes(refused(tmp_path, content), *quotes)


def test_an_array_of_numpy_is_no_table(tmp_path):
    np.save(tmp_path / "costs.npy", np.zeros((2, 2)))
    assert_quotes(refusal(LossMatrix.from_csv, tmp_path / "costs.npy"), "UTF-8")


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    assert_quotes(refusal(LossMatrix.from_csv, tmp_path), str(tmp_path), os.strerror(errno.EISDIR))
    assert_quotes(refusal(LossMatrix.from_csv, "none.csv"), "none.csv", os.strerror(errno.ENOENT))
    assert_quotes(refusal(LossMatrix.from_csv, "two\nlines.csv"), "'two\\nlines.csv'")
    refusal(LossMatrix.from_csv, "null\0byte.csv")
    assert_quotes(refusal(LossMatrix.from_csv, "x" * 5000), os.strerror(errno.ENAMETOOLONG))


@given(st.text(st.sampled_from(',;\t"\n\r 01.a-/\\é\xa0'), max_size=40) | st.binary(max_size=40))
def test_whatever_the_file_holds_is_a_loss_or_a_refusal(content):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = written(Path(folder), content)
        result = outcome(LossMatrix.from_csv, path)
    if isinstance(result, LossMatrix):
        assert result.n >= 2
        assert all(entry >= 0 for row in result.entries for entry in row)
    else:
        assert str(result).startswith(f"{path}: ")
        assert "\n" not in str(result)


# Not "truth": in the corner it is taken at its word.
WORDS = ["a", "b", "c", "true", "false", "y", "n", "label", "class_1", "pred_1", "true_1", "action", "t", "NA"]


@st.composite
def tables(draw) -> tuple[str, list[list[Fraction]], bool]:
    """A table with or without a header, labels and a corner; its losses; and whether it is of numbers alone."""
    n, k = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    entry = st.sampled_from([F(0), F(0), F(1), F(2), F(3), F(1, 2), F(5, 4)])
    losses = draw(st.lists(st.lists(entry, min_size=k, max_size=k), min_size=n, max_size=n))

    def side(size: int) -> list[str] | None:
        counting = st.sampled_from([[str(start + i) for i in range(size)] for start in (0, 1)])
        words = st.lists(st.sampled_from(WORDS), min_size=size, max_size=size, unique=True)
        return draw(st.none() | counting | words)

    header, labels = side(k), side(n)
    rows = [[*([labels[y]] if labels else []), *(f"{float(x):g}" for x in row)] for y, row in enumerate(losses)]
    if header:
        corners = ["", "truth", "truth \\ decision", "label", "class", "Unnamed: 0"]
        rows.insert(0, [*([draw(st.sampled_from(corners))] if labels else []), *header])
    delimiter, decimal = draw(st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", ","), ("\t", ".")]))
    number = re.compile(r"[0-9.]+")
    text = "\n".join(
        delimiter.join(cell.replace(".", decimal) if number.fullmatch(cell) else cell for cell in row) for row in rows
    )
    return text, losses, all(number.fullmatch(cell) for row in rows for cell in row)


@examples(40)
@given(tables())
def test_a_table_is_read_right_or_refused_whatever_was_left_out(case):
    text, losses, numbers_alone = case
    with tempfile.TemporaryDirectory() as folder:
        result = outcome(LossMatrix.from_csv, written(Path(folder), text))
    if isinstance(result, LossMatrix) and not numbers_alone:
        assert [list(row) for row in result.entries] == losses
    elif isinstance(result, LossMatrix):  # by rule there are no names
        assert result.labels == tuple(range(result.n))
        assert result.n * result.k == len(
            re.split("[\n;\t,]", text.replace(",", "." if re.search("[;\t]", text) else ","))
        )
