"""Profiles for the property tests; slow tests and those in a browser: left out unless asked for, never silently."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# Matrices are drawn entry by entry, which hypothesis finds slow to generate on a loaded machine.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=500, derandomize=False, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_KINDS = {"slow": "LOSSMITH_SLOW", "browser": "LOSSMITH_BROWSER"}  # marks, and what to set to 1 to run such tests
_LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {}
    for kind, variable in _KINDS.items():
        chosen = [item for item in items if item.get_closest_marker(kind)]
        if chosen and os.environ.get(variable) != "1":
            items[:] = [item for item in items if not item.get_closest_marker(kind)]
            config.hook.pytest_deselected(items=chosen)
            left_out[kind] = len(chosen)
    config.stash[_LEFT_OUT] = left_out


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a worker of pytest-xdist, whose summary nobody sees: tell the one who prints
        output["tests left out"] = session.config.stash.get(_LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    left_out = getattr(node, "workeroutput", {}).get("tests left out", {})  # the same in every worker
    node.config.stash[_LEFT_OUT] = left_out or node.config.stash.get(_LEFT_OUT, {})


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    for kind, count in config.stash.get(_LEFT_OUT, {}).items():
        command = f"{_KINDS[kind]}=1 .venv/bin/pytest -m {kind}"
        terminalreporter.write_line(f"{kind} tests deselected: {count}; to run them: {command}")
