"""lossmith sensitivity: tell what depends on each cost of LOSS, and what happens if all of them are uncertain."""

from __future__ import annotations

import click

from lossmith.answers.sensitive import sensitivity
from lossmith.cli.options import LOSS_EPILOG, PICTURE_FILE, exact_option, loss_argument, progress_bar
from lossmith.cli.printing import say, say_json, say_wrote, tell_gains
from lossmith.losses.protocol import Loss


@click.command("sensitivity", short_help="Tell how much depends on each cost.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--practice", default="argmax", show_default=True, help="What you do: argmax, or an estimator's name.")
@click.option(
    "--uncertainty", default="10,20,50", show_default=True, help="By how many per cent all costs may be wrong."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For what is sampled.")
@click.option("-o", "--output", type=PICTURE_FILE, help="Draw it into this .png, .svg, .pdf or .pgf file, too.")
@exact_option
@click.option("--full", is_flag=True, help="Print all costs, not only those on which most depends.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, exact numbers as a/b.")
def sensitivity_command(
    loss: Loss, practice: str, uncertainty: str, seed: int, output: str | None, full: bool, as_json: bool
) -> None:
    """Tell what depends on each cost of LOSS, and what happens if all of them are uncertain.

    For each cost the exact interval in which, the others being what they are, the same decisions are useful, stand in
    the same order, and what you do now stays right or wrong. If all costs may be wrong: how often another decision is
    best, and what it costs to decide as now.

    \b
    lossmith sensitivity costs.csv
    lossmith sensitivity costs.csv --uncertainty 5,30 -o costs-that-matter.png
    lossmith sensitivity costs.csv --practice LogisticRegression --full
    """
    levels = [part.strip() for part in uncertainty.split(",")]
    with progress_bar("moving the costs") as progress:
        study = sensitivity(loss, practice=practice, uncertainty=levels, seed=seed, progress=progress)
    tell_gains(beside=as_json)
    if as_json:
        say_json(study.to_dict())
    else:
        say(study.text(full=full))
    if output is not None:
        from lossmith import plot  # matplotlib loads only where something is drawn

        plot.save(plot.sensitivity(study), output)
        say_wrote(output, unless=as_json)
