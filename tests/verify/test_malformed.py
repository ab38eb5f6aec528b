"""Whatever the checker is given, it answers, on one line, and never accepts what it should not."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from operator import mul
from random import Random

import pytest
from handmade import (
    crammer_singer_for_abstain,
    hinge_for_zero_one,
    hinge_not_far_enough,
    hinge_with_sign,
    interval_not_for_reject,
    margin_for_zero_one,
    mean_not_for_zero_one,
    signed_multiplier,
    text,
)
from hypothesis import given
from hypothesis import strategies as st
from rejections import Rejection, assert_beyond, rejection

from lossmith.certificates.explaining import explain
from lossmith_verify import MAX_BYTES, arithmetic, check, reading

GOOD = text(hinge_for_zero_one())
assert '"1/2"' in GOOD


def rejected(certificate: str | bytes) -> Rejection:
    """Return the place and the values of a rejection, which stands in the first line of the explanation, too."""
    assert explain(certificate).splitlines()[0] == str(check(certificate))
    return rejection(certificate)


def changed(old: str, new: str) -> str:
    """The good certificate with one piece of text replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


NO_JSON = ["", " ", "x", "nul", "{", '{"a"', "'", "\0", "[1, 2", GOOD + "}", GOOD + GOOD, "\ufeff" + GOOD, "{'a': 1}"]


def test_not_json():
    for junk in [*NO_JSON, "\ud800"]:
        assert rejected(junk).place == "file", junk


def test_not_an_object_with_the_keys():
    for value in ("null", "true", "0", '"calibrated"', "[]", "[{}]", "1e9", "NaN", "-Infinity", "{}"):
        assert rejected(value).place == "file", value


def test_every_truncation_is_rejected():
    for end in range(len(GOOD)):
        assert rejection(GOOD[:end]).place == "file", end


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp500"])
def test_other_encodings(encoding):
    assert check(GOOD.encode("utf-8")).accepted
    assert rejected(GOOD.encode(encoding)).place == "file"


def test_bytes_that_are_no_text():
    assert rejected(b"\xff" + GOOD.encode()).place == "file"
    assert rejected(GOOD.replace("hinge", "\udc80").encode("utf-8", "surrogatepass")).place == "file"


def assert_deep_nesting_is_rejected(opening: str, depth: int) -> None:
    closing = "".join({"[": "]", "{": "}"}[c] for c in reversed(opening) if c in "[{")
    for whole in (opening * depth, opening * depth + "0" + closing * depth):
        assert rejected(whole).quotes(str(reading.MAX_DEPTH)), (opening, depth)


OPENINGS = ["[", '{"evidence":', '{"format": [', '[{"p":']


@pytest.mark.parametrize("opening", OPENINGS)
def test_deep_nesting(opening):
    assert_deep_nesting_is_rejected(opening, 2_000)


@pytest.mark.exhaustive
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("depth", [900, 20_000])
def test_nesting_of_other_depths(opening, depth):
    assert_deep_nesting_is_rejected(opening, depth)


@pytest.mark.parametrize("depth", [100, 900, pytest.param(100_000, marks=pytest.mark.exhaustive)])
def test_deep_nesting_inside_a_certificate(depth):
    place = "evidence.vertices[2].p[0]" if depth < reading.MAX_DEPTH else "file"
    assert rejected(changed('"1/2"', "[" * depth + "]" * depth)).place == place


def test_keys_twice():
    for twice in (
        '{"version": 1, "version": 1}',
        changed('"prediction": 0', '"prediction": 0, "prediction": 0'),
        '{"a\\nb\\ud800": 0, "a\\nb\\ud800": 0}',
    ):
        assert rejected(twice) == ("file", [])


def test_unknown_keys():
    for key in ("x", "Format", "?pred", "?name", "", "\n", "\ud800", "k" * 10**5):
        shown = json.dumps(key[:80])
        assert rejected(changed("{", "{" + json.dumps(key) + ": 0, ")) == ("file", [shown])
        assert rejected(changed('{"dim"', "{" + json.dumps(key) + ': 0, "dim"')) == ("surrogate", [shown])


