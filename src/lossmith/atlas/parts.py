"""Parts that several pages of the atlas have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote

from lossmith.answers.cataloguing import MARKS
from lossmith.atlas.deciding import Finding
from lossmith.atlas.statements import Statement
from lossmith.text.pages import mark, page, typeset

GENERATOR = '<meta name="generator" content="lossmith atlas">'
FILES = ("atlas.css", "atlas.js")
LEFT_OUT = "…"
CLASSES = {"calibrated": "yes", "not calibrated": "no", "undecided": "open", "left out": ""}
LEGEND = (
    "C: calibrated. N: not calibrated. ?: undecided, no rule of lossmith applies. …: left out, the work is more than "
    "the atlas allows for a question."
)
_HERE = Path(__file__).parent / "page"


def site_page(title: str, body: list[str], *, up: str = "../", script: bool = False) -> str:
    """A page of the atlas, `up` from which its files lie."""
    style = f'{GENERATOR}\n<link rel="stylesheet" href="{up}atlas.css">\n'
    nav = f'<nav><a href="{up}index.html">The atlas of surrogates and losses</a></nav>' if up else ""
    last = f'<script src="{up}atlas.js"></script>' if script else ""
    return page(title, [nav, *body, last], style)


def file_of_page(name: str) -> str:
    """The text of the style or of the script."""
    return (_HERE / name).read_text(encoding="utf-8")


def address(path: str) -> str:
    """A path of the atlas as an address in HTML.

    >>> address("certificates/a b/n=3/top-k,k=2.json")
    'certificates/a%20b/n=3/top-k,k=2.json'
    """
    return escape(quote(path, safe="/=,#"))


def link(path: str, words: str) -> str:
    """A link within the atlas; the words are text, which may be broken after commas, _ and =, and before brackets.

    >>> link("a.html", "top_k(n=3, k=2)")
    '<a href="a.html">top_<wbr>k<wbr>(n=<wbr>3, k=<wbr>2)</a>'
    """
    broken = re.sub(r"([,=_])(?=\S)", r"\1<wbr>", escape(words)).replace("(", "<wbr>(")
    return f'<a href="{address(path)}">{broken}</a>'


def jumps(places: Mapping[str, str]) -> str:
    """Links to places of the same page, by words; nothing if there are fewer than two.

    >>> jumps({"left out": "left-out"})
    ''
    """
    links = " · ".join(f'<a href="#{address(to)}">{escape(words)}</a>' for words, to in places.items())
    return f'<nav aria-label="On this page">{links}</nav>' if len(places) > 1 else ""


def place(statement: Statement) -> str:
    """Where the statement stands, from the folder of the atlas."""
    return f"surrogates/{statement.name.partition('/')[0]}.html#{statement.anchor}"


def sign(finding: Finding) -> str:
    """C, N, ? or …."""
    return MARKS.get(finding.status, LEFT_OUT)


def marked(finding: Finding, words: str = "") -> str:
    """The verdict on its colour."""
    said = escape(words or sign(finding))
    return f'<span class="mark">{said}</span>' if finding.status == "left out" else mark(finding.status, said)


def verdict_link(finding: Finding) -> str:
    """C, N, ? or … on its colour, as a link to the statement on the same page."""
    statement = finding.statement
    about = f'title="{escape(statement.member.loss.name)}" href="#{address(statement.anchor)}"'
    return f'<a class="mark {CLASSES[finding.status]}" {about}>{sign(finding)}</a>'


def certificate_link(path: str, size: int | None, words: str = "certificate") -> str:
    """A link to a certificate that the atlas holds, or nothing."""
    if size is None:
        return ""
    name = path.rpartition("/")[2]
    held = f"{max(1, round(size / 1000)):,}&nbsp;KB"
    linked = f'<a download="{escape(name)}" href="../{address(path)}">{words}</a>'
    return f'{linked}&nbsp;<span class="quiet">{held}</span>'


def with_code(text: str) -> str:
    """A sentence of a docstring as HTML, with formulas in it.

    >>> with_code("it costs `c_y` < x_y")
    'it costs <code>c_y</code> &lt; x<sub>y</sub>'
    """
    parts = text.split("`")  # of which every other is code
    return "".join(f"<code>{escape(each)}</code>" if i % 2 else typeset(each) for i, each in enumerate(parts))


def terms(entries: Mapping[str, str]) -> str:
    """What something is, by words; the values are HTML, and empty ones are left out."""
    shown = "".join(f"<dt>{escape(key)}</dt><dd>{value}</dd>" for key, value in entries.items() if value)
    return f"<dl>{shown}</dl>"
