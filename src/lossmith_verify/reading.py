"""Reading: the file, and the kinds of objects in it, each by a function of its name.

One JSON object in UTF-8, no key twice. All numbers that matter are text: an integer "-3", or a
fraction in lowest terms "5/6" with a denominator of at least 2. Indices are JSON integers and
count from 0. Unknown keys are errors.

Before anything is built, the size of the file, the number of its parts (brackets and commas) and
its depth are bounded. So what is read takes some hundreds of megabytes at most.
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

MAX_BYTES = 32 * 2**20
MAX_PARTS = 2_000_000
MAX_DEPTH = 200
MAX_INDEX = 2**26

Places = Iterator[tuple[str, Any]]

_NUMBER = re.compile("-?(0|[1-9][0-9]{0,639})(/[1-9][0-9]{0,639})?")  # Python always converts these
_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[][{}]', re.DOTALL)  # a text, or a bracket outside


class Rejected(Exception):
    """The place and the reason, in one line, for which a certificate is not accepted."""


class Vector(tuple[Any, ...]):
    """Numbers, in sets and dictionaries too: so their hash is one that no file can foresee.

    Python's own hash of a number is known, and a file could make all of them the same.
    """

    def __hash__(self) -> int:
        return hash(" ".join(f"{x.numerator:x}/{x.denominator:x}" for x in self))


class Rows(NamedTuple):
    """Rows (b, a) for b + a·u ≥ 0, and = 0; or rows a for a·p ≥ 0, and = 0."""

    inequalities: tuple[Vector, ...]
    equations: tuple[Vector, ...]


def require(condition: object, path: str, reason: str, *values: object) -> None:
    """Reject the certificate unless the condition holds; the values are shown for each {}."""
    if not condition:
        raise Rejected(f"{path or 'file'}: {reason.format(*map(show, values))}")


def show(value: object) -> str:
    """Return the value for a message: short, printable, on one line."""
    if isinstance(value, tuple):  # JSON has none: of fractions, or of integers
        return f"({', '.join(map(show, value[:20]))}{', …' * (len(value) > 20)})"
    if isinstance(value, Fraction):  # Python does not print numbers of very many digits
        size = max(abs(value.numerator), value.denominator)
        return str(value) if size < 10**20 else "(a long fraction)"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):  # no letter but those of ASCII: nothing in it can end the quotation
        return json.dumps(value[:80]) + "…" * (len(value) > 80)
    return json.dumps(value)


def parse(text: str | bytes) -> Any:
    """Return the JSON value of the file."""
    require(len(text) <= MAX_BYTES, "file", f"longer than {MAX_BYTES} bytes")
    try:
        plain = text.decode("utf-8") if isinstance(text, bytes) else text
        measure(plain)
        return json.loads(plain, object_pairs_hook=distinct, parse_int=integer)
    except (UnicodeDecodeError, json.JSONDecodeError) as flaw:
        raise Rejected(f"file: not JSON in UTF-8: {flaw}") from None


def measure(text: str) -> None:
    """Bound the number of parts and the depth of the JSON text, before it is read."""
    parts = sum(map(text.count, ",[{"))
    require(parts <= MAX_PARTS, "file", f"more than {MAX_PARTS} brackets and commas")
    depth = deepest = 0
    for mark in _MARK.finditer(text):
        first = text[mark.start()]
        depth += (first in "[{") - (first in "]}")
        deepest = max(depth, deepest)
    require(deepest <= MAX_DEPTH, "file", f"nested more than {MAX_DEPTH} levels deep")


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, no key twice."""
    require(len(dict(pairs)) == len(pairs), "file", "a key comes twice")
    return dict(pairs)


def integer(digits: str) -> int:
    """Return a JSON integer."""
    require(len(digits) <= 18, "file", f"an integer of {len(digits)} characters")
    return int(digits)


def record(value: Any, path: str, required: str, optional: str = "") -> Any:
    """Return an object with these keys, named in one line."""
    require(isinstance(value, dict), path, "expected an object, not {}", value)
    for key in value:
        require(key in (required + " " + optional).split(), path, "unknown key {}", key)
    for key in required.split():
        require(key in value, path, "the key {} is missing", key)
    return value


def listed(value: Any, path: str, size: int | None = None, least: int = 0) -> list[Any]:
    """Return a list, of this size if one is given."""
    require(isinstance(value, list), path, "expected a list, not {}", value)
    found: list[Any] = value
    fits = size in (None, len(found))
    require(fits, path, f"expected {size} entries, not {len(found)}")
    require(len(found) >= least, path, f"expected {least} or more entries, not {len(found)}")
    return found


def places(value: Any, path: str, size: int | None = None, least: int = 0) -> Places:
    """Return the entries of such a list, each with its place."""
    found = listed(value, path, size, least)
    return ((f"{path}[{i}]", each) for i, each in enumerate(found))


def index(value: Any, path: str, size: int = MAX_INDEX) -> int:
    """Return an integer from 0, below the size."""
    fine = type(value) is int and 0 <= value < size
    require(fine, path, f"expected an index below {size}, not {{}}", value)
    return int(value)


def number(value: Any, path: str) -> Fraction:
    """Return a number."""
    fine = isinstance(value, str) and _NUMBER.fullmatch(value)
    above, slash, below = value.partition("/") if fine else ("0", "", "0")
    a, b = int(above), int(below or 1)
    lowest = gcd(a, b) == 1 and (b > 1 or not slash)
    reason = "expected a number in quotes, in lowest terms, of at most 640 digits, not {}"
    require(lowest, path, reason, value)
    return Fraction(a, b)


def pair(value: Any, path: str, size: int) -> tuple[int, Fraction]:
    """Return an index below the size, and a number."""
    i, w = listed(value, path, 2)
    return index(i, path, size), number(w, path)


def vector(value: Any, path: str, size: int | None = None) -> Vector:
    """Return a list of numbers."""
    return Vector(number(x, at) for at, x in places(value, path, size))


def rows(value: Any, path: str, size: int) -> Rows:
    """Return the `inequalities` and `equations` of an object, which may have other keys."""
    return Rows(*(vectors(value[kind], f"{path}.{kind}", size) for kind in Rows._fields))


def vectors(value: Any, path: str, size: int, least: int = 0) -> tuple[Vector, ...]:
    """Return a list of lists of numbers, each of this size."""
    return tuple(vector(row, at, size) for at, row in places(value, path, None, least))


def name(value: Any, path: str) -> str:
    """Return text, in quotation marks as it is the file's own word, or an integer."""
    require(isinstance(value, str) or type(value) is int, path, "expected text, not {}", value)
    return show(value)


def title(table: Any, path: str) -> str:
    """Return the name of a loss, a surrogate or a pred, or what it is."""
    return name(table["name"], f"{path}.name") if "name" in table else f"the {path}"
