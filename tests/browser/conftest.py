"""The browser that all pages are opened in."""

from __future__ import annotations

import os
import shutil

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser():
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
