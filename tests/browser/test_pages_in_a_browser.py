"""The pages that lossmith writes, opened in a real browser: `make test-browser`."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pytest

import lossmith as lm
from lossmith import paper
from lossmith.answers.cataloguing import catalogue
from lossmith.answers.study import analyze
from lossmith.paper.reproducing import reproduce, write_pages
from lossmith.reporting import report

pytestmark = pytest.mark.browser

TRIAGE = Path(__file__).parent.parent.parent / "examples" / "triage.csv"


def _paper():
    with tempfile.TemporaryDirectory() as folder:
        write_pages(reproduce(paper.ITEMS), Path(folder))
        return (Path(folder) / "index.html").read_text()


def _long_names():
    labels = [
        f"{word}withoutanyspaceinitsnamethatalinecouldbreakat" for word in ("one", "two", "three", "four", "five")
    ]
    return lm.LossMatrix.from_function(lambda y, t: abs(labels.index(y) - labels.index(t)), labels, name="x" * 80)


PAGES = {
    "triage": lambda: report(analyze(lm.LossMatrix.from_csv(TRIAGE))).to_html(),
    "long names": lambda: report(analyze(_long_names())).to_html(),
    "catalogue": lambda: catalogue().to_html(),
}
MORE = {
    "two labels": lambda: report(analyze(lm.losses.cost_sensitive_binary("1/6"))).to_html(),
    "tetrahedron": lambda: report(analyze(lm.losses.abstain(4))).to_html(),
    "bits": lambda: report(analyze(lm.losses.hamming(3))).to_html(),
    "paper": _paper,
}
each_page = pytest.mark.parametrize(
    "name", [*PAGES, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in MORE)]
)
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The file of a page, which is made once."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def file(name):
        (path := folder / f"{name}.html").write_text({**PAGES, **MORE}[name]())
        return path

    return file


@pytest.fixture
def visit(new_page, page_file):
    """Open a page at a size."""

    def open_page(name, size):
        address = page_file(name).as_uri()
        page = new_page(address, (address, "data:"), viewport=size)
        page.wait_for_load_state("networkidle")
        return page

    return open_page


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@each_page
def test_a_page_shows_itself_without_errors_or_requests_and_nothing_overflows(visit, name, size):
    page = visit(name, size)

    assert page.locator("h1").is_visible()
    for details in page.locator("summary").all():
        details.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    outside = page.evaluate(
        """width => [...document.querySelectorAll("body *")].filter(element => {
            if (element.closest(".scroll, pre, thead, svg") && !element.matches(".scroll, pre, svg")) return false;
            const box = element.getBoundingClientRect();
            return box.width > 0 && (box.right > width + 0.5 || box.left < -0.5);
        }).map(element => element.outerHTML.slice(0, 80))""",
        size["width"],
    )
    assert outside == []
    squeezed = page.evaluate("[...document.querySelectorAll('caption, summary, p')].filter(x => x.clientWidth < 100)")
    assert squeezed == []


@each_page
def test_pictures_are_seen_whole(visit, name):
    page = visit(name, PHONE)

    for picture in page.locator("svg").all():
        box = picture.bounding_box()
        assert box["width"] > 200
        assert box["height"] > 40
        inside = picture.evaluate(
            """picture => {
                const frame = picture.getBoundingClientRect();
                return [...picture.querySelectorAll("text")].every(text => {
                    const box = text.getBoundingClientRect();
                    return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1
                        && box.bottom <= frame.bottom + 1;
                });
            }"""
        )
        assert inside


@pytest.mark.parametrize("name", ["triage", "catalogue"])
def test_a_certificate_is_downloaded_whole(visit, name):
    page = visit(name, DESKTOP)
    links = page.locator("a[download]")

    assert links.count() > 10
    for link in (links.nth(1), links.last):  # the first one is the matrix
        with page.expect_download() as started:
            link.click()
        assert started.value.suggested_filename == link.get_attribute("download")
        assert lm.verify(Path(started.value.path()).read_text()).accepted


def test_a_counterexample_is_shown_on_demand(visit):
    page = visit("triage", PHONE)
    row = page.locator("tr", has_text="crammer_singer(n=3)")
    words = row.locator("pre")

    assert not words.is_visible()
    row.locator("summary").click()
    assert words.is_visible()
    assert "crammer_singer(n=3) " in words.inner_text()


def test_paper_shows_the_counterexamples_and_cuts_nothing(visit):
    page = visit("triage", {"width": 700, "height": 1000})
    page.emulate_media(media="print")

    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    assert page.locator("details pre").first.evaluate("element => element.getBoundingClientRect().height") > 20


@pytest.mark.parametrize("name", ["triage", "catalogue"])
def test_text_stands_out_from_its_ground(visit, name):
    """At least 4.5 to 1, as the Web Content Accessibility Guidelines ask."""
    page = visit(name, DESKTOP)
    weak = page.evaluate(
        """() => {
            const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
            const light = colour => numbers(colour).slice(0, 3).map(x => x / 255)
                .map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
                .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
            const ground = element => {
                for (; element; element = element.parentElement) {
                    const colour = getComputedStyle(element).backgroundColor, all = numbers(colour);
                    if (all.length < 4 || all[3] > 0) return colour;
                }
                return "rgb(255, 255, 255)";
            };
            return [...document.querySelectorAll("main *, footer *")]
                .filter(element => !element.closest("svg") && [...element.childNodes].some(
                    node => node.nodeType === 3 && node.textContent.trim()))
                .filter(element => {
                    const [a, b] = [getComputedStyle(element).color, ground(element)].map(light).sort((x, y) => y - x);
                    return (a + 0.05) / (b + 0.05) < 4.5;
                }).map(element => element.outerHTML.slice(0, 80));
        }"""
    )
    assert weak == []
