"""Claims "ccdim at least" and "ccdim at most" for ranking losses; `factors` has a(y) and b(t).

**At least.** All weights w_l are positive, and x = Σ w_l a(y_l) makes x·b(t) the same for all t: x
is 0 for graphs, has equal entries for `ndcg`, `dcg`, `precision_at` and `recall_at`, and has equal
entries at i = j and equal entries at i < j for `mean_average_precision`. So all predictions are
optimal at the distribution with these weights, for the loss without its scales. Each of d rows is
a combination Σ c·a(y_l) of labels; its products with b(t_j) − b(t_0), in integers, form a d × d
matrix that is invertible modulo m. Its rank is at most affdim(L[S, T]) for the labels S and the
predictions T listed, so CCdim ≥ d (`thm:ccdim-lower-bound`).

**At most.** CCdim ≤ affdim(L) (`thm:ccdim-upper-bound`), at most the number of factors minus the
number of independent functionals that are constant on all b(t): Σ b for `ndcg`, `dcg`,
`precision_at` and `recall_at`, so r − 1; Σ b_ii and Σ b for `mean_average_precision`, so
r(r + 1)/2 − 2; none for graphs, so r(r − 1)/2, and for a list of g graphs also g − 1, as
CCdim ≤ n − 1 always.
"""

from typing import Any

from lossmith_verify.arithmetic import hold, independent, longest
from lossmith_verify.factors import Factors, Ranking, combined, read_label, risks
from lossmith_verify.factors import read as read
from lossmith_verify.reading import index, pair, places, record, require, vector


def at_most(ranking: Ranking) -> int:
    """Return the dimension of the b(t), or the number of labels less one."""
    r, pairs = ranking.r, ranking.r * (ranking.r - 1) // 2
    if isinstance(ranking.graphs, list):
        return min(pairs, len(ranking.graphs) - 1)
    if ranking.graphs:
        return pairs
    return pairs + r - 2 if ranking.family == "mean_average_precision" else r - 1


def at_least(ranking: Ranking, evidence: Any) -> int:
    """Return the bound that is proved."""
    table = record(evidence, "evidence", "labels weights base columns rows modulus")
    given = places(table["labels"], "evidence.labels", None, 1)
    labels = [read_label(ranking, y, at) for at, y in given]
    path, rows = "evidence.weights", []
    weights = vector(table["weights"], path, len(labels))
    require(min(weights) > 0, path, "a weight is not positive")
    total = combined(ranking, labels, weights)
    require(is_constant(ranking, total), path, "not all risks are the same")
    for at, row in places(table["rows"], "evidence.rows", None, 1):
        pairs = [pair(each, path, len(labels)) for path, each in places(row, at, None, 1)]
        rows.append(combined(ranking, [labels[y] for y, _ in pairs], [c for _, c in pairs]))
        hold(3 * len(rows[-1]), longest(rows[-1].values()))
    base = risks(ranking, rows, table["base"], "evidence.base")
    columns = places(table["columns"], "evidence.columns", len(rows))
    values = (risks(ranking, rows, t, at) for at, t in columns)
    changes = (dict(enumerate(x - y for x, y in zip(each, base))) for each in values)
    independent(changes, index(table["modulus"], "evidence.modulus"), "evidence.columns")
    return len(rows)


def is_constant(ranking: Ranking, total: Factors) -> bool:
    """Tell whether x·b(t) is the same for all t."""
    if ranking.graphs:
        return not total
    r = ranking.r
    diagonal = [total.get(i * r + i, 0) for i in range(r)]
    others = [x for key, x in total.items() if key % (r + 1)]  # i·r + i is a multiple of r + 1
    full = len(others) in (0, r * (r - 1) // 2)
    return full and all(each[1:] == each[:-1] for each in (diagonal, others))
