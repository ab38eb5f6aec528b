"""The report: what it says is what the study says, its pages are well made, and its certificates are accepted.

The fast tests read the pages of three losses, the exhaustive ones all.
"""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

import lossmith as lm
from lossmith.answers.study import analyze
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from lossmith.reporting import report
from lossmith.reporting.adjacency import boundary
from lossmith.reporting.formulas import decisions, parts

VOID = {"meta", "link", "br"}
LOSSES = {
    "triage": lambda: lm.LossMatrix(
        [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]],
        labels=["mild", "moderate", "severe"],
        predictions=["home", "clinic", "ward", "transfer", "icu"],
        name="triage",
    ),
    "<script>": lambda: lm.LossMatrix(
        [[0, 1], [2, 0]], ["<b>well</b>", '"ill" & worse'], ["</table>", "x" * 400], name="<script>"
    ),
    "zero_one(n=12)": lambda: zero_one(12),
    "zero_one(n=2)": lambda: zero_one(2),
    "zero_one(n=3)": lambda: zero_one(3),
    "abstain(n=4)": lambda: abstain(4),
    "ordinal(n=4)": lambda: ordinal(4),
    "ordinal(n=6)": lambda: ordinal(6),
    "hamming(r=2)": lambda: hamming(2),
}
PAGES = ["triage", "<script>", "zero_one(n=12)", "zero_one(n=2)", "abstain(n=4)", "ordinal(n=6)", "hamming(r=2)"]


def each_loss(names, few):
    """One test for each of the losses; those behind the first few are exhaustive."""
    return pytest.mark.parametrize(
        "name", [*names[:few], *(pytest.param(each, marks=pytest.mark.exhaustive) for each in names[few:])]
    )


every_page = each_loss(PAGES, 3)


