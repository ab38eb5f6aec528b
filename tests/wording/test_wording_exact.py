"""Messages about numbers."""

from __future__ import annotations

from printed import messages

from lossmith.exact.rational import as_rational, as_rationals

MESSAGES = {
    "a word": lambda: as_rational("cheap"),
    "no number": lambda: as_rational(float("nan")),
    "infinite": lambda: as_rational(float("inf")),
    "nothing": lambda: as_rational(None),
    "a division by zero": lambda: as_rational("1/0"),
    "too many digits": lambda: as_rational("1e5000"),
    "an entry of a list": lambda: as_rationals([0, "1/2", "x"], "p"),
    "no list": lambda: as_rationals("100", "p"),
}


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot
