"""A census in print: counts by dimension and by theorem, the open cases, and all classes as data or as a table."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lossmith.losses.showing import aligned
from lossmith.text.numbers import counted, folded

if TYPE_CHECKING:
    from lossmith.answers.small_losses import Census, SmallLoss

_SHOWN = 6  # open cases in print
_FIELDS = ("number", "matrix", "kept", "affdim", "lower", "lower_theorem", "upper", "upper_theorem", "exact")


def as_text(census: Census) -> str:
    """What the census found."""
    least, largest = census.entries
    size = f"{census.labels} labels, {counted(census.decisions, 'decision')}, entries {least}..{largest}"
    done = "" if not census.interrupted else f", of which {len(census.classes):,} were done when it was interrupted"
    head = [
        f"Losses with {size}, up to exchanging labels, exchanging decisions, shifting and scaling rows: "
        f"{counted(census.total, 'class')}{done}.",
        "",
    ]
    return folded([*head, *_table(census), "", *_fewer(census), "", *_open(census)])


def by_dimension(census: Census) -> dict[tuple[int, int, str], int]:
    """How many classes have so many needed decisions, this affdim and this CCdim."""
    return dict(sorted(Counter((len(each.kept), each.affdim, each.shown) for each in census.classes).items()))


def _table(census: Census) -> list[str]:
    rows = [[str(x) for x in (*key, f"{number:,}")] for key, number in by_dimension(census).items()]
    return aligned([["needed decisions", "affdim", "CCdim", "classes"], *rows])


def _fewer(census: Census) -> list[str]:
    """How many need fewer dimensions than affdim, and why."""
    theorems = Counter(each.upper_theorem for each in census.fewer)
    reasons = ", ".join(f"{name} ({number:,})" for name, number in theorems.most_common())
    return [f"CCdim is less than affdim for {len(census.fewer):,}{': ' if reasons else ''}{reasons}."]


def _open(census: Census) -> list[str]:
    if not census.open:
        return ["Open: none." if not census.interrupted else "Open so far: none."]
    first = (f"  {each.name}: CCdim {each.shown}, {matrix_text(each)}" for each in census.open[:_SHOWN])
    more = [f"  … and {len(census.open) - _SHOWN:,} more: --open FILE writes them"] * (len(census.open) > _SHOWN)
    return [f"Open: {len(census.open):,}.", *first, *more]


def matrix_text(each: SmallLoss) -> str:
    """The rows on one line.

    >>> from lossmith.answers.small_losses import census
    >>> matrix_text(census(2, 2, (0, 1)).classes[-1])
    '0 1 | 1 0'
    """
    return " | ".join(" ".join(map(str, row)) for row in each.rows)


def as_csv(census: Census) -> str:
    """A line for each class."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow([*_FIELDS, "tried", "reduces_to", "lower_certificate", "upper_certificate"])
    for each in census.classes:
        values = [each.number, matrix_text(each), " ".join(map(str, each.kept)), each.affdim, each.lower]
        values += [each.lower_theorem, each.upper, each.upper_theorem, each.exact, each.tried]
        reduced = "" if each.reduces_to is None else _name(census.labels, each.reduces_to)
        table.writerow([*values, reduced, *(each.certificates or ("", ""))])
    return stream.getvalue()


def as_data(census: Census) -> dict[str, Any]:
    """All classes as plain data."""
    return {
        "labels": census.labels,
        "decisions": census.decisions,
        "entries": list(map(str, census.entries)),
        "total": census.total,
        "interrupted": census.interrupted,
        "open": len(census.open),
        "fewer": len(census.fewer),
        "classes": [_plain(each) for each in census.classes],
    }


def open_cases(classes: Sequence[SmallLoss]) -> str:
    """Losses as lines of JSON; `lossmith analyze -` reads each of them."""
    lines = (json.dumps({"name": each.name, "entries": each.rows}, ensure_ascii=False) for each in classes)
    return "".join(f"{line}\n" for line in lines)


def _plain(each: SmallLoss) -> dict[str, Any]:
    proofs = dict(zip(("lower", "upper"), each.certificates))
    bounds = {
        side: {"value": value, "theorem": theorem, "certificate": proofs.get(side)}
        for side, value, theorem in (
            ("lower", each.lower, each.lower_theorem),
            ("upper", each.upper, each.upper_theorem),
        )
    }
    return {
        "number": each.number,
        "entries": [list(map(str, row)) for row in each.rows],
        "kept": list(each.kept),
        "affdim": each.affdim,
        **bounds,
        "exact": each.exact,
        "tried": each.tried,
        "reduces_to": None if each.reduces_to is None else dict(zip(("decisions", "number"), each.reduces_to)),
    }


def _name(labels: int, reduced: tuple[int, int]) -> str:
    return f"{labels} × {reduced[0]} no. {reduced[1]}"
