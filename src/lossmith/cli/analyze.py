"""lossmith analyze: study a loss matrix."""

from __future__ import annotations

import click

from lossmith.answers.study import analyze
from lossmith.cli.options import LOSS_HELP, corners_option, progress_bar
from lossmith.cli.printing import say
from lossmith.losses.named import loss_named


@click.command("analyze", epilog=LOSS_HELP)
@click.argument("loss")
@click.option("--no-cells", is_flag=True, help="Leave out where each decision is optimal: for large matrices.")
@corners_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def analyze_command(loss: str, no_cells: bool, max_vertices: int | None, as_json: bool) -> None:
    """Study a loss matrix: which decisions are never needed, dimensions, where each decision is optimal.

    \b
    lossmith analyze costs.csv
    lossmith analyze abstain:n=4,cost=1/3
    lossmith analyze costs.csv --json
    """
    matrix = loss_named(loss)
    with progress_bar(f"cells of {matrix.name}") as progress:
        study = analyze(matrix, cells=not no_cells, max_vertices=max_vertices, progress=progress)
    say(study.to_json() if as_json else study)
    if study.dimension.interrupted:
        raise KeyboardInterrupt
