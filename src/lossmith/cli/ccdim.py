"""lossmith ccdim: bound the convex calibration dimension of LOSS: how many real-valued functions must be learned."""

from __future__ import annotations

import click

from lossmith.answers.bounding import ccdim
from lossmith.cli.options import LOSS_HELP, progress_bar
from lossmith.cli.printing import say, say_json
from lossmith.losses.named import loss_named


@click.command("ccdim", epilog=LOSS_HELP)
@click.argument("loss")
@click.option("--no-designs", is_flag=True, help="Leave out the surrogates in fewer dimensions.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Say what is proved after so many seconds.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def ccdim_command(loss: str, no_designs: bool, seconds: float | None, as_json: bool, latex: bool) -> None:
    """Bound the convex calibration dimension of LOSS: how many real-valued functions must be learned.

    \b
    lossmith ccdim costs.csv
    lossmith ccdim abstain:n=6
    """
    matrix = loss_named(loss)
    with progress_bar(f"bounds for {matrix.name}") as progress:
        bounds = ccdim(matrix, designs=not no_designs, seconds=seconds, progress=progress)
    if as_json:
        say_json(bounds.to_dict())
    else:
        say(bounds.to_latex() if latex else bounds)
    if bounds.interrupted:
        raise KeyboardInterrupt
