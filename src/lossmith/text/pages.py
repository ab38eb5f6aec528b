"""HTML pages that stand alone: one file, no requests, no scripts; for screens, phones, printers and screen readers."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

# The ink is #1a1a1a on white (17:1); links and verdicts keep at least 4.5:1 on every ground they stand on.
_STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --quiet: #555; --line: #c8c8c8; --ground: #f6f6f4; --link: #0b4f8a }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; color: var(--ink); background: white;
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem }
h3, h4 { font-size: 1.05rem; margin: 1.2rem 0 .3rem } h4 { font-size: .95rem } p, ul { margin: .5rem 0 }
ul { padding-left: 1.3rem }
a { color: var(--link) } code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9em }
pre { background: var(--ground); padding: .7rem; overflow-x: auto; border-radius: .3rem }
.scroll { overflow-x: auto; margin: .7rem 0 } .scroll:focus-visible { outline: 2px solid var(--link) }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: min(100%, 24rem) }
caption { text-align: left; color: var(--quiet) }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { border-bottom: 2px solid var(--ink); vertical-align: bottom } tbody th { font-weight: 600 }
.marks th:first-child { position: sticky; left: 0; background: white }
.numbers td, .numbers thead th + th { text-align: right } .marks td { text-align: center; white-space: nowrap }
.marks thead th + th { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; padding: .6rem .2rem }
sub, sup { line-height: 0 }
.mark { display: inline-block; padding: 0 .4rem; border-radius: .2rem }
.yes { background: #d9efe3 } .no { background: #fbe0d9 } .open { background: #fff3c4 }
.quiet { color: var(--quiet); font-size: .9rem; font-weight: normal }
.mark { white-space: nowrap } figure { margin: 1rem 0 } figcaption { color: var(--quiet) }
svg { max-width: 100%; height: auto; display: block } summary { cursor: pointer }
details pre { white-space: pre-wrap; overflow-wrap: anywhere }
.claim { font-size: 1.15rem; border-left: .3rem solid var(--link); padding-left: .8rem }
footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem }
@media (max-width: 40rem) { body { padding: .7rem } th, td { padding: .2rem .4rem } th { font-size: .85rem }
  .stack thead { position: absolute; left: -99rem } .stack, .stack tbody, .stack caption {
    display: block; overflow-wrap: anywhere }
  .stack tr { display: block; border-bottom: 1px solid var(--line) }
  .stack th, .stack td { display: block; border: 0 } .stack tr { padding: .3rem 0 } }
@media print {
  body { max-width: none; font-size: 10pt } a { color: inherit; text-decoration: none }
  h2, h3, summary { break-after: avoid } tr, figure, pre { break-inside: avoid } .scroll { overflow: visible }
  pre { white-space: pre-wrap } details::details-content { content-visibility: visible; block-size: auto }
  .yes, .no, .open { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""

_COLOURS = {"calibrated": "yes", "not calibrated": "no", "undecided": "open"}
_LONGEST = 60  # characters of a name that go into a file's name


def page(title: str, body: Iterable[str], head: str = "") -> str:
    """A page of HTML with its style; `body` holds its sections, and `head` more of the head, which are HTML already."""
    content = "\n".join(body)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'  # or a browser asks the server for one
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{head}</head>\n<body>\n<main>\n{content}\n</main>\n"
        "<footer><p>Made by lossmith. Every verdict and every bound is decided in exact arithmetic. "
        "Check a certificate with <code>python -m lossmith_verify FILE</code>, a separate program.</p></footer>\n"
        "</body>\n</html>\n"
    )


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table that scrolls by itself where it is too wide; cells are HTML, the first of each row names it.

    >>> table("sizes", ["what", "size"], [["n", "3"]]).count('scope="row"')
    1
    """
    columns = "".join(f'<th scope="col">{cell}</th>' for cell in header)
    lines = "\n".join(
        f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest) + "</tr>"
        for first, *rest in rows
    )
    words = re.sub(r"<[^>]*>", "", caption).replace('"', "&quot;")
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{words}">\n<table class="{kind}">'
        f"<caption>{caption}</caption>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>\n</div>"
    )


def download(text: str, name: str, words: str, spoken: str = "", target: str | None = None) -> str:
    """A link to a file that the page itself holds, or to `target`; `spoken` is what a screen reader says instead.

    >>> download("{}", "proof.json", "proof")
    '<a download="proof.json" href="data:application/json;base64,e30=">proof</a>'
    """
    held = target if target is not None else f"data:application/json;base64,{b64encode(text.encode()).decode()}"
    label = f' aria-label="{escape(spoken)}"' if spoken else ""
    return f'<a download="{escape(name)}"{label} href="{escape(held)}">{words}</a>'


def file_name(*words: str) -> str:
    """A name for a file about something, of letters, digits and dashes.

    >>> file_name("crammer_singer(n=3)", "zero_one(n=3)")
    'crammer_singer-n-3--zero_one-n-3'
    """
    return "--".join(re.sub(r"[^\w.]+", "-", word)[:_LONGEST].strip("-.") or "unnamed" for word in words)


def typeset(formula: str) -> str:
    """A formula in plain text as HTML: what stands after _ and ^ is lowered and raised.

    >>> typeset("e^{u_j} < x_y² on R^n")
    'e<sup>u<sub>j</sub></sup> &lt; x<sub>y</sub>² on R<sup>n</sup>'
    """
    text = re.sub(r"_\{([^}]*)\}", r"<sub>\1</sub>", escape(formula))
    text = re.sub(r"\^\{([^}]*)\}", r"<sup>\1</sup>", text)
    return re.sub(r"\^(\w)", r"<sup>\1</sup>", re.sub(r"_([a-z0-9]+)", r"<sub>\1</sub>", text))


def mark(status: str, words: str) -> str:
    """A verdict, or what stands for it, on its colour; `words` are HTML.

    >>> mark("calibrated", "C")
    '<span class="mark yes">C</span>'
    """
    return f'<span class="mark {_COLOURS[status]}">{words}</span>'
