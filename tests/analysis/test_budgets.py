"""Budgets: work that would not end is refused early, with its size and the option that allows it."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses.refusal import assert_quotes
from lossmith import LossMatrix, analyze, trigger_sets
from lossmith.errors import LossmithError, TooLarge
from lossmith.losses import abstain, hamming, ordinal, top_k, zero_one
from strategies import loss_rows

# Members of families, and the number of vertices of their cells in closed form.
SIZES = [
    *((zero_one(n), 2**n - 1) for n in (2, 3, 5, 8, 10, 12)),
    *((ordinal(n), n * (n + 1) // 2) for n in (2, 3, 5, 10, 20, 40)),
    *((abstain(n), n * (n + 1) // 2) for n in (3, 5, 8, 12)),
    *((hamming(r), 3**r) for r in (5, 6)),
    *((top_k(n, n - 1), n + 1) for n in (3, 6)),
]

each_family = pytest.mark.parametrize(("loss", "size"), SIZES, ids=lambda value: getattr(value, "name", None))


def number_of_vertices(cells) -> int:
    return len({ray for cell in cells for ray in cell.polytope.rays})


def cells_or_refusal(loss: LossMatrix, **options):
    """The cells and None, or None and what the refusal says."""
    try:
        return trigger_sets(loss, **options), None
    except TooLarge as refusal:
        return None, str(refusal)


def test_too_many_vertices_are_refused_with_their_estimated_number_and_the_option_that_allows_them():
    lopsided = zero_one(30).scale_rows(range(1, 31))  # as many vertices, and no label is like another
    for loss, number in ((zero_one(30), "1,073,741,823"), (lopsided, r"10\^(8|9|10)")):
        with pytest.raises(TooLarge) as refusal:
            trigger_sets(loss, max_vertices=1000)
        message = str(refusal.value)
        assert "\n" not in message
        assert re.search(number, message)  # 2^30 − 1 is about 10^9
        assert_quotes(message, "1,000", "max_vertices")


def test_the_refusal_is_an_error_of_this_library():
    with pytest.raises(LossmithError):
        trigger_sets(zero_one(30), max_vertices=1000)


def test_the_default_budget_refuses_what_has_a_thousand_million_vertices():
    with pytest.raises(TooLarge, match="100,000"):
        trigger_sets(zero_one(30))


def test_a_study_goes_on_without_the_cells_and_says_why():
    study = analyze(zero_one(30), max_vertices=1000)
    assert study.trigger_sets is None
    assert_quotes(study.too_large, "1,000", "max_vertices=…")
    assert " ".join(study.theory.split()).endswith(study.too_large)
    assert [study.affdim, study.dimension.exact, len(study.facts.winning)] == [29, 29, 30]
    assert analyze(zero_one(30), cells=False).affdim == 29


@each_family
def test_one_vertex_less_than_needed_is_refused(loss, size):
    with pytest.raises(TooLarge, match=rf"\b{size - 1:,}\b.*max_vertices"):
        trigger_sets(loss, max_vertices=size - 1)


def test_nothing_is_refused_whose_result_fits_in_the_budget():
    answers = {loss.name: cells_or_refusal(loss, max_vertices=size) for loss, size in SIZES}
    assert {name: refusal for name, (_, refusal) in answers.items() if refusal} == {}


@pytest.mark.parametrize(
    ("n", "step", "price", "budget"),
    [(12, 1, 2, 100), (14, 1, 2, 200), (15, 1, 2, 500), (14, Fraction(1, 14), 1, 300), (15, Fraction(1, 15), 1, 500)],
)
def test_a_quiet_start_does_not_lead_far_beyond_the_budget(n, step, price, budget):
    # Distances plus a price come first and add few vertices each; the 0-1 columns after them cost less and add 2^n − 1.
    rows = [[*(step * abs(y - t) + price for t in range(n)), *(int(y != t) for t in range(n))] for y in range(n)]
    _, refusal = cells_or_refusal(LossMatrix(rows), max_vertices=budget)
    enumerated = int(re.search(r"[\d,]+", refusal)[0].replace(",", ""))
    assert enumerated <= 16 * budget  # four times as many on the way, and a batch may lead to four times that


@each_family
def test_a_budget_of_four_times_the_result_is_enough(loss, size):
    assert number_of_vertices(trigger_sets(loss, max_vertices=4 * size)) == size


@each_family
def test_the_default_budget_is_enough(loss, size):
    assert number_of_vertices(trigger_sets(loss)) == size


@pytest.mark.parametrize("reduced", [False, True])
@given(rows=loss_rows(max_k=7), budget=st.integers(1, 30))
def test_a_budget_is_kept_or_the_work_refused(reduced, rows, budget):
    loss = LossMatrix(rows)
    cells, refusal = cells_or_refusal(loss, reduced=reduced, max_vertices=budget)
    if refusal is None:
        assert number_of_vertices(cells) <= budget
        assert cells == trigger_sets(loss, reduced=reduced)
    else:
        assert_quotes(refusal, f"{budget}", "max_vertices")
        assert "\n" not in refusal


@given(loss_rows(), st.integers(1, 200))
def test_a_larger_budget_never_changes_the_cells(rows, more):
    loss = LossMatrix(rows)
    assert trigger_sets(loss, max_vertices=1000 + more) == trigger_sets(loss)
