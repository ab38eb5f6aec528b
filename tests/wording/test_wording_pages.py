"""What pages say: reports, the atlas, the paper, the page of `explore`, the census; and their messages."""

from __future__ import annotations

import re
import socket
from html import unescape

from printed import command, messages

import lossmith as lm
from lossmith import paper
from lossmith.answers.study import analyze
from lossmith.atlas.building import build
from lossmith.atlas.published import compared
from lossmith.explore.answers import QUESTIONS
from lossmith.explore.state import loss_of, state_in, state_of
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.paper.item import Item, Outcome, equal, outcome
from lossmith.reporting import report
from lossmith.surrogates import absolute, top_k_hinge_averaged

FRAUD = {
    "name": "fraud",
    "labels": ["ok", "fraud"],
    "decisions": ["approve", "review", "decline"],
    "costs": [["0", "5", "40"], ["300", "15", "2"]],
    "gains": False,
}


BLOCKS = "p|h\\d|li|tr|caption|summary|div|section|pre|dt|dd|table|figcaption|label|nav"
MASKS = {  # what changes with versions, or is sampled
    re.escape(lm.__version__): "VERSION",
    r"\b[0-9a-f]{64}\b": "HASH",
    r"\b\d+ KB": "N KB",
    r"year += \{\d+\}": "year = {YEAR}",
    r"(?m)^.* \d+ %\n": "",
}


def words(page: str) -> str:
    """What can be read of a page: a paragraph, a heading or a row of a table in a line."""
    body = re.sub(r"(?s)<(style|script|svg).*?</\1>", "", page.partition("<body")[2].partition(">")[2])
    text = re.sub(rf"</?(?:{BLOCKS})\b[^>]*>", "\n", body.replace("<wbr>", ""))
    text = unescape(re.sub(r"<[^>]*>", "", re.sub(r"</t[hd]>", " | ", text)))
    lines = [" ".join(line.split()).removesuffix(" |") for line in text.splitlines()]
    text = "\n".join(filter(None, lines)) + "\n"
    for pattern, mask in MASKS.items():
        text = re.sub(pattern, mask, text)
    return text


def triage() -> lm.LossMatrix:
    return lm.LossMatrix(
        [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]],
        labels=["mild", "moderate", "severe"],
        predictions=["home", "clinic", "ward", "transfer", "icu"],
        name="triage",
    )


def test_a_report(snapshot):
    text = words(report(analyze(triage())).to_html())
    assert text.partition("weston_watkins")[0] == snapshot


def test_a_report_without_cells_and_one_of_gains(snapshot):
    many = words(report(analyze(zero_one(9), cells=False)).to_html())
    free = words(report(analyze(lm.LossMatrix([[0, 1], [0, 1]]))).to_html())
    gains = words(report(analyze(lm.LossMatrix.from_gains([[5, -2], [0, 3]])), gains=True).to_html())
    shown = [text.partition("crammer_singer")[0] for text in (many, free, gains)]
    assert "\n---\n".join(shown) == snapshot


def test_an_atlas(snapshot, tmp_path):
    build(tmp_path, [absolute], [lm.LossMatrix([[0, 1, 2], [1, 0, 2]], name="never")], [2])
    names = ("index.html", "surrogates/absolute.html", "losses/never.html")
    pages = [words((tmp_path / name).read_text(encoding="utf-8")) for name in names]
    missing = next(iter(compared(top_k_hinge_averaged, []))).shown
    assert "\n---\n".join([*pages, missing]) == snapshot


