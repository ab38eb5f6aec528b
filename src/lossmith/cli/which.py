"""lossmith which: tell what common estimators train, how they decide, and whether that is calibrated for LOSS."""

from __future__ import annotations

import click

from lossmith.answers.using import note_on, told, which
from lossmith.cli.options import LOSS_HELP, exact_option
from lossmith.cli.printing import say, say_json
from lossmith.losses.named import loss_named


@click.command("which", epilog=LOSS_HELP)
@click.argument("loss")
@click.option("--class-weight", help="One weight per label, as given to the estimator: 1,2,5.")
@click.option("--estimator", help="Only estimators whose name contains this.")
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def which_command(loss: str, class_weight: str | None, estimator: str | None, as_json: bool) -> None:
    """Tell what common estimators train, how they decide, and whether that is calibrated for LOSS.

    \b
    lossmith which costs.csv
    lossmith which zero-one:n=3 --class-weight 1,1,5
    lossmith which ordinal:n=5 --estimator mord
    """
    matrix = loss_named(loss)
    weights = None if class_weight is None else [part.strip() for part in class_weight.split(",")]
    if as_json:
        say_json(which(matrix, estimator, weights).to_dict())
        return
    if note := note_on(matrix.matrix()):
        say(f"{note}\n")
    for line in told(matrix.matrix(), estimator, weights):
        say(line)
