"""Check certificates about surrogates and losses, trusting nobody.

This program was written from the specification, ``docs/certificate-format.md``, which has the proofs. It needs only
Python's standard library, shares no code with lossmith, and is meant to be read from top to bottom.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from math import gcd, lcm
from operator import mul
from typing import Any, NamedTuple

MAX_BYTES = 64 * 2**20  # of a certificate; this and the other limits see to it that no file takes forever
_NUMBER = re.compile("(-?(?:0|[1-9][0-9]{0,639}))(?:/([1-9][0-9]{0,639}))?")  # Python always converts 640 digits
_MAX_BITS = 20_000  # of a common denominator, and of the coordinates of a vertex
_MAX_WORK = 5 * 10**8  # steps of some 0.2 µs; an operation with fractions counts as ten
Vector = Sequence[Fraction]
Rows = dict[str, list[Vector]]  # of "inequalities" and "equations": (b, a) for b + a·u ≥ 0, or = 0; a for a·p ≥ 0
Sizes = dict[str, int]
Factors = dict[tuple[int, int], int]
_TANGENTS = "ψ is convex, and the pieces are tangents of it at u"
_THEOREMS = {
    "proper composite": "ψ is strictly proper composite: nearly least risk forces the estimated probabilities to p",
    "mean": "risk tends to the least if and only if what is read off u tends to the (weighted) mean of the a_y under p",
    "binary margin": "ψ = (φ(u), φ(−u)), φ convex with φ′(0) ≠ 0: nearly least risk tells whether p_0 > 1/2",
}


class Verification(NamedTuple):
    """The verdict on a certificate: accepted or not, given which theorems without proof, and why (one line)."""

    accepted: bool
    given: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{'accepted' if self.accepted else 'rejected'}: {'; given that '.join((self.why, *self.given))}"


def check(text: str | bytes) -> Verification:
    """Check the text of a certificate. Whatever is wrong with it, the answer is a rejection and not an exception."""
    try:
        return Verification(True, *_prove(_parse(text)))
    except (_FlawError, ValueError, RecursionError, MemoryError) as flaw:
        kinds = {_FlawError: str(flaw), RecursionError: "file: nested too deeply", MemoryError: "file: too large"}
        return Verification(False, (), kinds.get(type(flaw), f"file: not JSON in UTF-8: {flaw}"))


class _FlawError(Exception): ...


def _require(condition: object, path: str, reason: str, *values: Any) -> Any:  # None; the values are shown for {}
    if not condition:
        raise _FlawError(f"{path or 'file'}: {reason.format(*map(_show, values))}")


def _show(value: Any) -> str:
    if isinstance(value, Fraction):
        bits = (value.numerator * value.denominator).bit_length()
        return str(value) if bits <= 600 else f"(a fraction of {bits} bits)"
    if isinstance(value, tuple):  # JSON has none: of fractions, or of integers
        return f"({', '.join(map(_show, value[:50]))}{', …' * (len(value) > 50)})"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 80 else ascii(value[:80]) + "…"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else json.dumps(value)


def _parse(text: str | bytes) -> Any:
    """Parse JSON, more strictly than Python: UTF-8, no key twice in an object, no integers of many digits."""
    _require(len(text) <= MAX_BYTES, "file", "longer than {} bytes", MAX_BYTES)
    return json.loads(
        text.decode("utf-8") if isinstance(text, bytes) else text,
        object_pairs_hook=lambda x: _require(len(dict(x)) == len(x), "file", "a key comes twice") or dict(x),
        parse_int=lambda x: _require(len(x) <= 18, "file", "an integer of {} characters", len(x)) or int(x),
    )


def _read(value: Any, shape: Any, sizes: Sizes, path: str) -> Any:
    """Return the value, if it has the shape: keys (optional: "?"), entries and size ("+": some), a reader, or equal."""
    if isinstance(shape, dict):
        _require(isinstance(value, dict), path, "expected an object, not {}", value)
        shapes = {key.removeprefix("?"): each for key, each in shape.items()}
        for key in (*shapes, *value):
            _require(key in shapes, path, "unknown key {}", key)
            _require(key in value or key not in shape, path, "the key {} is missing", key)
        below = {key: f"{path}.{key}".lstrip(".") for key in shapes if key in value}
        return {key: _read(value[key], shapes[key], sizes, where) for key, where in below.items()}
    if isinstance(shape, list):
        _require(isinstance(value, list), path, "expected a list, not {}", value)
        for name in shape[1:]:
            size = max(len(value), 1) if name == "+" else sizes.setdefault(name, max(len(value), 1))
            more = " or more" * (name == "+")
            _require(len(value) == size, path, f"expected {size}{more} entries, not {len(value)}")
        return [_read(item, shape[0], sizes, f"{path}[{i}]") for i, item in enumerate(value)]
    if callable(shape):
        return shape(value, sizes, path)
    allowed = shape if isinstance(shape, tuple) else (shape,)
    fine = any(type(value) is type(each) and value == each for each in allowed)
    _require(fine, path, f"expected {' or '.join(map(_show, allowed))}, not {{}}", value)
    return value


def _index(value: Any, sizes: Sizes, path: str, size: str = "any", least: int = 0) -> int:
    end, integer = sizes.get(size, MAX_BYTES), type(value) is int  # and true is no integer
    _require(integer and least <= value < end, path, f"expected an integer in {least} … {end - 1}, not {{}}", value)
    return int(value)


def _number(value: Any, sizes: Sizes, path: str) -> Fraction:
    match: Any = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    reason = "which is neither an integer nor a fraction, of at most 640 digits each"
    _require(match, path, f"expected a number in quotes, not {{}}, {reason}", value)
    numerator, denominator = int(match[1]), int(match[2] or 1)
    lowest = not match[2] or (denominator > 1 and gcd(numerator, denominator) == 1)
    _require(lowest, path, "{} is not in lowest terms with a denominator of at least 2", value)
    return Fraction(numerator, denominator)


def _text(value: Any, sizes: Sizes, path: str) -> str:  # or an integer; made harmless for the line it will stand on
    _require(isinstance(value, str) or type(value) is int, path, "expected text, not {}", value)
    return str(value) if str(value).isprintable() and len(str(value)) <= 80 else _show(value)


def _multiplier(value: Any, sizes: Sizes, path: str) -> tuple[tuple[int, ...], Fraction]:
    _require(isinstance(value, list) and value, path, "not [index…, w] but {}", value)
    index = tuple(_index(each, sizes, f"{path}[{i}]") for i, each in enumerate(value[:-1]))
    w = _number(value[-1], sizes, f"{path}[{len(index)}]")
    _require(w, path, "a multiplier of 0")
    return index, w


_label, _prediction, _document = (partial(_index, size=size) for size in ("n", "k", "r"))
_modulus = partial(_index, least=2)
_KINDS = ("inequalities", "equations")
_PIECE = [_number, "d + 1"]
_ROWS = {kind: [_PIECE] for kind in _KINDS}
_WEIGHTS = {"p": [_number, "n"], "pieces": [_multiplier], "inequalities": [_multiplier], "equations": [_multiplier]}
_PLACE = {"prediction": _prediction, "piece": _index}
_INPUTS = {
    "loss": {"entries": [[_number, "k"], "n"], "?labels": [_text, "n"], "?predictions": [_text, "k"], "?name": _text},
    "surrogate": {"dim": _index, "terms": [[[_PIECE, "+"], "+"], "n"], **_ROWS, "?tangents": True, "?name": _text},
    "?pred": {"regions": [[_ROWS], "k"], "?name": _text},
    "?within": [{kind: [[_number, "n"]] for kind in _KINDS}, "+"],
}
_ESTIMATED: Any = {"estimates": [[_number, "d"], "n"], "?weights": [_number, "n"]}
_ESTIMATED |= {"theorem": tuple(_THEOREMS), "?name": _text}
_GRAPHS = ("all DAGs", "single edges", "tournaments", "total orders")
_GAINS = {"discount": [_number, "r"], "gain": [_number, "+"]}
_RANKINGS: dict[str, Any] = {"ndcg": _GAINS, "dcg": _GAINS, "mean_average_precision": {}}
_RANKINGS |= {"precision_at": {"q": partial(_index, size="r", least=1)}, "pairwise_disagreement": {"graphs": _GRAPHS}}


def _prove(certificate: Any) -> tuple[tuple[str, ...], str]:
    """Return which theorems the certificate rests on, and what it proves, in one line."""
    claim = certificate.get("claim") if isinstance(certificate, dict) else None
    bounding = claim in ("ccdim at least", "ccdim at most")
    keys = ("loss", "evidence") if bounding else (*_INPUTS, "evidence")
    shape: Any = {"format": "lossmith-certificate", "version": 1, **dict.fromkeys(keys, lambda value, *_: value)}
    shape |= {"claim": claim, "value": _index} if bounding else {"claim": ("calibrated", "not calibrated")}
    top = _read(certificate, shape, {}, "")
    ranking = bounding and isinstance(top["loss"], dict) and "family" in top["loss"]
    _require(ranking or claim != "ccdim at most", "claim", "for a matrix, a calibrated surrogate shows it")
    case = _Rankings(top["loss"]) if ranking else _Case(top)
    shown = getattr(case, top["claim"].replace(" ", "_"))(top["evidence"])  # each claim has its method
    if bounding:
        holds = top["value"] <= shown if claim == "ccdim at least" else top["value"] >= shown
        _require(holds, "value", f"the evidence shows {claim} {shown}")
    return case.given, f"{claim}: {case.title}: {top['value'] if bounding else shown}"


def _limited(number: int) -> int:
    _require(number.bit_length() <= _MAX_BITS, "arithmetic", "more than {} bits come up", _MAX_BITS)
    return number


def _sum(terms: Iterable[Fraction | int]) -> Fraction:
    total = Fraction(0)
    for term in terms:
        _limited((total := total + term).denominator)
    return total


def _dot(xs: Iterable[Fraction | int], ys: Iterable[Fraction | int]) -> Fraction:
    return _sum(x * y for x, y in zip(xs, ys, strict=True) if x and y)


def _integral(row: Sequence[Fraction]) -> tuple[int, ...]:
    common = 1
    for x in row:
        common = _limited(lcm(common, x.denominator))
    return tuple(int(x * common) for x in row)


class _Budget:
    """The work that was done, and two algorithms that may take much."""

    given: tuple[str, ...] = ()
    work = 0

    def spend(self, steps: int) -> None:
        self.work += steps
        _require(self.work <= _MAX_WORK, "too much work", "the check takes more than {} steps", _MAX_WORK)

    def independent(self, rows: Iterable[dict[int, int]], modulus: int) -> bool:
        """Eliminate modulo a number with pivots that are units: then a determinant is a unit, and not 0."""
        reduced: list[tuple[int, dict[int, int]]] = []  # each with 1 at its pivot, and 0 at the pivots before it
        for given in rows:
            row = {c: x % modulus for c, x in given.items()}
            for pivot, other in reduced:
                if factor := row.get(pivot):
                    self.spend(2 * len(other))
                    row |= {c: (row.get(c, 0) - factor * x) % modulus for c, x in other.items()}
            self.spend(100 * len(row) + len(reduced))
            unit = next((c for c in sorted(row) if gcd(row[c], modulus) == 1), None)
            if unit is None:
                return False
            inverse = pow(row[unit], -1, modulus)
            reduced.append((unit, {c: x * inverse % modulus for c, x in row.items() if x}))
        return True

    def extreme_rays(self, rows: Sequence[Sequence[int]], size: int, limit: int) -> list[tuple[tuple[int, ...], int]]:
        """Enumerate the extreme rays of {x ≥ 0 : c·x ≥ 0 for all rows c}, each with the mask of its zeros: x, rows."""
        rays = [(tuple(int(i == k) for k in range(size)), (1 << size) - 1 ^ 1 << i) for i in range(size)]
        for j, row in enumerate(rows):
            self.spend(len(rays) * (size * (1 + max(map(int.bit_length, row)) // 64) + j // 64))
            slack = [sum(map(mul, row, ray)) for ray, _ in rays]
            fresh: list[tuple[tuple[int, ...], int]] = []
            for i in (i for i, s in enumerate(slack) if s < 0):
                zeros = rays[i][1]  # an edge joins two rays if no third has all zeros that they share: size − 2 or more
                near = [(k, c) for k, (_, x) in enumerate(rays) if (c := zeros & x).bit_count() >= size - 2 and k != i]
                ahead = [(k, c) for k, c in near if slack[k] > 0]
                self.spend((len(rays) + len(ahead) * len(near)) * (1 + zeros.bit_length() // 64))
                for k, common in ahead:
                    if not any(common & other == common for m, other in near if m != k):
                        both = zip(rays[i][0], rays[k][0], strict=True)
                        crossing = [_limited(slack[k] * a - slack[i] * b) for a, b in both]
                        divisor = gcd(*crossing)
                        fresh.append((tuple(x // divisor for x in crossing), common | 1 << size + j))
                _require(len(rays) + len(fresh) <= limit, "evidence", f"more than {limit} vertices come up, too many")
            rays = [(ray, zeros | (s == 0) << size + j) for (ray, zeros), s in zip(rays, slack) if s >= 0] + fresh
        return rays


class _Case(_Budget):
    """The inputs of a certificate with a matrix; columns[t] is ℓ_t in integers, up to a factor."""

    def __init__(self, top: dict[str, Any]) -> None:
        estimated = isinstance(top.get("surrogate"), dict) and "estimates" in top["surrogate"]
        self.sizes = Sizes(one=1, three=3)
        for key, shape in {**_INPUTS, "surrogate": _ESTIMATED if estimated else _INPUTS["surrogate"]}.items():
            if (name := key.removeprefix("?")) in top:
                top[name] = _read(top[name], shape, self.sizes, name)
            if name == "surrogate":
                self.dim: int = self.sizes.setdefault("d", top.get(name, {}).get("dim", 0))
                size = self.sizes.setdefault("d + 1", self.dim + 1)
                _require(size == self.dim + 1, "surrogate.dim", "the pieces have {} numbers", size)
        loss, surrogate, self.n, self.k = top["loss"], top.get("surrogate", {}), self.sizes["n"], self.sizes["k"]
        self.losses: list[list[Fraction]] = loss["entries"]
        fine = self.n >= 2 and min(map(min, self.losses)) >= 0
        _require(fine, "loss.entries", "there are fewer than two labels, or a loss is negative")
        integers = _integral([x for row in self.losses for x in row])
        self.columns = [integers[t :: self.k] for t in range(self.k)]
        self.estimates: list[Vector] = surrogate.get("estimates", [])
        scales = surrogate.get("weights", [Fraction(1)] * self.n)
        self.scaled = [(w, *(w * x for x in a)) for w, a in zip(scales, self.estimates)]  # w_y (1, a_y)
        self.domain: Rows = {kind: surrogate.get(kind, []) for kind in _KINDS}
        self.terms: list[list[list[Vector]]] = surrogate.get("terms", [])
        maxima = [(y, g, maximum) for y, each in enumerate(self.terms) for g, maximum in enumerate(each)]
        self.pieces = {(y, g, j): piece for y, g, maximum in maxima for j, piece in enumerate(maximum)}
        self.given = (_THEOREMS[surrogate["theorem"]],) if estimated else (_TANGENTS,) * ("tangents" in surrogate)
        self.regions: list[list[Rows]] = top.get("pred", {}).get("regions", [])
        self.sets: list[Rows] = top.get("within", [])
        if estimated:
            units = all(len(a) == self.n and a[y] == 1 == sum(map(bool, a)) for y, a in enumerate(self.estimates))
            fine = min(scales) > 0 and (surrogate["theorem"] == "mean" or (units and max(scales) == 1))
            _require(fine, "surrogate.estimates", "the theorem is about the unit vectors, or a weight is not positive")
        if estimated and surrogate["theorem"] == "binary margin":  # only a side is known: all regions must end at 1/2
            rows = [row for region in self.regions for piece in region for kind in _KINDS for row in piece[kind]]
            fine = self.n == 2 and self.regions and not any(row[0] + _sum(row[1:]) / 2 for row in rows)
            _require(fine, "surrogate.theorem", "there are not two labels, or it says nothing about this pred")
        pred = f" with {top['pred'].get('name', 'the pred')}" if "pred" in top else ""
        self.title = f"{surrogate.get('name', 'the surrogate')}{pred} for " if surrogate else ""
        self.title += loss.get("name", "the loss") + " on the given distributions" * ("within" in top)

    def risks(self, p: Vector) -> list[int]:
        """Return the expected losses p·ℓ_t of all predictions t, up to a common positive factor."""
        self.spend(self.n * self.k)
        integers = _integral(p)
        return [sum(map(mul, integers, column)) for column in self.columns]

    def distribution(self, p: Vector, path: str) -> tuple[Fraction, ...]:
        _require(min(p) >= 0 and _sum(p) == 1, path, "{} is not a probability vector", tuple(p))
        return tuple(p)

    def piece(self, place: dict[str, Any], path: str) -> Rows:
        """Return the rows of a piece of the region of a prediction, after those of the domain."""
        region = self.regions[place["prediction"]]
        _require(place["piece"] < len(region), path, "there is no such piece")
        return {kind: self.domain[kind] + region[place["piece"]][kind] for kind in self.domain}

    def violated(self, rows: Rows, x: Sequence[Fraction | int]) -> Iterator[str]:
        for kind in rows:
            for i, row in enumerate(rows[kind]):
                if (value := _dot(row, x)) < 0 or (value and kind == "equations"):
                    yield f"row {i} of the {kind} has the value {_show(value)}"

    def value(self, u: Vector, rows: Rows, path: str) -> list[Fraction]:
        """Return ψ(u), if u satisfies the rows."""
        self.spend(10 * (self.dim + 1) * (len(self.pieces) + sum(map(len, rows.values()))))
        for violation in self.violated(rows, (1, *u)):
            _require(False, path, violation)
        return [_sum(max(_dot(piece, (1, *u)) for piece in maximum) for maximum in maxima) for maxima in self.terms]

    def weights(self, entry: dict[str, Any], rows: Rows, path: str) -> tuple[tuple[Fraction, ...], Fraction]:
        """Return p and β if Σ w·(b, a) over pieces − Σ w·(b, a) over rows = (β, 0, …, 0): so p·ψ ≥ β on the rows."""
        p, summands = self.distribution(entry["p"], f"{path}.p"), list[tuple[Fraction, Vector]]()
        sums = {(y, g): Fraction(0) for y, maxima in enumerate(self.terms) for g in range(len(maxima))}
        for kind in ("pieces", *rows):
            known: Any = dict(self.pieces) if kind == "pieces" else {(i,): row for i, row in enumerate(rows[kind])}
            self.spend(len(known) + 10 * (self.dim + 1) * (1 + len(entry[kind])))
            for i, (index, w) in enumerate(entry[kind]):
                fine = index in known and (w > 0 or kind == "equations")
                _require(fine, f"{path}.{kind}[{i}]", "no such index, listed twice, or a multiplier of {}", w)
                summands.append((w if kind == "pieces" else -w, known.pop(index)))
                if kind == "pieces":
                    sums[index[:2]] = _sum((sums[index[:2]], w))
        for (y, g), w in sums.items():
            _require(w == p[y], path, f"the weights of label {y}, maximum {g} sum to {{}}, not p = {{}}", w, p[y])
        beta, *gradient = (_sum(w * row[c] for w, row in summands if row[c]) for c in range(self.dim + 1))
        _require(not any(gradient), path, "the pieces exceed the rows of the domain by {}", tuple(gradient))
        return p, beta

    def vertices(self, values: Sequence[Vector], rows: Rows, limit: int) -> Iterator[tuple[Any, Fraction, list[int]]]:
        """Enumerate the vertices (p, v) of {p ∈ Δ satisfies the rows, v ≤ p·z_j}; with coordinates p, p·z_0 − v ≥ 0."""
        n, (first, *others) = self.n, values
        cuts = [_integral([*(x - y for x, y in zip(z, first, strict=True)), Fraction(1)]) for z in others]
        cuts += [_integral([*row, Fraction(0)]) for kind in rows for row in rows[kind]]
        cuts += [_integral([*(-x for x in row), Fraction(0)]) for row in rows.get("equations", ())]
        self.spend(20 * (n + 1) * (n + 1 + len(cuts)))
        for ray, zeros in self.extreme_rays(cuts, n + 1, limit):
            if scale := sum(ray[:n]):  # all rays but (0, …, 0, 1)
                p = tuple(Fraction(x, scale) for x in ray[:n])
                yield p, _dot(p, first) - Fraction(ray[n], scale), [j for j in range(len(values)) if zeros >> n + j & 1]

    def not_calibrated(self, evidence: Any) -> str:
        """At points of N(ψ(u)) every prediction, or that of a pred near u, is beaten (thm:condition-necessary)."""
        asked: Any = {**_PLACE, "better": _prediction} if self.regions else {"better": [[_index, "three"], "k"]}
        points = [{"p": [_number, "n"]} if self.estimates else _WEIGHTS, "one" if self.regions else "+"]
        table = _read(evidence, {"u": [_number, "d"], "points": points, **asked}, self.sizes, "evidence")
        rows = self.piece(table, "evidence.piece") if self.regions else self.domain
        z, found = self.value(table["u"], rows, "evidence.u"), []
        size = self.dim + sum(1 + len(rows) for each in self.sets for rows in each.values())
        self.spend(len(table["points"]) * 10 * self.n * size)
        for i, entry in enumerate(table["points"]):
            path = f"evidence.points[{i}]"
            if self.estimates:
                p = self.distribution(entry["p"], path)
                total, *sums = (_dot(p, column) for column in zip(*self.scaled))
                _require(sums == [total * x for x in table["u"]], path, "u is not the estimate that belongs to this p")
            else:
                p, beta = self.weights(entry, self.domain, path)
                _require(beta == _dot(p, z), path, "the weights prove p·ψ ≥ {}, but p·ψ(u) = {}", beta, _dot(p, z))
            given = not self.sets or not all(any(self.violated(each, p)) for each in self.sets)
            _require(given, path, "p = {} is not among the given distributions", p)
            found.append(p)
        better = [[table["prediction"], 0, table["better"]]] if self.regions else table["better"]
        for t, (worse, i, s) in enumerate(better):
            path = "evidence.better" if self.regions else f"evidence.better[{t}]"
            fine = (worse == t or self.regions) and i < len(found) and s < self.k
            _require(fine, path, "{} is out of order or out of range", (worse, i, s))
            risks = self.risks(found[i])
            _require(risks[s] < risks[worse], path, "prediction {} is not better than {} at p = {}", s, worse, found[i])
        return f"u = {_show(tuple(table['u']))}, {len(found)} point{'s' * (len(found) > 1)}"

    def calibrated(self, evidence: Any) -> str:
        """The cells cover Δ, as weights prove at the vertices, and lie in trigger sets (thm:condition-sufficient)."""
        if self.estimates:
            return self.calibrated_by_estimates(evidence)
        _require(not self.given, "surrogate.tangents", "tangents at one point prove nothing elsewhere")
        cell = {"u": [_number, "d"]} if self.regions else {"u": [_number, "d"], "prediction": _prediction}
        apart = {"apart": [{**_PLACE, **_WEIGHTS}]} if self.regions else {}
        table = _read(evidence, {"cells": [cell, "+"], "vertices": [_WEIGHTS], **apart}, self.sizes, "evidence")
        values = [self.value(each["u"], self.domain, f"evidence.cells[{j}].u") for j, each in enumerate(table["cells"])]
        listed: dict[tuple[Any, ...], Fraction] = {}
        for name in ("vertices", *apart):
            for i, entry in enumerate(table[name]):
                path = f"evidence.{name}[{i}]"
                p, beta = self.weights(entry, self.piece(entry, path) if name == "apart" else self.domain, path)
                key = (p, entry["prediction"], entry["piece"]) if name == "apart" else (p,)
                _require(key not in listed, path, "p = {} is listed a second time", p)
                listed[key] = beta
        limit, used = 50 * len(listed) + 10_000, set()
        vertices = list(self.vertices(values, {}, limit))
        for p, v, _ in vertices:
            reason = "p = {} is missing, or its weights do not prove p·ψ ≥ {}"
            _require(listed.pop((p,), None) == v, "evidence.vertices", reason, p, v)
        within = (vertex for each in self.sets for vertex in self.vertices(values, each, limit))
        for p, v, tight in within if self.sets else vertices:
            best = min(risks := self.risks(p))
            for j in () if self.regions else tight:
                optimal = risks[table["cells"][j]["prediction"]] == best
                where = f"evidence.cells[{j}].prediction"
                _require(optimal, where, "not optimal at p = {}, where the cell is tight", p)
            wrong = [(t, i) for t, region in enumerate(self.regions) if risks[t] > best for i in range(len(region))]
            self.spend(10 * self.n * len(wrong))
            for place in wrong:
                higher = listed.get((p, *place), v) > v
                _require(higher, "evidence.apart", "prediction, piece {} may reach {} at p = {}", place, v, p)
                used.add((p, *place))
        for p, *which in listed.keys() - used:
            name, of = ("apart", f" where {which[0]} is wrong") if which else ("vertices", "")
            _require(False, f"evidence.{name}", "p = {} is not a vertex" + of, p)
        return f"{len(values)} cell{'s' * (len(values) > 1)}, {len(vertices)} vertices"

    def calibrated_by_estimates(self, evidence: Any) -> str:
        """p·(ℓ_t − ℓ_0) is affine in the estimate of p; or t is optimal at all p with estimates in the region of t."""
        if not self.regions:
            self.spend(10 * self.n * self.dim * self.k)
            table = _read(evidence, {"affine": [[_number, "d + 1"], "k"]}, self.sizes, "evidence")
            for t, function in enumerate(table["affine"]):
                fine = all(row[t] - row[0] == _dot(function, a) for row, a in zip(self.losses, self.scaled))
                _require(fine, f"evidence.affine[{t}]", "predictions {} and 0 do not differ by this function", t)
            return f"{self.k} functions of the estimate"
        count = len(_read(evidence, {}, self.sizes, "evidence"))
        for t, pieces in enumerate(self.regions):
            for piece, each in product(pieces, self.sets or [{}]):
                self.spend(10 * self.n * (self.dim + 1) * (1 + sum(map(len, piece.values()))))
                pulled = {kind: [[_dot(row, a) for a in self.scaled] for row in piece[kind]] for kind in _KINDS}
                rows: Rows = {kind: [*each.get(kind, ()), *pulled[kind]] for kind in _KINDS}
                for p, _, _ in self.vertices([[Fraction(0)] * self.n], rows, 10**5):
                    risks, count = self.risks(p), count + 1
                    _require(risks[t] == min(risks), f"pred.regions[{t}]", "the prediction is not optimal at p = {}", p)
        return f"{count} vertices of regions"

    def ccdim_at_least(self, evidence: Any) -> int:
        """affdim(L[S, T]) at p (thm:ccdim-lower-bound); or 2, as one cell meets three others in full sections of Δ."""
        shape = {"columns": [_prediction, "+"], "alone": [[_number, "n"]], "rows": [_label], "modulus": _modulus}
        table = _read(evidence, {**shape, "points": [[[_number, "n"], "+"], "+"]}, self.sizes, "evidence")
        columns, rows, groups, modulus = (table[key] for key in ("columns", "rows", "points", "modulus"))
        branching, different = len(groups) > 1, {self.columns[t] for t in columns}
        size = 4 if branching else 1 + len(rows)
        fine = {len(columns), len(different), len(table["alone"])} == {size}
        fine = fine and (len(groups), len(rows)) in ((1, size - 1), (3, 0))
        _require(fine, "evidence", "the columns repeat, or a list has the wrong size")
        for t, q in zip(columns, table["alone"], strict=True):
            risks = self.risks(self.distribution(q, "evidence.alone"))
            alone = all(risks[s] > risks[t] or self.columns[s] == self.columns[t] for s in range(self.k))
            _require(alone, "evidence.alone", "prediction {} is not the only optimal one at {}", t, tuple(q))
        first, *others = (self.columns[t] for t in columns)
        for i, points in enumerate(groups):
            path = f"evidence.points[{i}]"
            for p in points:
                best = min(risks := self.risks(self.distribution(p, path)))
                optimal = all(risks[t] == best for t in ((columns[0], columns[i + 1]) if branching else columns))
                _require(optimal, path, "not all of the predictions are optimal at {}", tuple(p))
            full = [dict(enumerate(_integral(p))) for p in points]
            matrix = full if branching else [{y: x[y] - first[y] for y in rows} for x in others]
            enough = len(points) == (self.n - 1 if branching else 1) and all(points[0][y] for y in rows)
            reason = "rows without probability, too few points, or not independent"
            _require(enough and self.independent(matrix, modulus), path, reason)
        return 2 if branching else len(rows)


class _Rankings(_Budget):
    """A loss offset(y) + scale(y) a(y)·b(t) on rankings t, for any offsets and scales > 0; factors are pairs i ≤ j."""

    def __init__(self, loss: dict[str, Any]) -> None:
        family = _read(loss["family"], tuple(_RANKINGS), {}, "loss.family")
        self.sizes = {"r": _index(loss.get("r"), {"most": 2001}, "loss.r", "most", 2), "two": 2}
        shape = {"family": family, "r": _index, **_RANKINGS[family], "?name": _text}
        if isinstance(loss.get("graphs"), list):  # of graphs, which are lists of edges: [i, j] prefers i to j
            shape["graphs"] = [[[_document, "two"]], "+"]
        loss = _read(loss, shape, self.sizes, "loss")
        self.title, self.r, self.q, self.graphs = (
            loss.get("name", "the loss"),
            loss["r"],
            loss.get("q"),
            loss.get("graphs"),
        )
        self.listed = [set(map(tuple, graph)) for graph in self.graphs] if isinstance(self.graphs, list) else []
        self.gain = _integral(loss.get("gain", (Fraction(0), Fraction(1))))
        self.share = _integral(loss.get("discount", [Fraction(1, 1 + s) for s in range(self.r)]))
        self.pairs = self.r * (self.r - 1) // 2 if self.graphs or family == "mean_average_precision" else 0  # i < j
        different = all(0 <= min(x) < max(x) for x in (self.gain, self.share)) and len(self.listed) != 1
        _require(different, "loss", "only one graph, or gains or discounts that are negative, or all the same")

    def ccdim_at_most(self, evidence: Any) -> int:
        """The dimension of the b(t), as Σ b_ii and Σ b_ij over i < j are constant without graphs; or labels − 1."""
        _read(evidence, {}, self.sizes, "evidence")
        dimension = self.pairs if self.graphs else self.r - 1 + max(self.pairs - 1, 0)
        return min(dimension, len(self.listed) - 1) if self.listed else dimension

    def ccdim_at_least(self, evidence: Any) -> int:
        """affdim(L[S, T]) at p (thm:ccdim-lower-bound): Σ w a(y) is constant on the b(t), so all t are optimal at p."""
        shape = {"labels": [[_index, "+"], "labels"], "weights": [_number, "labels"], "modulus": _modulus}
        shape |= {"base": [_document, "+"], "columns": [[_document, "+"], "d"], "rows": [[_multiplier, "+"], "d"]}
        table = _read(evidence, shape, self.sizes, "evidence")
        weights, modulus = table["weights"], table["modulus"]
        left = [self.left(y, f"evidence.labels[{i}]") for i, y in enumerate(table["labels"])]
        self.spend(200 * (self.r + self.pairs))
        total = self.combined(left, [((y,), w) for y, w in enumerate(weights)])
        single = {total.get((i, i), 0) for i in range(self.r)}
        double = {total.get(pair, 0) for pair in combinations(range(self.r), 2)} if self.pairs else {0}
        constant = double == {0} if self.graphs else len(single) == len(double) == 1
        _require(min(weights) > 0 and constant, "evidence.weights", "not positive, or not all risks are the same")
        for t in (table["base"], *table["columns"]):
            _require(len(set(t)) == len(t) == (self.q or self.r), "evidence", "{} is not a prediction", tuple(t))
        rows = [self.combined(left, row) for row in table["rows"]]
        self.spend((1 + len(rows)) * (len(rows) + 20 * sum(map(len, rows))))
        base = {pair: self.right(table["base"], *pair) for row in rows for pair in row}
        changes = ({pair: self.right(t, *pair) - b for pair, b in base.items()} for t in table["columns"])
        matrix = ({c: sum(x * b[pair] for pair, x in row.items()) for c, row in enumerate(rows)} for b in changes)
        _require(self.independent(matrix, modulus), "evidence.columns", "not independent on the rows")
        return len(rows)

    def combined(self, left: list[Factors], multipliers: list[tuple[tuple[int, ...], Fraction]]) -> Factors:
        """Return Σ w a(y), up to a positive factor."""
        total: Factors = {}
        for (index, _), w in zip(multipliers, _integral([w for _, w in multipliers])):
            _require(len(index) == 1 and index[0] < len(left), "evidence.rows", "no such label")
            self.spend(20 * len(left[index[0]]) * (1 + w.bit_length() // 64))
            total |= {pair: total.get(pair, 0) + w * x for pair, x in left[index[0]].items()}
        return total

    def left(self, y: list[int], path: str) -> Factors:
        """Return a(y): gain(y_i) at (i, i), or y_i y_j; or 1 at i < j if i is preferred to j, and −1 if j is to i."""
        self.spend(20 * len(y) ** (2 if self.pairs else 1))
        size = 1 if self.listed else 2 if self.graphs in _GRAPHS[:2] else self.r
        fine = len(set(y)) == len(y) == size and max(y) < (len(self.listed) or self.r)
        fine = fine if self.graphs else len(y) == self.r and max(y) < len(self.gain) and any(y)
        _require(fine, path, "not a relevance vector, or no edge, order or number of a graph")
        if self.graphs:
            edges: Any = self.listed[y[0]] if self.listed else set(combinations(y, 2))
            return {(i, j): ((i, j) in edges) - ((j, i) in edges) for i, j in map(sorted, edges)}
        relevant = [i for i, level in enumerate(y) if self.gain[level]]
        pairs = combinations_with_replacement(relevant, 2) if self.pairs else zip(relevant, relevant)
        return {(i, j): self.gain[y[i]] for i, j in pairs}

    def right(self, t: list[int], i: int, j: int) -> int:
        """Return b(t): whether i stands behind j; whether i is shown; its discount; or 1/max of positions from 1."""
        if self.graphs or self.q:
            return int(t[i] > t[j]) if self.graphs else int(i in t)
        return self.share[max(t[i], t[j])]
