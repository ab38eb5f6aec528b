"""Lower bounds at vertices that floats climb to: never above what all faces give, mostly equal to it, always proved."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
import reference
from losses.refusal import assert_quotes
from lossmith.analysis.facts import Facts
from lossmith.answers import bounding
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace
from lossmith.dimension.ge_vertex_support import ge_vertex_support
from lossmith.errors import TooLarge
from lossmith.losses import abstain, hamming, hierarchical, ordinal, top_k, zero_one
from lossmith.surrogates import binary_encoded
from strategies import examples


def costs(n: int, seed: int, decimals: int = 0) -> lm.LossMatrix:
    """Costs 1 … 20 of mistakes."""
    rng, unit = random.Random(seed), 10**decimals
    rows = [[0 if y == t else Fraction(rng.randint(unit, 20 * unit), unit) for t in range(n)] for y in range(n)]
    return lm.LossMatrix(rows, name=f"costs {n}, {seed}")


def climbed(loss, steps: int = 200, seed: int = 0) -> list:
    return list(ge_vertex_support(Facts(loss), 0, loss.n, steps=steps, seed=seed))


def by_all_faces(loss) -> int:
    return ge_feasible_subspace(Facts(loss), lm.trigger_sets(loss), loss.n).value


@st.composite
def losses(draw):
    """Small integers, so that ties and redundant predictions come up."""
    n, k = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    return lm.LossMatrix([[draw(st.integers(0, 4)) for _ in range(k)] for _ in range(n)])


# Against all faces.


@examples(15)
@given(losses())
def test_no_vertex_exceeds_what_all_faces_give(loss):
    values = [bound.value for bound in climbed(loss, steps=40)]
    assert values == sorted(set(values))
    assert max(values, default=0) <= by_all_faces(loss)


@pytest.mark.parametrize("decimals", [0, 2])
@pytest.mark.parametrize("n", [3, 5, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (4, 7, 9))])
def test_the_climb_reaches_what_all_faces_give(n, decimals):
    for seed in range(3):
        loss = costs(n, seed, decimals)
        assert climbed(loss)[-1].value == by_all_faces(loss)


@pytest.mark.parametrize(
    ("loss", "value"),
    [(zero_one(6), 5), (hamming(3), 3), (top_k(5, 2), 4), (ordinal(5), 1), (abstain(5), 1), (abstain(4, "7/10"), 3)],
    ids=lambda value: getattr(value, "name", None),
)
def test_vertices_at_which_many_predictions_tie(loss, value):
    assert climbed(loss)[-1].value == by_all_faces(loss) == value


@examples(15)
@given(losses())
def test_the_bound_is_one_less_than_the_support_of_its_distribution(loss):
    """And affdim(L[S, T]), by definition."""
    for bound in climbed(loss, steps=40):
        p = bound.evidence.p
        support = [y for y in range(loss.n) if p[y]]
        optimal = [[loss.entries[y][t] for y in support] for t in reference.argmin(loss.entries, p)]
        assert sum(p) == 1
        assert min(p) >= 0
        assert bound.value == len(support) - 1 == reference.affine_dimension(optimal)


@pytest.mark.parametrize(
    "loss", [lambda: costs(20, 1), lambda: costs(30, 0, 2), lambda: hamming(4)], ids=["small", "decimals", "hamming"]
)
def test_the_checker_accepts_what_was_climbed_to(loss):
    bound = climbed(loss())[-1]
    assert bound.value >= 4
    assert lm.verify(bound.certificate).accepted
    content = bound.certificate.content
    assert content["claim"] == "ccdim at least"
    assert content["value"] == bound.value
    assert len(content["evidence"]["columns"]) == bound.value + 1


# Seeds, steps, large numbers.


def test_the_same_seed_climbs_to_the_same_vertices():
    loss = costs(15, 3)
    first, again = (climbed(loss, steps=60, seed=7) for _ in range(2))
    assert [bound.evidence.p for bound in first] == [bound.evidence.p for bound in again]


def test_more_steps_only_add_bounds():
    values = [[bound.value for bound in climbed(costs(25, 0), steps=steps)] for steps in (1, 30, 120)]
    assert values[0]
    assert max(values[0]) <= max(values[1]) <= max(values[2])


def test_the_climb_ends_where_enough_is_reached():
    assert [bound.value for bound in ge_vertex_support(Facts(zero_one(8)), 0, 3, steps=100)] == [7]


def test_costs_beyond_all_floats():
    huge = lm.LossMatrix([[x * 10**400 + (x > 3) for x in row] for row in costs(5, 0).entries])
    assert climbed(huge)[-1].value == by_all_faces(huge)


def test_one_needed_prediction_has_nowhere_to_climb():
    assert climbed(lm.LossMatrix([[0, 1], [0, 2]])) == []


# In ccdim.


@pytest.mark.parametrize(
    ("n", "share", "most"),
    [
        (10, "1/2", 10),
        pytest.param(20, "1/2", None, marks=pytest.mark.exhaustive),
        pytest.param(40, "13/20", None, marks=pytest.mark.exhaustive),
    ],
)
def test_random_costs_of_many_labels(n, share, most):
    bounds = lm.ccdim(costs(n, 0), designs=False, **({"max_vertices": most} if most else {}))
    assert Fraction(share) * n <= bounds.lower.value <= bounds.upper.value <= n - 1
    assert any("max_vertices=…" in note for note in bounds.notes)
    assert lm.verify(bounds.lower.certificate).accepted


def test_where_all_faces_were_looked_at_nothing_is_climbed(monkeypatch):
    def climb(*_, **__):
        raise AssertionError("all faces were looked at")

    monkeypatch.setattr(bounding, "ge_vertex_support", climb)
    assert lm.ccdim(costs(8, 1)).lower.value == by_all_faces(costs(8, 1))


def test_what_was_climbed_to_before_ctrl_c_is_kept(monkeypatch):
    def interrupted(facts, low, high, **options):
        yield next(ge_vertex_support(facts, low, high, **options))
        raise KeyboardInterrupt

    monkeypatch.setattr(bounding, "ge_vertex_support", interrupted)
    bounds = lm.ccdim(costs(12, 0), max_vertices=5)
    assert bounds.lower.value > 1
    assert len(bounds.notes) == 2  # without the faces, and interrupted
    assert lm.verify(bounds.lower.certificate).accepted


def test_when_the_time_is_over_what_was_proved_is_told():
    bounds = lm.ccdim(costs(40, 0), seconds=0)
    [note] = bounds.notes
    assert_quotes(note, "0 s")
    assert (bounds.lower.value, bounds.upper.value) == (0, 39)
    assert all(lm.verify(bound.certificate).accepted for bound in bounds.bounds)
    assert lm.design(costs(40, 0), method="square", bounds=bounds).status == "calibrated"  # the watch has stopped


def test_enough_time_changes_nothing():
    loss = costs(9, 2)
    assert lm.ccdim(loss, seconds=600) == lm.ccdim(loss)


def test_too_many_faces_are_refused():
    loss = costs(6, 2)
    with pytest.raises(TooLarge, match=r"\b1\b.*max_faces"):
        ge_feasible_subspace(Facts(loss), lm.trigger_sets(loss), 6, max_faces=1)


# Upper bounds from the catalogue.


@pytest.mark.parametrize(
    ("n", "most"), [(5, 3), *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in ((9, 4), (30, 5)))]
)
def test_abstaining_needs_no_more_dimensions_than_bits(n, most):
    bounds = lm.ccdim(abstain(n))
    assert bounds.upper.value <= most
    assert lm.verify(bounds.upper.certificate).accepted


def test_a_surrogate_of_the_catalogue_that_is_not_calibrated_bounds_nothing():
    bounds = lm.ccdim(costs(5, 0))
    assert not any("binary_encoded" in bound.why for bound in bounds.bounds)


# Structure, at sizes that are not small.


@pytest.mark.parametrize(
    ("loss", "value"),
    [
        (lambda: zero_one(150), 149),
        (lambda: ordinal(150), 1),
        (lambda: top_k(12, 5), 11),
        (lambda: hierarchical({f"{i}": [f"{i}{j}" for j in "abcde"] for i in "vwxyz"}), 24),
    ],
    ids=["zero-one", "ordinal", "top-k", "hierarchical"],
)
def test_known_dimensions_of_many_labels(loss, value):
    assert lm.ccdim(loss()).exact == value


@pytest.mark.exhaustive
def test_a_hierarchy_with_decisions_at_all_nodes_needs_fewer_dimensions_than_labels():
    """Its loss is twice the sum of abstaining at 1/2 for groups and for leaves, and so a sum of surrogates serves."""
    loss = hierarchical({f"{i}": [f"{i}{j}" for j in "ab"] for i in "wxyz"}, predictions="nodes")
    leaves, groups = binary_encoded(8), binary_encoded(4)
    terms = [
        [
            *([(*piece, 0, 0) for piece in pieces] for pieces in leaves.terms[y]),
            *([(piece[0], 0, 0, 0, *piece[1:]) for piece in pieces] for pieces in groups.terms[y // 2]),
        ]
        for y in range(8)
    ]
    both = lm.PolyhedralSurrogate(tuple(tuple(map(tuple, each)) for each in terms), 5, name="leaves and groups")
    assert lm.check(both, loss).status == "calibrated"
    bounds = lm.ccdim(loss)
    assert bounds.lower.value <= both.dim < loss.n - 1


@pytest.mark.exhaustive
def test_the_checker_accepts_the_surrogate_for_a_hundred_ordered_labels():
    bounds = lm.ccdim(ordinal(100))
    assert bounds.exact == 1
    assert lm.verify(bounds.upper.certificate).accepted
