"""What verdicts print: names and numbers that a reader looks for, in text, LaTeX, plain data and HTML."""

from __future__ import annotations

import html
import json
import pickle
import re
from fractions import Fraction

import pytest

from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import absolute, crammer_singer, lee_lin_wahba, weston_watkins
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from reference import dot

WARDS = LossMatrix(
    zero_one(3).entries, labels=["mild", "moderate", "severe"], predictions=["home", "ward", "icu"], name="wards"
)
GOOD = check(lee_lin_wahba(3), WARDS)
BAD = check(crammer_singer(3), WARDS)
MANY = check(
    weston_watkins(4),
    LossMatrix(list(zip(*(cell.z for cell in check(weston_watkins(4), LossMatrix([[0]] * 4)).cells)))),
)
BOTH = pytest.mark.parametrize("verdict", [GOOD, BAD], ids=["calibrated", "not calibrated"])


def braces_balance(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@BOTH
def test_text_names_the_surrogate_and_the_loss_and_says_the_verdict(verdict):
    first = str(verdict).splitlines()[0]
    assert verdict.surrogate.name in first
    assert "wards" in first
    assert ("not calibrated" in first.lower()) == (verdict.status == "not calibrated")


def test_a_calibrated_verdict_lists_what_is_decided_at_each_cell():
    lines = str(GOOD).splitlines()
    for cell, name in zip(GOOD.cells, (WARDS.predictions[cell.prediction] for cell in GOOD.cells)):
        point = "(" + ", ".join(map(str, cell.u)) + ")"
        assert any(point in line and name in line for line in lines)
    assert "3 cells" in str(GOOD)


def test_a_calibrated_verdict_with_many_cells_says_how_many_it_leaves_out():
    assert len(MANY.cells) == 74
    text = str(MANY)
    shown = text.count("at u = ")
    assert 0 < shown < 74
    assert f"{74 - shown} more" in text
    assert "74 cells" in text


def test_a_verdict_of_no_calibration_shows_the_point_the_distributions_and_the_best_decisions():
    text = str(BAD)
    assert "(" + ", ".join(map(str, BAD.u)) + ")" in text
    lines = [line for line in text.splitlines() if "best decision" in line]
    for line, p in zip(lines, BAD.distributions, strict=True):
        before, after = line.split("best decision")
        assert list(map(Fraction, re.findall(r"= ([\d./]+)", before))) == list(p)
        assert all(label in before for label in WARDS.labels)
        best = [t for t in range(3) if p[t] == max(p)]  # 0-1 loss
        assert [name for name in WARDS.predictions if name in after] == [WARDS.predictions[t] for t in best]


def test_a_verdict_of_no_calibration_tells_the_price_per_thousand():
    wasted = [sum(max(p) - p[t] for p in BAD.distributions) for t in range(3)]
    price = 1000 * min(wasted) / len(BAD.distributions)
    last = str(BAD).splitlines()[-1]
    assert "1000" in last
    assert (str(price) if price.denominator == 1 else f"{float(price):.3g}") in last


def test_a_large_price_is_written_in_plain_digits():
    loss = LossMatrix([[97 * entry for entry in row] for row in zero_one(3).entries])
    verdict = check(absolute(3), loss)
    assert 1000 * verdict.price > 1000
    assert not re.search(r"\de[+-]\d", str(verdict))


def test_a_price_beyond_the_range_of_floats_can_be_printed():
    loss = LossMatrix([[Fraction(10**400 + 1, 7) * entry for entry in row] for row in zero_one(3).entries])
    verdict = check(crammer_singer(3), loss)
    assert verdict.price > 10**397
    assert "1000" in str(verdict).splitlines()[-1]


# LaTeX.


@BOTH
def test_latex_has_balanced_braces_and_names_with_escaped_underscores(verdict):
    text = verdict.to_latex()
    assert braces_balance(text)
    assert verdict.surrogate.name.replace("_", r"\_") in text
    assert "wards" in text
    assert not re.search(r"(?<!\\)_", re.sub(r"\$[^$]*\$", "", text))
    assert text.count("$") % 2 == 0
    assert ("is not calibrated" in text) == (verdict.status == "not calibrated")


def test_latex_of_a_calibrated_verdict_has_a_row_per_cell():
    text = GOOD.to_latex()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    for name in WARDS.predictions:
        assert name in text
    assert "(2, -1, -1)" in text
    assert "(0, 3, 3)" in text


def test_latex_of_a_verdict_of_no_calibration_has_the_numbers_as_fractions():
    text = BAD.to_latex()
    for p in BAD.distributions:
        for x in p:
            assert f"frac{{{x.numerator}}}{{{x.denominator}}}" in text


def test_negative_fractions_keep_their_sign_in_latex():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] + Fraction(1, 2) - y), n=2, dim=1)
    text = check(surrogate, zero_one(2)).to_latex()
    assert r"-\tfrac{1}{2}" in text
    assert braces_balance(text)


