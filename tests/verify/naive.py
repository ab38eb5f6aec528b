"""The specification of certificates once more, as slowly and plainly as possible, to compare the checker with.

Everything is an assertion about Python objects, as `json.loads` gives them. Vertices come from solving all systems of
n equations out of all those that can be tight.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

Point = tuple[Fraction, ...]
Rows = tuple[tuple[Point, ...], ...]
NO_ROWS: Rows = ((), ())


def holds(certificate: Any) -> bool:
    """Tell whether the certificate is as the specification demands."""
    try:
        _certificate(certificate)
    except AssertionError:
        return False
    return True


def _keys(value: Any, required: set[str], optional: frozenset[str] = frozenset()) -> None:
    assert isinstance(value, dict)
    assert required <= set(value) <= required | optional


def _list(value: Any, size: int | None = None, least: int = 0) -> list[Any]:
    assert isinstance(value, list)
    assert len(value) >= least
    assert size is None or len(value) == size
    return value


def _index(value: Any, size: int) -> int:
    assert isinstance(value, int)
    assert not isinstance(value, bool)
    assert 0 <= value < size
    return value


def _number(value: Any) -> Fraction:
    assert isinstance(value, str)
    assert re.fullmatch("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", value)
    result = _fraction(value)
    assert value.removeprefix("-") == str(abs(result))  # lowest terms, and no denominator of 1
    return result


_fraction = cache(Fraction)


def _numbers(value: Any, size: int) -> Point:
    return tuple(_number(x) for x in _list(value, size))


def _name(value: Any) -> None:
    assert isinstance(value, (str, int))
    assert not isinstance(value, bool)


def _names(value: Any, size: int) -> None:
    for name in _list(value, size):
        _name(name)


def _rows(value: Any, size: int) -> Rows:
    """The rows of `inequalities` and of `equations`, in this order."""
    _keys(value, {"inequalities", "equations"})
    return tuple(tuple(_numbers(row, size) for row in _list(value[kind])) for kind in ("inequalities", "equations"))


def _certificate(top: Any) -> None:
    regret, function = (isinstance(top, dict) and key in top for key in ("hull", "delta"))
    more = {"pred", "hull"} if regret else {"pred", "delta"} if function else set()
    optional = frozenset() if regret or function else frozenset({"pred", "within"})
    _keys(top, {"format", "version", "claim", "loss", "surrogate", "evidence"} | more, optional)
    assert top["format"] == "lossmith-certificate"
    assert isinstance(top["version"], int)
    assert not isinstance(top["version"], bool)
    version = top["version"]
    assert version in (1, 2)
    claims = ["regret"] if regret else ["calibration function"] if function else ["calibrated", "not calibrated"]
    assert top["claim"] in claims
    calibrated = top["claim"] != "not calibrated"

    loss = top["loss"]
    _keys(loss, {"entries"}, frozenset({"labels", "predictions", "name"}))
    n = len(_list(loss["entries"], least=2))
    k = len(_list(loss["entries"][0], least=1))
    losses = [_numbers(row, k) for row in loss["entries"]]
    assert all(x >= 0 for row in losses for x in row)
    _names(loss.get("labels", [0] * n), n)
    _names(loss.get("predictions", [0] * k), k)
    _name(loss.get("name", ""))

    psi = top["surrogate"]
    assert isinstance(psi, dict)
    by_theorem = "estimates" in psi
    _name(psi.get("name", ""))
    if by_theorem:
        rows_of_x = frozenset({"inequalities", "equations"}) if version == 2 and psi.get("theorem") == "mean" else set()
        _keys(psi, {"estimates", "theorem"}, frozenset({"name", "weights"}) | rows_of_x)
        orders = ["order", "signs", "largest", "smallest", *(f"first {k}" for k in range(2, 100))]
        assert psi["theorem"] in ["proper composite", "mean", "squares", "binary margin", "far out", "told", *orders]
        d = len(_list(_list(psi["estimates"], n)[0], least=1))
        points = [_numbers(a, d) for a in psi["estimates"]]
        scales = _numbers(psi.get("weights", ["1"] * n), n)
        assert all(w > 0 or (w == 0 and version == 2 and psi["theorem"] == "mean") for w in scales)
        if psi["theorem"] not in ["proper composite", "binary margin"]:
            domain = _rows({kind: psi.get(kind, []) for kind in ("inequalities", "equations")}, d + 1)
            assert all(satisfies(domain, (Fraction(1), *a)) for a in points)
        else:
            assert points == [tuple(int(x == y) for x in range(n)) for y in range(n)]
            assert set(scales) == {1}
            positive = tuple(tuple(Fraction(int(c == i)) for c in range(n + 1)) for i in range(1, n + 1))
            domain = positive, ((Fraction(-1), *[Fraction(1)] * n),)
        estimates = list(zip(scales, points))
    else:
        _keys(psi, {"dim", "terms", "inequalities", "equations"}, frozenset({"name", "tangents", "along"}))
        assert "tangents" not in psi or (psi["tangents"] is True and not calibrated)
        d = _index(psi["dim"], 10**6)
        if "along" in psi:
            assert not calibrated
            assert "pred" not in top
            assert "within" not in top
            assert all(
                len(_numbers(g, d)) == d
                for pairs in _list(psi["along"], n)
                for pair in _list(pairs)
                for g in _list(pair, 2)
            )
        for maxima in _list(psi["terms"], n):
            single = 1 if {"tangents", "along"} & psi.keys() else None
            for maximum in _list(maxima, single, least=1):
                for piece in _list(maximum, least=1):
                    _numbers(piece, d + 1)
        domain = _rows({kind: psi[kind] for kind in ("inequalities", "equations")}, d + 1)

    regions = None
    if "pred" in top and isinstance(top["pred"], dict) and "votes" in top["pred"]:
        _keys(top["pred"], {"votes"}, frozenset({"name"}))
        _name(top["pred"].get("name", ""))
        assert top["pred"]["votes"] is True
        assert version == 2
        assert not regret
        assert not function
        assert not {"tangents", "along"} & psi.keys()
        assert "within" not in top
        assert len(list(combinations(range(k), 2))) == d
        assert not by_theorem or psi["theorem"] == "signs"
        told = [tuple(w * x for x in a) for w, a in estimates] if by_theorem else None
        _by_votes(top["evidence"], calibrated, losses, psi, told, estimates if by_theorem else None)
        return
    if "pred" in top:
        _keys(top["pred"], {"regions"}, frozenset({"name"}))
        _name(top["pred"].get("name", ""))
        regions = [[_rows(piece, d + 1) for piece in _list(each)] for each in _list(top["pred"]["regions"], k)]
    sets = None
    if "within" in top:
        sets = [_rows(each, n) for each in _list(top["within"], least=1)]

    if regret:
        assert version == 2
        assert not by_theorem
        _regret(top, losses, psi, regions, domain)
    elif function:
        assert version == 2
        assert not by_theorem
        _function(top, losses, psi, regions, domain)
    elif by_theorem:
        if psi["theorem"] == "binary margin":
            assert n == 2
            assert regions is not None
            for b, *a in (row for pieces in regions for piece in pieces for kind in piece for row in kind):
                assert b + sum(a) / 2 == 0
        if psi["theorem"] == "far out":
            assert not calibrated
            assert {(w, a) for w, a in estimates} <= {(1, (0,) * d), (1, (1,) * d)}
            assert isinstance(top["evidence"], dict)
            if regions is not None:
                assert version == 2
                _not_calibrated_far_out(top["evidence"], losses, estimates, regions, sets)
                return
            assert _numbers(top["evidence"].get("u"), d) == (0,) * d
        if psi["theorem"] == "told":
            assert calibrated
            assert regions is None
        if psi["theorem"] in orders:
            assert regions is not None
            for piece in (piece for pieces in regions for piece in pieces):
                _is_told(psi["theorem"], d, piece)
                if not calibrated:
                    assert isinstance(top["evidence"], dict)
                    u = _numbers(top["evidence"].get("u"), d)
                    assert all(sum(x * y for x, y in zip(row, (1, *u))) for kind in piece for row in kind)
        prove = _calibrated_by_theorem if calibrated else _not_calibrated_by_theorem
        prove(top["evidence"], losses, estimates, regions, sets, version, domain)
    elif calibrated and isinstance(top["evidence"], dict) and "theorem" in top["evidence"]:
        _keys(top["evidence"], {"theorem"})
        assert version == 2
        assert sets is None
        _named_theorem(top["evidence"]["theorem"], losses, psi, regions)
    else:
        prove = _calibrated if calibrated else _not_calibrated
        prove(top["evidence"], losses, psi, regions, sets, version, domain)


def _by_votes(evidence: Any, calibrated: bool, losses: list[Point], psi: Any, told: Any, estimates: Any) -> None:
    """Of every two predictions the score tells which costs less; or votes are won by one that is not optimal."""
    k = len(losses[0])
    pairs = list(combinations(range(k), 2))
    if not calibrated:
        _keys(evidence, {"u", "points", "better"})
        u = _numbers(evidence["u"], len(pairs))
        assert 0 not in u
        wins = [sum(t == (i if x > 0 else j) for (i, j), x in zip(pairs, u)) for t in range(k)]
        (entry,) = _list(evidence["points"], 1)
        if told is None:
            p, beta = _weights(entry, psi)
            assert beta == _dot(p, _value(psi, evidence["u"]))
        else:
            _keys(entry, {"p"})
            p = _distribution(entry["p"], len(losses))
            total = sum(x * w for x, (w, _) in zip(p, estimates))
            assert u == tuple(sum(x * a[c] for x, a in zip(p, told)) / total for c in range(len(pairs)))
        _beaten(evidence, losses, [p], wins.index(max(wins)))
        return
    _keys(evidence, set())
    if told is None:
        assert psi["inequalities"] == psi["equations"] == []
        told = [_slopes_at_zero(maxima, len(pairs)) for maxima in psi["terms"]]
    for c, (i, j) in enumerate(pairs):
        more = [row[j] - row[i] for row in losses]
        if any(more):
            ratios = {a[c] / x if x else None for a, x in zip(told, more) if x or a[c]}
            assert len(ratios) == 1
            assert None not in ratios
            assert min(ratios) > 0


def _slopes_at_zero(maxima: Any, d: int) -> Point:
    """Minus the slopes of a sum of functions of single scores; each is looked at on both sides of 0, near and far."""
    read = [[tuple(map(_fraction, piece)) for piece in maximum] for maximum in maxima]
    assert all(len({c for piece in maximum for c in range(d) if piece[c + 1]}) < 2 for maximum in read)
    found = []
    for c in range(1, d + 1):
        lines = [[(piece[0], piece[c]) for piece in maximum] for maximum in read]
        ties = {(y - x) / (a - b) for pieces in lines for x, a in pieces for y, b in pieces if a != b} - {0}
        far = 2 * max([Fraction(1), *map(abs, ties), *(1 / abs(x) for x in ties)])  # beyond all ties; 1/far is before

        def at(x: Fraction, lines: Any = lines) -> list[Fraction]:
            return [max(b + a * x for b, a in pieces) for pieces in lines]

        zero = at(Fraction(0))
        left, right = ([(y - z) / x for y, z in zip(at(x), zero)] for x in (-1 / far, 1 / far))
        assert left == right
        assert all(y >= x for side in (-far, far) for x, y in zip(at(side), at(2 * side)))
        found.append(-sum(left, Fraction(0)))
    return tuple(found)


def _regret(top: Any, losses: list[Point], psi: Any, regions: Any, domain: Rows) -> None:
    """Every point of the hull is attained, and no regret lies below a line from one to the next."""
    _keys(top["evidence"], {"attained", "above"})
    points = [_numbers(each, 2) for each in _list(top["hull"])]
    lines = []
    for (a, b), (c, d) in pairwise([(Fraction(0), Fraction(0)), *points]):
        assert c > a
        slope = (d - b) / (c - a)
        assert slope >= 0
        assert b - slope * a <= 0
        lines.append((slope, b - slope * a))
    for entry, (x, y) in zip(_list(top["evidence"]["attained"], len(points)), points, strict=True):
        reason = {"p", "pieces", "inequalities", "equations"}
        _keys(entry, reason | {"u", "prediction", "piece", "toward"})
        p, beta = _weights({key: entry[key] for key in reason}, psi)
        z = _value(psi, entry["u"])
        t = _predicted_near(entry, regions, _numbers(entry["u"], psi["dim"]), 2, domain, False)
        assert _lost(losses, p, t) == x
        assert _dot(p, z) - beta == y
    largest = max((x for x, _ in points), default=Fraction(0))

    def enough(p: Point, t: int, rise: Fraction) -> bool:
        x = _lost(losses, p, t)
        return x <= largest and all(rise >= slope * x + b for slope, b in lines)

    _calibrated(top["evidence"]["above"], losses, psi, regions, None, 2, domain, enough)


def _function(top: Any, losses: list[Point], psi: Any, regions: Any, domain: Rows) -> None:
    """No two points of a hull have one between them that lies below, and some have one that does not lie above."""
    evidence, k = top["evidence"], len(losses[0])
    _keys(evidence, {"all", "pieces", "attained", "cover"})
    _cover(evidence["cover"], regions, domain, psi["dim"])
    corners = _cells_and_vertices(evidence["all"], psi)[1]
    rows = [_numbers(row, 3) for row in _list(top["delta"])]
    starts = [Fraction(0), *(row[0] for row in rows)]
    assert all(a < b for a, b in pairwise(starts))

    def segments(z: Point, t: int, s: int) -> Any:
        points = [(_risk(losses, p, t) - _risk(losses, p, s), _dot(p, z) - h) for p, h in corners]
        return [(first, second) for first in points for second in points if first[0] <= second[0]]

    for entry, a, (b, f, g) in zip(_list(evidence["attained"], len(rows)), starts, rows):
        _keys(entry, {"u", "prediction", "piece", "toward", "instead"})
        z, u = _value(psi, entry["u"]), _numbers(entry["u"], psi["dim"])
        t = _predicted_near(entry, regions, u, 2, domain, False)
        found = segments(z, t, _index(entry["instead"], k))
        for epsilon, most in ((a, f), (b, g)):
            assert any(_least(each, epsilon) <= most for each in found if each[1][0] >= epsilon)
    for t, listed in enumerate(_list(evidence["pieces"], k)):
        for piece, part in zip(regions[t], _list(listed, len(regions[t])), strict=True):
            texts = [[list(map(str, row)) for row in kind] for kind in piece]
            kinds = {kind: psi[kind] + more for kind, more in zip(("inequalities", "equations"), texts, strict=True)}
            for z in _cells_and_vertices(part, {**psi, **kinds})[0]:
                for each in (each for s in range(k) for each in segments(z, t, s)):
                    assert each[1][0] <= starts[-1]
                    for a, (b, f, g) in zip(starts, rows):
                        assert _is_above(each, a, min(b, each[1][0]), lambda e: f + (g - f) * (e - a) / (b - a))  # noqa: B023


def _least(segment: Any, epsilon: Fraction) -> Fraction:
    """The least w of a segment from (x, w) to (x′, w′) with x ≤ x′ where x is ε or more."""
    (a, b), (c, d) = segment
    return min(d, b if epsilon <= a else b + (epsilon - a) * (d - b) / (c - a))


def _is_above(segment: Any, a: Fraction, b: Fraction, line: Any) -> bool:
    """Whether the least is nowhere below the line from a to b; it bends where the segment begins."""
    bend = min(max(a, segment[0][0]), b)
    return b <= a or all(_least(segment, epsilon) >= line(epsilon) for epsilon in (a, bend, b))


def _cells_and_vertices(value: Any, psi: Any) -> tuple[tuple[Point, ...], list[tuple[Point, Fraction]]]:
    _keys(value, {"cells", "vertices"})
    for cell in _list(value["cells"], least=1):
        _keys(cell, {"u"})
    values = tuple(_value(psi, cell["u"]) for cell in value["cells"])
    listed = [_weights(entry, psi) for entry in _list(value["vertices"])]
    assert len({p for p, _ in listed}) == len(listed)
    assert set(listed) == vertices(values)
    return values, listed


def _lost(losses: list[Point], p: Point, t: int) -> Fraction:
    return max(_risk(losses, p, t) - _risk(losses, p, s) for s in range(len(losses[0])))


def _is_told(theorem: str, d: int, piece: Any) -> None:
    """The rows compare what the theorem tells."""
    compared = []
    for b, *a in (row for kind in piece for row in kind):
        assert b == 0
        places = {i: x for i, x in enumerate(a) if x}
        if theorem == "signs":
            assert len(places) == 1
            continue
        assert len(places) == 2
        assert sum(places.values()) == 0
        low, high = sorted(places, key=lambda i: places[i])
        compared.append((high, low))
    if theorem not in ("order", "signs"):
        assert not piece[1]
        size = {"largest": 1, "smallest": d - 1}.get(theorem) or int(theorem[6:])
        above = {high for high, _ in compared}
        assert len(above) == size
        assert set(compared) == {(i, j) for i in above for j in range(d) if j not in above}


def _named_theorem(theorem: Any, losses: list[Point], psi: Any, regions: Any) -> None:
    """The surrogate and the pred are those of the theorem for this loss, number by number."""
    n, k, d = len(losses), len(losses[0]), psi["dim"]
    unit = [[int(c == i) for c in range(d)] for i in range(d)]
    if theorem == "cost-weighted hinge":
        assert d == k
        maxima = [[(cost, *(cost * x for x in unit[t])) for t, cost in enumerate(row) if cost] for row in losses]
        equations = [[0] + [1] * k]
        says = [[[0, *(x - y for x, y in zip(unit[t], unit[j]))] for j in range(k) if j != t] for t in range(k)]
    else:
        assert theorem == "binary relevance hinge"
        assert n == k == 2**d
        strings = list(product((-1, 1), repeat=d))
        assert losses == [tuple(sum(a != b for a, b in zip(y, t)) for t in strings) for y in strings]
        maxima = [[(1, *(-s * x for x in unit[i])) for i, s in enumerate(y)] for y in strings]
        equations = []
        says = [[[0, *(s * x for x in unit[i])] for i, s in enumerate(t)] for t in strings]
    for given, made in zip(psi["terms"], maxima, strict=True):
        found = sorted(sorted({_numbers(piece, d + 1) for piece in maximum}) for maximum in given)
        zero = (0,) * (d + 1)
        assert found == sorted(sorted({zero, piece}) for piece in made or [zero])
    assert psi["inequalities"] == []
    assert [[*map(_fraction, row)] for row in psi["equations"]] == equations
    for region, made in zip(regions or [], says):
        assert region == [(tuple(map(tuple, made)), ())]


def _add(*terms: tuple[Fraction, Point]) -> Point:
    """Σ w·row."""
    return tuple(sum((w * row[c] for w, row in terms), Fraction(0)) for c in range(len(terms[0][1])))


def _cover(value: Any, regions: list[list[Rows]], domain: Rows, d: int) -> None:
    """The regions cover the domain."""
    _keys(value, {"point", "tree"})
    center = (Fraction(1), *_numbers(value["point"], d))
    assert satisfies(domain, center)
    _node(value["tree"], [], center, regions, domain)


def _node(node: Any, path: list[Point], center: Point, regions: list[list[Rows]], domain: Rows) -> None:
    assert isinstance(node, dict)
    if "by" in node:
        _keys(node, {"by", "parts"})
        by = [_numbers(f, len(center)) for f in _list(node["by"], least=2)]
        for f, g in combinations(by, 2):
            assert _dot(f, center) != _dot(g, center)
        for f, part in zip(by, _list(node["parts"], len(by)), strict=True):
            more = [_add((Fraction(1), f), (Fraction(-1), g)) for g in by if g is not f]
            _node(part, path + more, center, regions, domain)
    elif "thin" in node:
        _keys(node, {"thin"})
        constant, *others = _combination(node["thin"], path, domain, len(center))
        assert node["thin"]["path"]
        assert not any(others)
        assert constant <= 0
    else:
        _keys(node, {"prediction", "piece", "rows"})
        region = regions[_index(node["prediction"], len(regions))]
        inequalities, equations = region[_index(node["piece"], len(region))]
        rows = [*inequalities, *equations, *(tuple(-x for x in row) for row in equations)]
        for row, each in zip(rows, _list(node["rows"], len(rows)), strict=True):
            constant, *others = _combination(each, path, domain, len(center))
            assert others == list(row[1:])
            assert constant <= row[0]


def _combination(value: Any, path: list[Point], domain: Rows, size: int) -> Point:
    _keys(value, {"path", "inequalities", "equations"})
    terms = [(Fraction(0), (Fraction(0),) * size)]
    for kind, rows in (("path", path), ("inequalities", domain[0]), ("equations", domain[1])):
        used = set()
        for entry in _list(value[kind]):
            i, w = _list(entry, 2)
            assert _index(i, len(rows)) not in used
            used.add(i)
            assert _number(w) > 0 or (kind == "equations" and _number(w) < 0)
            terms.append((_number(w), rows[i]))
    return _add(*terms)


def _affine(row: list[str], u: Point) -> Fraction:
    return _dot(map(_fraction, row), (Fraction(1), *u))


def _value(psi: Any, u: Any) -> Point:
    """ψ(u), for u in the domain."""
    point = _numbers(u, psi["dim"])
    for row in psi["inequalities"]:
        assert _affine(row, point) >= 0
    for row in psi["equations"]:
        assert _affine(row, point) == 0
    return tuple(
        sum((max(_affine(piece, point) for piece in maximum) for maximum in maxima), Fraction(0))
        for maxima in psi["terms"]
    )


def satisfies(rows: Rows, x: Point) -> bool:
    inequalities, equations = rows
    return all(_dot(row, x) >= 0 for row in inequalities) and all(_dot(row, x) == 0 for row in equations)


def _distribution(value: Any, n: int) -> Point:
    p = _numbers(value, n)
    assert all(x >= 0 for x in p)
    assert sum(p) == 1
    return p


def _dot(p: Any, z: Any) -> Fraction:
    return sum((a * b for a, b in zip(p, z, strict=True) if a and b), Fraction(0))


def _risk(losses: list[Point], p: Point, t: int) -> Fraction:
    return _dot(p, [row[t] for row in losses])


def _weights(value: Any, psi: Any) -> tuple[Point, Fraction]:
    _keys(value, {"p", "pieces", "inequalities", "equations"})
    p = _distribution(value["p"], len(psi["terms"]))
    weight: dict[tuple[int, int, int], Fraction] = {}
    for entry in _list(value["pieces"]):
        y, g, j, w = _list(entry, 4)
        _index(y, len(psi["terms"]))
        _index(g, len(psi["terms"][y]))
        _index(j, len(psi["terms"][y][g]))
        assert (y, g, j) not in weight
        weight[y, g, j] = _number(w)
        assert weight[y, g, j] > 0
    multiplier: dict[tuple[str, int], Fraction] = {}
    for kind in ("inequalities", "equations"):
        for entry in _list(value[kind]):
            i, w = _list(entry, 2)
            _index(i, len(psi[kind]))
            assert (kind, i) not in multiplier
            multiplier[kind, i] = _number(w)
            assert multiplier[kind, i] > 0 or (kind == "equations" and multiplier[kind, i] < 0)
    for y, maxima in enumerate(psi["terms"]):
        for g, maximum in enumerate(maxima):
            assert sum(weight.get((y, g, j), 0) for j in range(len(maximum))) == p[y]

    def column(c: int) -> Fraction:
        pieces = sum((w * _fraction(psi["terms"][y][g][j][c]) for (y, g, j), w in weight.items()), Fraction(0))
        return pieces - sum((w * _fraction(psi[kind][i][c]) for (kind, i), w in multiplier.items()), Fraction(0))

    for c in range(psi["dim"]):
        assert column(c + 1) == 0
    return p, column(0)


def _optimal(losses: list[Point], p: Point, t: int) -> bool:
    return all(_risk(losses, p, t) <= _risk(losses, p, s) for s in range(len(losses[0])))


def _predicted_near(
    evidence: Any, regions: list[list[Rows]], u: Point, version: int, domain: Rows, strictly: bool
) -> int:
    """The prediction of the evidence, if the pred says it near u."""
    t = _index(evidence["prediction"], len(regions))
    piece = regions[t][_index(evidence["piece"], len(regions[t]))]
    x = (Fraction(1), *u)
    assert satisfies(piece, x)
    if version == 2:
        y = (Fraction(1), *_numbers(evidence["toward"], len(u)))
        assert satisfies(piece, y)
        assert satisfies(domain, y)
        assert not strictly or all(_dot(row, y) > 0 for row in domain[0])
        # Along the way every row has one sign for all small ε > 0; so it has at the first, unless that is past a zero.
        for other in (piece for region in regions[:t] for piece in region):
            rows = [row for kind in other for row in kind]
            zeros = [_dot(row, x) / (_dot(row, x) - _dot(row, y)) for row in rows if _dot(row, x) != _dot(row, y)]
            step = min([Fraction(1), *(zero for zero in zeros if zero > 0)]) / 2
            assert not satisfies(other, _add((1 - step, x), (step, y)))
    else:  # a direction that leads into the piece, and into none before it
        ways = [[(Fraction(0), *row[1:]) for row in _one_sided(each) if _dot(row, x) == 0] for each in (domain, piece)]
        inner = [(Fraction(0), *row[1:]) for row in domain[0] if strictly and _dot(row, x) == 0]
        before = [each for region in regions[:t] for each in region if satisfies(each, x)]
        left = [[(Fraction(0), *row[1:]) for row in _one_sided(each) if _dot(row, x) == 0] for each in before]
        assert _is_left([way for each in ways for way in each], inner, left)
    return t


def _beaten(evidence: Any, losses: list[Point], points: list[Point], t: int | None) -> None:
    """The prediction t, or else each one, is beaten at a point."""
    k = len(losses[0])
    if t is not None:
        (p,) = points
        assert _risk(losses, p, _index(evidence["better"], k)) < _risk(losses, p, t)
        return
    for t, entry in enumerate(_list(evidence["better"], k)):
        of, i, s = _list(entry, 3)
        assert _index(of, k) == t
        p = points[_index(i, len(points))]
        assert _risk(losses, p, _index(s, k)) < _risk(losses, p, t)


def _more(regions: Any, version: int) -> set[str]:
    return {"prediction", "piece", *["toward"] * (version == 2)} if regions else set()


def _not_calibrated(
    evidence: Any, losses: list[Point], psi: Any, regions: Any, sets: Any, version: int, domain: Rows
) -> None:
    _keys(evidence, {"u", "points", "better"} | _more(regions, version) | ({"along"} & psi.keys()))
    z = _value(psi, evidence["u"])
    u = _numbers(evidence["u"], psi["dim"])
    t = _predicted_near(evidence, regions, u, version, domain, False) if regions else None
    points = []
    for entry in _list(evidence["points"], 1 if regions else None, least=1):
        p, beta = _weights(entry, psi)
        assert beta == _dot(p, z)
        assert sets is None or any(satisfies(each, p) for each in sets)
        points.append(p)
    if "along" in psi:
        # At c = 1/3 and 2/3 the surrogate is optimal for p(c), and at 0 and 1: a polynomial in c of degree 2 vanishes.
        _beaten_along(evidence, losses, points, [_way(each, psi) for each in _list(evidence["along"], least=1)])
    else:
        _beaten(evidence, losses, points, t)


def _way(entry: Any, psi: Any) -> list[Point]:
    """The p(c) for c = 0, 1/3, 2/3 and 1, having added up the slopes at each of them."""
    _keys(entry, {"p", "weights"})
    n, d, found = len(psi["along"]), psi["dim"], []
    p, q = (_distribution(each, n) for each in _list(entry["p"], 2))
    for c in (Fraction(0), Fraction(1, 3), Fraction(2, 3), Fraction(1)):
        at, total = [(1 - c) * x + c * y for x, y in zip(p, q)], [Fraction(0)] * d
        left = list(at)
        for y, j, v, w in (_list(each, 4) for each in _list(entry["weights"])):
            pairs = psi["along"][_index(y, n)]
            g, h = (_numbers(each, d) for each in pairs[_index(j, len(pairs))])
            v, w = _numbers([v, w], 2)
            assert v >= 0
            assert w >= 0
            weight = (1 - c) * v + c * w
            left[y] -= weight
            total = [x + weight * ((1 - c) * a + c * b) for x, a, b in zip(total, g, h)]
        assert not any(left)
        assert not any(total)
        found.append(tuple(at))
    return found


def _beaten_along(evidence: Any, losses: list[Point], points: list[Point], ways: list[list[Point]]) -> None:
    """Every prediction is beaten at a point, or between the ends of a way."""
    k = len(losses[0])
    for t, (worse, i, s) in enumerate(_list(each, 3) for each in _list(evidence["better"], k)):
        assert _index(worse, k) == t
        every = [[p] for p in points] + ways
        ends = every[_index(i, len(every))]
        rises = [sum(x * (row[t] - row[_index(s, k)]) for x, row in zip(p, losses)) for p in ends]
        assert min(rises) >= 0
        assert max(rises) > 0


def _not_calibrated_by_theorem(
    evidence: Any, losses: list[Point], estimates: Any, regions: Any, sets: Any, version: int, domain: Rows
) -> None:
    _keys(evidence, {"u", "points", "better"} | _more(regions, version))
    u = _numbers(evidence["u"], len(estimates[0][1]))
    t = _predicted_near(evidence, regions, u, version, domain, True) if regions else None
    points = []
    for entry in _list(evidence["points"], 1 if regions else None, least=1):
        _keys(entry, {"p"})
        p = _distribution(entry["p"], len(losses))
        total = sum(x * w for x, (w, _) in zip(p, estimates))
        for c, x in enumerate(u):
            assert _dot(p, [w * a[c] for w, a in estimates]) / total == x
        assert sets is None or any(satisfies(each, p) for each in sets)
        points.append(p)
    _beaten(evidence, losses, points, t)


def _not_calibrated_far_out(evidence: Any, losses: list[Point], estimates: Any, regions: Any, sets: Any) -> None:
    """All labels that are possible at p are served far out, and from u on the pred says t, which is not optimal."""
    _keys(evidence, {"u", "points", "better", "prediction"})
    u, t = _numbers(evidence["u"], len(estimates[0][1])), _index(evidence["prediction"], len(regions))
    (entry,) = _list(evidence["points"], 1)
    _keys(entry, {"p"})
    p = _distribution(entry["p"], len(losses))
    assert all(x == 0 or not any(a) for x, (_, a) in zip(p, estimates))
    assert sets is None or any(satisfies(each, p) for each in sets)
    rows = [row for region in regions for piece in region for kind in piece for row in kind]
    ends = [-row[0] / _dot(row[1:], u) for row in rows if _dot(row[1:], u)]  # where a row vanishes, as m grows
    for m in [Fraction(1), *(x for x in ends if x > 1), 2 * max([Fraction(1), *ends])]:
        said = [
            s for s, region in enumerate(regions) if any(satisfies(piece, (1, *(m * x for x in u))) for piece in region)
        ]
        assert said[:1] == [t]
    # Between two of these one row excludes, or none does; to exclude all of them one row must be enough.
    x, y = (Fraction(1), *u), (Fraction(0), *u)
    for piece in (piece for region in regions[:t] for piece in region):
        both = [*piece[0], *piece[1], *(tuple(-z for z in row) for row in piece[1])]
        assert any(_dot(row, x) < 0 and _dot(row, y) <= 0 for row in both)
    held = [[*piece[0], *piece[1], *(tuple(-z for z in row) for row in piece[1])] for piece in regions[t]]
    assert any(all(_dot(row, x) >= 0 and _dot(row, y) >= 0 for row in both) for both in held)
    _beaten(evidence, losses, [p], t)


def _one_sided(rows: Rows) -> list[Point]:
    """Inequalities alone: an equation is two."""
    return [*rows[0], *rows[1], *(tuple(-x for x in row) for row in rows[1])]


def _cover_by_itself(regions: list[list[Rows]], domain: Rows) -> None:
    """No u of the domain violates some row of every piece."""
    pieces = [_one_sided(piece) for region in regions for piece in region]
    assert not _is_left(_one_sided(domain), [], pieces)


def _is_left(rows: list[Point], strict: list[Point], pieces: list[list[Point]]) -> bool:
    """Tell whether some u satisfies the rows, and violates a row of every piece; all choices are tried."""
    return any(
        _feasible([*((row, False) for row in rows), *((row, True) for row in strict), *chosen])
        for chosen in product(*([(tuple(-x for x in row), True) for row in piece] for piece in pieces))
    )


def _feasible(system: list[tuple[Point, bool]]) -> bool:
    """Fourier–Motzkin: tell whether some u makes all rows not negative, and those that are strict positive."""
    rows = set(system)
    while len(next(iter(rows), ((1,), True))[0]) > 1:
        low, high, rest = (
            [each for each in rows if side(each[0][-1])] for side in (_positive_number, _negative, _zero)
        )
        rows = {(row[:-1], strict) for row, strict in rest}
        for (row, strict), (other, also) in product(low, high):
            total = [x / row[-1] - y / other[-1] for x, y in zip(row, other)]
            rows.add((tuple(total[:-1]), strict or also))
    return all(row[0] > 0 or (row[0] == 0 and not strict) for row, strict in rows)


def _positive_number(x: Fraction) -> bool:
    return x > 0


def _negative(x: Fraction) -> bool:
    return x < 0


def _zero(x: Fraction) -> bool:
    return x == 0


def _blocks(value: Any, losses: list[Point], psi: Any, domain: Rows) -> tuple[list[list[int]], list[Any]]:
    """The blocks, and for each two neighbours their exchange as a map of labels, and the map of u."""
    n, blocks, exchanges = len(losses), [], []
    columns = {tuple(row[t] for row in losses) for t in range(len(losses[0]))}
    for block in _list(value):
        _keys(block, {"labels", "maps"})
        labels = [_index(y, n) for y in _list(block["labels"], least=1)]
        for x, y, moves in zip(labels, labels[1:], _list(block["maps"], len(labels) - 1), strict=False):
            s = {**{z: z for z in range(n)}, x: y, y: x}
            assert {tuple(column[s[z]] for z in range(n)) for column in columns} == columns
            exchanges.append((s, _exchanges(moves, s, psi, domain)))
        blocks.append(labels)
    assert sorted(y for block in blocks for y in block) == list(range(n))
    return blocks, exchanges


def _in_the_chamber(evidence: Any, psi: Any, blocks: list[list[int]], values: list[Point]) -> Any:
    """The vertices over K, if they are those that are listed with their weights."""
    n = len(psi["terms"])
    falling = tuple(
        tuple(Fraction((c == x) - (c == y)) for c in range(n)) for block in blocks for x, y in pairwise(block)
    )
    proofs = [_weights(entry, psi) for entry in _list(evidence["vertices"])]
    assert len({p for p, _ in proofs}) == len(proofs)
    found = vertices(tuple(values), (falling, ()))
    assert set(proofs) == set(found)
    return found


def _calibrated_by_symmetry(evidence: Any, losses: list[Point], psi: Any, domain: Rows) -> None:
    _keys(evidence, {"blocks", "cells", "vertices"})
    n, k = len(losses), len(losses[0])
    blocks, _ = _blocks(evidence["blocks"], losses, psi, domain)
    cells = []
    for cell in _list(evidence["cells"], least=1):
        _keys(cell, {"u", "prediction"})
        z = _value(psi, cell["u"])
        assert all(z[x] <= z[y] for block in blocks for x, y in pairwise(block))
        cells.append((z, _index(cell["prediction"], k)))
    found = _in_the_chamber(evidence, psi, blocks, [z for z, _ in cells])
    columns = [[row[t] for row in losses] for t in range(k)]
    # Every permutation within blocks, and what it makes of the prediction of a cell whose z it does not change.
    for images in product(*(permutations(block) for block in blocks)):
        g = {x: y for block, image in zip(blocks, images, strict=True) for x, y in zip(block, image, strict=True)}
        for p, v in found:
            for z, t in cells:
                if _dot(p, z) == v and all(z[g[y]] == z[y] for y in range(n)):
                    moved = _dot(p, [losses[g[y]][t] for y in range(n)])
                    assert moved == min(_dot(p, column) for column in columns)


def _calibrated_by_symmetry_with_pred(
    evidence: Any, losses: list[Point], psi: Any, regions: list[list[Rows]], domain: Rows, enough: Any
) -> None:
    _keys(evidence, {"blocks", "cells", "vertices", "apart", "scores", "cover"})
    n, k = len(losses), len(losses[0])
    blocks, exchanges = _blocks(evidence["blocks"], losses, psi, domain)
    for cell in _list(evidence["cells"], least=1):
        _keys(cell, {"u"})
    corners = _in_the_chamber(evidence, psi, blocks, [_value(psi, cell["u"]) for cell in evidence["cells"]])

    def piece(t: int, i: int, s: Any, change: Any) -> Any:
        """A piece of a region at Au, an equation as two inequalities; and the column with labels exchanged."""
        inside, on = regions[t][i]
        rows = {change(row) for row in (*inside, *on, *(tuple(-x for x in row) for row in on))}
        return tuple(losses[s[y]][t] for y in range(n)), rows

    places = [(t, i) for t in range(k) for i in range(len(regions[t]))]
    same = {y: y for y in range(n)}
    pieces = {place: piece(*place, same, lambda row: row) for place in places}
    last = [
        a for a in places if all(pieces[a] != pieces[b] for b in places if b > a)
    ]  # what stands twice is proved twice
    belongs = []
    for s, at_image in exchanges:
        moved = {place: piece(*place, s, at_image) for place in places}
        assert all(each in moved.values() for each in pieces.values())
        assert all(each in pieces.values() for each in moved.values())
        belongs.append({(a, b) for a in last for b in last if moved[a] == pieces[b]})
    apart = _apart(evidence["apart"], psi, regions, k)
    wrong = {p: {(t, i) for t, i in places if not _optimal(losses, p, t)} for p, _ in corners}
    assert all(p in wrong and (t, i) in wrong[p] for p, t, i in apart)
    for p, v in corners:
        proved = {(t, i): beta for (q, t, i), beta in apart.items() if p == q}
        kept = [pairs for pairs, (s, _) in zip(belongs, exchanges, strict=True) if all(p[s[y]] == p[y] for y in s)]
        for _ in places:
            for a, b in ((a, b) for a in [*proved] for pairs in kept for c, b in pairs if a == c):
                proved.setdefault(b, proved[a])
        assert set(proved) <= wrong[p]
        assert all(enough(p, t, proved.get((t, i), v) - v) for t, i in wrong[p])
    scores = [_numbers(f, psi["dim"] + 1) for f in _list(evidence["scores"], n)]
    assert all(at_image(scores[s[y]]) == scores[y] for s, at_image in exchanges for y in range(n))
    steps = [_add((Fraction(1), scores[x]), (Fraction(-1), scores[y])) for each in blocks for x, y in pairwise(each)]
    falling = (*domain[0], *(step for step in steps if any(step)))
    _cover(evidence["cover"], regions, (falling, domain[1]), psi["dim"])


def _exchanges(moves: Any, s: dict[int, int], psi: Any, domain: Rows) -> Any:
    """At Au the surrogate is what it is at u, with labels exchanged, and the domain is the same; tell what rows are."""
    d = psi["dim"]
    matrix = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    read = [_list(move, 3) for move in _list(moves)]
    for i, j, w in read:
        _index(i, d)
        _index(j, d)
        _number(w)
        matrix[i] = [Fraction(0)] * d
    for i, j, w in read:
        matrix[i][j] += _number(w)

    def at_image(row: Any) -> Point:
        b, *a = map(_fraction, row)
        return (b, *(sum((a[i] * matrix[i][j] for i in range(d)), Fraction(0)) for j in range(d)))

    def parts(maxima: Any, change: Any) -> list[list[Point]]:
        return sorted(sorted({change(piece) for piece in maximum}) for maximum in maxima)

    for y, maxima in enumerate(psi["terms"]):
        assert parts(psi["terms"][s[y]], at_image) == parts(maxima, lambda piece: tuple(map(_fraction, piece)))
    for kind in domain:
        assert {at_image(row) for row in kind} == set(kind)
    return at_image


def _apart(value: Any, psi: Any, regions: list[list[Rows]], k: int) -> dict[tuple[Point, int, int], Fraction]:
    """What is proved of pieces, by p, prediction and piece."""
    apart = {}
    for entry in _list(value):
        _keys(entry, {"p", "pieces", "inequalities", "equations", "prediction", "piece"})
        t = _index(entry["prediction"], k)
        i = _index(entry["piece"], len(regions[t]))
        inequalities, equations = ([list(map(str, row)) for row in rows] for rows in regions[t][i])
        smaller = {
            **psi,
            "inequalities": psi["inequalities"] + inequalities,
            "equations": psi["equations"] + equations,
        }
        p, beta = _weights({key: entry[key] for key in ("p", "pieces", "inequalities", "equations")}, smaller)
        assert (p, t, i) not in apart
        apart[p, t, i] = beta
    return apart


def _positive(_: Point, __: int, rise: Fraction) -> bool:
    return rise > 0


def _calibrated(
    evidence: Any,
    losses: list[Point],
    psi: Any,
    regions: Any,
    sets: Any,
    version: int,
    domain: Rows,
    enough: Any = _positive,
) -> None:
    if isinstance(evidence, dict) and "blocks" in evidence:
        assert version == 2
        assert sets is None
        if regions is None:
            _calibrated_by_symmetry(evidence, losses, psi, domain)
        else:
            _calibrated_by_symmetry_with_pred(evidence, losses, psi, regions, domain, enough)
        return
    _keys(evidence, {"cells", "vertices"} | ({"apart", *["cover"] * (version == 2)} if regions else set()))
    k = len(losses[0])
    cells = []
    for cell in _list(evidence["cells"], least=1):
        _keys(cell, {"u"} if regions else {"u", "prediction"})
        cells.append((_value(psi, cell["u"]), None if regions else _index(cell["prediction"], k)))
    values = tuple(z for z, _ in cells)
    listed = [_weights(entry, psi) for entry in _list(evidence["vertices"])]
    assert len({p for p, _ in listed}) == len(listed)
    assert set(listed) == vertices(values)
    assert sets is None or all(vertices(values, each) for each in sets)
    corners = set(listed) if sets is None else {corner for each in sets for corner in vertices(values, each)}
    if not regions:
        for p, v in corners:
            for z, t in cells:
                assert _dot(p, z) > v or _optimal(losses, p, t)
        return
    apart = _apart(evidence["apart"], psi, regions, k)
    needed = {
        (p, t, i): v for p, v in corners for t in range(k) if not _optimal(losses, p, t) for i in range(len(regions[t]))
    }
    if version == 2:
        _cover(evidence["cover"], regions, domain, psi["dim"])
    else:
        _cover_by_itself(regions, domain)
    assert set(apart) <= set(needed)
    assert all(enough(p, t, apart.get((p, t, i), v) - v) for (p, t, i), v in needed.items())


def _calibrated_by_theorem(
    evidence: Any, losses: list[Point], estimates: Any, regions: Any, sets: Any, version: int, domain: Rows
) -> None:
    nothing = ((Fraction(0),) * len(losses),)
    assert sets is None or all(vertices(nothing, each) for each in sets)
    d = len(estimates[0][1])
    if not regions:
        _keys(evidence, {"affine"})
        for t, row in enumerate(_list(evidence["affine"], len(losses[0]))):
            c, *x = _numbers(row, d + 1)
            for y, (w, a) in enumerate(estimates):
                assert losses[y][t] - losses[y][0] == w * (c + _dot(a, x))
        return
    _keys(evidence, {"cover"} if version == 2 else set())
    if version == 2:
        _cover(evidence["cover"], regions, domain, d)
    else:
        _cover_by_itself(regions, domain)
    for t, pieces in enumerate(regions):
        for piece in pieces:
            pulled = [[tuple(w * _dot(row, (Fraction(1), *a)) for w, a in estimates) for row in rows] for rows in piece]
            for each in [NO_ROWS] if sets is None else sets:
                rows = tuple((*first, *second) for first, second in zip(each, pulled, strict=True))
                for p, _ in vertices(nothing, rows):
                    assert _optimal(losses, p, t)


@cache
def vertices(values: tuple[Point, ...], within: Rows = NO_ROWS) -> frozenset[tuple[Point, Fraction]]:
    """All vertices (p, v) of {(p, v) : p ∈ Δ satisfies the rows, v ≤ p·z for all values z}."""
    n = len(values[0])
    inequalities, equations = ([(*row, Fraction(0)) for row in rows] for rows in within)
    rows = [tuple(Fraction(int(x == y)) for x in range(n + 1)) for y in range(n)]  # p_y ≥ 0
    rows += [(*z, Fraction(-1)) for z in values]  # p·z − v ≥ 0
    rows += inequalities
    found = set()
    for chosen in combinations([*rows, *equations], n):
        x = _solve([(*row, Fraction(0)) for row in chosen] + [(*[Fraction(1)] * n, Fraction(0), Fraction(1))])
        if x is not None and satisfies((tuple(rows), tuple(equations)), x):
            found.add((x[:n], x[n]))
    return frozenset(found)


def _solve(system: list[tuple[Fraction, ...]]) -> Point | None:
    """Solve a square system, given with its right-hand side, by elimination; None if it is singular."""
    rows = [list(row) for row in system]
    for c in range(len(rows)):
        pivot = next((i for i in range(c, len(rows)) if rows[i][c]), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for i in range(len(rows)):
            if i != c and rows[i][c]:
                rows[i] = [x - rows[i][c] * y for x, y in zip(rows[i], rows[c])]
    return tuple(row[-1] for row in rows)
