"""def:trigger-prob: both forms of the definition describe the cells."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from lossmith import trigger_sets
from lossmith.losses import CATALOGUE
from strategies import distributions

FEW = ("zero_one", "ordinal", "hamming", "abstain")  # families whose first member is among the fast tests
SMALL = [(family, number) for family in CATALOGUE for number in range(len(family.small))]
each_loss = pytest.mark.parametrize(
    ("family", "number"),
    [
        pytest.param(family, number, marks=[] if family.name in FEW and not number else pytest.mark.exhaustive)
        for family, number in SMALL
    ],
    ids=[f"{family.name}-{number}" for family, number in SMALL],
)


@cache
def loss_of(family, number):
    return family(**family.small[number])


cells_of = cache(trigger_sets)


@each_loss
@given(data=st.data())
def test_a_cell_is_where_no_other_prediction_has_less_risk(family, number, data):
    loss = loss_of(family, number)
    p = data.draw(distributions(loss.n))
    for cell in cells_of(loss):
        own = loss.column(cell.prediction)
        no_better = all(reference.dot(p, [a - b for a, b in zip(own, loss.column(s))]) <= 0 for s in range(loss.k))
        assert cell.polytope.contains(p) == no_better


@each_loss
@given(data=st.data())
def test_a_cell_is_where_its_prediction_is_in_the_argmin(family, number, data):
    loss = loss_of(family, number)
    p = data.draw(distributions(loss.n))
    for cell in cells_of(loss):
        assert cell.polytope.contains(p) == (cell.prediction in reference.argmin(loss.entries, p))
