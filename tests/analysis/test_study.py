"""A study puts the answers together without changing them."""

from __future__ import annotations

import json
import re
from fractions import Fraction

from hypothesis import given

import reference
from lossmith import LossMatrix, analyze, trigger_sets
from lossmith.losses import abstain, hamming
from strategies import examples, loss_rows


@examples(3)
@given(loss_rows())
def test_a_study_holds_the_cells_of_the_loss(rows):
    loss = LossMatrix(rows)
    assert analyze(loss).trigger_sets == trigger_sets(loss)


@examples(3)
@given(loss_rows())
def test_the_cells_and_the_redundant_predictions_share_all_predictions_between_them(rows):
    study = analyze(LossMatrix(rows))
    cells, dropped = {cell.prediction for cell in study.trigger_sets}, {each.prediction for each in study.redundant}
    assert cells | dropped == set(range(len(rows[0])))
    assert not cells & dropped


@examples(3)
@given(loss_rows())
def test_the_dimensions_are_those_of_the_kept_predictions(rows):
    kept = reference.kept_predictions(rows)
    shorter = tuple(tuple(row[t] for t in kept) for row in rows)
    study = analyze(LossMatrix(rows))
    assert (study.affdim, study.rank) == (reference.affdim(shorter), reference.rank(shorter))


@examples(3)
@given(loss_rows())
def test_leaving_out_the_cells_changes_nothing_else(rows):
    loss = LossMatrix(rows)
    study, without = analyze(loss), analyze(loss, cells=False)
    assert without.trigger_sets is None
    assert (without.affdim, without.rank, without.redundant) == (study.affdim, study.rank, study.redundant)


@examples(3)
@given(loss_rows())
def test_the_json_of_a_study_holds_the_exact_vertices(rows):
    study = analyze(LossMatrix(rows))
    cells = json.loads(study.to_json())["cells"]
    read = [tuple(tuple(map(Fraction, vertex)) for vertex in cell["vertices"]) for cell in cells]
    assert read == [cell.polytope.vertices for cell in study.trigger_sets]
    assert [cell["prediction"] for cell in cells] == [cell.prediction for cell in study.trigger_sets]


@examples(3)
@given(loss_rows())
def test_the_text_names_every_redundant_prediction(rows):
    names = [f"answer-{t}" for t in range(len(rows[0]))]
    study = analyze(LossMatrix(rows, predictions=names))
    for text in (str(study), study.theory):
        words = " ".join(text.split())
        for each in study.redundant:
            assert each.explain(study.loss) in words
    assert f"affdim {study.affdim}, rank {study.rank}" in study.theory


def test_a_redundant_abstention_does_not_count_for_the_dimension():
    # At 2/3 and more a guess among three labels is as cheap as abstaining.
    study = analyze(abstain(3, cost="9/10"))
    assert [each.prediction for each in study.redundant] == [3]
    assert study.affdim == 2


def test_a_study_of_many_labels_works_in_reduced_coordinates():
    study = analyze(hamming(5))
    assert study.affdim == 5
    assert len(study.trigger_sets) == 32
    assert len(study.trigger_sets[0].coordinates[0]) == 5


def test_what_holds_for_many_is_told_once():
    """All cells touch, and all of what is left out has one reason."""
    rows = [[(3 * t * t + 5 * y * y + 7 * t * y) % 101 for t in range(8)] for y in range(8)]
    theory = " ".join(analyze(rows, max_vertices=50).theory.split())
    assert theory.count("max_vertices=…") == 1
    assert theory.count(" 50;") == 1
    assert not re.search(r"\d(, \d){6}", theory)  # no list of the seven neighbours of a cell
