"""lossmith analyze: study a loss matrix."""

from __future__ import annotations

import click

from lossmith.answers.study import analyze
from lossmith.cli.options import LOSS_EPILOG, corners_option, exact_option, loss_argument, progress_bar
from lossmith.cli.printing import say, tell_gains
from lossmith.losses.named import written_in_python
from lossmith.losses.protocol import Loss


@click.command("analyze", short_help="Tell which decision to take when, and why.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--theory", is_flag=True, help="Dimensions, theorems, corners of cells, surrogates, for researchers.")
@click.option("--full", is_flag=True, help="Leave nothing out, however long it is.")
@exact_option
@click.option("--no-cells", is_flag=True, help="Do without the corners of the cells: for large matrices.")
@corners_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def analyze_command(
    loss: Loss, theory: bool, full: bool, no_cells: bool, max_vertices: int | None, as_json: bool
) -> None:
    """Tell which decision to take when, which are never needed, what acting on the most probable label costs.

    \b
    lossmith analyze costs.csv
    lossmith analyze costs.csv --theory --exact
    lossmith analyze abstain:n=4,cost=1/3
    lossmith analyze costs.csv --json
    """
    with progress_bar(f"cells of {loss.name}") as progress:
        study = analyze(loss, cells=not no_cells, max_vertices=max_vertices, progress=progress)
    tell_gains(beside=as_json)
    if as_json:
        say(study.to_json())
    elif theory:
        say(study.theory)
    else:
        given = click.get_current_context().params
        say(study.screen(written_in_python(given["loss"], given["gains"]), full=full))
    if study.dimension.interrupted:
        raise KeyboardInterrupt
