"""No file takes more than two minutes or 1 GiB, whatever is in it: each is refused, or accepted, before that.

Each file is made by a few lines, and checked by a process of its own that has little more than 1 GiB of addresses: one
that asks for more ends with exit code 4, or is killed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

import pytest

from lossmith_verify import MAX_BYTES, arithmetic, reading

ADDRESSES = 1100 * 2**20
SECONDS = 120
ENDING = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
PROGRAM = f"import sys; from lossmith_verify.__main__ import main; code = main(sys.argv[1:]); {ENDING}; sys.exit(code)"


def filled(part: str, size: int = MAX_BYTES) -> str:
    """The same part again and again, in a list as long as a file may be."""
    return "[" + part * ((size - 3) // len(part)) + "0]"


def parts(part: str) -> str:
    """As many of the same as are not refused at once."""
    each = sum(map(part.count, ",[{"))
    return "[" + part * ((reading.MAX_PARTS - 1) // each) + "0]"


def certificate(claim: str, loss: Any, evidence: Any, **more: Any) -> str:
    head = {"format": "lossmith-certificate", "version": 2, "claim": claim, "loss": loss, "evidence": evidence}
    return json.dumps(head | more, separators=(",", ":"))


def rows(inequalities: Any = (), equations: Any = ()) -> dict[str, Any]:
    return {"inequalities": list(inequalities), "equations": list(equations)}


def constant(n: int, values: Any = None) -> dict[str, Any]:
    """A surrogate without u."""
    return {"dim": 0, "terms": [[[[x]]] for x in values or ["0"] * n], **rows()}


def linear(n: int) -> dict[str, Any]:
    """ψ(u) = u: every u is a cell of one's own."""
    unit = [["0", *(str(int(x == y)) for x in range(n))] for y in range(n)]
    return {"dim": n, "terms": [[[row]] for row in unit], **rows()}


def coprime(count: int) -> list[str]:
    """Numbers with long denominators, without common factors."""
    found, i, product = [], 10**639 + 1, 1
    while len(found) < count:
        if gcd(product, i) == 1:
            found.append(f"1/{i}")
            product *= i
        i += 2
    return found


def ranking(value: int, loss: Any, **evidence: Any) -> str:
    return certificate("ccdim at least", {"r": 2000, **loss}, evidence, value=value)


def distinct_keys() -> str:
    return "{" + ",".join(f'"{i}":0' for i in range(reading.MAX_PARTS - 2)) + "}"


def a_matrix_of_many_numbers(numbers: list[str]) -> str:
    n, k = 1000, 900
    entries = [[numbers[(y * k + t) % len(numbers)] for t in range(k)] for y in range(n)]
    return certificate("calibrated", {"entries": entries}, {"cells": [], "vertices": []}, surrogate=constant(n))


def long_denominators() -> str:
    """Nine numbers whose common denominator has 19 000 bits, and ones, each of which would become as long."""
    return a_matrix_of_many_numbers([*coprime(9), *["1"] * 899_991])


def average_precision() -> str:
    base = list(range(2000))
    evidence = {"labels": [[1] * 2000], "weights": ["1"], "base": base, "columns": [base] * 20, "modulus": 3}
    return ranking(1, {"family": "mean_average_precision"}, **evidence, rows=[[[0, "1"]]] * 20)


def average_precision_of_many() -> str:
    random = Random(1)
    labels = [[random.randint(0, 1) for _ in range(2000)] for _ in range(200)]
    base = list(range(2000))
    evidence = {"labels": labels, "weights": ["1"] * 200, "base": base, "columns": [base], "modulus": 3}
    return ranking(1, {"family": "mean_average_precision"}, **evidence, rows=[[[0, "1"]]])


def long_weights_of_average_precision() -> str:
    evidence = {"labels": [[1] * 2000] * 9, "weights": coprime(9), "base": list(range(2000)), "modulus": 3}
    return ranking(1, {"family": "mean_average_precision"}, **evidence, columns=[list(range(2000))], rows=[[[0, "1"]]])


def precision() -> str:
    """Lists of 1000 documents that are shown, and rows with 2000 factors."""
    shown = list(range(1000, 2000))
    evidence = {"labels": [[1] * 2000], "weights": ["1"], "base": shown, "modulus": 3}
    rows_ = [[[0, "1"]]] * 900
    return ranking(1, {"family": "precision_at", "q": 1000}, **evidence, columns=[shown] * 900, rows=rows_)


