"""lossmith check: whether a surrogate is calibrated for a loss, with proof."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lossmith.calibration.checking import check
from lossmith.cli.options import (
    LOSS_HELP,
    OUTPUT_FILE,
    SURROGATE_HELP,
    certificate_option,
    exact_option,
    max_vertices_option,
    pred_option,
    progress_bar,
    within_option,
)
from lossmith.cli.printing import complain, say, say_json, say_wrote, write_certificate
from lossmith.losses.named import loss_named
from lossmith.surrogates.named import pred_named, surrogate_named


@click.command("check", epilog=SURROGATE_HELP + "\n\n" + LOSS_HELP)
@click.argument("surrogate")
@click.argument("loss")
@pred_option
@within_option
@certificate_option
@click.option("--plot", "picture", type=OUTPUT_FILE, help="Draw the verdict, for 2, 3 or 4 labels.")
@max_vertices_option
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def check_command(
    surrogate: str,
    loss: str,
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
    lossmith check crammer-singer:n=3 zero-one:n=3
    lossmith check crammer-singer:n=3 abstain:n=3 --pred argmax-gap:tau=1/2
    lossmith check softmax:n=3 costs.csv --pred argmax --plot verdict.svg
    lossmith check crammer-singer:n=2 zero-one:n=2 --within "p[0] >= 3/5" --within "p[1] >= 3/5"
    lossmith check mine.py:psi costs.csv --certificate proof.json
    """
    matrix = loss_named(loss)
    psi = surrogate_named(surrogate, matrix.n)
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

        plot.save(plot.verdict(verdict), picture)
        say_wrote(picture, unless=as_json)
    if certificate is not None and verdict.certificate is None:
        complain(f"undecided, so {certificate} was not written")
    elif certificate is not None and verdict.certificate is not None:
        write_certificate(verdict.certificate, certificate)
        say_wrote(certificate, unless=as_json)
    return {"calibrated": 0, "not calibrated": 1, "undecided": 3}[verdict.status]
