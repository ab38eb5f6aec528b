"""Certificates of the claim "ccdim at least", written by hand, and forgeries of them."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, lcm
from typing import Any

import pytest
from handmade import abstain, hinge, numbers, text, unit, zero_one
from rejections import assert_rejected
from samples import sampled

from lossmith_verify import check

Place = tuple[str | int, ...]


def claim(value: int, loss: Any, **evidence: Any) -> dict[str, Any]:
    head = {"format": "lossmith-certificate", "version": 1, "claim": "ccdim at least"}
    return {**head, "value": value, "loss": loss, "evidence": evidence}


def at_the_middle() -> dict[str, Any]:
    """0-1, n = 3, uniform p: all are optimal. ℓ_1 − ℓ_0 = (1, −1, 0), ℓ_2 − ℓ_0 = (1, 0, −1): independent."""
    return claim(2, zero_one(3), points=[[numbers(unit(3, 0, 1, 2))]], columns=[0, 1, 2], alone=[], modulus=7)


def branching() -> dict[str, Any]:
    """Abstaining at 1/2, n = 3, is as good as t where p_t = 1/2: between the middles of two edges."""
    points = [[numbers(unit(3, t, s)) for s in range(3) if s != t] for t in range(3)]
    alone = [numbers(unit(3, 0, 1, 2)), *(numbers(unit(3, t)) for t in range(3))]
    return claim(2, abstain(3), points=points, columns=[3, 0, 1, 2], alone=alone, modulus=5)


def on_an_edge() -> dict[str, Any]:
    """Three labels in order: at (1/2, 0, 1/2) all are optimal, and on labels 0, 2 they lie on a line."""
    loss = {"entries": [[str(abs(y - t)) for t in range(3)] for y in range(3)], "name": "ordinal"}
    return claim(1, loss, points=[[["1/2", "0", "1/2"]]], columns=[0, 1], alone=[], modulus=2)


def with_fractions() -> dict[str, Any]:
    """Costs 1/3 and 1/2: equally good at (3/5, 2/5); in integers the differences are 2 and −3."""
    loss = {"entries": [["0", "1/3"], ["1/2", "0"]]}
    return claim(1, loss, points=[[["3/5", "2/5"]]], columns=[0, 1], alone=[], modulus=10)


def nothing() -> dict[str, Any]:
    """CCdim ≥ 0: one column."""
    return claim(0, zero_one(2), points=[[["1", "0"]]], columns=[0], alone=[], modulus=2)


GENUINE = [at_the_middle, branching, on_an_edge, with_fractions, nothing]


def changed(certificate: dict[str, Any], **evidence: Any) -> dict[str, Any]:
    return {**certificate, "evidence": {**certificate["evidence"], **evidence}}


# What is genuine is accepted.


@pytest.mark.parametrize("make", GENUINE)
def test_genuine(make):
    verification = check(text(make()))
    assert verification.accepted, verification.why
    assert verification.given == ()
    assert verification.why.startswith("ccdim at least: ")
    assert verification.why.endswith(f": {make()['value']}")
    assert naive(make())


@pytest.mark.parametrize("make", GENUINE)
def test_less_may_be_claimed(make):
    for value in range(make()["value"]):
        assert check(text({**make(), "value": value})).accepted


@pytest.mark.parametrize("modulus", [2, 3, 4, 6, 7, 2**31 - 1, 10**6])
def test_any_modulus_for_a_unit_determinant(modulus):
    accepted = modulus < 64 * 2**20
    assert check(text(changed(at_the_middle(), modulus=modulus))).accepted == accepted


def test_the_order_of_columns_is_free():
    for columns in permutations(range(3)):
        assert check(text(changed(at_the_middle(), columns=list(columns)))).accepted


def test_copies_of_a_column_do_not_make_it_redundant():
    certificate = at_the_middle()
    certificate["loss"] = {"entries": [[*row, row[0]] for row in zero_one(3)["entries"]]}
    assert check(text(certificate)).accepted


# Forgeries, each for one reason.


@pytest.mark.parametrize("make", GENUINE)
def test_a_larger_value(make):
    assert_rejected({**make(), "value": make()["value"] + 1}, "value")


@pytest.mark.parametrize("value", [-1, "2", 2.0, True, None, [2], 10**20])
def test_a_value_that_is_no_size(value):
    assert not check(text({**at_the_middle(), "value": value})).accepted


def test_a_label_without_probability():
    """At (1/2, 1/2, 0) columns that differ only at label 2 are both optimal, but it is not possible."""
    loss = {"entries": [["0", "0", "1"], ["1", "1", "0"], ["0", "5", "0"]]}
    certificate = claim(1, loss, points=[[["1/2", "1/2", "0"]]], columns=[0, 1], alone=[], modulus=7)
    assert_rejected(certificate, "evidence.points[0]", "7")
    assert check(text(changed(certificate, columns=[0, 2]))).accepted
    assert check(text(changed(certificate, columns=[1, 2]))).accepted  # though 1 is redundant: 0 is no worse anywhere
    assert_rejected({**changed(certificate, columns=[0, 1, 2]), "value": 2}, "evidence.points[0]", "7")


def test_a_column_that_is_not_optimal():
    assert_rejected(changed(at_the_middle(), points=[[["2/5", "2/5", "1/5"]]]), "evidence.points[0][0]")
    assert_rejected(changed(at_the_middle(), points=[[["1/2", "1/4", "1/4"]]]), "evidence.points[0][0]")


def test_a_redundant_column_adds_nothing():
    """Abstaining at 2/3 is optimal only in the middle, where it is the mean of the others."""
    loss = {"entries": [[*row, "2/3"] for row in zero_one(3)["entries"]]}
    certificate = {**at_the_middle(), "loss": loss}
    assert check(text(certificate)).accepted
    assert check(text(changed(certificate, columns=[0, 1, 3]))).accepted  # 2 is true all the same
    forged = {**changed(certificate, columns=[0, 1, 2, 3]), "value": 3}
    assert_rejected(forged, "evidence.points[0]", "7")


@pytest.mark.parametrize("p", [["0", "1", "0"], ["1/2", "1/2", "0"], ["1/3", "1/3", "1/3"], ["2/5", "1/5", "2/5"]])
def test_alone_means_strictly(p):
    first, _, *others = branching()["evidence"]["alone"]
    assert_rejected(changed(branching(), alone=[first, p, *others]), "evidence.alone[1]", "0")


@pytest.mark.parametrize("p", [["1", "1", "-1"], ["1/2", "1/2", "1/2"], ["0", "0", "0"], ["2", "0", "0"]])
@pytest.mark.parametrize("key", ["alone", "points"])
def test_no_distribution(p, key):
    listed = branching()["evidence"][key]
    forged = [p, *listed[1:]] if key == "alone" else [[p, listed[0][1]], *listed[1:]]
    assert_rejected(changed(branching(), **{key: forged}), f"evidence.{key}[0]")
    assert_rejected(changed(at_the_middle(), points=[[p]]), "evidence.points[0][0]")


def test_repeated_columns():
    assert_rejected(changed(at_the_middle(), columns=[0, 1, 1]), "evidence.columns")
    alone = [numbers(unit(3, 0, 1, 2)), *(numbers(unit(3, t)) for t in (0, 1, 1))]
    assert_rejected(changed(branching(), columns=[3, 0, 1, 1], alone=alone), "evidence.columns")


def test_copies_do_not_count_twice():
    """Columns with different numbers but the same losses are one column."""
    loss = {"entries": [[*row, row[1]] for row in zero_one(3)["entries"]]}
    assert_rejected(changed({**at_the_middle(), "loss": loss}, columns=[0, 1, 3]), "evidence.columns")


def test_a_cell_does_not_meet_copies_of_one_neighbour_three_times():
    """0-1 loss for two labels with its second column three times: CCdim is 1."""
    half, first, second = ["1/2", "1/2"], ["1", "0"], ["0", "1"]
    evidence = {
        "points": [[half]] * 3,
        "columns": [0, 1, 2, 3],
        "alone": [first, *[second] * 3],
        "modulus": 7,
    }
    loss = {"entries": [["0", "1", "1", "1"], ["1", "0", "0", "0"]]}
    assert_rejected({**branching(), "loss": loss, "evidence": evidence}, "evidence.columns")


def test_a_singular_minor():
    """Three labels in order: on the labels 0 and 2 the columns lie on a line."""
    certificate = {**on_an_edge(), "value": 2}
    for modulus in (2, 3, 5, 7, 101):
        forged = changed(certificate, columns=[0, 1, 2], modulus=modulus)
        assert_rejected(forged, "evidence.points[0]", str(modulus))


@pytest.mark.parametrize("modulus", [1, 0, -7, "7", 7.0, True, None, 10**17])
def test_no_modulus(modulus):
    assert_rejected(changed(at_the_middle(), modulus=modulus), "evidence")


@pytest.mark.parametrize(
    ("modulus", "accepted"), [(6, False), (12, False), (30, False), (2, True), (3, True), (9, True), (35, True)]
)
def test_a_modulus_that_makes_it_vanish(modulus, accepted):
    """The differences are 2 and −3: one is a unit for moduli without one of these factors only."""
    assert check(text(changed(with_fractions(), modulus=modulus))).accepted == accepted


def test_points_that_span_too_little():
    points = branching()["evidence"]["points"]
    between = ["1/2", "1/4", "1/4"]
    assert check(text(changed(branching(), points=[[points[0][0], between], *points[1:]]))).accepted
    twice = [[points[0][0]] * 2, *points[1:]]
    assert_rejected(changed(branching(), points=twice), "evidence.points[0]", "5")
    for i in range(3):
        few = [each[:1] if j == i else each for j, each in enumerate(points)]
        assert_rejected(changed(branching(), points=few), f"evidence.points[{i}]", "2")
        many = [[*each, each[0]] if j == i else each for j, each in enumerate(points)]
        assert_rejected(changed(branching(), points=many), f"evidence.points[{i}]", "2")


def test_points_beside_the_section():
    points = branching()["evidence"]["points"]
    for p in (["1", "0", "0"], ["1/3", "1/3", "1/3"], ["0", "1/2", "1/2"], ["3/5", "2/5", "0"]):
        assert_rejected(changed(branching(), points=[[points[0][0], p], *points[1:]]), "evidence.points[0][1]")


def test_two_neighbours_are_not_three():
    """The middle of three labels in order meets two cells in full sections: CCdim is 1."""
    loss = on_an_edge()["loss"]
    low, high = [["1/2", "1/2", "0"], ["1/2", "0", "1/2"]], [["0", "1/2", "1/2"], ["1/2", "0", "1/2"]]
    alone = [numbers(unit(3, t)) for t in (1, 0, 2)]
    for groups in ([low, high], [low, high, high], [low, low, high]):
        forged = claim(2, loss, points=groups, columns=[1, 0, 2], alone=alone, modulus=5)
        assert_rejected(forged, "evidence")


def test_lists_of_the_wrong_size():
    evidence = at_the_middle()["evidence"]
    assert_rejected(changed(at_the_middle(), columns=[0, 1]), "value", "1")
    for key in ("columns", "points"):
        assert_rejected(changed(at_the_middle(), **{key: [*evidence[key], evidence[key][0]]}), "evidence")
        assert_rejected(changed(at_the_middle(), **{key: []}), "evidence")
    assert_rejected(changed(at_the_middle(), points=[evidence["points"][0] * 2]), "evidence")
    for size in range(1, 5):  # alone is for the other form
        assert_rejected(changed(at_the_middle(), alone=[["1", "0", "0"]] * size), "evidence.columns", "4", "3")
    evidence = branching()["evidence"]
    for key in ("columns", "alone", "points"):
        assert_rejected(changed(branching(), **{key: evidence[key][:-1]}), "evidence")
        assert_rejected(changed(branching(), **{key: [*evidence[key], evidence[key][0]]}), "evidence")
        assert_rejected(changed(branching(), **{key: []}), "evidence")
    assert_rejected(
        changed(branching(), points=evidence["points"][:2]), "evidence.points", "3", "2"
    )  # two are not three
    assert_rejected(changed(branching(), points=evidence["points"][:1], alone=[]), "evidence.points[0]", "1")


def test_numbers_out_of_range():
    assert_rejected(changed(at_the_middle(), columns=[0, -1]), "evidence.columns[1]")
    assert_rejected(changed(at_the_middle(), columns=[0, 1, 3]), "evidence.columns[2]")
    assert_rejected(changed(at_the_middle(), points=[[["1/2", "1/2"]]]), "evidence.points[0][0]")


@pytest.mark.parametrize("make", GENUINE)
def test_missing_and_unknown_keys(make):
    more = {"surrogate": hinge(), "pred": {"regions": [[], [], []]}, "within": [], "comment": "x"}
    for key, value in more.items():
        assert_rejected({**make(), key: value}, "file", f'"{key}"')
        assert_rejected(changed(make(), **{key: value}), "evidence", f'"{key}"')
    for key in make():
        assert not check(text({other: each for other, each in make().items() if other != key})).accepted
    for key in make()["evidence"]:
        evidence = {other: each for other, each in make()["evidence"].items() if other != key}
        assert_rejected({**make(), "evidence": evidence}, "evidence", f'"{key}"')


@pytest.mark.parametrize("other", ["calibrated", "not calibrated", "ccdim at most", "CCdim at least", ""])
def test_another_claim(other):
    assert not check(text({**at_the_middle(), "claim": other})).accepted


# Each number changed, one at a time; and a slow reading of the specification.


def naive(certificate: dict[str, Any]) -> bool:
    """Whether the claim follows, by fractions and expanded determinants; for certificates of the right types."""
    loss = [[Fraction(x) for x in row] for row in certificate["loss"]["entries"]]
    evidence, value, n, k = certificate["evidence"], certificate["value"], len(loss), len(loss[0])
    columns, modulus = evidence["columns"], evidence["modulus"]
    groups = [[[Fraction(x) for x in p] for p in group] for group in evidence["points"]]
    alone = [[Fraction(x) for x in p] for p in evidence["alone"]]
    every = [*alone, *(p for group in groups for p in group)]
    if any(min(p) < 0 or sum(p) != 1 for p in every) or min(map(min, loss)) < 0:
        return False
    if not all(0 <= t < k for t in columns) or modulus < 2 or value < 0:
        return False
    column = [tuple(row[t] for row in loss) for t in range(k)]

    def risk(p, t):
        return sum(a * b for a, b in zip(p, column[t]))

    if len({column[t] for t in columns}) < len(columns):
        return False
    for t, p in zip(columns, alone):
        if any(column[s] != column[t] and risk(p, s) <= risk(p, t) for s in range(k)):
            return False
    whole = lcm(*(x.denominator for row in loss for x in row))
    for i, group in enumerate(groups):
        compared = columns if len(groups) == 1 else [columns[0], columns[i + 1]]
        if any(risk(p, t) > min(risk(p, s) for s in range(k)) for p in group for t in compared):
            return False
        if len(groups) == 1:
            support = [y for y in range(n) if group[0][y]]
            matrix = {y: [int(whole * (loss[y][t] - loss[y][columns[0]])) for t in columns[1:]] for y in support}
            minors = [determinant([matrix[y] for y in rows]) for rows in combinations(support, len(columns) - 1)]
        else:
            scaled = [[int(x * lcm(*(z.denominator for z in p))) for x in p] for p in group]
            minors = [determinant([[*p[:y], *p[y + 1 :]] for p in scaled]) for y in range(n)]
        if all(gcd(minor, modulus) != 1 for minor in minors):
            return False
    return value <= (len(columns) - 1 if len(groups) == 1 else 2)


def determinant(matrix: list[list[int]]) -> int:
    if not matrix:
        return 1
    rest = [[row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix))]
    return sum((-1) ** j * matrix[0][j] * determinant(rest[j]) for j in range(len(matrix)))


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, key))
    else:
        yield at, value


def replaced(certificate: Any, at: Place, value: Any) -> Any:
    result = copy.copy(certificate)
    result[at[0]] = replaced(certificate[at[0]], at[1:], value) if at[1:] else value
    return result


def other_numbers(value: Any) -> Iterator[Any]:
    if type(value) is int:
        yield from (value + 1, value - 1, value + 2, 0)
    elif isinstance(value, str) and re.fullmatch("-?[0-9]+(/[0-9]+)?", value):
        x = Fraction(value)
        yield from (str(y) for y in (x + 1, x - 1, 2 * x, x + Fraction(1, 2), x / 2, Fraction(0)))


def forgeries(certificate: dict[str, Any], one_of: int = 1) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Each number changed, or a sample of the changes."""
    for at, value in places(certificate):
        if at[0] in ("value", "evidence") or at[:2] == ("loss", "entries"):
            for other in other_numbers(value):
                if sampled(f"{at} {other}", one_of):
                    yield at, replaced(certificate, at, other)


