"""The page of `lossmith explore` in a real browser, before a real server: `make test-browser`."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest

import lossmith as lm
import lossmith_verify

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
FRAUD = {
    "name": "fraud",
    "labels": ["ok", "fraud"],
    "decisions": ["approve", "review"],
    "costs": [["0", "5"], ["200", "5"]],
    "gains": False,
}
REVIEW = {
    **FRAUD,
    "decisions": ["approve", "review", "decline"],
    "costs": [["0", "5", "40"], ["300", "15", "2"]],
}
LARGE = 30  # labels of a matrix for which the long jobs take long


def zero_one(n, **more):
    names = [f"label {k}" for k in range(n)]
    costs = [["0" if y == t else "1" for t in range(n)] for y in range(n)]
    return {"name": "zero-one", "labels": names, "decisions": names, "costs": costs, "gains": False, **more}


def restless(n):
    """A matrix without structure: every bound on its dimension has to be computed."""
    costs = [["0" if y == t else str((7 * y * y + 5 * t + 3 * y * t) % 23 + 1) for t in range(n)] for y in range(n)]
    return {**zero_one(n), "name": "restless", "costs": costs}


def fragment(state):
    return "#" + base64.urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")


def state_in(address):
    text = address.partition("#")[2]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address that a server prints, with its token, without the state."""
    log = tmp_path_factory.mktemp("explore") / "log"
    command = [sys.executable, "-m", "lossmith", "explore", "--no-browser", str(ROOT / "examples" / "triage.csv")]
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        for _ in range(300):
            found = re.search(r"http://\S+", log.read_text())
            if found or server.poll() is not None:
                break
            time.sleep(0.1)
        assert found, log.read_text()
        yield found[0].partition("#")[0]
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture
def visit(new_page, address):
    """Open the page with a state, in a browser of its own or beside another page, and wait until it is drawn."""
    home = (address.partition("?")[0], "data:", "blob:")

    def open_page(state=FRAUD, size=DESKTOP, beside=None, **more):
        context = beside.context if beside else None
        there = address + (fragment(state) if state else "")
        page = new_page(there, home, context, viewport=size, reduced_motion="reduce", **more)
        page.wait_for_selector("body[data-ready]")
        return page

    return open_page


def cost(page, row, column):
    return page.locator(f"[data-row='{row}'][data-column='{column}']")


def ready(page):
    return int(page.locator("body").get_attribute("data-ready"))


def says(page, selector, text, timeout=10_000):
    """Wait until an element shows a text, or a pattern.

    (wait_for_function evaluates strings, which the page's policy forbids.)
    """
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(text, timeout=timeout)


def settled(page, timeout=60_000):
    """Wait until the long jobs have answered for the matrix as it is: an edit makes what they told stale at once."""
    page.wait_for_selector(
        "body:not(:has(:is(#practices, #dimension, #sensitivity-result):is([data-stale], [aria-busy])))",
        timeout=timeout,
    )


def type_and_look(page, row, column, text, look):
    """Type a cost, and in the same moment, before anything is answered, evaluate what `look` says."""
    return cost(page, row, column).evaluate(
        f"""(cell, text) => {{
            cell.value = text;
            cell.dispatchEvent(new InputEvent("input", {{ bubbles: true }}));
            return {look};
        }}""",
        text,
    )


def paste(page, locator, text):
    locator.focus()
    locator.evaluate(
        """(element, text) => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            element.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
        }""",
        text,
    )


def jobs(page):
    return page.evaluate("fetch('/api/jobs').then(answer => answer.json())")


def until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()


def loss_of(state):
    return lm.LossMatrix(state["costs"], state["labels"], state["decisions"], state["name"])


def durations(page):
    """From each edit to its picture, in milliseconds."""
    return page.evaluate("performance.getEntriesByName('edit-to-picture').map(entry => entry.duration)")


def test_a_typed_cost_changes_the_rule_and_the_time_is_measured(visit):
    page = visit()
    says(page, "#rule", "0.025")
    cost(page, 1, 0).fill("50")
    says(page, "#rule", "0.1")
    until(lambda: len(durations(page)) >= 2)
    assert all(duration > 0 for duration in durations(page))


