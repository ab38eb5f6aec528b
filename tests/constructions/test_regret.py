"""How much regret of the loss a regret of the surrogate can mean: what is printed holds for what is returned."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from fractions import Fraction
from itertools import permutations

import pytest
from test_linear import random_rows

import reference
from lossmith import LossMatrix, PolyhedralSurrogate, check, design, losses, pos, surrogates
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.answers.designing import METHODS
from lossmith.calibration.decomposition import DecompositionPred
from lossmith.constructions import regret_bounds as regret
from lossmith.constructions.linear import linear
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.constructions.orderable import orderable
from lossmith.constructions.regret_bounds import RegretBound, regret_bound, squared_constant
from lossmith.errors import NotFound
from lossmith.surrogates.preds import as_pred
from oracle import Constraint_System, Linear_Expression, MIP_Problem, Variable

HINGE = PolyhedralSurrogate.from_function(lambda y, u: pos(1 + (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")
REVIEWED = LossMatrix([[9, 1, 7, 4, 7, 7], [5, 6, 1, 9, 0, 2], [0, 8, 7, 9, 4, 3], [9, 5, 5, 5, 6, 4]])


# The definitions a second time.


def least(surrogate, p, rows=(), equations=()):
    """min p·ψ(u) over the u ∈ C with b + a·u ≥ 0 for the rows (b, a), by PPL, and a u that attains it.

    One variable per coordinate, and one per maximum, above all its pieces.
    """
    maxima = [(y, maximum) for y, terms in enumerate(surrogate.terms) for maximum in terms]
    u, v = [
        [Variable(i + shift) for i in range(size)] for shift, size in ((0, surrogate.dim), (surrogate.dim, len(maxima)))
    ]

    def affine(row):
        """b + a·u, cleared of denominators, and what it was multiplied by."""
        scale = reference.lcm(*(Fraction(x).denominator for x in row))
        return sum(
            (int(x * scale) * each for x, each in zip(row[1:], u)), Linear_Expression(int(row[0] * scale))
        ), scale

    system = Constraint_System()
    for g, (_, maximum) in enumerate(maxima):
        for piece in maximum:
            value, scale = affine(piece)
            system.insert(scale * v[g] >= value)
    for row in (*surrogate.inequalities, *rows):
        system.insert(affine(row)[0] >= 0)
    for row in (*surrogate.equations, *equations):
        system.insert(affine(row)[0] == 0)
    weights = reference.primitive(p)
    cost = sum((weights[y] * v[g] for g, (y, _) in enumerate(maxima)), Linear_Expression(0))
    program = MIP_Problem(surrogate.dim + len(maxima), system, cost)
    program.set_optimization_mode("minimization")
    found = program.optimizing_point()
    point = tuple(Fraction(int(x), int(found.divisor())) for x in found.coefficients())[: surrogate.dim]
    return reference.dot(p, surrogate(point)), point


def regrets(surrogate, loss, p, u, t):
    risks = reference.risks(loss.entries, p)
    return risks[t] - min(risks), reference.dot(p, surrogate(u)) - least(surrogate, p)[0]


def square_regrets(made, p, draw):
    """Both regrets for w_y ‖u − a_y‖², exactly: at random u, and where two decisions tie nearest to the estimate."""
    rows, affine = made.surrogate.traits.mean, {t: row for t, row in enumerate(made.pred.affine) if row is not None}
    q = [w * x for w, x in zip(made.surrogate.traits.scales or [Fraction(1)] * len(rows), p)]
    estimate = [reference.dot(q, column) / sum(q) for column in zip(*rows)]
    spans = [[min(column), max(column)] for column in zip(*rows)]
    places = [[low + (high - low) * Fraction(draw.randint(0, 12), 12) for low, high in spans] for _ in range(8)]
    for t, s in permutations(affine, 2):
        step = [a - b for a, b in zip(affine[t], affine[s])]
        share = (step[0] + reference.dot(step[1:], estimate)) / (reference.dot(step[1:], step[1:]) or 1)
        places.append([x - share * b for x, b in zip(estimate, step[1:])])
    risks = reference.risks(made.loss.entries, p)
    for u in places:
        scores = {t: row[0] + reference.dot(row[1:], u) for t, row in affine.items()}
        paid = sum(q) * sum((a - b) ** 2 for a, b in zip(u, estimate))
        yield from ((risks[t] - min(risks), paid) for t, score in scores.items() if score == min(scores.values()))


def printed(made_by):
    """(c², whether it is for the root) of the bound in print."""
    text, root = re.search(r"regret_L ≤ (\S+) (√?)regret_ψ", made_by).groups()
    constant = Fraction(text.strip("√()"))
    return (constant if text.startswith("√") else constant**2), bool(root)


def brute_force(made, loss):
    """The worst ratio for a surrogate with H_ψ = H_L, and a p, t and u that attain it: every vertex, every piece."""
    corners = {p for t in reference.kept_predictions(loss.entries) for p in reference.cell_vertices(loss.entries, t)}
    worst = (Fraction(0), None, None, None)
    for p in sorted(corners):
        risks = reference.risks(loss.entries, p)
        for t, region in enumerate(made.pred.regions):
            for piece in region if risks[t] > min(risks) else ():
                value, u = least(made.surrogate, p, piece.inequalities, piece.equations)
                worst = max(worst, ((risks[t] - min(risks)) / (value - min(risks)), p, t, u))
    return worst


def points(surrogate, draw, count):
    """Points of the domain: mixtures and, without constraints, extrapolations of the points of the cells."""
    cells = [cell.u for cell in check(surrogate, LossMatrix([[0]] * surrogate.n)).cells]
    for _ in range(count):
        weights = reference.normalised([draw.randint(0, 4) for _ in cells[1:]] + [1])
        mixed = [reference.dot(weights, column) for column in zip(*cells)]
        if surrogate.inequalities or surrogate.equations:
            yield mixed
        else:
            yield [x + Fraction(draw.randint(-3, 3), 2) for x in mixed]


def distributions(n, draw, count):
    return [reference.normalised([draw.randint(0, 5) for _ in range(n - 1)] + [1]) for _ in range(count)]


def assert_holds(made, draw, count=3):
    """The printed bound, at random p and u and, for a pred by regions, where p·ψ is least on a piece of each region."""
    loss, surrogate = made.loss, made.surrogate
    square, root = printed(made.made_by)
    for p in distributions(loss.n, draw, count):
        if root:
            pairs = list(square_regrets(made, p, draw))
        elif isinstance(made.pred, DecompositionPred):
            pairs = [regrets(surrogate, loss, p, u, made.pred(u)) for u in points(surrogate, draw, count)]
        else:
            pieces = [(t, piece) for t, region in enumerate(made.pred.regions) for piece in region]
            places = [(t, least(surrogate, p, piece.inequalities)[1]) for t, piece in pieces]
            places += [(made.pred(u), u) for u in points(surrogate, draw, count)]
            pairs = [regrets(surrogate, loss, p, u, t) for t, u in places]
        for ours, theirs in pairs:
            assert theirs >= 0
            assert ours**2 <= square * (theirs if root else theirs**2), (loss.entries, made.made_by, p)


def designs(rows):
    """What every method makes of a loss: on the line where that can be, by a short search where that finds one."""
    loss = LossMatrix(rows)
    for method in (None, *METHODS):
        if method != "orderable" or Facts(loss).order is not None:
            with suppress(*[NotFound] * (method == "search")):
                yield design(loss, method=method, budget=20)


# What is printed.


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 12))])
def test_every_bound_that_is_printed_holds_for_what_is_returned(seed):
    made = list(designs(random_rows(seed, max_n=4, max_k=4)))
    assert len(made) >= 5
    for each in made:
        assert_holds(each, random.Random(seed))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100, 140))
def test_every_bound_that_is_printed_holds_for_six_labels_and_predictions(seed):
    for each in designs(random_rows(seed, max_n=6, max_k=6)):
        assert_holds(each, random.Random(seed), count=2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", [None, "linear", "max-min-hinge", "square"])
def test_the_bound_of_the_loss_of_a_review_is_that_of_the_pred(method):
    """The best scores of its max-min hinge have the ratio 808/45."""
    made = design(REVIEWED, method=method)
    assert_holds(made, random.Random(0), count=4)
    if method == "max-min-hinge":
        assert printed(made.made_by) == (brute_force(made, REVIEWED)[0] ** 2, False)


def worst_ratio(surrogate, loss, pred) -> Fraction | None:
    return regret.worst_ratio(positive_normal_sets(surrogate), loss, as_pred(pred, surrogate, loss))


@pytest.mark.parametrize("make", [linear, max_min_hinge, orderable])
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(3, 7))]
)
def test_the_worst_ratio_is_that_of_brute_force_and_attained(make, seed):
    loss = LossMatrix(random_rows(seed, max_n=4, max_k=4))
    if make is orderable and Facts(loss).order is None:
        loss = losses.ordinal(3 + seed % 3, power=1 + seed % 2)
    made = make(Facts(loss))
    if made.pred is None:
        assert make is max_min_hinge
        assert isinstance(design(loss, method="max-min-hinge").pred, DecompositionPred)
        return
    worst, p, t, u = brute_force(made, loss)
    assert worst_ratio(made.surrogate, loss, made.pred) == worst
    ours, theirs = regrets(made.surrogate, loss, p, u, t)
    assert ours == worst * theirs > 0
    assert any(piece.contains(u) for piece in made.pred.regions[t])
    printed_square, root = printed(design(loss, method=made.name.replace(" ", "-")).made_by)
    assert (printed_square, root) == (worst**2, False)


@pytest.mark.parametrize("make", [linear, max_min_hinge, orderable])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 8))])
def test_the_constant_of_a_construction_is_at_least_the_worst_ratio(make, seed):
    loss = LossMatrix(random_rows(seed, max_n=4, max_k=6))
    if make is orderable and Facts(loss).order is None:
        loss = losses.ordinal(5).scale_rows([1, 1 + seed, 1, 2, 1])
    made = make(Facts(loss))
    assert (made.regret is None) == (made.pred is None)
    if made.pred is not None:
        assert worst_ratio(made.surrogate, loss, made.pred) <= made.regret
        assert make is not orderable or worst_ratio(made.surrogate, loss, made.pred) == made.regret == 2


def test_above_six_labels_the_constant_of_the_construction_is_printed():
    """At the centre of the simplex of 0-1 every coordinate is 1/n: less than n will not do."""
    assert design(losses.zero_one(7), method="linear").made_by.endswith("regret_L ≤ 7 regret_ψ")
    assert design(losses.ordinal(9)).made_by.endswith("regret_L ≤ 2 regret_ψ")


@pytest.mark.parametrize("root", [False, True])
def test_long_constants_are_rounded_up(root):
    draw = random.Random(5)
    for _ in range(300):
        size = 10 ** draw.randint(1, 12)
        constant = Fraction(draw.randint(1, size), draw.randint(1, 10 ** draw.randint(1, 12)))
        square, is_root = printed(str(RegretBound(constant, root)))
        exact = constant if root else constant**2
        assert is_root == root
        assert exact <= square <= exact * Fraction(1001, 1000) ** 2


@pytest.mark.parametrize(
    ("constant", "text"),
    [
        (Fraction(99_995_000_001, 10**7), "10000"),  # 9999.5000001
        (Fraction(10_000_000_001, 10**9), "10.01"),
        (Fraction(1, 30_000_000_000), "0.00000000003334"),
        (Fraction(0), "0"),
    ],
)
def test_rounding_up_at_the_ends_of_a_decade(constant, text):
    assert str(RegretBound(constant)) == f"regret_L ≤ {text} regret_ψ"


# Squares.


def test_squares_are_bounded_with_their_weights():
    """On the line with a_y = 0, 1: at the estimate 1/2 + ε, deciding wrongly at 1/2 loses 2ε and pays wε².

    With the costs 1 and w as weights both are multiplied by Σ w_y p_y, which is at most w.
    """
    psi, loss = surrogates.square([[0], [1]]), losses.zero_one(2)
    for w in (1, 4, 9):
        assert squared_constant(check(psi.weighted([w, w]), loss).pred) == Fraction(4, w)
        assert squared_constant(check(psi.weighted([w, w]), loss.scale_rows([w, w])).pred) == 4 * w
        assert squared_constant(check(psi.weighted([1, w]), loss.scale_rows([1, w])).pred) == 4 * w
        assert squared_constant(check(psi.weighted([1, w]).weighted([2, 2]), loss.scale_rows([1, w])).pred) == 2 * w


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 10))]
)
def test_squares_of_rows_in_different_units_hold(seed):
    draw = random.Random(seed)
    rows = random_rows(seed, max_n=4, max_k=4)
    made = design(LossMatrix(rows).scale_rows([draw.choice((1, 3, "1/5")) for _ in rows]), method="square")
    assert_holds(made, draw, count=6)


def test_a_redundant_prediction_beyond_the_span_leaves_the_constant_as_it_is():
    """ℓ_2 = (3, 3, 9) is never better than ℓ_0 or ℓ_1, and no affine function of u, which tells ℓ_0 − ℓ_1 alone."""
    small, large = LossMatrix([[0, 1], [1, 0], [2, 2]]), LossMatrix([[0, 1, 3], [1, 0, 3], [2, 2, 9]])
    first, second = (design(loss, method="square") for loss in (small, large))
    assert second.proof.affine is None
    assert printed(first.made_by) == printed(second.made_by)
    assert_holds(second, random.Random(1), count=6)


@pytest.mark.parametrize(
    "surrogate", [surrogates.softmax(3), surrogates.one_vs_all_logistic(3)], ids=lambda each: each.name
)
def test_nothing_is_told_of_other_smooth_surrogates(surrogate):
    assert regret_bound(check(surrogate, losses.ordinal(3))) is None


@pytest.mark.parametrize(
    "loss",
    [losses.ndcg(5), losses.mean_average_precision(5), losses.mean_average_precision(14), losses.precision_at(2, 7)],
)
def test_squares_of_factors_print_no_less_than_their_spread(loss):
    square, root = printed(design(loss).made_by)
    assert root
    assert loss.spread <= square <= loss.spread * Fraction(1001, 1000) ** 2


def test_a_heuristic_decoding_is_said_to_miss_something():
    exact, heuristic = (design(losses.pairwise_disagreement(r)).made_by for r in (6, 18))
    assert exact.endswith("√15 √regret_ψ")
    assert "√153 √regret_ψ + " in heuristic


# The pred of the proof.


def proved(surrogate, loss, **given):
    return regret_bound(check(surrogate, loss, **given)).constant


@pytest.mark.parametrize(
    ("surrogate", "loss", "constant"),
    [
        (surrogates.absolute(3), losses.ordinal(3), 3),  # ψ = L at the knots
        (surrogates.absolute(2), losses.ordinal(2), 2),
        (surrogates.absolute(3), losses.ordinal(3).scale_rows([2, 2, 2]), 6),  # 2L = 2ψ
        (surrogates.lee_lin_wahba(3), losses.zero_one(3), 1),  # (0, 3, 3) at (2, −1, −1): ψ = 3L
        (surrogates.crammer_singer(3), losses.abstain(3), Fraction(3, 2)),  # ψ = 2L, 4 cells but 3 labels
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_the_constant_is_the_smaller_of_cells_and_labels_over_the_factor(surrogate, loss, constant):
    assert proved(surrogate, loss) == constant


def test_constants_of_rows_do_not_matter():
    assert proved(surrogates.absolute(3), losses.ordinal(3).shift_rows([1, 0, 5])) == 3


def test_where_the_loss_is_not_embedded_the_worst_cell_and_vertex_tell():
    """Crammer–Singer has four cells, ordinal regression three: sure of label 0, deciding 2 loses 2 and pays 2.

    Sure of 0, the cell of the centre, decided 1, loses 1 and pays 1; between 0 and 1, deciding 2 loses 1 and pays 1.
    """
    assert proved(surrogates.crammer_singer(3), losses.ordinal(3)) == 3
    tripled = PolyhedralSurrogate.from_function(lambda y, u: (1, 3)[y] * pos(1 + (1, -1)[y] * u[0]), n=2, dim=1)
    assert proved(tripled, losses.zero_one(2).scale_rows([1, 3])) == 1  # ψ = 2L


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_for_a_loss_that_is_not_embedded_holds(seed):
    """Crammer–Singer decides every loss whose cells are unions of its own, such as costs of the labels' own."""
    draw = random.Random(seed)
    loss, surrogate = losses.ordinal(3), surrogates.crammer_singer(3)
    verdict = check(surrogate, loss)
    constant = regret_bound(verdict).constant
    for p in distributions(3, draw, 5):
        for u in points(surrogate, draw, 5):
            ours, theirs = regrets(surrogate, loss, p, u, verdict.pred(u))
            assert ours <= constant * theirs


