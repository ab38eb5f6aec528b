"""Hinges for each depth of a hierarchy, added up: the cascade."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Family, Published, family, one_of
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.trees import Tree, above, parents_of, side_of
from lossmith.surrogates.cases import any_node
from lossmith.surrogates.families.binary_encoded import binary_encoded
from lossmith.surrogates.families.crammer_singer import crammer_singer
from lossmith.surrogates.families.one_vs_all_hinge import one_vs_all_hinge
from lossmith.surrogates.hierarchies import levels_of, tree_of
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

_BASES: dict[str, Family[[int], PolyhedralSurrogate]] = {  # right for abstaining at 1/2
    each.name.replace("_", "-"): each for each in (one_vs_all_hinge, crammer_singer, binary_encoded)
}


def _base(name: str) -> Family[[int], PolyhedralSurrogate]:
    return _BASES[one_of("base", name.replace("_", "-"), tuple(_BASES))]


def _size(tree: Tree, base: str = "one-vs-all-hinge") -> tuple[int, int]:
    parents, chosen = parents_of(tree), _base(base)
    leaves = side_of(parents, "leaves", "labels")
    if len(leaves) < 2:
        raise BadInput(f"the tree has {len(leaves)} leaf; a hierarchy needs at least two")
    return len(leaves), sum(chosen.size(len(level))[1] for level in levels_of(parents))


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    tree = tree_of(loss)
    return None if tree is None else {"tree": tree}


@family(
    cite="H. Ramaswamy, A. Tewari, S. Agarwal, Convex calibrated surrogates for hierarchical classification, ICML 2015",
    latex=r"\psi_y(u) = \sum_j \ell_{\mathrm{anc}_j(y)}(u^j)",
    preds=("deepest",),
    small=({"tree": [None, 0, 1, 1, 0]}, {"tree": [None, 0, 0, 1, 1], "base": "crammer-singer"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(any_node, "CCC", "Ramaswamy, Tewari, Agarwal, ICML 2015"),
        Published(any_node, "CCC", "Ramaswamy, Tewari, Agarwal, ICML 2015", pred="deepest"),
    ),
    aliases=("ova_cascade",),
)
def cascade_hinge(tree: Tree, base: str = "one-vs-all-hinge") -> PolyhedralSurrogate:
    """Σ_j ℓ(u^j) over the depths of a tree, ℓ the hinge of the node that y is at or below, scores u^j for each depth.

    The tree is given as to `hierarchical`, its root first; labels are its leaves, and all nodes are predictions. The
    base is right for abstaining at 1/2, one-vs-all-hinge, crammer-singer or binary-encoded: for each depth it tells the
    node that has half of the probability, if one has. Leaves take part in all depths below their own.

    >>> cascade_hinge([None, 0, 0, 1, 1]).dim  # two nodes, then three with the leaf of the first depth
    5
    >>> cascade_hinge([None, 0, 0, 1, 1], "binary-encoded").dim  # one bit, then two
    3
    """
    parents, chosen = parents_of(tree), _base(base)
    levels, leaves = levels_of(parents), side_of(parents, "leaves", "labels")
    dim, start = _size(tree, base)[1], 0
    terms: list[list[tuple[tuple[Fraction, ...], ...]]] = [[] for _ in leaves]
    for level in levels:
        made = chosen(len(level))
        behind = dim - start - made.dim
        for y, leaf in enumerate(leaves):
            own = next(i for i, node in enumerate(level) if node in above(parents, leaf))
            terms[y] += [tuple(_placed(piece, start, behind) for piece in maximum) for maximum in made.terms[own]]
        start += made.dim
    name = f"cascade_hinge({len(parents)} nodes, base={chosen.name})"
    return PolyhedralSurrogate(tuple(map(tuple, terms)), dim, name=name)


def _placed(piece: tuple[Fraction, ...], before: int, behind: int) -> tuple[Fraction, ...]:
    """The piece with zeros for the scores of other depths."""
    return (piece[0], *[Fraction(0)] * before, *piece[1:], *[Fraction(0)] * behind)
