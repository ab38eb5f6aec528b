"""The calibration function against its definition: linear programs on a grid, samples, closed forms, invariances."""

from __future__ import annotations

import json
import pickle
import random
import re
from fractions import Fraction
from functools import cache
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lossmith as lm
import reference
from lossmith import LossMatrix, PolyhedralSurrogate, Pred, losses, regret, surrogates
from lossmith.analysis.facts import Facts
from lossmith.analysis.symmetry import Symmetry
from lossmith.calibration import regret_budgets, regrets_of_regions
from lossmith.calibration.by_symmetric_regions import symmetry_with_pred
from lossmith.calibration.calibration_function import corners_of
from lossmith.calibration.checking import question_of
from lossmith.errors import BadInput, TooLarge
from oracle import Constraint_System, Linear_Expression, MIP_Problem, Variable
from strategies import examples

HALF = Fraction(1, 2)
exhaustive = pytest.mark.exhaustive


# The definition, on a line, a second time.


def on_a_line(seed: int) -> tuple[PolyhedralSurrogate, LossMatrix, Pred]:
    """A random sum of distances and hinges on a line, a random loss, and thresholds that decide."""
    draw = random.Random(seed)
    n, k = draw.choice([(2, 2), (2, 3), (3, 2), (3, 3)])
    parts = [
        [(draw.randint(0, 3), draw.choice((1, -1)), Fraction(draw.randint(-4, 4), 2)) for _ in range(2)]
        for _ in range(n)
    ]
    psi = PolyhedralSurrogate.from_function(
        lambda y, u: sum((w * lm.pos(s * (u[0] - c)) for w, s, c in parts[y]), abs(u[0] - y)), n=n, dim=1
    )
    loss = LossMatrix([[draw.randint(0, 4) for _ in range(k)] for _ in range(n)])
    ends = sorted(Fraction(draw.randint(-3, 9), 4) for _ in range(k - 1))
    regions = [[lambda u, end=end: [u[0] <= end]] for end in ends] + [[lambda u: []]]
    return psi, loss, Pred.from_regions(regions, dim=1, name="thresholds")


def places(psi: PolyhedralSurrogate, pred: Pred) -> list[tuple[int, Fraction]]:
    """(t, u) for all u where p·ψ may be least on the closure of where the pred says t: bends, and ends of intervals."""
    rows = [piece for maxima in psi.terms for maximum in maxima for piece in maximum]
    bends = {(b - d) / (c - a) for b, a in rows for d, c in rows if a != c}
    ends = [row[0] / -row[1] for region in pred.regions for piece in region for row in piece.inequalities]
    found = []
    lower = None
    for t, upper in enumerate([*ends, None]):
        if lower is None or upper is None or lower < upper:  # an empty interval is never decided
            inside = [u for u in bends if (lower is None or u >= lower) and (upper is None or u <= upper)]
            found += [(t, u) for u in {*inside, *(end for end in (lower, upper) if end is not None)}]
        lower = upper
    return found


def least_regret(psi, loss, pred, epsilon):
    """The least regret of ψ where that of the loss is ε or more, by PPL, one program for each t, s and u."""
    spots = places(psi, pred)
    values = [psi([u]) for _, u in spots]
    found = []
    for (t, _), z in zip(spots, values):
        for s in range(loss.k):
            difference = [row[t] - row[s] for row in loss.entries]
            best = least_at(z, values, difference, epsilon)
            found += [] if best is None else [best]
    return min(found, default=inf)


def least_at(z, values, difference, epsilon):
    """min p·z − h over p ∈ Δ with p·difference ≥ ε and h ≤ p·z_j for all j."""
    n = len(z)
    p, h = [Variable(i) for i in range(n)], Variable(n)
    scale = reference.lcm(*(Fraction(x).denominator for row in (*values, z, difference, [epsilon]) for x in row))
    whole = lambda row: sum((int(x * scale) * each for x, each in zip(row, p)), Linear_Expression(0))  # noqa: E731
    system = Constraint_System()
    for each in p:
        system.insert(each >= 0)
    system.insert(sum(p, Linear_Expression(0)) == 1)
    system.insert(whole(difference) >= int(epsilon * scale))
    for other in values:
        system.insert(scale * h <= whole(other))
    program = MIP_Problem(n + 1, system, whole(z) - scale * h)
    program.set_optimization_mode("minimization")
    if not program.is_satisfiable():
        return None
    value = program.optimal_value()
    return Fraction(int(value.numerator), int(value.denominator)) / scale


