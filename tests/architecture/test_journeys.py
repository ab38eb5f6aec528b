"""The journeys of docs/architecture.md: data passes the functions listed there, in that order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.learn import SurrogateClassifier

PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")


def verdict_and_certificate() -> None:
    verdict = lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3))
    assert lm.verify(verdict.certificate).accepted


def dimension_then_design() -> None:
    loss = lm.losses.abstain(4).scale_rows([1, 2, 3, 4])
    assert lm.design(loss, bounds=lm.ccdim(loss)).surrogate.dim == 2


def learning() -> None:
    loss = lm.losses.ordinal(5).scale_rows([1, 2, 3, 4, 7])  # verdicts on losses met before are remembered
    model = SurrogateClassifier(loss).fit([[x] for x in range(100)], [x // 20 for x in range(100)])
    assert model.predict([[0.0]]).tolist() == [0]


def ranking() -> None:
    loss = lm.losses.ndcg(200)
    assert lm.verify(lm.ccdim(loss).upper.certificate).accepted
    best = lm.design(loss)
    assert best.pred([[0.0] * best.dim]).predictions.shape == (1, 200)


JOURNEYS = {
    "A verdict and its certificate": verdict_and_certificate,
    "A dimension, then a design": dimension_then_design,
    "Learning": learning,
    "NDCG of 200 documents": ranking,
}


def listed(title: str) -> list[str]:
    _, rest = PAGE.split(f"### {title}\n")
    return re.findall(r"^\d+\. `([\w.]+)`", re.split(r"^##", rest, flags=re.MULTILINE)[0], re.MULTILINE)


def called(journey: Callable[[], None]) -> list[str]:
    """Every call of a function of ours, in order."""
    calls: list[str] = []

    def note(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("lossmith"):
            calls.append(f"{module.removeprefix('lossmith.')}.{frame.f_code.co_qualname}")

    sys.setprofile(note)
    try:
        journey()
    finally:
        sys.setprofile(None)
    return calls


def test_every_journey_of_the_page_is_run():
    assert re.findall(r"^### (.+)$", PAGE, re.MULTILINE) == list(JOURNEYS)


@pytest.mark.parametrize("title", JOURNEYS)
def test_data_passes_the_functions_that_are_listed_in_that_order(title):
    calls, names, at = called(JOURNEYS[title]), listed(title), 0
    assert len(names) > 8
    for name in names:
        assert name in calls[at:], f"{name} is not called after what is listed before it"
        at = calls.index(name, at) + 1


def test_the_picture_of_layers_names_every_folder():
    (drawn,) = re.findall(r"```text\n(.+?)```", PAGE, re.DOTALL)
    names = set(re.findall(r"\w+", drawn))
    source = Path(lm.__file__).parent
    folders = {path.parent.name for path in source.glob("*/__init__.py")}
    modules = {path.stem for path in source.glob("*.py") if not path.stem.startswith("__")}
    assert folders | modules <= names
