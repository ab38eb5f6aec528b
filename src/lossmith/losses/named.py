"""The loss that a word on the command line stands for: a file, or a member of a family."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from lossmith.errors import UnknownName
from lossmith.families import member
from lossmith.losses import CATALOGUE, RANKING
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss

_READERS = {
    ".csv": LossMatrix.from_csv,
    ".tsv": LossMatrix.from_csv,
    ".txt": LossMatrix.from_csv,
    ".json": LossMatrix.from_json,
}


def loss_named(text: str) -> Loss:
    """Read a loss from a .csv, .tsv, .txt or .json file, or make the member of a family, such as "abstain:n=4".

    >>> loss_named("ordinal:n=3").name
    'ordinal(n=3)'
    """
    reader = _READERS.get(Path(text).suffix.lower())
    is_file = os.path.exists(text)
    if reader is not None and (is_file or ":" not in text):  # hierarchical:tree=animals.json is no file
        return reader(text)
    if is_file:
        raise UnknownName(f"{text!r} is no .csv, .tsv, .txt or .json file; save the loss matrix as one of these")
    loss: Loss = member(text, (*CATALOGUE, *RANKING))
    return loss


def written_in_python(text: str) -> str:
    """The line of Python that makes what `loss_named` makes of a text.

    >>> print(written_in_python("abstain:n=4,cost=1/3"))
    loss = lm.losses.abstain(n=4, cost="1/3")
    >>> print(written_in_python("costs.csv"))
    loss = lm.LossMatrix.from_csv("costs.csv")
    """
    reader = _READERS.get(Path(text).suffix.lower())
    if reader is not None and (os.path.exists(text) or ":" not in text):
        return f"loss = lm.LossMatrix.{reader.__name__}({json.dumps(text, ensure_ascii=False)})"
    name, _, rest = text.partition(":")
    given = (part.partition("=")[::2] for part in re.split(r",(?![^(]*\))", rest) if part)
    values = (f"{key}={value if value.isdecimal() else json.dumps(value.strip('()'))}" for key, value in given)
    return f"loss = lm.losses.{name.replace('-', '_')}({', '.join(values)})"