def claimed(proof, epsilon):
    """δ(ε) as a certificate says it, for ε up to its last piece."""
    rows = [tuple(map(Fraction, row)) for row in proof.content["delta"]]
    starts = [Fraction(0), *(end for end, _, _ in rows)]
    ((a, (b, f, g)),) = [(a, row) for a, row in zip(starts, rows) if a < epsilon <= row[0]]
    return f + (g - f) * (epsilon - a) / (b - a)


@pytest.mark.parametrize("seed", [1, 2, 5, *(pytest.param(seed, marks=exhaustive) for seed in (0, 3, 4))])
def test_it_is_that_of_linear_programs_on_a_grid(seed):
    psi, loss, pred = on_a_line(seed)
    found = regret(psi, loss, pred)
    delta, proof = found.calibration_function, found.delta_certificate
    assert lm.verify(proof).accepted
    grid = {Fraction(i, 6) * delta.largest for i in range(1, 7)} | {epsilon for epsilon, *_ in delta.breakpoints}
    for epsilon in sorted(grid - {0}):
        assert delta(epsilon) == claimed(proof, epsilon) == least_regret(psi, loss, pred, epsilon), (seed, epsilon)
    assert delta(delta.largest + Fraction(1, 100)) == inf == least_regret(psi, loss, pred, delta.largest + 1)


@exhaustive
@pytest.mark.parametrize("seed", range(100, 180))
def test_it_is_that_of_linear_programs_on_a_fine_grid(seed):
    psi, loss, pred = on_a_line(seed)
    found = regret(psi, loss, pred)
    delta = found.calibration_function
    assert lm.verify(found.delta_certificate).accepted
    for i in range(1, 61):
        epsilon = Fraction(i, 60) * delta.largest
        assert epsilon == 0 or delta(epsilon) == least_regret(psi, loss, pred, epsilon)


# What must hold of every one.


def of_own_costs():
    loss = LossMatrix([[0, 2, 1], [3, 0, 1]])
    return surrogates.cost_weighted_hinge(loss), loss, "argmax"


CASES = {
    "crammer-singer abstain": lambda: ("crammer-singer", losses.abstain(3), "argmax-gap:tau=1/3"),
    "crammer-singer zero_one": lambda: ("crammer-singer", losses.zero_one(3), "argmax"),
    "lee-lin-wahba zero_one": lambda: ("lee-lin-wahba", losses.zero_one(4), "argmax"),
    "one-vs-all-hinge abstain": lambda: ("one-vs-all-hinge", losses.abstain(3), "argmax-threshold:tau=0"),
    "absolute ordinal": lambda: ("absolute", losses.ordinal(4), "nearest"),
    "weston-watkins zero_one": lambda: ("weston-watkins", losses.zero_one(3), "argmax"),
    "own costs": of_own_costs,
}
MORE = ("lee-lin-wahba zero_one", "one-vs-all-hinge abstain", "weston-watkins zero_one")
each_case = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=exhaustive if name in MORE else ()) for name in CASES]
)


@cache
def regret_of(name):
    return regret(*CASES[name]())


@each_case
def test_no_sample_lies_below_and_every_value_is_attained(name):
    found, draw = regret_of(name), random.Random(0)
    psi, loss, pred, delta = found.surrogate, found.loss, found.pred, found.calibration_function
    equal = psi.equations  # Σ u = 0
    for _ in range(60):
        p = reference.normalised([draw.randint(0, 4) for _ in range(loss.n - 1)] + [1])
        u = [Fraction(draw.randint(-8, 8), 4) for _ in range(psi.dim)]
        u = [x - sum(u) / len(u) for x in u] if equal else u
        risks, paid = loss.risk(p), reference.dot(p, psi(u)) - psi.bayes_risk(p)
        lost = risks[pred(u)] - min(risks)
        assert paid >= delta(lost) >= found.hull(lost)
        assert found.at_most(paid) >= lost
    for i in range(1, 9):
        epsilon = Fraction(i, 8) * delta.largest
        at = found.attained(epsilon)
        risks = loss.risk(at.p)
        assert any(piece.contains(at.u) for piece in pred.regions[at.prediction])
        assert sum(at.p) == 1
        assert risks[at.prediction] - min(risks) >= epsilon
        assert reference.dot(at.p, psi(at.u)) - psi.bayes_risk(at.p) == delta(epsilon) == at.surrogate_regret


