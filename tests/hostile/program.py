"""The two programs, run in a process of their own with strange surroundings, or in this one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from lossmith.cli import run

NOT_CALIBRATED = ("check", "crammer-singer:n=3", "zero-one:n=3")  # exit code 1


def process(program: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([sys.executable, "-m", program, *arguments], timeout=120, check=False, **options)


def one_line_of(stderr: bytes) -> str:
    (line,) = stderr.decode().splitlines()
    assert "Traceback" not in line
    return line


@pytest.fixture
def lossmith(monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """Run a command here: exit code, what it printed, and the lines of its complaint."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lossmith", *arguments])
        code = run()
        return (code, *capsys.readouterr())

    return call
