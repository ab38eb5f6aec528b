"""The table of every surrogate against every loss: the verdicts that the literature knows, and how it is written."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.answers.cataloguing import catalogue, decided, member_of_size
from lossmith.errors import TooLarge
from lossmith.families import Family
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import abstain, hamming, hierarchical, ordinal, top_k, zero_one
from lossmith.losses.named import loss_named
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates import (
    absolute,
    abstain_crammer_singer,
    binary_encoded,
    crammer_singer,
    one_vs_all_hinge,
    one_vs_one_hinge,
    softmax,
    weston_watkins,
)
from lossmith.surrogates.members import TRIED, fitting_surrogate, fitting_surrogates

DIMENSIONS = {  # for 2, 3 and 4 labels
    "crammer_singer": "234",
    "absolute": "111",
    "binary_encoded": "122",
    "one_vs_one_hinge": "136",
    "all_threshold_hinge": "123",
    "class_probability": "123",
    "binary_relevance_hinge": "1–2",  # 3 is no power of 2
}


SIZES = (2, 3, 4)
each_size = pytest.mark.parametrize("n", [3, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in SIZES if n != 3)])


@cache
def table_of(n):
    return catalogue(n=n)


def mark_of(n, surrogate, loss):
    known = loss in LOSSES
    table = table_of(n) if known else catalogue([loss], [surrogate], n)
    i = [each.name for each in table.surrogates].index(surrogate.name)
    entry = table.entries[i][LOSSES.index(loss) if known else 0]
    return "–" if entry is None else entry.mark


CLAIMS = [  # those about one pred, or about losses of no family, are held by the conformance tests
    (surrogate, claim)
    for surrogate in SURROGATES
    for claim in surrogate.verdicts
    if not claim.pred and (claim.loss is None or isinstance(claim.loss, Family))
]


@each_size
def test_published_verdicts_come_out(n):
    for surrogate, claim in CLAIMS:
        stated = claim.marks[SIZES.index(n)]
        for loss in LOSSES if claim.loss is None else [claim.loss]:
            mark = mark_of(n, surrogate, loss)
            expected = stated in ("·", mark) or (claim.loss is None and mark == "–")
            assert expected, (surrogate.name, loss.name, claim, mark)


@each_size
def test_each_surrogate_shows_its_dimension(n):
    table = table_of(n)
    names = [each.name for each in table.surrogates]
    shown = {name: table.dimension(names.index(name)) for name in DIMENSIONS}
    assert shown == {name: dimensions[SIZES.index(n)] for name, dimensions in DIMENSIONS.items()}


def test_nothing_is_undecided_and_every_verdict_has_a_certificate_that_is_accepted():
    for entry in table_of(3).found:
        assert entry.mark in "CN"
        answer = lm.verify(entry.certificate)
        assert answer.accepted, answer.why


@each_size
def test_every_pair_of_equal_size_is_decided(n):
    table = table_of(n)
    sizes = {loss.n for loss in table.losses if isinstance(loss, lm.LossMatrix)}
    assert sizes == {n}
    for row, surrogate in zip(table.entries, table.surrogates):
        fits = [isinstance(loss, lm.LossMatrix) and fitting_surrogate(surrogate, loss) for loss in table.losses]
        assert [bool(each) for each in row] == [bool(each) for each in fits]


def test_families_have_a_member_of_a_size_or_none():
    assert [member_of_size(hamming, n) is not None for n in (2, 3, 4, 5, 8)] == [True, False, True, False, True]
    assert member_of_size(ordinal, 5) == ordinal(5)
    assert member_of_size(top_k, 2).name == "top_k(n=2, k=1)"
    assert member_of_size(top_k, 5, [zero_one(5)]).name == "top_k(n=5, k=2)"  # top-1 is 0-1
    assert member_of_size(hierarchical, 3).n == 3


def test_the_cost_of_abstaining_is_that_of_the_loss():
    named = {each.name for each in fitting_surrogates(abstain(3, "2/5"))}
    assert {"binary_encoded(n=3, cost=2/5)", "abstain_crammer_singer(n=3, cost=2/5)"} <= named
    assert fitting_surrogate(abstain_crammer_singer, ordinal(3)) is None
    assert fitting_surrogate(binary_encoded, ordinal(3)) == binary_encoded(3)


def test_members_and_losses_of_ones_own_keep_their_size():
    mine = lm.LossMatrix([[0, 1], [5, 0]], name="clinic")
    table = catalogue([mine, zero_one], [softmax, crammer_singer(3), absolute(2)])
    shown = [["–" if entry is None else entry.mark for entry in row] for row in table.entries]
    assert shown == [["C", "C"], ["–", "N"], ["N", "–"]]
    assert re.findall(r"\d+", table.sizes) == ["2", "3"]
    assert table.sizes in table.to_html()


def test_processes_change_nothing():
    losses, surrogates = [zero_one, abstain], [crammer_singer, one_vs_all_hinge, softmax]
    alone, together = (catalogue(losses, surrogates, n_jobs=jobs) for jobs in (1, 2))
    assert alone.to_html() == together.to_html()
    assert alone.to_dict() == together.to_dict()


def test_what_exceeds_the_budget_is_undecided_and_says_why(monkeypatch):
    def refuse(*_, **__):
        raise TooLarge("too large to decide")

    monkeypatch.setattr("lossmith.answers.cataloguing.ask", refuse)
    table = catalogue([zero_one], [weston_watkins])
    [entry] = table.found
    assert (entry.mark, entry.certificate) == ("?", None)
    assert "too large to decide" in str(entry.verdict)
    assert ">?</span>" in table.to_html()


def test_two_losses_of_one_name_get_certificates_of_their_own():
    losses = [lm.LossMatrix([[0, 1], [2, 0]], name="costs"), lm.LossMatrix([[0, 1], [3, 0]], name="costs")]
    files = [entry.file for entry in catalogue(losses, [softmax]).found]
    assert len(set(files)) == 2


def test_plain_data_names_what_the_table_shows():
    plain = json.loads(json.dumps(table_of(3).to_dict()))
    assert plain["n"] == 3
    names = [each["name"] for each in plain["losses"]]
    verdicts = {each["name"]: dict(zip(names, each["verdicts"])) for each in plain["surrogates"]}
    assert verdicts["crammer_singer"]["zero_one(n=3)"]["u"] == ["0", "0", "0"]
    assert verdicts["crammer_singer"]["hamming"] is None


def test_latex_escapes_names_and_closes_what_it_opens():
    text = table_of(3).to_latex()
    assert "crammer\\_singer & 3 & N & C & -- & C" in text
    assert text.count("\\begin{") == text.count("\\end{") == 1
    assert "_singer" not in text.replace("\\_", "")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["zero-one:n=7", "abstain:n=7", "top-k:n=7,k=2"])
def test_calibrated_hinges_of_symmetric_losses_are_proved_by_symmetry(name):
    """A table of more than five labels looks at one cell of each kind; the codes of labels tell them apart.

    A score for each pair is looked at for itself.
    """
    loss = loss_named(name)
    facts, seen = Facts(loss), set()
    for family in TRIED:
        surrogate = fitting_surrogate(family, loss)
        if isinstance(surrogate, lm.PolyhedralSurrogate):
            verdict = decided(surrogate, facts)
            seen.add(verdict.status)
            if verdict.status == "calibrated" and family not in (binary_encoded, one_vs_one_hinge):
                assert "blocks" in verdict.certificate.content["evidence"], surrogate
    assert seen == {"calibrated", "not calibrated"}
