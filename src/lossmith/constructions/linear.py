"""The linear surrogate: ψ affine on the hull of one point per prediction (`thm:ccdim-upper-bound`).

Its preds rest on this. p·ψ is linear on C = conv{u_t}, so its minima form a face; a pred is calibrated if the closed
region of t meets no face of C without u_t, hence if it meets no facet of C without u_t: a face is the intersection of
the facets that hold it, and if all of these held u_t, so would the face.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.analysis.facts import Facts
from lossmith.constructions.affine_cells import Face, pred_from, ray_through
from lossmith.constructions.factorization import kept_predictions
from lossmith.dimension.construction import Construction
from lossmith.exact.solve import combination
from lossmith.exact.vectors import minus
from lossmith.geometry.double_description import facets
from lossmith.geometry.polytope import tight_sets
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def linear(facts: Facts) -> Construction:
    """The surrogate of `thm:ccdim-upper-bound`: ψ is affine on C = conv{u_t} ⊂ R^d with ψ(u_t) = ℓ_t, d = affdim(L).

    Only the predictions that are not redundant have a u_t, and d is the dimension of the affine hull of their columns.
    The first u_t is 0 and d others are unit vectors.

    The pred takes the largest of one affine score per prediction, where good scores are found; else, in each simplex of
    a triangulation of C, the largest barycentric coordinate. It is None if that takes more than 30 polyhedra.

    >>> from lossmith.losses import zero_one
    >>> made = linear(Facts(zero_one(3)))
    >>> made.surrogate.terms[1], made.surrogate.dim              # ψ_1 = 1 − u_0
    ((((Fraction(1, 1), Fraction(-1, 1), Fraction(0, 1)),),), 2)
    >>> made.pred(["1/2", "1/3"])
    1
    """
    loss, kept = facts.loss, kept_predictions(facts)
    base = loss.column(kept[0])
    steps = [minus(loss.column(t), base) for t in kept]
    axes = [steps[i] for i in facts.basis]
    points = [_coordinates(axes, step) for step in steps]
    rays = [ray_through(point) for point in points]
    bounds = facets(rays)
    terms = tuple((((base[y], *(axis[y] for axis in axes)),),) for y in range(loss.n))
    rows = tuple(tuple(map(Fraction, row)) for row in bounds)
    surrogate = PolyhedralSurrogate(terms, len(axes), rows, name=f"linear({loss.name})")
    owners = [tuple(i for i in range(len(kept)) if mask >> i & 1) for mask in tight_sets(bounds, rays)]
    pred, regret = pred_from(points, list(map(Face, owners)), [Face(tuple(range(len(kept))))], kept, loss.k)
    return Construction("linear", surrogate, pred, regret)


def _coordinates(axes: Sequence[Sequence[Fraction]], step: Sequence[Fraction]) -> tuple[Fraction, ...]:
    found = combination(axes, step)
    assert found is not None  # the axes span all steps
    return found
