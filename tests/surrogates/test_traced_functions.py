"""A traced function is the function: the same exact values, however it is composed, and no more pieces than written."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.surrogates import one_vs_all_hinge, weston_watkins
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, pos, sum_largest
from strategies import rationals

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class Traced:
    """The words of lossmith."""

    maximum, pos, sum_largest = staticmethod(maximum), staticmethod(pos), staticmethod(sum_largest)


class Plain:
    """The same words for numbers, in Python's own."""

    maximum = staticmethod(max)
    pos = staticmethod(lambda term: max(0, term))
    sum_largest = staticmethod(lambda terms, m: sum(sorted(terms, reverse=True)[:m]))


# Trees are convex by construction, and say what they are in words; `run` carries them out for symbols and for numbers.

numbers = rationals(-3, 3, 4)
positive = rationals(0, 3, 4).filter(bool)
coordinate = st.tuples(st.just("u"), st.integers(0, 1))
affine = st.recursive(
    coordinate | st.tuples(st.just("number"), numbers),
    lambda inner: (
        st.tuples(st.sampled_from(["+", "-"]), inner, inner)
        | st.tuples(st.just("scaled"), numbers, inner)
        | st.tuples(st.just("negated"), inner)
        | st.tuples(st.just("divided"), positive, inner)
        | st.tuples(st.just("number -"), numbers, inner)
    ),
    max_leaves=4,
)
convex = st.recursive(
    affine
    | st.tuples(st.just("abs"), affine)
    | st.tuples(st.just("sum_largest"), st.lists(affine, min_size=2, max_size=3), st.integers(1, 2)),
    lambda inner: (
        st.tuples(st.just("+"), inner, inner)
        | st.tuples(st.just("-"), inner, affine)
        | st.tuples(st.just("scaled"), positive | st.just(Fraction(0)), inner)
        | st.tuples(st.just("divided"), positive, inner)
        | st.tuples(st.just("pos"), inner)
        | st.tuples(st.just("maximum"), st.lists(inner, min_size=2, max_size=3))
        | st.tuples(st.just("sum"), st.lists(inner, min_size=1, max_size=3))
    ),
    max_leaves=4,
)


def run(tree, u, words):
    kind, *parts = tree
    if kind == "u":
        return u[parts[0]]
    if kind == "number":
        return parts[0]
    if kind in ("scaled", "divided", "number -"):
        number, inner = parts[0], run(parts[1], u, words)
        return {"scaled": lambda: number * inner, "divided": lambda: inner / number}.get(kind, lambda: number - inner)()
    if kind in ("maximum", "sum", "sum_largest"):
        terms = [run(part, u, words) for part in parts[0]]
        if kind == "sum":
            return sum(terms)
        return words.maximum(*terms) if kind == "maximum" else words.sum_largest(terms, parts[1])
    inner = [run(part, u, words) for part in parts]
    if kind == "+":
        return inner[0] + inner[1]
    if kind == "-":
        return inner[0] - inner[1]
    return {"negated": lambda x: -x, "abs": abs, "pos": words.pos}[kind](inner[0])


def steepness(tree) -> Fraction:
    """A bound on how fast the tree changes along any coordinate."""
    kind, *parts = tree
    if kind in ("u", "number"):
        return Fraction(int(kind == "u"))
    if kind in ("scaled", "divided", "number -"):
        inner = steepness(parts[1])
        return {"scaled": abs(parts[0]) * inner, "divided": inner / parts[0] if parts[0] else inner}.get(kind, inner)
    inner = [steepness(part) for part in (parts[0] if isinstance(parts[0], list) else parts)]
    return max(inner) if kind == "maximum" else sum(inner)


def lifted(tree, words):
    """The tree plus a bowl that makes it non-negative: tree(u) ≥ tree(0) − steepness · (|u₀| + |u₁|)."""
    height, slope = min(Fraction(0), run(tree, [Fraction(0)] * 2, Plain)), steepness(tree)
    return lambda u: run(tree, u, words) + slope * (abs(u[0]) + abs(u[1])) - height


def surrogate_of(first, second) -> PolyhedralSurrogate:
    return PolyhedralSurrogate.from_function(
        lambda y, u: lifted((first, second)[y], Traced)(u), n=2, dim=2, name="composed"
    )


points = st.tuples(rationals(-3, 3), rationals(-3, 3))


