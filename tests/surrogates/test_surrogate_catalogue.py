"""Every family of the catalogue: its file, its card, and that its members are surrogates (convex, not negative)."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lossmith.surrogates
from lossmith.errors import BadInput, LossmithError, TooLarge
from lossmith.surrogates import CATALOGUE
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from strategies import rationals
from surrogates import second_opinion

FAMILIES = [pytest.param(family, id=family.name) for family in CATALOGUE]
INSTANCES = [
    pytest.param(family, kwargs, id=f"{family.name}-{'-'.join(map(str, kwargs.values()))}")
    for family in CATALOGUE
    for kwargs in family.small
]
POLYHEDRAL = [each for each in INSTANCES if isinstance(each.values[0](**each.values[1]), PolyhedralSurrogate)]
PREDS = {"decide", "argmax", "sign", "nearest", "votes", "sort", "argmax-gap", "argmax-threshold", "sign-code"}


def test_the_catalogue_is_what_lies_in_the_folder():
    folder = Path(lossmith.surrogates.__file__).parent / "families"
    assert sorted(family.name for family in CATALOGUE) == sorted({f.stem for f in folder.glob("*.py")} - {"__init__"})


def test_every_family_is_a_public_name():
    for family in CATALOGUE:
        assert getattr(lossmith.surrogates, family.name) is family
        assert family.name in lossmith.surrogates.__all__


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_a_formula_a_citation_a_sentence_and_small_instances(family):
    assert r"\psi_y(" in family.latex
    assert family.latex.count("{") == family.latex.count("}")
    assert family.cite
    assert family.__doc__
    assert len(family.small) >= 2


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_names_preds_that_are_known(family):
    assert family.preds
    for pred in family.preds:
        assert pred.partition(":")[0] in PREDS


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_pickles_as_itself(family):
    assert pickle.loads(pickle.dumps(family)) is family


@pytest.mark.parametrize(("family", "kwargs"), INSTANCES)
def test_the_size_is_known_before_anything_is_built(family, kwargs):
    surrogate = family(**kwargs)
    assert family.size(**kwargs) == (surrogate.n, surrogate.dim)


@pytest.mark.parametrize(("family", "kwargs"), INSTANCES)
def test_the_name_of_a_member_says_its_family(family, kwargs):
    assert family(**kwargs).name.startswith(f"{family.name}(")


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


@pytest.mark.parametrize("family", FAMILIES)
def test_sizes_are_those_of_the_definition(family):
    for arguments, n, dim in SIZES[family.name]:
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


@pytest.mark.parametrize("family", FAMILIES)
def test_what_would_be_enormous_is_refused_at_once(family):
    huge = {"n": 10**6, "r": 10**4, "loss": "zero-one:n=1000000", "A": "zero-one:n=1000000", "ranking": "ndcg:r=900"}
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


# Properties of all polyhedral members.


@st.composite
def points(draw, surrogate):
    """Any rational point; on Σu = 0 after subtracting the mean."""
    u = draw(st.lists(rationals(-3, 3, 4), min_size=surrogate.dim, max_size=surrogate.dim))
    if surrogate.equations:
        mean = sum(u) / len(u)
        u = [x - mean for x in u]
    assert second_opinion.contains(surrogate, u)
    return tuple(u)


@pytest.mark.parametrize(("family", "kwargs"), POLYHEDRAL)
def test_the_domain_is_everything_or_the_scores_that_sum_to_zero(family, kwargs):
    surrogate = family(**kwargs)
    zero_sum = family.name in ("lee_lin_wahba", "cost_weighted_hinge")
    assert surrogate.inequalities == ()
    assert surrogate.equations == (((0, *[1] * surrogate.dim),) if zero_sum else ())


@pytest.mark.parametrize(("family", "kwargs"), POLYHEDRAL)
@settings(max_examples=12)
@given(data=st.data())
def test_members_are_never_negative(family, kwargs, data):
    surrogate = family(**kwargs)
    assert min(surrogate(data.draw(points(surrogate)))) >= 0


@pytest.mark.parametrize(("family", "kwargs"), POLYHEDRAL)
@settings(max_examples=12)
@given(data=st.data())
def test_members_are_convex_along_every_segment(family, kwargs, data):
    surrogate = family(**kwargs)
    u, v = data.draw(points(surrogate)), data.draw(points(surrogate))
    share = data.draw(rationals(0, 1, 5))
    between = surrogate([(1 - share) * a + share * b for a, b in zip(u, v)])
    for middle, first, last in zip(between, surrogate(u), surrogate(v)):
        assert middle <= (1 - share) * first + share * last
