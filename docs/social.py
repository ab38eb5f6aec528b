"""The picture that is shown where the site is linked to, 1200 × 630: `python docs/social.py FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib.figure import Figure

import lossmith as lm

LOSS = lm.LossMatrix(
    [[0, 1, 4, 10], [10, 3, 1, 4], [60, 35, 12, 0]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward", "icu"],
)
ALT = "lossmith: not every mistake costs the same. A triangle of probabilities, divided into the best decisions."


def draw(path: Path) -> None:
    """Write the name, the hook and the triangle of triage."""
    figure = Figure(figsize=(6, 3.15), dpi=200, facecolor="white")
    triangle = figure.add_axes((0.53, 0.08, 0.38, 0.8))
    lm.plot.trigger_sets(LOSS, ax=triangle, title="")
    figure.text(0.05, 0.72, "lossmith", size=29, weight="bold", color="#1f1f1f")
    figure.text(0.05, 0.5, "Not every mistake\ncosts the same.", size=15, color="#1f1f1f", linespacing=1.3)
    words = "Costs in, decisions out:\nexact, with proofs that are checked."
    figure.text(0.05, 0.27, words, size=9.5, color="#555", linespacing=1.5)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