@given(convex, convex, st.lists(points, min_size=1, max_size=4))
def test_a_traced_composition_has_the_exact_values_of_the_function(first, second, us):
    surrogate = surrogate_of(first, second)
    for u in us:
        assert surrogate(u) == (lifted(first, Plain)(u), lifted(second, Plain)(u))


@given(convex, points)
def test_the_words_mean_the_same_for_numbers_as_in_python(tree, u):
    assert run(tree, u, Traced) == run(tree, u, Plain)


@given(convex, convex, st.lists(points, min_size=1, max_size=4))
def test_a_batch_of_floats_agrees_with_the_exact_values(first, second, us):
    surrogate = surrogate_of(first, second)
    batch = surrogate.evaluate([[float(x) for x in u] for u in us])
    assert batch.shape == (len(us), 2)
    expected = [[float(lifted(tree, Plain)(u)) for tree in (first, second)] for u in us]
    assert np.allclose(batch, expected, rtol=0, atol=1e-9)


# Each word by itself.


@pytest.mark.parametrize(
    ("psi", "u", "value"),
    [
        (lambda y, u: abs(u[0] + u[1]), (1, HALF), Fraction(3, 2)),
        (lambda y, u: abs(u[0] - u[1]), (1, HALF), HALF),
        (lambda y, u: abs(1 - u[0]), (3, 0), 2),
        (lambda y, u: abs(-u[0]), (-3, 0), 3),
        (lambda y, u: abs(u[0]) * 3, (-2, 0), 6),
        (lambda y, u: THIRD * abs(u[0]), (-2, 0), Fraction(2, 3)),
        (lambda y, u: abs(u[0]) / 4, (-2, 0), HALF),
        (lambda y, u: abs(u[0]) * 0, (-2, 0), 0),
        (lambda y, u: abs(np.int64(3) * u[0]), (2, 0), 6),
        (lambda y, u: np.int64(3) + abs(u[0]), (2, 0), 5),
        (lambda y, u: True * abs(u[0]), (2, 0), 2),
        (lambda y, u: maximum(u[0], -u[0], u[1]), (1, 5), 5),
        (lambda y, u: maximum([u[0], -u[0], 2]), (1, 5), 2),
        (lambda y, u: maximum(sign * u[0] for sign in (1, -1)), (-4, 0), 4),
        (lambda y, u: maximum(0, maximum(u[0], u[1]), -1), (-1, 7), 7),
        (lambda y, u: maximum(0, 1 + maximum(u[0], u[1]) + maximum(0, -u[0])), (-1, 7), 9),
        (lambda y, u: maximum(abs(u[0])), (-4, 0), 4),
        (lambda y, u: maximum(2, 3), (0, 0), 3),
        (lambda y, u: pos(u[0]), (-1, 0), 0),
        (lambda y, u: pos(u[0]), (HALF, 0), HALF),
        (lambda y, u: pos(sum_largest([u[0], u[1], 1], 2)), (5, HALF), 6),
        (lambda y, u: pos(sum_largest([u[0], u[1], 1], 3)), (5, HALF), Fraction(13, 2)),
        (lambda y, u: sum(pos(x) for x in u), (5, -1), 5),
        (lambda y, u: 7, (0, 0), 7),
        (lambda y, u: pos(u[0]) + pos(u[0]), (3, 0), 6),
        (lambda y, u: pos(u[0]) + u[1] - u[1] + pos(u[0]), (3, 1), 6),
    ],
)
def test_each_word_has_its_value(psi, u, value):
    surrogate = PolyhedralSurrogate.from_function(psi, n=2, dim=2)
    assert surrogate(u) == (value, value)
    assert surrogate.evaluate([list(map(float, u))]).tolist() == [[float(value)] * 2]


def test_maximum_of_numbers_is_the_largest():
    assert maximum(1, Fraction(3, 2), -4) == Fraction(3, 2)
    assert maximum([1, 5, 2]) == 5
    assert maximum(x for x in (3, 4)) == 4
    assert maximum(2.5) == 2.5


def test_maximum_of_arrays_is_taken_coordinate_by_coordinate():
    a, b = np.array([1.0, 5.0, 2.0]), np.array([3.0, 4.0, 2.5])
    assert maximum(a, b).tolist() == [3.0, 5.0, 2.5]
    assert maximum(a, 2).tolist() == [2.0, 5.0, 2.0]
    assert maximum(0, a - 3, b - 4).tolist() == [0.0, 2.0, 0.0]
    assert maximum([a, b]).tolist() == [3.0, 5.0, 2.5]
    assert maximum(a) == 5.0


