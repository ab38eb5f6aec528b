"""lossmith check: whether a surrogate is calibrated for a loss, with proof."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.checking import check
from lossmith.cli.options import (
    PAIR_EPILOG,
    PICTURE_FILE,
    certificate_option,
    exact_option,
    loss_argument,
    max_vertices_option,
    pred_option,
    progress_bar,
    surrogate_argument,
    within_option,
)
from lossmith.cli.printing import complain, say, say_json, say_wrote, write_certificate
from lossmith.losses.protocol import Loss
from lossmith.surrogates.named import pred_named, surrogate_named


@click.command("check", short_help="Decide whether a surrogate is right for a loss.", epilog=PAIR_EPILOG)
@surrogate_argument
@loss_argument
@pred_option
@within_option
@certificate_option
@click.option("--plot", "picture", type=PICTURE_FILE, help="Draw the verdict, for 2, 3 or 4 labels.")
@max_vertices_option(MAX_VERTICES)
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def check_command(
    surrogate: str,
    loss: Loss,
    pred: str | None,
    within: Sequence[str],
    certificate: str | None,
    picture: str | None,
    max_vertices: int,
    as_json: bool,
    latex: bool,
) -> int:
    """Decide whether SURROGATE is calibrated for LOSS, with proof: exit 0 if it is, 1 if not, 3 if undecided.

    \b
    lossmith check crammer-singer zero-one:n=3
    lossmith check crammer-singer abstain:n=3 --pred argmax-gap:tau=1/2
    lossmith check softmax costs.csv --pred argmax --plot verdict.svg
    lossmith check crammer-singer zero-one:n=2 --within "p[0] >= 3/5" --within "p[1] >= 3/5"
    lossmith check mine.py:psi costs.csv --certificate proof.json
    """
    matrix = loss.matrix()
    psi = surrogate_named(surrogate, matrix)
    with progress_bar(f"cells of {psi.name}") as progress:
        verdict = check(
            psi,
            matrix,
            pred_named(pred) if pred else None,
            list(within) or None,
            max_vertices=max_vertices,
            progress=progress,
        )
    if as_json:
        say_json(verdict.to_dict())
    else:
        say(verdict.to_latex() if latex else verdict)
    if picture is not None and verdict.status != "undecided":
        from lossmith import plot

        with progress_bar(f"drawing {picture}"):
            plot.save(plot.verdict(verdict), picture)
        say_wrote(picture, unless=as_json)
    if certificate is not None and verdict.certificate is None:
        complain(f"undecided, so {certificate} was not written")
    elif certificate is not None and verdict.certificate is not None:
        write_certificate(verdict.certificate, certificate)
        say_wrote(certificate, unless=as_json)
    return {"calibrated": 0, "not calibrated": 1, "undecided": 3}[verdict.status]
