"""What every refusal has in common, and files to refuse."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lossmith.errors import BadInput, NotWritten, TooLarge


def refusal(call: Callable[..., object], *args: object, **kwargs: object) -> str:
    """The message of the error that the call ends with: one line, and of a class that says whose fault it is."""
    with pytest.raises((BadInput, NotWritten, TooLarge)) as caught:
        call(*args, **kwargs)
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert caught.value.__suppress_context__ or caught.value.__context__ is None, "a traceback in a traceback"
    return message


def outcome(call: Callable[..., object], *args: object) -> object:
    """What the call returns, or the error that it ends with if that is one for bad input."""
    try:
        return call(*args)
    except BadInput as error:
        return error


def written(folder: Path, content: str | bytes, name: str = "costs.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def assert_quotes(message: str, *quoted: str) -> None:
    """The message holds these names, numbers and expressions, each on its own; its wording is in tests/wording."""
    for each in quoted:
        pattern = rf"{_boundary(each[0], '<!')}{re.escape(each)}{_boundary(each[-1], '!')}"
        assert re.search(pattern, message), f"{each} is not in: {message}"


def _boundary(character: str, look: str) -> str:
    """Beside a letter or digit no other one may stand: "1" is not found in "10"."""
    return rf"(?{look}\w)" if character.isalnum() else ""