def assert_numbers_matter(make: Any, one_of: int = 1) -> set[bool]:
    """Rejected, or harmless: the claim still follows. Return the verdicts."""
    verdicts = set()
    for at, forged in forgeries(make(), one_of):
        accepted = check(text(forged)).accepted
        assert accepted == naive(forged), (at, forged)
        verdicts.add(accepted)
    return verdicts


@pytest.mark.parametrize("make", [at_the_middle, on_an_edge, with_fractions, nothing])
def test_each_number_changed(make):
    assert assert_numbers_matter(make) == {True, False}


def test_a_sample_of_numbers_changed():
    assert False in assert_numbers_matter(branching, one_of=5)


@pytest.mark.exhaustive
def test_each_number_of_a_branching_one_changed():
    assert assert_numbers_matter(branching) == {True, False}


def moved_masses(certificate: dict[str, Any], one_of: int = 1) -> Iterator[dict[str, Any]]:
    """Mass moved from one label to another leaves a distribution, but seldom a proof."""
    distributions = [at[:-1] for at, _ in places(certificate) if at[0] == "evidence" and at[1] in ("points", "alone")]
    for at in dict.fromkeys(distributions):
        vector: Any = certificate
        for key in at:
            vector = vector[key]
        p = [Fraction(x) for x in vector]
        for y, z in permutations(range(len(p)), 2):
            for mass in {p[y], p[y] / 2, p[y] / 3} - {0}:
                if sampled(f"{at} {y} {z} {mass}", one_of):
                    moved = [x - mass * (i == y) + mass * (i == z) for i, x in enumerate(p)]
                    yield replaced(certificate, at, numbers(moved))


def assert_masses_matter(make: Any, one_of: int = 1) -> None:
    forged = [*moved_masses(make(), one_of)]
    assert [each for each in forged if check(text(each)).accepted != naive(each)] == []
    assert not all(map(naive, forged))
    assert any(map(naive, forged)) == (make is branching)  # only in the middle are all three optimal


def test_a_sample_of_masses_moved():
    assert_masses_matter(at_the_middle)
    assert_masses_matter(branching, one_of=5)


@pytest.mark.exhaustive
def test_masses_moved():
    assert_masses_matter(branching)