NO_NUMBERS = "+1 01 00 - --1 1.0 .5 1e3 0x1 1_0 1/ /2 1/0 1/02 1/-2 2/4 1/1 0/1 0/5 -0/2 4/2 1/2/3 ½ ١ １ −1 nan inf"
PROBABILITY = "evidence.vertices[2].p[0]"


def test_numbers_that_are_none():
    for number in ["", " ", "1 ", " 1", "1/2\n", "1/2 ", "1 /2", "\ud800", *NO_NUMBERS.split()]:
        found = rejected(changed('"1/2"', json.dumps(number)))
        assert found.place == PROBABILITY, number
        assert found.quotes(json.dumps(number)), number


def test_numbers_that_are_no_text():
    for value in ("0.5", "1", "1e-1", "NaN", "Infinity", "true", "null", "[]", "{}", '["1/2"]', "1e999"):
        assert rejected(changed('"1/2"', value)).place == PROBABILITY, value


def test_indices_that_are_no_integers():
    for value in ("0.0", "false", '"0"', "null", "[0]", "-0.0", "1e0", "NaN", "0E5"):
        found = rejected(changed('"prediction": 0', f'"prediction": {value}'))
        assert found.place == "evidence.cells[0].prediction", value
        assert found.quotes("2"), value


def test_indices_out_of_range():
    for value in ("-1", "2", "999999999999999999"):
        found = rejected(changed('"prediction": 0', f'"prediction": {value}'))
        assert found == ("evidence.cells[0].prediction", ["2", value])


@pytest.mark.parametrize(
    "digits", [641, 4_301, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (100_001, 10**6))]
)
def test_long_numbers(digits):
    for number in ("1" * digits, "-" + "1" * digits, "1/" + "1" * digits, "1" * digits + "/2"):
        found = rejected(changed('"1/2"', f'"{number}"'))
        assert found.place == PROBABILITY
        assert found.quotes("640")
    for number in ("1" * digits, "-" + "1" * digits):
        found = rejected(changed('"prediction": 0', f'"prediction": {number}'))
        assert found == ("file", [str(len(number))])
    found = rejected(changed('"prediction": 0', f'"prediction": 0.{"1" * digits}'))
    assert found.place == "evidence.cells[0].prediction"


def test_numbers_of_640_digits_are_computed_with():
    certificate = signed_multiplier()
    certificate["loss"]["entries"] = [["1" * 640, "2" + "0" * 639], ["1/" + "3" * 640, "0"]]
    assert rejected(text(certificate)) == ("evidence.cells[0]", ["(0, 1)"])
    certificate["loss"]["entries"][1][1] = "1/3"
    assert check(text(certificate)).accepted
    certificate["surrogate"]["terms"][0][0][0][0] = "1" * 639 + "/" + "1" * 640
    assert check(text(certificate)).accepted
    certificate["evidence"]["cells"][0]["u"] = ["1/" + "7" * 640]
    assert rejected(text(certificate)).place == "evidence.cells[0].u"


def test_sums_of_long_fractions_are_cut_off():
    certificate = signed_multiplier()
    row = certificate["surrogate"]["terms"][0]
    row.extend([[[f"1/{10**639 + i}", "0"]] for i in range(200)])
    certificate["evidence"]["cells"][0]["u"] = ["0"]
    assert rejected(text(certificate)) == ("arithmetic", [str(arithmetic.MAX_BITS)])


@pytest.mark.parametrize(
    ("path", "place", "values"),
    [
        (("loss", "entries"), "loss.entries", ["2", "0"]),
        (("loss", "entries", 0), "loss.entries[0]", ["1", "0"]),
        (("loss", "entries", 1), "loss.entries[1]", ["2", "0"]),
        (("loss", "labels"), "loss.labels", ["2", "0"]),
        (("surrogate", "terms"), "surrogate.terms", ["2", "0"]),
        (("surrogate", "terms", 1), "surrogate.terms[1]", ["1", "0"]),
        (("surrogate", "terms", 1, 0), "surrogate.terms[1][0]", ["1", "0"]),
        (("surrogate", "terms", 1, 0, 0), "surrogate.terms[1][0][0]", ["2", "0"]),
        (("evidence", "cells"), "evidence.cells", ["1", "0"]),
        (("evidence", "cells", 0, "u"), "evidence.cells[0].u", ["1", "0"]),
        (("evidence", "vertices"), "evidence.vertices", ["(1, 0)"]),
        (("evidence", "vertices", 1, "p"), "evidence.vertices[1].p", ["2", "0"]),
        (("evidence", "vertices", 0, "pieces"), "evidence.vertices[0].pieces", ["(1, 0)", "0"]),
        (("evidence", "vertices", 0, "pieces", 0), "evidence.vertices[0].pieces[0]", ["4", "0"]),
    ],
)
def test_empty_lists(path, place, values):
    certificate = hinge_for_zero_one()
    holder = certificate
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = []
    assert rejected(text(certificate)) == (place, values)