def test_a_dragged_point_changes_the_decision_exactly_at_the_threshold(visit):
    state = {**FRAUD, "costs": [["0", "5"], ["20", "5"]]}
    (rule,) = lm.analyze(loss_of(state)).rule.sentences
    threshold = Fraction(re.fullmatch(r"approve when P\(fraud\) ≤ (\S+); else review", rule)[1])
    assert threshold == Fraction(5, 20)
    page = visit({**state, "p": ["0.9", "0.1"]})
    says(page, "#decision", "approve")
    handle = page.locator("#picture .handle .dot").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    seen = set()
    number = page.locator("[data-probability='1']")
    before = number.input_value()
    for step in range(1, 25):
        page.mouse.move(x + 6 * step, y)
        until(lambda last=before: number.input_value() != last)
        before = number.input_value()
        p = Fraction(before)
        expected = "approve" if p < threshold else "review" if p > threshold else "approve or review"
        until(lambda wanted=expected: page.locator("#decision").inner_text() == wanted)
        seen.add(expected)
    page.mouse.up()
    assert {"approve", "review"} <= seen

    for text, expected in (("1/4", "approve or review"), ("0.2499999", "approve"), ("0.2500001", "review")):
        number.fill(text)
        until(lambda wanted=expected: page.locator("#decision").inner_text() == wanted)


def test_one_probability_moves_the_others_in_proportion(visit):
    page = visit({**zero_one(3), "p": ["0.2", "0.3", "0.5"]})
    page.locator("[data-probability='2']").fill("0.75")
    page.locator("[data-probability='2']").blur()

    assert page.locator("[data-probability='0']").input_value() == "0.1"
    assert page.locator("[data-probability='1']").input_value() == "0.15"
    page.locator("[data-label='0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-probability='0']").input_value() == "0.101"
    page.locator("[data-probability='0']").fill("much")
    assert page.locator("[data-probability='0']").get_attribute("aria-invalid") == "true"
    says(page, "#point-message", re.compile(r"\b0\s\w+\s1\b"))


def test_a_pasted_block_fills_and_grows_and_undo_takes_it_back(visit):
    page = visit()
    block = "\n".join("\t".join("0" if y == t else str(y + t) for t in range(5)) for y in range(5))
    paste(page, cost(page, 0, 0), block + "\n")
    assert page.locator(".cost").count() == 25
    assert cost(page, 4, 3).input_value() == "7"
    page.wait_for_selector("#cut:not([hidden])")
    assert page.locator("#picture .cell").count() >= 2

    page.keyboard.press("Control+z")
    assert page.locator(".cost").count() == 4
    assert cost(page, 1, 0).input_value() == "200"
    page.keyboard.press("Control+Shift+z")
    assert page.locator(".cost").count() == 25
    page.click("#undo")
    assert page.locator(".cost").count() == 4
    assert page.locator("#undo").is_disabled()


def test_a_pasted_matrix_with_names_replaces_everything(visit):
    page = visit()
    paste(page, cost(page, 1, 1), "truth\tgo\tstay\tcall\nrain\t5\t0\t1\nsun\t0\t3\t1\n")
    says(page, "#status", re.compile(r"\b2\s\w+\s\w+\s3\b"))
    assert page.locator("[data-name='decision']").evaluate_all("all => all.map(x => x.value)") == ["go", "stay", "call"]
    says(page, "#rule", "call")


def test_undo_joins_the_letters_of_one_cell(visit):
    page = visit()
    cost(page, 0, 1).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("125")
    says(page, "#rule", "0.39")
    page.keyboard.press("Control+z")
    assert cost(page, 0, 1).input_value() == "5"
    says(page, "#rule", "0.025")


def test_a_bad_cell_is_marked_and_the_last_good_picture_stays(visit):
    page = visit()
    before = page.locator("#picture .cells").inner_html()
    cost(page, 1, 0).fill("2oo")
    page.wait_for_selector("[data-row='1'][data-column='0'][aria-invalid='true']")
    says(page, "#cell-message", "'2oo'")
    assert page.locator("#picture .cells").inner_html() == before
    assert cost(page, 1, 0).get_attribute("aria-describedby") == "cell-message"
    says(page, "#rule", "0.025")

    cost(page, 1, 0).fill("200")
    page.wait_for_selector("#matrix:not(:has([aria-invalid]))")
    assert page.locator("#cell-message").inner_text() == ""


