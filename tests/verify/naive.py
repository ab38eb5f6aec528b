"""The specification of certificates once more, as slowly and plainly as possible, to compare the checker with.

Everything is an assertion about Python objects, as `json.loads` gives them. Vertices come from solving all systems of
n equations out of the n + m that can be tight.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

Point = tuple[Fraction, ...]


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


def _names(value: Any, size: int) -> None:
    for name in _list(value, size):
        assert isinstance(name, (str, int))
        assert not isinstance(name, bool)


def _certificate(top: Any) -> None:
    _keys(top, {"format", "version", "claim", "loss", "surrogate", "evidence"})
    assert top["format"] == "lossmith-certificate"
    assert isinstance(top["version"], int)
    assert not isinstance(top["version"], bool)
    assert top["version"] == 1
    assert top["claim"] in ["calibrated", "not calibrated"]

    loss = top["loss"]
    _keys(loss, {"entries"}, frozenset({"labels", "predictions", "name"}))
    n = len(_list(loss["entries"], least=2))
    k = len(_list(loss["entries"][0], least=1))
    losses = [_numbers(row, k) for row in loss["entries"]]
    assert all(x >= 0 for row in losses for x in row)
    _names(loss.get("labels", [0] * n), n)
    _names(loss.get("predictions", [0] * k), k)
    assert isinstance(loss.get("name", ""), str)

    psi = top["surrogate"]
    _keys(psi, {"dim", "terms", "inequalities", "equations"}, frozenset({"name"}))
    assert isinstance(psi.get("name", ""), str)
    d = _index(psi["dim"], 10**6)
    for maxima in _list(psi["terms"], n):
        for maximum in _list(maxima, least=1):
            for piece in _list(maximum, least=1):
                _numbers(piece, d + 1)
    for kind in ("inequalities", "equations"):
        for row in _list(psi[kind]):
            _numbers(row, d + 1)
    (_calibrated if top["claim"] == "calibrated" else _not_calibrated)(top["evidence"], losses, psi)


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


def _dot(p: Any, z: Any) -> Fraction:
    return sum((a * b for a, b in zip(p, z, strict=True) if a and b), Fraction(0))


def _risk(losses: list[Point], p: Point, t: int) -> Fraction:
    return _dot(p, [row[t] for row in losses])


def _weights(value: Any, psi: Any) -> tuple[Point, Fraction]:
    _keys(value, {"p", "pieces", "inequalities", "equations"})
    p = _numbers(value["p"], len(psi["terms"]))
    assert all(x >= 0 for x in p)
    assert sum(p) == 1
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


def _not_calibrated(evidence: Any, losses: list[Point], psi: Any) -> None:
    _keys(evidence, {"u", "points", "better"})
    z = _value(psi, evidence["u"])
    points = []
    for entry in _list(evidence["points"]):
        p, beta = _weights(entry, psi)
        assert beta == _dot(p, z)
        points.append(p)
    k = len(losses[0])
    for t, entry in enumerate(_list(evidence["better"], k)):
        of, i, s = _list(entry, 3)
        assert _index(of, k) == t
        p = points[_index(i, len(points))]
        assert _risk(losses, p, _index(s, k)) < _risk(losses, p, t)


def _calibrated(evidence: Any, losses: list[Point], psi: Any) -> None:
    _keys(evidence, {"cells", "vertices"})
    k = len(losses[0])
    cells = []
    for cell in _list(evidence["cells"], least=1):
        _keys(cell, {"u", "prediction"})
        cells.append((_value(psi, cell["u"]), _index(cell["prediction"], k)))
    listed = [_weights(entry, psi) for entry in _list(evidence["vertices"])]
    assert len({p for p, _ in listed}) == len(listed)
    assert set(listed) == vertices(tuple(z for z, _ in cells))
    for p, v in listed:
        for z, t in cells:
            if _dot(p, z) == v:
                assert all(_risk(losses, p, t) <= _risk(losses, p, s) for s in range(k))


@cache
def vertices(values: tuple[Point, ...]) -> frozenset[tuple[Point, Fraction]]:
    """All vertices (p, v) of {(p, v) : p ∈ Δ, v ≤ p·z for all values z}."""
    n = len(values[0])
    rows = [tuple(Fraction(int(x == y)) for x in range(n + 1)) for y in range(n)]  # p_y ≥ 0
    rows += [(*z, Fraction(-1)) for z in values]  # p·z − v ≥ 0
    found = set()
    for chosen in combinations(rows, n):
        x = _solve([(*row, Fraction(0)) for row in chosen] + [(*[Fraction(1)] * n, Fraction(0), Fraction(1))])
        if x is not None and all(_dot(row, x) >= 0 for row in rows):
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
