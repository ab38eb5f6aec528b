"""A question and its answer as plain data, so that a store can keep them and know them again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import metadata
from typing import Any


@cache
def installed(package: str) -> str:
    """The version of a package that answers depend on.

    >>> installed("lossmith").count(".")
    2
    """
    return metadata.version(package)


@dataclass(frozen=True)
class Question:
    """What is asked, as JSON can hold it: the kind of question, its inputs, and parameters such as budgets.

    Two questions with equal data are one question and have the same `key`. What another version of lossmith answered
    is not used; nor is that of another `meaning`: raise it when the same data is to be answered differently.

    >>> first = Question("ccdim", {"entries": [["0", "1"], ["1", "0"]]}, {"budget": 100})
    >>> first.key == Question("ccdim", {"entries": (("0", "1"), ("1", "0"))}, {"budget": 100}).key
    True
    >>> first.key == Question("ccdim", first.inputs, {"budget": 200}).key
    False
    """

    kind: str
    inputs: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    meaning: int = 1
    version: str = field(default_factory=lambda: installed("lossmith"))

    @cached_property
    def text(self) -> str:
        """The question as canonical JSON."""
        parts = [self.kind, self.meaning, self.inputs, dict(self.parameters), self.version]
        return json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @cached_property
    def key(self) -> str:
        """The SHA-256 of the canonical JSON."""
        return hashed(self.text)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of_text(cls, text: str) -> Question:
        """The question that canonical JSON tells of."""
        kind, meaning, inputs, parameters, version = json.loads(text)
        return cls(kind, inputs, parameters, meaning, version)


@dataclass(frozen=True)
class Answer:
    """What an `ask` returns for a store: a value that JSON can hold, and the texts of certificates by their roles."""

    value: Any
    certificates: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kept:
    """What a store holds of an answer: its value, and the SHA-256 of each certificate by its role."""

    value: Any
    certificates: Mapping[str, str]


def hashed(text: str) -> str:
    """The SHA-256 of a text.

    >>> hashed("")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(text.encode()).hexdigest()
