"""Claims with a given pred: where it is wrong, its regions stay above the least risk; or do not.

**Calibrated.** `apart` is a list of *weights* objects with two more keys, `"prediction": t` and
`"piece": i`. They prove p·ψ(u′) ≥ β for all u′ ∈ C in piece i of the region of t; their indices of
rows count the rows of the domain first, then those of the piece. At every vertex (p, v), over Δ or,
if there is a `within`, over its sets instead, every piece of every prediction t that is not optimal
at p must have such an entry with this p and β > v; others are errors. And the regions *cover* C.

Proof. If the pair were not calibrated, there were a p, a t that is not optimal at p, and u_m with
pred(u_m) = t and p·ψ(u_m) → H_ψ(p). Infinitely many lie in one piece of t, and p·ψ, being
polyhedral, attains H_ψ(p) at some u′ in it. Let z = ψ(u′). The q with q·z = H_ψ(q) are a face of
the graph of H_ψ, the hull of vertices, and p is one of them. Optimality of t holds on a convex
set, so t is not optimal at some vertex q of the face; but there q·ψ(u′) ≥ β > H_ψ(q).

**Not calibrated.** Both u and u′ (`toward`) lie in C and satisfy the rows of piece i of the region
of t. For every piece of every region before t some row r keeps the points u + ε(u′ − u) out for
all small ε > 0: an inequality with r(u) < 0, or r(u) = 0 and r(u′) < 0; or an equation with r(u) ≠
0 or r(u′) ≠ 0. So pred(u + ε(u′ − u)) = t, and the surrogate risks tend to that at u, the least
one. For a surrogate known by a theorem u and u′ are estimates in X, and u′ satisfies the
inequalities of X strictly: so u + ε(u′ − u) is in the relative interior of X, and read off
somewhere.

**Version 1** has no `toward` and no `cover`: see `complement`.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from lossmith_verify.arithmetic import dot, less, spend
from lossmith_verify.complement import check_near
from lossmith_verify.cone import Vertex
from lossmith_verify.inputs import Case, lost, regrets
from lossmith_verify.reading import Rows, Vector, index, places, record, require, vector
from lossmith_verify.surrogates import contains, point
from lossmith_verify.weights import KEYS, lower_bound

Apart = dict[Vector, dict[tuple[int, int], Fraction]]


def place_of(case: Case, table: Any, path: str) -> tuple[int, int]:
    """Read a prediction and a piece of its region."""
    t = index(table["prediction"], f"{path}.prediction", len(case.regions))
    return t, index(table["piece"], f"{path}.piece", len(case.regions[t]))


def on_piece(case: Case, t: int, i: int) -> Rows:
    """Return the rows of the domain, then those of the piece."""
    both = zip(case.surrogate.domain, case.regions[t][i])
    given = Rows(*(first + second for first, second in both))
    spend(sum(map(len, given)))
    return given


def read_apart(case: Case, value: Any) -> Apart:
    """Return the β that are proved, by p, prediction and piece."""
    found: Apart = {}
    for path, each in places(value, "evidence.apart"):
        table = record(each, path, f"{KEYS} prediction piece")
        t, i = place_of(case, table, path)
        p, beta = lower_bound(case.surrogate, table, path, on_piece(case, t, i))
        known = found.setdefault(p, {})
        require((t, i) not in known, path, "p = {} is listed a second time", p)
        known[t, i] = beta
    return found


def check_apart(case: Case, apart: Apart, corners: Iterable[Vertex]) -> None:
    """Check that the wrong predictions, and no others, are above the least risk at vertices."""
    seen = set()
    for p, v, _ in corners:
        proved = apart.get(p, {})
        wrong = [t for t, above in enumerate(regrets(case.loss, p)) if above]
        spend(20 * len(p) + 5 * sum(len(case.regions[t]) for t in wrong) + 5 * len(proved))
        for place in ((t, i) for t in wrong for i in range(len(case.regions[t]))):
            rise = less(proved.get(place, v), v)
            enough = rise > 0
            if case.hull:
                x = lost(case.loss, p, place[0])
                enough = all(dot(row, (1, x, rise)) >= 0 for row in case.hull)
            reason = "prediction and piece {} may reach the least risk {} at p = {}, or come near"
            require(enough, "evidence.apart", reason, place, v, p)
        for t, _ in proved:
            require(t in wrong, "evidence.apart", f"prediction {t} is optimal at p = {{}}", p)
        seen.add(p)
    for p in apart:
        require(p in seen, "evidence.apart", "p = {} is no vertex", p)


def prediction_near(case: Case, u: Vector, table: Any) -> int:
    """Return what the pred says at points as near to u as one likes."""
    t, i = place_of(case, table, "evidence")
    piece, domain = case.regions[t][i], case.surrogate.domain
    require(contains(piece, point(u)), "evidence.u", "{} does not lie in the piece", u)
    if case.version == 1:
        check_near(case, t, i, u)
    else:
        path = "evidence.toward"
        toward = vector(table["toward"], path, case.surrogate.dim)
        x, y = point(u), point(toward)
        require(contains(piece, y), path, "{} does not lie in the piece", toward)
        inside = contains(domain, y)
        if case.surrogate.estimates:
            inside = inside and all(dot(row, y) > 0 for row in domain.inequalities)
        require(inside, path, "{} does not lie in the domain, or in its interior", toward)
        for s, region in enumerate(case.regions[:t]):
            for other in region:
                out = keeps_out(other, x, y)
                require(out, path, f"an earlier region, {s}, may decide between u and {{}}", toward)
    return t


def keeps_out(piece: Rows, x: Vector, y: Vector) -> bool:
    """Tell whether a row of the piece excludes x + ε(y − x) for all small ε > 0."""
    for row in piece.inequalities:
        at = dot(row, x)
        if at < 0 or (at == 0 and dot(row, y) < 0):
            return True
    return any(dot(row, x) or dot(row, y) for row in piece.equations)
