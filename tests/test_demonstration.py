"""The proof in data: a gap that stays where a pair is not calibrated, and vanishes where it is."""

from __future__ import annotations

import importlib.util
import json
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner

import lossmith as lm
from lossmith.answers.demonstration import Curve, demonstrate
from lossmith.cli import commands
from lossmith.errors import BadInput

COSTS = lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]], name="costs")
PD = lm.losses.pairwise_disagreement(3, "single edges")
ZERO_ONE = lm.losses.zero_one(3)
PAIRS = [
    pytest.param(lm.surrogates.crammer_singer(3), ZERO_ONE, "argmax", id="crammer-singer"),
    pytest.param(lm.surrogates.weston_watkins(3), ZERO_ONE, "argmax", id="weston-watkins"),
    pytest.param(lm.surrogates.softmax(3), COSTS, "argmax", id="softmax"),
    pytest.param(lm.surrogates.crammer_singer(3), ZERO_ONE, None, id="crammer-singer, any pred"),
    pytest.param(lm.surrogates.pairwise_hinge(PD), PD, "sort", id="pairwise hinge"),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("surrogate", "loss", "pred"), PAIRS)
def test_the_gap_is_significant_at_ten_thousand_examples_and_as_large_as_the_price(surrogate, loss, pred):
    verdict = lm.check(surrogate, loss, pred)
    shown = demonstrate(verdict, sizes=[30, 10_000], repetitions=5)
    price = float((lm.check(surrogate, loss) if len(shown.distributions) > 1 else verdict).price)
    mean, width = shown.gap

    assert mean - width > 0
    assert shown.curves[0].means[-1] >= price - 1e-12
    assert shown.curves[-1].means[-1] == 0
    assert shown.curves[-1].name == "certified design"


def test_scikit_learn_s_own_solver_goes_wrong_too():
    verdict = lm.check(lm.surrogates.crammer_singer(3), ZERO_ONE, "argmax")
    shown = demonstrate(verdict, sizes=[10_000], repetitions=10)
    _, theirs, _ = shown.curves

    assert theirs.name == 'LinearSVC(multi_class="crammer_singer")'
    assert theirs.means[0] - theirs.widths[0] > 0


@pytest.mark.parametrize(
    "installed",
    [False, pytest.param(True, marks=[pytest.mark.needs_torch, pytest.mark.exhaustive])],
    ids=["without torch", "with torch"],
)
def test_where_torch_is_not_installed_it_is_left_out(installed, monkeypatch):
    if not installed:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shown = demonstrate(lm.check(lm.surrogates.weston_watkins(3), ZERO_ONE, "argmax"), sizes=[10], repetitions=2)

    assert any("torch" in curve.name for curve in shown.curves) == installed


def test_without_a_pred_decisions_are_the_best_that_could_be_made():
    surrogate = lm.surrogates.crammer_singer(3)
    any_pred, argmax = (
        demonstrate(lm.check(surrogate, ZERO_ONE, pred), sizes=[30, 300], repetitions=4) for pred in (None, "argmax")
    )

    assert np.less_equal(any_pred.curves[0].excess, argmax.curves[0].excess).all()


def test_a_pred_that_is_wrong_on_its_boundary_is_shown_there():
    verdict = lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3), "argmax-gap:tau=1")
    shown = demonstrate(verdict, sizes=[1000], repetitions=3)

    assert shown.curves[0].means == (float(verdict.price),)


def test_the_same_seed_gives_the_same_numbers_and_another_one_does_not():
    verdict = lm.check(lm.surrogates.softmax(3), COSTS, "argmax")
    first, again, other = (demonstrate(verdict, sizes=[30], repetitions=6, seed=seed) for seed in (0, 0, 100))

    assert first == again
    assert first.curves != other.curves


def test_bands_are_the_usual_intervals():
    curve = Curve("two values", ((1.0, 3.0),))

    assert curve.means == (2,)
    assert curve.widths == pytest.approx((12.706,), abs=1e-3)  # t₁ = 12.706 times the standard error, 1


def test_only_what_is_not_calibrated_is_demonstrated():
    with pytest.raises(BadInput, match=r"crammer_singer\(n=3\)"):
        demonstrate(lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3)))


def test_a_smooth_surrogate_needs_a_pred():
    verdict = lm.check(lm.surrogates.square([[0], [1], [2]]), ZERO_ONE)
    assert verdict.status == "not calibrated"
    with pytest.raises(BadInput, match="pred"):
        demonstrate(verdict)


def run(*arguments):
    return CliRunner().invoke(commands, ["demonstrate", *arguments], standalone_mode=False)


def test_the_command_prints_and_draws(tmp_path):
    path = tmp_path / "picture.svg"
    result = run("softmax:n=3", "ordinal:n=3", "--pred", "argmax", "-o", str(path))

    assert result.return_value == 0
    assert result.output.endswith(f"wrote {path}\n")
    assert "softmax(n=3), argmax" in path.read_text()


def test_the_command_prints_json():
    shown = json.loads(run("softmax:n=3", "ordinal:n=3", "--pred", "argmax", "--json").output)

    ((first, second, third),) = ([Fraction(x) for x in p] for p in shown["distributions"])
    assert first == max(first, second, third) < Fraction(1, 2)  # argmax says 0, and 1 is better by 1 − 2 P(0)
    assert shown["curves"][0]["mean"][-1] == shown["gap"]["mean"] == pytest.approx(float(1 - 2 * first))
    assert len(shown["sizes"]) == len(shown["curves"][0]["half_width"])


def test_there_is_nothing_to_demonstrate_where_a_pair_is_calibrated():
    result = run("softmax:n=3", "ordinal:n=3", "--pred", "decide")

    assert result.return_value == 0
    assert len(result.output.splitlines()) == 1
    for name in ("softmax(n=3)", "decide", "ordinal(n=3)"):
        assert name in result.output


def test_undecided_is_exit_code_3():
    pair = ("one-vs-all-logistic:n=3", "abstain:n=3", "--pred", "argmax-threshold:tau=1")
    assert lm.check(*pair[:2], pred=pair[3]).status == "undecided"
    assert run(*pair).return_value == 3


def test_a_picture_of_another_kind_is_refused_before_anything_is_written(tmp_path):
    result = run("softmax:n=3", "ordinal:n=3", "--pred", "argmax", "-o", str(tmp_path / "picture.jpeg"))

    assert isinstance(result.exception, BadInput)
    assert list(tmp_path.iterdir()) == []
