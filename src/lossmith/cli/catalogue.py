"""lossmith catalogue: every surrogate against every loss."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lossmith.answers.cataloguing import OF_LABELS, Catalogue, catalogue
from lossmith.cli.options import PAIR_EPILOG, format_option, format_wanted, gains_option, output_option, progress_bar
from lossmith.cli.printing import say_or_write, say_wrote, tell_refused
from lossmith.cli.workers import store_option, workers_options
from lossmith.families import Family, by_name
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import MORE, zero_one
from lossmith.losses.named import loss_named
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates.named import surrogate_named
from lossmith.sweeping.store import Store
from lossmith.text.files import folder, replacing

_FORMATS = {"text": ".txt", "html": ".html", "latex": ".tex", "markdown": ".md", "json": ".json"}


@click.command("catalogue", short_help="Decide every surrogate for every loss.", epilog=PAIR_EPILOG)
@click.option(
    "--losses", multiple=True, help="A family, one of its members, or a file; repeat it.  [default: the core]"
)
@click.option("--all", "every", is_flag=True, help="All losses of labels, beside the core: a wide table.")
@click.option("--surrogates", multiple=True, help="A family or one of its members; repeat it.  [default: all]")
@click.option("-n", type=click.IntRange(min=2), default=3, show_default=True, help="The number of labels.")
@gains_option
@format_option(_FORMATS)
@output_option
@click.option("--certificates", type=click.Path(file_okay=False), help="Write the proofs into this folder.")
@store_option
@workers_options
def catalogue_command(
    losses: Sequence[str],
    every: bool,
    surrogates: Sequence[str],
    n: int,
    gains: bool,
    form: str | None,
    output: str | None,
    certificates: str | None,
    n_jobs: int | None,
    store: Store | None,
) -> None:
    """Decide for every surrogate and every loss whether it is calibrated: C, N, or – where the two do not fit.

    \b
    lossmith catalogue
    lossmith catalogue -n 4 --losses abstain --losses costs.csv
    lossmith catalogue -o catalogue.html --certificates proofs --jobs 2
    lossmith catalogue -n 4 --store verdicts.sqlite
    """
    wanted = format_wanted(form, output, _FORMATS, "text")
    known = (*LOSSES, *MORE)
    columns = [_family(text, known) or loss_named(text, gains).matrix() for text in losses]
    rows = [_family(text, SURROGATES) or surrogate_named(text, zero_one(n)) for text in surrogates] or OF_LABELS
    proofs = None if certificates is None else folder(certificates)  # or refuse before the work is done
    with progress_bar("verdicts") as progress:
        found = catalogue(
            columns or (known if every else LOSSES), rows, n, n_jobs=n_jobs, store=store, progress=progress
        )
    beside = None
    if certificates is not None:
        beside = Path(os.path.relpath(certificates, Path(output or ".").parent)).as_posix()
    say_or_write(_written(found, wanted, beside), output)
    if proofs is not None:
        _write_all(found, proofs)
        say_wrote(proofs, unless=output is None)
    if proofs is not None or wanted == "html":  # without a folder the page holds them
        texts = {each.file: each.certificate for each in found.found if each.certificate is not None}
        tell_refused(texts, n_jobs)


def _family(text: str, known: Sequence[Family[..., Any]]) -> Any:
    """The family of that name, if the text is no more than a name."""
    return by_name(known).get(text.strip().replace("_", "-"))


def _write_all(found: Catalogue, proofs: Path) -> None:
    for entry in found.found:
        if entry.certificate is not None:
            with replacing(proofs / entry.file) as stream:
                stream.write(entry.certificate.encode())


def _written(found: Catalogue, form: str, beside: str | None) -> str:
    if form == "html":
        return found.to_html(beside)
    if form == "json":
        return json.dumps(found.to_dict(), indent=1, ensure_ascii=False) + "\n"
    makers = {"text": found.to_text, "latex": found.to_latex, "markdown": found.to_markdown}
    return makers[form]().rstrip("\n") + "\n"
