"""Losses for ranking the documents of a query: one file and one line per family."""

from __future__ import annotations

from typing import Any

from lossmith.families import Family
from lossmith.losses.ranking.dcg import dcg
from lossmith.losses.ranking.expected_reciprocal_rank import expected_reciprocal_rank
from lossmith.losses.ranking.kendall_tau import kendall_tau
from lossmith.losses.ranking.mean_average_precision import mean_average_precision
from lossmith.losses.ranking.ndcg import ndcg
from lossmith.losses.ranking.pairwise_disagreement import pairwise_disagreement
from lossmith.losses.ranking.precision_at import precision_at
from lossmith.losses.ranking.spearman_footrule import spearman_footrule
from lossmith.losses.ranking.spearman_rho import spearman_rho

RANKING: tuple[Family[..., Any], ...] = (
    ndcg,
    dcg,
    precision_at,
    mean_average_precision,
    pairwise_disagreement,
    expected_reciprocal_rank,
    kendall_tau,
    spearman_rho,
    spearman_footrule,
)

__all__ = [
    "RANKING",
    "dcg",
    "expected_reciprocal_rank",
    "kendall_tau",
    "mean_average_precision",
    "ndcg",
    "pairwise_disagreement",
    "precision_at",
    "spearman_footrule",
    "spearman_rho",
]