@each_case
def test_it_has_a_certificate_and_others_have_none(name):
    found = regret_of(name)
    content = found.delta_certificate.content
    verdict = lm.verify(found.delta_certificate)
    assert verdict.accepted, verdict
    assert verdict.given == ()
    delta, rows = found.calibration_function, [tuple(map(Fraction, row)) for row in content["delta"]]
    assert [row[0] for row in rows] == [each.end for each in delta.segments]
    assert all(delta(end) == last for end, _, last in rows)
    draw = random.Random(0)
    j = draw.randrange(len(rows))
    end, first, last = rows[j]
    for row in ((end, first, last * 2 + 1), (end, first + 1, last), (end + 1, first, last), (end, first, last - 1)):
        forged = {**content, "delta": [*content["delta"][:j], list(map(str, row)), *content["delta"][j + 1 :]]}
        assert not lm.verify(json.dumps(forged)).accepted
    attained = [each for i, each in enumerate(content["evidence"]["attained"]) if i != j]
    fewer = [each for i, each in enumerate(content["delta"]) if i != j]
    forged = {**content, "delta": fewer, "evidence": {**content["evidence"], "attained": attained}}
    assert not lm.verify(json.dumps(forged)).accepted


@example(390327)  # the cells of a region have whole values, and those of ψ halves
@given(st.integers(0, 10**6))
@examples(6)
def test_the_hull_is_convex_below_and_touches(seed):
    found = regret(*on_a_line(seed))
    delta, hull = found.calibration_function, found.hull
    if not delta.segments:
        assert hull.points == ((0, 0),)
        assert found.constant == 0
        return
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in zip(hull.points, hull.points[1:])]
    assert slopes == sorted(set(slopes))
    assert hull.points[-1][0] == delta.largest
    assert all(delta(x) == w for x, w in hull.points)
    for epsilon, value, right in delta.breakpoints:
        assert hull(epsilon) <= value <= right
    values = [value for _, *pair in delta.breakpoints for value in pair]
    assert values == sorted(values)
    assert delta.convex == all(delta(epsilon) == hull(epsilon) for epsilon, *_ in delta.breakpoints) or not delta.convex
    worst = [epsilon / value if value else inf for epsilon, value, _ in delta.breakpoints[1:]]
    assert found.constant == max(worst)  # regret_L ≤ c regret_ψ, and ε/δ(ε) is largest where δ bends or jumps
    assert found.calibrated == (found.constant < inf)


@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 5))
@examples(3)
def test_scales_of_the_loss_and_of_the_surrogate(seed, a, b):
    psi, loss, pred = on_a_line(seed)
    first = regret(psi, loss, pred).calibration_function.breakpoints
    scaled = LossMatrix([[a * x for x in row] for row in loss.entries])
    terms = tuple(tuple(tuple(tuple(b * x for x in row) for row in each) for each in label) for label in psi.terms)
    larger = PolyhedralSurrogate(terms, psi.dim, psi.inequalities, psi.equations, "larger")
    second = regret(larger, scaled, pred).calibration_function.breakpoints
    assert second == tuple((a * epsilon, b * value, b * right) for epsilon, value, right in first)


@given(st.integers(0, 10**6))
@examples(3)
def test_exchanging_labels_of_loss_and_surrogate_changes_nothing(seed):
    psi, loss, pred = on_a_line(seed)
    turned = PolyhedralSurrogate(psi.terms[::-1], psi.dim, psi.inequalities, psi.equations, "turned")
    other = LossMatrix(loss.entries[::-1])
    shifted = LossMatrix([[x + y for x in row] for y, row in enumerate(loss.entries)])
    expected = regret(psi, loss, pred).calibration_function.breakpoints
    assert regret(turned, other, pred).calibration_function.breakpoints == expected
    assert regret(psi, shifted, pred).calibration_function.breakpoints == expected


# Closed forms.


def interpolated(threshold) -> lm.Regret:
    psi = PolyhedralSurrogate.from_function(
        lambda y, u: u[0] if y == 0 else 2 * (1 - u[0]), n=2, dim=1, domain=lambda u: [u[0] >= 0, u[0] <= 1]
    )
    pred = Pred.from_regions([lambda u: [u[0] <= threshold], lambda u: [u[0] >= threshold]], dim=1)
    return regret(psi, LossMatrix([[0, 1], [2, 0]]), pred)


