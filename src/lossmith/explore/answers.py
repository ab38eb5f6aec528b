"""A function for each question of the page: from the state, as JSON, to an answer, as JSON.

What decides is exact. Numbers are told three times: exactly, as people write them, and as floats for pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.analysis.nearest_change import nearest_change
from lossmith.analysis.positive_normals import positive_normal_sets
from lossmith.answers.acting import acting_on_the_most_probable, is_quick
from lossmith.answers.bounding import bounds_of
from lossmith.answers.designing import design
from lossmith.answers.rule import rule_of, thresholds
from lossmith.answers.screen import DECIDING, LOOKING, TRAINING, WINNING, practice_lines, winning
from lossmith.answers.study import analyze, claim_of
from lossmith.answers.using import which
from lossmith.calibration.checking import ask
from lossmith.calibration.verdicts import NotCalibrated
from lossmith.errors import BadInput, TooLarge, UnknownName
from lossmith.exact.rational import as_rational
from lossmith.explore.drawing import Answer, Asked, cells_of, cut_of, number, on_cut
from lossmith.explore.state import loss_of, read_state
from lossmith.explore.varying import ranged, sensitive, varied
from lossmith.geometry.double_description import Progress
from lossmith.geometry.edges import walls
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sampling import shares
from lossmith.surrogates.members import fitting_surrogates
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.text.numbers import as_float
from lossmith.text.pages import file_name

_FEW_LABELS = 6  # up to which the rule is told by conditions while one types
_MOST_VERTICES = 2_000
_TOLD = 8  # decisions of which it is told where they win
_MOST_OVERLAID = 4  # labels of a surrogate whose cells are drawn
_TORCH = """criterion = lm.nn.SurrogateLoss(lm.surrogates.softmax({n}), loss=loss)   # a network with {n} outputs
value = criterion(network(x), y)                   # y: the number of the row, 0 to {last}
decisions = criterion.decide(network(x))"""


def picture(asked: Asked, progress: Progress | None = None) -> Answer:
    """The rule, the cells, what is never needed, what acting on the most probable label costs."""
    loss = loss_of(asked.get("state"))
    facts = Facts(loss, progress)
    cut = cut_of(loss, asked.get("cut"))
    found: Answer = {
        "name": loss.name,
        "labels": list(map(str, loss.labels)),
        "decisions": list(map(str, loss.predictions)),
        "costs": [[number(cost) for cost in row] for row in loss.entries],
        "rule": _rule(facts),
        "redundant": [{"decision": each.prediction, "reason": each.explain(loss)} for each in facts.redundant],
        "acting": _acting(facts),
        "cut": list(cut),
        "cuttable": len(cut) < loss.n,
        "surrogates": [each.name for each in fitting_surrogates(loss)] if loss.n <= _FEW_LABELS else [],
        "code": {"decide": f"{LOOKING}\n{DECIDING}", "train": TRAINING},
    }
    found |= _drawn(facts, cut)
    return found


def _drawn(facts: Facts, cut: tuple[int, ...]) -> Answer:
    """What the picture shows of a loss: its cells, and thresholds for two labels."""
    loss = facts.loss
    between = None
    if loss.n == 2:
        between = [
            {"decision": each.decision, "low": number(each.low), "high": number(each.high)}
            for each in thresholds(facts)
        ]
    return {"cells": cells_of(on_cut(facts, cut)), "thresholds": between}


def _rule(facts: Facts) -> Answer:
    cells = None
    if facts.loss.n <= _FEW_LABELS:
        try:
            cells = facts.cells(_MOST_VERTICES)
        except TooLarge:
            cells = None
    rule = rule_of(facts, cells)
    if rule is not None:
        return {"heading": rule.heading, "sentences": list(rule.sentences)}
    return {"heading": WINNING, "sentences": winning(facts, shares(facts.loss), _TOLD)}


def _acting(facts: Facts) -> Answer | None:
    loss = facts.loss
    found = acting_on_the_most_probable(facts) if len(facts.kept) > 1 and is_quick(loss) else None
    if found is None:
        return None
    text = " ".join(line.strip() for line in practice_lines(loss, found))
    return {"text": text, "distribution": [number(x) for x in found.p]}


def at(asked: Asked, progress: Progress | None = None) -> Answer:
    """What each decision is expected to cost at a point, which is best, and how far the next change is."""
    loss = loss_of(asked.get("state"))
    p = _point(asked.get("p"), loss.n)
    risks = loss.risk(p)
    best = [t for t in range(loss.k) if risks[t] == min(risks)]
    change = nearest_change(loss, p, best[0])
    near = None
    if change is not None:
        q = [number(x) for x in change.q]
        near = {"decision": change.decision, "moved": number(change.moved), "p": q}
    return {"p": [number(x) for x in p], "expected": [number(x) for x in risks], "best": best, "next": near}


def _point(given: object, n: int) -> tuple[Fraction, ...]:
    """The distribution that was given, its sum made 1."""
    if not isinstance(given, list) or len(given) != n or not all(isinstance(x, str) and len(x) < 80 for x in given):
        raise BadInput(f"the point has not {n} probabilities, one text for each label")
    values = [as_rational(x) for x in given]
    if min(values) < 0 or not sum(values):
        raise BadInput("probabilities are not negative, and not all of them 0")
    total = sum(values, Fraction(0))
    return tuple(x / total for x in values)


def practices(asked: Asked, progress: Progress | None = None) -> Answer:
    """What common estimators train, and whether that is right for the loss."""
    found = which(loss_of(asked.get("state")))
    told = found.to_dict()
    for line, each in zip(found.lines, told["practices"], strict=True):
        if line.price is not None:
            each["at"] = [as_float(x) for x in line.price.p]
            each["said"] = str(line.price)
    return {"note": " ".join(f"{found.note} {found.condition}".split()), "practices": told["practices"]}


def overlay(asked: Asked, progress: Progress | None = None) -> Answer:
    """The walls between the cells of a surrogate, and whether it is calibrated."""
    loss = loss_of(asked.get("state"))
    surrogate = next((each for each in fitting_surrogates(loss) if each.name == asked.get("surrogate")), None)
    if surrogate is None:
        raise UnknownName(f"no surrogate for {loss.n} labels is called {str(asked.get('surrogate'))[:60]!r}")
    verdict = ask(surrogate, Facts(loss, progress))
    edges: list[Any] = []
    if isinstance(surrogate, PolyhedralSurrogate) and loss.n <= _MOST_OVERLAID:
        cells = positive_normal_sets(surrogate, max_vertices=_MOST_VERTICES).cells
        edges = [[[float(x) for x in end] for end in edge] for edge in walls(cell.polytope for cell in cells)]
    words = {
        "calibrated": "calibrated: with the right way of deciding, it learns the best decision",
        "not calibrated": "not calibrated: no way of deciding makes it right",
    }
    bad = None
    if isinstance(verdict, NotCalibrated):
        bad = [as_float(x) for x in verdict.distributions[0]]
    text = f"{surrogate.name} is {words.get(verdict.status, verdict.status)}."
    if not edges:
        many = isinstance(surrogate, PolyhedralSurrogate)
        text += " Its cells are drawn up to four labels." if many else " It is smooth: there are no cells to draw."
    return {"surrogate": surrogate.name, "status": verdict.status, "text": text, "edges": edges, "bad": bad}


def dimension(asked: Asked, progress: Progress | None = None) -> Answer:
    """How many functions must be learned, and a design that does with so many."""
    loss = loss_of(asked.get("state"))
    bounds = bounds_of(Facts(loss, progress))
    told = bounds.to_dict()
    made = design(loss, bounds=bounds, progress=progress) if bounds.upper.value else None
    size = {"n": loss.n, "last": loss.n - 1}
    return {
        "claim": claim_of(bounds),
        "lower": told["lower"],
        "upper": told["upper"],
        "bounds": told["bounds"],
        "design": None if made is None else {"dim": made.surrogate.dim, "text": str(made)},
        "code": {} if made is None else {"sklearn": TRAINING, "torch": _TORCH.format(**size)},
    }


def read(asked: Asked, progress: Progress | None = None) -> Answer:
    """The state in a text that was pasted or opened."""
    text = asked.get("text")
    if not isinstance(text, str):
        raise BadInput("there is no text to read")
    return {"state": read_state(text)}


def file(asked: Asked, progress: Progress | None = None) -> Answer:
    """A file to download: the table, the report, or the certificate of the design."""
    loss, kind = loss_of(asked.get("state")), asked.get("kind")
    make = {"csv": _csv, "json": _json, "report": _report, "certificate": _certificate}.get(str(kind))
    if make is None:
        raise UnknownName(f"no file is called {str(kind)[:60]!r}; known: csv, json, report, certificate")
    ending, media, text = make(loss, progress)
    return {"name": f"{file_name(loss.name)}{ending}", "type": media, "text": text}


def _csv(loss: LossMatrix, _: Progress | None) -> tuple[str, str, str]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "costs.csv"
        loss.to_csv(path)
        return ".csv", "text/csv", path.read_text(encoding="utf-8")


def _json(loss: LossMatrix, _: Progress | None) -> tuple[str, str, str]:
    return ".json", "application/json", loss.to_json()


def _report(loss: LossMatrix, progress: Progress | None) -> tuple[str, str, str]:
    from lossmith.reporting import report

    return "-report.html", "text/html", report(analyze(loss, progress=progress), progress=progress).to_html()


def _certificate(loss: LossMatrix, progress: Progress | None) -> tuple[str, str, str]:
    return "-certificate.json", "application/json", design(loss, progress=progress).certificate.to_json()


QUESTIONS: Mapping[str, Callable[[Asked, Progress | None], Answer]] = MappingProxyType(
    {
        "picture": picture,
        "at": at,
        "practices": practices,
        "overlay": overlay,
        "dimension": dimension,
        "sensitivity": sensitive,
        "varied": varied,
        "range": ranged,
        "read": read,
        "file": file,
    }
)
QUICK = ("picture", "at", "read", "varied", "range")  # asked while one types: a worker is kept for them
