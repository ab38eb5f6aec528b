"""lossmith demonstrate: train on samples of a counterexample, and see what the decisions cost."""

from __future__ import annotations

import click

from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.cli.options import (
    PAIR_EPILOG,
    PICTURE_FILE,
    loss_argument,
    max_vertices_option,
    pred_option,
    progress_bar,
    surrogate_argument,
)
from lossmith.cli.printing import say, say_json, say_wrote
from lossmith.cli.workers import store_option, workers_options
from lossmith.losses.protocol import Loss
from lossmith.surrogates.named import pred_named, surrogate_named
from lossmith.sweeping.store import Store


@click.command("demonstrate", short_help="Show what a wrong surrogate costs, on samples.", epilog=PAIR_EPILOG)
@surrogate_argument
@loss_argument
@pred_option
@click.option("-o", "--output", type=PICTURE_FILE, help="Draw it: a .png, .svg, .pdf or .pgf file.")
@max_vertices_option(MAX_VERTICES)
@workers_options
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def demonstrate_command(
    surrogate: str,
    loss: Loss,
    pred: str | None,
    output: str | None,
    max_vertices: int,
    n_jobs: int | None,
    store: Store | None,
    as_json: bool,
) -> int:
    """Train with SURROGATE on growing samples of its counterexample for LOSS, and with a certified design.

    Prints and draws what the decisions cost more than necessary: exit 0, also if the pair is calibrated and there is
    nothing to demonstrate; 3 if that is undecided.

    \b
    lossmith demonstrate crammer-singer zero-one:n=3 --pred argmax -o picture.svg
    lossmith demonstrate softmax costs.csv --pred argmax --jobs 2 --store samples.sqlite
    """
    matrix = loss.matrix()
    psi = surrogate_named(surrogate, matrix)
    with progress_bar(f"cells of {psi.name}") as progress:
        rule = pred_named(pred) if pred else None
        verdict = check(psi, matrix, rule, max_vertices=max_vertices, progress=progress)
    if not isinstance(verdict, NotCalibrated):
        title = str(verdict).split("\n")[0].rstrip(".:")
        text = f"{title}: there is nothing to demonstrate." if verdict.status == "calibrated" else str(verdict)
        say_json(verdict.to_dict()) if as_json else say(text)
        return 0 if verdict.status == "calibrated" else 3
    from lossmith.answers.demonstration import (
        demonstrate,  # numpy and scikit-learn load only where something is trained
    )

    with progress_bar("samples") as progress:
        shown = demonstrate(verdict, n_jobs=n_jobs, store=store, progress=progress)
    say_json(shown.to_dict()) if as_json else say(shown)
    if output is not None:
        from lossmith import plot

        with progress_bar(f"drawing {output}"):
            plot.save(plot.demonstration(shown), output)
        say_wrote(output, unless=as_json)
    return 0
