"""No module and no function is too long to be read at one go."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src"
MODULE, FUNCTION = 400, 40  # lines that are too many
# Functions that are being divided, by their names, and how long they may be until then.
ALLOWED = {"design": 46}


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From behind the docstring to the end."""
    first = function.body[0]
    behind = first.end_lineno if ast.get_docstring(function) is not None else first.lineno - 1
    return function.end_lineno - behind


def functions(text: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f():\n    return 1", 1),
        ('def f(\n    x,\n):\n    """Doc.\n\n    More.\n    """\n\n    y = x\n    return y', 3),
        ('class C:\n    async def f(self):\n        """Doc."""', 0),
    ],
)
def test_lines_are_counted_from_behind_the_docstring_to_the_end(text, count):
    assert [lines_of_code(each) for each in functions(text)] == [count]


def test_every_module_is_shorter_than_400_lines():
    lengths = {path: len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert len(lengths) > 100
    assert {str(path.relative_to(SOURCE)): length for path, length in lengths.items() if length >= MODULE} == {}


@pytest.mark.exhaustive
def test_every_function_is_shorter_than_40_lines():
    long = {
        f"{path.relative_to(SOURCE)}: {each.name}": lines_of_code(each)
        for path in SOURCE.rglob("*.py")
        for each in functions(path.read_text())
        if lines_of_code(each) >= ALLOWED.get(each.name, FUNCTION)
    }
    assert long == {}
