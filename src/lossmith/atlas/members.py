"""The losses of the atlas: the members that families declare for a number of labels, and losses of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lossmith.errors import BadInput, LossmithError
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named

_SIZES = ("n", "r")  # parameters that follow from the number of labels, and are not said again
_LONGEST = 60  # characters of a name
MOST_DECISIONS = 32


@dataclass(frozen=True)
class LossMember:
    """A loss of the atlas: its permanent name without the number of labels, and its words on the command line.

    `family` is None for a loss of one's own; `words` is None where the command line has none, and takes a file.
    """

    name: str
    loss: LossMatrix
    family: Family[..., Any] | None = None
    words: str | None = None

    @property
    def page(self) -> str:
        """The name of the page that it stands on: its family's, or its own."""
        return self.name if self.family is None else dashed(self.family.name)

    @property
    def place(self) -> str:
        """The name with the number of labels: `zero-one/n=3`."""
        return f"{self.name}/n={self.loss.n}"

    @property
    def file(self) -> str:
        """Where the atlas keeps the matrix."""
        return f"matrices/{self.place}.json"

    @property
    def argument(self) -> str:
        """What stands for it on the command line, in the folder of the atlas."""
        return self.words or self.file


def members(losses: Iterable[Family[..., Any] | LossMatrix], sizes: Iterable[int]) -> list[LossMember]:
    """The losses of these sizes, family by family; one of one's own whatever its size.

    >>> from lossmith.losses import top_k, zero_one
    >>> [each.place for each in members([zero_one, top_k], [3, 4])]
    ['zero-one/n=3', 'zero-one/n=4', 'top-k,k=1/n=3', 'top-k,k=2/n=3', 'top-k,k=1/n=4', 'top-k,k=2/n=4']
    """
    wanted, found = list(sizes), list[LossMember]()
    for each in losses:
        known = {one.place for one in found}
        new = [_own(each, known)] if isinstance(each, LossMatrix) else [m for n in wanted for m in _of_family(each, n)]
        found += new
    return found


def _of_family(family: Family[..., Any], n: int) -> Iterator[LossMember]:
    for given in family.of_size(n):
        try:
            if family.size(**given)[0] != n:
                continue
            loss = family(**given).matrix()
        except BadInput:
            continue  # a set of k labels must be smaller than n
        if loss.k <= MOST_DECISIONS:
            yield LossMember(member_name(family, given), loss, family, _words(family, given, loss))


def _own(loss: LossMatrix, known: set[str]) -> LossMember:
    """A loss of one's own; the second of a name gets a number."""
    name = slug(loss.name)
    tries = (name, *(f"{name}-{i}" for i in range(2, len(known) + 3)))
    return LossMember(next(each for each in tries if f"{each}/n={loss.n}" not in known), loss)


def member_name(family: Family[..., Any], given: Mapping[str, Any]) -> str:
    """The family and the parameters that the number of labels does not tell.

    >>> from lossmith.losses import abstain, hamming
    >>> member_name(abstain, {"n": 3, "cost": "1/3"}), member_name(hamming, {"r": 2})
    ('abstain,cost=1over3', 'hamming')
    """
    told = [slug(f"{key}={_short(value)}") for key, value in given.items() if key not in _SIZES]
    return ",".join([dashed(family.name), *told])


def dashed(name: str) -> str:
    """A name of ours as the command line and the addresses of pages have it.

    >>> dashed("crammer_singer")
    'crammer-singer'
    """
    return name.replace("_", "-")


def slug(text: str) -> str:
    """A text as part of a name that a file, an address and BibTeX can have.

    >>> slug("argmax-gap:tau=1/2"), slug("../<b>é"), slug("///")
    ('argmax-gap,tau=1over2', 'b', 'overoverover')
    """
    plain = text.replace("/", "over") if re.search(r"\d/\d", text) or set(text) == {"/"} else text
    kept = re.sub(r"[^A-Za-z0-9.=,-]+", "-", plain.replace(":", ","))[:_LONGEST].strip("-.,")
    return re.sub(r"\.{2,}", ".", kept) or "unnamed"


def _short(value: Any) -> str:
    """A parameter in a few letters: of a list or a tree the words in it."""
    if isinstance(value, (list, tuple, dict)):
        return "-".join(re.findall(r"[\w/]+", repr(value)))
    return str(value)


def _words(family: Family[..., Any], given: Mapping[str, Any], loss: LossMatrix) -> str | None:
    """How the command line says it, if it can: what it reads there must be this loss."""
    values = {k: " ".join(map(str, v)) if isinstance(v, (list, tuple)) else v for k, v in given.items()}
    words = family.words(**values)
    try:
        return words if loss_named(words).matrix() == loss else None
    except (LossmithError, TypeError, ValueError):
        return None
