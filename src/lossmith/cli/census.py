"""lossmith census: every loss of a small size."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path

import click

from lossmith.answers.census_text import as_csv, open_cases
from lossmith.answers.small_losses import MOST, Census, census
from lossmith.cli.options import OUTPUT_FILE, format_option, format_wanted, output_option, progress_bar
from lossmith.cli.printing import say_or_write, say_wrote
from lossmith.cli.workers import store_option, workers_options
from lossmith.constructions.search.run import BUDGET
from lossmith.errors import BadInput
from lossmith.sweeping.store import Store
from lossmith.text.files import folder, replacing

_FORMATS = {"text": ".txt", "csv": ".csv", "json": ".json"}
_BUDGET = "Configurations of points to try, in each dimension, where the bounds differ."
_OPEN = "Write the losses whose bounds differ to this file, a line of JSON each."


@click.command("census", short_help="Go through every loss of a small size.")
@click.option("--labels", type=click.IntRange(min=2), required=True, help="The number of labels.")
@click.option("--decisions", type=click.IntRange(min=1), required=True, help="The number of decisions.")
@click.option("--entries", default="0..1", show_default=True, help="The smallest and the largest entry.")
@click.option("--budget", type=click.IntRange(min=1), default=BUDGET, show_default=True, help=_BUDGET)
@click.option("--most", type=click.IntRange(min=1), default=MOST, show_default=True, help="Refuse more classes.")
@click.option("--open", "open_", type=OUTPUT_FILE, help=_OPEN)
@click.option("--certificates", type=click.Path(file_okay=False), help="Write the proofs into this folder.")
@click.option("--no-certificates", is_flag=True, help="Make no proofs, which takes a sixth of the time.")
@format_option(_FORMATS)
@output_option
@store_option
@workers_options
def census_command(
    labels: int,
    decisions: int,
    entries: str,
    budget: int,
    most: int,
    open_: str | None,
    certificates: str | None,
    no_certificates: bool,
    form: str | None,
    output: str | None,
    n_jobs: int | None,
    store: Store | None,
) -> None:
    """Bound CCdim of every loss of a size, up to exchanging labels, exchanging decisions, shifting and scaling rows.

    \b
    lossmith census --labels 3 --decisions 4 --entries 0..2
    lossmith census --labels 3 --decisions 3 --entries 0..3 -o census.csv --certificates proofs
    lossmith census --labels 4 --decisions 5 --entries 0..2 --open open.jsonl --store census.sqlite
    head -1 open.jsonl | lossmith analyze -
    """
    if certificates is not None and no_certificates:
        raise BadInput("--certificates writes proofs and --no-certificates makes none; give one of the two")
    range_ = _range(entries)
    wanted = format_wanted(form, output, _FORMATS, "text")
    proofs = None if certificates is None else folder(certificates)  # or refuse before the work is done
    with nullcontext(store) if store is not None else Store(texts=proofs is not None) as kept:
        with progress_bar("losses") as progress:
            found = census(
                labels,
                decisions,
                range_,
                budget=budget,
                certificates=not no_certificates,
                most=most,
                n_jobs=n_jobs,
                store=kept,
                progress=progress,
            )
        say_or_write(_written(found, wanted), output)
        if proofs is not None:
            _write_all(found, kept, proofs)
            say_wrote(proofs, unless=output is None and wanted != "text")
    if open_ is not None:
        with replacing(open_) as stream:
            stream.write(open_cases(found.open).encode())
        say_wrote(open_, unless=output is None and wanted != "text")
    if found.interrupted:
        raise KeyboardInterrupt


def _range(text: str) -> tuple[int, int]:
    """The numbers of 0..2."""
    found = re.fullmatch(r"\s*(\d{1,18})\s*\.\.\s*(\d{1,18})\s*", text, re.ASCII)
    if found is None or int(found[1]) > int(found[2]):
        raise BadInput(f"--entries is {text!r}; write two numbers of 0, 1, 2, …, the smaller first, such as 0..2")
    return int(found[1]), int(found[2])


def _written(found: Census, form: str) -> str:
    if form == "json":
        return json.dumps(found.to_dict(), indent=1, ensure_ascii=False) + "\n"
    return as_csv(found) if form == "csv" else f"{found}\n"


def _write_all(found: Census, store: Store, proofs: Path) -> None:
    for each in found.classes:
        for side, sha256 in zip(("least", "most"), each.certificates, strict=True):
            text = store.certificate(sha256)
            assert text is not None  # it was kept, or asked for again
            with replacing(proofs / f"no-{each.number}-at-{side}.json") as stream:
                stream.write(text.encode())
