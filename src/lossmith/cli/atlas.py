"""lossmith atlas: a site of all verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lossmith.cli.options import gains_option, progress_bar
from lossmith.cli.printing import complain, say, say_wrote
from lossmith.cli.workers import store_option, workers_options
from lossmith.errors import BadInput, UnknownName, nearest
from lossmith.families import Family, by_name
from lossmith.losses import FAMILIES
from lossmith.losses.named import loss_named
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates.in_print import told_of
from lossmith.sweeping.store import Store
from lossmith.text.files import filling, refuse_foreign


@click.command("atlas", short_help="Write a site of all verdicts.")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--losses", multiple=True, help="A family, or a file; repeat it.  [default: all families]")
@click.option("--surrogates", multiple=True, help="A family; repeat it.  [default: all]")
@click.option(
    "-n", "sizes", type=click.IntRange(2, 6), multiple=True, help="A number of labels; repeat it.  [default: 2 to 6]"
)
@gains_option
@click.option("--verify", is_flag=True, help="Check every certificate of the atlas in DIR, and write nothing.")
@workers_options
@store_option
def atlas_command(
    directory: Path,
    losses: Sequence[str],
    surrogates: Sequence[str],
    sizes: Sequence[int],
    gains: bool,
    verify: bool,
    n_jobs: int | None,
    store: Store | None,
) -> int:
    """Decide every surrogate for every loss, with some pred and with each customary one, and write a site of it.

    DIR, a new or empty directory or one made by this command, gets a page for each surrogate and each loss, and an
    index to search: open DIR/index.html. Every verdict has a permanent name, its certificate, and the command that
    makes it.

    \b
    lossmith atlas atlas/ --jobs 2 --store atlas.sqlite
    lossmith atlas mine/ --losses costs.csv --losses zero-one -n 3
    lossmith atlas atlas/ --verify
    """
    from lossmith.atlas.building import SIZES, build, summary
    from lossmith.atlas.members import members
    from lossmith.atlas.parts import GENERATOR

    if verify:
        return _verified(directory, n_jobs)
    refuse_foreign(directory, GENERATOR, "lossmith atlas")
    rows = [_family(text, SURROGATES) for text in surrogates] or SURROGATES
    columns = [_family(text, FAMILIES, own=True) or loss_named(text, gains).matrix() for text in losses] or FAMILIES
    labels = sorted(set(sizes)) or SIZES
    if losses and not members(columns, labels):
        said = ", ".join(map(str, labels))
        raise BadInput(f"no member of {', '.join(losses)} has {said} labels; choose another -n, or give a file")
    with filling(directory) as folder:
        atlas = build(folder, rows, columns, labels, n_jobs=n_jobs, store=store, showing=progress_bar)
    say(summary(atlas))
    say_wrote(directory / "index.html")
    return 0


def _verified(directory: Path, n_jobs: int | None) -> int:
    from lossmith.atlas.verifying import verify_atlas

    with progress_bar("checking") as progress:
        found = verify_atlas(directory, n_jobs=n_jobs, progress=progress)
    for line in found.wrong:
        complain(line)
    larger = f", {found.absent:,} too large for the atlas and not checked" if found.absent else ""
    kinds = f"{found.accepted:,} certificates accepted, {found.conditional:,} conditional"
    say(f"{kinds}, {len(found.wrong):,} complaints{larger}")
    return 1 if found.wrong else 0


def _family(text: str, known: Sequence[Family[..., Any]], own: bool = False) -> Any:
    """The family of that name; with `own`, None if the text is something else."""
    names, name = by_name(known), text.strip().replace("_", "-")
    if name not in names and not own:
        if told := told_of(name):
            raise BadInput(told)
        raise UnknownName(f"no family is called {text!r}; {nearest(name, names)}")
    return names.get(name)
