"""Figures in files: whole or not at all, and the same bytes every time."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from io import StringIO
from os import PathLike
from typing import Any

import matplotlib as mpl
from matplotlib.text import Text

from lossmith.errors import BadInput
from lossmith.text.files import picture_ending, replacing
from lossmith.text.latex import SPECIAL

# A date, or ids drawn at random, would make every file differ from the last.
_OPTIONS: dict[str, dict[str, Any]] = {
    "png": {},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
    "pgf": {},
}
_REPRODUCIBLE = {
    "svg.hashsalt": "lossmith",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "pgf.rcfonts": False,  # text takes the fonts of the document, and the file holds no paths to ours
}
_TEX = str.maketrans(
    SPECIAL | {"−": r"\ensuremath{-}", "→": r"\ensuremath{\rightarrow}", "∞": r"\ensuremath{\infty}", "…": r"\ldots{}"}
)


def save(figure: Any, path: str | PathLike[str]) -> None:
    """Write a figure to a .png, .svg, .pdf or .pgf file, by the ending of `path`; text stays text in the latter three.

    A .pgf file is for \\input in a LaTeX document; LaTeX must be installed, for it measures the text.

    >>> from lossmith.losses import zero_one
    >>> from lossmith.plot import trigger_sets
    >>> save(trigger_sets(zero_one(3)), "cells.jpeg")
    Traceback (most recent call last):
    lossmith.errors.BadInput: cannot write 'cells.jpeg'; a picture's file must end in .png, .svg, .pdf or .pgf
    """
    ending = picture_ending(path)
    engine = mpl.rcParams["pgf.texsystem"]
    if ending == "pgf" and shutil.which(engine) is None:
        raise BadInput(f"cannot write {str(path)!r}: {engine} is not installed; install TeX Live, or save as .pdf")
    escaped = _for_tex(figure) if ending == "pgf" else nullcontext()
    with mpl.rc_context(_REPRODUCIBLE), replacing(path) as stream, escaped:
        figure.savefig(stream, format=ending, dpi=200, bbox_inches="tight", **_OPTIONS[ending])


def as_svg(figure: Any, title: str) -> str:
    """The figure as an element to stand in a page of HTML; `title` says in words what it shows."""
    stream = StringIO()
    with mpl.rc_context(_REPRODUCIBLE):
        figure.savefig(stream, format="svg", bbox_inches="tight", **_OPTIONS["svg"])
    drawn = re.sub(r"<metadata>.*?</metadata>\s*", "", stream.getvalue(), flags=re.DOTALL)
    _, _, element = drawn.partition("<svg ")
    return f'<svg role="img" aria-label="{escape(title)}" {element}'


@contextmanager
def _for_tex(figure: Any) -> Iterator[None]:
    """Write the names in the figure so that LaTeX shows them as they are, for as long as this lasts."""
    texts = [text for text in figure.findobj(Text) if not text.get_parse_math()]
    names = [text.get_text() for text in texts]
    try:
        for text, name in zip(texts, names, strict=True):
            text.set_text(name.translate(_TEX))
        yield
    finally:
        for text, name in zip(texts, names, strict=True):
            text.set_text(name)