def test_a_decision_that_is_never_needed_is_greyed_out_with_the_reason(visit):
    page = visit(None)  # without a state the page opens with an example
    page.locator("#examples").select_option(
        label=next(text for text in page.locator("#examples option").all_inner_texts() if text.startswith("Triage"))
    )
    head = page.locator("#matrix th.unused")
    head.wait_for()
    assert head.locator("input").input_value() == "transfer"
    assert "ward" in head.get_attribute("title")
    described = head.locator("input").get_attribute("aria-describedby")
    assert page.locator(f"#{described}").text_content() == head.get_attribute("title")
    head.locator("input").focus()  # without a pointer it is written below the table
    assert page.locator("#unused-reason").inner_text() == head.get_attribute("title")
    cost(page, 0, 0).focus()
    assert page.locator("#unused-reason").inner_text() == ""


def test_shape_is_edited_by_buttons(visit):
    page = visit()
    page.click("text=+ decision")
    page.keyboard.type("decline")
    says(page, "#expected", "decline")
    page.click("text=+ label")
    assert page.locator("#matrix tbody tr").count() == 3
    page.click("#transpose")
    assert page.locator("[data-name='label']").first.input_value() == "approve"
    page.click("#transpose")
    page.get_by_role("button", name="remove label label 3").click()
    page.select_option("#gains", "gains")
    until(lambda: page.locator("#matrix tbody tr").count() == 2)
    until(lambda: state_in(page.locator("#state-text").input_value())["gains"] is True)


def test_a_long_job_is_stopped(visit):
    page = visit(restless(LARGE))
    # Found and pressed in one frame: a job that ends between the two would take its button away.
    pressed = """() => {
        const shown = [...document.querySelectorAll(".stop")].filter((each) => each.offsetParent);
        shown.forEach((each) => each.click());
        return shown.length > 0 && shown.map((each) => each.ariaLabel);
    }"""
    names = page.wait_for_function(pressed, polling="raf").json_value()
    assert all(name.startswith("Stop: ") for name in names)
    says(page, ".job:visible >> nth=0", "Stopped")
    until(lambda: jobs(page)["running"] == 0)
    cost(page, 0, 1).fill("3")  # typing goes on
    until(lambda: ready(page) >= 2)


def test_two_tabs_hold_two_states(visit):
    first = visit()
    second = visit({**FRAUD, "costs": [["0", "50"], ["200", "50"]]}, beside=first)
    says(first, "#rule", "0.025")
    says(second, "#rule", "0.25")
    cost(first, 0, 1).fill("10")
    says(first, "#rule", "0.")
    assert cost(second, 0, 1).input_value() == "50"


def test_the_address_holds_the_state(visit):
    page = visit()
    cost(page, 1, 0).fill("50")
    page.locator("[data-probability='1']").fill("0.3")
    until(lambda: state_in(page.evaluate("location.href"))["costs"][1][0] == "50")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert cost(page, 1, 0).input_value() == "50"
    assert page.locator("[data-probability='1']").input_value() == "0.3"

    page.evaluate("text => { location.hash = text; }", fragment(zero_one(3)))
    until(lambda: page.locator(".cost").count() == 9)
    page.evaluate("() => { location.hash = '#nonsense'; }")
    says(page, "#status", "not a state")
    assert page.locator(".cost").count() == 9


def test_the_state_is_copied_and_taken(visit):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.click("#copy-state")
    says(page, "#status", "clipboard")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert state_in(copied)["labels"] == ["ok", "fraud"]
    page.click("#share summary")
    assert page.locator("#state-text").input_value() == copied
    page.fill("#state-take", fragment(zero_one(4)))
    until(lambda: page.locator(".cost").count() == 16)
    page.fill("#state-take", "#abc")
    says(page, "#status", "not a state")


def test_a_file_is_opened(visit, tmp_path):
    page = visit()
    page.locator("#file").set_input_files(ROOT / "examples" / "triage.csv")
    says(page, "#rule", "icu")
    assert page.locator("#name").input_value() == "triage"
    bad = tmp_path / "bad.csv"
    bad.write_text("nothing here")
    page.locator("#file").set_input_files(bad)
    page.wait_for_selector("#status:not(:empty)")
    assert page.locator(".cost").count() == 15


