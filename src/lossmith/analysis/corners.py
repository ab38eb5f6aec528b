"""Corners of the cells of a loss in the chamber, of which all corners are images, where labels are interchangeable.

Let W be the permutations within blocks of labels that a loss does not tell apart, and K the chamber: the p that fall
within each block (`analysis.chamber`). Every p has an image in K, at which what is optimal is permuted likewise. So all
that is the same for p and its images is found in K: which numbers of labels and of predictions occur together, and
affdim(L[S, T]) for the support S and the optimal predictions T.

D_K = {(p, v) : p ∈ K, v ≤ p·ℓ_t for all t} has the vertices that are enumerated here. *Nothing is missed:* each p ∈ K
with v = H_L(p) lies inside one face of D_K, and S is the union of the supports of its vertices, T the intersection of
their optimal predictions, as p_y and p·ℓ_t − v are linear and nowhere negative on the face. By the rearrangement
inequality, of all images of a column the one that rises within each block costs least at p ∈ K: one row for each kind
of predictions is enough.

A vertex of D = {(p, v) : p ∈ Δ, v ≤ p·ℓ_t} that lies in K is one of D_K, and every vertex of D has an image in K. Not
every vertex of D_K is one of D, as K has walls of its own: those are for which p is the only distribution on S at which
all of T costs the same, so if affdim(L[S, T]) = |S| − 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import factorial, prod
from operator import mul

from lossmith.analysis.chamber import Chamber
from lossmith.analysis.symmetry import Block
from lossmith.exact.matrix import integer_matrix
from lossmith.exact.rank import column_affdim
from lossmith.exact.vectors import Row, primitive, unit_rows
from lossmith.geometry.double_description import Progress, described_envelope

_FEWEST_LABELS, _SMALLEST_BLOCK = 6, 3  # with fewer, all corners are soon listed


def many_alike(blocks: Sequence[Block]) -> bool:
    """Whether so many labels are interchangeable that the chamber is worth its while."""
    return sum(map(len, blocks)) >= _FEWEST_LABELS and max(map(len, blocks)) >= _SMALLEST_BLOCK


def corners_in_chamber(
    columns: Sequence[Row], blocks: Sequence[Block], *, max_vertices: int, progress: Progress | None = None
) -> list[Row]:
    """The vertices of D_K, as distributions in integers; the columns are those of a loss with these blocks.

    >>> zero_one = [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    >>> corners_in_chamber(zero_one, [(0, 1, 2)], max_vertices=9)
    [(1, 0, 0), (1, 1, 0), (1, 1, 1)]
    """
    chamber, n = Chamber(tuple(blocks)), len(columns[0])
    rows = [chamber.sums(column) for column in dict.fromkeys(_rising(column, blocks) for column in columns)]
    domain = unit_rows(n)
    found = described_envelope(domain, rows, corners=domain, max_vertices=max_vertices, progress=progress)
    return sorted(primitive(chamber.distribution(ray[:-1])) for ray in found.rays)


def optimal_at(columns: Sequence[Row], p: Row) -> list[int]:
    """The numbers of the columns that cost least at p."""
    risks = [sum(map(mul, p, column)) for column in columns]
    least = min(risks)
    return [t for t, risk in enumerate(risks) if risk == least]


def is_corner(columns: Sequence[Row], p: Row) -> bool:
    """Whether a vertex of D_K is a corner of cells of the loss.

    >>> abstain = [(0, 2, 2), (2, 0, 2), (2, 2, 0), (1, 1, 1)]
    >>> found = corners_in_chamber(abstain, [(0, 1, 2)], max_vertices=9)
    >>> [(p, is_corner(abstain, p)) for p in found]
    [((1, 0, 0), True), ((1, 1, 0), True), ((1, 1, 1), False), ((2, 1, 1), False)]
    """
    support = [y for y, x in enumerate(p) if x]
    optimal = optimal_at(columns, p)
    if len(optimal) < len(support):
        return False
    table = [[columns[t][y] for t in optimal] for y in support]
    return column_affdim(integer_matrix(table)) == len(support) - 1


def count_of_images(p: Row, blocks: Sequence[Block]) -> int:
    """How many images p has under permutations within blocks.

    >>> count_of_images((2, 1, 1, 0), [(0, 1, 2), (3,)])
    3
    """
    return prod(
        factorial(len(block)) // prod(map(factorial, Counter(p[y] for y in block).values())) for block in blocks
    )


def images(p: Row, blocks: Sequence[Block]) -> Iterator[Row]:
    """All of them, each once.

    >>> list(images((1, 0, 5), [(0, 1), (2,)]))
    [(0, 1, 5), (1, 0, 5)]
    """
    found = list(p)
    for parts in product(*(list(_arrangements([p[y] for y in block])) for block in blocks)):
        for block, part in zip(blocks, parts, strict=True):
            for y, x in zip(block, part, strict=True):
                found[y] = x
        yield tuple(found)


def _arrangements(values: Sequence[int]) -> Iterator[Row]:
    """All orders of the values, each once: the others find their places among the most common one."""
    (common, _), *others = Counter(values).most_common()
    found = [common] * len(values)

    def placed(free: Sequence[int], left: Sequence[tuple[int, int]]) -> Iterator[Row]:
        if not left:
            yield tuple(found)
            return
        x, times = left[0]
        for chosen in combinations(free, times):
            for i in chosen:
                found[i] = x
            yield from placed([i for i in free if i not in chosen] if left[1:] else (), left[1:])
            for i in chosen:
                found[i] = common

    return placed(range(len(values)), others)


def _rising(column: Row, blocks: Sequence[Block]) -> Row:
    found = list(column)
    for block in blocks:
        for y, x in zip(block, sorted(column[y] for y in block), strict=True):
            found[y] = x
    return tuple(found)
