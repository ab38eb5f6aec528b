"""CCdim(L) ≤ min(affdim(L), n − 1) for distances in a tree that is not written down, and at least 1.

From above by `thm:ccdim-upper-bound` and `lem:surrogate-universal`; from below since no single prediction is optimal
for all labels. Where all nodes are predictions, those that tie lie on a path, with half of the probability at each of
its ends: the feasible subspace bound is 1 at best.
"""

from __future__ import annotations

from dataclasses import dataclass

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.errors import TooLarge
from lossmith.losses.families.sets.tree_distance import TreeDistance


@dataclass(frozen=True)
class OfTree:
    """The tree."""

    loss: TreeDistance

    def certificate(self, bound: Bound) -> Certificate:
        """There is none: the checker knows trees by their matrices."""
        raise TooLarge(
            f"the checker knows {bound.loss.name} by its {bound.loss.n:,} × {bound.loss.k:,} matrix, too large for a "
            f"certificate; take the bound without it, or a smaller tree"
        )


def le_labels_of_tree(loss: TreeDistance) -> list[Bound]:
    """Both bounds.

    >>> from lossmith.losses import tree_distance
    >>> [f"{each.side} {each.value}" for each in le_labels_of_tree(tree_distance([None, *[0] * 500]))]
    ['upper 499', 'lower 1']
    """
    if loss.n - 1 <= loss.affdim:
        theorem, why = "labels − 1 (lem:surrogate-universal)", f"{loss.n} labels"
    else:
        theorem, why = "affdim (thm:ccdim-upper-bound)", f"the columns span {loss.affdim} affine dimensions"
    upper = Bound("upper", min(loss.n - 1, loss.affdim), theorem, why, loss, OfTree(loss))
    words = "at a p on 2 labels 2 decisions are optimal, of affine dimension 1"
    return [upper, Bound("lower", 1, "feasible subspace (thm:ccdim-lower-bound)", words, loss, OfTree(loss))]
