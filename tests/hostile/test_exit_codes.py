"""No crash looks like a verdict: 0 and 1 are answers, and whatever goes wrong has a code of its own and one line."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import NOT_CALIBRATED, one_line_of, process

import lossmith_verify
from lossmith.errors import NotWritten
from lossmith.text.files import replacing
from lossmith_verify.__main__ import main as verify_main

FULL = Path("/dev/full")
on_linux = pytest.mark.skipif(not FULL.exists(), reason="there is no full device")


@on_linux
@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("lossmith", NOT_CALIBRATED),
        ("lossmith", ("verify", os.devnull)),
        ("lossmith", ("--help",)),
        ("lossmith_verify", (os.devnull,)),
    ],
)
def test_a_full_disk_is_no_verdict(program, arguments):
    with FULL.open("wb") as full:
        run = process(program, *arguments, stdout=full)

    assert run.returncode == 4
    assert "No space left" in one_line_of(run.stderr)


@pytest.mark.parametrize(("program", "arguments"), [("lossmith", NOT_CALIBRATED), ("lossmith_verify", (os.devnull,))])
def test_a_closed_output_is_no_verdict(program, arguments):
    run = process(program, *arguments, stdout=None, preexec_fn=lambda: os.close(1))

    assert run.returncode == 4
    assert "the standard output is closed" in one_line_of(run.stderr)


@on_linux
def test_where_no_complaint_can_be_written_the_exit_code_still_tells():
    with FULL.open("wb") as full:
        assert process("lossmith", "analyze", "nowhere.csv", stderr=full).returncode == 2
        assert process("lossmith_verify", "nowhere.json", stderr=full).returncode == 2


def test_a_reader_that_has_left_changes_no_verdict():
    reader, writer = os.pipe()
    os.close(reader)
    run = process("lossmith", *NOT_CALIBRATED, stdout=writer)
    os.close(writer)

    assert (run.returncode, run.stderr) == (1, b"")


def test_a_terminal_that_cannot_show_arrows_is_no_verdict():
    run = process("lossmith", "analyze", "zero-one:n=2", env={**os.environ, "PYTHONIOENCODING": "latin-1"})

    assert (run.returncode, run.stderr) == (0, b"")
    assert b"truth \\u2193 decision" in run.stdout


@pytest.mark.parametrize(
    ("program", "arguments", "code"),
    [
        ("lossmith", ("verify", "endless.csv"), 1),
        ("lossmith", ("analyze", "endless.csv"), 2),
        ("lossmith_verify", ("endless.csv",), 1),
    ],
)
def test_an_endless_file_is_not_read_to_its_end(tmp_path, program, arguments, code):
    (tmp_path / "endless.csv").symlink_to("/dev/zero")

    def in_two_gigabytes() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))

    run = process(program, *arguments, cwd=tmp_path, preexec_fn=in_two_gigabytes)

    assert run.returncode == code, run.stderr
    assert "longer than" in one_line_of(run.stdout + run.stderr)


@pytest.mark.parametrize("error", [MemoryError(), KeyError("lost\nin here"), RecursionError(), SystemExit(1)])
def test_an_error_of_ours_is_no_verdict(monkeypatch, lossmith, error):
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lossmith.cli.check.check", failing)
    code, out, complaint = lossmith(*NOT_CALIBRATED)

    assert (code, out) == (4, "")
    if not isinstance(error, SystemExit):
        words = "out of memory" if isinstance(error, MemoryError) else f"internal error: {type(error).__name__}"
        assert words in one_line_of(complaint.encode())


@pytest.mark.parametrize("error", [MemoryError(), KeyError("lost\nin here")])
def test_a_checker_that_fails_rejects_nothing(monkeypatch, capsys, lossmith, error):
    def failing(_: object) -> None:
        raise error

    monkeypatch.setattr(lossmith_verify, "check", failing)
    monkeypatch.setattr("lossmith_verify.__main__.check", failing)
    words = "out of memory" if isinstance(error, MemoryError) else "internal error: KeyError"

    code, out, complaint = lossmith("verify", os.devnull)
    assert (code, out) == (4, "")
    assert words in one_line_of(complaint.encode())

    assert verify_main([os.devnull]) == 4
    out, complaint = capsys.readouterr()
    assert out == ""
    assert words in one_line_of(complaint.encode())


def test_an_interrupted_checker_rejects_nothing(monkeypatch, capsys):
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lossmith_verify.__main__.check", interrupted)
    assert verify_main([os.devnull]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_file_that_exits_is_no_verdict(tmp_path, lossmith):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(0)\n")
    code, out, complaint = lossmith("check", f"{tmp_path}/mine.py:psi", "zero-one:n=3")

    assert (code, out) == (2, "")
    assert "failed with SystemExit" in one_line_of(complaint.encode())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify", "loop"), 2),
        (("analyze", "loop.csv"), 2),
        (("check", "loop.py:psi", "zero-one:n=3"), 2),
        (("check", "x" * 300 + ".py:psi", "zero-one:n=3"), 2),
        ((*NOT_CALIBRATED, "--certificate", "loop"), 4),
        (("report", "zero-one:n=2", "-o", "loop"), 4),
        (("reproduce", "loop"), 4),
    ],
)
def test_a_link_that_leads_to_itself_is_no_verdict(tmp_path, monkeypatch, lossmith, arguments, code):
    monkeypatch.chdir(tmp_path)
    for name in ("loop", "loop.csv", "loop.py"):
        (tmp_path / name).symlink_to(name)
    found, out, complaint = lossmith(*arguments)

    assert (found, out) == (code, "")
    assert one_line_of(complaint.encode()).startswith("lossmith: ")
    assert (tmp_path / "loop").is_symlink()


@pytest.mark.parametrize(
    "arguments",
    [
        (*NOT_CALIBRATED, "--certificate", "no/folder/proof.json"),
        (*NOT_CALIBRATED, "--plot", "no/folder/verdict.svg"),
        ("design", "zero-one:n=3", "--certificate", "no/folder/proof.json"),
        ("plot", "zero-one:n=3", "-o", "no/folder/picture.png"),
        ("report", "zero-one:n=2", "-o", "taken/report.html"),
        ("catalogue", "--losses", "abstain", "-o", "no/folder/x.html"),
        ("catalogue", "--losses", "abstain", "--certificates", "taken/proofs"),
        ("ranking-table", "--to", "2", "--certificates", "taken/proofs"),
    ],
)
def test_output_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, lossmith, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file, no folder")
    code, out, complaint = lossmith(*arguments)

    assert (code, out) == (4, "")
    assert arguments[-1] in one_line_of(complaint.encode())
    assert os.listdir(tmp_path) == ["taken"]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path, monkeypatch):
    """A new file could take its place, but the user has said that it is to stay."""
    path = tmp_path / "proof.json"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere

    def overwrite() -> None:
        with replacing(path) as stream:
            stream.write(b"new")

    with pytest.raises(NotWritten, match="Permission denied"):
        overwrite()
    assert path.read_text() == "old"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_no_temporary_files(tmp_path, number, code):
    command = [sys.executable, "-m", "lossmith", "reproduce", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while not list(tmp_path.iterdir()) and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(number)
        out, complaint = running.communicate(timeout=60)

    assert (running.returncode, out) == (code, b"")
    assert one_line_of(complaint.strip()) in ("lossmith: terminated", "lossmith: interrupted")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_that_left_a_text_that_was_run_is_an_interrupt_like_others(tmp_path):
    """As it may while a library is being loaded that runs texts: Python would die of the signal, its code unheard."""
    (tmp_path / "mine.py").write_text('import signal\nexec("signal.raise_signal(signal.SIGINT)")\n')
    run = process("lossmith", "check", f"{tmp_path / 'mine.py'}:psi", "zero-one:n=2")

    assert run.returncode == 130
    assert one_line_of(run.stderr.strip()) == "lossmith: interrupted"
