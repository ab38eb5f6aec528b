"""What a verdict lays over the cells of a loss: the surrogate's cells, the one that proves it wrong, and where."""

from __future__ import annotations

from dataclasses import dataclass

from lossmith.geometry.polytope import Polytope


@dataclass(frozen=True)
class Overlay:
    """The cells of a surrogate, the cell that lies in no trigger set, and the regions to which the claim is limited."""

    cells: tuple[Polytope, ...] = ()
    bad: Polytope | None = None
    within: tuple[Polytope, ...] = ()
