"""lossmith which: tell what common estimators train, how they decide, and whether that is calibrated for LOSS."""

from __future__ import annotations

from functools import partial

import click

from lossmith.answers.estimators import practices_of
from lossmith.answers.using import Practices, each_line, note_on
from lossmith.cli.options import LOSS_EPILOG, each_in_time, exact_option, loss_argument, max_vertices_option
from lossmith.cli.printing import say, say_json, tell_gains
from lossmith.cli.workers import store_option, workers_options
from lossmith.losses.protocol import Loss
from lossmith.sweeping.store import Store


@click.command("which", short_help="Tell what estimators train, and if that is right.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--class-weight", help="One weight per label, as given to the estimator: 1,2,5.")
@click.option("--estimator", help="Only estimators whose name contains this.")
@max_vertices_option(None, "100000, 2000 above 8 labels")
@workers_options
@store_option
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def which_command(
    loss: Loss,
    class_weight: str | None,
    estimator: str | None,
    max_vertices: int | None,
    n_jobs: int | None,
    store: Store | None,
    as_json: bool,
) -> None:
    """Tell what common estimators train, how they decide, and whether that is calibrated for LOSS.

    \b
    lossmith which costs.csv
    lossmith which zero-one:n=3 --class-weight 1,1,5
    lossmith which ordinal:n=5 --estimator mord
    lossmith which costs.csv --jobs 2 --store verdicts.sqlite
    """
    weights = None if class_weight is None else [part.strip() for part in class_weight.split(",")]
    matrix = loss.matrix()
    ask = partial(each_line, matrix, estimator, weights, max_vertices, n_jobs=n_jobs, store=store)
    lines = each_in_time("verdicts", lambda progress: ask(progress=progress))
    note = note_on(matrix)
    if estimator is not None:
        practices_of(estimator)  # a name that nobody has is refused before anything is said
    tell_gains(beside=as_json)
    if as_json:
        say_json(Practices(matrix, note, tuple(lines)).to_dict())
        return
    if note:
        say(f"{note}\n")
    told = []
    for line in lines:
        say(line)
        told.append(line)
    condition = Practices(matrix, note, tuple(told)).condition
    if condition:
        say(condition)
