"""The inputs of a claim about a matrix: the loss, the surrogate, the pred, the distributions.

The pred says the first t = 0, 1, … such that a piece of region t contains u (or the estimate x,
for a surrogate known by a theorem). A region is the union of its pieces. The sets of `within`
consist of the p ∈ Δ that satisfy their rows, and the claim is about their union.
"""

from fractions import Fraction
from itertools import chain
from operator import mul
from typing import Any, NamedTuple

from lossmith_verify.arithmetic import dot, hold, integral, longest, price, spend
from lossmith_verify.orders import check_shape
from lossmith_verify.reading import (
    Rows,
    Vector,
    listed,
    name,
    places,
    record,
    require,
    rows,
    title,
    vector,
    vectors,
)
from lossmith_verify.surrogates import (
    FAR_OUT,
    SQUARES,
    TANGENTS,
    THEOREMS,
    Surrogate,
    read_known,
    read_polyhedral,
)


class Loss(NamedTuple):
    """A matrix; columns[t] is ℓ_t in integers, up to a common factor, of at most so many bits."""

    entries: tuple[Vector, ...]
    columns: list[Vector]
    bits: int
    name: str


class Case(NamedTuple):
    """All inputs. Without a pred there are no regions or votes, and without `within` no sets."""

    version: int
    loss: Loss
    surrogate: Surrogate
    regions: list[list[Rows]]
    sets: list[Rows]
    given: tuple[str, ...]  # what is taken on trust about ψ
    theorems: tuple[str, ...]  # what is about this ψ, as the file shows
    title: str
    votes: bool = False
    hull: Any = ()  # for a claim "regret": rows (c, a, b), c + ax + by ≥ 0 for what lies above


def read_case(top: dict[str, Any]) -> Case:
    """Read all inputs of a claim about a surrogate."""
    version, value, loss = top["version"], top["surrogate"], read_loss(top["loss"])
    n, regions, sets = len(loss.entries), [], []
    known = isinstance(value, dict) and "estimates" in value
    psi = read_known(value, n, version) if known else read_polyhedral(value, n)
    proved = (SQUARES,) * (psi.theorem == "squares")
    texts = {**THEOREMS, **TANGENTS, **({"far out": FAR_OUT} if "pred" in top else {})}
    given = (texts[psi.theorem],) if psi.theorem and not proved else ()
    called, votes = "for a surrogate that this file calls ", False
    shown = called * bool(given and "name" in value) + psi.name
    if "pred" in top:
        pred = top["pred"]
        votes = version > 1 and isinstance(pred, dict) and "votes" in pred
        read = check_votes if votes else read_regions
        regions = read(pred, psi, len(loss.columns))
        shown += f" with {title(pred, 'pred')}"
    shown += f"{',' * bool(given)} for {loss.name}"
    if "within" in top:
        require(not votes, "within", "votes are for all distributions")
        sets = [read_rows(each, at, n) for at, each in places(top["within"], "within", None, 1)]
        shown += " on the given distributions"
    if psi.theorem == "binary margin":
        check_margin(n, regions)
    if not votes:
        check_shape(top["claim"], version, psi, regions)
    return Case(version, loss, psi, regions, sets, given, proved, shown, votes)


def read_regions(value: Any, psi: Surrogate, k: int) -> list[list[Rows]]:
    """Read the pieces of every region."""
    pred, size = record(value, "pred", "regions", "name"), psi.dim + 1
    return [
        [read_rows(piece, path, size) for path, piece in places(region, at)]
        for at, region in places(pred["regions"], "pred.regions", k)
    ]


def check_votes(value: Any, psi: Surrogate, k: int) -> list[list[Rows]]:
    """Check that signs of scores tell something, one of each pair; there are no regions."""
    pred = record(value, "pred", "votes", "name")
    fine = pred["votes"] is True and 2 * psi.dim == k * (k - 1)
    require(fine, "pred.votes", "expected true, and a score for each pair")
    require(psi.theorem in ("", "signs"), "surrogate.theorem", "it says nothing of votes")
    return []


def read_rows(value: Any, path: str, size: int) -> Rows:
    """Read a piece of a region, or a set of distributions."""
    return rows(record(value, path, "inequalities equations"), path, size)


def read_loss(value: Any) -> Loss:
    """Read n ≥ 2 rows of k ≥ 1 losses, none negative."""
    table, path = record(value, "loss", "entries", "labels predictions name"), "loss.entries"
    first = listed(table["entries"], path, None, 2)[0]
    k = len(listed(first, f"{path}[0]", None, 1))
    losses = vectors(table["entries"], path, k)
    require(min(map(min, losses)) >= 0, path, "a loss is negative")
    for key, size in (("labels", len(losses)), ("predictions", k)):
        for at, each in places(table.get(key, [0] * size), f"loss.{key}", size):
            name(each, at)
    integers = integral([x for row in losses for x in row])
    length = longest(integers)
    hold(2 * len(integers), length)
    columns = [Vector(integers[t::k]) for t in range(k)]
    return Loss(losses, columns, length, title(table, "loss"))


def check_margin(n: int, regions: list[list[Rows]]) -> None:
    """Only a side is known: n = 2, and all rows of the pred vanish at (1/2, 1/2)."""
    path = "surrogate.theorem"
    require(n == 2, path, "there are not two labels")
    require(regions, path, "it says nothing without a pred")
    for row in (row for piece in chain(*regions) for row in chain(*piece)):
        require(dot((2, 1, 1), row) == 0, path, "a region does not end at (1/2, 1/2)")


def distribution(value: Any, path: str, n: int) -> Vector:
    """Read numbers that are not negative, and sum to 1."""
    p = vector(value, path, n)
    require(min(p) >= 0, path, "{} has a negative entry", p)
    require(dot(p, [1] * n) == 1, path, "{} does not sum to 1", p)
    return p


def regrets(loss: Loss, p: Vector) -> list[int]:
    """Return p·ℓ_t less the least of them, for all predictions t, up to a common factor."""
    integers = integral(p)
    spend(10 + len(p) * len(loss.columns) * price(longest(integers) + loss.bits))
    risks = [sum(map(mul, integers, column)) for column in loss.columns]
    least = min(risks)
    return [risk - least for risk in risks]


def lost(loss: Loss, p: Vector, t: int) -> Fraction:
    """Return the regret of t at p."""
    s = regrets(loss, p).index(0)
    return dot(p, [row[t] - row[s] for row in loss.entries])
