"""How long the exact cells of a surrogate take, as a ratio to Bensolve, which works in floating point.

Bensolve gets the same task as a vector linear program, min (ψ_1(u), …, ψ_n(u)) with respect to R^n_+: the vertices of
its upper image are the cells, those of its lower image are the vertices of the cells. Both run on one thread and in
turn, and the best of several counts, in seconds of processor time: other processes then disturb least. Where labels can
be exchanged, one cell of each kind is enough, and the time for these is what counts.

Then: how time grows with the number of cells and vertices, and how long certificates take to make and to check.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import log
from random import Random
from typing import TYPE_CHECKING, Any

Instance = tuple[str, int, str]

if TYPE_CHECKING:
    from lossmith.losses.matrix import LossMatrix
    from lossmith.surrogates.polyhedral import PolyhedralSurrogate

ROUNDS = 5
MOST_BY_SYMMETRY, MOST_RATIO, MOST_EARLY, MOST_MEMORY, MOST_SECONDS = 1, 2, 1, 1024, 60
FAMILIES: dict[str, list[Instance]] = {
    "Weston–Watkins": [("weston_watkins", n, "zero_one") for n in (3, 4, 5)],
    "Crammer–Singer": [("crammer_singer", n, "zero_one") for n in (5, 10, 20)],
    "Lee–Lin–Wahba": [("lee_lin_wahba", n, "ordinal") for n in (6, 8, 10)],
    "random on R^3": [("random 3", n, "zero_one") for n in (4, 5, 6)],
    "random on R^4": [("random 4", n, "zero_one") for n in (4, 5, 6)],
}
LARGE: Instance = ("weston_watkins", 8, "zero_one")  # by symmetry alone
CERTIFICATES = [("weston_watkins", 5, "embedded"), ("crammer_singer", 12, "abstain"), ("lee_lin_wahba", 8, "zero_one")]
PEER = """benpy is not installed, so the columns of the peer are absent. To have them, install GLPK with its headers
(libglpk-dev with apt, glpk-devel with dnf, glpk with brew), then benpy with pip."""


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # for the processes that do the work
    if importlib.util.find_spec("benpy") is None:
        print(f"{PEER}\n")
    print(
        f"{'surrogate':<22}{'cells':>6}{'vertices':>9}{'Bensolve':>10}{'ours':>9}{'ratio':>7}"
        f"{'by symmetry':>13}{'ratio':>7}{'not calibrated':>16}{'ratio':>7}{'memory':>9}"
    )
    growths = [growth(name, [shown(instance) for instance in family]) for name, family in FAMILIES.items()]
    print(
        f"targets: by symmetry ≤ {MOST_BY_SYMMETRY} ×, random ones ≤ {MOST_RATIO} ×, bare “not calibrated” "
        f"< {MOST_EARLY} × Bensolve, memory < {MOST_MEMORY} MiB"
    )
    large = elsewhere("kinds", LARGE)
    print(
        f"{large['name']}: {large['kinds']} kinds of cells, {large['vertices']} vertices in {large['seconds']:.1f} s\n"
    )
    print(f"{'time grows like (cells + vertices)^':<36}{'Bensolve':>9}{'ours':>7}")
    print("\n".join(growths))
    print(f"\n{'certificate':<22}{'loss':<36}{'verdict':>15}{'decide':>9}{'make':>9}{'check':>9}{'size':>10}")
    for instance in CERTIFICATES:
        row = elsewhere("certificate", instance)
        times = f"{seconds(row['decide']):>9}{seconds(row['make']):>9}{seconds(row.get('check')):>9}"
        print(f"{row['name']:<22}{row['loss']:<36}{row['status']:>15}{times}{row['size'] / 2**20:>6.2f} MiB")
    print(f"target: each < {MOST_SECONDS} s")


def shown(instance: Instance) -> dict[str, Any]:
    """Measure one surrogate, and print its line."""
    row, memory = elsewhere("times", instance), elsewhere("memory", instance)
    bensolve, ours, early, kinds = row.get("bensolve"), row["ours"], row["early"], row.get("kinds")
    symmetric = f"{'':>20}" if kinds is None else f"{seconds(kinds):>13}{ratio(kinds, bensolve)}"
    times = f"{seconds(bensolve):>10}{seconds(ours):>9}{ratio(ours, bensolve)}{symmetric}"
    refuted = f"{seconds(early):>16}{ratio(early, bensolve)}"
    print(f"{row['name']:<22}{row['cells']:>6}{row['vertices']:>9}{times}{refuted}{memory:>5} MiB", flush=True)
    return row  # type: ignore[no-any-return]


def growth(name: str, rows: list[dict[str, Any]]) -> str:
    """The exponents, from the smallest to the largest."""
    first, last = rows[0], rows[-1]
    larger = log((last["cells"] + last["vertices"]) / (first["cells"] + first["vertices"]))
    slopes = [
        f"{log(last[side] / first[side]) / larger:.1f}" if side in first else "absent" for side in ("bensolve", "ours")
    ]
    return f"{name:<36}{slopes[0]:>9}{slopes[1]:>7}"


def elsewhere(what: str, instance: Instance) -> Any:
    """Do one part in a process of its own, so that none inherits the memory or the caches of another."""
    command = [sys.executable, __file__, what, json.dumps(instance)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def times(instance: Instance) -> dict[str, Any]:
    from lossmith.analysis.positive_normals import positive_normal_sets
    from lossmith.calibration.checking import check

    # What to time, made afresh in each round: a surrogate remembers what it has computed.
    runs: dict[str, Callable[[PolyhedralSurrogate, LossMatrix], Callable[[], Any]]] = {
        "ours": lambda surrogate, _: partial(positive_normal_sets, surrogate),
        "early": lambda surrogate, loss: partial(check, surrogate, loss),
    }
    if not instance[0].startswith("random"):
        runs["kinds"] = lambda surrogate, _: partial(one_of_each_kind, surrogate)
    if importlib.util.find_spec("benpy") is not None:
        runs["bensolve"] = lambda surrogate, _: partial(bensolve, vector_program(surrogate))
    best, results = dict.fromkeys(runs, float("inf")), {}
    for _ in range(ROUNDS):
        for name, prepare in runs.items():
            spent, results[name] = timed(prepare(*made(instance)))
            best[name] = min(best[name], spent)
    subdivision = results["ours"]
    counts = len(subdivision.cells), len(subdivision.vertices)
    name = subdivision.surrogate.name
    if results["early"].status != "not calibrated":
        raise SystemExit(f"{name} is {results['early'].status} for {results['early'].loss.name}")
    if results.get("bensolve", counts) != counts:
        raise SystemExit(f"{name} has {counts} cells and vertices, but Bensolve finds {results['bensolve']}")
    return {"name": name, "cells": counts[0], "vertices": counts[1], **best}


def one_of_each_kind(surrogate: PolyhedralSurrogate) -> Any:
    """The cells by symmetry, which is found and tested first."""
    from lossmith.analysis.chamber import cells_in_chamber
    from lossmith.analysis.risk_minimizer import RiskMinimizer
    from lossmith.analysis.symmetry import shared_symmetry

    blocks = shared_symmetry(surrogate, [tuple(range(surrogate.n))]).blocks
    return cells_in_chamber(RiskMinimizer(surrogate, blocks))


def kinds(instance: Instance) -> dict[str, Any]:
    spent, found = timed(partial(one_of_each_kind, made(instance)[0]))
    return {"name": found.surrogate.name, "kinds": len(found.cells), "vertices": len(found.proofs), "seconds": spent}


def vector_program(surrogate: PolyhedralSurrogate) -> Any:
    """The program for Bensolve, in u and one bound t_g for each maximum: minimise all Σ t_g at once.

    Directions in which ψ is constant need no care: the image must be free of lines, but u may be left free.
    """
    import benpy
    import numpy as np

    size = len(surrogate.maxima)
    bounds = [  # t_g − a·u ≥ b
        ([*(-x for x in a), *(int(g == h) for h in range(size))], b, np.inf)
        for g, maximum in enumerate(surrogate.maxima)
        for b, *a in maximum
    ]
    inequalities = [([*a, *[0] * size], -b, np.inf) for b, *a in surrogate.inequalities]
    equations = [([*a, *[0] * size], -b, -b) for b, *a in surrogate.equations]
    rows, low, high = zip(*bounds, *inequalities, *equations, strict=True)
    sums = [[0] * surrogate.dim + [groups.count(g) for g in range(size)] for groups in surrogate.groups]
    free = np.full(surrogate.dim + size, np.inf)
    problem = benpy.vlpProblem(
        *(np.array(each, dtype=float) for each in (rows, low, high)), l=-free, s=free, P=np.array(sums, dtype=float)
    )
    # Its dual algorithm is the faster one here, by far; and it may know that ψ ≥ 0.
    problem.options = {**problem.default_options, "message_level": 0, "bounded": True}
    problem.options.update(alg_phase1="dual", alg_phase2="dual")
    return problem


def bensolve(problem: Any) -> tuple[int, int]:
    """The numbers of cells and of their vertices."""
    import benpy

    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():  # benpy names its temporary file
        warnings.simplefilter("ignore")
        solution = benpy.solve(problem)
    return sum(solution.Primal.vertex_type), sum(solution.Dual.vertex_type)


def memory(instance: Instance) -> int:
    """The most memory that our side takes, with all imports, in MiB."""
    from lossmith.analysis.positive_normals import positive_normal_sets
    from lossmith.calibration.checking import check

    surrogate, loss = made(instance)
    positive_normal_sets(surrogate)
    check(surrogate, loss)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10))


def certificate(instance: Instance) -> dict[str, Any]:
    from lossmith.calibration.checking import check

    surrogate, loss = made(instance)
    decide, verdict = timed(lambda: check(surrogate, loss))
    make, text = timed(lambda: verdict.certificate.text)
    row = {"name": surrogate.name, "loss": loss.name, "status": verdict.status, "decide": decide, "make": make}
    if importlib.util.find_spec("lossmith_verify") is not None:
        import lossmith_verify

        row["check"], verification = timed(lambda: lossmith_verify.check(text))
        if not verification.accepted:
            raise SystemExit(f"{surrogate.name} for {loss.name}: {verification}")
    return {**row, "size": len(text.encode())}


def made(instance: Instance) -> tuple[PolyhedralSurrogate, LossMatrix]:
    from lossmith import losses, surrogates
    from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets

    family, n, loss = instance
    surrogate: PolyhedralSurrogate
    if family.startswith("random"):
        return drawn(n, int(family.split()[1])), getattr(losses, loss)(n)
    surrogate = getattr(surrogates, family)(n)
    if loss == "embedded":
        return surrogate, embedded_loss(positive_normal_sets(surrogate))
    return surrogate, getattr(losses, loss)(n)


def drawn(n: int, dim: int) -> PolyhedralSurrogate:
    """Eight pieces a label with small coefficients, whose slopes have the mean 0: no component falls without end."""
    from lossmith.surrogates.polyhedral import PolyhedralSurrogate

    random = Random(n * dim)
    terms = []
    for _ in range(n):
        slopes = [[random.randint(-3, 3) for _ in range(dim)] for _ in range(7)]
        slopes.append([-sum(column) for column in zip(*slopes, strict=True)])
        terms.append((tuple(tuple(map(Fraction, (random.randint(0, 4), *slope))) for slope in slopes),))
    return PolyhedralSurrogate(tuple(terms), dim, name=f"random({n}, R^{dim})")


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def seconds(value: float | None) -> str:
    return "absent" if value is None else f"{value:.3f}s"


def ratio(value: float, peer: float | None) -> str:
    return f"{'absent' if peer is None else format(value / peer, '.2f'):>7}"


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        part = {"times": times, "memory": memory, "kinds": kinds, "certificate": certificate}[sys.argv[1]]
        print(json.dumps(part(json.loads(sys.argv[2]))))
