"""The two programs, run in a process of their own with strange surroundings."""

from __future__ import annotations

import subprocess
import sys

NOT_CALIBRATED = ("check", "crammer-singer:n=3", "zero-one:n=3")  # exit code 1


def process(program: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([sys.executable, "-m", program, *arguments], timeout=120, check=False, **options)


def one_line_of(stderr: bytes) -> str:
    (line,) = stderr.decode().splitlines()
    assert "Traceback" not in line
    return line