def total_orders() -> str:
    order = list(range(2000))
    evidence = {"labels": [order, order[::-1]] * 100, "weights": ["1"] * 200, "base": order, "modulus": 3}
    loss = {"family": "pairwise_disagreement", "graphs": "total orders"}
    return ranking(1, loss, **evidence, columns=[order] * 100, rows=[[[0, "1"]]] * 100)


def long_gains() -> str:
    loss = {"family": "dcg", "gain": ["0", *coprime(9)], "discount": [*coprime(9), *["1"] * 1991]}
    labels = [[1 + (i + j) % 9 for i in range(2000)] for j in range(9)]
    evidence = {"labels": labels, "weights": coprime(9), "base": list(range(2000)), "modulus": 3}
    return ranking(1, loss, **evidence, columns=[list(range(2000))] * 9, rows=[[[0, "1"]]] * 9)


def elimination(n: int) -> str:
    """Random losses of equal sum: all are optimal at the uniform distribution, and independent."""
    random = Random(1)
    columns = []
    for _ in range(n):
        values = [random.randint(0, 9) for _ in range(n - 1)]
        columns.append([*values, 10 * n - sum(values)])
    entries = [[str(column[y]) for column in columns] for y in range(n)]
    evidence = {"points": [[[f"1/{n}"] * n]], "columns": list(range(n)), "alone": [], "modulus": 2**26 - 5}
    return certificate("ccdim at least", {"entries": entries}, evidence, value=1)


def random_cells(n: int, count: int, listed: int, size: int = 100) -> str:
    """Cells with far too many vertices, and a long list of points that are none."""
    random = Random(1)
    cells = [{"u": [str(random.randint(0, size)) for _ in range(n)], "prediction": 0} for _ in range(count)]
    vertices = []
    for i in range(2, listed + 2):
        p = [f"1/{i}", f"{i - 1}/{i}", *["0"] * (n - 2)]
        pieces = [[0, 0, 0, p[0]], [1, 0, 0, p[1]]]
        vertices.append({"p": p, "pieces": pieces, **rows()})
    surrogate = {"dim": n, "terms": [[[["0"] * (n + 1), *linear(n)["terms"][y][0]]] for y in range(n)], **rows()}
    evidence = {"cells": cells, "vertices": vertices}
    return certificate("calibrated", {"entries": [["0"]] * n}, evidence, surrogate=surrogate)


def long_cells() -> str:
    """Few cells in few dimensions with long coordinates."""
    long = coprime(30)
    cells = [{"u": [long[(i + 3 * c) % 30] for c in range(5)], "prediction": 0} for i in range(300)]
    return certificate("calibrated", {"entries": [["0"]] * 5}, {"cells": cells, "vertices": []}, surrogate=linear(5))


def equal_cells() -> str:
    cells = [{"u": [], "prediction": 0}] * 300_000
    vertices = [{"p": p, "pieces": [[y, 0, 0, "1"]], **rows()} for y, p in enumerate((["1", "0"], ["0", "1"]))]
    evidence = {"cells": cells, "vertices": vertices}
    return certificate("calibrated", {"entries": [["0"], ["0"]]}, evidence, surrogate=constant(2))


def different_cells() -> str:
    """Points of a parabola: each cell cuts off the vertex between its neighbours."""
    cells = [{"u": [str(i * i), str((i - 5000) ** 2)], "prediction": 0} for i in range(5000)]
    return certificate("calibrated", {"entries": [["0"], ["0"]]}, {"cells": cells, "vertices": []}, surrogate=linear(2))


def many_labels() -> str:
    n = 200_000
    evidence = {"cells": [{"u": [], "prediction": 0}], "vertices": []}
    return certificate("calibrated", {"entries": [["0"]] * n}, evidence, surrogate=constant(n))


