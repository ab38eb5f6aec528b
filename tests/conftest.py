"""Profiles for the property tests, and the tests that are left out unless asked for, never silently."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Matrices are drawn entry by entry, which hypothesis finds slow to generate on a loaded machine.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=500, derandomize=False, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

_HOW = {  # what is left out, and how to have it
    "slow tests": "to run them: LOSSMITH_SLOW=1 .venv/bin/pytest -m slow",
    "tests that need torch": "with the doctests of lossmith.nn; to run them: pip install 'lossmith[torch]'",
}
_LEFT_OUT = pytest.StashKey[dict[str, int]]()
_TORCH = find_spec("torch") is not None


@pytest.fixture(scope="session")
def torch():
    """The package, for tests that need it; where it is not installed they are deselected."""
    import torch

    torch.set_num_threads(1)
    return torch


def pytest_configure(config: pytest.Config) -> None:
    if not _TORCH and os.environ.get("LOSSMITH_TORCH") == "1":
        raise pytest.UsageError("LOSSMITH_TORCH=1 asks for the tests of lossmith.nn, but torch is not installed")
    if not _TORCH:  # its modules cannot even be imported
        nn = Path(__file__).parent.parent / "src" / "lossmith" / "nn"
        config.option.ignore = [*(config.option.ignore or []), str(nn)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out: dict[str, list[pytest.Item]] = {kind: [] for kind in _HOW}
    if os.environ.get("LOSSMITH_SLOW") != "1":
        left_out["slow tests"] = [item for item in items if item.get_closest_marker("slow")]
    if not _TORCH:
        left_out["tests that need torch"] = [
            item
            for item in items
            if item.get_closest_marker("needs_torch") or "torch" in getattr(item, "fixturenames", ())
        ]
    gone = [item for each in left_out.values() for item in each]
    if gone:
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=gone)
    config.stash[_LEFT_OUT] = {kind: len(each) for kind, each in left_out.items()}


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
        if count:
            terminalreporter.write_line(f"{kind} deselected: {count}; {_HOW[kind]}")
