"""The lower hull: the linear surrogate in one dimension less, where no p > 0 makes all risks equal.

Theorem. CCdim(L) = affdim(L) if some p > 0 has the same risk p·ℓ_t for all needed predictions t; else
CCdim(L) ≤ affdim(L) − 1.
Proof. The first part is `eq_affdim_of_equalizer`. If there is no such p, the differences of the columns span some
w ≥ 0, w ≠ 0 (Stiemke). Project K = conv{ℓ_t} along w; above each point u of the image C let ψ(u) be the point of K
that is lowest along w. Each ψ_y is convex, as w_y ≥ 0. Going down along w raises no risk, since p·w ≥ 0, so the least
of p·ψ is that of p on K: min_t p·ℓ_t. ψ(u) is a mixture of columns; if it is optimal at p, all of these are. So N(ψ(u))
lies in a trigger set; and N(ψ(u_t)) ⊇ Q_t, where u_t is the image of ℓ_t, so finitely many cover Δ
(`thm:condition-sufficient`). ∎
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import Point
from lossmith.constructions.affine_cells import Face, pred_from
from lossmith.constructions.factorization import kept_predictions
from lossmith.dimension.construction import Construction
from lossmith.errors import BadInput
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import row_basis
from lossmith.exact.solve import combination
from lossmith.exact.vectors import cleared, homogeneous, minus, primitive
from lossmith.geometry.double_description import facets
from lossmith.geometry.polytope import tight_sets
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_MOST_FACETS = 1000


def lower_hull(facts: Facts) -> Construction:
    """The lower side of conv{ℓ_t} along some w ≥ 0, on its projection C ⊂ R^d, d = affdim(L) − 1.

    With ℓ_t − ℓ_0 = c_t w + A u_t it is ψ(u) = ℓ_0 + A u + c(u) w, where c(u) is the largest convex function with
    c(u_t) ≤ c_t: a maximum of affine ones, one for each facet of the lower side. The pred is that of `linear`.

    >>> from lossmith.losses.matrix import LossMatrix
    >>> loss = LossMatrix([[0, 0, 1, 1], [0, 0, 1, 2], [1, 2, 0, 2], [2, 1, 2, 0]])
    >>> facts = Facts(loss)
    >>> facts.positive, len(facts.basis), lower_hull(facts).surrogate.dim
    (None, 3, 2)
    """
    loss, kept, w = facts.loss, kept_predictions(facts), facts.nonnegative
    if w is None:
        raise BadInput(f"some p > 0 makes all risks of {loss.name} equal: fewer than affdim dimensions never do")
    base = loss.column(kept[0])
    steps = [minus(loss.column(t), base) for t in kept]
    axes, points, heights = _placed(w, steps)
    rays = [primitive(homogeneous((*u, c))) for u, c in zip(points, heights, strict=True)]
    up = (0,) * (len(axes) + 1) + (1,)
    rows = facets([*rays, up], max_rays=_MOST_FACETS)
    lower, sides = [row for row in rows if row[-1]], [row for row in rows if not row[-1]]
    slopes = [[Fraction(-x, row[-1]) for x in row[:-1]] for row in lower]
    terms = []
    for y in range(loss.n):
        plain = [base[y], *(axis[y] for axis in axes)]
        pieces = dict.fromkeys(tuple(a + w[y] * b for a, b in zip(plain, slope, strict=True)) for slope in slopes)
        terms.append((tuple(pieces),))
    domain = tuple(tuple(map(Fraction, row[:-1])) for row in sides)
    surrogate = PolyhedralSurrogate(tuple(terms), len(axes), domain, name=f"lower_hull({loss.name})")
    cells, walls = ([Face(_members(mask)) for mask in tight_sets(part, rays)] for part in (lower, sides))
    pred, regret = pred_from(points, [*cells, *walls], cells, kept, loss.k)
    return Construction("lower hull", surrogate, pred, regret)


def _placed(w: Point, steps: Sequence[Point]) -> tuple[list[Point], list[Point], list[Fraction]]:
    """Columns that span the steps together with w, and for each step its coordinates: along these, and along w."""
    spanning = [cleared(w), *map(cleared, steps)]
    chosen = row_basis(integer_matrix(spanning))  # w comes first and so is chosen
    axes = [tuple(map(Fraction, primitive(spanning[i]))) for i in chosen if i]
    points, heights = [], []
    for step in steps:
        found = combination([w, *axes], step)
        assert found is not None  # w and the axes span all steps
        heights.append(found[0])
        points.append(found[1:])
    return axes, points, heights


def _members(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
