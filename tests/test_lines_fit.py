"""No line that is printed is longer than a screen is wide, whatever the names and the numbers; errors break, too."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

import lossmith as lm
from command import lossmith
from lossmith.cli.printing import complain
from lossmith.learn.explanation import explained

WIDTH = 120
QUESTIONS = [
    "analyze {}",
    "which {} --estimator r",  # most of them
    "sensitivity {} --uncertainty 10",
    "ccdim {} --no-designs",
    "design {} --method square",
    "check softmax {} --pred decide",
    "check crammer-singer {}",
    "regret softmax {}",
    "regret cost-weighted-hinge {}",
]


def costs(n, k, words):
    """Numbers of 16 digits; names in many words, or in one long word."""
    names = [f"one that is told in many more words than fit {i}" if words else f"{'x' * 50}_{i}" for i in range(k + n)]
    return lm.LossMatrix(np.random.default_rng(n + k).random((n, k)) * 1000, names[:n], names[n:])


def longest(text):
    return max(map(len, text.splitlines()))


@pytest.mark.parametrize(
    ("n", "k", "words"), [(2, 3, True), (3, 3, False), pytest.param(4, 5, True, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_fits(tmp_path, question, n, k, words):
    costs(n, k, words).to_csv(tmp_path / "costs.csv")
    run = lossmith(*question.format("costs.csv").split(), cwd=tmp_path)
    assert run.returncode in (0, 1), run.stderr
    assert longest(run.stdout) <= WIDTH


@pytest.mark.parametrize(
    "question",
    [
        "families",
        "catalogue --losses zero-one --surrogates crammer-singer --surrogates rejection-plus-hinge",
        "census --labels 2 --decisions 2",
        pytest.param("catalogue --losses zero-one", marks=pytest.mark.exhaustive),
    ],
)
def test_every_list_fits(question):
    assert longest(lossmith(*question.split()).stdout) <= WIDTH


@pytest.mark.parametrize(("n", "k", "words"), [(2, 3, True), (3, 3, False), (20, 4, True)])
def test_every_matrix_and_explanation_fits(n, k, words):
    loss = costs(n, k, words)
    told = str(explained(np.full(n, 1 / n), loss.to_numpy(), loss.labels, loss.predictions))
    assert longest(told) <= WIDTH
    assert longest(str(loss)) <= WIDTH
    head = told.split("\n\n")[1].splitlines()[0]
    assert bool(re.search(r"\b18\b", head)) == (n == 20)  # so many labels stand together


def test_in_an_explanation_the_least_probable_labels_stand_together():
    p = np.array([0.001] * 15 + [0.485, 0.5])
    rows = str(explained(p, np.eye(17)[:, :2], range(17), ["a", "b"])).splitlines()[2:5]
    assert re.findall(r"\d+", rows[0])[-3:] == ["15", "16", "6"]
    assert rows[1].split()[-3:] == ["0.485", "0.5", "0.006"]


def test_names_that_are_cut_keep_their_ends():
    head = str(costs(2, 3, True)).splitlines()[0]
    assert head.count("one that") == 3
    assert all(f"fit {i}" in head for i in (2, 3, 4))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "lines"), [(Terminal, 5), (io.StringIO, 1)])
def test_errors_break_on_a_terminal_and_are_one_line_elsewhere(monkeypatch, stream, lines):
    monkeypatch.setenv("COLUMNS", "60")
    seen = stream()
    monkeypatch.setattr("sys.stderr", seen)
    complain("these are the names that exist: " + ", ".join(["'crammer-singer'"] * 10))
    shown = seen.getvalue().splitlines()
    assert len(shown) == lines
    assert lines == 1 or longest(seen.getvalue()) < 60
    assert "crammer-\n" not in seen.getvalue()
