"""Names in print: on one line, and without anything that a terminal or a page obeys instead of showing it."""

from __future__ import annotations

import json
import unicodedata

_JOINERS = "\u200c\u200d"  # Persian, Hindi and emoji are spelled with them


def one_line(text: str) -> str:
    """Escape line breaks and all other control characters, as JSON does; spaces of any width stay.

    >>> print(one_line("wait" + chr(10) + "calibrated"))
    wait\\ncalibrated
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def harmless(text: str) -> str:
    """Escape control characters in several lines; what was JSON stays JSON, and means the same.

    >>> print(harmless("[" + chr(10) + '"' + chr(0x9b) + '"]'))
    [
    "\\u009b"]
    """
    return "\n".join(map(one_line, text.split("\n")))


def cut(name: object, letters: int) -> str:
    """A name in a table: of a long one the beginning and the end, which often tell it from others.

    >>> cut("review", 12), cut("a decision in many words, no. 17", 12)
    ('review', 'a decis…. 17')
    """
    shown = f"{name}"
    tail = letters // 3
    return shown if len(shown) <= letters else f"{shown[: letters - 1 - tail].rstrip()}…{shown[-tail:]}"


class OneLine(str):
    """A name with control characters: it is compared, stored and written to files as it is, and formats on one line.

    >>> name = printable("wait" + chr(10) + "calibrated")
    >>> print(f"decide {name}", str(name) == "wait" + chr(10) + "calibrated")
    decide wait\\ncalibrated True
    """

    def __format__(self, spec: str) -> str:
        return format(one_line(str(self)), spec)


def printable(name: object) -> object:
    """The name itself; f"{name}" is one line."""
    return OneLine(name) if isinstance(name, str) and not name.isprintable() else name


def _escaped(character: str) -> str:
    if character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs":
        return character
    return json.dumps(character)[1:-1]
