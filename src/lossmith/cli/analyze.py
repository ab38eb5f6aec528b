"""lossmith analyze: study a loss matrix."""

from __future__ import annotations

import click

from lossmith.answers.study import analyze
from lossmith.cli.options import LOSS_EPILOG, corners_option, loss_argument, progress_bar
from lossmith.cli.printing import say
from lossmith.losses.protocol import Loss


@click.command("analyze", short_help="Study a loss: decisions, dimensions, where each is best.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--no-cells", is_flag=True, help="Leave out where each decision is optimal: for large matrices.")
@corners_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def analyze_command(loss: Loss, no_cells: bool, max_vertices: int | None, as_json: bool) -> None:
    """Study a loss matrix: which decisions are never needed, dimensions, where each decision is optimal.

    \b
    lossmith analyze costs.csv
    lossmith analyze abstain:n=4,cost=1/3
    lossmith analyze costs.csv --json
    """
    with progress_bar(f"cells of {loss.name}") as progress:
        study = analyze(loss, cells=not no_cells, max_vertices=max_vertices, progress=progress)
    say(study.to_json() if as_json else study)
    if study.dimension.interrupted:
        raise KeyboardInterrupt
