"""Pictures of comparisons, explanations and reliability: what is drawn is what was measured."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

from lossmith import plot
from lossmith.errors import BadInput
from lossmith.learn.comparison import Comparison, Practice
from lossmith.learn.explanation import Explanation, explained
from lossmith.learn.reliability_curves import Reliability, ReliabilityCurve

COMPARED = Comparison(
    "triage", (Practice("cheap", np.array([1.0, 3.0])), Practice("$5 or $10", np.array([2.0, 8.0]))), 0.5, "2 examples"
)
CURVE = ReliabilityCurve("yes", (0.2, 0.7), (0.3, 0.6), (0.1, 0.4), (0.5, 0.9), (10, 12))
EXPLAINED = explained(np.array([0.8, 0.2]), np.array([[0.0, 5], [30, 5]]), ["legit", "fraud"], ["pay", "review"])


def texts(figure):
    return {text.get_text() for text in figure.findobj(match=lambda each: hasattr(each, "get_text"))}


def test_a_comparison_has_a_dot_at_every_mean_and_a_line_at_the_truth():
    figure = plot.comparison(COMPARED)
    lines = [line.get_xydata().tolist() for line in figure.axes[0].lines]
    assert [[2.0, 0.0]] in lines
    assert [[5.0, 1.0]] in lines
    assert any([x for x, _ in line] == [0.5, 0.5] for line in lines)
    assert {"cheap", "$5 or $10", "triage"} <= texts(figure)


def test_the_interval_of_the_cheapest_is_a_point():
    figure = plot.comparison(COMPARED)
    assert [[2.0, 0.0], [2.0, 0.0]] in [line.get_xydata().tolist() for line in figure.axes[0].lines]


def test_an_explanation_has_bars_as_long_as_the_expected_costs():
    figure = plot.explanation(EXPLAINED, title="case 7")
    ends = {}
    for bar in figure.axes[0].patches:
        row = round(bar.get_y() + bar.get_height() / 2)
        ends[row] = max(ends.get(row, 0), bar.get_x() + bar.get_width())
    assert ends == pytest.approx({0: 5, 1: 6})  # review, the cheaper, is on top
    assert {"pay", "review", "case 7"} <= texts(figure)
    assert [each for each in texts(figure) if re.fullmatch(r"fraud, \w+ 0\.200", each)]


def test_an_explanation_without_probabilities_has_whole_bars():
    figure = plot.explanation(Explanation("a", {"a": 1.0, "b": 2.0}, {}, {}, None, ()))
    assert [bar.get_width() for bar in figure.axes[0].patches] == [1, 2]


def test_a_reliability_curve_passes_through_its_points():
    figure = plot.reliability(Reliability((CURVE,)))
    assert [[0.2, 0.3], [0.7, 0.6]] in [line.get_xydata().tolist() for line in figure.axes[0].lines]
    other = ReliabilityCurve("no", (0.3, 0.8), (0.4, 0.7), (0.1, 0.5), (0.6, 0.9), (12, 10))
    assert "no" not in texts(plot.reliability(Reliability((other, CURVE))))  # of two labels one tells both


@pytest.mark.parametrize(("count", "more"), [(10, 0), pytest.param(11, 1, marks=pytest.mark.exhaustive), (13, 3)])
def test_curves_that_are_not_drawn_are_counted(count, more):
    figure = plot.reliability(Reliability(tuple(replace(CURVE, label=f"label {i}") for i in range(count))))
    assert {f"label {i}" for i in range(10)} <= texts(figure)
    counts = [int(each.split()[0]) for each in texts(figure) if re.match(r"\d+ \w+", each)]
    assert counts == [more] * bool(more)


@pytest.mark.parametrize(("draw", "shown"), [(plot.comparison, COMPARED), (plot.explanation, EXPLAINED)])
def test_axes_that_are_given_are_used(draw, shown):
    figure = Figure()
    ax = figure.add_subplot()
    assert draw(shown, ax=ax, title="") is figure


@pytest.mark.parametrize("draw", [plot.comparison, plot.explanation, plot.reliability])
def test_something_else_is_refused(draw):
    with pytest.raises(BadInput, match="SimpleNamespace"):
        draw(SimpleNamespace())