def test_nothing_is_told_for_some_distributions_only():
    verdict = check(surrogates.absolute(3), losses.ordinal(3), within=lambda p: [p[0] >= "1/2"])
    assert regret_bound(verdict) is None


def test_where_one_decision_is_always_best_there_is_no_regret():
    assert proved(HINGE, LossMatrix([[0, 1], [0, 1]])) == 0
    flat = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0]), n=2, dim=1)
    assert proved(flat, LossMatrix([[0, 1], [0, 1]])) == 0


@pytest.mark.parametrize("make", [linear, max_min_hinge])
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(3, 8))]
)
def test_the_bound_holds_for_the_pred_of_the_proof(make, seed):
    loss, draw = LossMatrix(random_rows(seed, max_n=4, max_k=5)), random.Random(seed)
    surrogate = make(Facts(loss)).surrogate
    verdict = check(surrogate, loss)
    constant = regret_bound(verdict).constant
    assert constant == min(len(verdict.cells), loss.n)  # ψ = L at the points of the cells
    for u in points(surrogate, draw, 6):
        t = verdict.pred(u)
        for p in distributions(loss.n, draw, 4):
            ours, theirs = regrets(surrogate, loss, p, u, t)
            assert ours <= constant * theirs


# A given pred.


def test_the_hinge_pays_at_least_the_regret_of_zero_one():
    """Zhang's inequality, and at u → 0 with a sure label both regrets are 1."""
    assert worst_ratio(HINGE, losses.zero_one(2), "sign") == 1


