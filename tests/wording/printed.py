"""What a call prints when it is refused, and what a command prints, in the form that the snapshots keep."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from command import lossmith

Calls = Mapping[str, Callable[[], Any]]


def message(call: Callable[[], Any]) -> str:
    """Return the class and the message of the exception that the call raises, and of each warning before it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
        except Exception as error:
            last = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
        else:
            last = []
    said = [f"{each.category.__name__}: {each.message}" for each in caught] + last
    assert said, "the call neither raises nor warns"
    return "\n".join(said)


def messages(calls: Calls) -> str:
    """Return the messages of several calls, each below its name."""
    return "\n".join(f"{name}\n    {message(call).replace(chr(10), chr(10) + '    ')}" for name, call in calls.items())


def command(line: str, folder: Path, *, replace: Mapping[str, str] | None = None) -> str:
    """Return what `lossmith LINE` prints, run in a folder, as a transcript; the folder itself is not shown."""
    run = lossmith(*line.split(), cwd=folder)
    shown = f"$ lossmith {line}\n{run.stdout}"
    if run.stderr:
        shown += f"--- on the standard error ---\n{run.stderr}"
    if run.returncode:
        shown += f"--- exit code {run.returncode} ---\n"
    for old, new in {str(folder.resolve()): "FOLDER", **(replace or {})}.items():
        shown = re.sub(re.escape(old), new, shown)
    return shown
