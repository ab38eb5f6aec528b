"""For which values of a parameter is a pair calibrated? Verdicts at many values, and the break points between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, floor
from typing import Any

from lossmith.calibration.remembering import answer
from lossmith.calibration.verdicts import Verdict
from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike, rational_called
from lossmith.geometry.double_description import Progress
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import sweep
from lossmith.sweeping.store import Store
from lossmith.text.latex import latex_number

_GRID = 16
_SIMPLE = 8  # all fractions with denominators up to this are tried, as break points and isolated values tend to be such
_STEPS = 100
_NEAR = Fraction(1, 10**9)
_MOST = 500


@dataclass(frozen=True)
class Stretch:
    """Values from `low` to `high` at all of which, as far as tested, the answer is `status`.

    `closed` tells whether the ends belong to it. `exact` tells of each end whether it is a break point that was
    confirmed: the answer changes there, within 10^-9 of it on one side or both. An end that is not exact lies between
    this value and the neighbouring stretch's.
    """

    status: str
    low: Fraction
    high: Fraction
    closed: tuple[bool, bool]
    exact: tuple[bool, bool]

    def __str__(self) -> str:
        if self.low == self.high:
            return f"= {self.low}"
        ends = ["≤" if closed else "<" for closed in self.closed]
        return f"{self.low} {ends[0]} … {ends[1]} {self.high}"


@dataclass(frozen=True)
class Scan:
    """The answers at `tested` values, each of them exact, and the stretches they suggest.

    That nothing changes between tested values is likely, not proved.
    """

    tested: tuple[tuple[Fraction, str], ...]
    stretches: tuple[Stretch, ...]

    def calibrated(self) -> tuple[Stretch, ...]:
        """Where the pair is calibrated."""
        return tuple(each for each in self.stretches if each.status == "calibrated")

    def __str__(self) -> str:
        width = max(len(str(each)) for each in self.stretches)
        lines = [f"  {each!s:<{width}}  {each.status}{_rough(each)}" for each in self.stretches]
        ends = f"{len(self.tested)} values from {self.tested[0][0]} to {self.tested[-1][0]} were tried"
        return "\n".join([*lines, f"{ends}, each answer is exact; between them nothing else was seen to change."])

    def to_dict(self) -> dict[str, Any]:
        """The scan as plain data, numbers as "a/b"."""
        stretches = [
            {
                "status": each.status,
                "low": str(each.low),
                "high": str(each.high),
                "closed": list(each.closed),
                "exact": list(each.exact),
            }
            for each in self.stretches
        ]
        return {"stretches": stretches, "tested": [{"value": str(x), "status": status} for x, status in self.tested]}

    def to_latex(self) -> str:
        """The scan as a table for a paper."""
        rows = []
        for each in self.stretches:
            signs = ["\\le" if closed else "<" for closed in each.closed]
            point = f"= {latex_number(each.low)}"
            span = f"{latex_number(each.low)} {signs[0]} \\cdot {signs[1]} {latex_number(each.high)}"
            rows.append(f"${point if each.low == each.high else span}$ & {each.status}")
        return "\\begin{tabular}{ll}\nvalue & verdict \\\\ \\hline\n" + " \\\\\n".join(rows) + "\n\\end{tabular}\n"


def scan(
    question: Callable[[Fraction], Verdict],
    low: RationalLike,
    high: RationalLike,
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    named: Callable[[Fraction], Question] | None = None,
    progress: Progress | None = None,
) -> Scan:
    """Ask a question about a parameter at many values in [low, high], and narrow down where the answer changes.

    A break point is approached through the simplest fraction between two values with different answers, so that a
    rational one is met and confirmed. Values that the question refuses as bad input have the answer "refused".
    `n_jobs` workers of joblib answer; None leaves their number and kind to `joblib.parallel_config`. A `store` keeps
    the verdicts with their certificates; it cannot know a function again, so that `named(x)` tells what is asked of x.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import ordinal
    >>> from lossmith.surrogates import epsilon_insensitive
    >>> tolerances = scan(lambda eps: check(epsilon_insensitive(3, eps), ordinal(3)), 0, 1)
    >>> [str(each) for each in tolerances.calibrated()]
    ['0 ≤ … < 1/2']
    """
    start, end = rational_called("the first value", low), rational_called("the last value", high)
    if start >= end:
        raise BadInput(f"the scan goes from {start} to {end}; the first value must be smaller than the last")
    if store is not None and named is None:
        raise BadInput("a store cannot know a function again; give named=, a lossmith.sweeping.Question for each value")
    ask = partial(_statuses, question, n_jobs=n_jobs, store=store, named=named)
    starts = _starts(start, end)
    answers = dict(zip(starts, ask(starts, progress=progress), strict=True))
    if set(answers.values()) == {"refused"}:
        question(starts[0])  # says why
    narrowing = [_narrow(answers, *ends) for ends in _changes(answers)]
    while len(answers) <= _MOST:
        wanted = [x for x in (next(each, None) for each in narrowing) if x is not None]
        if not wanted:
            break
        answers |= zip(wanted, ask(wanted), strict=True)
        if progress is not None:
            progress(len(answers), len(answers) + len(wanted))
    tested = tuple(sorted(answers.items()))
    return Scan(tested, tuple(_stretches(tested)))


def _statuses(
    question: Callable[[Fraction], Verdict],
    values: Sequence[Fraction],
    *,
    n_jobs: int | None,
    store: Store | None,
    named: Callable[[Fraction], Question] | None,
    progress: Progress | None = None,
) -> Iterator[str]:
    if store is None:
        return sweep(partial(_status, question), values, n_jobs=n_jobs, progress=progress)
    ask = partial(_proved, question)
    kept = sweep(ask, values, n_jobs=n_jobs, store=store, named=named, progress=progress)
    return (each.value["status"] for each in kept)


def _status(question: Callable[[Fraction], Verdict], x: Fraction) -> str:
    try:
        return question(x).status
    except BadInput:
        return "refused"


def _proved(question: Callable[[Fraction], Verdict], x: Fraction) -> Answer:
    try:
        return answer(question(x))
    except BadInput as error:
        return Answer({"status": "refused", "text": str(error)})


def _starts(low: Fraction, high: Fraction) -> list[Fraction]:
    """An even grid, and the simple fractions, if they are not too many."""
    even = {low + (high - low) * i / _GRID for i in range(_GRID + 1)}
    if high - low <= 8:
        for denominator in range(1, _SIMPLE + 1):
            even |= {Fraction(i, denominator) for i in range(ceil(low * denominator), floor(high * denominator) + 1)}
    return sorted(even)


def _changes(answers: dict[Fraction, str]) -> list[tuple[Fraction, Fraction]]:
    ordered = sorted(answers)
    return [(a, b) for a, b in pairwise(ordered) if answers[a] != answers[b]]


def _narrow(answers: Mapping[Fraction, str], a: Fraction, b: Fraction) -> Iterator[Fraction]:
    """Shrink the bracket (a, b), whose ends have different answers, until it is below 10^-9 wide.

    What is yielded must be among the answers when the next value is asked for.

    The simplest fraction inside, which a rational break point soon is, takes turns with the simplest one in the middle
    half, which makes the bracket shrink. When one end has stayed four times in a row, it may be the break point itself,
    and a value just beside it decides.
    """
    stayed = 0  # how often in a row a stayed; negative: b
    for step in range(_STEPS):
        if b - a <= _NEAR:
            return
        margin = (b - a) / 4 if step % 2 else 0
        middle = a + _NEAR if stayed >= 4 else b - _NEAR if stayed <= -4 else simplest_between(a + margin, b - margin)
        if middle not in answers:
            yield middle
        if answers[middle] == answers[a]:
            a, stayed = middle, min(stayed, 0) - 1
        elif answers[middle] == answers[b]:
            b, stayed = middle, max(stayed, 0) + 1
        else:  # a third answer between the two: two break points
            yield from _narrow(answers, a, middle)
            a, stayed = middle, 0


def simplest_between(a: Fraction, b: Fraction) -> Fraction:
    """The fraction with the smallest denominator strictly between a and b.

    >>> simplest_between(Fraction(3, 10), Fraction(11, 20))
    Fraction(1, 2)
    """
    whole = floor(a)
    if whole + 1 < b:
        return Fraction(whole + 1) if (whole + 1 > a and whole + 1 != 0) or a >= 0 else Fraction(0)
    if a == whole:  # between a whole number and at most the next one
        return whole + Fraction(1, floor(1 / (b - whole)) + 1)
    return whole + 1 / simplest_between(1 / (b - whole), 1 / (a - whole))


def _stretches(tested: tuple[tuple[Fraction, str], ...]) -> list[Stretch]:
    """Runs of equal answers; where two runs meet within 10^-9, the simpler value is taken for the break point."""
    runs: list[list[Fraction]] = []
    for i, (x, status) in enumerate(tested):
        if i and tested[i - 1][1] == status:
            runs[-1].append(x)
        else:
            runs.append([x])
    answers = dict(tested)
    found = []
    for i, run in enumerate(runs):
        low, high = run[0], run[-1]
        ends = [(low, True, False), (high, True, False)]
        for side, neighbour in (
            (0, runs[i - 1][-1] if i else None),
            (1, runs[i + 1][0] if i + 1 < len(runs) else None),
        ):
            own = (low, high)[side]
            if neighbour is None:
                ends[side] = (own, True, True)
            elif abs(neighbour - own) <= _NEAR:
                simpler = min((own, neighbour), key=lambda x: x.denominator)
                ends[side] = (simpler, simpler == own, True)
        closed, exact = (ends[0][1], ends[1][1]), (ends[0][2], ends[1][2])
        found.append(Stretch(answers[low], ends[0][0], ends[1][0], closed, exact))
    return found


def _rough(stretch: Stretch) -> str:
    return "" if all(stretch.exact) else "  (an end was bracketed, not met)"
