"""lossmith reproduce: the paper, item by item."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossmith.cli.options import progress_bar
from lossmith.cli.printing import say, say_json, say_wrote
from lossmith.cli.workers import store_option, workers_options
from lossmith.sweeping.store import Store
from lossmith.text.files import filling, refuse_foreign

if TYPE_CHECKING:
    from lossmith.paper.reproducing import Result


@click.command("reproduce", short_help="Compute the paper and compare.")
@click.argument("directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@workers_options
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def reproduce_command(directory: Path | None, n_jobs: int | None, store: Store | None, as_json: bool) -> int:
    """Compute every example, figure and theorem of the paper and compare: exit 1 if any of them differs.

    With DIR, a new or empty directory or one made by this command, DIR/index.html shows all of it, and every figure
    is there as SVG and PNG. Marks: ✓ agrees, ✓ sharper (agrees, and more is proved), heading, proof only, ✗ differs.

    \b
    lossmith reproduce
    lossmith reproduce paper/
    lossmith reproduce --json --jobs 2 --store paper.sqlite
    """
    from lossmith import paper
    from lossmith.paper.page import GENERATOR
    from lossmith.paper.reproducing import as_data, as_text, certificates, counts, reproduce, write_pages

    if directory is not None:
        refuse_foreign(directory, GENERATOR, "lossmith reproduce")
    with nullcontext() if directory is None else filling(directory) as folder:
        with progress_bar("the paper") as progress:
            results = reproduce(paper.ITEMS, progress, n_jobs=n_jobs, store=store)
        if folder is not None:
            with progress_bar("figures") as progress:
                write_pages(results, folder, progress)
    if as_json:
        say_json(as_data(results))
    else:
        print_table(results) if sys.stdout.isatty() else say(as_text(results))
        marks = ", ".join(f"{number} {mark}" for mark, number in counts(results).items())
        kinds = ", ".join(f"{number} {kind}" for kind, number in certificates(results).items())
        say(f"{marks}; certificates: {kinds}")
        if directory is not None:
            say_wrote(directory / "index.html")
    return 1 if counts(results)["✗"] else 0


def print_table(results: Sequence[Result]) -> None:
    """Print the outcomes in a table as wide as the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {"✓": "green", "✓ sharper": "bold cyan", "heading": "dim", "proof only": "dim", "✗": "bold red"}
    table = Table("label", "mark", "computed", box=None, pad_edge=False)
    table.columns[0].overflow = "fold"
    table.columns[1].no_wrap = True
    for item, outcome in results:
        style = styles[outcome.mark]
        said = " — ".join(filter(None, [outcome.computed or item.title, outcome.difference]))
        table.add_row(Text(item.label), Text(outcome.mark, style), Text(said, style if outcome.mark == "✗" else ""))
    Console().print(table)
