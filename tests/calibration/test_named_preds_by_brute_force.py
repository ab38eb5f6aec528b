"""Verdicts with every named pred against floats: the preds are written once more, risks are minimised by SciPy.

What is called calibrated must decide rightly at every nearly optimal u that is found, at random distributions. What is
called not calibrated must have scores near the u that it shows, nearly optimal at its p, where its pred is wrong.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

import lossmith as lm
from lossmith.errors import BadInput, LossmithError
from lossmith.surrogates import CATALOGUE

L = lm.losses
SURE = 0.01  # what a decision must cost too much, to be called wrong
NEAR = 1e-7  # what a risk may be above the least one


def bits(t, size):
    return [int(x) for x in f"{t:0{size}b}"]


# The preds, each a function of (u, loss, surrogate) for scores without ties; None where it is not for them.


def argmax(u, loss, psi):
    if len(u) == loss.n and set(loss.labels) <= set(loss.predictions) and "loss" not in psi.made_by.parameters:
        return loss.predictions.index(loss.labels[int(np.argmax(u))])
    return int(np.argmax(u))


def argmax_gap(u, tau):
    first, second = np.sort(u)[::-1][:2]
    return int(np.argmax(u)) if first - second > tau else len(u)


def sign(u, loss, psi):
    if loss.k == 2 and len(u) == 1 and loss.n > 2:
        return int(u[0] < 0)
    if loss.k == 2 and len(u) == 1:
        up, down = psi(["1"]), psi(["-1"])
        first = up[0] - down[0] <= up[1] - down[1]
        return int((u[0] < 0) == first)
    if loss.k == 2 ** len(u):
        return int("".join(str(int(x > 0)) for x in u), 2)
    return int(sum(u < 0))


def votes(u, loss):
    won = [0] * loss.k
    for x, (i, j) in zip(u, combinations(range(loss.k), 2), strict=True):
        won[i if x > 0 else j] += 1
    return won.index(max(won))


def sort(u, loss):
    order = [int(i) for i in np.argsort(-u)]
    places = tuple(order.index(i) for i in range(len(u)))  # the position of each document
    return [*permutations(range(len(u)))].index(places)


def top_k(u, loss):
    least = [min(row) for row in loss.entries]
    sets = [{y for y in range(loss.n) if loss.entries[y][t] == least[y]} for t in range(loss.k)]
    chosen = {int(y) for y in np.argsort(-u)[: len(sets[0])]}
    return sets.index(chosen)


def deepest(u, loss):
    """On the tree 0 → 1, 2 and 1 → 3, 4: levels (1, 2) and (2, 3, 4)."""
    for nodes, scores in (((2, 3, 4), u[2:]), ((1, 2), u[:2])):
        if max(scores) > 0:
            return nodes[next(i for i, x in enumerate(scores) if x > 0)]
    return 0


def reject(u, loss):
    if u[-1] < 0:
        return loss.k - 1
    return int(u[0] < 0) if len(u) == 2 else int(np.argmax(u[:-1]))


def sign_code(u, loss, tau):
    if min(abs(u)) < tau:
        return loss.k - 1
    code = int("".join(str(int(x < 0)) for x in u), 2)
    return min(code, loss.k - 1)


def open_tags(u, tau):
    return sum((0 if x < -tau else 1 if x > tau else 2) * 3 ** (len(u) - 1 - i) for i, x in enumerate(u))


def nearest(u, loss):
    if len(u) == 1:
        return int(np.clip(np.rint(u[0]), 1, loss.k)) - 1
    a, b = sorted(int(np.clip(np.rint(x), 1, loss.n)) - 1 for x in u)
    return [(i, j) for i in range(loss.n) for j in range(i, loss.n)].index((a, b))


def cuts(u, at):
    return sum(u[0] > float(x) for x in at)


def decided(kind, value, u, loss, psi):
    """Return what the pred says at scores without ties."""
    tau = None if value is None or isinstance(value, tuple) else float(Fraction(value))
    known = {
        "argmax": lambda: argmax(u, loss, psi),
        "argmax-gap": lambda: argmax_gap(u, tau),
        "argmax-threshold": lambda: int(np.argmax(u)) if max(u) > tau else len(u),
        "sign": lambda: sign(u, loss, psi),
        "votes": lambda: votes(u, loss),
        "sort": lambda: sort(u, loss),
        "top-k": lambda: top_k(u, loss),
        "deepest": lambda: deepest(u, loss),
        "reject": lambda: reject(u, loss),
        "sign-code": lambda: sign_code(u, loss, tau),
        "open-tags": lambda: open_tags(u, tau),
        "nearest": lambda: nearest(u, loss),
        "cuts": lambda: cuts(u, value),
    }
    return known[kind]()


KINDS = [
    "argmax",
    "argmax-gap",
    "argmax-threshold",
    "sign",
    "votes",
    "sort",
    "top-k",
    "deepest",
    "reject",
    "sign-code",
    "open-tags",
    "nearest",
    "cuts",
]


# Random losses of a size that the pred is for, and random families that have a member for them.


def matrix(draw, n, k):
    rows = [[draw.choice((0, 1, 1, 2, 3)) for _ in range(k)] for _ in range(n)]
    return lm.LossMatrix(rows)


def reweighted(draw, loss):
    """The loss, or its rows times small numbers, and sometimes one cost that is changed."""
    if draw.random() < 0.5:
        return loss
    made = loss.scale_rows([draw.choice((1, 1, 2, "1/2")) for _ in range(loss.n)])
    if draw.random() < 0.6:
        return made
    rows = [list(row) for row in made.entries]
    rows[draw.randrange(loss.n)][draw.randrange(loss.k)] += draw.choice((0, 1, Fraction(1, 4)))
    return lm.LossMatrix(rows, labels=loss.labels, predictions=loss.predictions)


def sets_of(draw, n, size):
    """Costs that tell some of the sets of labels, in any order."""
    sets = [each for each in combinations(range(n), size) if draw.random() < 0.9] or [(*range(size),)]
    draw.shuffle(sets)
    weights = [draw.choice((1, 2)) for _ in range(n)]
    return lm.LossMatrix([[0 if y in each else weights[y] for each in sets] for y in range(n)])


def loss_for(kind, draw):
    n = draw.choice((2, 3, 3, 4))
    if kind == "argmax":
        return draw.choice((lambda: reweighted(draw, L.zero_one(n)), lambda: matrix(draw, n, n)))()
    if kind in ("argmax-gap", "argmax-threshold", "reject"):
        some = [L.abstain(n), L.abstain(n, "1/4"), matrix(draw, n, n + 1)]
        return reweighted(draw, draw.choice(some))
    if kind == "sign":
        some = [L.zero_one(2), L.ordinal(n), L.hamming(2), matrix(draw, n, 2), matrix(draw, 4, 4)]
        return reweighted(draw, draw.choice(some))
    if kind == "votes":
        return draw.choice((matrix(draw, n, 3), matrix(draw, 3, 3), reweighted(draw, L.zero_one(3))))
    if kind == "sort":
        return draw.choice((matrix(draw, 3, 6), matrix(draw, 2, 2)))
    if kind == "top-k":
        size = draw.randint(1, 2 if n == 4 else 1)
        return draw.choice((sets_of(draw, n, size), L.top_k(max(n, size + 1), size)))
    if kind == "deepest":
        return L.hierarchical([None, 0, 0, 1, 1], predictions="nodes")
    if kind == "sign-code":
        return reweighted(draw, L.abstain(n, draw.choice(("1/2", "1/3"))))
    if kind == "open-tags":
        return matrix(draw, draw.choice((2, 4)), draw.choice((3, 9)))
    if kind == "nearest":
        n = draw.choice((2, 3))
        return draw.choice((reweighted(draw, L.ordinal(n + 1)), matrix(draw, n, n * (n + 1) // 2)))
    return draw.choice((reweighted(draw, L.ordinal(n)), matrix(draw, n, draw.choice((2, 3)))))


def pred_of(kind, draw, loss):
    """Return how the pred is written, and its parameter."""
    if kind in ("argmax-gap", "argmax-threshold", "sign-code", "open-tags"):
        tau = draw.choice(("1/4", "1/2", "1"))
        return f"{kind}:tau={tau}", tau
    if kind == "cuts":
        at = sorted(draw.sample(range(-3, 9), loss.k - 1))
        return f"cuts:at={' '.join(f'{x}/2' for x in at)}", tuple(Fraction(x, 2) for x in at)
    return kind, None


def members(loss, families):
    for family in families:
        try:
            given = family.fits(loss)
            if given is not None and family.size(**given)[1] <= 6:
                yield family(**given)
        except LossmithError:
            continue


# Nearly optimal scores, in floats.


def programme(psi):
    """Return the rows and the right sides of an epigraph, and to which label each of its variables belongs."""
    rows, right, owners = [], [], []
    for y, maxima in enumerate(psi.terms):
        for pieces in maxima:
            owners.append(y)
            rows += [(len(owners) - 1, [float(x) for x in piece[1:]]) for piece in pieces]
            right += [-float(piece[0]) for piece in pieces]
    table = np.zeros((len(rows), psi.dim + len(owners)))
    for row, (variable, slope) in zip(table, rows, strict=True):
        row[: psi.dim], row[psi.dim + variable] = slope, -1
    domain = [[-float(x) for x in row[1:]] + [0] * len(owners) for row in psi.domain.inequalities]
    table = np.vstack([table, *([domain] if domain else [])])
    right += [float(row[0]) for row in psi.domain.inequalities]
    equal = [[float(x) for x in row[1:]] + [0] * len(owners) for row in psi.domain.equations]
    return table, right, equal or None, [-float(row[0]) for row in psi.domain.equations] or None, owners


def floats(p):
    return np.array([float(x) for x in p])


def optimal_faces(psi, p, draw):
    """Some u that are optimal for a polyhedral surrogate: ends of the optimal face in random directions."""
    table, right, equal, sides, owners = programme(psi)
    costs = np.array([0.0] * psi.dim + [p[y] for y in owners])
    least = linprog(costs, table, right, equal, sides, bounds=(None, None))
    if least.status:
        return
    yield least.x[: psi.dim]
    above, limit = np.vstack([table, costs]), [*right, least.fun + 1e-9]
    for _ in range(4):
        toward = np.array([draw.gauss(0, 1) for _ in range(psi.dim)] + [0.0] * len(owners))
        box = [(-20, 20)] * psi.dim + [(None, None)] * len(owners)
        end = linprog(toward, above, limit, equal, sides, bounds=box)
        if not end.status:
            yield end.x[: psi.dim]


def nearly_optimal(psi, exact, draw):
    p = floats(exact)
    if isinstance(psi, lm.PolyhedralSurrogate):
        ends = [*optimal_faces(psi, p, draw)]
        yield from ends
        yield from ((a + b) / 2 for a, b in pairwise(ends))
    else:
        yield np.array(psi.minimizer(exact))


def shaken(psi, u, draw, sizes, count):
    """Points near u: random steps, within the equations of the domain."""
    equations = np.array([[float(x) for x in row[1:]] for row in psi.domain.equations]).reshape(-1, psi.dim)
    free = np.eye(psi.dim) - np.linalg.pinv(equations) @ equations
    for size, _ in product(sizes, range(count)):
        yield u + size * free @ np.array([draw.gauss(0, 1) for _ in range(psi.dim)])


def risks(psi, p, points):
    if isinstance(psi, lm.PolyhedralSurrogate):
        values = []
        for u in points:
            inside = all(float(row[0]) + np.dot([float(x) for x in row[1:]], u) >= 0 for row in psi.domain.inequalities)
            values.append(
                sum(
                    weight
                    * sum(max(float(c[0]) + np.dot([float(x) for x in c[1:]], u) for c in pieces) for pieces in y)
                    for weight, y in zip(p, psi.terms, strict=True)
                )
                if inside
                else np.inf
            )
        return np.array(values)
    return psi.evaluate(np.array(points)) @ p


def wrong_somewhere(psi, loss, kind, value, draw, tries):
    """Return a distribution, and nearly optimal scores, at which the pred is wrong by much; None if none is found."""
    costs = np.array([[float(x) for x in row] for row in loss.entries])
    for _ in range(tries):
        parts = [int(1000 * draw.expovariate(1)) + 20 for _ in range(loss.n)]
        exact = [Fraction(x, sum(parts)) for x in parts]
        p = floats(exact)
        expected = p @ costs
        if np.ptp(expected) < SURE:
            continue
        ends = [*nearly_optimal(psi, exact, draw)]
        if not ends:
            continue
        points = [near for u in ends for near in (u, *shaken(psi, u, draw, (1e-8,), 3))]
        values = risks(psi, p, points)
        for u, risk in zip(points, values, strict=True):
            if risk <= values.min() + NEAR:
                t = decided(kind, value, u + 0.0, loss, psi)
                if expected[t] > expected.min() + SURE and any(
                    decided(kind, value, near, loss, psi) == t for near in shaken(psi, u, draw, (1e-10,), 4)
                ):
                    return p, u, t
    return None


def reached(verdict, kind, value, draw):
    """Return whether scores near the u of a refutation, nearly optimal at its p, say its prediction; or this u."""
    psi, loss = verdict.surrogate, verdict.loss
    exact = verdict.distributions[0]
    p = floats(exact)
    u = np.array([float(x) for x in verdict.u])
    points = [u, *shaken(psi, u, draw, (1e-9, 1e-6, 1e-4), 150)]
    best = min([*risks(psi, p, [*nearly_optimal(psi, exact, draw), u])])
    return (
        any(
            risk <= best + 1e-3 and decided(kind, value, near, loss, psi) == verdict.prediction
            for near, risk in zip(points, risks(psi, p, points), strict=True)
        )
        or int(verdict.pred(verdict.u)) == verdict.prediction
    )


def compared(seed, count, kinds=KINDS, tries=6):
    """Return how many verdicts of each kind were compared, after all of them have agreed."""
    draw, seen, families = Random(seed), Counter(), list(CATALOGUE)
    while sum(seen[status] for status in ("calibrated", "not calibrated", "undecided")) < count:
        kind = kinds[seen["asked"] % len(kinds)]
        seen["asked"] += 1
        loss = loss_for(kind, draw)
        text, value = pred_of(kind, draw, loss)
        draw.shuffle(families)
        families.sort(
            key=lambda family: draw.random() < 0.9 and not any(each.startswith(kind) for each in family.preds)
        )
        for psi in members(loss, families):
            try:
                verdict = lm.check(psi, loss, text)
            except BadInput:
                seen["refused"] += 1
                continue
            seen[verdict.status] += 1
            seen[kind, verdict.status] += 1
            where = (psi.name, loss.entries, text)
            if verdict.status == "undecided":
                break
            assert lm.verify(verdict.certificate).accepted, where
            if verdict.status == "calibrated":
                assert wrong_somewhere(psi, loss, kind, value, draw, tries) is None, where
            else:
                p = verdict.distributions[0]
                costs = [sum(x * row[t] for x, row in zip(p, loss.entries, strict=True)) for t in range(loss.k)]
                assert costs[verdict.prediction] > min(costs), where
                assert reached(verdict, kind, value, draw), where
            break
    return seen


def test_a_few_verdicts_with_named_preds():
    seen = compared(5, 6, tries=2)
    assert seen["calibrated"]
    assert seen["not calibrated"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, 12))
def test_verdicts_with_named_preds(seed):
    seen = compared(seed, 200)
    assert seen["calibrated"] >= 20
    assert seen["not calibrated"] >= 50
    assert {kind for kind in KINDS if seen[kind, "calibrated"] + seen[kind, "not calibrated"]} == {*KINDS}
