"""What verdicts with a given pred, or on a set of distributions, print: names and numbers a reader looks for."""

from __future__ import annotations

import html
import json
import pickle
import re
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

import lossmith as lm
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.losses import abstain, zero_one
from lossmith.surrogates import crammer_singer, lee_lin_wahba
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.tracing import pos

WARDS = LossMatrix(
    zero_one(3).entries, labels=["mild", "moderate", "severe"], predictions=["home", "ward", "icu"], name="wards"
)
TRIAGE = LossMatrix(
    abstain(3).entries, labels=["mild", "moderate", "severe"], predictions=["home", "ward", "icu", "ask"], name="triage"
)
OFTEN = "mild >= 1/4"  # the hull of (1, 0, 0), (1/4, 3/4, 0) and (1/4, 0, 3/4)
ASKED = {  # the first three are calibrated
    "argmax of Lee, Lin and Wahba": (lee_lin_wahba, WARDS, "argmax", None),
    "gap within": (crammer_singer, TRIAGE, "argmax-gap:tau=1/2", OFTEN),
    "a union": (crammer_singer, WARDS, None, ["mild >= 3/5", "severe >= 3/5"]),
    "argmax": (crammer_singer, WARDS, "argmax", None),
    "gap": (crammer_singer, TRIAGE, "argmax-gap:tau=1", None),
    "within": (crammer_singer, WARDS, None, OFTEN),
    "argmax within": (crammer_singer, WARDS, "argmax", OFTEN),
}
GOOD, BAD = [*ASKED][:3], [*ASKED][3:]


@cache
def of(name):
    """The verdict on the question of this name."""
    family, loss, pred, within = ASKED[name]
    return check(family(3), loss, pred=pred, within=within)


@pytest.fixture
def verdict(name):
    return of(name)


EACH = pytest.mark.parametrize("name", ASKED)
EACH_GOOD = pytest.mark.parametrize("name", GOOD)
EACH_BAD = pytest.mark.parametrize("name", BAD)
EACH_WRONG_PRED = pytest.mark.parametrize("name", [name for name in BAD if ASKED[name][2]])
EACH_PRED = pytest.mark.parametrize("name", [name for name, (_, _, pred, _) in ASKED.items() if pred])
EACH_WITHIN = pytest.mark.parametrize("name", [name for name, (_, _, _, within) in ASKED.items() if within])


def price_by_hand(verdict) -> Fraction:
    """The 0-1 loss, with asking at 1/2 in one of them, as numbers of what is lost at each distribution."""
    lost = []
    for p in verdict.distributions:
        risks = [1 - x for x in p] + ([Fraction(1, 2)] if verdict.loss is TRIAGE else [])
        lost.append([risk - min(risks) for risk in risks])
    means = [sum(column) / len(lost) for column in zip(*lost)]
    return min(means) if verdict.prediction is None else means[verdict.prediction]


def outside_formulas(text: str) -> str:
    return re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", text)


def test_the_verdicts_are_as_expected():
    assert [of(name).status for name in ASKED] == ["calibrated"] * 3 + ["not calibrated"] * 4


@EACH
def test_the_certificate_is_accepted(verdict):
    assert lm.verify(verdict.certificate).accepted


@EACH_BAD
def test_the_price_is_what_the_decision_loses(verdict):
    assert verdict.price == price_by_hand(verdict) > 0


def test_a_price_known_by_hand():
    # The hinge says + or − at u = 0 if p = 1/2; always to say + loses what P(−) is worth more.
    hinge = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")
    verdict = check(hinge, zero_one(2), pred=[lambda u: [], None], within="p[1] == 9/10")
    assert verdict.distributions == ((Fraction(1, 10), Fraction(9, 10)),)
    assert verdict.prediction == 0
    assert verdict.price == Fraction(4, 5)
    assert re.findall(r"\d+", str(verdict).splitlines()[-1]) == ["1000", "0", "800"]
    assert verdict.to_dict()["price"] == "4/5"


# Text.


@EACH
def test_the_first_line_names_everything_that_was_asked(verdict):
    first = str(verdict).splitlines()[0]
    assert verdict.surrogate.name in first
    assert verdict.loss.name in first
    assert ("not calibrated" in first.lower()) == (verdict.status == "not calibrated")


