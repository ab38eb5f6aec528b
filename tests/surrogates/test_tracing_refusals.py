"""What is no polyhedral surrogate is refused in one line that names the term, or the label and the point."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from lossmith.errors import BadInput, BadSurrogate, LossmithError, TooLarge
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum, pos, sum_largest
from surrogates.quotation import quotes


def refusal(psi, n=2, dim=2, domain=None, error: type[LossmithError] = BadSurrogate) -> str:
    with pytest.raises(error) as caught:
        PolyhedralSurrogate.from_function(psi, n=n, dim=dim, domain=domain)
    message = str(caught.value)
    assert message
    assert len(message.splitlines()) == 1
    return message


def bowl(y, u):
    return abs(u[0]) + abs(u[1])


@pytest.mark.parametrize(
    ("psi", "words"),
    [
        (lambda y, u: u[0] * u[1], ["(u[0]) * (u[1])"]),
        (lambda y, u: abs(u[0]) * u[1], ["(max(u[0], -u[0])) * (u[1])"]),
        (lambda y, u: u[0] / u[1], ["(u[0]) / (u[1])"]),
        (lambda y, u: 1 / u[1], ["1 / (u[1])"]),
        (lambda y, u: u[0] / 0, ["(u[0]) / 0"]),
        (lambda y, u: u[0] ** 2, ["(u[0]) ** 2"]),
        (lambda y, u: -pos(u[0]), ["-1 * (max(0, u[0]))"]),
        (lambda y, u: 3 - maximum(u[0], u[1]), ["-1 * (max(u[0], u[1]))"]),
        (lambda y, u: u[0] - abs(u[1]), ["-1 * (max(u[1], -u[1]))"]),
        (lambda y, u: Fraction(-1, 2) * pos(1 - u[0]), ["-1/2 * (max(0, 1 - u[0]))"]),
        (lambda y, u: pos(u[0]) / -2, ["-1/2 * (max(0, u[0]))"]),
        (lambda y, u: abs(pos(u[0]) - 1), ["abs(max(0, u[0]) + -1)", "maximum(e, -e)"]),
        (lambda y, u: max(u[0], 0), ["u[0]", "lm.maximum"]),
        (lambda y, u: max(u), ["(u[1])", "lm.maximum"]),
        (lambda y, u: min(u[0], u[1]), ["(u[1])", "lm.maximum", "<="]),
        (lambda y, u: sorted(u)[0], ["(u[1])", "lm.maximum", "<="]),
        (lambda y, u: u[0] if u[0] > 0 else -u[0], ["(u[0])", "lm.maximum", "<="]),
        (lambda y, u: u[0] if u[0] >= 0 else -u[0], ["u[0] >= 0", "0 <= u[0] <= 1"]),
        (lambda y, u: u[0] if u[0] else 0, ["(u[0])", "lm.maximum"]),
        (lambda y, u: bool(u[0]), ["(u[0])", "lm.maximum"]),
        (lambda y, u: int(u[1] in u[:1]), ["u[0] - u[1] == 0", "0 <= u[0] <= 1"]),
        (lambda y, u: maximum(), ["maximum()"]),
        (lambda y, u: maximum([]), ["maximum()"]),
        (lambda y, u: maximum(u[0], "2"), ["'2'"]),
        (lambda y, u: maximum(u[0], None), ["None"]),
        (lambda y, u: sum_largest(u, 0), ["sum_largest", "m = 0", "1", "2"]),
        (lambda y, u: sum_largest(u, 3), ["sum_largest", "m = 3", "1", "2"]),
        (lambda y, u: sum(u[0]), ["(u[0])"]),
    ],
)
def test_what_is_not_convex_and_piecewise_linear_is_refused_by_naming_the_term(psi, words):
    message = refusal(psi)
    for word in words:
        assert word in message


@pytest.mark.parametrize("value", ["text", "1", None, [1, 2], (), {}, float("nan"), float("inf"), object()])
def test_what_a_surrogate_returns_must_be_a_term_or_a_number(value):
    message = refusal(lambda y, u: value)
    assert "y = 0" in message


def test_a_list_of_terms_is_no_term_and_the_label_is_named():
    assert "y = 1" in refusal(lambda y, u: abs(u[0]) if y == 0 else [u[0], u[1]])


def test_a_comparison_is_no_term():
    assert "y = 0" in refusal(lambda y, u: u[0] <= u[1])


@pytest.mark.parametrize("psi", [lambda y, u: np.eye(3), lambda y, u: maximum(u[0], np.eye(3))])
def test_an_array_in_place_of_a_term_is_quoted_on_one_line(psi):
    assert "array" in refusal(psi)


def test_a_surrogate_below_zero_names_the_label_the_point_and_the_value():
    message = refusal(lambda y, u: abs(u[0] - 3) + abs(u[1]) - (2 if y == 1 else 0))
    assert "y = 1" in message
    assert "u = (3, 0)" in message
    assert "-2" in message


def test_a_surrogate_that_is_unbounded_below_names_the_label():
    message = refusal(lambda y, u: pos(u[0]) if y == 0 else u[0])
    assert "y = 1" in message
    assert "u = (" not in message


def test_a_surrogate_may_be_negative_outside_its_domain():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: u[0], n=2, dim=1, domain=lambda u: [u[0] >= 0])
    assert surrogate([2]) == (2, 2)
    with pytest.raises(BadInput, match=re.escape("u = (-1)")):
        surrogate([-1])


# Domains.


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        (lambda u: [True], ["True"]),
        (lambda u: [sum(u) == 0, False], ["False"]),
        (lambda u: True, ["True"]),
        (lambda u: None, ["None"]),
        (lambda u: 3, ["3"]),
        (lambda u: "u >= 0", ["'u'"]),
        (lambda u: [u[0]], ["<=", ">=", "=="]),
        (lambda u: u[0], ["(u[0])"]),
        (lambda u: [u[0] < 1], ["(u[0])", "<="]),
        (lambda u: [u[0] > u[1]], ["(u[0])", "<="]),
        (lambda u: [0 <= u[0] <= 1], ["u[0] >= 0", "0 <= u[0] <= 1"]),
        (lambda u: [u[0] == u[1] == 0], ["u[0] - u[1] == 0", "0 <= u[0] <= 1"]),
        (lambda u: [u[0] >= 0 and u[1] >= 0], ["u[0] >= 0"]),
        (lambda u: [u[0] != 0], ["u[0] == 0"]),
        (lambda u: [abs(u[0]) <= 1], ["max(u[0], -u[0])"]),
        (lambda u: [1 >= maximum(u[0], u[1])], ["max(u[0], u[1])"]),  # noqa: SIM300
        (lambda u: [pos(u[0]) == 0], ["max(0, u[0])"]),
        (lambda u: [u[0] * u[1] >= 0], ["(u[0]) * (u[1])"]),
        (lambda u: [u[0] <= "one"], ["(u[0])", "'one'"]),
        (lambda u: [u[0] == None], ["(u[0])", "None"]),  # noqa: E711
        (lambda u: [u[0] >= 1, u[0] <= 0], ["bowl"]),
        (lambda u: [sum(u) == 0, sum(u) == 1], ["bowl"]),
        (lambda u: [u[0] - u[0] >= 1], ["bowl"]),
    ],
)
def test_a_domain_is_a_list_of_linear_comparisons_with_a_solution(domain, words):
    message = refusal(bowl, domain=domain)
    for word in words:
        assert word in message


def test_a_domain_may_be_one_comparison_or_any_collection_of_them():
    for domain in (lambda u: sum(u) == 0, lambda u: (sum(u) == 0,), lambda u: iter([sum(u) == 0])):
        surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2, domain=domain)
        assert surrogate.equations == ((0, 1, 1),)
        assert surrogate.inequalities == ()


def test_comparisons_are_read_on_either_side_and_with_numbers_on_both():
    def domain(u):
        return [u[0] <= u[1], 1 >= u[1], u[0] >= -2, 2 * u[0] + 1 == u[1]]  # noqa: SIM300

    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2, domain=domain)
    assert surrogate.inequalities == ((0, -1, 1), (1, 0, -1), (2, 1, 0))
    assert surrogate.equations == ((1, 2, -1),)


def test_no_comparison_at_all_means_the_whole_space():
    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2, domain=lambda u: [])
    assert (surrogate.inequalities, surrogate.equations) == ((), ())


# Sizes.


@pytest.mark.parametrize("n", [1, 0, -3, 2.0, "3", None, True])
def test_the_number_of_labels_must_be_a_whole_number_of_at_least_two(n):
    message = refusal(bowl, n=n, error=BadInput)
    assert quotes(message, "n", repr(n), "2")


@pytest.mark.parametrize("dim", [0, -1, 1.0, "2", None, True])
def test_the_dimension_must_be_a_whole_number_of_at_least_one(dim):
    message = refusal(lambda y, u: abs(u[0]), dim=dim, error=BadInput)
    assert quotes(message, "dim", repr(dim), "1")


def test_integers_of_numpy_are_whole_numbers():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0]), n=np.int64(3), dim=np.int64(1))
    assert (surrogate.n, surrogate.dim) == (3, 1)


def test_a_surrogate_of_one_label_cannot_be_built_from_its_pieces_either():
    with pytest.raises(BadSurrogate, match=r"\b1\b"):
        PolyhedralSurrogate((((((Fraction(0), Fraction(0))),),),), 1)


def test_a_maximum_over_a_long_sum_of_maxima_is_refused_with_its_size():
    message = refusal(lambda y, u: pos(sum(abs(x - i) for i, x in enumerate(u)) - 1), dim=20, error=TooLarge)
    assert f"{2**20:,}" in message


def test_a_sum_of_the_largest_of_too_many_terms_is_refused_with_its_size():
    message = refusal(lambda y, u: pos(sum_largest(u, 10)), dim=20, error=TooLarge)
    assert "184,756" in message  # 20 choose 10


# Points.


@pytest.mark.parametrize("u", [[1], [1, 2, 3], []])
def test_a_point_needs_as_many_coordinates_as_dimensions(u):
    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2)
    with pytest.raises(BadInput, match=rf"u = \({', '.join(map(str, u))}\).*\b{len(u)}\b.*\b2\b"):
        surrogate(u)


@pytest.mark.parametrize("u", ["12", 3, [1, "x"], [1, float("nan")], {0: 1, 1: 2}])
def test_a_point_is_a_list_of_numbers(u):
    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2)
    with pytest.raises(BadInput) as caught:
        surrogate(u)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("batch", [[1.0, 2.0], [[1.0]], [[1.0, 2.0, 3.0]], 3.0])
def test_a_batch_needs_one_column_per_dimension(batch):
    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2)
    with pytest.raises(BadInput, match=re.escape(str(np.shape(batch))) + r".*\b2\b"):
        surrogate.evaluate(batch)


@pytest.mark.parametrize("p", [[1, 1], ["1/2", "1/4", "1/4"], [2, -1], "half"])
def test_the_bayes_risk_is_asked_at_a_distribution(p):
    surrogate = PolyhedralSurrogate.from_function(bowl, n=2, dim=2)
    with pytest.raises(BadInput) as caught:
        surrogate.bayes_risk(p)
    assert len(str(caught.value).splitlines()) == 1
