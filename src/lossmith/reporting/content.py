"""What a report holds: the study of a loss, verdicts on the surrogates that fit it, and what to train with instead."""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from lossmith.answers.cataloguing import formula, verdicts_on
from lossmith.answers.designing import design
from lossmith.answers.study import LossStudy, analyze
from lossmith.answers.theory import REGRESSION
from lossmith.calibration.remembering import certificate_text
from lossmith.calibration.verdicts import Calibrated, Verdict
from lossmith.dimension.bounds import Bound
from lossmith.geometry.double_description import Progress
from lossmith.losses.named import LossLike
from lossmith.reporting.formulas import parts
from lossmith.surrogates.members import TRIED, fitting_surrogates
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.text.files import replacing

MOST_LABELS, MOST_DIMENSIONS = 8, 15  # for which hinges and other polyhedral surrogates are decided
_FEW_VERTICES = 500  # of the cells of one surrogate


@dataclass(frozen=True)
class Report:
    """A study, verdicts, and two designs: in the fewest dimensions, and for regression; None if nothing is learned."""

    study: LossStudy
    verdicts: tuple[Verdict, ...]
    fewest: Calibrated | None
    regression: Calibrated | None
    gains: bool = False  # were given, and the costs are what is lost against the best one of each row

    @property
    def code(self) -> str:
        """How to make the surrogate of the fewest dimensions that are certified."""
        return f"best = lm.design(loss, dim={self.study.dimension.upper.value})"

    @property
    def certificates(self) -> dict[str, str]:
        """The texts of all certificates, by what they prove."""
        bounds = self.study.dimension
        claims: dict[str, Verdict | Bound | None] = {"lower bound": bounds.lower, "upper bound": bounds.upper}
        claims |= {"regression": self.regression, "fewest dimensions": self.fewest}
        claims |= {each.surrogate.name: each for each in self.verdicts}
        texts = {name: certificate_text(claim) for name, claim in claims.items() if claim is not None}
        return {f"the certificate of {name}": text for name, text in texts.items() if text is not None}

    def to_html(self) -> str:
        """The report as a page that stands alone."""
        from lossmith.reporting.document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, certificates included."""
        content: dict[str, Any] = {
            "study": json.loads(self.study.to_json()),
            "bounds": [
                {"side": each.side, "value": each.value, "certificate": _held(certificate_text(each))}
                for each in (self.study.dimension.lower, self.study.dimension.upper)
            ],
            "verdicts": [
                {
                    **verdict.to_dict(),
                    "dim": verdict.surrogate.dim,
                    "formula": formula(verdict.surrogate),
                    "certificate": _held(certificate_text(verdict)),
                }
                for verdict in self.verdicts
            ],
        }
        if self.fewest is not None and self.regression is not None:
            content["recommended"] = {**_design(self.fewest), "code": [self.code]}
            content["regression"] = {**_design(self.regression), "code": list(REGRESSION)}
        return content

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False) + "\n"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the report: JSON if the path ends in .json, else the page."""
        text = self.to_json() if Path(path).suffix.lower() == ".json" else self.to_html()
        with replacing(path) as stream:
            stream.write(text.encode())


def report(study: LossStudy | LossLike, *, gains: bool = False, progress: Progress | None = None) -> Report:
    """Report on a loss, given as to `analyze`, or complete its study: with verdicts, and designs from the bounds.

    `to_html()` is a page that stands alone, `save(path)` writes it, or JSON. With `gains` it says that the loss was
    made by `LossMatrix.from_gains`.

    >>> found = report("ordinal:n=4")
    >>> found.fewest.surrogate.name, found.regression.surrogate.dim
    ('orderable(ordinal(n=4))', 3)
    """
    if not isinstance(study, LossStudy):
        study = analyze(study, progress=progress)
    loss, bounds = study.loss, study.dimension
    verdicts = study.verdicts
    if not verdicts and study.trigger_sets is not None:
        smooth = [each for each in TRIED if each.makes is SmoothSurrogate]
        fitting = fitting_surrogates(loss, TRIED if loss.n <= MOST_LABELS else smooth)
        small = [each for each in fitting if isinstance(each, SmoothSurrogate) or each.dim <= MOST_DIMENSIONS]
        verdicts = verdicts_on(study.facts, small, max_vertices=_FEW_VERTICES, progress=progress)
    if bounds.upper.value == 0:
        return Report(study, verdicts, None, None, gains)
    fewest = design(loss, bounds.upper.value, bounds=bounds)
    squares = isinstance(fewest, Calibrated) and fewest.made_by.startswith("square,")  # then it is the same once more
    regression = fewest if squares else design(loss, method="square", bounds=bounds)
    assert isinstance(fewest, Calibrated)
    assert isinstance(regression, Calibrated)
    return Report(study, verdicts, fewest, regression, gains)


def _held(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _design(verdict: Calibrated) -> dict[str, Any]:
    return {
        **verdict.to_dict(),
        "dim": verdict.surrogate.dim,
        "made_by": verdict.made_by,
        "formula": [{"label": label, "psi": text} for label, text in parts(verdict)],
        "certificate": _held(certificate_text(verdict)),
    }
