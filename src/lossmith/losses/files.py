"""Files, or the standard input, as text and as JSON; what is wrong with one is said with its name."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from lossmith.errors import BadLoss, nearest
from lossmith.losses.numerals import Exact
from lossmith.text.files import replacing

MOST_BYTES = 2**28  # of a file: more than 30 million entries
_AMOUNTS = "€£¥¢\u00a0’"  # stand in amounts of money
STANDARD_INPUT = "-"
READ = (".csv", ".tsv", ".txt", ".json", ".xlsx", ".xlsm")  # endings of files with tables
_JSON_KEYS = ("entries", "labels", "predictions", "name", "rows")


@dataclass(frozen=True)
class Table:
    """What a file holds, not yet read as numbers."""

    entries: list[list[object]]
    labels: list[Hashable] | None = None
    predictions: list[Hashable] | None = None
    name: str | None = None


@contextlib.contextmanager
def about(path: str | PathLike[str]) -> Iterator[None]:
    """Begin every error with the file that it is about."""
    try:
        yield
    except BadLoss as error:
        raise BadLoss(f"{shown(path)}: {error}") from None


def read_json(path: str | PathLike[str]) -> Table:
    """Read {"labels": …, "predictions": …, "entries": …} or a plain list of rows."""
    return table_of_json(load_json(path))


def table_of_json(content: Any) -> Table:
    """The table that JSON holds."""
    if isinstance(content, list):
        return Table(content)
    if not isinstance(content, dict) or not isinstance(content.get("entries"), list):
        raise BadLoss('there is no loss matrix; write a list of rows, or an object with "entries": a list of rows')
    for key in content:
        if key not in _JSON_KEYS:
            raise BadLoss(f"the key {key!r} is unknown; {nearest(key, _JSON_KEYS)}")
    if content.get("rows", "truth") != "truth":
        raise BadLoss(f'"rows" is {content["rows"]!r}; rows must be the truth: transpose the matrix')
    for key in ("labels", "predictions"):
        names = content.get(key)
        if names is not None and not (isinstance(names, list) and all(type(x) in (str, int, bool) for x in names)):
            raise BadLoss(f'"{key}" must be a list of names, each text or an integer')
    name = content.get("name")
    if name is not None and type(name) is not str:
        raise BadLoss(f'"name" is {name!r}; it must be text')
    return Table(content["entries"], content.get("labels"), content.get("predictions"), name)


def load_json(path: str | PathLike[str]) -> Any:
    """Read JSON in which no key is given twice; what is no integer stays text."""
    return parse_json(read_text(path))


def parse_json(text: str) -> Any:
    """The same, of a text."""
    try:
        return json.loads(
            text,
            parse_int=lambda text: int(text) if len(text) < 4000 else Exact(text),
            parse_float=Exact,
            parse_constant=Exact,
            object_pairs_hook=_with_each_key_once,
        )
    except json.JSONDecodeError as error:
        raise BadLoss(f"this is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise BadLoss("the JSON is nested too deeply; write a list of rows") from None


def write_json(
    path: str | PathLike[str] | None,
    labels: Sequence[object],
    predictions: Sequence[object],
    rows: Sequence[Sequence[str]],
    name: str,
) -> str:
    """Return the JSON text of a loss, one row a line; also write it to `path` if given."""
    for each in (*labels, *predictions):
        if not isinstance(each, (str, int)):
            raise BadLoss(f"{each!r} cannot be a name in JSON; rename it with text or an integer first")
    head = {"name": name, "rows": "truth", "labels": labels, "predictions": predictions}
    above = "".join(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n" for key, value in head.items())
    lines = ",\n".join("    " + json.dumps(list(row)) for row in rows)
    text = f'{{\n{above}  "entries": [\n{lines}\n  ]\n}}\n'
    if path is not None:
        write_text(path, text)
    return text


def read_text(path: str | PathLike[str]) -> str:
    """Read the text of a file: UTF-8 with or without a mark, UTF-16 with one, or the letters of Windows-1252."""
    content = read_bytes(path)
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = _decoded(content, "utf-16" if utf16 else "utf-8-sig")
    if text is None and not utf16:
        text = _decoded(content, "cp1252")
        if text and not all(character.isascii() or character.isalpha() or character in _AMOUNTS for character in text):
            text = None
        if text:
            warnings.warn(f"{shown(path)} is not UTF-8; its letters were read as Windows-1252", stacklevel=4)
    if text is None:
        raise BadLoss("this is not text in UTF-8; save it as CSV, TSV or JSON in UTF-8")
    if not "".join(text.split()).strip(',;"'):
        raise BadLoss("the file is empty; give a row of names, then the rows of the table")
    return text


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The content of a file, or for "-" what the standard input brings, up to a limit."""
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise BadLoss("it is closed; write lossmith … - < costs.csv")
            stream = getattr(sys.stdin, "buffer", None)
            content = sys.stdin.read().encode() if stream is None else stream.read(MOST_BYTES + 1)
        else:
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, BadLoss):
            raise
        near = similar(str(path)) if isinstance(error, FileNotFoundError) else []
        meant = f"; {nearest(path, near)}" if near else ""
        raise BadLoss(f"cannot be read: {getattr(error, 'strerror', None) or error}{meant}") from None
    if len(content) > MOST_BYTES:
        raise BadLoss(f"the file is longer than {MOST_BYTES:,} bytes; a loss matrix is not")
    return bytes(content)


def similar(path: str) -> list[str]:
    """The file that can be read and has almost the name of a path, in its folder, if there is one, as it is written."""
    folder, name = os.path.split(path)
    try:
        names = [each.name for each in os.scandir(folder or ".") if each.is_file() and each.name.lower().endswith(READ)]
    except (OSError, ValueError):
        return []
    return [os.path.join(folder, each) for each in difflib.get_close_matches(name, names, 1)]


def _decoded(content: bytes, encoding: str) -> str | None:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file whole or not at all."""
    with replacing(path) as stream:
        stream.write(text.encode())


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise BadLoss(f"the key {key!r} occurs twice; give it once")
        content[key] = value
    return content


def shown(path: str | PathLike[str]) -> str:
    """What a file is called in print.

    >>> shown("costs.csv"), shown("-")
    ('costs.csv', 'the standard input')
    """
    text = "the standard input" if path == STANDARD_INPUT else str(path)
    return text if text and text.isprintable() else repr(text)
