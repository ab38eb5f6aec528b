"""lossmith regret: what a regret of the surrogate costs, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.answers.regretting import Regret, regret
from lossmith.certificates.certificate import Certificate
from lossmith.cli.options import (
    PAIR_EPILOG,
    PICTURE_FILE,
    certificate_option,
    customary_pred_option,
    exact_option,
    loss_argument,
    max_vertices_option,
    progress_bar,
    surrogate_argument,
)
from lossmith.cli.printing import complain, say, say_json, say_wrote, write_certificate
from lossmith.errors import Impossible, NotFound, TooLarge
from lossmith.losses.protocol import Loss
from lossmith.surrogates.named import pred_named, surrogate_named
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


@click.command("regret", short_help="Tell what a regret of the surrogate costs.", epilog=PAIR_EPILOG)
@surrogate_argument
@loss_argument
@customary_pred_option
@click.option("--against", multiple=True, metavar="SURROGATE", help="Compare with this one, too; repeat it for more.")
@certificate_option
@click.option("--plot", "picture", type=PICTURE_FILE, help="Draw the calibration functions.")
@max_vertices_option(MAX_VERTICES)
@exact_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
def regret_command(
    surrogate: str,
    loss: Loss,
    pred: str | None,
    against: Sequence[str],
    certificate: str | None,
    picture: str | None,
    max_vertices: int,
    as_json: bool,
) -> int:
    """Tell how much regret of LOSS a regret of SURROGATE can mean: exit 0, 1 if not calibrated, 3 if nothing is known.

    For a polyhedral surrogate and a pred by regions exactly: the best constant, and the whole calibration function.
    Without --pred it is the first customary one that is calibrated, else that of the proof. Bounds of smooth surrogates
    rest on theorems and have no certificate: with --certificate they are told, and the exit code is 3. So it is where
    the budget ends the work: then the verdict and a bound from below are told, if they are known.

    \b
    lossmith regret crammer-singer abstain:n=3
    lossmith regret lee-lin-wahba zero-one:n=3 --against crammer-singer --plot regrets.svg
    lossmith regret softmax costs.csv
    lossmith regret absolute ordinal:n=5 --pred nearest --certificate proof.json
    """
    matrix = loss.matrix()
    rule = pred_named(pred) if pred else None
    studies: list[Regret] = []
    told: list[Any] = []
    for name in (surrogate, *against):
        psi = surrogate_named(name, matrix)
        try:
            with progress_bar(f"regrets of {psi.name}") as progress:
                studies.append(regret(psi, matrix, rule, max_vertices=max_vertices, progress=progress))
                told.append(studies[-1].to_dict() if as_json else str(studies[-1]))  # which computes what it tells
        except (Impossible, NotFound, TooLarge) as error:
            complain(error)
            return 1 if isinstance(error, Impossible) else 3
    if as_json:
        say_json({**told[0], "against": told[1:]} if against else told[0])
    else:
        say("\n\n".join(told))
    if picture is not None:
        from lossmith import plot

        plot.save(plot.regret(*studies), picture)
        say_wrote(picture, unless=as_json)
    if certificate is not None:
        proof = _proof(studies[0])
        if proof is None:
            known = isinstance(studies[0].surrogate, PolyhedralSurrogate) and not studies[0].too_large
            why = "; name a pred by regions" if known else ": it rests on a theorem" * (not studies[0].too_large)
            complain(f"this bound has no certificate, so {certificate} was not written{why}")
            return 3
        write_certificate(proof, certificate)
        say_wrote(certificate, unless=as_json)
    return 3 if studies[0].too_large else 0 if studies[0].calibrated else 1


def _proof(study: Regret) -> Certificate | None:
    """The certificate of the calibration function, else of what is known; where it is too large, that of the hull."""
    if study.regions is None:
        return study.certificate
    try:
        return study.delta_certificate
    except TooLarge as error:
        complain(f"{error}: that is written")
        return study.certificate
