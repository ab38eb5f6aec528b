"""The program, run in this process, where a process of its own is not the point: it takes a third of a second."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from lossmith.cli import run

Answer = subprocess.CompletedProcess[str]


def lossmith(*arguments: str, cwd: Path | str = ".") -> Answer:
    """The exit code, what is printed, and the complaint."""
    printed, complaint = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(complaint),
        contextlib.chdir(cwd),
        patch.object(sys, "argv", ["lossmith", *arguments]),
    ):
        code = run()
    return subprocess.CompletedProcess(arguments, code, printed.getvalue(), complaint.getvalue())


def lossmith_in_a_process(*arguments: str, cwd: Path | None = None) -> Answer:
    """The same, as users run it."""
    command = [sys.executable, "-m", "lossmith", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120, check=False)


def assert_refused(run: Answer, *words: str, code: int = 2) -> None:
    """Nothing is printed but one line that holds these words."""
    assert run.returncode == code
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in run.stderr
