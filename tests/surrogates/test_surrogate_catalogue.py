"""Every family of the catalogue: its file, its card, and that its members are surrogates (convex, not negative)."""

from __future__ import annotations

from fractions import Fraction

import pytest

import lossmith.surrogates
from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

INSTANCES = [
    pytest.param(family, kwargs, id=f"{family.name}-{'-'.join(map(str, kwargs.values()))}")
    for family in CATALOGUE
    for kwargs in family.small
]
POLYHEDRAL = [each for each in INSTANCES if each.values[0].makes is PolyhedralSurrogate]


# (parameters, labels, dimensions), by the definitions.
SIZES = {
    "crammer_singer": [((5,), 5, 5)],
    "weston_watkins": [((5,), 5, 5)],
    "lee_lin_wahba": [((5,), 5, 5)],
    "one_vs_all_hinge": [((5,), 5, 5)],
    "one_vs_one_hinge": [((2,), 2, 1), ((5,), 5, 10)],
    "absolute": [((5,), 5, 1)],
    "epsilon_insensitive": [((5,), 5, 1), ((3, "1/3"), 3, 1)],
    "binary_encoded": [((2,), 2, 1), ((3,), 3, 2), ((4,), 4, 2), ((5,), 5, 3), ((8, "1/3"), 8, 3), ((9,), 9, 4)],
    "abstain_crammer_singer": [((5, "1/3"), 5, 5)],
    "abstain_one_vs_all": [((5, "1/3"), 5, 5)],
    "all_threshold_hinge": [((5,), 5, 4)],
    "binary_relevance_hinge": [((1,), 2, 1), ((3,), 8, 3)],
    "cost_weighted_hinge": [(("ordinal:n=4",), 4, 4), (("abstain:n=4",), 4, 5)],
    "adversarial_zero_one": [((5,), 5, 5)],
    "class_probability": [((5,), 5, 4)],
    "softmax": [((5,), 5, 5)],
    "one_vs_all_logistic": [((5,), 5, 5)],
    "one_vs_all_squared_hinge": [((5,), 5, 5)],
    "all_threshold_logistic": [((5,), 5, 4)],
    "binary_relevance_logistic": [((1,), 2, 1), ((3,), 8, 3)],
    "square": [(("ordinal:n=4",), 4, 4), (("abstain:n=4",), 4, 5), (([[0], [2], [-1]],), 3, 1)],
    "pairwise_hinge": [(("mean-average-precision:r=3",), 7, 3), (("pairwise-disagreement:r=4",), 543, 4)],
    "gain_regression": [(("mean-average-precision:r=3",), 7, 3), (("ndcg:r=4",), 16, 4)],
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_those_of_the_definition(name):
    family = getattr(lossmith.surrogates, name)
    for arguments, n, dim in SIZES[name]:
        assert family.size(*arguments) == (n, dim)
        surrogate = family(*arguments)
        assert (surrogate.n, surrogate.dim) == (n, dim)


@pytest.mark.parametrize("family", [f for f in CATALOGUE if "n" in f.small[0]], ids=lambda f: f.name)
@pytest.mark.parametrize("n", [1, 0, -2, 2.5, "3", True, None])
def test_the_number_of_labels_must_be_whole_and_at_least_two(family, n):
    others = {key: value for key, value in family.small[0].items() if key != "n"}
    for ask in (family, family.size):
        with pytest.raises(BadInput, match=r"n is .*at least 2") as caught:
            ask(n=n, **others)
        assert len(str(caught.value).splitlines()) == 1


HUGE = {
    "n": 10**6,
    "r": 10**4,
    "classes": 10**6,
    "loss": "zero-one:n=1000000",
    "A": "zero-one:n=1000000",
    "ranking": "ndcg:r=900",
    "margins": "1 " * 10**5,
    "weights": "1 " * 10**5,
    "values": "0 1" + " 1" * 10**4,
    "s": 10**4,
    "prior": ["1/6000"] * 6000,
}


@pytest.mark.parametrize("family", [f for f in CATALOGUE if {*HUGE} & {*f.small[0]}], ids=lambda f: f.name)
def test_what_would_be_enormous_is_refused_at_once(family):
    sets = str(family.small[0].get("loss", "")).startswith(("precision", "recall"))
    huge = HUGE | ({"loss": "precision-at:q=1,r=900"} if sets else {})
    with pytest.raises(TooLarge) as caught:
        family(**{key: huge.get(key, value) for key, value in family.small[0].items()})
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["binary_encoded", "abstain_crammer_singer", "abstain_one_vs_all"])
@pytest.mark.parametrize("cost", [0, "-1/3", "2/3", 1, "x", None, float("nan")])
def test_the_cost_of_abstaining_is_positive_and_at_most_one_half(name, cost):
    with pytest.raises(BadInput, match="cost"):
        getattr(lossmith.surrogates, name)(3, cost)


@pytest.mark.parametrize("eps", [-1, "-1/4", "wide", None])
def test_the_tolerance_is_not_negative(eps):
    with pytest.raises(BadInput, match="eps"):
        lossmith.surrogates.epsilon_insensitive(3, eps)


def test_costs_may_be_written_in_any_way():
    for cost in ("1/4", 0.25, Fraction(1, 4)):
        assert lossmith.surrogates.binary_encoded(3, cost) == lossmith.surrogates.binary_encoded(3, "0.25")


def test_a_loss_that_nothing_is_named_after_is_refused():
    with pytest.raises(LossmithError, match="zero-wun"):
        lossmith.surrogates.cost_weighted_hinge("zero-wun:n=3")


# Domains.


@pytest.mark.parametrize(("family", "kwargs"), POLYHEDRAL)
def test_the_domain_is_everything_or_the_scores_that_sum_to_zero_unless_the_formula_says_so(family, kwargs):
    surrogate = family(**kwargs)
    thresholds = family.parameters.get("thresholds")
    ordered = thresholds is not None and kwargs.get("thresholds", thresholds.default) == "ordered"
    if ordered or "hypersimplex" in family.name:
        assert surrogate.inequalities or surrogate.dim == 1
        return
    zero_sum = r"u_j = 0" in family.latex or r"u_t = 0" in family.latex
    if family.name in ("gain_weighted", "augmented_reject", "defer_hinge"):
        zero_sum = "base" not in kwargs  # the domain of lee_lin_wahba
    assert surrogate.inequalities == ()
    assert surrogate.equations == (((0, *[1] * surrogate.dim),) if zero_sum else ())