def test_the_first_line_tells_that_there_is_a_set_of_distributions():
    within, without = (str(of(name)).splitlines()[0] for name in ("argmax within", "argmax"))
    assert len(within.split()) > len(without.split())


@EACH_PRED
def test_every_form_names_the_pred(verdict, name):
    pred = ASKED[name][2]
    assert f" {pred} " in str(verdict).splitlines()[0]
    assert rf"\emph{{{pred}}}" in verdict.to_latex()
    assert verdict.to_dict()["pred"] == pred
    assert html.escape(pred) in verdict._repr_html_()


def test_without_a_pred_none_is_named():
    for verdict in (of("a union"), of("within")):
        assert "pred" not in verdict.to_dict()
        assert "argmax" not in str(verdict) + verdict.to_latex()


@EACH_GOOD
def test_a_calibrated_verdict_lists_what_is_decided_at_the_cells_that_count(verdict):
    lines = str(verdict).splitlines()
    reached = [cell for cell in verdict.cells if cell.reached]
    for cell in reached:
        point = "(" + ", ".join(map(str, cell.u)) + ")"
        name = verdict.loss.predictions[cell.prediction]
        assert any(point in line and line.endswith(f"  {name}") for line in lines)
    assert re.search(rf"\b{len(reached)} ", str(verdict))
    assert str(verdict).count("u = (") == len(reached)


def test_only_cells_that_meet_the_set_are_shown():
    # Where mild or severe has 3/5, Crammer–Singer ends at one of two cells.
    text = str(of("a union"))
    assert text.count("u = (") == 2
    assert "home" in text
    assert "icu" in text
    assert "ward" not in text.replace("wards", "")


@EACH_WRONG_PRED
def test_a_wrong_pred_is_shown_with_its_decision_the_point_the_distribution_and_the_best_decision(verdict):
    text = str(verdict)
    where = " ".join(text.split("\n", 1)[1].split(":\n")[0].split()) + ":"
    line, last = text.splitlines()[-2:]
    decision = verdict.loss.predictions[verdict.prediction]
    (p,) = verdict.distributions
    u = re.search(r" u = \(([^)]*)\)", where).group(1)
    assert tuple(map(Fraction, u.split(", "))) == verdict.u
    assert re.search(rf" {re.escape(verdict.pred.name)} \w+ {decision}:", where)
    before, after = re.split(r" {3,}", line.strip())
    assert [label for label in verdict.loss.labels if f"P({label}) = " in before] == [
        label for label, x in zip(verdict.loss.labels, p) if x
    ]
    assert list(map(Fraction, re.findall(r"= ([\d./]+)", before))) == [x for x in p if x]
    risks = [1 - x for x in p] + ([Fraction(1, 2)] if verdict.loss is TRIAGE else [])
    best = [name for name, risk in zip(verdict.loss.predictions, risks) if risk == min(risks)]
    assert [name for name in verdict.loss.predictions if name in after.split(": ")[1].split()] == best
    assert decision not in best
    assert f" {decision} " in last
    assert printed_price(verdict) in last


def printed_price(verdict) -> str:
    price = 1000 * price_by_hand(verdict)
    return f"{int(price):,}" if price.denominator == 1 else f"{float(price):.3g}"


def test_without_a_pred_the_price_is_that_of_the_best_single_decision():
    verdict = of("within")
    last = str(verdict).splitlines()[-1]
    assert printed_price(verdict) in last
    assert not any(f" {decision} " in last for decision in verdict.loss.predictions)


# LaTeX.


@EACH
def test_latex_is_well_formed(verdict):
    text = verdict.to_latex()
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text.replace(r"\{", "").replace(r"\}", "")):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", text)) % 2 == 0
    assert not re.search(r"(?<!\\)[_#%^~]", outside_formulas(text))
    assert verdict.surrogate.name.replace("_", r"\_") in text
    assert ("not calibrated" in text) == (verdict.status == "not calibrated")


