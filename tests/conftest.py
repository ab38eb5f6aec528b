"""Profiles for the property tests, and the slow tests: left out unless asked for, and never silently."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# Matrices are drawn entry by entry, which hypothesis finds slow to generate on a loaded machine.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=500, derandomize=False, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_LEFT_OUT = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("LOSSMITH_SLOW") == "1":
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
    config.stash[_LEFT_OUT] = len(slow)


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a worker of pytest-xdist, whose summary nobody sees: tell the one who prints
        output["slow tests left out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    left_out = getattr(node, "workeroutput", {}).get("slow tests left out", 0)  # the same in every worker
    node.config.stash[_LEFT_OUT] = max(left_out, node.config.stash.get(_LEFT_OUT, 0))


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    left_out = config.stash.get(_LEFT_OUT, 0)
    if left_out:
        command = "LOSSMITH_SLOW=1 .venv/bin/pytest -m slow"
        terminalreporter.write_line(f"slow tests deselected: {left_out}; to run them: {command}")
