"""Check certificates about surrogates and losses, trusting nobody.

This program was written from the specification, ``docs/certificate-format.md``, which has the proofs. It needs only
Python's standard library, shares no code with lossmith, and is meant to be read from top to bottom.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import gcd, lcm
from operator import mul
from typing import Any, NamedTuple

MAX_BYTES = 64 * 2**20  # of a certificate; this and the other limits see to it that no file takes forever
_MAX_BITS = 20_000  # of a common denominator, and of the coordinates of a vertex
_MAX_WORK = 5 * 10**8  # steps of some 0.2 µs; an operation with fractions counts as ten or more
_NUMBER = re.compile("-?(0|[1-9][0-9]{0,639})(/[1-9][0-9]{0,639})?")  # Python always converts 640 digits
_THEOREMS = {
    "proper composite": "ψ is strictly proper composite: nearly least risk forces the estimated probabilities to p",
    "mean": "risk tends to the least if and only if what is read off u tends to the (weighted) mean of the a_y under p",
    "tangents": "ψ is convex, and the pieces are tangents of it at u",
    "binary margin": "ψ = (φ(u), φ(−u)), φ convex with φ′(0) ≠ 0: nearly least risk tells whether p_0 > 1/2",
}
Vector = Sequence[Fraction]
Rows = dict[str, list[Vector]]  # of "inequalities" and "equations": (b, a) for b + a·u ≥ 0, or = 0; a for a·p ≥ 0

# What is read, for _Checker.read.
_KINDS = ("inequalities", "equations")
_ROWS = {kind: [[Fraction, "d + 1"]] for kind in _KINDS}
_PLACE = {"prediction": "k", "piece": "any"}
_WEIGHTS: Any = {"p": "Δ", "pieces": [(*["any"] * 3, Fraction)], **{kind: [("any", Fraction)] for kind in _KINDS}}
_LOSS = {"entries": [[Fraction, "k"], "n"], "?labels": [str, "n"], "?predictions": [str, "k"], "?name": str}
_POLYHEDRAL = {"dim": "any", "terms": [[[[Fraction, "d + 1"], "+"], "+"], "n"], **_ROWS, "?tangents": {True}}
_ESTIMATED = {"estimates": [[Fraction, "d"], "n"], "?weights": [Fraction, "n"], "theorem": {*_THEOREMS} - {"tangents"}}
_GAINS = {"discount": [Fraction, "r"], "gain": [Fraction, "levels"]}
_RANKINGS: Any = {"ndcg": _GAINS, "dcg": _GAINS, "mean_average_precision": {}, "precision_at": {"q": "r"}}
_RANKINGS |= {"pairwise_disagreement": {"graphs": {"all DAGs", "single edges", "tournaments", "total orders"}}}


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
        _require(len(text) <= MAX_BYTES, "file", "longer than {} bytes", MAX_BYTES)
        certificate = json.loads(
            text.decode("utf-8") if isinstance(text, bytes) else text,
            object_pairs_hook=lambda x: _require(len(dict(x)) == len(x), "file", "a key comes twice") or dict(x),
            parse_int=lambda x: _require(len(x) <= 18, "file", "an integer of {} characters", len(x)) or int(x),
        )
        return Verification(True, *_prove(certificate))
    except (AssertionError, UnicodeDecodeError, json.JSONDecodeError) as flaw:
        return Verification(False, (), "file: not JSON in UTF-8: " * (type(flaw) is not AssertionError) + str(flaw))
    except (RecursionError, MemoryError):
        return Verification(False, (), "file: nested too deeply, or too large")


def _require(condition: object, path: str, reason: str, *values: Any) -> Any:  # None; the values are shown for {}
    if not condition:
        raise AssertionError(f"{path.lstrip('.') or 'file'}: {reason.format(*map(_show, values))}")


def _show(value: Any) -> str:
    if isinstance(value, tuple):  # JSON has none: of fractions, or of integers
        return f"({', '.join(map(_show, value[:50]))}{', …' * (len(value) > 50)})"
    if isinstance(value, Fraction):  # Python does not print numbers of very many digits
        return str(value) if max(abs(value.numerator), value.denominator) < 10**90 else "(a long fraction)"
    shown = "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else ascii(value)
    return shown if len(shown) <= 80 else shown[:80] + "…"


def _prove(certificate: Any) -> tuple[tuple[str, ...], str]:
    """Return which theorems the certificate rests on, and what it proves, in one line."""
    shape: Any = {"claim": {"calibrated", "not calibrated"}, "surrogate": object, "?pred": object, "?within": object}
    if isinstance(certificate, dict) and "value" in certificate:
        shape = {"claim": {"ccdim at least", "ccdim at most"}, "value": "any"}
    shape |= {"format": {"lossmith-certificate"}, "version": {1}, "loss": object, "evidence": object}
    top = _Checker().read(certificate, shape, "")
    claim, ranking = top["claim"], "value" in top and isinstance(top["loss"], dict) and "family" in top["loss"]
    _require(ranking or claim != "ccdim at most", "claim", "for a matrix, a calibrated surrogate shows it")
    case: Any = _Rankings(top["loss"]) if ranking else _Case(top)
    shown = getattr(case, claim.replace(" ", "_"))(top["evidence"])  # each claim has its method
    holds = "value" not in top or (top["value"] <= shown if claim == "ccdim at least" else top["value"] >= shown)
    _require(holds, "value", f"the evidence shows {claim} {shown}")
    return case.given, f"{claim}: {case.title}: {top.get('value', shown)}"


class _Checker:
    """What all checks share: reading, exact arithmetic that counts its steps, and two algorithms."""

    given: tuple[str, ...] = ()
    work = 0

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}  # by name; the first list of a size determines it

    def read(self, value: Any, shape: Any, path: str) -> Any:
        """Return the value, if it has the shape. The name of a size stands for the integers below it."""
        if isinstance(shape, dict):  # keys; "?…" are optional
            _require(isinstance(value, dict), path, "expected an object, not {}", value)
            shapes: Any = {key.removeprefix("?"): each for key, each in shape.items()}
            for key in (*shapes, *value):
                _require(key in shapes, path, "unknown key {}", key)
                _require(key in value or key not in shape, path, "the key {} is missing", key)
            return {key: self.read(value[key], each, f"{path}.{key}") for key, each in shapes.items() if key in value}
        if isinstance(shape, list | tuple):  # [shape of all entries, name of their number or "+" for some], (shapes)
            _require(isinstance(value, list), path, "expected a list, not {}", value)
            size = len(shape) if isinstance(shape, tuple) else len(value)
            for name in shape[1:] if isinstance(shape, list) else ():
                size = max(size, 1) if name == "+" else self.sizes.setdefault(name, max(size, 1))
            _require(len(value) == size, path, f"expected {size} entries, not {len(value)}")
            shapes = shape if isinstance(shape, tuple) else shape[:1] * size
            return [self.read(item, each, f"{path}[{i}]") for i, (item, each) in enumerate(zip(value, shapes))]
        if shape is Fraction:
            number = Fraction(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None
            fine = number is not None and str(abs(number)) == value.removeprefix("-")
            _require(fine, path, "expected a number in quotes, in lowest terms, of at most 640 digits, not {}", value)
            return number
        if shape == "Δ":
            p = tuple(self.read(value, [Fraction, "n"], path))
            _require(min(p) >= 0 and self.dot(p, [1] * len(p)) == 1, path, "{} is not a probability vector", p)
            return p
        if shape is str:  # a name, made harmless for the line it will stand on
            _require(isinstance(value, str) or type(value) is int, path, "expected text, not {}", value)
            return str(value) if str(value).isprintable() and len(str(value)) <= 80 else _show(value)
        values = range(self.sizes.get(shape, MAX_BYTES)) if isinstance(shape, str) else shape
        fine = shape is object or (type(value) is type(next(iter(values), None)) and value in values)
        _require(fine, path, "expected one of {}, not {}", values, value)
        return value

    def spend(self, steps: int, number: int = 0) -> int:
        """Count the steps, and return a number that has come up in them."""
        self.work += steps + number.bit_length() // 50
        _require(self.work <= _MAX_WORK, "too much work", "the check takes more than {} steps", _MAX_WORK)
        _require(number.bit_length() <= _MAX_BITS, "arithmetic", "more than {} bits come up", _MAX_BITS)
        return number

    def dot(self, xs: Sequence[Any], ys: Iterable[Any]) -> Fraction:
        self.spend(10 + 10 * len(xs))
        total = Fraction(0)
        for x, y in zip(xs, ys, strict=True):
            if x and y:
                self.spend(10, (total := total + x * y).denominator)
        return total

    def integral(self, row: Vector) -> tuple[int, ...]:
        """Return the row times its common denominator."""
        common = 1
        for x in row:
            common = self.spend(10, lcm(common, x.denominator))
        return tuple(x.numerator * (common // x.denominator) for x in row)

    def independent(self, rows: Iterable[dict[int, int]], modulus: int, path: str) -> None:
        """Eliminate modulo a number with pivots that are units: then a determinant is a unit, and not 0."""
        _require(modulus >= 2, "evidence.modulus", "less than 2")
        reduced: list[tuple[int, dict[int, int]]] = []  # each with 1 at its pivot, and 0 at the pivots before it
        for given in rows:
            row = {c: x % modulus for c, x in given.items()}
            for pivot, other in reduced:
                if factor := row.get(pivot):
                    self.spend(2 * len(other))
                    row |= {c: (row.get(c, 0) - factor * x) % modulus for c, x in other.items()}
            self.spend(100 * len(row) + len(reduced))
            unit: Any = next((c for c in sorted(row) if gcd(row[c], modulus) == 1), None)
            _require(unit is not None, path, "not independent modulo {}", modulus)
            inverse = pow(row[unit], -1, modulus)
            reduced.append((unit, {c: x * inverse % modulus for c, x in row.items() if x}))

    def extreme_rays(self, rows: Sequence[Sequence[int]], size: int, limit: int) -> list[tuple[tuple[int, ...], int]]:
        """Enumerate the extreme rays of {x ≥ 0 : c·x ≥ 0 for all rows c}, each with the mask of its zeros: x, rows."""
        self.spend(20 * size * size)
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
                        crossing = [self.spend(10, slack[k] * a - slack[i] * b) for a, b in zip(rays[i][0], rays[k][0])]
                        divisor = gcd(*crossing)
                        fresh.append((tuple(x // divisor for x in crossing), common | 1 << size + j))
                _require(len(rays) + len(fresh) <= limit, "evidence", f"more than {limit} vertices come up, too many")
            rays = [(ray, zeros | (s == 0) << size + j) for (ray, zeros), s in zip(rays, slack) if s >= 0] + fresh
        return rays


class _Case(_Checker):
    """The inputs of a certificate with a matrix; columns[t] is ℓ_t up to a factor, estimates[y] is w_y (1, a_y)."""

    def __init__(self, top: dict[str, Any]) -> None:
        super().__init__()
        loss = self.read(top["loss"], _LOSS, "loss")
        self.losses, self.n, self.k = loss["entries"], self.sizes["n"], self.sizes["k"]
        self.title = loss.get("name", "the loss")
        _require(self.n >= 2 and min(map(min, self.losses)) >= 0, "loss.entries", "one label, or a negative loss")
        integers = self.integral([x for row in self.losses for x in row])
        self.columns = [integers[t :: self.k] for t in range(self.k)]
        if "surrogate" not in top:
            return
        estimated = isinstance(top["surrogate"], dict) and "estimates" in top["surrogate"]
        shape: Any = _ESTIMATED if estimated else _POLYHEDRAL
        surrogate = self.read(top["surrogate"], {**shape, "?name": str}, "surrogate")
        self.dim: int = self.sizes.setdefault("d", surrogate.get("dim", 0))
        _require(self.sizes.setdefault("d + 1", self.dim + 1) == self.dim + 1, "surrogate.dim", "unlike the pieces")
        self.domain: Rows = {kind: surrogate.get(kind, []) for kind in _KINDS}
        self.terms: list[list[list[Vector]]] = surrogate.get("terms", [])
        maxima = [(y, g, maximum) for y, each in enumerate(self.terms) for g, maximum in enumerate(each)]
        self.pieces = {(y, g, j): piece for y, g, maximum in maxima for j, piece in enumerate(maximum)}
        pred = self.read(top["pred"], {"regions": [[_ROWS], "k"], "?name": str}, "pred") if "pred" in top else {}
        self.regions: list[list[Rows]] = pred.get("regions", [])
        sets = [{kind: [[Fraction, "n"]] for kind in _KINDS}, "+"]
        self.sets = [*map(self.halfspaces, self.read(top["within"], sets, "within") if "within" in top else ())]
        theorem, scales = surrogate.get("theorem", "tangents"), surrogate.get("weights", [Fraction(1)] * self.n)
        self.given = (_THEOREMS[theorem],) * (estimated or "tangents" in surrogate)
        self.estimates = [(w, *(w * x for x in a)) for w, a in zip(scales, surrogate.get("estimates", ()))]
        units = all(a[:1] == a[y : y + 1] == (1,) and sum(map(bool, a)) == 2 for y, a in enumerate(self.estimates, 1))
        fine = min(scales) > 0 and (theorem in ("mean", "tangents") or (units and self.dim == self.n))
        _require(fine, "surrogate.estimates", "the theorem is about the unit vectors, or a weight is not positive")
        if theorem == "binary margin":  # only a side is known: all regions must end at 1/2
            rows = [row for region in self.regions for piece in region for row in self.halfspaces(piece)]
            fine = self.n == 2 and self.regions and not any(self.dot((2, 1, 1), row) for row in rows)
            _require(fine, "surrogate.theorem", "there are not two labels, or it says nothing about this pred")
        name = surrogate.get("name", "the surrogate") + f" with {pred.get('name', 'the pred')}" * bool(pred)
        self.title = f"{name} for {self.title}" + " on the given distributions" * bool(self.sets)

    def risks(self, p: Vector) -> list[int]:
        """Return the expected losses p·ℓ_t of all predictions t, up to a common positive factor."""
        self.spend(self.n * self.k)
        integers = self.integral(p)
        return [sum(map(mul, integers, column)) for column in self.columns]

    def rows(self, entry: dict[str, Any]) -> Rows:
        """Return the rows of the domain and, if the entry names a piece of a region, after them those of the piece."""
        if "piece" not in entry:
            return self.domain
        region = self.regions[entry["prediction"]]
        _require(entry["piece"] < len(region), "evidence", "there is no piece {}", entry["piece"])
        return {kind: self.domain[kind] + region[entry["piece"]][kind] for kind in _KINDS}

    def halfspaces(self, rows: Rows) -> list[Vector]:
        """Return the rows a of all a·x ≥ 0, two for each equation."""
        return [*rows["inequalities"], *rows["equations"], *([-x for x in row] for row in rows["equations"])]

    def value(self, u: Vector, rows: Rows) -> list[Fraction]:
        """Return ψ(u), if u satisfies the rows."""
        inside = all(self.dot(row, (1, *u)) >= 0 for row in self.halfspaces(rows))
        _require(inside, "evidence", "u = {} does not satisfy all rows", tuple(u))
        largest = [[max(self.dot(piece, (1, *u)) for piece in each) for each in maxima] for maxima in self.terms]
        return [self.dot(each, [1] * len(each)) for each in largest]

    def weights(self, entry: dict[str, Any], rows: Rows) -> tuple[tuple[Fraction, ...], Fraction]:
        """Return p and β if Σ w·(b, a) over pieces − Σ w·(b, a) over rows = (β, 0, …, 0): so p·ψ ≥ β on the rows."""
        p, weights = entry["p"], dict[tuple[Any, ...], Fraction]()
        missing = {(y, g): p[y] for y, g, _ in self.pieces}
        known: Any = {(kind, i): row for kind in _KINDS for i, row in enumerate(rows[kind])} | self.pieces
        self.spend(len(known))
        for *place, w in [*entry["pieces"], *((kind, *each) for kind in _KINDS for each in entry[kind])]:
            fine = (index := tuple(place)) in known and index not in weights and (w > 0 or (w and "equations" in index))
            _require(fine, "evidence", "p = {}: no index {}, or listed twice, or a multiplier of {}", p, index, w)
            weights[index] = w if index in self.pieces else -w
            if index in self.pieces:
                missing[index[:2]] = self.dot((missing[index[:2]], w), (1, -1))
        _require(not any(missing.values()), "evidence", "p = {}: the weights of a maximum do not sum to p_y", p)
        beta, *gradient = (self.dot([known[i][c] for i in weights], weights.values()) for c in range(self.dim + 1))
        _require(not any(gradient), "evidence", "p = {}: the pieces exceed the rows by {}", p, tuple(gradient))
        return p, beta

    def vertices(self, values: Sequence[Vector], rows: list[Vector], limit: int) -> Iterator[Any]:
        """Enumerate the vertices (p, v) of {p ∈ Δ satisfies the rows, v ≤ p·z_j}; with coordinates p, p·z_0 − v ≥ 0."""
        n, (first, *others) = self.n, values
        cuts = [self.integral([*(x - y for x, y in zip(z, first, strict=True)), Fraction(1)]) for z in others]
        cuts += [self.integral([*row, Fraction(0)]) for row in rows]
        for ray, zeros in self.extreme_rays(cuts, n + 1, limit):
            if scale := sum(ray[:n]):  # all rays but (0, …, 0, 1)
                p = tuple(Fraction(x, scale) for x in ray[:n])
                tight = [j for j in range(len(values)) if zeros >> n + j & 1]
                yield p, self.dot(p, first) - Fraction(ray[n], scale), tight

    def not_calibrated(self, evidence: Any) -> str:
        """At points of N(ψ(u)) every prediction, or that of a pred near u, is beaten (thm:condition-necessary)."""
        point = {"p": "Δ"} if self.estimates else _WEIGHTS
        shape: Any = {"points": [point, "points"], "better": [("k", "points", "k"), "k"]}
        shape = {"points": (point,), **_PLACE, "better": "k"} if self.regions else shape
        table = self.read(evidence, {"u": [Fraction, "d"], **shape}, "evidence")
        z, found = self.value(table["u"], self.rows(table)), []
        for entry in table["points"]:
            if self.estimates:
                p, (total, *sums) = entry["p"], (self.dot(entry["p"], column) for column in zip(*self.estimates))
                _require(sums == [total * x for x in table["u"]], "evidence.points", "u does not belong to p = {}", p)
            else:
                p, beta = self.weights(entry, self.domain)
                _require(beta == self.dot(p, z), "evidence.points", "the weights prove p·ψ ≥ {}, not p·ψ(u)", beta)
            given = not self.sets or any(all(self.dot(row, p) >= 0 for row in each) for each in self.sets)
            _require(given, "evidence.points", "p = {} is not among the given distributions", p)
            found.append(p)
        better = [(table["prediction"], 0, table["better"])] if self.regions else table["better"]
        for t, (worse, i, s) in enumerate(better):
            risks = self.risks(found[i])
            fine = (worse == t or self.regions) and risks[s] < risks[worse]
            _require(fine, "evidence.better", "out of order, or {} is not better than {} at p = {}", s, worse, found[i])
        return f"u = {_show(tuple(table['u']))}, {len(found)} point{'s' * (len(found) > 1)}"

    def calibrated(self, evidence: Any) -> str:
        """The cells cover Δ, as weights prove at the vertices, and lie in trigger sets (thm:condition-sufficient)."""
        if self.estimates:
            return self.calibrated_by_estimates(evidence)
        _require(not self.given, "surrogate.tangents", "tangents at one point prove nothing elsewhere")
        cell = {"u": [Fraction, "d"]} if self.regions else {"u": [Fraction, "d"], "prediction": "k"}
        apart = {"apart": [{**_PLACE, **_WEIGHTS}]} if self.regions else {}
        table = self.read(evidence, {"cells": [cell, "+"], "vertices": [_WEIGHTS], **apart}, "evidence")
        values = [self.value(each["u"], self.domain) for each in table["cells"]]
        listed: dict[tuple[Any, ...], Fraction] = {}  # β by p, or by p, prediction and piece
        for entry in [*table["vertices"], *table.get("apart", ())]:
            p, beta = self.weights(entry, self.rows(entry))
            place = (p, *(entry[key] for key in _PLACE if key in entry))
            _require(place not in listed, "evidence", "p = {} is listed a second time", p)
            listed[place] = beta
        limit = 50 * len(listed) + 10_000
        vertices = list(self.vertices(values, [], limit))
        for p, v, _ in vertices:
            _require(listed.get((p,)) == v, "evidence.vertices", "p = {} is missing, or does not prove p·ψ ≥ {}", p, v)
        used: set[Any] = {(p,) for p, _, _ in vertices}
        within = (vertex for each in self.sets for vertex in self.vertices(values, each, limit))
        for p, v, tight in within if self.sets else vertices:
            best = min(risks := self.risks(p))
            optimal = self.regions or all(risks[table["cells"][j]["prediction"]] == best for j in tight)
            _require(optimal, "evidence.cells", "the prediction of a cell that is tight at p = {} is not optimal", p)
            wrong = [(p, t, i) for t, each in enumerate(self.regions) if risks[t] > best for i in range(len(each))]
            self.spend(10 * self.n * len(wrong))
            for place in wrong:
                _require(listed.get(place, v) > v, "evidence.apart", "{} may reach the least risk {}", place, v)
            used.update(wrong)
        _require(len(used) == len(listed), "evidence", "weights for p that are no vertices, or where all is right")
        return f"{len(values)} cell{'s' * (len(values) > 1)}, {len(vertices)} vertices"

    def calibrated_by_estimates(self, evidence: Any) -> str:
        """p·(ℓ_t − ℓ_0) is affine in the estimate of p; or t is optimal at all p with estimates in the region of t."""
        if not self.regions:
            table = self.read(evidence, {"affine": [[Fraction, "d + 1"], "k"]}, "evidence")
            for t, function in enumerate(table["affine"]):
                fine = all(row[t] - row[0] == self.dot(function, a) for row, a in zip(self.losses, self.estimates))
                _require(fine, f"evidence.affine[{t}]", "predictions {} and 0 do not differ by this function", t)
            return f"{self.k} functions of the estimate"
        count = len(self.read(evidence, {}, "evidence"))
        for t, pieces in enumerate(self.regions):
            for piece, each in product(pieces, self.sets or [[]]):
                pulled = [[self.dot(row, a) for a in self.estimates] for row in self.halfspaces(piece)]
                for p, _, _ in self.vertices([[Fraction(0)] * self.n], [*each, *pulled], 10**5):
                    risks, count = self.risks(p), count + 1
                    _require(risks[t] == min(risks), f"pred.regions[{t}]", "the prediction is not optimal at p = {}", p)
        return f"{count} vertices of regions"

    def ccdim_at_least(self, evidence: Any) -> int:
        """affdim(L[S, T]) at p (thm:ccdim-lower-bound); or 2, as one cell meets three others in full sections of Δ."""
        shape = {"points": [["Δ", "+"], "+"], "columns": ["k", "+"], "alone": ["Δ"], "modulus": "any"}
        groups, columns, alone, modulus = self.read(evidence, shape, "evidence").values()
        different = {self.columns[t] for t in columns}
        sizes = [len(different), len(columns), len(alone), len(groups), *map(len, groups)]
        fine = sizes == ([4, 4, 4, 3] + [self.n - 1] * 3 if alone else [len(columns)] * 2 + [0, 1, 1])
        _require(fine, "evidence", "the columns repeat, or a list has the wrong size")
        for t, q in zip(columns, alone):
            risks = self.risks(q)
            fine = all(risks[s] > risks[t] or self.columns[s] == self.columns[t] for s in range(self.k))
            _require(fine, "evidence.alone", "prediction {} is not the only optimal one at {}", t, q)
        first, *others = (self.columns[t] for t in columns)
        for i, points in enumerate(groups):
            for p in points:
                best = min(risks := self.risks(p))
                optimal = all(risks[t] == best for t in ((columns[0], columns[i + 1]) if alone else columns))
                _require(optimal, "evidence.points", "not all of the predictions are optimal at {}", p)
            differences = [{y: x[y] - first[y] for y in range(self.n) if p[y]} for x in others]
            full = [dict(enumerate(self.integral(p))) for p in points]
            self.independent(full if alone else differences, modulus, f"evidence.points[{i}]")
        return 2 if alone else len(others)


class _Rankings(_Checker):
    """A loss offset(y) + scale(y) a(y)·b(t) on rankings t, for any offsets and scales > 0; factors are pairs i ≤ j."""

    def __init__(self, loss: dict[str, Any]) -> None:
        self.sizes = {"most": 2001}
        family = self.read(loss["family"], {*_RANKINGS}, "loss.family")
        self.r = self.sizes["r"] = self.read(loss.get("r"), "most", "loss.r")
        shape = {"family": {family}, "r": "most", **_RANKINGS[family], "?name": str}
        if "graphs" in shape and isinstance(loss.get("graphs"), list):  # of lists of edges: [i, j] prefers i to j
            shape["graphs"] = [[("r", "r")], "graphs"]
        loss = self.read(loss, shape, "loss")
        self.title, self.graphs, self.q = loss.get("name", "the loss"), loss.get("graphs"), loss.get("q", self.r)
        self.listed = [set(map(tuple, graph)) for graph in self.graphs] if isinstance(self.graphs, list) else []
        self.gain = self.integral(loss.get("gain", (Fraction(0), Fraction(1))))
        self.share = self.integral(loss.get("discount", [Fraction(1, 1 + s) for s in range(self.r)]))
        self.pairs = self.r * (self.r - 1) // 2 if self.graphs or family == "mean_average_precision" else 0  # i < j
        fine = len(self.listed) != 1 and all(len(x) > 1 and 0 <= min(x) < max(x) for x in (self.gain, self.share))
        _require(fine and self.q, "loss", "nothing is shown, one graph, or gains or discounts equal or negative")

    def ccdim_at_most(self, evidence: Any) -> int:
        """The dimension of the b(t), as Σ b_ii and Σ b_ij over i < j are constant without graphs; or labels − 1."""
        self.read(evidence, {}, "evidence")
        dimension = self.pairs if self.graphs else self.r - 1 + max(self.pairs - 1, 0)
        return min(dimension, len(self.listed) - 1) if self.listed else dimension

    def ccdim_at_least(self, evidence: Any) -> int:
        """affdim(L[S, T]) at p (thm:ccdim-lower-bound): Σ w a(y) is constant on the b(t), so all t are optimal at p."""
        self.sizes |= {"shown": self.q, "levels": len(self.gain)}
        short = self.graphs in ("all DAGs", "single edges")
        label = ("graphs",) if self.listed else ("r", "r") if short else ["r" if self.graphs else "levels", "r"]
        shape = {"labels": [label, "labels"], "weights": [Fraction, "labels"], "modulus": "any"}
        shape |= {"base": ["r", "shown"], "columns": [["r", "shown"], "d"], "rows": [[("labels", Fraction), "+"], "d"]}
        table = self.read(evidence, shape, "evidence")
        labels, weights = table["labels"], table["weights"]
        total = self.combined(zip(labels, weights))
        single = {total.get((i, i), 0) for i in range(self.r)}
        double = {total.get(pair, 0) for pair in combinations(range(self.r), 2)} if self.pairs else {0}
        constant = double == {0} if self.graphs else len(single) == len(double) == 1
        _require(min(weights) > 0 and constant, "evidence.weights", "not positive, or not all risks are the same")
        different = all(len(set(t)) == len(t) for t in (table["base"], *table["columns"]))
        _require(different, "evidence.columns", "not all are predictions")
        rows = [self.combined((labels[y], w) for y, w in row) for row in table["rows"]]
        base = [self.risk(row, table["base"]) for row in rows]
        changes = ({c: self.risk(row, t) - base[c] for c, row in enumerate(rows)} for t in table["columns"])
        self.independent(changes, table["modulus"], "evidence.columns")
        return len(rows)

    def combined(self, multipliers: Iterable[tuple[Any, Fraction]]) -> dict[Any, int]:
        """Return Σ w a(y), up to a positive factor."""
        labels, weights = zip(*multipliers)
        total: dict[Any, int] = {}
        for y, w in zip(labels, self.integral(weights)):
            self.spend(10 * len(y))
            for pair, x in self.left(y).items():
                self.spend(10, w)
                total[pair] = total.get(pair, 0) + w * x
        return {pair: x for pair, x in total.items() if x}

    def left(self, y: list[int]) -> dict[Any, int]:
        """Return a(y): gain(y_i) at (i, i), or y_i y_j; or 1 at i < j if i is preferred to j, and −1 if j is to i."""
        _require(len(set(y)) == len(y) if self.graphs else any(y), "evidence.labels", "{} is no label", tuple(y))
        if self.graphs:
            edges: Any = self.listed[y[0]] if self.listed else set(combinations(y, 2))
            return {(i, j): ((i, j) in edges) - ((j, i) in edges) for i, j in map(sorted, edges)}
        relevant = [i for i, level in enumerate(y) if self.gain[level]]
        pairs = combinations_with_replacement(relevant, 2) if self.pairs else zip(relevant, relevant)
        return {(i, j): self.gain[y[i]] for i, j in pairs}

    def risk(self, row: dict[Any, int], t: list[int]) -> int:
        """Return Σ x b(t): whether i stands behind j, or is shown; its discount; or 1/max of positions from 1."""
        self.spend(20 + 20 * len(row))
        if self.graphs:
            return sum(x for (i, j), x in row.items() if t[i] > t[j])
        if self.q < self.r:
            return sum(x for (i, _), x in row.items() if i in t)
        return sum(x * self.share[max(t[i], t[j])] for (i, j), x in row.items())
