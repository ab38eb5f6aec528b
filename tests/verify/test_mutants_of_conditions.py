"""The checker with part of a condition changed answers otherwise for some certificate: no part is superfluous.

A part of `and` or `or` is left out, `<` becomes `<=` and the other way round, `==` becomes `<=` or `>=` (not between
texts), one end of a chain of comparisons is left out, `not` is; `all` becomes `any`, `min` becomes `max`, and the other
way round; an `if` is always or never so, and the filter of a comprehension is left out. Each such mutant accepts what
the checker rejects, or rejects what it accepts, or says something else of what it accepts, or ends in an error, for a
certificate of `boundaries`, of `handmade`, of the attacks, of those that are kept, or of `test_mutants`. The others are
listed with the reason why there is no such certificate.
"""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import pytest
from boundaries import FORGED, GENUINE
from handmade import ALL, crammer_singer_for_abstain, text
from test_kept import KEPT, certificates
from test_mutants import FOLDER, TREES, Forgery, purposeful, small

import lossmith_verify
from mutation import Mutation, conditions, imported, mutations, planted

MESSAGES = ("show", "require")  # what they print is compared in test_forged
Change = tuple[str, Mutation]  # of the module

EQUIVALENT = {
    "only what is counted changes, of the work and the room; `test_checker_limits` is about that": [
        ("arithmetic", "max(map(int.bit_length, values), default=0)", "min(map(int.bit_length, values), default=0)"),
        ("arithmetic", "max(map(bits, row))", "min(map(bits, row))"),
        ("arithmetic", "for c, x in row.items() if x", "for c, x in row.items()"),
        ("blocks", "if row[i + 1]:", "if True:"),
        ("calibrated", "max(map(bits, z))", "min(map(bits, z))"),
        ("calibration_function", "max(map(bits, found))", "min(map(bits, found))"),
        ("calibration_function", "max(map(bits, (*xs, *ws)))", "min(map(bits, (*xs, *ws)))"),
        ("cone", "max(point)", "min(point)"),
        ("estimates", "max(map(bits, pulled[-1]))", "min(map(bits, pulled[-1]))"),
        ("sets", "first ^ second if a == b else first | second", "first ^ second if False else first | second"),
        ("sets", "a == b", "a >= b"),
        ("sets", "max(map(longest, shares.values()))", "min(map(longest, shares.values()))"),
        ("surrogates", "max(map(bits, scales))", "min(map(bits, scales))"),
        ("surrogates", "max(map(bits, chain(*points)))", "min(map(bits, chain(*points)))"),
        ("surrogates", "n if dim == n else 0", "n if True else 0"),
        ("surrogates", "dim == n", "dim <= n"),
        ("surrogates", "dim == n", "dim >= n"),
        ("symmetry", "max(map(bits, z))", "min(map(bits, z))"),
    ],
    "the other side is a bound: a set is no larger than its list, nothing smaller than the least, and so on": [
        ("arithmetic", "gcd(x, modulus) == 1", "gcd(x, modulus) <= 1"),
        ("cone", "s == 0", "s <= 0"),  # where s >= 0
        ("votes", "x > 0", "x >= 0"),  # no score is 0
        ("votes", "piece[0] == top", "piece[0] >= top"),
        ("votes", "len(here) == 1", "len(here) <= 1"),
        ("cone", "common & other == common", "common & other >= common"),
        (
            "dimension",
            "len({loss.columns[t] for t in columns}) == len(columns)",
            "len({loss.columns[t] for t in columns}) >= len(columns)",
        ),
        ("dimension", "best == {loss.columns[t]}", "best <= {loss.columns[t]}"),  # something is best
        ("factors", "len({*t}) == len(t)", "len({*t}) >= len(t)"),
        ("factors", "len({*y}) == size", "len({*y}) >= size"),
        ("factors", "t[i] > t[j]", "t[i] >= t[j]"),  # positions differ, and i = j counts 0
        ("given_pred", "at == 0", "at <= 0"),  # if at < 0, the row excludes already
        ("guesses", "risk == least", "risk <= least"),
        ("inputs", "n == 2", "n <= 2"),
        ("complement", "c == 0", "c <= 0"),
        ("cover", "case.version == 1", "case.version <= 1"),
        ("given_pred", "case.version == 1", "case.version <= 1"),
        ("reading", "len(dict(pairs)) == len(pairs)", "len(dict(pairs)) >= len(pairs)"),
        ("sets", "sum((gains[len(t)][i] for i in t)) == best", "sum((gains[len(t)][i] for i in t)) >= best"),
        ("surrogates", "min(scales) == 0", "min(scales) >= 0"),  # otherwise all are positive, and fine
        ("trees", "len(risk) == len(predictions)", "len(risk) <= len(predictions)"),
        ("trees", "k == len(depths)", "k >= len(depths)"),
        ("trees", "risk[y] == best", "risk[y] <= best"),
    ],
    "of three, of which the sum is at most three times the largest, and of fewer it is less": [
        ("trees", "len(support) == 3", "len(support) <= 3"),
        ("trees", "max(weights) * 3 == total", "max(weights) * 3 <= total"),
    ],
    "what weights prove is never more than what is attained at a point of the domain": [
        ("calibrated", "proved == v", "proved >= v"),
        ("not_calibrated", "beta == dot(p, z)", "beta >= dot(p, z)"),
    ],
    "a domain that is not empty goes to infinity only where some piece does, of those that cover it": [
        ("complement", "c == 0", "c >= 0"),
    ],
    "a place at the end of an interval is looked at twice": [
        ("calibration_function", "a < x < b", "a <= x < b"),
        ("calibration_function", "a < x < b", "a < x <= b"),
    ],
    "both sides have equally many: exchanging labels is one to one, and takes each of two labels to the other": [
        ("blocks", "changed == {*loss.columns}", "changed <= {*loss.columns}"),
        ("blocks", "changed == {*loss.columns}", "changed >= {*loss.columns}"),
        ("blocks", "after == part", "after <= part"),
        ("blocks", "after == part", "after >= part"),
        ("symmetric_pred", "found.keys() == pieces.keys()", "found.keys() >= pieces.keys()"),
    ],
    "over K, where p falls, p_x is never less than p_y, and what is no vertex over K is an error": [
        ("symmetric_pred", "p[x] == p[y]", "p[x] <= p[y]"),
    ],
    "there is one score": [("orders", "any(u)", "all(u)")],
    "by induction: regrets lie above the lines that do not fall, so the next point, which is attained, does": [
        ("regret", "width > 0 <= min(rise, constant)", "width > 0"),
        ("regret", "min(rise, constant)", "max(rise, constant)"),
    ],
}


