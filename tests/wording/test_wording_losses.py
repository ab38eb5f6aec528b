"""Messages about losses: from Python values, from files, by name; and about decisions and probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from printed import command, message, messages
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC

import lossmith as lm
from lossmith import ExampleCosts, LossMatrix, losses
from lossmith.losses.named import as_loss

ROWS = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
TRIAGE = LossMatrix(ROWS, ["mild", "moderate", "severe"], ["home", "ward", "icu"], "triage")
SPAM = LossMatrix([[0, 1], [1, 0]], labels=["spam", "ham"])  # not in the order of the alphabet
FRAME = pd.DataFrame({"amount": [30.0, 800.0], "rate": [0.1, 0.2], "name": ["x", "y"]})
THIRDS = [1 / 3, 1 / 3, 1 / 3]
HEAD = "truth \\ decision,home,icu\n"
PLAIN = HEAD + "mild,0,1\nsevere,1/2,0\n"


def entry(value: object) -> LossMatrix:
    return LossMatrix([[0, 1], [value, 0]], labels=["a", "b"], predictions=["x", "y"])


def labelled(names: object) -> LossMatrix:
    return LossMatrix([[0, 1], [1, 0]], labels=names)


class FrameByColumns:
    """Like the frames of polars, which iterate over their columns."""

    columns = ("a", "b")

    def __iter__(self):
        return iter([[0, 2], [1, 0]])


ENTRIES = {
    "not a number": lambda: entry("abc"),
    "nan": lambda: entry(float("nan")),
    "infinite": lambda: entry(float("inf")),
    "missing": lambda: entry(None),
    "division by zero": lambda: entry("1/0"),
    "too many digits": lambda: entry("1e99999"),
    "thousands or decimals": lambda: entry("1,500"),
    "too long to quote": lambda: entry("x" * 500),
    "negative": lambda: entry("-7/2"),
    "rows of two lengths": lambda: LossMatrix([[0, 1], [1]], labels=["mild", "severe"]),
    "empty": lambda: LossMatrix([]),
    "one row": lambda: LossMatrix([[0, 1]]),
    "not two dimensions": lambda: LossMatrix(np.zeros((2, 2, 2))),
    "a file name": lambda: LossMatrix("costs.csv"),
    "not a matrix": lambda: LossMatrix({"a": [0, 1], "b": [1, 0]}),
    "a row that is not a list": lambda: LossMatrix(["01", "10"]),
    "a frame of columns": lambda: LossMatrix(FrameByColumns()),
    "a transposed frame": lambda: LossMatrix(pd.DataFrame([[0, 1], [2, 0]], index=["pred_a", "pred_b"])),
    "a family": lambda: as_loss(losses.zero_one),
}
NAMES = {
    "too few": lambda: labelled(["a"]),
    "too many": lambda: labelled(list("abcdefgh")),
    "twice": lambda: labelled(["a", "a"]),
    "missing": lambda: labelled(["a", ""]),
    "not a name": lambda: labelled([["a"], ["b"]]),
    "not a list": lambda: labelled("ab"),
    "restrict to an unknown label": lambda: TRIAGE.restrict(labels=["mild", "sever"]),
    "restrict to a label unlike the others": lambda: TRIAGE.restrict(labels=["xyz"]),
    "rename to too few": lambda: TRIAGE.rename(labels=["a", "b"]),
    "rename by a string": lambda: TRIAGE.rename(labels="abc"),
    "rename to a name twice": lambda: TRIAGE.rename(labels={"mild": "severe"}),
    "labels of a family": lambda: losses.zero_one(3, labels=["a", "b"]),
    "not a name in JSON": lambda: LossMatrix([[0, 1], [1, 0]], predictions=[(1, 2), 1.5]).to_json(),
    "not a name in a table": lambda: labelled(["a\0", "b"]).to_csv("none.csv"),
    "beyond floats": lambda: LossMatrix([[0, "1e400"], [1, 0]]).to_numpy(),
}
ROW_OPERATIONS = {
    "too few factors": lambda: TRIAGE.scale_rows([1, 2]),
    "a factor of zero": lambda: TRIAGE.scale_rows([1, 0, 2]),
    "a factor that is not a number": lambda: TRIAGE.scale_rows({"severe": "x"}),
    "an array of factors": lambda: SPAM.scale_rows(np.array([3, 1])),
    "too few offsets": lambda: TRIAGE.shift_rows([1]),
    "a shift below zero": lambda: TRIAGE.shift_rows({"severe": -1}),
    "abstaining at a negative cost": lambda: losses.add_abstain(TRIAGE, -1),
    "abstaining under a name that is taken": lambda: losses.add_abstain(TRIAGE, 1, name="ward"),
}
DISTRIBUTIONS = {
    "too few probabilities": lambda: TRIAGE.risk([0.5, 0.5]),
    "a sum that is not 1": lambda: TRIAGE.risk([0.5, 0.5, 0.1]),
    "rounded thirds": lambda: TRIAGE.risk(THIRDS),
    "negative": lambda: TRIAGE.risk(["3/2", "-1/2", 0]),
    "not a number": lambda: TRIAGE.risk([0, "x", 1]),
    "not a list": lambda: TRIAGE.risk("100"),
    "unknown label": lambda: TRIAGE.risk({"milde": 1}),
    "classes of one distribution": lambda: TRIAGE.risk([1, 0, 0], classes=TRIAGE.labels),
    "an array in unknown order": lambda: SPAM.risk(np.array([0.1, 0.9])),
    "not a distribution": lambda: TRIAGE.risk(np.array(0.5)),
}
TABLES = {
    "wrong shape": lambda: TRIAGE.decide(np.eye(2)),
    "not a distribution": lambda: TRIAGE.decide([[0.2, 0.3, 0.4]]),
    "not numbers": lambda: TRIAGE.decide([["a", 0, 1]]),
    "columns in unknown order": lambda: SPAM.decide(np.eye(2)),
    "columns of other names": lambda: TRIAGE.decide(pd.DataFrame(np.eye(3), columns=["severe", "moderate", "mld"])),
    "a class is missing": lambda: TRIAGE.decide(np.eye(3), classes=["mild", "moderate"]),
    "a class is there twice": lambda: TRIAGE.decide(np.eye(3), classes=["mild", "mild", "severe"]),
    "a class is unknown": lambda: TRIAGE.decide(np.eye(3), classes=["mild", "moderate", "sever"]),
    "examples beside probabilities": lambda: SPAM.decide(np.eye(2), np.eye(2)),
    "classes in the place of examples": lambda: SPAM.decide(np.eye(2), np.array(["ham", "spam"])),
}
MODELS = {
    "no examples": lambda: SPAM.decide(fitted(["ham", "spam"])),
    "not fitted": lambda: SPAM.decide(LogisticRegression(), np.eye(2)),
    "no probabilities": lambda: SPAM.decide(LinearSVC().fit(np.eye(2), ["ham", "spam"]), np.eye(2)),
    "classes beside a model": lambda: SPAM.decide(fitted(["ham", "spam"]), np.eye(2), classes=["ham", "spam"]),
    "several outputs": lambda: SPAM.decide(
        MultiOutputClassifier(LogisticRegression()).fit(np.eye(2), [["ham", "ham"], ["spam", "spam"]]), np.eye(2)
    ),
    "codes instead of names": lambda: SPAM.decide(fitted([0, 1]), np.eye(2)),
    "an unknown name": lambda: SPAM.decide(fitted(["fine", "spam"]), np.eye(2)),
    "a label that was never seen": lambda: TRIAGE.decide(fitted(["mild", "severe"]), np.eye(2)),
    "a number instead of its text": lambda: labelled([0, 1]).decide(fitted(["0", "1"]), np.eye(2)),
}
COSTS = {
    "a column that is not there": lambda: costs("amout"),
    "not a formula": lambda: costs("amount ** 9"),
    "no data": lambda: ExampleCosts([[0, 1], ["amount", 0]]).at(None),
    "no names of columns": lambda: ExampleCosts([[0, 1], ["amount", 0]]).at(np.eye(2)),
    "not finite": lambda: costs("amount / 0"),
    "not numbers": lambda: costs("name"),
    "negative": lambda: ExampleCosts([[0, -1], [1, 0]]),
    "empty": lambda: ExampleCosts([[0, ""], [1, 0]]),
    "no examples": lambda: ExampleCosts([[0, 1], ["amount", 0]]).mean(FRAME[:0]),
    "wrong shape": lambda: decide_with(np.zeros((3, 2, 2))),
    "wrong shape for an example": lambda: decide_with(lambda row: [[0, 1]]),
    "an error in the function": lambda: decide_with(lambda row: [[0, 5], [row["amout"], 5]]),
    "an entry of a wrong length": lambda: decide_with([[0, 1], [[1, 2, 3], 0]]),
    "not costs": lambda: decide_with("amount"),
    "other labels": lambda: decide_with(losses.zero_one(3)),
}
FAMILIES = {
    "below the least": lambda: losses.zero_one(1),
    "not whole": lambda: losses.zero_one(2.5),
    "above the largest": lambda: losses.zero_one(10**9),
    "beyond counting": lambda: losses.zero_one(10**5000),
    "too many entries": lambda: losses.hamming(40),
    "about so many entries": lambda: losses.hamming(20_000),
    "not strictly between": lambda: losses.cost_sensitive_binary("3/2"),
    "not less than n": lambda: losses.top_k(3, 3),
    "a negative cost": lambda: losses.abstain(3, -1),
    "a width that makes all free": lambda: losses.dead_zone(3, width=2),
    "not positive": lambda: losses.capped(3, cap=0),
    "not between": lambda: losses.newsvendor(3, tau=1),
    "a negative cost of a label": lambda: losses.reject_costs([1, -1]),
    "too few costs": lambda: losses.reject_costs([1]),
    "a label named twice": lambda: losses.reject_costs(pd.Series([1, 2, 3], index=["a", "b", "a"])),
    "too few fees": lambda: losses.defer(2, experts=2, fees=[1]),
    "a negative fee": lambda: losses.defer(2, fees=[-1]),
    "an unknown utility": lambda: losses.set_utility(3, "u70"),
    "too few utilities": lambda: losses.set_utility(3, "1 1/2"),
    "too many sets": lambda: losses.set_utility(30),
    "priors that do not sum to 1": lambda: losses.balanced_error([1, 1]),
    "a prior of zero": lambda: losses.balanced_error([0, 1]),
    "priors without order": lambda: losses.balanced_error({0.5}),
    "too many subsets": lambda: losses.superset(40),
    "too many orders": lambda: losses.ordered_partitions(9),
    "too many tags": lambda: losses.tversky(40),
    "too many answers": lambda: losses.hamming_abstain(9),
    "not a power of two": lambda: losses.set_function([0, 1, 1]),
    "a first value that is not 0": lambda: losses.set_function([1, 1]),
    "a negative value": lambda: losses.structured_abstain([0, -1]),
    "one tag": lambda: losses.tag_ranking(1),
    "too many rankings": lambda: losses.coverage(12),
    "too many for one error": lambda: losses.one_error(12),
}
TREES = {
    "one leaf": lambda: losses.hierarchical({"a": {"b": {"c": {}}}}),
    "a node twice": lambda: losses.hierarchical({"a": ["b", "b"]}),
    "not children": lambda: losses.hierarchical({"a": "b"}),
    "not a name": lambda: losses.hierarchical({"a": ["b", None]}),
    "two roots": lambda: losses.hierarchical([None, None, 0]),
    "a circle": lambda: losses.hierarchical([None, 0, 0, 3]),
    "not a parent": lambda: losses.hierarchical([None, 0, 9]),
    "not a tree": lambda: losses.hierarchical(3),
    "an unknown side": lambda: losses.hierarchical({"a": ["b", "c"]}, labels="leafs"),
}
BY_NAME = {
    "an unknown family": lambda: lm.analyze("abstian:n=3"),
    "a parameter is missing": lambda: lm.analyze("zero-one"),
    "neither file nor family": lambda: lm.analyze("triage"),
    "almost a file": lambda: lm.analyze("cost.csv"),
    "a sheet of a table": lambda: lm.analyze("costs.csv:Sheet1"),
    "a surrogate without its parameter": lambda: lm.check("pairwise-hinge", "zero-one:n=3"),
    "a surrogate of another size": lambda: lm.check("softmax:n=2", "zero-one:n=3"),
    "an unknown surrogate": lambda: lm.check("sofmax", "zero-one:n=3"),
    "the name of an estimator": lambda: lm.check("LinearSVC", "zero-one:n=3"),
    "an estimator": lambda: lm.check(LinearSVC(), "zero-one:n=3"),
    "not a surrogate": lambda: lm.check(3, "zero-one:n=3"),
    "sorting without documents": lambda: lm.check(lm.surrogates.absolute(3), losses.zero_one(3), "sort"),
}
CSV = {
    "negative": PLAIN.replace("1/2", "-1"),
    "missing": PLAIN.replace("1/2", ""),
    "a row of another length": PLAIN.replace(",0\n", ",0,0\n"),
    "no rows": HEAD,
    "one column": "truth a b\nx 0 1\ny 1 0\n",
    "empty": "",
    "not text": b"\x93NUMPY",
    "a label is missing": PLAIN.replace("severe", ""),
    "names or losses": "home,ward,icu\n0,1,4\n2,0,1\n9,3,0\n",
    "numbers that count": "0,1,2\n0,1,4\n2,0,1\n9,3,0\n",
    "transposed by its corner": PLAIN.replace("truth \\ decision", "predicted"),
    "transposed by its columns": ",true_a,true_b\na,0,1\nb,1,0\n",
    "two delimiters": "truth;a,b\nx;0,1\ny;1,0\n",
    "thousands or decimals": PLAIN.replace(",", ";").replace("1/2", "€ 1.200"),
    "a comma and a point": "truth;a;b\nx;0,5;1\ny;2.5;0\n",
    "a decimal comma between commas": 'truth,a,b\nx,0,"3,5"\ny,5,0\n',
    "two currencies": "truth,a,b\nx,0,$5\ny,€7,0\n",
    "per cent or not": "truth,a,b\nx,0,5%\ny,7,0\n",
    "thousands without quotes": "truth,a,b\nx,0,$1,200\ny,5,0\n",
    "a comment or a row": "truth,a,b\nx,0,1\n#z,1,1\ny,2,0\n",
    "comments alone": "# truth,a,b\n# x,0,1\n",
    "not in UTF-8": "truth,mäßig,schwer\nja,0,1\nnein,1,0\n".encode("latin-1"),
}
JSON = {
    "empty": "",
    "nested too deeply": "[" * 100_000,
    "no matrix": "3",
    "an unknown key": '{"entries": [[0, 1], [2, 0]], "label": ["a", "b"]}',
    "a key that resembles none": '{"entries": [[0, 1], [2, 0]], "note": 1}',
    "a key twice": '{"entries": [[0, 1], [2, 0]], "entries": [[0, 3], [2, 0]]}',
    "transposed": '{"entries": [[0, 1], [2, 0]], "rows": "prediction"}',
    "not a list of names": '{"entries": [[0, 1], [2, 0]], "labels": ["a", 1.5]}',
    "a name that is not text": '{"entries": [[0, 1], [2, 0]], "name": 3}',
}


KINDS = {
    "entries": ENTRIES,
    "names": NAMES,
    "row operations": ROW_OPERATIONS,
    "distributions": DISTRIBUTIONS,
    "tables": TABLES,
    "models": MODELS,
    "costs": COSTS,
    "families": FAMILIES,
    "trees": TREES,
}


def fitted(labels) -> LogisticRegression:
    return LogisticRegression().fit(np.eye(2), labels)


def costs(text: str):
    return ExampleCosts([[0, 1], [text, 0]]).at(FRAME)


def decide_with(given):
    loss = LossMatrix([[0, 5], [1, 5]], labels=["legit", "fraud"], predictions=["pay", "review"])
    return loss.decide(np.eye(2), FRAME, classes=["legit", "fraud"], costs=given)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_all(contents, name: str, read) -> str:
    """The message about each content of the file."""

    def reading(content):
        def call():
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
            return read(name)

        return call

    return messages({kind: reading(content) for kind, content in contents.items()})


@pytest.mark.parametrize("kind", KINDS)
def test_messages(snapshot, kind):
    assert messages(KINDS[kind]) == snapshot


def test_messages_about_names_of_files_and_families(folder, snapshot):
    TRIAGE.to_csv("costs.csv")
    assert messages(BY_NAME) == snapshot


def test_messages_about_tables_in_files(folder, snapshot):
    assert read_all(CSV, "costs.csv", LossMatrix.from_csv) == snapshot


def test_messages_about_json_files(folder, snapshot):
    assert read_all(JSON, "costs.json", LossMatrix.from_json) == snapshot


def test_messages_about_trees_in_files(folder, snapshot):
    contents = {"no tree": '"tree.json"', "a key twice": '{"a": ["b", "c"], "a": ["d"]}'}
    assert read_all(contents, "tree.json", losses.hierarchical) == snapshot


def test_messages_about_workbooks(folder, snapshot):
    openpyxl = pytest.importorskip("openpyxl")

    def reading(address, **sheets):
        def call():
            book = openpyxl.Workbook()
            book.remove(book.active)
            for name, rows in sheets.items():
                sheet = book.create_sheet(name)
                for row in rows:
                    sheet.append(row)
            book.save("costs.xlsx")
            return as_loss(address)

        return call

    rows = [["truth", "a", "b"], ["x", 0, 1], ["y", 1, 0]]
    calls = {
        "several sheets": reading("costs.xlsx", Costs=rows, More=rows),
        "an empty sheet": reading("costs.xlsx", Costs=[]),
        "a sheet that is not there": reading("costs.xlsx:Cost", Costs=rows),
    }
    assert messages(calls) == snapshot


@pytest.mark.parametrize("package", ["openpyxl", "pandas"])
def test_messages_where_a_package_is_missing(package, folder, monkeypatch, snapshot):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    Path("costs.xlsx").write_bytes(b"PK")
    calls = {"openpyxl": lambda: as_loss("costs.xlsx"), "pandas": TRIAGE.to_frame}
    assert message(calls[package]) == snapshot


def test_messages_about_files_that_cannot_be_written(folder, monkeypatch, snapshot):
    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    assert messages({"full": lambda: TRIAGE.to_csv("costs.csv")}) == snapshot


def test_a_loss(snapshot):
    assert f"{TRIAGE}\n{TRIAGE!r}\n{ExampleCosts([[0, 5], ['amount', 5]])!r}" == snapshot


def test_the_catalogue(folder, snapshot):
    assert command("catalogue --surrogates absolute --losses newsvendor", folder) == snapshot
