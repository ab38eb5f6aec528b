"""All items of the paper computed, and the folder that shows them: a page, and every figure as SVG and PNG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lossmith.paper.item import Item, Outcome, Picture
from lossmith.paper.page import page
from lossmith.sweeping.running import Progress, sweep
from lossmith.text.files import replacing

Result: TypeAlias = tuple[Item, Outcome]


def reproduce(items: Sequence[Item], progress: Progress | None = None, *, n_jobs: int | None = 1) -> list[Result]:
    """Compute every item, in order, on `n_jobs` workers of joblib.

    >>> from lossmith.paper import ITEMS
    >>> [(item, outcome)] = reproduce([item for item in ITEMS if item.label == "exmp:ccdim-0-1"])
    >>> outcome.mark, outcome.computed
    ('✓', 'μ = 0 and CCdim = n − 1 for n = 2 … 6')
    """
    return list(zip(items, sweep(Item.run, items, n_jobs=n_jobs, progress=progress), strict=True))


def write_pages(results: Sequence[Result], folder: Path, progress: Progress | None = None) -> None:
    """Draw every picture into the folder, as SVG and PNG, then write index.html."""
    from lossmith import plot

    pictures = [picture for _, outcome in results for picture in outcome.pictures]
    drawn: dict[str, str] = {}
    for picture, figure in zip(pictures, sweep(_drawn, pictures, progress=progress), strict=True):
        for ending in ("svg", "png"):
            plot.save(figure, folder / f"{picture.name}.{ending}")
        drawn[picture.name] = (folder / f"{picture.name}.svg").read_text(encoding="utf-8")
    with replacing(folder / "index.html") as stream:
        stream.write(page(results, drawn).encode())


def _drawn(picture: Picture) -> Any:
    return picture.draw()


def as_text(results: Sequence[Result]) -> str:
    """One line per item: its mark, its label, and what was computed; what differs stands below."""
    width = max(len(item.label) for item, _ in results)
    lines = []
    for item, outcome in results:
        lines.append(f"{outcome.mark:<10}  {item.label:<{width}}  {outcome.computed or item.title}".rstrip())
        if outcome.difference:
            lines.append(f"{'':10}  {outcome.difference}")
    return "\n".join(lines)


def counts(results: Sequence[Result]) -> dict[str, int]:
    """How many items have each mark."""
    marks = [outcome.mark for _, outcome in results]
    return {mark: marks.count(mark) for mark in ("✓", "✓ sharper", "proof only", "✗")}


def as_data(results: Sequence[Result]) -> dict[str, Any]:
    """The outcomes as plain data."""
    items = [
        {
            "label": item.label,
            "title": item.title,
            "statement": item.statement,
            "note": item.note,
            "mark": outcome.mark,
            "computed": outcome.computed,
            "difference": outcome.difference,
            "claims": [vars(claim) for claim in outcome.claims],
            "figures": [picture.name for picture in outcome.pictures],
        }
        for item, outcome in results
    ]
    return {"counts": counts(results), "items": items}
