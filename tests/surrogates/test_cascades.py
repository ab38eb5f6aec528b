"""The cascade for hierarchies: hinges for each depth of a tree, added up, and the pred that takes the deepest node."""

from __future__ import annotations

from fractions import Fraction

import pytest

import lossmith as lm
from lossmith.errors import BadInput, LossmithError

S, L = lm.surrogates, lm.losses
TREE = {"all": {"animal": ["cat", "dog"], "car": []}}
TREES = {
    "a star": {"all": ["a", "b", "c"]},
    "two levels": TREE,
    "a path at the top": {"all": {"things": {"animal": ["cat", "dog"], "car": []}}},
    "uneven": {"all": {"x": {"xx": ["a", "b"], "c": []}, "d": []}},
}


def test_the_values_are_those_of_the_hinges_of_each_depth():
    psi, u = S.cascade_hinge(TREE, "crammer-singer"), ["1/2", 0, 1, "-1/3", 2]
    first, second = S.crammer_singer(2)(u[:2]), S.crammer_singer(3)(u[2:])
    assert psi(u) == (first[0] + second[0], first[0] + second[1], first[1] + second[2])  # cat, dog, car
    psi = S.cascade_hinge(TREE)
    first, second = S.one_vs_all_hinge(2)(u[:2]), S.one_vs_all_hinge(3)(u[2:])
    assert psi(u) == (first[0] + second[0], first[0] + second[1], first[1] + second[2])


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(tree, id=name, marks=[pytest.mark.exhaustive] if name == "uneven" else [])
        for name, tree in TREES.items()
    ],
)
def test_it_is_right_for_distances_where_any_node_may_be_said(tree):
    loss = L.hierarchical(tree, predictions="nodes")
    for base in ("one-vs-all-hinge", "crammer-singer", "binary-encoded"):
        verdict = lm.check(S.cascade_hinge(tree, base), loss)
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted
    assert lm.check(S.cascade_hinge(tree), loss, "deepest").status == "calibrated"
    assert lm.check("cascade-hinge", loss).surrogate == S.cascade_hinge(tree)


def test_with_codes_it_has_a_bit_for_each_doubling():
    """As many dimensions as the bound on CCdim of trees says, where no leaf ends early."""
    psi, u = S.cascade_hinge(TREE, "binary_encoded"), ["1/2", -1, "-1/3"]
    first, second = S.binary_encoded(2)(u[:1]), S.binary_encoded(3)(u[1:])
    assert psi(u) == (first[0] + second[0], first[0] + second[1], first[1] + second[2])
    two = {"all": {"x": ["a", "b", "c", "d"], "y": ["e", "f", "g", "h"]}}
    assert S.cascade_hinge(two, "binary-encoded").dim == 1 + 3
    with pytest.raises(BadInput, match=r"^deepest .*\b3\b.*\b5\b"):
        lm.check(psi, L.hierarchical(TREE, predictions="nodes"), "deepest")


def test_margins_are_told_by_gaps_and_not_by_signs():
    """Scores of the Crammer–Singer hinge mean nothing but by their differences."""
    assert lm.check(
        S.cascade_hinge(TREE, "crammer-singer"), L.hierarchical(TREE, predictions="nodes"), "deepest"
    ).status == ("not calibrated")


def test_a_base_that_is_not_right_for_abstaining_is_refused():
    with pytest.raises(BadInput, match=r"base.*'lee-lin-wahba'"):
        S.cascade_hinge(TREE, "lee-lin-wahba")


def test_the_deepest_node_with_a_positive_score_is_said():
    loss = L.hierarchical(TREE, predictions="nodes")
    pred = lm.check(S.cascade_hinge(TREE), loss, "deepest").pred
    for u, node in (
        ([-1, -1, -1, -1, -1], "all"),
        ([1, -1, -1, -1, -1], "animal"),
        ([1, -1, -1, 1, -1], "dog"),
        ([-1, 1, -1, -1, -1], "car"),
        ([-1, 1, 1, -1, -1], "cat"),  # the deepest counts
        ([1, 1, 1, 1, 1], "cat"),  # of several the first
    ):
        assert loss.predictions[pred(list(map(Fraction, u)))] == node, u


def test_other_losses_have_no_cascade():
    for loss in (L.zero_one(3), L.ordinal(3), L.abstain(3), L.hierarchical(TREE)):
        assert S.cascade_hinge.fits(loss) is None
    with pytest.raises(BadInput, match=r"^deepest .*\b5\b.*zero_one\(n=3\)"):
        lm.check(S.cascade_hinge(TREE), L.zero_one(3), "deepest")


@pytest.mark.parametrize("tree", [[1, None, 1], {"all": ["one"]}, "nowhere.json", 7])
def test_what_is_no_hierarchy_is_refused_in_one_line(tree):
    with pytest.raises((LossmithError, OSError)) as refused:
        S.cascade_hinge(tree)
    assert "\n" not in str(refused.value)