def test_downloads_open_and_the_certificate_verifies(visit, tmp_path):
    page = visit()
    saved = {}
    for kind in ("csv", "json", "certificate", "report"):
        with page.expect_download(timeout=60_000) as started:
            page.click(f"[data-file={kind}]")
        saved[kind] = tmp_path / started.value.suggested_filename
        started.value.save_as(saved[kind])

    expected = loss_of(FRAUD).entries
    assert lm.LossMatrix.from_csv(saved["csv"]).entries == expected
    assert lm.LossMatrix.from_json(saved["json"]).entries == expected
    assert "<html" in saved["report"].read_text()
    assert lossmith_verify.check(saved["certificate"].read_text()).accepted


def test_hostile_names_are_text(visit):
    hostile = "<img src=x onerror=alert(1)>"
    decisions = [hostile, "</script><script>alert(2)</script>"]
    page = visit({**FRAUD, "labels": [hostile, "b"], "decisions": decisions, "name": "<b>x"})
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    settled(page)
    says(page, "#decision", "<")
    assert page.locator("img").count() == 0
    assert page.locator("body script").count() == 0
    assert page.locator("#legend").inner_text().count("<") >= 2


def test_the_page_is_used_by_keyboard_alone(visit):
    page = visit()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.row === '0' && document.activeElement.dataset.column === '0'"):
            break
    else:
        pytest.fail("Tab does not reach the first cost")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("50")
    says(page, "#rule", "0.1")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('handle')"):
            break
    else:
        pytest.fail("Tab does not reach the point")
    before = page.locator("[data-probability='1']").input_value()
    page.keyboard.press("ArrowLeft")
    assert Fraction(page.locator("[data-probability='1']").input_value()) == Fraction(before) - Fraction(1, 100)
    nameless = page.evaluate(
        """[...document.querySelectorAll("input, select, button, [tabindex]")].filter(x => !(
            x.getAttribute("aria-label") || x.labels?.length || x.textContent.trim() || x.closest("[hidden]")
        )).map(x => x.outerHTML)"""
    )
    assert nameless == []


def test_the_tetrahedron_is_turned_by_keys_and_by_dragging(visit):
    page = visit(zero_one(4))
    picture, cells = page.locator("#picture"), page.locator("#picture .cells")
    before = cells.inner_html()
    picture.focus()
    page.keyboard.press("ArrowLeft")
    until(lambda: cells.inner_html() != before)
    turned = cells.inner_html()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 80, steps=5)
    page.mouse.up()
    until(lambda: cells.inner_html() not in (before, turned))
    assert page.locator("[data-probability='0']").input_value() == "0.25"


def test_practices_open_to_a_counterexample_in_the_picture(visit):
    state = {**zero_one(3), "costs": [["0", "1", "2"], ["1", "0", "9"], ["2", "1", "0"]]}
    page = visit(state)
    settled(page)
    wrong = page.locator("#practices details", has=page.locator(".status.wrong")).first
    wrong.locator("summary").click()
    page.wait_for_selector("#picture .mark.example")
    wrong.locator("summary").click()
    page.wait_for_selector("#picture:not(:has(.mark.example))")
    page.select_option("#overlay", "crammer_singer(n=3)")
    page.wait_for_selector("#picture .dashes.surrogate", state="attached")


def test_a_cost_shows_its_interval_and_a_range_is_drawn(visit):
    page = visit()
    settled(page)
    cost(page, 1, 0).focus()
    says(page, "#sensitivity", re.compile(r"\d"))
    page.fill("#range-low", "100")
    page.fill("#range-high", "400")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picture .band", state="attached")
    says(page, "#range-text", re.compile(r"\b100\s\w+\s400\b"))
    page.fill("#range-high", "many")
    page.keyboard.press("Enter")
    page.wait_for_selector("#range-high[aria-invalid]")
    page.click("#range-clear")
    assert page.locator("#picture .band").count() == 0


def bands(page):
    """The exact ends of the bands of an interval, by the pair of decisions."""
    titles = page.locator("#picture .band title").all_text_contents()
    found = (re.fullmatch(r"(.+) or (.+): from (\S+) to (\S+)", title) for title in titles)
    return {frozenset(each.group(1, 2)): {Fraction(each[3]), Fraction(each[4])} for each in found}


