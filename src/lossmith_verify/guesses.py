"""Claims "ccdim at least" and "ccdim at most" for `top_k_costs`, sets of guesses with costs.

There are n labels y with `costs` c_y > 0. A prediction is a set S of s labels, s ≤ n, where s is
1, 2, … more than `skipped`, with `penalties` λ_s, one for each of these sizes: L[y, S] is λ_s if
y ∈ S, else λ_s + c_y.

**At least.** At the distribution p with these `weights`, up to a factor, the risk of S is, up to a
constant, λ_s − Σ_{y ∈ S} c_y p_y. So of each size the s largest c_y p_y are best, and the checker
compares all sizes. Let s < n be the largest that is optimal, let q > 0 be the s-th largest
c_y p_y, let e labels have this one, and f a larger one. If s < f + e, then all sets with these f
labels and any s − f of the e are optimal. Exchanging two of the e changes L on the support by c_i
at i and −c_j at j, so they span e − 1 dimensions. If also f > 0 and another size is optimal, then
best sets of both sizes have the first of the f labels, at which exchanges change nothing. There
they differ by their λ, as the larger one gains q or more: one more dimension. CCdim is at least
affdim(L[support, T]) for the optimal predictions T (`thm:ccdim-lower-bound`).

**At most.** CCdim ≤ n − 1.
"""

from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import integral, longest, price, room, spend
from lossmith_verify.reading import index, record, require, title, vector

PARAMETERS = ["top_k_costs"]


class Guesses(NamedTuple):
    """Costs and penalties, in integers up to a common factor, and how many sizes are skipped."""

    costs: tuple[int, ...]
    penalties: tuple[int, ...]
    skipped: int
    name: str


def read(value: Any) -> Guesses:
    """Read the parameters."""
    table = record(value, "loss", "family costs penalties skipped", "name")
    costs, penalties = (vector(table[key], f"loss.{key}") for key in ("costs", "penalties"))
    n, sizes = len(costs), len(penalties)
    skipped = index(table["skipped"], "loss.skipped", n + 1 - sizes)
    require(sizes and min(costs) > 0, "loss", "a cost is not positive, or there is no penalty")
    numbers = integral((*costs, *penalties))
    return Guesses(numbers[:n], numbers[n:], skipped, title(table, "loss"))


def at_most(loss: Guesses) -> int:
    """Return the number of labels less one."""
    return len(loss.costs) - 1


def at_least(loss: Guesses, evidence: Any) -> int:
    """Return the dimension that optimal sets of one size, and of another, span."""
    given, n = record(evidence, "evidence", "weights")["weights"], len(loss.costs)
    p = integral(vector(given, "evidence.weights", n))
    require(min(p) >= 0, "evidence.weights", "a weight is negative")
    length = 2 * longest((*p, *loss.costs, *loss.penalties))
    spend(n * (60 + 3 * price(length)))
    room(4 * n, length)
    x, total = sorted(map(mul, p, loss.costs), reverse=True), sum(p)
    gains = [*accumulate(x)][loss.skipped :]
    risks = [total * penalty - gain for penalty, gain in zip(loss.penalties, gains)]
    least = min(risks)
    sizes = {s for s, risk in enumerate(risks, loss.skipped + 1) if risk == least}
    s = max(sizes - {n}, default=n)
    q = x[s - 1]
    e, f = x.count(q), x.index(q)
    return e - 1 + (f > 0 and len(sizes) > 1) if q and s < f + e else 0