def of_messages(tree: ast.AST) -> list[ast.AST]:
    """The nodes of functions that make messages, but not what they refuse."""
    return [
        each
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name in MESSAGES
        for each in ast.walk(function)
        if not (function.name == "require" and isinstance(each, ast.If | ast.UnaryOp))
    ]


@cache
def changes() -> dict[Change, tuple[str, str, str]]:
    """Every mutation, as it is seen."""
    return {
        (module, mutation): (module, mutation.before, mutation.after)
        for module, tree in TREES.items()
        for mutation in mutations(tree, [conditions], of_messages(tree))
    }


def mutant(change: Change) -> AbstractContextManager[Any]:
    module, mutation = change
    return imported(FOLDER, {module: planted(TREES[module], mutation, [conditions])})


def at_the_limit(limit: str) -> Forgery:
    """A certificate with the least limit for which it is accepted."""
    certificate = text(crammer_singer_for_abstain(4))
    low, high = -(2**14), 2**24
    while high - low > 1:
        middle = (low + high) // 2
        with small(lossmith_verify, {limit: middle}):
            accepted = lossmith_verify.check(certificate).accepted
        low, high = (low, middle) if accepted else (middle, high)
    return certificate, {limit: high}


LIMITS = ["reading.MAX_BYTES", "reading.MAX_PARTS", "reading.MAX_DEPTH", "calibrated.MAX_VERTICES"]
LIMITS += ["arithmetic.MAX_STEPS", "arithmetic.MAX_HELD", "arithmetic.MAX_BITS"]


@cache
def corpus() -> list[tuple[str | bytes, dict[str, int], Any]]:
    """Certificates, limits, and what the checker says of them; those that tell most apart come first."""
    made = [*ALL.values(), *GENUINE.values(), *FORGED.values()]
    found: list[Forgery] = [(text(each), {}) for each in made]
    found += [(text(made[0]).encode(), {}), *map(at_the_limit, LIMITS)]
    found += [(line, {}) for path in KEPT for line in certificates(path)]
    found += sorted(purposeful(), key=lambda each: len(each[0]))
    known, result = set(), []
    for certificate, limits in found:
        key = certificate, tuple(limits.items())
        if key not in known:
            known.add(key)
            result.append((certificate, limits, answer(lossmith_verify, certificate, limits)))
    return result


def answer(package: Any, certificate: str | bytes, limits: dict[str, int]) -> Any:
    """What the package says; of rejections only that they are."""
    try:
        with small(package, limits):
            verdict = package.check(certificate)
    except Exception as error:
        return type(error)
    return str(verdict) if verdict.accepted else str(verdict)[:9]


def is_told_apart(change: Change) -> bool:
    try:
        with mutant(change) as package:
            return any(answer(package, *given) != expected for *given, expected in corpus())
    except Exception:  # it cannot even be imported
        return True


def equivalent() -> set[tuple[str, str, str]]:
    return {each for several in EQUIVALENT.values() for each in several}


def test_certificates_on_the_boundary_are_accepted_and_rejected():
    assert [name for name, each in GENUINE.items() if not lossmith_verify.check(text(each)).accepted] == []
    assert [name for name, each in FORGED.items() if lossmith_verify.check(text(each)).accepted] == []


def test_what_is_listed_is_there():
    assert equivalent() - {*changes().values()} == set()


def test_a_part_of_a_condition_is_needed():
    """A sample."""
    looked_at = [change for change, told in changes().items() if told not in equivalent()][::SAMPLE]
    assert [changes()[each] for each in looked_at if not is_told_apart(each)] == []


SAMPLE = 71


@pytest.mark.exhaustive
def test_every_part_of_a_condition_is_needed():
    survivors = {told for change, told in changes().items() if not is_told_apart(change)}
    assert survivors == equivalent()