def test_it_need_not_be_convex_and_may_jump():
    """ψ interpolates L between u = 0 and 1. Deciding 1 wrongly loses at most 1, and pays a tenth; deciding 0, nine."""
    found = interpolated("1/10")
    assert found.calibration_function.breakpoints == (
        (0, 0, 0),
        (1, Fraction(1, 10), Fraction(9, 10)),
        (2, Fraction(9, 5), inf),
    )
    assert [found.delta(x) for x in ("1/2", 1, "3/2", 3)] == [Fraction(1, 20), Fraction(1, 10), Fraction(27, 20), inf]
    assert found.hull.points == ((0, 0), (1, Fraction(1, 10)), (2, Fraction(9, 5)))
    assert found.constant == 10
    assert found.at_most("1/20") == HALF
    assert found.at_most(100) == 2
    assert not found.calibration_function.convex
    assert found.delta_certificate.content["delta"] == [["1", "0", "1/10"], ["2", "9/10", "9/5"]]
    assert lm.verify(found.delta_certificate).accepted


def test_the_hinge_has_the_transform_of_bartlett_jordan_and_mcauliffe():
    hinge = PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    found = regret(hinge, losses.zero_one(2), [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]])
    assert found.calibration_function.breakpoints == ((0, 0, 0), (1, 1, inf))


@pytest.mark.parametrize("tau", ["1/4", "1/2", "3/4"])
def test_a_reject_option(tau):
    """With one label sure, abstaining loses 1/2 and pays 1 − τ, deciding another one loses 1 and pays 1 + τ.

    Where two tie, deciding one that is not there loses 1/2 and pays τ, at least; mixtures do no better.
    """
    gap = Fraction(tau)
    found = regret("crammer-singer", losses.abstain(3), f"argmax-gap:tau={tau}")
    assert found.hull.points[1:] == ((HALF, min(1 - gap, gap)), (1, 1 + gap))


def test_without_calibration_it_begins_with_zero():
    """At the centre, argmax says anything at u = 0; sure that it is not 2, with 0 and 1 equal, 2 costs 1/2."""
    found = regret("crammer-singer", losses.zero_one(3), "argmax")
    assert not found.calibrated
    assert found.constant == inf
    assert found.calibration_function.breakpoints[:2] == ((0, 0, 0), (HALF, 0, 0))
    corner = found.hull.corners[0]
    assert (corner.loss_regret, corner.surrogate_regret) == (HALF, 0)
    assert sorted(corner.p) == [0, HALF, HALF]
    assert re.search(r" 0 .* 0\.5: .*P\(1\) = 0\.5, P\(2\) = 0\.5", str(found))


def test_where_every_decision_is_right_there_is_no_regret():
    hinge = PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    found = regret(hinge, LossMatrix([[1, 1], [2, 2]]), [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]])
    assert found.constant == 0
    assert (found.delta(0), found.delta("1/100"), found.hull(1)) == (0, inf, inf)
    assert found.at_most(5) == 0
    assert lm.verify(found.certificate).accepted
    assert lm.verify(found.delta_certificate).accepted


def test_points_below_the_line_are_corners():
    assert corners_of([(0, 5), (4, 9), (2, 5), (3, 6), (4, 8), (1, 5)]) == [2, 3, 4]
    assert corners_of([(1, 1)]) == [0]
    assert corners_of([(0, 0), (1, 1), (2, 2)]) == [0, 2]


# Symmetry.


@pytest.mark.parametrize(
    ("family", "loss_of", "n", "pred"),
    [
        (surrogates.crammer_singer, losses.abstain, 3, "argmax-gap:tau=1/3"),
        (surrogates.weston_watkins, losses.zero_one, 3, "argmax"),
        (surrogates.lee_lin_wahba, losses.zero_one, 4, "argmax"),
        pytest.param(surrogates.crammer_singer, losses.abstain, 4, "argmax-gap:tau=1/3", marks=exhaustive),
        pytest.param(surrogates.lee_lin_wahba, losses.zero_one, 5, "argmax", marks=exhaustive),
    ],
)
def test_in_the_chamber_it_is_the_same(family, loss_of, n, pred):
    psi, loss = family(n), loss_of(n)
    question = question_of(psi, Facts(loss), pred)
    symmetry = symmetry_with_pred(question)
    assert isinstance(symmetry, Symmetry)
    assert max(map(len, symmetry.blocks)) == loss.n
    there, everywhere = regrets_of_regions.regrets_in_chamber(question, symmetry), regret(psi, loss, pred)
    assert there.symmetry is not None
    assert everywhere.regions.symmetry is None
    assert there.hull.points == everywhere.hull.points
    assert there.calibration_function.breakpoints == everywhere.calibration_function.breakpoints
    assert lm.verify(there.certificate).accepted
    assert lm.verify(everywhere.certificate).accepted