class Page(HTMLParser):
    """The elements of a page, in order; tags that are not closed in order are an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.words = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def loss_of(name):
    return LOSSES[name]()


@cache
def report_of(name):
    return report(analyze(loss_of(name)))


@cache
def text_of(name):
    return report_of(name).to_html()


@cache
def page_of(name):
    return Page(text_of(name))


@every_page
def test_the_page_is_small_and_asks_for_nothing(name):
    assert len(text_of(name).encode()) < 500_000
    targets = [a[key] for _, a in page_of(name).elements for key in ("src", "href", "xlink:href") if key in a]
    assert targets
    assert [each for each in targets if not each.startswith(("data:", "#"))] == []
    assert page_of(name).all("script") == []
    assert "url(http" not in text_of(name)
    assert "@import" not in text_of(name)


@every_page
def test_the_page_can_be_read_aloud(name):
    page = page_of(name)
    assert page.all("html")[0]["lang"] == "en"
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))  # no level is left out
    assert all("scope" in each for each in page.all("th"))
    assert page.all("table")
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(each.get("aria-label") for each in page.all("svg"))
    assert len(page.all("svg")) == (0 if "n=12" in name else 1)  # the cells, or up to 8 labels which of them touch


def test_names_cannot_break_the_page():
    words = "".join(page_of("<script>").words)
    assert "<b>well</b>" in words
    assert "</table>" in words


@every_page
def test_every_certificate_in_the_page_is_accepted(name):
    matrix, *links = [each for each in page_of(name).all("a") if "download" in each]
    read = json.loads(base64.b64decode(matrix["href"].partition(",")[2]))
    assert len(read["entries"]) == len(read["labels"])
    assert len(links) > 2
    for link in links:
        kind, _, held = link["href"].partition(",")
        assert kind == "data:application/json;base64"
        answer = lm.verify(base64.b64decode(held).decode())
        assert answer.accepted, answer.why
        assert re.fullmatch(r"[\w.-]+\.json", link["download"])


def test_the_report_tells_what_the_study_tells():
    words = "".join(page_of("triage").words)
    assert "1/3 ward + 2/3 icu" in words  # in place of transfer
    assert "P(mild) ≥ 7 P(moderate) + 25 P(severe)" in words
    assert "LogisticRegression().fit(X, y)" in words
    order = ["P(mild)", "25,000", "loss.decide(model, X_new)", "CCdim = 1"]  # the rule, its price, the code, the theory
    assert [words.index(each) for each in order] == sorted(words.index(each) for each in order)
    assert 'best = lm.design(loss, method="square"); A, w = best.surrogate.targets' in words


def test_a_study_is_not_made_again(monkeypatch):
    study = analyze(abstain(4))

    def again(*_, **__):
        raise AssertionError("the study knows that")

    for name in (
        "lossmith.answers.designing.bounds_of",
        "lossmith.answers.designing.search",
        "lossmith.reporting.content.verdicts_on",
    ):
        monkeypatch.setattr(name, again)
    made = report(study)
    assert made.verdicts is study.verdicts
    assert made.fewest.surrogate.dim == 2


def test_the_counterexample_lies_in_the_page_until_it_is_asked_for():
    words = "".join(page_of("triage").words)
    wrong = [each for each in report_of("triage").verdicts if each.status == "not calibrated"]
    assert len(wrong) > 5
    assert all(str(each) in words for each in wrong)
    assert len(page_of("triage").all("details")) >= len(wrong)
    assert not any("open" in each for each in page_of("triage").all("details"))


def test_without_cells_the_rest_is_there():
    made = report(analyze(zero_one(30), cells=False))
    text = made.to_html()
    assert made.study.trigger_sets is None
    assert "<svg" not in text
    assert re.search(r"\b1 %", text)
    assert not re.search(r"\b0(\.0)? %", text)
    assert re.search(r"\bCCdim = 29\b", text)
    assert made.verdicts == ()


def test_where_one_decision_is_always_best_nothing_is_recommended():
    made = report(analyze(lm.LossMatrix([[0, 1], [0, 1]])))
    assert "CCdim = 0" in made.to_html()
    assert "recommended" not in made.to_dict()


def test_many_labels_are_decided_where_a_theorem_does():
    named = {each.surrogate.name for each in report_of("zero_one(n=12)").verdicts}
    assert "softmax(n=12)" in named
    assert "crammer_singer(n=12)" not in named


def test_certificates_for_which_there_is_no_room_are_left_out_and_said_to_be(monkeypatch):
    monkeypatch.setattr("lossmith.reporting.document.HELD", 3000)
    text = report_of("triage").to_html()
    _, *held = [base64.b64decode(each["href"].partition(",")[2]) for each in Page(text).all("a")]
    assert 0 < sum(map(len, held)) <= 3000
    assert text.count('class="quiet"') > text_of("triage").count('class="quiet"')


def test_a_certificate_that_cannot_fit_is_not_even_made(monkeypatch):
    monkeypatch.setattr("lossmith.reporting.document.MOST_ENTRIES", 99)
    made = report(analyze(zero_one(10)))
    assert 'class="quiet"' in made.to_html()
    assert "certificate" not in made.fewest.__dict__


# The walls between cells.


def test_neighbours_of_bit_strings_differ_in_one_bit():
    study = analyze(hamming(3))
    assert list(study.facts.neighbours.pairs) == [
        (s, t) for s in range(8) for t in range(s + 1, 8) if (s ^ t).bit_count() == 1
    ]


def test_on_a_wall_two_decisions_cost_the_same_and_beyond_it_the_first_costs_less():
    loss = top_k(5, 2)
    for s, t in analyze(loss).facts.neighbours.pairs:
        row = boundary(loss, s, t)
        for y in range(loss.n):
            assert np.sign(row[y]) == np.sign(loss.entries[y][t] - loss.entries[y][s])


# Formulas in words, against the surrogates themselves.

READ = str.maketrans({"−": "-", "[": "(", "]": ")"})


def value(text, u):
    """What a printed formula is at u, read as Python."""
    names = {"u": u[0], "max": max} | {f"u_{i}": x for i, x in enumerate(u, start=1)}
    python = re.sub(r"(\d|\))(?=u|\()", r"\1*", text.translate(READ).replace("²", "**2"))
    return eval(python, names)


@pytest.mark.parametrize("name", ["triage", "abstain(n=4)", "zero_one(n=3)", "ordinal(n=4)", "hamming(r=2)"])
@pytest.mark.parametrize("method", [None, "square"])
def test_the_printed_formula_is_the_surrogate(name, method):
    made = lm.design(loss_of(name), method=method)
    points = np.random.default_rng(0).integers(-8, 9, size=(20, made.surrogate.dim)) / 4
    for u, expected in zip(points, made.surrogate.evaluate(points)):
        assert [value(text, u) for _, text in parts(made)] == pytest.approx(list(expected))


@pytest.mark.parametrize("name", ["triage", "abstain(n=4)", "hamming(r=2)"])
def test_the_printed_comparison_is_the_pred(name):
    made = lm.design(loss_of(name), method="square")
    names = [str(prediction) for prediction in loss_of(name).predictions]
    points = np.random.default_rng(0).normal(size=(50, made.surrogate.dim)) * 20
    for u, decided in zip(points, made.pred.decide(points)):
        costs = {name: value(text, u) for name, text in decisions(made)}
        assert min(costs, key=costs.get) == names[decided]


def test_costs_that_were_gains_are_called_so():
    loss = lm.LossMatrix.from_gains([[5, -2], [0, 3]])
    of_gains, of_costs = (Page(lm.report(loss, gains=gains).to_html()) for gains in (True, False))
    assert len(of_gains.all("p")) == len(of_costs.all("p")) + 1
    assert "gains" not in "".join(of_costs.words)
