"""Published verdicts on a surrogate, compared with what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lossmith.answers.cataloguing import member_of_size
from lossmith.atlas.deciding import Finding
from lossmith.atlas.parts import sign
from lossmith.errors import LossmithError
from lossmith.families import Family, Published
from lossmith.losses import zero_one
from lossmith.losses.matrix import LossMatrix

STATED = (2, 3, 4)  # labels that a published verdict is about
_NOTHING = "·"


@dataclass(frozen=True)
class Comparison:
    """What is printed of a surrogate and a loss, what was found, and whether they agree, where both say something."""

    loss: str
    pred: str
    printed: str
    found: str
    agrees: bool
    source: str

    @property
    def mark(self) -> str:
        """✓ or ✗, and nothing where the atlas has none of the members that print is about."""
        return ("✓" if _both(self.printed, self.found) else "") if self.agrees else "✗"

    @property
    def shown(self) -> str:
        """What was found, in words where nothing was."""
        return " ".join(self.found) if set(self.found) - {_NOTHING, "–"} else "not asked in this atlas"


def compared(family: Family[..., Any], findings: Sequence[Finding]) -> Iterator[Comparison]:
    """The published verdicts, each with what was found for 2, 3 and 4 labels."""
    for claim in family.verdicts:
        printed = claim.printed or claim.marks
        found = "".join(_found(claim, n, claim.pred or None, findings) for n in STATED)
        agrees = all(a == b for a, b in _both(printed, found)) and len(printed) == len(STATED)
        yield Comparison(_about(claim), claim.pred or "some pred", printed, found, agrees, claim.source)


def _both(printed: str, found: str) -> list[tuple[str, str]]:
    """The marks for each number of labels for which both say something."""
    return [(a, b) for a, b in zip(printed, found, strict=False) if a in "CN" and b in "CN?"]


def _about(claim: Published) -> str:
    """The loss of a verdict: a family, or the largest of a few members."""
    if claim.loss is None or isinstance(claim.loss, Family):
        return "every loss" if claim.loss is None else claim.loss.name
    return next((loss.name for loss in (_loss(claim.loss, n) for n in STATED[::-1]) if loss is not None), "a loss")


def _found(claim: Published, n: int, pred: str | None, findings: Sequence[Finding]) -> str:
    """The mark of what was found for n labels; of every loss, the one that differs from the claim, if any does."""
    here = [each for each in findings if each.statement.member.loss.n == n and each.statement.pred == pred]
    if claim.loss is None:
        marks = {sign(each) for each in here}
        return min(marks - set(claim.marks), default=min(marks, default="–"))
    loss = _loss(claim.loss, n)
    same = [each for each in here if each.statement.member.loss == loss]
    return sign(same[0]) if same else "–" if loss is None else _NOTHING


def _loss(of: Any, n: int) -> LossMatrix | None:
    """The loss with n labels that a published verdict is about: as the checks of families choose it."""
    if isinstance(of, Family):
        return member_of_size(of, n, [zero_one(n)])
    try:
        made = of(n)
        return None if made is None else made.matrix()
    except LossmithError:
        return None
