"""What the paper proves of ranking losses (`sec:ranking`), beside their exact dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

from lossmith.answers.bounding import ccdim
from lossmith.calibration.remembering import certificate_text
from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound, DimensionBounds
from lossmith.losses import mean_average_precision, ndcg, pairwise_disagreement, precision_at
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.showing import aligned
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import Form, Progress, asked_once
from lossmith.sweeping.store import Store

LOSSES = ("NDCG", "Precision@1", "PD", "MAP")
_MEANING = 1  # raise it when another theorem bounds a ranking loss


@dataclass(frozen=True)
class Line:
    """One loss for one number of documents: the paper's bounds, if it has any, and what is proved now."""

    loss: str
    r: int
    paper: tuple[int, int] | None
    bounds: DimensionBounds

    @property
    def shown(self) -> str:
        """The paper's bounds in print."""
        if self.paper is None:
            return "–"
        low, high = self.paper
        return f"{low} … {high}" if low else f"≤ {high}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        exact = self.bounds.exact
        return {"loss": self.loss, "r": self.r, "paper": list(self.paper) if self.paper else None, "ccdim": exact}


def lines(
    last: int = 20, *, n_jobs: int | None = 1, store: Store | None = None, progress: Progress | None = None
) -> Iterator[Line]:
    """The lines for r = 2 … last documents, loss by loss, from `n_jobs` workers of joblib.

    A `store` keeps them with their certificates, which the workers make then: that takes longer than the bounds do.

    >>> [(each.loss, each.shown, each.bounds.exact) for each in lines(5)][-4:]
    [('NDCG', '≤ 5', 4), ('Precision@1', '–', 4), ('PD', '8 … 10', 10), ('MAP', '6 … 15', 13)]
    """
    places = list(product(range(2, last + 1), LOSSES))
    return asked_once(_line, places, Form(_named, _written, _read), n_jobs=n_jobs, store=store, progress=progress)


def _made(place: tuple[int, str]) -> tuple[FactoredLoss, tuple[int, int] | None]:
    """The loss, and the paper's bounds."""
    r, name = place
    pairs = r * (r - 1) // 2
    made: dict[str, tuple[Callable[[int], FactoredLoss], tuple[int, int] | None]] = {
        "NDCG": (ndcg, (0, r)),  # subsec:NDCG
        "Precision@1": (partial(precision_at, 1), None),
        "PD": (pairwise_disagreement, (max(pairs - 2, 0), pairs)),  # subsec:PD
        "MAP": (mean_average_precision, (max(pairs - 4, 0), pairs + r)),  # subsec:MAP
    }
    family, paper = made[name]
    return family(r), paper


def _line(place: tuple[int, str]) -> Line:
    loss, paper = _made(place)
    return Line(place[1], place[0], paper, ccdim(loss))


# Lines in a store: all bounds in words, and the proofs of the best two if they are not too large to be made.


@dataclass(frozen=True)
class _Written:
    """What a bound of a store rests on: its certificate, or else what it rested on when it was proved."""

    text: str | None

    def certificate(self, bound: Bound) -> Certificate:
        if self.text is not None:
            return Certificate(self.text)
        return next(each for each in ccdim(bound.loss).bounds if each == bound).certificate


def _named(place: tuple[int, str]) -> Question:
    return Question("ranking", list(place), meaning=_MEANING)


def _written(line: Line) -> Answer:
    found = line.bounds
    texts = {each.side: certificate_text(each) for each in (found.lower, found.upper)}
    said = [[each.side, each.value, each.theorem, each.why] for each in found.bounds]
    proofs: dict[str, str] = {side: text for side, text in texts.items() if text is not None}
    return Answer({"bounds": said, "notes": list(found.notes)}, proofs)


def _read(place: tuple[int, str], kept: Answer) -> Line:
    loss, paper = _made(place)
    bounds = [
        Bound(side, value, theorem, why, loss, _Written(None)) for side, value, theorem, why in kept.value["bounds"]
    ]
    found = DimensionBounds(loss, tuple(bounds), tuple(kept.value["notes"]))
    for each in (found.lower, found.upper):
        bounds[bounds.index(each)] = replace(each, evidence=_Written(kept.certificates.get(each.side)))
    return Line(place[1], place[0], paper, replace(found, bounds=tuple(bounds)))


def as_text(found: list[Line]) -> str:
    """The table for a terminal, a row for each number of documents."""
    short = [name.replace("Precision", "P") for name in LOSSES]
    head = ["r", *(part for name in short for part in (f"{name}: paper", "CCdim"))]
    return "\n".join(aligned([head, *_rows(found)]))


def as_latex(found: list[Line]) -> str:
    """The table for a paper."""
    head = "$r$ & " + " & ".join(f"\\multicolumn{{2}}{{c}}{{{name}}}" for name in LOSSES)
    below = " & " + " & ".join("paper & exact" for _ in LOSSES)
    rows = [" & ".join(row) for row in _rows(found)]
    text = " \\\\\n".join([head, below, *rows])
    for symbol, command in (("≤ ", "$\\le$ "), (" … ", "--"), ("–", "--")):
        text = text.replace(symbol, command)
    return f"\\begin{{tabular}}{{r{'rr' * len(LOSSES)}}}\n{text}\n\\end{{tabular}}"


def _rows(found: list[Line]) -> list[list[str]]:
    by_size: dict[int, list[str]] = {}
    for each in found:
        by_size.setdefault(each.r, [str(each.r)]).extend((each.shown, str(each.bounds.exact)))
    return list(by_size.values())
