"""The edges of polytopes, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import and_
from typing import TypeAlias

from lossmith.geometry.polytope import Polytope, tight_sets

Vertex: TypeAlias = tuple[Fraction, ...]
Edge: TypeAlias = tuple[Vertex, Vertex]


def edges(polytope: Polytope) -> list[Edge]:
    """The edges of a polytope, exactly: the pairs of vertices such that no third lies on all facets that hold both.

    >>> triangle = Polytope(((1, 0, 0), (1, 1, 0), (1, 0, 1)), ((1, -1, -1), (0, 1, 0), (0, 0, 1)))
    >>> [[tuple(map(str, p)) for p in edge] for edge in edges(triangle)][0]
    [('1/2', '0', '1/2'), ('1/2', '1/2', '0')]
    """
    vertices, rays = polytope.vertices, polytope.rays
    place = {ray: vertices.index(tuple(Fraction(x, sum(ray)) for x in ray)) for ray in rays}
    facets = tight_sets(polytope.inequalities, rays)
    everything = (1 << len(rays)) - 1
    found = []
    for (i, first), (j, second) in combinations(enumerate(rays), 2):
        pair = 1 << i | 1 << j
        if reduce(and_, (facet for facet in facets if facet & pair == pair), everything) == pair:
            low, high = sorted((place[first], place[second]))
            found.append((low, high))
    return [(vertices[low], vertices[high]) for low, high in sorted(found)]


def walls(cells: Iterable[Polytope]) -> list[Edge]:
    """The edges of all cells, each once, without those that lie on edges of the simplex itself."""
    every = dict.fromkeys(edge for cell in cells for edge in edges(cell))
    return [edge for edge in every if sum(any(xs) for xs in zip(*edge, strict=True)) > 2]
