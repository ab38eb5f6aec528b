"""Claims "ccdim at least" and "ccdim at most" for losses on sets of r tags, not written down.

A label y and a prediction t are text of r bits. The loss is offset(y) − g, and CCdim does not
depend on offsets of rows. The *gain* is, up to a factor, g = Σ_{i ∈ t} a_i(y) h_m(|t|), where m is
|y| for `f_measure`, else 0.

| family | a_i(y) | h_m(s) |
| --- | --- | --- |
| `weighted_hamming`, r ≥ 1 `weights` w_i > 0 | w_i if i ∈ y, else −w_i | 1 |
| `f_measure`, `beta` β > 0, r ≥ 2 | 1 if i ∈ y, else 0 | 1/(β² m + s) |

The empty set stands for the set of one tag more, number r, that is in no other set. For `f_measure`
its gain is largest with itself, and 0 with all others; else a_r is 0, and its gain is 0 with all.

**At least.** At the distribution with the weights w_l > 0 of labels, up to a factor, all
`predictions` are optimal: no set of any size s gains more than the s tags with the largest
Σ_l w_l a_i(y_l) h_m(s). Tags that the same of these predictions have count as one, a class.
Factors are (class, m); F of them occur in `rows`, combinations Σ c·a(y_l). On these, the R rows
are independent modulo a number, and so are `columns`, C differences of two predictions. So their
products have rank R + C − F or more (Sylvester), at most affdim(L[S, T]) for the labels S and the
predictions T: CCdim ≥ R + C − F (`thm:ccdim-lower-bound`).

**At most.** CCdim ≤ affdim(L), at most the number of factors less that of the functionals constant
on all predictions: r for `weighted_hamming`. For `f_measure` labels with all tags have one factor
together, and the empty one has one, so r(r − 1) + 2; and with f_m = (−1)^m C(r, m) Π_j (β² m + j),
for some K, Σ_m f_m s/(β² m + s) − K is 0 for s = 1 … r: its residues are those of a multiple of
Π_j (s − j)/Π_m (s + β² m), where j, m = 1 … r. The signs of f alternate, and no other functional is
constant (Cauchy), so no distribution makes all risks equal. Then differences of columns span a
positive vector (Gordan), and CCdim ≤ affdim(L) − 1 = r(r − 1): with the rows scaled so that it is
1, one of the means that are learned is known.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import (
    bits,
    hold,
    independent,
    integral,
    longest,
    price,
    room,
    spend,
)
from lossmith_verify.factors import Factors
from lossmith_verify.reading import (
    index,
    listed,
    number,
    pair,
    places,
    record,
    require,
    title,
    vector,
)

STRIDE = 2001  # more than tags; factors are numbered STRIDE·i + m, for a tag or a class i
PARAMETERS = {"weighted_hamming": "weights", "f_measure": "beta"}


class Tagged(NamedTuple):
    """A loss on sets: `signed` if it is `weighted_hamming`; weights in integers; β²."""

    signed: bool
    r: int
    weights: tuple[int, ...]
    square: Fraction
    name: str


def read(value: Any) -> Tagged:
    """Read the family and its parameters."""
    table = record(value, "loss", f"family r {PARAMETERS[value['family']]}", "name")
    r, signed = index(table["r"], "loss.r", STRIDE), "weights" in table
    require(r > 1 - signed, "loss.r", "too few tags")
    weights = vector(table.get("weights", ["1"] * r), "loss.weights", r)
    beta = number(table.get("beta", "1"), "loss.beta")
    require(min(*weights, beta) > 0, "loss", "a weight, or beta, is not positive")
    return Tagged(signed, r, integral(weights), beta * beta, title(table, "loss"))


def at_most(loss: Tagged) -> int:
    """Return the bound that the family proves."""
    return loss.r if loss.signed else loss.r * (loss.r - 1)


def at_least(loss: Tagged, evidence: Any) -> int:
    """Return the bound that is proved."""
    table = record(evidence, "evidence", "labels weights predictions columns rows modulus")
    labels = read_sets(loss, table, "labels")
    sets = read_sets(loss, table, "predictions")
    modulus = index(table["modulus"], "evidence.modulus")
    weights = vector(table["weights"], "evidence.weights", len(labels))
    require(min(weights) > 0, "evidence.weights", "a weight is not positive")
    shares = shared(loss, {*map(len, labels)})
    check_optimal(loss, combined(loss, labels, weights, range(STRIDE)), shares, sets)
    classes: dict[str, int] = {}
    signs = map("".join, zip(*table["predictions"]))  # which of the predictions have a tag
    of = [*(classes.setdefault(sign, len(classes)) for sign in signs), len(classes)]
    rows = listed(table["rows"], "evidence.rows")
    columns = listed(table["columns"], "evidence.columns")
    keys: set[int] = set()
    independent((read_row(loss, labels, of, row, keys) for row in rows), modulus, "evidence.rows")
    changes = (read_change(shares, keys, of, sets, pair) for pair in columns)
    independent(changes, modulus, "evidence.columns")
    return len(rows) + len(columns) - len(keys)


def read_sets(loss: Tagged, table: Any, key: str) -> Any:
    """Read sets: the numbers of their tags."""
    found = []
    for at, value in places(table[key], f"evidence.{key}", None, 1):
        fine = isinstance(value, str) and len(value) == loss.r and {*value} <= {*"01"}
        require(fine, at, f"expected {loss.r} bits, not {{}}", value)
        chosen = {i for i, each in enumerate(value) if each == "1"}
        hold(len(chosen))
        found.append(chosen or {loss.r})
    return found


def shared(loss: Tagged, sizes: set[int]) -> Any:
    """Return h_m(s) for labels of these sizes, times a common number."""
    every = loss.r + 1
    if loss.signed:
        return {0: [1] * every}
    spend(every * len(sizes) * (30 + bits(loss.square)))
    flat = integral([1 / (loss.square * m + s) for m in sizes for s in range(every)])
    return {m: flat[k * every :][:every] for k, m in enumerate(sizes)}


def combined(loss: Tagged, labels: Any, weights: Any, of: Any) -> Factors:
    """Return Σ w a(y), up to a positive factor, where of[i] is the class of tag i."""
    total: Factors = {}
    for y, w in zip(labels, integral(weights)):
        members = range(loss.r) if loss.signed else y
        length = w.bit_length() + longest(loss.weights)
        spend(loss.r * (9 + price(length)))
        room(3 * len(total), length)
        for i in members:
            m = 0 if loss.signed else len(y)
            key, x = of[i] * STRIDE + m, w * loss.weights[i % loss.r]
            total[key] = total.get(key, 0) + (x if i in y else -x)
    return {key: x for key, x in total.items() if x}


def read_row(loss: Tagged, labels: Any, of: Any, value: Any, keys: set[int]) -> Factors:
    """Read a combination of labels, and note its factors."""
    given = listed(value, "evidence.rows", None, 1)
    pairs = [pair(each, "evidence.rows", len(labels)) for each in given]
    row = combined(loss, [labels[y] for y, _ in pairs], [c for _, c in pairs], of)
    keys.update(row)
    return row


def read_change(shares: Any, keys: set[int], of: Any, sets: Any, value: Any) -> Factors:
    """Read two predictions, and return the difference of their b(t) on these factors."""
    pair = listed(value, "evidence.columns", 2)
    first, second = (sets[index(j, "evidence.columns", len(sets))] for j in pair)
    a, b = len(first), len(second)
    touched = first ^ second if a == b else first | second
    spend(6 * len(touched) * len(shares))
    return {
        key: (i in first) * h[a] - (i in second) * h[b]
        for i in touched
        for m, h in shares.items()
        if (key := of[i] * STRIDE + m) in keys
    }


def check_optimal(loss: Tagged, x: Factors, shares: Any, sets: Any) -> None:
    """Compare the gains of these sets with the largest of all: by size, the tags that gain most."""
    r, gains = loss.r, []
    length = longest(x.values()) + max(map(longest, shares.values()))
    spend(r * r * (40 + len(shares) * (5 + price(length))))
    room(2 * r * r, length)
    for s in range(r + 1):
        by_tag = ([x.get(i * STRIDE + m, 0) * shares[m][s] for m in shares] for i in range(r + 1))
        gains.append([*map(sum, by_tag)])
    sums = (sum(sorted(gain[:r])[r - s :]) for s, gain in enumerate(gains))
    best = max(gains[1][r], *sums)  # of the empty set, and of others
    for t in sets:
        spend(len(t) * price(length))
        require(sum(gains[len(t)][i] for i in t) == best, "evidence.predictions", "not optimal")
