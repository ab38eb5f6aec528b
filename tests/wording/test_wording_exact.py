"""Messages about numbers."""

from __future__ import annotations

from printed import messages

from lossmith.exact.rational import as_rational

MESSAGES = {
    "a word": lambda: as_rational("cheap"),
    "no number": lambda: as_rational(float("nan")),
}


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot
