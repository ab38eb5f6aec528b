"""What the paper proves of ranking losses (`sec:ranking`), beside their exact dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from lossmith.answers.bounding import ccdim
from lossmith.dimension.bounds import DimensionBounds
from lossmith.losses import mean_average_precision, ndcg, pairwise_disagreement, precision_at
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.showing import aligned
from lossmith.sweeping.running import Progress, sweep

LOSSES = ("NDCG", "Precision@1", "PD", "MAP")


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


def lines(last: int = 20, *, n_jobs: int | None = 1, progress: Progress | None = None) -> Iterator[Line]:
    """The lines for r = 2 … last documents, loss by loss, from `n_jobs` workers of joblib.

    >>> [(each.loss, each.shown, each.bounds.exact) for each in lines(5)][-4:]
    [('NDCG', '≤ 5', 4), ('Precision@1', '–', 4), ('PD', '8 … 10', 10), ('MAP', '6 … 15', 13)]
    """
    return sweep(_line, list(product(range(2, last + 1), LOSSES)), n_jobs=n_jobs, progress=progress)


def _line(place: tuple[int, str]) -> Line:
    r, name = place
    pairs = r * (r - 1) // 2
    made: dict[str, tuple[Callable[[], FactoredLoss], tuple[int, int] | None]] = {
        "NDCG": (lambda: ndcg(r), (0, r)),  # subsec:NDCG
        "Precision@1": (lambda: precision_at(1, r), None),
        "PD": (lambda: pairwise_disagreement(r), (max(pairs - 2, 0), pairs)),  # subsec:PD
        "MAP": (lambda: mean_average_precision(r), (max(pairs - 4, 0), pairs + r)),  # subsec:MAP
    }
    loss, paper = made[name]
    return Line(name, r, paper, ccdim(loss()))


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
