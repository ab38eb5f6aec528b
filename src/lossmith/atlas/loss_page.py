"""The page of a family of losses."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from html import escape

from lossmith.atlas.citing import bibtex_of_bound
from lossmith.atlas.contents import Atlas, bound_file, bound_name, loss_picture
from lossmith.atlas.deciding import Dimension, Finding, Side
from lossmith.atlas.members import MOST_DECISIONS
from lossmith.atlas.parts import (
    address,
    certificate_link,
    jumps,
    link,
    marked,
    place,
    sign,
    site_page,
    terms,
    with_code,
)
from lossmith.atlas.portraits import Portrait
from lossmith.atlas.surrogate_page import cited
from lossmith.losses.matrix import LossMatrix
from lossmith.text.numbers import counted
from lossmith.text.pages import table


def loss_page(atlas: Atlas, name: str) -> str:
    """The page: for each member its matrix, cells, dimension, and the surrogates that are right, cheapest first."""
    held = atlas.loss_pages[name]
    family = held[0].member.family
    title = held[0].member.loss.name if family is None else family.name
    about = "" if family is None else with_code((family.__doc__ or "").splitlines()[0])
    source = terms({"source": "" if family is None else escape(cited(family.cite))})
    to_members = jumps({each.member.loss.name: each.member.place for each in held})
    body = [f"<h1><code>{escape(title)}</code></h1>", to_members, f"<p>{about}</p>", source]
    for dimension in held:
        body += _member(atlas, dimension)
    return site_page(f"{title}: which surrogates are calibrated for it", body)


def right_surrogates(findings: Sequence[Finding]) -> list[Finding]:
    """The surrogates that are calibrated with some pred, in the fewest dimensions first."""
    right = [each for each in findings if each.status == "calibrated" and each.statement.pred is None]
    return sorted(right, key=lambda each: (each.statement.surrogate.dim, not each.statement.polyhedral))


def _member(atlas: Atlas, dimension: Dimension) -> Iterator[str]:
    member, loss = dimension.member, dimension.member.loss
    yield f'<h2 id="{escape(member.place)}">{escape(loss.name)}: {loss.n} labels, {loss.k} decisions</h2>'
    yield _matrix(loss)
    yield f'<p><a download href="../{address(member.file)}">the matrix as a file</a></p>'
    drawn = atlas.portraits[loss_picture(member)]
    if drawn.picture is not None:
        yield (
            f'<figure><img src="../{address(loss_picture(member))}" alt="{escape(drawn.caption)}">'
            f"<figcaption>{escape(drawn.caption)}</figcaption></figure>"
        )
    yield from _cells(loss, drawn)
    low, high = dimension.lower, dimension.upper
    exact = f"CCdim = {low.value}" if low.value == high.value else f"{low.value} ≤ CCdim ≤ {high.value}"
    yield f'<p class="claim">{exact}</p>'
    rows = [_bound(atlas, dimension, "at least", low, "lower"), _bound(atlas, dimension, "at most", high, "upper")]
    yield table(
        "The best bounds on the convex calibration dimension", ["CCdim is", "because", "proof"], rows, "stack bounds"
    )
    yield from _surrogates(atlas, dimension)


def _matrix(loss: LossMatrix) -> str:
    header, *rows = loss.shown_rows(MOST_DECISIONS)
    cells = [[escape(str(cell)) for cell in row] for row in rows]
    columns = [escape(str(cell)) for cell in header]
    return table(f"Cost of each decision, {escape(loss.name)}", columns, cells, "numbers")


def _cells(loss: LossMatrix, drawn: Portrait) -> Iterator[str]:
    """The corners of the cells; decisions that have none."""
    if drawn.count is None:
        yield f"<p>{escape(drawn.caption)}</p>"
        return
    if drawn.cells:
        cells = table(
            f"The cells of {escape(loss.name)}: each decision, and the corners of where it is best",
            ["decision", "corners of the cell"],
            [list(cell) for cell in drawn.cells],
            "stack",
        )
        yield f"<details><summary>Its cells: {drawn.count}</summary>{cells}</details>"
    if drawn.count < loss.k:
        idle = counted(loss.k - drawn.count, "decision")
        yield f"<p>{idle} of {loss.k} can be done without: the others are nowhere worse.</p>"


def _bound(atlas: Atlas, dimension: Dimension, words: str, side: Side, key: str) -> list[str]:
    path = bound_file(dimension.member, key)
    because = f'{escape(side.why)}<br><span class="quiet">{escape(side.theorem)}</span>'
    name, member = bound_name(dimension.member, key), dimension.member
    about = (
        f'<details id="{escape(name)}"><summary>command, citation</summary><p><code>{escape(name)}</code></p>'
        f"<pre>{escape(shlex.join(['lossmith', 'ccdim', member.argument]))}</pre>"
        f"<pre>{escape(bibtex_of_bound(dimension, side, key))}</pre></details>"
    )
    return [f"{words} {side.value}", because, certificate_link(path, atlas.held.get(path)) + about]


def _surrogates(atlas: Atlas, dimension: Dimension) -> Iterator[str]:
    found = atlas.of_loss[dimension.member.place]
    right = right_surrogates(found)
    name = escape(dimension.member.loss.name)
    if not right:
        yield f"<p>No surrogate of this atlas is known to be calibrated for {name}.</p>"
    else:
        rows = [_surrogate(atlas, each, found) for each in right]
        header = ["surrogate", "dimension", "kind", "customary preds", "proof"]
        yield table(f"Surrogates that are calibrated for {name}, cheapest first", header, rows, "stack right")
    some = [each for each in found if each.statement.pred is None]
    for status, words in (("not calibrated", "Not calibrated"), ("undecided", "Undecided"), ("left out", "Left out")):
        rest = [each for each in some if each.status == status]
        if rest:
            names = ", ".join(link(f"../{place(each.statement)}", each.statement.surrogate.name) for each in rest)
            yield f"<details><summary>{words}: {len(rest)}</summary><p>{names}</p></details>"


def _surrogate(atlas: Atlas, finding: Finding, found: Sequence[Finding]) -> list[str]:
    statement, dim = finding.statement, finding.statement.surrogate.dim
    preds = [
        f'<span class="pair">{link(f"../{place(each.statement)}", str(each.statement.pred))} '
        f"{marked(each, sign(each))}</span>"
        for each in found
        if each.statement.family is statement.family and each.statement.pred is not None
    ]
    return [
        link(f"../{place(statement)}", statement.surrogate.name),
        f'{dim}<span class="unit"> dimension{"s" * (dim > 1)}</span>',
        "polyhedral" if statement.polyhedral else "smooth",
        " ".join(preds),
        certificate_link(statement.file, atlas.held.get(statement.file)),
    ]
