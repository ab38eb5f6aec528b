"""Figures in files: whole or not at all, and the same bytes every time."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import matplotlib as mpl

from lossmith.errors import BadInput
from lossmith.writing import replacing

# A date, or ids drawn at random, would make every file differ from the last.
_METADATA: dict[str, dict[str, None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_REPRODUCIBLE = {"svg.hashsalt": "lossmith", "svg.fonttype": "none", "pdf.fonttype": 42}


def save(figure: Any, path: str | PathLike[str]) -> None:
    """Write a figure to a .png, .svg or .pdf file, by the ending of `path`; text stays text in the latter two.

    >>> from lossmith.losses import zero_one
    >>> from lossmith.plot import trigger_sets
    >>> save(trigger_sets(zero_one(3)), "cells.jpeg")
    Traceback (most recent call last):
    lossmith.errors.BadInput: cannot write 'cells.jpeg'; a picture's file must end in .png, .svg or .pdf
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in _METADATA:
        raise BadInput(f"cannot write {str(path)!r}; a picture's file must end in .png, .svg or .pdf")
    with mpl.rc_context(_REPRODUCIBLE), replacing(path) as stream:
        figure.savefig(stream, format=ending, dpi=200, bbox_inches="tight", metadata=_METADATA[ending])
