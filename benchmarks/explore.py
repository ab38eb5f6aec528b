"""How long it takes on the page of `lossmith explore` from a changed cost to its picture, in a real browser.

    python benchmarks/explore.py

Needs the extras [explore] and [browser], and a browser: `make browser`. A picture below 200 ms is felt as immediate.
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lossmith import LossMatrix
from lossmith.explore.state import fragment_of, state_of

SIZES = ((2, 3), (3, 5), (4, 6), (5, 5), (6, 6), (20, 20))
EDITS, WARM = 40, 5
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Print a line for each size."""
    with server() as address, browser() as opened:
        print(f"{'labels × decisions':20}{'median':>10}{'95 %':>10}{'slowest':>10}   ms from the key to the picture")
        for n, k in SIZES:
            times = edited(opened, address, n, k)
            last = sorted(times)[int(0.95 * len(times))]
            print(f"{f'{n} × {k}':20}{statistics.median(times):10.0f}{last:10.0f}{max(times):10.0f}")


def edited(opened: Any, address: str, n: int, k: int) -> list[float]:
    """Milliseconds of each of some edits of random costs, each after the picture of the one before is there."""
    draw = random.Random(n + k)
    rows = [[0 if y == t else draw.randint(1, 2000) / 100 for t in range(k)] for y in range(n)]
    page = opened.new_page()
    page.goto(address.partition("#")[0] + fragment_of(state_of(LossMatrix(rows))))
    wait_for_picture(page, 0)
    for _ in range(EDITS + WARM):
        shown = pictures(page)
        cell = page.locator(f'[data-row="{draw.randrange(n)}"][data-column="{draw.randrange(k)}"]')
        cell.fill(f"{draw.randint(1, 2000) / 100}")
        wait_for_picture(page, shown)
    found = page.evaluate("performance.getEntriesByName('edit-to-picture').map(each => each.duration)")
    page.close()
    return list(found[-EDITS:])


def pictures(page: Any) -> int:
    """How many pictures were shown so far."""
    return int(page.evaluate("Number(document.body.dataset.ready ?? 0)"))


def wait_for_picture(page: Any, shown: int) -> None:
    """Wait for another one; by asking, as the page lets no text be run in it."""
    for _ in range(6_000):
        if pictures(page) > shown:
            return
        page.wait_for_timeout(5)
    raise TimeoutError("no picture within half a minute")


@contextmanager
def server() -> Iterator[str]:
    """The address of a server that runs within."""
    command = [sys.executable, "-m", "lossmith", "explore", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@contextmanager
def browser() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        context = opened.new_context()
        try:
            yield context
        finally:
            opened.close()


if __name__ == "__main__":
    main()
