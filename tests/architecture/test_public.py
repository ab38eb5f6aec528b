"""What is public changes by a decision: docs/stability.md."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

import lossmith as lm

SNAPSHOT = runpy.run_path(str(Path(__file__).parent / "snapshot.py"))
WRITTEN = json.loads(SNAPSHOT["WRITTEN"].read_text())
WHAT_TO_DO = "what is public has changed; if that is meant, tell it in CHANGELOG.md and run make snapshot"


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

    assert set(WRITTEN["names"]["lossmith"]) == set(lm.__all__)
    assert set(WRITTEN["names"]["lossmith.learn"]) == set(lm.learn.__all__)
    assert set(WRITTEN["commands"]) == {command.name for command in COMMANDS}
    assert "(surrogate: " in WRITTEN["names"]["lossmith"]["check"]
    assert "--json (flag)" in WRITTEN["commands"]["check"]


def test_what_goes_is_announced_by_a_warning_that_is_seen():
    """Python shows a FutureWarning to everyone; a DeprecationWarning to authors of the calling module alone."""
    assert issubclass(lm.errors.Deprecated, FutureWarning)
    assert not issubclass(lm.errors.Deprecated, lm.errors.LossmithError)
