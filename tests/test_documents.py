"""The documents tell the truth: their examples run, and the output they show is what the commands print."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_examples_in_documents_run(path):
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)

    assert failed == 0
    assert tried > 0 or ">>>" not in path.read_text()


def test_the_readme_shows_what_the_demo_prints():
    printed = subprocess.run(
        [sys.executable, "-m", "lossmith", "analyze", "examples/triage.csv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    shown = (ROOT / "README.md").read_text().split("analyze examples/triage.csv\n")[1].split("  …\n")[0]

    assert printed.startswith(shown)
    assert len(shown.splitlines()) > 15


def test_every_relative_link_in_documents_leads_somewhere():
    import re

    for path in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"]:
        targets = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", path.read_text())
        missing = [t for pair in targets for t in pair if t and not (path.parent / t).exists()]
        assert missing == [], path
