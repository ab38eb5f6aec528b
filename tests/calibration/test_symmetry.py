"""Deciding by symmetry says what deciding without it says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb
from random import Random

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import interchangeable_labels, shared_symmetry
from lossmith.calibration.by_positive_normals import by_positive_normals
from lossmith.calibration.by_symmetry import by_symmetry, decided
from lossmith.calibration.question import Question

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


FAMILIES = [
    *(
        (make(n), lossy(n))
        for make in (
            lm.surrogates.crammer_singer,
            lm.surrogates.weston_watkins,
            lm.surrogates.lee_lin_wahba,
            lm.surrogates.one_vs_all_hinge,
            lm.surrogates.adversarial_zero_one,
        )
        for lossy in (lm.losses.zero_one, lm.losses.abstain)
        for n in (3, 4)
    ),
    *((lm.surrogates.abstain_one_vs_all(4, c), lm.losses.abstain(4, c)) for c in ("1/2", "1/3")),
    *((lm.surrogates.abstain_crammer_singer(4, c), lm.losses.abstain(4, c)) for c in ("1/2", "1/3")),
    *((make(4), lm.losses.top_k(4, 2)) for make in (lm.surrogates.crammer_singer, lm.surrogates.lee_lin_wahba)),
    (lm.surrogates.one_vs_one_hinge(3), lm.losses.zero_one(3)),
    (lm.surrogates.one_vs_one_hinge(4), lm.losses.abstain(4)),
    (lm.surrogates.cost_weighted_hinge(lm.losses.abstain(3)), lm.losses.abstain(3)),
    (lm.surrogates.cost_weighted_hinge(lm.losses.top_k(4, 2)), lm.losses.top_k(4, 2)),
    (lm.surrogates.binary_encoded(4), lm.losses.abstain(4)),
    (lm.surrogates.crammer_singer(4), lm.losses.hierarchical({"x": {"a": {}, "b": {}}, "y": {"c": {}, "d": {}}})),
    (lm.surrogates.lee_lin_wahba(5), lm.losses.zero_one(5)),
]


@pytest.mark.parametrize(("surrogate", "loss"), FAMILIES, ids=lambda each: each.name)
def test_families_are_decided_as_without_symmetry(surrogate, loss):
    agree(surrogate, loss, Random(1))
