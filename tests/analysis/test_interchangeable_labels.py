"""Interchangeable labels, and the chamber."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

import lossmith as lm
from lossmith.analysis.chamber import cells_in_chamber
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.analysis.risk_minimizer import RiskMinimizer
from lossmith.analysis.symmetry import interchangeable_labels, shared_symmetry

S = lm.surrogates
SYMMETRIC = [
    S.crammer_singer(5),
    S.weston_watkins(4),
    S.lee_lin_wahba(5),
    S.one_vs_all_hinge(4),
    S.adversarial_zero_one(4),
    S.abstain_one_vs_all(4, "1/3"),
    S.abstain_crammer_singer(4, "1/3"),
    S.one_vs_one_hinge(5),  # exchanging neighbours turns a sign
    S.cost_weighted_hinge(lm.losses.abstain(4)),  # predictions are permuted, not labels
    S.cost_weighted_hinge(lm.losses.top_k(4, 2)),
]


def by_definition(columns, n):
    """Each label with those that may be exchanged with it."""
    known = set(map(tuple, columns))

    def exchanged(column, x, y):
        return tuple(column[y if z == x else x if z == y else z] for z in range(n))

    return {
        frozenset(y for y in range(n) if all(exchanged(column, x, y) in known for column in known)) for x in range(n)
    }


def test_blocks_of_losses_are_those_of_the_definition():
    random, sizes = Random(0), set()
    for _ in range(300):
        n = random.randint(2, 5)
        columns = [tuple(random.randint(0, 1) for _ in range(n)) for _ in range(random.randint(1, 4))]
        found = interchangeable_labels(columns)
        assert {frozenset(block) for block in found} == by_definition(columns, n)
        sizes.add(tuple(sorted(map(len, found))))
    assert {(1, 1, 1), (1, 2), (3,), (2, 2), (1, 3)} <= sizes


@pytest.mark.parametrize("surrogate", SYMMETRIC, ids=lambda each: each.name)
def test_maps_exchange_two_labels_and_nothing_else(surrogate):
    symmetry = shared_symmetry(surrogate, [tuple(range(surrogate.n))])
    assert symmetry.blocks == (tuple(range(surrogate.n)),)
    random = Random(1)
    centre = RiskMinimizer(surrogate).at((1,) * surrogate.n).u
    for (x, y), moves in zip(pairwise(symmetry.blocks[0]), symmetry.maps[0], strict=True):
        for _ in range(5):
            u = list(centre)
            for i in range(surrogate.dim):
                step = random.randint(-3, 3)
                u[i] += step
                u[i - 1] -= step  # stays in Σ u = 0
            image = list(u)
            for i, j, sign in moves:
                image[i] = sign * u[j]
            before, after = list(surrogate(u)), list(surrogate(image))
            before[x], before[y] = before[y], before[x]
            assert after == before


def test_a_label_that_differs_in_one_number_is_no_member_of_the_block():
    for surrogate in SYMMETRIC[:5]:
        terms = [list(maxima) for maxima in surrogate.terms]
        first, *others = terms[1][-1][-1]
        terms[1][-1] = (*terms[1][-1][:-1], (first + Fraction(1, 7), *others))
        bent = lm.PolyhedralSurrogate(
            tuple(map(tuple, terms)), surrogate.dim, surrogate.inequalities, surrogate.equations
        )
        blocks = shared_symmetry(bent, [tuple(range(bent.n))]).blocks
        assert (1,) in blocks


def test_a_domain_may_tell_labels_apart():
    surrogate = S.crammer_singer(4)
    half = (Fraction(0), Fraction(1), Fraction(0), Fraction(0), Fraction(0))  # u_0 ≥ 0
    bound = lm.PolyhedralSurrogate(surrogate.terms, 4, (half,))
    assert shared_symmetry(bound, [(0, 1, 2, 3)]).blocks == ((0,), (1, 2, 3))


@pytest.mark.parametrize(
    ("make", "n", "kinds"),
    # Weston–Watkins has one kind for each composition of n but one, 2^(n−1) − 1; the others are plain.
    [(S.weston_watkins, 3, 3), (S.weston_watkins, 4, 7), (S.crammer_singer, 5, 2), (S.lee_lin_wahba, 5, 1)],
)
def test_kinds_of_cells_make_up_all_cells(make, n, kinds):
    surrogate = make(n)
    found = cells_in_chamber(RiskMinimizer(surrogate, (tuple(range(n)),)))
    direct = positive_normal_sets(surrogate).cells
    assert len(found.cells) == kinds
    assert sum(found.chamber.alike(cell.z) for cell in found.cells) == len(direct)
    # Each is a cell of the surrogate, cut with the chamber.
    whole = {cell.z: cell.polytope for cell in direct}
    for cell in found.cells:
        assert all(whole[cell.z].contains(p) for p in cell.polytope.vertices)
        assert all(x >= y for p in cell.polytope.vertices for x, y in pairwise(p))
        inside = [p for p in whole[cell.z].vertices if all(x >= y for x, y in pairwise(p))]
        assert set(inside) <= set(cell.polytope.vertices)
        assert cell.polytope.dim == n - 1


def test_weston_watkins_with_six_labels_has_31_kinds_of_cells():
    assert len(cells_in_chamber(RiskMinimizer(S.weston_watkins(6), (tuple(range(6)),))).cells) == 2**5 - 1
