"""Write what the documents list of the families: `make lists`. A test compares them with what this would write."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lossmith as lm
from lossmith.answers.cataloguing import catalogue
from lossmith.families import Family

ROOT = Path(__file__).parent.parent
_JOINT = ",\u00a0"  # a comma at which no line is broken
BELOW = "<!-- Below: make lists -->\n"


def written() -> dict[Path, str]:
    """The text of every document that lists families, as it should be."""
    paths = {name: ROOT / name for name in ("docs/tour.md", "docs/reference.md", "docs/catalogue.md")}
    tour, reference, table = (path.read_text() for path in paths.values())
    return {
        paths["docs/tour.md"]: with_families(tour),
        paths["docs/reference.md"]: with_sections(reference),
        paths["docs/catalogue.md"]: with_tables(table),
    }


def with_families(tour: str) -> str:
    """The families of surrogates and losses with their parameters, between two marks."""
    polyhedral = [each for each in lm.surrogates.CATALOGUE if each.makes is lm.PolyhedralSurrogate]
    smooth = [each for each in lm.surrogates.CATALOGUE if each.makes is lm.SmoothSurrogate]
    paragraphs = [
        f"The catalogue `lm.surrogates` has {_called(polyhedral)}; smooth ones are {_called(smooth)}.",
        f"The catalogue `lm.losses` has {_called(lm.losses.CATALOGUE)}; beside them "
        f"{_called(lm.losses.MORE)}; for ranking {_called(lm.losses.RANKING)}; for sets {_called(lm.losses.SETS)}.",
    ]
    filled = (textwrap.fill(each, 140, break_long_words=False, break_on_hyphens=False) for each in paragraphs)
    lines = "\n".join(filled).replace(_JOINT, ", ")
    begin, end = "<!-- Families: make lists -->\n", "<!-- so far -->"
    return re.sub(f"{begin}.*?{end}", lambda _: f"{begin}{lines}\n{end}", tour, flags=re.DOTALL)


def with_sections(reference: str) -> str:
    """The sections of the reference on losses and on surrogates."""
    losses = [each.name for each in (*lm.losses.CATALOGUE, *lm.losses.MORE)]
    factored = [each.name for each in (*lm.losses.RANKING, *lm.losses.SETS)]
    reference = _section(reference, "lossmith.losses", [*losses, "add_abstain", "FactoredLoss", *factored])
    return _section(reference, "lossmith.surrogates", [each.name for each in lm.surrogates.CATALOGUE])


def with_tables(page: str) -> str:
    """The verdicts for 2, 3 and 4 labels, below the mark."""
    intro, mark, _ = page.partition(BELOW)
    return intro + mark + "".join(f"\n{catalogue(n=n).to_markdown()}\n" for n in (2, 3, 4))


def _called(families: Iterable[Family[..., Any]]) -> str:
    *others, last = (f"`{each.name}({_JOINT.join(inspect.signature(each.build).parameters)})`" for each in families)
    return f"{', '.join(others)} and {last}"


def _section(reference: str, module: str, names: Iterable[str]) -> str:
    begin = f".. currentmodule:: {module}\n\n.. autosummary::\n   :toctree: generated\n\n"
    intro, mark, rest = reference.partition(begin)
    listed = "".join(f"   {name}\n" for name in names)
    return intro + mark + listed + "\n" + rest.partition("\n\n")[2]


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text)
        print(f"wrote {path.relative_to(ROOT)}")
