"""The documents tell the truth: their examples run, and the output they show is what the commands print."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from pathlib import Path

import pytest

from command import lossmith, lossmith_in_a_process
from lossmith.answers.practice import PRACTICES
from lossmith.cli import COMMANDS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def marked(path):
    """The document, with the mark of what its examples need."""
    marks = [pytest.mark.needs_torch] if "import torch" in path.read_text() else []
    return pytest.param(path, id=path.name, marks=marks)


@pytest.mark.parametrize("path", [marked(path) for path in DOCUMENTS])
def test_examples_in_documents_run(path):
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)

    assert failed == 0
    assert tried > 0 or ">>>" not in path.read_text()


def test_the_readme_shows_what_the_demo_prints():
    printed = lossmith_in_a_process("analyze", "examples/triage.csv", cwd=ROOT).stdout
    shown = (ROOT / "README.md").read_text().split("analyze examples/triage.csv\n")[1].split("  …\n")[0]

    assert printed.startswith(shown)
    assert len(shown.splitlines()) > 12


def commands_shown():
    """Every command of ours that a document shows, with the output below it."""
    for path in DOCUMENTS:
        for block in path.read_text().split("```console\n")[1:]:
            lines = block.split("```")[0].splitlines()
            starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
            for i, end in zip(starts, [*starts[1:], len(lines)], strict=True):
                words = shlex.split(lines[i][2:], comments=True)
                if words[0] == "lossmith" and end > i + 1:
                    yield pytest.param(words[1:], lines[i + 1 : end], id=f"{path.stem}: {' '.join(words)}")


@pytest.mark.parametrize(("arguments", "shown"), list(commands_shown()))
def test_documents_show_what_the_commands_print(arguments, shown, tmp_path):
    run = lossmith(*arguments, cwd=tmp_path)

    assert run.stdout.splitlines() == shown
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


def test_the_lists_of_families_are_what_make_lists_writes():
    script = runpy.run_path(str(ROOT / "docs" / "lists.py"))

    stale = [path.name for path, text in script["written"]().items() if path.read_text() != text]
    assert stale == [], "run make lists"


def test_the_printed_table_is_that_of_the_documents():
    printed = lossmith("catalogue", "-n", "2", "--format", "markdown").stdout

    assert f"\n{printed}\n" in (ROOT / "docs" / "catalogue.md").read_text()


def test_every_relative_link_in_documents_leads_somewhere():
    for path in {*DOCUMENTS, *ROOT.glob("*.md")}:
        targets = re.findall(r"\]\((?!https:)([^)#]+)\)|src=\"([^\"]+)\"", path.read_text())
        missing = [t for pair in targets for t in pair if t and not (path.parent / t).exists()]
        assert missing == [], path
