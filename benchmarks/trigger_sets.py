"""How long `trigger_sets` takes, as a ratio to a bare conversion of the same polyhedron by PPL.

Both sides start from Python integers and end with Python integers; both run in turn, and the best of many counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from ppl import C_Polyhedron, Constraint_System, Linear_Expression

from lossmith import LossMatrix, losses, trigger_sets

TARGET = 2.0


def bare_conversion(columns: list[list[int]]) -> list[tuple[int, ...]]:
    n = len(columns[0])
    system = Constraint_System()
    system.insert(Linear_Expression([1] * n + [0], -1) == 0)
    for y in range(n):
        system.insert(Linear_Expression([int(y == z) for z in range(n)] + [0], 0) >= 0)
    for column in columns:
        system.insert(Linear_Expression([*column, -1], 0) >= 0)
    generators = C_Polyhedron(system).minimized_generators()
    return [(int(g.divisor()), *map(int, g.coefficients())) for g in generators if g.is_point()]


def everything(loss: LossMatrix) -> None:
    for cell in trigger_sets(loss):
        _ = cell.polytope.vertices, cell.neighbours


def best_of(functions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> None:
    print(f"{'loss':<22}{'bare PPL':>10}{'cells':>10}{'ratio':>7}{'with fractions and facets':>27}")
    for loss in (losses.zero_one(12), losses.ordinal(40), losses.abstain(12), losses.top_k(8, 4), losses.hamming(4)):
        columns = loss.rational.integer_columns()
        best = best_of({"bare": partial(bare_conversion, columns), "cells": partial(trigger_sets, loss)}, rounds=15)
        whole = best_of({"whole": partial(everything, loss)}, rounds=2)["whole"]
        ratio = best["cells"] / best["bare"]
        note = "" if loss.name not in ("zero_one(n=12)", "ordinal(n=40)") else f"  (target ≤ {TARGET:g})"
        print(f"{loss.name[:21]:<22}{best['bare']:>9.4f}s{best['cells']:>9.4f}s{ratio:>7.2f}{whole:>26.4f}s{note}")


if __name__ == "__main__":
    main()
