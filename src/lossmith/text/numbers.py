"""Numbers in print: as people write them. What decides is exact; what is shown is rounded where a fraction is long.

`with as_fractions(): print(…)` shows every number exactly, and so does `--exact` on the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any

_FRACTIONS: ContextVar[bool] = ContextVar("as_fractions", default=False)
_FLOAT_DIGITS = 16
_MOST_DECIMALS, _MOST_DIGITS, _SHORT = 6, 9, 6  # of a decimal; the digits of a fraction that is read at a glance
_TERM, _HELD = re.compile(r"(?<!\S)(?:[\d.]\S* )?P\([^()]{1,60}\)(?: = \d)?|\d %"), "\0"  # which no name has in print
_WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
WIDTH, LONGEST = 100, 118  # letters in a line that is broken, and in one that need not be


@contextmanager
def as_fractions() -> Iterator[None]:
    """Within it numbers are shown exactly, as fractions.

    >>> with as_fractions():
    ...     print(written(Fraction(501, 2)))
    501/2
    """
    before = _FRACTIONS.set(True)
    try:
        yield
    finally:
        _FRACTIONS.reset(before)


def shown_exactly() -> bool:
    """Whether numbers are shown as fractions here.

    >>> with as_fractions():
    ...     shown_exactly()
    True
    """
    return _FRACTIONS.get()


def written(x: Fraction | int, digits: int = 4) -> str:
    """A decimal where it ends soon, a fraction where it is short; any other number rounded to some digits.

    >>> [written(Fraction(x)) for x in ("501/2", "2/5", "1/3", "4692193998674593/5000000000000000", "-7")]
    ['250.5', '0.4', '1/3', '0.9384', '-7']
    """
    x = Fraction(x)
    if _FRACTIONS.get():
        return str(x)
    if _is_short_decimal(x):
        return decimal(x, _MOST_DECIMALS)
    if x.denominator > 1 and len(str(abs(x.numerator))) + len(str(x.denominator)) <= _SHORT:
        return str(x)
    return significant(x, digits)


def significant(x: Fraction, digits: int) -> str:
    """Rounded to some digits, without an exponent while that is readable.

    >>> [significant(Fraction(x), 3) for x in ("1/7", "20000/3", "1/70000", "1/70000000")]
    ['0.143', '6670', '0.0000143', '1.43e-08']
    """
    if not x:
        return "0"
    size = floor(_log(abs(x)))
    if not -6 < size < 12:
        return _scientific(x, digits)
    return decimal(Fraction(round(x * Fraction(10) ** (digits - 1 - size))) / Fraction(10) ** (digits - 1 - size), 12)


def decimal(x: Fraction, places: int) -> str:
    """Rounded to some places behind the point, without zeros at the end.

    >>> decimal(Fraction(1, 4), 6), decimal(Fraction(2), 6), decimal(Fraction(-1, 3), 2)
    ('0.25', '2', '-0.33')
    """
    unit = 10**places
    whole, rest = divmod(round(abs(x) * unit), unit)
    behind = f"{rest:0{places}d}".rstrip("0") if places else ""
    sign = "-" if x < 0 and (whole or rest) else ""
    return f"{sign}{whole}" + (f".{behind}" if behind else "")


def amount(x: Fraction) -> str:
    """A sum of costs: a whole number in full, else three digits; beyond that, what the fraction rounds to.

    >>> amount(Fraction(25000)), amount(Fraction(200, 3)), amount(Fraction(20001, 7))
    ('25,000', '66.7', '2,857')
    """
    if _FRACTIONS.get():
        return str(x)
    if x.denominator == 1 or x >= 1000:
        return f"{round(x):,}" if abs(x) < 10**15 else significant(x, 3)
    return significant(x, 3)


def percent(share: float) -> str:
    """A share that was sampled, in whole per cent.

    >>> percent(0.123), percent(0.0004)
    ('12 %', 'below 1 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.01 else "below 1 %"


def counted(number: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "decision"), counted(1200, "decision"), counted(2, "query")
    ('1 decision', '1,200 decisions', '2 queries')
    """
    ends = {"class": "classes", "query": "queries", "vertex": "vertices", "matrix": "matrices"}
    return f"{number:,} {noun if number == 1 else ends.get(noun, noun + 's')}"


def at_most(x: Fraction) -> str:
    """The same, rounded up.

    >>> at_most(Fraction(11477, 2)), at_most(Fraction(200, 3)), at_most(Fraction(25000))
    ('5,739', '66.7', '25,000')
    """
    if _FRACTIONS.get() or x.denominator == 1 or x <= 0:
        return amount(x)
    unit = Fraction(10) ** min(0, floor(_log(x)) - 2)
    return amount(unit * ceil(x / unit))


def difference(larger: Fraction, smaller: Fraction) -> tuple[str, str, str]:
    """Two sums of costs and what is between them, in as many places as that needs: as they are printed, they subtract.

    >>> difference(Fraction(171500), Fraction(12350)), difference(Fraction(200, 3), Fraction(100, 3))
    (('171,500', '12,350', '159,150'), ('66.7', '33.3', '33.4'))
    """
    places = max(0, 2 - floor(_log(larger - smaller))) if larger > smaller else 0
    if _FRACTIONS.get() or places > _FLOAT_DIGITS or larger > 10**_FLOAT_DIGITS:
        return amount(larger), amount(smaller), amount(larger - smaller)
    most, least = (floor(x * 10**places + Fraction(1, 2)) for x in (larger, smaller))
    first, second, third = (_grouped(decimal(Fraction(x, 10**places), places)) for x in (most, least, most - least))
    return first, second, third


def _grouped(number: str) -> str:
    whole, point, behind = number.partition(".")
    return f"{int(whole):,}{point}{behind}"


def as_float(x: Fraction) -> float | None:
    """The nearest float, for JSON beside the exact text; None beyond their range.

    >>> as_float(Fraction(1, 3)), as_float(Fraction(10) ** 400)
    (0.3333333333333333, None)
    """
    try:
        return float(x)
    except OverflowError:
        return None


def told_apart(values: Sequence[Fraction], digits: int = 3) -> list[str]:
    """Numbers in one list: with so many digits that different ones look different.

    >>> told_apart([Fraction("0.12341"), Fraction("0.12346"), Fraction(7)])
    ['0.12341', '0.12346', '7']
    """
    different = len(set(values))
    for more in range(digits, 16):
        shown = [written(x, more) for x in values]
        if len(set(shown)) == different:
            return shown
    return shown


def threshold_text(x: Fraction, digits: int = 3) -> str:
    """A threshold on a probability, so that a rule with it is true as it is printed.

    A short decimal or a short fraction is exact; a long one is said to be about so much, with `digits` digits of it, or
    of what is missing to 1, whichever needs more.

    >>> [threshold_text(Fraction(x)) for x in ("1/2", "0.99854", "1/6", "1234567/4000000", "99991/99999", "1")]
    ['0.5', '0.99854', '1/6 ≈ 0.167', 'about 0.309', 'about 0.99992', '1']
    """
    exact = written(x)
    if _FRACTIONS.get() or _is_short_decimal(x):
        return exact
    return f"{exact} ≈ {_near(x, digits)}" if "/" in exact else f"about {_near(x, digits)}"


def _near(x: Fraction, digits: int) -> str:
    """A probability with so many digits of it, or of what is missing to 1, whichever needs more."""
    smaller = min(x, 1 - x)
    places = 0 if smaller <= 0 else digits - 1 - floor(_log(smaller))
    return decimal(x, places) if places <= _MOST_DECIMALS else significant(x, digits if x == smaller else places)


def threshold_texts(values: Sequence[Fraction]) -> list[str]:
    """Thresholds in one list, with more digits where two of them would look the same.

    >>> threshold_texts([Fraction(1, 6), Fraction(12340, 67891), Fraction(12341, 67891)])
    ['1/6 ≈ 0.16667', 'about 0.18176', 'about 0.18178']
    """
    return _apart(values, threshold_text)


def probabilities(values: Sequence[Fraction]) -> list[str]:
    """Probabilities in one list, rounded, with more digits where two of them would look the same.

    >>> probabilities([Fraction(1, 6), Fraction(1234, 6789), Fraction(12341, 67891)])
    ['0.16667', '0.18176', '0.18178']
    """
    if _FRACTIONS.get():
        return [str(x) for x in values]
    return _apart(values, _near, 2)


def _apart(values: Sequence[Fraction], shown: Callable[[Fraction, int], str], digits: int = 3) -> list[str]:
    texts = [shown(x, digits) for x in values]
    while len(set(texts)) < len(set(values)) and digits < _FLOAT_DIGITS:
        digits += 1
        texts = [shown(x, digits) for x in values]
    return texts


def lines_of(text: str, indent: str = "", hanging: str = "  ") -> list[str]:
    """Break a long sentence into lines; words are not broken, and a factor stays with its P(…).

    >>> print(*lines_of("word " * 18 + "25 P(very severe)"), sep=chr(10))
    word word word word word word word word word word word word word word word word word word
      25 P(very severe)
    """
    held = _TERM.sub(lambda found: found[0].replace(" ", _HELD), text)
    lines = wrap(held, WIDTH, initial_indent=indent, subsequent_indent=indent + hanging, **_WHOLE_WORDS)
    return [line.replace(_HELD, " ") for line in lines] or [""]


def folded(lines: Iterable[str]) -> str:
    """Lines with the long ones among them broken; of indented ones the rest is indented more.

    >>> print(folded(["  " + "word " * 24 + "end"]))
      word word word word word word word word word word word word word word word word word word word
        word word word word word end
    """
    shown: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        shown += lines_of(line.strip(), indent, "  " if indent else "") if len(line) > LONGEST else [line]
    return "\n".join(shown)


def _is_short_decimal(x: Fraction) -> bool:
    scaled = x * 10**_MOST_DECIMALS
    return scaled.denominator == 1 and len(str(abs(scaled.numerator)).rstrip("0")) <= _MOST_DIGITS


def _log(x: Fraction) -> float:
    """The decimal logarithm, of numbers beyond floats, too; exact at the powers of ten."""
    guess = floor(log10(x.numerator) - log10(x.denominator))
    for size in (guess + 1, guess, guess - 1):
        if Fraction(10) ** size <= x:
            return size + max(0.0, min(log10(x.numerator) - log10(x.denominator) - size, 1 - 1e-9))
    raise AssertionError(f"the logarithm of {x} is not near {guess}")


def _scientific(x: Fraction, digits: int) -> str:
    size = floor(_log(abs(x)))
    return f"{decimal(x / Fraction(10) ** size, digits - 1)}e{size:+03d}"
