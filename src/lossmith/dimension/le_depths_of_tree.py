"""CCdim(L) ≤ Σ ⌈log₂ c_j⌉ for distances in a tree with c_j nodes at depth j, all of which are predictions.

A node is optimal exactly if half of the probability, or more, lies at it and below, and half or less at each of its
children and below. So it is enough to know, for each depth, the node with more than half, if there is one: the loss
with the option to abstain, for 1/2, which ⌈log₂ c_j⌉ dimensions (1 if c_j = 1) tell by binary codes of the nodes. The
surrogates of all depths are added up (H. Ramaswamy, A. Tewari, S. Agarwal, Convex calibrated surrogates for
hierarchical classification, ICML 2015, with the codes of theirs for abstaining, 2018).

Else CCdim(L) ≤ affdim(L) (`thm:ccdim-upper-bound`), one less than the number of predictions; and it is at most one less
than that of labels (`lem:surrogate-universal`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from lossmith.certificates.certificate import Certificate
from lossmith.dimension.bounds import Bound
from lossmith.losses.families.sets.tree_distance import TreeDistance


@dataclass(frozen=True)
class OfTree:
    """The tree, and for a bound from below the weights of labels, by number of the node, that show it."""

    loss: TreeDistance
    weights: Mapping[int, Fraction] = field(default_factory=dict)

    def certificate(self, bound: Bound) -> Certificate:
        """From above the tree is enough; from below the weights of all labels, in the order of the certificate."""
        loss = self.loss
        inputs = {"value": bound.value, "loss": {"family": loss.family, **loss.parameters, "name": loss.name}}
        if bound.side == "upper":
            return Certificate.of("ccdim at most", inputs, {})
        truths = set(loss.truths)
        weights = [str(self.weights.get(v, 0)) for v in loss.order if v in truths]
        return Certificate.of("ccdim at least", inputs, {"weights": weights})


def le_depths_of_tree(loss: TreeDistance) -> Bound:
    """The least of these bounds.

    >>> from lossmith.losses import tree_distance
    >>> print(le_depths_of_tree(tree_distance([None, 0, 0, 0, *(1 + i % 3 for i in range(60))])).why)
    depths with 3, 60 nodes: so many binary digits tell which has more than half of the probability
    """
    counts = Counter(_depths(loss)[1:])
    by_depth = sum((c - 1).bit_length() or 1 for c in counts.values())
    fewest = min(loss.n - 1, loss.k - 1, by_depth if loss.everywhere else loss.n)
    if fewest == loss.n - 1:
        theorem, why = "labels − 1 (lem:surrogate-universal)", f"{loss.n} labels"
    elif not loss.everywhere:
        theorem, why = "affdim (thm:ccdim-upper-bound)", f"{loss.k} predictions"
    else:
        sizes = [str(c) for _, c in sorted(counts.items())]
        shown = ", ".join([*sizes[:6], "…"] if len(sizes) > 7 else sizes)
        theorem = "a code for each depth"
        why = f"depths with {shown} nodes: so many binary digits tell which has more than half of the probability"
    return Bound("upper", fewest, theorem, why, loss, OfTree(loss))


def _depths(loss: TreeDistance) -> list[int]:
    """Edges from the root, in the order of the tree."""
    found = dict.fromkeys(loss.order[:1], 0)
    for v in loss.order[1:]:
        found[v] = found[loss.up[v]] + 1
    return list(found.values())
