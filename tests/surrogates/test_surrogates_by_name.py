"""The surrogate that a word on the command line stands for."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from fractions import Fraction
from functools import cache

import pytest

from losses.refusal import refusal
from lossmith import surrogates
from lossmith.errors import BadInput, LossmithError, UnknownName
from lossmith.losses import FAMILIES, precision_at, recall_at, tag_ranking, zero_one
from lossmith.surrogates import (
    absolute,
    binary_encoded,
    cost_weighted_hinge,
    crammer_singer,
    pick_all_labels,
    pick_all_labels_normalised,
    square,
)
from lossmith.surrogates.named import surrogate_named
from surrogates.quotation import quotes

MINE = """
import lossmith as lm
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.tracing import pos

fixed = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1)

def grows(n):
    return PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=n, dim=1)

def breaks(n):
    return 1 / 0

def concave(n):
    return PolyhedralSurrogate.from_function(lambda y, u: -pos(u[0]), n=n, dim=1)

smooth = SmoothSurrogate("mine", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None])

def smooth_grows(n):
    return lm.surrogates.softmax(n)

number = 3
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return str(path)


def test_underscores_and_defaults_are_understood():
    assert surrogate_named("crammer_singer:n=3") == crammer_singer(3)
    assert surrogate_named("binary-encoded:n=4") == binary_encoded(4, "1/2")
    assert surrogate_named("binary-encoded:n=4,cost=1/3") == binary_encoded(4, "1/3")


def test_the_loss_of_a_cost_weighted_hinge_is_named_inside():
    assert surrogate_named("cost-weighted-hinge:loss=ordinal:n=3") == cost_weighted_hinge("ordinal:n=3")


def test_the_matrix_of_a_square_surrogate_is_a_loss_by_name_or_in_a_file(tmp_path):
    costs = tmp_path / "costs.csv"
    costs.write_text(",a,b\nx,0,1\ny,3,0\n")
    assert surrogate_named(f"square:A={costs}") == square([[0, 1], [3, 0]])
    assert surrogate_named("square:A=ordinal:n=3") == square([[0, 1, 2], [1, 0, 1], [2, 1, 0]])


