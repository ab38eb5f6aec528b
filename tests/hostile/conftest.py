"""The program, run in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from lossmith.cli import run


@pytest.fixture
def lossmith(monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """Run a command here: exit code, what it printed, and the lines of its complaint."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lossmith", *arguments])
        code = run()
        return (code, *capsys.readouterr())

    return call