def many_predictions() -> str:
    k = 150_000
    points = [
        {"p": [f"1/{i}", f"{i - 1}/{i}"], "pieces": [[0, 0, 0, f"1/{i}"], [1, 0, 0, f"{i - 1}/{i}"]], **rows()}
        for i in range(2, 5000)
    ]
    better = [[t, t % len(points), k - 1] for t in range(k)]  # but nothing is better than the last
    loss = {"entries": [[*["2"] * (k - 1), "1"]] * 2}
    evidence = {"u": [], "points": points, "better": better}
    return certificate("not calibrated", loss, evidence, surrogate=constant(2))


def wide_tree() -> str:
    """A branch with very many functions, and leaves that use much of their path."""
    m = 60_000
    by = [[str(-i * i), str(2 * i)] for i in range(m)]
    nothing = {"path": [], **rows()}
    part = {"prediction": 0, "piece": 0, "rows": []}
    last = {"thin": {**nothing, "path": [[k, "1"] for k in range(m - 1)]}}
    tree = {"by": by, "parts": [part] * (m - 1) + [last]}
    return covered(tree)


def deep_tree() -> str:
    nothing = {"path": [], **rows()}
    by = [[str(-i * i), str(2 * i)] for i in range(300)]
    tree: Any = {"thin": {**nothing, "path": [[k, "1"] for k in range(95 * 299)]}}
    for _ in range(95):
        tree = {"by": by, "parts": [{"prediction": 0, "piece": 0, "rows": []}] * 299 + [tree]}
    return covered(tree)


def long_tree() -> str:
    """Functions with long coefficients, each multiplied by a long number."""
    by = [[x, y] for x, y in zip(coprime(100), coprime(100)[::-1])]
    path = [[k, x] for k, x in enumerate(coprime(99))]
    part = {"thin": {"path": path, **rows()}}
    return covered({"by": by, "parts": [part] * 100})


def covered(tree: Any) -> str:
    """The mean of 0 and 1, and one prediction that is always right."""
    surrogate = {"estimates": [["0"], ["1"]], "theorem": "mean"}
    evidence = {"cover": {"point": ["1/3"], "tree": tree}}
    loss, pred = {"entries": [["0"], ["0"]]}, {"regions": [[rows()]]}
    return certificate("calibrated", loss, evidence, surrogate=surrogate, pred=pred)


def many_pieces_on_many_sets() -> str:
    surrogate = {"estimates": [["0"], ["1"]], "theorem": "mean"}
    evidence = {"cover": {"point": ["0"], "tree": {"prediction": 0, "piece": 0, "rows": []}}}
    more = {"surrogate": surrogate, "pred": {"regions": [[rows()] * 20_000]}, "within": [rows()] * 20_000}
    return certificate("calibrated", {"entries": [["0"], ["0"]]}, evidence, **more)


def a_piece_of_many_rows() -> str:
    """Rows of a piece, times the estimates of all labels."""
    n, count = 1500, 100_000
    surrogate = {"estimates": [[str(y)] for y in range(n)], "theorem": "mean"}
    evidence = {"cover": {"point": ["0"], "tree": {"prediction": 0, "piece": 0, "rows": []}}}
    pred = {"regions": [[rows(), rows([[str(i), "1"] for i in range(count)])]]}
    return certificate("calibrated", {"entries": [["0"]] * n}, evidence, surrogate=surrogate, pred=pred)


def a_set_with_very_many_vertices() -> str:
    """No label has a probability above 1/10, of 40: millions of vertices."""
    n = 40
    surrogate = {"estimates": [["0"]] * n, "theorem": "mean"}
    within = [rows([[str(1 - 10 * int(x == y)) for x in range(n)] for y in range(n)])]
    evidence = {"affine": [["0", "0"]]}
    return certificate("calibrated", {"entries": [["0"]] * n}, evidence, surrogate=surrogate, within=within)


def many_points_in_none_of_many_sets() -> str:
    surrogate = {"estimates": [["0"], ["0"]], "theorem": "mean"}
    evidence = {"u": ["0"], "points": [{"p": ["1/2", "1/2"]}] * 20_000, "better": [[0, 0, 0]]}
    within = [rows([["1", "-2"]])] * 50_000 + [rows()]
    return certificate("not calibrated", {"entries": [["0"], ["0"]]}, evidence, surrogate=surrogate, within=within)