def test_what_was_found_in_the_chamber_is_proved_everywhere():
    question = question_of(surrogates.lee_lin_wahba(3), Facts(losses.zero_one(3)), "argmax")
    there = regrets_of_regions.regrets_in_chamber(question, symmetry_with_pred(question))
    everywhere = regret("lee-lin-wahba", losses.zero_one(3), "argmax")
    assert there.delta_certificate.content["delta"] == everywhere.delta_certificate.content["delta"]
    assert lm.verify(there.delta_certificate).accepted


@pytest.mark.parametrize(
    ("name", "loss", "pred", "points"),
    [
        pytest.param(
            "crammer-singer",
            lambda: losses.abstain(12),
            "argmax-gap:tau=1/2",
            [(HALF, HALF), (1, Fraction(3, 2))],
            marks=exhaustive,
        ),
        ("lee-lin-wahba", lambda: losses.zero_one(8), "argmax", None),
    ],
    ids=["crammer-singer", "lee-lin-wahba"],
)
def test_sizes_that_people_have(name, loss, pred, points):
    """Lee–Lin–Wahba: with j labels equally likely, one of the others costs 1/j, and less than that is not paid."""
    found = regret(name, loss(), pred)
    assert found.constant == 1
    assert points is None or list(found.hull.points[1:]) == points
    assert points is not None or [x for x, _ in found.hull.points[1:]] == [Fraction(1, j) for j in range(7, 0, -1)]
    assert found.calibration_function.largest == 1
    assert lm.verify(found.certificate).accepted


def test_what_was_computed_pickles():
    found = regret("lee-lin-wahba", losses.zero_one(7))
    again = pickle.loads(pickle.dumps((str(found), found)))
    assert again == (str(found), found)
    assert again[1].certificate == found.certificate


# Refusals.


def test_what_is_not_attained_is_refused():
    found = interpolated("1/2")
    for epsilon in (0, 3, -1):
        with pytest.raises(BadInput, match=rf"{epsilon} .* 2$"):  # the largest regret
            found.attained(epsilon)
    with pytest.raises(BadInput, match="-1"):
        found.at_most(-1)


def test_more_points_than_the_budget_are_refused_but_the_hull_is_told(monkeypatch):
    monkeypatch.setattr(regret_budgets, "MOST_POINTS", 10)
    found = regret("crammer-singer", losses.abstain(3))
    with pytest.raises(TooLarge, match=" 10 "):
        found.calibration_function  # noqa: B018
    assert found.constant == 1
    assert [line.strip() for line in str(found).splitlines()[-3:]] == ["0: 0", "0.5: 0.5", "1: 1.5"]
    assert "note" in found.to_dict()


def test_a_proof_that_the_checker_would_not_read_is_refused_at_once():
    """Lee–Lin–Wahba has 2^14 − 1 vertices without symmetry; its hull is proved by symmetry."""
    found = regret("lee-lin-wahba", losses.zero_one(14), "argmax")
    with pytest.raises(TooLarge, match=r"16,383 .* 14 "):
        found.delta_certificate  # noqa: B018
    assert found.calibration_function.largest == 1


def test_more_vertices_than_the_budget_are_not_looked_at():
    """What is known without them is told: here that it is not calibrated, and there what no constant is below."""
    assert not regret("weston-watkins", losses.zero_one(4), "argmax", max_vertices=5).calibrated
    part = regret("lee-lin-wahba", losses.zero_one(4), "argmax", max_vertices=5)
    assert "max_vertices" in part.too_large
    assert " 5 " in part.too_large
    assert (part.lower.constant, part.upper) == (1, None)


def test_labels_must_be_as_many():
    with pytest.raises(BadInput, match=r"absolute\(n=3\) .* 3 .* ordinal\(n=4\) .* 4"):
        regret(surrogates.absolute(3), losses.ordinal(4))
