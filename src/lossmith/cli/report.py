"""lossmith report: what follows from a loss, in one file to send to a colleague."""

from __future__ import annotations

import click

from lossmith.answers.study import analyze
from lossmith.cli.options import (
    LOSS_EPILOG,
    corners_option,
    format_option,
    format_wanted,
    loss_argument,
    output_option,
    progress_bar,
)
from lossmith.cli.printing import say_or_write, tell_refused
from lossmith.losses.protocol import Loss

_FORMATS = {"html": ".html", "json": ".json"}


@click.command("report", short_help="Write a report on a loss, for a colleague.", epilog=LOSS_EPILOG)
@loss_argument
@output_option
@format_option(_FORMATS)
@click.option("--no-cells", is_flag=True, help="Leave out where each decision is optimal: for large matrices.")
@corners_option
def report_command(loss: Loss, output: str | None, form: str | None, no_cells: bool, max_vertices: int) -> None:
    """Report on LOSS in one file: cells, dimension, what to train with, which surrogates are right; with proofs.

    \b
    lossmith report costs.csv -o report.html
    lossmith report abstain:n=4 --json
    """
    wanted = format_wanted(form, output, _FORMATS, "html")
    from lossmith.reporting import report  # it draws, and matplotlib loads only where something is drawn
    from lossmith.reporting.document import MOST_ENTRIES

    with progress_bar(f"report on {loss.name}") as progress:
        study = analyze(loss, cells=not no_cells, max_vertices=max_vertices, progress=progress)
        if study.dimension.interrupted:
            raise KeyboardInterrupt
        found = report(study, gains=click.get_current_context().params["gains"], progress=progress)
        text = found.to_html() if wanted == "html" else found.to_json()
    say_or_write(text, output)
    if loss.matrix().n * loss.matrix().k <= MOST_ENTRIES:
        tell_refused(found.certificates)
