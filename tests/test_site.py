"""The site: its examples run, its reference misses nothing, its pages are in the table of contents."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import lossmith as lm

ROOT = Path(__file__).parent.parent
GALLERY = sorted((ROOT / "examples" / "gallery").glob("plot_*.py"))


@pytest.mark.exhaustive
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
    for module in (lm, lm.losses, lm.surrogates, lm.learn, lm.boosting, lm.plot, lm.testing):
        assert set(module.__all__) - namespaces <= listed, module.__name__
    assert {"SurrogateLoss", "Verification"} <= listed


def test_every_page_is_in_the_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    hidden = {page for page in pages if page.startswith("decisions/0")}
    assert {page for page in pages - hidden - {"index"} if not re.search(rf"^{page}$", index, re.MULTILINE)} == set()


def test_the_first_screen_is_the_first_paragraph_of_the_readme_ten_lines_a_picture_and_cards():
    page, readme = (path.read_text() for path in (ROOT / "docs" / "index.md", ROOT / "README.md"))
    screen = page.split("{toctree}")[0]
    assert screen.split("```{div} hook\n")[1].split("\n```")[0] == readme.split("\n\n")[1]
    assert len(re.findall(r"^(>>>|\.\.\.) ", screen, re.MULTILINE)) == 10
    assert "(images/triage.svg)" in screen
    assert len(re.findall(r"{grid-item-card} \w+", screen)) == 6


def test_the_notebooks_are_what_make_lists_writes():
    script = runpy.run_path(str(ROOT / "docs" / "notebooks.py"))
    stale = [path.name for path, text in script["written"]().items() if path.read_text() != text]
    assert stale == [], "run make lists"
    assert len(script["TUTORIALS"]) == len(list((ROOT / "examples" / "notebooks").iterdir())) == 3


def test_a_notebook_has_the_text_the_code_and_the_outputs_of_its_page():
    script = runpy.run_path(str(ROOT / "docs" / "notebooks.py"))
    page = "# Title\n\n```python\n>>> x = 1\n>>> x + 1\n2\n>>> print(x)\n1\n\n```\n\nEnd.\n"
    cells = json.loads(script["notebook"](page))["cells"]
    assert [(each["cell_type"], "".join(each["source"])) for each in cells] == [
        ("markdown", "# Title"),
        ("code", "x = 1\nx + 1"),
        ("code", "print(x)"),
        ("markdown", "End."),
    ]
    assert cells[1]["outputs"][0]["data"] == {"text/plain": ["2"]}
    assert cells[2]["outputs"][0]["text"] == ["1\n"]


def shown(cell):
    """What the outputs of a cell say, in words."""
    return [each.get("text") or each["data"]["text/plain"] for each in cell.outputs]


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "notebooks").iterdir()), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # those of Jupyter are its own
def test_a_notebook_runs_and_shows_what_it_did(path):
    import nbclient
    import nbformat

    kept = nbformat.read(path, as_version=4)
    nbformat.validate(kept)
    run = nbclient.NotebookClient(nbformat.read(path, as_version=4), timeout=300).execute()
    codes = [i for i, cell in enumerate(kept.cells) if cell.cell_type == "code"]
    assert [shown(run.cells[i]) for i in codes] == [shown(kept.cells[i]) for i in codes]


def test_versions_stand_side_by_side_and_latest_leads_to_the_newest(tmp_path):
    for name in ("0.9.0", "0.10.0"):
        for page in ("index.html", "tutorials/triage.html", "search.html", "_modules/x.html"):
            (tmp_path / name / page).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / page).write_text("<!DOCTYPE html>")
    runpy.run_path(str(ROOT / "docs" / "publish.py"))["publish"](tmp_path, "https://example.org/lossmith")

    assert json.loads((tmp_path / "versions.json").read_text()) == ["0.10.0", "0.9.0"]
    assert 'url=0.10.0/index.html"' in (tmp_path / "index.html").read_text()
    assert 'url=../../0.10.0/tutorials/triage.html"' in (tmp_path / "latest" / "tutorials" / "triage.html").read_text()
    places = [each.text for each in ElementTree.parse(tmp_path / "sitemap.xml").iter() if each.tag.endswith("loc")]
    start = "https://example.org/lossmith/0.10.0"
    assert places == [f"{start}/index.html", f"{start}/tutorials/triage.html"]


def git(folder, *arguments):
    run = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("git") is None or shutil.which("make") is None, reason="needs git and make")
def test_publishing_a_version_keeps_the_earlier_ones(tmp_path):
    """The branch gh-pages of origin, after two releases from two clones, the second with one page less."""
    git(tmp_path, "init", "--quiet", "--bare", "origin")
    for version, pages in (("0.9.0", ["index", "gone"]), ("0.10.0", ["index"])):
        clone = tmp_path / version
        git(tmp_path, "clone", "--quiet", "origin", version)
        (clone / "docs").mkdir()
        for name in ("Makefile", "docs/publish.py"):
            shutil.copy(ROOT / name, clone / name)
        (built := clone / "build" / "docs" / version).mkdir(parents=True)
        for page in pages:
            (built / f"{page}.html").write_text(version)
        make = ["make", "publish-docs", f"PYTHON={sys.executable}"]
        subprocess.run(make, cwd=clone, capture_output=True, check=True)

    kept = git(tmp_path / "origin", "ls-tree", "-r", "--name-only", "gh-pages")
    assert [path for path in kept if path.endswith(".html")] == [
        "0.10.0/index.html",
        "0.9.0/gone.html",
        "0.9.0/index.html",
        "index.html",
        "latest/index.html",
    ]
    assert ".nojekyll" in kept  # else the host leaves out _static
    assert git(tmp_path / "origin", "show", "gh-pages:0.9.0/index.html") == ["0.9.0"]
    assert git(tmp_path / "origin", "show", "gh-pages:versions.json") == ['["0.10.0",', '"0.9.0"]']


@pytest.mark.exhaustive
def test_the_social_picture_has_the_size_that_is_told(tmp_path):
    runpy.run_path(str(ROOT / "docs" / "social.py"))["draw"](tmp_path / "social.png")
    header = (tmp_path / "social.png").read_bytes()[:24]
    assert [int.from_bytes(header[i : i + 4], "big") for i in (16, 20)] == [1200, 630]
    template = (ROOT / "docs" / "_templates" / "page.html").read_text()
    assert 'og:image:width" content="1200"' in template
    assert 'og:image:height" content="630"' in template


def test_the_citation_is_of_the_newest_version_of_the_changelog():
    newest, date = re.search(r"^## (\S+) \((.*)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).groups()
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {newest}\ndate-released: {date}\n" in citation
