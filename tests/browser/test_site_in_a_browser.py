"""The site, built by `make docs` without a warning, and opened in a real browser as from a server."""

from __future__ import annotations

import os
import subprocess
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import lossmith as lm

pytestmark = [pytest.mark.browser, pytest.mark.exhaustive]

ROOT = Path(__file__).parent.parent.parent
PHONE, LAPTOP, DESKTOP = (
    {"width": width, "height": height} for width, height in ((360, 740), (1280, 800), (1440, 900))
)


@pytest.fixture(scope="module")
def site():
    """The folder of the site."""
    at = os.environ | {"LOSSMITH_SITE": "http://localhost:8000"}
    run = subprocess.run(["make", "docs"], cwd=ROOT, env=at, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "WARNING" not in run.stderr
    return ROOT / "build" / "docs"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def address(site):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def visit(new_page, address):
    """Open a page at a size."""

    def open_page(name, size, scheme="light"):
        page = new_page(f"{address}/{name}", (address, "data:"), viewport=size, color_scheme=scheme)
        page.wait_for_load_state("networkidle")
        return page

    return open_page


def here(name):
    return f"{lm.__version__}/{name}"


def test_the_front_door_leads_to_the_newest_version(visit):
    page = visit("", DESKTOP)
    page.wait_for_url(f"**/{here('index.html')}")
    assert page.locator("#versions").input_value() == lm.__version__


def test_the_first_screen_shows_hook_code_picture_and_doors(visit):
    page = visit(here("index.html"), LAPTOP)
    doors = page.locator(".doors .sd-card")
    assert doors.count() == 6
    for each in [*map(page.locator, (".hook", ".first-screen pre", ".first-screen img")), *doors.all()]:
        box = each.bounding_box()
        assert box["y"] + box["height"] <= LAPTOP["height"]
    doors.first.click()
    page.wait_for_url("**/start.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1024, 1440])
@pytest.mark.parametrize("name", ["index", "reference", "stability", "catalogue", "generated/lossmith.LossMatrix"])
def test_no_page_scrolls_sideways(visit, name, width, scheme):
    page = visit(here(f"{name}.html"), {"width": width, "height": 800}, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_search_finds_ccdim_and_leads_to_its_page(visit):
    page = visit(here("index.html"), DESKTOP)
    page.locator("input[name=q]").first.fill("ccdim")
    page.keyboard.press("Enter")
    page.locator("#search-results a[href*='generated/lossmith.ccdim.html']").first.click()
    page.wait_for_url("**/generated/lossmith.ccdim.html*")
    assert page.locator("dt[id='lossmith.ccdim']").is_visible()


def test_a_page_of_the_reference_has_the_signature_and_the_members(visit):
    page = visit(here("generated/lossmith.LossMatrix.html"), DESKTOP)
    assert "labels=None" in page.locator("dt").first.inner_text()
    assert page.locator("dt[id='lossmith.LossMatrix.decide']").is_visible()


def test_the_reproduced_paper_is_among_the_pages(visit):
    page = visit(here("paper.html"), PHONE)
    page.get_by_text("Open the reproduced paper").click()
    page.wait_for_url("**/paper/index.html")
    assert page.locator("dt .heading").inner_text() == "heading"


def test_a_page_that_is_shared_has_a_picture(visit, site):
    page = visit(here("start.html"), DESKTOP)
    picture = page.locator("meta[property='og:image']").get_attribute("content")
    assert picture.startswith("http")
    assert (site / urlsplit(picture).path.lstrip("/")).is_file()
    assert (site / "sitemap.xml").read_text().count("<loc>") > 200


class Links(HTMLParser):
    """The places of a page, and where it leads to."""

    def __init__(self, text):
        super().__init__()
        self.places, self.targets = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places |= {given.get("id"), given.get("name")} - {None}
        self.targets |= {given.get("href"), given.get("src")} - {None, ""}


def test_every_link_inside_the_site_leads_somewhere(site):
    root = site / lm.__version__
    pages = [path for path in root.rglob("*.html") if "atlas" not in path.relative_to(root).parts[:-1]]
    read = {path: Links(path.read_text(encoding="utf-8")) for path in pages}
    broken = []
    for path, links in read.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or "$" in target:
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            goal = goal / "index.html" if goal.is_dir() else goal
            lost = goal in read and parts.fragment and unquote(parts.fragment) not in read[goal].places
            if not goal.is_file() or lost:
                broken.append(f"{path.relative_to(root)}: {target}")
    assert len(pages) > 250
    assert broken == []
