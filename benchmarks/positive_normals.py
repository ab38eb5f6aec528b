"""How long the exact cells of a surrogate take, as a ratio to Bensolve, which works in floating point.

Bensolve gets the same task as a vector linear program, min (ψ_1(u), …, ψ_n(u)) with respect to R^n_+: the vertices of
its upper image are the cells, those of its lower image are the vertices of the cells. Both run on one thread and in
turn, and the best of several counts, in seconds of processor time: other processes then disturb least.

Then: how long certificates take to make and to check.
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
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lossmith.losses.matrix import LossMatrix
    from lossmith.surrogates.polyhedral import PolyhedralSurrogate

ROUNDS = 5
MOST_RATIO, MOST_EARLY, MOST_MEMORY, MOST_SECONDS = 6, 1, 1024, 60
CELLS = [("weston_watkins", 5, "zero_one"), ("crammer_singer", 20, "zero_one"), ("lee_lin_wahba", 10, "ordinal")]
CERTIFICATES = [("weston_watkins", 5, "embedded"), ("crammer_singer", 12, "abstain"), ("lee_lin_wahba", 8, "zero_one")]
PEER = """benpy is not installed, so the columns of the peer are absent. To have them, install GLPK with its headers
(libglpk-dev with apt, glpk-devel with dnf, glpk with brew), then benpy with pip."""

Instance = tuple[str, int, str]


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # for the processes that do the work
    if importlib.util.find_spec("benpy") is None:
        print(f"{PEER}\n")
    print(
        f"{'surrogate':<22}{'cells':>6}{'vertices':>9}{'Bensolve':>10}{'ours':>9}{'ratio':>7}"
        f"{'not calibrated':>16}{'ratio':>7}{'memory':>9}"
    )
    for instance in CELLS:
        row = elsewhere("times", instance)
        memory = elsewhere("memory", instance)
        bensolve, ours, early = row.get("bensolve"), row["ours"], row["early"]
        times = (
            f"{seconds(bensolve)}{seconds(ours):>9}{ratio(ours, bensolve)}{seconds(early):>16}{ratio(early, bensolve)}"
        )
        print(f"{row['name']:<22}{row['cells']:>6}{row['vertices']:>9}{times:>49}{memory:>5} MiB")
    print(
        f"targets: ours ≤ {MOST_RATIO} × Bensolve, bare “not calibrated” < {MOST_EARLY} × Bensolve, "
        f"memory < {MOST_MEMORY} MiB"
    )
    print(f"\n{'certificate':<22}{'loss':<36}{'verdict':>15}{'decide':>9}{'make':>9}{'check':>9}{'size':>10}")
    for instance in CERTIFICATES:
        row = elsewhere("certificate", instance)
        times = f"{seconds(row['decide']):>9}{seconds(row['make']):>9}{seconds(row.get('check')):>9}"
        print(f"{row['name']:<22}{row['loss']:<36}{row['status']:>15}{times}{row['size'] / 2**20:>6.2f} MiB")
    print(f"target: each < {MOST_SECONDS} s")


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
    surrogate: PolyhedralSurrogate = getattr(surrogates, family)(n)
    if loss == "embedded":
        return surrogate, embedded_loss(positive_normal_sets(surrogate))
    return surrogate, getattr(losses, loss)(n)


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
        part = {"times": times, "memory": memory, "certificate": certificate}[sys.argv[1]]
        print(json.dumps(part(json.loads(sys.argv[2]))))
