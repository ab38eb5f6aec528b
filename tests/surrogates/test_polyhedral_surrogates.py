"""PolyhedralSurrogate as a value: equality, hashing, pickling, what it prints, and its Bayes risk."""

from __future__ import annotations

import pickle
import signal
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.analysis.positive_normals import positive_normal_set
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates import crammer_singer, lee_lin_wahba
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import Constraint, Expression, maximum, pos
from strategies import distributions
from surrogates import second_opinion
from surrogates.members import case, each_part, polyhedral
from surrogates.random_surrogates import points_of, surrogates


def hinge(name=None):
    return PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name=name)


def test_two_functions_that_say_the_same_give_equal_surrogates_with_equal_hashes():
    longhand = PolyhedralSurrogate.from_function(
        lambda y, u: maximum(0, 1 - u[0]) if y == 0 else maximum(0, u[0] + 1), n=2, dim=1
    )
    assert hinge() == longhand
    assert hash(hinge()) == hash(longhand)
    assert {hinge(): "found"}[longhand] == "found"


def test_the_name_is_for_print_only():
    assert hinge("one name") == hinge("another")
    assert hash(hinge("one name")) == hash(hinge("another"))
    assert hinge("one name").name == "one name"


def test_another_function_another_domain_or_another_dimension_is_another_surrogate():
    on_a_ray = PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, domain=lambda u: [u[0] >= 0]
    )
    with_a_spare_coordinate = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=2)
    steeper = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (2, -2)[y] * u[0]), n=2, dim=1)
    assert len({hinge(), on_a_ray, with_a_spare_coordinate, steeper}) == 4
    assert hinge() != "hinge"


def test_the_domain_is_the_polyhedron_of_the_rows_that_were_given():
    row = (Fraction(-1), Fraction(1))
    terms = hinge().terms
    assert hinge().domain == Polyhedron(1)
    given_rows = PolyhedralSurrogate(terms, 1, (row,), name="from 1 on")
    assert given_rows.domain == Polyhedron(1, (row,))
    assert (given_rows.dim, given_rows.inequalities, given_rows.equations) == (1, (row,), ())
    assert PolyhedralSurrogate(terms, 1, equations=(row,)).domain == Polyhedron(1, (), (row,))
    assert hinge().on(Polyhedron(1, (row,)), "from 1 on") == given_rows


def test_surrogates_cannot_be_changed():
    with pytest.raises(AttributeError):
        hinge().dim = 3


@each_part
def test_pickling_keeps_the_value_the_name_and_the_behaviour(part):
    for surrogate in polyhedral(part):
        u = surrogate.minimum([1] * surrogate.n).point
        positive_normal_set(surrogate, u)  # fills what is kept on demand
        back = pickle.loads(pickle.dumps(surrogate))
        with case(surrogate.name):
            assert back == surrogate
            assert hash(back) == hash(surrogate)
            assert back.name == surrogate.name
            assert back(u) == surrogate(u)


def test_a_surrogate_made_from_a_lambda_pickles():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] - y), n=3, dim=1)
    assert pickle.loads(pickle.dumps(surrogate)) == surrogate


@each_part
def test_what_is_stored_is_plain_fractions(part):
    for surrogate in polyhedral(part):
        rows = [piece for terms in surrogate.terms for maximum in terms for piece in maximum]
        for row in [*rows, *surrogate.inequalities, *surrogate.equations]:
            assert len(row) == surrogate.dim + 1, surrogate.name
            assert all(type(x) is Fraction for x in row), surrogate.name


def test_symbols_are_not_hashable():
    leaked = []
    PolyhedralSurrogate.from_function(
        lambda y, u: leaked.append(u[0]) or abs(u[0]),
        n=2,
        dim=1,
        domain=lambda u: [leaked.append(u[0] <= 1) or leaked[-1]],
    )
    assert {type(each) for each in leaked} == {Expression, Constraint}
    for each in leaked:
        with pytest.raises(TypeError):
            hash(each)


def test_a_function_gives_its_name_unless_one_is_given():
    def my_hinge(y, u):
        return pos(1 - u[0])

    assert PolyhedralSurrogate.from_function(my_hinge, n=2, dim=1).name == "my_hinge"
    assert PolyhedralSurrogate.from_function(my_hinge, n=2, dim=1, name="mine").name == "mine"


def test_it_prints_on_one_line_with_its_name():
    for surrogate in (crammer_singer(3), hinge("hinge"), lee_lin_wahba(3)):
        assert surrogate.name in repr(surrogate)
        assert "\n" not in repr(surrogate)


def test_points_are_read_exactly_whatever_they_are_written_as():
    for u in ([0.1], ["1/10"], [Fraction(1, 10)], np.array([0.1]), (np.float64(0.1),)):
        assert hinge()(u) == (Fraction(9, 10), Fraction(11, 10))


