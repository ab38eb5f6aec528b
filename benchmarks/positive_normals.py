"""How long the exact cells of a surrogate take, as a ratio to Bensolve, a floating-point solver of such programs.

Bensolve comes with the package benpy, which is not installed by default: it builds against GLPK's headers (Debian's
libglpk-dev). Without it our own times are printed, and the column of the peer is empty. Both sides run in turn on one
thread, and the best of five counts.
"""

from __future__ import annotations

import contextlib
import io
import resource
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import lossmith_verify
from lossmith import LossMatrix, PolyhedralSurrogate, check, losses, surrogates
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets

try:
    import benpy
except ImportError:
    benpy = None

CASES = (
    (surrogates.weston_watkins(5), losses.zero_one(5)),
    (surrogates.crammer_singer(20), losses.zero_one(20)),
    (surrogates.lee_lin_wahba(10), losses.ordinal(10)),
)
TARGET, ROUNDS = 6, 5


def vector_program(surrogate: PolyhedralSurrogate) -> Any:
    """min (ψ_1, …, ψ_n) over (u, one bound per maximum); u_0 = 0 where adding a constant to u changes nothing."""
    inequalities, equations = (np.array(rows, dtype=float) for rows in surrogate.program)
    rows = np.vstack([inequalities, equations]) if len(equations) else inequalities
    variables = rows.shape[1] - 1
    upper = np.full(len(rows), np.inf)
    upper[len(inequalities) :] = -rows[len(inequalities) :, 0]
    lower, highest = np.full((variables, 1), -np.inf), np.full((variables, 1), np.inf)
    if not len(equations):
        lower[0] = highest[0] = 0
    objective = np.zeros((surrogate.n, variables))
    for y, groups in enumerate(surrogate.groups):
        for g in groups:
            objective[y, surrogate.dim + g] += 1
    options = {"message_level": 0, "lp_message_level": 0, "alg_phase1": "dual", "alg_phase2": "dual"}
    return benpy.vlpProblem(
        B=rows[:, 1:], a=-rows[:, 0], b=upper, l=lower[:, 0], s=highest[:, 0], P=objective, opt_dir=1, options=options
    )


def bensolve(problem: Any) -> int:
    """The number of vertices of the upper image."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        solution = benpy.solve(problem)
    return int(np.sum(np.array(solution.Primal.vertex_type) == 1))


def best_of_alternating(functions: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], dict[str, Any]]:
    best, answers = dict.fromkeys(functions, float("inf")), {}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.perf_counter()
            answers[name] = function()
            best[name] = min(best[name], time.perf_counter() - start)
    return best, answers


def enumeration() -> None:
    print(
        f"{'surrogate':<22}{'cells':>6}{'vertices':>9}{'Bensolve':>10}{'exact':>9}{'ratio':>7}{'bare no':>9}{'ratio':>7}"
    )
    for surrogate, loss in CASES:
        functions = {"exact": partial(positive_normal_sets, surrogate), "no": partial(check, surrogate, loss)}
        if benpy is not None:
            functions["peer"] = partial(bensolve, vector_program(surrogate))
        best, answers = best_of_alternating(functions)
        assert answers["no"].status == "not calibrated"
        cells = answers["exact"].cells
        peer = ratio = quick = "–"
        if benpy is not None:
            assert answers["peer"] == len(cells), (answers["peer"], len(cells))
            peer = f"{best['peer']:.3f}s"
            ratio, quick = f"{best['exact'] / best['peer']:.1f}", f"{best['no'] / best['peer']:.2f}"
        print(
            f"{surrogate.name:<22}{len(cells):>6}{len(answers['exact'].vertices):>9}{peer:>10}{best['exact']:>8.3f}s"
            f"{ratio:>7}{best['no']:>8.3f}s{quick:>7}"
        )
    print(f"(targets: ratio ≤ {TARGET}; a bare “not calibrated” in less than Bensolve's full run)")
    if benpy is None:
        print("Bensolve is absent: install libglpk-dev, then benpy, to compare.")


def certificates() -> None:
    weston_watkins = surrogates.weston_watkins(5)
    cases: tuple[tuple[PolyhedralSurrogate, LossMatrix], ...] = (
        (weston_watkins, embedded_loss(positive_normal_sets(weston_watkins))),
        (surrogates.crammer_singer(12), losses.abstain(12)),
        (surrogates.lee_lin_wahba(8), losses.zero_one(8)),
    )
    print(f"\n{'certificate':<46}{'decide':>9}{'make':>9}{'check':>9}{'size':>11}")
    for surrogate, loss in cases:
        start = time.perf_counter()
        verdict = check(surrogate, loss)
        decided = time.perf_counter()
        certificate = verdict.certificate
        made = time.perf_counter()
        assert lossmith_verify.check(certificate.text).accepted
        checked = time.perf_counter()
        name = f"{surrogate.name} for {loss.name}"[:45]
        times = f"{decided - start:>8.2f}s{made - decided:>8.2f}s{checked - made:>8.2f}s"
        print(f"{name:<46}{times}{len(certificate.text):>9,} B")
    print("(target: make and check each under a minute)")


if __name__ == "__main__":
    enumeration()
    certificates()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"\npeak memory of this process: {peak:.2f} GiB (target < 1)")
