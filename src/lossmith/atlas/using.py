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
from lossmith.surrogates.smooth import SmoothSurrogate


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
        "# PyTorch: u holds the scores of a network, y the rows of the labels",
        f"criterion = lm.nn.SurrogateLoss(verdict{'' if right else '.surrogate'})",
        "criterion(u, y).backward()",
        "",
        *_in_scikit_learn(statement.surrogate, right),
        "decisions = model.fit(X, y).predict(X_new)",
    ]
    yield f"<h2>How to use it</h2><pre>{escape(chr(10).join(lines))}</pre>"
    if not right:
        name = escape(statement.member.loss.name)
        yield f"<p>It is not known to be calibrated for {name}: choose a loss for which it is.</p>"


def _in_scikit_learn(surrogate: Surrogate, right: bool) -> list[str]:
    traits = surrogate.traits if isinstance(surrogate, SmoothSurrogate) else None
    if traits is not None and (traits.mean is None or traits.reading is not None):
        told = "# scikit-learn: no linear model is trained with it; probabilities of any model decide as well"
        return [told, 'model = lm.learn.SurrogateClassifier(loss, surrogate="plug-in")']
    uncertified = "" if right else ", allow_uncertified=True"
    return ["# scikit-learn", f"model = lm.learn.SurrogateClassifier(loss, surrogate=verdict.surrogate{uncertified})"]


def _tells(finding: Finding) -> tuple[bool, bool, int]:
    """An example is good if it is right, has a name on the command line, and has three labels."""
    member = finding.statement.member
    return finding.status != "calibrated", member.words is None, abs(member.loss.n - 3)
