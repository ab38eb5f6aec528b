"""The census: every loss of a small size, up to what changes no answer, with its CCdim or the bounds that do not meet.

Where do the bounds differ, and which losses need fewer dimensions than affdim? The paper leaves both open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.answers.bounding import bounds_of
from lossmith.constructions.search.run import BUDGET, Found, search
from lossmith.dimension.bounds import Bound, DimensionBounds
from lossmith.dimension.le_surrogate import of_verdict
from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import quoted
from lossmith.families import at_least, count
from lossmith.geometry.double_description import Progress
from lossmith.losses.classes import Rows, number_of_classes, representative, representatives
from lossmith.losses.matrix import LossMatrix
from lossmith.sweeping.questions import Answer, Kept, Question
from lossmith.sweeping.running import sweep
from lossmith.sweeping.store import Store

MOST = 1_000_000  # classes
_MOST_LABELS, _MOST_DECISIONS = 20, 8  # k! ways to exchange decisions are gone through
_MOST_ROWS = 10**7  # rows that are looked at to find the primitive ones
_WIDEST = 10**5  # the largest entry, of which the divisors are gone through


@dataclass(frozen=True)
class SmallLoss:
    """One class of the census: its least matrix, and what is proved of it.

    `kept` are the decisions that are needed; if some are not, `reduces_to` is the same class without them, by its
    number of decisions and its number in their census. Where the bounds differ, `tried` tells what was searched in
    vain. `certificates` are the SHA-256 of the proofs of both bounds.
    """

    number: int
    rows: Rows
    kept: tuple[int, ...]
    affdim: int
    lower: int
    upper: int
    lower_theorem: str
    upper_theorem: str
    tried: str
    certificates: tuple[str, ...]
    widest: int  # how far the entries of its census may differ

    @cached_property
    def reduces_to(self) -> tuple[int, int] | None:
        """The class of its needed decisions alone; None if all are needed."""
        if len(self.kept) == len(self.rows[0]):
            return None
        needed = representative([[row[t] for t in self.kept] for row in self.rows])
        return len(self.kept), _numbers(len(self.rows), len(self.kept), self.widest)[needed]

    @property
    def exact(self) -> int | None:
        """CCdim, if the bounds meet."""
        return self.lower if self.lower == self.upper else None

    @property
    def shown(self) -> str:
        """CCdim in print."""
        return str(self.lower) if self.exact is not None else f"{self.lower} … {self.upper}"

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{len(self.rows)} × {len(self.rows[0])} no. {self.number}"

    @property
    def loss(self) -> LossMatrix:
        """The loss, for every other question."""
        return LossMatrix(self.rows, name=self.name)


@dataclass(frozen=True)
class Census:
    """All classes of losses of one size, or those that were done when the census was interrupted.

    `entries` are the smallest and the largest entry; `total` is the number of classes, by its closed form.
    """

    labels: int
    decisions: int
    entries: tuple[int, int]
    total: int
    classes: tuple[SmallLoss, ...]
    interrupted: bool = False

    @cached_property
    def open(self) -> tuple[SmallLoss, ...]:
        """Those whose bounds differ."""
        return tuple(each for each in self.classes if each.exact is None)

    @cached_property
    def fewer(self) -> tuple[SmallLoss, ...]:
        """Those that are known to need fewer dimensions than affdim."""
        return tuple(each for each in self.classes if each.upper < each.affdim)

    def __str__(self) -> str:
        from lossmith.answers.census_text import as_text

        return as_text(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        from lossmith.answers.census_text import as_data

        return as_data(self)


def census(
    labels: int,
    decisions: int,
    entries: tuple[int, int] = (0, 1),
    *,
    budget: int = BUDGET,
    certificates: bool = True,
    most: int = MOST,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Census:
    """Bound CCdim of every loss with so many labels and decisions, and whole entries between two numbers.

    Losses that differ by exchanging labels, exchanging decisions, shifting or scaling rows are one class, asked once.
    Where the bounds differ, up to `budget` configurations of points are searched in each dimension between them.
    `n_jobs` workers of joblib are asked; None leaves their number and kind to `joblib.parallel_config`. With a `store`
    the census goes on where it was, and keeps the certificates; `certificates=False` makes none. The result does not
    depend on the workers. Ctrl-C ends with what was found.

    >>> found = census(3, 3, (0, 1))
    >>> found.total, len(found.open), [each.exact for each in found.classes].count(2)
    (23, 0, 2)
    """
    width = _expected(labels, decisions, entries)
    total = number_of_classes(labels, decisions, width)
    if total > most:
        raise TooLarge(
            f"there are {count(total)} classes of losses with {labels} labels, {decisions} decisions and entries "
            f"{entries[0]}..{entries[1]}, and at most {most:,} are gone through; choose a smaller size, or raise --most"
        )
    if (width + 1) ** decisions > _MOST_ROWS:
        raise TooLarge(f"entries {entries[0]}..{entries[1]} make too many rows to look at; choose a smaller range")
    asked = [
        Question("census", list(map(list, rows)), {"budget": at_least("budget", budget, 1), "proofs": certificates})
        for rows in representatives(labels, decisions, width)
    ]
    with nullcontext(store) if store is not None else Store(texts=False) as kept:
        try:
            answers: Iterable[Kept | None] = list(sweep(_ask, asked, n_jobs=n_jobs, store=kept, progress=progress))
        except KeyboardInterrupt:
            known = kept.known(each.key for each in asked)
            answers = [kept.recall(each) if each.key in known else None for each in asked]
        classes = tuple(_told(asked, answers, width))
    return Census(labels, decisions, (entries[0], entries[1]), total, classes, len(classes) < total)


def _expected(labels: int, decisions: int, entries: tuple[int, int]) -> int:
    """How far entries may differ, or what is wrong with the size."""
    at_least("labels", labels, 2)
    at_least("decisions", decisions, 1)
    if isinstance(entries, str) or not isinstance(entries, Sequence) or len(entries) != 2:
        raise BadInput(f"entries is {quoted(entries)}; give the least and the largest, such as (0, 2)")
    least, largest = entries
    if any(isinstance(x, bool) or not isinstance(x, int) for x in entries) or not 0 <= least <= largest:
        how = "write two numbers of 0, 1, 2, …, the smaller first, such as 0..2"
        raise BadInput(f"entries are {least}..{largest}; {how}")
    if decisions > _MOST_DECISIONS:
        ways = count(factorial(min(decisions, 100)))
        raise TooLarge(
            f"{decisions} decisions can be exchanged in {ways} ways or more; choose {_MOST_DECISIONS} or fewer"
        )
    if labels > _MOST_LABELS:
        raise TooLarge(f"{labels} labels are too many for a census; choose {_MOST_LABELS} or fewer")
    if largest - least > _WIDEST:
        raise TooLarge(f"entries {least}..{largest} differ by more than {_WIDEST:,}; choose a smaller range")
    return largest - least


def _ask(question: Question) -> Answer:
    """The bounds of one class, with more work where they differ."""
    facts = Facts(LossMatrix(question.inputs))
    bounds = bounds_of(facts)
    if bounds.interrupted:
        raise KeyboardInterrupt
    upper, tried = _sought(facts, bounds, question.parameters["budget"])
    value = {
        "kept": list(facts.kept),
        "affdim": len(facts.basis),
        "lower": bounds.lower.value,
        "lower_theorem": bounds.lower.theorem,
        "upper": upper.value,
        "upper_theorem": upper.theorem,
        "tried": tried,
    }
    proofs: dict[str, str] = {}
    if question.parameters["proofs"]:
        proofs = {each.side: each.certificate.text for each in (bounds.lower, upper)}
    return Answer(value, proofs)


def _sought(facts: Facts, bounds: DimensionBounds, budget: int) -> tuple[Bound, str]:
    """The upper bound, improved by a longer search if it is not the lower one; and what was searched in vain."""
    tried: list[str] = []
    for dim in range(bounds.lower.value, bounds.upper.value):
        found = search(facts, dim, budget=budget)
        if isinstance(found, Found):
            return of_verdict(facts, found.verdict, "search"), "; ".join(tried)
        tried.append(f"R^{dim}: {found.configurations} configurations, {found.programs} programs")
    return bounds.upper, "; ".join(tried)


def _told(asked: Iterable[Question], answers: Iterable[Kept | None], width: int) -> Iterator[SmallLoss]:
    for number, (question, kept) in enumerate(zip(asked, answers, strict=True), start=1):
        if kept is None:
            continue
        rows = tuple(map(tuple, question.inputs))
        proofs = tuple(kept.certificates[side] for side in ("lower", "upper") if side in kept.certificates)
        fields = {name: kept.value[name] for name in kept.value if name != "kept"}
        yield SmallLoss(number, rows, tuple(kept.value["kept"]), certificates=proofs, widest=width, **fields)


@lru_cache(maxsize=8)
def _numbers(labels: int, decisions: int, width: int) -> dict[Rows, int]:
    """The numbers of the classes in the census of this size."""
    return {matrix: i for i, matrix in enumerate(representatives(labels, decisions, width), start=1)}
