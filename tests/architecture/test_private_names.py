"""The tests hold what is public: none of them imports, calls or replaces a name of ours that begins with an underscore.

So what is private can be written anew without a word in the tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
OURS = ("lossmith", "lossmith_verify")
OF_OTHERS = {"_repr_html_", "_score_func"}  # notebooks call the one, scikit-learn has the other
# What a file holds that uses a private name; most files hold nothing of it, and need not be parsed.
SUSPECT = re.compile(r"[.\"']_[A-Za-z]|\bimport\b.*\b_[A-Za-z]|^ +_\w+,?$", re.MULTILINE)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in OF_OTHERS


def private_names(text: str) -> Iterator[str]:
    """Private names that are imported from us, taken from an object, or named in text as a thing to replace."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            names = [*node.module.split("."), *(each.name for each in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for each in node.names if each.name.split(".")[0] in OURS for part in each.name.split(".")]
        elif isinstance(node, ast.Attribute):
            names = [] if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else [node.attr]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in REPLACING:
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            names = [part for each in texts for part in each.split(".") if part.isidentifier()]
        else:
            continue
        yield from filter(is_private, names)


REPLACING = ("setattr", "delattr", "getattr", "hasattr", "object", "patch", "attrgetter")


@pytest.mark.parametrize(
    "text",
    [
        "from lossmith.exact.rank import _table",
        "import lossmith._hidden",
        "from lossmith.exact.rank import (\n    _table,\n)",
        "rank._table",
        "monkeypatch.setattr(rank, '_table', None)",
        "monkeypatch.setattr('lossmith.exact.rank._table', None)",
        "mock.patch.object(Rank, '_table', None)",
        "getattr(rank, '_table')",
    ],
)
def test_a_private_name_is_found(text):
    assert len([*private_names(text)]) == 1
    assert SUSPECT.search(text)


@pytest.mark.parametrize("text", ["from helpers import _mine", "self._seen", "x._repr_html_()", "a.__dict__", "_x = 1"])
def test_other_names_are_not(text):
    assert [*private_names(text)] == []


def test_no_test_uses_a_private_name():
    texts = {str(path.relative_to(TESTS)): path.read_text() for path in TESTS.rglob("*.py")}
    assert len(texts) > 100
    used = {path: [*private_names(text)] for path, text in texts.items() if SUSPECT.search(text)}
    assert {path: names for path, names in used.items() if names} == {}
