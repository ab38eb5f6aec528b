"""All items of the paper computed, and the folder that shows them: a page, and every figure as SVG and PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from lossmith.paper.item import FAILED, Claim, Item, Outcome, Picture
from lossmith.paper.page import page
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import Form, Progress, asked_once, sweep
from lossmith.sweeping.store import Store
from lossmith.text.files import replacing

Result: TypeAlias = tuple[Item, Outcome]
_MEANING = 2  # raise it when an item is computed in another way
_WIDTH = 120  # letters in a line, at most


def reproduce(
    items: Sequence[Item],
    progress: Progress | None = None,
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
) -> list[Result]:
    """Compute every item, in order, on `n_jobs` workers of joblib; what a `store` holds is not computed again.

    >>> from lossmith.paper import ITEMS
    >>> [(item, outcome)] = reproduce([item for item in ITEMS if item.label == "exmp:ccdim-0-1"])
    >>> outcome.mark, outcome.computed
    ('✓', 'μ = 0 and CCdim = n − 1 for n = 2 … 6')
    """
    form = Form(_named, _written, _read)
    outcomes = asked_once(Item.run, items, form, n_jobs=n_jobs, store=store, progress=progress)
    return list(zip(items, outcomes, strict=True))


def _named(item: Item) -> Question:
    return Question("reproduce", [item.label, item.statement], meaning=_MEANING)


def _written(outcome: Outcome) -> Answer:
    """An outcome as plain data; what a picture draws is no such thing."""
    pictures = [[each.name, each.caption, each.alt] for each in outcome.pictures]
    claims = [vars(claim) for claim in outcome.claims]
    said = {"mark": outcome.mark, "computed": outcome.computed, "difference": outcome.difference}
    return Answer({**said, "claims": claims, "pictures": pictures})


def _read(item: Item, kept: Answer) -> Outcome:
    """The outcome; what failed, perhaps for lack of a package, is tried again."""
    value = kept.value
    if value["computed"] == FAILED:
        return item.run()
    claims = tuple(Claim(**each) for each in value["claims"])
    pictures = tuple(Picture(name, partial(_drawn_anew, item, name), *words) for name, *words in value["pictures"])
    return Outcome(value["mark"], value["computed"], value["difference"], claims, pictures)


def _drawn_anew(item: Item, name: str) -> Any:
    """A picture of an item, which is computed for it."""
    return next(each for each in _outcome(item).pictures if each.name == name).draw()


_outcome = cache(Item.run)


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
    """For each item its mark, its label, and what was computed; what is long, or differs, goes on below."""
    width = max(len(item.label) for item, _ in results)
    lines = []
    for item, outcome in results:
        first = f"{outcome.mark:<10}  {item.label:<{width}}  "
        below = " " * len(first)
        said = textwrap.wrap(
            outcome.computed or item.title,
            _WIDTH,
            initial_indent=first,
            subsequent_indent=below,
            break_on_hyphens=False,
        )
        lines += said or [first.rstrip()]
        if outcome.difference:
            lines.append(f"{'':10}  {outcome.difference}")
    return "\n".join(lines)


def counts(results: Sequence[Result]) -> dict[str, int]:
    """How many items have each mark."""
    marks = [outcome.mark for _, outcome in results]
    return {mark: marks.count(mark) for mark in ("✓", "✓ sharper", "heading", "proof only", "✗")}


def certificates(results: Sequence[Result]) -> dict[str, int]:
    """How many certificates of the items the checker accepts, and how many of these only on a condition."""
    found = [claim.computed for _, outcome in results for claim in outcome.claims if claim.paper == "accepted"]
    return {kind: found.count(kind) for kind in ("accepted", "conditional")}


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
