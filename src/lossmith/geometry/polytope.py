"""Polytopes with rational vertices, held as the cones over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from lossmith.exact.matrix import integer_matrix, zeros
from lossmith.exact.rank import rank
from lossmith.exact.vectors import Row, combined, primitive, rational_dot
from lossmith.geometry.simplex import as_distribution


@dataclass(frozen=True)
class Polytope:
    """A polytope, given by its vertices and by inequalities that hold on it, among them every facet.

    In the simplex a vertex is stored as the primitive integer multiple of p. In reduced coordinates p is known
    through x = Aᵀp ∈ R^m only: `embedding` holds the rows (1, a_y), and a vertex is stored as the primitive integer
    multiple of (1, x).

    >>> edge = Polytope(((1, 0), (1, 1)), ((0, 1), (1, -1), (1, 0)))
    >>> [tuple(map(str, p)) for p in edge.vertices]
    [('1/2', '1/2'), ('1', '0')]
    >>> edge.inequalities                             # rows a with a·p ≥ 0; p₁ ≥ 0 follows from the others
    ((0, 1), (1, -1))
    """

    rays: tuple[Row, ...]
    bounds: tuple[Row, ...] | Callable[[], tuple[Row, ...]] = field(repr=False, compare=False)
    embedding: tuple[Row, ...] | None = field(default=None, repr=False)

    @cached_property
    def vertices(self) -> tuple[tuple[Fraction, ...], ...]:
        """The vertices, sorted: points of the simplex, or of R^m in reduced coordinates."""
        start = 0 if self.embedding is None else 1
        if not self.rays:
            return ()
        totals = [sum(ray) if self.embedding is None else ray[0] for ray in self.rays]
        # Fractions with denominators below 2^b are 2^-2b apart or equal: their floors at that scale sort as they do.
        # One denominator common to all vertices has as many digits as they have together.
        scale = 2 * max(totals).bit_length()
        fractions = dict[int, Fraction]()
        points = list[tuple[int, ...]]()
        for ray, total in zip(self.rays, totals, strict=True):
            point = tuple([(x << scale) // total for x in ray[start:]])
            points.append(point)
            for x, each in zip(point, ray[start:], strict=True):
                if x not in fractions:
                    fractions[x] = Fraction(each, total)
        return tuple(tuple([fractions[x] for x in point]) for point in sorted(points))

    @cached_property
    def valid(self) -> tuple[Row, ...]:
        """Inequalities that hold on the polytope and define it: `bounds`, made when first asked for."""
        return self.bounds() if callable(self.bounds) else self.bounds

    @cached_property
    def inequalities(self) -> tuple[Row, ...]:
        """The facets, as primitive integer rows a with a·p ≥ 0 (a·(1, x) ≥ 0 in reduced coordinates), sorted.

        Facets are the proper faces that lie in no other: among the tight sets of the bounds, the largest.
        For a polytope of full dimension the row of a facet is unique; for a flat one the rows that hold with
        equality on all of it are listed too.
        """
        everything = (1 << len(self.rays)) - 1
        tight = tight_sets(self.valid, self.rays)
        row_of = dict(zip(tight, self.valid, strict=True))
        faces = maximal_sets(face for face in row_of if face not in (0, everything))
        flat = {primitive(row) for row, face in zip(self.valid, tight, strict=True) if face == everything}
        return tuple(sorted({*(row_of[face] for face in faces), *flat}))

    @cached_property
    def dim(self) -> int:
        """The dimension; a point has dimension 0, the empty set −1."""
        return rank(integer_matrix(self.rays)) - 1 if self.rays else -1

    def contains(self, p: Sequence[object]) -> bool:
        """Whether the distribution p, one probability per label, lies in the polytope (or is mapped into it)."""
        labels = len(self.valid[0]) if self.embedding is None else len(self.embedding)
        distribution = as_distribution(p, labels)
        if self.embedding is None:
            x: Sequence[Fraction] = distribution
        else:
            x = combined(distribution, self.embedding)
        return all(rational_dot(row, x) >= 0 for row in self.valid)

    def __repr__(self) -> str:
        if self.embedding is not None:
            where = f"R^{len(self.embedding[0]) - 1}"
        else:
            where = f"the simplex of {len(self.rays[0])} labels" if self.rays else "the simplex"
        return f"Polytope({len(self.rays)} vertices in {where})"


def tight_sets(rows: Sequence[Row], rays: Sequence[Row]) -> list[int]:
    """For each row a, the set of rays x with a·x = 0, as a bit mask over the rays.

    >>> [bin(mask) for mask in tight_sets([(1, 0), (0, 1)], [(0, 1), (1, 0), (0, 2)])]
    ['0b101', '0b10']
    """
    if not rows or not rays:
        return [0] * len(rows)
    vanishing, width = zeros(integer_matrix(rows) * integer_matrix(rays).transpose()), len(rays)
    return [as_mask(vanishing[start : start + width]) for start in range(0, len(vanishing), width)]


def as_mask(members: bytes) -> int:
    """The bit mask of a set that is given as one byte a member, 0 or 1.

    >>> as_mask(bytes([1, 0, 1]))
    5
    """
    return int(members[::-1].translate(_WRITTEN), 2)  # bit 0 stands last in binary notation


def members(mask: int) -> bytes:
    """The set as one byte a member, 0 or 1, for itertools.compress.

    >>> list(members(0b101))
    [1, 0, 1]
    """
    return format(mask, "b")[::-1].encode().translate(_DIGITS)


def maximal_sets(masks: Iterable[int]) -> list[int]:
    """The sets that lie in no other of them.

    >>> maximal_sets([0b001, 0b011, 0b110])
    [3, 6]
    """
    maximal: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        if not any(mask & larger == mask for larger in maximal):
            maximal.append(mask)
    return sorted(maximal)


_DIGITS = bytes.maketrans(b"01", b"\x00\x01")
_WRITTEN = bytes.maketrans(b"\x00\x01", b"01")
