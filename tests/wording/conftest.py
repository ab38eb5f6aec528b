"""What lossmith prints, word for word, stands in the snapshot files of this folder and nowhere else in the tests.

`make snapshots` writes the files again; `git diff tests/wording` shows each change for review.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ADVICE = "If the new wording is meant, run `make snapshots` and review `git diff tests/wording`."


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("update_snapshots", default=False) and os.environ.get("CI"):
        raise pytest.UsageError("snapshots are not written in CI; run `make snapshots` and commit what it writes")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.when == "call" and report.failed and item.path.is_relative_to(HERE):
        report.sections.append(("wording", ADVICE))
    return report
