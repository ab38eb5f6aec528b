"""Texts in pictures, and messages of those that cannot be drawn."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from printed import messages

import lossmith as lm
from lossmith import plot
from lossmith.learn.comparison import Comparison, Practice
from lossmith.learn.explanation import explained
from lossmith.learn.reliability_curves import Reliability, ReliabilityCurve
from lossmith.losses import abstain, cost_sensitive_binary, ordinal, zero_one
from lossmith.surrogates import absolute, crammer_singer

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def texts(figure: Figure) -> str:
    """What can be read in a figure, each text once, without numbers and names of one letter."""
    found = dict.fromkeys(" ".join(each.get_text().split()) for each in figure.findobj(Text) if each.get_visible())
    return "\n".join(each for each in found if len(each) > 3 and any(letter.isalpha() for letter in each))


def verdict(pair, **how):
    return plot.verdict(lm.check(*pair, **how))


def at_a_point_without_area() -> Figure:
    return plot.verdict(
        SimpleNamespace(
            status="not calibrated", surrogate=crammer_singer(3), loss=abstain(3), u=(HALF, 0, 0), within=None,
            asked=SimpleNamespace(name="mine"), distributions=((HALF, QUARTER, QUARTER),),
        )
    )  # fmt: skip


def curve(label: str) -> ReliabilityCurve:
    return ReliabilityCurve(label, (0.2, 0.7), (0.3, 0.6), (0.1, 0.4), (0.5, 0.9), (10, 12))


def comparison() -> Figure:
    practices = Practice("first", np.array([1.0, 3.0])), Practice("second", np.array([2.0, 8.0]))
    return plot.comparison(Comparison("triage", practices, 0.5, "2 examples"))


def explanation() -> Figure:
    costs = np.array([[0.0, 5], [30, 5]])
    return plot.explanation(explained(np.array([0.8, 0.2]), costs, ["legit", "fraud"], ["pay", "review"]))


PICTURES = {
    "cells of a loss, a cut": lambda: plot.trigger_sets(ordinal(7)),
    "a verdict, calibrated": lambda: verdict((crammer_singer(3), abstain(3))),
    "a verdict, not calibrated": lambda: verdict((crammer_singer(2), cost_sensitive_binary("1/6"))),
    "a verdict on a pred": lambda: verdict((absolute(2), cost_sensitive_binary("1/6")), pred="nearest"),
    "a verdict on a pred that is right": lambda: verdict((absolute(2), zero_one(2)), pred="nearest"),
    "a verdict within a part": lambda: verdict((crammer_singer(2), zero_one(2)), within=lambda p: [p[0] >= "3/5"]),
    "a cell without area": at_a_point_without_area,
    "curves": lambda: plot.curves(absolute(3), loss=ordinal(3)),
    "curves that are not calibrated": lambda: plot.curves(absolute(3), loss=zero_one(3)),
    "a comparison": comparison,
    "an explanation": explanation,
    "reliability": lambda: plot.reliability(Reliability((curve("yes"),))),
    "reliability of many labels": lambda: plot.reliability(Reliability(tuple(curve(f"{i}") for i in range(13)))),
    "a census": lambda: plot.census(lm.census(2, 3, (0, 2), certificates=False)),
}

FIXED = {"n": 2, "dim": 1, "name": "fixed", "domain": lambda u: [u[0] == 1]}
MESSAGES = {
    "too many labels to draw": lambda: plot.trigger_sets(zero_one(7), labels=range(5)),
    "too many decisions": lambda: plot.neighbours(zero_one(80)),
    "axes of the plane for a body": lambda: plot.trigger_sets(zero_one(4), ax=Figure().add_subplot()),
    "axes of space for a triangle": lambda: plot.trigger_sets(zero_one(3), ax=Figure().add_subplot(projection="3d")),
    "another ending": lambda: plot.save(Figure(), "cells.jpeg"),
    "an undecided verdict": lambda: plot.verdict(SimpleNamespace(status="undecided")),
    "no verdict": lambda: plot.verdict(3),
    "a verdict of five labels": lambda: verdict((crammer_singer(5), zero_one(5))),
    "curves of three dimensions": lambda: plot.curves(crammer_singer(3)),
    "a loss with other labels": lambda: plot.curves(absolute(3), loss=zero_one(4)),
    "a domain of one point": lambda: plot.curves(
        lm.PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), **FIXED)
    ),
    "no comparison": lambda: plot.comparison(SimpleNamespace()),
    "no explanation": lambda: plot.explanation(SimpleNamespace()),
    "no reliability": lambda: plot.reliability(SimpleNamespace()),
    "no census": lambda: plot.census(zero_one(3)),
}


def test_texts_in_pictures(snapshot):
    assert "\n\n".join(f"{name}:\n{texts(draw())}" for name, draw in PICTURES.items()) == snapshot


def test_messages(snapshot):
    assert messages(MESSAGES) == snapshot


def test_without_latex_there_is_no_pgf(snapshot, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert messages({"pgf": lambda: plot.save(Figure(), "cells.pgf")}) == snapshot