def test_a_batch_of_no_rows_has_no_values():
    assert hinge().evaluate(np.empty((0, 1))).shape == (0, 2)


@each_part
def test_float_batches_agree_with_the_exact_values_of_every_family(part):
    for surrogate in polyhedral(part):
        U = np.random.default_rng(0).integers(-24, 25, size=(8, surrogate.dim)) / 8
        if surrogate.equations:
            U = U - U.mean(axis=1, keepdims=True)
        exact = [[float(x) for x in second_opinion.psi(surrogate, list(map(Fraction, row)))] for row in U.tolist()]
        assert np.allclose(surrogate.evaluate(U), exact, rtol=0, atol=1e-9), surrogate.name


@given(surrogates(), st.data())
def test_values_are_sums_of_the_largest_pieces(surrogate, data):
    u = data.draw(points_of(surrogate))
    assert surrogate.contains(u)
    assert surrogate(u) == second_opinion.psi(surrogate, u)
    assert np.allclose(surrogate.evaluate([[float(x) for x in u]])[0], [float(x) for x in surrogate(u)], atol=1e-9)


@given(surrogates(), st.data())
def test_the_bayes_risk_is_the_least_risk_of_all_corners(surrogate, data):
    p = data.draw(distributions(surrogate.n))
    assert surrogate.bayes_risk(p) == second_opinion.bayes_risk(surrogate, p)


@given(surrogates(), st.data())
def test_the_minimum_comes_with_a_point_of_the_domain_that_attains_it(surrogate, data):
    weights = data.draw(
        st.lists(st.integers(0, 5) | st.just(Fraction(2, 3)), min_size=surrogate.n, max_size=surrogate.n)
    )
    best = surrogate.minimum(weights)
    assert second_opinion.contains(surrogate, best.point)
    assert second_opinion.dot(weights, second_opinion.psi(surrogate, best.point)) == best.value
    assert best.value == min(second_opinion.dot(weights, z) for z in second_opinion.values(surrogate))


# A maximum that counts twice.


def counted_twice() -> PolyhedralSurrogate:
    """ψ₀ = |u − 1| and ψ₁ = 4u₊, written as u₊ + u₊ + (2u)₊: the two u₊ together are the third."""
    return PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - 1) if y == 0 else pos(u[0]) + pos(u[0]) + pos(2 * u[0]), n=2, dim=1
    )


def test_maxima_that_become_equal_count_as_often_as_they_occur_in_exact_values():
    assert counted_twice()([1]) == (0, 4)


def test_maxima_that_become_equal_count_as_often_as_they_occur_in_batches():
    assert counted_twice().evaluate([[1.0]]).tolist() == [[0.0, 4.0]]


def test_maxima_that_become_equal_count_as_often_as_they_occur_in_the_bayes_risk():
    # At p = (3/4, 1/4) the risk is 3/4 |u − 1| + u₊, least at u = 0.
    assert counted_twice().bayes_risk(["3/4", "1/4"]) == Fraction(3, 4)


def test_maxima_that_become_equal_count_as_often_as_they_occur_in_positive_normal_sets():
    # At u = 1 the right slopes are (1, 4) and the left ones (−1, 4): optimal exactly if −p₀ + 4p₁ ≤ 0, p₁ ≤ 1/5.
    assert positive_normal_set(counted_twice(), [1]).polytope.vertices == ((Fraction(4, 5), Fraction(1, 5)), (1, 0))


@contextmanager
def within(seconds: int):
    """What takes longer fails, so that a loop without end is seen."""

    def give_up(*_):
        raise AssertionError(f"took longer than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_maxima_that_become_equal_do_not_keep_positive_normal_sets_from_ending():
    # At u = 0 moving right has slope −p₀ + 4p₁ and moving left p₀: optimal exactly if p₁ ≥ 1/5.
    with within(60):
        normals = positive_normal_set(counted_twice(), [0])
    assert normals.polytope.vertices == ((0, 1), (Fraction(4, 5), Fraction(1, 5)))


def test_maxima_given_twice_count_twice():
    zero, slope = (Fraction(0), Fraction(0)), (Fraction(0), Fraction(1))
    left, right = (Fraction(1), Fraction(-1)), (Fraction(-1), Fraction(1))
    surrogate = PolyhedralSurrogate((((left, right),), ((zero, slope), (zero, slope))), 1)
    assert surrogate([1]) == (0, 2)
    assert surrogate.evaluate([[1.0]]).tolist() == [[0.0, 2.0]]
    assert surrogate.bayes_risk(["3/5", "2/5"]) == Fraction(3, 5)  # 3/5 |u − 1| + 4/5 u₊ is least at 0
