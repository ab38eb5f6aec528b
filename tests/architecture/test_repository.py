"""The repository speaks for itself: no paths of one machine, no ticket numbers, no label that the paper lacks."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LABELS = (Path(__file__).parent / "paper_labels.txt").read_text().split()
KINDS = ("thm", "lem", "exmp", "fig", "def", "cor", "prop", "eqn", "sec", "subsec", "app")
# Written so that this file does not contain what it looks for.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(" + "|".join(["work", "root", "home", "tmp", "opt", "Users"]) + r")/")
HOST = re.compile(r"\b(" + "|".join(["pypi", "pythonhosted", "anaconda"]) + r")\.org\b")
TICKET = re.compile("issue" + r"\s#", re.IGNORECASE)
CITED = re.compile(rf"\b(?:{'|'.join(KINDS)}):[A-Za-z0-9][A-Za-z0-9'-]*")


@cache
def files() -> dict[Path, str]:
    """The text of every file that is, or will be, in the repository."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a clone of the repository")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [ROOT / name for name in listed.split("\0") if name]
    return {path.relative_to(ROOT): path.read_text(errors="replace") for path in paths if path.is_file()}


def test_the_patterns_find_what_they_look_for():
    for text in ("see /" + "work/shared", "'/" + "root/x'", "(/" + "tmp/a)"):
        assert MACHINE_PATH.search(text)
    for text in ("src/" + "work/shared", "tree/" + "root/leaf", "https://a.b/c"):
        assert not MACHINE_PATH.search(text)
    assert HOST.search("https://" + "pypi." + "org/project")
    assert TICKET.search("see Issue" + " #12")
    assert CITED.findall("(`thm:ccdim-upper-bound`, lem:pred-pred') def: exmp:…") == [
        "thm:ccdim-upper-bound",
        "lem:pred-pred'",
    ]


def test_no_file_holds_a_path_of_one_machine():
    texts = files()
    assert Path("pyproject.toml") in texts
    assert [str(path) for path, text in texts.items() if MACHINE_PATH.search(text)] == []


def test_no_file_names_the_host_of_a_registry():
    assert [str(path) for path, text in files().items() if HOST.search(text)] == []


def test_no_file_refers_to_a_ticket():
    assert [str(path) for path, text in files().items() if TICKET.search(text)] == []


def test_the_labels_of_the_paper_are_listed_once_each():
    assert sorted(set(LABELS)) == LABELS
    assert {label.split(":")[0] for label in LABELS} == set(KINDS)


def test_every_label_that_is_cited_belongs_to_the_paper():
    documents = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    cited = {
        (label, path.relative_to(ROOT))
        for path in [*(ROOT / "src").rglob("*.py"), *documents]
        for label in CITED.findall(path.read_text())
    }
    assert cited
    unknown = {(label, str(path)) for label, path in cited if not {label, label.rstrip("'-")} & set(LABELS)}
    assert unknown == set()
