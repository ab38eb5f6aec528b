"""Numbers whose hashes are all the same make no search of the checker long.

Python hashes a number modulo the prime 2^61 − 1, so that whoever writes a file can choose numbers that differ and have
one hash. Each of these files took minutes while such numbers were put into sets and dictionaries.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd

import pytest
from test_checker_limits import answered, certificate, constant, ranking, rows

from lossmith_verify.reading import Vector

PRIME = 2**61 - 1
MEAN = {"estimates": [["0"], ["1"]], "theorem": "mean"}
TWO = {"entries": [["0"], ["1"]]}


def same(count: int) -> list[str]:
    return [str(i * PRIME) for i in range(count)]


def pieces(count: int) -> list[list[str]]:
    return [[x, "0"] for x in same(count)]


def on_a_line(count: int) -> dict:
    return {"dim": 1, "terms": [[pieces(count)], [[["0", "0"]]]], **rows()}


def denominators() -> str:
    entries = [["0", *(f"1/{1 + i * PRIME}" for i in range(1, 200_000))]] * 2
    return certificate("ccdim at least", {"entries": entries}, {}, value=0)


def columns() -> str:
    evidence = {"points": [], "columns": [*range(150_000)], "alone": [], "modulus": 2}
    return certificate("ccdim at least", {"entries": [same(150_000)] * 2}, evidence, value=0)


def functions_of_a_branch() -> str:
    cover = {"point": ["0"], "tree": {"by": pieces(50_000), "parts": []}}
    return certificate("calibrated", TWO, {"cover": cover}, surrogate=MEAN, pred={"regions": [[]]})


def points() -> str:
    found = []
    for i in range(1, 40_000):
        below = PRIME * (i + 1)
        above = next(x for x in range(i, below) if gcd(x, below) == 1)
        p = [f"{above}/{below}", f"{below - above}/{below}"]
        found.append({"p": p, "pieces": [[y, 0, 0, x] for y, x in enumerate(p)], **rows()})
    evidence = {"cells": [{"u": [], "prediction": 0}], "vertices": found}
    return certificate("calibrated", TWO, evidence, surrogate=constant(2))


def gains() -> str:
    return ranking(1, {"family": "dcg", "gain": same(50_000), "discount": ["0", *["1"] * 1999]})


def ends_of_a_function() -> str:
    vertices = [{"p": p, "pieces": [[y, 0, 0, "1"]], **rows()} for y, p in enumerate((["1", "0"], ["0", "1"]))]
    cover = {"point": [], "tree": {"prediction": 0, "piece": 0, "rows": []}}
    evidence = {"all": {"cells": [{"u": []}], "vertices": vertices}, "pieces": [], "attained": [], "cover": cover}
    more = {"surrogate": constant(2), "pred": {"regions": [[rows()]]}, "delta": [[x, "0", "0"] for x in same(50_000)]}
    return certificate("calibration function", TWO, evidence, **more)


def pieces_of_a_theorem() -> str:
    line = on_a_line(50_000) | {"equations": [["0", "1"]]}
    return certificate("calibrated", TWO, {"theorem": "cost-weighted hinge"}, surrogate=line)


def exchanged(surrogate: dict, **more: object) -> str:
    evidence = {"blocks": [{"labels": [0], "maps": []}, {"labels": [1], "maps": []}], "cells": [], "vertices": []}
    if more:
        vertices = [{"p": p, "pieces": [[y, 0, 0, "1"]], **rows()} for y, p in enumerate((["1", "0"], ["0", "1"]))]
        evidence |= {
            "apart": [],
            "scores": [["0", "0"]] * 2,
            "cover": {},
            "cells": [{"u": ["0"]}],
            "vertices": vertices,
        }
    return certificate("calibrated", TWO, evidence, surrogate=surrogate, **more)


def rows_of_pieces() -> str:
    return exchanged(on_a_line(1), pred={"regions": [[rows(pieces(50_000))]]})


def estimates() -> str:
    return certificate(
        "not calibrated",
        {"entries": [["0"]] * 50_000},
        {},
        surrogate={"estimates": [[x] for x in same(50_000)], "theorem": "far out"},
    )


def sums() -> str:
    """Every pair of documents has a sum of its own, of multiples of the prime."""
    labels = [[int(i >> bit & 1) for i in range(1000)] for bit in range(10)]
    labels += [[1 - x for x in y] for y in labels]
    evidence = {"labels": labels, "weights": [str(PRIME * 3**i) for i in range(20)], "base": [], "modulus": 2}
    return ranking(1, {"family": "mean_average_precision", "r": 1000}, **evidence, columns=[], rows=[])


REJECTED: dict[str, Callable[[], str]] = {
    "denominators": denominators,
    "columns": columns,
    "functions of a branch": functions_of_a_branch,
    "points": points,
    "gains": gains,
    "ends of a calibration function": ends_of_a_function,
    "pieces of a theorem": pieces_of_a_theorem,
    "pieces, exchanged": lambda: exchanged(on_a_line(200_000)),
    "rows of pieces, exchanged": rows_of_pieces,
    "estimates": estimates,
    "sums of weights": sums,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", REJECTED)
def test_numbers_of_one_hash_are_told_apart_in_time(kind, tmp_path):
    assert answered(REJECTED[kind](), tmp_path / "hostile.json") == "rejected"


def test_vectors_that_differ_have_different_hashes():
    numbers = [Fraction(i * PRIME) for i in range(1, 1001)]
    numbers += [Fraction(1, 1 + x) for x in numbers] + [1 / x for x in numbers]
    assert len({hash(x) for x in numbers}) < 10
    assert len({hash(Vector((0, x))) for x in numbers}) > 2990
    assert {Vector((0, 1))} == {Vector((Fraction(0), Fraction(1)))}
