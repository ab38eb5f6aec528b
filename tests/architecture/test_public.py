"""What is public changes by a decision: docs/stability.md."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import lossmith as lm
import lossmith_verify
from command import lossmith

SNAPSHOT = runpy.run_path(str(Path(__file__).parent / "snapshot.py"))
WRITTEN = json.loads(SNAPSHOT["WRITTEN"].read_text())
WHAT_TO_DO = "what is public has changed; if that is meant, tell it in CHANGELOG.md and run make snapshots"


@pytest.fixture(scope="module")
def taken():
    return SNAPSHOT["taken"]()


def differences(before, after):
    """What is gone, and what is new, a line each."""
    old, new = list(SNAPSHOT["lines"](before)), list(SNAPSHOT["lines"](after))
    return [f"- {line}" for line in old if line not in set(new)] + [f"+ {line}" for line in new if line not in set(old)]


@pytest.mark.parametrize("part", ["names", "results", "commands", "schemas", "certificates"])
def test_what_is_public_is_what_was_written_down(taken, part):
    found = differences(WRITTEN[part], taken[part])
    assert found == [], "\n".join([WHAT_TO_DO, *found])


def test_a_difference_is_told_in_lines():
    before = {"names": {"lossmith": {"check": "(a)", "gone": "()"}}, "commands": {"check": ["--json (flag)"]}}
    after = {"names": {"lossmith": {"check": "(a, b)"}}, "commands": {"check": ["--json (flag)", "--new (text)"]}}
    assert differences(before, after) == [
        "- names lossmith check: (a)",
        "- names lossmith gone: ()",
        "+ names lossmith check: (a, b)",
        "+ commands check: --new (text)",
    ]


def test_no_public_name_and_no_command_is_left_out():
    from lossmith.cli import COMMANDS

    for module in (lm, lm.losses, lm.surrogates, lm.learn, lm.boosting, lm.plot, lm.testing, lossmith_verify):
        assert set(WRITTEN["names"][module.__name__]) == set(module.__all__), module.__name__
    assert set(WRITTEN["commands"]) == {command.name for command in COMMANDS}
    assert "(surrogate: " in WRITTEN["names"]["lossmith"]["check"]
    assert "(found: " in WRITTEN["names"]["lossmith.plot"]["census"]  # which is not that of lossmith
    assert "--json (flag)" in WRITTEN["commands"]["check"]


ANNOUNCED = "old_hinge goes with 0.3.0; write crammer_singer"
ANNOUNCING = f"""
import warnings
import lossmith as lm
def old_hinge(n):
    warnings.warn({ANNOUNCED!r}, lm.errors.Deprecated, stacklevel=2)
    return lm.surrogates.crammer_singer(n)
"""


def python(folder, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)


def test_what_goes_keeps_working_and_is_announced(tmp_path):
    (tmp_path / "old.py").write_text(ANNOUNCING)
    with pytest.warns(lm.errors.Deprecated, match=ANNOUNCED):
        run = lossmith("check", "old.py:old_hinge", "abstain:n=3", cwd=tmp_path)

    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("crammer_singer(n=3) ")


@pytest.mark.exhaustive
def test_what_goes_keeps_working_and_is_announced_to_everyone(tmp_path):
    """docs/stability.md: seen without asking, named as an error by -W, and a note on the command line."""
    (tmp_path / "old.py").write_text(ANNOUNCING)
    (tmp_path / "program.py").write_text("from old import old_hinge\nprint(old_hinge(3).name)\n")

    run = python(tmp_path, "program.py")
    assert (run.returncode, run.stdout) == (0, "crammer_singer(n=3)\n")
    assert f"program.py:2: Deprecated: {ANNOUNCED}" in run.stderr

    run = python(tmp_path, "-W", "error::FutureWarning", "program.py")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.endswith(f"lossmith.errors.Deprecated: {ANNOUNCED}\n")

    run = python(tmp_path, "-m", "lossmith", "check", "old.py:old_hinge", "abstain:n=3")
    assert (run.returncode, run.stderr) == (0, f"lossmith: note: {ANNOUNCED}\n")
    assert run.stdout.startswith("crammer_singer(n=3) ")


def test_what_goes_is_no_error_and_is_seen_without_asking():
    assert not issubclass(lm.errors.Deprecated, lm.errors.LossmithError)
    assert issubclass(lm.errors.Deprecated, FutureWarning)
