"""CCdim is the number of labels less one, where through some p no line stays in a cell."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
import reference
from lossmith.analysis.facts import Facts
from lossmith.dimension import ge_labels_of_no_line as module
from lossmith.dimension.ge_labels_of_no_line import ge_labels_of_no_line
from lossmith.errors import TooLarge
from lossmith.losses import abstain, hamming, ordinal, zero_one
from strategies import examples

# Right and wrong for labels 1, 2, 3, abstaining, and a decision that only label 0 dislikes: where it ties with
# abstaining, at probability 1/2 of label 0, lies the triangle of abstain(3): lines through its middle leave the cell.
UNDECIDED = lm.LossMatrix([[0, 0, 0, 0, 1], [0, 1, 2, 2, 0], [2, 1, 0, 2, 0], [2, 1, 2, 0, 0]])


def lines_within(loss, t: int, p) -> bool:
    """Whether a line through p > 0 stays in the cell of t: by the corners of the cell on each two facets of Δ."""
    corners = reference.cell_vertices(loss.entries, t)
    ends = [[q for q in corners if not (q[i] and q[j])] for j in range(loss.n) for i in range(j)]
    return any(reference.in_hull(p, each) for each in ends)


def test_what_was_open_is_three():
    bounds = lm.ccdim(UNDECIDED)
    assert (bounds.exact, bounds.lower.theorem) == (3, "no line in a cell")
    p, t = bounds.lower.evidence.p, bounds.lower.evidence.prediction
    assert min(p) > 0
    assert reference.argmin(UNDECIDED.entries, p) == (t,)
    assert not lines_within(UNDECIDED, t, p)
    assert lm.verify(bounds.lower.certificate).accepted


def test_one_dimension_leaves_lines_and_two_of_four_labels_do():
    for loss, above, enough in ((ordinal(3), 1, 2), (ordinal(4), 2, 3), (hamming(2), 2, 3), (abstain(4), 2, 3)):
        assert ge_labels_of_no_line(Facts(loss), above, enough) is None, loss.name


def test_on_fewer_labels():
    """0-1 with five labels: the bound 2 from three of them."""
    bound = ge_labels_of_no_line(Facts(zero_one(5)), 1, 2)
    assert bound.value == 2
    assert sum(x > 0 for x in bound.evidence.p) == 3
    assert lm.verify(bound.certificate).accepted


def test_cells_that_fall_into_too_many_parts_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_PARTS", 1)
    with pytest.raises(TooLarge, match=r"\b1\b"):
        ge_labels_of_no_line(Facts(ordinal(3)), 1, 2)


@st.composite
def small(draw):
    n, k = draw(st.integers(3, 4)), draw(st.integers(3, 5))
    return lm.LossMatrix([[draw(st.integers(0, 3)) for _ in range(k)] for _ in range(n)])


@examples(12)
@given(small())
def test_it_is_true_and_certified_or_there_are_lines_everywhere(loss):
    facts, top = Facts(loss), loss.n - 1
    bound = ge_labels_of_no_line(facts, top - 1, top)
    if bound is not None:
        assert bound.value == top <= lm.ccdim(loss).upper.value
        assert lm.verify(bound.certificate).accepted
        assert not lines_within(loss, bound.evidence.prediction, bound.evidence.p)
        return
    assert lm.ccdim(loss, designs=False).lower.value < top or loss.n == 3  # an inner corner of cells would be found
    for cell in facts.cells(reduced=False):
        corners = cell.polytope.vertices
        middle = tuple(sum(column, Fraction(0)) / len(corners) for column in zip(*corners))
        assert lines_within(loss, cell.prediction, middle)