@pytest.mark.parametrize("n", [2, 3, 4])
def test_half_way_between_two_grades_half_the_regret_is_paid(n):
    assert worst_ratio(surrogates.absolute(n), losses.ordinal(n), "nearest") == 2


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_linear_surrogate_of_zero_one_pays_one_nth_in_the_centre(n):
    """At the centre every coordinate is 1/n; with a label excluded, deciding it costs 1/(n − 1), and 1/n of it is paid.

    More is impossible: the largest coordinate is at least 1/n.
    """
    made = linear(Facts(losses.zero_one(n)))
    assert worst_ratio(made.surrogate, losses.zero_one(n), made.pred) == n


@pytest.mark.parametrize("tau", ["1/4", "1/2", "3/4"])
def test_the_threshold_of_a_reject_option_trades_one_ratio_for_another(tau):
    """Crammer–Singer with n = 3: the vertices of its cells are the corners and the middles of the edges.

    With label 0 sure, abstaining loses 1/2 and pays 1 − τ or more, deciding 1 loses 1 and pays 1 + τ or more. With
    labels 0 and 1 equally likely, deciding 2 loses 1/2, and pays 1 + τ or more where 1 is least.
    """
    ratio = worst_ratio(surrogates.crammer_singer(3), losses.abstain(3), f"argmax-gap:tau={tau}")
    gap = Fraction(tau)
    assert ratio == max(1 / (2 * (1 - gap)), 1 / (1 + gap), 1 / (2 * gap))


def test_a_verdict_on_a_given_pred_is_bounded_by_the_worst_ratio():
    assert proved(surrogates.absolute(3), losses.ordinal(3), pred="nearest") == 2


def test_no_ratio_exists_without_calibration():
    assert worst_ratio(surrogates.crammer_singer(3), losses.zero_one(3), "argmax") is None


def test_where_every_decision_is_equal_the_ratio_is_zero():
    assert worst_ratio(HINGE, LossMatrix([[1, 1], [2, 2]]), "sign") == 0
