"""What the commands print: one snapshot for each, with its help, typical answers and refusals.

The commands run in a folder with FILES, for a terminal of 100 columns. What depends on the machine is replaced by a
word in capitals; decimals that are computed in floats by 0.0; the paper, the self-test and the server are cut short.
"""

from __future__ import annotations

import re

import pytest
from printed import command

from lossmith import paper, selftest
from lossmith.cli import COMMANDS

HEAD = "truth,approve,review,decline\n"
FILES = {
    "costs.csv": HEAD + "genuine,0,5,20.5\nfraud,350,25.25,0\n",
    "gains.csv": HEAD + "genuine,30,25,-10\nfraud,-350,-25,0\n",
    "probabilities.csv": "case,fraud,genuine\na1,0.001,0.999\na2,0.05,0.95\na3,0.9,0.1\n",
    # Tables that are refused.
    "word.csv": "truth,a,b\nx,0,cheap\ny,1,0\n",
    "infinite.csv": "truth,a,b\nx,0,inf\ny,1,0\n",
    "short.csv": "truth,a,b\nx,0\ny,1,0\n",
    "empty.csv": "",
    "one-row.csv": "truth,a,b\nx,0,1\n",
    "twice.csv": "truth,a,b\nx,0,1\nx,1,0\n",
    "transposed.csv": "decision \\ truth,a,b\nx,0,1\ny,1,0\n",
    "table.json": "[]",
    # Probabilities that are refused.
    "no-label.csv": "case,fraud\na1,0.1\n",
    "sum.csv": "case,fraud,genuine\na1,0.1,0.9\na2,0.1,0.8\n",
    "zeros.csv": "case,fraud,genuine\na1,0,0\n",
    "negative.csv": "case,fraud,genuine\na1,-0.1,1.1\n",
    "no-number.csv": "case,fraud,genuine\na1,nan,1\n",
    "missing.csv": "case,fraud,genuine\na1,,1\n",
    "two-columns.csv": "case,fraud,genuine,fraud\na1,0.1,0.9,0.1\n",
    "decided.csv": "decision,fraud,genuine\na1,0.1,0.9\n",
    "no-rows.csv": "case,fraud,genuine\n",
    "short-row.csv": "case,fraud,genuine\na1,0.1\n",
    # Files of one's own.
    "mine.py": (
        "import lossmith as lm\n"
        "squares = lm.surrogates.square([[0], [1], [2]])\n"
        "hole = [lambda u: [u[0] <= 1], None, lambda u: [u[0] >= 2]]\n"
        "other = 3\n"
    ),
    "interrupted.py": "raise KeyboardInterrupt\n",
    "bad.json": '{"format": "lossmith-certificate"}',
}
LINES = {
    "analyze": [
        "analyze costs.csv",
        "analyze costs.csv --theory --exact",
        "analyze gains.csv --gains --theory",
        "analyze zero-one:n=9 --no-cells --theory",
        "analyze zero-one:n=30 --max-vertices 1000 --theory",
        "analyze gains.csv",
        "analyze zero-one:n=3 --gains",
        "analyze abstian:n=3",
        "analyze abstain:m=3",
        "analyze cost.csv",
        "analyze word.csv",
        "analyze infinite.csv",
        "analyze short.csv",
        "analyze empty.csv",
        "analyze one-row.csv",
        "analyze twice.csv",
        "analyze transposed.csv",
    ],
    "decide": [
        "decide costs.csv probabilities.csv --full",
        "decide gains.csv probabilities.csv --gains -o decisions.csv",
        "decide costs.csv no-label.csv",
        "decide costs.csv sum.csv",
        "decide costs.csv negative.csv",
        "decide costs.csv no-number.csv",
        "decide costs.csv missing.csv",
        "decide costs.csv two-columns.csv",
        "decide costs.csv decided.csv",
        "decide costs.csv no-rows.csv",
        "decide costs.csv short-row.csv",
        "decide costs.csv empty.csv",
        "decide costs.csv zeros.csv --normalize",
        "decide costs.csv table.json",
        "decide costs.csv probabilities.csv -o decisions.xlsx",
        "decide - -",
    ],
    "plot": [
        "plot costs.csv -o costs.svg",
        "plot zero-one:n=9 --labels 0,1,2,3,4",
        "plot zero-one:n=9 --labels 0,zero",
        "plot zero-one:n=9 --graph --labels 0,1",
        "plot zero-one:n=3 -o picture.gif",
        "plot zero-one:n=3 --point 1/2,1/2",
        "plot zero-one:n=3 --point 7=1",
    ],
    "check": [
        "check crammer-singer zero-one:n=3",
        "check crammer-singer zero-one:n=3 --pred argmax --latex",
        "check crammer-singer abstain:n=3 --pred argmax-gap:tau=1/2 --certificate proof.json",
        "check softmax ordinal:n=3",
        "check softmax ordinal:n=3 --pred argmax --within p[0]>=1/5",
        "check one-vs-all-logistic abstain:n=3 --pred argmax-threshold:tau=1 --certificate no.json",  # floats
        "check costs.csv softmax",
        "check LinearSVC costs.csv",
        "check cramer-singer zero-one:n=3",
        "check crammer-singer:n=3 zero-one:n=4",
        "check absent.py:psi zero-one:n=3",
        "check mine.py zero-one:n=3",
        "check mine.py:othr zero-one:n=3",
        "check mine.py:other zero-one:n=3",
        "check absolute ordinal:n=3 --pred mine.py:hole",
        "check softmax zero-one:n=3 --pred argmx",
        "check crammer-singer abstain:n=3 --pred argmax-gap:tau=-1",
        "check crammer-singer abstain:n=3 --pred argmax-gap:t=1",
        "check crammer-singer zero-one:n=3 --pred decide",
        "check crammer-singer zero-one:n=3 --within p[0]>=2",
        "check crammer-singer zero-one:n=3 --within p[0]*p[1]>=0",
    ],
    "regret": [
        "regret crammer-singer abstain:n=3",
        "regret lee-lin-wahba zero-one:n=3 --against softmax",
        "regret crammer-singer zero-one:n=3",
        "regret softmax zero-one:n=3 --certificate no.json",
        "regret lee-lin-wahba zero-one:n=4 --max-vertices 5",
        "regret constrained-loss ordinal:n=3 --pred decide",
        "regret softmax zero-one:n=3 --plot regrets.gif",
    ],
    "demonstrate": [
        "demonstrate softmax ordinal:n=3 --pred argmax",  # floats
        "demonstrate softmax ordinal:n=3 --pred decide",
        "demonstrate mine.py:squares zero-one:n=3",
    ],
    "scan": [
        "scan epsilon-insensitive:n=3,eps=? ordinal:n=3 --from 0 --to 1",
        "scan crammer-singer abstain:n=3 --from 0 --to 2",
        "scan absolute:n=? ordinal:n=3 --from 1 --to 0",
    ],
    "ccdim": [
        "ccdim abstain:n=3",
        "ccdim costs.csv --latex",
        "ccdim abstain:n=6 --seconds 0",
        "ccdim zero-one:n=30 --max-vertices 50",
        "ccdim abstian:n=3",
    ],
    "design": [
        "design abstain:n=4",
        "design costs.csv",
        "design zero-one:n=6 --method max-min-hinge --max-vertices 10",
    ],
    "which": [
        "which ordinal:n=3 --estimator mord",
        "which costs.csv --estimator Ridge",
        "which zero-one:n=3 --estimator svc --class-weight 1,1,5",
        "which zero-one:n=30 --estimator NuSVC",
        "which zero-one:n=3 --class-weight 1,2",
        "which zero-one:n=3 --estimator LinarSVC",
    ],
    "sensitivity": [
        "sensitivity costs.csv --uncertainty 10",
        "sensitivity zero-one:n=3 --practice guesswork",
        "sensitivity zero-one:n=3 --uncertainty 200",
        "sensitivity zero-one:n=3 --uncertainty 5,x",
    ],
    "ranking-table": ["ranking-table --to 3", "ranking-table --to 1"],
    "report": [
        "report zero-one:n=2 -o report.html",
        "report zero-one:n=2 -o report.pdf",
        "report zero-one:n=2 -o none/report.json",
    ],
    "explore": ["explore costs.csv --no-browser", "explore abstian:n=3"],
    "families": ["families", "families abstain", "families abstian", "families focal-loss:n=3"],
    "catalogue": [
        "catalogue --losses abstain --surrogates crammer-singer",
        "catalogue --losses zero-on",
        "catalogue -n 1",
    ],
    "atlas": [
        "atlas site --losses abstain --surrogates absolute -n 2",
        "atlas site --verify",
        "atlas site --losses abstian",
    ],
    "census": ["census --labels 2 --decisions 2", "census --labels 3", "census --labels 2 --decisions 2 -o census.pdf"],
    "verify": [
        "check crammer-singer zero-one:n=3 --certificate proof.json",
        "verify proof.json",
        "verify proof.json --explain",
        "verify bad.json",
        "verify absent.json",
    ],
    "reproduce": ["reproduce", "reproduce ."],
    "selftest": ["selftest"],
}
MISUSES = ["xyzzy", "analyze", "analyze costs.csv superfluous", "analyze costs.csv --theroy"]
INTERRUPTED = "check interrupted.py:psi zero-one:n=3"
WITH_FLOATS = {
    line for lines in LINES.values() for line in lines if line.startswith(("demonstrate softmax", "check one"))
}
CHANGING = {  # what depends on the machine or on the version
    r"http://127\.0\.0\.1:\S+": "ADDRESS",
    r"(?m)^lossmith \d.*": "VERSIONS",
    r"(?<=^lossmith, version ).*": "VERSION",
    r"\(\d+\.\d s\)": "(SECONDS)",
    r"(?<=standard error ---\n)\n": "",  # of some versions of click, at an interruption
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture
def short(monkeypatch):
    """Cut short what takes long, and let a server end at once."""
    wrong = selftest.Check("one and one", lambda: 1 + 1, 3)
    monkeypatch.setattr(selftest, "CHECKS", (selftest.CHECKS[1], wrong))
    monkeypatch.setattr(paper, "ITEMS", paper.ITEMS[6:10])
    monkeypatch.setattr("uvicorn.Server.run", lambda _, sockets: [each.close() for each in sockets])


def transcript(lines, folder):
    """Return what these commands print, one after the other, without what changes."""
    return "\n".join(constant(line, command(line, folder)) for line in lines)


def constant(line, printed):
    """Return a transcript without what changes; of a list of all families only its beginning."""
    head, text = printed.split("\n", 1)
    for pattern, name in CHANGING.items():
        text = re.sub(pattern, name, text)
    if line in WITH_FLOATS:
        text = re.sub(r"-?\d+\.\d+", "0.0", re.sub(r"\d+ ± \d+", "0 ± 0", text))
    if line == "families":
        text = "".join([*text.splitlines(keepends=True)[:7], "…\n"])
    return f"{head}\n{text}"


def test_every_command_is_shown():
    assert sorted(LINES) == sorted(each.name for each in COMMANDS)


@pytest.mark.parametrize("name", LINES)
def test_command(name, folder, short, snapshot):
    assert transcript([f"{name} --help", *LINES[name]], folder) == snapshot


def test_lossmith(folder, snapshot):
    assert transcript(["--help", "--version", *MISUSES, INTERRUPTED], folder) == snapshot
