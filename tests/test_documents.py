"""The documents tell the truth: their examples run, and the output they show is what the commands print."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from pathlib import Path

import pytest

import lossmith as lm
from command import lossmith
from lossmith.answers.practice import PRACTICES
from lossmith.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").rglob("*.md"))]
LONG = {  # pages with examples of more than 0.15 s
    "beyond-the-paper.md",
    "findings.md",
    "learning.md",
    "regret.md",
    "tour.md",
    "tutorials/amounts.md",
    "tutorials/chunks.md",
    "tutorials/stars.md",
    "tutorials/subsets.md",
    "tutorials/torch_reject.md",
}
LONG_COMMANDS = {"census", "scan", "which"}


def marked(path):
    """Return the document as a parameter, with the mark of what its examples need."""
    name = path.relative_to(ROOT).as_posix()
    marks = [pytest.mark.needs_torch] if "import torch" in path.read_text() else []
    marks += [pytest.mark.exhaustive] if name.removeprefix("docs/") in LONG else []
    return pytest.param(path, id=name, marks=marks)


@pytest.mark.parametrize("path", [marked(path) for path in DOCUMENTS])
def test_examples_in_documents_run(path, monkeypatch):
    monkeypatch.chdir(ROOT)  # they read examples/
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)

    assert failed == 0
    assert tried > 0 or ">>>" not in path.read_text()


def test_every_long_page_exists():
    assert [name for name in sorted(LONG) if not (ROOT / "docs" / name).exists()] == []


def commands_shown(path):
    """Return the arguments of each command of ours that a document shows, typed or run by make, and the output."""
    shown = []
    for block in path.read_text().split("```console\n")[1:]:
        lines = block.split("```")[0].splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith(("$ ", ".venv/bin/lossmith "))]
        for i, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            words = shlex.split(lines[i].removeprefix("$ "), comments=True)
            if words[0].split("/")[-1] == "lossmith" and end > i + 1:
                shown.append((words[1:], lines[i + 1 : end]))
    return shown


def all_commands_shown():
    for path in DOCUMENTS:
        for words, output in commands_shown(path):
            slow = path != README and words[0] in LONG_COMMANDS
            marks = [pytest.mark.exhaustive] if slow else []
            yield pytest.param(words, output, id=f"{path.stem}: {' '.join(words)}", marks=marks)


@pytest.mark.parametrize(("arguments", "shown"), list(all_commands_shown()))
def test_documents_show_what_the_commands_print(arguments, shown, tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    run = lossmith(*arguments, cwd=tmp_path)
    printed = run.stdout.splitlines()

    if shown[-1].strip() == "…":  # the rest is left out
        shown = shown[:-1]
        printed = printed[: len(shown)]
    assert printed == shown
    assert run.stderr == ""


def test_the_table_of_estimators_is_the_one_that_which_uses():
    rows = [f"| {each.users.replace('; ', '<br>')} | {each.trains} | {each.pred} |" for each in PRACTICES]
    page = (ROOT / "docs" / "which.md").read_text()

    assert "\n".join(["| --- | --- | --- |", *rows, ""]) in page


def test_the_page_on_the_command_line_has_a_row_for_every_command():
    table = (ROOT / "docs" / "command-line.md").read_text().split("| --- | --- |\n")[1].split("\n\n")[0]

    rows = [row.split(" | ")[0] for row in table.splitlines()]
    assert sorted(re.findall(r"`([\w-]+)[^`]*`", "".join(rows))) == sorted(each.name for each in COMMANDS)


@pytest.mark.parametrize(
    ("page", "sentence"), [("command-line.md", r"\n(.*) ask many questions"), ("cluster.md", r" are options of (.*?);")]
)
def test_what_runs_on_many_processes_is_told_alike_everywhere(page, sentence):
    told = re.search(sentence, (ROOT / "docs" / page).read_text())[1]

    several = [each.name for each in COMMANDS if any("--jobs" in option.opts for option in each.params)]
    assert sorted(re.findall(r"`([\w-]+)`", told)) == sorted(several)


@pytest.mark.exhaustive
def test_the_lists_of_families_are_what_make_lists_writes():
    script = runpy.run_path(str(ROOT / "docs" / "lists.py"))

    stale = [path.name for path, text in script["written"]().items() if path.read_text() != text]
    assert stale == [], "run make lists"


@pytest.mark.parametrize(
    ("page", "part"),
    [("tour.md", "with_families"), ("reference.md", "with_sections"), ("findings.md", "with_verdicts")],
)
def test_a_list_of_families_is_what_make_lists_writes(page, part):
    script = runpy.run_path(str(ROOT / "docs" / "lists.py"))
    text = (ROOT / "docs" / page).read_text()

    assert script[part](text) == text, "run make lists"


@pytest.mark.exhaustive
def test_the_printed_table_is_that_of_the_documents():
    printed = lossmith("catalogue", "-n", "2", "--format", "markdown").stdout

    assert f"\n{printed}\n" in (ROOT / "docs" / "catalogue.md").read_text()


def test_the_page_on_sensitivity_shows_what_is_printed():
    rows, names = [[0, 5, "20.5"], [350, "25.25", 0]], ["approve", "review", "decline"]
    study = lm.sensitivity(lm.LossMatrix(rows, ["genuine", "fraud"], names, name="fraud"))

    assert f"```text\n{study}\n```" in (ROOT / "docs" / "sensitivity.md").read_text()


def test_every_relative_link_in_documents_leads_somewhere():
    for path in {*DOCUMENTS, *ROOT.glob("*.md")}:
        targets = re.findall(r"\]\((?!https:)([^)#]+)\)|src=\"([^\"]+)\"", path.read_text())
        missing = [t for pair in targets for t in pair if t and not (path.parent / t).exists()]
        assert missing == [], path
