"""What the checker says apart from its wording: the claim or the place in the file, and the values that it quotes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from handmade import text

from lossmith_verify import arithmetic, check

# A text in quotation marks, numbers in parentheses, or a number.
VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)|-?\d+(?:/\d+)?')


def statement(certificate: Any) -> tuple[str, list[str]]:
    """Return the claim that is accepted, and the values that the verdict quotes: names first, then what is counted."""
    verdict = check(text(certificate))
    assert verdict.accepted, verdict
    claim, _, rest = verdict.why.partition(": ")
    return claim, VALUE.findall(rest)


class Rejection(NamedTuple):
    place: str
    values: list[str]

    def quotes(self, *values: str) -> bool:
        """Whether these values are quoted, in this order; others may stand between them."""
        found = iter(self.values)
        return all(value in found for value in values)


def rejection(certificate: Any) -> Rejection:
    """Return the place and the values of a rejection: one short line of printable characters, given nothing."""
    verdict = check(certificate if isinstance(certificate, str | bytes) else text(certificate))
    assert not verdict.accepted, certificate
    assert verdict.given == ()
    assert verdict.why.isprintable()
    assert len(verdict.why) < 500
    place, _, reason = verdict.why.partition(": ")
    return Rejection(place, VALUE.findall(reason))


def assert_rejected(certificate: Any, place: str = "", *values: str) -> None:
    """The certificate is rejected at a place that begins so, and these values are quoted in this order."""
    found = rejection(certificate)
    assert found.place.startswith(place), found
    assert found.quotes(*values), found


def assert_beyond(limit: str, certificate: Any) -> None:
    """The certificate is rejected because of a limit of `arithmetic`, which is quoted."""
    assert_rejected(certificate, "", str(getattr(arithmetic, limit)))
