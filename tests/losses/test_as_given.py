"""Every question takes a loss as people have it: the matrix, rows, an array, a data frame, a path, a family by name."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from refusal import assert_quotes, refusal

import lossmith as lm
from lossmith import LossMatrix
from lossmith.errors import NotInstalled
from lossmith.losses.named import as_loss

ROWS = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
LABELS, DECISIONS = ["mild", "moderate", "severe"], ["home", "ward", "icu"]
NAMED = LossMatrix(ROWS, LABELS, DECISIONS)
BARE = LossMatrix(ROWS)


@pytest.fixture
def folder(tmp_path):
    NAMED.to_csv(tmp_path / "costs.csv")
    NAMED.to_csv(tmp_path / "costs.tsv")
    NAMED.to_json(tmp_path / "costs.json")
    return tmp_path


def given(folder) -> list[tuple[object, LossMatrix]]:
    """The same costs in every form, with and without names."""
    frame = pd.DataFrame(ROWS, index=LABELS, columns=DECISIONS)
    with_names = [NAMED, frame, NAMED.to_frame(), *(folder / f"costs.{each}" for each in ("csv", "tsv", "json"))]
    with_names += [str(folder / "costs.csv")]
    without = [BARE, ROWS, tuple(map(tuple, ROWS)), np.array(ROWS), np.array(ROWS, dtype=float), pd.DataFrame(ROWS)]
    return [(each, NAMED) for each in with_names] + [(each, BARE) for each in without]


def test_every_form_is_the_same_loss(folder):
    for form, loss in given(folder):
        assert as_loss(form).matrix() == loss


QUESTIONS = {
    "analyze": lambda loss: lm.analyze(loss).loss,
    "affdim": lm.affdim,
    "ccdim": lambda loss: lm.ccdim(loss).exact,
    "design": lambda loss: lm.design(loss).surrogate.dim,
    "trigger_sets": lm.trigger_sets,
    "check": lambda loss: lm.check("softmax", loss).status,
    "which": lambda loss: [line.verdict and line.verdict.status for line in lm.which(loss, "LogisticRegression")],
    "report": lambda loss: lm.report(loss).study.loss,
    "demonstrate": lambda loss: lm.demonstrate("crammer-singer", loss, sizes=[10], repetitions=2).curves[0].excess,
    "plot.trigger_sets": lambda loss: len(lm.plot.trigger_sets(loss).axes[0].texts),
    "plot.neighbours": lambda loss: len(lm.plot.neighbours(loss).axes[0].texts),
    "loss_score": lambda loss: lm.learn.loss_score(loss, [as_loss(loss).labels[1]], [as_loss(loss).predictions[0]]),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_takes_a_frame_and_a_path(folder, question):
    ask = QUESTIONS[question]
    assert ask(NAMED.to_frame()) == ask(str(folder / "costs.csv")) == ask(NAMED)


@pytest.mark.exhaustive
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_takes_every_form(folder, question):
    ask = QUESTIONS[question]
    answers = {id(loss): ask(loss) for loss in (NAMED, BARE)}
    for form, loss in given(folder):
        assert ask(form) == answers[id(loss)], form


@pytest.mark.parametrize(
    "question",
    [
        each if each in ("affdim", "check", "which") else pytest.param(each, marks=pytest.mark.exhaustive)
        for each in QUESTIONS
        if each not in ("demonstrate", "loss_score")
    ],
)
def test_every_question_takes_a_family_by_name(question):
    ask = QUESTIONS[question]
    assert ask("abstain:n=3,cost=1/3") == ask(lm.losses.abstain(3, "1/3"))


def test_curves_take_both_by_name():
    assert len(lm.plot.curves("absolute", loss="ordinal:n=3").axes[0].lines) == len(
        lm.plot.curves(lm.surrogates.absolute(3), loss=lm.losses.ordinal(3)).axes[0].lines
    )


@pytest.mark.parametrize(
    ("form", "quotes"),
    [
        ("none.csv", ("none.csv", os.strerror(errno.ENOENT))),
        ("abstian:n=3", ("'abstain'",)),
        ("zero-one", ("'zero-one'", "n=…")),
        (lm.losses.zero_one, ("zero_one", "'zero-one:n=…'")),
        (3, ("3",)),
        (None, ("None",)),
        ({"mild": [0, 1]}, ("{'mild': [0, 1]}",)),
        ([0, 1], ("0",)),
        (np.zeros(3), ("1",)),
    ],
)
def test_what_is_no_loss_is_refused(form, quotes):
    assert_quotes(refusal(lm.analyze, form), *quotes)


@pytest.mark.parametrize(
    ("form", "quotes"),
    [
        ("triag.csv", ("triag.csv", os.strerror(errno.ENOENT), "'triage.csv'")),
        ("triage", ("'triage'", "'triage.csv'")),
        ("triage.pdf", ("'triage.pdf'", "'triage.csv'")),
        ("triage.csv:Sheet1", ("'triage.csv:Sheet1'", "'triage.csv'")),
        ("other/triag.csv", (repr(os.path.join("other", "triage.csv")),)),
        ("zero_oen:n=3", ("'zero_oen'", "'zero-one'")),
    ],
)
def test_a_file_that_is_there_under_almost_that_name_is_told(tmp_path, monkeypatch, form, quotes):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "triage.pgf").touch()  # a picture is nothing to read
    for folder in (".", "other"):
        for name in ("triage.csv", "big.csv"):
            lm.losses.zero_one(2).to_csv(Path(folder) / name)
    assert_quotes(refusal(lm.analyze, form), *quotes)


# Surrogates take their sizes from the loss.


@pytest.mark.parametrize(
    ("surrogate", "loss", "name"),
    [
        ("softmax", "zero-one:n=4", "softmax(n=4)"),
        (lm.surrogates.softmax, "zero-one:n=4", "softmax(n=4)"),
        ("softmax:n=4", "zero-one:n=4", "softmax(n=4)"),
        ("binary-relevance-hinge", "hamming:r=2", "binary_relevance_hinge(r=2)"),
        ("abstain-crammer-singer", "abstain:n=3,cost=1/3", "abstain_crammer_singer(n=3, cost=1/3)"),
        ("abstain-crammer-singer:cost=1/4", "abstain:n=3,cost=1/3", "abstain_crammer_singer(n=3, cost=1/4)"),
        ("binary-encoded:n=3", "abstain:n=3,cost=1/3", "binary_encoded(n=3, cost=1/2)"),  # as it is written
        ("epsilon-insensitive:eps=1/2", "ordinal:n=3", "epsilon_insensitive(n=3, eps=1/2)"),
        ("cost-weighted-hinge", "ordinal:n=3", "cost_weighted_hinge(ordinal(n=3))"),
    ],
)
def test_a_surrogate_by_name_has_the_sizes_of_the_loss(surrogate, loss, name):
    assert lm.check(surrogate, loss).surrogate.name == name


@pytest.mark.parametrize(
    ("surrogate", "quotes"),
    [
        ("binary-relevance-hinge", ("'binary-relevance-hinge'", "zero_one(n=3)")),
        ("pairwise-hinge", ("'pairwise-hinge'", "pairwise-hinge:ranking=…")),
        ("softmax:n=2", ("softmax(n=2)", "2", "zero_one(n=3)", "3")),
        ("sofmax", ("'softmax'",)),
        ("LinearSVC", ("lm.which(loss, 'LinearSVC')",)),
        ("LinearSVC(C=3)", ("lm.which(loss, 'LinearSVC')",)),
        (3, ("3",)),
    ],
)
def test_what_is_no_surrogate_for_the_loss_is_refused(surrogate, quotes):
    assert_quotes(refusal(lm.check, surrogate, "zero-one:n=3"), *quotes)


def test_an_estimator_is_no_surrogate_and_which_knows_it():
    from sklearn.svm import LinearSVC

    for estimator in (LinearSVC, LinearSVC()):
        assert "lm.which(loss, 'LinearSVC')" in refusal(lm.check, estimator, "zero-one:n=3")
    assert lm.which("zero-one:n=3", LinearSVC) == lm.which("zero-one:n=3", LinearSVC())
    assert next(line.practice.trains for line in lm.which("zero-one:n=3", "LinearSVC")) == "one-vs-all squared hinge"


# Files.


def test_a_file_is_read_by_its_ending(folder):
    for ending in ("csv", "tsv", "json"):
        loss = LossMatrix.from_file(folder / f"costs.{ending}")
        assert (loss, loss.name) == (NAMED, "costs" if ending != "json" else "loss")


def test_gains_are_read_from_a_file(tmp_path):
    (tmp_path / "gains.csv").write_text("truth,a,b\nx,5,-2\ny,0,3\n")
    (tmp_path / "gains.json").write_text(json.dumps([[5, -2], [0, 3]]))
    by_table, by_json = LossMatrix.from_gains(tmp_path / "gains.csv"), LossMatrix.from_gains(tmp_path / "gains.json")
    assert by_table.entries == by_json.entries == LossMatrix.from_gains([[5, -2], [0, 3]]).entries == ((0, 7), (3, 0))
    assert (by_table.labels, by_table.predictions, by_table.name) == (("x", "y"), ("a", "b"), "gains")
    message = refusal(LossMatrix.from_gains, tmp_path / "none.csv")
    assert_quotes(message, "none.csv", os.strerror(errno.ENOENT))


def test_a_report_is_written_whole(tmp_path):
    found = lm.report("ordinal:n=3")
    found.save(tmp_path / "report.html")
    found.save(tmp_path / "report.json")
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "report.json").read_text())["study"]["affdim"] == 2


# Workbooks.


def workbook(path, **sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


HEADED = [["truth", *DECISIONS], *([y, *row] for y, row in zip(LABELS, ROWS, strict=True))]


def test_a_sheet_of_excel_is_read(tmp_path):
    path = workbook(tmp_path / "costs.xlsx", Costs=HEADED, Notes=[])
    assert as_loss(path) == as_loss(str(path)) == LossMatrix.from_file(f"{path}:Costs") == NAMED
    assert as_loss(path).name == LossMatrix.from_file(f"{path}:Costs").name == "costs"
    assert LossMatrix.from_gains(path) == LossMatrix.from_gains(ROWS, LABELS, DECISIONS)


def test_numbers_of_a_sheet_are_read_as_they_are_shown(tmp_path):
    rows = [["truth", 0, 1], [0, 0, 1.25], [1, "$1,200.50", 0.1]]
    loss = as_loss(workbook(tmp_path / "costs.xlsx", Costs=rows))
    assert loss == LossMatrix([[0, "5/4"], ["2401/2", "1/10"]], labels=[0, 1])


@pytest.mark.parametrize(
    ("sheets", "quotes"),
    [
        ({"Costs": HEADED, "More": HEADED}, ("'Costs'", "'More'")),
        ({"Costs": []}, ()),
        ({"Costs": [["truth", "a", "b"], ["x", 0, None], ["y", 1, 0]]}, ("'x'", "'b'")),
        ({"Costs": [["truth", "a", "b"], ["x", 0, "1,200"], ["y", 1, 0]]}, ("1,2000", "1200")),
        ({"Costs": [["decision", "a", "b"], ["x", 0, 1], ["y", 1, 0]]}, ("'decision'", "'truth'")),
    ],
)
def test_a_workbook_that_has_not_one_meaning_is_refused(tmp_path, sheets, quotes):
    path = workbook(tmp_path / "costs.xlsx", **sheets)
    message = refusal(as_loss, path)
    assert message.startswith(f"{path}: ")
    assert_quotes(message, *quotes)


def test_a_sheet_that_is_not_there_is_refused(tmp_path):
    path = workbook(tmp_path / "costs.xlsx", Costs=HEADED)
    assert_quotes(refusal(as_loss, f"{path}:Cost"), "'Cost'", "'Costs'")


def test_what_is_no_workbook_is_refused(tmp_path):
    pytest.importorskip("openpyxl")
    (tmp_path / "costs.xlsx").write_text("truth,a,b\n")
    assert_quotes(refusal(as_loss, tmp_path / "costs.xlsx"), "costs.xlsx", "openpyxl")


def test_without_openpyxl_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    (tmp_path / "costs.xlsx").write_bytes(b"PK")
    with pytest.raises(NotInstalled, match="pip install openpyxl"):
        as_loss(tmp_path / "costs.xlsx")