@pytest.mark.parametrize("name", ["50% & more", "a_b", "#1", "$5", "a{b", "c}d", "back\\slash", "x^2", "~home"])
@pytest.mark.parametrize("surrogate", [lee_lin_wahba(3), crammer_singer(3)], ids=lambda surrogate: surrogate.name)
def test_names_with_special_characters_leave_the_latex_whole(name, surrogate):
    loss = LossMatrix(zero_one(3).entries, predictions=[name, "other", "third"], name=name)
    text = check(surrogate, loss).to_latex()
    assert braces_balance(text)
    outside = re.sub(r"\\[&%$#_{}\\^~]|\\text\w+(\{\})?", "", re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", text))
    table = outside.replace("tabular}", "").replace(r"\\", "")
    assert not re.search(r"[%#^~]", table)


# Plain data and HTML.


@BOTH
def test_plain_data_can_be_written_as_json_and_says_the_verdict(verdict):
    data = json.loads(json.dumps(verdict.to_dict()))
    assert data == verdict.to_dict()
    assert data["status"] == verdict.status
    assert data["surrogate"] == verdict.surrogate.name
    assert data["loss"] == "wards"


def test_plain_data_of_a_calibrated_verdict_has_the_cells_with_predictions_by_name():
    cells = GOOD.to_dict()["cells"]
    assert {
        (tuple(map(Fraction, cell["u"])), tuple(map(Fraction, cell["psi"])), cell["prediction"]) for cell in cells
    } == {
        ((2, -1, -1), (0, 3, 3), "home"),
        ((-1, 2, -1), (3, 0, 3), "ward"),
        ((-1, -1, 2), (3, 3, 0), "icu"),
    }


def test_plain_data_of_a_verdict_of_no_calibration_has_the_point_the_distributions_and_the_price():
    data = BAD.to_dict()
    assert tuple(map(Fraction, data["u"])) == BAD.u
    assert len(data["distributions"]) == len(BAD.distributions)
    ruled_out = set()
    for each, p in zip(data["distributions"], BAD.distributions):
        assert tuple(map(Fraction, each["p"])) == p
        risks = {name: dot(p, column) for name, column in zip(WARDS.predictions, zip(*WARDS.entries))}
        assert set(each["ruled_out"]) == {name for name, risk in risks.items() if risk > min(risks.values())}
        ruled_out |= set(each["ruled_out"])
    assert ruled_out == set(WARDS.predictions)
    assert Fraction(data["price"]) == BAD.price


def test_plain_data_keeps_integer_names():
    assert {cell["prediction"] for cell in check(absolute(3), ordinal(3)).to_dict()["cells"]} == {0, 1, 2}
    assert {cell["prediction"] for cell in check(crammer_singer(3), abstain(3)).to_dict()["cells"]} == {
        0,
        1,
        2,
        "abstain",
    }


@BOTH
def test_html_is_the_text_with_everything_escaped(verdict):
    page = verdict._repr_html_()
    assert page.startswith("<")
    for line in str(verdict).splitlines():
        assert html.escape(line.strip()) in page


def test_names_cannot_inject_html():
    loss = LossMatrix(zero_one(3).entries, predictions=["<script>", "b&c", "d"], name="<b>loss</b>")
    for surrogate in (lee_lin_wahba(3), crammer_singer(3)):
        page = check(surrogate, loss)._repr_html_()
        assert "<script>" not in page
        assert "<b>loss" not in page
        assert "&lt;b&gt;loss" in page


# Verdicts as values.


@BOTH
def test_verdicts_compare_by_value_and_pickle(verdict):
    again = check(verdict.surrogate, verdict.loss)
    assert again == verdict
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert pickle.loads(pickle.dumps(verdict)).certificate == verdict.certificate


def test_verdicts_that_differ_are_not_equal():
    assert GOOD != BAD
    assert check(lee_lin_wahba(3), zero_one(3)) != GOOD  # other names


@BOTH
def test_a_verdict_shows_itself_on_one_line(verdict):
    assert "\n" not in repr(verdict)


def test_where_a_risk_is_least_only_in_the_limit_that_is_said_and_no_float_stands_for_it():
    loss = LossMatrix([[(3 * t * t + 5 * y * y + 7 * t * y) % 101 for t in range(20)] for y in range(20)])
    verdict = check("softmax", loss, "argmax")
    assert 0 in verdict.distributions[0]
    for text in (str(verdict), verdict.to_latex()):
        assert "708" not in text
    assert re.search(r"optimal in the limit u_\d+ ≈ .* → −∞; there,", " ".join(str(verdict).split()))