def many_earlier_pieces() -> str:
    surrogate = {"estimates": [["0"], ["1"]], "theorem": "mean"}
    evidence = {"u": ["0"], "points": [{"p": ["1", "0"]}], "prediction": 1, "piece": 0, "toward": ["1"], "better": 0}
    pred = {"regions": [[rows([["0", "-1"]])] * 150_000, [rows()]]}
    loss = {"entries": [["0", "1"], ["0", "1"]]}
    return certificate("not calibrated", loss, evidence, surrogate=surrogate, pred=pred)


def many_pieces_exchanged(n: int, count: int, rows_each: int) -> str:
    """All labels are alike, u does not matter, and every map leaves every piece as it is."""
    maps: list[Any] = [[] for _ in range(n - 1)]
    vertices = [
        {"p": p, "pieces": [[y, 0, 0, x] for y, x in enumerate(p) if x != "0"], **rows()}
        for p in ([("1" if i == 1 else f"1/{i}") if y < i else "0" for y in range(n)] for i in range(1, n + 1))
    ]
    row = [[str(j), "1"] for j in range(count + rows_each)]
    pieces = [rows(row[i : i + rows_each]) for i in range(count)]
    evidence = {
        "blocks": [{"labels": list(range(n)), "maps": maps}],
        "cells": [{"u": ["0"]}],
        "vertices": vertices,
        "apart": [],
        "scores": [["0", "0"]] * n,
        "cover": {"point": ["0"], "tree": {"prediction": 0, "piece": 0, "rows": []}},
    }
    surrogate = {"dim": 1, "terms": [[[["0", "0"]]]] * n, **rows()}
    loss = {"entries": [["0"]] * n}
    return certificate("calibrated", loss, evidence, surrogate=surrogate, pred={"regions": [[rows(), *pieces]]})


def lines_through_many_labels() -> str:
    """One prediction, and no line: there would be 10¹¹ pairs of labels to look at."""
    n = 500_000
    evidence = {"point": [f"1/{n}"] * n, "prediction": 0, "multipliers": []}
    return certificate("ccdim at least", {"entries": [["0"]] * n}, evidence, value=1)


def lines_in_a_wide_matrix() -> str:
    k = 600_000
    entries = [["0", *(str(1 + (y + t) % 99) for t in range(1, k))] for y in range(2)]
    evidence = {"point": ["1/2", "1/2"], "prediction": 0, "multipliers": [["1"] * k]}
    return certificate("ccdim at least", {"entries": entries}, evidence, value=1)


