"""Pictures: figures of matplotlib, which is loaded here and nowhere else."""

from __future__ import annotations

from lossmith.plot.census_picture import census
from lossmith.plot.comparison_picture import comparison
from lossmith.plot.excess import demonstration
from lossmith.plot.explanation_picture import explanation
from lossmith.plot.graph import neighbours
from lossmith.plot.one_dimension import curves
from lossmith.plot.regret_picture import regret
from lossmith.plot.reliability_picture import reliability
from lossmith.plot.saving import save
from lossmith.plot.simplex import trigger_sets
from lossmith.plot.tornado import sensitivity
from lossmith.plot.verdict_picture import verdict

__all__ = [
    "census",
    "comparison",
    "curves",
    "demonstration",
    "explanation",
    "neighbours",
    "regret",
    "reliability",
    "save",
    "sensitivity",
    "trigger_sets",
    "verdict",
]
