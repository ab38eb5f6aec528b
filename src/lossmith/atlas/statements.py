"""A statement: that a surrogate is calibrated for a loss, or is not, with some pred or with this one; and its name."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lossmith.answers.cataloguing import MAX_VERTICES
from lossmith.atlas.members import LossMember, dashed, member_name, slug
from lossmith.calibration.verdicts import Surrogate
from lossmith.families import Family
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.named import loss_named
from lossmith.surrogates.fitting import of_documents, of_sets
from lossmith.surrogates.members import fitting_surrogate
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

COMPLETE = 4  # labels, up to which every question is answered, but on very many dimensions
_FEW_VERTICES = 300  # beyond: some second of work
MOST_DIMENSIONS, FEW_DIMENSIONS = 80, 24  # where every question is answered, and beyond
_MOST_SIGNS = 10  # dimensions, of preds that go by their signs
_MOST_RANKED = 8  # labels of the losses that surrogates of documents are made for


@dataclass(frozen=True)
class Statement:
    """Whether a member of a family of surrogates is calibrated for a loss, with `pred`, or (None) with some pred.

    >>> from lossmith.atlas.members import members
    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> asked = Statement(crammer_singer, crammer_singer(3), members([zero_one], [3])[0], "argmax")
    >>> asked.name, asked.command
    ('crammer-singer/n=3/zero-one/argmax', 'lossmith check crammer-singer zero-one:n=3 --pred argmax')
    """

    family: Family[..., Any]
    surrogate: Surrogate
    member: LossMember
    pred: str | None = None
    words: str | None = None  # of the surrogate, where the loss does not tell which member it is

    @property
    def anchor(self) -> str:
        """Its place on the page of the surrogate."""
        pred = "" if self.pred is None else f"/{slug(self.pred)}"
        return f"n={self.member.loss.n}/{self.member.name}{pred}"

    @property
    def name(self) -> str:
        """Its permanent name."""
        return f"{dashed(self.family.name)}/{self.anchor}"

    @property
    def file(self) -> str:
        """Where the atlas keeps its certificate."""
        return f"certificates/{self.name}.json"

    @property
    def polyhedral(self) -> bool:
        """Whether the surrogate is, and so can always be decided."""
        return isinstance(self.surrogate, PolyhedralSurrogate)

    @property
    def budget(self) -> int:
        """Vertices of cells that may be looked at."""
        return MAX_VERTICES if self.member.loss.n <= COMPLETE or self.words is not None else _FEW_VERTICES

    @property
    def too_large(self) -> str:
        """Why it is not even asked, if so: many dimensions, or a pred with a region for each way to sign them."""
        dim, k, complete = self.surrogate.dim, self.member.loss.k, self.member.loss.n <= COMPLETE
        most = MOST_DIMENSIONS if complete else FEW_DIMENSIONS
        if dim > most and self.polyhedral and "votes" not in self.family.preds:
            return f"it has {dim} dimensions, and more than {most} are not looked at"
        if self.pred == "sign" and dim == k - 1 and dim > _MOST_SIGNS:
            return f"sign has a region for each of the 2^{dim} ways in which scores are signed"
        return ""

    @property
    def command(self) -> str:
        """What a terminal asks it with, in the folder of the atlas."""
        pred = [] if self.pred is None else ["--pred", self.pred]
        surrogate = self.words or dashed(self.family.name)
        return shlex.join(["lossmith", "check", surrogate, self.member.argument, *pred])


def statements(families: Iterable[Family[..., Any]], losses: Sequence[LossMember]) -> Iterator[Statement]:
    """All that is asked: each family with each loss that it fits, with some pred and with each customary one."""
    for family in families:
        own = [*_of_documents(family, losses)] if family.fits in (of_documents, of_sets) else []
        known = {member.place for _, member, _ in own}
        rest = [] if family.fits is of_documents else _fitting(family, losses)
        for surrogate, member, words in (*own, *(each for each in rest if each[1].place not in known)):
            for pred in (None, *family.preds):
                yield Statement(family, surrogate, member, pred, words)


def _fitting(
    family: Family[..., Any], losses: Iterable[LossMember]
) -> Iterator[tuple[Surrogate, LossMember, str | None]]:
    for member in losses:
        surrogate = fitting_surrogate(family, member.loss)
        if surrogate is not None:
            yield surrogate, member, None


def _of_documents(
    family: Family[..., Any], losses: Sequence[LossMember]
) -> Iterator[tuple[Surrogate, LossMember, str | None]]:
    """A surrogate of documents: its small instances with the ranking losses that they are made for."""
    for small in family.small:
        for text in (value for value in small.values() if isinstance(value, str) and ":" in value):
            ranking = loss_named(text)
            if not isinstance(ranking, FactoredLoss) or ranking.n > _MOST_RANKED:
                continue
            known = next((each for each in losses if each.words == text), None)
            if known is not None:
                yield family(**small), known, family.words(**small)
            elif any(each.family is ranking.made_by for each in losses):
                assert ranking.made_by is not None
                name = member_name(ranking.made_by, dict(part.split("=") for part in text.split(":")[1].split(",")))
                yield family(**small), LossMember(name, ranking.matrix(), ranking.made_by, text), family.words(**small)
