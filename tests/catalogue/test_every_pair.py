"""The table of every surrogate against every loss: the verdicts that the literature knows, and how it is written."""

from __future__ import annotations

import json

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.answers.cataloguing import catalogue, decided, member_of_size
from lossmith.errors import TooLarge
from lossmith.families import Family
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import abstain, hamming, hierarchical, ordinal, top_k, zero_one
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

DIMENSIONS = {
    "crammer_singer": "234",
    "absolute": "111",
    "binary_encoded": "122",
    "one_vs_one_hinge": "136",
    "all_threshold_hinge": "123",
    "class_probability": "123",
    "binary_relevance_hinge": "1–2",
}


@pytest.fixture(scope="module")
def tables():
    return [catalogue(n=n) for n in (2, 3, 4)]


def marks(tables, surrogate, loss):
    if loss not in LOSSES:  # beside the catalogue
        tables = [catalogue([loss], [surrogate], n) for n in (2, 3, 4)]
    i = [each.name for each in tables[0].surrogates].index(surrogate.name)
    j = LOSSES.index(loss) if loss in LOSSES else 0
    return "".join("–" if table.entries[i][j] is None else table.entries[i][j].mark for table in tables)


CLAIMS = [  # those about one pred, or about losses of no family, are held by the conformance tests
    (surrogate, claim)
    for surrogate in SURROGATES
    for claim in surrogate.verdicts
    if not claim.pred and (claim.loss is None or isinstance(claim.loss, Family))
]


@pytest.mark.parametrize(("surrogate", "claim"), CLAIMS, ids=lambda each: getattr(each, "name", None))
def test_published_verdicts_come_out(tables, surrogate, claim):
    for loss in LOSSES if claim.loss is None else [claim.loss]:
        found = marks(tables, surrogate, loss)
        for stated, mark in zip(claim.marks, found, strict=True):
            assert stated in ("·", mark) or (claim.loss is None and mark == "–"), (loss.name, claim)


@pytest.mark.parametrize("surrogate", list(DIMENSIONS))
def test_each_surrogate_shows_its_dimension(tables, surrogate):
    i = [each.name for each in tables[0].surrogates].index(surrogate)
    assert "".join(table.dimension(i) for table in tables) == DIMENSIONS[surrogate]


def test_nothing_is_undecided_and_every_verdict_has_a_certificate_that_is_accepted(tables):
    for entry in tables[1].found:
        assert entry.mark in "CN"
        answer = lm.verify(entry.certificate)
        assert answer.accepted, answer.why


def test_every_pair_of_equal_size_is_decided(tables):
    for table in tables:
        sizes = {loss.n for loss in table.losses if isinstance(loss, lm.LossMatrix)}
        assert sizes == {table.n}
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
    assert "Verdicts for 2 and 3 labels" in table.to_html()


def test_processes_change_nothing():
    losses, surrogates = [zero_one, abstain], [crammer_singer, one_vs_all_hinge, softmax]
    alone, together = (catalogue(losses, surrogates, n_jobs=jobs) for jobs in (1, 2))
    assert alone.to_html() == together.to_html()
    assert alone.to_dict() == together.to_dict()


def test_what_exceeds_the_budget_is_undecided_and_says_why(monkeypatch):
    def refuse(*_, **__):
        raise TooLarge("the cells have more than 10 vertices")

    monkeypatch.setattr("lossmith.answers.cataloguing.ask", refuse)
    table = catalogue([zero_one], [weston_watkins])
    [entry] = table.found
    assert (entry.mark, entry.certificate) == ("?", None)
    assert "more than 10 vertices" in str(entry.verdict)
    assert ">?</span>" in table.to_html()


def test_two_losses_of_one_name_get_certificates_of_their_own():
    losses = [lm.LossMatrix([[0, 1], [2, 0]], name="costs"), lm.LossMatrix([[0, 1], [3, 0]], name="costs")]
    files = [entry.file for entry in catalogue(losses, [softmax]).found]
    assert len(set(files)) == 2


def test_plain_data_names_what_the_table_shows(tables):
    plain = json.loads(json.dumps(tables[1].to_dict()))
    assert plain["n"] == 3
    names = [each["name"] for each in plain["losses"]]
    verdicts = {each["name"]: dict(zip(names, each["verdicts"])) for each in plain["surrogates"]}
    assert verdicts["crammer_singer"]["zero_one(n=3)"]["u"] == ["0", "0", "0"]
    assert verdicts["crammer_singer"]["hamming"] is None


def test_latex_escapes_names_and_closes_what_it_opens(tables):
    text = tables[1].to_latex()
    assert "crammer\\_singer & 3 & N & C & -- & C" in text
    assert text.count("\\begin{") == text.count("\\end{") == 1
    assert "_singer" not in text.replace("\\_", "")


@pytest.mark.exhaustive
@pytest.mark.parametrize("loss", [zero_one(7), abstain(7), top_k(7, 2)], ids=lambda loss: loss.name)
def test_calibrated_hinges_of_symmetric_losses_are_proved_by_symmetry(loss):
    """A table of more than five labels looks at one cell of each kind; the codes of labels tell them apart.

    A score for each pair is looked at for itself.
    """
    facts, seen = Facts(loss), set()
    for family in TRIED:
        surrogate = fitting_surrogate(family, loss)
        if isinstance(surrogate, lm.PolyhedralSurrogate):
            verdict = decided(surrogate, facts)
            seen.add(verdict.status)
            if verdict.status == "calibrated" and family not in (binary_encoded, one_vs_one_hinge):
                assert "blocks" in verdict.certificate.content["evidence"], surrogate
    assert seen == {"calibrated", "not calibrated"}
