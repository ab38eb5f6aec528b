"""The files of an atlas: pages, pictures, matrices, certificates, and a table of all statements."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lossmith.atlas.contents import MOST_BYTES, Atlas, bound_file, bound_name
from lossmith.atlas.deciding import Dimension, Finding, Side
from lossmith.atlas.index_page import index_page
from lossmith.atlas.loss_page import loss_page
from lossmith.atlas.members import LossMember, dashed
from lossmith.atlas.parts import FILES, file_of_page
from lossmith.atlas.regrets import Transfer, regret_file, regret_name
from lossmith.atlas.surrogate_page import surrogate_page
from lossmith.sweeping.running import Progress
from lossmith.sweeping.store import Store

TABLE = "statements.csv"
COLUMNS = ("statement", "surrogate", "dimension", "kind", "loss", "labels", "pred", "status", "certificate", "sha256")


def write_certificates(
    findings: Sequence[Finding],
    dimensions: Sequence[Dimension],
    transfers: Mapping[str, Transfer],
    store: Store,
    folder: Path,
) -> dict[str, int]:
    """Write the certificates that are not too large; their bytes by their paths."""
    held = {}
    for path, proof in _proofs(findings, dimensions, transfers):
        text = (store.certificate(proof) or "").encode()
        if 0 < len(text) <= MOST_BYTES:
            _write(folder / path, text)
            held[path] = len(text)
    return held


def write_pages(atlas: Atlas, folder: Path, progress: Progress | None = None) -> None:
    """Write everything else; the index last."""
    for dimension in atlas.dimensions:
        _write(folder / dimension.member.file, dimension.member.loss.to_json().encode())
    for path, portrait in atlas.portraits.items():
        if portrait.picture is not None:
            _write(folder / path, portrait.picture.encode())
    pages: list[tuple[str, Any, Any]] = [
        *((f"surrogates/{dashed(family.name)}.html", surrogate_page, family) for family in atlas.families),
        *((f"losses/{name}.html", loss_page, name) for name in atlas.loss_pages),
    ]
    for done, (path, made, of) in enumerate(pages):
        if progress is not None:
            progress(done, len(pages))
        _write(folder / path, made(atlas, of).encode())
    for name in FILES:
        _write(folder / name, file_of_page(name).encode())
    _write(folder / TABLE, statements_table(atlas).encode())
    _write(folder / "index.html", index_page(atlas).encode())


def statements_table(atlas: Atlas) -> str:
    """All statements as CSV; a bound whose certificate is too large has its hash, and no file."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in atlas.findings:
        asked, file = each.statement, each.statement.file
        kind = "polyhedral" if asked.polyhedral else "smooth"
        loss, certificate = asked.member.loss, file if file in atlas.held else ""
        shown = [asked.name, asked.surrogate.name, asked.surrogate.dim, kind, loss.name, loss.n, asked.pred or ""]
        writer.writerow([*shown, each.status, certificate, each.proof or ""])
        moved, file = atlas.transfers.get(asked.name), regret_file(asked.name)
        if moved is not None and moved.proof is not None:
            shown[0], certificate = regret_name(asked.name), file if file in atlas.held else ""
            writer.writerow([*shown, f"regret factor {moved.constant}", certificate, moved.proof])
    for member, key, side in _sides(atlas.dimensions):
        file = bound_file(member, key)
        words = f"CCdim at {'least' if key == 'lower' else 'most'} {side.value}"
        shown = [bound_name(member, key), "", "", "", member.loss.name, member.loss.n, "", words]
        writer.writerow([*shown, file if file in atlas.held else "", side.proof or ""])
    return stream.getvalue()


def _proofs(
    findings: Sequence[Finding], dimensions: Sequence[Dimension], transfers: Mapping[str, Transfer]
) -> Iterator[tuple[str, str]]:
    yield from ((regret_file(name), each.proof) for name, each in transfers.items() if each.proof is not None)
    yield from ((each.statement.file, each.proof) for each in findings if each.proof is not None)
    for member, key, side in _sides(dimensions):
        if side.proof is not None:
            yield bound_file(member, key), side.proof


def _sides(dimensions: Sequence[Dimension]) -> Iterator[tuple[LossMember, str, Side]]:
    for each in dimensions:
        yield each.member, "lower", each.lower
        yield each.member, "upper", each.upper


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
