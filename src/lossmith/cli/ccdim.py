"""lossmith ccdim: bound the convex calibration dimension of LOSS: how many real-valued functions must be learned."""

from __future__ import annotations

import click

from lossmith.answers.bounding import MAX_VERTICES, ccdim
from lossmith.cli.options import LOSS_EPILOG, loss_argument, max_vertices_option, progress_bar
from lossmith.cli.printing import say, say_json
from lossmith.losses.protocol import Loss


@click.command("ccdim", short_help="Bound how many functions must be learned.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--no-designs", is_flag=True, help="Leave out the surrogates in fewer dimensions.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Say what is proved after so many seconds.")
@max_vertices_option(MAX_VERTICES)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def ccdim_command(
    loss: Loss, no_designs: bool, seconds: float | None, max_vertices: int, as_json: bool, latex: bool
) -> None:
    """Bound the convex calibration dimension of LOSS: how many real-valued functions must be learned.

    \b
    lossmith ccdim costs.csv
    lossmith ccdim abstain:n=6
    """
    with progress_bar(f"bounds for {loss.name}") as progress:
        bounds = ccdim(loss, designs=not no_designs, max_vertices=max_vertices, seconds=seconds, progress=progress)
    if as_json:
        say_json(bounds.to_dict())
    else:
        say(bounds.to_latex() if latex else bounds)
    if bounds.interrupted:
        raise KeyboardInterrupt
