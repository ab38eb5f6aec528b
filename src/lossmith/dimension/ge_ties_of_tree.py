"""CCdim(L) ≥ |R| − 1 for distances in a tree, where R are labels of positive probability that are optimal predictions.

By `thm:ccdim-lower-bound` in its sharp form CCdim(L) ≥ affdim(L[R, R]). For Σ x = 0 we have x·Lx = −2 Σ length(e) x(e)²
over the edges e, where x(e) is the sum below e; so Lx = c implies x = 0, and affdim(L[R, R]) = |R| − 1.

Where only leaves are predictions, all leaves may tie. Let F be the risk, K that of the leaves, g = K − F, and let the
weights sum to 2. Along an edge of length w from u down to v, with the weight B below it, g(u) − g(v) = w(2 − 2B): so
B = α − β g(v), from the leaves up, and then g(root) = (α − 2)/β tells all weights, from the root down. They are an
equaliser if they are positive. Else, or if they have too many digits for a certificate: around an inner node the
nearest leaf of each branch, at distance h_i, has the weight 1 − K/h_i, K = (m − 2)/Σ 1/h_i, for the m nearest branches,
with K < h_1.

Where all nodes are predictions, those that tie lie on a path, with half of the probability at each of its ends: |R| is
2 at best. But a node between three labels meets their cells in full sections of the triangle, so CCdim(L) ≥ 2
(`ge_two_of_not_orderable`).
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from lossmith.dimension.bounds import Bound
from lossmith.dimension.le_depths_of_tree import OfTree
from lossmith.losses.families.sets.tree_distance import TreeDistance

MAX_BITS = 2_000  # of a number in a certificate: the checker reads 640 digits
_COMMON_BITS = 19_000  # of a common denominator

Weights = dict[int, Fraction]


def ge_ties_of_tree(loss: TreeDistance) -> Bound:
    """The bound of weights that are found.

    >>> from lossmith.losses import tree_distance
    >>> ge_ties_of_tree(tree_distance([None, 0, 0, 0, 1, 1], predictions="leaves")).why
    'at a p on 4 labels it is optimal to decide for any of them, of affine dimension 3'
    """
    if not loss.everywhere:
        weights = _equalizer(loss) or _around_a_node(loss)
        return _tied(loss, weights)
    weights = _apart(loss)
    if len(weights) < 3:
        return _tied(loss, weights)
    names = ", ".join(str(loss.nodes[v]) for v in weights)
    why = f"no label of {names} lies between the others: the node where their paths meet has three neighbours"
    return Bound("lower", 2, "not orderable", why, loss, OfTree(loss, weights))


def _tied(loss: TreeDistance, weights: Weights) -> Bound:
    value = len(weights) - 1
    why = f"at a p on {len(weights)} labels it is optimal to decide for any of them, of affine dimension {value}"
    return Bound("lower", value, "feasible subspace (thm:ccdim-lower-bound)", why, loss, OfTree(loss, weights))


def _apart(loss: TreeDistance) -> Weights:
    """Two labels as far apart as there are, and a third that is not between them, if there is one; equal weights."""
    away = loss.distances(loss.truths[0])
    first = max(loss.truths, key=away.__getitem__)
    one = loss.distances(first)
    second = max(loss.truths, key=one.__getitem__)
    other = loss.distances(second)
    aside = (y for y in loss.truths if one[y] + other[y] > one[second])
    third = next(aside, None)
    return dict.fromkeys([first, second] if third is None else [first, second, third], Fraction(1))


def _equalizer(loss: TreeDistance) -> Weights | None:
    """Positive weights of all leaves at which they tie, if there are any and they are short."""
    leaves = set(loss.answers)
    sums = {v: (Fraction(0), Fraction(0)) for v in loss.order}  # α and β of what lies below
    for v in loss.order[:0:-1]:
        w, (a, b), (above, beside) = loss.lengths[v], sums[v], sums[loss.up[v]]
        more = (Fraction(1), 1 / (2 * w)) if v in leaves else ((2 * w * b + a) / (1 + 2 * w * b), b / (1 + 2 * w * b))
        if max(x.denominator.bit_length() for x in more) > _COMMON_BITS:
            return None
        sums[loss.up[v]] = above + more[0], beside + more[1]
    root = loss.order[0]
    g, weights = {root: (sums[root][0] - 2) / sums[root][1]}, Weights()
    for v in loss.order[1:]:
        w, (a, b), above = loss.lengths[v], sums[v], g[loss.up[v]]
        below = 1 - above / (2 * w) if v in leaves else (2 * w * b + a - b * above) / (1 + 2 * w * b)
        if v in leaves:
            weights[v] = below
        else:
            g[v] = (a - below) / b
    common = lcm(*(x.denominator for x in weights.values())).bit_length()
    longest = max(max(abs(x.numerator), x.denominator) for x in weights.values()).bit_length()
    return weights if min(weights.values()) > 0 and longest <= MAX_BITS and common <= _COMMON_BITS else None


def _around_a_node(loss: TreeDistance) -> Weights:
    """The most leaves that tie around one node, the nearest of each branch."""
    best: Weights = {}
    for branches in _branches(loss).values():
        if len(branches) <= len(best):
            continue
        near, inverses = sorted(branches), Fraction(0)
        for m, (h, _) in enumerate(near, 1):
            inverses += 1 / h
            if m > 2 and max(inverses.numerator, inverses.denominator).bit_length() > MAX_BITS // 3:
                break  # weights of too many digits
            if m > len(best) and (m - 2) / inverses < near[0][0]:
                best = {leaf: 1 - Fraction(m - 2) / inverses / h for h, leaf in near[:m]}
    return best


def _branches(loss: TreeDistance) -> dict[int, list[tuple[Fraction, int]]]:
    """For each inner node the distance and the number of the nearest leaf in each direction."""
    leaves = set(loss.answers)
    found: dict[int, list[tuple[Fraction, int]]] = {v: [] for v in loss.order if v not in leaves}
    nearest: dict[int, int] = {}
    for v in loss.order[:0:-1]:
        h, nearest[v] = min(found[v]) if v in found else (Fraction(0), v)
        found[loss.up[v]].append((h + loss.lengths[v], nearest[v]))
    two: dict[int, list[tuple[Fraction, int]]] = {}
    for v in loss.order[1:]:
        parent = loss.up[v]
        if parent not in two:
            two[parent] = sorted(found[parent])[:2]
        if v in found:
            found[v] += [(h + loss.lengths[v], leaf) for h, leaf in two[parent] if leaf != nearest[v]][:1]
    return found
