"""Bounds on random losses: recomputed by slow definitions, consistent, and blind to what changes nothing."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lossmith as lm
import reference
from lossmith.analysis.facts import Facts
from lossmith.dimension.ge_feasible_subspace import FeasibleSubspace, ge_feasible_subspace, ge_feasible_subspace_at
from lossmith.dimension.ge_two_of_not_orderable import Branching
from lossmith.errors import BadInput
from lossmith.losses import abstain, hamming, ordinal, zero_one
from strategies import distributions, examples, permutations

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@st.composite
def losses(draw, max_n: int = 5, max_k: int = 6):
    """Small integers, so that ties and redundant predictions come up; half of them with a right decision per label."""
    n, k = draw(st.integers(2, max_n)), draw(st.integers(1, max_k))
    rows = [[draw(st.integers(0, 5)) for _ in range(k)] for _ in range(n)]
    if draw(st.booleans()):
        rows = [[0 if y == t else 1 + x for t, x in enumerate(row)] for y, row in enumerate(rows)]
    return lm.LossMatrix(rows)


def values(loss) -> tuple[int, int]:
    bounds = lm.ccdim(loss, designs=False)
    assume(not bounds.notes)  # beyond a budget, which few draws exceed, bounds may differ
    return bounds.lower.value, bounds.upper.value


def affdim_at(loss, p) -> int:
    """affdim(L[S, T]) for the support S of p and the kept predictions T that are optimal at p."""
    support = [y for y in range(loss.n) if p[y] > 0]
    optimal = [t for t in reference.kept_predictions(loss.entries) if t in reference.argmin(loss.entries, p)]
    return reference.affine_dimension([[loss.entries[y][t] for y in support] for t in optimal])


def section_dimension(loss, s: int, t: int) -> int:
    """Of the intersection of the cells of s and t; −1 if they do not meet."""
    corners = reference.cell_vertices(loss.entries, t)
    return reference.affine_dimension([p for p in corners if s in reference.argmin(loss.entries, p)])


# What is claimed is true.


@given(losses())
def test_the_bounds_are_in_order_and_below_the_number_of_labels(loss):
    bounds = lm.ccdim(loss, designs=False)
    assert 0 <= bounds.lower.value <= bounds.upper.value <= loss.n - 1
    assert all(low.value <= high.value for low in bounds.bounds for high in bounds.bounds if low.side < high.side)


@examples(6)
@given(losses())
def test_each_bound_is_what_the_definitions_give(loss):
    columns = [loss.column(t) for t in reference.kept_predictions(loss.entries)]
    span = reference.affine_dimension(columns)
    bounds = lm.ccdim(loss, designs=False)
    assert (bounds.exact == 0) == (len(columns) == 1)
    for bound in bounds.bounds:
        if isinstance(bound.evidence, FeasibleSubspace):
            assert sum(bound.evidence.p) == 1
            assert min(bound.evidence.p) >= 0
            assert bound.value == affdim_at(loss, bound.evidence.p) - ("as in the paper" in bound.theorem)
        elif bound.side == "lower":
            assert isinstance(bound.evidence, Branching)
            others = bound.evidence.neighbours
            assert len({*others, bound.evidence.centre}) == 4
            assert {*others, bound.evidence.centre} <= {*reference.kept_predictions(loss.entries)}
            assert {section_dimension(loss, s, bound.evidence.centre) for s in others} == {loss.n - 2}
        elif bound.theorem.startswith("affdim ("):
            assert bound.value == span
        elif bound.theorem == "affdim − 1":
            assert bound.value == span - 1
        elif bound.theorem.startswith("rank"):
            assert bound.value == reference.rank(columns)


@given(losses(max_n=4, max_k=5), st.data())
def test_no_distribution_gives_a_larger_bound(loss, data):
    """Neither a corner of a cell, nor the middle of the corners that some cells share, nor any other."""
    lower = lm.ccdim(loss, designs=False).lower.value
    kept = reference.kept_predictions(loss.entries)
    corners = {p for t in kept for p in reference.cell_vertices(loss.entries, t)}
    chosen = data.draw(st.sets(st.sampled_from(kept), min_size=1))
    shared = [p for p in corners if chosen <= {*reference.argmin(loss.entries, p)}]
    middle = [tuple(sum(column, Fraction(0)) / len(shared) for column in zip(*shared))] if shared else []
    for p in (*corners, *middle, data.draw(distributions(loss.n))):
        assert affdim_at(loss, p) <= lower


@examples(6)
@given(losses(max_n=4, max_k=5))
def test_every_certificate_is_accepted(loss):
    """With a copy of a prediction, and one that is always worse."""
    kept = reference.kept_predictions(loss.entries)
    rows = [[*(row[t] for t in kept), row[kept[0]], max(row) + 1] for row in loss.entries]
    for bound in lm.ccdim(lm.LossMatrix(rows)).bounds:
        assert lm.verify(bound.certificate).accepted, str(bound)


@examples(13)
@given(losses(max_n=4, max_k=4))
def test_designs_only_improve_the_upper_bound(loss):
    without, bounds = lm.ccdim(loss, designs=False), lm.ccdim(loss)
    assert bounds.lower.value == without.lower.value
    assert bounds.lower.value <= bounds.upper.value <= without.upper.value
    assert bounds.exact is None or bounds.exact == bounds.upper.value


@examples(20)
@given(losses(max_n=5, max_k=5))
def test_the_faces_in_reduced_coordinates_give_the_same_bound(loss):
    facts = Facts(loss)
    direct, reduced = (
        ge_feasible_subspace(facts, lm.trigger_sets(loss, reduced=choice), loss.n) for choice in (False, True)
    )
    assert direct.value == reduced.value
    assert lm.verify(reduced.certificate).accepted


def test_many_labels_and_few_decisions_are_searched_in_reduced_coordinates():
    """Twenty copies of each label of abstain(4) at 7/10, each with its own scale."""
    small = abstain(4, "7/10")
    loss = lm.LossMatrix([[x * (i + 1) for x in row] for i in range(20) for row in small.entries])
    bounds = lm.ccdim(loss)
    assert bounds.exact == lm.ccdim(small).exact == 3
    assert bounds.notes == ()
    assert lm.verify(bounds.lower.certificate).accepted


# The sharp form is the paper's.


@examples(10)
@given(losses(), st.data())
def test_the_sharp_form_is_that_of_the_paper(loss, data):
    """‖p‖₀ − μ − 1 of thm:ccdim-lower-bound, for any optimal t."""
    cells = lm.trigger_sets(loss, reduced=False)
    corners = sorted({p for cell in cells for p in cell.polytope.vertices})
    p = data.draw(st.sampled_from(corners) | distributions(loss.n))
    at_p = ge_feasible_subspace_at(Facts(loss), p).value
    assert at_p == affdim_at(loss, p)
    optimal = [cell for cell in cells if cell.prediction in loss.optimal_predictions(p)]
    assert optimal
    for cell in optimal:
        assert at_p == sum(x > 0 for x in p) - lm.feasible_subspace_dimension(cell.polytope, p) - 1


@pytest.mark.parametrize(
    ("loss", "t", "p", "dimension"),
    [
        (zero_one(3), 0, ("1/2", "1/4", "1/4"), 2),
        (zero_one(3), 0, ("2/5", "2/5", "1/5"), 1),
        (zero_one(3), 0, ("3/4", "1/4", "0"), 1),
        (zero_one(3), 0, ("1/3", "1/3", "1/3"), 0),
        (zero_one(3), 0, ("1/2", "1/2", "0"), 0),
        (zero_one(3), 0, ("1", "0", "0"), 0),
        (ordinal(3), 1, ("1/4", "1/2", "1/4"), 2),
        (ordinal(3), 1, ("1/2", "1/4", "1/4"), 1),
        (ordinal(3), 1, ("1/3", "2/3", "0"), 1),
        (ordinal(3), 1, ("1/2", "0", "1/2"), 0),
        (ordinal(3), 0, ("2/3", "1/6", "1/6"), 2),
        (ordinal(3), 0, ("1/2", "0", "1/2"), 0),
        (abstain(3), 3, ("1/3", "1/3", "1/3"), 2),
        (abstain(3), 3, ("1/2", "1/4", "1/4"), 1),
        (abstain(3), 3, ("1/2", "1/2", "0"), 0),
        (abstain(3), 0, ("1/2", "1/4", "1/4"), 1),
        (abstain(3), 0, ("2/3", "1/3", "0"), 1),
        (zero_one(4), 0, ("2/5", "1/5", "1/5", "1/5"), 3),
        (zero_one(4), 0, ("1/4", "1/4", "1/4", "1/4"), 0),
        (zero_one(4), 0, ("1/3", "1/3", "1/6", "1/6"), 2),
    ],
)
def test_faces_of_known_cells(loss, t, p, dimension):
    """fig:trigger-prob: inside a cell all directions are feasible, on an edge one, at a vertex none."""
    cell = next(cell for cell in lm.trigger_sets(loss) if cell.prediction == t)
    assert lm.feasible_subspace_dimension(cell.polytope, p) == dimension


def test_points_outside_have_no_faces():
    cell = lm.trigger_sets(zero_one(3))[0].polytope
    with pytest.raises(BadInput, match=r"\(0, 1/2, 1/2\)"):
        lm.feasible_subspace_dimension(cell, [0, "1/2", "1/2"])
    for p in ([1, 0], ["1/2", "1/2", "1/2"], [2, -1, 0], ["x", 0, 1]):
        with pytest.raises(BadInput):
            lm.feasible_subspace_dimension(cell, p)


# What changes no cell changes no bound.


@examples(5)
@given(losses(), st.data())
def test_constants_and_factors_change_nothing(loss, data):
    before = values(loss)
    several = st.lists(st.integers(0, 4), min_size=loss.n, max_size=loss.n)
    constants, factors = data.draw(several), [1 + x for x in data.draw(several)]
    factor = data.draw(st.sampled_from([Fraction(2, 7), 3, 100]))
    rows = loss.entries
    assert values(lm.LossMatrix([[x + c for x in row] for row, c in zip(rows, constants)])) == before
    assert values(lm.LossMatrix([[x * factor for x in row] for row in rows])) == before
    assert values(lm.LossMatrix([[x * f for x in row] for row, f in zip(rows, factors)])) == before


@given(losses(), st.data())
def test_order_and_copies_change_nothing(loss, data):
    before = values(loss)
    labels, predictions = data.draw(permutations(loss.n)), data.draw(permutations(loss.k))
    assert values(lm.LossMatrix([[loss.entries[y][t] for t in predictions] for y in labels])) == before
    twice = data.draw(st.integers(0, loss.k - 1))
    assert values(lm.LossMatrix([[*row, row[twice]] for row in loss.entries])) == before
    assert values(lm.LossMatrix([[row[twice], *row] for row in loss.entries])) == before


@given(losses(max_n=4, max_k=5), st.data())
def test_what_is_never_better_changes_nothing(loss, data):
    t, extra = data.draw(st.integers(0, loss.k - 1)), data.draw(st.integers(0, 2))
    assert values(lm.LossMatrix([[*row, row[t] + extra] for row in loss.entries])) == values(loss)


@given(losses(max_n=4, max_k=5), st.data())
def test_fewer_labels_need_no_more_dimensions(loss, data):
    """A surrogate for L, on some of the rows, is one for these: what is at least for them is at most for all."""
    rows = data.draw(st.lists(st.sampled_from(range(loss.n)), min_size=2, max_size=loss.n, unique=True))
    part = lm.LossMatrix([loss.entries[y] for y in rows])
    assert lm.ccdim(part, designs=False).lower.value <= lm.ccdim(loss, designs=False).upper.value


# How the bounds are shown and kept.


SHOWN = {
    "zero-one": lambda: zero_one(3),
    "abstain": lambda: abstain(3),
    "abstain, within bounds": lambda: abstain(5),
    "hamming": lambda: hamming(2),
    "trivial": lambda: lm.LossMatrix([[0, 1], [0, 2]], name="trivial"),
}


@cache
def shown(name):
    return lm.ccdim(SHOWN[name]())


@pytest.mark.parametrize("name", SHOWN)
def test_prints(name):
    bounds = shown(name)
    head, text = str(bounds).split("\n", 1)
    assert repr(bounds) == head
    low, high = bounds.lower.value, bounds.upper.value
    ccdim = f"CCdim({bounds.loss.name})"
    assert head.startswith(f"{ccdim} = {low}  [" if low == high else f"{low} ≤ {ccdim} ≤ {high}  [")
    assert bounds.lower.theorem in head
    assert bounds.upper.theorem in head
    assert text.split() == " ".join(map(str, bounds.bounds)).split()
    assert max(map(len, text.splitlines())) <= 120
    for bound in bounds.bounds:
        sign = {"lower": "≥", "upper": "≤"}[bound.side]
        assert str(bound) == f"CCdim {sign} {bound.value}  {bound.theorem}: {bound.why}"
    assert bounds._repr_html_().startswith("<pre>")
    assert "\n" in bounds._repr_html_()


@pytest.mark.parametrize("name", SHOWN)
def test_plain_data(name):
    bounds = shown(name)
    data = bounds.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert (data["loss"], data["lower"], data["upper"]) == (bounds.loss.name, bounds.lower.value, bounds.upper.value)
    assert data["exact"] == bounds.exact
    assert [(each["side"], each["value"]) for each in data["bounds"]] == [(b.side, b.value) for b in bounds.bounds]
    assert data["notes"] == []


@pytest.mark.parametrize("name", SHOWN)
def test_latex(name):
    bounds = shown(name)
    begin, *rows, end = bounds.to_latex().splitlines()
    assert (begin, end) == ("\\begin{tabular}{ll}", "\\end{tabular}")
    assert len(rows) == len(bounds.bounds)
    for row, bound in zip(rows, bounds.bounds):
        sign = {"lower": "\\ge", "upper": "\\le"}[bound.side]
        assert row.startswith(f"$\\mathrm{{CCdim}} {sign} {bound.value}$ & ")
        assert row.isascii()
    assert [row.endswith(" \\\\") for row in rows] == [True] * (len(rows) - 1) + [False]


@pytest.mark.parametrize("name", SHOWN)
def test_pickles(name):
    bounds = shown(name)
    again = pickle.loads(pickle.dumps(bounds))
    assert again == bounds
    assert str(again) == str(bounds)
    assert [lm.verify(bound.certificate).accepted for bound in again.bounds] == [True] * len(bounds.bounds)
    assert [bound.certificate for bound in again.bounds] == [bound.certificate for bound in bounds.bounds]


def test_of_equal_bounds_the_first_is_named():
    bounds = lm.ccdim(zero_one(4))
    assert bounds.upper is bounds.bounds[0]
    assert bounds.lower is next(bound for bound in bounds.bounds if bound.side == "lower")
    assert lm.ccdim(zero_one(4)) == bounds
    assert lm.ccdim(zero_one(5)) != bounds


def test_bounds_do_not_depend_on_names():
    plain = abstain(4).entries
    named = lm.LossMatrix(plain, labels=list("wxyz"), predictions=["a", "b", "c", "d", 7])
    found = [lm.ccdim(loss, designs=False) for loss in (named, lm.LossMatrix(plain))]
    assert [(each.lower.value, each.upper.value, each.notes) for each in found] == [(2, 3, ())] * 2
    assert lm.verify(lm.ccdim(named).lower.certificate).accepted


def test_the_equaliser_is_found_away_from_the_middle():
    """p = (2/3, 1/3) makes both decisions equally good."""
    bound = lm.ccdim(lm.LossMatrix([[0, 1], [2, 0]])).lower
    assert bound.evidence.p == (2 * THIRD, THIRD)
    assert lm.ccdim(lm.LossMatrix([[0, 1], [1, 0]])).lower.evidence.p == (HALF, HALF)


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1], [0, 0]],
        [[0, 1, 0], [1, 0, 2]],
        [[0, 1, 1, 0], [1, 0, 1, 1], [1, 1, 0, 2]],
        [[1, 0, 2], [2, 1, 1], [5, 4, 4]],
    ],
)
def test_a_redundant_prediction_that_ties_does_not_spoil_the_certificates(rows):
    for bound in lm.ccdim(lm.LossMatrix(rows)).bounds:
        assert lm.verify(bound.certificate).accepted
