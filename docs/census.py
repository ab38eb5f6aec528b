"""Take the censuses of docs/census.md and write its tables, its picture and the open cases: `make census`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from matplotlib.figure import Figure

import lossmith as lm
from lossmith.answers.census_text import matrix_text, open_cases
from lossmith.answers.small_losses import Census
from lossmith.sweeping.store import Store

DOCS = Path(__file__).parent
SIZES = [
    (3, 3, (0, 3)),
    (3, 4, (0, 2)),
    (4, 4, (0, 1)),
    (4, 4, (0, 2)),
    (4, 5, (0, 1)),
    (5, 5, (0, 1)),
    (4, 5, (0, 2)),
]
DRAWN = 3  # of these sizes
BELOW = "<!-- Below: make census -->\n"
OPEN = DOCS / "census-open.jsonl"


def tables(found: list[Census]) -> str:
    """How many classes have which CCdim, why they need no more, and which are open."""
    return f"\n{_by_dimension(found)}\n{_by_theorem(found)}\n{_open(found)}"


def _by_dimension(found: list[Census]) -> str:
    largest = max(each.lower for census in found for each in census.classes)
    head = ["size", "classes", *(f"CCdim {d}" for d in range(largest + 1)), "open", "CCdim < affdim"]
    rows = []
    for census in found:
        exact = Counter(each.exact for each in census.classes)
        counts = [exact[d] for d in range(largest + 1)]
        rows.append([_size(census), *(f"{x:,}" for x in (census.total, *counts, exact[None], len(census.fewer)))])
    return _markdown([head, *rows])


def _by_theorem(found: list[Census]) -> str:
    """Both bounds of the classes, all sizes together, by the theorems that give them."""
    pairs = Counter((each.lower_theorem, each.upper_theorem) for census in found for each in census.classes)
    rows = [[lower, upper, f"{number:,}"] for (lower, upper), number in sorted(pairs.items(), key=_most_first)]
    return _markdown([["not less, by", "not more, by", "classes of all sizes"], *rows])


def _most_first(item: tuple[tuple[str, str], int]) -> tuple[int, tuple[str, str]]:
    return -item[1], item[0]


def _open(found: list[Census]) -> str:
    left = [each for census in found for each in census.open]
    rows = [[each.name, f"`{matrix_text(each)}`".replace("|", "/"), each.shown, each.tried] for each in left]
    return _markdown([["open", "rows", "CCdim", "searched in vain"], *rows]) if left else "None of them is open.\n"


def _size(census: Census) -> str:
    return f"{census.labels} × {census.decisions}, {census.entries[0]}..{census.entries[1]}"


def _markdown(rows: list[list[str]]) -> str:
    head, *others = ["| " + " | ".join(row) + " |\n" for row in rows]
    return head + "| " + " | ".join("---" for _ in rows[0]) + " |\n" + "".join(others)


def picture(found: list[Census]) -> Figure:
    """The first censuses side by side."""
    figure = Figure(figsize=(3.6 * len(found), 3.9))
    for ax, census in zip(figure.subplots(1, len(found)), found, strict=True):
        lm.plot.census(census, ax=ax)
    figure.subplots_adjust(left=0.07, right=0.99, bottom=0.3, top=0.88, wspace=0.35)
    return figure


def main(store: str | None = None) -> None:
    """Take all of them; with a store, go on where it was."""
    found = []
    with Store(store, texts=False) as kept:
        for size in SIZES:
            found.append(lm.census(*size, certificates=False, store=kept))
            print(f"{found[-1]}\n")
    page = DOCS / "census.md"
    intro, mark, _ = page.read_text().partition(BELOW)
    page.write_text(intro + mark + tables(found))
    lm.plot.save(picture(found[:DRAWN]), DOCS / "images" / "census.svg")
    OPEN.write_text(open_cases([each for census in found for each in census.open]))


if __name__ == "__main__":
    main(*sys.argv[1:])
