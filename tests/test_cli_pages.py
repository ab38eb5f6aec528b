"""lossmith report and lossmith catalogue, run as users run them; what they print is held in golden files.

Where a change of the output is meant, the command at the head of each case writes the golden file anew.
"""

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
GOLDEN = Path(__file__).parent / "golden"
CHOSEN = ("--losses", "zero-one", "--losses", "abstain", "--surrogates", "crammer-singer", "--surrogates", "absolute")
CASES = {
    "catalogue.tex": ("catalogue", *CHOSEN, "--format", "latex"),
    "catalogue-chosen.txt": ("catalogue", "--losses", "abstain:n=4,cost=1/3", "--surrogates", "binary-encoded"),
}


@pytest.mark.parametrize("name", list(CASES))
def test_what_is_printed_is_as_it_was(name):
    run = lossmith(*CASES[name])

    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout == (GOLDEN / name).read_text()


def test_every_golden_file_has_a_case():
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted(CASES)


@pytest.mark.parametrize("command", [("report", TRIAGE), ("catalogue", "--losses", "abstain")])
def test_a_page_is_written_and_nothing_else(tmp_path, command):
    run = lossmith(*command, "-o", "page.html", cwd=tmp_path)

    assert (run.returncode, run.stderr, run.stdout) == (0, "", "wrote page.html\n")
    assert os.listdir(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("command", [("report", "zero-one:n=2"), ("catalogue", "--losses", "abstain")])
def test_the_format_is_by_name_or_by_the_ending_of_the_file(tmp_path, command):
    lossmith(*command, "-o", "found.json", cwd=tmp_path)
    printed = [lossmith(*command, *how).stdout for how in (("--json",), ("--format", "json"))]

    assert printed == [(tmp_path / "found.json").read_text()] * 2
    assert json.loads(printed[0])


def test_certificates_go_to_a_folder_and_the_page_leads_to_them(tmp_path):
    arguments = ("--losses", "zero-one", "--losses", "abstain", "--surrogates", "crammer-singer", "--jobs", "2")
    run = lossmith_in_a_process("catalogue", *arguments, "-o", "out.html", "--certificates", "a/proofs", cwd=tmp_path)

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
        (("report", "zero-one:n=30", "--max-vertices", "1000"), ("about 10^9", "--no-cells")),
        (("catalogue", "--losses", "zero-on"), ("'zero-on'", "'zero-one'")),
        (("catalogue", "--surrogates", "cramer-singer"), ("'cramer-singer'", "'crammer-singer'")),
    ],
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(tmp_path, arguments, words):
    (tmp_path / "taken").write_text("a file, no folder")

    assert_refused(lossmith(*arguments, cwd=tmp_path), *words)
    assert os.listdir(tmp_path) == ["taken"]


@pytest.mark.parametrize("command", [("report", "zero-one:n=2"), ("catalogue", "--losses", "abstain")])
def test_a_folder_is_no_file(tmp_path, command):
    (tmp_path / "page.html").mkdir()
    run = lossmith(*command, "-o", "page.html", cwd=tmp_path)

    assert run.returncode == 2
    assert "page.html" in run.stderr
    assert "Traceback" not in run.stderr
    assert os.listdir(tmp_path / "page.html") == []


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


def test_help_has_examples():
    for command in ("report", "catalogue"):
        run = lossmith(command, "--help")
        assert run.returncode == 0
        assert f"lossmith {command}" in run.stdout.split("Options:")[0].split("\n", 1)[1]
