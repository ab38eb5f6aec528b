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


@examples(4)
@given(loss_rows())
def test_a_study_holds_what_is_known_of_the_loss(rows):
    loss = LossMatrix(rows, predictions=[f"answer-{t}" for t in range(len(rows[0]))])
    study = analyze(loss)
    assert study.trigger_sets == trigger_sets(loss)
    assert_shares_all_predictions(study)
    assert_dimensions_are_those_of_the_kept_predictions(study)
    assert_json_holds_the_exact_vertices(study)
    assert_text_names_every_redundant_prediction(study)
    without = analyze(loss, cells=False)
    assert without.trigger_sets is None
    assert (without.affdim, without.rank, without.redundant) == (study.affdim, study.rank, study.redundant)


def assert_shares_all_predictions(study) -> None:
    """Each prediction has a cell or is redundant."""
    cells, dropped = {cell.prediction for cell in study.trigger_sets}, {each.prediction for each in study.redundant}
    assert cells | dropped == set(range(study.loss.k))
    assert not cells & dropped


def assert_dimensions_are_those_of_the_kept_predictions(study) -> None:
    kept = reference.kept_predictions(study.loss.entries)
    shorter = tuple(tuple(row[t] for t in kept) for row in study.loss.entries)
    assert (study.affdim, study.rank) == (reference.affdim(shorter), reference.rank(shorter))


def assert_json_holds_the_exact_vertices(study) -> None:
    cells = json.loads(study.to_json())["cells"]
    read = [tuple(tuple(map(Fraction, vertex)) for vertex in cell["vertices"]) for cell in cells]
    assert read == [cell.polytope.vertices for cell in study.trigger_sets]
    assert [cell["prediction"] for cell in cells] == [
        study.loss.predictions[cell.prediction] for cell in study.trigger_sets
    ]


def assert_text_names_every_redundant_prediction(study) -> None:
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
