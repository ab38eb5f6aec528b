"""No name forges a line: whatever things are called in a file, it is printed on one line, and escaped."""

from __future__ import annotations

import io
import json
import pickle
import re
import sys
import time
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import lossmith as lm
from lossmith.answers.cataloguing import catalogue
from lossmith.answers.study import analyze
from lossmith.cli.options import progress_bar
from lossmith.errors import BadInput
from lossmith.reporting import report
from lossmith.surrogates import softmax
from lossmith.text.names import one_line

FORGED = "FORGED: calibrated"
# A line feed, a carriage return, clearing the screen, right to left, Unicode's own line separators, 8-bit escapes.
EVILS = ["\n", "\r", "\x1b[2J", "\u202e", "\u2028", "\u2029", "\x85", "\x9b0m", "\x0b", "\x7f", "\u2066"]
BAD = "".join(f"{evil}{FORGED}" for evil in EVILS)
ENTRIES = [[0, 1, 4], [2, 0, 1], [9, 3, 0]]
LABELS, PREDICTIONS = [f"{y}{BAD}" for y in "xyz"], [f"{t}{BAD}" for t in "abc"]

MINE = f"""
import lossmith as lm
psi = lambda n: lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=n, dim=1, name={f"psi{BAD}"!r})
regions = [lambda u: [u[0] <= 1], lambda u: [u[0] >= 1, u[0] <= 2], lambda u: [u[0] >= 2]]
pred = lambda surrogate, loss: lm.Pred.from_regions(regions, 1, name={f"pred{BAD}"!r})
def broken(n):
    raise ValueError({BAD!r})
"""


@cache
def costs() -> lm.LossMatrix:
    return lm.LossMatrix(ENTRIES, LABELS, PREDICTIONS, name=f"loss{BAD}")


def assert_harmless(text: str) -> None:
    lines = text.split("\n")
    assert [line for line in lines if not line.replace("\xa0", " ").isprintable()] == []
    assert [line for line in lines if re.match(r"\W*FORGED", line)] == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.json").write_text(costs().to_json())
    content = json.loads(costs().to_json())
    (tmp_path / "named.json").write_text(json.dumps({**content, "name": f"loss{BAD}"}))
    (tmp_path / "two.json").write_text(costs().restrict(LABELS[:2], PREDICTIONS[:2]).to_json())
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("analyze", "named.json"), 0),
        pytest.param(("analyze", "two.json"), 0, marks=pytest.mark.exhaustive),
        (("check", "mine.py:psi", "evil.json"), 1),
        pytest.param(("check", "mine.py:psi", "evil.json", "--pred", "mine.py:pred"), 1, marks=pytest.mark.exhaustive),
        (("check", "mine.py:psi", "evil.json", "--pred", "mine.py:pred", "--latex"), 1),
        (("check", "mine.py:broken", "evil.json"), 2),
        (("check", "softmax:n=3", "evil.json"), 0),
        pytest.param(("check", "softmax:n=3", "evil.json", "--latex"), 0, marks=pytest.mark.exhaustive),
        (("check", "absolute:n=4", "named.json"), 2),
        (("which", "evil.json"), 0),
        (("ccdim", "evil.json"), 0),
        (("ccdim", "evil.json", "--latex"), 0),
        (("design", "evil.json"), 0),
        (("catalogue", "--losses", "named.json", "--surrogates", "mine.py:psi"), 0),
        pytest.param(
            ("catalogue", "--losses", "named.json", "--surrogates", "softmax", "--format", "markdown"),
            0,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            ("catalogue", "--losses", "named.json", "--surrogates", "softmax", "--format", "latex"),
            0,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            ("catalogue", "--losses", "named.json", "--surrogates", "softmax", "--format", "html"),
            0,
            marks=pytest.mark.exhaustive,
        ),
        (("plot", "evil.json", "--point", f"{FORGED}=1"), 2),
        (("analyze", f"nowhere{BAD}.csv"), 2),
        (("analyze", f"no-family{BAD}"), 2),
        (("plot", "zero-one:n=3", "--point", f"7{BAD}=1"), 2),
        (("design", "zero-one:n=3", "--method", BAD), 2),
        (("check", "softmax:n=3", "evil.json", "--within", BAD), 2),
        (("verify", f"nowhere{BAD}"), 2),
        ((f"command{BAD}",), 2),
        (("analyze", "zero-one:n=3", f"extra{BAD}"), 2),
        (("catalogue", "-n", BAD), 2),
        pytest.param(("plot", "zero-one:n=3", "-o", f"picture{BAD}.svg"), 0, marks=pytest.mark.exhaustive),
    ],
)
def test_no_command_prints_a_name_that_is_obeyed(folder, lossmith, arguments, code):
    found, out, complaint = lossmith(*arguments)

    assert found == code, complaint
    assert_harmless(out)
    assert_harmless(complaint)


