"""What verdicts print: names and numbers that a reader looks for, in text, LaTeX, plain data and HTML."""

from __future__ import annotations

import html
import json
import pickle
import re
from fractions import Fraction
from functools import cache

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


@cache
def good():
    return check(lee_lin_wahba(3), WARDS)


@cache
def bad():
    return check(crammer_singer(3), WARDS)


def with_many_cells():
    """Each cell has a prediction of its own."""
    cells = check(weston_watkins(4), LossMatrix([[0]] * 4)).cells
    return check(weston_watkins(4), LossMatrix(list(zip(*(cell.z for cell in cells)))))


BOTH = pytest.mark.parametrize("verdict", ["calibrated", "not calibrated"], indirect=True)


@pytest.fixture
def verdict(request):
    return {"calibrated": good, "not calibrated": bad}[request.param]()


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
    assert verdict.status in first.lower()
    assert ("NOT" in first) == (verdict.status == "not calibrated")


def test_a_calibrated_verdict_lists_what_is_decided_at_each_cell():
    lines = str(good()).splitlines()
    for cell, name in zip(good().cells, (WARDS.predictions[cell.prediction] for cell in good().cells)):
        point = "(" + ", ".join(map(str, cell.u)) + ")"
        assert any(point in line and name in line for line in lines)
    assert str(good()).count("u = (") == 3


def test_a_calibrated_verdict_with_many_cells_says_how_many_it_leaves_out():
    verdict = with_many_cells()
    assert len(verdict.cells) == 74
    text = str(verdict)
    shown = text.count("u = (")
    assert 0 < shown < 74
    assert re.search(rf"\b{74 - shown}\b", text)
    assert re.search(r"\b74\b", text)


def test_a_verdict_of_no_calibration_shows_the_point_the_distributions_and_the_best_decisions():
    text = str(bad())
    assert "(" + ", ".join(map(str, bad().u)) + ")" in text
    lines = [line for line in text.splitlines() if "P(mild) = " in line]
    for line, p in zip(lines, bad().distributions, strict=True):
        before, after = re.split(r" {3,}", line.strip())
        assert list(map(Fraction, re.findall(r"= ([\d./]+)", before))) == list(p)
        assert all(label in before for label in WARDS.labels)
        best = [t for t in range(3) if p[t] == max(p)]  # 0-1 loss
        assert [name for name in WARDS.predictions if name in after] == [WARDS.predictions[t] for t in best]


def test_a_verdict_of_no_calibration_tells_the_price_per_thousand():
    wasted = [sum(max(p) - p[t] for p in bad().distributions) for t in range(3)]
    price = 1000 * min(wasted) / len(bad().distributions)
    last = str(bad()).splitlines()[-1]
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
    assert "9.52e+400" in str(verdict)


# LaTeX.


@BOTH
def test_latex_has_balanced_braces_and_names_with_escaped_underscores(verdict):
    text = verdict.to_latex()
    assert braces_balance(text)
    assert verdict.surrogate.name.replace("_", r"\_") in text
    assert "wards" in text
    assert not re.search(r"(?<!\\)_", re.sub(r"\$[^$]*\$", "", text))
    assert text.count("$") % 2 == 0
    assert ("not calibrated" in text) == (verdict.status == "not calibrated")


def test_latex_of_a_calibrated_verdict_has_a_row_per_cell():
    text = good().to_latex()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    for name in WARDS.predictions:
        assert name in text
    assert "(2, -1, -1)" in text
    assert "(0, 3, 3)" in text


def test_latex_of_a_verdict_of_no_calibration_has_the_numbers_as_fractions():
    text = bad().to_latex()
    for p in bad().distributions:
        for x in p:
            assert f"frac{{{x.numerator}}}{{{x.denominator}}}" in text


def test_negative_fractions_keep_their_sign_in_latex():
    surrogate = PolyhedralSurrogate.from_function(lambda y, u: abs(u[0] + Fraction(1, 2) - y), n=2, dim=1)
    text = check(surrogate, zero_one(2)).to_latex()
    assert r"-\tfrac{1}{2}" in text
    assert braces_balance(text)


@pytest.mark.parametrize("name", ["50% & more", "a_b", "#1", "$5", "a{b", "c}d", "back\\slash", "x^2", "~home"])
@pytest.mark.parametrize("family", [lee_lin_wahba, crammer_singer], ids=lambda family: family.name)
def test_names_with_special_characters_leave_the_latex_whole(name, family):
    loss = LossMatrix(zero_one(3).entries, predictions=[name, "other", "third"], name=name)
    text = check(family(3), loss).to_latex()
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
    cells = good().to_dict()["cells"]
    assert {
        (tuple(map(Fraction, cell["u"])), tuple(map(Fraction, cell["psi"])), cell["prediction"]) for cell in cells
    } == {
        ((2, -1, -1), (0, 3, 3), "home"),
        ((-1, 2, -1), (3, 0, 3), "ward"),
        ((-1, -1, 2), (3, 3, 0), "icu"),
    }


def test_plain_data_of_a_verdict_of_no_calibration_has_the_point_the_distributions_and_the_price():
    data = bad().to_dict()
    assert tuple(map(Fraction, data["u"])) == bad().u
    assert len(data["distributions"]) == len(bad().distributions)
    ruled_out = set()
    for each, p in zip(data["distributions"], bad().distributions):
        assert tuple(map(Fraction, each["p"])) == p
        risks = {name: dot(p, column) for name, column in zip(WARDS.predictions, zip(*WARDS.entries))}
        assert set(each["ruled_out"]) == {name for name, risk in risks.items() if risk > min(risks.values())}
        ruled_out |= set(each["ruled_out"])
    assert ruled_out == set(WARDS.predictions)
    assert Fraction(data["price"]) == bad().price


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
    assert good() != bad()
    assert check(lee_lin_wahba(3), zero_one(3)) != good()  # other names


@BOTH
def test_a_verdict_shows_itself_on_one_line(verdict):
    assert "\n" not in repr(verdict)


def test_where_a_risk_is_least_only_in_the_limit_no_float_stands_for_it():
    loss = LossMatrix([[(3 * t * t + 5 * y * y + 7 * t * y) % 101 for t in range(20)] for y in range(20)])
    verdict = check("softmax", loss, "argmax")
    assert 0 in verdict.distributions[0]
    for text in (str(verdict), verdict.to_latex()):
        assert "708" not in text
    assert re.search(r" u_\d+ ≈ [^;]* → −∞;", " ".join(str(verdict).split()))
