"""Every family of the catalogue: its file, its card, and that its members are surrogates (convex, not negative)."""

from __future__ import annotations

from fractions import Fraction

import pytest

import lossmith.surrogates
from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from surrogates.members import case
from surrogates.quotation import quotes

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


def test_sizes_are_those_of_the_definition():
    for name, sizes in SIZES.items():
        family = getattr(lossmith.surrogates, name)
        for arguments, n, dim in sizes:
            assert family.size(*arguments) == (n, dim), (name, arguments)
            surrogate = family(*arguments)
            assert (surrogate.n, surrogate.dim) == (n, dim), (name, arguments)


@pytest.mark.parametrize("n", [1, 0, -2, 2.5, "3", True, None])
def test_the_number_of_labels_must_be_whole_and_at_least_two(n):
    for family in (each for each in CATALOGUE if "n" in each.small[0]):
        for ask in (family, family.size):
            with pytest.raises(BadInput) as caught:
                ask(**{**family.small[0], "n": n})
            message = str(caught.value)
            assert quotes(message, "n", repr(n), "2"), (family.name, message)
            assert len(message.splitlines()) == 1, (family.name, message)


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


SLOW_TO_READ = ("owa_hinge", "margin_lee_lin_wahba")  # a hundred thousand numbers


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_what_would_be_enormous_is_refused_at_once(slow):
    families = [each for each in CATALOGUE if {*HUGE} & {*each.small[0]} and (each.name in SLOW_TO_READ) == slow]
    assert families
    for family in families:
        sets = str(family.small[0].get("loss", "")).startswith(("precision", "recall"))
        huge = HUGE | ({"loss": "precision-at:q=1,r=900"} if sets else {})
        with pytest.raises(TooLarge) as caught:
            family(**{key: huge.get(key, value) for key, value in family.small[0].items()})
        assert len(str(caught.value).splitlines()) == 1, family.name


@pytest.mark.parametrize("name", ["binary_encoded", "abstain_crammer_singer", "abstain_one_vs_all"])
@pytest.mark.parametrize("cost", [0, "-1/3", "2/3", 1, "x", None, float("nan")])
def test_the_cost_of_abstaining_is_positive_and_at_most_one_half(name, cost):
    quoted = "cost" if cost is None else rf"cost\b.*{cost}\b"
    with pytest.raises(BadInput, match=quoted):
        getattr(lossmith.surrogates, name)(3, cost)


@pytest.mark.parametrize("eps", [-1, "-1/4", "wide", None])
def test_the_tolerance_is_not_negative(eps):
    quoted = "eps" if eps is None else rf"eps\b.*{eps}\b"
    with pytest.raises(BadInput, match=quoted):
        lossmith.surrogates.epsilon_insensitive(3, eps)


def test_costs_may_be_written_in_any_way():
    for cost in ("1/4", 0.25, Fraction(1, 4)):
        assert lossmith.surrogates.binary_encoded(3, cost) == lossmith.surrogates.binary_encoded(3, "0.25")


def test_a_loss_that_nothing_is_named_after_is_refused():
    with pytest.raises(LossmithError, match="zero-wun"):
        lossmith.surrogates.cost_weighted_hinge("zero-wun:n=3")


# Domains.


def test_the_domain_is_everything_or_the_scores_that_sum_to_zero_unless_the_formula_says_so():
    for family in (each for each in CATALOGUE if each.makes is PolyhedralSurrogate):
        for parameters in family.small:
            with case((family.name, parameters)):
                assert_domain(family, parameters)


def assert_domain(family, parameters):
    surrogate = family(**parameters)
    thresholds = family.parameters.get("thresholds")
    ordered = thresholds is not None and parameters.get("thresholds", thresholds.default) == "ordered"
    if ordered or "hypersimplex" in family.name:
        assert surrogate.inequalities or surrogate.dim == 1
        return
    zero_sum = r"u_j = 0" in family.latex or r"u_t = 0" in family.latex
    if family.name in ("gain_weighted", "augmented_reject", "defer_hinge"):
        zero_sum = "base" not in parameters  # the domain of lee_lin_wahba
    assert surrogate.inequalities == ()
    assert surrogate.equations == (((0, *[1] * surrogate.dim),) if zero_sum else ())