def test_a_refutation_needs_points():
    certificate = interval_not_for_reject()
    certificate["evidence"]["points"] = []
    assert rejected(text(certificate)) == ("evidence.points", ["1", "0"])
    certificate = interval_not_for_reject()
    certificate["evidence"]["better"] = []
    assert rejected(text(certificate)) == ("evidence.better", ["3", "0"])


@pytest.mark.parametrize("make", [str, str.encode])
def test_files_as_long_as_allowed(make, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 2000)
    assert check(make(GOOD.ljust(2000))).accepted
    assert rejected(make(GOOD.ljust(2001))) == ("file", ["2000"])


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [str, str.encode])
def test_enormous_files(make):
    assert check(make(GOOD.ljust(MAX_BYTES))).accepted
    assert rejected(make(GOOD.ljust(MAX_BYTES + 1))) == ("file", [str(MAX_BYTES)])


@pytest.mark.parametrize("n", [41, pytest.param(1001, marks=pytest.mark.exhaustive)])
def test_many_labels(n):
    """Of a vertex in many dimensions, only the beginning is printed."""
    certificate = linear_surrogate(n, [[0] * n])
    certificate["surrogate"].update(dim=0, terms=[[[["0"]]]] * n)
    certificate["evidence"]["cells"] = [{"u": [], "prediction": 0}]
    first, last = (f"({', '.join(each)}, …)" for each in (["1", *["0"] * 19], ["0"] * 20))
    assert rejected(text(certificate)) == ("evidence.vertices", [first])
    unit = ["0"] * (n - 1) + ["1"]
    listed = {"p": unit, "pieces": [[n - 1, 0, 0, "1"]], "inequalities": [], "equations": []}
    certificate["evidence"]["vertices"] = [listed, listed]
    assert rejected(text(certificate)) == ("evidence.vertices[1]", [last])
    listed["p"] = [*unit[:-1], "2"]
    assert rejected(text(certificate)).place == "evidence.vertices[0].p"


def linear_surrogate(n: int, values: list[list[int]]) -> dict:
    """A certificate, without vertices, about ψ(u) = u with the cells z_j = u_j."""
    certificate = hinge_for_zero_one()
    unit = [["0", *(str(int(x == y)) for x in range(n))] for y in range(n)]
    certificate["loss"] = {"entries": [["0"]] * n}
    certificate["surrogate"] = {"dim": n, "terms": [[[row]] for row in unit], "inequalities": [], "equations": []}
    cells = [{"u": [str(x) for x in z], "prediction": 0} for z in values]
    certificate["evidence"] = {"cells": cells, "vertices": []}
    return certificate


def random_cells(n: int, count: int) -> str:
    """A few random cells have very many vertices, and none is listed."""
    random = Random(1)
    return text(linear_surrogate(n, [[random.randint(0, 100) for _ in range(n)] for _ in range(count)]))


def test_enumerations_are_cut_off(monkeypatch):
    monkeypatch.setattr(sys.modules["lossmith_verify.calibrated"], "MAX_VERTICES", 100)
    assert rejected(random_cells(12, 40)) == ("evidence", ["100"])


@pytest.mark.exhaustive
def test_enormous_enumerations_are_cut_off():
    """Five random cells in n = 30 have tens of thousands of vertices."""
    assert rejected(random_cells(30, 100)) == ("evidence", ["10000"])


def test_work_is_limited(monkeypatch):
    good = text(crammer_singer_for_abstain(4))
    assert check(good).accepted
    for limit in (10, 100, 1_000, 10_000):
        monkeypatch.setattr(arithmetic, "MAX_STEPS", limit)
        assert rejected(good).quotes(str(limit))