def test_a_proof_is_explained_without_forged_lines(folder, lossmith):
    pair = ("mine.py:psi", "named.json", "--pred", "mine.py:pred")
    assert lossmith("check", *pair, "--certificate", f"proof{BAD}.json")[0] == 1
    code, out, _ = lossmith("verify", f"proof{BAD}.json", "--explain")

    assert code == 0
    assert out.splitlines()[0] == str(lm.verify((folder / f"proof{BAD}.json").read_text()))
    assert_harmless(out)


@pytest.mark.parametrize("arguments", [("analyze",), ("ccdim",), ("which",), ("check", "softmax:n=3")])
def test_json_is_harmless_on_a_terminal_and_means_the_same(folder, lossmith, arguments):
    code, out, _ = lossmith(*arguments, "evil.json", "--json")

    assert code == 0
    assert_harmless(out)
    content = json.loads(out)
    if arguments == ("analyze",):
        assert content["loss"]["labels"] == LABELS
        assert content["loss"]["predictions"] == PREDICTIONS


def test_pages_and_prints_of_the_library_are_harmless():
    study = analyze(costs())
    made = report(study)
    table = catalogue([costs()], [softmax], 3)
    shown = [study, costs(), study.dimension, *study.verdicts, made.fewest, *(study.trigger_sets or ())]
    for each in shown:
        assert_harmless(f"{each}")
        assert_harmless(repr(each))
        if hasattr(each, "_repr_html_"):
            assert_harmless(each._repr_html_())
    for text in (made.to_html(), table.to_html(), table.to_text(), table.to_markdown(), table.to_latex()):
        assert_harmless(text)


