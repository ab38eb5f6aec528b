"""Numbers and cells for the page: exact corners become floats here, for pixels alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import atan2
from typing import Any, TypeAlias

import numpy as np

from lossmith.analysis.facts import Facts
from lossmith.geometry.polytope import Polytope, tight_sets
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sampling import telling_labels
from lossmith.text.numbers import as_float, written

Asked: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]

DRAWN = 4  # labels of a picture at most
_MOST_VERTICES = 5_000


def number(x: Fraction) -> Answer:
    """A number exactly, for people, and for pixels.

    >>> number(Fraction(1, 3))
    {'exact': '1/3', 'shown': '1/3', 'value': 0.3333333333333333}
    """
    return {"exact": str(x), "shown": written(x), "value": as_float(x)}


def cut_of(loss: LossMatrix, wanted: object) -> tuple[int, ...]:
    """The labels that are drawn: all of them up to four, else those that are wanted, or the three that tell most."""
    if loss.n <= DRAWN:
        return tuple(range(loss.n))
    if isinstance(wanted, list) and 2 <= len({*map(str, wanted)}) <= DRAWN:
        places = sorted({y for y in wanted if type(y) is int and 0 <= y < loss.n})
        if len(places) >= 2:
            return tuple(places)
    return tuple(loss.labels.index(label) for label in telling_labels(loss))


def on_cut(facts: Facts, cut: Sequence[int]) -> Facts:
    """The facts where only some labels are possible."""
    if len(cut) == facts.loss.n:
        return facts
    return Facts(facts.loss.restrict(labels=[facts.loss.labels[y] for y in cut]))


def cells_of(facts: Facts) -> list[dict[str, Any]]:
    """The cells of a loss with two to four labels.

    >>> [cell["vertices"] for cell in cells_of(Facts(LossMatrix([[0, 1], [3, 0]])))]
    [[[0.75, 0.25], [1.0, 0.0]], [[0.0, 1.0], [0.75, 0.25]]]
    """
    found = []
    for cell in facts.cells(_MOST_VERTICES, reduced=False):
        shape = shape_of(cell.polytope)
        found.append({"decision": cell.prediction, **shape})
    return found


def shape_of(polytope: Polytope) -> dict[str, Any]:
    """Corners, their mean, and the faces: none in an interval, one in a triangle, all facets in a tetrahedron."""
    corners = np.array(polytope.vertices, dtype=float)
    n, rays = corners.shape[1], polytope.rays
    if n == 2:
        faces: list[list[int]] = []
    elif n == 3:
        faces = [list(range(len(corners)))]
    else:
        place = [polytope.vertices.index(tuple(Fraction(x, sum(ray)) for x in ray)) for ray in rays]
        sets = tight_sets(polytope.inequalities, rays)
        faces = [[place[i] for i in range(len(rays)) if held >> i & 1] for held in sets]
    return {
        "vertices": corners.tolist(),
        "centre": corners.mean(axis=0).tolist(),
        "faces": [around(corners, face) for face in faces if len(face) > 2],
    }


def around(corners: np.ndarray[Any, Any], face: Iterable[int]) -> list[int]:
    """The corners of a flat face in the order in which one walks around it.

    >>> around(np.array([[0, 0, 1], [1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]]), range(4))
    [0, 1, 2, 3]
    """
    face = list(face)
    centred = corners[face] - corners[face].mean(axis=0)
    first, second = np.linalg.svd(centred)[2][:2]
    turned = sorted(face, key=lambda i: _angle(corners[i] - corners[face].mean(axis=0), first, second))
    start = turned.index(min(turned))
    walk = turned[start:] + turned[:start]
    return walk if walk[1] <= walk[-1] else [walk[0], *walk[:0:-1]]


def _angle(x: Any, first: Any, second: Any) -> float:
    return atan2(float(x @ second), float(x @ first))