@EACH_WITHIN
def test_latex_and_plain_data_give_the_corners_of_the_set(verdict, name):
    within = ASKED[name][3]
    corners = {
        OFTEN: [[("1", "0", "0"), ("1/4", "3/4", "0"), ("1/4", "0", "3/4")]],
        "two": [
            [("1", "0", "0"), ("3/5", "2/5", "0"), ("3/5", "0", "2/5")],
            [("0", "0", "1"), ("2/5", "0", "3/5"), ("0", "2/5", "3/5")],
        ],
    }["two" if isinstance(within, list) else within]
    data = verdict.to_dict()["within"]
    assert [sorted(map(tuple, each)) for each in data] == [sorted(each) for each in corners]
    text = verdict.to_latex()
    assert text.count(r"\mathrm{conv}") == len(corners)
    assert text.count(r"\cup") == len(corners) - 1
    for corner in (corner for each in corners for corner in each):
        shown = ", ".join(re.sub(r"(\d+)/(\d+)", r"\\tfrac{\1}{\2}", x) for x in corner)
        assert f"({shown})" in text


@EACH_WRONG_PRED
def test_latex_of_a_wrong_pred_says_what_it_predicts_and_where(verdict):
    text = verdict.to_latex()
    pred, decision = verdict.pred.name, verdict.loss.predictions[verdict.prediction]
    assert re.search(rf"\b{re.escape(pred)} \w+ {decision}\b", text)
    for x in (*verdict.distributions[0], *verdict.u):
        assert (str(x) if x.denominator == 1 else rf"\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}") in text


@EACH_GOOD
def test_latex_of_a_calibrated_verdict_names_the_decisions(verdict):
    text = verdict.to_latex()
    for cell in verdict.cells:
        if cell.reached:
            assert f"& {verdict.loss.predictions[cell.prediction]}" in text


# Plain data.


@EACH
def test_plain_data_can_be_written_as_json_and_says_what_was_asked(verdict):
    data = verdict.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["status"] == verdict.status
    assert data["surrogate"] == verdict.surrogate.name
    assert data["loss"] == verdict.loss.name
    assert ("within" in data) == (verdict.within is not None)


@EACH_WRONG_PRED
def test_plain_data_of_a_wrong_pred_has_its_prediction_by_name(verdict):
    data = verdict.to_dict()
    assert data["prediction"] == verdict.loss.predictions[verdict.prediction]
    (shown,) = data["distributions"]
    assert tuple(map(Fraction, shown["p"])) == verdict.distributions[0]
    assert data["prediction"] in shown["ruled_out"]
    assert tuple(map(Fraction, data["u"])) == verdict.u
    assert Fraction(data["price"]) == price_by_hand(verdict)


def test_plain_data_without_a_pred_has_no_single_prediction():
    data = of("within").to_dict()
    assert "prediction" not in data
    assert Fraction(data["price"]) == price_by_hand(of("within"))


# HTML, values.


@EACH
def test_html_is_the_text_with_everything_escaped(verdict):
    page = verdict._repr_html_()
    assert page.startswith("<")
    for line in str(verdict).splitlines():
        assert html.escape(line.strip()) in page


def test_the_names_of_preds_are_escaped():
    halves = Pred.from_regions(
        [lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]], None], dim=3, name="<b>50% & #1_x</b>"
    )
    verdict = check(crammer_singer(3), WARDS, pred=halves)
    assert "<b>" not in verdict._repr_html_()
    assert "&lt;b&gt;50% &amp; #1_x" in verdict._repr_html_()
    assert r"50\% \& \#1\_x" in verdict.to_latex()
    assert verdict.to_dict()["pred"] == "<b>50% & #1_x</b>"
    assert lm.verify(verdict.certificate).accepted


@EACH
def test_verdicts_compare_by_value_and_pickle(verdict, name):
    family, loss, pred, within = ASKED[name]
    assert check(family(3), loss, pred=pred, within=within) == verdict
    again = pickle.loads(pickle.dumps(verdict))
    assert again == verdict
    assert again.certificate == verdict.certificate
    assert str(again) == str(verdict)
    assert "\n" not in repr(verdict)


def test_verdicts_on_other_questions_are_not_equal():
    assert all(of(a) != of(b) for a, b in combinations(ASKED, 2))
