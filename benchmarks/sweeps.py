"""What a sweep adds to its questions, and what a second worker saves.

Overhead: questions that take no time, here and on two workers that run already, with and without a store on disk, from
a store that holds their answers, and on a Dask cluster of this machine, in milliseconds per question. Speed-up:
verdicts and bounds on CCdim that take a few milliseconds each, with one and with two workers; the answers must agree.
The best of several rounds counts, in one run.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

QUESTIONS, ROUNDS = 3000, 3
MOST_MILLISECONDS, LEAST_SPEEDUP = 2.0, 1.7


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported, here and in workers
    from lossmith.sweeping import Question, Store, sweep

    questions = [Question("square", x) for x in range(QUESTIONS)]
    list(sweep(squared, questions[:100], n_jobs=2))  # the workers start here
    with tempfile.TemporaryDirectory() as folder:
        paths = (Path(folder) / f"{number}.sqlite" for number in range(100))

        def stored(jobs: int, path: Path | None = None) -> None:
            with Store(path or next(paths)) as store:
                list(sweep(squared, questions, n_jobs=jobs, store=store))

        stored(1, full := Path(folder) / "full.sqlite")

        runs: dict[str, Callable[[], Any]] = {
            "one worker": lambda: list(sweep(squared, questions)),
            "one worker, a store": lambda: stored(1),
            "held by a store": lambda: stored(1, full),
            "two workers": lambda: list(sweep(squared, questions, n_jobs=2)),
            "two workers, a store": lambda: stored(2),
        }
        print(f"{'overhead per question':<26}{'ms':>8}{'target':>10}")
        for name, run in runs.items():
            tell_overhead(name, run)
    with two_on_a_cluster():
        list(sweep(squared, questions[:100], n_jobs=None))
        tell_overhead("two workers of Dask", lambda: list(sweep(squared, questions, n_jobs=None)))

    print(f"\n{'speed-up':<26}{'1 worker':>10}{'2 workers':>11}{'ratio':>8}{'target':>8}")
    for name, ask, many in (("verdicts", verdict, 600), ("bounds on CCdim", bounds, 2400)):
        list(sweep(ask, range(20), n_jobs=2))
        (alone, first), (together, second) = (best_of(partial(swept, ask, many, jobs)) for jobs in (1, 2))
        if first != second:
            raise SystemExit(f"{name}: the number of workers changes the answers")
        print(f"{name:<26}{alone:>9.2f}s{together:>10.2f}s{alone / together:>8.2f}{f'≥ {LEAST_SPEEDUP}':>8}")


def tell_overhead(name: str, run: Callable[[], Any]) -> None:
    spent = 1000 * best_of(run)[0] / QUESTIONS
    print(f"{name:<26}{spent:>8.3f}{f'< {MOST_MILLISECONDS:g}':>10}")


@contextmanager
def two_on_a_cluster() -> Iterator[None]:
    from distributed import LocalCluster

    from lossmith.sweeping.cluster import on_cluster

    how = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "host": "127.0.0.1"}
    with LocalCluster(n_workers=2, **how) as cluster, on_cluster(cluster.scheduler_address):
        yield


def swept(ask: Callable[[int], Any], many: int, jobs: int) -> list[Any]:
    from lossmith.sweeping import sweep

    return list(sweep(ask, range(many), n_jobs=jobs))


def squared(question: Any) -> Any:
    from lossmith.sweeping import Answer

    return Answer(question.inputs**2)


def matrix(number: int) -> Any:
    """A loss with four labels and five decisions, drawn by its number."""
    import random

    from lossmith import LossMatrix

    draw = random.Random(number)
    return LossMatrix([[draw.randint(0, 9) for _ in range(5)] for _ in range(4)])


def verdict(number: int) -> str:
    import lossmith as lm

    return lm.check(lm.surrogates.weston_watkins(4), matrix(number)).status


def bounds(number: int) -> tuple[int, int]:
    import lossmith as lm

    found = lm.ccdim(matrix(number))
    return found.lower.value, found.upper.value


def best_of(function: Callable[[], Any]) -> tuple[float, Any]:
    return min((timed(function) for _ in range(ROUNDS)), key=lambda each: each[0])


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
