"""Classes of small losses: counted in closed form, by Burnside's lemma, by brute force, and one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.losses.classes import number_of_classes, number_of_rows, representative, representatives
from strategies import examples

SIZES = [(2, 2, 3), (2, 3, 2), (3, 2, 2), (3, 3, 1), (3, 3, 2), (2, 4, 2), (4, 3, 1), (3, 4, 1), (2, 5, 1)]


def normal(row):
    """Shifted to least entry 0, and divided by the greatest common divisor."""
    shifted = [x - min(row) for x in row]
    return tuple(x // (gcd(*shifted) or 1) for x in shifted)


def burnside(n: int, k: int, width: int) -> Fraction:
    """The mean number of matrices that a pair of permutations fixes, each pair and each matrix of rows one by one."""
    rows = sorted({normal(row) for row in product(range(width + 1), repeat=k)})
    fixed = 0
    for columns in permutations(range(k)):
        image = {row: tuple(row[j] for j in columns) for row in rows}
        for labels in permutations(range(n)):
            # Row labels[i] of the matrix must be the image of row i: count by following each cycle.
            ways, seen = 1, set()
            for start in range(n):
                if start not in seen:
                    cycle, i = 0, start
                    while i not in seen:
                        seen.add(i)
                        i, cycle = labels[i], cycle + 1
                    ways *= sum(_after(image, row, cycle) == row for row in rows)
            fixed += ways
    return Fraction(fixed, factorial(n) * factorial(k))


def _after(image, row, steps: int):
    for _ in range(steps):
        row = image[row]
    return row


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_number_is_that_of_burnsides_lemma(size):
    assert number_of_classes(*size) == burnside(*size)


@pytest.mark.parametrize("size", [(2, 2, 3), (2, 3, 2), (3, 3, 1), (2, 4, 1), (4, 2, 1)], ids=str)
def test_the_number_is_that_of_orbits(size):
    """Every matrix with these entries, made normal row by row, then the least of all its exchanges."""
    n, k, width = size
    orbits = set()
    for entries in product(range(width + 1), repeat=n * k):
        rows = [normal(entries[i * k : (i + 1) * k]) for i in range(n)]
        orbits.add(min(tuple(sorted(tuple(row[j] for j in order) for row in rows)) for order in permutations(range(k))))
    assert number_of_classes(*size) == len(orbits)
    assert [*representatives(*size)] == sorted(orbits)


@pytest.mark.parametrize("n", range(1, 12))
def test_with_two_decisions_rows_agree_oppose_or_say_nothing(n):
    """Multisets of n from three rows, up to exchanging two of them."""
    assert number_of_classes(n, 2, 7) == (comb(n + 2, 2) + n // 2 + 1) // 2


@pytest.mark.parametrize("k", range(1, 9))
def test_one_label_with_entries_0_and_1_has_a_class_for_each_number_of_ones(k):
    assert number_of_classes(1, k, 1) == k


@pytest.mark.parametrize("k", range(1, 5))
@pytest.mark.parametrize("width", range(7))
def test_rows_are_counted_by_moebius_inversion(k, width):
    assert number_of_rows(k, width) == len({normal(row) for row in product(range(width + 1), repeat=k)})


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 2), (4, 4, 1), (4, 5, 1), (2, 6, 1), (3, 1, 4), (2, 2, 0)], ids=str)
def test_each_class_has_one_representative(size):
    found = [*representatives(*size)]
    assert len(found) == number_of_classes(*size)
    assert found == sorted(set(found))
    assert all(representative(rows) == rows for rows in found[:: 1 + len(found) // 100])


@st.composite
def members(draw):
    """A loss, and another one of its class: labels and decisions exchanged, rows shifted and scaled."""
    n, k = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    rows = [[draw(st.integers(0, 3)) for _ in range(k)] for _ in range(n)]
    order, labels = draw(st.permutations(range(k))), draw(st.permutations(range(n)))
    scales = [draw(st.fractions("1/4", 5, max_denominator=6)) for _ in range(n)]
    shifts = [draw(st.fractions(0, 3, max_denominator=4)) for _ in range(n)]
    return rows, [[scales[y] * rows[y][j] + shifts[y] for j in order] for y in labels]


@examples(15)
@given(members())
def test_members_of_a_class_have_the_same_representative(pair):
    rows, other = pair
    assert representative(rows) == representative(other)
