"""What is refused: the class of the error, and what its message quotes of the input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lossmith.errors import BadInput


def lacking(text: str, *quoted: object) -> list[str]:
    """Return those of the quoted names and numbers that the text does not hold as whole words."""
    return [each for each in map(str, quoted) if not re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", text)]


@contextmanager
def refused(*quoted: object, error: type[Exception] = BadInput) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Assert that the block raises an error of this class, whose message quotes all this of the input."""
    with pytest.raises(error) as caught:
        yield caught
    text = str(caught.value)
    assert lacking(text, *quoted) == [], text
