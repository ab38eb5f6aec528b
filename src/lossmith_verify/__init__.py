"""Check certificates about the calibration of polyhedral surrogates, trusting nobody.

A certificate states that a surrogate ψ is, or is not, calibrated for a loss, and carries the evidence. The format is
specified in ``docs/certificate-format.md``; this program was written from that document alone. It needs nothing but
Python's standard library, shares no code with lossmith, computes with integers and fractions, and is meant to be read
from top to bottom: the verdict; reading the file; loss, surrogate and *weights*; the two claims; vertices; printing.

>>> print(check("{}"))
rejected: file: the key 'format' is missing
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from operator import mul
from typing import NamedTuple, NoReturn

__all__ = ["MAX_BYTES", "Verification", "check", "explain"]

MAX_BYTES = 64 * 2**20  # of a certificate; this and the other limits see to it that no file takes forever
_NUMBER = re.compile("(-?(?:0|[1-9][0-9]{0,639}))(?:/([1-9][0-9]{0,639}))?")  # Python always converts 640 digits
_MAX_BITS = 20_000  # of a common denominator, and of the coordinates of a vertex
_MAX_WORK = 5 * 10**8  # steps of some 0.2 µs; an operation with fractions counts as ten

Vector = tuple[Fraction, ...]
Row = tuple[Fraction, ...]  # (b, a_1, …, a_d), which stands for b + a·u
Rows = dict[tuple[int, ...], Row]  # rows by their index in the file
Ray = tuple[int, ...]  # (p_1, …, p_n, v) up to a positive factor
Spend = Callable[[int], None]


@dataclass(frozen=True)
class Verification:
    """The verdict on a certificate: accepted or not, given which theorems without proof, and why (one line)."""

    accepted: bool
    given: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{'accepted' if self.accepted else 'rejected'}: {self.why}"


def check(text: str | bytes) -> Verification:
    """Check the text of a certificate. Whatever is wrong with it, the answer is a rejection and not an exception."""
    return _examine(text)[0]


def explain(text: str | bytes) -> str:
    """Check a certificate, and tell what it proves and how; the first line is the verdict, as `check` gives it."""
    verdict, account = _examine(text)
    return "\n".join([str(verdict), "", *account])


def _examine(text: str | bytes) -> tuple[Verification, list[str]]:
    try:
        why, account = _prove(_parse(text))
        return Verification(True, (), why), account
    except _FlawError as flaw:
        why = str(flaw)
    except (RecursionError, MemoryError):
        why = "file: nested too deeply, or too large for the memory"
    return Verification(False, (), why), ["The certificate is rejected. It proves neither its claim nor the contrary."]


class _FlawError(Exception):
    """A reason to reject the certificate, after the place where it was found."""


# Reading the file ----------------------------------------------------------------------------------------------------
def _parse(text: str | bytes) -> _Node:
    """Parse JSON, more strictly than Python: UTF-8, no key twice in an object, no integers of many digits."""
    if len(text) > MAX_BYTES:
        raise _FlawError(f"file: longer than {MAX_BYTES} bytes")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        return _Node("", json.loads(decoded, object_pairs_hook=_distinct_keys, parse_int=_short_integer))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise _FlawError(f"file: not JSON in UTF-8: {error}") from error


def _distinct_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        [(key, times)] = Counter(key for key, _ in pairs).most_common(1)
        raise _FlawError(f"file: an object has the key {_show(key)} {times} times")
    return dict(pairs)


def _short_integer(digits: str) -> int:
    if len(digits) > 18:
        raise _FlawError(f"file: an integer of {len(digits)} characters")
    return int(digits)


class _Node(NamedTuple):
    """A value in the file, of unknown type, and the path that leads to it."""

    path: str
    value: object

    def reject(self, reason: str) -> NoReturn:
        raise _FlawError(f"{self.path or 'file'}: {reason}")

    def table(self, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, _Node]:
        if not isinstance(self.value, dict):
            self.reject(f"expected an object, not {_show(self.value)}")
        for key in (*required, *self.value):
            if key not in self.value:
                self.reject(f"the key {_show(key)} is missing")
            if key not in required and key not in optional:
                self.reject(f"unknown key {_show(key)}")
        return {key: _Node(f"{self.path}.{key}".lstrip("."), value) for key, value in self.value.items()}

    def items(self, size: int | None = None, least: int = 0) -> Iterator[_Node]:
        if not isinstance(self.value, list):
            self.reject(f"expected a list, not {_show(self.value)}")
        if len(self.value) < least or size not in (None, len(self.value)):
            self.reject(f"expected {f'at least {least}' if size is None else size} entries, not {len(self.value)}")
        return (_Node(f"{self.path}[{i}]", value) for i, value in enumerate(self.value))

    def integer(self, below: int) -> int:
        if type(self.value) is not int:  # and true is no integer
            self.reject(f"expected an integer, not {_show(self.value)}")
        return self.value if 0 <= self.value < below else self.reject(f"{self.value} is not in 0 … {below - 1}")

    def number(self) -> Fraction:
        if not isinstance(self.value, str):
            self.reject(f"expected a number in quotes, not {_show(self.value)}")
        match = _NUMBER.fullmatch(self.value)
        if match is None:
            self.reject(f"{_show(self.value)} is neither an integer nor a fraction, of at most 640 digits each")
        numerator, denominator = int(match[1]), int(match[2] or 1)
        if match[2] and (denominator == 1 or gcd(numerator, denominator) != 1):
            self.reject(f"{_show(self.value)} is not in lowest terms with a denominator of at least 2")
        return Fraction(numerator, denominator)

    def numbers(self, size: int) -> Vector:
        return tuple(item.number() for item in self.items(size))

    def text(self) -> str:
        """Read what is only printed, made harmless for the line it will be printed on."""
        if not isinstance(self.value, str):
            self.reject(f"expected text, not {_show(self.value)}")
        return self.value if self.value.isprintable() and len(self.value) <= 80 else _show(self.value)


# The loss, the surrogate, and weights --------------------------------------------------------------------------------
def _limited(number: int) -> int:
    """Return the number, unless it is so long that to compute with such ones would take forever."""
    if number.bit_length() > _MAX_BITS:
        raise _FlawError(f"arithmetic: a number of more than {_MAX_BITS} bits comes up")
    return number


def _sum(terms: Iterable[Fraction]) -> Fraction:
    total = Fraction(0)
    for term in terms:
        total += term
        _limited(total.denominator)
    return total


def _dot(xs: Iterable[Fraction], ys: Iterable[Fraction]) -> Fraction:
    return _sum(x * y for x, y in zip(xs, ys, strict=True) if x and y)


class _Case:
    """The loss and the surrogate of a certificate, as read from it, and the work left for checking it.

    losses[y][t] is the loss of prediction t when the truth is y; columns[t] is ℓ_t in integers, up to a factor common
    to all t. terms[y] holds the maxima whose sum is ψ_y, each with its pieces; rows holds the pieces again by their
    index (y, g, j), and the rows of the domain by theirs, (i,).
    """

    def __init__(self, loss: _Node, surrogate: _Node) -> None:
        self.work = _MAX_WORK
        table = loss.table(("entries",), ("labels", "predictions", "name"))
        self.k = len(list(next(table["entries"].items(least=2)).items(least=1)))
        self.losses = []
        for row in table["entries"].items():
            self.losses.append(row.numbers(self.k))
            if min(self.losses[-1]) < 0:
                row.reject(f"the loss {_show(min(self.losses[-1]))} is negative")
        self.n = len(self.losses)
        integers = _integral([x for numbers in self.losses for x in numbers])
        self.columns = [integers[t :: self.k] for t in range(self.k)]
        self.labels = _names(table.get("labels"), self.n)
        self.predictions = _names(table.get("predictions"), self.k)
        self.loss_name = table["name"].text() if "name" in table else "the loss"
        table = surrogate.table(("dim", "terms", "inequalities", "equations"), ("name",))
        self.dim = table["dim"].integer(MAX_BYTES)
        self.terms = [
            [[piece.numbers(self.dim + 1) for piece in maximum.items(least=1)] for maximum in maxima.items(least=1)]
            for maxima in table["terms"].items(self.n)
        ]
        self.rows: dict[str, Rows] = {"pieces": {}}
        for y, maxima in enumerate(self.terms):
            for g, maximum in enumerate(maxima):
                self.rows["pieces"].update({(y, g, j): piece for j, piece in enumerate(maximum)})
        for kind in ("inequalities", "equations"):
            self.rows[kind] = {(i,): row.numbers(self.dim + 1) for i, row in enumerate(table[kind].items())}
        self.surrogate_name = table["name"].text() if "name" in table else "the surrogate"

    def spend(self, steps: int) -> None:
        self.work -= steps
        if self.work < 0:
            raise _FlawError(f"too much work: the check takes more than {_MAX_WORK} steps")

    def risks(self, p: Vector) -> list[int]:
        """Return the expected losses p·ℓ_t of all predictions t, up to a common positive factor."""
        self.spend(self.n * self.k)
        integers = _integral(p)
        return [sum(map(mul, integers, column)) for column in self.columns]

    def point(self, node: _Node) -> tuple[Vector, Vector]:
        """Read a point u of the domain C, and return it with ψ(u)."""
        u = node.numbers(self.dim)
        self.spend(10 * (self.dim + 1) * sum(map(len, self.rows.values())))
        at = (Fraction(1), *u)
        for kind in ("inequalities", "equations"):
            for (i,), row in self.rows[kind].items():
                if (value := _dot(row, at)) < 0 or (value and kind == "equations"):
                    node.reject(f"not in the domain: row {i} of the {kind} has the value {_show(value)}")
        return u, tuple(_sum(max(_dot(piece, at) for piece in maximum) for maximum in y) for y in self.terms)

    def weights(self, node: _Node) -> tuple[Vector, Fraction]:
        """Read weights, and return p and the β for which they prove p·ψ(u′) ≥ β at all u′ ∈ C.

        Condition 2 and β in one: Σ w·(b, a) over the pieces − Σ w·(b, a) over the domain's rows = (β, 0, …, 0).
        """
        entry = node.table(("p", "pieces", "inequalities", "equations"))
        p = entry["p"].numbers(self.n)
        if min(p) < 0 or _sum(p) != 1:
            entry["p"].reject(f"{_show(p)} is not a probability vector")
        sums = {(y, g): Fraction(0) for y, maxima in enumerate(self.terms) for g in range(len(maxima))}
        summands: list[tuple[Fraction, Row]] = []
        for kind, rows in self.rows.items():
            for index, w in self._multipliers(entry[kind], rows, signed=kind == "equations"):
                summands.append((w if kind == "pieces" else -w, rows[index]))
                if kind == "pieces":
                    sums[index[0], index[1]] = _sum((sums[index[0], index[1]], w))
        self.spend(10 * (self.dim + 1) * (1 + len(summands)) + len(sums))
        for (y, g), found in sums.items():
            if found != p[y]:
                node.reject(f"the weights of label {y}, maximum {g} sum to {_show(found)}, not p = {_show(p[y])}")
        beta, *gradient = (_sum(w * row[c] for w, row in summands if row[c]) for c in range(self.dim + 1))
        for c, difference in enumerate(gradient):
            if difference:
                node.reject(f"the pieces exceed the rows of the domain by {_show(difference)} in coordinate {c}")
        return p, beta

    def _multipliers(self, node: _Node, rows: Rows, signed: bool) -> Iterable[tuple[tuple[int, ...], Fraction]]:
        """Read entries [index…, w]: the index of one of the rows, none twice, and its multiplier w."""
        seen: set[tuple[int, ...]] = set()
        for item in node.items():
            *head, last = item.items(least=1)
            index = tuple(part.integer(MAX_BYTES) for part in head)
            if index not in rows or index in seen:
                item.reject(f"the index {_show(index)} {'is listed twice' if index in seen else 'does not exist'}")
            seen.add(index)
            w = last.number()
            if w == 0 or (w < 0 and not signed):
                last.reject(f"a multiplier of {_show(w)}")
            yield index, w


def _names(node: _Node | None, size: int) -> list[str]:
    """Read the names of labels or predictions: text, or integers; without any, count."""
    if node is None:
        return [str(i) for i in range(size)]
    return [str(item.value) if type(item.value) is int else item.text() for item in node.items(size)]


# The two claims ------------------------------------------------------------------------------------------------------
def _prove(certificate: _Node) -> tuple[str, list[str]]:
    """Return what the certificate proves, in one line and in many."""
    top = certificate.table(("format", "version", "claim", "loss", "surrogate", "evidence"))
    claims = {"calibrated": _prove_calibrated, "not calibrated": _prove_not_calibrated}
    for key, values in (("format", ["lossmith-certificate"]), ("version", [1]), ("claim", list(claims))):
        if not any(type(top[key].value) is type(value) and top[key].value == value for value in values):
            top[key].reject(f"expected {' or '.join(map(_show, values))}, not {_show(top[key].value)}")
    case = _Case(top["loss"], top["surrogate"])
    claim = str(top["claim"].value)
    size, account = claims[claim](case, top["evidence"])
    return f"{claim}: {case.surrogate_name} for {case.loss_name}: {size}", [*_describe(case, claim), "", *account]


def _prove_not_calibrated(case: _Case, evidence: _Node) -> tuple[str, list[str]]:
    """N(ψ(u)) lies in no trigger set: each prediction is beaten at some point of it (thm:condition-necessary)."""
    table = evidence.table(("u", "points", "better"))
    u, z = case.point(table["u"])
    account = [f"At u = {_show(u)} is ψ(u) = {_show(z)}. This u minimises the surrogate risk p·ψ at"]
    points = []
    for i, node in enumerate(table["points"].items()):
        p, beta = case.weights(node)
        if beta != _dot(p, z):
            node.reject(f"the weights prove p·ψ ≥ {_show(beta)}, but p·ψ(u) = {_show(_dot(p, z))}")
        points.append(p)
        account.append(f"  p{i} = {_show(p)}: minimum {_show(beta)}")
    account.append("Whatever one predicts there, something else is better at one of these p:")
    columns = list(zip(*case.losses))
    for t, node in enumerate(table["better"].items(case.k)):
        first, second, third = node.items(3)
        if first.integer(case.k) != t:
            first.reject(f"expected the entry of prediction {t}")
        i, s = second.integer(len(points)), third.integer(case.k)
        worse, better = _dot(points[i], columns[t]), _dot(points[i], columns[s])
        if better >= worse:
            node.reject(f"prediction {s} has expected loss {_show(better)}, not less than {_show(worse)}")
        names = f"{case.predictions[s]} is better than {case.predictions[t]}"
        account.append(f"  {names} at p{i}: expected loss {_show(better)} < {_show(worse)}")
    return f"u = {_show(u)}, {len(points)} points", account


def _prove_calibrated(case: _Case, evidence: _Node) -> tuple[str, list[str]]:
    """The N(z_j) cover Δ, and each lies in the trigger set of its prediction (thm:condition-sufficient).

    H_ψ(p) ≤ min_j p·z_j for all p, and the weights prove equality at the vertices. As H_ψ is concave, equality holds on
    the hull of the vertices at which z_j is tight; these hulls cover Δ. So N(z_j) is this hull; and Q_t is convex.
    """
    table = evidence.table(("cells", "vertices"))
    cells = [node.table(("u", "prediction")) for node in table["cells"].items(least=1)]
    points = [case.point(cell["u"]) for cell in cells]
    predictions = [cell["prediction"].integer(case.k) for cell in cells]
    account = ["The sets of p at which these u minimise the surrogate risk p·ψ cover the simplex:"]
    for j, ((u, z), t) in enumerate(zip(points, predictions)):
        account.append(f"  cell {j}: u = {_show(u)}, ψ(u) = {_show(z)}, predict {case.predictions[t]}")
    listed: dict[Vector, tuple[_Node, Fraction]] = {}
    for node in table["vertices"].items():
        p, beta = case.weights(node)
        if p in listed:
            node.reject(f"p = {_show(p)} is listed a second time")
        listed[p] = (node, beta)
    vertices = _vertices([z for _, z in points], 50 * len(listed) + 10_000, case.spend)
    account.append("The corners of these sets; the weights prove the minima, and the cells' predictions are optimal:")
    for p, v, tight in vertices:
        if p not in listed:
            table["vertices"].reject(f"the vertex p = {_show(p)} is missing")
        node, beta = listed.pop(p)
        if beta != v:
            node.reject(f"the weights prove p·ψ ≥ {_show(beta)}, but the cells only reach {_show(v)}")
        risks = case.risks(p)
        least = min(risks)
        for j in tight:
            if risks[predictions[j]] != least:
                cells[j]["prediction"].reject(f"not optimal at p = {_show(p)}, where the cell is tight")
        best = ", ".join(name for name, risk in zip(case.predictions, risks) if risk == least)
        account.append(f"  p = {_show(p)}: minimum {_show(v)}, in the cells {_show(tight)}; optimal: {best}")
    for p, (node, _) in listed.items():
        node.reject(f"p = {_show(p)} is not a vertex")
    return f"{len(cells)} cell{'s' * (len(cells) > 1)}, {len(vertices)} vertices", account


# The vertices of {(p, v) : p ∈ Δ, v ≤ p·z_j for all j} ---------------------------------------------------------------
def _vertices(values: Sequence[Vector], limit: int, spend: Spend) -> list[tuple[Vector, Fraction, tuple[int, ...]]]:
    """Enumerate the vertices (p, v), each with the j of the z_j that are tight there: p·z_j = v."""
    n = len(values[0])
    result = []
    for ray, zeros in _extreme_rays([_integral((*z, Fraction(-1))) for z in values], limit, spend):
        if scale := sum(ray[:n]):  # all rays but (0, …, 0, −1)
            tight = tuple(j for j in range(len(values)) if zeros >> n + j & 1)
            result.append((tuple(Fraction(x, scale) for x in ray[:n]), Fraction(ray[n], scale), tight))
    return result


def _extreme_rays(cells: Sequence[Ray], limit: int, spend: Spend) -> list[tuple[Ray, int]]:
    """Enumerate the extreme rays x of the cone {x = (p, v) : p ≥ 0, c·x ≥ 0 for all cells c} by double description.

    A cell is an integer multiple of (z, −1). With each ray comes the mask of its zeros: bit y if p_y = 0, bit n + j
    if cell j vanishes. The first cell leaves a simplicial cone. Each further one removes the rays on its negative side,
    and adds the points where it crosses the edges (two-dimensional faces) from these to rays on its positive side.
    """
    n = len(cells[0]) - 1
    every = (1 << n) - 1
    rays = [((0,) * n + (-1,), every)]
    for y in range(n):
        unit = tuple(-cells[0][n] if x == y else 0 for x in range(n))
        rays.append((_primitive((*unit, cells[0][y])), every ^ 1 << y | 1 << n))
    for j, cell in enumerate(cells[1:], start=1):
        spend(len(rays) * ((n + 1) * (1 + max(map(int.bit_length, cell)) // 64) + j // 64))
        slack = [sum(map(mul, cell, ray)) for ray, _ in rays]
        fresh: list[tuple[Ray, int]] = []
        for i in (i for i, s in enumerate(slack) if s < 0):
            for k, common in _neighbours(i, rays, slack, spend):
                crossing = (slack[k] * a - slack[i] * b for a, b in zip(rays[i][0], rays[k][0]))
                fresh.append((_primitive(tuple(crossing)), common | 1 << n + j))
            if len(rays) + len(fresh) > limit:
                raise _FlawError(f"evidence.cells[{j}]: with it come more than {limit} vertices, too many")
        rays = [(ray, zeros | (s == 0) << n + j) for (ray, zeros), s in zip(rays, slack) if s >= 0] + fresh
    return rays


def _neighbours(i: int, rays: Sequence[tuple[Ray, int]], slack: Sequence[int], spend: Spend) -> list[tuple[int, int]]:
    """Return the rays k of positive slack that span an edge with ray i, each with its zeros in common with i.

    They do if and only if no third ray has all the common zeros. An edge of a cone in R^(n+1) has at least n − 1 zeros,
    so such a third ray shares n − 1 with i: only rays that do are compared.
    """
    ray, zeros = rays[i]
    near = [(k, c) for k, (_, other) in enumerate(rays) if (c := zeros & other).bit_count() >= len(ray) - 2 and k != i]
    ahead = [(k, c) for k, c in near if slack[k] > 0]
    spend((len(rays) + len(ahead) * len(near)) * (1 + zeros.bit_length() // 64))
    return [(k, c) for k, c in ahead if not any(c & other == c for m, other in near if m != k)]


def _integral(row: Sequence[Fraction]) -> Ray:
    """Multiply by the common denominator."""
    common = 1
    for x in row:
        common = _limited(lcm(common, x.denominator))
    return tuple(int(x * common) for x in row)


def _primitive(ray: Ray) -> Ray:
    divisor = gcd(*ray)
    return tuple(_limited(x) // divisor for x in ray)


# Printing ------------------------------------------------------------------------------------------------------------
def _show(value: object) -> str:
    """Print anything, briefly and on one line."""
    if isinstance(value, Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return str(value) if bits <= 300 else f"(a fraction of {bits} bits)"
    if isinstance(value, tuple):
        return f"({', '.join(map(_show, value))})"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 80 else ascii(value[:80]) + "…"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else json.dumps(value)


def _affine(row: Row) -> str:
    """Print b + a·u."""
    names = ["", *(f"u[{i}]" for i in range(len(row) - 1))]
    text = ""
    for x, name in zip(row, names):
        if x:
            size = "" if name and abs(x) == 1 else _show(abs(x))
            text += (" - " if x < 0 else " + ") + size + name
    return text.removeprefix(" + ").replace(" - ", "-", int(text.startswith(" - "))) or "0"


def _describe(case: _Case, claim: str) -> list[str]:
    """Tell what the claim is about. The names are the author's, so print what was in fact checked."""
    table = [["truth ↓ decision →", *case.predictions]]
    table += [[label, *map(_show, row)] for label, row in zip(case.labels, case.losses)]
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = [f"Claim: {case.surrogate_name} is {claim} for {case.loss_name}.", "", f"{case.loss_name}:"]
    lines += ["  " + "  ".join(map(str.rjust, row, widths)) for row in table]
    lines += ["", f"{case.surrogate_name}, for u of dimension {case.dim}:"]
    for label, maxima in zip(case.labels, case.terms):
        terms = (f"{'max' * (len(maximum) > 1)}({', '.join(map(_affine, maximum))})" for maximum in maxima)
        lines.append(f"  ψ({label}, u) = {' + '.join(terms)}")
    lines += [f"  domain: {_affine(row)} ≥ 0" for row in case.rows["inequalities"].values()]
    return lines + [f"  domain: {_affine(row)} = 0" for row in case.rows["equations"].values()]
