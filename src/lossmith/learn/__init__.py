"""Learning: estimators of scikit-learn, which is loaded here and nowhere else."""

from __future__ import annotations

from lossmith.learn.chunked import chunks
from lossmith.learn.classifier import SurrogateClassifier
from lossmith.learn.comparison import Comparison, compare
from lossmith.learn.explanation import Explanation
from lossmith.learn.pairwise import PairwiseLogisticRegression
from lossmith.learn.pool import ProbabilityPool
from lossmith.learn.proportional_odds import ProportionalOdds
from lossmith.learn.reliability_curves import Reliability, reliability
from lossmith.learn.scoring import loss_score, make_loss_scorer
from lossmith.learn.subset_classifier import SubsetClassifier
from lossmith.learn.subset_ranker import SubsetRanker

__all__ = [
    "Comparison",
    "Explanation",
    "PairwiseLogisticRegression",
    "ProbabilityPool",
    "ProportionalOdds",
    "Reliability",
    "SubsetClassifier",
    "SubsetRanker",
    "SurrogateClassifier",
    "chunks",
    "compare",
    "loss_score",
    "make_loss_scorer",
    "reliability",
]
