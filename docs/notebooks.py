"""Write tutorials as notebooks, with the outputs that the tests hold them to: `make lists`."""

from __future__ import annotations

import doctest
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TUTORIALS = ("triage", "reject", "own_surrogate")
_HEAD = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def written() -> dict[Path, str]:
    """The text of every notebook, as it should be."""
    return {
        ROOT / "examples" / "notebooks" / f"{name}.ipynb": notebook((ROOT / f"docs/tutorials/{name}.md").read_text())
        for name in TUTORIALS
    }


def notebook(page: str) -> str:
    """A page of text and examples as a notebook."""
    made = list(cells(page))
    numbered = [each | {"id": f"cell-{i}"} for i, each in enumerate(made)]
    content = {"cells": numbered, "metadata": _HEAD, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def cells(page: str) -> Iterator[dict[str, Any]]:
    """Text, and code up to what it prints or shows, in turn."""
    for i, part in enumerate(re.split(r"```python\n(.*?)```\n", page, flags=re.DOTALL)):
        if i % 2:
            yield from code(part)
        elif part.strip():
            yield {"cell_type": "markdown", "metadata": {}, "source": lines(part.strip())}


def code(block: str) -> Iterator[dict[str, Any]]:
    """The examples of a block; a cell ends where there is something to see."""
    source = ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            yield code_cell(source, [output(example)])
            source = ""
    if source:
        yield code_cell(source, [])


def code_cell(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """A cell with its outputs; none was counted, so that the file depends on the page alone."""
    head: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}}
    return head | {"source": lines(source.rstrip("\n")), "outputs": outputs}


def output(example: doctest.Example) -> dict[str, Any]:
    """What the last line of a cell prints, or what its value looks like."""
    if example.source.startswith("print("):
        return {"output_type": "stream", "name": "stdout", "text": lines(example.want)}
    shown = {"text/plain": lines(example.want.rstrip("\n"))}
    return {"output_type": "execute_result", "execution_count": None, "data": shown, "metadata": {}}


def lines(text: str) -> list[str]:
    """As notebooks keep text: lines with their ends."""
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"wrote {path.relative_to(ROOT)}")
