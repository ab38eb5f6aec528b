"""How long the search for surrogates in few dimensions takes, and how many linear programs it solves in a second.

A surrogate is found, made exact and certified; the best of several counts. Then: programs per second where there is
nothing to find, alone and with two workers, which must agree.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

ROUNDS = 5
BUDGET = 2000
MOST_SECONDS = {(4, 2): 0.1, (8, 3): 60}
MISSED = [("zero_one", 4, 2), ("abstain", 5, 2), ("abstain", 9, 3)]


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported, here and in workers
    from lossmith import losses
    from lossmith.analysis.facts import Facts
    from lossmith.constructions.search.run import search

    print(f"{'found':<26}{'dim':>4}{'configurations':>16}{'programs':>10}{'seconds':>10}{'target':>9}")
    for (n, dim), most in MOST_SECONDS.items():
        loss = losses.abstain(n)
        spent, found = min((timed(partial(search, Facts(loss), dim)) for _ in range(ROUNDS)), key=lambda each: each[0])
        if not found.found:
            raise SystemExit(str(found))
        counts = f"{found.configurations:>16}{found.programs:>10}"
        print(f"{loss.name:<26}{dim:>4}{counts}{spent:>9.3f}s{most:>8}s")
    print(f"\n{'not found':<26}{'dim':>4}{'programs':>10}{'per second':>12}{'two workers':>13}")
    for family, n, dim in MISSED:
        loss = getattr(losses, family)(n)
        search(Facts(loss), dim, budget=32, n_jobs=2)  # the workers start here
        runs = [timed(partial(search, Facts(loss), dim, budget=BUDGET, n_jobs=jobs)) for jobs in (1, 2)]
        if runs[0][1] != runs[1][1]:
            raise SystemExit(f"{loss.name}: the number of workers changes the result")
        rates = [result.programs / spent for spent, result in runs]
        print(f"{loss.name:<26}{dim:>4}{runs[0][1].programs:>10}{rates[0]:>12.0f}{rates[1]:>13.0f}")


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
