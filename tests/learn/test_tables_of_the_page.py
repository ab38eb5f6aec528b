"""docs/learning.md counts what its tables show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parent.parent.parent / "docs" / "learning.md").read_text()
GROUPS = ("AFTER", "LAST", "LATER", "FRESH", "FIRST")


def shown(group):
    """The header and the rows of a table, cell by cell, and on how many tasks "auto" is told to be near the best."""
    text = PAGE.split(f"<!-- table: {group} -->\n")[1].split("<!-- end of table -->")[0]
    header, _, *rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|"))
    told = re.search(r"best column on (\d+) tasks: auto on (\d+)", text)
    return header, rows, [int(each) for each in told.groups()]


@pytest.mark.parametrize("group", GROUPS)
def test_auto_is_near_the_best_on_all_tasks_but_those_that_are_marked(group):
    _, rows, (tasks, near) = shown(group)
    assert len(rows) == tasks
    assert sum("✗" not in row[1] for row in rows) == near


@pytest.mark.parametrize("group", GROUPS)
def test_the_least_mean_of_a_row_is_bold(group):
    for title, _, *cells in shown(group)[1]:
        means = {cell: float(cell.strip("*").split(",")[0]) for cell in cells if cell != "–"}
        assert [means[cell] for cell in cells if cell.startswith("**")] == [min(means.values())], title


@pytest.mark.parametrize(("group", "tasks"), [("AFTER", 70), ("LAST", 65)])
def test_the_text_says_what_the_tables_count(group, tasks):
    _, _, (counted, near) = shown(group)
    assert counted == tasks
    assert near >= 0.8 * tasks  # the target
    assert re.search(
        rf"Of the {tasks} (last )?tasks[^.]*near the best (column )?on {near} \({near / tasks:.0%}\)",
        PAGE.replace(" %)", "%)"),
    )


@pytest.mark.parametrize(("group", "where"), [("AFTER", "Of the tasks after: "), ("LAST", "Of the last tasks: ")])
def test_the_text_names_the_sets_where_it_misses(group, where):
    told = PAGE.split("**Where it misses.** ")[1].split(where)[1].partition(".\n")[0].partition(". ")[0]
    missed = {row[0].partition(" (")[0] for row in shown(group)[1] if "✗" in row[1]}
    sets = {row[0].partition(" (")[0] for row in shown(group)[1]}
    assert {name for name in sets if re.search(rf"\b{re.escape(name)}\b", told)} == missed


def test_the_text_counts_what_the_former_best_won():
    bold = [
        header[place].strip("*")
        for header, rows, _ in map(shown, ("LATER", "FRESH", "FIRST"))
        for row in rows
        if "✗" in row[1]
        for place, cell in enumerate(row)
        if cell.startswith("**")
    ]
    assert f'those marked in the tables: {bold.count("best")} to the former "best", mushroom to least squares' in PAGE
    assert bold.count("square") == 1


@pytest.mark.parametrize(("group", "tasks"), [("AFTER", 13), ("LAST", 0)])
def test_best_is_a_column_where_at_least_two_thousand_examples_are_trained_on(group, tasks):
    """Four fifths of the examples are."""
    header, rows, _ = shown(group)
    sizes = {row[0]: int(re.search(r"\((\d+) × ", row[0])[1]) for row in rows}
    larger = [title for title, size in sizes.items() if 4 * size >= 5 * 2000]
    place = header.index("best") if "best" in header else None
    assert [row[0] for row in rows if place and row[place] != "–"] == larger
    assert len(larger) == tasks
