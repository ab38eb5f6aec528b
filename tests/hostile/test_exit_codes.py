"""No crash looks like a verdict: 0 and 1 are answers, and whatever goes wrong has a code of its own and one line."""

from __future__ import annotations

import errno
import io
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest
from program import NOT_CALIBRATED, one_line_of, process

import lossmith_verify
from lossmith.cli import main
from lossmith.errors import NotWritten
from lossmith.text.files import replacing
from lossmith_verify import MAX_BYTES
from lossmith_verify.__main__ import main as verify_main

FULL = Path("/dev/full")
on_linux = pytest.mark.skipif(not FULL.exists(), reason="there is no full device")


exhaustive = pytest.mark.exhaustive
IN_PROCESSES = [("lossmith_verify", (os.devnull,))]
IN_PROCESSES += [
    pytest.param("lossmith", arguments, marks=exhaustive)
    for arguments in (NOT_CALIBRATED, ("verify", os.devnull), ("--help",))
]


@pytest.fixture
def whole_program(monkeypatch, capsys):
    """Run a command with all that `main` does before and after, in this process: exit code and complaint."""
    signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    digits = sys.get_int_max_str_digits()
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def call(*arguments, stdout):
        monkeypatch.setattr(sys, "argv", ["lossmith", *arguments])
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stdout)
            with pytest.raises(SystemExit) as leaving:
                main()
        return leaving.value.code, capsys.readouterr().err

    yield call
    sys.set_int_max_str_digits(digits)
    for number, handler in signals.items():
        signal.signal(number, handler)


@on_linux
@pytest.mark.parametrize(("program", "arguments"), IN_PROCESSES)
def test_a_full_disk_is_no_verdict(program, arguments):
    with FULL.open("wb") as full:
        run = process(program, *arguments, stdout=full)

    assert run.returncode == 4
    assert os.strerror(errno.ENOSPC) in one_line_of(run.stderr)


@on_linux
@pytest.mark.parametrize("arguments", [NOT_CALIBRATED, ("--help",)])
def test_a_full_disk_is_no_verdict_of_any_command(whole_program, arguments):
    code, complaint = whole_program(*arguments, stdout=FULL.open("w"))

    assert code == 4
    assert os.strerror(errno.ENOSPC) in one_line_of(complaint.encode())


@pytest.mark.parametrize(
    ("program", "arguments"),
    [pytest.param("lossmith", NOT_CALIBRATED, marks=exhaustive), ("lossmith_verify", (os.devnull,))],
)
def test_a_closed_output_is_no_verdict(program, arguments):
    run = process(program, *arguments, stdout=None, preexec_fn=lambda: os.close(1))

    assert run.returncode == 4
    assert one_line_of(run.stderr)


def test_where_there_is_no_output_nothing_is_done(whole_program):
    code, complaint = whole_program(*NOT_CALIBRATED, stdout=None)

    assert code == 4
    assert ">/dev/null" in one_line_of(complaint.encode())


@on_linux
@pytest.mark.parametrize(
    ("program", "arguments"),
    [pytest.param("lossmith", ("analyze", "nowhere.csv"), marks=exhaustive), ("lossmith_verify", ("nowhere.json",))],
)
def test_where_no_complaint_can_be_written_the_exit_code_still_tells(program, arguments):
    with FULL.open("wb") as full:
        assert process(program, *arguments, stderr=full).returncode == 2


@on_linux
def test_where_the_standard_error_is_full_the_exit_code_still_tells(monkeypatch, lossmith):
    monkeypatch.setattr(sys, "stderr", FULL.open("w"))
    assert lossmith("analyze", "nowhere.csv")[0] == 2


def left_by_its_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def test_a_reader_that_has_left_changes_no_verdict(whole_program):
    with open(left_by_its_reader(), "w") as output:
        assert whole_program(*NOT_CALIBRATED, stdout=output) == (1, "")


@exhaustive
def test_a_reader_that_has_left_changes_no_verdict_of_a_process():
    writer = left_by_its_reader()
    run = process("lossmith", *NOT_CALIBRATED, stdout=writer)
    os.close(writer)

    assert (run.returncode, run.stderr) == (1, b"")


def test_a_terminal_that_cannot_show_arrows_is_no_verdict(whole_program):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")

    assert whole_program("analyze", "zero-one:n=2", stdout=terminal) == (0, "")
    assert b" \\u2193 " in terminal.buffer.getvalue()


@exhaustive
def test_a_terminal_of_a_process_that_cannot_show_arrows_is_no_verdict():
    run = process("lossmith", "analyze", "zero-one:n=2", env={**os.environ, "PYTHONIOENCODING": "latin-1"})

    assert (run.returncode, run.stderr) == (0, b"")
    assert b" \\u2193 " in run.stdout