@pytest.mark.parametrize(
    ("text", "error", "quoted"),
    [
        ("cramer-singer:n=3", UnknownName, "'crammer-singer'"),
        ("crammer-singer", BadInput, "n"),
        ("crammer-singer:m=3", UnknownName, "'m'"),
        ("crammer-singer:n=three", BadInput, "'three'"),
        ("crammer-singer:n=1", BadInput, "2"),
        ("binary-encoded:n=3,cost=2", BadInput, "1/2"),
        ("mine.py", BadInput, "mine.py:name"),
        ("no-such-file.py:mine", BadInput, "no-such-file.py"),
    ],
)
def test_what_names_no_surrogate_is_refused_in_one_line(text, error, quoted):
    with pytest.raises(error) as caught:
        surrogate_named(text)
    assert quotes(str(caught.value), quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_name_in_a_file_is_a_surrogate_or_a_function_of_the_number_of_labels(file):
    expected = absolute(4)([3])  # |u − y| with centres 0 … 3 at 2
    assert surrogate_named(f"{file}:fixed", zero_one(4))([2]) == expected[:3]
    assert surrogate_named(f"{file}:grows", zero_one(4))([2]) == expected


def test_a_name_in_a_file_may_be_a_smooth_surrogate(file):
    assert surrogate_named(f"{file}:smooth", zero_one(2))([3]) == (9, 4)
    assert surrogate_named(f"{file}:smooth_grows", zero_one(4)).dim == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("number", "3"),
        ("missing", "missing"),
        ("breaks", "ZeroDivisionError"),
        ("concave", "-1 * (max(0, u[0]))"),
        ("", ""),
    ],
)
def test_what_a_file_does_not_provide_is_refused_in_one_line(file, name, words):
    with pytest.raises(LossmithError) as caught:
        surrogate_named(f"{file}:{name}", zero_one(3))
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_that_cannot_be_executed_is_refused_in_one_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def (:\n")
    with pytest.raises(BadInput, match="SyntaxError") as caught:
        surrogate_named(f"{path}:mine", zero_one(3))
    assert len(str(caught.value).splitlines()) == 1


IN_PRINT = """
    mmr sc-svm ramsvm ats atm adm m3n structured-svm m4n ova-cascade clpl svor-exc svor-imc red-svm quantile
    proportional-odds logistic-at logistic-it double-hinge apc top-k-psi4 rank-svm pal pal-n svm-auc samme angle-based
    sum-exponential polytope-square sh-svm amo
"""


@pytest.mark.parametrize("name", IN_PRINT.split())
def test_a_name_in_print_is_an_alias_of_one_family(name):
    assert surrogates.CATALOGUE.count(getattr(surrogates, name.replace("-", "_"))) == 1
    with pytest.raises(BadInput, match=repr(name)) as caught:  # which lacks a parameter, so that the name is known
        surrogate_named(name)
    assert not isinstance(caught.value, UnknownName)


TOLD = """
    ordinal-crammer-singer cube-projection ranknet rankboost pairwise-logistic pairwise-exponential orboost
    net-preference-regression standardised-template adaboost-mr
"""


@pytest.mark.parametrize("name", TOLD.split())
def test_what_is_to_be_written_for_another_name_in_print_makes_a_surrogate(name):
    names = "|".join(each.name.replace("_", "-") for each in surrogates.CATALOGUE)
    written = re.search(rf"\b(?:{names}):\S+?(?=,? |$)", refusal(surrogate_named, name))

    assert surrogate_named(written[0]).n > 1


def test_the_hinge_of_the_simplex_halfspace_machine_is_the_naive_one():
    """(1 − c_y·f)₊ for the corners c_y of a regular triangle: Mroueh et al. 2012, of u_y = c_y·f, which sum to zero."""
    third = 2 * math.pi / 3
    for f in ((0.5, -1.25), (3.0, 0.25), (-0.75, -2.0)):
        u = [math.cos(y * third) * f[0] + math.sin(y * third) * f[1] for y in range(3)]
        u[2] = -u[0] - u[1]
        exact = [Fraction(x) for x in u[:2]]
        psi = surrogates.sh_svm(3)([*exact, -sum(exact)])
        assert [float(x) for x in psi] == pytest.approx([max(0, 1 - x) for x in u])


def test_the_risk_of_adaboost_mr_is_half_of_a_comp_sum():
    """exp((u_j − u_y)/2)/(n − 1), summed over j ≠ y: Schapire & Singer 1999, of one right label of n."""
    u = [0.5, -1.25, 2.0]
    wanted = [sum(math.exp((u[j] - u[y]) / 2) for j in range(3) if j != y) / 2 for y in range(3)]
    assert [x / 2 for x in surrogates.comp_sum(3, 0)([x / 2 for x in u])] == pytest.approx(wanted)


MADE_FROM_A_LOSS = [each.name for each in surrogates.CATALOGUE if {"ranking", "loss"} & {*each.parameters}]
FAST = ("cost_weighted_hinge", "pairwise_hinge", "label_ranking_hinge", "structured_tag_hinge", "tag_hypersimplex")


@cache
def small_losses():
    made = (family(**given) for family in FAMILIES for given in family.small[:2])
    return [each.matrix() for each in made if each.n <= 4]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in FAST else pytest.mark.exhaustive) for name in MADE_FROM_A_LOSS],
)
def test_the_name_alone_makes_the_member_for_a_loss_or_is_refused(name):
    made = 0
    for loss in small_losses():
        with suppress(LossmithError):
            made += surrogate_named(name, loss).n == loss.n
    assert made > 0


def test_sets_of_tags_have_surrogates_by_name():
    assert surrogate_named("pick-all-labels", precision_at(1, 2).matrix()) == pick_all_labels(precision_at(1, 2))
    assert surrogate_named("pal-n", recall_at(3, 1).matrix()) == pick_all_labels_normalised("recall-at:r=3,q=1")
    assert surrogate_named("weighted-binary-relevance", tag_ranking(3)).dim == 3
    assert "precision_at(q=1, r=2)" in refusal(surrogate_named, "svm-map", precision_at(1, 2).matrix())
