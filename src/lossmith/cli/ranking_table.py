"""lossmith ranking-table: the dimensions of ranking losses, the paper's bounds and the exact values."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lossmith.cli.options import progress_bar
from lossmith.dimension.bounds import DimensionBounds
from lossmith.errors import BadInput
from lossmith.ranking_table import LOSSES, as_latex, as_text, lines


@click.command("ranking-table")
@click.option("--to", "last", type=click.IntRange(min=2), default=20, show_default=True, help="The most documents.")
@click.option("--certificates", type=click.Path(file_okay=False), help="Write the proofs of all values to this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def ranking_table_command(last: int, certificates: str | None, as_json: bool, latex: bool) -> None:
    """Print how many functions ranking losses need: what the paper bounds, and the exact values.

    \b
    lossmith ranking-table
    lossmith ranking-table --to 6 --certificates proofs
    lossmith ranking-table --latex
    """
    found = []
    with progress_bar("ranking losses") as progress:
        for done, each in enumerate(lines(last)):
            found.append(each)
            if progress is not None:
                progress(done, len(LOSSES) * (last - 1))
            if certificates is not None:
                _write(Path(certificates), f"{each.loss.replace('@', '-at-').lower()}-{each.r}", each.bounds)
    if as_json:
        click.echo(json.dumps([each.to_dict() for each in found], indent=1, ensure_ascii=False))
    else:
        click.echo(as_latex(found) if latex else as_text(found))
    if certificates is not None and not as_json:
        click.echo(f"wrote {2 * len(found)} certificates to {certificates}")


def _write(folder: Path, name: str, bounds: DimensionBounds) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None
    bounds.lower.certificate.to_json(folder / f"{name}-at-least.json")
    bounds.upper.certificate.to_json(folder / f"{name}-at-most.json")
