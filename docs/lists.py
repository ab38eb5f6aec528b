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
from lossmith.families import Family, Published

ROOT = Path(__file__).parent.parent
_JOINT = ",\u00a0"  # a comma at which no line is broken
BELOW = "<!-- Below: make lists -->\n"


def written() -> dict[Path, str]:
    """The text of every document that lists families, as it should be."""
    names = ("docs/tour.md", "docs/reference.md", "docs/catalogue.md", "docs/findings.md")
    paths = {name: ROOT / name for name in names}
    tour, reference, table, findings = (path.read_text() for path in paths.values())
    return {
        paths["docs/tour.md"]: with_families(tour),
        paths["docs/reference.md"]: with_sections(reference),
        paths["docs/catalogue.md"]: with_tables(table),
        paths["docs/findings.md"]: with_verdicts(findings),
    }


def with_families(tour: str) -> str:
    """The families of surrogates and losses with their parameters, between two marks."""
    kinds: dict[str, list[Family[..., Any]]] = {}
    for each in lm.surrogates.CATALOGUE:
        kinds.setdefault(each.kind, []).append(each)
    paragraphs = [
        f"The catalogue `lm.surrogates` has {len(lm.surrogates.CATALOGUE)} families.",
        *(f"* {kind}: {_called(families)}." for kind, families in kinds.items()),
        f"The catalogue `lm.losses` has {_called(lm.losses.CATALOGUE)}; beside them "
        f"{_called(lm.losses.MORE)}; for ranking {_called(lm.losses.RANKING)}; for sets {_called(lm.losses.SETS)}.",
    ]
    filled = (textwrap.fill(each, 140, break_long_words=False, break_on_hyphens=False) for each in paragraphs)
    lines = (
        "\n\n".join(filled)
        .replace(_JOINT, ", ")
        .replace(".\n\n* ", ".\n* ")
        .replace("families.\n* ", "families.\n\n* ")
    )
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


def with_verdicts(page: str) -> str:
    """The verdicts that families declare, below the mark."""
    intro, mark, _ = page.partition(BELOW)
    head = ["surrogate", "loss", "pred", "2, 3, 4 labels", "printed", "source"]
    rows = [head, ["---"] * 3 + [":-:"] * 2 + ["---"]]
    for family in lm.surrogates.CATALOGUE:
        rows += [
            [f"`{family.name}`", _about(claim), claim.pred, claim.marks, claim.printed, claim.source]
            for claim in family.verdicts
        ]
    return intro + mark + "\n" + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _about(claim: Published) -> str:
    """The loss of a verdict: a family, or the largest of a few members."""
    if claim.loss is None:
        return "every loss"
    if isinstance(claim.loss, Family):
        return f"`{claim.loss.name}`"
    return f"`{next(loss.name for loss in map(claim.loss, (4, 3, 2)) if loss is not None)}`"


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
