"""The atlas opened from a file in a real browser: search, filters, sorting, links, downloads."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.atlas.building import build
from lossmith.atlas.index_page import FEW
from lossmith.losses import abstain, hierarchical, zero_one
from lossmith.surrogates import absolute, crammer_singer, softmax

pytestmark = pytest.mark.browser

HOSTILE = lm.LossMatrix(
    [[0, 1], [2, 0]], labels=["<b>x</b>", "y"], name="</p><script>window.harmed=1</script>" + "w" * 60
)
PAGES = [
    "index.html",
    "surrogates/crammer-singer.html",
    "surrogates/softmax.html",
    "losses/abstain.html",
    "losses/hierarchical.html",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    build(folder, [crammer_singer, softmax, absolute], [zero_one, abstain, hierarchical, HOSTILE], [2, 3])
    return folder


@pytest.fixture
def served(site):
    """The address of a page, from a server."""
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/surrogates/crammer-singer.html"
        server.shutdown()


@pytest.fixture
def visit(new_page, site):
    """Open a page of the site."""
    ours = (site.as_uri(), "data:", "http://127.0.0.1:")

    def open_page(path, width=1280, **options):
        address = path if path.startswith("http:") else f"{site.as_uri()}/{path}"
        return new_page(address, ours, viewport={"width": width, "height": 800}, **options)

    return open_page


@pytest.fixture
def changed(site):
    """The name of an index in which something else stands."""
    path = site / "changed.html"

    def written(old, new):
        text = (site / "index.html").read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path.name

    yield written
    path.unlink(missing_ok=True)


def rows(page):
    return page.locator("table.index tbody tr:visible")


def names(page):
    return rows(page).locator("th").all_inner_texts()


@pytest.mark.parametrize("width", [360, 1280, *(pytest.param(w, marks=pytest.mark.exhaustive) for w in (768, 1920))])
def test_no_page_is_wider_than_the_screen(visit, site, width):
    own = next(path for path in (site / "losses").iterdir() if "script" in path.name)
    for path in (*PAGES, f"losses/{own.name}"):
        page = visit(path, width)
        for summary in page.locator("summary").all()[:6]:
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.locator("h1").is_visible()
        assert page.evaluate("window.harmed") is None
        pictures = page.locator("img").all()
        assert all(each.evaluate("picture => picture.complete && picture.naturalWidth > 0") for each in pictures)
        page.close()


def test_the_index_is_searched_and_filtered(visit):
    page = visit("index.html")
    whole = rows(page).count()

    page.get_by_label("Search").fill("crammer zero")
    assert set(names(page)) == {"crammer-singer"}
    assert rows(page).count() == 1  # with some pred
    page.locator("[name=pred]").select_option("both")
    assert rows(page).count() == 2
    page.get_by_role("button", name="Reset").click()
    page.wait_for_function(
        "count => document.querySelectorAll('.index tbody tr:not([hidden])').length === count", arg=whole
    )

    page.locator("[name=kind]").select_option("smooth")
    assert set(names(page)) == {"softmax"}
    page.locator("[name=kind]").select_option("polyhedral")
    page.get_by_label("Dimension at most").fill("1")
    assert set(names(page)) == {"absolute"}
    page.get_by_role("button", name="Reset").click()

    page.locator("[name=n]").select_option("3")
    page.locator("[name=loss]").select_option("zero-one")
    page.locator("[name=verdict]").select_option("calibrated")
    assert names(page) == ["softmax"]  # Crammer–Singer is not, with three labels, nor is anything on a line
    assert page.locator("#shown").inner_text().startswith("1 ")
    page.locator("[name=verdict]").select_option("undecided")
    assert rows(page).count() == 0


def test_only_the_first_rows_are_laid_out_until_all_are_asked_for(visit, changed):
    whole = rows(visit("index.html")).count()
    page = visit(changed(f'data-few="{FEW}"', 'data-few="3"'))

    assert rows(page).count() == 3
    assert re.search(r"\b3\b", page.locator("#shown").inner_text())
    first = names(page)
    page.locator("table.index thead").get_by_role("button", name="surrogate").click()
    assert names(page) == ["absolute"] * 3  # the first of all, not of those that were shown
    assert names(page) != first
    page.get_by_role("button", name="Show all").click()
    assert rows(page).count() == whole > 3
    assert page.get_by_role("button", name="Show all").is_hidden()
    page.get_by_label("Search").fill("crammer")
    assert rows(page).count() == 3


def test_dimensions_sort_as_numbers(visit, changed):
    page = visit(changed("<td>2, 3</td>", "<td>10, 11</td>"))
    page.locator("table.index thead").get_by_role("button", name="dimension").click()
    found = [int(cell.partition(",")[0]) for cell in rows(page).locator("td:nth-last-child(2)").all_inner_texts()]

    assert found == sorted(found)
    assert {1, 10} <= set(found)


def test_a_mark_of_the_overview_leads_to_the_statement_and_headings_can_be_jumped_to(visit):
    page = visit("surrogates/crammer-singer.html")
    page.locator(".overview tr", has_text="abstain").get_by_role("link", name="C").last.click()
    assert "calibrated" in page.locator("tr:target").inner_text()
    assert page.url.endswith("#n=3/abstain")
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="How to use it").click()
    assert page.locator("#use").evaluate("each => Math.abs(each.getBoundingClientRect().bottom) < innerHeight")


@pytest.mark.parametrize("width", [660, *(pytest.param(width, marks=pytest.mark.exhaustive) for width in (768, 1280))])
def test_no_verdict_lies_on_another_and_no_table_of_a_page_must_be_scrolled(visit, width):
    lies_on = """() => [...document.querySelectorAll(".claims tbody tr")].filter(row =>
        row.querySelector("td .mark").getBoundingClientRect().right > row.cells[3].getBoundingClientRect().left)"""
    page = visit("surrogates/crammer-singer.html", width)
    assert page.locator(".claims tbody tr").count() > 5
    assert page.evaluate(lies_on) == []
    page = visit("losses/abstain.html", width)
    hidden = """() => [...document.querySelectorAll(".right, .bounds")].filter(table =>
        table.scrollWidth > table.parentNode.clientWidth)"""
    assert page.locator(".right").count() == 2
    assert page.evaluate(hidden) == []


def test_a_printed_page_has_what_it_says_and_not_its_buttons(visit):
    page = visit("index.html")
    page.emulate_media(media="print")
    assert page.locator("#filters").is_hidden()
    assert page.locator("table.index tbody tr").first.is_visible()
    page = visit("losses/abstain.html")
    page.emulate_media(media="print")
    assert page.locator("nav").first.is_hidden()
    assert page.get_by_text("CCdim = ").first.is_visible()


def test_columns_sort_up_and_down(visit):
    page = visit("index.html")
    head = page.locator("table.index thead")

    for order, reverse in (("ascending", False), ("descending", True)):
        head.get_by_role("button", name="surrogate").click()
        found = names(page)
        assert found == sorted(found, reverse=reverse)
        assert head.locator("th").first.get_attribute("aria-sort") == order


def test_a_verdict_leads_to_its_statement_and_that_to_a_certificate_that_is_accepted(visit):
    page = visit("index.html")
    page.get_by_label("Search").fill("crammer zero")
    rows(page).locator("a.mark").last.click()
    page.wait_for_url("**/surrogates/crammer-singer.html#n=3/zero-one")
    row = page.locator("tr:target")

    row.locator("summary").click()
    assert "NOT calibrated" in row.locator("pre").first.inner_text()
    assert "lossmith check crammer-singer zero-one:n=3 --certificate" in row.inner_text()
    assert "@misc{lossmith:crammer-singer:n.3:zero-one," in row.inner_text()
    row.locator("a[download]").click()  # a page from a file shows other files, and does not save them
    page.wait_for_url("**/certificates/crammer-singer/n=3/zero-one.json")
    answer = lm.verify(page.locator("pre").inner_text())
    assert answer.accepted
    assert re.search(r'not calibrated: "crammer_singer\(n=3\)" .*"zero_one\(n=3\)"', answer.why)


def test_a_server_lets_a_certificate_be_downloaded(visit, served):
    page = visit(served)
    row = page.locator("[id='n=3/abstain']")
    with page.expect_download() as started:
        row.locator("a[download]").click()
    command = [sys.executable, "-m", "lossmith_verify", str(started.value.path())]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)

    assert started.value.suggested_filename == "abstain.json"
    assert answer.returncode == 0, answer.stderr
    assert re.search(r'calibrated: "crammer_singer\(n=3\)" .*"abstain\(n=3, cost=1/2\)"', answer.stdout)


def test_every_link_of_every_page_opens(visit, site):
    seen, waiting = set(), ["index.html"]
    page = visit("index.html")
    while waiting:
        path = waiting.pop()
        page.goto(f"{site.as_uri()}/{path}")
        links = page.evaluate("[...document.links].map(link => link.href)")
        for link in {link.partition("#")[0] for link in links} - seen:
            seen.add(link)
            assert Path(link.removeprefix("file://").replace("%20", " ")).is_file(), link
            if link.endswith(".html"):
                waiting.append(link.removeprefix(f"{site.as_uri()}/"))
        missing = page.evaluate(
            """() => [...document.links].filter(link => link.hash && link.pathname === location.pathname
                && !document.getElementById(decodeURIComponent(link.hash.slice(1)))).map(link => link.hash)"""
        )
        assert missing == []
    assert {Path(link).name for link in seen} >= {
        "crammer-singer.html",
        "softmax.html",
        "abstain.html",
        "statements.csv",
    }


def test_without_the_script_the_table_is_whole(visit):
    page = visit("index.html", java_script_enabled=False)
    with_script = visit("index.html")

    assert page.locator("#filters").is_hidden()
    assert page.locator("table.index tbody tr").count() == with_script.locator("table.index tbody tr").count()
    assert page.locator("table.index tbody tr").last.is_visible()


def test_a_keyboard_reaches_the_search_and_the_verdicts(visit):
    page = visit("index.html")
    page.get_by_label("Search").focus()
    page.keyboard.type("softmax")
    assert set(names(page)) == {"softmax"}
    rows(page).locator("a.mark").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/surrogates/softmax.html#**")