def test_a_progress_bar_shows_a_name_as_it_is(monkeypatch):
    """Not as markup, in which [/red] without [red] is an error."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr("lossmith.cli.options.SOON", 0.0)
    with progress_bar("cells of [/red]") as progress:
        progress(1, 2)
        end = time.monotonic() + 10
        while not sys.stderr.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
    assert "cells of [/red]" in sys.stderr.getvalue()


def test_an_error_is_one_line_whatever_it_quotes():
    assert_harmless(str(BadInput(f"cannot read {BAD}")))


def test_the_names_themselves_are_kept(tmp_path):
    """Escaped in print, they still meet the labels in the data, in arrays, files and pickles."""
    costs().to_json(tmp_path / "costs.json")
    for loss in (costs(), lm.LossMatrix.from_json(tmp_path / "costs.json"), pickle.loads(pickle.dumps(costs()))):
        assert list(loss.labels) == LABELS
        assert np.array(loss.labels).tolist() == LABELS
        assert loss.restrict(labels=LABELS[:2]).labels == tuple(LABELS[:2])
    assert costs().decide([[1, 0, 0], [0, 0, 1]]).tolist() == [PREDICTIONS[0], PREDICTIONS[2]]
    assert costs().decide([1, 0, 0]) == PREDICTIONS[0]
    assert costs().scale_rows({LABELS[0]: 2}).entries[0][2] == Fraction(8)
    assert lm.check(lm.surrogates.softmax(3), costs()).certificate.content["loss"]["labels"] == LABELS


def test_letters_of_all_scripts_are_left_alone():
    for name in ("à\u00a0risque", "می\u200cخواهم", "全角\u3000空白", "👩\u200d⚕️", "naïve “quotes” – dash"):
        assert one_line(name) == name


@cache
def genuine() -> str:
    return lm.check("crammer-singer:n=3", "zero-one:n=3", pred="argmax").certificate.text


IMITATIONS = [
    "zero_one(n=3)",
    "the loss",
    '"',
    "\\",
    'x" for "zero_one(n=3)": u = (0, 0, 0), 1 point; given that "',
    "x\\",  # as the last character, it would escape the quotation mark
    "zero_one(n=3)\u201d: accepted, given nothing",  # quotation marks and letters that look like them
    "zero_one(n=3)\ua78c\ua78c: accepted; \u02baNOT\u05f4 \uff02",
    "\u202e\u2066detpecca\u2069",  # from right to left, by order and by nature
    "\u05d0\u05d1 1 \u05d2",
    "zero\u200b_\ufeffone\u2060(n\u00ad=3)\u034f\u3164",  # widths of nothing
    "zero\u0301\u0489" * 9,  # marks that fall on the letter before them, or beyond the line
    "x\r\naccepted: calibrated: \x1b[2K\x85\u2028\x7f\ud800",
    'x"' * 500,
    "1",
]


def quotations(line: str) -> list[str]:
    """What the line quotes, as JSON is read, and then the line without these words."""
    found, rest, decoder = [], "", json.JSONDecoder()
    while '"' in line:
        before, _, after = line.partition('"')
        word, end = decoder.raw_decode('"' + after)
        line = ('"' + after)[end:]
        rest += before + '""'
        found.append(word)
    return [*found, rest + line]


@pytest.mark.parametrize("name", IMITATIONS)
def test_no_name_in_a_certificate_can_pass_for_the_verdict(name, tmp_path, lossmith):
    """Names are quoted, and the line without its quotations is the same whatever they are."""
    content = json.loads(genuine())
    for part in ("loss", "surrogate", "pred"):
        content[part]["name"] = name
    content["loss"] |= {"labels": [name, f"{name}2", "z"], "predictions": [f"{name}1", name, 2]}
    (tmp_path / "proof.json").write_text(json.dumps(content))
    answer = lm.verify(json.dumps(content))
    plain = quotations(str(lm.verify(genuine())))[-1]
    lines = str(answer), lossmith("verify", str(tmp_path / "proof.json"))[1].removesuffix("\n")
    long = "…" * (len(name) > 80)
    for line in lines:
        *words, rest = quotations(line)
        assert words == [name[:80]] * 3
        assert rest == plain.replace('""', f'""{long}')
        assert line.replace("…", "").isascii()
    account = lossmith("verify", str(tmp_path / "proof.json"), "--explain")[1]
    for i, line in enumerate(account.splitlines()):
        *words, rest = quotations(line)
        assert {*words} <= {name[:80], f"{name}1"[:80], f"{name}2"[:80], "z"}
        assert "zero_one" not in rest
        assert "accepted" not in rest or i == 0
    told = json.loads(lossmith("verify", str(tmp_path / "proof.json"), "--json")[1])
    assert told["why"] == answer.why


@pytest.mark.parametrize("name", IMITATIONS)
def test_no_word_of_a_certificate_can_pass_for_a_rejection(name):
    content = json.loads(genuine())
    changes = [{"claim": name}, {"format": name}, {name: 1}, {"surrogate": {"estimates": [], "theorem": name}}]
    for change in changes:
        answer = lm.verify(json.dumps({**content, **change}))
        assert not answer.accepted
        *words, _ = quotations(str(answer))
        assert words == [name[:80]]
        assert str(answer).replace("…", "").isascii()
