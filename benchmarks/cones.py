"""How long the double description and the exact simplex take, as ratios to PPL in the same run.

Both sides start from Python integers and end with Python integers; both run in turn, and the best of several counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from ppl import C_Polyhedron, Constraint_System, Linear_Expression, MIP_Problem

from lossmith import LossMatrix, losses, surrogates
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.analysis.trigger_probabilities import _embedding, _in_coordinates
from lossmith.exact.vectors import over_common_denominator
from lossmith.geometry.double_description import described, facets
from lossmith.geometry.exact_simplex import maximize
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

TARGET, BEYOND_64_BITS, SMALL, SIMPLEX = 1.5, 4.0, 5.0, 3.0
ROUNDS = 7

Rows = list[tuple[int, ...]]


def unit(n: int) -> Rows:
    return [tuple(int(i == j) for j in range(n)) for i in range(n)]


def below(domain: Rows, functionals: Rows) -> Rows:
    """{(x, v) : x in the domain, v ≤ f·x for all functionals f}."""
    return [*((*row, 0) for row in domain), *((*f, -1) for f in functionals)]


def of_surrogate(surrogate: PolyhedralSurrogate) -> Rows:
    cuts = []
    for cell in positive_normal_sets(surrogate).cells:
        numerators, denominator = over_common_denominator(cell.z)
        cuts.append((*numerators, -denominator))
    return [*((*row, 0) for row in unit(surrogate.n)), *cuts]


def of_loss(loss: LossMatrix) -> Rows:
    return below(unit(loss.n), [tuple(column) for column in loss.rational.integer_columns()])


def reduced(loss: LossMatrix) -> Rows:
    columns = loss.rational.integer_columns()
    embedding = _embedding(columns)
    return below(facets(embedding), _in_coordinates(columns, embedding))


def at_random(n: int, k: int, digits: int) -> Rows:
    rng = random.Random(n)
    return below(unit(n), [tuple(rng.randrange(10**digits) for _ in range(n)) for _ in range(k)])


def cones() -> Iterator[tuple[str, Rows, bool]]:
    """Name, rows, and whether the coordinates of rays leave 64 bits."""
    yield "Weston–Watkins 4", of_surrogate(surrogates.weston_watkins(4)), False
    yield "Weston–Watkins 5", of_surrogate(surrogates.weston_watkins(5)), False
    yield "Crammer–Singer 20", of_surrogate(surrogates.crammer_singer(20)), False
    yield "Lee–Lin–Wahba 10", of_surrogate(surrogates.lee_lin_wahba(10)), False
    for loss in (losses.zero_one(12), losses.zero_one(14), losses.ordinal(40), losses.abstain(16), losses.top_k(8, 4)):
        yield loss.name, of_loss(loss), False
    yield "hamming(6), reduced", reduced(losses.hamming(6)), False
    for n in range(6, 13):
        for digits in (2, 6):
            yield f"random {n} × {n}, {digits} decimals", at_random(n, n, digits), digits == 6 and n > 6
    for n, k in ((8, 30), (5, 120)):
        for digits in (2, 6):
            yield f"random {n} × {k}, {digits} decimals", at_random(n, k, digits), digits == 6


def programs() -> Iterator[tuple[str, tuple[list[int], Rows, Rows]]]:
    """Mixtures below a point, of least total: the shape of most programs that are asked."""
    for n, k in ((4, 4), (8, 8), (10, 40), (15, 15), (15, 60), (25, 25)):
        rng = random.Random(n)
        points = [[rng.randrange(100) for _ in range(n)] for _ in range(k)]
        below_mean = [(sum(column), *(-k * x for x in column)) for column in zip(*points, strict=True)]
        positive = [(0, *row) for row in unit(k)]
        yield (
            f"a mixture of {k} points in R^{n}",
            ([-sum(p) for p in points], [*below_mean, *positive], [(-1, *[1] * k)]),
        )
    for n, rows in ((8, 40), (12, 160), (15, 300)):
        rng = random.Random(n)
        cuts = [(10**4, *(rng.randrange(-99, 99) for _ in range(n))) for _ in range(rows)]
        yield f"{rows} random rows in R^{n}", ([rng.randrange(1, 99) for _ in range(n)], cuts, [])


def system(inequalities: Rows, equations: Rows = []) -> Constraint_System:  # noqa: B006
    made = Constraint_System()
    for row in inequalities:
        made.insert(Linear_Expression(list(row[1:]), row[0]) >= 0)
    for row in equations:
        made.insert(Linear_Expression(list(row[1:]), row[0]) == 0)
    return made


def rays_by_ppl(rows: Rows) -> list[tuple[int, ...]]:
    generators = C_Polyhedron(system([(0, *row) for row in rows])).minimized_generators()
    return [tuple(map(int, each.coefficients())) for each in generators if each.is_ray()]


def maximum_by_ppl(objective: list[int], inequalities: Rows, equations: Rows) -> object:
    return MIP_Problem(len(objective), system(inequalities, equations), Linear_Expression(objective, 0)).optimal_value()


def best_of(functions: dict[str, Callable[[], object]]) -> dict[str, float]:
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.process_time()
            function()
            best[name] = min(best[name], time.process_time() - start)
    return best


def main() -> None:
    print(f"{'cone':<28}{'rows':>5}{'rays':>7}{'PPL':>11}{'ours':>11}{'ratio':>7}")
    for name, rows, long in cones():
        found = described(rows)
        assert sorted(found.rays) == sorted(rays_by_ppl(rows)), name
        best = best_of({"ppl": partial(rays_by_ppl, rows), "ours": partial(described, rows)})
        ratio = best["ours"] / best["ppl"]
        target = BEYOND_64_BITS if long else TARGET if best["ppl"] > 0.01 else SMALL
        print(
            f"{name:<28}{len(rows):>5}{len(found.rays):>7}{1e3 * best['ppl']:>9.2f}ms{1e3 * best['ours']:>9.2f}ms"
            f"{ratio:>7.2f}  (target ≤ {target:g})"
        )
    print(f"\n{'program':<46}{'PPL':>9}{'ours':>11}{'ratio':>7}  (target ≤ {SIMPLEX:g})")
    for name, program in programs():
        best = best_of({"ppl": partial(maximum_by_ppl, *program), "ours": partial(maximize, *program)})
        ratio = best["ours"] / best["ppl"]
        print(f"{name:<44}{1e3 * best['ppl']:>9.2f}ms{1e3 * best['ours']:>9.2f}ms{ratio:>7.2f}")


if __name__ == "__main__":
    main()
