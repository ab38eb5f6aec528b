"""Claims "ccdim at least" and "ccdim at most" for distances in a tree, not written down.

Node 0 is the root. `parents` has the number of the parent of node 1, 2, …, always a smaller one,
and `lengths` those of the edges to them, positive. L[y, t] is the length of the path from y to t.
`inner` has two entries, for labels and for predictions: 0 if they are the leaves, the nodes without
children, and 1 if they are all nodes. For weights w of labels, up to a factor, let W(v) be that of
all labels at v or below. The risk of a child v is that of its parent plus the length of the edge
times W(0) − 2 W(v).

**At least.** T are the predictions that are optimal at the distribution with the `weights` of all
labels, and R the labels of positive weight that are in T. CCdim ≥ affdim(L[R, R])
(`thm:ccdim-lower-bound`), which is |R| − 1: if Σ x = 0, then x·Lx = −2 Σ length(v) x(v)² over all
edges, where x(v) is the sum at v and below; so Lx = c implies that all x(v) are 0, and x = 0.
Or all nodes are predictions, only three labels have a weight, the same, and none is optimal. Then
none lies between the two others, and their paths meet at another node t. On distributions of the
three alone t is optimal where no p_i exceeds 1/2, and label i where p_i ≥ 1/2: the cell of t meets
three others in full sections of the triangle, and CCdim ≥ 2 (see `dimension`).

**At most.** CCdim ≤ n − 1, and CCdim ≤ affdim(L) ≤ k − 1, for n labels and k predictions. If all
nodes are predictions, a node is optimal if and only if W ≥ 1/2 there and W ≤ 1/2 at its children.
Let the c nodes v of a depth, from 1 on, have different codes B(v) ∈ {−1, 1}^d, where d ≥ 1 and
d ≥ log2 c, and for u ∈ R^d let ψ_y(u) be max(0, 1 + max_j B_j(v) u_j) for labels at v and below,
and 1 + max_j |u_j| for others. Tell v if min_j |u_j| > 1/2 and B(v) has the signs of −u, and else
nothing. With m = min(1, min_j |u_j|), the risk at u is at least 1 + m (1 − 2 W(v)), or 1 + m if no
v has these signs; it is 1 at 0, and 2 − 2 W(v) at −B(v). So whoever comes close enough to the
least risk tells a v with W(v) ≥ 1/2, or nothing, and then no W at this depth exceeds 1/2. Let all
depths have coordinates of their own, and add up their ψ: the last v that is told, or else the root,
is optimal. So CCdim ≤ Σ d.
"""

from collections import Counter
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import hold, integral, price, room, spend
from lossmith_verify.reading import index, places, record, require, title, vector

PARAMETERS = ["tree_distance"]


class Tree(NamedTuple):
    """Parents and lengths, in integers, of nodes from 1 on; labels and predictions by number."""

    up: list[int]
    lengths: tuple[int, ...]
    sides: list[list[int]]
    name: str


def read(value: Any) -> Tree:
    """Read the tree, and which of its nodes are labels and predictions."""
    table = record(value, "loss", "family parents lengths inner", "name")
    given = places(table["parents"], "loss.parents", None, 1)
    up = [index(parent, at, v) for v, (at, parent) in enumerate(given, 1)]
    lengths = vector(table["lengths"], "loss.lengths", len(up))
    require(min(lengths) > 0, "loss.lengths", "a length is not positive")
    hold(9 * len(up))
    nodes, both = {*range(len(up) + 1)}, places(table["inner"], "loss.inner", 2)
    sides = [sorted(nodes if index(x, at, 2) else nodes - {*up}) for at, x in both]
    return Tree(up, integral(lengths), sides, title(table, "loss"))


def at_most(tree: Tree) -> int:
    """Return the least of what is known."""
    (n, k), depths = map(len, tree.sides), [0]
    for parent in tree.up:
        depths.append(depths[parent] + 1)
    by_depth = sum((c - 1).bit_length() or 1 for c in Counter(depths[1:]).values())
    return min(n - 1, k - 1, by_depth if k == len(depths) else n)


def at_least(tree: Tree, evidence: Any) -> int:
    """Return the bound that is proved, from the risks of all nodes, less that of the root."""
    given, (labels, predictions) = record(evidence, "evidence", "weights")["weights"], tree.sides
    weights = integral(vector(given, "evidence.weights", len(labels)))
    require(min(weights) >= 0, "evidence.weights", "a weight is negative")
    size, total, weight = len(tree.up), sum(weights), dict(zip(labels, weights))
    length = total.bit_length() + sum(tree.lengths).bit_length()
    spend(size * (20 + price(length)))
    room(3 * size, length)
    below, risk = [weight.get(v, 0) for v in range(size + 1)], [0]
    for v in range(size, 0, -1):
        below[tree.up[v - 1]] += below[v]
    for parent, away, each in zip(tree.up, tree.lengths, below[1:]):
        risk.append(risk[parent] + away * (total - 2 * each))
    best = min(risk[t] for t in predictions)
    support = {y for y in labels if weight[y]}
    tied = {y for y in support & {*predictions} if risk[y] == best}
    three = len(support) == 3 and max(weights) * 3 == total and len(risk) == len(predictions)
    return 2 if three and not tied else len(tied) - 1
