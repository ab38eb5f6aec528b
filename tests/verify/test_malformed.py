"""Whatever the checker is given, it answers, on one line, and never accepts what it should not."""

from __future__ import annotations

import json
import time
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

from lossmith.certificates.explaining import explain
from lossmith_verify import MAX_BYTES, arithmetic, check

GOOD = text(hinge_for_zero_one())
assert '"1/2"' in GOOD


def rejection(certificate: str | bytes) -> str:
    verdict = check(certificate)
    assert not verdict.accepted
    assert verdict.given == ()
    assert verdict.why.isprintable()  # one line, and nothing that a terminal obeys
    assert len(verdict.why) < 500
    assert explain(certificate).startswith(f"rejected: {verdict.why}\n")
    return verdict.why


def changed(old: str, new: str) -> str:
    """The good certificate with one piece of text replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    "junk",
    [
        "",
        " ",
        "x",
        "nul",
        "{",
        '{"a"',
        "'",
        "\0",
        "[1, 2",
        GOOD + "}",
        GOOD + GOOD,
        "\ufeff" + GOOD,
        "{'a': 1}",
        "\ud800",
    ],
)
def test_not_json(junk):
    assert rejection(junk).startswith("file: not JSON in UTF-8")


@pytest.mark.parametrize("value", ["null", "true", "0", '"calibrated"', "[]", "[{}]", "1e9", "NaN", "-Infinity", "{}"])
def test_not_an_object_with_the_keys(value):
    assert rejection(value).startswith("file: ")


def test_every_truncation_is_rejected():
    for end in range(len(GOOD)):
        assert rejection(GOOD[:end]).startswith("file: not JSON")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp500"])
def test_other_encodings(encoding):
    assert check(GOOD.encode("utf-8")).accepted
    assert rejection(GOOD.encode(encoding)).startswith("file: not JSON in UTF-8")


def test_bytes_that_are_no_text():
    assert rejection(b"\xff" + GOOD.encode()).startswith("file: not JSON in UTF-8")
    assert rejection(GOOD.replace("hinge", "\udc80").encode("utf-8", "surrogatepass")).startswith(
        "file: not JSON in UTF-8"
    )


@pytest.mark.parametrize("opening", ["[", '{"evidence":', '{"format": [', '[{"p":'])
@pytest.mark.parametrize("depth", [900, 2_000, 20_000])
def test_deep_nesting(opening, depth):
    closing = "".join({"[": "]", "{": "}"}[c] for c in reversed(opening) if c in "[{")
    assert rejection(opening * depth).startswith("file: ")
    assert rejection(opening * depth + "0" + closing * depth).startswith("file: ")


@pytest.mark.parametrize("depth", [100, 900, 100_000])
def test_deep_nesting_inside_a_certificate(depth):
    assert rejection(changed('"1/2"', "[" * depth + "]" * depth)).startswith(
        ("file: nested", "evidence.vertices[2].p[0]: ")
    )


def test_keys_twice():
    for twice in (
        '{"version": 1, "version": 1}',
        changed('"prediction": 0', '"prediction": 0, "prediction": 0'),
        '{"a\\nb\\ud800": 0, "a\\nb\\ud800": 0}',
    ):
        assert rejection(twice) == "file: a key comes twice"


@pytest.mark.parametrize("key", ["x", "Format", "?pred", "?name", "", "\n", "\ud800", "k" * 10**6])
def test_unknown_keys(key):
    assert "unknown key" in rejection(changed("{", "{" + json.dumps(key) + ": 0, "))
    assert "unknown key" in rejection(changed('{"dim"', "{" + json.dumps(key) + ': 0, "dim"'))


NO_NUMBERS = "+1 01 00 - --1 1.0 .5 1e3 0x1 1_0 1/ /2 1/0 1/02 1/-2 2/4 1/1 0/1 0/5 -0/2 4/2 1/2/3 ½ ١ １ −1 nan inf"


@pytest.mark.parametrize("number", ["", " ", "1 ", " 1", "1/2\n", "1/2 ", "1 /2", "\ud800", *NO_NUMBERS.split()])
def test_numbers_that_are_none(number):
    why = rejection(changed('"1/2"', json.dumps(number)))
    assert why.startswith("evidence.vertices[2].p[0]: expected a number in quotes, in lowest terms")


@pytest.mark.parametrize(
    "value", ["0.5", "1", "1e-1", "NaN", "Infinity", "true", "null", "[]", "{}", '["1/2"]', "1e999"]
)
def test_numbers_that_are_no_text(value):
    assert rejection(changed('"1/2"', value)).startswith("evidence.vertices[2].p[0]: expected a number in quotes, ")


@pytest.mark.parametrize("value", ["0.0", "false", '"0"', "null", "[0]", "-0.0", "1e0", "NaN", "0E5"])
def test_indices_that_are_no_integers(value):
    expected = "evidence.cells[0].prediction: expected an index below 2, not "
    assert rejection(changed('"prediction": 0', f'"prediction": {value}')).startswith(expected)


@pytest.mark.parametrize("value", ["-1", "2", "999999999999999999"])
def test_indices_out_of_range(value):
    expected = f"evidence.cells[0].prediction: expected an index below 2, not {value}"
    assert rejection(changed('"prediction": 0', f'"prediction": {value}')) == expected


@pytest.mark.parametrize("digits", [641, 4_301, 100_001, 10**6])
def test_long_numbers(digits):
    for number in ("1" * digits, "-" + "1" * digits, "1/" + "1" * digits, "1" * digits + "/2"):
        why = rejection(changed('"1/2"', f'"{number}"'))
        assert why.startswith("evidence.vertices[2].p[0]: ")
        assert "of at most 640 digits" in why
    for number in ("1" * digits, "-" + "1" * digits):
        assert rejection(changed('"prediction": 0', f'"prediction": {number}')).startswith("file: an integer of ")
    assert "expected an index below 2" in rejection(changed('"prediction": 0', f'"prediction": 0.{"1" * digits}'))


def test_numbers_of_640_digits_are_computed_with():
    certificate = signed_multiplier()
    certificate["loss"]["entries"] = [["1" * 640, "2" + "0" * 639], ["1/" + "3" * 640, "0"]]
    assert "tight at p = (0, 1), where its prediction is not optimal" in rejection(text(certificate))
    certificate["loss"]["entries"][1][1] = "1/3"
    assert check(text(certificate)).accepted
    certificate["surrogate"]["terms"][0][0][0][0] = "1" * 639 + "/" + "1" * 640
    assert check(text(certificate)).accepted
    certificate["evidence"]["cells"][0]["u"] = ["1/" + "7" * 640]
    assert "((a long fraction)) is not in the domain" in rejection(text(certificate))


def test_sums_of_long_fractions_are_cut_off():
    certificate = signed_multiplier()
    row = certificate["surrogate"]["terms"][0]
    row.extend([[[f"1/{10**639 + i}", "0"]] for i in range(200)])
    certificate["evidence"]["cells"][0]["u"] = ["0"]
    assert rejection(text(certificate)) == "arithmetic: more than 20000 bits come up"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (("loss", "entries"), "loss.entries: expected 2 or more entries, not 0"),
        (("loss", "entries", 0), "loss.entries[0]: expected 1 or more entries, not 0"),
        (("loss", "entries", 1), "loss.entries[1]: expected 2 entries, not 0"),
        (("loss", "labels"), "loss.labels: expected 2 entries, not 0"),
        (("surrogate", "terms"), "surrogate.terms: expected 2 entries, not 0"),
        (("surrogate", "terms", 1), "surrogate.terms[1]: expected 1 or more entries, not 0"),
        (("surrogate", "terms", 1, 0), "surrogate.terms[1][0]: expected 1 or more entries, not 0"),
        (("surrogate", "terms", 1, 0, 0), "surrogate.terms[1][0][0]: expected 2 entries, not 0"),
        (("evidence", "cells"), "evidence.cells: expected 1 or more entries, not 0"),
        (("evidence", "cells", 0, "u"), "evidence.cells[0].u: expected 1 entries, not 0"),
        (("evidence", "vertices"), "evidence.vertices: p = (1, 0) is missing"),
        (("evidence", "vertices", 1, "p"), "evidence.vertices[1].p: expected 2 entries, not 0"),
        (
            ("evidence", "vertices", 0, "pieces"),
            "evidence.vertices[0].pieces: p = (1, 0): the weights of a maximum of label 0 do not sum to p_y",
        ),
        (
            ("evidence", "vertices", 0, "pieces", 0),
            "evidence.vertices[0].pieces[0]: expected 4 entries, not 0",
        ),
    ],
)
def test_empty_lists(path, why):
    certificate = hinge_for_zero_one()
    holder = certificate
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = []
    assert rejection(text(certificate)) == why


def test_a_refutation_needs_points():
    certificate = interval_not_for_reject()
    certificate["evidence"]["points"] = []
    assert rejection(text(certificate)) == "evidence.points: expected 1 or more entries, not 0"
    certificate = interval_not_for_reject()
    certificate["evidence"]["better"] = []
    assert rejection(text(certificate)) == "evidence.better: expected 3 entries, not 0"


@pytest.mark.parametrize("make", [str, str.encode])
def test_enormous_files(make):
    assert check(make(GOOD + " " * (MAX_BYTES - len(GOOD)))).accepted
    assert rejection(make(GOOD + " " * (MAX_BYTES - len(GOOD) + 1))) == f"file: longer than {MAX_BYTES} bytes"


def test_many_labels():
    """Of a vertex in 1001 dimensions, only the beginning is printed."""
    certificate = linear_surrogate(1001, [[0] * 1001])
    certificate["surrogate"].update(dim=0, terms=[[[["0"]]]] * 1001)
    certificate["evidence"]["cells"] = [{"u": [], "prediction": 0}]
    assert rejection(text(certificate)).startswith("evidence.vertices: p = (1, 0, 0, 0, ")
    unit = ["0"] * 1000 + ["1"]
    listed = {"p": unit, "pieces": [[1000, 0, 0, "1"]], "inequalities": [], "equations": []}
    certificate["evidence"]["vertices"] = [listed, listed]
    assert rejection(text(certificate)).endswith("0, …) is listed a second time")
    listed["p"] = [*unit[:-1], "2"]
    assert rejection(text(certificate)).endswith("0, …) does not sum to 1")


def linear_surrogate(n: int, values: list[list[int]]) -> dict:
    """A certificate, without vertices, about ψ(u) = u with the cells z_j = u_j."""
    certificate = hinge_for_zero_one()
    unit = [["0", *(str(int(x == y)) for x in range(n))] for y in range(n)]
    certificate["loss"] = {"entries": [["0"]] * n}
    certificate["surrogate"] = {"dim": n, "terms": [[[row]] for row in unit], "inequalities": [], "equations": []}
    cells = [{"u": [str(x) for x in z], "prediction": 0} for z in values]
    certificate["evidence"] = {"cells": cells, "vertices": []}
    return certificate


def test_enormous_enumerations_are_cut_off():
    """Five random cells in n = 30 have tens of thousands of vertices, and none is listed."""
    random = Random(1)
    values = [[random.randint(0, 100) for _ in range(30)] for _ in range(100)]
    start = time.perf_counter()
    verdict = check(text(linear_surrogate(30, values)))
    print(f"\n{verdict}: {time.perf_counter() - start:.2f} s")
    assert not verdict.accepted
    assert "more than 10000 vertices come up, too many" in verdict.why


def test_work_is_limited(monkeypatch):
    good = text(crammer_singer_for_abstain(6))
    assert check(good).accepted
    for limit in (10, 100, 1_000, 10_000):
        monkeypatch.setattr(arithmetic, "MAX_STEPS", limit)
        assert rejection(good) == f"too much work: the check takes more than {limit} steps"


def test_many_points_with_long_estimates_are_too_much_work(monkeypatch):
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 2 * 10**6)
    certificate = mean_not_for_zero_one()
    certificate["surrogate"] = {**certificate["surrogate"], "estimates": [["0"] * 1000] * 3}
    certificate["evidence"]["u"] = ["0"] * 1000
    certificate["evidence"]["points"] *= 100
    assert rejection(text(certificate)).startswith("too much work")


def test_many_points_in_none_of_many_sets_are_too_much_work(monkeypatch):
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 2 * 10**6)
    certificate = hinge_not_far_enough()
    certificate["evidence"]["points"] *= 100
    assert check(text(certificate)).accepted
    certificate["within"] = [{"inequalities": [["-1", "-1"]], "equations": []}] * 1_000 + certificate["within"]
    assert rejection(text(certificate)).startswith("too much work")


def test_many_pieces_on_many_sets_are_too_much_work(monkeypatch):
    everything = {"inequalities": [], "equations": []}
    certificate = {**margin_for_zero_one(), "loss": {"entries": [["0", "0"], ["0", "0"]]}}
    certificate["pred"] = {"regions": [[everything] * 100, []]}
    certificate["within"] = [everything] * 100
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**6)
    assert rejection(text(certificate)).startswith("too much work")
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**7)
    assert check(text(certificate)).accepted


def test_many_pieces_apart_on_many_sets_are_too_much_work(monkeypatch):
    """The same p, and 200 pieces that are to be apart there, in each of 200 sets."""
    certificate = hinge_with_sign()
    last = certificate["evidence"]["apart"][1]
    certificate["pred"] = {"regions": [certificate["pred"]["regions"][0] * 200, certificate["pred"]["regions"][1]]}
    certificate["evidence"]["apart"] = [{**last, "piece": i} for i in range(200)]
    certificate["within"] = [{"inequalities": [], "equations": [["1", "0"]]}] * 200
    assert check(text(certificate)).accepted
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 200 * 200 * 5)
    assert rejection(text(certificate)).startswith("too much work")


@pytest.mark.parametrize("k", [20_000])
def test_many_predictions_take_no_longer_than_they_must(k):
    certificate = hinge_for_zero_one()
    certificate["loss"]["entries"] = [["0", "1"] + ["1"] * k, ["1", "0"] + ["1"] * k]
    start = time.process_time()
    assert check(text(certificate)).accepted
    assert time.process_time() - start < 5


@given(st.text() | st.binary())
def test_any_text(junk):
    rejection(junk)


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
