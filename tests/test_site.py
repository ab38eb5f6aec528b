"""The site: its examples run, its reference misses nothing, its pages are in the table of contents."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import lossmith as lm

ROOT = Path(__file__).parent.parent
GALLERY = sorted((ROOT / "examples" / "gallery").glob("plot_*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_an_example_of_the_gallery_draws_a_figure(path):
    assert any(isinstance(each, Figure) for each in runpy.run_path(str(path)).values())


def test_the_reference_lists_every_public_name():
    listed = set(re.findall(r"^   (\w+)$", (ROOT / "docs" / "reference.md").read_text(), re.MULTILINE))
    namespaces = {
        "boosting",
        "learn",
        "losses",
        "nn",
        "plot",
        "surrogates",
        "testing",
        "CATALOGUE",
        "FAMILIES",
        "MORE",
        "RANKING",
        "SETS",
    }
    assert len(GALLERY) >= 4
    for module in (lm, lm.losses, lm.surrogates, lm.learn, lm.boosting):
        assert set(module.__all__) - namespaces <= listed, module.__name__


def test_every_page_is_in_the_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    hidden = {page for page in pages if page.startswith("decisions/0")}
    assert {page for page in pages - hidden - {"index"} if not re.search(rf"^{page}$", index, re.MULTILINE)} == set()
