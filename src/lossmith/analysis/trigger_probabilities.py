"""Trigger probability sets: for which distributions a prediction is optimal (`def:trigger-prob`).

All of them come from one object, the Bayes polyhedron {(p, v) : p ∈ Δ, v ≤ p·ℓ_t for all t}. Its vertices are the
vertices of all cells; the columns that are tight at a vertex say which cells own it. Where labels are interchangeable,
one vertex of each kind is found, and the others are its images (`analysis.corners`).
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from lossmith.analysis.corners import corners_in_chamber, count_of_images, images, is_corner, many_alike
from lossmith.analysis.redundancy import needed_predictions
from lossmith.analysis.symmetry import Block, interchangeable_labels
from lossmith.errors import TooLarge
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.solve import solve_all
from lossmith.exact.vectors import Row, dot, minus, unit_rows
from lossmith.families import count
from lossmith.geometry.double_description import Progress, described_envelope, extreme_rays, facets
from lossmith.geometry.envelope import Envelope, envelope
from lossmith.geometry.polytope import Polytope
from lossmith.losses.named import LossLike, as_loss

MAX_VERTICES = 100_000
_FEW_NUMBERS = 10**6  # that are looked at to count the vertices, even where they are too many


@dataclass(frozen=True)
class TriggerSet:
    """Q_t = {p ∈ Δ : p·ℓ_t ≤ p·ℓ_s for all s} for one prediction t that is strictly optimal somewhere.

    `prediction` is the index of t in the matrix. In reduced coordinates `coordinates` holds A (row a_y for label y)
    and the polytope is the image of Q_t under p ↦ Aᵀp ∈ R^m; else it is None and the polytope lies in the simplex.
    """

    prediction: int
    polytope: Polytope
    coordinates: tuple[Row, ...] | None = field(default=None, repr=False)
    bayes: Envelope | None = field(default=None, repr=False, compare=False)

    @cached_property
    def separators(self) -> tuple[tuple[Row, int], ...]:
        """Rows ℓ_s − ℓ_t, made primitive, that bound the cell, each with its s."""
        return () if self.bayes is None else self.bayes.separators(self.prediction)

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """The predictions whose cells share a facet with this one, in increasing order."""
        return () if self.bayes is None else self.bayes.neighbours(self.prediction)

    def _repr_html_(self) -> str:
        where = "" if self.coordinates is None else f" (points of R^{len(self.coordinates[0])})"
        corners = "".join(f"<li>({html.escape(', '.join(map(str, p)))})</li>" for p in self.polytope.vertices[:40])
        more = f"<li>… {len(self.polytope.rays) - 40} more</li>" if len(self.polytope.rays) > 40 else ""
        return (
            f"<b>Q<sub>{self.prediction}</sub></b>: {len(self.polytope.rays)} vertices{where}<ul>{corners}{more}</ul>"
        )


def trigger_sets(
    loss: LossLike,
    *,
    reduced: bool | None = None,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> tuple[TriggerSet, ...]:
    """The trigger sets of all predictions that are not redundant, exactly, from one vertex enumeration.

    A prediction is redundant if it is nowhere the only optimal one; of equal columns the first is kept. With many
    labels and few dimensions the work is done in reduced coordinates; `reduced` forces the choice. The loss is given as
    to `analyze`.

    >>> from lossmith.losses import zero_one
    >>> first = trigger_sets(zero_one(2))[0]
    >>> [tuple(map(str, p)) for p in first.polytope.vertices]
    [('1/2', '1/2'), ('1', '0')]
    >>> first.polytope.inequalities, first.neighbours
    (((0, 1), (1, -1)), (1,))
    """
    loss = as_loss(loss).matrix()
    columns = loss.rational.integer_columns()
    needed = partial(needed_predictions, loss)
    return cells_of(columns, needed, reduced=reduced, max_vertices=max_vertices, progress=progress)


def cells_of(
    columns: Sequence[Row],
    needed: Callable[[], Sequence[int]],
    *,
    reduced: bool | None,
    max_vertices: int,
    progress: Progress | None,
) -> tuple[TriggerSet, ...]:
    """The same from the columns of the loss; those that are needed are asked for only where there are many columns."""
    n, k = len(columns[0]), len(columns)
    embedding = None
    if reduced or (reduced is None and n > 16):
        embedding = _embedding(columns)
        if reduced is None and 2 * len(embedding[0]) > n:
            embedding = None
    if embedding is None:
        domain = unit_rows(n)
        functionals, corners = list(columns), domain
    else:
        domain = facets(embedding, max_rays=max_vertices)
        functionals, corners = _in_coordinates(columns, embedding), extreme_rays(domain, max_rays=max_vertices)
    if embedding is None:
        blocks = interchangeable_labels(columns)
        rays = _by_symmetry(columns, blocks, max_vertices, progress) if many_alike(blocks) else None
        if rays is not None:
            bayes = envelope(domain, functionals, rays)
            return tuple(TriggerSet(t, bayes.cell(t), None, bayes) for t in bayes.kept)
    many = k > 100 and k > 4 * n  # then most of them are redundant, as a rule, and add no vertex
    cutting = [functionals[t] for t in needed()] if many else functionals
    found = described_envelope(domain, cutting, corners=corners, max_vertices=max_vertices, progress=progress)
    bayes = envelope(domain, functionals, found.rays, None if many else found.tight[len(domain) :])
    coordinates = None if embedding is None else tuple(row[1:] for row in embedding)
    return tuple(TriggerSet(t, bayes.cell(t, embedding), coordinates, bayes) for t in bayes.kept)


def _by_symmetry(
    columns: Sequence[Row], blocks: Sequence[Block], max_vertices: int, progress: Progress | None
) -> list[Row] | None:
    """The vertices (p, v) as images of those in the chamber, counted before they are made; None if these are too many.

    >>> zero_one = [tuple(int(y != t) for y in range(6)) for t in range(6)]
    >>> len(_by_symmetry(zero_one, [tuple(range(6))], 100, None))
    63
    """
    try:
        found = corners_in_chamber(columns, blocks, max_vertices=max_vertices, progress=progress)
    except TooLarge:
        return None
    corners, total = list[Row](), 0
    counted = len(found) * len(columns) * len(columns[0]) <= _FEW_NUMBERS
    for p in found:
        if (counted or total <= max_vertices) and is_corner(columns, p):
            corners.append(p)
            total += count_of_images(p, blocks)
    if total > max_vertices:
        raise TooLarge(
            f"the cells have {count(total)} vertices{'' if counted else ' or more'}, over the budget of "
            f"{max_vertices:,}; raise it with max_vertices=… (--max-vertices)"
        )
    least = {p: min(dot(p, column) for column in columns) for p in corners}
    return [(*image, least[p]) for p in corners for image in images(p, blocks)]


def _embedding(columns: Sequence[Sequence[int]]) -> tuple[Row, ...]:
    """Rows (1, a_y) whose columns are a basis of the span of 1 and the differences ℓ_t − ℓ_0."""
    base = columns[0]
    spanning = [[1] * len(base), *(minus(column, base) for column in columns[1:])]
    basis = row_basis(integer_matrix(spanning))
    return tuple(tuple(spanning[i][y] for i in basis) for y in range(len(base)))


def _in_coordinates(columns: Sequence[Sequence[int]], embedding: Sequence[Row]) -> list[Row]:
    """Functionals f_t with f_t·(1, a_y) = ℓ_yt − ℓ_y0 for all y, all scaled by one positive factor to be integers."""
    labels = row_basis(integer_matrix(embedding))
    base = columns[0]
    targets = [[column[y] - base[y] for column in columns] for y in labels]
    solved, _ = solve_all([embedding[y] for y in labels], targets)
    return list(zip(*solved, strict=True))
