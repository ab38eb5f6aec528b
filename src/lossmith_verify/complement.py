"""Version 1: that pieces cover, and what is said near a point, without evidence in the file.

What a piece with the rows r_1, r_2, … leaves of a part is, for i = 1, 2, …, what has r_1 ≥ 0, …,
r_{i−1} ≥ 0 and r_i < 0; an equation counts as two rows. The next piece splits each of these
likewise, and so on. A part, all u with r(u) ≥ 0 for some rows r and q(u) > 0 for others q, is empty
if and only if some of these q, or x_0, vanishes on the whole cone of all (x_0, x) with x_0 ≥ 0 and
r, q ≥ 0: otherwise the sum of its extreme rays is positive for all of them, and so is (1, u) for a
multiple. A coordinate x is s − t(1, …, 1) with s, t ≥ 0, so the cone of (x_0, s, t) has a corner.

**Cover.** The pieces of all regions leave nothing of the domain.

**Near u.** A version 1 file has no `toward`. Let u lie in C and in piece i of the region of t. Of
all rows only those count that vanish at u: they say to which u + εv one can go from u, for small
ε > 0. Earlier pieces that contain u leave a direction v of those that stay in C and in the piece;
for a surrogate known by a theorem also one of those that go into the relative interior of X.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from lossmith_verify.arithmetic import LEDGER, dot, integral, longest, price, spend
from lossmith_verify.cone import Ray, cut, extreme_rays, halfspaces
from lossmith_verify.inputs import Case
from lossmith_verify.reading import Rows, Vector, require
from lossmith_verify.surrogates import contains, point

LIMIT = 10_000  # of rays
Row = tuple[int, ...]
Pieces = Sequence[Sequence[Row]]


def check_covered(case: Case) -> None:
    """Check that the pieces of all regions leave nothing of the domain."""
    pieces = sorted((lifted(halfspaces(piece)) for piece in chain(*case.regions)), key=len)
    left = something_left(case.surrogate.dim, case.surrogate.domain, (), pieces)
    require(not left, "pred.regions", "they do not cover the domain")


def check_near(case: Case, t: int, i: int, u: Vector) -> None:
    """Check that the pred says t, in piece i, as near to u as one likes."""
    x, domain, inner = point(u), case.surrogate.domain, []
    if case.surrogate.estimates:
        inner = lifted(ties(domain.inequalities, x))
    here = Rows(*(ties(chain(*rows), x) for rows in zip(domain, case.regions[t][i])))
    earlier = (each for each in chain(*case.regions[:t]) if contains(each, x))
    pieces = [lifted(ties(halfspaces(each), x)) for each in earlier]
    left = something_left(len(u), here, inner, pieces)
    require(left, "evidence.u", "an earlier region decides wherever one goes from {}", u)


def ties(rows: Iterable[Vector], x: Vector) -> tuple[Vector, ...]:
    """Return the rows that vanish at x, without their constants."""
    return tuple(Vector((0, *row[1:])) for row in rows if not dot(row, x))


def lifted(rows: Iterable[Vector]) -> list[Row]:
    """Return the rows as integers, for (x_0, s, t)."""
    found = [integral(row) for row in rows]
    spend(5 * sum(map(len, found)))
    return [(*row, -sum(row[1:])) for row in found]


def something_left(dim: int, domain: Rows, inner: Sequence[Row], pieces: Pieces) -> bool:
    """Tell whether pieces leave something of a domain, strictly inside of some of its rows."""
    before, given, size = LEDGER.held, lifted(halfspaces(domain)), dim + 2
    rays = extreme_rays(given, size, LIMIT)
    first = tuple(int(c == 0) for c in range(size))
    found = is_left(rays, [first, *inner], pieces, size + len(given))
    LEDGER.held = before
    return found


def is_left(rays: list[Ray], strict: Sequence[Row], pieces: Pieces, place: int) -> bool:
    """Tell whether pieces leave something of the part that has these rays, and is strict."""
    for row in strict:
        length = longest(row)
        spend(sum(len(row) * price(length + ray.bits) for ray in rays))
        if not any(sum(a * x for a, x in zip(row, ray.x)) > 0 for ray in rays):
            return False
    if not pieces:
        return True
    for here, row in enumerate(pieces[0], place):
        out = tuple(-x for x in row)
        before = LEDGER.held
        if is_left(cut(rays, out, here, LIMIT), [*strict, out], pieces[1:], here + 1):
            return True
        LEDGER.held = before
        rays = cut(rays, row, here, LIMIT)
    return False
