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
from itertools import combinations, product
from math import gcd, lcm
from operator import mul
from typing import Any, NamedTuple, NoReturn

MAX_BYTES = 64 * 2**20  # of a certificate; this and the other limits see to it that no file takes forever
_NUMBER = re.compile("(-?(?:0|[1-9][0-9]{0,639}))(?:/([1-9][0-9]{0,639}))?")  # Python always converts 640 digits
_MAX_BITS = 20_000  # of a common denominator, and of the coordinates of a vertex
_MAX_WORK = 5 * 10**8  # steps of some 0.2 µs; an operation with fractions counts as ten
Vector = Sequence[Fraction]
Rows = dict[str, list[Vector]]  # of "inequalities" and "equations": (b, a) for b + a·u ≥ 0, or = 0; a for a·p ≥ 0
Sizes = dict[str, int]
Ray = tuple[tuple[int, ...], int]
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
    except (_FlawError, RecursionError, MemoryError) as flaw:
        known = isinstance(flaw, _FlawError)
        return Verification(False, (), str(flaw) if known else "file: nested too deeply, or too large for the memory")


class _FlawError(Exception): ...


def _reject(path: str, reason: str) -> NoReturn:
    raise _FlawError(f"{path or 'file'}: {reason}")


def _parse(text: str | bytes) -> Any:
    """Parse JSON, more strictly than Python: UTF-8, no key twice in an object, no integers of many digits."""
    if len(text) > MAX_BYTES:
        _reject("file", f"longer than {MAX_BYTES} bytes")
    try:
        return json.loads(
            text.decode("utf-8") if isinstance(text, bytes) else text,
            object_pairs_hook=lambda x: dict(x) if len(dict(x)) == len(x) else _reject("file", "a key comes twice"),
            parse_int=lambda x: int(x) if len(x) <= 18 else _reject("file", f"an integer of {len(x)} characters"),
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise _FlawError(f"file: not JSON in UTF-8: {error}") from error


def _read(value: Any, shape: Any, sizes: Sizes, path: str) -> Any:
    """Return the value, if it has the shape: keys (optional: "?"), entries and size ("+": some), a reader, or equal."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            _reject(path, f"expected an object, not {_show(value)}")
        shapes = {key.removeprefix("?"): each for key, each in shape.items()}
        for key in (*shapes, *value):
            if key not in shapes or (key not in value and key in shape):
                _reject(path, f"the key {_show(key)} is missing" if key in shapes else f"unknown key {_show(key)}")
        below = {key: f"{path}.{key}".lstrip(".") for key in shapes if key in value}
        return {key: _read(value[key], shapes[key], sizes, where) for key, where in below.items()}
    if isinstance(shape, list):
        if not isinstance(value, list):
            _reject(path, f"expected a list, not {_show(value)}")
        for name in shape[1:]:
            least = max(len(value), 1)
            if len(value) != (size := least if name == "+" else sizes.setdefault(name, least)):
                _reject(path, f"expected {size}{' or more' * (name == '+')} entries, not {len(value)}")
        return [_read(item, shape[0], sizes, f"{path}[{i}]") for i, item in enumerate(value)]
    if callable(shape):
        return shape(value, sizes, path)
    allowed = shape if isinstance(shape, tuple) else (shape,)
    if not any(type(value) is type(each) and value == each for each in allowed):
        _reject(path, f"expected {' or '.join(map(_show, allowed))}, not {_show(value)}")
    return value


def _index(value: Any, sizes: Sizes, path: str, size: str = "any") -> int:
    if type(value) is not int or not 0 <= value < sizes.get(size, MAX_BYTES):  # and true is no integer
        _reject(path, f"expected an integer in 0 … {sizes.get(size, MAX_BYTES) - 1}, not {_show(value)}")
    return value


def _number(value: Any, sizes: Sizes, path: str) -> Fraction:
    if not isinstance(value, str) or (match := _NUMBER.fullmatch(value)) is None:
        reason = "which is neither an integer nor a fraction, of at most 640 digits each"
        _reject(path, f"expected a number in quotes, not {_show(value)}, {reason}")
    numerator, denominator = int(match[1]), int(match[2] or 1)
    if match[2] and (denominator == 1 or gcd(numerator, denominator) != 1):
        _reject(path, f"{_show(value)} is not in lowest terms with a denominator of at least 2")
    return Fraction(numerator, denominator)


def _text(value: Any, sizes: Sizes, path: str) -> str:  # or an integer; made harmless for the line it will stand on
    text = (
        value if isinstance(value, str) or type(value) is int else _reject(path, f"expected text, not {_show(value)}")
    )
    return str(text) if str(text).isprintable() and len(str(text)) <= 80 else _show(text)


def _multiplier(value: Any, sizes: Sizes, path: str) -> tuple[tuple[int, ...], Fraction]:
    *head, last = value if isinstance(value, list) and value else _reject(path, f"not [index…, w] but {_show(value)}")
    index = tuple(_index(each, sizes, f"{path}[{i}]") for i, each in enumerate(head))
    return index, _number(last, sizes, f"{path}[{len(head)}]") or _reject(path, "a multiplier of 0")


_label, _prediction, _document = (partial(_index, size=size) for size in ("n", "k", "r"))
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
_GAINS = {"discount": [_number, "r"], "gain": [_number, "+"]}
_GRAPHS = {"graphs": ("all DAGs", "single edges", "tournaments", "total orders")}
_RANKINGS: Any = {"ndcg": _GAINS, "dcg": _GAINS, "precision_at": {"q": _document}, "mean_average_precision": {}}
_RANKINGS |= {"pairwise_disagreement": _GRAPHS}
_ESTIMATED: Any = {"estimates": [[_number, "d"], "n"], "?weights": [_number, "n"]}
_ESTIMATED |= {"theorem": tuple(_THEOREMS), "?name": _text}


class _Budget:
    def __init__(self) -> None:
        self.work = _MAX_WORK

    def spend(self, steps: int) -> None:
        work = self.work - steps
        self.work = work if work >= 0 else _reject("too much work", f"the check takes more than {_MAX_WORK} steps")


class _Case(_Budget):
    """The inputs of a certificate, and the work left for checking it; columns[t] is ℓ_t in integers, up to a factor."""

    def __init__(self, top: dict[str, Any]) -> None:
        estimated = isinstance(top.get("surrogate"), dict) and "estimates" in top["surrogate"]
        super().__init__()
        self.sizes = Sizes(one=1, three=3)
        for key, shape in {**_INPUTS, "surrogate": _ESTIMATED if estimated else _INPUTS["surrogate"]}.items():
            if (name := key.removeprefix("?")) in top:
                top[name] = _read(top[name], shape, self.sizes, name)
            if name == "surrogate":
                self.dim: int = self.sizes.setdefault("d", top.get(name, {}).get("dim", 0))
                if self.sizes.setdefault("d + 1", self.dim + 1) != self.dim + 1:
                    _reject("surrogate.dim", f"the pieces have {self.sizes['d + 1']} numbers")
        loss, surrogate, self.n, self.k = top["loss"], top.get("surrogate", {}), self.sizes["n"], self.sizes["k"]
        self.losses: list[list[Fraction]] = loss["entries"]
        if self.n < 2 or min(map(min, self.losses)) < 0:
            _reject("loss.entries", "there are fewer than two labels, or a loss is negative")
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
        units = all(x == (i == y) for y, a in enumerate(self.estimates) for i, x in enumerate(a)) and self.dim == self.n
        if estimated and (min(scales) <= 0 or not (surrogate["theorem"] == "mean" or (units and max(scales) == 1))):
            _reject("surrogate.estimates", "the theorem is about the unit vectors, or a weight is not positive")
        if estimated and surrogate["theorem"] == "binary margin":  # only a side is known: all regions must end at 1/2
            rows = [row for region in self.regions for piece in region for kind in _KINDS for row in piece[kind]]
            if self.n != 2 or not self.regions or any(row[0] + _sum(row[1:]) / 2 for row in rows):
                _reject("surrogate.theorem", "there are not two labels, or it says nothing about this pred")
        pred = f" with {top['pred'].get('name', 'the pred')}" if "pred" in top else ""
        self.title = f"{surrogate.get('name', 'the surrogate')}{pred} for " if surrogate else ""
        self.title += loss.get("name", "the loss") + " on the given distributions" * ("within" in top)

    def risks(self, p: Vector) -> list[int]:
        """Return the expected losses p·ℓ_t of all predictions t, up to a common positive factor."""
        self.spend(self.n * self.k)
        integers = _integral(p)
        return [sum(map(mul, integers, column)) for column in self.columns]

    def distribution(self, p: Vector, path: str) -> tuple[Fraction, ...]:
        fine = min(p) >= 0 and _sum(p) == 1
        return tuple(p) if fine else _reject(path, f"{_show(tuple(p))} is not a probability vector")

    def piece(self, place: dict[str, Any], path: str) -> Rows:
        """Return the rows of a piece of the region of a prediction, after those of the domain."""
        region = self.regions[place["prediction"]]
        piece = region[place["piece"]] if place["piece"] < len(region) else _reject(path, "there is no such piece")
        return {kind: self.domain[kind] + piece[kind] for kind in self.domain}

    def value(self, u: Vector, rows: Rows, path: str) -> list[Fraction]:
        """Return ψ(u), if u satisfies the rows."""
        self.spend(10 * (self.dim + 1) * (len(self.pieces) + sum(map(len, rows.values()))))
        for violation in _violated(rows, (1, *u)):
            _reject(path, violation)
        return [_sum(max(_dot(piece, (1, *u)) for piece in maximum) for maximum in maxima) for maxima in self.terms]

    def weights(self, entry: dict[str, Any], rows: Rows, path: str) -> tuple[tuple[Fraction, ...], Fraction]:
        """Return p and β if Σ w·(b, a) over pieces − Σ w·(b, a) over rows = (β, 0, …, 0): so p·ψ ≥ β on the rows."""
        p, summands = self.distribution(entry["p"], f"{path}.p"), list[tuple[Fraction, Vector]]()
        sums = {(y, g): Fraction(0) for y, maxima in enumerate(self.terms) for g in range(len(maxima))}
        for kind in ("pieces", *rows):
            known: Any = dict(self.pieces) if kind == "pieces" else {(i,): row for i, row in enumerate(rows[kind])}
            self.spend(len(known) + 10 * (self.dim + 1) * (1 + len(entry[kind])))
            for i, (index, w) in enumerate(entry[kind]):
                if index not in known or (w < 0 and kind != "equations"):
                    _reject(f"{path}.{kind}[{i}]", f"no such index, listed twice, or a multiplier of {_show(w)}")
                summands.append((w if kind == "pieces" else -w, known.pop(index)))
                if kind == "pieces":
                    sums[index[:2]] = _sum((sums[index[:2]], w))
        for (y, g), total in sums.items():
            if total != p[y]:
                _reject(path, f"the weights of label {y}, maximum {g} sum to {_show(total)}, not p = {_show(p[y])}")
        beta, *gradient = (_sum(w * row[c] for w, row in summands if row[c]) for c in range(self.dim + 1))
        if any(gradient):
            _reject(path, f"the pieces exceed the rows of the domain by {_show(tuple(gradient))}")
        return p, beta


def _violated(rows: Rows, x: Sequence[Fraction | int]) -> Iterator[str]:
    for kind in rows:
        for i, row in enumerate(rows[kind]):
            if (value := _dot(row, x)) < 0 or (value and kind == "equations"):
                yield f"row {i} of the {kind} has the value {_show(value)}"


def _limited(number: int) -> int:
    return number if number.bit_length() <= _MAX_BITS else _reject("arithmetic", f"more than {_MAX_BITS} bits come up")


def _sum(terms: Iterable[Fraction | int]) -> Fraction:
    total = Fraction(0)
    for term in terms:
        _limited((total := total + term).denominator)
    return total


def _dot(xs: Iterable[Fraction | int], ys: Iterable[Fraction | int]) -> Fraction:
    return _sum(x * y for x, y in zip(xs, ys, strict=True) if x and y)


def _prove(certificate: Any) -> tuple[tuple[str, ...], str]:
    """Return which theorems the certificate rests on, and what it proves, in one line."""
    claim = certificate.get("claim") if isinstance(certificate, dict) else None
    bounding = claim in ("ccdim at least", "ccdim at most")
    keys = ("loss", "evidence") if bounding else (*_INPUTS, "evidence")
    shape: Any = {"format": "lossmith-certificate", "version": 1, **dict.fromkeys(keys, lambda value, *_: value)}
    shape |= {"claim": claim, "value": _index} if bounding else {"claim": ("calibrated", "not calibrated")}
    top = _read(certificate, shape, {}, "")
    if bounding and isinstance(top["loss"], dict) and "family" in top["loss"]:
        bound = _of_rankings(top)
        if top["value"] > bound if claim == "ccdim at least" else top["value"] < bound:
            _reject("value", f"the evidence shows {bound}")
        return (), f"{claim}: {_text(top['loss'].get('name', 'the loss'), {}, 'loss.name')}: {top['value']}"
    if claim == "ccdim at most":
        _reject("claim", "for a loss that is written down, a calibrated surrogate shows it")
    case = _Case(top)
    if bounding and _at_least(case, top["evidence"]) < top["value"]:
        _reject("value", "the evidence is for less")
    if claim == "calibrated" and case.given == (_TANGENTS,):
        _reject("surrogate.tangents", "tangents at one point prove nothing elsewhere")
    prove = (_calibrated_by_estimates if case.estimates else _calibrated) if claim == "calibrated" else _not_calibrated
    return case.given, f"{claim}: {case.title}: {top['value'] if bounding else prove(case, top['evidence'])}"


def _not_calibrated(case: _Case, evidence: Any) -> str:
    """At points of N(ψ(u)) every prediction, or that of a pred near u, is beaten (thm:condition-necessary)."""
    asked: Any = {**_PLACE, "better": _prediction} if case.regions else {"better": [[_index, "three"], "k"]}
    points = [{"p": [_number, "n"]} if case.estimates else _WEIGHTS, "one" if case.regions else "+"]
    table = _read(evidence, {"u": [_number, "d"], "points": points, **asked}, case.sizes, "evidence")
    rows = case.piece(table, "evidence.piece") if case.regions else case.domain
    z, found = case.value(table["u"], rows, "evidence.u"), []
    case.spend(len(table["points"]) * 10 * case.n * (case.dim + sum(1 + len(x) for s in case.sets for x in s.values())))
    for i, entry in enumerate(table["points"]):
        path = f"evidence.points[{i}]"
        if case.estimates:
            p = case.distribution(entry["p"], path)
            total, *sums = (_dot(p, column) for column in zip(*case.scaled))
            if sums != [total * x for x in table["u"]]:
                _reject(path, "u is not the estimate that belongs to this p")
        else:
            p, beta = case.weights(entry, case.domain, path)
            if beta != _dot(p, z):
                _reject(path, f"the weights prove p·ψ ≥ {_show(beta)}, but p·ψ(u) = {_show(_dot(p, z))}")
        if case.sets and all(any(_violated(each, p)) for each in case.sets):
            _reject(path, f"p = {_show(p)} is not among the given distributions")
        found.append(p)
    better = [[table["prediction"], 0, table["better"]]] if case.regions else table["better"]
    for t, (worse, i, s) in enumerate(better):
        path = "evidence.better" if case.regions else f"evidence.better[{t}]"
        if (worse != t and not case.regions) or i >= len(found) or s >= case.k:
            _reject(path, f"{(worse, i, s)} is out of order or out of range")
        risks = case.risks(found[i])
        if risks[s] >= risks[worse]:
            _reject(path, f"prediction {s} is not better than {worse} at p = {_show(found[i])}")
    return f"u = {_show(tuple(table['u']))}, {len(found)} point{'s' * (len(found) > 1)}"


def _calibrated(case: _Case, evidence: Any) -> str:
    """The cells cover Δ, as the weights prove at the vertices, and lie in trigger sets (thm:condition-sufficient)."""
    cell = {"u": [_number, "d"]} if case.regions else {"u": [_number, "d"], "prediction": _prediction}
    apart = {"apart": [{**_PLACE, **_WEIGHTS}]} if case.regions else {}
    table = _read(evidence, {"cells": [cell, "+"], "vertices": [_WEIGHTS], **apart}, case.sizes, "evidence")
    values = [case.value(each["u"], case.domain, f"evidence.cells[{j}].u") for j, each in enumerate(table["cells"])]
    listed: dict[tuple[Any, ...], Fraction] = {}
    for name in ("vertices", *apart):
        for i, entry in enumerate(table[name]):
            path = f"evidence.{name}[{i}]"
            p, beta = case.weights(entry, case.piece(entry, path) if name == "apart" else case.domain, path)
            key = (p, entry["prediction"], entry["piece"]) if name == "apart" else (p,)
            if key in listed:
                _reject(path, f"p = {_show(p)} is listed a second time")
            listed[key] = beta
    limit, used = 50 * len(listed) + 10_000, set()
    vertices = list(_vertices(case, values, {}, limit))
    for p, v, _ in vertices:
        if listed.pop((p,), None) != v:
            _reject("evidence.vertices", f"p = {_show(p)} is missing, or its weights do not prove p·ψ ≥ {_show(v)}")
    within = (vertex for each in case.sets for vertex in _vertices(case, values, each, limit))
    for p, v, tight in within if case.sets else vertices:
        best = min(risks := case.risks(p))
        for j in () if case.regions else tight:
            if risks[table["cells"][j]["prediction"]] > best:
                _reject(f"evidence.cells[{j}].prediction", f"not optimal at p = {_show(p)}, where the cell is tight")
        wrong = [(t, i) for t, region in enumerate(case.regions) if risks[t] > best for i in range(len(region))]
        case.spend(10 * case.n * len(wrong))
        for place in wrong:
            if listed.get((p, *place), v) <= v:
                _reject("evidence.apart", f"prediction, piece {place} may reach {_show(v)} at p = {_show(p)}")
            used.add((p, *place))
    for p, *which in listed.keys() - used:
        name, of = ("apart", f" where {which[0]} is wrong") if which else ("vertices", "")
        _reject(f"evidence.{name}", f"p = {_show(p)} is not a vertex{of}")
    return f"{len(values)} cell{'s' * (len(values) > 1)}, {len(vertices)} vertices"


def _calibrated_by_estimates(case: _Case, evidence: Any) -> str:
    """Each p·(ℓ_t − ℓ_0) is affine in the estimate of p; or t is optimal at all p with estimates in the region of t."""
    if not case.regions:
        case.spend(10 * case.n * case.dim * case.k)
        table = _read(evidence, {"affine": [[_number, "d + 1"], "k"]}, case.sizes, "evidence")
        for t, function in enumerate(table["affine"]):
            if any(row[t] - row[0] != _dot(function, a) for row, a in zip(case.losses, case.scaled, strict=True)):
                _reject(f"evidence.affine[{t}]", f"predictions {t} and 0 do not differ by this function")
        return f"{case.k} functions of the estimate"
    count = len(_read(evidence, {}, case.sizes, "evidence"))
    for t, pieces in enumerate(case.regions):
        for piece, each in product(pieces, case.sets or [{}]):
            case.spend(10 * case.n * (case.dim + 1) * (1 + sum(map(len, piece.values()))))
            pulled = {kind: [[_dot(row, a) for a in case.scaled] for row in piece[kind]] for kind in _KINDS}
            rows: Rows = {kind: [*each.get(kind, ()), *pulled[kind]] for kind in _KINDS}
            for p, _, _ in _vertices(case, [[Fraction(0)] * case.n], rows, 10**5):
                risks, count = case.risks(p), count + 1
                if risks[t] > min(risks):
                    _reject(f"pred.regions[{t}]", f"the prediction is not optimal at p = {_show(p)}")
    return f"{count} vertices of regions"


def _at_least(case: _Case, evidence: Any) -> int:
    """affdim(L[S, T]) at p (thm:ccdim-lower-bound); or 2, as one cell meets three others in full sections of Δ."""
    shape = {"columns": [_prediction, "+"], "alone": [[_number, "n"]], "rows": [_label], "modulus": _index}
    table = _read(evidence, {**shape, "points": [[[_number, "n"], "+"], "+"]}, case.sizes, "evidence")
    columns, rows, groups, modulus = (table[key] for key in ("columns", "rows", "points", "modulus"))
    branching, different = len(groups) > 1, {case.columns[t] for t in columns}
    size = 1 + (3 if branching else len(rows))
    if {len(columns), len(different), len(table["alone"])} != {size} or (branching and (len(groups) != 3 or rows)):
        _reject("evidence", "the columns repeat, or a list has the wrong size")
    for t, q in zip(columns, table["alone"], strict=True):
        risks = case.risks(case.distribution(q, "evidence.alone"))
        if any(risks[s] <= risks[t] and case.columns[s] != case.columns[t] for s in range(case.k)):
            _reject("evidence.alone", f"prediction {t} is not the only optimal one at {_show(tuple(q))}")
    first, *others = (case.columns[t] for t in columns)
    for i, points in enumerate(groups):
        for p in points:
            best = min(risks := case.risks(case.distribution(p, f"evidence.points[{i}]")))
            if any(risks[t] > best for t in ((columns[0], columns[i + 1]) if branching else columns)):
                _reject(f"evidence.points[{i}]", f"not all of the predictions are optimal at {_show(tuple(p))}")
        matrix = [[x[y] - first[y] for y in rows] for x in others]
        matrix = [list(_integral(p)) for p in points] if branching else matrix
        lacking = len(points) != (case.n - 1 if branching else 1) or not all(points[0][y] for y in rows)
        if lacking or not _independent(matrix, modulus, case):
            _reject(f"evidence.points[{i}]", "rows without probability, too few points, or not independent")
    return 2 if branching else len(rows)


def _of_rankings(top: dict[str, Any]) -> int:
    """Bound CCdim of a loss offset(y) + scale(y) a(y)·b(t) on rankings: whatever the offsets and the scales are."""
    sizes, family = Sizes(r=_index(top["loss"].get("r"), {}, "loss.r"), two=2), top["loss"]["family"]
    shape = {"family": tuple(_RANKINGS), "r": _index, "?name": _text, **_RANKINGS.get(str(family), {})}
    if listed := isinstance(top["loss"].get("graphs"), list):
        shape["graphs"] = [[[_document, "two"]], "+"]
    loss, budget = _read(top["loss"], shape, sizes, "loss"), _Budget()
    budget.spend(100 * loss["r"] ** 2)
    r, graphs, average = loss["r"], loss.get("graphs"), family == "mean_average_precision"
    index = [(i, j) for i in range(r) for j in range(i, r) if (i == j) == (graphs is None) or average]
    if r < 2 or not all(0 <= min(x) < max(x) for x in map(loss.get, _GAINS) if x) or loss.get("q") == 0:
        _reject("loss", "there is nothing to rank")
    if top["claim"] == "ccdim at most":  # Σ b, and for pairs Σ b_ii, are the same for all t
        _read(top["evidence"], {}, sizes, "evidence")
        return min(len(index), len(graphs) - 1) if listed else len(index) - (1 + average if graphs is None else 0)
    shape = {"labels": [[_index, "+"], "labels"], "weights": [_number, "labels"], "rows": [[_multiplier, "+"], "d"]}
    shape |= {"columns": [[_document, "+"], "d"], "base": [_document, "+"], "modulus": _index}
    table = _read(top["evidence"], shape, sizes, "evidence")
    budget.spend(10 * len(index) * (2 * len(table["labels"]) + len(table["columns"])))
    left = [
        _row(loss, y, index) or _reject(f"evidence.labels[{i}]", "not a label") for i, y in enumerate(table["labels"])
    ]
    kinds = list(zip([_dot(table["weights"], column) for column in zip(*left)], (i == j for i, j in index)))
    if min(table["weights"]) <= 0 or (any(x for x, _ in kinds) if graphs else len(set(kinds)) > 1 + average):
        _reject("evidence.weights", "not all predictions have the same risk")
    rows = [
        [
            (left[y[0]], w) if len(y) == 1 and y[0] < len(left) else _reject("evidence.rows", "no such label")
            for y, w in row
        ]
        for row in table["rows"]
    ]
    combined = [_integral([_sum(w * a[c] for a, w in row) for c in range(len(index))]) for row in rows]
    sparse = [[(c, x) for c, x in enumerate(row) if x] for row in combined]
    base, *others = (
        _column(loss, t, index) or _reject("evidence", f"{_show(t)}: not a prediction")
        for t in (table["base"], *table["columns"])
    )
    changes = [_integral([x - y for x, y in zip(column, base)]) for column in others]
    budget.spend(len(changes) * sum(map(len, sparse)))
    if not _independent(
        [[sum(x * change[c] for c, x in row) for row in sparse] for change in changes], table["modulus"], budget
    ):
        _reject("evidence.columns", "not independent on the rows")
    return len(changes)


def _row(loss: dict[str, Any], y: list[int], index: list[tuple[int, int]]) -> list[Fraction] | None:
    """a(y): for each pair i ≤ j the gains, or y_i y_j; for each pair i < j whether i is preferred, 1, or j, −1."""
    r, graphs, gain = loss["r"], loss.get("graphs"), loss.get("gain", (Fraction(0), Fraction(1)))
    if graphs is None:
        fine = len(y) == r and max(y) < len(gain) and any(y)
        return [gain[y[i]] * (1 if i == j else y[j]) for i, j in index] if fine else None
    if isinstance(graphs, list):
        edges = {tuple(edge) for edge in graphs[y[0]]} if y[0] < len(graphs) else None
    else:
        fine = len(set(y)) == len(y) == (2 if graphs in ("all DAGs", "single edges") else r) and max(y) < r
        edges = set(combinations(y, 2)) if fine else None
    return None if edges is None else [Fraction((i, j) in edges) - ((j, i) in edges) for i, j in index]


def _column(loss: dict[str, Any], t: list[int], index: list[tuple[int, int]]) -> list[Fraction] | None:
    """b(t): the discounts, whether a document is shown, 1/max of two positions from 1, or whether i stands behind j."""
    if len(set(t)) != len(t) or len(t) != loss.get("q", loss["r"]):
        return None
    if "q" in loss or "discount" in loss:
        return [Fraction(i in t) if "q" in loss else loss["discount"][t[i]] for i, _ in index]
    return [Fraction(t[i] > t[j]) if "graphs" in loss else Fraction(1, 1 + max(t[i], t[j])) for i, j in index]


def _independent(rows: list[list[int]], modulus: int, budget: _Budget) -> bool:
    """Eliminate modulo a number with pivots that are units: then the determinant is a unit, and not 0."""
    if modulus < 2:
        return False
    for i, row in enumerate(rows):
        budget.spend(len(row) + len(rows))
        pivot = next((c for c, x in enumerate(row) if gcd(x, modulus) == 1), None)
        if pivot is None:
            return False
        inverse = pow(row[pivot], -1, modulus)
        for other in rows[i + 1 :]:
            if factor := other[pivot] * inverse % modulus:
                budget.spend(len(row))
                other[:] = [(a - factor * b) % modulus for a, b in zip(other, row)]
    return True


def _vertices(
    case: _Case, values: Sequence[Vector], rows: Rows, limit: int
) -> Iterator[tuple[Any, Fraction, list[int]]]:
    """Enumerate the vertices (p, v) of {p ∈ Δ satisfies the rows, v ≤ p·z_j}; in coordinates p, w = p·z_0 − v ≥ 0."""
    n, (first, *others) = case.n, values
    cuts = [_integral([*(x - y for x, y in zip(z, first, strict=True)), Fraction(1)]) for z in others]
    cuts += [_integral([*row, Fraction(0)]) for kind in rows for row in rows[kind]]
    cuts += [_integral([*(-x for x in row), Fraction(0)]) for row in rows.get("equations", ())]
    case.spend(20 * (n + 1) * (n + 1 + len(cuts)))
    for ray, zeros in _extreme_rays(cuts, n + 1, limit, case.spend):
        if scale := sum(ray[:n]):  # all rays but (0, …, 0, 1)
            p = tuple(Fraction(x, scale) for x in ray[:n])
            yield p, _dot(p, first) - Fraction(ray[n], scale), [j for j in range(len(values)) if zeros >> n + j & 1]


def _extreme_rays(rows: Sequence[Sequence[int]], size: int, limit: int, spend: Any) -> list[Ray]:
    """Enumerate the extreme rays of {x ≥ 0 : c·x ≥ 0 for all rows c}, each with the mask of its zeros: x, then rows."""
    rays = [(tuple(int(i == k) for k in range(size)), (1 << size) - 1 ^ 1 << i) for i in range(size)]
    for j, row in enumerate(rows):
        spend(len(rays) * (size * (1 + max(map(int.bit_length, row)) // 64) + j // 64))
        slack = [sum(map(mul, row, ray)) for ray, _ in rays]
        fresh: list[Ray] = []
        for i in (i for i, s in enumerate(slack) if s < 0):
            zeros = rays[i][1]  # an edge joins two rays if no third one has all zeros that they share: size − 2 or more
            near = [(k, c) for k, (_, x) in enumerate(rays) if (c := zeros & x).bit_count() >= size - 2 and k != i]
            ahead = [(k, c) for k, c in near if slack[k] > 0]
            spend((len(rays) + len(ahead) * len(near)) * (1 + zeros.bit_length() // 64))
            for k, common in ahead:
                if any(common & other == common for m, other in near if m != k):
                    continue
                crossing = [_limited(slack[k] * a - slack[i] * b) for a, b in zip(rays[i][0], rays[k][0], strict=True)]
                divisor = gcd(*crossing)
                fresh.append((tuple(x // divisor for x in crossing), common | 1 << size + j))
            if len(rays) + len(fresh) > limit:
                _reject("evidence", f"more than {limit} vertices come up, too many")
        rays = [(ray, zeros | (s == 0) << size + j) for (ray, zeros), s in zip(rays, slack) if s >= 0] + fresh
    return rays


def _integral(row: Sequence[Fraction]) -> tuple[int, ...]:
    common = 1
    for x in row:
        common = _limited(lcm(common, x.denominator))
    return tuple(int(x * common) for x in row)


def _show(value: Any) -> str:
    if isinstance(value, Fraction):
        bits = (value.numerator * value.denominator).bit_length()
        return str(value) if bits <= 600 else f"(a fraction of {bits} bits)"
    if isinstance(value, tuple):  # of fractions: JSON has none
        return f"({', '.join(map(_show, value[:50]))}{', …' * (len(value) > 50)})"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 80 else ascii(value[:80]) + "…"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else json.dumps(value)
