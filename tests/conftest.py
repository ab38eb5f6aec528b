"""Profiles of the property tests, and the sets of tests: fast, exhaustive, in a browser, with torch.

A test marked `exhaustive` repeats what a faster test shows. What is left out is counted, never left out silently:

* no variable: the fast tests;
* `LOSSMITH_EXHAUSTIVE=1`: the exhaustive tests, too;
* `LOSSMITH_SAMPLE=SEED`: a sample of the exhaustive tests and nothing else. The same seed gives the same sample.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import time
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before numpy is imported: threads of two processes that wait for each other on two cores take minutes.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

# Matrices are drawn entry by entry, which hypothesis finds slow to generate on a loaded machine.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", max_examples=12, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=500, derandomize=False, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_HOW = {  # what is left out, and how to have it
    "exhaustive": "to run them: LOSSMITH_EXHAUSTIVE=1 .venv/bin/pytest -m exhaustive",
    "browser": "to run them: make test-browser",
    "torch": "with the doctests of lossmith.nn; to run them: make .venv/.lossmith-torch test",
    "outside the sample": "to run all: LOSSMITH_EXHAUSTIVE=1 .venv/bin/pytest",
}
SAMPLED = 0.04  # the share of the exhaustive tests that a sample holds
collect_ignore = ["nn/two_processes.py"]  # a program, which needs torch
_LEFT_OUT = pytest.StashKey[dict[str, int]]()
_BEGAN = time.monotonic()
_TORCH = find_spec("torch") is not None
_PACKAGE = Path(find_spec("lossmith").origin).parent  # in the tree, or where the wheel was installed


@pytest.fixture(scope="session")
def torch():
    """The package, for tests that need it; where it is not installed they are deselected."""
    import torch

    torch.set_num_threads(1)
    return torch


@pytest.fixture(scope="session")
def browser():
    """The browser that pages are opened in."""
    from playwright.sync_api import Error, sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    sandbox = [] if os.getuid() else ["--no-sandbox"]  # Chromium refuses to be root in one
    with sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=found, args=sandbox)
        except Error as error:
            pytest.fail(f"no browser starts; `make browser` installs one: {error}", pytrace=False)
        yield opened
        opened.close()


@pytest.fixture
def new_page(browser):
    """Open an address; nothing may go wrong in its page, and nothing is asked of anybody whom `ours` does not name."""
    contexts, wrong = [], []

    def open_page(address, ours, context=None, **options):
        if context is None:
            context = browser.new_context(**options)
            contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith(ours) or wrong.append(request.url))
        page.on("response", lambda answer: answer.status < 400 or wrong.append(f"{answer.status} {answer.url}"))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as a shell starts what is to run beside it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.option.collectonly or not _TORCH:  # snapshots are not used then, or not all of them
        config.option.warn_unused_snapshots = True
    gc.set_threshold(50_000, 20, 20)  # ten thousand collected tests need not be looked through all the time
    if not _TORCH and os.environ.get("LOSSMITH_TORCH") == "1":
        raise pytest.UsageError("LOSSMITH_TORCH=1 asks for the tests of lossmith.nn, but torch is not installed")
    if os.environ.get("LOSSMITH_WHEEL") == "1" and _PACKAGE.is_relative_to(Path(__file__).parent.parent / "src"):
        raise pytest.UsageError(f"LOSSMITH_WHEEL=1 asks for a package that is installed, not for that in {_PACKAGE}")
    if not _TORCH:  # its modules cannot even be imported
        config.option.ignore = [*(config.option.ignore or []), str(_PACKAGE / "nn")]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path):
    """Tests hold no doctests; to look for them takes as long as to collect the tests."""
    return [each for each in (yield) if type(each).__name__ != "DoctestModule"]


def pytest_collection_finish() -> None:
    gc.freeze()  # what was collected stays until the end, and need not be looked through again


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept: list[pytest.Item] = []
    left_out: dict[str, list[pytest.Item]] = {kind: [] for kind in _HOW}
    for item in items:
        left_out.get(_kind(item), kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=[item for each in left_out.values() for item in each])
    config.stash[_LEFT_OUT] = {kind: len(each) for kind, each in left_out.items() if each}


def _kind(item: pytest.Item) -> str:
    """Why the test is left out, or nothing."""
    exhaustive, seed = item.get_closest_marker("exhaustive"), os.environ.get("LOSSMITH_SAMPLE", "")
    if seed and not (exhaustive and _sampled(seed, item.nodeid)):
        return "outside the sample"
    if exhaustive and not seed and os.environ.get("LOSSMITH_EXHAUSTIVE") != "1":
        return "exhaustive"
    if item.get_closest_marker("browser") and os.environ.get("LOSSMITH_BROWSER") != "1":
        return "browser"
    needed = item.get_closest_marker("needs_torch") or "torch" in getattr(item, "fixturenames", ())
    return "torch" if needed and not _TORCH else ""


def _sampled(seed: str, nodeid: str) -> bool:
    """Whether the test is in the sample of this seed."""
    number = int.from_bytes(hashlib.sha256(f"{seed} {nodeid}".encode()).digest()[:8])
    return number < SAMPLED * 2**64


def pytest_report_header() -> list[str]:
    seed = os.environ.get("LOSSMITH_SAMPLE", "")
    return [f"a sample of the exhaustive tests; to repeat it: make sample TREE={seed}"] if seed else []


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
        terminalreporter.write_line(f"{kind} tests deselected: {count}; {_HOW[kind]}")
    if "LOSSMITH_RECORD" in os.environ:  # for docs/tested.py
        Path(os.environ["LOSSMITH_RECORD"]).write_text(json.dumps(_record(terminalreporter, config), indent=1) + "\n")


def _record(terminalreporter, config: pytest.Config) -> dict[str, object]:
    """What was tested, with what, and how it ended."""
    needed = [re.match(r"[\w-]+", each).group() for each in metadata.requires("lossmith") if "extra ==" not in each]
    stats = terminalreporter.stats
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {name: metadata.version(name) for name in sorted(needed)},
        "passed": len(stats.get("passed", [])),
        "failed": len([*stats.get("failed", []), *stats.get("error", [])]),
        "skipped": len(stats.get("skipped", [])),
        "left out": config.stash.get(_LEFT_OUT, {}),
        "seconds": round(time.monotonic() - _BEGAN),
    }