@pytest.mark.parametrize(
    ("program", "arguments", "code", "limit"),
    [
        ("lossmith_verify", ("endless.csv",), 1, str(MAX_BYTES)),
        pytest.param("lossmith", ("verify", "endless.csv"), 1, str(MAX_BYTES), marks=exhaustive),
        pytest.param("lossmith", ("analyze", "endless.csv"), 2, f"{2**28:,}", marks=exhaustive),
    ],
)
def test_an_endless_file_is_not_read_to_its_end(tmp_path, program, arguments, code, limit):
    (tmp_path / "endless.csv").symlink_to("/dev/zero")

    def in_two_gigabytes() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))

    run = process(program, *arguments, cwd=tmp_path, preexec_fn=in_two_gigabytes)

    assert run.returncode == code, run.stderr
    assert limit in one_line_of(run.stdout + run.stderr)


@pytest.mark.parametrize(("command", "code", "limit"), [("verify", 1, "12000"), ("analyze", 2, "12,000")])
def test_a_file_that_is_too_long_is_refused(tmp_path, monkeypatch, lossmith, command, code, limit):
    for each in ("lossmith_verify.MAX_BYTES", "lossmith_verify.reading.MAX_BYTES", "lossmith.losses.files.MOST_BYTES"):
        monkeypatch.setattr(each, 12_000)
    (tmp_path / "long.csv").write_bytes(bytes(12_001))
    found, out, complaint = lossmith(command, str(tmp_path / "long.csv"))

    assert found == code
    assert limit in one_line_of((out + complaint).encode())


def assert_names(error: BaseException, line: str) -> None:
    """An error of ours is called by its class. That there is no memory left is none of ours."""
    assert (type(error).__name__ in line) == (not isinstance(error, MemoryError))


@pytest.mark.parametrize("error", [MemoryError(), KeyError("lost\nin here"), RecursionError(), SystemExit(1)])
def test_an_error_of_ours_is_no_verdict(monkeypatch, lossmith, error):
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lossmith.cli.check.check", failing)
    code, out, complaint = lossmith(*NOT_CALIBRATED)

    assert (code, out) == (4, "")
    if not isinstance(error, SystemExit):
        assert_names(error, one_line_of(complaint.encode()))


@pytest.mark.parametrize("error", [MemoryError(), KeyError("lost\nin here")])
def test_a_checker_that_fails_rejects_nothing(monkeypatch, capsys, lossmith, error):
    def failing(_: object) -> None:
        raise error

    monkeypatch.setattr(lossmith_verify, "check", failing)
    monkeypatch.setattr("lossmith_verify.__main__.check", failing)

    code, out, complaint = lossmith("verify", os.devnull)
    assert (code, out) == (4, "")
    assert_names(error, one_line_of(complaint.encode()))

    assert verify_main([os.devnull]) == 4
    out, complaint = capsys.readouterr()
    assert out == ""
    assert_names(error, one_line_of(complaint.encode()))


def test_an_interrupted_checker_rejects_nothing(monkeypatch, capsys):
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lossmith_verify.__main__.check", interrupted)
    assert verify_main([os.devnull]) == 130
    out, complaint = capsys.readouterr()
    assert out == ""
    assert one_line_of(complaint.encode())


def test_a_file_that_exits_is_no_verdict(tmp_path, lossmith):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(0)\n")
    code, out, complaint = lossmith("check", f"{tmp_path}/mine.py:psi", "zero-one:n=3")

    assert (code, out) == (2, "")
    assert "SystemExit" in one_line_of(complaint.encode())


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
    assert "loop" in one_line_of(complaint.encode()) or "x" * 300 in complaint
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

    with pytest.raises(NotWritten, match=os.strerror(errno.EACCES)):
        overwrite()
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=exhaustive)]
)
def test_a_signal_leaves_no_temporary_files(tmp_path, number, code):
    command = [sys.executable, "-m", "lossmith", "reproduce", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while not list(tmp_path.iterdir()) and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(number)
        out, complaint = running.communicate(timeout=60)

    assert (running.returncode, out) == (code, b"")
    assert one_line_of(complaint.strip())
    assert list(tmp_path.iterdir()) == []


INTERRUPTED = 'import signal\nexec("signal.raise_signal(signal.SIGINT)")\n'


def test_a_file_that_is_interrupted_is_an_interrupt_like_others(tmp_path, lossmith):
    (tmp_path / "mine.py").write_text(INTERRUPTED)
    code, out, complaint = lossmith("check", f"{tmp_path / 'mine.py'}:psi", "zero-one:n=2")

    assert (code, out) == (130, "")
    assert one_line_of(complaint.strip().encode())


@exhaustive
def test_an_interrupt_that_left_a_text_that_was_run_is_an_interrupt_like_others(tmp_path):
    """As it may while a library is being loaded that runs texts: Python would die of the signal, its code unheard."""
    (tmp_path / "mine.py").write_text(INTERRUPTED)
    run = process("lossmith", "check", f"{tmp_path / 'mine.py'}:psi", "zero-one:n=2")

    assert run.returncode == 130
    assert one_line_of(run.stderr.strip())
