"""Deciding by symmetry says what deciding without it says."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import interchangeable_labels, shared_symmetry
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.by_symmetry import by_symmetry, decided
from lossmith.calibration.question import Declined, Question
from lossmith.certificates.explaining import explain
from lossmith.losses.named import loss_named
from lossmith.surrogates.named import surrogate_named

BLOCKS = {"3": ((0, 1, 2),), "2+1": ((0, 2), (1,)), "2+2": ((0, 3), (1, 2)), "3+1": ((1, 2, 3), (0,))}


def both_ways(surrogate, loss):
    """The verdicts without and with symmetry."""
    question = Question(surrogate, Facts(loss))
    symmetry = shared_symmetry(surrogate, interchangeable_labels(question.facts.columns))
    return by_positive_normals(question), decided(question, symmetry)


def group(blocks):
    """All permutations within blocks."""
    n = sum(map(len, blocks))
    for images in product(*map(permutations, blocks)):
        g = list(range(n))
        for block, image in zip(blocks, images, strict=True):
            for y, z in zip(block, image, strict=True):
                g[y] = z
        yield g


def random_surrogate(random, blocks):
    """Σ over g of φ_{g(y)}(gu), for a random φ with a maximum of 0 and another piece or two per label."""
    n = sum(map(len, blocks))
    maxima = [
        [(random.randint(0, 2), *(random.randint(-1, 1) for _ in range(n))) for _ in range(random.randint(1, 2))]
        for _ in range(n)
    ]
    terms = []
    for y in range(n):
        terms.append([])
        for g in group(blocks):  # (gu)_{g(i)} = u_i
            pieces = [(Fraction(b), *(Fraction(a[g[i]]) for i in range(n))) for b, *a in maxima[g[y]]]
            terms[-1].append(((Fraction(0),) * (n + 1), *dict.fromkeys(pieces)))
    return lm.PolyhedralSurrogate(tuple(map(tuple, terms)), n)


def random_loss(random, blocks):
    n = sum(map(len, blocks))
    columns = [tuple(random.randint(0, 3) for _ in range(n)) for _ in range(random.randint(1, 2))]
    images = {tuple(column[g[y]] for y in range(n)) for column in columns for g in group(blocks)}
    return lm.LossMatrix(list(zip(*sorted(images), strict=True)))


def agree(surrogate, loss, random):
    """The two verdicts have the same status, and what either decides where it is optimal is optimal."""
    direct, symmetric = both_ways(surrogate, loss)
    assert direct.status == symmetric.status, (surrogate, loss)
    assert lm.verify(symmetric.certificate).accepted
    if symmetric.status == "calibrated":
        assert sum(cell.alike for cell in symmetric.cells) == len(direct.cells)
        minimizer = RiskMinimizer(surrogate)
        points = [tuple(random.randint(0, 9) for _ in range(loss.n)) for _ in range(6)]
        risks = [p for p in points if any(p)]
        found = [minimizer.at(p).u for p in risks]
        for p, u, quick in zip(risks, found, symmetric.pred.decide(found), strict=True):
            optimal = loss.optimal_predictions([Fraction(x, sum(p)) for x in p])
            assert {direct.pred(u), symmetric.pred(u), quick} <= set(optimal)
    else:
        assert "blocks" not in symmetric.certificate.content["evidence"]
    return symmetric.status


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BLOCKS)
def test_random_pairs_are_decided_as_without_symmetry(name):
    random, blocks = Random(name), BLOCKS[name]
    seen = Counter()
    for _ in range(12 if name in ("3", "2+1") else 4):
        surrogate = random_surrogate(random, blocks)
        found = shared_symmetry(surrogate, blocks)
        assert {frozenset(block) for block in found.blocks} == {frozenset(block) for block in blocks}
        own = embedded_loss(positive_normal_sets(surrogate))
        for loss in (random_loss(random, blocks), own):
            seen[agree(surrogate, loss, random)] += 1
        assert by_positive_normals(Question(surrogate, Facts(own))).status == "calibrated"
    assert set(seen) == {"calibrated", "not calibrated"}


def on_all_labels(n):
    families = ("crammer-singer", "weston-watkins", "lee-lin-wahba", "one-vs-all-hinge", "adversarial-zero-one")
    return [(f"{family}:n={n}", f"{loss}:n={n}") for family in families for loss in ("zero-one", "abstain")]


FAMILIES = [
    *on_all_labels(3),
    ("abstain-one-vs-all:n=4,cost=1/2", "abstain:n=4,cost=1/2"),
    ("abstain-crammer-singer:n=4,cost=1/3", "abstain:n=4,cost=1/3"),
    ("one-vs-one-hinge:n=3", "zero-one:n=3"),
    ("cost-weighted-hinge:loss=abstain:n=3", "abstain:n=3"),
    ("binary-encoded:n=4", "abstain:n=4"),
]
MORE = [
    *on_all_labels(4),
    ("abstain-one-vs-all:n=4,cost=1/3", "abstain:n=4,cost=1/3"),
    ("abstain-crammer-singer:n=4,cost=1/2", "abstain:n=4,cost=1/2"),
    *((f"{family}:n=4", "top-k:n=4,k=2") for family in ("crammer-singer", "lee-lin-wahba")),
    ("one-vs-one-hinge:n=4", "abstain:n=4"),
    ("cost-weighted-hinge:loss=(top-k:n=4,k=2)", "top-k:n=4,k=2"),
    ("lee-lin-wahba:n=5", "zero-one:n=5"),
]


@pytest.mark.parametrize(
    ("surrogate", "loss"), [*FAMILIES, *(pytest.param(*each, marks=pytest.mark.exhaustive) for each in MORE)]
)
def test_families_are_decided_as_without_symmetry(surrogate, loss):
    agree(surrogate_named(surrogate), loss_named(loss), Random(1))


def test_labels_of_a_hierarchy_are_decided_as_without_symmetry():
    tree = {"x": {"a": {}, "b": {}}, "y": {"c": {}, "d": {}}}
    agree(lm.surrogates.crammer_singer(4), lm.losses.hierarchical(tree), Random(1))


# What is asked, and how it is told.


def test_small_pairs_and_pairs_without_symmetry_are_left_to_the_other_rules():
    def declines(surrogate, loss, **more):
        return isinstance(by_symmetry(Question(surrogate, Facts(loss), **more)), Declined)

    assert declines(lm.surrogates.crammer_singer(5), lm.losses.abstain(5))
    assert not declines(lm.surrogates.crammer_singer(6), lm.losses.abstain(6))
    assert declines(lm.surrogates.crammer_singer(6), lm.losses.ordinal(6))
    assert declines(lm.surrogates.absolute(6), lm.losses.zero_one(6))
    assert declines(lm.surrogates.softmax(6), lm.losses.zero_one(6))


def test_a_verdict_tells_cells_of_one_kind_once():
    verdict = lm.check(lm.surrogates.crammer_singer(10), lm.losses.abstain(10))
    _, first, *_, alone, together = str(verdict).splitlines()
    assert re.findall(r"\d+", first) == ["11", "2"]  # cells, and kinds of them
    assert re.search(r"u = \(0, 0, 0, 0, 0, 0, 0, 0, 0, 0\) +abstain$", alone)
    assert re.search(r" 10 .*u = \(1, 0, …, 0\) +0$", together)
    assert [cell.get("alike") for cell in verdict.to_dict()["cells"]] == [None, 10]
    assert re.search(r" 11 .* \(2 ", verdict.to_latex())


def test_decisions_are_sorted_back():
    verdict = lm.check(lm.surrogates.crammer_singer(7), lm.losses.abstain(7))
    scores = [[2 * (i == t) for i in range(7)] for t in range(7)]
    assert verdict.decide([*scores, [0] * 7]).tolist() == [*range(7), "abstain"]
    assert [verdict.pred(u) for u in scores] == list(range(7))


def test_a_refutation_needs_no_symmetry():
    verdict = lm.check(lm.surrogates.crammer_singer(7), lm.losses.zero_one(7))
    assert verdict.status == "not calibrated"
    assert verdict.certificate.content["evidence"].keys() == {"u", "points", "better"}
    assert lm.verify(verdict.certificate).accepted


def test_a_study_tells_decisions_of_one_kind_once():
    numbers = [re.findall(r"\d+", line) for line in lm.analyze(lm.losses.abstain(7)).theory.splitlines()]
    assert ["8", "2", "28"] in numbers  # cells, kinds of them, and vertices
    assert ["0", "7", "1", "2", "3", "4", "5", "6"] in numbers  # decision 0 stands for 7


def test_a_certificate_by_symmetry_is_explained():
    text = lm.check(lm.surrogates.lee_lin_wahba(6), lm.losses.zero_one(6)).certificate.text
    explained = explain(text)
    assert re.search(r"^ +0 \w+ 1: u\[0\] \w+ u\[1\], u\[1\] \w+ u\[0\]$", explained, re.MULTILINE)
    assert re.search(r" 0: u = \(5, -1, -1, -1, -1, -1\), \w+ 0$", explained, re.MULTILINE)


SIZES = {
    "crammer_singer": (lambda: lm.surrogates.crammer_singer(60), lambda: lm.losses.abstain(60), 61),
    "lee_lin_wahba": (lambda: lm.surrogates.lee_lin_wahba(30), lambda: lm.losses.zero_one(30), 30),
    "abstain_one_vs_all": (lambda: lm.surrogates.abstain_one_vs_all(30, "1/2"), lambda: lm.losses.abstain(30), 31),
    "adversarial_zero_one": (lambda: lm.surrogates.adversarial_zero_one(9), lambda: lm.losses.zero_one(9), 9),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", SIZES)
def test_sizes_that_people_have(name):
    make, lossy, cells = SIZES[name]
    verdict = lm.check(make(), lossy())
    assert lm.verify(verdict.certificate).accepted
    assert sum(cell.alike for cell in verdict.cells) == cells  # each embeds its loss


@pytest.mark.exhaustive
def test_weston_watkins_with_eight_labels_is_refuted():
    verdict = lm.check(lm.surrogates.weston_watkins(8), lm.losses.zero_one(8))
    assert verdict.status == "not calibrated"
    assert lm.verify(verdict.certificate).accepted
