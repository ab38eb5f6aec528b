"""A pred is a function, ties included, and calibration is decided for that function.

The oracle divides the domain by all lines that occur, into relatively open cells. The pred is constant on each of them:
its value is that at one point. A pair is refuted if at some p a cell on which the pred is wrong comes as near to the
least ψ-risk as one likes: the closure of the cell, with all its inequalities made weak, attains it.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import lcm

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lossmith as lm
import reference
from calibration.test_given_preds import assert_shown, attains, corners_of_cells, has_room
from lossmith import LossMatrix, PolyhedralSurrogate
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates.pred import Pred
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import pairs


def at(row, u) -> Fraction:
    return row[0] + dot(row[1:], u)


def contains(piece, u) -> bool:
    return all(at(row, u) >= 0 for row in piece.inequalities) and not any(at(row, u) for row in piece.equations)


def said(pred, u) -> int:
    """The first region that contains u decides."""
    return next(t for t, pieces in enumerate(pred.regions) if any(contains(piece, u) for piece in pieces))


def lines_of(surrogate, pred) -> list:
    pieces = [piece for region in pred.regions for piece in region]
    rows = {row for piece in (surrogate, *pieces) for row in (*piece.inequalities, *piece.equations) if any(row[1:])}
    return sorted(rows)


def representatives(lines, dim) -> list:
    """A point of every cell that the lines divide a large box into."""
    box = [(Fraction(99), *(Fraction(s * (i == j)) for j in range(dim))) for i in range(dim) for s in (1, -1)]
    corners = set()
    for chosen in combinations([*lines, *box], dim):
        x = reference.only_solution([row[1:] for row in chosen], [-row[0] for row in chosen])
        if x is not None and all(at(row, x) >= 0 for row in box):
            corners.add(x)
    # A line is an affine function: at the mean of some corners it has the sign of the sum of its values there.
    points = sorted(corners)
    values = [[Fraction(1), *(at(row, x) for row in lines)] for x in points]
    scale = lcm(*(value.denominator for row in values for value in row))
    whole = np.array([[int(scale * value) for value in row] for row in values])
    assert abs(whole).max(initial=0) < 2**60
    found = {}
    for size in range(1, dim + 2):  # a face of dimension size − 1 has that many affinely independent corners
        some = np.array(list(combinations(range(len(points)), size)))
        signs, first = np.unique(np.sign(whole[some].sum(axis=1)).astype(np.int8), axis=0, return_index=True)
        for sign, chosen in zip(signs, some[first]):
            found.setdefault(sign.tobytes(), tuple(sum(xs) / size for xs in zip(*(points[i] for i in chosen))))
    return list(found.values())


@lru_cache(maxsize=1)
def cells(surrogate, pred) -> list:
    """A point of each cell of the domain, what the pred says there, and the closure of the cell."""
    lines, closed = lines_of(surrogate, pred), []
    for u in representatives(lines, surrogate.dim):
        if second_opinion.contains(surrogate, u):
            signs = [(at(row, u) > 0) - (at(row, u) < 0) for row in lines]
            weak = tuple(tuple(sign * x for x in row) for row, sign in zip(lines, signs) if sign)
            flat = tuple(row for row, sign in zip(lines, signs) if not sign)
            closed.append((u, said(pred, u), Polyhedron(surrogate.dim, weak, flat)))
    return closed


def refuted(surrogate, loss, pred) -> bool:
    divided = cells(surrogate, pred)
    return any(
        attains(surrogate, cell, p)
        for p in corners_of_cells(surrogate)
        for _, t, cell in divided
        if t not in reference.argmin(loss.entries, p)
    )


def refuted_for_some_ties(surrogate, loss, pred) -> bool:
    """Whether some choice among the regions that contain u is refuted."""
    return any(
        attains(surrogate, piece, p)
        for p in corners_of_cells(surrogate)
        for t, region in enumerate(pred.regions)
        if t not in reference.argmin(loss.entries, p)
        for piece in region
    )


numbers = st.integers(-2, 2).map(Fraction)


@st.composite
def pieces(draw, dim):
    """Half-spaces, slabs, hyperplanes, points and wedges, often through common points."""
    row = st.tuples(*[numbers] * (dim + 1)).filter(lambda row: any(row[1:]))
    return Polyhedron(dim, tuple(draw(st.lists(row, max_size=2))), tuple(draw(st.lists(row, max_size=1))))


@st.composite
def cases(draw):
    """A surrogate, a loss, and ordered regions that touch and overlap; one of them contains what is left."""
    surrogate, loss = draw(pairs().filter(lambda pair: has_room(pair[0]) and pair[1].k > 1))
    regions = [draw(st.lists(pieces(surrogate.dim), max_size=2)) for _ in range(loss.k)]
    last = draw(st.sampled_from(range(loss.k)))
    regions[last] = [*regions[last], Polyhedron(surrogate.dim)]
    return surrogate, loss, Pred("random", surrogate.dim, tuple(map(tuple, regions)))


@st.composite
def thin_cases(draw):
    """Preds that are right up to ties: a pred that is calibrated, before or behind pieces of smaller dimension."""
    surrogate, loss = draw(pairs().filter(lambda pair: has_room(pair[0]) and pair[1].k > 1))
    verdict = lm.check(surrogate, loss)
    regions: list[list[Polyhedron]] = [[] for _ in range(loss.k)]
    if verdict.status == "calibrated" and surrogate.dim == 1:
        marks = sorted({cell.u[0]: cell.prediction for cell in verdict.cells}.items())
        ends = [None, *((a + b) / 2 for (a, _), (b, _) in pairwise(marks)), None]
        for (_, t), low, high in zip(marks, ends, ends[1:]):
            above = [] if low is None else [(-low, Fraction(1))]
            below = [] if high is None else [(high, Fraction(-1))]
            regions[t].append(Polyhedron(1, (*above, *below)))
    else:
        regions[draw(st.sampled_from(range(loss.k)))].append(Polyhedron(surrogate.dim))
    row = st.tuples(*[numbers] * (surrogate.dim + 1)).filter(lambda row: any(row[1:]))
    regions[draw(st.sampled_from(range(loss.k)))].append(Polyhedron(surrogate.dim, (), (draw(row),)))
    return surrogate, loss, Pred("thin", surrogate.dim, tuple(map(tuple, regions)))


def assert_by_the_oracle(surrogate, loss, pred) -> Counter:
    verdict = lm.check(surrogate, loss, pred=pred)
    assert (verdict.status == "not calibrated") == refuted(surrogate, loss, pred)
    answer = lm.verify(verdict.certificate)
    assert answer.accepted, answer
    if verdict.status == "calibrated":
        assert bool(verdict.ties) == refuted_for_some_ties(surrogate, loss, pred)
    for u, t, _ in cells(surrogate, pred):
        assert pred(u) == verdict.pred(u) == t
    return Counter({verdict.status: 1, (verdict.status, "ties"): int(bool(verdict.ties))})


def test_verdicts_with_touching_and_overlapping_regions_are_those_of_the_function():
    seen = Counter()

    # At u = 1 the second region, too, contains u, and would be wrong: right only as ties are broken.
    half = Fraction(3, 2)
    first, rest, point = ((half, -1),), ((-half, 1),), ((Fraction(-1), Fraction(1)),)
    regions = ((Polyhedron(1, first),), (Polyhedron(1, rest), Polyhedron(1, (), point)))
    # Always wrong, but only at two points, each given by an equation, where the surrogate is never optimal.
    apart = tuple(Polyhedron(1, (), ((Fraction(-x), Fraction(1)),)) for x in (4, 5))
    apart = Pred("points apart", 1, (apart, (Polyhedron(1, first),), (Polyhedron(1, rest),)))

    @examples(8)
    @given(st.one_of(cases(), thin_cases()))
    @example((lm.surrogates.absolute(2), lm.losses.zero_one(2), Pred("a point behind", 1, regions)))
    @example((lm.surrogates.absolute(2), LossMatrix([[1, 0, 1], [1, 1, 0]]), apart))
    def compare(case):
        seen.update(assert_by_the_oracle(*case))

    compare()
    assert min(seen["calibrated"], seen["not calibrated"]) >= 2
    assert seen["calibrated", "ties"] >= 1


@pytest.mark.exhaustive
@settings(max_examples=1500)
@given(st.one_of(cases(), thin_cases()))
def test_many_verdicts_with_touching_and_overlapping_regions_are_those_of_the_function(case):
    assert assert_by_the_oracle(*case).total() >= 1


def test_a_pred_is_wrong_on_a_domain_with_an_equation():
    verdict = lm.check(lm.surrogates.lee_lin_wahba(3), lm.losses.abstain(3), "argmax-gap:tau=1/2")
    assert verdict.status == "not calibrated"
    assert_shown(verdict)
    assert lm.verify(verdict.certificate).accepted


# The examples that were decided for another function than the one that decides.


def rising() -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(lambda y, u: u[0], n=2, dim=1, domain=lambda u: [u[0] >= 0])


def test_a_region_that_only_touches_the_domain_decides_there():
    loss = LossMatrix([[1, 0], [1, 0]], predictions=["bad", "good"])
    regions = {"bad": lambda u: [u[0] <= 0], "good": lambda u: [u[0] >= 0]}
    verdict = lm.check(rising(), loss, pred=regions)
    assert verdict.status == "not calibrated"
    assert verdict.pred([0]) == verdict.prediction == 0
    assert verdict.ties
    assert lm.verify(verdict.certificate).accepted


def test_a_region_that_only_touches_the_domain_and_comes_second_decides_nothing():
    loss = LossMatrix([[0, 1], [0, 1]], predictions=["good", "bad"])
    verdict = lm.check(rising(), loss, pred={"good": lambda u: [u[0] >= 0], "bad": lambda u: [u[0] <= 0]})
    assert verdict.status == "calibrated"
    assert verdict.pred([0]) == 0
    assert re.search(r"\bbad\b.* good\b.* u = \(0\)", verdict.ties)
    assert verdict.to_dict()["ties"] == verdict.ties
    assert lm.verify(verdict.certificate).accepted


def test_nearest_decides_at_the_edge_of_a_domain():
    # On u ≥ 3/2 the first of three centres is nearest at 3/2 alone, and that is where ψ is least for the first label.
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - 1 - y), n=3, dim=1, domain=lambda u: [u[0] >= "3/2"]
    )
    loss = LossMatrix([[1, 0, 1], [1, 0, 1], [1, 1, 0]])
    assert lm.surrogates.preds.nearest(surrogate, loss)(["3/2"]) == 0
    assert lm.check(surrogate, loss, pred="nearest").status == "not calibrated"
    assert refuted(surrogate, loss, lm.surrogates.preds.nearest(surrogate, loss))


def test_with_a_gap_of_zero_abstaining_never_happens():
    # Two labels, abstaining worse than either label at p = (1/2, 1/2), where both are at u_0 = u_1.
    loss = LossMatrix([[0, 1, 1], [1, 0, 1]])
    surrogate = lm.surrogates.crammer_singer(2)
    verdict = lm.check(surrogate, loss, pred="argmax-gap:tau=0")
    assert verdict.status == "calibrated"
    assert verdict.pred.regions[2] == ()
    assert re.search(r"\b2 .*\b0\b", verdict.ties)
    smooth = lm.check(lm.surrogates.softmax(2), loss, pred="argmax-gap:tau=0")
    assert smooth.status == "calibrated"
    assert smooth.ties
    assert lm.verify(verdict.certificate).accepted
    assert lm.verify(smooth.certificate).accepted


def test_earlier_regions_hide_later_ones():
    loss = LossMatrix([[0, 1], [1, 0]])
    hinge = PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    first = lm.check(hinge, loss, pred=[lambda u: [u[0] >= 0], lambda u: []])
    last = lm.check(hinge, loss, pred=[lambda u: [], lambda u: [u[0] <= 0]])
    assert first.status == "calibrated"
    assert last.status == "not calibrated"
    assert last.ties
    assert first.pred([-1]) == 1
    assert [row for piece in first.pred.regions[1] for row in piece.inequalities] == [(0, -1)]
