"""Ranking losses at sizes where no matrix fits: dimension with its proof, and decoding.

`ccdim` makes both certificates and has them checked; memory is the peak of a process of its own. The growth with r is
the slope of the logarithms. Above 16 documents decoding is a local search; it is compared with the one that makes one
move at a time, kept in the tests, by processor time and by the values reached (negative: better), and at 12 documents
with the optimum.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from pathlib import Path

CASES = {"ndcg": (50, 100, 200), "pairwise_disagreement": (10, 20, 40), "mean_average_precision": (10, 20, 40)}
MOST_SECONDS, MOST_MEBIBYTES = 30, 1024
QUERIES = {"ndcg": (1000, 1000, 1.0), "pairwise_disagreement": (14, 3, 6.0), "mean_average_precision": (14, 3, 6.0)}
SEARCHED = ((40, 10), (100, 4), (200, 2))  # documents, queries
LEAST_TIMES_FASTER = 10


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    print(f"{'ccdim':<24}{'r':>5}{'value':>7}{'bound':>9}{'proof':>9}{'check':>9}{'size':>10}{'memory':>10}")
    for name, sizes in CASES.items():
        spent = []
        for r in sizes:
            line = subprocess.run([sys.executable, __file__, name, str(r)], capture_output=True, text=True, check=True)
            value, bound, proof, check, size, memory = line.stdout.split()
            spent.append(float(bound) + float(proof))
            print(f"{name:<24}{r:>5}{value:>7}{bound:>8}s{proof:>8}s{check:>8}s{size:>7} KB{memory:>6} MiB")
        slope = math.log(spent[-1] / spent[0]) / math.log(sizes[-1] / sizes[0])
        print(f"{'':<24}grows like r^{slope:.1f}; target at r = {sizes[-1]}: {MOST_SECONDS} s, {MOST_MEBIBYTES} MiB")
    decoding()


def one(name: str, r: int) -> None:
    import resource

    import lossmith as lm

    start = time.perf_counter()
    bounds = lm.ccdim(getattr(lm.losses, name)(r))
    proved = time.perf_counter()
    certificate = bounds.lower.certificate
    made = time.perf_counter()
    if not all(lm.verify(each).accepted for each in (certificate, bounds.upper.certificate)):
        raise SystemExit("a certificate was rejected")
    done = time.perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    times = f"{proved - start:.2f} {made - proved:.2f} {done - made:.2f}"
    print(bounds.exact, times, len(certificate.text) // 1024, memory)


def decoding() -> None:
    import numpy as np

    from lossmith import losses

    random = np.random.default_rng(0)
    print(f"\n{'decode':<24}{'r':>5}{'queries':>9}{'seconds':>9}{'target':>8}")
    for name, (r, queries, most) in QUERIES.items():
        loss = getattr(losses, name)(r)
        scores = random.normal(size=(queries, loss.m))
        start = time.perf_counter()
        loss.decode(scores)
        print(f"{name:<24}{r:>5}{queries:>9}{time.perf_counter() - start:>8.2f}s{most:>7}s")
    searching()
    optimal()


def searching() -> None:
    import numpy as np

    print(f"\n{'local search':<24}{'r':>5}{'one by one':>12}{'alone':>9}{'together':>10}{'faster':>16}{'value':>9}")
    for name in ("pairwise_disagreement", "mean_average_precision"):
        for r, queries in SEARCHED:
            spent, more = compared(name, r, queries)
            before, alone, together = np.mean(spent, axis=0)
            times = f"{before / alone:.0f} to {before / together:.0f} times"
            print(f"{name:<24}{r:>5}{before:>11.3f}s{alone:>8.3f}s{together:>9.3f}s{times:>16}{np.mean(more):>9.2%}")
    print(f"{'':<24}target: {LEAST_TIMES_FASTER} times faster, values no larger")


def compared(name: str, r: int, queries: int) -> tuple[list[list[float]], list[float]]:
    """Seconds per query for one move at a time, for queries alone and together; by which part values are larger."""
    import numpy as np

    from lossmith import losses

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "ranking"))
    import naive_local_search
    from test_ranking_decoding import KINDS, drawn

    family, random = getattr(losses, name), np.random.default_rng(r)
    loss, weights = family(r), np.ones(r) if name.startswith("pair") else 1 / np.arange(1.0, r + 1)
    family(17).decode(np.zeros(family(17).m))  # imports what it needs
    spent, more = [], []
    for kind in KINDS:
        x = np.array([drawn(kind, family, r, random) for _ in range(queries)])
        times = [time.process_time()]
        naive = [naive_local_search.local_search(*each, weights)[1] for each in zip(*loss.pair_costs(x), strict=True)]
        times.append(time.process_time())
        for row in x:
            loss.decode(row)
        times.append(time.process_time())
        found = loss.decode(x)
        times.append(time.process_time())
        spent.append([float(each) / queries for each in np.diff(times)])
        more += list((found.values - naive) / np.abs(naive))
    return spent, more


def optimal() -> None:
    """How often the search finds the optimum, and how near the lower bound is."""
    import numpy as np

    from lossmith.losses.ranking.decoding import lower_bound, over_sets
    from lossmith.losses.ranking.local_search import local_search

    random = np.random.default_rng(0)
    print(f"\n{'local search':<24}{'r':>5}{'optimal':>9}{'bound within':>14}")
    for name, weights in (("pairwise_disagreement", np.ones(12)), ("mean_average_precision", 1 / np.arange(1.0, 13))):
        hits, gaps = 0, []
        for _ in range(50):
            own, pair = random.normal(size=12), random.normal(size=(12, 12))
            np.fill_diagonal(pair, 0)
            own, pair = (own * 0, pair) if name.startswith("pair") else (own, pair + pair.T)
            best, order = over_sets(own, pair, weights)[1], local_search(own[None], pair[None], weights)[0]
            found = weights @ (own[order] + np.triu(pair[np.ix_(order, order)], 1).sum(axis=0))
            hits += found <= best + 1e-9
            gaps.append((best - lower_bound(own, pair, weights)) / abs(best))
        print(f"{name:<24}{12:>5}{hits:>6}/50{np.median(gaps):>13.0%}")


if __name__ == "__main__":
    one(sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 1 else main()
