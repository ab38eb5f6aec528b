"""The atlas from beginning to end: what is asked, decided, drawn, and written into a folder."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from lossmith.atlas.contents import Atlas, loss_picture, surrogate_picture
from lossmith.atlas.deciding import Finding, dimensions, findings
from lossmith.atlas.members import LossMember, members
from lossmith.atlas.portraits import DRAWN, portraits
from lossmith.atlas.regrets import regret_file, transfers
from lossmith.atlas.statements import Statement, statements
from lossmith.atlas.writing import write_certificates, write_pages
from lossmith.families import Family
from lossmith.losses import FAMILIES
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.sweeping.running import Progress
from lossmith.sweeping.store import Store
from lossmith.text.numbers import counted

SIZES = (2, 3, 4, 5, 6)
Showing: TypeAlias = Callable[[str], AbstractContextManager[Progress | None]]


def _silently(_: str) -> AbstractContextManager[Progress | None]:
    return nullcontext()


def build(
    folder: Path,
    surrogates: Iterable[Family[..., Any]] = SURROGATES,
    losses: Iterable[Family[..., Any] | LossMatrix] = FAMILIES,
    sizes: Iterable[int] = SIZES,
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    showing: Showing = _silently,
) -> Atlas:
    """Decide every surrogate for every loss with so many labels, and write the site into an empty folder.

    What the store holds is not decided again. `showing(title)` gives a progress for each part of the work.
    """
    families, some = tuple(surrogates), members(losses, sizes)
    asked = list(statements(families, some))
    known = _all_losses(some, asked)
    with Store() if store is None else nullcontext(store) as kept:
        with showing("verdicts") as progress:
            found = findings(asked, kept, n_jobs=n_jobs, progress=progress)
        with showing("dimensions") as progress:
            bounds = dimensions(known, kept, n_jobs=n_jobs, progress=progress)
        with showing("regrets") as progress:
            moved = transfers(found, kept, n_jobs=n_jobs, progress=progress)
        held = write_certificates(found, bounds, moved, kept, folder)
    found = [_proved(each, held) for each in found]
    moved = {name: each for name, each in moved.items() if each.proof is None or regret_file(name) in held}
    drawn = to_be_drawn(found, known)
    with showing("pictures") as progress:
        pictures = portraits(list(drawn.values()), n_jobs=n_jobs, progress=progress)
    atlas = Atlas(families, found, bounds, dict(zip(drawn, pictures, strict=True)), held, moved)
    with showing("pages") as progress:
        write_pages(atlas, folder, progress)
    return atlas


def to_be_drawn(findings: Sequence[Finding], losses: Sequence[LossMember]) -> dict[str, Statement | LossMember]:
    """What has a picture, by its file: a surrogate over the first loss that it is calibrated for, else over the first.

    >>> to_be_drawn([], [])
    {}
    """
    best: dict[str, Finding] = {}
    for each in findings:
        statement = each.statement
        if statement.pred is not None or statement.member.loss.n not in DRAWN:
            continue
        path = surrogate_picture(statement.family, statement.member.loss.n)
        if path not in best or (each.status == "calibrated" and best[path].status != "calibrated"):
            best[path] = each
    drawn: dict[str, Statement | LossMember] = {path: each.statement for path, each in best.items()}
    return drawn | {loss_picture(each): each for each in losses}


def _proved(finding: Finding, held: Container[str]) -> Finding:
    """The finding; left out if its certificate is too large, so that whatever the atlas says can be checked."""
    if finding.proof is None or finding.statement.file in held:
        return finding
    return replace(finding, status="left out", text="its certificate is too large to be checked", proof=None)


def summary(atlas: Atlas) -> str:
    """How much it is, in a line."""
    status = [each.status for each in atlas.findings]
    counts = ", ".join(f"{status.count(each):,} {each}" for each in dict.fromkeys(status))
    size = sum(atlas.held.values()) / 1e6
    asked = f"{counted(len(status), 'statement')} ({counts})" if status else "no statement"
    families = f"{_families(len(atlas.families))} of surrogates, {_families(len(atlas.loss_pages))} of losses"
    return f"{families}, {asked}, {counted(len(atlas.held), 'certificate')} of {size:.1f} MB"


def _families(number: int) -> str:
    return f"{number:,} famil{'y' if number == 1 else 'ies'}"


def _all_losses(losses: Sequence[LossMember], asked: Sequence[Statement]) -> list[LossMember]:
    """The losses, and those that surrogates of documents bring along."""
    return list({each.place: each for each in (*losses, *(statement.member for statement in asked))}.values())
