"""Verdicts with a given pred: what the literature knows, and random ones against the definition.

The oracle below is written from `def:calibration`: at p, prediction t of the pred is wrong if t is not optimal for the
loss, but the least ψ-risk over the closed region of t is the least of all. Least risks come from trying every corner,
in `second_opinion`, which shares no line with lossmith.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lossmith as lm
import reference
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import (
    abstain,
    hamming,
    mean_average_precision,
    ndcg,
    ordinal,
    pairwise_disagreement,
    top_k,
    zero_one,
)
from lossmith.surrogates import (
    absolute,
    abstain_crammer_singer,
    abstain_one_vs_all,
    adversarial_zero_one,
    all_threshold_hinge,
    binary_encoded,
    binary_relevance_hinge,
    cost_weighted_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    one_vs_one_hinge,
    pairwise_hinge,
    weston_watkins,
)
from lossmith.surrogates.members import TRIED
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.tracing import pos
from reference import dot
from strategies import examples, loss_rows
from surrogates import second_opinion
from surrogates.random_surrogates import pairs

exhaustive = pytest.mark.exhaustive
HALF_GAP, AT_ZERO, HALF_CODE = "argmax-gap:tau=1/2", "argmax-threshold:tau=0", "sign-code:tau=1/2"


# The oracle.


@dataclass(frozen=True)
class Restricted:
    """A surrogate on a part of its domain, as the plain data that `second_opinion` reads."""

    terms: tuple
    dim: int
    inequalities: tuple
    equations: tuple


@lru_cache(maxsize=4000)
def piece_values(surrogate, piece) -> tuple:
    """ψ at points of the piece among which p·ψ has a minimum over the piece, for every p; none if it is empty."""
    part = Restricted(
        surrogate.terms,
        surrogate.dim,
        (*surrogate.inequalities, *piece.inequalities),
        (*surrogate.equations, *piece.equations),
    )
    return tuple(sorted({second_opinion.psi(part, u) for u in second_opinion.corners(part)}))


def attains(surrogate, piece, p) -> bool:
    """Whether the least ψ-risk over the piece is the least of all."""
    least = second_opinion.bayes_risk(surrogate, p)
    return any(dot(p, z) == least for z in piece_values(surrogate, piece))


def violates(surrogate, rows, regions, p) -> bool:
    """Whether points of the region of some t that is not optimal at p come as near to H_ψ(p) as one likes."""
    best = reference.argmin(rows, p)
    return any(attains(surrogate, piece, p) for t, pieces in enumerate(regions) if t not in best for piece in pieces)


def grid(n: int, steps: int):
    """The distributions with denominators `steps`."""
    for parts in product(range(steps + 1), repeat=n - 1):
        if sum(parts) <= steps:
            yield tuple(Fraction(x, steps) for x in (*parts, steps - sum(parts)))


def looked_at(surrogate) -> list:
    """A fine grid, and the corners of the cells, which need not lie on it."""
    n = len(surrogate.terms)
    return sorted({*grid(n, {2: 60, 3: 12}[n]), *corners_of_cells(surrogate)})


def corners_of_cells(surrogate) -> list:
    return sorted({p for vertices in second_opinion.cells(surrogate).values() for p in vertices})


def assert_shown(verdict) -> None:
    """The u and the p of a verdict of no calibration with a pred, by the definition; small surrogates only."""
    surrogate, t, (p,) = verdict.surrogate, verdict.prediction, verdict.distributions
    assert second_opinion.contains(surrogate, verdict.u)
    assert any(piece.contains(verdict.u) for piece in verdict.pred.regions[t])
    assert sum(p) == 1
    assert min(p) >= 0
    assert dot(p, second_opinion.psi(surrogate, verdict.u)) == second_opinion.bayes_risk(surrogate, p)
    assert_costly(verdict)


def assert_costly(verdict) -> None:
    """The prediction is not optimal at p; the price is what it costs more."""
    (p,) = verdict.distributions
    risks = reference.risks(verdict.loss.entries, p)
    assert verdict.price == risks[verdict.prediction] - min(risks) > 0
    assert verdict.prediction in verdict.ruled_out[0]


def assert_status(surrogate, loss, pred, calibrated: bool, **within):
    verdict = check(surrogate, loss, pred=pred, **within)
    expected = "calibrated" if calibrated else "not calibrated"
    assert verdict.status == expected, (surrogate.name, loss.name, pred)
    assert lm.verify(verdict.certificate).accepted
    if not calibrated:
        assert_costly(verdict)
    return verdict


# What the literature knows.


def lee_lin_wahba_everywhere(n: int) -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + u[j]) for j in range(n) if j != y), n=n, dim=n, name=f"lee_lin_wahba on R^{n}"
    )


COSTS = ("1/2", "1/3")


def known(n):
    """The known verdicts on n labels: (surrogate, loss, pred, calibrated)."""
    two = n == 2
    yield crammer_singer(n), zero_one(n), "argmax", two
    yield crammer_singer(n), abstain(n), "argmax", two  # argmax never abstains
    yield crammer_singer(n), abstain(n), HALF_GAP, True
    yield crammer_singer(n), ordinal(n), "argmax", two  # n = 3: some pred works, argmax not
    yield weston_watkins(n), zero_one(n), "argmax", two
    yield lee_lin_wahba(n), zero_one(n), "argmax", True
    yield lee_lin_wahba_everywhere(n), zero_one(n), "argmax", False
    yield one_vs_all_hinge(n), zero_one(n), "argmax", two
    yield one_vs_all_hinge(n), abstain(n), AT_ZERO, True
    yield absolute(n), ordinal(n), "nearest", True
    yield absolute(n), zero_one(n), "nearest", two
    for eps, calibrated in (("0", True), ("1/4", True), ("49/100", True), ("1/2", False), ("3/4", False)):
        yield epsilon_insensitive(n, eps), ordinal(n), "nearest", calibrated
    yield epsilon_insensitive(n), zero_one(n), "nearest", two
    for c in COSTS:
        yield binary_encoded(n, c), abstain(n, c), HALF_CODE, True
        yield abstain_crammer_singer(n, c), abstain(n, c), HALF_GAP, True
        yield abstain_one_vs_all(n, c), abstain(n, c), AT_ZERO, True
    yield adversarial_zero_one(n), zero_one(n), "argmax", True
    yield all_threshold_hinge(n), ordinal(n), "sign", True
    yield all_threshold_hinge(n), zero_one(n), "sign", two
    yield cost_weighted_hinge(abstain(n)), abstain(n), "argmax", True
    if two:
        yield binary_encoded(2), zero_one(2), "sign", True
        # Two documents: a binary hinge.
        documents = pairwise_disagreement(2)
        yield pairwise_hinge(documents), documents.matrix(), "sort", True
    else:
        yield absolute(n), abstain(n), "nearest", False
        yield cost_weighted_hinge(ordinal(n)), ordinal(n), "argmax", True
    if n == 4:
        yield cost_weighted_hinge(top_k(4, 2)), top_k(4, 2), "argmax", True
    if n < 5:
        # The likeliest labels win against all others, whoever wins between them.
        yield one_vs_one_hinge(n), zero_one(n), "votes", True
    if n in (2, 4):
        r = n // 2
        yield binary_relevance_hinge(r), hamming(r), "sign", True


def assert_known(surrogate, loss, pred, calibrated):
    verdict = assert_status(surrogate, loss, pred, calibrated)
    assert verdict.surrogate is surrogate
    assert verdict.loss is loss
    assert verdict.pred.name == pred
    if not calibrated:
        assert any(piece.contains(verdict.u) for piece in verdict.pred.regions[verdict.prediction])


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=exhaustive), pytest.param(5, marks=exhaustive)])
def test_the_verdict_with_the_customary_pred_is_the_known_one(n):
    for case in known(n):
        assert_known(*case)


@pytest.mark.parametrize(
    "loss",
    [
        lambda: pairwise_disagreement(3, "single edges"),
        pytest.param(lambda: mean_average_precision(3), marks=exhaustive),
        pytest.param(lambda: ndcg(3), marks=exhaustive),
    ],
    ids=["single edges", "mean_average_precision", "ndcg"],
)
def test_sorting_three_documents_by_a_pairwise_hinge_is_not_calibrated(loss):
    """Duchi, Mackey & Jordan 2010; Calauzènes, Usunier & Gallinari 2012."""
    assert_known(pairwise_hinge(loss()), loss().matrix(), "sort", False)


@exhaustive
def test_signs_are_right_for_three_bits():
    assert_known(binary_relevance_hinge(3), hamming(3), "sign", True)


def test_every_customary_pred_of_what_is_tried_in_passing_is_among_the_known_verdicts():
    polyhedral = [each for each in (*TRIED, pairwise_hinge) if each.makes is PolyhedralSurrogate]
    customary = {(each.name, pred) for each in polyhedral for pred in each.preds}
    assert len(polyhedral) >= 13
    assert all(each.preds for each in polyhedral)
    # Each is there because it is right for some loss.
    assert customary <= {(surrogate.name.partition("(")[0], pred) for surrogate, _, pred, good in known(2) if good}


@cache
def catalogue_losses():
    """The small members of the losses of the catalogue with at most 4 labels and 2 to 5 predictions."""
    members = [family(**parameters) for family in LOSSES for parameters in family.small]
    return [loss for loss in members if loss.n <= 4 and 2 <= loss.k <= 5]


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=exhaustive)])
def test_the_cost_weighted_hinge_with_argmax_is_calibrated_for_the_losses_of_the_catalogue(n):
    of_size = [loss for loss in catalogue_losses() if loss.n == n]
    assert of_size
    for loss in of_size:
        assert_status(cost_weighted_hinge(loss), loss, "argmax", True)


@examples(6)
@given(loss_rows(max_n=3, max_k=3).filter(lambda rows: len(rows[0]) > 1))
def test_the_cost_weighted_hinge_with_argmax_is_calibrated_for_every_loss(rows):
    assert_status(cost_weighted_hinge(LossMatrix(rows)), LossMatrix(rows), "argmax", True)


def test_the_scores_of_the_cost_weighted_hinge_are_those_of_the_predictions_whatever_they_are_called():
    loss = LossMatrix([[1, 0], [0, 2]], labels=["a", "b"], predictions=["b", "a"])
    assert_status(cost_weighted_hinge(loss), loss, "argmax", True)


# Thresholds: between its values at two cells ψ is a mixture of them, so a threshold may lie anywhere between, and
# nowhere else.


@pytest.mark.parametrize("n", [3, pytest.param(4, marks=exhaustive)])
def test_crammer_singer_abstains_rightly_for_gaps_between_zero_and_one(n):
    for tau in ("0", "1/100", "1/2", "99/100", "1", "2"):
        assert_status(crammer_singer(n), abstain(n), f"argmax-gap:tau={tau}", 0 < Fraction(tau) < 1)


SIZES_AND_COSTS = [
    (2, "1/2"),
    (3, "1/3"),
    *(pytest.param(n, cost, marks=exhaustive) for n, cost in ((2, "1/3"), (2, "1/10"), (3, "1/2"), (3, "1/10"))),
]


@pytest.mark.parametrize(("n", "cost"), SIZES_AND_COSTS)
def test_the_crammer_singer_hinge_for_other_costs_allows_the_same_gaps(n, cost):
    for tau in ("0", "1/100", "99/100", "1"):
        # At u = 0 all decisions are as near as one likes; between two labels at 1/2 each they are all optimal there.
        harmless = tau == "0" and n == 2 and cost == "1/2"
        right = 0 < Fraction(tau) < 1 or harmless
        assert_status(abstain_crammer_singer(n, cost), abstain(n, cost), f"argmax-gap:tau={tau}", right)


@pytest.mark.parametrize(
    ("n", "cost"), [*SIZES_AND_COSTS, *(pytest.param(5, cost, marks=exhaustive) for cost in COSTS)]
)
def test_binary_encoded_allows_the_same_thresholds(n, cost):
    for tau in ("0", "1/100", "99/100", "1"):
        right = 0 < Fraction(tau) < 1 or (tau == "0" and n == 2 and cost == "1/2")
        assert_status(binary_encoded(n, cost), abstain(n, cost), f"sign-code:tau={tau}", right)


@pytest.mark.parametrize(
    ("n", "cost"),
    [(3, "1/3"), *(pytest.param(n, cost, marks=exhaustive) for n, cost in ((3, "1/2"), (4, "1/3"), (4, "1/2")))],
)
def test_one_vs_all_abstains_rightly_for_thresholds_between_minus_one_and_one(n, cost):
    # p_j above 1 − c: u_j = 1; below: u_j = −1. So u = −1 for all is optimal where abstaining is the only best.
    for tau in ("-2", "-1", "-99/100", "0", "99/100", "1", "2"):
        pred = f"argmax-threshold:tau={tau}"
        assert_status(abstain_one_vs_all(n, cost), abstain(n, cost), pred, -1 < Fraction(tau) < 1)


def test_a_surrogate_for_another_price_of_abstaining_is_not_helped_by_its_pred():
    assert_status(abstain_crammer_singer(3, "1/3"), abstain(3), HALF_GAP, False)
    assert_status(abstain_one_vs_all(3, "1/3"), abstain(3), AT_ZERO, False)
    assert_status(binary_encoded(3, "1/3"), abstain(3), HALF_CODE, False)


def test_crammer_singer_is_calibrated_for_three_grades_with_a_pred_that_takes_the_middle_when_unsure():
    half = Fraction(1, 2)
    ends = [
        lambda u: [u[0] - u[1] >= half, u[0] - u[2] >= half],
        lambda u: [u[2] - u[0] >= half, u[2] - u[1] >= half],
    ]
    # The middle one: where neither end is ahead of both others by 1/2.
    middle = [lambda u, i=i, j=j: [u[0] - u[i] <= half, u[2] - u[j] <= half] for i in (1, 2) for j in (0, 1)]
    assert_status(crammer_singer(3), ordinal(3), [ends[0], middle, ends[1]], True)
    assert_status(crammer_singer(3), ordinal(3), [ends[1], middle, ends[0]], False)


def test_the_pred_of_another_order_of_predictions_is_wrong():
    assert_status(absolute(3), LossMatrix([[0, 2, 1], [1, 1, 0], [2, 0, 1]]), "nearest", False)


def test_a_region_that_exists_on_ties_only_counts_where_it_comes_first():
    # At gap 0 abstaining is right for C–S; but with τ = 0 the labels come first, and nothing abstains.
    verdict = assert_status(crammer_singer(3), abstain(3), "argmax-gap:tau=0", False)
    assert verdict.prediction in (0, 1, 2)
    behind = [[lambda u: [u[0] >= 0]], [lambda u: [u[0] <= 0], lambda u: [u[0] == 1]]]
    before = [[lambda u: [u[0] >= 0], lambda u: [u[0] == -1]], [lambda u: [u[0] <= 0]]]
    hinge = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    assert_status(hinge, zero_one(2), [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]], True)
    assert_status(hinge, zero_one(2), behind, True)
    assert_status(hinge, zero_one(2), before, False)


def test_a_prediction_that_is_never_made_on_the_domain_does_no_harm():
    right = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - 1 - y), n=2, dim=1, domain=lambda u: [u[0] >= 1], name="right"
    )
    regions = [lambda u: [u[0] >= -1, u[0] <= "3/2"], lambda u: [u[0] >= "3/2"], lambda u: [u[0] <= -1]]
    loss = LossMatrix([[0, 1, 9], [1, 0, 9]])
    verdict = assert_status(right, loss, regions, True)
    assert verdict.pred.regions[2] == ()


# Random surrogates, losses and regions.

cuts = st.lists(st.integers(-2, 2).map(Fraction) | st.fractions(-2, 2, max_denominator=3), max_size=3, unique=True).map(
    sorted
)
lines = st.lists(
    st.tuples(st.sampled_from([0, 1, -1, 2]), st.integers(-2, 2), st.integers(-2, 2)).filter(lambda row: any(row[1:])),
    min_size=1,
    max_size=2,
    unique=True,
)


@st.composite
def divisions(draw, surrogate) -> list[Polyhedron]:
    """R^d, cut into intervals by points or into sectors by lines that cross the domain if that is a line itself."""
    if surrogate.dim == 1:
        ends = draw(cuts)
        above = [(), *(((-x, Fraction(1)),) for x in ends)]
        below = [*(((x, Fraction(-1)),) for x in ends), ()]
        return [Polyhedron(1, (*a, *b)) for a, b in zip(above, below)]
    flat = [row[1:] for row in surrogate.equations]
    rows = [
        tuple(map(Fraction, row)) for row in draw(lines) if not flat or reference.rank([*flat, row[1:]]) > len(flat)
    ]
    return [
        Polyhedron(2, tuple(tuple(sign * x for x in row) for sign, row in zip(signs, rows)))
        for signs in product((1, -1), repeat=len(rows))
    ]


def has_room(surrogate) -> bool:
    """Whether the inequalities of the domain leave it as large as its equations do."""
    domain = Polyhedron(surrogate.dim, surrogate.inequalities, surrogate.equations)
    return domain.size == surrogate.dim - len(surrogate.equations)


@st.composite
def cases(draw):
    """A surrogate, a loss, and regions. Mostly each piece gets a prediction that is right for it, if any."""
    surrogate, loss = draw(pairs().filter(lambda pair: has_room(pair[0])))
    domain = Polyhedron(surrogate.dim, surrogate.inequalities, surrogate.equations)
    pieces = [piece for piece in draw(divisions(surrogate)) if piece.meet(domain).size == domain.size]
    wish = draw(st.integers(0, 3)) > 0
    regions = [[] for _ in range(loss.k)]
    for piece in pieces:
        right = range(loss.k)
        if wish:
            reached = [p for p in corners_of_cells(surrogate) if attains(surrogate, piece, p)]
            if reached:
                right = sorted(second_opinion.common_predictions(loss.entries, reached)) or right
        regions[draw(st.sampled_from(right))].append(piece)
    return surrogate, loss, Pred("random", surrogate.dim, tuple(map(tuple, regions)))


def assert_by_the_definition(surrogate, loss, pred) -> str:
    verdict = check(surrogate, loss, pred=pred)
    refuted = any(violates(surrogate, loss.entries, pred.regions, p) for p in looked_at(surrogate))
    assert (verdict.status == "not calibrated") == refuted
    if verdict.status == "not calibrated":
        assert_shown(verdict)
    else:
        assert verdict.pred.regions == pred.regions
    answer = lm.verify(verdict.certificate)
    assert answer.accepted, answer
    return verdict.status


def test_the_verdict_with_random_regions_is_that_of_the_definition():
    seen = Counter()

    @examples(20)
    @given(cases())
    def compare(case):
        surrogate, loss, pred = case
        status = assert_by_the_definition(surrogate, loss, pred)
        if loss.k > 1:
            seen[status] += 1
            seen[status, f"dimension {surrogate.dim}"] += 1
            seen[status, f"{surrogate.n} labels"] += 1
            seen[status, "on a domain"] += bool(surrogate.inequalities or surrogate.equations)

    compare()
    for status in ("calibrated", "not calibrated"):
        assert seen[status] >= 3
        kinds = ("2 labels", "3 labels", "dimension 1", "dimension 2", "on a domain")
        assert all(seen[status, kind] >= 1 for kind in kinds)


@exhaustive
@settings(max_examples=2000)
@given(cases())
def test_many_verdicts_with_random_regions_are_those_of_the_definition(case):
    assert assert_by_the_definition(*case) in ("calibrated", "not calibrated")


@examples(4)
@given(cases())
def test_with_a_pred_it_is_calibrated_only_if_it_is_with_some_pred(case):
    surrogate, loss, pred = case
    if check(surrogate, loss, pred=pred).status == "calibrated":
        assert check(surrogate, loss).status == "calibrated"


@examples(4)
@given(cases(), st.data())
def test_dividing_a_region_into_pieces_changes_nothing(case, data):
    surrogate, loss, pred = case
    row = tuple(map(Fraction, data.draw(st.tuples(*[st.integers(-2, 2)] * (surrogate.dim + 1)))))
    halves = [Polyhedron(surrogate.dim, (tuple(sign * x for x in row),)) for sign in (1, -1)]
    finer = Pred(
        "finer", pred.dim, tuple(tuple(p.meet(half) for p in pieces for half in halves) for pieces in pred.regions)
    )
    assert check(surrogate, loss, pred=finer).status == check(surrogate, loss, pred=pred).status
