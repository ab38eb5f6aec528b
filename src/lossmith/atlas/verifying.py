"""Every certificate of an atlas given to the checker, as a reader would who trusts nobody."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from lossmith.atlas.writing import COLUMNS, TABLE
from lossmith.calibration.by_tangents import IN_LOGS
from lossmith.errors import BadInput
from lossmith.sweeping.running import Progress, sweep


class Row(NamedTuple):
    """A statement as the table of the atlas has it, and the folder."""

    folder: str
    statement: str
    surrogate: str
    loss: str
    status: str
    certificate: str
    sha256: str


class Checked(NamedTuple):
    """How many certificates were accepted, how many on a condition, and what is wrong with others, in a line each."""

    accepted: int
    conditional: int
    wrong: tuple[str, ...]
    absent: int  # too large for the atlas


def rows_of(folder: Path) -> list[Row]:
    """The statements of the atlas in a folder."""
    try:
        with open(folder / TABLE, encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = (isinstance(error, OSError) and error.strerror) or error
        raise BadInput(
            f"{str(folder)!r} holds no atlas: {TABLE} cannot be read ({why}); lossmith atlas DIR builds one"
        ) from None
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise BadInput(f"{str(folder / TABLE)!r} is no table of statements; build the atlas again")
    keys = Row._fields[1:]
    return [Row(str(folder), *(str(row[key] or "") for key in keys)) for row in rows]


def verify_atlas(folder: Path, *, n_jobs: int | None = 1, progress: Progress | None = None) -> Checked:
    """Check every certificate: that it is the one that was written, says what the statement says, and proves it."""
    rows = rows_of(folder)
    held = [row for row in rows if row.certificate]
    answers = list(sweep(_checked, held, n_jobs=n_jobs, progress=progress))
    complaints = [each for each in answers if each not in (_ACCEPTED, _CONDITIONAL)]
    absent = [row for row in rows if not row.certificate and row.sha256]
    unproved = [row.statement for row in rows if not row.sha256 and row.status in ("calibrated", "not calibrated")]
    wrong = (*complaints, *(f"{name}: decided, but without a certificate" for name in unproved), *_strays(folder, rows))
    return Checked(answers.count(_ACCEPTED), answers.count(_CONDITIONAL), wrong, len(absent))


def _strays(folder: Path, rows: Sequence[Row]) -> Iterator[str]:
    known = {row.certificate for row in rows}
    for path in sorted((folder / "certificates").rglob("*.json")):
        if path.relative_to(folder).as_posix() not in known:
            yield f"{path.relative_to(folder).as_posix()}: belongs to no statement"


_ACCEPTED, _CONDITIONAL = "accepted", "conditional"


def _checked(row: Row) -> str:
    """Whether a certificate is accepted, on a condition or without; or what is wrong with it."""
    import lossmith_verify

    try:
        text = (Path(row.folder) / row.certificate).read_bytes()
    except OSError as error:
        return f"{row.statement}: cannot read {row.certificate} ({error.strerror})"
    if hashlib.sha256(text).hexdigest() != row.sha256:
        return f"{row.statement}: {row.certificate} is not the certificate that was written"
    answer = lossmith_verify.check(text)
    if not answer.accepted:
        return f"{row.statement}: {answer.why}"
    if not _says(json.loads(text), row):
        return f"{row.statement}: the certificate is on something else"
    return _CONDITIONAL if answer.conditional else _ACCEPTED


def _says(content: dict[str, Any], row: Row) -> bool:
    """Whether a certificate that is accepted claims what the statement does.

    That CCdim is at most d is also proved by a surrogate in d dimensions that is calibrated.
    """
    claim, psi = str(content["claim"]), content.get("surrogate", {})
    if content["loss"]["name"] != row.loss:
        return False
    if claim == "regret":
        (x, y), *_ = (map(Fraction, point) for point in content["hull"])
        return (f"regret factor {x / y}", row.surrogate) == (row.status, psi["name"])
    if row.surrogate:
        return (claim, psi["name"].removesuffix(IN_LOGS)) == (row.status, row.surrogate)
    if claim == "calibrated" and row.status.startswith("CCdim at most "):
        varying = [column for column in zip(*psi.get("estimates", ()), strict=True) if len({*column}) > 1]
        width = psi["dim"] if "dim" in psi else len(varying)  # what is the same for all labels is not learned
        return int(width) <= int(row.status.rpartition(" ")[2])
    return f"{claim} {content.get('value')}".lower() == row.status.lower()
