"""Learning: estimators of scikit-learn, which is loaded here and nowhere else."""

from __future__ import annotations

from lossmith.learn.subset_ranker import SubsetRanker

__all__ = ["SubsetRanker"]
