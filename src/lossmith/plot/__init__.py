"""Pictures: figures of matplotlib, which is loaded here and nowhere else."""

from __future__ import annotations

from lossmith.plot.saving import save
from lossmith.plot.simplex import trigger_sets

__all__ = ["save", "trigger_sets"]