def test_what_the_command_says_of_an_atlas(snapshot, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    build(tmp_path / "changed", [], [zero_one], [2])
    held = tmp_path / "changed" / "certificates" / "zero-one" / "n=2"
    (held / "ccdim-lower.json").write_bytes((held / "ccdim-upper.json").read_bytes())
    (held / "ccdim-upper.json").unlink()
    (held / "stray.json").write_text("{}")
    lines = [
        "atlas new --losses hierarchical -n 2",
        "atlas new --losses zero-on",
        "atlas new --surrogates ramp",
        "atlas file",
        "atlas a/b",
        "atlas mine",
        "atlas mine --verify",
        "atlas changed --verify",
    ]
    assert "\n".join(command(line, tmp_path) for line in lines) == snapshot


def test_the_paper(snapshot, tmp_path, monkeypatch):
    right = Item("exmp:loss-0-1", "right", "1 + 1 = 2.", lambda: outcome("2", equal("1 + 1", 2, 1 + 1)))
    wrong = Item("exmp:loss-ord", "wrong", "1 + 1 = 3.", lambda: outcome("2", equal("1 + 1", 3, 1 + 1)))
    others = Item("sec:intro", "Introduction"), Item("lem:continuous", "Continuity", note="A note.")
    monkeypatch.setattr(paper, "ITEMS", (right, wrong, *others))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    told = [command(line, tmp_path) for line in ("reproduce out", "reproduce mine")]
    assert "\n".join([*told, words((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))]) == snapshot


def test_notes_on_the_paper(snapshot):
    assert "\n".join(f"{item.label}: {item.note}" for item in paper.ITEMS if item.note) == snapshot


def test_an_item_that_fails(snapshot):
    def fail() -> Outcome:
        raise ValueError("no such thing")

    failed = Item("x", "x", "x", fail).run()
    assert f"{failed.computed}; {failed.difference}" == snapshot


def varied(state, row, column, **more):
    text = QUESTIONS["varied"]({"state": state, "row": row, "column": column, **more}, None)["text"]
    return re.sub(r"[\d.]+ % of the p", "N % of the p", text)


def test_what_the_page_says_of_a_varied_cost(snapshot):
    dear = {**FRAUD, "costs": [["0", "1", "9"], ["1", "0", "9"]]}
    nothing = {**FRAUD, "costs": [["0", "0", "0"], ["1", "2", "3"]]}
    six = state_of(ordinal(6))
    shown = {
        "an interval": varied(FRAUD, 1, 0),
        "nothing to take 10 % of": varied(FRAUD, 0, 0),
        "a triangle": varied(state_of(abstain(3, cost="1/2")), 0, 3),
        "no threshold moves": varied(dear, 0, 2),
        "everything is 0": varied(nothing, 0, 1),
        "a cut": varied(six, 3, 3, cut=[0, 1, 5]),
    }
    state = {**FRAUD, "decisions": ["buy", "skip"], "costs": [["10", "0"], ["-50", "0"]], "gains": True}
    useful = [each["useful"] for each in QUESTIONS["sensitivity"]({"state": state}, None)["costs"]]
    assert "\n".join([*(f"{name}: {text}" for name, text in shown.items()), *useful]) == snapshot


def asked(question, state=FRAUD, **more):
    return QUESTIONS[question]({"state": state, **more}, None)


OF_THE_PAGE = {
    "no state": lambda: loss_of(None),
    "labels that are no texts": lambda: loss_of({**FRAUD, "labels": 3}),
    "costs that are no texts": lambda: loss_of({**FRAUD, "costs": "0"}),
    "costs of another size": lambda: loss_of({**FRAUD, "costs": [["0", "1"]]}),
    "an entry that is no number": lambda: loss_of({**FRAUD, "costs": [["0", "5", "x"], ["300", "15", "2"]]}),
    "too many labels": lambda: loss_of({**FRAUD, "labels": [f"label {i}" for i in range(61)]}),
    "a name that is too long": lambda: loss_of({**FRAUD, "labels": ["a" * 201, "b"]}),
    "a loss that is too large": lambda: state_of(zero_one(100)),
    "an address without a state": lambda: state_in("#nothing"),
    "no point": lambda: asked("at", p=["1"]),
    "no probabilities": lambda: asked("at", p=["0", "0"]),
    "no entry": lambda: asked("varied", row=9, column=0),
    "no range": lambda: asked("range", row=1, column=0, low="x", high="2"),
    "no surrogate": lambda: asked("overlay", surrogate="os.system"),
    "no kind of file": lambda: asked("file", kind="passwd"),
}
OF_A_CENSUS = {
    "too many classes": lambda: lm.census(3, 4, (0, 1000)),
    "more classes than are allowed": lambda: lm.census(3, 4, (0, 2), most=1000),
    "too few labels": lambda: lm.census(1, 3, (0, 1)),
    "no whole number": lambda: lm.census(2.5, 3, (0, 1)),
    "no range of entries": lambda: lm.census(3, 3, (2, 0)),
    "a text for entries": lambda: lm.census(3, 3, "0..2"),
    "entries that differ too much": lambda: lm.census(3, 3, (0, 10**9)),
    "too many rows": lambda: lm.census(2, 2, (0, 50_000)),
    "too many decisions": lambda: lm.census(3, 9, (0, 1)),
    "too many labels": lambda: lm.census(99, 3, (0, 1)),
}


def test_messages_of_the_page_of_explore(snapshot):
    assert messages(OF_THE_PAGE) == snapshot


def test_messages_of_a_census(snapshot):
    assert messages(OF_A_CENSUS) == snapshot


def test_a_census(snapshot, tmp_path):
    def impatient(done, _):
        if done == 3:
            raise KeyboardInterrupt

    whole = command("census --labels 2 --decisions 3 --entries 0..1 --no-certificates", tmp_path)
    refused = command("census --labels 2 --decisions 3 --entries=2..0", tmp_path)
    part = str(lm.census(2, 3, (0, 1), certificates=False, progress=impatient))
    assert "\n".join([whole, refused, part]) == snapshot


def test_a_port_in_use_is_refused(snapshot, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert command(f"explore --no-browser --port {port}", tmp_path, replace={port: "PORT"}) == snapshot
