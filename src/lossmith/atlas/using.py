"""How a surrogate is called: in lossmith, in PyTorch, in scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from lossmith.atlas.deciding import Finding
from lossmith.atlas.members import dashed
from lossmith.calibration.verdicts import Surrogate
from lossmith.families import Family
from lossmith.losses.named import written_in_python
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.text.numbers import counted

_TRAINED = "criterion(u, y).backward()"
_DECIDED = "decisions = criterion.decide(u)"


def how_to_use(family: Family[..., Any], found: Sequence[Finding]) -> Iterator[str]:
    """A section of the page of a surrogate, with a loss for which it is right, if there is one."""
    some = [each for each in found if each.statement.pred is None]
    if not some:
        return
    chosen = min(some, key=_tells)
    statement, right = chosen.statement, chosen.status == "calibrated"
    lines = [
        "import lossmith as lm",
        "",
        written_in_python(statement.member.argument),
        f'verdict = lm.check("{statement.words or dashed(family.name)}", loss)',
        "print(verdict)",
        "",
        *_in_pytorch(statement.surrogate, right),
        "",
        *_in_scikit_learn(statement.surrogate, right),
        "decisions = model.fit(X, y).predict(X_new)",
    ]
    yield '<h2 id="use">How to use it</h2>'
    yield f"<pre>{escape(chr(10).join(lines))}</pre>"
    if not right:
        name = escape(statement.member.loss.name)
        yield f"<p>It is not known to be calibrated for {name}: choose a loss for which it is.</p>"


def _in_pytorch(surrogate: Surrogate, right: bool) -> list[str]:
    """A network's scores are free: where ψ has inequalities, something else is trained."""
    if isinstance(surrogate, PolyhedralSurrogate) and surrogate.inequalities:
        told = "# PyTorch: it is defined where inequalities hold, and scores of a network are free; softmax takes any"
        criterion = f"criterion = lm.nn.SurrogateLoss(lm.surrogates.softmax({surrogate.n}), loss=loss)"
        return [told, criterion, _TRAINED, _DECIDED]
    told = f"# PyTorch: u holds {counted(surrogate.dim, 'score')} for each example, y the row of its label"
    made = f"criterion = lm.nn.SurrogateLoss(verdict{'' if right else '.surrogate'})"
    return [told, made, _TRAINED, *([_DECIDED] if right else [])]


def _in_scikit_learn(surrogate: Surrogate, right: bool) -> list[str]:
    traits = surrogate.traits if isinstance(surrogate, SmoothSurrogate) else None
    if traits is not None and (traits.mean is None or traits.reading is not None):
        told = (
            "# scikit-learn: no linear model is trained with it; probabilities of any model decide as well; y by name"
        )
        return [told, 'model = lm.learn.SurrogateClassifier(loss, surrogate="plug-in")']
    uncertified = "" if right else ", allow_uncertified=True"
    return [
        "# scikit-learn: y holds the true labels by name, as in loss.labels",
        f"model = lm.learn.SurrogateClassifier(loss, surrogate=verdict.surrogate{uncertified})",
    ]


def _tells(finding: Finding) -> tuple[bool, bool, int]:
    """An example is good if it is right, has a name on the command line, and has three labels."""
    member = finding.statement.member
    return finding.status != "calibrated", member.words is None, abs(member.loss.n - 3)
