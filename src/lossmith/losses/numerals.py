"""Numbers as people write them: money, thousands, per cent and decimal commas; read in one way or not at all.

A table has one decimal sign. A cell such as 1.234,50 tells that it is the comma, 0.5 that it is the point; 1,200 tells
nothing, and is refused unless another cell, or the comma between the cells, tells what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from lossmith.errors import BadLoss, BadNumber
from lossmith.exact.rational import as_rational

_CODES = "USD EUR GBP JPY CHF CAD AUD NZD CNY INR SEK NOK DKK PLN CZK HUF BRL MXN ZAR KRW SGD HKD"
_MONEY = rf"(?:US\$|[$€£¥₹₩₽₺₫₪₴₦₱฿¢]|{'|'.join(_CODES.split())})"
_SPACE = r"[ \u00a0\u2009\u202f]"
_WHOLE = re.compile(
    rf"(?P<minus>[+\-−]?)(?P<before>{_MONEY}?){_SPACE}*(?P<inner>[+\-−]?)(?P<core>"
    rf"[0-9.,](?:[0-9.,'’_\u00a0\u2009\u202f ]*[0-9.,])?(?:[eE][+-]?[0-9]+)?){_SPACE}*(?P<after>{_MONEY}|%|)"
)
_PLAIN = re.compile(r"[+-]?[0-9]+(?:/[0-9]+)?")  # the same under every convention
_MOST_CHARACTERS = 5000  # of a number that anybody writes
_LAST_DIGIT = re.compile(r"([0-9])(?=[^0-9]*$)")

Where: TypeAlias = tuple[object, object]  # the names of a row and a column


class Exact(str):
    """The text of a number that a program has written, which tells nothing about how people write theirs."""


@dataclass(frozen=True)
class _Numeral:
    """A cell: what it says where the decimal sign is a point, and where it is a comma; None if it says nothing then."""

    text: str
    point: str | None
    comma: str | None
    mark: str = ""  # of a currency, or %


def _pattern(decimal: str, other: str) -> re.Pattern[str]:
    """Numbers with this decimal sign; groups of three digits are parted by the other one, spaces or apostrophes."""
    groups = rf"[1-9][0-9]{{0,2}}(?P<sign>[{other}'’_ \u00a0\u2009\u202f])[0-9]{{3}}(?:(?P=sign)[0-9]{{3}})*"
    return re.compile(rf"(?:(?:{groups}|[0-9]+)(?:[{decimal}][0-9]*)?|[{decimal}][0-9]+)(?:[eE][+-]?[0-9]+)?")


_POINT, _COMMA = _pattern(".", ","), _pattern(",", ".")


def is_number(cell: str) -> bool:
    """Whether a cell of a table can be meant as a number.

    >>> is_number("$1,200"), is_number("1.234,50"), is_number("ward 3"), is_number("1,2,3")
    (True, True, False, False)
    """
    return _numeral(cell) is not None


def plain_numbers(
    rows: Sequence[Sequence[object]],
    labels: Iterable[object],
    predictions: Sequence[object],
    delimiter: str | None = None,
) -> list[list[object]]:
    """The cells, numbers in the spelling that `as_rational` reads; what is no number stays as it is.

    `delimiter` is the sign between the cells of the file, if they come from one: where it is a comma, so are not the
    decimal signs; where it is a semicolon, they may well be.

    >>> plain_numbers([["$1,200", "0"]], ["a"], ["b", "c"], ",")
    [['1200', '0']]
    >>> plain_numbers([["1,200", "0,5"]], ["a"], ["b", "c"], ";")
    [['1.200', '0.5']]
    """
    read = [[_numeral(cell) if isinstance(cell, str) else None for cell in row] for row in rows]
    places = [(label, prediction) for label in labels for prediction in predictions]
    found = [(where, each) for where, each in zip(places, _flat(read), strict=True) if each is not None]
    _refuse_mixed_marks(found)
    by_comma = _decimal_comma(found, delimiter)
    return [
        [cell if each is None else _spelled(each, by_comma) for cell, each in zip(row, line, strict=True)]
        for row, line in zip(rows, read, strict=True)
    ]


def _decimal_comma(found: Sequence[tuple[Where, _Numeral]], delimiter: str | None) -> bool:
    """Whether the decimal sign of the table is the comma."""
    no_point = next((each for each in found if each[1].point is None), None)
    no_comma = next((each for each in found if each[1].comma is None), None)
    if no_point and delimiter == ",":
        raise BadLoss(
            f"{_entry(no_point)}, with a decimal comma where commas also part the cells; write a decimal point"
        )
    if no_point and no_comma:
        first, second = no_point[1].text, no_comma[1].text
        raise BadLoss(f"{first!r} has a decimal comma but {second!r} a decimal point; use one of them")
    if no_point or no_comma:
        return no_point is not None
    for where, each in found:
        by_comma = "," in each.text
        thousands = each.point if by_comma else each.comma
        doubtful = delimiter != "," if by_comma else delimiter == ";" or each.mark  # else a point is a point
        if each.point != each.comma and doubtful:
            longer = _LAST_DIGIT.sub(r"\g<1>0", each.text)
            raise BadLoss(f"{_entry((where, each))}, which could be {longer} or {thousands}; write one of these")
    return False


def _refuse_mixed_marks(found: Sequence[tuple[Where, _Numeral]]) -> None:
    """Two currencies, or per cent beside what is not, are not comparable as they stand; 0 is 0 in each."""
    marks: dict[str, str] = {}
    for _, each in found:
        if each.mark or any(digit in "123456789" for digit in each.text):
            marks.setdefault(each.mark, each.text)
    percent = marks.pop("%", None)
    money = [text for mark, text in marks.items() if mark]
    if percent and marks:
        raise BadLoss(f"{percent!r} is per cent but {next(iter(marks.values()))!r} is not; write all of them alike")
    if len(money) > 1:
        raise BadLoss(f"{money[0]!r} and {money[1]!r} are amounts in two currencies; write all of them in one")


def _numeral(text: str) -> _Numeral | None:
    cell = text.strip()
    if isinstance(text, Exact) or _PLAIN.fullmatch(cell):
        return _Numeral(text, cell, cell)
    whole = _WHOLE.fullmatch(cell) if len(cell) < _MOST_CHARACTERS else None
    if whole is None:
        return _Numeral(text, cell, cell) if _is_rational(cell) else None  # 1 / 3
    signs = whole["minus"] + whole["inner"]
    if len(signs) > 1 or (whole["before"] and whole["after"] not in ("", whole["before"])):
        return None
    core, sign = whole["core"].strip(), "-" if signs in ("-", "−") else ""
    point, comma = _value(core, _POINT, ",", "."), _value(core, _COMMA, ".", ",")
    if point is None and comma is None:
        return None
    mark = whole["before"] or whole["after"]
    return _Numeral(cell, None if point is None else sign + point, None if comma is None else sign + comma, mark)


def _value(core: str, pattern: re.Pattern[str], other: str, decimal: str) -> str | None:
    if not pattern.fullmatch(core):
        return None
    return re.sub(rf"[{other}'’_\s]", "", core).replace(decimal, ".")


def _spelled(each: _Numeral, by_comma: bool) -> str:
    text = each.comma if by_comma else each.point
    assert text is not None  # what has another decimal sign was refused
    if each.mark != "%":
        return text
    try:
        return str(as_rational(text) / 100)
    except BadNumber:
        return each.text  # too long: refused where it is read


def _is_rational(cell: str) -> bool:
    try:
        return isinstance(as_rational(cell), Fraction)
    except BadNumber:
        return False


def _entry(found: tuple[Where, _Numeral]) -> str:
    (label, prediction), each = found
    return f"the entry in row {label!r}, column {prediction!r} is {each.text!r}"


def _flat(read: Sequence[Sequence[_Numeral | None]]) -> Iterator[_Numeral | None]:
    return (each for row in read for each in row)
