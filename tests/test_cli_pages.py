"""lossmith report and lossmith catalogue, run as users run them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lossmith as lm
from command import assert_refused, lossmith, lossmith_in_a_process
from test_cli import TRIAGE

ROOT = Path(__file__).parent.parent
CHOSEN = ("--losses", "zero-one", "--losses", "abstain", "--surrogates", "crammer-singer", "--surrogates", "absolute")


def test_the_table_for_a_paper_has_the_verdicts_of_the_paper():
    # Crammer–Singer: exmp:calibration-CS-0-1 and exmp:calibration-CS-abstain-ord. With three labels the 0-1 loss and
    # abstaining need two dimensions, so |u − y| on the line is right for neither.
    run = lossmith("catalogue", *CHOSEN, "--format", "latex")

    assert (run.returncode, run.stderr) == (0, "")
    head, table = run.stdout.split("\\hline\n")
    rows, below = table.split("\n\\end{tabular}\n")
    assert head == "\\begin{tabular}{lccc}\nsurrogate & $d$ & $L_{1}$ & $L_{2}$ \\\\ "
    assert rows.split(" \\\\\n") == ["crammer\\_singer & 3 & N & C", "absolute & 1 & N & N"]
    assert below == "\n$L_{1}$: zero\\_one(n=3), $L_{2}$: abstain(n=3, cost=1/2).\n"


def test_the_printed_table_has_a_line_for_each_surrogate_and_explains_its_letters():
    # The binary encoded surrogate has log2 4 dimensions and is calibrated for abstaining (Ramaswamy et al. 2018).
    run = lossmith("catalogue", "--losses", "abstain:n=4,cost=1/3", "--surrogates", "binary-encoded")

    assert (run.returncode, run.stderr) == (0, "")
    loss, _, head, row, _, *explained = run.stdout.splitlines()
    letters = " ".join(explained)
    assert loss.split(maxsplit=1) == ["1", "abstain(n=4, cost=1/3)"]
    assert (head.split(), row.split()) == (["surrogate", "dim", "1"], ["binary_encoded", "2", "C"])
    assert [letters.count(f"{letter}: ") for letter in "CN?–"] == [1, 1, 1, 1]


def test_a_long_table_is_divided_by_kinds_of_surrogates(monkeypatch):
    monkeypatch.setattr("lossmith.answers.cataloguing.SHORT", 1)
    chosen = ("--losses", "abstain", "--surrogates", "crammer-singer", "--surrogates", "softmax")
    printed = lossmith("catalogue", *chosen, "--format", "markdown").stdout

    parts = printed.split("\n### ")[1:]
    assert [part.count("\n| `") for part in parts] == [1, 1]
    assert parts[0].startswith(lm.surrogates.crammer_singer.kind)
    assert parts[1].startswith(lm.surrogates.softmax.kind)


@pytest.mark.parametrize(
    "command", [("report", TRIAGE), ("catalogue", "--losses", "abstain", "--surrogates", "crammer-singer")]
)
def test_a_page_is_written_and_nothing_else(tmp_path, command):
    run = lossmith(*command, "-o", "page.html", cwd=tmp_path)

    assert (run.returncode, run.stderr, run.stdout) == (0, "", "wrote page.html\n")
    assert os.listdir(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "command", [("report", "zero-one:n=2"), ("catalogue", "--losses", "abstain", "--surrogates", "crammer-singer")]
)
def test_the_format_is_by_name_or_by_the_ending_of_the_file(tmp_path, command):
    lossmith(*command, "-o", "found.json", cwd=tmp_path)
    printed = [lossmith(*command, *how).stdout for how in (("--json",), ("--format", "json"))]

    assert printed == [(tmp_path / "found.json").read_text()] * 2
    assert json.loads(printed[0])


@pytest.mark.parametrize(
    "command", [("report", "zero-one:n=2"), ("catalogue",), ("census", "--labels", "2", "--decisions", "2")]
)
def test_a_file_that_would_hold_something_else_is_not_written(tmp_path, command):
    assert_refused(lossmith(*command, "-o", "found.pdf", cwd=tmp_path), "'found.pdf'", ".json")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", [("report", "zero-one:n=2"), ("catalogue",)])
def test_a_folder_that_is_not_there_is_to_be_made_first(tmp_path, command):
    assert_refused(lossmith(*command, "-o", "none/found.json", cwd=tmp_path), "'none/found.json'", code=4)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.exhaustive)])
def test_certificates_go_to_a_folder_and_the_page_leads_to_them(tmp_path, jobs):
    program = lossmith if jobs == "1" else lossmith_in_a_process
    arguments = ("--losses", "zero-one", "--losses", "abstain", "--surrogates", "crammer-singer", "--jobs", jobs)
    run = program("catalogue", *arguments, "-o", "out.html", "--certificates", "a/proofs", cwd=tmp_path)

    assert run.stdout == "wrote out.html\nwrote a/proofs\n"
    names = sorted(os.listdir(tmp_path / "a" / "proofs"))
    assert len(names) == 2
    page = (tmp_path / "out.html").read_text()
    for name in names:
        assert f'href="a/proofs/{name}"' in page
        assert lm.verify((tmp_path / "a" / "proofs" / name).read_text()).accepted


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("report", "abstian:n=3"), ("'abstian'", "'abstain'")),
        (("report", "nowhere.csv"), ("nowhere.csv",)),
        (("catalogue", "--losses", "zero-on"), ("'zero-on'", "'zero-one'")),
        (("catalogue", "--surrogates", "cramer-singer"), ("'cramer-singer'", "'crammer-singer'")),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(tmp_path, arguments, words):
    (tmp_path / "taken").write_text("a file, no folder")

    assert_refused(lossmith(*arguments, cwd=tmp_path), *words)
    assert os.listdir(tmp_path) == ["taken"]


@pytest.mark.parametrize(
    "command", [("report", "zero-one:n=2"), ("catalogue", "--losses", "abstain", "--surrogates", "crammer-singer")]
)
def test_a_folder_is_no_file(tmp_path, command):
    (tmp_path / "page.html").mkdir()
    run = lossmith(*command, "-o", "page.html", cwd=tmp_path)

    assert run.returncode == 2
    assert "page.html" in run.stderr
    assert "Traceback" not in run.stderr
    assert os.listdir(tmp_path / "page.html") == []


@pytest.mark.exhaustive
def test_a_file_that_was_there_stays_when_the_command_is_interrupted(tmp_path):
    (tmp_path / "page.html").write_text("as it was")
    (tmp_path / "slow.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    command = ["catalogue", "--losses", "abstain", "--surrogates", "slow.py:psi", "-o", "page.html"]
    with subprocess.Popen(
        [sys.executable, "-m", "lossmith", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert process.returncode == 130
    assert (tmp_path / "page.html").read_text() == "as it was"
    assert sorted(os.listdir(tmp_path)) == ["page.html", "slow.py"]
