"""Messages and texts of the analysis of a loss: cells, redundant predictions, dimensions, designs; and of geometry."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest
from printed import messages

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets, same_cells
from lossmith.analysis.redundancy import redundant_predictions
from lossmith.answers import bounding
from lossmith.constructions.factorization import factorize
from lossmith.constructions.linear import linear
from lossmith.constructions.lower_hull import lower_hull
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.constructions.orderable import orderable
from lossmith.constructions.search.run import search
from lossmith.dimension.ge_feasible_subspace import ge_feasible_subspace
from lossmith.errors import TooLarge
from lossmith.geometry import covering as covering_module
from lossmith.geometry import double_description
from lossmith.geometry.covering import covering
from lossmith.geometry.double_description import GrowingCone, extreme_rays
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import abstain, add_abstain, hamming, ordinal, pairwise_disagreement, top_k, zero_one
from lossmith.surrogates import absolute, lee_lin_wahba, softmax, weston_watkins

TRIVIAL = lm.LossMatrix([[0, 1], [0, 2]], predictions=["wait", "treat"], name="trivial")
OPPOSED = lm.LossMatrix([[0, 0, 1, 1], [0, 0, 1, 2], [1, 2, 0, 2], [2, 1, 2, 0]], name="opposed")
SCATTERED = lm.LossMatrix([[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 1, 1]], name="scattered")
FRAUD = lm.LossMatrix([[0, 5, "25.5"], ["350.75", 20, 0]], ["ok", "fraud"], ["approve", "review", "decline"], "fraud")
TRIAGE = lm.LossMatrix(
    [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward", "transfer", "icu"],
    name="triage",
)
BUDGETS = {
    "cells of one kind": lambda: lm.trigger_sets(zero_one(30), max_vertices=1000),
    "more cells of one kind than are counted": lambda: lm.trigger_sets(zero_one(300)),
    "cells of many kinds": lambda: lm.trigger_sets(zero_one(30).scale_rows(range(1, 31)), max_vertices=1000),
    "cells after some were found": lambda: Facts(hamming(4)).cells(20),
    "cells of a surrogate": lambda: positive_normal_sets(weston_watkins(4), max_vertices=98),
    "faces": lambda: ge_feasible_subspace(Facts(hamming(2)), lm.trigger_sets(hamming(2)), 4, max_faces=1),
    "rays": lambda: extreme_rays(cube(8), max_rays=100),
}
DESIGNS = {
    "impossible": lambda: lm.design(zero_one(4), 2),
    "not found": lambda: lm.design(abstain(5), 2, budget=10),
    "another dimension": lambda: lm.design(abstain(4), 4, "square"),
    "not a dimension": lambda: lm.design(zero_one(3), 0),
    "too many dimensions": lambda: lm.design(zero_one(3), 100),
    "an unknown method": lambda: lm.design(zero_one(3), method="serach"),
    "nothing to learn": lambda: lm.design(TRIVIAL),
    "not orderable": lambda: lm.design(zero_one(3), method="orderable"),
    "linear, of one decision": lambda: linear(Facts(TRIVIAL)),
    "orderable, of one decision": lambda: orderable(Facts(TRIVIAL)),
    "lower hull, with an equaliser": lambda: lower_hull(Facts(zero_one(3))),
    "max-min hinge, too large": lambda: max_min_hinge(Facts(hamming(4)), max_vertices=20),
    "indices that are not there": lambda: factorize(zero_one(3), [0, 0]),
    "search in too many dimensions": lambda: search(Facts(zero_one(3)), 3),
    "search for one decision": lambda: search(Facts(TRIVIAL), 1),
    "search without a budget": lambda: search(Facts(zero_one(3)), 1, budget=0),
}
GEOMETRY = {
    "outside a polytope": lambda: lm.feasible_subspace_dimension(
        lm.trigger_sets(zero_one(3))[0].polytope, [0, "1/2", "1/2"]
    ),
    "outside a domain": lambda: positive_normal_set(lee_lin_wahba(3), [1, 1, 1]),
    "too few coordinates": lambda: positive_normal_set(lee_lin_wahba(3), [1, -1]),
    "other labels": lambda: same_cells(absolute(3), absolute(4)),
}


def cube(d: int) -> list[tuple[int, ...]]:
    """The cone over the cube [−1, 1]^d."""
    return [(1, *(sign * int(i == j) for j in range(d))) for i in range(d) for sign in (1, -1)]


@cache
def study(name: str):
    return lm.analyze({"fraud": FRAUD, "triage": TRIAGE, "zero-one": zero_one(10)}[name])


@pytest.mark.parametrize("kind", ["budgets", "designs", "geometry"])
def test_messages(snapshot, kind):
    assert messages({"budgets": BUDGETS, "designs": DESIGNS, "geometry": GEOMETRY}[kind]) == snapshot


def test_messages_about_work_that_is_not_done(monkeypatch, snapshot):
    monkeypatch.setattr(double_description, "LEAST_WORK", 3 * 10**6)
    monkeypatch.setattr(double_description, "WORK", 1)
    cone, row = GrowingCone(cube(12), max_rays=5_000), (0, *(3**i for i in range(12)))
    assert messages({"with a budget": lambda: cone.add([row])}) == snapshot
    monkeypatch.setattr(double_description, "LEAST_WORK", 10**5)
    assert messages({"without one": lambda: extreme_rays(cube(12))}) == snapshot


def test_messages_about_memory_that_is_not_taken(monkeypatch, snapshot):
    monkeypatch.setattr(double_description, "LEAST_ROOM", 10**3)
    monkeypatch.setattr(double_description, "ROOM", 1)
    assert messages({"rays": lambda: extreme_rays(cube(10), max_rays=2_000)}) == snapshot


def test_messages_about_coverings(monkeypatch, snapshot):
    monkeypatch.setattr(covering_module, "MOST_NODES", 3)
    marks = [None, *range(6), None]
    parts = [
        Polyhedron(1, (*([(-low, 1)] if low is not None else []), *([(high, -1)] if high is not None else [])))
        for low, high in pairwise(marks)
    ]
    assert messages({"nodes": lambda: covering(Polyhedron(1), parts)}) == snapshot


@pytest.mark.parametrize("name", ["fraud", "triage", "zero-one"])
def test_a_study(name, snapshot):
    assert str(study(name)) == snapshot


@pytest.mark.parametrize("name", ["fraud", "triage", "zero-one"])
def test_the_theory_of_a_study(name, snapshot):
    assert study(name).theory == snapshot


def test_the_theory_of_a_study_without_corners(snapshot):
    theory = lm.analyze(zero_one(5), max_vertices=10).theory
    assert re.sub(r"share \d+ %", "share … %", theory) == snapshot


def test_why_a_prediction_is_redundant(snapshot):
    def explained(rows):
        loss = lm.LossMatrix(rows, predictions=["a", "b", "c"])
        return [each.explain(loss) for each in redundant_predictions(loss)]

    copy, dominated = [[0, 1, 0], [1, 0, 1]], [[0, 1, 1], [1, 0, 1]]
    assert [explained(rows) for rows in (copy, dominated, [[0, 1, 4], [4, 3, 0]])] == snapshot


def test_polytopes(snapshot):
    loss = lm.LossMatrix([[0, 1], [1, 0], [1, 0]])
    assert [repr(lm.trigger_sets(loss, reduced=reduced)[0].polytope) for reduced in (False, True)] == snapshot


@pytest.mark.parametrize(
    "loss", [zero_one(3), abstain(4), hamming(2), TRIVIAL, OPPOSED, top_k(4, 2)], ids=lambda loss: loss.name
)
def test_bounds(loss, snapshot):
    assert str(lm.ccdim(loss)) == snapshot


def test_bounds_in_latex(snapshot):
    assert lm.ccdim(abstain(3)).to_latex() == snapshot


def interrupt(*_, **__):
    raise KeyboardInterrupt


def exceed(*_, **__):
    raise TooLarge("more than was allowed")


def test_notes_on_bounds(monkeypatch, snapshot):
    def notes(name, value, loss=None):
        with monkeypatch.context() as patched:
            patched.setattr(bounding, name, value)
            return lm.ccdim(loss or abstain(4), designs=loss is not None).notes

    scaled = abstain(4).scale_rows([1, 2, 3, 4])  # no surrogate of the catalogue serves
    found = {
        "interrupted at the equaliser": notes("eq_affdim_of_equalizer", interrupt),
        "interrupted in the search": notes("search", interrupt, scaled),
        "too large": notes("ge_feasible_subspace", exceed),
        "too many predictions": notes("_MOST_COMPARED", 5),
        "too many labels for the catalogue": notes("_MANY_LABELS", 3, abstain(4)),
        "too many vertices for the catalogue": notes("_CHECKED_ENTRIES", 8, abstain(4)),
        "too many labels for the search": notes("_FEW_LABELS", 3, scaled),
        "out of time": lm.ccdim(abstain(6), seconds=0).notes,
    }
    assert found == snapshot


def test_how_designs_are_made(snapshot):
    made = {
        "class probability": lm.design(add_abstain(ordinal(3), "1/2"), method="class-probability"),
        "search": lm.design(abstain(4)),
        "lower hull": lm.design(OPPOSED),
        "squares before a hinge": lm.design(SCATTERED),
        "squares before an order": lm.design(zero_one(2)),
        "squares of many dimensions": lm.design(zero_one(42)),
        "orderable": lm.design(ordinal(4)),
        "squares": lm.design(hamming(2), method="square"),
        "a heuristic decoding": lm.design(pairwise_disagreement(18)),
    }
    assert {name: each.made_by for name, each in made.items()} == snapshot


def test_verdicts_on_designs(snapshot):
    assert str(lm.design(ordinal(3))) == snapshot


def test_verdicts_on_smooth_surrogates(snapshot):
    assert str(lm.check(softmax(3), zero_one(3))) == snapshot


def test_what_a_search_found_and_what_it_missed(snapshot):
    tasks = ((ordinal(3), 1, 10), (zero_one(4), 2, 10))
    assert "\n".join(str(search(Facts(loss), dim, budget=budget)) for loss, dim, budget in tasks) == snapshot
