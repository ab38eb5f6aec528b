"""lossmith scan: for which values of a parameter a surrogate is calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import click

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import MAX_VERTICES
from lossmith.calibration.checking import answer, question_of
from lossmith.calibration.question import Question
from lossmith.calibration.remembering import named
from lossmith.calibration.scanning import scan
from lossmith.calibration.verdicts import Verdict
from lossmith.cli.options import (
    PAIR_EPILOG,
    gains_option,
    max_vertices_option,
    pred_option,
    progress_bar,
    surrogate_argument,
    within_option,
)
from lossmith.cli.printing import say, say_json
from lossmith.cli.workers import store_option, workers_options
from lossmith.errors import BadInput
from lossmith.losses.named import loss_named
from lossmith.surrogates.named import pred_named, surrogate_named
from lossmith.sweeping import questions
from lossmith.sweeping.store import Store


@click.command("scan", short_help="Find the parameters for which a pair is right.", epilog=PAIR_EPILOG)
@surrogate_argument
@click.argument("loss")
@gains_option
@pred_option
@within_option
@click.option("--from", "low", required=True, help="The smallest value.")
@click.option("--to", "high", required=True, help="The largest value.")
@max_vertices_option(MAX_VERTICES)
@workers_options
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, numbers as a/b.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def scan_command(
    surrogate: str,
    loss: str,
    gains: bool,
    pred: str | None,
    within: Sequence[str],
    low: str,
    high: str,
    max_vertices: int,
    n_jobs: int | None,
    store: Store | None,
    as_json: bool,
    latex: bool,
) -> None:
    """Find the values of a parameter, written ?, for which SURROGATE is calibrated for LOSS.

    \b
    lossmith scan crammer-singer abstain:n=3 --pred 'argmax-gap:tau=?' --from 0 --to 2
    lossmith scan 'epsilon-insensitive:n=4,eps=?' ordinal:n=4 --from 0 --to 1
    lossmith scan 'binary-encoded:n=4,cost=?' 'abstain:n=4,cost=?' --from 0 --to 1 --store scan.sqlite
    """
    texts = [surrogate, loss, pred or "", *within]
    if not any("?" in text for text in texts):
        raise BadInput(f"nothing in {' '.join(filter(None, texts))!r} varies; write ? where the value belongs: tau=?")

    fixed = None if "?" in loss else loss_named(loss, gains).matrix()  # read once: it may come from a pipe

    def asked(x: Fraction) -> Question:
        written = [text.replace("?", str(x)) for text in texts]
        matrix = fixed or loss_named(written[1], gains).matrix()
        rule = pred_named(written[2]) if pred else None
        psi = surrogate_named(written[0], matrix)
        return question_of(psi, Facts(matrix), rule, written[3:] or None, max_vertices=max_vertices)

    def question(x: Fraction) -> Verdict:
        return answer(asked(x))

    def remembered(x: Fraction) -> questions.Question:
        try:
            pair = asked(x)
        except BadInput as error:  # which is an answer, too
            return questions.Question("scan", {"refused": str(error)})
        return replace(named(pair.surrogate, pair.loss, max_vertices, pair.pred, pair.within), kind="scan")

    with progress_bar("values") as progress:
        found = scan(question, low, high, n_jobs=n_jobs, store=store, named=remembered, progress=progress)
    if as_json:
        say_json(found.to_dict())
    else:
        say(found.to_latex() if latex else found)
