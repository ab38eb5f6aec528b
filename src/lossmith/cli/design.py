"""lossmith design: make a surrogate that is calibrated for a loss."""

from __future__ import annotations

from typing import Any

import click

from lossmith.answers.designing import METHODS, design
from lossmith.cli.options import (
    LOSS_EPILOG,
    certificate_option,
    exact_option,
    loss_argument,
    max_vertices_option,
    progress_bar,
)
from lossmith.cli.printing import complain, say, say_json, say_wrote, write_certificate
from lossmith.cli.workers import store_option, workers_options
from lossmith.errors import Impossible, NotFound
from lossmith.losses.protocol import Loss
from lossmith.sweeping.store import Store
from lossmith.text.numbers import folded


@click.command("design", short_help="Find the fewest functions that can be certified.", epilog=LOSS_EPILOG)
@loss_argument
@click.option("--dim", type=int, help="The dimension.  [default: the fewest that can be certified]")
@click.option("--method", help=f"One of {', '.join(METHODS)}.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    help="Configurations to search in each dimension.  [default: 1000 for up to 5 labels and decisions, else none]",
)
@click.option("--seed", type=int, default=0, show_default=True)
@workers_options
@store_option
@max_vertices_option(None, "by method")
@certificate_option
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def design_command(
    loss: Loss,
    dim: int | None,
    method: str | None,
    budget: int | None,
    seed: int,
    n_jobs: int | None,
    store: Store | None,
    max_vertices: int | None,
    certificate: str | None,
    as_json: bool,
) -> int:
    """Make a surrogate that is calibrated for LOSS: exit 0, 1 if that is impossible, 3 if none was found.

    It has the fewest dimensions that can be certified. Of equal dimensions squares come first. What trains best on most
    data is another thing: probabilities, and then `lossmith decide`.

    \b
    lossmith design costs.csv
    lossmith design abstain:n=4 --dim 2 --certificate bep.json
    lossmith design zero-one:n=3 --method max-min-hinge
    lossmith design costs.csv --dim 2 --budget 100000 --jobs 2 --store search.sqlite
    """
    limits: dict[str, Any] = {"seed": seed, "budget": budget, "max_vertices": max_vertices}
    try:
        with progress_bar(f"design for {loss.name}") as progress:
            found = design(loss, dim, method, **limits, n_jobs=n_jobs, store=store, progress=progress)
    except (Impossible, NotFound) as error:
        complain(error)
        return 1 if isinstance(error, Impossible) else 3
    if as_json:
        say_json({**found.to_dict(), "made_by": found.made_by})
    else:
        say(folded([*str(found).splitlines(), f"Made by {found.made_by}."]))
    if certificate is not None:
        write_certificate(found.certificate, certificate)
        say_wrote(certificate, unless=as_json)
    return 0
