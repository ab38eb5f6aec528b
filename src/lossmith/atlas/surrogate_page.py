"""The page of a family of surrogates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from lossmith.answers.cataloguing import formula
from lossmith.atlas.citing import bibtex, bibtex_of_regret
from lossmith.atlas.contents import Atlas, surrogate_picture
from lossmith.atlas.deciding import Finding
from lossmith.atlas.members import dashed
from lossmith.atlas.parts import (
    LEGEND,
    address,
    certificate_link,
    jumps,
    link,
    marked,
    sign,
    site_page,
    terms,
    verdict_link,
)
from lossmith.atlas.published import STATED, compared
from lossmith.atlas.regrets import regret_file
from lossmith.atlas.using import how_to_use
from lossmith.families import Family
from lossmith.text.pages import table, typeset

_MOST_LETTERS = 2_000  # of what a verdict says
_PAPER = "Ramaswamy and Agarwal, Convex Calibration Dimension for Multiclass Loss Matrices, JMLR 2016"


def surrogate_page(atlas: Atlas, family: Family[..., Any]) -> str:
    """The page: formula, pictures, cells, verdicts, what is published, how to use it."""
    found = atlas.of_surrogate[dashed(family.name)]
    body = [
        *_pictures(atlas, family),
        *_overview(found),
        *_verdicts(atlas, found),
        *_published(family, found),
        *_left_out(found),
        *how_to_use(family, found),
    ]
    headings = (re.search(r'<h[23] id="([^"]*)">([^<]*)<', each) for each in body)
    head = [
        f"<h1><code>{escape(family.name)}</code></h1>",
        jumps({found[2]: found[1] for found in headings if found}),
        f'<p class="claim">ψ<sub>y</sub>(u) = {typeset(_begun(formula(family)))}</p>',
        _facts(family, found),
    ]
    return site_page(f"{family.name}: which losses it is calibrated for", head + body)


def _begun(text: str) -> str:
    """A formula in words goes on after a sign, and does not begin a sentence.

    >>> _begun("The mean of u"), _begun("L_y(u)")
    ('the mean of u', 'L_y(u)')
    """
    return text[0].lower() + text[1:] if re.match("[A-Z](?=[a-z]| [a-z])", text) else text


def cited(source: str) -> str:
    """A source; a label of the paper with the paper.

    >>> cited("exmp:surrogate-CS").partition(":")[0]
    'Ramaswamy and Agarwal, Convex Calibration Dimension for Multiclass Loss Matrices, JMLR 2016'
    """
    return f"{_PAPER}: {source}" if ":" in source.split(" ")[0] else source


def dimensions(found: Sequence[Finding]) -> str:
    """The dimensions for each number of labels, in words."""
    by_size: dict[int, set[int]] = {}
    for each in found:
        by_size.setdefault(each.statement.member.loss.n, set()).add(each.statement.surrogate.dim)
    shown = ((n, sorted(dims)) for n, dims in sorted(by_size.items()))
    return ", ".join(
        f"{dims[0]}–{dims[-1]} for n = {n}" if len(dims) > 1 else f"{dims[0]} for n = {n}" for n, dims in shown
    )


def _facts(family: Family[..., Any], found: Sequence[Finding]) -> str:
    kinds = dict.fromkeys(["smooth" if "Smooth" in str(family.makes) else "polyhedral", family.kind])
    return terms(
        {
            "LaTeX": f"<code>{escape(family.latex)}</code>",
            "kind": escape(", ".join(kinds)),
            "dimensions": escape(dimensions(found)),
            "customary preds": escape(", ".join(family.preds)),
            "also called": escape(", ".join(family.aliases)),
            "source": escape(cited(family.cite)),
        }
    )


def _pictures(atlas: Atlas, family: Family[..., Any]) -> Iterator[str]:
    shown = [(n, atlas.portraits.get(surrogate_picture(family, n))) for n in STATED]
    figures = [
        f'<figure><img src="../{address(surrogate_picture(family, n))}" alt="{escape(each.caption)}">'
        f"<figcaption>{escape(each.caption)}</figcaption></figure>"
        for n, each in shown
        if each is not None and each.picture is not None
    ]
    if figures:
        yield f'<div class="pictures">{"".join(figures)}</div>'
    counts = [f"{each.count} for n = {n}" for n, each in shown if each is not None and each.count is not None]
    if counts:
        yield '<h2 id="cells">Its cells</h2>'
        yield (
            f"<p>Sets of distributions for which one u is optimal, of full dimension: {', '.join(counts)}. It is "
            "calibrated for a loss if each of them lies in the cell of one decision.</p>"
        )
    for n, each in shown:
        if each is not None and each.cells and n == max(m for m, one in shown if one is not None and one.cells):
            caption = f"The cells for n = {n}"
            yield table(caption, ["u", "corners of the cell"], [list(cell) for cell in each.cells], "stack")


def _overview(found: Sequence[Finding]) -> Iterator[str]:
    """A mark for each loss, with some pred: a row for each family of losses, a column for each number of labels."""
    yield '<h2 id="overview">For which losses</h2>'
    if not found:
        yield "<p>It fits none of the losses of this atlas.</p>"
        return
    some = [each for each in found if each.statement.pred is None]
    sizes = sorted({each.statement.member.loss.n for each in some})
    of_loss: dict[str, list[Finding]] = {}
    for each in some:
        of_loss.setdefault(each.statement.member.page, []).append(each)
    rows = [
        [
            link(f"../losses/{name}.html", name),
            *(" ".join(verdict_link(each) for each in of if each.statement.member.loss.n == n) for n in sizes),
        ]
        for name, of in of_loss.items()
    ]
    yield f"<p>{escape(LEGEND)} Of several members of a family, one mark for each.</p>"
    yield table("With some pred, for each number of labels", ["loss", *map(str, sizes)], rows, "overview marks-only")


def _verdicts(atlas: Atlas, found: Sequence[Finding]) -> Iterator[str]:
    if not found:
        return
    yield '<h2 id="verdicts">Verdicts</h2>'
    yield (
        "<p>With some pred: whether any pred would do. A bound on regrets is "
        "sharp if no smaller constant will do. The name of a statement is permanent, and is the end of its address.</p>"
    )
    for n in sorted({each.statement.member.loss.n for each in found}):
        here = [each for each in found if each.statement.member.loss.n == n]
        yield f'<h3 id="labels-{n}">{n} labels</h3>'
        rows = "\n".join(_row(atlas, each) for each in here)
        head = "".join(f'<th scope="col">{each}</th>' for each in ("loss", "pred", "verdict", "proof"))
        yield (
            f'<table class="claims stack"><caption>Verdicts for {n} labels</caption><thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{rows}\n</tbody></table>"
        )


def _row(atlas: Atlas, finding: Finding) -> str:
    statement = finding.statement
    member = statement.member
    loss = link(f"../losses/{member.page}.html#{member.place}", member.loss.name)
    if member.words is None:  # whose name does not tell which one it is
        loss += f'<br><span class="quiet">{escape(member.name)}</span>'
    pred = "some pred" if statement.pred is None else f"<code>{escape(statement.pred)}</code>"
    size = atlas.held.get(statement.file)
    held = certificate_link(statement.file, size)
    if size is None and finding.proof is not None:
        held = '<span class="quiet">a large certificate: the command makes it</span>'
    text = finding.text if len(finding.text) <= _MOST_LETTERS else finding.text[:_MOST_LETTERS] + "…"
    made = statement.command + (" --certificate proof.json" if finding.proof else "")
    moved = atlas.transfers.get(statement.name)
    if moved is not None:
        made += "\n" + statement.command.replace("lossmith check", "lossmith regret", 1)
        made += " --certificate regret.json" if moved.proof else ""
    cited = bibtex(finding)
    if moved is not None and moved.proof is not None:
        cited += "\n\n" + bibtex_of_regret(finding, moved)
    about = (
        f"<details><summary>why, command, citation</summary><p><code>{escape(statement.name)}</code></p>"
        f"<pre>{escape(text)}</pre><pre>{escape(made)}</pre><pre>{escape(cited)}</pre></details>"
    )
    verdict = marked(finding, f"{sign(finding)} {finding.status}") + _regret(atlas, statement.name)
    cells = f"<td>{pred}</td><td>{verdict}</td><td>{held}{about}</td>"
    return f'<tr id="{escape(statement.anchor)}"><th scope="row">{loss}</th>{cells}</tr>'


def _regret(atlas: Atlas, name: str) -> str:
    """What a regret costs, if that is known: regret_L ≤ c · regret_ψ."""
    found = atlas.transfers.get(name)
    if found is None:
        return ""
    words = escape(found.text).replace("regret_L", "regret<sub>L</sub>").replace("regret_ψ", "regret<sub>ψ</sub>")
    path = regret_file(name)
    proof = certificate_link(path, atlas.held.get(path), "its certificate")
    return f"<br>{words}{', sharp' if found.exact else ''} {proof}"


def _published(family: Family[..., Any], found: Sequence[Finding]) -> Iterator[str]:
    rows = [
        [
            escape(each.loss),
            escape(each.pred),
            escape(" ".join(each.printed)),
            escape(each.shown),
            each.mark,
            escape(cited(each.source)),
        ]
        for each in compared(family, found)
    ]
    if rows:
        yield '<h2 id="published">What is published</h2>'
        yield table(
            "Verdicts in print and here, for 2, 3 and 4 labels; ·: nothing is said, –: no such member",
            ["loss", "pred", "printed", "found", "", "source"],
            rows,
        )
    if any(row[4] == "✗" for row in rows):
        yield "<p>Where they differ (✗), docs/findings.md of lossmith, “Print and proof”, shows why.</p>"


def _left_out(found: Sequence[Finding]) -> Iterator[str]:
    left = [each.statement for each in found if each.status == "left out"]
    if left:
        yield '<h2 id="left-out">Left out</h2>'
        yield "<p>These are more work than the atlas allows for a question; the command has time.</p>"
        items = "".join(f"<li><code>{escape(each.command)}</code></li>" for each in left)
        yield f"<ul>{items}</ul>"
