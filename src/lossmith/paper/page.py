"""The page that shows what became of every item: one HTML file that asks for nothing outside itself."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping, Sequence

from lossmith.paper.item import Claim, Item, Mark, Outcome, Picture

GENERATOR = '<meta name="generator" content="lossmith reproduce">'
_TITLE = "Convex Calibration Dimension for Multiclass Loss Matrices, reproduced"
_CLASSES: dict[Mark, str] = {
    "✓": "agrees",
    "✓ sharper": "sharper",
    "heading": "heading",
    "proof only": "proof",
    "✗": "differs",
}
_MEANINGS: dict[Mark, str] = {
    "✓": "the library computes what the paper states",
    "✓ sharper": "it agrees, and the library proves more",
    "heading": "a section, whose statements follow, each by itself",
    "proof only": "a step of a proof: nothing to compute",
    "✗": "the library computes something else",
}
# One letter, a bracket, or a word of this list, then _ and an index of one sign or in braces.
_INDEX = re.compile(r"((?<!\w)(?:\w|min|max|inf|rank|argmin)|[)Σ>])_(?:\{([^{}]*)\}|(\w′?))")
_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 52rem; color: #1f1f1f; background: #fff;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin-top: 3rem; border-bottom: 2px solid #1f1f1f; font-size: 1.35rem; }
h3 { margin-top: 2.2rem; font-size: 1.15rem; }
h4 { margin-top: 1.8rem; font-size: 1rem; }
a { color: #005a8c; }
code { font: 0.9em ui-monospace, "DejaVu Sans Mono", monospace; color: #444; }
.mark { display: inline-block; padding: 0 0.5em; border-radius: 0.3em; font-size: 0.9rem; font-weight: 600;
  white-space: nowrap; }
.agrees { background: #d5f0e6; color: #004d38; }
.sharper { background: #cfe6f7; color: #00395c; }
.proof, .heading { background: #eee; color: #444; font-weight: 400; }
.differs { background: #b00020; color: #fff; }
.note { border-left: 3px solid #e69f00; padding-left: 0.8rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.25rem 0.5rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
figure { margin: 1.2rem 0; }
figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { margin-top: 0.5rem; font-size: 0.9rem; color: #444; }
summary { cursor: pointer; }
sub, sup { line-height: 0; font-size: 0.75em; }
.contents { padding: 0; list-style: none; font-size: 0.9rem; }
.contents li { padding: 0.2rem 0; border-bottom: 1px solid #ddd; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 0.8rem; }
dd { margin: 0; }
@media (max-width: 40rem) {
  .claims thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .claims tr { display: block; padding: 0.4rem 0; border-bottom: 1px solid #ddd; }
  .claims td { display: block; border: 0; padding: 0.05rem 0; }
  .claims td:first-child { font-weight: 600; }
  .claims td[data-name]::before { content: attr(data-name) ": "; color: #555; }
}
@media print {
  details::details-content { content-visibility: visible; block-size: auto; }
  figure { break-inside: avoid; }
}
"""


def page(results: Sequence[tuple[Item, Outcome]], drawings: Mapping[str, str]) -> str:
    """Make the page; `drawings` holds the SVG text of every picture by name."""
    counted = [outcome.mark for _, outcome in results]
    key = "".join(
        f"<dt>{_mark(mark)}</dt><dd>{counted.count(mark)}: {meaning}</dd>" for mark, meaning in _MEANINGS.items()
    )
    entries = "".join(
        f'<li><a href="#{_id(item)}"><code>{html.escape(item.label)}</code></a> {_text(item.title)} '
        f"{_mark(outcome.mark)}</li>"
        for item, outcome in results
    )
    contents = f'<details><summary>All labels of the paper</summary><ol class="contents">{entries}</ol></details>'
    head = (
        f"<h1>{_TITLE}</h1><p>Every label of the paper by Ramaswamy and Agarwal, in its order: what it states and what "
        "lossmith computed.</p>"
    )
    body, level = [], 2
    for item, outcome in results:
        kind = item.label.split(":")[0]
        level = 2 if kind in ("sec", "app") else 3 if kind == "subsec" else level
        inner = level if kind in ("sec", "app", "subsec") else level + 1
        body.append(_section(item, outcome, inner, drawings))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{GENERATOR}\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_TITLE}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<header>{head}<dl>{key}</dl>{contents}</header>\n<main>\n{''.join(body)}</main>\n</body>\n</html>\n"
    )


def _section(item: Item, outcome: Outcome, level: int, drawings: Mapping[str, str]) -> str:
    parts = [f"<h{level}>{_text(item.title)} <code>{html.escape(item.label)}</code></h{level}>"]
    if item.statement:
        parts.append(f"<p>{_text(item.statement)}</p>")
    if outcome.mark != "heading":  # which is seen
        parts.append(f"<p>{_mark(outcome.mark)} {_text(outcome.computed)}</p>")
    if outcome.difference:
        parts.append(f"<p><strong>{_text(outcome.difference)}</strong></p>")
    if item.note:
        parts.append(f'<p class="note">{_text(item.note)}</p>')
    parts += [_figure(picture, drawings[picture.name]) for picture in outcome.pictures]
    if outcome.claims:
        parts.append(_claims(outcome))
    return f'<section id="{_id(item)}">{"".join(parts)}</section>\n'


def _claims(outcome: Outcome) -> str:
    rows = "".join(
        f'<tr><td>{_text(claim.what)}</td><td data-name="paper">{_text(claim.paper)}</td>'
        f'<td data-name="computed">{_text(claim.computed)}</td><td>{_mark(claim.mark)}</td></tr>'
        for claim in outcome.claims
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("what", "paper", "computed", "mark"))
    opened = " open" if outcome.mark == "✗" else ""
    return (
        f"<details{opened}><summary>{_compared(outcome.claims)}</summary>"
        f'<table class="claims"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def _compared(claims: Sequence[Claim]) -> str:
    return "1 comparison" if len(claims) == 1 else f"{len(claims)} comparisons"


def _figure(picture: Picture, drawing: str) -> str:
    source = "data:image/svg+xml;base64," + base64.b64encode(drawing.encode()).decode()
    links = " · ".join(f'<a href="{picture.name}.{ending}">{ending.upper()}</a>' for ending in ("svg", "png"))
    return (
        f'<figure><img src="{source}" alt="{html.escape(picture.alt)}">'
        f"<figcaption>{_text(picture.caption)} {links}</figcaption></figure>"
    )


def _text(words: str) -> str:
    """Escape the words, and raise and lower what follows ^ and _ as in LaTeX; names such as zero_one stay as they are.

    >>> _text("ψ_y(u) on R^{n−1} < zero_one")
    'ψ<sub>y</sub>(u) on R<sup>n−1</sup> &lt; zero_one'
    """
    raised = re.sub(r"\^(?:\{([^{}]*)\}|(\w))", r"<sup>\1\2</sup>", html.escape(words, quote=False))
    for _ in range(2):  # an index may have an index
        raised = _INDEX.sub(r"\1<sub>\2\3</sub>", raised)
    return raised


def _mark(mark: Mark) -> str:
    return f'<span class="mark {_CLASSES[mark]}">{mark}</span>'


def _id(item: Item) -> str:
    return html.escape(item.label.replace(":", "-").replace("'", "-prime"))
