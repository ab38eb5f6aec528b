"""What an atlas holds, found and drawn, for the pages to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lossmith.atlas.deciding import Dimension, Finding
from lossmith.atlas.members import LossMember, dashed
from lossmith.atlas.portraits import Portrait
from lossmith.atlas.regrets import Transfer
from lossmith.families import Family

MOST_BYTES = 7_000_000  # of a certificate that the atlas holds; the command makes a larger one


@dataclass(frozen=True)
class Atlas:
    """Families of surrogates, losses, what was found of them, and pictures by the paths of their files.

    `held` are the bytes of the certificates that the atlas holds, by the paths of their files; `transfers` are what
    regrets cost, by the names of the statements.
    """

    families: Sequence[Family[..., Any]]
    findings: Sequence[Finding]
    dimensions: Sequence[Dimension]
    portraits: Mapping[str, Portrait]
    held: Mapping[str, int]
    transfers: Mapping[str, Transfer]

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers of labels."""
        return sorted({each.statement.member.loss.n for each in self.findings})

    @cached_property
    def of_surrogate(self) -> dict[str, list[Finding]]:
        """What was found, by the page of the surrogate."""
        found: dict[str, list[Finding]] = {dashed(family.name): [] for family in self.families}
        for each in self.findings:
            found[dashed(each.statement.family.name)].append(each)
        return found

    @cached_property
    def of_loss(self) -> dict[str, list[Finding]]:
        """What was found, by the place of the loss."""
        found: dict[str, list[Finding]] = {each.member.place: [] for each in self.dimensions}
        for each in self.findings:
            found[each.statement.member.place].append(each)
        return found

    @cached_property
    def loss_pages(self) -> dict[str, list[Dimension]]:
        """The losses, by their pages, those with few labels first."""
        found: dict[str, list[Dimension]] = {}
        for each in sorted(self.dimensions, key=lambda each: each.member.loss.n):
            found.setdefault(each.member.page, []).append(each)
        return {page: found[page] for page in dict.fromkeys(each.member.page for each in self.dimensions)}


def surrogate_picture(family: Family[..., Any], n: int) -> str:
    """The path of the picture of a surrogate."""
    return f"pictures/{dashed(family.name)}/n={n}.svg"


def loss_picture(member: LossMember) -> str:
    """The path of the picture of a loss."""
    return f"pictures/{member.place}.svg"


def bound_name(member: LossMember, side: str) -> str:
    """The permanent name of a bound."""
    return f"{member.place}/ccdim-{side}"


def bound_file(member: LossMember, side: str) -> str:
    """The path of the certificate of a bound."""
    return f"certificates/{bound_name(member, side)}.json"