def thresholds(state, row, column, value):
    """What `analyze` tells with another cost in one cell, by the pair of decisions."""
    costs = [list(line) for line in state["costs"]]
    costs[row][column] = value
    told = json.loads(lm.analyze(loss_of({**state, "costs": costs})).to_json())["thresholds"]
    return {frozenset((a["decision"], b["decision"])): Fraction(b["exact"][0]) for a, b in pairwise(told)}


def moved(state, row, column):
    """Where the thresholds are with one cost 10 % lower and 10 % higher, of those that move."""
    now = Fraction(state["costs"][row][column])
    low, high = (thresholds(state, row, column, str(now * part)) for part in (Fraction(9, 10), Fraction(11, 10)))
    return {pair: {low[pair], high[pair]} for pair in low if low[pair] != high[pair]}


def shows(page, expected):
    until(lambda: bands(page) == expected)


def no_bands(page):
    page.wait_for_selector("#picture:not(:has(.band))")
    until(lambda: page.locator("#varied-text").inner_text() == "")
    assert page.locator("#varied-hint").is_visible()


def test_a_cost_that_is_pointed_at_shows_the_bands_that_analyze_tells(visit):
    page = visit(REVIEW)
    no_bands(page)
    for row, column in ((1, 0), (0, 1), (1, 1), (0, 2)):
        cost(page, row, column).hover()
        shows(page, moved(REVIEW, row, column))
    says(page, "#varied-text", re.compile(r"\bdecline\s.*\sok,\s10\s%\s.*\s10\s%\s.*\s\(36\s\w+\s44\):\s.*\sdecline"))
    page.mouse.move(900, 20)
    no_bands(page)
    cost(page, 0, 0).hover()  # 0 has no 10 %
    says(page, "#varied-text", re.compile(r"\b0\s\w+\s4\s\(10\s%\s"))


def test_a_cost_with_the_focus_shows_its_bands_and_says_them(visit):
    page = visit(REVIEW)
    cost(page, 0, 2).focus()
    page.keyboard.press("Enter")
    shows(page, moved(REVIEW, 1, 2))
    described = page.evaluate("document.activeElement.getAttribute('aria-describedby')").split()
    words = " ".join(page.locator(f"#{each}").inner_text() for each in described)
    assert re.search(r"\bdecline .* fraud\b.* P\(fraud\) = ", words)
    assert page.locator("#varied-text").get_attribute("aria-live") == "polite"
    cost(page, 1, 0).hover()  # what is pointed at comes before the focus
    shows(page, moved(REVIEW, 1, 0))
    page.mouse.move(900, 20)
    shows(page, moved(REVIEW, 1, 2))
    page.locator("#name").focus()
    no_bands(page)


def test_bands_do_not_outlive_the_costs_they_are_of(visit):
    page = visit(REVIEW)
    cost(page, 1, 0).focus()
    until(lambda: bands(page))
    assert type_and_look(page, 1, 0, "100", "document.querySelectorAll('#picture .band').length") == 0
    changed = {**REVIEW, "costs": [REVIEW["costs"][0], ["100", "15", "2"]]}
    shows(page, moved(changed, 1, 0))
    cost(page, 1, 0).fill("1oo")  # the last good picture stays, but nothing is told of what is no cost
    page.wait_for_selector("[aria-invalid='true']")
    page.wait_for_timeout(500)
    no_bands(page)


def test_a_range_that_is_given_is_drawn_rather_than_ten_per_cent(visit):
    page = visit(REVIEW)
    cost(page, 1, 0).focus()
    page.fill("#range-low", "150")
    page.fill("#range-high", "600")
    page.keyboard.press("Enter")
    ends = {frozenset(("approve", "review")): {Fraction(5, 140), Fraction(5, 590)}}
    shows(page, ends)
    cost(page, 1, 1).hover()
    shows(page, moved(REVIEW, 1, 1))
    cost(page, 1, 0).hover()
    shows(page, ends)


