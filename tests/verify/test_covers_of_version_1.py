"""Version 1 has no evidence that regions cover, or what is said near a point: the checker finds it by itself."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import naive
import pytest
from attacks import crammer_singer_with_a_gap
from handmade import ALL, certificate, hinge_for_zero_one, numbers, rows, text, weights, zero_one
from hypothesis import example, given
from hypothesis import strategies as st

from lossmith_verify import arithmetic, check

MEAN = {"estimates": [["0"], ["1"], ["2"]], "theorem": "mean"}


def on_the_line(ends, surrogate=MEAN):
    """A proof for a loss that is always the same, with a pred that says t on an interval, or several."""
    regions = [
        [rows(*([] if a is None else [[-a, 1]]), *([] if b is None else [[b, -1]])) for a, b in intervals]
        for intervals in ends
    ]
    return certificate("calibrated", {"entries": [["0"] * len(ends)] * 3}, surrogate, {}, pred={"regions": regions})


def covered(intervals) -> bool:
    """Whether closed intervals cover the line: their ends, the points between, and both sides, are looked at."""
    ends = sorted({x for interval in intervals for x in interval if x is not None})
    points = [(a + b) / 2 for a, b in pairwise(ends)] + ends + [x + s for x in ends[:1] + ends[-1:] for s in (-1, 1)]
    return all(any((a is None or a <= x) and (b is None or x <= b) for a, b in intervals) for x in points or [0])


END = st.none() | st.integers(-3, 3).map(Fraction)


@given(st.lists(st.lists(st.tuples(END, END), max_size=2), min_size=1, max_size=3))
@example([[(None, Fraction(0))], [(Fraction(0), None)]])
@example([[(None, Fraction(0))], [(Fraction(1), None)]])
@example([[(None, None)], []])
@example([[], []])
def test_on_the_line_it_sees_what_is_left(ends):
    made = on_the_line(ends)
    intervals = [each for several in ends for each in several]
    assert check(text(made)).accepted == covered(intervals) == naive.holds(made)


SMALL = st.integers(-1, 1)


@given(st.lists(st.lists(st.tuples(SMALL, SMALL, SMALL), max_size=2), min_size=1, max_size=3), st.booleans())
def test_in_the_plane_it_sees_what_the_naive_reading_sees(pieces, on_a_line):
    """Of all the plane, or of a line in it that a polyhedral surrogate is restricted to."""
    regions = [[rows(*(list(row) for row in piece))] for piece in pieces]
    if on_a_line:
        psi = {"dim": 2, "terms": [[[numbers([0, 0, 0])]]] * 2, "inequalities": [], "equations": [numbers([1, 1, 1])]}
        vertices = [weights(p, [(0, 0, 0, p[0]), (1, 0, 0, p[1])]) for p in ([1, 0], [0, 1])]
        evidence = {"cells": [{"u": ["-1", "0"]}], "vertices": vertices, "apart": []}
        loss = {"entries": [["0"] * len(pieces)] * 2}
    else:
        psi, evidence = {"estimates": [["0", "0"], ["1", "0"]], "theorem": "mean"}, {}
        loss = {"entries": [["0"] * len(pieces)] * 2}
    made = certificate("calibrated", loss, psi, evidence, pred={"regions": regions})
    assert check(text(made)).accepted == naive.holds(made)


def near(regions, u, t, i=0):
    """The hinge for two labels, at a u where only 0 is optimal at p = (3/4, 1/4)."""
    point = weights(["3/4", "1/4"], [(0, 0, 0, "1/2"), (0, 0, 1, "1/4"), (1, 0, 1, "1/4")])
    evidence = {"u": numbers([u]), "points": [point], "better": 0, "prediction": t, "piece": i}
    return certificate("not calibrated", zero_one(2), hinge_for_zero_one()["surrogate"], evidence, pred=regions)


@pytest.mark.parametrize(
    ("first", "accepted"),
    [
        ([rows([-1, 1])], True),  # 0 from 1 on: below 1 it says 1
        ([rows([0, 1])], False),  # 0 from 0 on: around 1 it says 0
        ([rows([-1, 1]), rows([1, -1])], False),  # on both sides of 1
        ([rows(equations=[[-1, 1]])], True),  # only at 1
        ([rows([-2, 1])], True),  # not near 1
        ([rows([-1, 1], [2, -1])], True),
        ([rows()], False),
        ([], True),
    ],
)
def test_what_is_said_near_a_point(first, accepted):
    made = near({"regions": [first, [rows()]]}, 1, 1)
    assert check(text(made)).accepted == accepted == naive.holds(made)


def test_estimates_at_the_edge_are_not_read_off():
    """The estimate (1, 0) of the first label is told by no u, nor is any (x_0, x_1) with x_1 ≤ 0."""
    skew = {"entries": [["0", "1"], ["0", "0"]]}
    estimates = {"estimates": [["1", "0"], ["0", "1"]], "theorem": "proper composite"}
    for row, said in (([0, 0, -1], False), ([1, 0, -2], True)):  # x_1 ≤ 0; x_1 ≤ 1/2
        evidence = {"u": ["1", "0"], "points": [{"p": ["1", "0"]}], "better": 0, "prediction": 1, "piece": 0}
        pred = {"regions": [[], [rows(row)]]}
        made = certificate("not calibrated", skew, estimates, evidence, pred=pred)
        assert check(text(made)).accepted == said == naive.holds(made)


def test_a_gap_is_seen_that_no_cell_lies_in():
    """Only the cells were looked at once: with the cell in the gap moved, nothing was left to be seen."""
    made = crammer_singer_with_a_gap(1)
    made["evidence"]["cells"] = [cell for cell in made["evidence"]["cells"] if any(x != "0" for x in cell["u"])]
    assert not check(text(made)).accepted
    gap = on_the_line([[(None, Fraction(1, 4))], [(Fraction(1, 2), None)]])
    verdict = check(text(gap))
    assert not verdict.accepted
    assert verdict.why.startswith("pred.regions: ")


def test_many_pieces_cost_no_more_than_the_budget(monkeypatch):
    """Slabs that leave parts on both sides, each, and three pieces that cover, of which none does alone."""
    d, count = 6, 16
    slabs = [
        rows([0, *row], [1, *(-x for x in row)])
        for i in range(count)
        for row in [[(i * j * j + i) % 11 - 5 for j in range(d)]]
    ]
    slabs += [rows([0, 1, *[0] * (d - 1)], [0, 0, 1, *[0] * (d - 2)], [0] * (d + 1))]
    surrogate = {"estimates": [["0"] * d, ["1"] * d], "theorem": "mean"}
    regions = {
        "regions": [
            slabs,
            [
                rows([0, -1, *[0] * (d - 1)], *[[0] * (d + 1)] * 2),
                rows([0, 0, -1, *[0] * (d - 2)], *[[0] * (d + 1)] * 2),
            ],
        ]
    }
    made = certificate("calibrated", {"entries": [["0"] * 2] * 2}, surrogate, {}, pred=regions)
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 300_000)
    verdict = check(json.dumps(made))
    assert not verdict.accepted
    assert verdict.why.startswith("too much work: ")


def test_a_piece_with_fewer_rows_is_looked_at_first(monkeypatch):
    """Behind many slabs the one piece that is everything would cost the budget."""
    slabs = [rows([0, i, 1], [1, -i, -1]) for i in range(200)]
    surrogate = {"estimates": [["0", "0"], ["1", "1"]], "theorem": "mean"}
    made = certificate("calibrated", {"entries": [["0"]] * 2}, surrogate, {}, pred={"regions": [[*slabs, rows()]]})
    assert check(json.dumps(made)).accepted


def test_both_versions_say_the_same_of_handmade_preds():
    made = [name for name in ALL if "pred" in ALL[name] and ALL[name]["version"] == 1]
    assert len(made) > 5
    assert all(check(text(ALL[name])).accepted for name in made)
