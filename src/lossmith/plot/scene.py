"""What there is to draw, read from the loss and the points of interest: exact numbers become floats here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import TriggerSet
from lossmith.errors import BadInput
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordering import distribution
from lossmith.plot.overlay import Overlay
from lossmith.plot.placing import Points


@dataclass(frozen=True)
class Scene:
    """The cells of a loss, some points of the simplex, and the names of all; the k-th name is of the k-th cell."""

    loss: LossMatrix
    cells: tuple[TriggerSet, ...]
    labels: tuple[str, ...]
    names: tuple[str, ...]
    points: Points
    point_names: tuple[str, ...]
    overlay: Overlay

    def vertices(self, cell: TriggerSet) -> Points:
        """Return the vertices of a cell, one row of probabilities each."""
        return np.array(cell.polytope.vertices, dtype=float)


def scene_of(facts: Facts, points: Iterable[object] | Mapping[object, object], overlay: Overlay | None = None) -> Scene:
    """Read the cells of a loss, points given one by one or by name, and what lies over the cells."""
    loss, cells = facts.loss, facts.cells(reduced=False)
    pairs = points.items() if isinstance(points, Mapping) else [(None, point) for point in points]
    distributions = []
    for _, point in pairs:
        if isinstance(point, str) or not isinstance(point, Iterable):
            raise BadInput(
                f"points holds {point!r}, which is no distribution; give a list of distributions, or a mapping"
            )
        distributions.append(distribution(point, loss.labels))
    return Scene(
        loss,
        cells,
        tuple(map(shown, loss.labels)),
        tuple(shown(loss.predictions[cell.prediction]) for cell in cells),
        np.array(distributions, dtype=float).reshape(-1, loss.n),
        tuple("" if name is None else shown(name) for name, _ in pairs),
        overlay or Overlay(),
    )


def shown(name: object) -> str:
    """Put a name on one line, without what no font can show; a dash if nothing is left.

    >>> shown("two  blanks"), shown("")
    ('two blanks', '–')
    """
    return " ".join("".join(x if x.isprintable() else " " for x in str(name)).split()) or "–"