def lines_that_are_all_excluded(n: int, times: int) -> str:
    """ℓ_s is 0 at label s and 1 + c elsewhere, ℓ_t is 1: between 1/(n − 1) and 1/(n − 2), c leaves no line in Q_t."""
    c = f"{2 * (n - 1) * (n - 2) + 2 * n - 3}/{2 * (n - 1) * (n - 2)}"
    entries = [["1", *("0" if s == y else c for s in range(n) for _ in range(times))] for y in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    multipliers = [["-1" if s == 1 + j * times else "0" for s in range(1 + n * times)] for _, j in pairs]
    evidence = {"point": [f"1/{n}"] * n, "prediction": 0, "multipliers": multipliers}
    return certificate("ccdim at least", {"entries": entries}, evidence, value=n - 1)


def a_tree(lengths: list[str]) -> str:
    """A path, all of whose nodes have a weight."""
    n = len(lengths)
    loss = {"family": "tree_distance", "parents": list(range(n)), "lengths": lengths, "inner": [1, 1]}
    return certificate("ccdim at least", loss, {"weights": ["1"] * (n + 1)}, value=1)


def guesses(costs: list[str], penalties: list[str]) -> str:
    loss = {"family": "top_k_costs", "costs": costs, "penalties": penalties, "skipped": 0}
    return certificate("ccdim at least", loss, {"weights": costs}, value=1)


def a_hull_of_many_points() -> str:
    """The surrogate is 0, so that no regret costs anything; and each point is compared with every piece."""
    count, attained = 5000, []
    for i in range(1, count):
        p = [str(Fraction(count - i, count)), str(Fraction(i, count))]
        place = {"u": [], "prediction": 0, "piece": 0, "toward": []}
        attained.append({"p": p, "pieces": [[y, 0, 0, x] for y, x in enumerate(p)], **rows(), **place})
    vertices = [{"p": p, "pieces": [[y, 0, 0, "1"]], **rows()} for y, p in enumerate((["1", "0"], ["0", "1"]))]
    attained.append({**vertices[1], **place})
    cover = {"point": [], "tree": {"prediction": 0, "piece": 0, "rows": []}}
    above = {"cells": [{"u": []}], "vertices": vertices, "apart": [], "cover": cover}
    pred, hull = {"regions": [[rows()] * 100_000, []]}, [[each["p"][1], "0"] for each in attained]
    loss, evidence = {"entries": [["0", "0"], ["1", "0"]]}, {"attained": attained, "above": above}
    return certificate("regret", loss, evidence, surrogate=constant(2), pred=pred, hull=hull)


def a_function_of_many_pieces(count: int, regions: int) -> str:
    """The surrogate is 0, so that no regret costs anything, and δ has many pieces, each compared in each region."""
    place = {"u": [], "prediction": 0, "piece": 0, "toward": [], "instead": 1}
    vertices = [{"p": p, "pieces": [[y, 0, 0, "1"]], **rows()} for y, p in enumerate((["1", "0"], ["0", "1"]))]
    part = {"cells": [{"u": []}], "vertices": vertices}
    cover = {"point": [], "tree": {"prediction": 0, "piece": 0, "rows": []}}
    evidence = {"all": part, "pieces": [[part] * regions, []], "attained": [place] * count, "cover": cover}
    delta = [[str(Fraction(i, count)), "0", "0"] for i in range(1, count + 1)]
    more = {"surrogate": constant(2), "pred": {"regions": [[rows()] * regions, []]}, "delta": delta}
    return certificate("calibration function", {"entries": [["0", "0"], ["1", "0"]]}, evidence, **more)


def a_function_of_long_numbers(n: int, k: int) -> str:
    """The losses have long denominators that have nothing in common, and so have all distances of points."""
    entries = [coprime((y + 1) * k)[y * k :] for y in range(n)]
    vertices = [{"p": [str(int(x == y)) for x in range(n)], "pieces": [[y, 0, 0, "1"]], **rows()} for y in range(n)]
    part = {"cells": [{"u": []}] * 50, "vertices": vertices}
    cover = {"point": [], "tree": {"prediction": 0, "piece": 0, "rows": []}}
    evidence = {"all": part, "pieces": [[part]] * k, "attained": [], "cover": cover}
    terms = [[[[x]]] for x in coprime(n + n * k)[n * k :]]
    surrogate = {"dim": 0, "terms": terms, **rows()}
    more = {"surrogate": surrogate, "pred": {"regions": [[rows()]] * k}, "delta": []}
    return certificate("calibration function", {"entries": entries}, evidence, **more)


def estimates_with_long_weights() -> str:
    """Each number of the estimates becomes as long as a weight."""
    weight, estimate = "9" * 640 + "/1" + "0" * 639, ["1"] * 950_000
    surrogate = {"estimates": [estimate, estimate], "theorem": "mean", "weights": [weight, weight]}
    return certificate("calibrated", {"entries": [["0"], ["1"]]}, {}, surrogate=surrogate)


QUICK: dict[str, Callable[[], str]] = {
    "open brackets": lambda: "[" * MAX_BYTES,
    "empty lists, a whole file": lambda: filled("[],"),
    "objects, a whole file": lambda: filled('{"a":1},'),
    "zeros, a whole file": lambda: filled("0,"),
    "empty lists": lambda: parts("[],"),
    "one long name": lambda: '{"' + "\U0001f600" * (MAX_BYTES // 4 - 4) + '":0}',
    "a string without end": lambda: '"' + '\\"' * (MAX_BYTES // 2 - 1),
    "a string of brackets": lambda: '["' + '\\"[' * (reading.MAX_PARTS - 9) + '"]',
    "a long float": lambda: "0." + "1" * (MAX_BYTES - 2),
    "a long integer": lambda: "1" * MAX_BYTES,
    "average precision": average_precision,
    "long weights of average precision": long_weights_of_average_precision,
    "estimates with long weights": estimates_with_long_weights,
    "a long tree": long_tree,
    "lines in a wide matrix": lines_in_a_wide_matrix,
    "a tree of many nodes": lambda: a_tree(["1"] * 600_000),
    "a tree of long edges": lambda: a_tree([*coprime(9), *["1"] * 20_001]),
    "guesses with long costs": lambda: guesses([*coprime(4), *["1"] * 30_000], coprime(8)[4:]),
}
SLOW: dict[str, Callable[[], str]] = {
    "one long value": lambda: '{"value":"' + "\\ud83d\\ude00" * (MAX_BYTES // 12 - 9) + '"}',
    "short texts beside a wide character": lambda: "\U0001f600" + '""Ā' * (MAX_BYTES // 4 - 2),
    "objects": lambda: parts('{"a":1},'),
    "long denominators": long_denominators,
    "distinct keys": distinct_keys,
    "many earlier pieces": many_earlier_pieces,
    "long gains": long_gains,
    "texts": lambda: parts('"é",'),
    "many numbers": lambda: a_matrix_of_many_numbers([f"{i}/1001" for i in range(500) if i % 7 and i % 11 and i % 13]),
    "many long numbers": lambda: a_matrix_of_many_numbers(["1", *["2"] * 29, "1" + "0" * 639]),
    "many average precisions": average_precision_of_many,
    "precision": precision,
    "total orders": total_orders,
    "elimination": lambda: elimination(1000),
    "cells": lambda: random_cells(30, 60, 20_000),
    "long cells": long_cells,
    "equal cells": equal_cells,
    "different cells": different_cells,
    "many labels": many_labels,
    "many predictions": many_predictions,
    "a wide tree": wide_tree,
    "a deep tree": deep_tree,
    "many pieces on many sets": many_pieces_on_many_sets,
    "a piece of many rows": a_piece_of_many_rows,
    "a set with very many vertices": a_set_with_very_many_vertices,
    "many points in none of many sets": many_points_in_none_of_many_sets,
    "many pieces, exchanged by many maps": lambda: many_pieces_exchanged(60, 100_000, 1),
    "pieces of many rows, exchanged by many maps": lambda: many_pieces_exchanged(100, 500, 600),
    "lines through many labels": lines_through_many_labels,
    "lines that are all excluded": lambda: lines_that_are_all_excluded(110, 2),
    "a tree of very long edges": lambda: a_tree(["9" * 630] * 23_000),
    "guesses of any size": lambda: guesses([str(i) for i in range(1, 600_001)], ["1"] * 600_000),
    "a hull of many points": a_hull_of_many_points,
    "a calibration function on many regions": lambda: a_function_of_many_pieces(50, 20_000),
    "pieces of a calibration function on many regions": lambda: a_function_of_many_pieces(1000, 1000),
    "a calibration function of long numbers": lambda: a_function_of_long_numbers(30, 8),
    "pieces, exchanged as often as is allowed": lambda: many_pieces_exchanged(30, 40_000, 1),
}


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))  # whatever else the machine does


def answered(text: str, path: Any) -> str:
    """Check the file within the limits, and return the verdict."""
    assert len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES
    path.write_text(text)
    command = [sys.executable, "-c", PROGRAM, str(path)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=5 * SECONDS, preexec_fn=limited, check=False
    )
    assert result.returncode in (0, 1), result.stderr[-500:]
    print(f"\n{len(text)} characters, {int(result.stderr) // 1024} MiB: {result.stdout.strip()}")
    return "accepted" if result.returncode == 0 else "rejected"


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", QUICK)
def test_a_hostile_file_is_answered_in_time(kind, tmp_path):
    assert answered(QUICK[kind](), tmp_path / "hostile.json") == "rejected"


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", SLOW)
def test_a_hostile_file_that_takes_its_time_is_answered_in_time(kind, tmp_path):
    assert answered(SLOW[kind](), tmp_path / "hostile.json") in ("accepted", "rejected")


def test_the_limits_are_those_of_the_document(request):
    document = (request.config.rootpath / "docs" / "certificate-format.md").read_text()
    limits = document[document.index("## Limits") : document.index("## Verdict")]
    for value in (
        f"{MAX_BYTES // 2**20} MiB",
        f"{reading.MAX_DEPTH} levels",
        f"{reading.MAX_PARTS:,}".replace(",", " "),
    ):
        assert value in limits
    assert f"{arithmetic.MAX_BITS:,}".replace(",", " ") in limits
