"""The command line, run as users run it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command import assert_refused, lossmith, lossmith_in_a_process
from lossmith.cli import COMMANDS

ROOT = Path(__file__).parent.parent
TRIAGE = str(ROOT / "examples" / "triage.csv")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("analyze", TRIAGE), marks=pytest.mark.exhaustive),
        pytest.param(("check", "crammer-singer:n=3", "zero-one:n=3"), marks=pytest.mark.exhaustive),  # exit code 1
        ("analyze", "abstian:n=3"),  # refused
    ],
)
def test_in_a_process_of_its_own_the_program_says_the_same(arguments):
    there, here = lossmith_in_a_process(*arguments), lossmith(*arguments)

    assert (there.returncode, there.stdout, there.stderr) == (here.returncode, here.stdout, here.stderr)


def test_analyze_prints_a_study_of_a_file():
    run = lossmith("analyze", TRIAGE)

    assert run.returncode == 0
    assert run.stderr == ""
    assert "truth ↓ decision →" in run.stdout
    assert "1/3 ward + 2/3 icu" in run.stdout
    assert re.search(r"\bhome\b.* P\(mild\) ≥ 7 P\(moderate\) \+ 25 P\(severe\)", run.stdout)


def test_analyze_states_the_threshold_between_two_labels_in_words(tmp_path):
    (tmp_path / "clinic.csv").write_text("truth,wait,treat\nwell,0,1\nill,5,0\n")

    usual = lossmith("analyze", "clinic.csv", cwd=tmp_path).stdout
    assert re.search(r"\bwait\b.*P\(ill\) ≤ 1/6 ≈ 0.167\b.*\btreat\b", usual)
    exact = lossmith("analyze", "clinic.csv", "--exact", cwd=tmp_path).stdout
    assert re.search(r"\bwait\b.*P\(ill\) ≤ 1/6\b.*\btreat\b", exact)


def test_analyze_json_is_json_with_exact_numbers():
    study = json.loads(lossmith("analyze", "abstain:n=3", "--json").stdout)

    assert study["affdim"] == 3
    assert study["cells"][3]["prediction"] == "abstain"
    assert ["0", "1/2", "1/2"] in study["cells"][3]["vertices"]


def test_a_large_matrix_is_studied_without_its_cells():
    run = lossmith("analyze", "zero-one:n=60", "--no-cells", "--theory")
    study = json.loads(lossmith("analyze", "zero-one:n=60", "--no-cells", "--json").stdout)

    assert run.returncode == 0
    assert "affdim 59" in run.stdout
    assert study["affdim"] == 59
    assert "cells" not in study


def test_too_large_an_enumeration_gives_its_size_and_the_option():
    run = lossmith("analyze", "zero-one:n=30", "--max-vertices", "1000", "--theory")
    assert run.returncode == 0
    for words in (f"{2**30 - 1:,}", "1,000", "--max-vertices", "CCdim = 29"):
        assert words in run.stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("truth,a,b\nx,0,-1\ny,1,0\n", ("'x'", "'b'", "-1", "from_gains")),
        ("truth,a,b\nx,0,nan\ny,1,0\n", ("'x'", "'b'", "nan")),
        ("truth,a,b\nx,0,inf\ny,1,0\n", ("'x'", "'b'", "inf")),
        ("truth,a,b\nx,0,cheap\ny,1,0\n", ("'x'", "'b'", "'cheap'")),
        ("truth,a,b\nx,0\ny,1,0\n", ("'x'",)),
        ("", ("costs.csv",)),
        ("truth,a,b\nx,0,1\n", ("'x'",)),
        ("truth,a,b\nx,0,1\nx,1,0\n", ("'x'",)),
        ("decision \\ truth,a,b\nx,0,1\ny,1,0\n", ("'decision'", "'truth'")),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path, content, words):
    (tmp_path / "costs.csv").write_text(content)

    assert_refused(lossmith("analyze", "costs.csv", cwd=tmp_path), *words)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("abstian:n=3", ("'abstian'", "'abstain'")),
        ("abstain:m=3", ("'m'", "'n'")),
        ("nowhere.csv", ("nowhere.csv",)),
    ],
)
def test_an_unknown_loss_is_refused_with_the_nearest_names(loss, words):
    assert_refused(lossmith("analyze", loss), *words)


def test_plot_writes_the_picture_it_names(tmp_path):
    run = lossmith("plot", TRIAGE, "-o", "triage.svg", "--point", "mild=1/2,severe=1/2", cwd=tmp_path)

    assert run.returncode == 0, run.stderr
    assert run.stdout == "wrote triage.svg\n"
    assert os.listdir(tmp_path) == ["triage.svg"]
    assert "icu" in (tmp_path / "triage.svg").read_text()


def test_plot_names_its_file_after_the_loss(tmp_path):
    assert lossmith("plot", "abstain:n=3", cwd=tmp_path).returncode == 0
    assert [path.suffix for path in tmp_path.iterdir()] == [".png"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("zero-one:n=9", "--labels", "0,1,2,3,4"), ("5", "loss.restrict(")),
        (("zero-one:n=9", "--labels", "0,zero"), ("'zero'", "'0'")),
        (("zero-one:n=9", "--graph", "--labels", "0,1"), ("--graph", "--labels")),
        (("zero-one:n=3", "-o", "picture.gif"), (".png", ".svg", ".pdf")),
        (("zero-one:n=3", "--point", "1/2,1/2"), ("(1/2, 1/2)", "3")),
        (("zero-one:n=3", "--point", "7=1"), ("'7'", "'0'")),
    ],
)
def test_plot_refuses_what_it_cannot_draw(tmp_path, arguments, words):
    assert_refused(lossmith("plot", *arguments, cwd=tmp_path), *words)
    assert os.listdir(tmp_path) == []


def test_check_tells_its_verdict_by_exit_code(tmp_path):
    no = lossmith("check", "crammer-singer:n=3", "zero-one:n=3", "--certificate", "no.json", cwd=tmp_path)
    yes = lossmith("check", "crammer-singer:n=3", "abstain:n=3", "--certificate", "yes.json", cwd=tmp_path)

    assert (no.returncode, yes.returncode) == (1, 0)
    for name in ("no.json", "yes.json"):
        verified = lossmith("verify", name, cwd=tmp_path)
        assert verified.returncode == 0, verified.stdout
        assert json.loads(lossmith("verify", name, "--json", cwd=tmp_path).stdout)["accepted"]


def test_check_json_and_latex_name_the_evidence():
    verdict = json.loads(lossmith("check", "crammer-singer:n=3", "zero-one:n=3", "--json").stdout)

    assert verdict["status"] == "not calibrated"
    assert verdict["u"] == ["0", "0", "0"]
    assert "\\emph{crammer\\_singer(n=3)}" in lossmith("check", "crammer-singer:n=3", "zero-one:n=3", "--latex").stdout


def test_a_surrogate_of_ones_own_comes_from_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import lossmith as lm\n"
        "def hinge(n):\n"
        "    return lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=n, dim=1)\n"
        "other = 3\n"
    )

    assert lossmith("check", "mine.py:hinge", "ordinal:n=4", cwd=tmp_path).returncode == 0
    assert_refused(lossmith("check", "mine.py:hing", "ordinal:n=4", cwd=tmp_path), "'hing'", "'hinge'")
    assert_refused(lossmith("check", "mine.py:other", "ordinal:n=4", cwd=tmp_path), "mine.py:other")
    assert_refused(lossmith("check", "mine.py", "ordinal:n=4", cwd=tmp_path), "mine.py:name")


@pytest.mark.parametrize(
    ("surrogate", "loss", "words"),
    [
        ("crammer-singer:n=3", "zero-one:n=4", ("crammer_singer(n=3)", "zero_one(n=4)")),
        ("cramer-singer:n=3", "zero-one:n=3", ("'crammer-singer'",)),
        ("absent.py:psi", "zero-one:n=3", ("absent.py",)),
    ],
)
def test_check_refuses_what_does_not_fit(surrogate, loss, words):
    assert_refused(lossmith("check", surrogate, loss), *words)


def test_verify_rejects_what_is_no_certificate(tmp_path):
    (tmp_path / "bad.json").write_text('{"format": "lossmith-certificate"')

    run = lossmith("verify", "bad.json", "--json", cwd=tmp_path)
    assert run.returncode == 1
    assert not json.loads(run.stdout)["accepted"]
    assert_refused(lossmith("verify", "absent.json", cwd=tmp_path), "absent.json")


def test_verify_explains_step_by_step(tmp_path):
    lossmith("check", "crammer-singer:n=3", "abstain:n=3", "--certificate", "yes.json", cwd=tmp_path)
    run = lossmith("verify", "yes.json", "--explain", cwd=tmp_path)

    assert run.returncode == 0
    assert "truth ↓ decision →" in run.stdout
    assert "abstain" in run.stdout


@pytest.mark.parametrize(
    "arguments", [["families"], pytest.param(["analyze", "ordinal:n=40", "--json"], marks=pytest.mark.exhaustive)]
)
def test_a_reader_that_leaves_early_is_no_error(arguments):
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "lossmith", *arguments]
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        os.close(reader)
        complaint = process.stderr.read()

    assert complaint == b""
    assert process.returncode == 0


def test_control_c_ends_with_130_and_one_line(tmp_path):
    (tmp_path / "slow.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n")
    with subprocess.Popen(
        [sys.executable, "-m", "lossmith", "check", "slow.py:psi", "zero-one:n=3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)

    assert process.returncode == 130
    assert len(complaint.strip().splitlines()) == 1


def test_ccdim_says_what_it_has_when_the_time_is_over():
    run = lossmith("ccdim", "abstain:n=6", "--seconds", "0")

    assert run.returncode == 0
    assert run.stdout.startswith("0 ≤ CCdim(abstain(n=6, cost=1/2)) ≤ 5 ")
    assert "0 s" in run.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("analyse", "costs.csv"), ("'analyse'", "lossmith")),
        (("xyzzy",), ("'xyzzy'", " lossmith --help")),
        (("analyze",), ("LOSS", " lossmith analyze --help")),
        (("analyze", "zero-one:n=3", "superfluous"), ("superfluous", " lossmith analyze --help")),
        (("analyze", "zero-one:n=3", "--theroy"), ("--theroy", "--theory")),
        (("catalogue", "-n", "1"), ("-n", "x>=2", " lossmith catalogue --help")),
        (("census", "--labels", "3"), ("--decisions", " lossmith census --help")),
    ],
)
def test_wrong_uses_are_told_in_one_line_with_the_next_step(arguments, words):
    run = lossmith(*arguments)

    assert_refused(run, *words)
    assert run.stderr.startswith("lossmith: ")


def test_a_picture_of_no_kind_is_refused_before_anything_is_printed():
    for command in (("check", "softmax"), ("regret", "softmax"), ("sensitivity",)):
        option = "-o" if command[0] == "sensitivity" else "--plot"
        assert_refused(lossmith(*command, "zero-one:n=2", option, "verdict.gif"), "'verdict.gif'", ".svg")


def test_no_shell_changes_the_examples_of_the_help():
    for command in COMMANDS:
        for line in lossmith(command.name, "--help").stdout.splitlines():
            if line.startswith(f"  lossmith {command.name}"):
                words = shlex.split(line, posix=False)  # keeps the quotes
                assert [word for word in words if set("?*[") & set(word) and word[0] not in "'\""] == [], line


def test_help_has_examples_for_every_command():
    for command in COMMANDS:
        run = lossmith(command.name, "--help")
        assert run.returncode == 0
        assert command.name == "selftest" or f"  lossmith {command.name}" in run.stdout
