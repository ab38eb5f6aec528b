"""What several commands share: how losses and surrogates are named, options, the progress bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.families import usage
from lossmith.geometry.double_description import Progress
from lossmith.losses import CATALOGUE, RANKING
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.text.files import refuse_unwritable
from lossmith.text.numbers import as_fractions

F = TypeVar("F", bound=Callable[..., Any])

LOSS_HELP = "LOSS is a .csv, .tsv or .json file (rows: truth, columns: decision), or a family:\n\n\b\n" + "\n".join(
    f"  {usage(each)}" for each in (*CATALOGUE, *RANKING)
)


SURROGATE_HELP = (
    "SURROGATE is a family, or file.py:name (the file is executed), a surrogate or a function of n:\n\n\b\n"
    + "\n".join(f"  {usage(each)}" for each in SURROGATES)
)


class _OutputFile(click.Path):
    """A file to be written; that its folder is there is seen before the work is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        refuse_unwritable(str(path))
        return path


OUTPUT_FILE = _OutputFile(dir_okay=False)

exact_option = click.option(
    "--exact",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: context.with_resource(as_fractions()) if wanted else None,
    help="Print numbers exactly, as fractions.",
)

certificate_option = click.option("--certificate", type=OUTPUT_FILE, help="Write the proof to this JSON file.")

max_vertices_option = click.option(
    "--max-vertices",
    type=click.IntRange(min=1),
    default=MAX_VERTICES,
    show_default=True,
    help="Give up when the cells have more vertices than this.",
)
corners_option = click.option(
    "--max-vertices",
    type=click.IntRange(min=1),
    default=None,
    show_default="10000, fewer above 100 labels",
    help="Do without the corners of the cells when they are more than this.",
)

pred_option = click.option(
    "--pred",
    help="The pred that decides: argmax, sign, nearest, sort, argmax-gap:tau=1/2, argmax-threshold:tau=0, "
    "sign-code:tau=1/2, decide (least expected loss), or file.py:name (executed).  "
    "[default: whether any pred would do]",
)
within_option = click.option(
    "--within",
    multiple=True,
    help='Only distributions with, e.g., "p[0] >= 3/5, p[1] <= mild"; repeat it for a union.',
)

output_option = click.option("-o", "--output", type=OUTPUT_FILE, help="Write this file.  [default: print]")


def format_option(formats: Mapping[str, str]) -> Callable[[F], F]:
    """The option --format, and --json for one of its values."""
    chosen = click.option(
        "--format", "form", type=click.Choice(list(formats)), help="[default: by the ending of FILE, else the first]"
    )
    as_json = click.option("--json", "form", flag_value="json", help="The same as --format json.")
    return lambda command: chosen(as_json(command))


def format_wanted(form: str | None, output: str | None, formats: Mapping[str, str], default: str) -> str:
    """The format that was asked for, by name or by the ending of the file.

    >>> format_wanted(None, "table.tex", {"text": ".txt", "latex": ".tex"}, "text")
    'latex'
    """
    if form is not None:
        return form
    ending = "" if output is None else Path(output).suffix.lower()
    return next((name for name, known in formats.items() if known == ending), default)


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """A progress bar on the terminal for work that takes longer than a moment; nothing when piped."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    started = time.monotonic()
    task = bar.add_task(escape(title), total=None)

    def report(done: int, total: int) -> None:
        if time.monotonic() - started > 0.5:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        bar.stop()
