"""Deciding a given pred by symmetry says what deciding it without symmetry says."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from test_by_symmetry import BLOCKS, random_loss, random_surrogate

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets
from lossmith.calibration.by_regions import by_regions
from lossmith.calibration.by_symmetric_regions import by_symmetric_regions, decided_with_pred, symmetry_with_pred
from lossmith.calibration.question import Declined, Question
from lossmith.certificates.explaining import explain
from lossmith.constructions.regret_bounds import regret_bound
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses.named import loss_named
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import as_named


def both_ways(surrogate, loss, pred):
    """The verdicts without and with symmetry, and the blocks."""
    question = Question(surrogate, Facts(loss), as_named(pred) or pred)
    symmetry = symmetry_with_pred(question)
    return by_regions(question), decided_with_pred(question, symmetry), symmetry.blocks


def agree(surrogate, loss, pred):
    """The verdicts have the same status and say the same of ties, and the checker accepts them."""
    direct, symmetric, blocks = both_ways(surrogate, loss, pred)
    assert direct.status == symmetric.status, (surrogate, loss, pred)
    assert bool(direct.ties) == bool(symmetric.ties)
    answer = lm.verify(symmetric.certificate)
    assert answer.accepted, answer
    if symmetric.status == "calibrated":
        assert sum(cell.alike for cell in symmetric.cells) == len(direct.cells)
        assert regret_bound(symmetric) == regret_bound(direct)
    else:
        assert "blocks" not in symmetric.certificate.content["evidence"]
    return symmetric.status, max(map(len, blocks)) > 1, bool(symmetric.ties)


def largest(scores, margins):
    """The pred by the largest of affine functions of u, by at least a margin; the last one where none is."""
    dim, regions = len(scores[0]) - 1, []
    for t, (own, margin) in enumerate(zip(scores, margins, strict=True)):
        rows = [tuple(a - b for a, b in zip(own, other, strict=True)) for s, other in enumerate(scores) if s != t]
        regions.append((Polyhedron(dim, tuple((row[0] - margin, *row[1:]) for row in rows)),))
    if max(margins) > 0:
        regions[-1] = (Polyhedron(dim),)
    return Pred("largest", dim, tuple(regions))


def kinds_of(loss, blocks):
    columns = zip(*loss.entries, strict=True)
    return [tuple(tuple(sorted(column[y] for y in block)) for block in blocks) for column in columns]


def random_pred(random, loss, blocks, margin):
    """By Σ_y α(block of y, ℓ_ty) u_y + β(kind of ℓ_t).

    What depends on y through its block and the loss ℓ_ty alone is the same if labels of a block are exchanged. With a
    negative margin regions overlap, and where the first of them wins, labels are told apart.
    """
    place = {y: i for i, block in enumerate(blocks) for y in block}
    columns, draws = list(zip(*loss.entries, strict=True)), {}

    def drawn(key, least, most):
        return draws.setdefault(key, Fraction(random.randint(least, most)))

    scores = [
        (drawn(kind, 0, 1), *(drawn((place[y], column[y]), -2, 2) - column[y] for y in range(loss.n)))
        for kind, column in zip(kinds_of(loss, blocks), columns, strict=True)
    ]
    return largest(scores, [margin] * loss.k)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BLOCKS)
def test_random_preds_are_decided_as_without_symmetry(name):
    random, blocks = Random(name), BLOCKS[name]
    seen = Counter()
    for _ in range(5 if name in ("3", "2+1") else 2):
        surrogate = random_surrogate(random, blocks)
        own = embedded_loss(positive_normal_sets(surrogate))
        for loss in (random_loss(random, blocks), own):
            for margin in map(Fraction, (0, -1, 1)[: 3 if loss.k <= 4 else 1]):
                if loss.k <= 12:
                    seen[agree(surrogate, loss, random_pred(random, loss, blocks, margin))] += 1
    assert {found for _, found, _ in seen} == {True, False}  # overlaps tell labels apart


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [*BLOCKS])
def test_random_hinges_with_argmax_are_decided_as_without_symmetry(name):
    """The cost-weighted hinge has a score for each decision, and is calibrated with the largest; not with any bias."""
    random, blocks = Random(name), BLOCKS[name]
    seen = Counter()
    while len(seen) < 2 or sum(seen.values()) < 3:
        loss = random_loss(random, blocks)
        if 1 < loss.k <= 6:
            bias = {kind: Fraction(random.randint(-2, 2)) for kind in kinds_of(loss, blocks)}
            units = [[Fraction(int(s == t)) for s in range(loss.k)] for t in range(loss.k)]
            for share in (0, 1, 3):
                scores = [(share * bias[kind], *unit) for kind, unit in zip(kinds_of(loss, blocks), units, strict=True)]
                status, found, _ = agree(S.cost_weighted_hinge(loss), loss, largest(scores, [Fraction(0)] * loss.k))
                assert found
                assert share or status == "calibrated"
                seen[status] += 1


S, L = lm.surrogates, lm.losses
FAMILIES = [
    ("lee-lin-wahba:n=3", "zero-one:n=3", "argmax"),
    ("crammer-singer:n=3", "zero-one:n=3", "argmax"),
    *(("crammer-singer:n=3", "abstain:n=3", f"argmax-gap:tau={tau}") for tau in ("0", "1/2", "1")),
    *(("abstain-one-vs-all:n=3,cost=1/2", "abstain:n=3", f"argmax-threshold:tau={tau}") for tau in ("-1", "0")),
    ("cost-weighted-hinge:loss=abstain:n=3", "abstain:n=3", "argmax"),
    ("one-vs-one-hinge:n=3", "zero-one:n=3", "votes"),
    ("binary-encoded:n=4", "abstain:n=4", "sign-code"),
]
MORE = [
    ("lee-lin-wahba:n=4", "zero-one:n=4", "argmax"),
    *((f"{name}:n=3", "zero-one:n=3", "argmax") for name in ("weston-watkins", "one-vs-all-hinge")),
    ("adversarial-zero-one:n=4", "zero-one:n=4", "argmax"),
    ("crammer-singer:n=3", "abstain:n=3", "argmax-gap:tau=2"),
    *(("crammer-singer:n=4", "abstain:n=4", f"argmax-gap:tau={tau}") for tau in ("0", "1/2", "1", "2")),
    ("abstain-one-vs-all:n=3,cost=1/2", "abstain:n=3", "argmax-threshold:tau=1"),
    ("abstain-crammer-singer:n=3,cost=1/3", "abstain:n=3,cost=1/3", "argmax-gap:tau=1/2"),
    ("crammer-singer:n=4", "zero-one:n=4", "argmax"),
    ("cost-weighted-hinge:loss=(top-k:n=4,k=2)", "top-k:n=4,k=2", "argmax"),
]


@pytest.mark.parametrize(
    ("surrogate", "loss", "pred"), [*FAMILIES, *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in MORE)]
)
def test_families_are_decided_as_without_symmetry(surrogate, loss, pred):
    agree(surrogate_named(surrogate), loss_named(loss), pred)


def asked(surrogate, loss, pred):
    return Question(surrogate, Facts(loss), as_named(pred) or pred)


def test_the_symmetry_of_argmax_is_that_of_its_closed_regions():
    """The first of equal scores wins, which no exchange respects; on closures nothing of this is left."""
    assert symmetry_with_pred(asked(S.lee_lin_wahba(6), L.zero_one(6), "argmax")).blocks == (tuple(range(6)),)


def test_a_pred_that_favours_a_label_divides_the_blocks():
    def region(t):
        return lambda u: [u[t] + (t == 2) >= u[j] + (j == 2) for j in range(6) if j != t]

    pred = Pred.from_regions([region(t) for t in range(6)], dim=6)
    question = asked(S.lee_lin_wahba(6), L.zero_one(6), pred)
    assert symmetry_with_pred(question).blocks == ((0, 1, 3, 4, 5), (2,))
    assert by_symmetric_regions(question).status == by_regions(question).status == "calibrated"
    assert lm.verify(by_symmetric_regions(question).certificate).accepted


def test_a_pred_that_breaks_ties_against_the_order_is_left_to_the_other_rule():
    """Regions that overlap: what is left of each after the first wins is another polyhedron for each label."""
    pred = Pred.from_regions([lambda u, t=t: [u[t] >= -1] for t in range(6)], dim=6)
    question = Question(S.one_vs_all_hinge(6), Facts(L.zero_one(6)), pred)
    assert isinstance(by_symmetric_regions(question), Declined)


def test_small_questions_and_parts_of_the_simplex_are_left_to_the_other_rules():
    assert isinstance(by_symmetric_regions(asked(S.lee_lin_wahba(5), L.zero_one(5), "argmax")), Declined)
    assert isinstance(by_symmetric_regions(asked(S.softmax(6), L.zero_one(6), "argmax")), Declined)
    often = [lambda p, y=y: [p[y] >= "3/5"] for y in range(6)]
    verdict = lm.check(S.crammer_singer(6), L.zero_one(6), "argmax", often)
    assert "blocks" not in verdict.certificate.content["evidence"]


def test_a_verdict_with_a_pred_tells_cells_of_one_kind_once():
    verdict = lm.check(S.crammer_singer(6), L.abstain(6), "argmax-gap:tau=1/2")
    assert [(cell.alike, cell.prediction) for cell in verdict.cells] == [(1, 6), (6, 0)]
    alone, together = str(verdict).splitlines()[-2:]
    assert re.search(r"u = \(0, 0, 0, 0, 0, 0\) +abstain$", alone)
    assert re.search(r" 6 .*u = \(1, 0, …, 0\) +0$", together)
    explained = " ".join(explain(verdict.certificate.text).split())
    assert re.search(r" u\[0\] \w+ 0, u\[1\] \w+ 1,", explained)


SIZES = {
    "lee_lin_wahba": (lambda: S.lee_lin_wahba(30), lambda: L.zero_one(30), "argmax", 30),
    "one_vs_all": (lambda: S.abstain_one_vs_all(30, "1/2"), lambda: L.abstain(30), "argmax-threshold", 31),
    "crammer_singer": (lambda: S.crammer_singer(30), lambda: L.abstain(30), "argmax-gap:tau=1/2", 31),
    "adversarial_zero_one": (lambda: S.adversarial_zero_one(9), lambda: L.zero_one(9), "argmax", 9),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_people_have(name):
    make, lossy, pred, cells = SIZES[name]
    verdict = lm.check(make(), lossy(), pred)
    assert lm.verify(verdict.certificate).accepted
    assert "blocks" in verdict.certificate.content["evidence"]
    assert sum(cell.alike for cell in verdict.cells) == cells  # each embeds its loss