def test_pointing_at_twenty_costs_in_haste_leaves_no_job_behind(visit):
    page = visit(restless(5))
    settled(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("varied") else None)
    boxes = [cost(page, k // 5, k % 5).bounding_box() for k in range(20)]
    for box in boxes:
        page.mouse.move(box["x"] + 5, box["y"] + 5)
    says(page, "#varied-text", re.compile(r"\blabel\s4\s.*\slabel\s3\b"))
    until(lambda: jobs(page)["running"] == 0)
    assert jobs(page)["waiting"] == 0
    assert len(asked) <= 20
    cost(page, 3, 3).hover()
    says(page, "#varied-text", re.compile(r"\blabel\s3\s.*\slabel\s3\b"))
    before = len(asked)
    page.evaluate(
        """() => {
            window.bare = 0;
            const look = () => { window.bare += document.querySelector("#varied-text").textContent === ""; };
            new MutationObserver(look).observe(document.querySelector("#varied-text"), { childList: true });
        }"""
    )
    for column in (4, 3, 4):  # what was asked is known, and from one to the next nothing flickers
        cost(page, 3, column).hover()
        says(page, "#varied-text", re.compile(rf"\blabel\s{column}\s.*\slabel\s3\b"))
    assert len(asked) == before
    assert page.evaluate("window.bare") == 0


@pytest.mark.parametrize("n", [pytest.param(3, marks=pytest.mark.exhaustive), 4, 6])
def test_bands_are_shaded_in_triangles_tetrahedra_and_cuts(visit, n):
    page = visit({**zero_one(n), "cut": [0, 1, 2]} if n > 4 else zero_one(n))
    cost(page, 0, 0).hover()
    others = min(n, 3 if n > 4 else n) - 1
    until(lambda: page.locator("#picture .band").count() == others)
    says(page, "#varied-text", re.compile(r"\d\s%"))
    if n > 4:
        cost(page, 4, 0).hover()
        says(page, "#varied-text", re.compile(r":\slabel\s4\s"))
        assert page.locator("#picture .band").count() == 0


def touch(session, kind, *points):
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_a_finger_points_at_costs_and_drags_the_point(visit):
    page = visit(REVIEW, PHONE, has_touch=True, is_mobile=True)
    cost(page, 1, 0).tap()
    shows(page, moved(REVIEW, 1, 0))
    settled(page)  # answers above the picture would shift it
    page.locator("#picture").scroll_into_view_if_needed()
    dot = page.locator("#picture .handle .dot").bounding_box()
    x, y = dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2
    top = page.evaluate("window.scrollY")
    session = page.context.new_cdp_session(page)
    touch(session, "touchStart", (x, y))
    for step in range(1, 11):
        touch(session, "touchMove", (x - 6 * step, y - 12 * step))
    touch(session, "touchEnd")
    until(lambda: Fraction(page.locator("[data-probability='1']").input_value()) < Fraction(2, 5))
    assert page.evaluate("window.scrollY") == top


def test_every_control_has_a_role_and_a_name_in_the_accessibility_tree(visit):
    page = visit(REVIEW)
    settled(page)
    cost(page, 1, 0).focus()
    until(lambda: bands(page))
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    acting = (
        "button",
        "textbox",
        "combobox",
        "slider",
        "link",
        "checkbox",
        "menuitem",
        "spinbutton",
        "DisclosureTriangle",
    )
    assert [(role, name) for role, name in told if role in acting and not name.strip()] == []
    for expected in (
        ("textbox", "cost of approve when the truth is fraud"),
        ("textbox", "name of decision 1"),
        ("button", "remove decision approve"),
        ("slider", "probability of fraud"),
        ("slider", "the probabilities, as a point"),
        ("group", "Where each decision is best: approve, review, decline; labels ok, fraud (interval)"),
        ("combobox", "Overlay surrogate"),
        ("heading", "Which decision when"),
        ("table", "Costs"),
    ):
        assert expected in told
    (focused,) = [
        node
        for node in nodes
        if any(each["name"] == "focused" for each in node.get("properties", [])) and node["role"]["value"] == "textbox"
    ]
    assert re.search(r"\bapprove \w+ review .* P\(fraud\) = ", focused["description"]["value"])


@pytest.mark.parametrize("n", [2, 4, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (3, 6))])
def test_a_phone_does_not_scroll_sideways(visit, n):
    page = visit(zero_one(n) if n != 2 else FRAUD, PHONE)
    settled(page)
    for details in page.locator("summary").all():
        details.click()
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    picture = page.locator("#picture").bounding_box()
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= PHONE["width"]


def memory(process):
    """What a process holds, in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.parametrize(("edits", "n"), [(20, 5), pytest.param(200, 8, marks=pytest.mark.exhaustive)])
def test_many_edits_leave_no_job_behind(visit, edits, n):
    page = visit(restless(n))
    settled(page)  # the processes have loaded what they need
    workers = jobs(page)["workers"]
    before = sum(map(memory, workers))
    for edit in range(edits):
        cost(page, edit % n, (edit + 1) % n).fill(str(edit % 17 + 1))
        page.wait_for_timeout(100)
    assert type_and_look(page, 0, 1, "18", "document.querySelectorAll('[aria-busy]').length") == 0
    settled(page, 120_000)
    until(lambda: jobs(page)["running"] == 0, 60)
    assert jobs(page)["waiting"] == 0
    assert len(jobs(page)["workers"]) == len(workers)
    assert sum(map(memory, jobs(page)["workers"])) < before + 150  # warm caches, not a heap of answers
    assert ready(page) > edits / 10
    assert len(durations(page)) >= edits


@pytest.mark.exhaustive
def test_screenshots_for_the_documentation(visit, tmp_path):
    """With LOSSMITH_SCREENSHOTS=1 they are those of the documents."""
    folder = ROOT / "docs" / "images" if os.environ.get("LOSSMITH_SCREENSHOTS") == "1" else tmp_path
    page = visit(None, {"width": 1280, "height": 860})
    titles = page.locator("#examples option").all_inner_texts()
    for name, start, place in (("fraud", "Fraud", (1, 1)), ("triage", "Triage", (2, 2)), ("four-labels", None, (0, 4))):
        if start:
            page.locator("#examples").select_option(label=next(text for text in titles if text.startswith(start)))
        else:
            pets = ["cat", "dog", "bird", "fish"]
            costs = [[*("0" if y == t else "1" for t in range(4)), "2/5"] for y in range(4)]
            state = {"name": "pets", "labels": pets, "decisions": [*pets, "ask"], "costs": costs, "gains": False}
            page.evaluate("text => { location.hash = text; }", fragment(state))
        cost(page, *place).hover()
        settled(page)
        page.wait_for_selector("#picture .band")
        assert len(page.screenshot(path=folder / f"explore-{name}.png")) > 50_000


ATTACK = """
const tries = {
  read: () => fetch(target + "/api/start", { credentials: "include" }).then((r) => r.text()),
  ask: () => fetch(target + "/api/picture", { method: "POST", credentials: "include", headers: {
    "content-type": "application/json" }, body: "{}" }).then((r) => r.text()),
  simple: () => fetch(target + "/api/picture", { method: "POST", credentials: "include", body: "{}" })
    .then((r) => r.text()),
  blind: () => fetch(target + "/api/start", { credentials: "include", mode: "no-cors" }).then((r) => r.type + r.status),
  script: () => new Promise((yes, no) => {
    const each = document.createElement("script");
    each.onload = () => yes("loaded"); each.onerror = () => no(new Error("refused"));
    each.src = target + "/page/app.js";
    document.head.append(each);
  }),
  frame: () => new Promise((yes) => {
    const each = document.createElement("iframe"); each.src = target + "/";
    each.onload = () => { try { yes(each.contentDocument.body.textContent); } catch { yes("out of reach"); } };
    document.body.append(each);
  }),
};
const found = {};
for (const [name, attempt] of Object.entries(tries))
  found[name] = await attempt().catch((error) => "failed: " + error.name);
return found;
"""


def test_a_hostile_page_of_another_origin_gets_nothing(browser, address, tmp_path):
    """Also with the cookie in the same browser, and on the same machine, where only the port is another."""
    target = address.partition("/?")[0]
    (tmp_path / "evil.html").write_text("<!doctype html><title>evil</title><body></body>")
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as evil, browser.new_context() as context:
        Thread(target=evil.serve_forever, daemon=True).start()
        owner = context.new_page()
        owner.goto(address + fragment(FRAUD))
        owner.wait_for_selector("body[data-ready]")
        for host in ("127.0.0.1", "localhost"):
            page = context.new_page()
            page.goto(f"http://{host}:{evil.server_port}/evil.html")
            found = page.evaluate(f"async (target) => {{ {ATTACK} }}", target)
            assert found.pop("frame") in ("out of reach", "")
            assert found.pop("blind").startswith(("failed", "opaque0"))
            assert all(text.startswith("failed") for text in found.values()), found
        evil.shutdown()
