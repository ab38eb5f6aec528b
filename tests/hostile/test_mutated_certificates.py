"""What the checker accepts is true: certificates are mutated, and the truth is computed again from their inputs.

The truth comes from the definitions by trying every corner (`second_opinion`, `reference`) and by dividing the domain
into cells (`test_preds_as_functions`), without a line of lossmith or of the checker. Nothing accepted may be false;
what is rejected may well be true.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

import pytest

import lossmith as lm
import reference
from calibration.test_preds_as_functions import cells as cells_of_pred
from calibration.test_preds_as_functions import contains, lines_of, representatives
from lossmith import LossMatrix, PolyhedralSurrogate
from lossmith.errors import BadSurrogate
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates import absolute, crammer_singer, softmax, square
from lossmith.surrogates.pred import Pred
from lossmith_verify import check
from reference import dot
from surrogates import second_opinion

SOME, MANY = 200, 40_000


def hinge() -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)


def on_an_interval() -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y), n=3, dim=1, domain=lambda u: [u[0] >= 0, u[0] <= 2]
    )


def plane() -> PolyhedralSurrogate:
    """Crammer–Singer in coordinates that differ by a constant: two dimensions are enough."""
    scores = lambda u: (u[0], u[1], -u[0] - u[1])  # noqa: E731
    return PolyhedralSurrogate.from_function(
        lambda y, u: lm.pos(1 + lm.maximum(*(scores(u)[j] - scores(u)[y] for j in range(3) if j != y))), n=3, dim=2
    )


@cache
def originals() -> tuple[str, ...]:
    """Certificates of every kind, about surrogates that are small enough for the slow truth."""
    two, three = lm.losses.zero_one(2), lm.losses.ordinal(3)
    unequal = LossMatrix([[0, 3], [1, 0]])
    likely = [lambda p: [p[0] >= "3/5"], lambda p: [p[1] >= "3/5"]]
    verdicts = [
        lm.check(hinge(), two),
        lm.check(hinge(), unequal),
        lm.check(hinge(), two, pred=[lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]),
        lm.check(hinge(), two, pred=[lambda u: [u[0] >= 1], lambda u: []]),
        lm.check(hinge(), unequal, pred=[lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]),
        lm.check(hinge(), unequal, within=likely),
        lm.check(on_an_interval(), three),
        lm.check(on_an_interval(), three, pred=[[lambda u: [u[0] <= "1/2"]], lambda u: [u[0] <= "3/2"], lambda u: []]),
        lm.check(absolute(3), three, pred="nearest"),
        lm.check(absolute(3), lm.losses.zero_one(3), pred="nearest"),
        lm.check(plane(), lm.losses.abstain(3)),
        lm.check(plane(), lm.losses.zero_one(3)),
        lm.check(crammer_singer(2), two, pred="argmax"),
        lm.check(crammer_singer(2), two, pred="argmax", within=likely),
        lm.check(softmax(2), two, pred="argmax"),
        lm.check(softmax(2), unequal, pred="argmax"),
        lm.check(softmax(2), unequal),
        lm.check(square([[0], [1], [2]]), LossMatrix([[0, 1, 4], [1, 0, 1], [4, 1, 0]])),
        lm.check(square([[0], [1], [2]]), lm.losses.zero_one(3)),
        lm.check(square([[0], [1]]), two, pred=[lambda u: [u[0] <= "1/2"], lambda u: [u[0] >= "1/2"]]),
    ]
    regrets = [
        lm.regret(hinge(), two, [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]),
        lm.regret(hinge(), unequal, [lambda u: [u[0] >= "1/2"], lambda u: []]),
        lm.regret(on_an_interval(), three, [[lambda u: [u[0] <= "1/2"]], lambda u: [u[0] <= "3/2"], lambda u: []]),
        lm.regret(absolute(3), lm.losses.zero_one(3), "nearest"),
    ]
    bounds = [lm.ccdim(three).lower, lm.ccdim(lm.losses.zero_one(3)).lower, lm.ccdim(lm.losses.abstain(3)).lower]
    functions = [each.delta_certificate.text for each in regrets]
    return (*(each.certificate.text for each in (*verdicts, *regrets, *bounds)), *functions)


# The truth.


PARTS = ("terms", "dim", "inequalities", "equations")


@dataclass(frozen=True)
class Plain:
    """A surrogate as plain data."""

    terms: tuple
    dim: int
    inequalities: tuple
    equations: tuple


def numbers(value):
    return tuple(map(numbers, value)) if isinstance(value, list) else Fraction(value)


def polyhedron(dim, rows) -> Polyhedron:
    return Polyhedron(dim, numbers(rows.get("inequalities", [])), numbers(rows.get("equations", [])))


def sets_of(content) -> list:
    """The rows a·p ≥ 0 of each set of distributions."""
    found = []
    for each in content.get("within", [{"inequalities": [], "equations": []}]):
        flat = numbers(each["equations"])
        found.append((*numbers(each["inequalities"]), *flat, *(tuple(-x for x in row) for row in flat)))
    return found


def vertices(rows, n) -> tuple:
    """The vertices of {p ∈ Δ : a·p ≥ 0 for all rows}, by trying every n − 1 of them."""
    units = [tuple(Fraction(int(x == y)) for x in range(n)) for y in range(n)]
    rows = [*units, *rows]
    found = set()
    for chosen in combinations(rows, n - 1):
        p = reference.only_solution([*chosen, [Fraction(1)] * n], [Fraction(0)] * (n - 1) + [Fraction(1)])
        if p is not None and all(dot(row, p) >= 0 for row in rows):
            found.add(tuple(p))
    return tuple(sorted(found))


def true(content) -> bool:
    """Whether the claim is true, by the definitions."""
    rows = numbers(content["loss"]["entries"])
    if "value" in content:
        return bound_is_true(content, rows)
    sets = sets_of(content)
    if "hull" in content:
        return regrets_are(content, rows)
    if "delta" in content:
        return function_is(content, rows)
    given = "estimates" in content["surrogate"]
    calibrated = (estimates_are if given else surrogate_is)(content, rows, sets)
    if any(not vertices(each, len(rows)) for each in sets) and content["claim"] == "calibrated":
        return False  # about nothing
    return calibrated == (content["claim"] == "calibrated")


def bounded(content) -> bool:
    """Whether no ψ_y is ever negative, so that what the corners tell is right."""
    given = content.get("surrogate", {})
    if "terms" not in given:
        return True
    try:
        PolyhedralSurrogate(*(numbers(x) if isinstance(x, list) else x for x in map(given.get, PARTS)))
    except BadSurrogate:
        return False
    return True


def bound_is_true(content, rows) -> bool:
    """CCdim ≤ affdim(L) and ≤ n − 1; the losses are such that bounds from below reach no further than the truth."""
    columns = list(zip(*rows))
    kept = {tuple(a - b for a, b in zip(column, columns[0])) for column in columns}
    most = min(len(rows) - 1, reference.rank(sorted(kept)))
    return content["value"] <= most


def surrogate_is(content, rows, sets) -> bool:
    given = content["surrogate"]
    surrogate = Plain(*(numbers(x) if isinstance(x, list) else x for x in map(given.get, PARTS)))
    n, values = len(rows), second_opinion.values(surrogate)
    assert values, "nothing is accepted about an empty domain"
    faces = []  # for each value, the vertices of its distributions in each set
    for z in values:
        lower = [tuple(b - a for a, b in zip(z, other)) for other in values if other != z]
        faces.append([p for each in sets for p in vertices((*lower, *each), n)])
    if "pred" not in content:
        return all(second_opinion.common_predictions(rows, face) for face in faces if face)
    pieces = [[polyhedron(surrogate.dim, each) for each in region] for region in content["pred"]["regions"]]
    pred = Pred("given", surrogate.dim, tuple(map(tuple, pieces)))
    if not covers(surrogate, pred):
        return False  # no pred at all
    looked_at = {p for face in faces for p in face}
    return not any(
        min(dot(p, z) for z in part) == min(dot(p, z) for z in values)
        for _, t, cell in cells_of_pred(surrogate, pred)
        if (part := on_part(surrogate, cell))
        for p in looked_at
        if t not in reference.argmin(rows, p)
    )


def corners_and_parts(content, rows) -> tuple | None:
    """All values of ψ at corners, the corners of its distributions, and what is decided where; None if not a pred."""
    given = content["surrogate"]
    surrogate = Plain(*(numbers(x) if isinstance(x, list) else x for x in map(given.get, PARTS)))
    n, values = len(rows), second_opinion.values(surrogate)
    pieces = [[polyhedron(surrogate.dim, each) for each in region] for region in content["pred"]["regions"]]
    pred = Pred("given", surrogate.dim, tuple(map(tuple, pieces)))
    if not covers(surrogate, pred):
        return None
    lower = [[tuple(b - a for a, b in zip(z, other)) for other in values if other != z] for z in values]
    corners = {p for each in lower for p in vertices(each, n)}
    parts = [(t, part) for _, t, cell in cells_of_pred(surrogate, pred) if (part := on_part(surrogate, cell))]
    return values, corners, parts


def function_is(content, rows) -> bool:
    """Whether δ is the least of the hulls, looked at between all pairs of points, on a grid of each of its pieces."""
    if (found := corners_and_parts(content, rows)) is None:
        return False
    values, corners, parts = found
    hulls = set()
    for t, z in {(t, z) for t, part in parts for z in part}:
        for s in range(len(rows[0])):
            difference = [row[t] - row[s] for row in rows]
            hulls.add(frozenset((dot(p, difference), dot(p, z) - min(dot(p, x) for x in values)) for p in corners))

    def delta(epsilon: Fraction) -> Fraction | None:
        reached = [each for each in hulls if max(x for x, _ in each) >= epsilon]
        return min(
            (lowest({*each, *((epsilon, w) for x, w in each if x > epsilon)}, epsilon) for each in reached),
            default=None,
        )

    start = Fraction(0)
    for end, first, last in numbers(content["delta"]):
        shares = [Fraction(i, 12) for i in (1, 4, 7, 10, 12)]
        if end <= start or any(delta(start + x * (end - start)) != first + x * (last - first) for x in shares):
            return False
        start = end
    return delta(start + Fraction(1, 1000)) is None


def regrets_are(content, rows) -> bool:
    """Whether the hull is the lowest convex function below all pairs of regrets, by trying every corner and part."""
    if (found := corners_and_parts(content, rows)) is None:
        return False
    values, corners, parts = found
    pairs = {(Fraction(0), Fraction(0))}
    for t, part in parts:
        for p in corners:
            risks = reference.risks(rows, p)
            pairs.add((risks[t] - min(risks), min(dot(p, z) for z in part) - min(dot(p, z) for z in values)))
    hull = [(Fraction(0), Fraction(0)), *numbers(content["hull"])]
    rising = all(a < b for (a, _), (b, _) in pairwise(hull))
    return (
        rising
        and hull[-1][0] == max(x for x, _ in pairs)
        and all(lowest(pairs, x) == y for x, y in hull)
        and all(lowest(set(hull), x) <= y for x, y in pairs)
    )


def lowest(pairs, x) -> Fraction:
    """The least y such that (x, y) is between two of the points."""
    between = [(a, b, c, d) for a, b in pairs for c, d in pairs if a <= x <= c]
    return min(b if a == c else b + (x - a) * (d - b) / (c - a) for a, b, c, d in between)


def covers(domain, pred) -> bool:
    points = representatives(lines_of(domain, pred), pred.dim)
    inside = [u for u in points if second_opinion.contains(domain, u)]
    return all(any(contains(piece, u) for region in pred.regions for piece in region) for u in inside)


def on_part(surrogate, cell) -> list:
    part = Plain(
        surrogate.terms,
        surrogate.dim,
        (*surrogate.inequalities, *cell.inequalities),
        (*surrogate.equations, *cell.equations),
    )
    return [second_opinion.psi(surrogate, u) for u in second_opinion.corners(part)]


def estimates_are(content, rows, sets) -> bool:
    """Given the theorem: u tells the estimate of p, and nothing else."""
    given, n = content["surrogate"], len(rows)
    points = numbers(given["estimates"])
    scales = numbers(given["weights"]) if "weights" in given else (Fraction(1),) * n
    if "pred" not in content:  # the differences of columns that matter are affine in the estimate
        spans = [tuple(scales), *(tuple(w * x for w, x in zip(scales, column)) for column in zip(*points))]
        kept = reference.kept_predictions(rows)
        gaps = [tuple(row[t] - row[kept[0]] for row in rows) for t in kept]
        return reference.rank([*spans, *gaps]) == reference.rank(spans)
    dim = len(points[0])
    domain = Plain((), dim, (), ())
    if given["theorem"] in ("mean", "squares"):
        domain = Plain((), dim, numbers(given.get("inequalities", [])), numbers(given.get("equations", [])))
    else:
        units = tuple(tuple(Fraction(int(i + 1 == j)) for j in range(dim + 1)) for i in range(dim))
        domain = Plain((), dim, units, ((Fraction(-1), *[Fraction(1)] * dim),))
    pieces = [[polyhedron(dim, each) for each in region] for region in content["pred"]["regions"]]
    pred = Pred("given", dim, tuple(map(tuple, pieces)))
    if not covers(domain, pred):
        return False
    for _, t, cell in cells_of_pred(domain, pred):
        halves = [*cell.inequalities, *cell.equations, *(tuple(-x for x in row) for row in cell.equations)]
        pulled = [tuple(w * (row[0] + dot(row[1:], a)) for w, a in zip(scales, points)) for row in halves]
        if any(t not in reference.argmin(rows, p) for each in sets for p in vertices((*each, *pulled), n)):
            return False
    return True


# Mutations.


def places(value, at=()):
    yield at, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, key))


def mutated(text: str, source: random.Random) -> dict:
    content = json.loads(text)
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        found = [each for each in places(content) if each[0] and each[0][0] not in ("format", "version")]
        at, old = source.choice(found)
        parent = content
        for key in at[:-1]:
            parent = parent[key]
        others = [item for _, item in places(content) if type(item) is type(old)]
        if isinstance(old, str) and source.random() < 0.8:
            with suppress(ValueError):
                factor, shift = source.choice((-1, 0, 1, Fraction(1, 2), 2)), source.choice((0, 0, 1, -1))
                parent[at[-1]] = str(factor * Fraction(old) + shift)
        elif isinstance(old, list) and isinstance(parent, list) and source.random() < 0.5:
            if source.random() < 0.5:
                del parent[at[-1]]
            else:
                parent.insert(at[-1], json.loads(json.dumps(source.choice(parent))))
        elif isinstance(old, list) and source.random() < 0.3:
            parent[at[-1]] = []
        elif type(old) is int:
            parent[at[-1]] = old + source.choice((-1, 1))
        elif isinstance(old, dict) and source.random() < 0.3:
            del parent[at[-1]]
        else:
            parent[at[-1]] = json.loads(json.dumps(source.choice(others)))
    if source.random() < 0.1:
        content["claim"] = {"calibrated": "not calibrated", "not calibrated": "calibrated"}.get(content["claim"])
    return content


def fuzz(count: int, seed: int) -> Counter:
    source, seen = random.Random(seed), Counter()
    for _ in range(count):
        text = source.choice(originals())
        content = mutated(text, source)
        accepted = check(json.dumps(content)).accepted
        seen["accepted" if accepted else "rejected"] += 1
        if accepted and not bounded(content):
            seen["not looked at"] += 1  # the corners do not tell the least risk, if there is one
        elif accepted:
            assert true(content), f"accepted, and false: {json.dumps(content)}"
            seen[content["claim"]] += 1
            seen["with a pred"] += "pred" in content and "hull" not in content
            before = json.loads(text)
            seen["inputs changed"] += any(content.get(k) != before.get(k) for k in ("loss", "surrogate", "pred"))
    return seen


def test_the_originals_are_accepted_and_true():
    for text in originals():
        assert check(text).accepted
        assert true(json.loads(text))


def test_nothing_false_is_accepted_after_a_mutation():
    seen = fuzz(SOME, seed=1)
    assert seen["accepted"] >= SOME / 30
    assert min(seen["calibrated"], seen["not calibrated"], seen["with a pred"], seen["inputs changed"]) >= 5
    assert min(seen["regret"], seen["calibration function"]) >= 1


@pytest.mark.exhaustive
def test_nothing_false_is_accepted_after_very_many_mutations():
    seen = fuzz(MANY, seed=2)
    assert seen["accepted"] >= MANY / 30
