"""CCdim is affdim exactly if some p > 0 makes all risks equal, and less if none does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
import reference
from lossmith.analysis.facts import Facts
from lossmith.constructions.lower_hull import lower_hull
from lossmith.errors import BadInput
from lossmith.losses import zero_one
from strategies import examples

# p = (1/3, 0, 1/3, 1/3) makes all risks equal, and no other p does.
OPPOSED = lm.LossMatrix([[0, 0, 1, 1], [0, 0, 1, 2], [1, 2, 0, 2], [2, 1, 2, 0]])


def needed(loss) -> lm.LossMatrix:
    return lm.LossMatrix([[row[t] for t in reference.kept_predictions(loss.entries)] for row in loss.entries])


@st.composite
def degenerate(draw):
    """Small entries, so that some p ≥ 0 with zeros often makes risks equal where no p > 0 does."""
    n, k = draw(st.integers(3, 5)), draw(st.integers(3, 5))
    return lm.LossMatrix([[draw(st.integers(0, 2)) for _ in range(k)] for _ in range(n)])


def test_two_dimensions_where_squares_need_three():
    bounds = lm.ccdim(OPPOSED, designs=False)
    assert (lm.affdim(OPPOSED), bounds.exact) == (3, 2)
    assert bounds.upper.theorem.startswith("affdim − 1")
    assert lm.verify(bounds.upper.certificate).accepted
    assert Facts(OPPOSED).positive is None


def test_the_surrogate_has_the_risks_of_the_loss():
    """min over the plane of p·ψ is min_t p·ℓ_t: at every p of a grid, those on few labels included."""
    psi = lower_hull(Facts(OPPOSED)).surrogate
    for weights in product(range(3), repeat=4):
        if any(weights):
            p = reference.normalised([Fraction(x) for x in weights])
            assert psi.bayes_risk(p) == min(reference.dot(p, OPPOSED.column(t)) for t in range(4))


def test_its_pred_is_calibrated_and_design_offers_it():
    made = lower_hull(Facts(OPPOSED))
    assert lm.check(made.surrogate, OPPOSED, pred=made.pred).status == "calibrated"
    designed = lm.design(OPPOSED)
    assert designed.surrogate.dim == 2
    assert "lower hull" in designed.made_by


@examples(15)
@given(degenerate())
def test_affdim_is_reached_exactly_if_a_positive_distribution_makes_all_risks_equal(loss):
    """By Stiemke's theorem there is such a p, or a w ≥ 0 in the span; whichever is told is seen to be one."""
    small = needed(loss)
    facts, bounds = Facts(small), lm.ccdim(small, designs=False)
    span = reference.affine_dimension([small.column(t) for t in range(small.k)])
    w = facts.nonnegative
    if small.k == 1:
        assert bounds.exact == 0
    elif w is None:
        assert bounds.exact == span
        p = bounds.lower.evidence.p
        assert min(p) > 0
        assert len({reference.dot(p, small.column(t)) for t in range(small.k)}) == 1
    else:
        assert min(w) >= 0 < max(w)
        assert reference.rank([w, *facts.differences[1:]]) == span
        assert bounds.upper.value < span
        made = lower_hull(facts)
        assert made.surrogate.dim == span - 1
        verdict = lm.check(made.surrogate, small)
        assert verdict.status == "calibrated"
        assert lm.verify(verdict.certificate).accepted


@examples(10)
@given(degenerate())
def test_up_to_three_labels_or_four_needed_decisions_nothing_is_open(loss):
    small = needed(loss)
    few = small if small.n <= 3 or small.k <= 4 else needed(lm.LossMatrix(small.entries[:3]))
    assert lm.ccdim(few, designs=False).exact is not None


def test_with_an_equaliser_there_is_nothing_to_save():
    with pytest.raises(BadInput, match=r"p > 0 .*zero_one\(n=3\)"):
        lower_hull(Facts(zero_one(3)))
