"""What the pages show of surrogates and losses besides verdicts: pictures for few labels, and cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.answers.cataloguing import decided
from lossmith.atlas.members import LossMember
from lossmith.atlas.statements import Statement
from lossmith.calibration.verdicts import Undecided
from lossmith.errors import TooLarge
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.sweeping.running import Progress, sweep

PICTURED = (2, 3)  # labels for which a surrogate is drawn
DRAWN = (2, 3, 4)  # and a loss, and for which the cells of a surrogate are counted
_FEW_VERTICES = 2_000  # of cells that are counted
_MOST_CELLS = 24  # that are listed
_MOST_CORNERS = 250  # of all cells of a loss that are listed


@dataclass(frozen=True)
class Portrait:
    """A picture as SVG, if there is one, and what it shows; also how many cells there are, if there are cells.

    `cells` lists them if they are few: u, or the decision, and the corners of the cell, in words.
    """

    picture: str | None
    caption: str
    count: int | None = None
    cells: tuple[tuple[str, str], ...] = ()


def portraits(
    of: Sequence[Statement | LossMember], *, n_jobs: int | None = 1, progress: Progress | None = None
) -> list[Portrait]:
    """Draw a surrogate over the loss of a statement, or a loss."""
    return list(sweep(_portrait, of, n_jobs=n_jobs, progress=progress))


def _portrait(of: Statement | LossMember) -> Portrait:
    return _of_loss(of) if isinstance(of, LossMember) else _of_surrogate(of)


def _of_loss(member: LossMember) -> Portrait:
    """Its cells, as far as they are few, drawn for few labels; a count of all."""
    loss, facts = member.loss, Facts(member.loss)
    try:
        cells = facts.cells(_FEW_VERTICES, reduced=False)
    except TooLarge:
        return Portrait(None, "Its cells have too many corners to be listed.")
    listed = tuple(
        (escape(str(loss.predictions[cell.prediction])), "; ".join(map(_point, cell.polytope.vertices)))
        for cell in (cells if sum(len(cell.polytope.vertices) for cell in cells) <= _MOST_CORNERS else ())
    )
    if loss.n not in DRAWN:
        return Portrait(None, "", len(cells), listed)
    from lossmith.plot.saving import as_svg
    from lossmith.plot.simplex import picture

    words = f"Where each decision is best for {loss.name}: each colour is the cell of one decision."
    return Portrait(as_svg(picture(facts), words), words, len(cells), listed)


def _of_surrogate(statement: Statement) -> Portrait:
    surrogate, loss = statement.surrogate, statement.member.loss
    if not isinstance(surrogate, PolyhedralSurrogate):
        return _of_smooth(statement)
    try:
        cells = positive_normal_sets(surrogate, max_vertices=_FEW_VERTICES).cells
    except TooLarge:
        return Portrait(None, "Its cells are too many to be listed.")
    listed = tuple(
        (_point(cell.u), "; ".join(map(_point, cell.polytope.vertices)))
        for cell in (cells if len(cells) <= _MOST_CELLS else ())
    )
    if loss.n not in PICTURED:
        return Portrait(None, "", len(cells))
    words = f"The cells of {surrogate.name}, dashed, over those of {loss.name}, coloured."
    verdict = decided(surrogate, Facts(loss))
    if isinstance(verdict, Undecided):
        return Portrait(None, words, len(cells), listed)
    from lossmith.plot.saving import as_svg
    from lossmith.plot.verdict_picture import verdict as drawn

    return Portrait(as_svg(drawn(verdict), words), words, len(cells), listed)


def _of_smooth(statement: Statement) -> Portrait:
    """One curve for each label; where there are several scores, as the first grows and the last falls."""
    surrogate = statement.surrogate
    if statement.member.loss.n not in PICTURED:
        return Portrait(None, "It is smooth, and has no cells.")
    from lossmith.plot.one_dimension import curves
    from lossmith.plot.saving import as_svg

    line = surrogate if surrogate.dim == 1 else _Along(surrogate)
    where = "" if surrogate.dim == 1 else f" at (u, {'0, ' * (surrogate.dim - 2)}−u)"
    words = f"{surrogate.name}{where}: a curve for each label. It is smooth, and has no cells."
    return Portrait(as_svg(curves(line), words), words)


class _Along:
    """A surrogate of several scores on the line (u, 0, …, 0, −u)."""

    dim = 1

    def __init__(self, surrogate: Any) -> None:
        self.surrogate, self.n, self.name = surrogate, surrogate.n, surrogate.name

    def evaluate(self, U: Any) -> Any:
        """ψ there, for each row u."""
        import numpy as np

        U = np.asarray(U)
        return self.surrogate.evaluate(np.hstack([U, np.zeros((len(U), self.surrogate.dim - 2)), -U]))


def _point(point: Sequence[Any]) -> str:
    return escape(f"({', '.join(map(str, point))})")
