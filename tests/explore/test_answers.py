"""The answers of the page are those of the library."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import lossmith as lm
from lossmith.analysis.nearest_change import nearest_change
from lossmith.errors import BadInput, LossmithError
from lossmith.explore.answers import QUESTIONS
from lossmith.explore.drawing import around
from lossmith.explore.examples import examples
from lossmith.explore.state import loss_of, state_of
from strategies import distributions, loss_rows

STATES = {each["title"].split(":")[0]: each["state"] for each in examples()}
FRAUD, TRIAGE = STATES["Fraud"], STATES["Triage"]
FEW = ("Fraud", "Triage", "Reject option")
few_first = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FEW else pytest.mark.exhaustive) for name in STATES]
)


def ask(question, state=TRIAGE, **more):
    answer = QUESTIONS[question]({"state": state, **more}, None)
    json.dumps(answer, allow_nan=False)
    return answer


@few_first
def test_the_rule_is_that_of_analyze(name):
    study = lm.analyze(loss_of(STATES[name]))
    assert ask("picture", STATES[name])["rule"] == {
        "heading": study.rule.heading,
        "sentences": list(study.rule.sentences),
    }
    assert [each["decision"] for each in ask("picture", STATES[name])["redundant"]] == [
        each.prediction for each in study.redundant
    ]


@pytest.mark.parametrize("name", STATES)
def test_the_cells_cover_the_simplex_and_every_point_is_in_that_of_its_decision(name):
    """By areas, or volumes, of the faces that are drawn; and at the middle of each cell."""
    state = STATES[name]
    loss, cells = loss_of(state), ask("picture", state)["cells"]
    for cell in cells:
        assert cell["decision"] in loss.best(np.array([cell["centre"]])).tolist()
    if loss.n == 3:
        assert sum(area(cell) for cell in cells) == pytest.approx(area({"vertices": np.eye(3), "faces": [[0, 1, 2]]}))
    if loss.n == 4:
        assert sum(volume(cell) for cell in cells) == pytest.approx(volume({"vertices": np.eye(4), "faces": TETRA}))


TETRA = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]


def area(cell):
    """By triangles from the first corner, which is right only if one walks around."""
    (face,) = cell["faces"]
    points = np.array(cell["vertices"])[face][:, :2]
    x, y = points.T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2


def volume(cell):
    """By tetrahedra from the middle over triangles of each face."""
    points = np.array(cell["vertices"])[:, :3]
    middle, total = points.mean(axis=0), 0.0
    for face in cell["faces"]:
        for second, third in pairwise(face[1:]):
            total += abs(np.linalg.det(points[[face[0], second, third]] - middle)) / 6
    return total


def test_corners_are_walked_around_in_order():
    square = np.array([[0, 0], [1, 1], [1, 0], [0, 1]], dtype=float)
    flat = np.column_stack([square, 1 - square.sum(axis=1)])
    assert around(flat, range(4)) == [0, 2, 1, 3]


def test_more_labels_are_drawn_in_a_cut():
    state = state_of(lm.losses.ordinal(5))
    shown = ask("picture", state)
    assert shown["cuttable"]
    assert len(shown["cut"]) == 3
    assert ask("picture", state, cut=[0, 4])["cut"] == [0, 4]
    assert all(len(cell["vertices"][0]) == 2 for cell in ask("picture", state, cut=[0, 4])["cells"])
    for odd in ([9, 1], [0], "x", [0, 0], [True, False]):
        assert len(ask("picture", state, cut=odd)["cut"]) == 3


def test_thresholds_are_those_of_analyze():
    shown, study = ask("picture", STATES["Fraud"]), json.loads(lm.analyze(loss_of(STATES["Fraud"])).to_json())
    assert [[each["low"]["exact"], each["high"]["exact"]] for each in shown["thresholds"]] == [
        each["exact"] for each in study["thresholds"]
    ]


def test_many_labels_are_told_of_without_corners():
    draw = Random(0)
    rows = [[0 if y == t else Fraction(draw.randint(1, 2000), 100) for t in range(20)] for y in range(20)]
    shown = ask("picture", state_of(lm.LossMatrix(rows)))
    shares = [re.match(r"\d+ +\d+ %: P\(", each) for each in shown["rule"]["sentences"]]
    assert all(shares[:-1])
    assert len(shares) == 9  # the last one counts the others
    assert shown["surrogates"] == []


@given(loss_rows(), st.data())
def test_the_decision_at_a_point_is_the_exact_one(rows, data):
    loss = lm.LossMatrix(rows)
    p = data.draw(distributions(loss.n))
    found = ask("at", state_of(loss), p=[str(x) for x in p])
    risks = [sum(x * row[t] for x, row in zip(p, rows, strict=True)) for t in range(loss.k)]
    assert [each["exact"] for each in found["expected"]] == [str(risk) for risk in risks]
    assert found["best"] == [t for t in range(loss.k) if risks[t] == min(risks)]


@given(loss_rows(), st.data())
def test_the_next_change_is_the_nearest_one(rows, data):
    """Against a linear program for each other decision: the least Σ moved with the other one no dearer."""
    loss = lm.LossMatrix(rows)
    p = data.draw(distributions(loss.n))
    t = loss.optimal_predictions(p)[0]
    found = nearest_change(loss, p, t)
    distances = [moved for s in range(loss.k) if (moved := by_program(rows, p, t, s)) is not None]
    assert (found is None) == (not distances)
    if found is not None:
        assert float(found.moved) == pytest.approx(min(distances), abs=1e-7)
        assert sum(found.q) == 1
        assert min(found.q) >= 0
        assert sum(abs(a - b) for a, b in zip(p, found.q, strict=True)) == 2 * found.moved
        risks = loss.risk(found.q)
        assert risks[found.decision] <= risks[t]


def by_program(rows, p, t, s):
    d = [float(row[t] - row[s]) for row in rows]
    if not any(d):
        return None
    n = len(p)  # q and the parts that are added
    result = linprog(
        [0] * n + [1] * n,
        A_ub=[[-x for x in d] + [0] * n, *([*np.eye(n)[y], *-np.eye(n)[y]] for y in range(n))],
        b_ub=[0, *map(float, p)],
        A_eq=[[1] * n + [0] * n],
        b_eq=[1],
    )
    return result.fun if result.status == 0 else None


@pytest.mark.parametrize("p", [None, [], ["1"], ["1", "x", "0"], ["-1", "1", "1"], ["0", "0", "0"], [1, 0, 0], "100"])
def test_what_is_no_point_is_refused(p):
    with pytest.raises(BadInput):
        ask("at", p=p)


def test_practices_are_those_of_which():
    found, told = ask("practices", state_of(lm.losses.zero_one(3))), lm.which("zero-one:n=3")
    assert [each["status"] for each in found["practices"]] == [line.to_dict()["status"] for line in told]
    wrong = next(each for each in found["practices"] if each["trains"] == "Crammer–Singer hinge")
    assert wrong["status"] == "not calibrated"
    assert sum(wrong["at"]) == pytest.approx(1)


def test_a_surrogate_is_drawn_and_decided():
    found = ask("overlay", state_of(lm.losses.zero_one(3)), surrogate="crammer_singer(n=3)")
    assert found["status"] == "not calibrated"
    assert len(found["edges"]) == 3
    assert all(sum(end) == pytest.approx(1) for edge in found["edges"] for end in edge)
    assert ask("overlay", surrogate="softmax(n=3)")["status"] == "calibrated"
    with pytest.raises(LossmithError, match=r"os\.system"):
        ask("overlay", surrogate="os.system")


def test_the_dimension_and_the_design_are_those_of_the_library():
    found = ask("dimension", STATES["Reject option"])
    loss = loss_of(STATES["Reject option"])
    assert found["claim"] == lm.analyze(loss).claim
    assert found["design"]["dim"] == lm.design(loss).surrogate.dim == found["upper"]
    nothing = ask("dimension", state_of(lm.LossMatrix([[0, 1], [0, 1]])))
    assert nothing["design"] is None


def test_intervals_are_those_of_sensitivity():
    found, study = ask("sensitivity", FRAUD), lm.sensitivity(loss_of(FRAUD))
    assert found["text"] == str(study)
    assert len(found["costs"]) == 6


def test_a_range_moves_the_thresholds_to_those_of_its_ends():
    found = ask("range", FRAUD, row=1, column=0, low="200", high="$400")
    ends = [
        ask("picture", {**FRAUD, "costs": [["0", "5", "40"], [cost, "15", "2"]]})["thresholds"][0]["high"]
        for cost in ("400", "200")
    ]
    assert [band["ends"] for band in found["bands"]] == [ends]
    assert found["same"]
    for odd in ({"row": 9}, {"column": -1}, {"row": True}, {"low": "x"}, {"low": None}):
        with pytest.raises(BadInput):
            ask("range", FRAUD, **{"row": 1, "column": 0, "low": "1", "high": "2", **odd})


@pytest.mark.parametrize("kind", ["csv", "json", "report", "certificate"])
def test_files_hold_what_they_say(kind, tmp_path):
    found = ask("file", FRAUD, kind=kind)
    path = tmp_path / found["name"]
    path.write_text(found["text"])
    if kind in ("csv", "json"):
        assert lm.LossMatrix.from_file(path).entries == loss_of(FRAUD).entries
    elif kind == "certificate":
        assert lm.verify(path.read_text()).accepted
    else:
        assert f"<h1>{FRAUD['name']}</h1>" in found["text"]


def test_no_file_of_another_kind():
    with pytest.raises(LossmithError, match="csv"):
        ask("file", kind="../../etc/passwd")
