"""Learning: estimators of scikit-learn, which is loaded here and nowhere else."""

from __future__ import annotations

from lossmith.learn.classifier import SurrogateClassifier
from lossmith.learn.scoring import loss_score, make_loss_scorer
from lossmith.learn.subset_ranker import SubsetRanker

__all__ = ["SubsetRanker", "SurrogateClassifier", "loss_score", "make_loss_scorer"]
