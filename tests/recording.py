"""A plugin of pytest, used by `make mutants`: which test executes which line, how long it takes, and whether it passes.

It works in every process of pytest-xdist. A process that a test starts records its lines under the name of the test,
because the settings of coverage read it from the environment.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import coverage
import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that interrupt themselves: coverage holds a lock then, and would wait for it for ever."""
    left_out = [item for item in items if "interrupted_after" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):
    recorder, began = coverage.Coverage.current(), time.perf_counter()
    if recorder is not None:
        recorder.switch_context(item.nodeid)
    result = yield
    if recorder is not None:
        recorder.switch_context("")
    exhaustive = item.get_closest_marker("exhaustive") is not None
    with Path(f"{os.environ['LOSSMITH_TESTS']}.{os.getpid()}").open("a") as file:
        print(json.dumps([item.nodeid, time.perf_counter() - began, exhaustive]), file=file)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(os.environ["LOSSMITH_FAILED"]).open("a") as file:
            print(json.dumps(report.nodeid), file=file)


def pytest_sessionfinish(session: pytest.Session) -> None:
    recorder = coverage.Coverage.current()
    if recorder is not None and hasattr(session.config, "workerinput"):
        recorder.stop()
        recorder.save()
