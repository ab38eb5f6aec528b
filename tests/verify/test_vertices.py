"""The checker's double description against all systems of equations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith_verify.arithmetic import LEDGER, MAX_BITS, start
from lossmith_verify.cone import halfspaces, vertices
from lossmith_verify.reading import Rejected, Rows


def enumerate_vertices(values, rows=None, limit=10**6):
    """The vertices as a dictionary {(p, v): tight}, having seen that none comes twice."""
    start()
    given = halfspaces(Rows(*(tuple(each) for each in rows.values()))) if rows else []
    found = [(tuple(p), v, tight) for p, v, tight in vertices(values, given, limit)]
    assert len({(p, v) for p, v, _ in found}) == len(found)
    assert LEDGER.steps >= len(found)
    return {(p, v): tuple(tight) for p, v, tight in found}


@st.composite
def cells(draw):
    """A few z_j; small integers make many of them tight together, equal, or redundant."""
    n = draw(st.integers(2, 4))
    entries = draw(st.sampled_from([st.integers(0, 2), st.integers(-3, 3), st.fractions(-2, 2, max_denominator=6)]))
    z = st.tuples(*[entries.map(Fraction)] * n)
    return draw(st.lists(z, min_size=1, max_size=6 if n < 4 else 5))


@given(cells())
def test_against_all_systems_of_equations(values):
    found = enumerate_vertices(values)
    assert set(found) == naive.vertices(tuple(values))
    for (p, v), tight in found.items():
        assert tight == tuple(j for j, z in enumerate(values) if sum(map(Fraction.__mul__, p, z)) == v)


@st.composite
def cells_within_a_set(draw):
    """Few cells, and rows that may repeat, contradict each other, or leave only a face or a point."""
    values = draw(cells())
    row = st.tuples(*[st.integers(-2, 2).map(Fraction)] * len(values[0]))
    inequalities = draw(st.lists(row, max_size=3))
    return values[:4], {"inequalities": inequalities, "equations": draw(st.lists(row, max_size=2))}


@given(cells_within_a_set())
def test_within_a_set(drawn):
    values, rows = drawn
    found = enumerate_vertices(values, rows)
    assert set(found) == naive.vertices(tuple(values), tuple(tuple(rows[kind]) for kind in rows))
    for (p, v), tight in found.items():
        assert tight == tuple(j for j, z in enumerate(values) if sum(map(Fraction.__mul__, p, z)) == v)


@pytest.mark.parametrize(
    ("inequalities", "equations", "expected"),
    [
        ([(-1, -1, -1)], [], []),  # −Σp ≥ 0
        ([], [(1, 1, 1)], []),
        ([], [(1, 0, 0), (0, 1, 0), (0, 0, 1)], []),
        ([(0, 0, 0)], [(0, 0, 0)], [(1, 0, 0), (0, 1, 0), (0, 0, 1)]),
        ([], [(1, -1, 0)], [("1/2", "1/2", 0), (0, 0, 1)]),
        ([(1, -1, 0), (-1, 1, 0)], [], [("1/2", "1/2", 0), (0, 0, 1)]),
        ([], [(1, -1, 0), (0, 1, -2)], [("2/5", "2/5", "1/5")]),
        ([(-1, 0, 0)], [(0, 1, 0)], [(0, 0, 1)]),
        ([(1, -2, 0)], [(0, 0, 1)], [(1, 0, 0), ("2/3", "1/3", 0)]),
    ],
)
def test_sets_that_are_empty_or_thin(inequalities, equations, expected):
    rows = {"inequalities": inequalities, "equations": equations}
    rows = {kind: [tuple(map(Fraction, row)) for row in each] for kind, each in rows.items()}
    found = enumerate_vertices([(Fraction(0),) * 3], rows)
    assert set(found) == {(tuple(map(Fraction, p)), 0) for p in expected}


@given(cells(), st.randoms(use_true_random=False))
def test_the_order_of_the_cells_does_not_matter(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)
    assert set(enumerate_vertices(shuffled)) == set(enumerate_vertices(values))


@given(cells(), st.data())
def test_a_mixture_of_cells_is_redundant(values, data):
    """Neither a convex combination nor something larger adds a vertex."""
    ratio = data.draw(st.fractions(0, 1, max_denominator=5))
    first, second = data.draw(st.sampled_from(values)), data.draw(st.sampled_from(values))
    extra = data.draw(st.tuples(*[st.integers(0, 1)] * len(first)))
    mixture = tuple(ratio * a + (1 - ratio) * b + c for a, b, c in zip(first, second, extra))
    place = data.draw(st.integers(0, len(values)))
    longer = [*values[:place], mixture, *values[place:]]
    assert set(enumerate_vertices(longer)) == set(enumerate_vertices(values))


def test_one_cell_and_equal_cells():
    z = (Fraction(1, 3), Fraction(-2))
    ends = {((1, 0), Fraction(1, 3)): (0,), ((0, 1), Fraction(-2)): (0,)}
    assert enumerate_vertices([z]) == ends
    assert enumerate_vertices([z, z, z]) == dict.fromkeys(ends, (0, 1, 2))


@pytest.mark.parametrize("n", [3, 7, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (10, 12))])
def test_uniform_distributions_are_the_vertices_of_zero_one(n):
    values = [tuple(Fraction(int(x != y)) for x in range(n)) for y in range(n)]
    found = enumerate_vertices(values)
    assert len(found) == 2**n - 1
    for (p, v), tight in found.items():
        assert set(p) <= {0, Fraction(1, len(tight))}
        assert v == 1 - Fraction(1, len(tight))


def weston_watkins_at_ranks(n: int) -> list[tuple[Fraction, ...]]:
    """One cell for each of the ordered partitions of the labels, u_y being the rank of y."""
    ranks = [u for u in product(range(n), repeat=n) if set(u) == set(range(max(u) + 1))]
    return [tuple(Fraction(sum(max(0, 1 + a - u[y]) for a in u) - 1) for y in range(n)) for u in ranks]


def test_ordered_partitions():
    values = weston_watkins_at_ranks(3)
    assert len(values) == 13
    assert set(enumerate_vertices(values)) == naive.vertices(tuple(values))


@pytest.mark.exhaustive
def test_ordered_partitions_of_five_labels():
    values = weston_watkins_at_ranks(5)
    assert len(values) == 541
    found = enumerate_vertices(values)
    assert len(found) == 1141
    assert all(v == min(sum(map(Fraction.__mul__, p, z)) for z in values) for p, v in list(found)[::50])


def test_limits():
    values = [tuple(Fraction(int(x != y)) for x in range(6)) for y in range(6)]
    assert len(enumerate_vertices(values, limit=65)) == 63
    with pytest.raises(Rejected, match=r"^evidence: \D* 40 "):
        enumerate_vertices(values, limit=40)
    with pytest.raises(Rejected, match=str(MAX_BITS)):
        enumerate_vertices([(Fraction(1, 2**15000), Fraction(1, 3**15000)), (Fraction(1), Fraction(0))])