def test_pos_and_sum_largest_of_arrays_are_taken_coordinate_by_coordinate():
    u = np.array([[1.0, -2.0], [5.0, 0.5], [-3.0, 4.0]])
    assert pos(u[:, 0]).tolist() == [1.0, 5.0, 0.0]
    assert sum_largest([u[0], u[1], u[2]], 2).tolist() == [6.0, 4.5]


@given(st.lists(rationals(-3, 3), min_size=1, max_size=6), st.data())
def test_sum_largest_of_numbers_is_the_best_sum_of_m_of_them(terms, data):
    m = data.draw(st.integers(1, len(terms)))
    assert sum_largest(terms, m) == max(sum(chosen) for chosen in combinations(terms, m))


def test_a_function_written_for_numbers_and_arrays_is_traced_without_change():
    def psi(y, u):
        return pos(1 + maximum(*(u[j] - u[y] for j in range(3) if j != y)))

    surrogate = PolyhedralSurrogate.from_function(psi, n=3, dim=3)
    grid = np.array([[1.0, 0.0, -2.0], [0.5, 0.5, 0.25], [-1.0, 3.0, 2.0]])
    assert np.array_equal(surrogate.evaluate(grid), np.stack([psi(y, grid.T) for y in range(3)], axis=1))
    for row in grid.tolist():
        assert surrogate(row) == tuple(psi(y, [Fraction(x) for x in row]) for y in range(3))


# Sums of maxima stay sums.


def test_one_vs_all_with_twelve_labels_has_two_pieces_per_hinge():
    surrogate = one_vs_all_hinge(12)
    for terms in surrogate.terms:
        assert len(terms) == 12
        assert all(len(maximum) == 2 for maximum in terms)


def test_weston_watkins_with_twelve_labels_has_eleven_hinges_per_label():
    for terms in weston_watkins(12).terms:
        assert len(terms) == 11
        assert all(len(maximum) == 2 for maximum in terms)


def test_a_constant_added_to_a_sum_of_maxima_adds_no_maximum():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: 3 + pos(u[0]) + pos(u[1]) - HALF, n=2, dim=2)
    assert [len(terms) for terms in surrogate.terms] == [2, 2]
    assert surrogate([-1, 2]) == (Fraction(9, 2),) * 2


def test_pieces_that_are_written_twice_are_kept_once():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: maximum(0, u[0], u[0] + 0, 0), n=2, dim=1)
    assert [[len(maximum) for maximum in terms] for terms in surrogate.terms] == [[2], [2]]


# Floats.


@pytest.mark.parametrize("number", [0.1, np.float64(0.1)])
def test_a_float_coefficient_is_read_as_its_shortest_decimal_with_a_warning_that_quotes_both(number):
    with pytest.warns(UserWarning, match=r"0\.1\b.*\b1/10\b"):
        surrogate = PolyhedralSurrogate.from_function(lambda y, u: number * abs(u[0]), n=2, dim=1)
    assert surrogate([1]) == (Fraction(1, 10),) * 2


def test_a_narrow_float_of_numpy_warns_too():
    with pytest.warns(UserWarning, match=r"\b1/10\b"):
        PolyhedralSurrogate.from_function(lambda y, u: abs(np.float32(0.1) * u[0]), n=2, dim=1)


@pytest.mark.parametrize(
    "psi",
    [
        lambda y, u: abs(u[0] + 0.25),
        lambda y, u: maximum(0.25, u[0]),
        lambda y, u: abs(u[0]) / 0.25,
        lambda y, u: 0.25,
    ],
)
def test_floats_are_noticed_wherever_they_stand(psi):
    with pytest.warns(UserWarning, match=r"\b0\.25\b.*\b1/4\b"):
        PolyhedralSurrogate.from_function(psi, n=2, dim=1)


def test_a_float_in_a_domain_is_noticed():
    with pytest.warns(UserWarning, match=r"\b0\.25\b.*\b1/4\b"):
        PolyhedralSurrogate.from_function(lambda y, u: abs(u[0]), n=2, dim=1, domain=lambda u: [u[0] <= 0.25])


def test_whole_floats_do_not_warn():  # warnings are errors here
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(2.0 * u[0]), n=2, dim=1)
    assert surrogate([1]) == (2, 2)


def test_a_plus_sign_before_a_term_changes_nothing():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(+u[0]), n=2, dim=1)
    assert surrogate([-3]) == (3, 3)
