"""Reading rational numbers: what is written is what is meant."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses.refusal import assert_quotes
from lossmith.errors import BadInput, BadNumber
from lossmith.exact.rational import as_rational, as_rationals, quoted


@given(st.fractions())
def test_a_fraction_is_read_back_from_its_own_text(value):
    assert as_rational(str(value)) == value
    assert as_rational(value) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20))
def test_a_decimal_means_the_number_it_writes(value):
    assert as_rational(value) == Fraction(value)
    assert as_rational(str(value)) == Fraction(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_its_shortest_decimal(value):
    assert as_rational(value) == Fraction(Decimal(repr(value)))


@given(st.integers(-(10**6), 10**6), st.integers(0, 8))
def test_a_float_that_was_typed_as_a_short_decimal_means_that_decimal(digits, places):
    typed = Fraction(digits, 10**places)
    assert as_rational(float(typed)) == typed


@given(st.floats(width=32, allow_nan=False, allow_infinity=False, min_value=-(2**100), max_value=2**100))
def test_a_narrow_float_means_its_own_shortest_decimal(value):
    narrow = np.float32(value)
    assert as_rational(narrow) == Fraction(Decimal(str(narrow)))


def test_a_tenth_is_a_tenth_however_it_is_written():
    texts = ["0.1", ".1", "1e-1", "1/10", " 1 / 10 "]
    numbers = [0.1, Decimal("0.10"), np.float64(0.1), np.float32(0.1), np.float16(0.1)]
    assert {as_rational(each) for each in [*texts, *numbers]} == {Fraction(1, 10)}


def test_integers_and_booleans_of_any_make_are_numbers():
    given_values = [1, True, np.int8(1), np.uint64(1), np.bool_(True), "1", "+1", "1.", 1.0]
    assert [as_rational(each) for each in given_values] == [1] * len(given_values)


def shown(value: object) -> str:
    """The form in which a refusal quotes the value; how to write a number instead, where nothing is given."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return "0.25"
    return str(value) if isinstance(value, (float, Decimal, np.floating)) else repr(value)


TEXTS = ["", "  ", "nan", "NaN", "inf", "∞", "1/0", "a", "1,5", "1_000", "0x10", "1/2/3", "½", "٣", "1e5000", "--1"]
FLOATS = [float("nan"), float("inf"), -float("inf"), Decimal("NaN"), Decimal("Infinity"), np.float32("nan")]


@pytest.mark.parametrize("value", [*TEXTS, *FLOATS, None, 1j, [1], {}], ids=repr)
def test_what_is_no_rational_number_is_refused_on_one_line(value):
    with pytest.raises(BadNumber) as refusal:
        as_rational(value)
    assert "\n" not in str(refusal.value)
    assert shown(value) in str(refusal.value)


def test_the_position_of_a_bad_number_in_a_list_is_named():
    with pytest.raises(BadInput, match=r"\b2 .*\bp .*'x'"):
        as_rationals([0, "1/2", "x"], "p")


LONG = ["9" * 4001, "9" * 9999, "1/" + "9" * 4001, "1e4001", "1e-4001", "9" * 4000 + "e4000", "1e" + "9" * 9999]
ENDLESS = ["1e" + "9" * 30, "1e" + "0" * 30 + "99999999", Decimal("1e999999")]


@pytest.mark.parametrize(
    "value", [*LONG, *ENDLESS, 10**4001, -(10**4001), Fraction(1, 10**4001)], ids=lambda value: type(value).__name__
)
def test_numbers_of_thousands_of_digits_are_refused_at_once(value):
    with pytest.raises(BadNumber) as refusal:
        as_rational(value)
    assert_quotes(str(refusal.value), "4000")
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("text", ["1e4000", "1e-4000", "9" * 4000, "1/" + "9" * 4000, "1e+0004000"], ids=len)
def test_numbers_of_up_to_4000_digits_are_exact_and_print(text):
    value = as_rational(text)
    assert as_rational(str(value)) == value
    assert value == Fraction(text)


def test_other_libraries_may_bring_their_own_rationals():
    import gmpy2

    assert as_rational(gmpy2.mpq(1, 3)) == Fraction(1, 3)
    assert type(as_rational(gmpy2.mpz(3)).numerator) is int


@pytest.mark.parametrize("values", ["100", None, 3, {"a": 1}], ids=repr)
def test_what_is_no_list_of_numbers_is_refused(values):
    with pytest.raises(BadInput) as refusal:
        as_rationals(values, "p")
    assert_quotes(str(refusal.value), "p", repr(values))


@given(st.text() | st.binary() | st.lists(st.integers(), max_size=99) | st.dictionaries(st.text(), st.text()))
def test_a_quotation_is_short_and_stays_on_one_line(value):
    assert len(quoted(value)) <= 70
    assert quoted(value).isprintable()