def steps_of(certificate: str) -> int:
    """The work that the check of a certificate is counted as."""
    assert check(certificate).accepted
    return arithmetic.LEDGER.steps


def test_many_points_with_long_estimates_are_too_much_work(monkeypatch):
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**5)
    certificate = mean_not_for_zero_one()
    certificate["surrogate"] = {**certificate["surrogate"], "estimates": [["0"] * 200] * 3}
    certificate["evidence"]["u"] = ["0"] * 200
    certificate["evidence"]["points"] *= 100
    assert_beyond("MAX_STEPS", certificate)


def test_many_points_in_none_of_many_sets_are_too_much_work(monkeypatch):
    certificate = hinge_not_far_enough()
    certificate["evidence"]["points"] *= 20
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 2 * steps_of(text(certificate)))
    certificate["within"] = [{"inequalities": [["-1", "-1"]], "equations": []}] * 200 + certificate["within"]
    assert_beyond("MAX_STEPS", certificate)


def test_many_pieces_on_many_sets_are_too_much_work(monkeypatch):
    everything = {"inequalities": [], "equations": []}
    certificate = {**margin_for_zero_one(), "loss": {"entries": [["0", "0"], ["0", "0"]]}}
    certificate["pred"] = {"regions": [[everything] * 30, []]}
    certificate["within"] = [everything] * 30
    assert 30 * 30 < steps_of(text(certificate)) < 10**6
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 30 * 30 * 50)
    assert_beyond("MAX_STEPS", certificate)


def test_many_pieces_apart_on_many_sets_are_too_much_work(monkeypatch):
    """The same p, and 100 pieces that are to be apart there, in each of 100 sets."""
    certificate = hinge_with_sign()
    last = certificate["evidence"]["apart"][1]
    certificate["pred"] = {"regions": [certificate["pred"]["regions"][0] * 100, certificate["pred"]["regions"][1]]}
    certificate["evidence"]["apart"] = [{**last, "piece": i} for i in range(100)]
    certificate["within"] = [{"inequalities": [], "equations": [["1", "0"]]}] * 100
    assert steps_of(text(certificate)) > 100 * 100 * 5
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 100 * 100 * 5)
    assert_beyond("MAX_STEPS", certificate)


def test_the_work_of_many_predictions_grows_as_their_number():
    """Twice as many predictions are not four times the work."""

    def steps(k: int) -> int:
        certificate = hinge_for_zero_one()
        certificate["loss"]["entries"] = [["0", "1"] + ["1"] * k, ["1", "0"] + ["1"] * k]
        return steps_of(text(certificate))

    assert steps(2000) - steps(1000) == steps(1000) - steps(0)


def test_a_product_of_short_numbers_is_thirty_steps():
    assert steps_of_sum((1, 1), (1, 1)) == steps_of_sum((1,), (1,)) + 30


@pytest.mark.parametrize("factors", [(2**400, 1), (1, 2**400), (Fraction(1, 2**400), 1), (1, Fraction(1, 2**400))])
def test_a_product_costs_more_for_each_400_bits(factors):
    """Whichever of the two is long; and so does the next one, which is added to a long sum."""
    x, y = factors
    assert steps_of_sum((x,), (y,)) == steps_of_sum((1,), (1,)) + 4
    assert steps_of_sum((x, 1), (y, 1)) == steps_of_sum((1, 1), (1, 1)) + 8


def steps_of_sum(xs: tuple[Fraction | int, ...], ys: tuple[Fraction | int, ...]) -> int:
    """The work that Σ x·y is counted as."""
    arithmetic.start()
    assert arithmetic.dot(xs, ys) == sum(map(mul, xs, ys))
    return arithmetic.LEDGER.steps


@given(st.text() | st.binary())
def test_any_text(junk):
    rejected(junk)


@given(st.data())
def test_any_characters_changed(data):
    """Overwrite a few characters of a good certificate with others that occur in it."""
    characters = list(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        characters[data.draw(st.integers(0, len(GOOD) - 1))] = data.draw(
            st.sampled_from('[]{},:"0123456789/-. ' + GOOD)
        )
    verdict = check("".join(characters))
    assert verdict.why.isprintable()
