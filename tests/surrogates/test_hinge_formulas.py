"""The hinges of the literature against their formulas, written out once more in plain Python, and each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest

import lossmith as lm
from lossmith import losses
from lossmith import surrogates as families
from lossmith.errors import BadInput
from surrogates.quotation import quotes

COSTS = lm.LossMatrix([[0, 3, 1], [2, 0, 5], [4, 1, 0]], name="costs")
WIDE = lm.LossMatrix([[0, 3, 1, 2], [2, 0, 5, 2], [4, 1, 0, 2]], name="wide")
V = lm.LossMatrix([[0, 1, 5], [2, 0, 1], [7, 3, 0]], name="V-shaped")
HALF = Fraction(1, 2)


def hinge(x):
    return max(x, 0)


def others(u, y):
    return [x for j, x in enumerate(u) if j != y]


def mean_of_largest(values, k):
    return sum(sorted(values)[-k:]) / Fraction(k)


def bits(y, r):
    return [int(bit) for bit in format(y, f"0{r}b")]


def signed(y, u, r):
    """How wrong each tag is: 1 minus its score, with the sign of the label."""
    return [hinge(1 - (x if bit else -x)) for bit, x in zip(bits(y, r), u)]


def candidates(m):
    sets = [{j for j in range(m) if s >> j & 1} for s in range(1, 2**m)]
    return sorted(sets, key=lambda each: (len(each), sorted(each)))


def thresholds(y, u, near):
    return sum(hinge(1 + u[i]) if i < y else hinge(1 - u[i]) for i in near if 0 <= i < len(u))


def pinball(a, b, z):
    """The share a/b of what is too little, the rest of what is too much."""
    return Fraction(a, b) * hinge(z) + Fraction(b - a, b) * hinge(-z)


def max_min(loss):
    """The maximum over a grid of distributions that has the corners of the cells of 0-1 loss and of `ordinal`."""
    steps = 6
    grid = [p for p in product(range(steps + 1), repeat=loss.n) if sum(p) == steps]

    def psi(y, u):
        values = []
        for weights in grid:
            p = [Fraction(w, steps) for w in weights]
            least = min(sum(a * row[t] for a, row in zip(p, loss.entries)) for t in range(loss.k))
            values.append(least + sum(a * x for a, x in zip(p, u)))
        return max(values) - u[y]

    return psi


def lovasz(costs):
    """The Lovász extension by its definition: sort, and add up the increments of f."""

    def psi(y, u):
        f = [Fraction(x) for x in costs.split()]
        ordered = sorted(signed(y, u, len(f) - 1), reverse=True)
        return sum((f[j + 1] - f[j]) * x for j, x in enumerate(ordered))

    return psi


def jaccard(y, u):
    """The same for |S| / |y ∪ S|, two tags."""
    wrong, own = signed(y, u, 2), {i for i, bit in enumerate(bits(y, 2)) if bit}
    order = sorted(range(2), key=lambda i: -wrong[i])
    f = [Fraction(len(order[:j]), len(own | set(order[:j])) or 1) for j in range(3)]
    return sum((f[j + 1] - f[j]) * wrong[i] for j, i in enumerate(order))


def svm_map(y, u):
    loss = losses.mean_average_precision(3)
    label = list(loss.each_label())[y]
    pairs = [(i, j) for i in range(3) for j in range(3) if label[i] > label[j]]
    return max(
        loss.loss(label, sigma) - sum(Fraction(2, len(pairs)) * (u[i] - u[j]) for i, j in pairs if sigma[j] < sigma[i])
        for sigma in permutations(range(3))
    )


def deferring(y, u):
    """Two classes, one expert, the hinge of Lee, Lin and Wahba."""
    chosen, right = divmod(y, 2)
    wrong = sum(hinge(1 + x) for x in others(u, chosen))
    return wrong + (0 if right else sum(hinge(1 + x) for x in u[:2]))


def ranking_of_tags(y, u):
    label = bits(y + 1, 3)
    pairs = [(i, j) for i in range(3) for j in range(3) if label[i] > label[j]]
    return sum(hinge(1 - u[i] + u[j]) for i, j in pairs) / Fraction(len(pairs) or 1)


FORMULAS = {
    "naive_hinge": ({"n": 4}, lambda y, u: hinge(1 - u[y])),
    "reinforced_hinge": (
        {"n": 3, "gamma": "1/3"},
        lambda y, u: Fraction(1, 3) * hinge(2 - u[y]) + Fraction(2, 3) * sum(hinge(1 + x) for x in others(u, y)),
    ),
    "total_sum_hinge": ({"n": 3}, lambda y, u: hinge(1 - u[y]) + sum(hinge(1 + x) for x in others(u, y))),
    "total_max_hinge": ({"n": 3}, lambda y, u: max(0, 1 - u[y], 1 + max(others(u, y)))),
    "discriminative_max_hinge": ({"n": 3}, lambda y, u: hinge(1 + max(others(u, y)))),
    "multiclass_perceptron": ({"n": 3}, lambda y, u: max(u) - u[y]),
    "margin_rescaling": ({"loss": COSTS}, lambda y, u: max(c + x for c, x in zip(COSTS.entries[y], u)) - u[y]),
    "slack_rescaling": (
        {"loss": COSTS},
        lambda y, u: max(c * hinge(1 + x - u[y]) for c, x in zip(COSTS.entries[y], u)),
    ),
    "weighted_weston_watkins": (
        {"loss": COSTS, "form": "margin"},
        lambda y, u: sum(hinge(COSTS.entries[y][t] + x - u[y]) for t, x in enumerate(u) if t != y),
    ),
    "max_min_margin": ({"loss": losses.zero_one(3)}, max_min(losses.zero_one(3))),
    "restricted_max_margin": (
        {"loss": losses.ordinal(4)},
        lambda y, u: (
            max((u[i] + u[j] + j - i) / Fraction(2) for i, j in product(range(y + 1), range(y, 4))) - u[y]  # medians
        ),
    ),
    "gain_weighted": (
        {"loss": COSTS, "base": "crammer-singer"},
        lambda y, u: sum((5 - COSTS.entries[y][t]) * hinge(1 + max(others(u, t)) - u[t]) for t in range(3)),
    ),
    "weighted_all_pairs_hinge": (
        {"loss": WIDE},
        lambda y, u: sum(
            abs(WIDE.entries[y][i] - WIDE.entries[y][j])
            * hinge(1 - (x if WIDE.entries[y][i] < WIDE.entries[y][j] else -x))
            for (i, j), x in zip(combinations(range(4), 2), u)
        ),
    ),
    "one_sided_hinge": (
        {"loss": WIDE},
        lambda y, u: sum(hinge(-x - c) if c == 0 else hinge(c + x) for c, x in zip(WIDE.entries[y], u)),
    ),
    "absolute_cost_regression": ({"loss": WIDE}, lambda y, u: sum(abs(x + c) for c, x in zip(WIDE.entries[y], u))),
    "margin_lee_lin_wahba": (
        {"margins": [1, 2, 5]},
        lambda y, u: sum(hinge((1, 2, 5)[j] + x) for j, x in enumerate(u) if j != y),
    ),
    "uneven_margin_hinge": (
        {"alpha": "1/3", "gamma": 2},
        lambda y, u: Fraction(1, 6) * hinge(1 + 2 * u[0]) if y else Fraction(2, 3) * hinge(1 - u[0]),
    ),
    "cost_sensitive_svm": ({"a": 3, "b": 2}, lambda y, u: hinge(1 + 3 * u[0]) if y else 3 * hinge(1 - u[0])),
    "immediate_threshold_hinge": ({"n": 4}, lambda y, u: thresholds(y, u, (y - 1, y))),
    "cost_all_threshold_hinge": (
        {"loss": V},
        lambda y, u: sum(abs(V.entries[y][i] - V.entries[y][i + 1]) * thresholds(y, u, (i,)) for i in range(2)),
    ),
    "fixed_threshold_hinge": (
        {"n": 4, "form": "all", "spacing": "3/2"},
        lambda y, u: thresholds(y, [3 * HALF * (i + 3 * HALF - u[0]) for i in range(3)], range(3)),
    ),
    "adversarial_ordinal": ({"n": 3}, max_min(losses.ordinal(3))),
    "pinball": ({"n": 3, "tau": "1/4"}, lambda y, u: hinge(y + 1 - u[0]) / 4 + 3 * hinge(u[0] - y - 1) / 4),
    "partial_label_hinge": (
        {"classes": 3},
        lambda y, u: (
            hinge(1 - sum(u[j] for j in candidates(3)[y]) / Fraction(len(candidates(3)[y])))
            + sum(hinge(1 + x) for j, x in enumerate(u) if j not in candidates(3)[y])
        ),
    ),
    "superset_hinge": (
        {"classes": 3},
        lambda y, u: sum(hinge(1 + x) for j, x in enumerate(u) if j not in candidates(3)[y]),
    ),
    "bartlett_wegkamp": ({"cost": "1/4"}, lambda y, u: max(0, 1 - (-1) ** y * u[0], 1 - 3 * (-1) ** y * u[0])),
    "asymmetric_reject_hinge": (
        {"loss": [[0, 3, 1], [2, 0, "1/2"]]},
        lambda y, u: max(0, 1 + u[0], 1 + 3 * HALF * u[0]) if y else max(0, 1 - u[0], 1 - 4 * u[0]),
    ),
    "bent_simplex_hinge": (
        {"n": 4, "slope": "5/2"},
        lambda y, u: sum(0 if x < -1 else 1 + x if x < 0 else 1 + 5 * HALF * x for x in others(u, y)),
    ),
    "rejection_max_hinge": (
        {"cost": "1/4"},
        lambda y, u: max(0, 1 + (u[1] - (-1) ** y * u[0]) / 2, (1 - 2 * u[1]) / 4),
    ),
    "rejection_plus_hinge": (
        {"cost": "1/4", "alpha": 2, "beta": 3},
        lambda y, u: hinge(1 + u[1] - (-1) ** y * u[0]) + hinge(1 - 3 * u[1]) / 4,
    ),
    "augmented_reject": (
        {"n": 2, "cost": "3/5", "base": "weston-watkins"},
        lambda y, u: (
            sum(hinge(1 + x - u[y]) for x in others(u, y)) + Fraction(2, 5) * sum(hinge(1 + x - u[2]) for x in u[:2])
        ),
    ),
    "adversarial_abstain": (
        {"n": 3, "cost": "1/3"},
        lambda y, u: max([*u, *((2 * a + b + 1) / Fraction(3) for a, b in permutations(u, 2))]) - u[y],
    ),
    "pairwise_reject_hinge": (
        {"n": 3, "cost": "1/4", "beta": 2},
        lambda y, u: sum(hinge(1 - u[y] + x + u[3]) for x in others(u[:3], y)) + hinge(1 - 2 * u[3]) / 4,
    ),
    "defer_hinge": ({"classes": 2}, deferring),
    "defer_one_vs_all_hinge": (
        {"classes": 2},
        lambda y, u: (
            sum(hinge(1 - x if j == y // 2 else 1 + x) for j, x in enumerate(u[:2])) + hinge(1 - (-1) ** y * u[2])
        ),
    ),
    "top_k_hinge_alpha": (
        {"n": 4, "k": 2},
        lambda y, u: hinge(mean_of_largest([x + (j != y) for j, x in enumerate(u)], 2) - u[y]),
    ),
    "top_k_hinge_beta": (
        {"n": 4, "k": 2},
        lambda y, u: mean_of_largest([hinge(x + (j != y) - u[y]) for j, x in enumerate(u)], 2),
    ),
    "top_k_hinge_averaged": ({"n": 4, "k": 2}, lambda y, u: hinge(1 + mean_of_largest(others(u, y), 2) - u[y])),
    "top_k_max_min": ({"n": 3, "k": 2}, max_min(losses.top_k(3, 2))),
    "top_k_hypersimplex": ({"n": 3, "k": 2}, lambda y, u: 1 - u[y]),
    "tag_hypersimplex": (
        {"loss": "recall-at:r=3,q=2"},
        lambda y, u: int(y > 0) - sum(x * bit for x, bit in zip(u, bits(y, 3))) / Fraction(max(1, sum(bits(y, 3)))),
    ),
    "owa_hinge": (
        {"weights": "1 1/2 1/2"},
        lambda y, u: sum(
            w * x for w, x in zip((1, HALF, HALF), sorted((hinge(1 + x - u[y]) for x in others(u, y)), reverse=True))
        ),
    ),
    "lovasz_hinge": ({"values": "0 2 3 7/2"}, lovasz("0 2 3 7/2")),
    "lovasz_hinge_jaccard": ({"r": 2}, jaccard),
    "structured_tag_hinge": (
        {"loss": losses.f_measure(2).matrix()},
        lambda y, u: max(
            cost + sum((a - b) * x for a, b, x in zip(bits(t, 2), bits(y, 2), u))
            for t, cost in enumerate(losses.f_measure(2).matrix().entries[y])
        ),
    ),
    "interval_pinball": (
        {"n": 3, "alpha": "1/3"},
        lambda y, u: 6 * (pinball(1, 6, y + 1 - u[0]) + pinball(5, 6, y + 1 - u[1])),
    ),
    "tagwise_reject_hinge": (
        {"r": 2, "cost": "1/4"},
        lambda y, u: sum(max(0, 1 - x, 1 - 3 * x) for x in (z if bit else -z for bit, z in zip(bits(y, 2), u))),
    ),
    "label_ranking_hinge": ({"ranking": "mean-average-precision:r=3"}, ranking_of_tags),
    "svm_map": ({"ranking": "mean-average-precision:r=3"}, svm_map),
}


def points(surrogate):
    """Rational points of the domain, small and large ones."""
    random = Random(surrogate.name)
    for size in (1, 2, 5):
        for _ in range(4):
            u = [Fraction(random.randint(-12, 12), 8) * size for _ in range(surrogate.dim)]
            if surrogate.equations:
                total = -surrogate.equations[0][0] / surrogate.equations[0][1]
                u = [x + (total - sum(u)) / len(u) for x in u]
            if surrogate.inequalities:
                u = (
                    sorted(u)
                    if not surrogate.equations
                    else list(surrogate.minimum([random.randint(1, 9) for _ in range(surrogate.n)]).point)
                )
            yield u


@pytest.mark.parametrize("name", FORMULAS)
def test_the_family_has_the_values_of_its_formula(name):
    parameters, psi = FORMULAS[name]
    surrogate = getattr(families, name)(**parameters)
    for u in points(surrogate):
        assert surrogate(u) == tuple(psi(y, u) for y in range(surrogate.n)), u


def test_every_hinge_has_its_formula_here_or_beside():
    beside = {"crammer_singer", "weston_watkins", "lee_lin_wahba", "one_vs_all_hinge", "one_vs_one_hinge", "absolute"}
    beside |= {"epsilon_insensitive", "binary_encoded", "abstain_crammer_singer", "abstain_one_vs_all"}
    beside |= {"all_threshold_hinge", "binary_relevance_hinge", "cost_weighted_hinge", "adversarial_zero_one"}
    beside |= {"pairwise_hinge", "cascade_hinge"}
    polyhedral = {each.name for each in families.CATALOGUE if each.makes is lm.PolyhedralSurrogate}
    assert polyhedral == {*FORMULAS} | beside


def test_two_names_of_one_function_agree():
    same = [
        (families.margin_rescaling("zero-one:n=4"), families.crammer_singer(4)),
        (families.slack_rescaling("zero-one:n=4"), families.crammer_singer(4)),
        (families.max_min_margin("zero-one:n=4"), families.adversarial_zero_one(4)),
        (families.max_min_margin("ordinal:n=4"), families.adversarial_ordinal(4)),
        (families.max_min_margin(losses.top_k(4, 2)), families.top_k_max_min(4, 2)),
        (families.max_min_margin(losses.abstain(3, "1/3")), families.adversarial_abstain(3, "1/3")),
        (families.top_k_max_min(4, 1), families.adversarial_zero_one(4)),
        (families.weighted_all_pairs_hinge("zero-one:n=4"), families.one_vs_one_hinge(4)),
        (families.cost_all_threshold_hinge("ordinal:n=4"), families.all_threshold_hinge(4, "ordered")),
        (families.cost_all_threshold_hinge("zero-one:n=4"), families.immediate_threshold_hinge(4)),
        (families.gain_weighted("zero-one:n=3"), families.lee_lin_wahba(3)),
        (families.owa_hinge("1 0 0"), families.crammer_singer(4)),
        (families.owa_hinge("1 1 1"), families.weston_watkins(4)),
        (families.top_k_hinge_alpha(4, 1), families.crammer_singer(4)),
        (families.lovasz_hinge("0 1 2 3"), families.binary_relevance_hinge(3)),
        (families.structured_tag_hinge("hamming:r=3"), families.binary_relevance_hinge(3)),
        *(
            (
                families.fixed_threshold_hinge(4, form, 1),
                families.fixed_threshold_hinge(4, form, thresholds="3/2 5/2 7/2"),
            )
            for form in ("immediate", "all")
        ),
    ]
    for one, other in same:
        assert one.domain == other.domain, one.name
        assert all(one(u) == other(u) for u in points(one)), one.name


def test_restricted_max_margins_of_zero_one_loss_are_over_the_sets_that_have_the_label():
    made = families.restricted_max_margin("zero-one:n=4")
    sets = [set(chosen) for size in range(1, 5) for chosen in combinations(range(4), size)]
    for u in points(made):
        values = [
            max(Fraction(len(s) - 1 + sum(u[j] for j in s)) / len(s) for s in sets if y in s) - u[y] for y in range(4)
        ]
        assert made(u) == tuple(values)


def test_the_restricted_max_margin_of_two_labels_is_half_the_hinge():
    half, hinge_of_two = families.restricted_max_margin("zero-one:n=2"), families.crammer_singer(2)
    for u in points(half):
        assert half(u) == tuple(x / 2 for x in hinge_of_two(u))


def test_binary_encoded_of_two_labels_is_a_multiple_of_the_bent_hinge():
    bent, encoded = families.bartlett_wegkamp("1/4"), families.binary_encoded(2, "1/4")
    for [u] in points(bent):
        assert encoded([u]) == tuple(x / 2 for x in bent([u]))


def test_an_alias_is_another_name_of_the_family():
    for family in families.CATALOGUE:
        for alias in family.aliases:
            assert getattr(families, alias) is family
            assert alias not in {each.name for each in families.CATALOGUE}
    assert lm.check("structured-svm", "ordinal:n=3").surrogate == families.margin_rescaling("ordinal:n=3")
    assert families.simplex_coded_hinge is families.lee_lin_wahba


@pytest.mark.parametrize(
    ("name", "parameters", "quoted"),
    [
        ("reinforced_hinge", {"n": 3, "gamma": "3/2"}, ("gamma", "3/2", "0", "1")),
        (
            "margin_rescaling",
            {"loss": "abstain:n=3"},
            ("margin_rescaling", "abstain(n=3, cost=1/2)", "cost_weighted_hinge"),
        ),
        ("slack_rescaling", {"loss": [[1, 0], [0, 1]]}, ("slack_rescaling", "cost_weighted_hinge")),
        ("weighted_weston_watkins", {"loss": "ordinal:n=3", "form": "both"}, ("form", "'both'", "'slack'", "'margin'")),
        ("gain_weighted", {"loss": "ordinal:n=3", "base": "softmax"}, ("base", "'softmax'", "'lee-lin-wahba'")),
        ("margin_lee_lin_wahba", {"margins": "1"}, ("margins", "1", "2")),
        ("margin_lee_lin_wahba", {"margins": "1 0"}, ("0", "margins")),
        ("uneven_margin_hinge", {"alpha": 1}, ("alpha", "1")),
        ("uneven_margin_hinge", {"alpha": "1/2", "gamma": 0}, ("gamma", "0")),
        ("cost_sensitive_svm", {"a": "1/2", "b": 1}, ("a", "1/2", "1")),
        (
            "immediate_threshold_hinge",
            {"n": 3, "thresholds": "shared"},
            ("thresholds", "'shared'", "'ordered'", "'free'"),
        ),
        ("cost_all_threshold_hinge", {"loss": [[0, 2, 1], [1, 0, 1], [1, 1, 0]]}, ("cost_weighted_hinge",)),
        ("cost_all_threshold", {"loss": [[0, 2, 1], [1, 0, 1], [1, 1, 0]]}, ("cost_weighted_loss",)),
        ("cost_all_threshold", {"loss": "ordinal:n=3", "phi": "hinge"}, ("'hinge'", "'exponential'")),
        (
            "tag_hypersimplex",
            {"loss": "mean-average-precision:r=3"},
            ("tag_hypersimplex", "mean_average_precision(r=3)", "precision_at(1, r=3)"),
        ),
        ("weighted_gain_regression", {"ranking": "dcg:r=2", "weights": "2 1", "tail": -1}, ("tail", "-1")),
        ("fixed_threshold_hinge", {"n": 3, "form": "some"}, ("form", "'some'", "'immediate'", "'all'")),
        ("fixed_threshold_hinge", {"n": 3, "spacing": 0}, ("spacing", "0")),
        ("fixed_threshold_hinge", {"n": 4, "thresholds": "0 2 1"}, ("thresholds", "0 2 1", "1", "2")),
        ("fixed_threshold_hinge", {"n": 4, "thresholds": [0, 1]}, ("2", "0 1", "3", "n", "4")),
        ("fixed_threshold_hinge", {"n": 3, "thresholds": "0 1", "spacing": 2}, ("thresholds", "0 1", "spacing", "2")),
        ("pinball", {"n": 3, "tau": 1}, ("tau", "1")),
        ("bartlett_wegkamp", {"cost": "3/5"}, ("cost", "3/5", "1/2")),
        (
            "asymmetric_reject_hinge",
            {"loss": "zero-one:n=2"},
            ("asymmetric_reject_hinge", "zero_one(n=2)", "cost_weighted_hinge"),
        ),
        ("rejection_max_hinge", {"cost": "1/2"}, ("cost", "1/2", "1/2")),
        ("rejection_plus_hinge", {"cost": "1/4", "beta": 0}, ("beta", "0")),
        ("augmented_reject", {"n": 3, "cost": 1}, ("cost", "1")),
        ("defer_hinge", {"classes": 2, "experts": 0}, ("experts", "0", "1")),
        ("top_k_max_min", {"n": 3, "k": 3}, ("k", "3", "n = 3")),
        ("owa_hinge", {"weights": "1 2"}, ("weights", "1 2")),
        ("lovasz_hinge", {"values": "0 1 3"}, ("values", "0 1 3", "of=set")),
        ("structured_tag_hinge", {"loss": "zero-one:n=3"}, ("structured_tag_hinge", "2^r", "zero_one(n=3)", "3")),
        ("svm_map", {"ranking": "precision-at:q=1,r=3"}, ("svm_map", "precision_at(q=1, r=3)")),
    ],
)
def test_what_is_out_of_range_is_refused_in_one_line(name, parameters, quoted):
    with pytest.raises((BadInput, lm.errors.UnknownName)) as caught:
        getattr(families, name)(**parameters)
    assert quotes(str(caught.value), *quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
