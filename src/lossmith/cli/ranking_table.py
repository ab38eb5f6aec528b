"""lossmith ranking-table: the dimensions of ranking losses, the paper's bounds and the exact values."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from lossmith.answers.ranking_table import Line, as_latex, as_text, lines
from lossmith.cli.options import progress_bar
from lossmith.cli.printing import say, say_json, tell_refused
from lossmith.cli.workers import store_option, workers_options
from lossmith.sweeping.store import Store
from lossmith.text.files import folder
from lossmith.text.names import one_line


@click.command("ranking-table", short_help="Print the dimensions of ranking losses.")
@click.option("--to", "last", type=click.IntRange(min=2), default=20, show_default=True, help="The most documents.")
@click.option("--certificates", type=click.Path(file_okay=False), help="Write the proofs of all values to this folder.")
@workers_options
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def ranking_table_command(
    last: int, certificates: str | None, n_jobs: int | None, store: Store | None, as_json: bool, latex: bool
) -> None:
    """Print how many functions ranking losses need: what the paper bounds, and the exact values.

    \b
    lossmith ranking-table
    lossmith ranking-table --to 6 --certificates proofs
    lossmith ranking-table --latex
    lossmith ranking-table --to 40 --jobs 2 --store ranking.sqlite
    """
    proofs = None if certificates is None else folder(certificates)  # or refuse before the work is done
    # The workers make the proofs, which are written from a store.
    with Store() if store is None and proofs is not None else nullcontext(store) as kept:
        with progress_bar("ranking losses") as progress:
            found = list(lines(last, n_jobs=n_jobs, store=kept, progress=progress))
        written = {} if proofs is None else _write(found, proofs)
    if as_json:
        say_json([each.to_dict() for each in found])
    else:
        say(as_latex(found) if latex else as_text(found))
    if proofs is not None:
        if not as_json:
            say(f"wrote {len(written)} certificates to {one_line(str(proofs))}")
        tell_refused(written, n_jobs)


def _write(found: Sequence[Line], proofs: Path) -> dict[str, str]:
    """Write the proofs of both bounds of each line; their texts by the names of their files."""
    written = {}
    for each in found:
        name = f"{each.loss.replace('@', '-at-').lower()}-{each.r}"
        for side, bound in (("least", each.bounds.lower), ("most", each.bounds.upper)):
            written[f"{name}-at-{side}.json"] = bound.certificate.to_json(proofs / f"{name}-at-{side}.json")
    return written
