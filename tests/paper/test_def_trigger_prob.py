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

LOSSES = [family(**parameters) for family in CATALOGUE for parameters in family.small]

each_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)


cells_of = cache(trigger_sets)


@each_loss
@given(data=st.data())
def test_a_cell_is_where_no_other_prediction_has_less_risk(loss, data):
    p = data.draw(distributions(loss.n))
    for cell in cells_of(loss):
        own = loss.column(cell.prediction)
        no_better = all(reference.dot(p, [a - b for a, b in zip(own, loss.column(s))]) <= 0 for s in range(loss.k))
        assert cell.polytope.contains(p) == no_better


@each_loss
@given(data=st.data())
def test_a_cell_is_where_its_prediction_is_in_the_argmin(loss, data):
    p = data.draw(distributions(loss.n))
    for cell in cells_of(loss):
        assert cell.polytope.contains(p) == (cell.prediction in reference.argmin(loss.entries, p))
